"""A moment of a board as a picture."""

import pygame

from render.bumpers.mats import mat_sprite
from render.bumpers.moment import MatPose, Moment, Point, moment_of
from render.bumpers.palette import LIGHT_BOARD, BoardPalette
from render.bumpers.pieces import piece_sprite
from render.bumpers.sprites import drawn_sprite, put
from render.bumpers.view import BoardView, extent_of, fitted
from render.canvas import FINE, draw_stroke, lay, write
from sim.bumpers import Layout, Position
from sim.bumpers.board import board_of, column_name
from sim.bumpers.mats import Slot

LABEL_PX = 22
"""Room for the names of rows and columns, on all sides."""

_LABELS_PX = 18
_SMALLEST_LABEL_PX = 9


def draw_position(
    surface: pygame.Surface, position: Position, *, palette: BoardPalette = LIGHT_BOARD
) -> BoardView:
    """Draw a position with the names of its squares, as large as it goes.

    Args:
        surface: Where to; all of it is used.
        position: The position.
        palette: The colours.

    Returns:
        Where the board is in the picture.
    """
    moment = moment_of(position)
    view = fitted(extent_of([moment]), surface.get_size(), margin_px=LABEL_PX)
    surface.fill(palette.page.background)
    draw_labels(surface, view, position.layout, palette=palette)
    draw_moment(surface, view, moment, palette=palette)
    return view


def draw_moment(
    surface: pygame.Surface, view: BoardView, moment: Moment, *, palette: BoardPalette = LIGHT_BOARD
) -> None:
    """Draw mats and pieces; what is around them stays as it is.

    Args:
        surface: Where to.
        view: Where the board is on it.
        moment: What lies where.
        palette: The colours.
    """
    for is_lifted in (False, True):
        for number, mat in enumerate(moment.mats):
            if mat.is_lifted is is_lifted:
                _put_mat(surface, view, mat, palette, is_moved=number in moment.moved)
        if not is_lifted:
            for way in moment.ways:
                draw_way(surface, view, way, palette=palette)
        for pose in moment.pieces:
            if pose.is_lifted is is_lifted:
                sprite = piece_sprite(pose.piece, view.scale_px, palette)
                if pose.size < 1.0:
                    side = max(round(pose.size * sprite.get_width()), 1)
                    sprite = pygame.transform.smoothscale(sprite, (side, side))
                put(surface, sprite, view.pixel(*pose.middle))


def draw_way(
    surface: pygame.Surface,
    view: BoardView,
    way: tuple[Point, ...],
    *,
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Draw a line through points of the board, with a dot where it begins."""
    pixels = [view.pixel(*point) for point in way]
    west, north = min(x for x, _ in pixels), min(y for _, y in pixels)
    room = max(4, round(0.2 * view.scale_px))
    size = (
        max(x for x, _ in pixels) - west + 2 * room,
        max(y for _, y in pixels) - north + 2 * room,
    )
    points = [(FINE * (x - west + room), FINE * (y - north + room)) for x, y in pixels]

    def draw(fine: pygame.Surface) -> None:
        draw_stroke(fine, palette.way, points, FINE * max(0.07 * view.scale_px, 1.5))
        pygame.draw.circle(fine, palette.way, points[0], FINE * max(0.13 * view.scale_px, 2.5))

    lay(surface, drawn_sprite(size, draw), (west - room, north - room))


def draw_labels(
    surface: pygame.Surface,
    view: BoardView,
    layout: Layout,
    origin: Slot = (0, 0),
    *,
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Write the names of columns below and above a board, and of rows beside it.

    Args:
        surface: Where to.
        view: Where the board is on it.
        layout: The layout whose squares are named.
        origin: As of `render.bumpers.moment.moment_of`.
        palette: The colours.
    """
    board = board_of(layout)
    size_px = min(_LABELS_PX, round(0.62 * view.scale_px))
    if size_px < _SMALLEST_LABEL_PX:
        return
    north, west = origin[0] * layout.size, origin[1] * layout.size
    apart = 0.62 * size_px / view.scale_px
    names = [
        (column_name(column), (west + column + 0.5, y))
        for column in range(board.columns)
        for y in (north - apart, north + board.rows + apart)
    ]
    names += [
        (str(board.rows - row), (x, north + row + 0.5))
        for row in range(board.rows)
        for x in (west - apart, west + board.columns + apart)
    ]
    for name, place in names:
        write(
            surface,
            name,
            view.pixel(*place),
            size_px=size_px,
            colour=palette.page.faint,
            align="centre",
        )


def _put_mat(
    surface: pygame.Surface, view: BoardView, mat: MatPose, palette: BoardPalette, *, is_moved: bool
) -> None:
    whole = round(mat.quarters)
    sprite = mat_sprite(mat.face, whole % 4, view.scale_px, palette, is_moved=is_moved)
    if mat.quarters != whole:
        sprite = pygame.transform.rotozoom(sprite, -90 * (mat.quarters - whole), 1.0)
    put(surface, sprite, view.pixel(*mat.middle))
