"""A line of moves as a film: each piece slides, each mat turns, as in a game."""

from collections.abc import Iterator

import pygame

from render.bumpers.line import Line, board_px, draw_named, scale_for, view_in
from render.bumpers.moment import Moment, moment_of
from render.bumpers.motion import marked_end, moment_in
from render.bumpers.palette import LIGHT_BOARD, BoardPalette
from render.canvas import new_surface, write
from sim.bumpers import Layout
from sim.bumpers.mats import Slot

PAUSE_S = 0.8
"""How long the board is shown before a move, and after the last."""

_SCALES_PX = (12, 60)
_MARGIN_PX = 8
_WORDS_PX = 24
_LINE_PX = 30


def film_size(line: Line, side_px: int) -> tuple[int, int]:
    """Return the width and height of a film, even numbers, for a board of about some pixels."""
    width, height = board_px(line, scale_for(line, side_px, _SCALES_PX))
    height += 2 * _LINE_PX
    return width + 2 * _MARGIN_PX + width % 2, height + 2 * _MARGIN_PX + height % 2


def film_frames(
    line: Line,
    *,
    side_px: int,
    fps: float,
    caption: str = "",
    palette: BoardPalette = LIGHT_BOARD,
) -> Iterator[pygame.Surface]:
    """Draw the frames of a film, one after another on the same surface.

    Args:
        line: The line.
        side_px: About how large the board is.
        fps: Frames a second.
        caption: A line above the board.
        palette: The colours.
    """
    surface = new_surface(*film_size(line, side_px))
    scale_px = scale_for(line, side_px, _SCALES_PX)
    view = view_in(line, (_MARGIN_PX, _MARGIN_PX + 2 * _LINE_PX), scale_px)
    for text, moment, names in _shots(line, fps):
        surface.fill(palette.page.background)
        for row, words in enumerate((caption, text)):
            write(
                surface,
                words,
                (_MARGIN_PX, _MARGIN_PX + (row + 0.5) * _LINE_PX),
                size_px=_WORDS_PX,
                colour=palette.page.text if row else palette.page.faint,
                width_px=surface.get_width() - 2 * _MARGIN_PX,
            )
        draw_named(surface, view, moment, names, palette)
        yield surface


def _shots(line: Line, fps: float) -> Iterator[tuple[str, Moment, tuple[Layout, Slot]]]:
    """Yield the words, the moment and what names the squares, of each frame."""
    still = moment_of(line.start)
    names: tuple[Layout, Slot] = (line.start.layout, (0, 0))
    pause = max(round(PAUSE_S * fps), 1)
    for number, (text, motion) in enumerate(zip(line.texts, line.motions, strict=True), start=1):
        told = f"{number}. {text}"
        for _ in range(pause):
            yield told, still, names
        for frame in range(1, int(motion.duration_s * fps) + 1):
            yield told, moment_in(motion, frame / fps), names
        still, names = marked_end(motion), (motion.after.layout, motion.origin_after)
    told = f"{len(line.texts)}. {line.texts[-1]}" if line.texts else "start"
    yield told, still, names
