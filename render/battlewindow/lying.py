"""Pucks in the arena from above while nothing is thrown: as they fell, or as a stack."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Face, Piece, Scene, puck_stack, puckdex_slammer
from physics.pieces import PIECE_RADIUS_MM
from render.battlewindow.beats import Beat
from render.battlewindow.thrownslams import ThrownSlam
from render.palette import Palette
from render.slams.discs import draw_disc, draw_shadow
from render.slams.looks import Look
from render.slams.marks import draw_arrow, draw_mark
from render.slams.motion import moment_at
from render.slams.topview import draw_arena_box, top_projection
from sim.pokepucks.battle import BattleState
from sim.pokepucks.designs import piece_of

_BOX = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
"""A scene with the arena that battles are drawn in while nothing is thrown."""

_GOLDEN_RAD = math.pi * (3 - math.sqrt(5))
"""From one direction to the next where none is known: no two come close."""

_ALONG = np.array([1.0, 0.0])
_MIDDLE_MM = np.zeros(2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """A puck that lies in the arena.

    Attributes:
        piece: What it is made of.
        face: How it lies.
        middle_mm: Where; shape (2,).
        heading: Horizontal unit vector of its own plane; shape (2,).
        angle_rad: Its angle in that plane.
        is_slammer: It is a slammer.
    """

    piece: Piece
    face: Face
    middle_mm: NDArray[np.float64]
    heading: NDArray[np.float64]
    angle_rad: float
    is_slammer: bool


def lying_pucks(beat: Beat, slam: ThrownSlam | None) -> tuple[Lying, ...]:
    """Return the pucks that lie in the Arena as they fell, and the slammer if it is known where.

    Where the slam is not known just the distances are; the directions are then made up.
    """
    if beat.fall is None:
        return ()
    state, found = beat.state, []
    landings = beat.fall.outcome.landings
    for place, puck in enumerate(beat.fall.call.targets):
        if puck not in state.arena:
            continue
        landing = landings[place]
        middle, heading, angle = _made_up(landing.face, landing.distance_mm, place)
        if slam is not None:
            middle, heading, angle = _end_of(slam, place)
        found.append(_lying(state, puck, landing.face, middle, heading, angle))
    if slam is not None:
        face = slam.replay.outcome.slammer.face
        found.append(_lying(state, beat.fall.call.slammer, face, *_end_of(slam, -1)))
    return tuple(found)


def _lying(
    state: BattleState,
    puck: int,
    face: Face,
    middle_mm: NDArray[np.float64],
    heading: NDArray[np.float64],
    angle_rad: float,
) -> Lying:
    design = state.design(puck)
    return Lying(
        piece=piece_of(design),
        face=face,
        middle_mm=middle_mm,
        heading=heading,
        angle_rad=angle_rad,
        is_slammer=design.kind.is_slammer,
    )


def _made_up(
    face: Face, distance_mm: float, place: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    way_rad = place * _GOLDEN_RAD
    if face is Face.OUT:
        way_rad = math.pi / 2 * (place % 4)  # past a wall, not into a corner
    elif distance_mm > _BOX.arena.half_side_mm - PIECE_RADIUS_MM:
        way_rad = math.pi / 4 + math.pi / 2 * (place % 4)  # where there is room for it
    heading = np.array([math.cos(way_rad), math.sin(way_rad)])
    angle = {Face.UP: 0.0, Face.LEANING: 0.7 * math.pi}.get(face, math.pi)
    return distance_mm * heading, heading, angle


def _end_of(slam: ThrownSlam, place: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    end = moment_at(slam.motion, slam.motion.end_s)
    return end.top_mm[place], end.headings[place], float(end.angle_rad[place])


def draw_lying(surface: pygame.Surface, pucks: Sequence[Lying], palette: Palette) -> None:
    """Draw pucks as they fell, from above, marked as at the end of a slam."""
    to = top_projection(surface.get_size(), _BOX)
    surface.fill(palette.background)
    draw_arena_box(surface, to, _BOX, palette)
    for puck in pucks:
        draw_shadow(surface, to, puck.middle_mm, 0.0, palette)
    marks = {
        Face.UP: palette.flipped,
        Face.LEANING: palette.leaning,
        Face.OUT: palette.out,
    }
    for puck in pucks:
        look = _look(palette, is_slammer=puck.is_slammer)
        draw_disc(
            surface, to, puck.piece, puck.middle_mm, puck.heading, puck.angle_rad, look, palette
        )
    for puck in pucks:
        ((x, y),) = to.at(puck.middle_mm[np.newaxis])
        if puck.face in marks and not puck.is_slammer:
            draw_mark(surface, (x, y), to.scale, puck.face, (marks[puck.face], palette.edge))
        hidden = 0.8 * to.scale * PIECE_RADIUS_MM
        draw_arrow(surface, (x, y), hidden, marks.get(puck.face, palette.puck_back))


def draw_standing(surface: pygame.Surface, state: BattleState, palette: Palette) -> None:
    """Draw the Arena's stack from above: its top puck, and the shadow of the stack."""
    to = top_projection(surface.get_size(), _BOX)
    surface.fill(palette.background)
    draw_arena_box(surface, to, _BOX, palette)
    height_mm = 0.0
    for puck in state.arena:
        piece = piece_of(state.design(puck))
        height_mm += piece.thickness_mm
        look = _look(palette, is_slammer=state.design(puck).kind.is_slammer)
        draw_shadow(surface, to, _MIDDLE_MM, 3 * height_mm, palette)
        draw_disc(surface, to, piece, _MIDDLE_MM, _ALONG, math.pi, look, palette)


def _look(palette: Palette, *, is_slammer: bool) -> Look:
    if is_slammer:
        return Look(body=palette.slammer, face=palette.slammer_face)
    return Look(body=palette.puck_back, face=palette.puck_face)
