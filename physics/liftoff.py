"""Stage 2, lift-off: what the plane of the impact cannot show.

The plane's horizontal speed has nearly the distribution of the whole horizontal speed in three
dimensions; each puck's is turned to an azimuth of its own. It goes on tumbling in the impact's
plane, though: of its tilt and rate only the part along its own way is left to turn it over. A disc
that spins about its axis fast enough keeps its axis, and does not turn over at all.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.impact import Impact
from physics.materials import LiftOff
from physics.pieces import PIECE_RADIUS_MM, mass_properties
from physics.plane import ImpactPlane
from physics.scene import Scene
from physics.thrower import PieceChance, Throw
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
    pieces = len(throw.chances)
    ux, uy = plane.direction
    state = end.state.copy()
    kick_mm_s = scene.lift_off.kick_fraction * throw.speed_mm_s
    azimuths = [0.0] * (pieces + 1)
    for place, chance in enumerate(throw.chances):
        azimuths[place] = _let_go(state[place], chance, scene.lift_off, kick_mm_s)
    across_mm_s = scene.lift_off.lateral_kept * plane.speed_across_mm_s
    speed_mm_s = float(state[pieces, 3])
    state[pieces, 3], azimuths[pieces] = _signed(speed_mm_s, speed_mm_s, across_mm_s)
    arriving_nj = scene.slammer.mass_g * throw.speed_mm_s**2 / 2
    state[:, 3:] *= _without_gain(scene, state, arriving_nj - end.lifted_nj)
    high = state[:, 4] ** 2 / (2 * GRAVITY_MM_S2) >= PIECE_RADIUS_MM
    high[pieces] = False
    across_mm = [chance.jitter_y_mm * ux - chance.jitter_x_mm * uy for chance in throw.chances]
    side = np.array([*across_mm, plane.lateral_mm])
    return Flight(
        state=state,
        azimuth_rad=np.array(azimuths) + math.atan2(uy, ux),
        start_mm=np.column_stack((state[:, 0] * ux - side * uy, state[:, 0] * uy + side * ux)),
        high=high,
    )


def _let_go(
    state: NDArray[np.float64], chance: PieceChance, model: LiftOff, kick_mm_s: float
) -> float:
    """Turn one puck's way, in place, and return its azimuth from the impact's plane."""
    angle, speed, rate = float(state[2]), float(state[3]), float(state[5])
    turn = model.azimuth_sd_rad * chance.azimuth
    along = speed * math.cos(turn) + kick_mm_s * chance.kick_along
    across = speed * math.sin(turn) + kick_mm_s * chance.kick_across
    state[3], azimuth = _signed(speed, along, across)
    share = math.cos(azimuth)
    state[2] = math.pi + (angle - math.pi) * share
    keeps_its_axis = abs(share) < 2 * model.spin_ratio * abs(chance.spin)
    state[5] = 0.0 if keeps_its_axis else rate * share
    return azimuth


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
