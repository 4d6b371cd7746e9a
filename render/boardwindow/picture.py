"""Pictures of the board in its window: the board with its marks, animated moves, the header.

An `Animation` is a motion at a time: `resting_animation` and `animation_between` make one from a
history, `advanced` lets time pass. `draw_board` draws it with `Marks`; `draw_header`,
`draw_piece` and `write_lines` draw around the board. Equal times give equal pictures.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from render.boardwindow.explorer_state import History
from render.boardwindow.picking import MovePreview
from render.bumpers import (
    DARK_BOARD,
    LIGHT_BOARD,
    BoardPalette,
    BoardView,
    Moment,
    Motion,
    draw_labels,
    draw_moment,
    extent_of,
    final_moment,
    fitted,
    moment_at,
    moment_of,
    motion_of,
)
from render.bumpers.board import LABEL_PX, Extent, Point, mat_poses, space_middle
from render.bumpers.sprites import PIECE_PART, blit_centred, drawn_sprite, faded, piece_sprite
from render.canvas import FINE, draw_stroke, lay, wrapped, write
from render.palette import DARK, Palette, Rgb
from sim.bumpers import Colour, Kind, Layout, Piece, Position
from sim.bumpers.mats import Slot

_GHOST_ALPHA = 150
"""Opacity of a piece drawn where a move would bring it, 0 to 255."""

_BACKWARD_SPEED = 2.0
"""Speed at which a move is animated backward, relative to forward."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Marks on the board; nothing by default. Spaces and slots are those of the layout shown.

    Attributes:
        selected: Spaces of selected pieces.
        previews: The moves to show.
        pointed: The move under the mouse, shown with everything it moves.
        spaces: Spaces to click on.
        mat: The selected mat.
        slots: The slots to which this mat may go.
        hinted: Spaces marked by a hint.
        hinted_mats: Mats marked by a hint.
    """

    selected: tuple[int, ...] = ()
    previews: tuple[MovePreview, ...] = ()
    pointed: MovePreview | None = None
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
    """Draw the marks below the mats: free slots."""
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
    """Draw the marks above the pieces: frames, rings, and arrows of moves."""
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
    for preview in marks.previews:
        _draw_preview(surface, view, layout, preview, palette, is_whole=preview is marks.pointed)
    for space in marks.hinted:
        _ring(surface, view, space_middle(poses, space), 0.5, hint)
    for space in marks.selected:
        _ring(surface, view, space_middle(poses, space), 0.47, accent)


def draw_frame(surface: pygame.Surface, box: pygame.Rect, colour: Rgb, width_px: int) -> None:
    """Draw a frame with round corners inside a box."""
    pygame.draw.rect(surface, colour, box, width_px, border_radius=max(box.width // 24, 2))


def _draw_preview(
    surface: pygame.Surface,
    view: BoardView,
    layout: Layout,
    preview: MovePreview,
    palette: BoardPalette,
    *,
    is_whole: bool,
) -> None:
    """Draw the arrows of a move; ``is_whole`` adds the other pieces it moves, and ghosts."""
    poses = mat_poses(layout)
    colour = palette.page.accent
    for movement in preview.movements:
        if not is_whole and movement is not preview.own:
            continue
        start, end = (space_middle(poses, space) for space in (movement.start, movement.end))
        _draw_arrow(surface, view, start, end, colour, width=0.1 if is_whole else 0.06)
        if is_whole:
            ghost = faded(piece_sprite(movement.piece, view.scale_px, palette), _GHOST_ALPHA)
            blit_centred(surface, ghost, view.pixel(*end))
        if movement.scored:
            _ring(surface, view, end, 0.44, palette.page.flipped)
    if preview.own is None:  # a meeple that stays where it bumps
        start, end = (
            space_middle(poses, s) for s in (preview.move.space, preview.movements[0].start)
        )
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
    """Draw a ring around a point of the board, with a radius in spaces."""
    radius_px = max(round(radius * view.scale_px), 3)
    width_px = max(2, round(0.08 * view.scale_px))
    side = 2 * (radius_px + 1)

    def draw(fine: pygame.Surface) -> None:
        centre = (FINE * side / 2, FINE * side / 2)
        pygame.draw.circle(fine, colour, centre, FINE * radius_px, FINE * width_px)

    blit_centred(surface, drawn_sprite((side, side), draw), view.pixel(*middle))


@dataclass(frozen=True, slots=True, kw_only=True)
class Animation:
    """A motion at a time.

    Attributes:
        motion: The motion.
        time_s: Seconds since its start.
        rest: For a motion that runs backward: the motion at whose end the board then rests.
    """

    motion: Motion
    time_s: float
    rest: Motion | None = None

    @property
    def is_moving(self) -> bool:
        """True while something moves."""
        return self.rest is not None or self.time_s < self.motion.duration_s

    @property
    def layout(self) -> Layout:
        """The layout whose squares are named now."""
        return (self.motion.before if self.is_moving else self.motion.after).layout

    @property
    def origin(self) -> Slot:
        """Slot of the picture that is slot (0, 0) of `layout`; see `render.bumpers.moment_of`."""
        return self.motion.origin if self.is_moving else self.motion.origin_after

    @property
    def moment(self) -> Moment:
        """Places of all mats and pieces; at rest, with the trails of the last move."""
        if self.is_moving:
            return moment_at(self.motion, max(self.time_s, 0.0))
        return final_moment(self.motion)

    @property
    def extent(self) -> Extent:
        """The part of the plane that the mats cover during the motion."""
        motion = self.motion
        end = moment_of(motion.after, motion.origin_after)
        if not self.is_moving:
            return extent_of([end])
        return extent_of([moment_of(motion.before, motion.origin), end])


def resting_animation(history: History) -> Animation:
    """Return the entry shown of a history, at rest."""
    motion = _motion_to(history, history.index)
    return Animation(motion=motion, time_s=motion.duration_s)


def animation_between(old: History, new: History) -> Animation:
    """Return the change between two entries: single steps are animated, others jump."""
    at_rest = resting_animation(new)
    if new.index > 0 and new.entries[: new.index] == old.entries[: old.index + 1]:
        return replace(at_rest, time_s=0.0)
    if new.index + 1 == old.index and new.entries[: old.index] == old.entries[: old.index]:
        back = _motion_to(old, old.index)
        if back.duration_s > 0:
            return Animation(motion=back, time_s=back.duration_s, rest=at_rest.motion)
    return at_rest


def advanced(animation: Animation, elapsed_s: float) -> Animation:
    """Return an animation some seconds later; the same object if nothing moves."""
    if not animation.is_moving:
        return animation
    if animation.rest is None:
        return replace(
            animation, time_s=min(animation.time_s + elapsed_s, animation.motion.duration_s)
        )
    time_s = animation.time_s - _BACKWARD_SPEED * elapsed_s
    if time_s > 0:
        return replace(animation, time_s=time_s)
    return Animation(motion=animation.rest, time_s=animation.rest.duration_s)


def _motion_to(history: History, number: int) -> Motion:
    entry = history.entries[number]
    if number == 0 or not entry.glides:
        return motion_of(entry.position, entry.position)
    return motion_of(history.entries[number - 1].position, entry.position, entry.movements)


def board_palette(palette: Palette) -> BoardPalette:
    """Return the colours of the board that match those of the window."""
    return DARK_BOARD if palette is DARK else LIGHT_BOARD


def plane_view(animation: Animation, box: pygame.Rect, *, has_ring: bool = False) -> BoardView:
    """Return the place of the plane of the mats in the window.

    Args:
        animation: The animation shown.
        box: Place of the board.
        has_ring: True to leave room for one mat on each side of the board.
    """
    west, north, east, south = animation.extent
    more = animation.layout.size if has_ring else 0
    extent = (west - more, north - more, east + more, south + more)
    view = fitted(extent, box.size, margin_px=LABEL_PX)
    return replace(view, x_px=view.x_px + box.left, y_px=view.y_px + box.top)


def layout_view(animation: Animation, plane: BoardView) -> BoardView:
    """Return the place of the squares of the layout: square (0, 0) is in its slot (0, 0)."""
    rows, columns = animation.origin
    size = animation.layout.size
    return replace(
        plane,
        x_px=plane.x_px + columns * size * plane.scale_px,
        y_px=plane.y_px + rows * size * plane.scale_px,
    )


def draw_board(
    surface: pygame.Surface,
    box: pygame.Rect,
    animation: Animation,
    marks: Marks,
    palette: Palette,
    *,
    has_ring: bool = False,
) -> None:
    """Draw the board in a box; marks are drawn while nothing moves."""
    colours = board_palette(palette)
    plane = plane_view(animation, box, has_ring=has_ring)
    own = layout_view(animation, plane)
    layout = animation.layout
    if not has_ring:  # with a ring, mats are moved, which are known by their own names
        draw_labels(surface, own, layout, palette=colours)
    if not animation.is_moving:
        draw_marks_below(surface, own, layout, marks, colours)
    draw_moment(surface, plane, animation.moment, palette=colours)
    if not animation.is_moving:
        draw_marks_above(surface, own, layout, marks, colours)


def draw_header(
    surface: pygame.Surface, box: pygame.Rect, title: str, position: Position, palette: Palette
) -> None:
    """Draw the side to move and a title; on the right, the score of each colour."""
    size_px = round(0.66 * box.height)
    x = float(box.left)
    if position.to_move is not None:
        puck = Piece(position.to_move, Kind.PUCK)
        draw_piece(surface, puck, (x + size_px / 2, box.centery), palette, size_px)
        x += 1.4 * size_px
    place = (x, float(box.centery))
    used = write(
        surface, title, place, size_px=size_px, colour=palette.text, width_px=0.6 * box.width
    )
    _draw_scores(surface, box, x + used + size_px, position, palette)


def draw_piece(
    surface: pygame.Surface,
    piece: Piece,
    middle: tuple[float, float],
    palette: Palette,
    px: int = 0,
) -> None:
    """Draw a piece, such as on a button.

    Args:
        surface: The surface to draw on.
        piece: The piece.
        middle: Pixel of its middle.
        palette: The colours.
        px: Its width.
    """
    scale = round(px / PIECE_PART)
    blit_centred(surface, piece_sprite(piece, scale, board_palette(palette)), _rounded(middle))


def write_lines(
    surface: pygame.Surface,
    lines: Sequence[str],
    box: pygame.Rect,
    palette: Palette,
    *,
    size_px: int,
) -> int:
    """Write lines in a box, wrapped if too long, and return the height used.

    The first line stands out, the others are faint; lines that do not fit are left out.
    """
    y = float(box.top)
    for number, line in enumerate(lines):
        colour = palette.text if number == 0 else palette.faint
        for part in wrapped(line, size_px, box.width) if line else ():
            if y + size_px > box.bottom:
                return round(y - box.top)
            place = (box.left, y + 0.65 * size_px)
            write(surface, part, place, size_px=size_px, colour=colour, width_px=box.width)
            y += 1.3 * size_px
    return round(y - box.top)


def side_text(position: Position) -> str:
    """Return the side to move as a title.

    Example:
        >>> from sim.bumpers import parse_position
        >>> side_text(parse_position("pb1:small:RPb7:-:R:-"))
        'Red to move'
    """
    side = "nobody" if position.to_move is None else position.to_move.word
    return f"{capitalized(side)} to move"


def capitalized(words: str) -> str:
    """Return a text with a capital first letter."""
    return words[:1].upper() + words[1:]


def _draw_scores(
    surface: pygame.Surface, box: pygame.Rect, left: float, position: Position, palette: Palette
) -> None:
    there = {piece.colour for _, piece in position.pieces}
    colours = [c for c in Colour if c in there or position.scored[c]]
    most = position.rules.pieces_each[Kind.PUCK]
    size_px = round(0.46 * box.height)
    step = 3.6 * size_px
    if colours:
        step = min(step, (box.right - left) / len(colours))
    x = box.right - step * len(colours)
    for colour in colours:
        draw_piece(
            surface, Piece(colour, Kind.PUCK), (x + size_px * 0.6, box.centery), palette, size_px
        )
        words = f"{position.scored[colour]} of {most}"
        place = (x + 1.3 * size_px, box.centery)
        write(surface, words, place, size_px=size_px, colour=palette.faint, width_px=step - size_px)
        x += step


def _rounded(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])
