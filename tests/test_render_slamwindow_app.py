"""Windows: the loop, keys and their help, buttons and sliders, opening and closing."""

import gc
import resource
import sys
import weakref
from pathlib import Path

import pygame
import pytest
from pygame.event import Event

from pucklab.physics import InputError
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slamwindow.app import App, picture_of, show
from pucklab.render.slamwindow.commands import Command
from pucklab.render.slamwindow.widgets import Button, Controls

SIZE = (640, 400)
MAXRSS_PER_MB = 1e6 if sys.platform == "darwin" else 1e3


class Counter:
    """A view that counts: clicks, keys, and seconds."""

    title = "Counter"

    def __init__(self):
        self.count = 0
        self.seconds = 0.0
        self.seen = []
        self.sizes = []
        self.controls = Controls()
        self.commands = (Command(("space", "+"), "count on", self.count_on),)

    def count_on(self):
        self.count += 1

    def widgets(self):
        return [
            Button(
                box=pygame.Rect(20, 20, 120, 40),
                command=Command((), "count on", self.count_on, label="On"),
            ),
        ]

    def handle(self, event, size):
        self.seen.append(event)
        self.sizes.append(size)
        return self.controls.handle(event, self.widgets())

    def advance(self, elapsed_s):
        self.seconds += elapsed_s
        return elapsed_s > 0

    def draw(self, surface, palette):
        surface.fill(palette.background)
        self.controls.draw(surface, self.widgets(), palette)


class Script:
    """A clock that does one thing before each frame, and closes the window at the end."""

    def __init__(self, *steps, frame_s=0.02):
        self._steps = iter(steps)
        self._frame_s = frame_s

    def __call__(self):
        step = next(self._steps, None)
        if step is None:
            pygame.event.post(Event(pygame.QUIT))
        else:
            step()
        return self._frame_s


@pytest.fixture
def unseen(monkeypatch):
    """Open windows on a dummy display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    assert not pygame.display.get_init()


@pytest.fixture
def windows(unseen, monkeypatch):  # noqa: ARG001
    """Return the windows that are open, unseen."""
    found = weakref.WeakSet()

    class Window(pygame.Window):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            found.add(self)

    monkeypatch.setattr(pygame, "Window", Window)
    return found


def key(code, text="", mod=0):
    return Event(pygame.KEYDOWN, key=code, unicode=text, mod=mod)


def mouse(kind, at):
    if kind == pygame.MOUSEMOTION:
        return Event(kind, pos=at, rel=(0, 0), buttons=(0, 0, 0))
    return Event(kind, pos=at, button=1)


def colour_at(surface, x, y):
    red, green, blue, _ = surface.get_at((x, y))
    return red, green, blue


def posted(event):
    """Return a step of a script that posts an event."""
    return lambda: pygame.event.post(event)


@pytest.mark.usefixtures("unseen")
def test_keys_mouse_and_time_reach_the_view_of_a_window_until_it_is_closed():
    view = Counter()
    steps = posted(key(pygame.K_SPACE, " ")), posted(mouse(pygame.MOUSEBUTTONDOWN, (80, 40)))
    show(view, size=SIZE, clock=Script(*steps, frame_s=0.25))
    assert (view.count, view.seconds, set(view.sizes)) == (2, 0.75, {SIZE})


def test_a_window_that_is_resized_gives_its_view_the_new_size(windows):
    view = Counter()

    def resize():
        (window,) = windows
        window.size = (800, 500)

    show(view, size=SIZE, clock=Script(resize, posted(mouse(pygame.MOUSEMOTION, (1, 1)))))
    assert view.sizes[-1] == (800, 500)


def test_what_a_window_shows_is_the_picture_of_its_view(windows):
    view, seen = Counter(), []

    def look():
        (window,) = windows
        seen.append(pygame.image.tobytes(window.get_surface(), "RGB"))

    show(view, size=SIZE, palette=LIGHT, clock=Script(lambda: None, look))
    assert seen == [pygame.image.tobytes(picture_of(view, SIZE, palette=LIGHT), "RGB")]


def test_f11_fills_the_screen_and_escape_goes_back_to_the_window_and_then_closes_it():
    app = App(Counter())
    states = [(app.full_screen, app.running)]
    for code in (pygame.K_F11, pygame.K_ESCAPE, pygame.K_ESCAPE):
        app.handle(key(code), SIZE)
        states.append((app.full_screen, app.running))
    assert states == [(False, True), (True, True), (False, True), (False, False)]


@pytest.mark.usefixtures("unseen")
def test_a_real_window_can_fill_the_screen():
    view = Counter()
    moved = mouse(pygame.MOUSEMOTION, (1, 1))
    steps = map(posted, (key(pygame.K_F11), moved, key(pygame.K_ESCAPE), moved))
    show(view, size=SIZE, clock=Script(*steps))
    assert view.sizes[-1] == SIZE
    assert any(width > SIZE[0] for width, _ in view.sizes)


def test_opening_and_closing_twenty_times_leaks_nothing(windows):
    def open_and_close(times):
        for _ in range(times):
            show(Counter(), clock=Script(lambda: None))
        gc.collect()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return len(list(Path("/dev/fd").iterdir())), memory / MAXRSS_PER_MB

    files, memory_mb = open_and_close(5)
    files_then, memory_then_mb = open_and_close(20)
    assert not windows
    assert files_then == files
    assert memory_then_mb - memory_mb < 20  # one picture of 1280 x 800 has 4 MB


@pytest.mark.usefixtures("unseen")
def test_a_window_closes_when_its_view_fails():
    def fail():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        show(Counter(), size=SIZE, clock=Script(fail))


def test_a_missing_screen_is_reported_in_one_line(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(
        InputError, match=r"^display: none can be opened .*save a picture"
    ) as caught:
        show(Counter())
    assert "\n" not in str(caught.value)


def test_the_help_covers_the_view_and_stops_its_time():
    app = App(Counter(), palette=DARK)
    surface = pygame.Surface(SIZE, depth=32)
    app.draw(surface)
    assert colour_at(surface, SIZE[0] // 2, SIZE[1] // 2) == DARK.background
    app.handle(key(pygame.K_h, "h"), SIZE)
    app.draw(surface)
    panel = [(x, SIZE[1] // 2) for x in range(SIZE[0])]
    assert any(colour_at(surface, *at) == DARK.panel for at in panel)
    assert not app.advance(0.1)
    app.handle(key(pygame.K_SPACE, " "), SIZE)
    assert not app.help_open
    assert app.advance(0.1)
