"""Places in the board window, and its parts that boards and games share.

`boxes_of` splits a window into header, board, panel, message line and button bar; `bar` makes the
widgets of the bar from commands, `draw_message_line` writes the line above it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from render.boardwindow.explorer_state import History
from render.canvas import write
from render.palette import Palette
from render.viewer import Command, Size, Slider, Widget, command_button, cut, padded, words_px
from sim.bumpers import Direction

ARROWS = {
    "up": Direction.N,
    "right": Direction.E,
    "down": Direction.S,
    "left": Direction.W,
}
"""Board direction of each arrow key."""

TURNS: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("Turn left", "turn the mat left", 3, ("e",)),
    ("Half", "turn the mat by half a turn", 2, ()),
    ("Turn right", "turn the mat right", 1, ("r",)),
)
"""Label, name, clockwise quarter turns and keys of each turn of a mat."""

_HEADER, _LINE, _BAR = 2.2, 1.4, 2.0
"""Heights of the rows, in text heights."""

_PANEL = 16.0
"""Width of the panel, in text heights."""

_SQUARE, _WIDE, _GAP = 2.0, 5.0, 0.4
"""Widths of buttons with an icon and with text, and of the gap between two, in text heights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Places of the parts of the window, in pixels.

    Attributes:
        words_px: Text height.
        header: Side to move and scores.
        board: The board.
        panel: Buttons and facts beside the board.
        line: The message, or the position as a line of text.
        bar: The row of buttons below.
    """

    words_px: int
    header: pygame.Rect
    board: pygame.Rect
    panel: pygame.Rect
    line: pygame.Rect
    bar: pygame.Rect


def boxes_of(size: Size) -> Boxes:
    """Return the places of the parts of a window of a given size."""
    words = words_px(size)
    gap = round(0.6 * words)
    rest = padded(pygame.Rect(0, 0, *size), 0.8 * words)
    panel, rest = cut(rest, "right", min(_PANEL * words, 0.45 * rest.width), gap=1.5 * gap)
    header, rest = cut(rest, "top", _HEADER * words, gap=gap / 2)
    bar, rest = cut(rest, "bottom", _BAR * words, gap=gap)
    line, board = cut(rest, "bottom", _LINE * words, gap=gap / 2)
    return Boxes(words_px=words, header=header, board=board, panel=panel, line=line, bar=bar)


def bar(
    boxes: Boxes,
    history: History,
    go_to: Callable[[int], object],
    *,
    left: Sequence[Command],
    right: Sequence[Command],
) -> list[Widget]:
    """Return the widgets of the bar: icons on the left, a scrub bar, text buttons on the right.

    Args:
        boxes: Places in the window.
        history: The positions of the scrub bar; it is left out if there is only one.
        go_to: Shows the position of a given number.
        left: Commands with an icon.
        right: Commands with a label.
    """
    words = boxes.words_px
    square, gap = _SQUARE * words, _GAP * words
    rest = boxes.bar
    widgets: list[Widget] = []
    for command in left:
        box, rest = cut(rest, "left", square, gap=gap)
        widgets.append(command_button(box, command))
    wide = min(_WIDE * words, rest.width / (len(right) + 1))
    for command in reversed(right):
        box, rest = cut(rest, "right", wide, gap=gap)
        widgets.append(command_button(box, command))
    if len(history.entries) > 1:
        scrub = Slider(
            box=rest,
            label="",
            shown="",
            value=history.index,
            low=0,
            high=len(history.entries) - 1,
            changed=lambda value: go_to(round(value)),
        )
        widgets.append(scrub)
    return widgets


def draw_message_line(
    surface: pygame.Surface, boxes: Boxes, message: str, otherwise: str, palette: Palette
) -> None:
    """Write a message, or other words if there is none; on the right, the key of the help."""
    box, size_px = boxes.line, boxes.words_px
    place = (float(box.right), float(box.centery))
    used = write(surface, "H: keys", place, size_px=size_px, colour=palette.faint, align="right")
    write(
        surface,
        message or otherwise,
        (box.left, box.centery),
        size_px=size_px if message else round(0.9 * size_px),
        colour=palette.text if message else palette.faint,
        width_px=box.width - used - 2 * size_px,
    )


def in_row(box: pygame.Rect, count: int, gap: float) -> list[pygame.Rect]:
    """Return boxes of equal width side by side that fill a row."""
    width = (box.width - gap * (count - 1)) / count
    lefts = [round(box.left + number * (width + gap)) for number in range(count)]
    return [pygame.Rect(left, box.top, round(width), box.height) for left in lefts]
