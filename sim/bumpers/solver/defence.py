"""Searching for a defence: actions after which another colour cannot score in its turn.

Breadth-first over the distinct positions that actions lead to, so that the first defence is a
shortest one. Of each position it is proved, by the other search, whether the other colour can
score from it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from physics import InputError
from sim.bumpers.moves import Move, PieceMove, Shift, Swap, Turn
from sim.bumpers.position import Position
from sim.bumpers.rules import legal_moves, play
from sim.bumpers.solver.goals import Defence
from sim.bumpers.solver.hand import MatCard
from sim.bumpers.solver.replies import Replies
from sim.bumpers.solver.solution import Limits, Solution, Status

_CARD_OF = {Turn: MatCard.TWIST, Swap: MatCard.SWAP, Shift: MatCard.SHIFT}
_STATE_MB = 0.004
"""About the memory of a position met, with its pieces and where it comes from."""

_CHECK_NODES = 1_000_000

State = tuple[Position, tuple[MatCard, ...]]
"""A position, and the cards in hand."""

Lines = tuple[tuple[Move, ...], ...]


@dataclass(slots=True, kw_only=True)
class _Search:
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
    search = _new_search(position, goal, limits)
    _refuse_if_safe(search.can_score(position), goal)
    start: State = (position, tuple(sorted(cards, key=lambda card: card.value)))
    search.met.add(start)
    front = [start]
    safe: list[State] = []
    limit = search.limit()
    yield search.state()
    while front and search.depth <= limits.actions and not (safe or limit):
        came: dict[State, list[tuple[State, Move]]] = {}
        search.came.append(came)
        for before in front:
            limit = _tried(search, before, safe, most)
            yield search.state()
            if limit or len(safe) >= most:
                break
        else:
            search.met |= came.keys()
            search.depth += not safe
            front = list(came)
    state = search.state()
    if safe:
        yield _solved(search, state, safe, limit, most)
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
    search = _new_search(position, goal, Limits(nodes=_CHECK_NODES))
    _refuse_if_safe(search.can_score(position), goal)


def _new_search(position: Position, goal: Defence, limits: Limits) -> _Search:
    replies = Replies(start=position, goal=goal, memory_mb=limits.memory_mb / 2)
    return _Search(replies=replies, limits=limits)


def _refuse_if_safe(can_score: bool | None, goal: Defence) -> None:
    if can_score is False:
        actions = "1 action" if goal.actions == 1 else f"{goal.actions} actions"
        raise InputError(f"goal: {goal.colour.word} cannot score within {actions} as it is")


def _tried(search: _Search, before: State, safe: list[State], most: int) -> str:
    """Try all moves of a state; return which limit is reached.

    States that are new at this depth are added to where they come from, and to ``safe`` if the
    other colour cannot score from them.
    """
    came = search.came[-1]
    for move, after in _followers(search.replies.goal, before):
        search.moves += 1
        if after in search.met:
            continue
        if after in came:
            came[after].append((before, move))
            continue
        came[after] = [(before, move)]
        can_score = search.can_score(after[0])
        if can_score is None:
            return search.limit() or "memory"
        if not can_score:
            safe.append(after)
            if len(safe) >= most:
                return ""
    return search.limit()


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


def _solved(search: _Search, state: Solution, safe: list[State], limit: str, most: int) -> Solution:
    lines: list[tuple[Move, ...]] = []
    complete = not limit
    for end in safe:
        for line in search.lines_to(end):
            if len(lines) == most:
                complete = False
                break
            lines.append(line)
    complete = complete and most > 1
    return replace(
        state,
        status=Status.SOLVED,
        line=lines[0],
        lines=tuple(lines),
        complete=complete,
        limit="" if complete or most == 1 else limit or "lines",
    )
