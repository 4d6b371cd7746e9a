"""A line of moves in pictures: what is common to strips and films."""

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from render.bumpers.board import LABEL_PX, draw_labels, draw_moment
from render.bumpers.moment import Moment, moment_of
from render.bumpers.motion import MATS_S, Motion, moment_in, motion_of
from render.bumpers.palette import BoardPalette
from render.bumpers.view import BoardView, Extent, extent_of
from sim.bumpers import Layout, Position
from sim.bumpers.mats import Slot
from sim.bumpers.solver.solution import LineStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of moves on its way; build it with `line_of`.

    Attributes:
        start: The position before it.
        texts: The moves' texts.
        motions: The moves on their way, one where the one before has ended.
        extent: All that mats cover from its beginning to its end.
    """

    start: Position
    texts: tuple[str, ...]
    motions: tuple[Motion, ...]
    extent: Extent


def line_of(start: Position, steps: Sequence[LineStep]) -> Line:
    """Return a line on its way.

    Args:
        start: The position before it.
        steps: Its moves; none for a picture of the position alone.
    """
    motions: list[Motion] = []
    origin: Slot = (0, 0)
    for step in steps:
        motions.append(motion_of(step.before, step.after, step.change.movements, origin))
        origin = motions[-1].origin_after
    halfway = [moment_in(motion, MATS_S / 2) for motion in motions]
    ends = [moment_of(motion.after, motion.origin_after) for motion in motions]
    return Line(
        start=start,
        texts=tuple(step.text for step in steps),
        motions=tuple(motions),
        extent=extent_of([moment_of(start), *halfway, *ends]),
    )


def view_in(line: Line, place: tuple[int, int], scale_px: int) -> BoardView:
    """Return the view of a line's board whose names of squares begin at a place."""
    west, north, _, _ = line.extent
    return BoardView(
        scale_px=scale_px,
        x_px=round(place[0] + LABEL_PX - scale_px * west),
        y_px=round(place[1] + LABEL_PX - scale_px * north),
    )


def board_px(line: Line, scale_px: int) -> tuple[int, int]:
    """Return the width and height of a line's board with the names of its squares."""
    west, north, east, south = line.extent
    return (
        round(scale_px * (east - west)) + 2 * LABEL_PX,
        round(scale_px * (south - north)) + 2 * LABEL_PX,
    )


def scale_for(line: Line, side_px: int, accepted: tuple[int, int]) -> int:
    """Return the pixels of a space for a board of about some pixels, within what is accepted."""
    west, north, east, south = line.extent
    return min(max(int(side_px / max(east - west, south - north)), accepted[0]), accepted[1])


def draw_named(
    surface: pygame.Surface,
    view: BoardView,
    moment: Moment,
    names: tuple[Layout, Slot],
    palette: BoardPalette,
) -> None:
    """Draw a moment, and the names of a layout's squares around it.

    Args:
        surface: Where to.
        view: Where the board is on it.
        moment: What lies where.
        names: The layout, and where its slot (0, 0) is.
        palette: The colours.
    """
    draw_labels(surface, view, *names, palette=palette)
    draw_moment(surface, view, moment, palette=palette)
