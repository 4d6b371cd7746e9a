"""The slams to watch, and the same throw with other slammers beside them, as ghosts.

A `Programme` gives slams by number: `Trials` throws those that `pucklab odds` counts, `Replays`
shows saved ones. `ghost_of` throws another slammer in the same way; `draw_ghosts` draws a slam and
its ghosts as small pictures side by side.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import pygame
from pygame import Rect, Surface

from pucklab.base.facts import fact
from pucklab.physics import SampleRate, Scene, Throw, slam
from pucklab.render.canvas import write
from pucklab.render.palette import Palette
from pucklab.render.slams.camera3d import WIDE, Direction, following
from pucklab.render.slams.motion import Motion, moment_at, replay_motion
from pucklab.render.slams.playback import Playback
from pucklab.render.slams.space import RENDERER, count_so_far, space_view
from pucklab.render.slamwindow.widgets import Size
from pucklab.sim.odds import OddsCase
from pucklab.sim.scene.replay import Replay, replay_of
from pucklab.sim.scene.scenes import NamedSlammer

MAX_GHOSTS = 20
"""Ghosts that can be shown at once."""

_GAP_PX = 6
"""Space between pictures side by side."""

_TEXT, _SMALLEST_TEXT_PX = 0.09, 12
"""Height of text, relative to the height of a picture, and its smallest value."""


@fact
class Watched:
    """A slam to watch."""

    name: str  # of the slammer
    origin: str  # of the throw, such as "seed 7, trial 12"
    file_stem: str  # name for files of it, without suffix, such as "slam-onix-7-12"
    replay: Replay


@dataclass(frozen=True, slots=True)
class Trials:
    """The trials of a seed, the same as in `pucklab odds`, computed when they are shown."""

    cases: Sequence[OddsCase]  # one for each slammer
    seed: int
    only: Sequence[int] = ()  # numbers of the trials to show, in this order; all if empty
    found: str = ""  # origin of these numbers, such as `best of 500 by flips`

    @property
    def names(self) -> list[str]:
        """Names of the slammers."""
        return [case.name for case in self.cases]

    @property
    def length(self) -> int | None:
        """Number of trials; None for no end."""
        return len(self.only) or None

    def slam_at(self, index: int, slammer: int) -> Watched:
        """Return a trial of the seed, thrown with a slammer."""
        study, name = self.cases[slammer].study, self.cases[slammer].name
        trial = self.only[index] if self.only else index
        found = f", {index + 1}. {self.found}" if self.found else ""
        word = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
        return Watched(
            name=name,
            origin=f"seed {self.seed}, trial {trial}{found}, {study.engine} engine",
            file_stem=f"slam-{word.replace('--', '-')}-{self.seed}-{trial}",
            replay=simulate_slam(study.scene, study.throw(self.seed, trial), study.engine),
        )


@dataclass(frozen=True, slots=True)
class Replays:
    """Saved slams, each with the name of its file without suffix."""

    replays: Sequence[tuple[str, Replay]]
    names: Sequence[str] = ("",)

    @property
    def length(self) -> int:
        """Number of slams."""
        return len(self.replays)

    def slam_at(self, index: int, slammer: int) -> Watched:  # noqa: ARG002
        """Return replay ``index``."""
        stem, replay = self.replays[index]
        return Watched(
            name=f"{replay.scene.slammer.mass_g:g} g",
            origin=f"replay {stem}, {replay.engine} engine",
            file_stem=stem,
            replay=replay,
        )


Programme: TypeAlias = Trials | Replays
"""The slams to watch, by number (from 0) and slammer."""


def simulate_slam(scene: Scene, throw: Throw, engine: str) -> Replay:
    """Simulate a throw with an engine, and return the slam."""
    return replay_of(scene, throw, slam(scene, throw, SampleRate(), engine))


@fact
class Ghost:
    """The same throw with another slammer."""

    name: str  # of that slammer
    replay: Replay
    motion: Motion


def ghost_of(replay: Replay, other: NamedSlammer) -> Ghost:
    """Simulate the throw of a replay with another slammer, in the same engine."""
    scene = replace(replay.scene, slammer=other.slammer)
    own = simulate_slam(scene, replay.throw, replay.engine)
    return Ghost(name=other.name, replay=own, motion=replay_motion(own))


def ghosts_beside(others: Sequence[NamedSlammer], scene: Scene) -> tuple[NamedSlammer, ...]:
    """Return the slammers of the ghosts of a slam: at most `MAX_GHOSTS`, without its own.

    Example:
        >>> from pucklab.physics import puck_stack, puckdex_slammer
        >>> from pucklab.sim.scene.scenes import slammers_by_mass
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
        >>> [named.name for named in ghosts_beside(slammers_by_mass((4.0, 8.0)), scene)]
        ['4 g']
    """
    return tuple(named for named in others if named.slammer != scene.slammer)[:MAX_GHOSTS]


def draw_ghosts(
    surface: Surface,
    watched: Watched,
    playback: Playback,
    ghosts: Sequence[Ghost],
    direction: Direction,
    palette: Palette,
) -> None:
    """Draw a moment of a slam, and of its ghosts beside it, with one camera.

    Args:
        surface: The surface to fill.
        watched: The slam, which is in the first picture.
        playback: Its motion and time.
        ghosts: The ghosts.
        direction: The viewing direction; one that follows has the pieces of all in its picture.
        palette: The colours.
    """
    motions = (playback.motion, *(ghost.motion for ghost in ghosts))
    # At the end of the slam, others that last longer are over too.
    time_s = math.inf if playback.at_end else playback.time_s
    moments = [moment_at(each, time_s) for each in motions]
    slams = [(watched.name, watched.replay), *((ghost.name, ghost.replay) for ghost in ghosts)]
    cells = cells_of(surface.get_size(), len(slams))
    size = cells[0].size
    arena = watched.replay.scene.arena
    camera = following(direction, arena, [each.shot for each in moments], size[0] / size[1])
    shown = list(zip(cells, slams, moments, strict=True))
    is_moving = playback.playing
    RENDERER.draw(
        surface,
        [
            (cell, space_view(replay.scene, moment, replay.outcome, camera, is_moving=is_moving))
            for cell, (_, replay), moment in shown
        ],
        palette,
    )
    words_px = max(round(_TEXT * size[1]), _SMALLEST_TEXT_PX)
    for cell, (name, replay), moment in shown:
        surface.fill(palette.background, (*cell.topleft, size[0], round(1.5 * words_px)))
        note, y = count_so_far(moment, replay.outcome), cell.top + 0.8 * words_px
        colour = palette.flipped if note[:1].isdigit() else palette.faint
        place = (cell.right - words_px / 2, y)
        used = write(surface, note, place, words_px, colour, align="right")
        place, room = (cell.left + words_px / 2, y), size[0] - used - 1.5 * words_px
        write(surface, name, place, words_px, palette.text, width_px=room)
    pygame.draw.rect(surface, palette.accent, cells[0], 2)


def cells_of(size: Size, count: int) -> list[Rect]:
    """Return places for pictures, as large as they can be, in rows from the upper left.

    Args:
        size: Width and height of the whole, in pixels.
        count: Number of pictures, at least 1.

    Example:
        >>> [cell.size for cell in cells_of((1206, 400), 2)]
        [(600, 400), (600, 400)]
    """
    width, height = size

    def cell_size(columns: int) -> Size:
        rows = -(-count // columns)
        return (
            (width - (columns - 1) * _GAP_PX) // columns,
            (height - (rows - 1) * _GAP_PX) // rows,
        )

    def shown(columns: int) -> float:
        wide, high = cell_size(columns)
        return min(wide, WIDE * high)

    columns = max(range(1, count + 1), key=shown)
    wide, high = cell_size(columns)
    return [
        Rect(column * (wide + _GAP_PX), row * (high + _GAP_PX), wide, high)
        for row, column in (divmod(number, columns) for number in range(count))
    ]
