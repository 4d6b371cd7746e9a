"""Searching for a defence: actions after which another colour cannot score in its turn.

Breadth-first over the distinct positions that actions lead to, so that the first defence is a
shortest one. Of each position it is proved, by the other search, whether the other colour can
score from it.

A search for a defence on its way: the positions met, and what is proved of them.

Whether a colour can score from one position after another that actions lead to.

The positions have the same pieces: they are encoded once for each layout, and what is proved of
one position helps with the others.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from physics import InputError
from sim.bumpers.board import Position
from sim.bumpers.mats import Kind, Layout, Piece
from sim.bumpers.moves import MatShift, MatSwap, MatTurn, Move, PieceMove
from sim.bumpers.rules import legal_moves, play
from sim.bumpers.solver.cards import MatCard
from sim.bumpers.solver.goals import Defence, Goal
from sim.bumpers.solver.search import Run, begun
from sim.bumpers.solver.solution import LEAST_MB, Limits, Solution, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_ORDER = (Kind.PUCK, Kind.ICE, Kind.MEEPLE)

_PARTS = 4
"""A search on one layout takes at most this part of the memory."""


@dataclass(slots=True, kw_only=True)
class Replies:
    """The searches of a colour's turn; they remember what they have proved.

    Attributes:
        start: The position that all others come from.
        goal: The colour, and the actions of its turn.
        memory_mb: Most memory of all searches; beyond it, they forget what they have proved.
        runs: The search on each layout.
        nodes: Moves made.
        generated: Positions generated.
        table_hits: Positions that a table knew to be without a reply.
    """

    start: Position
    goal: Defence
    memory_mb: float
    runs: dict[Layout, Run] = field(default_factory=dict)
    nodes: int = 0
    generated: int = 0
    table_hits: int = 0

    def can_score(
        self, position: Position, nodes: int | None, seconds: float | None
    ) -> bool | None:
        """Return whether the colour can score from a position; None if a limit came first.

        Args:
            position: A position that actions lead to from the first one, with all pucks of the
                colour still on the board.
            nodes: Most moves made; None for no limit.
            seconds: Most seconds; None for no limit.
        """
        from sim.bumpers.kernel.search import FOUND, NONE

        run = self._run(position)
        run.limits = replace(run.limits, nodes=nodes, seconds=seconds)
        run.restart()
        if int(run.path.bound[0]) > self.goal.actions:
            return False
        ended, limit = None, ""
        while ended not in (NONE, FOUND) and not limit:
            ended = run.go_on()
            run.make_room(ended)
            limit = "" if ended in (NONE, FOUND) else run.limit()
        made, generated, hits, _ = run.path.counts.tolist()
        self.nodes += made
        self.generated += generated
        self.table_hits += hits
        return None if limit else ended == FOUND

    def _run(self, position: Position) -> Run:
        """Return the search on a position's layout, with the position's pieces."""
        if position.layout not in self.runs:
            used_mb = sum(run.size_mb() for run in self.runs.values())
            if used_mb + self.memory_mb / _PARTS > self.memory_mb:
                self.runs.clear()
            theirs = replace(self.start, layout=position.layout, to_move=self.goal.colour)
            most_mb = max(self.memory_mb / _PARTS, LEAST_MB)
            limits = Limits(actions=self.goal.actions, memory_mb=most_mb)
            run = begun(theirs, Goal(), limits, (0, 0, 0))
            run.depth = self.goal.actions
            self.runs[position.layout] = run
        run = self.runs[position.layout]
        run.place(self._where(position, len(run.encoded.pieces.vacated) - 1))
        return run

    def _where(self, position: Position, scored: int) -> "NDArray[np.uint16]":
        """Return the space of each piece of the first position, by its number in the kernel."""
        import numpy as np

        spaces: dict[Piece, list[int]] = {}
        for space, piece in position.pieces:
            spaces.setdefault(piece, []).append(space)
        pieces = sorted(self.start.pieces, key=lambda pair: _ORDER.index(pair[1].kind))
        left = {piece: iter(found) for piece, found in spaces.items()}
        return np.array([next(left.get(piece, iter(())), scored) for _, piece in pieces], np.uint16)


_STATE_MB = 0.004
"""About the memory of a position met, with its pieces and where it comes from."""

State = tuple[Position, tuple[MatCard, ...]]
"""A position, and the cards in hand."""


@dataclass(slots=True, kw_only=True)
class DefenceRun:
    """A search on its way; it changes as it goes on.

    Attributes:
        replies: The other colour's turns.
        limits: How far it may go.
        depth: Actions of the lines that are tried; no defence has fewer.
        came: Where each state comes from, first of all where it was met first, by actions taken.
        met: All states met.
        verdicts: Whether the other colour can score, by position.
        moves: Moves made by the side to move.
        began_s: When it began, by the clock of `time.perf_counter`.
    """

    replies: Replies
    limits: Limits
    depth: int = 1
    came: list[dict[State, list[tuple[State, Move]]]] = field(default_factory=list)
    met: set[State] = field(default_factory=set)
    verdicts: dict[Position, bool] = field(default_factory=dict)
    moves: int = 0
    began_s: float = field(default_factory=time.perf_counter)

    def can_score(self, position: Position) -> bool | None:
        """Return whether the other colour can score from a position; None if a limit came first."""
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
        """Return which limit is reached; empty for none."""
        if self.limits.nodes is not None and self._nodes() >= self.limits.nodes:
            return "nodes"
        if self.limits.seconds is not None and self._seconds() >= self.limits.seconds:
            return "seconds"
        states = len(self.met) + len(self.came[-1] if self.came else ())
        return "memory" if states * _STATE_MB > self.limits.memory_mb / 2 else ""

    def state(self) -> Solution:
        """Return what is known."""
        runs = self.replies.runs.values()
        return Solution(
            status=Status.LIMIT_REACHED,
            line=(),
            lines=(),
            complete=False,
            lower_bound=self.depth,
            limit="",
            nodes=self._nodes(),
            generated=self.moves + self.replies.generated,
            seconds=self._seconds(),
            table_hits=self.replies.table_hits,
            table_used=sum(int(run.path.counts[-1]) for run in runs),
            table_size=sum(len(run.table) for run in runs),
        )

    def lines_to(self, state: State) -> Iterator[tuple[Move, ...]]:
        """Yield the lines to a state of the last depth."""
        return self._lines_to(state, len(self.came) - 1)

    def _lines_to(self, state: State, level: int) -> Iterator[tuple[Move, ...]]:
        if level < 0:
            yield ()
            return
        for before, move in self.came[level][state]:
            for line in self._lines_to(before, level - 1):
                yield (*line, move)

    def _nodes(self) -> int:
        return self.moves + self.replies.nodes

    def _seconds(self) -> float:
        return time.perf_counter() - self.began_s


_CARD_OF = {MatTurn: MatCard.TWIST, MatSwap: MatCard.SWAP, MatShift: MatCard.SHIFT}
_CHECK_NODES = 1_000_000


def defence_states(
    position: Position, goal: Defence, limits: Limits, cards: tuple[MatCard, ...], most: int
) -> Iterator[Solution]:
    """Search for a defence, and yield what is known so far; the last is the answer.

    Args:
        position: The position.
        goal: A goal that was checked.
        limits: How far to go.
        cards: The mat cards in hand.
        most: How many solutions are wanted.

    Raises:
        InputError: The other colour cannot score in its turn as it is.
    """
    run = _new_run(position, goal, limits)
    _refuse_if_safe(run.can_score(position), goal)
    start: State = (position, tuple(sorted(cards, key=lambda card: card.value)))
    run.met.add(start)
    front = [start]
    safe: list[State] = []
    limit = run.limit()
    yield run.state()
    while front and run.depth <= limits.actions and not (safe or limit):
        came: dict[State, list[tuple[State, Move]]] = {}
        run.came.append(came)
        for before in front:
            limit = _tried(run, before, safe, most)
            yield run.state()
            if limit or len(safe) >= most:
                break
        else:
            run.met |= came.keys()
            run.depth += not safe
            front = list(came)
    state = run.state()
    if safe:
        yield _solved(run, state, safe, limit, most)
    elif limit:
        yield replace(state, limit=limit)
    else:
        bound = state.lower_bound if front else None
        yield replace(state, status=Status.PROVED_UNSOLVABLE, lower_bound=bound)


def check_threat(position: Position, goal: Defence) -> None:
    """Check that a defence is needed; a colour that takes very long to be stopped is not checked.

    Raises:
        InputError: The other colour cannot score in its turn as it is.
    """
    run = _new_run(position, goal, Limits(nodes=_CHECK_NODES))
    _refuse_if_safe(run.can_score(position), goal)


def _new_run(position: Position, goal: Defence, limits: Limits) -> DefenceRun:
    replies = Replies(start=position, goal=goal, memory_mb=limits.memory_mb / 2)
    return DefenceRun(replies=replies, limits=limits)


def _refuse_if_safe(can_score: bool | None, goal: Defence) -> None:
    if can_score is False:
        actions = "1 action" if goal.actions == 1 else f"{goal.actions} actions"
        raise InputError(f"goal: {goal.colour.word} cannot score within {actions} as it is")


def _tried(run: DefenceRun, before: State, safe: list[State], most: int) -> str:
    """Try all moves of a state; return which limit is reached.

    States that are new at this depth are added to where they come from, and to ``safe`` if the
    other colour cannot score from them.
    """
    came = run.came[-1]
    for move, after in _followers(run.replies.goal, before):
        run.moves += 1
        if after in run.met:
            continue
        if after in came:
            came[after].append((before, move))
            continue
        came[after] = [(before, move)]
        can_score = run.can_score(after[0])
        if can_score is None:
            return run.limit()
        if not can_score:
            safe.append(after)
            if len(safe) >= most:
                return ""
    return run.limit()


def _followers(goal: Defence, state: State) -> Iterator[tuple[Move, State]]:
    """Yield the moves of a state, but those that bring a puck of the other colour in."""
    position, hand = state
    for move in legal_moves(position, mats=bool(hand)):
        rest = list(hand)
        if not isinstance(move, PieceMove):
            card = _CARD_OF[type(move)]
            if card not in rest:
                continue
            rest.remove(card)
        after, _ = play(position, move)
        if after.scored[goal.colour] == position.scored[goal.colour]:
            yield move, (after, tuple(rest))


def _solved(run: DefenceRun, state: Solution, safe: list[State], limit: str, most: int) -> Solution:
    lines = tuple(islice(chain.from_iterable(map(run.lines_to, safe)), most))
    complete = not limit and len(lines) < most
    return replace(
        state,
        status=Status.SOLVED,
        line=lines[0],
        lines=lines,
        complete=complete,
        limit="" if complete or most == 1 else limit or "lines",
    )
