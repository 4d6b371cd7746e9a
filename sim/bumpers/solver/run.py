"""A search that is under way: the kernel's arrays, and their growth.

A `Run` searches one share of nodes after the other, so that limits are checked and progress is
reported in between, and enlarges the arrays when they fill up. `new_run` begins one;
`least_actions` and `distances_to_goal` are the heuristic of a position alone.
"""

import math
import time
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.kernel.arrays import U16, U64
from pucklab.sim.bumpers.kernel.heuristic import (
    EncodedGoal,
    lower_bound_of,
    with_distances,
)
from pucklab.sim.bumpers.kernel.layouts import (
    SHIFT,
    LayoutGraph,
    MatMoves,
    card_kinds,
    encode_cards,
    expand_layouts,
    mat_move_of,
    may_grow,
    most_mat_moves,
    new_graph,
    size_bytes,
)
from pucklab.sim.bumpers.kernel.move_generation import unmake_move
from pucklab.sim.bumpers.kernel.pattern_database import (
    MOST_SPACES,
    NAMES,
    PAIRS,
    TRIPLES,
    UNREACHABLE,
    PatternDatabase,
    count_sets,
    database_mb,
    database_of,
    is_kept,
)
from pucklab.sim.bumpers.kernel.position import FIRST, Change, Encoded, encode, key_of
from pucklab.sim.bumpers.kernel.search import LAYOUT_UNKNOWN, PAUSED, search_depth_first
from pucklab.sim.bumpers.kernel.search_stack import (
    ENTRIES,
    MAT_MOVES,
    MOST_MOVABLE,
    NODES,
    NOT_GENERATED,
    Search,
    SearchStack,
    new_search_stack,
)
from pucklab.sim.bumpers.kernel.transposition_table import grow_table, new_table
from pucklab.sim.bumpers.mats import Direction
from pucklab.sim.bumpers.moves import Line, Move, PieceMove
from pucklab.sim.bumpers.solver.goals import Goal, distinguish_pieces, encode_goal
from pucklab.sim.bumpers.solver.question import Limits, Question
from pucklab.sim.bumpers.solver.solution import Solution

_NODES = 1 << 16
"""Nodes after which the transposition table may grow again."""

_NODES_A_CALL = 1 << 13
"""Nodes of one share of the search, some milliseconds: signals and limits of time wait for it."""

_FIRST_NODES = 1 << 10
"""Nodes after which the transposition table may grow for the first time."""

_NODES_BEFORE = {PAIRS: 1 << 12, TRIPLES: 1 << 15}
"""Nodes after which a pattern database of a size is used.

Building it takes about 11 and 270 ms of CPU on the classic board. Most questions that pairs have
not answered by then take many more nodes. The number does not depend on whether the tables are kept
already, so that the same question always has the same node count."""

_SETS_A_NODE = 8
"""Sets of triples built in the time of a node."""

_NODES_BEFORE_THREADS = 1 << 18
"""Nodes after which an iteration is split into threads."""

_TABLE_MB = 1.0
"""Memory left at least to the transposition table."""

SPLIT_DEPTH = 2
"""Actions before the tree is split."""


@lru_cache(maxsize=1)
def _builder() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Run:
    """The state of a search.

    Attributes:
        limits: The limits of the search.
        encoded: The position.
        graph: The layouts met, and their mat moves with the cards in hand.
        encoded_goal: The goal.
        stack: The search stack.
        table: The transposition table.
        depth: The length of the solutions looked for; none is shorter.
        stages: The pattern databases still to come: after how many nodes, and the size of each.
        last_stage: The nodes and seconds after which the last one came into use.
        without_tables: See `Solution`.
        building: Triples that a thread builds while pairs serve, for so many pucks need them.
        began_s: Start time on the clock of `time.perf_counter`.
    """

    limits: Limits
    encoded: Encoded
    graph: LayoutGraph
    encoded_goal: EncodedGoal
    stack: SearchStack
    table: U64
    depth: int
    stages: list[tuple[int, int]]
    last_stage: tuple[int, float] = (0, 0.0)
    without_tables: str = ""
    building: "Future[PatternDatabase | None] | None" = None
    began_s: float

    @property
    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self.began_s

    @property
    def search(self) -> Search:
        """The arrays that the kernel works on."""
        layouts = self.graph.layouts
        return Search(self.encoded, layouts, self.encoded_goal, self.stack, self.table)

    def place(self, where: U16) -> None:
        """Move the pieces to other spaces, ``where[piece]``; the transposition table stays."""
        pieces = self.encoded.pieces
        pieces.where[:] = where
        pieces.occupied[:] = pieces.vacated
        for number, space in enumerate(where.tolist()):
            if space < len(pieces.vacated) - 1:
                pieces.occupied[space] = number + FIRST
        self.stack.keys[0] = key_of(self.encoded)

    def restart(self) -> None:
        """Restart from the pieces' places, without cards; nodes and time count from now on."""
        self.stack.bound[0] = self.root_bound()
        self.stack.counts[:3] = 0  # the table keeps its entries
        self.began_s = time.perf_counter()
        self.begin_depth()

    def root_bound(self) -> int:
        """Return the lower bound of the actions from the pieces' places."""
        goal, stack = self.encoded_goal, self.stack
        unchanged = Change(stack.who[0], stack.to[0], 0)
        where, has_cards = self.encoded.pieces.where, bool(stack.cards[0] > 0)
        return int(lower_bound_of(goal, goal.distances[0], where, unchanged, has_cards))

    def size_mb(self) -> float:
        """Return the memory of the large arrays: the transposition table and all others."""
        return self.table.nbytes / 1e6 + self._arrays_mb()

    def begin_depth(self) -> None:
        """Go back to the root for a new iteration."""
        self.stack.ply[0] = self.stack.solved[0] = 0
        self.stack.stage[0] = NOT_GENERATED

    def advance(self) -> int:
        """Search one share of nodes; return its result (see `kernel.search`)."""
        made = int(self.stack.counts[NODES])
        step = self._growth_nodes()
        share = min(_NODES_A_CALL, step - made % step)
        if self.stages:
            share = min(share, max(1, self.stages[0][0] - made))
        if self.limits.nodes is not None:
            share = min(share, self.limits.nodes - made)
        return search_depth_first(self.search, self.depth, share)

    def make_room(self, ended: int) -> str:
        """Enlarge the arrays for the next share; return "memory" if the limit does not allow it.

        Args:
            ended: The result of the last share.
        """
        if ended == LAYOUT_UNKNOWN:  # the one that the search has reached
            # While arrays are copied, the old and the new ones exist.
            most_mb = self.table.nbytes / 1e6 + 3 * self._arrays_mb()
            if may_grow(self.graph) and most_mb > self.limits.memory_mb:
                return "memory"
            ply, known = self.stack.ply[0], len(self.graph.numbers)
            cards = int(self.stack.cards[ply])
            is_series = cards >> 2 * SHIFT & 3 > 1
            reached = [int(self.stack.layout[ply])]
            expand_layouts(self.graph, reached, card_kinds(cards), series=is_series)
            neighbours, vacated = self.graph.layouts.neighbours, self.encoded.pieces.vacated
            self.encoded_goal = with_distances(
                self.encoded_goal, neighbours, vacated, known, len(self.graph.numbers)
            )
        if ended != PAUSED or self.stack.counts[NODES] % self._growth_nodes() == 0:
            self.make_table()
        return ""

    def _growth_nodes(self) -> int:
        """Return the number of nodes at whose multiples the transposition table may grow.

        It may at powers of 2 up to `_NODES`, and then at its multiples, however shares are cut.
        """
        return min(_NODES, max(_FIRST_NODES, 1 << int(self.stack.counts[NODES]).bit_length() >> 1))

    def make_table(self) -> None:
        """Enlarge the transposition table if it is nearly full and memory allows."""
        left_mb = self.limits.memory_mb - self._arrays_mb()
        spaces = len(self.encoded.pieces.vacated) - 2
        reserved_mb = max((database_mb(spaces, size) for _, size in self.stages), default=0.0)
        left_mb -= reserved_mb if reserved_mb + _TABLE_MB < left_mb else 0.0
        self.table = grow_table(self.table, int(self.stack.counts[ENTRIES]), left_mb)

    def may_split(self) -> bool:
        """Return whether the next iteration is worth several threads, and can be split."""
        is_hard = self.stack.counts[NODES] >= _NODES_BEFORE_THREADS and self.depth > SPLIT_DEPTH
        can_split = not (self.stages or self.graph.allowed.any or self.limits.nodes)
        return bool(is_hard and can_split)

    def use_patterns(self) -> bool:
        """Use the next pattern database if its time has come; under a limit of seconds a kept one.

        Returns:
            True if it is used from now on; the root then has a new bound and must be searched anew.
        """
        if not self.stages:
            return False
        layout = self.graph.layouts.neighbours[0], self.encoded.pieces.vacated
        (nodes, size), made = self.stages[0], int(self.stack.counts[NODES])
        if self.limits.seconds is not None and is_kept(*layout, self.stages[-1][1]):
            _, size = self.stages[-1]
        elif made < nodes:
            return False
        self.stages = [stage for stage in self.stages if stage[1] > size]
        spaces = len(layout[1]) - 2
        needed_mb = self._arrays_mb() + database_mb(spaces, size) + _TABLE_MB
        if needed_mb > self.limits.memory_mb:
            limit = f"{self.limits.memory_mb:g} MB: with all the rest they take"
            self.without_tables = (
                f"no tables of {NAMES[size]} within {limit} {math.ceil(needed_mb)} MB"
            )
            return False
        made_before, before_s = self.last_stage
        needed_s = (self.seconds - before_s) / max(1, made - made_before)  # a node
        needed_s *= count_sets(spaces, size) / _SETS_A_NODE
        left_s = (self.limits.seconds or math.inf) - self.seconds
        if size > PAIRS and left_s < needed_s and not is_kept(*layout, size):
            limit = f"{self.limits.seconds:g} s: {left_s:.2g} s are left, and they take about"
            self.without_tables = f"no tables of {NAMES[size]} within {limit} {needed_s:.2g} s"
            return False
        building, self.building = self.building, None
        if building is None:
            database = database_of(*layout, size, lambda: self.limit() != "seconds")
        else:
            database = building.result()
        if database is None:
            return False
        left = [next_size for _, next_size in self.stages if not is_kept(*layout, next_size)]
        if left and max(self.encoded_goal.needed) > TRIPLES and self.limits.seconds is None:
            needed_mb += database_mb(spaces, left[0])
            if needed_mb <= self.limits.memory_mb:
                own = weakref.ref(self)  # a search that has ended needs no tables any more
                self.building = _builder().submit(
                    database_of, *layout, left[0], lambda: own() is not None
                )
        self.last_stage = made, self.seconds
        self.encoded_goal = self.encoded_goal._replace(database=database)
        stack, pieces = self.stack, self.encoded.pieces
        for ply in range(int(stack.ply[0]) - 1, -1, -1):  # back to the root
            unmake_move(pieces, stack.who[ply], stack.origin[ply], int(stack.changes[ply]))
        self.begin_depth()
        self.stack.bound[0] = max(int(self.stack.bound[0]), self.root_bound())
        self.depth = max(self.depth, int(self.stack.bound[0]))
        return True

    def _arrays_mb(self) -> float:
        goal = self.encoded_goal
        tables = (goal.distances, goal.descents, goal.database.values, goal.database.filters)
        return (size_bytes(self.graph) + sum(table.nbytes for table in tables)) / 1e6

    def limit(self) -> str:
        """Return the limit that is reached; empty for none."""
        return self.limits.reached(int(self.stack.counts[NODES]), self.seconds)

    def line(self) -> Line:
        """Return the moves of the solution found."""
        stack = self.stack
        moves: list[Move] = []
        for ply in range(int(stack.ply[0]) + 1):
            move = int(stack.moves[ply, stack.next_move[ply] - 1])
            if stack.stage[ply] == MAT_MOVES:
                moves.append(mat_move_of(int(self.graph.layouts.moves[move])))
            else:
                moves.append(PieceMove(int(stack.start[ply]), Direction(move % 4)))
        return tuple(moves)

    def state(self) -> Solution:
        """Return the result so far."""
        nodes, legal_moves, hits, used = self.stack.counts.tolist()
        without_tables = self.without_tables
        if self.stages and self.limit():
            after, size = self.stages[-1]
            limit = f"the limit of {self.limit()}: they are used after {after:,} nodes"
            without_tables = without_tables or f"no tables of {NAMES[size]} within {limit}"
        return Solution(
            lower_bound=None if self.depth >= UNREACHABLE else self.depth,
            nodes=nodes,
            legal_moves=legal_moves,
            seconds=self.seconds,
            table_hits=hits,
            table_used=used,
            table_size=len(self.table),
            without_tables=without_tables,
        )


def new_run(question: Question) -> Run:
    """Return a new search for a question that has been checked; its goal is no defence."""
    began_s = time.perf_counter()
    position, goal, limits = question.position, question.goal, question.limits
    assert isinstance(goal, Goal)
    encoded = encode(position)
    hand = turns, swaps, shifts = question.hand.count_mat_cards()
    allowed = MatMoves(
        turns=turns > 0,
        swaps=swaps > 0,
        shifts=shifts > 0,
        one_piece=position.rules.one_piece,
        series=question.one_turn and shifts > 1,
    )
    graph = new_graph(position.layout, allowed)
    encoded_goal = encode_goal(position, goal, encoded, graph.layouts.neighbours)
    encoded = distinguish_pieces(position, goal, encoded, encoded_goal.is_asked)
    mat_moves = most_mat_moves(len(position.layout.faces), allowed)
    stack = new_search_stack(encoded, limits.max_actions, mat_moves)
    stack.cards[0] = encode_cards(*hand)
    spaces = len(encoded.pieces.vacated) - 2
    sizes = () if allowed.any else _NODES_BEFORE.items()
    # Patterns are of pucks that come in, as many as the sets of bits of moves have room for.
    most = int(encoded_goal.needed[0])
    uses_patterns = len(goal.targets) == 1 and goal.targets[0].space is None
    uses_patterns &= len(encoded.game.movable) < MOST_MOVABLE
    run = Run(
        limits=limits,
        encoded=encoded,
        graph=graph,
        encoded_goal=encoded_goal,
        stack=stack,
        table=new_table(),
        depth=0,
        stages=[
            (nodes, size)
            for size, nodes in sizes
            if uses_patterns and size <= most and spaces <= MOST_SPACES[size]
        ],
        began_s=began_s,
    )
    run.depth = stack.bound[0] = run.root_bound()
    return run


def least_actions(position: Position, goal: Goal) -> int:
    """Return the heuristic lower bound of the actions to a goal; 255 if it can never be reached.

    Args:
        position: The position.
        goal: A goal of the position that is not reached.
    """
    return int(new_run(Question(position, goal)).stack.bound[0])


def distances_to_goal(position: Position, goal: Goal) -> dict[int, list[U16]]:
    """Return the heuristic distances of the pieces of a goal: 255 where it is out of reach.

    Args:
        position: The position.
        goal: A goal of the position that is not reached.

    Returns:
        For the space of each piece and each of its targets, ``distances[space]`` of such a piece.
    """
    run = new_run(Question(position, goal))
    encoded, where = run.encoded_goal, run.encoded.pieces.where
    found: dict[int, list[U16]] = {}
    for piece, row in zip(encoded.pieces, encoded.rows, strict=True):
        found.setdefault(int(where[piece]), []).append(encoded.distances[0, row])
    return found
