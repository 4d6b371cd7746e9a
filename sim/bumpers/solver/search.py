"""Searching for a shortest solution: iterative deepening A*, or breadth-first for a defence.

A search on its way: the kernel's arrays, with room for more when they need it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from physics import InputError
from sim.bumpers.board import Position
from sim.bumpers.mats import Direction
from sim.bumpers.moves import Move, PieceMove
from sim.bumpers.solver.cards import MatCard, counted
from sim.bumpers.solver.goals import AnyGoal, Defence, Goal, aim_of, check_goal, with_named
from sim.bumpers.solver.solution import Limits, Solution, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sim.bumpers.kernel.heuristic import Aim
    from sim.bumpers.kernel.layouts import Graph
    from sim.bumpers.kernel.position import Encoded
    from sim.bumpers.kernel.search_stack import Path


MOST_LINES = 10_000
"""Most solutions that are listed when all are asked for."""


def solve(
    position: Position,
    goal: AnyGoal | None = None,
    limits: Limits | None = None,
    *,
    cards: Sequence[MatCard] = (),
    every: bool = False,
    most: int = MOST_LINES,
    watch: Callable[[Solution], None] | None = None,
) -> Solution:
    """Return a shortest list of actions of the side to move that reaches a goal, or what is proved.

    The side to move makes all moves; PB-10, which is about turns, is not applied. Same position,
    goal and limits, same answer and node count, but for a limit of seconds. Ctrl-C ends the
    search as a limit does.

    With a `Defence` for a goal, a solution ends where the other colour cannot score in its turn,
    which is proved for each position tried.

    Args:
        position: A legal position.
        goal: What is wanted; by default one puck of the side to move in.
        limits: How far to go; see `Limits` for the defaults.
        cards: Mat moves in hand, each one action and used once, up to 3 of a kind.
        every: Find all shortest solutions.
        most: Stop at so many of them.
        watch: Called now and then with what is known so far, and at last with the answer.

    Raises:
        InputError: Nobody is to move, there are too many cards, or the goal is none of the
            position or reached already.

    Example:
        >>> from sim.bumpers import move_text, parse_position
        >>> start = parse_position("pb1:small:RPb7.BPe7:-:R:-")
        >>> found = solve(start)
        >>> found.status.value, len(found.line)
        ('solved', 3)
    """
    known = None
    states = _states(position, goal or Goal(), limits or Limits(), cards, most if every else 1)
    try:
        for state in states:
            known = state
            if watch is not None:
                watch(state)
    except KeyboardInterrupt:
        if known is None:
            raise
        return replace(known, limit="stopped")
    assert known is not None
    return known


def _states(
    position: Position, goal: AnyGoal, limits: Limits, cards: Sequence[MatCard], most: int
) -> Iterator[Solution]:
    """Search as `solve` does, and yield what is known so far; the last is the answer."""
    from sim.bumpers.solver.defence import defence_states

    if position.to_move is None:
        raise InputError("position: nobody is to move; give a colour as the fifth field")
    hand = counted(cards)
    check_goal(position, goal)
    if isinstance(goal, Defence):
        return defence_states(position, goal, limits, tuple(cards), most)
    return _search_states(position, goal, limits, hand, most)


def _search_states(
    position: Position, goal: Goal, limits: Limits, hand: tuple[int, int, int], most: int
) -> Iterator[Solution]:
    """Search by iterative deepening A*, and yield what is known so far."""
    from sim.bumpers.kernel.search import FOUND, NONE

    run = begun(position, goal, limits, hand)
    lines: list[tuple[Move, ...]] = []
    limit = ""
    ended = FOUND
    yield run.state()
    while run.depth <= limits.actions and not lines and not limit:
        run.begin_depth()
        ended = FOUND
        while ended != NONE and not limit and len(lines) < most:
            ended = run.go_on()
            if ended == FOUND:
                lines.append(run.line())
            else:
                yield run.state()
            limit = "" if ended == NONE else run.make_room(ended) or run.limit()
        run.depth += ended == NONE and not lines
    state = run.state()
    if lines:
        complete = ended == NONE
        yield replace(
            state,
            status=Status.SOLVED,
            line=lines[0],
            lines=tuple(lines),
            complete=complete,
            limit="" if complete or most == 1 else limit or "lines",
        )
    elif limit:
        yield replace(state, limit=limit)
    else:
        yield replace(state, status=Status.PROVED_UNSOLVABLE)


_NODES = 1 << 16
_FEW_NODES = 1 << 5


@dataclass(slots=True, kw_only=True)
class Run:
    """A search on its way; it changes as it goes on.

    Attributes:
        limits: How far it may go.
        encoded: The position.
        graph: The arrangements met, and their mat moves with the cards in hand.
        aim: What is wanted.
        path: Where the search is.
        table: What is proved.
        depth: Most actions of the solutions that are looked for; none has fewer.
        began_s: When it began, by the clock of `time.perf_counter`.
    """

    limits: Limits
    encoded: "Encoded"
    graph: "Graph"
    aim: "Aim"
    path: "Path"
    table: "NDArray[np.uint64]"
    depth: int
    began_s: float

    def place(self, where: "NDArray[np.uint16]") -> None:
        """Put the pieces elsewhere, each on the space at its number; the table stays."""
        from sim.bumpers.kernel.position import FIRST, key_of

        pieces = self.encoded.pieces
        pieces.where[:] = where
        pieces.occupied[:] = pieces.vacated
        for number, space in enumerate(where.tolist()):
            if space < len(pieces.vacated) - 1:
                pieces.occupied[space] = number + FIRST
        self.path.keys[0] = key_of(self.encoded)

    def restart(self) -> None:
        """Begin anew where the pieces are, without cards; count work and time from now on."""
        from sim.bumpers.kernel.heuristic import bound_of

        where, path, distances = self.encoded.pieces.where, self.path, self.aim.distances[0]
        path.bound[0] = bound_of(self.aim, distances, where, path.who[0], path.to[0], 0, False)
        path.counts[:3] = 0  # the table keeps its entries
        self.began_s = time.perf_counter()
        self.begin_depth()

    def size_mb(self) -> float:
        """Return the memory of what grows or is large: the table and the arrangements."""
        return self.table.nbytes / 1e6 + self._arrangements_mb()

    def begin_depth(self) -> None:
        """Go back to the position."""
        from sim.bumpers.kernel.search_stack import UNLISTED

        self.path.ply[0] = self.path.solved[0] = 0
        self.path.stage[0] = UNLISTED

    def go_on(self) -> int:
        """Search for a while; return how that ended (see `sim.bumpers.kernel.search`)."""
        from sim.bumpers.kernel.compiling import share_of
        from sim.bumpers.kernel.search import search
        from sim.bumpers.kernel.search_stack import NODES

        made = int(self.path.counts[NODES])
        # The table grows after as many nodes whatever the shares were.
        share = min(share_of(_FEW_NODES, _NODES), _NODES - made % _NODES)
        if self.limits.nodes is not None:
            share = min(share, self.limits.nodes - made)
        layouts = self.graph.layouts
        return search(self.encoded, layouts, self.aim, self.path, self.table, self.depth, share)

    def make_room(self, ended: int) -> str:
        """Make room for what comes after a share; return "memory" if more is needed than allowed.

        Args:
            ended: How the share ended.
        """
        from sim.bumpers.kernel.search import UNKNOWN_AHEAD
        from sim.bumpers.kernel.search_stack import ENTRIES
        from sim.bumpers.kernel.transposition_table import with_room

        if ended == UNKNOWN_AHEAD and not self._look_ahead():
            return "memory"
        left_mb = self.limits.memory_mb - self._arrangements_mb()
        self.table = with_room(self.table, int(self.path.counts[ENTRIES]), left_mb)
        return ""

    def _look_ahead(self) -> bool:
        """Follow the mat moves of the arrangement that the search came to, if memory allows."""
        from sim.bumpers.kernel.heuristic import with_distances
        from sim.bumpers.kernel.layouts import follow, kinds_of, may_grow

        # While they are copied, there are old and new ones.
        if may_grow(self.graph):
            most_mb = self.table.nbytes / 1e6 + 3 * self._arrangements_mb()
            if most_mb > self.limits.memory_mb:
                return False
        ply, known = self.path.ply[0], len(self.graph.numbers)
        kinds = kinds_of(int(self.path.hand[ply]))
        follow(self.graph, [int(self.path.arrangement[ply])], kinds)
        neighbours, vacated = self.graph.layouts.neighbours, self.encoded.pieces.vacated
        self.aim = with_distances(self.aim, neighbours, vacated, known, len(self.graph.numbers))
        return True

    def _arrangements_mb(self) -> float:
        from sim.bumpers.kernel.layouts import size_bytes

        return (size_bytes(self.graph) + self.aim.distances.nbytes + self.aim.falls.nbytes) / 1e6

    def limit(self) -> str:
        """Return which limit of work is reached; empty for none."""
        if self.limits.nodes is not None and self.path.counts[0] >= self.limits.nodes:
            return "nodes"
        seconds = time.perf_counter() - self.began_s
        if self.limits.seconds is not None and seconds >= self.limits.seconds:
            return "seconds"
        return ""

    def line(self) -> tuple[Move, ...]:
        """Return the moves of the solution that was found."""
        from sim.bumpers.kernel.layouts import mat_move_of
        from sim.bumpers.kernel.search_stack import MATS

        path = self.path
        moves: list[Move] = []
        for ply in range(int(path.ply[0]) + 1):
            move = int(path.listed_move[ply, path.next_move[ply] - 1])
            if path.stage[ply] == MATS:
                moves.append(mat_move_of(int(self.graph.layouts.moves[move])))
            else:
                moves.append(PieceMove(int(path.start[ply]), Direction(move % 4)))
        return tuple(moves)

    def state(self) -> Solution:
        """Return what is known."""
        from sim.bumpers.kernel.heuristic import NO_WAY

        nodes, generated, hits, used = self.path.counts.tolist()
        return Solution(
            status=Status.LIMIT_REACHED,
            line=(),
            lines=(),
            complete=False,
            lower_bound=None if self.depth >= NO_WAY else self.depth,
            limit="",
            nodes=nodes,
            generated=generated,
            seconds=time.perf_counter() - self.began_s,
            table_hits=hits,
            table_used=used,
            table_size=len(self.table),
        )


def begun(position: Position, goal: Goal, limits: Limits, hand: tuple[int, int, int]) -> Run:
    """Return a search that has not begun.

    Args:
        position: The position.
        goal: A goal that was checked.
        limits: How far to go.
        hand: How many cards turn, swap and shift.
    """
    from sim.bumpers.kernel.heuristic import bound_of
    from sim.bumpers.kernel.layouts import MatMoves, hand_of, most_mat_moves, new_graph
    from sim.bumpers.kernel.position import encode
    from sim.bumpers.kernel.search_stack import new_path
    from sim.bumpers.kernel.transposition_table import first_table

    began_s = time.perf_counter()
    encoded = encode(position)
    turns, swaps, shifts = hand
    allowed = MatMoves(
        turns=turns > 0, swaps=swaps > 0, shifts=shifts > 0, one_piece=position.rules.one_piece
    )
    graph = new_graph(position.layout, allowed)
    aim = aim_of(position, goal, encoded, graph.layouts.neighbours)
    encoded = with_named(encoded, aim, goal)
    mat_moves = most_mat_moves(len(position.layout.faces), allowed)
    path = new_path(encoded, limits.actions, mat_moves)
    path.hand[0] = hand_of(*hand)
    distances, where = aim.distances[0], encoded.pieces.where
    path.bound[0] = bound_of(aim, distances, where, path.who[0], path.to[0], 0, allowed.any)
    return Run(
        limits=limits,
        encoded=encoded,
        graph=graph,
        aim=aim,
        path=path,
        table=first_table(),
        depth=int(path.bound[0]),
        began_s=began_s,
    )


def least_actions(position: Position, goal: Goal) -> int:
    """Return how many actions a goal needs at least, as if pucks could stop anywhere.

    Other pieces are left out; 255 if it can never be reached.

    Args:
        position: The position.
        goal: A goal of it that is not reached.
    """
    return int(begun(position, goal, Limits(), (0, 0, 0)).path.bound[0])
