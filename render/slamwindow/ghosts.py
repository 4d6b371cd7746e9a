"""The same throw with other slammers, drawn as outlines over a slam.

Which slams there are to watch: trials of a seed, or replays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import SampleRate, Scene, Throw, draw_throw, slam, trial_generator
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import write
from render.palette import ON_DARK, ON_LIGHT, Palette, Rgb
from render.slams.geometry import Projection
from render.slams.motion import Moment, Motion, moment_at, motion_of
from sim.odds import Study
from sim.scenes import NamedSlammer
from sim.slam_replay import Replay, replay_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A slam to watch.

    Attributes:
        name: What the slammer is called.
        origin: Where the throw comes from, such as ``seed 7, trial 12``.
        file_stem: What to call a file of it, such as ``slam-onix-7-12``.
        replay: The slam.
    """

    name: str
    origin: str
    file_stem: str
    replay: Replay


class Programme(Protocol):
    """Slams by their number, from 0, and by the slammer thrown."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the slammers are called; at least one."""

    @property
    def length(self) -> int | None:
        """How many slams there are; None if there is always one more."""

    def watched(self, index: int, slammer: int) -> Watched:
        """Return a slam.

        Args:
            index: Which throw.
            slammer: Which of the slammers.
        """


class Trials:
    """The trials of a seed, thrown when they are wanted: those that `pucklab odds` counts."""

    length = None

    def __init__(self, studies: Sequence[Study], names: Sequence[str], seed: int) -> None:
        self._studies = tuple(studies)
        self.names = tuple(names)
        self.seed = seed

    def study(self, slammer: int) -> Study:
        """Return what is thrown at what, by whom."""
        return self._studies[slammer]

    def watched(self, index: int, slammer: int) -> Watched:
        """Return trial ``index`` of the seed, thrown with a slammer."""
        study, name = self._studies[slammer], self.names[slammer]
        pieces = len(study.scene.stack)
        throw = draw_throw(study.thrower, pieces, trial_generator(self.seed, index))
        return Watched(
            name=name,
            origin=f"seed {self.seed}, trial {index}",
            file_stem=f"slam-{_in_a_file(name)}-{self.seed}-{index}",
            replay=thrown(study.scene, throw),
        )


class Replays:
    """Slams that were saved."""

    def __init__(self, replays: Sequence[tuple[str, Replay]]) -> None:
        self._replays = tuple(replays)
        self.names = ("",)
        self.length = len(replays)

    def watched(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return replay ``index``."""
        stem, replay = self._replays[index]
        return Watched(
            name=f"{replay.scene.slammer.mass_g:g} g",
            origin=f"replay {stem}",
            file_stem=stem,
            replay=replay,
        )


def thrown(scene: Scene, throw: Throw) -> Replay:
    """Throw, and return the slam."""
    return replay_of(scene, throw, slam(scene, throw, SampleRate()))


def _in_a_file(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).replace(
        "--", "-"
    )


MAX_GHOSTS = 20
"""Ghosts that can be shown at once."""

_TURN = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
_CIRCLE = PIECE_RADIUS_MM * np.stack((np.cos(_TURN), np.sin(_TURN)), axis=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """The same throw with another slammer.

    Attributes:
        name: What that slammer is called.
        mass_g: Its mass.
        flips: Pieces that flip.
        motion: How its pieces move.
    """

    name: str
    mass_g: float
    flips: int
    motion: Motion


def ghost_of(replay: Replay, other: NamedSlammer) -> Ghost:
    """Throw another slammer as in a replay."""
    scene = replace(replay.scene, slammer=other.slammer)
    own = thrown(scene, replay.throw)
    return Ghost(
        name=other.name,
        mass_g=other.slammer.mass_g,
        flips=len(own.outcome.flipped),
        motion=motion_of(scene, own.recording, own.throw),
    )


def ghost_colour(ghost: Ghost, ghosts: Sequence[Ghost], palette: Palette) -> Rgb:
    """Return a ghost's colour: by the order of the masses, light to heavy."""
    ramp = ON_DARK if sum(palette.arena) < sum(palette.text) else ON_LIGHT
    masses = sorted({other.mass_g for other in ghosts})
    place = masses.index(ghost.mass_g) / max(len(masses) - 1, 1) * (len(ramp) - 1)
    low = min(int(place), len(ramp) - 2)
    mixed = zip(ramp[low], ramp[low + 1], strict=True)
    red, green, blue = (round(a + (place - low) * (b - a)) for a, b in mixed)
    return red, green, blue


def draw_ghosts_from_side(
    surface: pygame.Surface,
    to: Projection,
    ghosts: Sequence[Ghost],
    time_s: float,
    palette: Palette,
) -> None:
    """Draw ghosts' pieces as lines, and their slammers as boxes."""
    for ghost in ghosts:
        moment = moment_at(ghost.motion, time_s)
        middles = np.stack((moment.side_x_mm, moment.height_mm), axis=1)
        along = np.stack((np.cos(moment.side_rad), np.sin(moment.side_rad)), axis=1)
        ends = np.stack(
            (middles - PIECE_RADIUS_MM * along, middles + PIECE_RADIUS_MM * along), axis=1
        )
        colour = ghost_colour(ghost, ghosts, palette)
        for begin, end in to.points(ends).tolist():
            pygame.draw.aaline(surface, colour, begin, end)
        begin, end = to.points(ends[-1]).tolist()
        pygame.draw.line(surface, colour, begin, end, 3)


def draw_ghosts_from_above(
    surface: pygame.Surface,
    to: Projection,
    ghosts: Sequence[Ghost],
    time_s: float,
    palette: Palette,
) -> None:
    """Draw the outlines of ghosts' pieces, those of slammers twice."""
    for ghost in ghosts:
        moment = moment_at(ghost.motion, time_s)
        colour = ghost_colour(ghost, ghosts, palette)
        outlines = to.points(_outlines(moment)).tolist()
        for outline in outlines:
            pygame.draw.aalines(surface, colour, True, outline)
        pygame.draw.aalines(surface, colour, True, [(x + 1, y) for x, y in outlines[-1]])


def draw_ghost_list(
    surface: pygame.Surface,
    ghosts: Sequence[Ghost],
    place: tuple[int, int],
    size_px: int,
    palette: Palette,
) -> None:
    """List ghosts, light to heavy: colour, name, flips."""
    x, y = place
    line = round(1.25 * size_px)
    for row, ghost in enumerate(sorted(ghosts, key=lambda ghost: ghost.mass_g)):
        middle = y + (row + 0.5) * line
        box = pygame.Rect(x, round(middle - size_px / 4), size_px, size_px // 2)
        surface.fill(ghost_colour(ghost, ghosts, palette), box)
        told = f"{ghost.name}: {ghost.flips} flip{'' if ghost.flips == 1 else 's'}"
        after = (box.right + size_px / 2, middle)
        write(surface, told, after, size_px=size_px, colour=palette.text)


def _outlines(moment: Moment) -> NDArray[np.float64]:
    """Return the outlines of all pieces from above; shape (B, 24, 2)."""
    tilt = np.abs(np.cos(moment.angle_rad))[:, np.newaxis, np.newaxis]
    heading = moment.headings[:, np.newaxis]
    aside = np.stack((-moment.headings[:, 1], moment.headings[:, 0]), axis=1)[:, np.newaxis]
    along, across = _CIRCLE[:, :1], _CIRCLE[:, 1:]
    outlines: NDArray[np.float64] = (
        moment.top_mm[:, np.newaxis] + along * tilt * heading + across * aside
    )
    return outlines
