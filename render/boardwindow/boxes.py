"""Where things are in the window."""

from dataclasses import dataclass

import pygame

from render.viewer import Size, cut, padded, words_px

_HEADER, _LINE, _BAR = 2.2, 1.4, 2.0
"""Heights of the rows, in heights of text."""

_PANEL = 16.0
"""Width of the panel, in heights of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Where things are, in pixels.

    Attributes:
        words_px: Height of text.
        header: Who moves, and what is scored.
        board: The board.
        panel: What there is to do.
        line: What is told, or the position's line.
        bar: Buttons.
    """

    words_px: int
    header: pygame.Rect
    board: pygame.Rect
    panel: pygame.Rect
    line: pygame.Rect
    bar: pygame.Rect


def boxes_of(size: Size) -> Boxes:
    """Return where things are in a window of a size."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    panel, rest = cut(rest, "right", min(_PANEL * words, 0.45 * rest.width), gap=1.5 * gap)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    bar, rest = cut(rest, "bottom", _BAR * words, gap=gap)
    line, board = cut(rest, "bottom", _LINE * words, gap=gap / 2)
    return Boxes(words_px=words, header=header, board=board, panel=panel, line=line, bar=bar)
