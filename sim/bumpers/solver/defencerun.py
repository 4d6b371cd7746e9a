"""A search for a defence on its way: the positions met, and what is proved of them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from sim.bumpers.moves import Move
from sim.bumpers.position import Position
from sim.bumpers.solver.hand import MatCard
from sim.bumpers.solver.replies import Replies
from sim.bumpers.solver.solution import Limits, Solution, Status

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
