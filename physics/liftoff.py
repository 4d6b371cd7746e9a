"""Stage 3, lift-off: what the plane of the impact cannot show.

Nothing in space is quite symmetric: pucks leave the plane, the slammer's own way carries them
along, and their tumbling gets a direction of its own. In 3-D runs all of it goes with how hard a
puck is thrown up. A tumbling disc turns over about its own axis, whatever its way; one that spins
long enough about its axis comes to lie as it lay.
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
    """Turn what happened in the plane of the impact into flights.

    Args:
        scene: The scene.
        throw: The throw; its chances decide.
        plane: The plane of the impact.
        end: The end of the parting.
    """
    pieces = len(throw.chances)
    ux, uy = plane.direction
    model = scene.lift_off
    state = end.state.copy()
    state[:pieces, 3:5] *= _strength(model, throw)
    carried = model.carry * math.sin(throw.descent_rad)
    azimuths = [0.0] * (pieces + 1)
    for place, chance in enumerate(throw.chances):
        azimuths[place] = _let_go(state[place], chance, model, (carried * ux, -carried * uy))
    across_mm_s = model.lateral_kept * plane.speed_across_mm_s
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


def _strength(model: LiftOff, throw: Throw) -> float:
    """Return the factor on the speeds of the stack's pieces."""
    offset = math.hypot(throw.aim_x_mm, throw.aim_y_mm) / PIECE_RADIUS_MM
    return math.exp(
        model.strength + model.strength_by_offset * offset + model.strength_sd * throw.strength
    )


def _let_go(
    state: NDArray[np.float64],
    chance: PieceChance,
    model: LiftOff,
    carried: tuple[float, float],
) -> float:
    """Turn one piece's way and tumbling, in place, and return its azimuth from the plane.

    Args:
        state: The piece's state.
        chance: Its chance.
        model: The constants.
        carried: Horizontal speed over vertical that it gets along the plane, and across it.
    """
    lean, speed, up, rate = state[2] - math.pi, state[3], abs(state[4]), state[5]
    along = speed + up * (carried[0] + model.scatter * chance.kick_along)
    across = up * (carried[1] + model.scatter * chance.kick_across)
    state[3], azimuth = _signed(speed, along, across)
    random_rate = model.tumble_scatter * up / PIECE_RADIUS_MM
    tumble = rate + random_rate * chance.tumble_along
    tumble_across = random_rate * chance.tumble_across
    total = math.hypot(tumble, tumble_across)
    sense = tumble * math.cos(azimuth) + tumble_across * math.sin(azimuth)
    # In 3-D runs 19 of 20 pieces lean the way they tumble: it is how they have come to lean.
    state[2] = math.pi + math.copysign(lean, sense)
    spun_rad = model.spin_ratio * abs(chance.spin) * total * _time_of_flight_s(state)
    state[5] = 0.0 if spun_rad > model.keeping_spin_rad else math.copysign(total, sense)
    return azimuth


def _time_of_flight_s(state: NDArray[np.float64]) -> float:
    """Return how long a piece that meets nothing takes to the floor."""
    up_mm_s = float(state[4])
    from_mm = max(float(state[1]), 0.0)
    return (up_mm_s + math.sqrt(up_mm_s**2 + 2 * GRAVITY_MM_S2 * from_mm)) / GRAVITY_MM_S2


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
