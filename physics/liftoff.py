"""Stage 2, lift-off: what the plane of the impact cannot show.

Nothing in space is quite symmetric: pucks leave the plane, and their tumbling gets a direction of
its own. In 3-D runs both scatter in proportion to how hard the pucks are thrown up, and the
horizontal part the more, the more the slammer was tilted. A tumbling disc turns over about its own
axis, whatever its way; one that spins about its axis fast enough only nods.
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

_LEAST_SPIN_RATIO = 0.5 / math.tan(math.radians(65.0))
"""Spin over tumbling rate from which a puck keeps its face.

A free disc's axis circles about its angular momentum, at atan(tumbling / 2 spin) from it: its
moment about the axis is twice that about a diameter. It swings through twice that angle, and has
to get to about 130 degrees to fall on its other face (single pucks in the penalty engine).
"""


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
    model = scene.lift_off
    state[:pieces, 3:] *= math.exp(model.strength_sd * throw.strength)
    scatter = model.scatter + model.scatter_by_tilt * math.sin(throw.tilt_rad)
    up_mm_s = np.abs(state[:pieces, 4])
    scale_mm_s = np.sqrt(up_mm_s * math.sqrt((up_mm_s**2).mean())).tolist()
    azimuths = [0.0] * (pieces + 1)
    for place, chance in enumerate(throw.chances):
        azimuths[place] = _let_go(state[place], chance, model, scatter, scale_mm_s[place])
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


def _let_go(
    state: NDArray[np.float64],
    chance: PieceChance,
    model: LiftOff,
    scatter: float,
    scale_mm_s: float,
) -> float:
    """Turn one puck's way, in place, and return its azimuth from the impact's plane."""
    angle, speed, rate = float(state[2]), float(state[3]), float(state[5])
    along = speed + scatter * scale_mm_s * chance.kick_along
    across = scatter * scale_mm_s * chance.kick_across
    state[3], azimuth = _signed(speed, along, across)
    share = math.cos(azimuth)
    state[2] = math.pi + (angle - math.pi) * share
    random_rate = model.tumble_scatter * scale_mm_s / PIECE_RADIUS_MM
    tumble = model.tumble_kept * rate + random_rate * chance.tumble_along
    tumble_across = random_rate * chance.tumble_across
    sense = tumble * share + tumble_across * math.sin(azimuth)
    keeps_its_axis = model.spin_ratio * abs(chance.spin) > _LEAST_SPIN_RATIO
    state[5] = 0.0 if keeps_its_axis else math.copysign(math.hypot(tumble, tumble_across), sense)
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
