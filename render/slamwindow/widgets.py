"""Layout, buttons and sliders: boxes cut out of boxes, the look of widgets, the mouse on them.

A `Button` or a `Slider` is a plain fact that a view makes for every frame; `Controls` draws them
and runs their actions. Small drawings on buttons are named in `ICONS`.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

import pygame
from pygame import Event, Rect, Surface

from pucklab.base.facts import fact
from pucklab.render.canvas import FINE, clear_surface, draw_stroke, lay, text_width, write
from pucklab.render.palette import Palette, Rgb, blend
from pucklab.render.slamwindow.commands import Command

Size = tuple[int, int]
"""Width and height in pixels."""

_LINES_PER_HEIGHT, _LINES_PER_WIDTH = 36, 58
"""Text heights that fit into the height, and into the width, of a window."""

_SMALLEST_PX, _LARGEST_PX = 11, 64
"""Range of the height of text."""


_SHARE = 0.5
"""Side of a drawing, relative to the shorter side of its button."""

_EDGE = 0.07
"""Free margin around a drawing: the edge would cut off the round ends of lines."""

ICONS = {
    "ghosts": "ring .36,.6 .33 .1; ring .64,.4 .33 .1",
    "minus": "line .12 .1,.5 .9,.5",
    "next": "line .16 .35,.1 .75,.5 .35,.9",
    "pause": "fill .1,0 .4,0 .4,1 .1,1; fill .6,0 .9,0 .9,1 .6,1",
    "play": "fill .15,0 1,.5 .15,1",
    "plus": "line .12 .5,.1 .5,.9; line .12 .1,.5 .9,.5",
    "previous": "line .16 .65,.1 .25,.5 .65,.9",
    "restart": "fill .5,.1 0,.5 .5,.9; fill 1,.1 .5,.5 1,.9",
    "save": ("line .12 .5,0 .5,.6; line .12 .2,.35 .5,.65 .8,.35; line .12 0,.7 0,.95 1,.95 1,.7"),
    "step_back": "fill .9,.1 .3,.5 .9,.9; fill .05,.1 .25,.1 .25,.9 .05,.9",
    "step_on": "fill .1,.1 .7,.5 .1,.9; fill .75,.1 .95,.1 .95,.9 .75,.9",
}
"""Drawings in the unit square, whose corner (0, 0) is up on the left: ``fill`` and the corners of a
polygon, ``line`` with its width and points, ``ring`` with its middle, radius and width."""


_BUTTON_TEXT = 0.56
"""Height of text, relative to the height of a button."""

_SMALLEST_TIP_PX = 14
"""Smallest height of the text of a tooltip."""

_SQUARE, _WIDE, _GAP = 2.0, 6.4, 0.4
"""Widths of buttons with an icon and with text, and of the gap between two, in text heights."""

_LEFT_BUTTON = 1


def words_px(size: Size) -> int:
    """Return the height of text in a window; buttons and margins are multiples of it.

    Example:
        >>> words_px((1280, 800)), words_px((2560, 1600)), words_px((400, 300))
        (22, 44, 11)
    """
    width, height = size
    fitting = round(min(width / _LINES_PER_WIDTH, height / _LINES_PER_HEIGHT))
    return min(max(fitting, _SMALLEST_PX), _LARGEST_PX)


def cut(
    box: Rect, side: Literal["right", "top", "bottom"], length: float, gap: float = 0
) -> tuple[Rect, Rect]:
    """Return a strip cut off one side of a box, and the rest of the box.

    Args:
        box: The box to cut.
        side: The side of the strip.
        length: Width or height of the strip; at most that of the box.
        gap: Space between the strip and the rest.

    Example:
        >>> cut(Rect(0, 0, 100, 50), "top", 20, gap=10)
        (Rect(0, 0, 100, 20), Rect(0, 30, 100, 20))
    """
    whole = box.width if side == "right" else box.height
    strip = min(round(length), whole)
    taken = min(strip + round(gap), whole)
    x, y, width, height = box
    if side == "right":
        return Rect(x + width - strip, y, strip, height), Rect(x, y, width - taken, height)
    if side == "top":
        return Rect(x, y, width, strip), Rect(x, y + taken, width, height - taken)
    return Rect(x, y + height - strip, width, strip), Rect(x, y, width, height - taken)


def inset(box: Rect, margin: float) -> Rect:
    """Return a box without a margin on each side.

    Example:
        >>> inset(Rect(0, 0, 100, 50), 10)
        Rect(10, 10, 80, 30)
    """
    both = 2 * round(margin)
    return box.inflate(-min(both, box.width), -min(both, box.height))


@fact
class Button:
    """A box to click on, which runs a command."""

    box: Rect
    command: Command


def button_row(box: Rect, commands: Sequence[Command], words_px: int) -> list[Button]:
    """Return buttons side by side, from the left; they get narrower if there is no room."""
    widths = [(_SQUARE if command.icon else _WIDE) * words_px for command in commands]
    gap = _GAP * words_px
    share = min(1.0, box.width / (sum(widths) + gap * (len(widths) - 1)))
    buttons, x = [], float(box.left)
    for width, command in zip(widths, commands, strict=True):
        place = Rect(round(x), box.top, round(width * share), box.height)
        buttons.append(Button(box=place, command=command))
        x += (width + gap) * share
    return buttons


@fact
class Slider:
    """A line on which a number from 0 to 1 is chosen."""

    box: Rect
    value: float
    changed: Callable[[float], object]  # takes the chosen number
    marks: tuple[float, ...] = ()  # numbers marked on the line

    @property
    def line(self) -> tuple[float, float, int]:
        """Left end, right end and y of its line, in pixels."""
        inset = self.box.height / 3
        return self.box.left + inset, self.box.right - inset, self.box.centery

    def value_at(self, x_px: float) -> float:
        """Return the number at a place on its line, limited to its range.

        Example:
            >>> slider = Slider(box=Rect(0, 0, 120, 30), value=0.0, changed=print)
            >>> slider.value_at(60.0), slider.value_at(-5.0), slider.value_at(500.0)
            (0.5, 0.0, 1.0)
        """
        left, right, _ = self.line
        return min(max((x_px - left) / max(right - left, 1.0), 0.0), 1.0)

    def place_of(self, value: float) -> float:
        """Return the place of a number on its line, in pixels."""
        left, right, _ = self.line
        return left + (right - left) * min(max(value, 0.0), 1.0)


Widget = Button | Slider
"""Anything that `Controls` draws and passes the mouse to."""


class Controls:
    """The mouse on the widgets of a view, and their drawing.

    The only state is the place of the mouse, and whether it holds the slider.
    """

    def __init__(self) -> None:
        self._at: tuple[int, int] | None = None
        self._held = False

    def handle(self, event: Event, widgets: Sequence[Widget]) -> bool:
        """Handle a mouse event; return True if the picture changed."""
        if event.type == pygame.MOUSEMOTION:
            before, self._at = self._under(widgets), event.pos
            for widget in widgets:
                if self._held and isinstance(widget, Slider):
                    widget.changed(widget.value_at(event.pos[0]))
                    return True
            return before is not self._under(widgets)
        if event.type == pygame.WINDOWLEAVE:
            self._at = None
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == _LEFT_BUTTON and self._held:
            self._held = False
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == _LEFT_BUTTON:
            self._at = event.pos
            under = self._under(widgets)
            if isinstance(under, Slider):
                self._held = True
                under.changed(under.value_at(event.pos[0]))
            elif under is not None and under.command.enabled:
                under.command.action()
            return under is not None
        return False

    def draw(self, surface: Surface, widgets: Sequence[Widget], palette: Palette) -> None:
        """Draw the widgets, and the tooltip of the button that the mouse is on."""
        under = self._under(widgets)
        for widget in widgets:
            if isinstance(widget, Button):
                draw_button(surface, widget, palette, under=widget is under)
            else:
                draw_slider(surface, widget, palette, under=widget is under or self._held)
        if isinstance(under, Button):
            size_px = max(round(0.42 * under.box.height), _SMALLEST_TIP_PX)
            draw_tooltip(surface, under.command.hint, under.box, size_px, palette, widgets)

    def _under(self, widgets: Sequence[Widget]) -> Widget | None:
        """Return the widget that the mouse is on; later ones are on top."""
        if self._at is None:
            return None
        for widget in reversed(widgets):
            if widget.box.collidepoint(self._at):
                return widget
        return None


def draw_box(surface: Surface, box: Rect, colour: Rgb, *, radius_px: int = 0) -> None:
    """Draw a filled box with smooth round corners.

    Args:
        surface: The surface to draw on.
        box: The box.
        colour: Its colour.
        radius_px: Radius of its corners; at most half of its shorter side.
    """
    radius = max(min(radius_px, box.width // 2, box.height // 2), 0)
    inner = box.inflate(-2 * radius, -2 * radius)
    surface.fill(colour, (inner.left, box.top, inner.width, box.height))
    surface.fill(colour, (box.left, inner.top, box.width, inner.height))
    if radius:
        disc = _disc(radius, colour)
        for x, left in ((box.left, 0), (inner.right, radius)):
            for y, top in ((box.top, 0), (inner.bottom, radius)):
                corner = Rect(left, top, radius, radius)
                lay(surface, disc.subsurface(corner), (x, y))


def draw_button(surface: Surface, button: Button, palette: Palette, *, under: bool) -> None:
    """Draw a button; ``under`` is True if the mouse is on it."""
    command = button.command
    colour = palette.accent if command.on else palette.control
    words = palette.on_accent if command.on else palette.text
    if not command.enabled:
        words = palette.faint
    elif under:
        colour = blend(colour, palette.text, 0.15)
    lay(surface, _button(button.box.size, command.icon, command.label, colour, words), button.box)


@lru_cache(maxsize=256)
def _button(size: tuple[int, int], icon: str, label: str, colour: Rgb, words: Rgb) -> Surface:
    picture = clear_surface(size)
    box = picture.get_rect()
    draw_box(picture, box, colour, radius_px=min(max(box.height // 5, 2), 12))
    if icon:
        draw_icon(picture, icon, box, words)
        return picture
    write(
        picture,
        label,
        box.center,
        round(_BUTTON_TEXT * box.height),
        words,
        align="centre",
        width_px=box.width - 0.4 * box.height,
    )
    return picture


def draw_slider(surface: Surface, slider: Slider, palette: Palette, *, under: bool) -> None:
    """Draw a slider; ``under`` is True if the mouse is on it or holds it."""
    box = slider.box
    left, right, y = slider.line
    knob_px = round(0.27 * box.height)
    thick = max(4, round(0.6 * knob_px))
    at = slider.place_of(slider.value)
    whole = Rect(round(left), y - thick // 2, round(right - left), thick)
    draw_box(surface, whole, palette.control, radius_px=thick // 2)
    draw_box(
        surface,
        Rect(whole.left, whole.top, max(round(at - left), thick), thick),
        palette.accent,
        radius_px=thick // 2,
    )
    for mark in slider.marks:
        x = round(slider.place_of(mark))
        surface.fill(palette.faint, (x - 1, whole.top - thick // 2, 2, 2 * thick))
    knob = Rect(0, 0, 2 * knob_px, 2 * knob_px)
    knob.center = (round(at), y)
    draw_box(surface, knob, palette.text if under else palette.accent, radius_px=knob_px)


def draw_tooltip(
    surface: Surface,
    text: str,
    about: Rect,
    size_px: int,
    palette: Palette,
    widgets: Sequence[Widget],
) -> None:
    """Write a text above a box, far enough away to cover none of the buttons."""
    room = surface.get_width() - 3 * size_px
    width = min(text_width(text, size_px), room) + size_px
    box, gap = Rect(0, 0, width, round(1.7 * size_px)), size_px // 4
    box.midbottom = (about.centerx, about.top - gap)
    box.clamp_ip(surface.get_rect())
    buttons = [widget.box for widget in widgets]
    while (hit := box.collidelist(buttons)) >= 0:
        box.bottom = buttons[hit].top - gap
        if box.top < 0:  # no room above: beside them
            box.midright = (buttons[hit].left - gap, about.centery)
    draw_box(surface, box, palette.text, radius_px=box.height // 4)
    colour, middle = palette.background, box.center
    write(surface, text, middle, size_px, colour, align="centre", width_px=room)


@lru_cache(maxsize=64)
def _disc(radius_px: int, colour: Rgb) -> Surface:
    fine = clear_surface((2 * FINE * radius_px, 2 * FINE * radius_px))
    pygame.draw.circle(fine, colour, fine.get_rect().center, FINE * radius_px)
    return pygame.transform.smoothscale(fine, (2 * radius_px, 2 * radius_px))


def draw_icon(surface: Surface, name: str, box: Rect, colour: Rgb) -> None:
    """Draw an icon in the middle of a box."""
    side = round(_SHARE * min(box.size))
    whole = FINE * side
    fine = clear_surface((whole, whole))

    def place(share: str) -> float:
        return whole * (_EDGE + (1 - 2 * _EDGE) * float(share))

    for stroke in ICONS[name].split(";"):
        kind, *parts = stroke.split()
        pairs = [part.split(",") for part in parts if "," in part]
        points = [(place(x), place(y)) for x, y in pairs]
        sizes = [whole * float(part) for part in parts if "," not in part]
        if kind == "fill":
            pygame.draw.polygon(fine, colour, points)
        elif kind == "line":
            draw_stroke(fine, colour, points, sizes[0])
        else:
            pygame.draw.circle(fine, colour, points[0], sizes[0], round(sizes[1]))
    icon = pygame.transform.smoothscale(fine, (side, side))
    lay(surface, icon, (box.centerx - side // 2, box.centery - side // 2))
