"""A view with the commands of every window: help, full screen, light and dark, leaving.

`View` is the protocol of everything that can be shown. An `App` wraps one: it runs its commands,
hands it the other events, and draws the help over it. It knows nothing of the window itself, so
tests drive it with events and a surface.
"""

from collections.abc import Sequence
from typing import Protocol

import pygame
from pygame import Event, Rect, Surface

from render.canvas import new_surface, text_width, write
from render.palette import DARK, LIGHT, Palette
from render.viewer.commands import Command, run_command
from render.viewer.layout import Size, inset, words_px
from render.viewer.widgets import draw_box

_REDRAWN_FOR = (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED, pygame.WINDOWRESTORED)
"""Events after which the window has to be drawn again."""

_HELP_SHADE = 190
"""Opacity of the shade between the view and the help, 0 to 255."""

_HELP_ROWS = 16
"""Most lines in one column of the help."""


class View(Protocol):
    """Something that can be shown in a window, or drawn without one."""

    @property
    def title(self) -> str:
        """Title of the window."""

    @property
    def commands(self) -> Sequence[Command]:
        """Its commands, in the order in which the help lists them."""

    def handle(self, event: Event, size: Size) -> bool:
        """Handle an event that is not the key of a command.

        Args:
            event: A pygame event; ``pos`` and ``rel`` of the mouse are in pixels of the surface.
            size: Width and height of the surface.

        Returns:
            True if the event was used; the picture is then drawn again.
        """

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass; return True if the picture changed."""

    def draw(self, surface: Surface, palette: Palette) -> None:
        """Draw the whole picture."""


class App:
    """A view with the commands that every window has."""

    def __init__(self, view: View, *, palette: Palette = DARK) -> None:
        self.view = view
        self.palette = palette
        self.running = True
        self.full_screen = False
        self.help_open = False
        self._full_screen = Command(("f11", "f"), "full screen or window", self.toggle_screen)
        self._light_or_dark = Command(("l",), "light or dark", self.toggle_palette)
        self._own = (
            Command(("h", "?", "f1"), "show or hide this help", self.toggle_help),
            self._full_screen,
            self._light_or_dark,
            Command(("q", "escape"), "leave", self.leave),
        )

    def handle(self, event: Event, size: Size) -> bool:
        """Handle an event; return True if the picture may have changed.

        The view's commands come first, then its own handling, then the commands of the window.
        """
        if event.type == pygame.QUIT:
            self.running = False
            return True
        if event.type == pygame.KEYDOWN and self.help_open:
            if not run_command(event, (self._full_screen, self._light_or_dark)):
                self.help_open = False
            return True
        return (
            run_command(event, self.view.commands)
            or self.view.handle(event, size)
            or run_command(event, self._own)
            or event.type in _REDRAWN_FOR
        )

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass, except while the help is open; return True if the picture changed."""
        return not self.help_open and self.view.advance(elapsed_s)

    def draw(self, surface: Surface) -> None:
        """Draw the view, and over it the help if it is open."""
        self.view.draw(surface, self.palette)
        if self.help_open:
            draw_help(surface, self.view.title, self.commands, self.palette)

    @property
    def commands(self) -> tuple[Command, ...]:
        """All commands, as the help lists them: those of the view, then those of the window."""
        return (*self.view.commands, *self._own)

    def toggle_help(self) -> None:
        """Show or hide the help."""
        self.help_open = not self.help_open

    def toggle_screen(self) -> None:
        """Switch between full screen and window."""
        self.full_screen = not self.full_screen

    def toggle_palette(self) -> None:
        """Switch between light and dark colours."""
        self.palette = LIGHT if self.palette is DARK else DARK

    def leave(self) -> None:
        """Leave full screen, or close the window if it does not fill the screen."""
        if self.full_screen:
            self.full_screen = False
        else:
            self.running = False


def picture_of(view: View, size: Size = (1280, 800), *, palette: Palette = DARK) -> Surface:
    """Return a picture of a view; this needs no display and opens none."""
    surface = new_surface(*size)
    view.draw(surface, palette)
    return surface


def draw_progress(surface: Surface, text: str, done: int, total: int, palette: Palette) -> None:
    """Draw a box over the middle of the picture, with a text and a bar of what is done."""
    size_px = words_px(surface.get_size())
    box = Rect(0, 0, text_width(text, size_px) + 2 * size_px, round(3.2 * size_px))
    box.center = surface.get_rect().center
    draw_box(surface, box, palette.panel, radius_px=min(box.height // 5, 12))
    write(surface, text, (box.centerx, box.top + size_px), size_px, palette.text, align="centre")
    bar = Rect(box.left + size_px, box.bottom - size_px, box.width - 2 * size_px, size_px // 3)
    draw_box(surface, bar, palette.control)
    bar.width = bar.width * done // max(total, 1)
    draw_box(surface, bar, palette.accent)


def draw_help(surface: Surface, title: str, commands: Sequence[Command], palette: Palette) -> None:
    """List the commands that have keys in a box over the picture: keys and name of each."""
    commands = [command for command in commands if command.keys]
    size = surface.get_size()
    size_px = words_px(size)
    line = 1.5 * size_px
    columns = -(-len(commands) // _HELP_ROWS)
    rows = -(-len(commands) // columns)
    keys_px = max(text_width(command.keys_text, size_px) for command in commands)
    name_px = max(text_width(command.name, size_px) for command in commands)
    width = columns * (keys_px + name_px + 3 * size_px) + size_px
    height = round((rows + 2) * line) + 2 * size_px
    shade = new_surface(*size)
    shade.fill(palette.background)
    shade.set_alpha(_HELP_SHADE)
    surface.blit(shade, (0, 0))
    box = Rect(0, 0, min(width, size[0] - size_px), min(height, size[1] - size_px))
    box.center = surface.get_rect().center
    draw_box(surface, box, palette.panel, radius_px=size_px // 2)
    inside = inset(box, size_px)
    place = (inside.left, inside.top + line / 2)
    write(surface, title, place, round(1.2 * size_px), palette.text)
    line = min(line, (inside.height - 1.5 * line) / max(rows, 1))
    column_px = inside.width // columns
    keys = round(min(keys_px, 0.45 * column_px))
    room = column_px - keys - 2 * size_px
    for index, command in enumerate(commands):
        column, row = divmod(index, rows)
        x, y = inside.left + column * column_px, inside.bottom - (rows - row - 0.5) * line
        for text, left, width_px, colour in (
            (command.keys_text, x, keys, palette.accent),
            (command.name, x + keys + size_px, room, palette.text),
        ):
            write(surface, text, (left, y), size_px, colour, width_px=width_px)
