"""The window itself: `show` opens it, runs its loop and closes it again.

A `Clock` says how much time passes between frames; tests bring their own.
"""

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pygame
from pygame.event import Event

from physics import InputError
from physics.compiling import compiling_reported
from render.palette import DARK, Palette
from render.viewer.app import App, View, draw_progress
from render.viewer.layout import Size

_SMALLEST = (480, 320)
"""Smallest width and height of a window, in pixels."""

_FRAMES_PER_S = 60.0

_LONGEST_S = 0.1
"""Longest time between frames; a longer pause, as when a window is moved, skips nothing."""

_REPEAT_AFTER_MS, _REPEAT_EACH_MS = 350, 40
"""Time until a key that is held repeats, and between repetitions."""

_UNSEEN_DRIVERS = ("offscreen", "dummy", "evdev")
"""Drivers that SDL falls back on without a screen: a window there would run unseen for ever."""

_SCREEN_VARIABLES = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
"""Environment variables of which Linux sets at least one if there is a screen."""


class Clock(Protocol):
    """A source of the time that passes between frames."""

    def tick(self) -> float:
        """Wait until the next frame is due; return the seconds since the last one."""


class _RealClock:
    def __init__(self) -> None:
        self._clock = pygame.Clock()

    def tick(self) -> float:
        return min(self._clock.tick(_FRAMES_PER_S) / 1000, _LONGEST_S)


def show(
    view: View, *, size: Size = (1280, 800), palette: Palette = DARK, clock: Clock | None = None
) -> None:
    """Open a window on a view, and return when it is closed.

    The picture is drawn again when the view changes, and after events.

    Args:
        view: The view.
        size: Width and height of the window at first; it can be resized.
        palette: The colours at first.
        clock: Source of time; by default the real time at 60 frames a second.

    Raises:
        InputError: There is no display.
    """
    app = App(view, palette=palette)
    screen: Screen = getattr(view, "screen", None) or Screen()

    def compiling(done: int, total: int) -> None:
        """Say in the window that it stands still because functions are compiled."""
        if threading.current_thread() is threading.main_thread():
            text = f"compiling {done} of {total} functions: this happens once"
            draw_progress(screen.surface(), text, done, total, app.palette)
            screen.show(app.palette)
            pygame.event.pump()

    with _freeze_past(), _open_screen(screen, view.title, size), compiling_reported(compiling):
        ticking = clock or _RealClock()
        changed, full_screen = True, False
        while True:
            for event in pygame.event.get():
                changed = app.handle(_in_pixels(event, screen), screen.size) or changed
            if not app.running:
                break
            if app.full_screen != full_screen:
                full_screen = app.full_screen
                if full_screen:
                    screen.window.set_fullscreen(desktop=True)
                else:
                    screen.window.set_windowed()
            if screen.window.title != view.title:
                screen.window.title = view.title
            changed = app.advance(ticking.tick()) or changed
            if changed:
                app.draw(screen.surface())
                changed = not screen.show(app.palette)


class Screen:
    """A window, and the surface that is shown in it; a `View` may bring another as ``screen``."""

    window: pygame.Window

    def open(self, title: str, size: Size) -> None:
        """Open the window."""
        self.window = pygame.Window(title, size, resizable=True, allow_high_dpi=True)

    @property
    def size(self) -> Size:
        """Width and height in pixels, of which dense screens have more than points."""
        return self.window.get_surface().get_size()

    def surface(self) -> pygame.Surface:
        """Return the surface to draw the whole window on."""
        return self.window.get_surface()

    def show(self, palette: Palette) -> bool:  # noqa: ARG002
        """Show what was drawn; return False if it has to be drawn again."""
        self.window.flip()
        return True

    def close(self) -> None:
        """Close the window."""
        self.window.destroy()


@contextmanager
def _freeze_past() -> Iterator[None]:
    """Spare the collector all that exists already: every frame makes thousands of lists."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _open_screen(screen: Screen, title: str, size: Size) -> Iterator[None]:
    reason, driver = "no screen found", os.environ.get("SDL_VIDEODRIVER")
    try:
        # Without a screen, SDL prints complaints, and then draws for nobody.
        if sys.platform != "linux" or any(map(os.environ.get, _SCREEN_VARIABLES)):
            pygame.display.init()
            if driver or pygame.display.get_driver() not in _UNSEEN_DRIVERS:
                screen.open(title, size)
                reason = ""
    except pygame.error as error:
        reason = str(error)
    if reason:
        pygame.display.quit()
        raise InputError(
            f"display: none can be opened ({reason}); run it on a screen, or save a picture instead"
        )
    try:
        screen.window.minimum_size = _SMALLEST
        pygame.key.set_repeat(_REPEAT_AFTER_MS, _REPEAT_EACH_MS)
        yield
    finally:
        screen.close()
        pygame.event.clear()
        pygame.display.quit()


def _in_pixels(event: Event, screen: Screen) -> Event:
    """Return an event with its place in pixels, which differ from points on dense screens."""
    if not hasattr(event, "pos"):
        return event
    width, height = screen.size
    across, down = width / screen.window.size[0], height / screen.window.size[1]
    if across == down == 1:
        return event
    fields = dict(event.dict)
    for name in ("pos", "rel"):
        if name in fields:
            x, y = fields[name]
            fields[name] = (round(x * across), round(y * down))
    return Event(event.type, fields)
