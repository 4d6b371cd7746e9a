"""The window: its screen, its loop, and the commands that it has for every view.

`show` opens a window on a `SlamWindow`, and `picture_of` draws it without. A `SlamWindow` lists its
commands, handles mouse events, lets time pass and draws itself onto a surface of any size; it knows
nothing of windows. An `App` runs its commands, hands it the other events, and draws the help over
it. Tests drive an `App` with events, or call `show` with a clock of their own and SDL's dummy
display.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pygame
from pygame import Event, Rect, Surface

from pucklab.physics import InputError
from pucklab.render.canvas import new_surface, text_width, write
from pucklab.render.palette import DARK, LIGHT, Palette
from pucklab.render.slams.opengl import OpenGL, OpenGLError, SpaceView
from pucklab.render.slams.space import RENDERER
from pucklab.render.slamwindow.commands import Command, run_command
from pucklab.render.slamwindow.widgets import Size, draw_box, inset, words_px
from pucklab.render.slamwindow.window import SlamWindow

_REDRAWN_FOR = (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED, pygame.WINDOWRESTORED)
"""Events after which the window has to be drawn again."""

_HELP_SHADE = 190
"""Opacity of the shade between the view and the help, 0 to 255."""

_HELP_ROWS = 16
"""Most lines in one column of the help."""


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


class App:
    """A view with the commands that every window has."""

    def __init__(self, view: SlamWindow, *, palette: Palette = DARK) -> None:
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
    view: SlamWindow,
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

    with _freeze_past(), _open_screen(screen, view.title, size):
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


def picture_of(view: SlamWindow, size: Size = (1280, 800), *, palette: Palette = DARK) -> Surface:
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
