"""Stage 2, lift-off: what the plane of the impact cannot show.

The plane's horizontal speed already has nearly the distribution of the whole horizontal speed in
three dimensions; each puck's is turned to an azimuth of its own. A disc that spins about its axis
keeps its axis, so some do not go on turning over.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.impact import Impact
from physics.pieces import PIECE_RADIUS_MM, mass_properties
from physics.plane import ImpactPlane
from physics.scene import Scene
from physics.thrower import Throw
from physics.units import GRAVITY_MM_S2
from physics.world import State, kinetic_energy_nj


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """The pieces as they leave the impact, each in a vertical plane of its own.

    Attributes:
        state: Shape (B, 6); x is the signed way along the piece's own azimuth, and begins where
            the piece is in the impact's plane.
        azimuth_rad: Shape (B,); direction of each plane, from the arena's x axis.
        start_mm: Shape (B, 2); x and y at the start.
        high: Shape (B,); thrown higher than its radius: turns in the air, comes down on its rim
            and rolls. Never the thrown slammer.
    """

    state: State
    azimuth_rad: NDArray[np.float64]
    start_mm: NDArray[np.float64]
    high: NDArray[np.bool_]


def lift_off(scene: Scene, throw: Throw, plane: ImpactPlane, end: Impact) -> Flight:
    """Turn the end of an impact into flights.

    Args:
        scene: The scene.
        throw: The throw; its chances decide.
        plane: The plane of the impact.
        end: The end of the impact.
    """
    model = scene.lift_off
    chances = throw.chances
    pieces = len(chances)
    ux, uy = plane.direction
    state = end.state.copy()
    offset = math.hypot(throw.aim_x_mm, throw.aim_y_mm) / PIECE_RADIUS_MM
    state[:, 3:] *= min(model.offset_limit, model.offset_base + model.offset_slope * offset)
    azimuths = []
    lateral = []
    kick = model.kick_fraction * throw.speed_mm_s
    rises_mm = state[:, 4] ** 2 / (2 * GRAVITY_MM_S2)
    high = rises_mm >= PIECE_RADIUS_MM
    high[pieces] = False
    for row, is_high, chance in zip(state[:pieces].tolist(), high.tolist(), chances, strict=False):
        speed, rate = row[3], row[5]
        turn = model.azimuth_sd_rad * chance.azimuth
        along = speed * math.cos(turn) + kick * chance.kick_along
        across = speed * math.sin(turn) + kick * chance.kick_across
        azimuths.append(_signed(speed, along, across))
        lateral.append(chance.jitter_y_mm * ux - chance.jitter_x_mm * uy)
        if is_high and abs(rate) < 2 * model.spin_ratio * abs(rate * chance.spin):
            state[len(azimuths) - 1, 5] = 0.0
    along = float(state[pieces, 3])
    across = model.lateral_kept * plane.speed_across_mm_s
    azimuths.append(_signed(along, along, across))
    lateral.append(plane.lateral_mm)
    signed_speed, azimuth = np.array(azimuths).T
    state[:, 3] = signed_speed
    arriving_nj = scene.slammer.mass_g * throw.speed_mm_s**2 / 2
    state[:, 3:] *= _without_gain(scene, state, arriving_nj - end.lifted_nj)
    side = np.array(lateral)
    start = np.column_stack((state[:, 0] * ux - side * uy, state[:, 0] * uy + side * ux))
    return Flight(
        state=state,
        azimuth_rad=azimuth + math.atan2(uy, ux),
        start_mm=start,
        high=high,
    )


def _without_gain(scene: Scene, state: State, available_nj: float) -> float:
    """Return the factor, at most 1, that keeps the motion's energy below what there is."""
    properties = [mass_properties(piece) for piece in (*scene.stack, scene.slammer)]
    mass = np.array([p.mass_g for p in properties])
    moment = np.array([p.moment_diameter_g_mm2 for p in properties])
    kinetic_nj = kinetic_energy_nj(state, mass, moment)
    return math.sqrt(available_nj / kinetic_nj) if kinetic_nj > available_nj else 1.0


def _signed(sense: float, along: float, across: float) -> tuple[float, float]:
    """Return speed and azimuth of (along, across), as a signed way whose sign is ``sense``'s.

    Only so does the sense of the tumbling, which is the plane's, stay right in the own plane.
    """
    sign = 1.0 if sense >= 0 else -1.0
    return sign * math.hypot(along, across), math.atan2(sign * across, sign * along)
