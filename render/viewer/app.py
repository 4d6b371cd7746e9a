"""What a window does around its view: help, light and dark, full screen, leaving.

What a window shows.

The keys of a window, listed on top of it.
"""

from collections.abc import Sequence
from typing import Protocol

import pygame
from pygame.event import Event

from render.canvas import new_surface, text_width, write
from render.palette import DARK, LIGHT, Palette
from render.viewer.layout import Size, padded, words_px
from render.viewer.shortcuts import Shortcut, run_shortcut
from render.viewer.widgets import draw_box, draw_shade


class View(Protocol):
    """Something that can be shown in a window, or drawn without one."""

    @property
    def title(self) -> str:
        """What stands above the window."""

    @property
    def shortcuts(self) -> Sequence[Shortcut]:
        """The keys it has a use for, in the order in which the help lists them."""

    def handle(self, event: Event, size: Size) -> bool:
        """Take an event that is no shortcut's.

        Args:
            event: A pygame event; ``pos`` and ``rel`` of the mouse are in pixels of the surface.
            size: Width and height of the surface.

        Returns:
            Whether it had a use for it. Then the picture is drawn anew.
        """

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass, and return whether the picture changed."""

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of the picture."""


_SHADE = 190
_MOST_A_COLUMN = 16


def draw_help(
    surface: pygame.Surface, title: str, shortcuts: Sequence[Shortcut], palette: Palette
) -> None:
    """List shortcuts in a box over what is drawn: their keys, and what they do."""
    size = surface.get_size()
    size_px = words_px(size)
    line = 1.5 * size_px
    columns = -(-len(shortcuts) // _MOST_A_COLUMN)
    rows = -(-len(shortcuts) // columns)
    keys_px = max(text_width(shortcut.shown, size_px) for shortcut in shortcuts)
    does_px = max(text_width(shortcut.does, size_px) for shortcut in shortcuts)
    column_px = keys_px + does_px + 3 * size_px
    width = columns * column_px + size_px
    height = round((rows + 2) * line) + 2 * size_px
    draw_shade(surface, palette.background, _SHADE)
    box = pygame.Rect(0, 0, min(width, size[0] - size_px), min(height, size[1] - size_px))
    box.center = surface.get_rect().center
    draw_box(surface, box, palette.panel, radius_px=size_px // 2)
    inside = padded(box, size_px)
    place = (inside.left, inside.top + line / 2)
    write(surface, title, place, size_px=round(1.2 * size_px), colour=palette.text)
    line = min(line, (inside.height - 1.5 * line) / max(rows, 1))
    column_px = inside.width // columns
    for index, shortcut in enumerate(shortcuts):
        column, row = divmod(index, rows)
        x = inside.left + column * column_px
        y = inside.bottom - (rows - row - 0.5) * line
        keys = round(min(keys_px, 0.45 * column_px))
        write(
            surface,
            shortcut.shown,
            (x, y),
            size_px=size_px,
            colour=palette.accent,
            width_px=keys,
        )
        x += keys + size_px
        room = column_px - keys - 2 * size_px
        write(surface, shortcut.does, (x, y), size_px=size_px, colour=palette.text, width_px=room)


_REDRAWN_FOR = (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED, pygame.WINDOWRESTORED)


class App:
    """A view with the keys that every window has; it knows of no window.

    Attributes:
        view: What is shown.
        palette: Its colours.
        running: False once it is to be closed.
        full_screen: Whether it is to fill the screen.
        help_open: Whether the help is shown.
    """

    def __init__(self, view: View, *, palette: Palette = DARK) -> None:
        self.view = view
        self.palette = palette
        self.running = True
        self.full_screen = False
        self.help_open = False
        self._own = (
            Shortcut(keys=("h", "?", "f1"), does="show or hide this help", action=self.toggle_help),
            Shortcut(keys=("f11", "f"), does="full screen or window", action=self.toggle_screen),
            Shortcut(keys=("l",), does="light or dark", action=self.toggle_palette),
            Shortcut(keys=("q", "escape"), does="leave", action=self.leave),
        )

    def handle(self, event: Event, size: Size) -> bool:
        """Take an event, and return whether the picture may have changed.

        The view's shortcuts come first, then what else it has a use for, then the window's keys.
        """
        if event.type == pygame.QUIT:
            self.running = False
            return True
        if event.type == pygame.KEYDOWN and self.help_open:
            return self._leave_help(event)
        return (
            run_shortcut(event, self.view.shortcuts)
            or self.view.handle(event, size)
            or run_shortcut(event, self._own)
            or event.type in _REDRAWN_FOR
        )

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass, and return whether the picture changed; with the help open it stands."""
        return not self.help_open and self.view.advance(elapsed_s)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the view, and the help on it if it is open."""
        self.view.draw(surface, self.palette)
        if self.help_open:
            draw_help(surface, self.view.title, self.shortcuts, self.palette)

    @property
    def shortcuts(self) -> tuple[Shortcut, ...]:
        """All keys, as the help lists them: the view's, then the window's."""
        return (*self.view.shortcuts, *self._own)

    def toggle_help(self) -> None:
        """Show the help, or hide it."""
        self.help_open = not self.help_open

    def toggle_screen(self) -> None:
        """Fill the screen, or be a window again."""
        self.full_screen = not self.full_screen

    def toggle_palette(self) -> None:
        """Change between light and dark."""
        self.palette = LIGHT if self.palette is DARK else DARK

    def leave(self) -> None:
        """Be a window again if it fills the screen, else close."""
        if self.full_screen:
            self.full_screen = False
        else:
            self.running = False

    def _leave_help(self, event: Event) -> bool:
        if not run_shortcut(event, self._own[1:3]):
            self.help_open = False
        return True


def picture_of(view: View, size: Size = (1280, 800), *, palette: Palette = DARK) -> pygame.Surface:
    """Return a view as a picture; no display is needed, and none is opened."""
    surface = new_surface(*size)
    view.draw(surface, palette)
    return surface
