"""Windows of slams for tests: quick slams, and the mouse and keys on them."""

from pathlib import Path

import numpy as np
import pygame
from pygame.event import Event

from pucklab.render import canvas
from pucklab.render.palette import LIGHT
from pucklab.render.slamwindow import SlamWindow
from pucklab.sim.odds import OddsCase
from pucklab.sim.scene.slam_list import list_trials
from tests.scenes import fast_scene, usual_study

SIZE = (1280, 800)
SEED = 2
FRAME_S = 1 / 60


def study(slammer_g=8.0, pucks=4):
    """Return a quick study."""
    return usual_study(fast_scene(slammer_g, pucks), "plane")


def slam_window(*, index=0, folder=None, masses_g=(8.0,), pucks=4):
    """Return a window of trials."""
    cases = [OddsCase(name=f"{mass_g:g} g", study=study(mass_g, pucks)) for mass_g in masses_g]
    return SlamWindow(list_trials(cases, SEED), index=index, folder=folder, palette=LIGHT)


class Driver:
    """A person at a window that is not open."""

    def __init__(self, window, size=SIZE):
        self.window = window
        self.size = size

    def key(self, name):
        """Press a key: a letter, or what pygame calls the key, in small letters."""
        sign = len(name) == 1
        code = getattr(pygame, f"K_{name if sign else name.upper()}")
        self.window.handle(
            Event(pygame.KEYDOWN, key=code, unicode=name if sign else "", mod=0), self.size
        )

    def move(self, x, y, *, by=(0, 0)):
        """Move the mouse to a place."""
        self.window.handle(
            Event(pygame.MOUSEMOTION, pos=(x, y), rel=by, buttons=(0, 0, 0)), self.size
        )

    def press(self, x, y):
        """Press the left button."""
        self.move(x, y)
        self.window.handle(Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1), self.size)

    def release(self, x, y):
        """Let the left button go."""
        self.move(x, y)
        self.window.handle(Event(pygame.MOUSEBUTTONUP, pos=(x, y), button=1), self.size)

    def wheel(self, notches):
        """Turn the wheel; above 0 is away from oneself."""
        self.window.handle(Event(pygame.MOUSEWHEEL, x=0, y=notches), self.size)

    def wait(self, seconds):
        """Let time pass, frame by frame."""
        for _ in range(round(seconds / FRAME_S)):
            self.window.advance(FRAME_S)

    def picture(self):
        """Return what is seen."""
        surface = canvas.new_surface(*self.size)
        self.window.draw(surface)
        return surface


def check_picture(picture, name):
    """Compare with a picture that was looked at; letters and edges may differ a little."""
    golden = pygame.image.load(Path(__file__).parent / "data" / "render" / f"{name}.png")
    assert golden.get_size() == picture.get_size()
    off = np.abs(pixels_of(picture) - pixels_of(golden)).max(axis=2)
    assert (off > 60).mean() < 0.005
    assert off.mean() < 1.0


def pixels_of(surface, box=None):
    """Return the pixels of a surface, or of a box of it; shape (height, width, 3)."""
    part = surface if box is None else surface.subsurface(box)
    return pygame.surfarray.array3d(part).swapaxes(0, 1).astype(np.int64)
