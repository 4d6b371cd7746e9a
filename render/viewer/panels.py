"""Panels and bars: rows of buttons, texts, and logs of what happened.

A view lists the parts of a panel from its state. `place_parts` puts them below each other,
`part_widgets` makes their buttons, and `draw_parts` draws the rest of them.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from pygame import Rect, Surface

from physics.facts import fact
from render.canvas import wrapped, write
from render.palette import Palette
from render.viewer.commands import Command, command_button
from render.viewer.layout import cut, grid, row
from render.viewer.widgets import Button, Line, Picture, Slider, Widget

SQUARE, WIDE, GAP = 2.0, 6.4, 0.4
"""Widths of buttons with an icon and with text, and of the gap between two, in text heights."""

_LINE = 1.3
"""Distance between lines, in heights of their text."""

_INDENT = 0.8
"""Indent of the lines of a log but for headings, in heights of its text."""

_LATER_SHARE = 1 / 3
"""Part of a log in which lines after the current one are shown, if there are enough before it."""


@fact
class Row:
    """Buttons side by side. Lengths are in text heights."""

    commands: Sequence[Command] = ()
    caption: str = ""
    caption_width: float = 0.0
    squares: bool = False  # small buttons at the right end, in place of equal ones that fill it
    height: float = 1.9
    gap: float = 0.45  # below


@fact
class Text:
    """Lines of text, wrapped; the first one stands out. Lengths are in text heights."""

    lines: Sequence[str]
    size: float = 1.0
    height: float
    gap: float = 0.45  # below


@fact
class Log:
    """Events so far and ahead, a wrapped line each; the current one stands out."""

    lines: Sequence[str]
    current: int
    headings: Collection[int] = ()  # numbers of lines that begin a part
    choose: Callable[[int], object] | None = None  # takes the number of a line that is clicked
    size: float = 0.8
    height: float = 1000.0  # all that is left
    gap: float = 0.0


@fact
class Symbol:
    """A small picture, and a text beside it. Lengths are in text heights."""

    picture: Picture
    text: str
    height: float = 2.4
    gap: float = 0.3  # below


Part = Row | Text | Log | Symbol
Placed = Sequence[tuple[Part, Rect]]
"""Parts of a panel, each with its place."""


def place_parts(parts: Sequence[Part], box: Rect, words_px: int) -> Placed:
    """Return parts below each other in a box, for a text height."""
    placed = []
    for part in parts:
        own, box = cut(box, "top", part.height * words_px, gap=part.gap * words_px)
        placed.append((part, own))
    return placed


def part_widgets(placed: Placed, words_px: int) -> list[Widget]:
    """Return the buttons of rows and the lines of logs."""
    widgets: list[Widget] = []
    for part, box in placed:
        if isinstance(part, Log):
            widgets += log_lines(part, box, words_px)
        elif isinstance(part, Row) and part.commands:
            gap, count = GAP * words_px, len(part.commands)
            _, rest = cut(box, "left", part.caption_width * words_px)
            if part.squares:
                rest, _ = cut(box, "right", count * box.height + (count - 1) * gap)
            places = grid(rest, count, 1, gap)
            widgets += map(command_button, places, part.commands)
    return widgets


def draw_parts(surface: Surface, placed: Placed, words_px: int, palette: Palette) -> None:
    """Draw captions and texts."""
    for part, box in placed:
        if isinstance(part, Text):
            write_lines(surface, part.lines, box, palette, size_px=round(part.size * words_px))
        elif isinstance(part, Symbol):
            own, rest = cut(box, "left", 1.3 * box.height, gap=0.5 * words_px)
            part.picture(surface, own, palette)
            write_lines(surface, ["", part.text], rest, palette, size_px=round(0.8 * words_px))
        elif isinstance(part, Row) and part.caption:
            place, colour = (box.left, box.centery), palette.faint
            write(surface, part.caption, place, words_px, colour, width_px=box.width)


def write_lines(
    surface: Surface,
    lines: Sequence[str],
    box: Rect,
    palette: Palette,
    *,
    size_px: int,
) -> None:
    """Write lines in a box, wrapped if too long; those that do not fit are left out.

    The first line stands out, the others are faint.
    """
    y = float(box.top)
    for number, line in enumerate(lines):
        colour = palette.faint if number else palette.text
        for part in wrapped(line, size_px, box.width) if line else ():
            if y + size_px > box.bottom:
                return
            place = (box.left, y + _LINE * size_px / 2)
            write(surface, part, place, size_px, colour, width_px=box.width)
            y += _LINE * size_px


def log_lines(log: Log, box: Rect, words_px: int) -> list[Line]:
    """Return the lines of a log around the current one that fit a box, from its top down."""
    size_px = round(log.size * words_px)
    line_px = round(_LINE * size_px)
    indents = [0.0 if n in log.headings else _INDENT * size_px for n in range(len(log.lines))]

    def parts(number: int) -> tuple[str, ...]:
        width = round(box.width - indents[number] - size_px / 2)
        return wrapped(log.lines[number], size_px, width)

    def tall(number: int) -> int:
        return line_px * len(parts(number))

    # First some that follow the current line, then all before it, then more that follow.
    last, later = min(log.current, len(log.lines) - 1), 0
    while last + 1 < len(log.lines) and later + tall(last + 1) <= _LATER_SHARE * box.height:
        last += 1
        later += tall(last)
    first, height = last + 1, 0
    while first > 0 and height < box.height:
        first -= 1
        height += tall(first)
    while last + 1 < len(log.lines) and height + tall(last + 1) <= box.height:
        last += 1
        height += tall(last)
    found, top = [], box.top + min(box.height - height, 0)
    for number in range(first, last + 1):
        whole = Rect(box.left, top, box.width, tall(number))
        found.append(
            Line(
                box=whole.clip(box),
                parts=parts(number),
                place=(box.left + indents[number], whole.top + line_px / 2),
                size_px=size_px,
                line_px=line_px,
                action=None if log.choose is None else partial(log.choose, number),
                on=number == log.current,
                is_heading=number in log.headings,
            )
        )
        top = whole.bottom
    return found


def button_row(box: Rect, commands: Sequence[Command], words_px: int) -> list[Button]:
    """Return the buttons of commands side by side, from the left: small ones have an icon."""
    widths = [(SQUARE if command.icon else WIDE) * words_px for command in commands]
    return list(map(command_button, row(box, widths, GAP * words_px), commands))


def scrub_bar(
    box: Rect,
    index: int,
    count: int,
    go_to: Callable[[int], object],
    marks: Sequence[int] = (),
) -> Slider:
    """Return a slider over what is shown, number ``index`` of ``count``, from 0."""
    return Slider(
        box=box,
        value=index,
        high=max(count - 1, 1),
        changed=lambda value: go_to(round(value)),
        marks=tuple(map(float, marks)),
    )


def draw_message(
    surface: Surface,
    box: Rect,
    message: str,
    otherwise: str,
    words_px: int,
    palette: Palette,
) -> None:
    """Write a message, or else fainter words, in a row; at its right end the key of the help."""
    place, faint = (float(box.right), float(box.centery)), palette.faint
    used = write(surface, "H: keys", place, words_px, faint, align="right")
    write(
        surface,
        message or otherwise,
        (box.left, box.centery),
        words_px if message else round(0.9 * words_px),
        palette.text if message else faint,
        width_px=box.width - used - 2 * words_px,
    )
