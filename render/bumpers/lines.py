"""Lines of moves as motions on one part of the plane: what strips, films and pages show."""

from collections.abc import Iterable, Sequence

from physics.facts import fact
from render.bumpers.board import Extent, Moment, extent_of, moment_of
from render.bumpers.motion import Motion, final_moment, motion_of
from sim.bumpers import Layout, Movement, Position
from sim.bumpers.mats import Slot
from sim.bumpers.solver.solution import LineStep


@fact
class Line:
    """A line of moves as motions; `line_of` makes one.

    Attributes:
        start: The position before it.
        texts: Its moves in notation.
        motions: Its moves as motions, each beginning at the end of the one before.
        extent: The part of the plane that mats cover from beginning to end.
    """

    start: Position
    texts: tuple[str, ...]
    motions: tuple[Motion, ...]
    extent: Extent


def line_of(start: Position, steps: Sequence[LineStep]) -> Line:
    """Return a line of moves as motions.

    Args:
        start: The position before it.
        steps: Its moves; none for the position alone.
    """
    changes = ((step.text, step.after, step.change.movements) for step in steps)
    return line_of_changes(start, changes)


def line_of_changes(
    start: Position, changes: Iterable[tuple[str, Position, Sequence[Movement]]]
) -> Line:
    """Return a line of the text of each change, the position after it and what it moved."""
    texts: list[str] = []
    motions: list[Motion] = []
    before, origin = start, (0, 0)
    for text, after, movements in changes:
        motions.append(motion_of(before, after, movements, origin))
        before, origin = after, motions[-1].origin_after
        texts.append(text)
    ends = [moment_of(motion.after, motion.origin_after) for motion in motions]
    return Line(
        start=start,
        texts=tuple(texts),
        motions=tuple(motions),
        extent=extent_of([moment_of(start), *ends]),  # mats stay between these
    )


def line_moments(line: Line) -> list[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Return the text, the moment and the layout to be named, for each board."""
    moments = [("start", moment_of(line.start), (line.start.layout, (0, 0)))]
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        names = (motion.after.layout, motion.origin_after)
        moments.append((f"{number}. {text}", final_moment(motion), names))
    return moments
