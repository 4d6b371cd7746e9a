"""The window itself: `show` opens it, runs its loop and closes it again.

Tests bring a clock of their own, which says how much time passes between frames.
"""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pygame
from pygame.event import Event

from physics import InputError
from physics.compiling import compiling_reported
from render.palette import DARK, Palette
from render.viewer.app import App, View, draw_progress
from render.viewer.layout import Size
from render.viewer.screen import Screen

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


def show(
    view: View,
    *,
    size: Size = (1280, 800),
    palette: Palette = DARK,
    clock: Callable[[], float] | None = None,
) -> None:
    """Open a window on a view, and return when it is closed.

    The picture is drawn again when the view changes, and after events.

    Args:
        view: The view.
        size: Width and height of the window at first; it can be resized.
        palette: The colours at first.
        clock: Waits until the next frame is due, and returns the seconds since the last one; by
            default in real time, at 60 frames a second.

    Raises:
        InputError: There is no display.
    """
    app, screen, real = App(view, palette=palette), Screen(), pygame.Clock()

    def compiling(done: int, total: int) -> None:
        """Say in the window that it stands still because functions are compiled."""
        if threading.current_thread() is threading.main_thread():
            text = f"compiling {done} of {total} functions: this happens once"
            draw_progress(screen.surface(), text, done, total, app.palette)
            screen.show(app.palette)
            pygame.event.pump()

    with _freeze_past(), _open_screen(screen, view.title, size), compiling_reported(compiling):
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
            passed_s = clock() if clock else min(real.tick(_FRAMES_PER_S) / 1000, _LONGEST_S)
            changed = app.advance(passed_s) or changed
            if changed:
                app.draw(screen.surface())
                changed = not screen.show(app.palette)


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
