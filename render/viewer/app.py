"""What a window does around its view: help, light and dark, full screen, leaving."""

import pygame
from pygame.event import Event

from render.canvas import new_surface
from render.palette import DARK, LIGHT, Palette
from render.viewer.help import draw_help
from render.viewer.layout import Size
from render.viewer.shortcuts import Shortcut, run_shortcut
from render.viewer.view import View

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
