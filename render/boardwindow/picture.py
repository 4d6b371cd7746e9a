"""Pictures of the board in its window: marks on it, the header above it.

`Marks` are drawn by `draw_marks_below` and `draw_marks_above`, around the board itself;
`draw_header` draws the side to move and the scores.
"""

import math

import pygame
from pygame import Rect, Surface

from physics.facts import fact
from render.boardwindow.picking import MovePreview
from render.bumpers import DARK_BOARD, LIGHT_BOARD, BoardPalette, BoardView
from render.bumpers.board import Point, mat_poses, space_middle
from render.bumpers.sprites import PIECE_PART, blit_centred, drawn_sprite, faded, piece_sprite
from render.canvas import FINE, draw_lines, write
from render.palette import DARK, Palette, Rgb
from render.viewer.widgets import Picture
from sim.bumpers import Colour, Kind, Layout, Piece, Position
from sim.bumpers.mats import Slot

_GHOST_ALPHA = 150
"""Opacity of a piece drawn where a move would bring it, 0 to 255."""


@fact
class Marks:
    """Marks on the board; nothing by default. Spaces and slots are those of the layout shown."""

    selected: tuple[int, ...] = ()  # spaces of selected pieces
    previews: tuple[MovePreview, ...] = ()  # moves
    pointed: MovePreview | None = None  # the move under the mouse, with everything it moves
    spaces: tuple[int, ...] = ()  # spaces to click on
    mat: int | None = None  # the selected mat
    slots: tuple[Slot, ...] = ()  # slots to which this mat may go
    hinted: tuple[int, ...] = ()  # spaces
    hinted_mats: tuple[int, ...] = ()


NO_MARKS = Marks()


def board_palette(palette: Palette) -> BoardPalette:
    """Return the colours of the board that match those of the window."""
    return DARK_BOARD if palette is DARK else LIGHT_BOARD


def draw_header(
    surface: Surface, box: Rect, title: str, position: Position, palette: Palette
) -> None:
    """Draw the side to move and a title; on the right, the score of each colour."""
    size_px = round(0.66 * box.height)
    x = float(box.left)
    if position.to_move is not None:
        puck = Piece(position.to_move, Kind.PUCK)
        draw_piece(surface, puck, (x + size_px / 2, box.centery), palette, size_px)
        x += 1.4 * size_px
    place = (x, float(box.centery))
    used = write(surface, title, place, size_px, palette.text, width_px=0.6 * box.width)
    _draw_scores(surface, box, x + used + size_px, position, palette)


def draw_piece(
    surface: Surface,
    piece: Piece,
    middle: tuple[float, float],
    palette: Palette,
    width_px: int,
) -> None:
    """Draw a piece, such as on a button."""
    sprite = piece_sprite(piece, round(width_px / PIECE_PART), board_palette(palette))
    blit_centred(surface, sprite, (round(middle[0]), round(middle[1])))


def picture_of_piece(piece: Piece) -> Picture:
    """Return the function that draws a piece on a button."""
    return lambda surface, box, palette: draw_piece(
        surface, piece, box.center, palette, round(0.78 * min(box.size))
    )


def side_text(position: Position) -> str:
    """Return the side to move as a title.

    Example:
        >>> from sim.bumpers import parse_position
        >>> side_text(parse_position("pb1:small:RPb7:-:R:-"))
        'Red to move'
    """
    side = "nobody" if position.to_move is None else position.to_move.word
    return f"{capitalized(side)} to move"


def a_piece(piece: Piece) -> str:
    """Return a piece with its article.

    Example:
        >>> a_piece(Piece(Colour.ORANGE, Kind.PUCK)), a_piece(Piece(Colour.RED, Kind.MEEPLE))
        ('an orange puck', 'a red meeple')
    """
    return f"{'an' if piece.colour is Colour.ORANGE else 'a'} {piece}"


def capitalized(words: str) -> str:
    """Return a text with a capital first letter."""
    return words[:1].upper() + words[1:]


def draw_marks_below(
    surface: Surface,
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
            box = Rect(left, top, side, side).inflate(-2 * inset, -2 * inset)
            draw_frame(surface, box, palette.page.accent, max(2, view.scale_px // 14))


def draw_marks_above(
    surface: Surface,
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
        draw_frame(surface, Rect(left, top, side, side), colour, width)
    for space in marks.spaces:
        _ring(surface, view, space_middle(poses, space), 0.3, accent)
    for preview in marks.previews:
        _draw_preview(surface, view, layout, preview, palette, is_whole=preview is marks.pointed)
    for space in marks.hinted:
        _ring(surface, view, space_middle(poses, space), 0.5, hint)
    for space in marks.selected:
        _ring(surface, view, space_middle(poses, space), 0.47, accent)


def draw_frame(surface: Surface, box: Rect, colour: Rgb, width_px: int) -> None:
    """Draw a frame with round corners inside a box."""
    pygame.draw.rect(surface, colour, box, width_px, border_radius=max(box.width // 24, 2))


def _draw_preview(
    surface: Surface,
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
    surface: Surface, view: BoardView, start: Point, end: Point, colour: Rgb, *, width: float
) -> None:
    """Draw an arrow from the edge of a piece to the middle of a space."""
    length = math.dist(start, end)
    if length == 0:
        return
    # Unit vector along the arrow; all distances are in spaces.
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    begin = (start[0] + 0.42 * across, start[1] + 0.42 * down)
    tip = (end[0] + 0.1 * across, end[1] + 0.1 * down)
    # Barbs: back along the arrow, and to both sides of it.
    sides = [
        (tip[0] - 0.2 * across + turn * 0.16 * down, tip[1] - 0.2 * down - turn * 0.16 * across)
        for turn in (-1, 1)
    ]
    tail, head, left, right = (view.pixel(*point) for point in (begin, tip, *sides))
    stroke = max(width * view.scale_px, 2)
    draw_lines(surface, colour, [((tail, head), stroke), ((left, head, right), stroke)])


def _ring(surface: Surface, view: BoardView, middle: Point, radius: float, colour: Rgb) -> None:
    """Draw a ring around a point of the board, with a radius in spaces."""
    radius_px = max(round(radius * view.scale_px), 3)
    width_px = max(2, round(0.08 * view.scale_px))
    side = 2 * (radius_px + 1)

    def draw(fine: Surface) -> None:
        centre = (FINE * side / 2, FINE * side / 2)
        pygame.draw.circle(fine, colour, centre, FINE * radius_px, FINE * width_px)

    blit_centred(surface, drawn_sprite((side, side), draw), view.pixel(*middle))


def _draw_scores(
    surface: Surface, box: Rect, left: float, position: Position, palette: Palette
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
        write(surface, words, place, size_px, palette.faint, width_px=step - size_px)
        x += step
