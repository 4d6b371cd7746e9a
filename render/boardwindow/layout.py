"""The row of buttons below the board, and the line above it.

Where things are in the window.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from render.boardwindow.explorer_state import History
from render.canvas import write
from render.palette import Palette
from render.viewer import Button, Size, Slider, Widget, cut, padded, words_px

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


_SQUARE, _WIDE, _GAP = 2.0, 5.0, 0.4
"""Widths of buttons and the gap between them, in heights of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Going through a history.

    Attributes:
        history: The history.
        is_playing: It goes on by itself.
        back: Goes a step back.
        on: Goes a step on.
        play: Lets it go on by itself, or stop.
        go: Goes to a number.
    """

    history: History
    is_playing: bool
    back: Callable[[], object]
    on: Callable[[], object]
    play: Callable[[], object]
    go: Callable[[int], object]


def bar(
    boxes: Boxes, steps: Steps, named: Sequence[tuple[str, Callable[[], object]]]
) -> list[Widget]:
    """Return the buttons that go through a history, and others with a name, on the right."""
    words = boxes.words_px
    square, gap = _SQUARE * words, _GAP * words
    rest = boxes.bar
    history = steps.history
    playing = steps.is_playing
    facts = (
        ("undo", "a step back (Z)", steps.back, False, not history.is_first),
        (
            "pause" if playing else "play",
            "pause (Space)" if playing else "play on (Space)",
            steps.play,
            playing,
            not history.is_last,
        ),
        ("redo", "a step on (Y)", steps.on, False, not history.is_last),
    )
    widgets: list[Widget] = []
    for icon, label, action, on, enabled in facts:
        box, rest = cut(rest, "left", square, gap=gap)
        button = Button(box=box, label=label, icon=icon, action=action, on=on, enabled=enabled)
        widgets.append(button)
    wide = min(_WIDE * words, rest.width / (len(named) + 1))
    for label, pressed in reversed(named):
        box, rest = cut(rest, "right", wide, gap=gap)
        widgets.append(Button(box=box, label=label, action=pressed))
    if len(history.entries) > 1:
        last = len(history.entries) - 1
        scrub = Slider(
            box=rest,
            label="",
            shown="",
            value=history.index,
            low=0,
            high=last,
            changed=lambda value: steps.go(round(value)),
        )
        widgets.append(scrub)
    return widgets


def draw_line(
    surface: pygame.Surface, boxes: Boxes, told: str, line: str, palette: Palette
) -> None:
    """Write what is told, or else the position's line; on the right, where the help is."""
    box, size_px = boxes.line, boxes.words_px
    place = (float(box.right), float(box.centery))
    used = write(surface, "H: keys", place, size_px=size_px, colour=palette.faint, align="right")
    write(
        surface,
        told or line,
        (box.left, box.centery),
        size_px=size_px if told else round(0.9 * size_px),
        colour=palette.text if told else palette.faint,
        width_px=box.width - used - 2 * size_px,
    )
