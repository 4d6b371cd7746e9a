"""A line of moves as one picture: the position, and the board after each move."""

import math

import pygame

from render.bumpers.line import Line, board_px, draw_named, scale_for, view_in
from render.bumpers.moment import Moment, moment_of
from render.bumpers.motion import marked_end
from render.bumpers.palette import LIGHT_BOARD, BoardPalette
from render.canvas import new_surface, write
from sim.bumpers import Layout
from sim.bumpers.mats import Slot

_BOARD_PX = 352
_SCALES_PX = (12, 44)
_IN_A_ROW = 4
_GAP_PX = 12
_TITLE_PX = 26
_WORDS_PX = 22
_LINE_PX = 28


def draw_strip(
    line: Line, *, caption: str = "", palette: BoardPalette = LIGHT_BOARD
) -> pygame.Surface:
    """Return a picture with a board for the position and after each move.

    The way of each piece that moved is drawn, and the rim of each mat that did.

    Args:
        line: The line.
        caption: A line above the boards.
        palette: The colours.
    """
    panels = _panels(line)
    scale_px = scale_for(line, _BOARD_PX, _SCALES_PX)
    width, height = board_px(line, scale_px)
    across = min(len(panels), _IN_A_ROW)
    first = _GAP_PX + (_LINE_PX + _GAP_PX // 2 if caption else 0)
    down = math.ceil(len(panels) / across)
    strip = new_surface(
        _GAP_PX + across * (width + _GAP_PX), first + down * (_LINE_PX + height + _GAP_PX)
    )
    strip.fill(palette.page.background)
    room = strip.get_width() - 2 * _GAP_PX
    if caption:
        place = (_GAP_PX, _GAP_PX + _LINE_PX / 2)
        words = palette.page.text
        write(strip, caption, place, size_px=_TITLE_PX, colour=words, width_px=room)
    for number, (text, moment, names) in enumerate(panels):
        x = _GAP_PX + number % across * (width + _GAP_PX)
        y = first + number // across * (_LINE_PX + height + _GAP_PX)
        write(
            strip,
            text,
            (x + width / 2, y + _LINE_PX / 2),
            size_px=_WORDS_PX,
            colour=palette.page.text,
            align="centre",
        )
        view = view_in(line, (x, y + _LINE_PX), scale_px)
        draw_named(strip, view, moment, names, palette)
    return strip


def _panels(line: Line) -> list[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Return the words, the moment and what names the squares, of each board."""
    panels = [("start", moment_of(line.start), (line.start.layout, (0, 0)))]
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        names = (motion.after.layout, motion.origin_after)
        panels.append((f"{number}. {text}", marked_end(motion), names))
    return panels
