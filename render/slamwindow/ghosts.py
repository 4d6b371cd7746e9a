"""The slams to watch, and the same throw with other slammers, drawn as outlines over a slam.

A `Programme` gives slams by number: `Trials` throws those that `pucklab odds` counts, `Replays`
shows saved ones. `ghost_of` throws another slammer in the same way; the `draw_` functions draw the
outlines in both views.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import SampleRate, Scene, Throw, slam
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import write
from render.palette import ON_DARK, ON_LIGHT, Palette, Rgb
from render.slams.geometry import Projection
from render.slams.motion import Moment, Motion, moment_at, motion_of
from sim.odds import Study
from sim.odds.best_throws import trial_throw
from sim.scenes import NamedSlammer
from sim.slam_replay import Replay, replay_of

MAX_GHOSTS = 20
"""Ghosts that can be shown at once."""

_ANGLES = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
_CIRCLE = PIECE_RADIUS_MM * np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=1)
"""Outline of a piece; shape (24, 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A slam to watch.

    Attributes:
        name: Name of the slammer.
        origin: Origin of the throw, such as ``seed 7, trial 12``.
        file_stem: Name for files of it, without suffix, such as ``slam-onix-7-12``.
        replay: The slam.
    """

    name: str
    origin: str
    file_stem: str
    replay: Replay


class Programme(Protocol):
    """Slams by number, from 0, and by slammer."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the slammers; at least one."""

    @property
    def length(self) -> int | None:
        """Number of slams; None for no end."""

    def watched(self, index: int, slammer: int) -> Watched:
        """Return a slam.

        Args:
            index: Number of the throw.
            slammer: Index of the slammer.
        """


class Trials:
    """The trials of a seed, the same as in `pucklab odds`, computed when they are shown.

    Attributes:
        names: Names of the slammers.
        seed: Seed of the trials.
        length: Number of trials; None for no end.
    """

    def __init__(
        self,
        studies: Sequence[Study],
        names: Sequence[str],
        seed: int,
        *,
        only: Sequence[int] = (),
        found: str = "",
    ) -> None:
        """Show trials.

        Args:
            studies: Scene, thrower and engine for each slammer.
            names: Names of the slammers.
            seed: Seed of the trials.
            only: Numbers of the trials to show, in this order; by default all from 0 on.
            found: Origin of these numbers, such as ``best of 500 by flips``.
        """
        self._studies = tuple(studies)
        self.names = tuple(names)
        self.seed = seed
        self._only = tuple(only)
        self._found = found
        self.length = len(only) or None

    def study(self, slammer: int) -> Study:
        """Return the scene and the thrower of a slammer."""
        return self._studies[slammer]

    def watched(self, index: int, slammer: int) -> Watched:
        """Return a trial of the seed, thrown with a slammer."""
        study, name = self._studies[slammer], self.names[slammer]
        trial = self._only[index] if self._only else index
        found = f", {index + 1}. {self._found}" if self._found else ""
        return Watched(
            name=name,
            origin=f"seed {self.seed}, trial {trial}{found}{engine_text(study.engine)}",
            file_stem=f"slam-{_file_name(name)}-{self.seed}-{trial}",
            replay=thrown(study.scene, trial_throw(study, self.seed, trial), study.engine),
        )


class Replays:
    """Saved slams."""

    def __init__(self, replays: Sequence[tuple[str, Replay]]) -> None:
        self._replays = tuple(replays)
        self.names = ("",)
        self.length = len(replays)

    def watched(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return replay ``index``."""
        stem, replay = self._replays[index]
        return Watched(
            name=f"{replay.scene.slammer.mass_g:g} g",
            origin=f"replay {stem}{engine_text(replay.engine)}",
            file_stem=stem,
            replay=replay,
        )


def thrown(scene: Scene, throw: Throw, engine: str = "plane") -> Replay:
    """Simulate a throw with an engine, and return the slam."""
    return replay_of(scene, throw, slam(scene, throw, SampleRate(), engine))


def engine_text(engine: str) -> str:
    """Return the name of an engine, to follow the origin of a throw."""
    return f", {engine} engine"


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower()).replace(
        "--", "-"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """The same throw with another slammer.

    Attributes:
        name: Name of that slammer.
        mass_g: Its mass.
        flips: Number of pieces that flip.
        motion: Motion of the pieces.
    """

    name: str
    mass_g: float
    flips: int
    motion: Motion


def ghost_of(replay: Replay, other: NamedSlammer) -> Ghost:
    """Simulate the throw of a replay with another slammer, in the same engine."""
    scene = replace(replay.scene, slammer=other.slammer)
    own = thrown(scene, replay.throw, replay.engine)
    return Ghost(
        name=other.name,
        mass_g=other.slammer.mass_g,
        flips=len(own.outcome.flipped),
        motion=motion_of(scene, own.recording, own.throw),
    )


def ghost_colour(ghost: Ghost, ghosts: Sequence[Ghost], palette: Palette) -> Rgb:
    """Return the colour of a ghost, by the order of the masses from light to heavy."""
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
    """Draw the pieces of ghosts as lines in the side view, their slammers as thick ones."""
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
    """Draw the outlines of the pieces of ghosts in the top view, those of slammers thicker."""
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
    """List ghosts from light to heavy: colour, name, flips."""
    x, y = place
    line = round(1.25 * size_px)
    for row, ghost in enumerate(sorted(ghosts, key=lambda ghost: ghost.mass_g)):
        middle = y + (row + 0.5) * line
        box = pygame.Rect(x, round(middle - size_px / 4), size_px, size_px // 2)
        surface.fill(ghost_colour(ghost, ghosts, palette), box)
        line_text = f"{ghost.name}: {ghost.flips} flip{'' if ghost.flips == 1 else 's'}"
        after = (box.right + size_px / 2, middle)
        write(surface, line_text, after, size_px=size_px, colour=palette.text)


def _outlines(moment: Moment) -> NDArray[np.float64]:
    """Return the outlines of all pieces from above; shape (B, 24, 2)."""
    # A circle tilted by t is an ellipse: its axis along the heading is shortened by cos t.
    tilt = np.abs(np.cos(moment.angle_rad))[:, np.newaxis, np.newaxis]
    heading = moment.headings[:, np.newaxis]
    aside = np.stack((-moment.headings[:, 1], moment.headings[:, 0]), axis=1)[:, np.newaxis]
    along, across = _CIRCLE[:, :1], _CIRCLE[:, 1:]
    outlines: NDArray[np.float64] = (
        moment.top_mm[:, np.newaxis] + along * tilt * heading + across * aside
    )
    return outlines
