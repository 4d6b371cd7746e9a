"""Search for a defence: actions after which another colour cannot score in its next turn.

Breadth-first over the distinct positions that actions lead to, so the first defence found is a
shortest one. For each position, `Replies` proves by the A* search whether the other colour can
score from it; the searches share their transposition tables, one for each layout. Begin with
`defence_states`.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.kernel.search import EXHAUSTED, FOUND
from pucklab.sim.bumpers.mats import Kind, Layout, Piece, are_slots_legal, slots_of
from pucklab.sim.bumpers.moves import Line, MatShift, MatSwap, MatTurn, Move, PieceMove
from pucklab.sim.bumpers.rules import legal_moves, play
from pucklab.sim.bumpers.solver.cards import MatCard
from pucklab.sim.bumpers.solver.goals import Defence
from pucklab.sim.bumpers.solver.question import LEAST_MB, Limits, Question
from pucklab.sim.bumpers.solver.run import Run, new_run
from pucklab.sim.bumpers.solver.solution import Solution, Status, with_lines

State = tuple[Position, tuple[MatCard, ...]]
"""A position and the cards in hand."""

_CARD_OF = {MatTurn: MatCard.TWIST, MatSwap: MatCard.SWAP, MatShift: MatCard.SHIFT}
_KIND_ORDER = (Kind.PUCK, Kind.ICE, Kind.MEEPLE)

_MEMORY_PARTS = 4
"""The search on one layout uses at most this fraction of the memory."""

_STATE_MB = 0.004
"""Approximate memory of a position met, with its pieces and predecessors."""

_CHECK_NODES = 1_000_000
"""Nodes after which `check_threat` gives up."""


@dataclass(slots=True, kw_only=True)
class Replies:
    """Searches for a score in the other colour's turn, which keep their transposition tables.

    The pieces are encoded once for each layout, and proofs of one position help with the others.

    Attributes:
        start: The first position, from which all others come.
        goal: The colour, and the actions in its turn.
        memory_mb: Maximum memory of all searches; beyond it, the tables are dropped.
        runs: The search on each layout.
        nodes: Positions visited.
        legal_moves: Legal moves listed.
        table_hits: Moves pruned by a transposition table.
    """

    start: Position
    goal: Defence
    memory_mb: float
    runs: dict[Layout, Run] = field(default_factory=dict)
    nodes: int = 0
    legal_moves: int = 0
    table_hits: int = 0

    def can_score(
        self, position: Position, nodes: int | None, seconds: float | None
    ) -> bool | None:
        """Return whether the colour can score from a position; None if a limit is reached first.

        Args:
            position: A position reached from the first one, with all pucks of the colour still on
                the board.
            nodes: Maximum number of nodes; None for no limit.
            seconds: Maximum time in seconds; None for no limit.
        """
        run = self._run(position)
        run.limits = replace(run.limits, nodes=nodes, seconds=seconds)
        run.restart()
        if int(run.stack.bound[0]) > self.goal.turn_actions:
            return False
        ended, limit = None, ""
        while ended not in (EXHAUSTED, FOUND) and not limit:
            ended = run.advance()
            run.make_room(ended)
            limit = "" if ended in (EXHAUSTED, FOUND) else run.limit()
        made, legal_moves, hits, _ = run.stack.counts.tolist()
        self.nodes += made
        self.legal_moves += legal_moves
        self.table_hits += hits
        return None if limit else ended == FOUND

    def _run(self, position: Position) -> Run:
        """Return the search on a position's layout, with the pieces in place."""
        if position.layout not in self.runs:
            used_mb = sum(run.size_mb() for run in self.runs.values())
            if used_mb + self.memory_mb / _MEMORY_PARTS > self.memory_mb:
                self.runs.clear()
            theirs = replace(self.start, layout=position.layout, to_move=self.goal.colour)
            most_mb = max(self.memory_mb / _MEMORY_PARTS, LEAST_MB)
            limits = Limits(max_actions=self.goal.turn_actions, memory_mb=most_mb)
            run = new_run(Question(theirs, limits=limits))
            run.depth = self.goal.turn_actions
            self.runs[position.layout] = run
        run = self.runs[position.layout]
        # The space of each piece, by its index in the kernel.
        scored = len(run.encoded.pieces.vacated) - 1
        spaces: dict[Piece, list[int]] = {}
        for space, piece in position.pieces:
            spaces.setdefault(piece, []).append(space)
        pieces = sorted(self.start.pieces, key=lambda pair: _KIND_ORDER.index(pair[1].kind))
        left = {piece: iter(found) for piece, found in spaces.items()}
        where = [next(left.get(piece, iter(())), scored) for _, piece in pieces]
        run.place(np.array(where, np.uint16))
        return run


@dataclass(slots=True, kw_only=True)
class DefenceRun:
    """The state of a search for a defence.

    Attributes:
        replies: Searches of the other colour's turn.
        limits: The limits of the search.
        depth: The length of the lines being tried; no defence is shorter.
        predecessors: For each depth, the predecessors of each state, the first one met first.
        met: All states met.
        one_turn: True if all actions are in one turn, see `Question`.
        verdicts: Whether the other colour can score, by position.
        moves: Moves made by the side to move.
        began_s: Start time on the clock of `time.perf_counter`.
    """

    replies: Replies
    limits: Limits
    one_turn: bool = False
    depth: int = 1
    predecessors: list[dict[State, list[tuple[State, Move]]]] = field(default_factory=list)
    met: set[State] = field(default_factory=set)
    verdicts: dict[Position, bool] = field(default_factory=dict)
    moves: int = 0
    began_s: float = field(default_factory=time.perf_counter)

    def can_score(self, position: Position) -> bool | None:
        """Return whether the other colour can score; None if a limit is reached first."""
        if position not in self.verdicts:
            if self.limit():
                return None
            nodes, seconds = self.limits.nodes, self.limits.seconds
            verdict = self.replies.can_score(
                position,
                None if nodes is None else nodes - self._nodes(),
                None if seconds is None else max(seconds - self._seconds(), 0.001),
            )
            if verdict is None:
                return None
            self.verdicts[position] = verdict
        return self.verdicts[position]

    def limit(self) -> str:
        """Return the limit that is reached; empty for none."""
        states = len(self.met) + len(self.predecessors[-1] if self.predecessors else ())
        is_full = states * _STATE_MB > self.limits.memory_mb / 2
        return self.limits.reached(self._nodes(), self._seconds()) or "memory" * is_full

    def state(self) -> Solution:
        """Return the result so far."""
        runs = self.replies.runs.values()
        return Solution(
            lower_bound=self.depth,
            nodes=self._nodes(),
            legal_moves=self.moves + self.replies.legal_moves,
            seconds=self._seconds(),
            table_hits=self.replies.table_hits,
            table_used=sum(int(run.stack.counts[-1]) for run in runs),
            table_size=sum(len(run.table) for run in runs),
        )

    def lines_to(self, state: State, level: int) -> Iterator[Line]:
        """Yield the lines to a state; level 0 is after one move."""
        if level < 0:
            yield ()
            return
        for before, move in self.predecessors[level][state]:
            for line in self.lines_to(before, level - 1):
                yield (*line, move)

    def _nodes(self) -> int:
        return self.moves + self.replies.nodes

    def _seconds(self) -> float:
        return time.perf_counter() - self.began_s


def defence_states(question: Question) -> Iterator[Solution]:
    """Search for a defence, and yield the result so far; the last one is the answer.

    Args:
        question: A question that has been checked, with a `Defence` as its goal.

    Raises:
        InputError: The other colour cannot score in its turn anyway.
    """
    position, goal, limits = question.position, question.goal, question.limits
    assert isinstance(goal, Defence)
    most = question.solutions
    run = _begin(position, goal, limits)
    run.one_turn = question.one_turn
    start: State = (position, tuple(sorted(question.hand.mats, key=lambda card: card.value)))
    run.met.add(start)
    front = [start]
    safe: list[State] = []
    limit = run.limit()
    yield run.state()
    while front and run.depth <= limits.max_actions and not (safe or limit):
        came: dict[State, list[tuple[State, Move]]] = {}
        run.predecessors.append(came)
        for before in front:
            limit = _try_moves(run, before, safe, most)
            yield run.state()
            if limit or len(safe) >= most:
                break
        else:
            run.met |= came.keys()
            run.depth += not safe
            front = list(came)
    state = run.state()
    if safe:
        last = len(run.predecessors) - 1
        lines = tuple(islice((line for one in safe for line in run.lines_to(one, last)), most))
        complete = not limit and len(lines) < most
        yield with_lines(state, lines, limit, most, complete=complete)
    elif limit:
        yield replace(state, limit=limit)
    else:
        bound = state.lower_bound if front else None
        yield replace(state, status=Status.PROVED_UNSOLVABLE, lower_bound=bound)


def check_threat(position: Position, goal: Defence) -> None:
    """Check that a defence is needed, with at most a million nodes.

    Raises:
        InputError: The other colour cannot score in its turn anyway.
    """
    _begin(position, goal, Limits(nodes=_CHECK_NODES))


def _begin(position: Position, goal: Defence, limits: Limits) -> DefenceRun:
    """Return a new search, in which the other colour can score from the position."""
    replies = Replies(start=position, goal=goal, memory_mb=limits.memory_mb / 2)
    run = DefenceRun(replies=replies, limits=limits)
    if run.can_score(position) is False:
        actions = "1 action" if goal.turn_actions == 1 else f"{goal.turn_actions} actions"
        raise InputError(f"goal: {goal.colour.word} cannot score within {actions} as it is")
    return run


def _try_moves(run: DefenceRun, before: State, safe: list[State], most: int) -> str:
    """Try all moves of a state that do not score for the other colour; return the limit reached.

    States that are new at this depth are added to where they come from, and to ``safe`` if the
    other colour cannot score from them.
    """
    came, stopped = run.predecessors[-1], run.replies.goal.colour
    position, hand = before
    # In one turn a mat may lie illegally if a shift is left, which alone makes the layout legal.
    is_series = run.one_turn and len(hand) > 1 and MatCard.SHIFT in hand
    for move in legal_moves(position, mats=bool(hand), temporary=is_series):
        rest = list(hand)
        if not isinstance(move, PieceMove):
            card = _CARD_OF[type(move)]
            if card not in rest:
                continue
            rest.remove(card)
        reached, _ = play(position, move, temporary=is_series)
        if reached.scored[stopped] != position.scored[stopped]:
            continue
        if is_series and MatCard.SHIFT not in rest and not _is_legal(reached):
            continue
        after = reached, tuple(rest)
        run.moves += 1
        if after in run.met:
            continue
        if after in came:
            came[after].append((before, move))
            continue
        came[after] = [(before, move)]
        if run.one_turn and not _is_legal(reached):
            continue
        can_score = run.can_score(reached)
        if can_score is None:
            return run.limit()
        if not can_score:
            safe.append(after)
            if len(safe) >= most:
                return ""
    return run.limit()


def _is_legal(position: Position) -> bool:
    return are_slots_legal(slots_of(position.layout), position.rules)
