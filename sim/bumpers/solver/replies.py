"""Whether a colour can score from one position after another that actions lead to.

The positions have the same pieces: they are encoded once for each layout, and what is proved of
one position helps with the others.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sim.bumpers.layout import Layout
from sim.bumpers.pieces import Kind, Piece
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import Defence, Goal
from sim.bumpers.solver.running import Run, begun
from sim.bumpers.solver.solution import LEAST_MB, Limits

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
        from sim.bumpers.kernel.solving import FOUND, NONE

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
