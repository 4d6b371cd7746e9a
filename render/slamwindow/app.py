"""The window on a `SlamWindow`: its screen and its loop.

`show` opens it, `picture_of` draws a view without. Tests call `show` with a clock of their own and
SDL's dummy display.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pygame
from pygame import Event, Rect, Surface

from pucklab.physics import InputError
from pucklab.render.canvas import new_surface
from pucklab.render.palette import Palette
from pucklab.render.slams.opengl import OpenGL, OpenGLError, SpaceView
from pucklab.render.slams.space import RENDERER
from pucklab.render.slamwindow.window import Size, SlamWindow

_REDRAWN_FOR = (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED, pygame.WINDOWRESTORED)
"""Events after which the window has to be drawn again."""

_ATTRIBUTES = {
    "GL_CONTEXT_MAJOR_VERSION": 3,
    "GL_CONTEXT_MINOR_VERSION": 3,
    "GL_CONTEXT_PROFILE_MASK": 1,  # the core profile
    "GL_MULTISAMPLEBUFFERS": 1,
    "GL_MULTISAMPLESAMPLES": 4,
    "GL_DEPTH_SIZE": 24,
}

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


class Screen:
    """A window with OpenGL where it is there and fast enough, and a plain one elsewhere."""

    window: pygame.Window

    def __init__(self) -> None:
        self._opengl: OpenGL | None = None
        self._panels = Surface((1, 1), pygame.SRCALPHA, depth=32)
        self._views: list[tuple[Rect, SpaceView]] = []

    def open(self, title: str, size: Size) -> None:
        """Open the window, and say what draws in it."""
        if RENDERER.suits_window(size):
            RENDERER.use(None)
            try:
                for name, value in _ATTRIBUTES.items():
                    pygame.display.gl_set_attribute(getattr(pygame, name), value)
                self.window = pygame.Window(title, size, resizable=True, opengl=True)
                self._opengl = OpenGL(in_window=True)
                RENDERER.use(self._opengl)
            except (pygame.error, OpenGLError) as error:
                self._leave_opengl(str(error))
        if self._opengl is None:
            self._open_plain(title, size)
        sys.stderr.write(f"{RENDERER.text}\n")
        sys.stderr.flush()  # the command holds lines back

    def _open_plain(self, title: str, size: Size) -> None:
        self.window = pygame.Window(title, size, resizable=True, allow_high_dpi=True)

    @property
    def size(self) -> Size:
        """Width and height in pixels, of which dense screens have more than points."""
        return self.window.size if self._opengl else self.window.get_surface().get_size()

    def surface(self) -> Surface:
        """Return the surface to draw the whole window on."""
        if self._opengl is None:
            surface = self.window.get_surface()
            RENDERER.begin_window(surface)
            return surface
        if self._panels.get_size() != self.size:
            self._panels = Surface(self.size, pygame.SRCALPHA, depth=32)
        self._views.clear()
        RENDERER.begin_window(self._panels, self._views)
        return self._panels

    def show(self, palette: Palette) -> bool:
        """Show what was drawn; return False if it has to be drawn again."""
        if self._opengl is not None:
            try:
                self._opengl.show(self._panels, self._views, palette)
            except OpenGLError as error:
                title, size = self.window.title, self.window.size
                self._leave_opengl(str(error))
                self._open_plain(title, size)
                return False
        self.window.flip()
        return True

    def close(self) -> None:
        """Close the window."""
        RENDERER.begin_window(None)
        if self._opengl is not None:
            RENDERER.use(None)
        self.window.destroy()

    def _leave_opengl(self, reason: str) -> None:
        """Close the window with OpenGL: a plain one follows."""
        RENDERER.fail(reason)
        if hasattr(self, "window"):
            self.window.destroy()
        self._opengl = None


def show(
    view: SlamWindow, *, size: Size = (1280, 800), clock: Callable[[], float] | None = None
) -> None:
    """Open a window on a view, and return when it is closed.

    The picture is drawn again when the view changes, and after events.

    Args:
        view: The view.
        size: Width and height of the window at first; it can be resized.
        clock: Waits until the next frame is due, and returns the seconds since the last one; by
            default in real time, at 60 frames a second.

    Raises:
        InputError: There is no display.
    """
    screen, real = Screen(), pygame.Clock()
    with _freeze_past(), _open_screen(screen, view.title, size):
        changed, full_screen = True, False
        while True:
            for event in pygame.event.get():
                changed |= view.handle(_in_pixels(event, screen), screen.size)
                changed |= event.type in _REDRAWN_FOR
            if not view.running:
                break
            if view.full_screen != full_screen:
                full_screen = view.full_screen
                if full_screen:
                    screen.window.set_fullscreen(desktop=True)
                else:
                    screen.window.set_windowed()
            if screen.window.title != view.title:
                screen.window.title = view.title
            passed_s = clock() if clock else min(real.tick(_FRAMES_PER_S) / 1000, _LONGEST_S)
            changed |= view.advance(passed_s)
            if changed:
                view.draw(screen.surface())
                changed = not screen.show(view.palette)


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


def picture_of(view: SlamWindow, size: Size = (1280, 800)) -> Surface:
    """Return a picture of a view; this needs no display and opens none."""
    surface = new_surface(*size)
    view.draw(surface)
    return surface
