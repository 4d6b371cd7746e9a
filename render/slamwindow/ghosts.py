"""The same throw with other slammers, drawn as outlines over a slam."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pygame
from numpy.typing import NDArray

from physics.pieces import PIECE_RADIUS_MM
from render.canvas import write
from render.palette import ON_DARK, ON_LIGHT, Palette, Rgb
from render.slams.geometry import Projection
from render.slams.motion import Moment, Motion, moment_at, motion_of
from render.slams.replay import Replay
from render.slamwindow.programme import thrown
from sim.scenes import NamedSlammer

MOST = 20
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
        middles = np.stack((moment.way_mm, moment.height_mm), axis=1)
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
