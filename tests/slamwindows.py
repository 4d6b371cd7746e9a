"""Windows of slams for tests: quick slams, and the mouse and keys on them."""

from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pygame
from pygame.event import Event

from pucklab.physics import (
    Face,
    PieceOutcome,
    Recording,
    SlamOutcome,
    Throw,
)
from pucklab.render import canvas
from pucklab.render.palette import LIGHT
from pucklab.render.slams.space import RENDERER
from pucklab.render.slamwindow import SlamWindow, Trials, widgets
from pucklab.render.slamwindow.app import App
from pucklab.sim.odds import OddsCase
from pucklab.sim.scene.replay import Replay
from pucklab.sim.scene.scenes import slammers_by_mass
from tests.scenes import fast_scene, usual_study

SIZE = (1280, 800)
SEED = 2
FRAME_S = 1 / 60


def study(slammer_g=8.0, pucks=4):
    """Return a quick study."""
    return usual_study(fast_scene(slammer_g, pucks), "plane")


def slam_window(
    *,
    index=0,
    folder=None,
    masses_g=(8.0,),
    pucks=4,
):
    """Return a window of trials that stays with each; the ghosts have 4 and 20 g."""
    cases = [OddsCase(name=f"{mass_g:g} g", study=study(mass_g, pucks)) for mass_g in masses_g]
    trials = Trials(cases, SEED)
    others = slammers_by_mass((4.0, 20.0))
    window = SlamWindow(
        trials, cases[0].study, seed=SEED, index=index, others=others, folder=folder
    )
    window.goes_on = False
    return window


def made_up_replay():
    """Return a slam that no physics computed: for pictures that stay as they are."""
    scene = study().scene
    times = np.concatenate((np.linspace(0.0, 0.005, 25), np.linspace(0.015, 0.9, 100)))
    way = np.clip((times - 0.002) / 0.6, 0.0, 1.0)[:, np.newaxis]
    begin_mm = np.array([0.8, 2.4, 4.0, 5.6, 10.0])
    end = np.array([(-60.0, 40.0), (90.0, -70.0), (20.0, 110.0), (-100.0, -90.0), (120.0, 80.0)])
    high = np.array([90.0, 120.0, 140.0, 60.0, 100.0]) * 4 * way * (1 - way)
    turns = np.pi * np.array([2.0, 3.0, 2.0, 3.0, 2.0]) * way
    down = np.array([np.pi, np.pi, np.pi, np.pi, 0.0])
    recording = Recording(
        time_s=times,
        side_mm=np.hypot(end[:, 0], end[:, 1]) * way,
        height_mm=begin_mm + (0.8 - begin_mm) * way + high,
        angle_rad=down + turns,
        top_mm=way[:, :, np.newaxis] * end,
        energy_mj=np.zeros(len(times)),
        impact_samples=25,
    )
    faces = (Face.DOWN, Face.UP, Face.LEANING, Face.UP)
    pieces = tuple(
        PieceOutcome(place=place, face=face, x_mm=float(end[place, 0]), y_mm=float(end[place, 1]))
        for place, face in enumerate(faces)
    )
    slammer = PieceOutcome(place=None, face=Face.UP, x_mm=120.0, y_mm=80.0)
    return Replay(
        version="0",
        scene=scene,
        throw=Throw(speed_mm_s=5000.0),
        outcome=SlamOutcome(hit=True, pieces=pieces, slammer=slammer),
        recording=recording,
    )


def views_of(window):
    """Return the views in space that a window with OpenGL would draw."""
    surface = canvas.new_surface(*SIZE)
    found = []
    RENDERER.begin_window(surface, found)
    window.draw(surface, LIGHT)
    RENDERER.begin_window(None)
    return [view for _, view in found]


class Driver:
    """A person at a window that is not open."""

    def __init__(self, window, size=SIZE):
        self.window = window
        self.size = size
        self.app = App(window, palette=LIGHT)

    def key(self, name):
        """Press a key: a letter, or what pygame calls the key, in small letters."""
        sign = len(name) == 1
        code = getattr(pygame, f"K_{name if sign else name.upper()}")
        self.app.handle(
            Event(pygame.KEYDOWN, key=code, unicode=name if sign else "", mod=0), self.size
        )

    def move(self, x, y, *, by=(0, 0)):
        """Move the mouse to a place."""
        self.app.handle(Event(pygame.MOUSEMOTION, pos=(x, y), rel=by, buttons=(0, 0, 0)), self.size)

    def press(self, x, y):
        """Press the left button."""
        self.move(x, y)
        self.app.handle(Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1), self.size)

    def release(self, x, y):
        """Let the left button go."""
        self.move(x, y)
        self.app.handle(Event(pygame.MOUSEBUTTONUP, pos=(x, y), button=1), self.size)

    def wheel(self, notches):
        """Turn the wheel; above 0 is away from oneself."""
        self.app.handle(Event(pygame.MOUSEWHEEL, x=0, y=notches), self.size)

    def wait(self, seconds):
        """Let time pass, frame by frame."""
        for _ in range(round(seconds / FRAME_S)):
            self.app.advance(FRAME_S)

    def picture(self):
        """Return what is seen."""
        surface = canvas.new_surface(*self.size)
        self.app.draw(surface)
        return surface


@contextmanager
def words_written(monkeypatch):
    """Collect the lines of words that are drawn."""
    found = []
    line = canvas._line
    widgets._button.cache_clear()  # else the words of a button that was drawn before are missing

    def recorded(text, size_px, colour):
        found.append(text)
        return line(text, size_px, colour)

    with monkeypatch.context() as patch:
        patch.setattr(canvas, "_line", recorded)
        yield found


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


def count_of(surface, colour, box=None):
    """Return how many pixels of a surface, or of a box of it, have just that colour."""
    return int((pixels_of(surface, box) == colour).all(axis=2).sum())


def blue_in(surface, box=None):
    """Return how many pixels are as blue as lit backs of pucks."""
    pixels = pixels_of(surface, box)
    return int((pixels[..., 2] > pixels[..., 0] + 60).sum())
