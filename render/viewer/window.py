"""The window itself: opened, kept going, and closed again.

The clock of a window: tests bring their own.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import pygame
from pygame.event import Event

from physics import InputError
from render.palette import DARK, Palette
from render.viewer.app import App, View
from render.viewer.layout import Size

_LONGEST_S = 0.1
"""After a longer pause, as when a window is moved, a film goes on from where it was."""


class Clock(Protocol):
    """What tells a window how much time has passed."""

    def tick(self) -> float:
        """Wait until the next frame is due, and return the seconds since the last."""


class RealClock:
    """The time of day, in frames of equal length."""

    def __init__(self, frames_per_s: float = 60.0) -> None:
        self._clock = pygame.Clock()
        self._frames_per_s = frames_per_s

    def tick(self) -> float:
        """Wait until the next frame is due, and return the seconds since the last, up to .1."""
        return min(self._clock.tick(self._frames_per_s) / 1000, _LONGEST_S)


_SMALLEST = (480, 320)
_UNSEEN_DRIVERS = ("offscreen", "dummy", "evdev")
"""What SDL falls back on where there is no screen: a window there would run unseen for ever."""

_REPEAT_AFTER_MS, _REPEAT_EACH_MS = 350, 40


def show(
    view: View, *, size: Size = (1280, 800), palette: Palette = DARK, clock: Clock | None = None
) -> None:
    """Open a window on a view, and return when it is closed.

    The picture is drawn anew when the view says that it changed, and after events.

    Args:
        view: What to show.
        size: Width and height of the window, which can be resized.
        palette: Its colours at first.
        clock: What tells the time; the real clock at 60 frames a second if none is given.

    Raises:
        InputError: There is no display.
    """
    app = App(view, palette=palette)
    with _open_window(view.title, size) as window:
        ticking = clock or RealClock()
        changed, full_screen = True, False
        while True:
            for event in pygame.event.get():
                changed = app.handle(_in_pixels(event, window), _pixels(window)) or changed
            if not app.running:
                break
            if app.full_screen != full_screen:
                full_screen = app.full_screen
                _fill_screen(window, full_screen)
            if window.title != view.title:
                window.title = view.title
            changed = app.advance(ticking.tick()) or changed
            if changed:
                app.draw(window.get_surface())
                window.flip()
                changed = False


@contextmanager
def _open_window(title: str, size: Size) -> Iterator[pygame.Window]:
    window = _opened(title, size)
    try:
        window.minimum_size = _SMALLEST
        pygame.key.set_repeat(_REPEAT_AFTER_MS, _REPEAT_EACH_MS)
        yield window
    finally:
        window.destroy()
        pygame.event.clear()
        pygame.display.quit()


def _opened(title: str, size: Size) -> pygame.Window:
    reason = _why_unseen()
    try:
        if not reason:
            pygame.display.init()
            if _is_seen():
                return pygame.Window(title, size, resizable=True, allow_high_dpi=True)
            reason = "no screen found"
    except pygame.error as error:
        reason = str(error)
    pygame.display.quit()
    raise InputError(
        f"display: none can be opened ({reason}); run it on a screen, or save a picture instead"
    )


def _why_unseen() -> str:
    """Return why no screen can be found, before SDL looks for one: it would print complaints."""
    named = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform == "linux" and not any(os.environ.get(name) for name in named):
        return "no screen found"
    return ""


def _is_seen() -> bool:
    asked_for = bool(os.environ.get("SDL_VIDEODRIVER"))
    return asked_for or pygame.display.get_driver() not in _UNSEEN_DRIVERS


def _fill_screen(window: pygame.Window, full: bool) -> None:
    if full:
        window.set_fullscreen(desktop=True)
    else:
        window.set_windowed()


def _pixels(window: pygame.Window) -> Size:
    return window.get_surface().get_size()


def _in_pixels(event: Event, window: pygame.Window) -> Event:
    """Return an event with its place in pixels: on a screen of high density there are more."""
    if not hasattr(event, "pos"):
        return event
    width, height = _pixels(window)
    across, down = width / window.size[0], height / window.size[1]
    if across == down == 1:
        return event
    facts = dict(event.dict)
    for name in ("pos", "rel"):
        if name in facts:
            x, y = facts[name]
            facts[name] = (round(x * across), round(y * down))
    return Event(event.type, facts)
