"""A strip of boards as a picture: one for the start and one after each move of a line."""

import math

from pygame import Surface

from render.bumpers.board import (
    LABEL_PX,
    BoardView,
    Moment,
    draw_labels,
    draw_moment,
)
from render.bumpers.lines import Line, line_moments
from render.bumpers.sprites import LIGHT_BOARD, BoardPalette
from render.canvas import new_surface, write
from sim.bumpers import Layout
from sim.bumpers.mats import Slot

_STRIP_BOARD_PX = 352
"""Approximate width of a board in a strip."""

_STRIP_SCALES_PX = (12, 44)
"""Least and greatest width of a space in a strip, in pixels."""

_STRIP_COLUMNS = 4
"""Boards side by side in a strip."""

_STRIP_GAP_PX, _STRIP_CAPTION_PX, _STRIP_TEXT_PX, _STRIP_LINE_PX = 12, 26, 22, 28
"""Gap between boards of a strip, and heights of its caption, its text and its lines."""


def line_view(line: Line, place: tuple[int, int], scale_px: int) -> BoardView:
    """Return the view of a line's board, with its labels, whose top left corner is at a place."""
    west, north, _, _ = line.extent
    return BoardView(
        scale_px=scale_px,
        x_px=round(place[0] + LABEL_PX - scale_px * west),
        y_px=round(place[1] + LABEL_PX - scale_px * north),
    )


def board_size(line: Line, scale_px: int) -> tuple[int, int]:
    """Return the width and height of a line's board with its labels."""
    west, north, east, south = line.extent
    return (
        round(scale_px * (east - west)) + 2 * LABEL_PX,
        round(scale_px * (south - north)) + 2 * LABEL_PX,
    )


def fitted_scale(line: Line, side_px: int, accepted: tuple[int, int]) -> int:
    """Return the width of a space for a board of about a given width, within accepted limits."""
    west, north, east, south = line.extent
    return min(max(int(side_px / max(east - west, south - north)), accepted[0]), accepted[1])


def draw_labelled(
    surface: Surface,
    view: BoardView,
    moment: Moment,
    names: tuple[Layout, Slot],
    palette: BoardPalette,
) -> None:
    """Draw a moment, and the names of rows and columns around it.

    Args:
        surface: The surface to draw on.
        view: Place of the board on it.
        moment: The moment.
        names: The layout that is named, and the slot of the picture that is its slot (0, 0).
        palette: The colours.
    """
    draw_labels(surface, view, *names, palette=palette)
    draw_moment(surface, view, moment, palette=palette)


def draw_strip(line: Line, *, caption: str = "", palette: BoardPalette = LIGHT_BOARD) -> Surface:
    """Return a picture with a board for the position and after each move.

    Each board shows the trails of the pieces that moved and marks the mats that did.

    Args:
        line: The line.
        caption: A line above the boards.
        palette: The colours.
    """
    moments = line_moments(line)
    scale_px = fitted_scale(line, _STRIP_BOARD_PX, _STRIP_SCALES_PX)
    width, height = board_size(line, scale_px)
    across = min(len(moments), _STRIP_COLUMNS)
    first = _STRIP_GAP_PX + (_STRIP_LINE_PX + _STRIP_GAP_PX // 2 if caption else 0)
    down = math.ceil(len(moments) / across)
    strip = new_surface(
        _STRIP_GAP_PX + across * (width + _STRIP_GAP_PX),
        first + down * (_STRIP_LINE_PX + height + _STRIP_GAP_PX),
    )
    strip.fill(palette.page.background)
    room = strip.get_width() - 2 * _STRIP_GAP_PX
    if caption:
        place = (_STRIP_GAP_PX, _STRIP_GAP_PX + _STRIP_LINE_PX / 2)
        words = palette.page.text
        write(strip, caption, place, _STRIP_CAPTION_PX, words, width_px=room)
    for number, (text, moment, names) in enumerate(moments):
        x = _STRIP_GAP_PX + number % across * (width + _STRIP_GAP_PX)
        y = first + number // across * (_STRIP_LINE_PX + height + _STRIP_GAP_PX)
        write(
            strip,
            text,
            (x + width / 2, y + _STRIP_LINE_PX / 2),
            _STRIP_TEXT_PX,
            palette.page.text,
            align="centre",
        )
        view = line_view(line, (x, y + _STRIP_LINE_PX), scale_px)
        draw_labelled(strip, view, moment, names, palette)
    return strip
