"""What is marked on the board: what is chosen, where it can go, what a hint points at."""

import math
from dataclasses import dataclass

import pygame

from render.boardwindow.picking import Way
from render.bumpers import BoardPalette, BoardView
from render.bumpers.moment import Point, mat_poses, space_middle
from render.bumpers.pieces import piece_sprite
from render.bumpers.sprites import drawn_sprite, faded, put
from render.canvas import FINE, draw_stroke, lay
from render.palette import Rgb
from sim.bumpers import Layout
from sim.bumpers.mats import Slot

_GHOST_ALPHA = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What is marked; nothing by default. Spaces and slots are those of the layout shown.

    Attributes:
        chosen: Spaces whose pieces are chosen.
        ways: The moves that can be made now.
        pointed: The one that the mouse points at, shown as a whole.
        spaces: Spaces that can be clicked on.
        mat: The mat that is chosen.
        slots: The slots to which it may go.
        hinted: Spaces that a hint points at.
        hinted_mats: Mats that a hint points at.
    """

    chosen: tuple[int, ...] = ()
    ways: tuple[Way, ...] = ()
    pointed: Way | None = None
    spaces: tuple[int, ...] = ()
    mat: int | None = None
    slots: tuple[Slot, ...] = ()
    hinted: tuple[int, ...] = ()
    hinted_mats: tuple[int, ...] = ()


NO_MARKS = Marks()


def draw_marks_below(
    surface: pygame.Surface,
    view: BoardView,
    layout: Layout,
    marks: Marks,
    palette: BoardPalette,
) -> None:
    """Draw what lies below the mats: free slots."""
    size = layout.size
    for slot in marks.slots:
        if layout.mat_at(slot) is None:
            left, top = view.pixel(slot[1] * size, slot[0] * size)
            side = size * view.scale_px
            inset = max(2, view.scale_px // 6)
            box = pygame.Rect(left, top, side, side).inflate(-2 * inset, -2 * inset)
            draw_frame(surface, box, palette.page.accent, max(2, view.scale_px // 14))


def draw_marks_above(
    surface: pygame.Surface,
    view: BoardView,
    layout: Layout,
    marks: Marks,
    palette: BoardPalette,
) -> None:
    """Draw what lies above the pieces: frames and rings, and where moves lead to."""
    accent, hint = palette.page.accent, palette.page.flipped
    poses = mat_poses(layout)
    size = layout.size
    line = max(3, view.scale_px // 9)
    framed = [(slot, accent, line // 2) for slot in marks.slots if layout.mat_at(slot) is not None]
    if marks.mat is not None:
        framed.append((layout.places[marks.mat].slot, accent, line))
    framed += [(layout.places[mat].slot, hint, line) for mat in marks.hinted_mats]
    for slot, colour, width in framed:
        left, top = view.pixel(slot[1] * size, slot[0] * size)
        side = size * view.scale_px
        draw_frame(surface, pygame.Rect(left, top, side, side), colour, width)
    for space in marks.spaces:
        _ring(surface, view, space_middle(poses, space), 0.3, accent)
    for way in marks.ways:
        _draw_way(surface, view, layout, way, palette, is_whole=way is marks.pointed)
    for space in marks.hinted:
        _ring(surface, view, space_middle(poses, space), 0.5, hint)
    for space in marks.chosen:
        _ring(surface, view, space_middle(poses, space), 0.47, accent)


def draw_frame(surface: pygame.Surface, box: pygame.Rect, colour: Rgb, width_px: int) -> None:
    """Draw a frame with round corners inside a box."""
    pygame.draw.rect(surface, colour, box, width_px, border_radius=max(box.width // 24, 2))


def _draw_way(
    surface: pygame.Surface,
    view: BoardView,
    layout: Layout,
    way: Way,
    palette: BoardPalette,
    *,
    is_whole: bool,
) -> None:
    """Draw where a move leads to: what is pointed at with all that it moves, others in short."""
    poses = mat_poses(layout)
    colour = palette.page.accent
    for movement in way.movements:
        if not is_whole and movement is not way.own:
            continue
        start, end = (space_middle(poses, space) for space in (movement.start, movement.end))
        _draw_arrow(surface, view, start, end, colour, width=0.1 if is_whole else 0.06)
        if is_whole:
            ghost = faded(piece_sprite(movement.piece, view.scale_px, palette), _GHOST_ALPHA)
            put(surface, ghost, view.pixel(*end))
        if movement.scored:
            _ring(surface, view, end, 0.44, palette.page.flipped)
    if way.own is None:  # a meeple that stays where it bumps
        start, end = (space_middle(poses, s) for s in (way.move.space, way.movements[0].start))
        _draw_arrow(surface, view, start, end, colour, width=0.06)


def _draw_arrow(
    surface: pygame.Surface, view: BoardView, start: Point, end: Point, colour: Rgb, *, width: float
) -> None:
    """Draw an arrow from the edge of a piece to the middle of a space."""
    length = math.dist(start, end)
    if length == 0:
        return
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    begin = (start[0] + 0.42 * across, start[1] + 0.42 * down)
    tip = (end[0] + 0.1 * across, end[1] + 0.1 * down)
    sides = [
        (tip[0] - 0.2 * across + turn * 0.16 * down, tip[1] - 0.2 * down - turn * 0.16 * across)
        for turn in (-1, 1)
    ]
    pixels = [view.pixel(*point) for point in (begin, tip, *sides)]
    room = max(4, round(0.2 * view.scale_px))
    west = min(x for x, _ in pixels) - room
    north = min(y for _, y in pixels) - room
    size = (
        max(x for x, _ in pixels) - west + room,
        max(y for _, y in pixels) - north + room,
    )
    tail, head, left, right = ((FINE * (x - west), FINE * (y - north)) for x, y in pixels)
    stroke = FINE * max(width * view.scale_px, 2)

    def draw(fine: pygame.Surface) -> None:
        draw_stroke(fine, colour, [tail, head], stroke)
        draw_stroke(fine, colour, [left, head, right], stroke)

    lay(surface, drawn_sprite(size, draw), (west, north))


def _ring(
    surface: pygame.Surface, view: BoardView, middle: Point, radius: float, colour: Rgb
) -> None:
    """Draw a ring around a point of the board; its radius is in spaces."""
    radius_px = max(round(radius * view.scale_px), 3)
    width_px = max(2, round(0.08 * view.scale_px))
    side = 2 * (radius_px + 1)

    def draw(fine: pygame.Surface) -> None:
        centre = (FINE * side / 2, FINE * side / 2)
        pygame.draw.circle(fine, colour, centre, FINE * radius_px, FINE * width_px)

    put(surface, drawn_sprite((side, side), draw), view.pixel(*middle))
