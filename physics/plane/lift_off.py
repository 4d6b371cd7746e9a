"""Stage 3, lift-off: what the plane of the impact cannot show.

The plane tells how hard each piece is thrown up. Where it flies and how it tumbles it cannot tell:
throw by throw its figures have hardly anything to do with those of 3-D runs. In these, both are
nearly the same for all pieces of a throw, along the slammer's way and tilt, and else at random;
`physics.plane.flight_laws` has the laws, those of the pieces that come apart, and those of free
flight, in which discs that spin precess. In its own plane a piece turns, at an even rate and the
shorter way, to what it has come to at its first touch. With the rates that 3-D runs
have there it would go on too far: lone slammers would end face up a fifth too often.

Stage 2, the parting: the pieces fly on until lift-off takes over, 12 ms after the start.

Once the shock has gone through the stack its pieces are still close together, but here they meet
nothing more. Solid pieces that strike each other in the plane were tried: they rise a twentieth
slower on average, flip as often, and leave the arena less often than in 3-D runs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from physics.materials import GRAVITY_MM_S2, PLATE_FREQUENCY_RAD_S, LiftOff
from physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from physics.plane.flight_laws import (
    APART_S,
    FREE_TUMBLING_S,
    SCATTER_TAIL,
    TUMBLING_SINCE_S,
    VELOCITY_TAIL,
    Numbers,
    Turning,
    flight_to_touch,
    long_tailed,
    own_spin,
    pace_mm_s,
    relative_speeds,
    share_of_pace,
    share_of_tumbling,
    tumbling_unit_mm_s,
    turning_when_apart,
    wildness,
)
from physics.plane.impact import Impact
from physics.plane.projection import ImpactPlane, face_normal, is_knock_out
from physics.plane.world import State, kinetic_energy_nj, potential_energy_nj
from physics.scene import Scene
from physics.thrower import Throw

_TIPPING = 1.1
"""Speed of the rim over vertical speed of a piece that tips about its rim on the floor, at most: in
3-D runs of lone pieces a tenth have more, and a quarter less than .8."""

_STRENGTH_BY_FREQUENCY = 0.2
"""The stiffer the pucks, the less the plane throws them up: in nine cells as the -.08th to -.28th
power of their plates' frequency, from 22,000 to 45,000 rad/s. How stiff pucks are is not known; the
factor on the vertical speeds is told at the usual frequency; this makes others agree with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """The pieces as they leave the impact, each in a vertical plane of its own.

    Attributes:
        state: Shape (B, 6); x is the signed way along the piece's own azimuth, and begins where
            the piece is in the impact's plane.
        azimuth_rad: Shape (B,); direction of each plane, from the arena's x axis.
        start_mm: Shape (B, 2); x and y at the start.
        high: Shape (B,); in the air, higher than its radius, when a stack's pieces have come apart:
            comes down on its rim and rolls. Never the thrown slammer.
        apart_s: When that is, since the start.
        free: Shape (B,); meets no other piece before: what that does is in its motion already.
        swing_rad_s: Shape (B,); angular velocity that those of them that are thrown high have from
            then on.
    """

    state: State
    azimuth_rad: NDArray[np.float64]
    start_mm: NDArray[np.float64]
    high: NDArray[np.bool_]
    apart_s: float
    free: NDArray[np.bool_]
    swing_rad_s: NDArray[np.float64]


def lift_off(scene: Scene, throw: Throw, plane: ImpactPlane, end: Impact) -> Flight:
    """Turn what happened in the plane of the impact into flights.

    Args:
        scene: The scene.
        throw: The throw; its chances decide.
        plane: The plane of the impact.
        end: Where the pieces are when they have parted, 12 ms after the start as a rule.
    """
    pieces = len(throw.chances)
    ux, uy = plane.direction
    state = end.state.copy()
    state[:pieces, 4] *= _strength(scene, throw)
    velocity_mm_s = np.empty((2, pieces + 1))
    velocity_mm_s[:, :pieces] = _velocities_mm_s(scene, throw, state[:pieces, 4])
    along_mm_s = float(state[pieces, 3])
    across_mm_s = scene.lift_off.lateral_kept * plane.speed_across_mm_s
    velocity_mm_s[:, pieces] = (
        along_mm_s * ux - across_mm_s * uy,
        along_mm_s * uy + across_mm_s * ux,
    )
    state[:, 3], azimuth_rad = _ways(velocity_mm_s, plane)
    apart_s = APART_S - end.duration_s
    swing_rad_s = np.zeros(pieces + 1)
    swing_rad_s[:pieces] = _let_tumble(
        state[:pieces], azimuth_rad[:pieces], scene, throw, end.duration_s
    )
    arriving_nj = scene.slammer.mass_g * throw.speed_mm_s**2 / 2
    left = _without_gain(scene, state, swing_rad_s, arriving_nj - end.lifted_nj)
    state[:, 3:] *= left
    swing_rad_s *= left
    high = _later(state, apart_s)[0] >= PIECE_RADIUS_MM
    high[pieces] = False
    free = high.copy()
    free[pieces] = True
    free &= not is_knock_out(scene)
    across_mm = [chance.jitter_y_mm * ux - chance.jitter_x_mm * uy for chance in throw.chances]
    side = np.array([*across_mm, plane.lateral_mm])
    return Flight(
        state=state,
        azimuth_rad=azimuth_rad,
        start_mm=np.column_stack((state[:, 0] * ux - side * uy, state[:, 0] * uy + side * ux)),
        high=high,
        apart_s=apart_s,
        free=free,
        swing_rad_s=swing_rad_s,
    )


def _strength(scene: Scene, throw: Throw) -> float:
    """Return the factor on the vertical speeds of the stack's pieces."""
    model = scene.lift_off
    stiffer = math.log(scene.preset.plate_frequency_rad_s / PLATE_FREQUENCY_RAD_S)
    return math.exp(
        model.strength + model.strength_sd * throw.strength + _STRENGTH_BY_FREQUENCY * stiffer
    )


def _ways(
    velocity_mm_s: NDArray[np.float64], plane: ImpactPlane
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pieces' speeds along their azimuths, and these; velocities have shape (2, B).

    All move onwards, but for the thrown slammer: its speed has the sign of what it is in the
    impact's plane, so that the sense of its turning, which is that plane's, stays right. Pieces of
    a stack so meet each other after they have come apart as often as in 3-D; with signs as the
    slammer's, those that go apart would not.
    """
    vx, vy = velocity_mm_s
    ux, uy = plane.direction
    sign = np.ones(len(vx))
    if vx[-1] * ux + vy[-1] * uy < 0:
        sign[-1] = -1.0
    return sign * np.hypot(vx, vy), np.arctan2(sign * vy, sign * vx)


def _let_tumble(
    state: State, azimuth_rad: Numbers, scene: Scene, throw: Throw, lasted_s: float
) -> Numbers:
    """Give the stack's pieces their tumbling, in place, and return that from when they are apart.

    Args:
        state: The stack's part of the state.
        azimuth_rad: Its pieces' azimuths.
        scene: The scene.
        throw: The throw.
        lasted_s: Time since the slam began.

    Returns:
        Angular velocities, shape (pieces,).
    """
    rim_mm_s = _tumbling_mm_s(scene, throw, state[:, 4])
    forth = rim_mm_s[0] * np.cos(azimuth_rad) + rim_mm_s[1] * np.sin(azimuth_rad)
    sense = np.where(forth > 0, -1.0, 1.0)
    tumbled_s = max(0.0, lasted_s - TUMBLING_SINCE_S)
    if is_knock_out(scene):
        rate_rad_s = _alone_rad_s(scene, throw, rim_mm_s, state, tumbled_s)
        swing_rad_s = rate_rad_s
    else:
        apart = turning_when_apart(scene, throw, state[:, 4], np.hypot(*rim_mm_s))
        rate_rad_s = apart.lean_rad / FREE_TUMBLING_S
        flown_s, touch_rad = flight_to_touch(apart, *_later(state, APART_S - lasted_s))
        swing_rad_s = (touch_rad - apart.lean_rad) / flown_s
    state[:, 2] = math.pi + sense * rate_rad_s * tumbled_s
    state[:, 5] = sense * rate_rad_s
    result: Numbers = sense * swing_rad_s
    return result


def _alone_rad_s(
    scene: Scene, throw: Throw, rim_mm_s: Numbers, state: State, tumbled_s: float
) -> Numbers:
    """Return the even rates at which pieces turn that meet nobody until they come down."""
    tumbling_rad_s = np.hypot(*rim_mm_s) / PIECE_RADIUS_MM
    spin = own_spin(throw, scene.lift_off.spin_ratio)
    start = Turning(
        lean_rad=tumbling_rad_s * tumbled_s,
        onward_rad_s=tumbling_rad_s,
        sideways_rad_s=np.zeros_like(spin),
        spin_rad_s=spin * tumbling_rad_s,
    )
    flown_s, touch_rad = flight_to_touch(start, state[:, 1], state[:, 4])
    result: Numbers = touch_rad / (flown_s + tumbled_s)
    return result


def _tumbling_mm_s(scene: Scene, throw: Throw, up_mm_s: Numbers) -> Numbers:
    """Return the rims' velocities as pieces leave the impact, shape (2, pieces)."""
    relative = relative_speeds(up_mm_s)
    common, own = _tumbling(scene.lift_off, throw)
    rim_mm_s = tumbling_unit_mm_s(scene, up_mm_s) * (
        share_of_tumbling(relative) * common + wildness(relative) * own
    )
    rim_mm_s[:, 0] = _tipping_mm_s(scene.lift_off, up_mm_s[0], common[:, 0] + own[:, 0])
    return rim_mm_s


def _velocities_mm_s(scene: Scene, throw: Throw, up_mm_s: Numbers) -> Numbers:
    """Return the pieces' horizontal velocities, shape (2, pieces)."""
    model = scene.lift_off
    nx, ny, _ = face_normal(throw)
    along = np.array([[model.carry * math.sin(throw.descent_rad)], [0.0]])
    drift = long_tailed(np.array([throw.drift_x]), np.array([throw.drift_y]), VELOCITY_TAIL)
    common = along - model.uphill * np.array([[nx], [ny]]) + model.drift * drift
    own = model.scatter * long_tailed(
        np.array([chance.kick_x for chance in throw.chances]),
        np.array([chance.kick_y for chance in throw.chances]),
        SCATTER_TAIL,
    )
    relative = relative_speeds(up_mm_s)
    pace = pace_mm_s(scene, throw, up_mm_s)
    return pace * (share_of_pace(relative) * common + wildness(relative) * own)


def _tumbling(model: LiftOff, throw: Throw) -> tuple[Numbers, Numbers]:
    """Return how all pieces tumble, shape (2, 1), and each besides, shape (2, pieces)."""
    nx, ny, _ = face_normal(throw)
    rolling = np.array([[throw.roll_x], [throw.roll_y]])
    common = model.downhill * np.array([[nx], [ny]]) + model.roll * rolling
    own = model.tumble_scatter * np.array([(c.tumble_x, c.tumble_y) for c in throw.chances]).T
    return common, own


def _tipping_mm_s(model: LiftOff, up_mm_s: float, tumbling: Numbers) -> Numbers:
    """Return the lowest piece's speed of the rim, shape (2,): on the floor it can but tip."""
    size = math.hypot(*tumbling)
    usual = math.hypot(model.roll, model.tumble_scatter)
    if size == 0.0 or usual == 0.0:
        return np.zeros(2)
    return abs(up_mm_s) * min(_TIPPING, size / usual) / size * tumbling


def _later(state: State, after_s: float) -> tuple[Numbers, Numbers]:
    """Return heights and vertical speeds of pieces that have flown freely, shape (n,) each."""
    up_mm_s = state[:, 4] - GRAVITY_MM_S2 * after_s
    height_mm = state[:, 1] + (state[:, 4] + up_mm_s) * after_s / 2
    return height_mm, up_mm_s


def _without_gain(scene: Scene, state: State, swing_rad_s: Numbers, available_nj: float) -> float:
    """Return the factor, at most 1, that keeps the motion's energy below what there is."""
    properties = [mass_properties(piece) for piece in (*scene.stack, scene.slammer)]
    mass = np.array([p.mass_g for p in properties])
    moment = np.array([p.moment_diameter_g_mm2 for p in properties])
    fastest = state.copy()
    fastest[:, 5] = np.maximum(np.abs(state[:, 5]), np.abs(swing_rad_s))
    kinetic_nj = kinetic_energy_nj(fastest, mass, moment)
    return math.sqrt(available_nj / kinetic_nj) if kinetic_nj > available_nj else 1.0


PARTED_S = 12e-3
"""Since the slam began. The 3-D engines' states that the lift-off is compared with are of then."""

_CLEAR_OF_WALLS_MM = 2 * PIECE_RADIUS_MM


def part(scene: Scene, pieces: Sequence[Piece], end: Impact) -> Impact:
    """Go on from the end of an impact until 12 ms after the start, or until a piece is near a wall.

    Args:
        scene: The scene.
        pieces: The stack's pieces and the thrown slammer, shape (B,).
        end: The end of their impact.
    """
    near_mm = scene.arena.half_side_mm - _CLEAR_OF_WALLS_MM
    left_s = min(PARTED_S - end.duration_s, _until_s(end.state, near_mm))
    if left_s <= 0:
        return end
    state = end.state.copy()
    state[:, :3] += left_s * state[:, 3:]
    state[:, 1] -= GRAVITY_MM_S2 * left_s**2 / 2
    state[:, 4] -= GRAVITY_MM_S2 * left_s
    lying = state[:, 1] < [piece.thickness_mm / 2 for piece in pieces]
    state[lying, 1:3] = end.state[lying, 1:3]
    state[lying, 4:] = 0.0
    mass_g = np.array([mass_properties(piece).mass_g for piece in pieces])
    rise_nj = potential_energy_nj(state, mass_g) - potential_energy_nj(end.state, mass_g)
    return replace(
        end,
        state=state,
        duration_s=end.duration_s + left_s,
        lifted_nj=end.lifted_nj + rise_nj,
    )


def _until_s(state: State, near_mm: float) -> float:
    """Return how long until the first of the pieces is so far from the middle."""
    speed_mm_s = np.maximum(np.abs(state[:, 3]), 1e-9)
    return float(((near_mm - np.abs(state[:, 0])) / speed_mm_s).min())
