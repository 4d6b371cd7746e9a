"""The slams to watch, and the same throw with other slammers beside them, as ghosts.

A `Programme` gives slams by number: `Trials` throws those that `pucklab odds` counts, `Replays`
shows saved ones. `ghost_of` throws another slammer in the same way; `draw_ghosts` draws a slam and
its ghosts as small pictures side by side.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pygame

from physics import SampleRate, Scene, Throw, slam
from render.palette import Palette
from render.slams.camera3d import Camera3D, following
from render.slams.motion import Moment, Motion, moment_at, motion_of
from render.slams.multiples import SmallPicture, draw_multiples
from render.slams.poses import pose_of
from sim.odds import Study
from sim.odds.best_throws import trial_throw
from sim.scenes import NamedSlammer
from sim.slam_replay import Replay, replay_of

MAX_GHOSTS = 20
"""Ghosts that can be shown at once."""


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
        replay: Its slam.
        motion: Motion of the pieces.
    """

    name: str
    replay: Replay
    motion: Motion

    @property
    def flips(self) -> int:
        """Number of pieces that flip."""
        return len(self.replay.outcome.flipped)


def ghost_of(replay: Replay, other: NamedSlammer) -> Ghost:
    """Simulate the throw of a replay with another slammer, in the same engine."""
    scene = replace(replay.scene, slammer=other.slammer)
    own = thrown(scene, replay.throw, replay.engine)
    return Ghost(name=other.name, replay=own, motion=motion_of(scene, own.recording, own.throw))


def ghosts_beside(others: Sequence[NamedSlammer], scene: Scene) -> tuple[NamedSlammer, ...]:
    """Return the slammers of the ghosts of a slam: at most `MAX_GHOSTS`, without its own.

    Example:
        >>> from physics import puck_stack, puckdex_slammer
        >>> from sim.scenes import slammers_by_mass
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
        >>> [named.name for named in ghosts_beside(slammers_by_mass((4.0, 8.0)), scene)]
        ['4 g']
    """
    return tuple(named for named in others if named.slammer != scene.slammer)[:MAX_GHOSTS]


def draw_ghosts(
    surface: pygame.Surface,
    watched: Watched,
    motion: Motion,
    ghosts: Sequence[Ghost],
    time_s: float,
    camera: Camera3D,
    palette: Palette,
    *,
    follows: bool,
) -> None:
    """Draw a moment of a slam, and of its ghosts beside it, from one camera.

    Args:
        surface: The surface to fill.
        watched: The slam, which is in the first picture.
        motion: Its motion.
        ghosts: The ghosts.
        time_s: The time.
        camera: The camera.
        palette: The colours.
        follows: True if the camera follows the piece that is farthest away, in any picture.
    """
    moments = [moment_at(each, time_s) for each in (motion, *(ghost.motion for ghost in ghosts))]
    if follows:
        reach_mm = np.max([moment.reach_mm for moment in moments], axis=0)
        camera = following(camera, reach_mm, time_s)
    slams = [(watched.name, watched.replay), *((ghost.name, ghost.replay) for ghost in ghosts)]
    pictures = [
        _picture(name, replay, moment, is_marked=number == 0)
        for number, ((name, replay), moment) in enumerate(zip(slams, moments, strict=True))
    ]
    draw_multiples(surface, pictures, camera, palette)


def _picture(name: str, replay: Replay, moment: Moment, *, is_marked: bool) -> SmallPicture:
    outcome = replay.outcome
    lit = [place for place in outcome.flipped if moment.at_end or place in moment.resting]
    note = f"{len(lit)} flip{'' if len(lit) == 1 else 's'}" if lit or moment.at_end else ""
    return SmallPicture(
        name=name,
        note=note,
        scene=replay.scene,
        pose=pose_of(replay.scene, moment),
        lit=frozenset(lit),
        is_marked=is_marked,
    )
