"""Lift-off: from the plane of the impact into three dimensions.

Two steps. `part` flies the pieces on from the end of the impact to 12 ms after the start, when
they are still close together but no longer touch. (Solid pieces that collide in the plane were
tried: they rise a twentieth slower on average, flip as often, and leave the arena less often than
in 3-D.) `lift_off` then takes the vertical speeds of the plane, and draws horizontal velocities,
tumbling and spin from `pucklab.physics.plane.flight_laws`: throw by throw, those of the plane
hardly correlate with 3-D. A piece turns in its own plane at a constant rate, the shorter way, to
the lean it has at its first touch; with the rate of that moment in 3-D it would turn on too far.
The total energy is at most what the impact left: what the stack's pieces gain over the plane, the
slammer loses.
"""

import math
from collections.abc import Sequence

import numpy as np

from pucklab.base.arrays import Bools, Floats
from pucklab.base.facts import fact
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from pucklab.physics.plane.flight_laws import (
    FREE_TUMBLING_S,
    SCATTER_TAIL,
    SEPARATED_S,
    TUMBLING_SINCE_S,
    VELOCITY_TAIL,
    Luck,
    fly_to_touch_down,
    horizontal_scale_mm_s,
    horizontal_share,
    individual_scatter,
    luck_of,
    relative_speeds,
    rotation_when_separated,
    t_distributed,
    tumbling_scales_mm_s,
    vertical_factor,
)
from pucklab.physics.plane.impact import Impact, ImpactPlane
from pucklab.physics.plane.world import (
    ANGLE,
    OMEGA,
    POSITION,
    VELOCITY,
    VX,
    VZ,
    State,
    X,
    Z,
    kinetic_energy_nj,
)
from pucklab.physics.scene import Scene
from pucklab.physics.thrower import Throw

_TIPPING = 1.1
"""Greatest rim speed over vertical speed of a piece that tips about its rim on the floor. In 3-D
runs of lone pieces a tenth have more, and a quarter less than .8."""

_ROLLING_ALONG = 0.5
"""Rim speed, over their speed, of pieces that the slammer carries along: after flat throws they
tumble forwards. In 3-D .2 to .6, more under heavy slammers."""

PARTED_S = 12e-3
"""Time since the start of the slam at which `lift_off` takes over, and of the 3-D engines' states
that its laws were read off."""

_CLEAR_OF_WALLS_MM = 2 * PIECE_RADIUS_MM


@fact
class Flight:
    """Pieces as they leave the impact, each in a vertical plane of its own.

    Attributes:
        state: Shape (B, 6); x is the signed distance along the piece's own azimuth, and starts at
            the piece's position in the plane of the impact.
        azimuth_rad: Shape (B,); direction of each plane, from the arena's x axis.
        start_mm: Shape (B, 2); x and y at the start.
        high: Shape (B,); True for pieces of a stack that are higher than their radius at
            separation: they come down on their rims and roll. Never the thrown slammer.
        separated_s: Time from this state to the separation of the stack's pieces.
        free: Shape (B,); True for pieces that collide with no other before the separation: the
            effect of such collisions is already in their motion.
        swing_rad_s: Shape (B,); angular velocity of the high pieces from the separation on.
    """

    state: State
    azimuth_rad: Floats
    start_mm: Floats
    high: Bools
    separated_s: float
    free: Bools
    swing_rad_s: Floats


def lift_off(
    scene: Scene, throw: Throw, plane: ImpactPlane, end: Impact, luck: Luck | None = None
) -> Flight:
    """Return the flights of all pieces after the impact.

    Args:
        scene: The scene.
        throw: The throw.
        plane: The plane of the impact.
        end: State of the pieces once they have parted, as a rule 12 ms after the start.
        luck: Random numbers instead of the throw's own.
    """
    pieces = len(scene.stack)
    luck = luck or luck_of(throw, pieces)
    ux, uy = plane.direction
    # Vertical speeds are the plane's, horizontal velocities are drawn.               (B, 6), (2, B)
    state = end.state.copy()
    state[:pieces, VZ] *= vertical_factor(scene, throw)
    velocity_mm_s = np.empty((2, pieces + 1))
    # Carried along by the slammer, a common drift, and what each has by itself.
    model, relative = scene.lift_off, relative_speeds(state[:pieces, VZ])
    drift = model.drift * t_distributed(luck.drift[:1], luck.drift[1:], VELOCITY_TAIL)
    own = model.scatter * t_distributed(luck.kick[0], luck.kick[1], SCATTER_TAIL)
    apart = horizontal_share(relative) * drift + individual_scatter(relative) * own
    velocity_mm_s[:, :pieces] = _carried_mm_s(scene, throw, state[:pieces, VZ])
    velocity_mm_s[:, :pieces] += horizontal_scale_mm_s(scene, throw) * apart
    along_mm_s = float(state[pieces, VX])
    across_mm_s = plane.speed_across_mm_s
    velocity_mm_s[:, pieces] = (
        along_mm_s * ux - across_mm_s * uy,
        along_mm_s * uy + across_mm_s * ux,
    )
    # The stack's pieces have positive speeds, so that they collide after separation as often as in
    # 3-D. The slammer's has the sign that it has in the plane of the impact, so that the sense
    # of its rotation, which belongs to that plane, stays right.
    x_mm_s, y_mm_s = velocity_mm_s
    sign = np.ones(pieces + 1)
    if x_mm_s[-1] * ux + y_mm_s[-1] * uy < 0:
        sign[-1] = -1.0
    state[:, VX] = sign * np.hypot(x_mm_s, y_mm_s)
    azimuth_rad = np.arctan2(sign * y_mm_s, sign * x_mm_s)
    # Rotation, too, is drawn; then the motion is scaled down to the energy that the impact left.
    separated_s = SEPARATED_S - end.duration_s
    swing_rad_s = np.zeros(pieces + 1)
    swing_rad_s[:pieces] = _set_rotation(
        state[:pieces], azimuth_rad[:pieces], scene, throw, luck, end.duration_s
    )
    # What the stack's pieces have more than in the plane, the slammer has less; if that is not
    # enough, they are slower.
    properties = [mass_properties(piece) for piece in (*scene.stack, scene.slammer)]
    mass = np.array([p.mass_g for p in properties])
    moment = np.array([p.moment_diameter_g_mm2 for p in properties])
    left_nj = kinetic_energy_nj(end.state, mass, moment) + mass[-1] * across_mm_s**2 / 2
    fastest = state.copy()
    fastest[:, OMEGA] = np.maximum(np.abs(state[:, OMEGA]), np.abs(swing_rad_s))
    stack_nj = kinetic_energy_nj(fastest[:-1], mass[:-1], moment[:-1])
    slammer_nj = kinetic_energy_nj(fastest[-1:], mass[-1:], moment[-1:])
    if stack_nj + slammer_nj > left_nj:
        state[-1, VELOCITY] *= math.sqrt(max(0.0, left_nj - stack_nj) / max(slammer_nj, 1e-9))
    if stack_nj > left_nj:
        slower = math.sqrt(left_nj / stack_nj)
        state[:-1, VELOCITY] *= slower
        swing_rad_s *= slower
    # Pieces high in the air at separation meet no others before it.                            (B,)
    high = _ballistic(state, separated_s)[0] >= PIECE_RADIUS_MM
    high[pieces] = False
    free = high.copy()
    free[pieces] = True
    across_mm = [y * ux - x * uy for x, y in scene.places_mm(throw)]
    side = np.array([*across_mm, plane.lateral_mm])
    return Flight(
        state=state,
        azimuth_rad=azimuth_rad,
        start_mm=np.column_stack((state[:, X] * ux - side * uy, state[:, X] * uy + side * ux)),
        high=high,
        separated_s=separated_s,
        free=free,
        swing_rad_s=swing_rad_s,
    )


def _set_rotation(
    state: State, azimuth_rad: Floats, scene: Scene, throw: Throw, luck: Luck, lasted_s: float
) -> Floats:
    """Set the rotation of the stack's pieces, in place, and return the one after separation.

    Args:
        state: The stack's rows of the state.
        azimuth_rad: Azimuths of its pieces.
        scene: The scene.
        throw: The throw.
        luck: Its random numbers.
        lasted_s: Time since the start of the slam.

    Returns:
        Angular velocities, shape (pieces,).
    """
    # Rim velocities as the pieces leave the impact.                                    (2, pieces)
    up_mm_s, roll = state[:, VZ], scene.lift_off.roll * luck.roll
    rim_mm_s = tumbling_scales_mm_s(scene, np.maximum(up_mm_s, 0.0)) * roll[:, np.newaxis]
    rim_mm_s += _ROLLING_ALONG * _carried_mm_s(scene, throw, up_mm_s)
    # On the floor the lowest piece can only tip about its rim.
    size = math.hypot(*roll)
    rim_mm_s[:, 0] = 0.0
    if size > 0.0:
        tipping = min(_TIPPING, size / scene.lift_off.roll)
        rim_mm_s[:, 0] = abs(up_mm_s[0]) * tipping / size * roll
    forth = rim_mm_s[0] * np.cos(azimuth_rad) + rim_mm_s[1] * np.sin(azimuth_rad)
    # Tumbling forwards along the azimuth is clockwise in the piece's plane.               (pieces,)
    sense = np.where(forth > 0, -1.0, 1.0)
    tumbled_s = max(0.0, lasted_s - TUMBLING_SINCE_S)
    apart = rotation_when_separated(scene, throw, luck, up_mm_s, np.hypot(*rim_mm_s))
    rate_rad_s = apart.lean_rad / FREE_TUMBLING_S
    flown_s, touch_rad = fly_to_touch_down(apart, *_ballistic(state, SEPARATED_S - lasted_s))
    swing_rad_s = (touch_rad - apart.lean_rad) / flown_s
    state[:, ANGLE] = math.pi + sense * rate_rad_s * tumbled_s
    state[:, OMEGA] = sense * rate_rad_s
    result: Floats = sense * swing_rad_s
    return result


def _carried_mm_s(scene: Scene, throw: Throw, up_mm_s: Floats) -> Floats:
    """Return the velocities along the slammer's path, shape (2, pieces)."""
    along = scene.lift_off.carry * math.tan(throw.descent_rad) * np.array(throw.heading)
    share = horizontal_share(relative_speeds(up_mm_s))
    return horizontal_scale_mm_s(scene, throw) * along[:, np.newaxis] * share


def _ballistic(state: State, after_s: float) -> tuple[Floats, Floats]:
    """Return heights and vertical speeds after free flight, shape (n,) each."""
    up_mm_s = state[:, VZ] - GRAVITY_MM_S2 * after_s
    height_mm = state[:, Z] + (state[:, VZ] + up_mm_s) * after_s / 2
    return height_mm, up_mm_s


def part(scene: Scene, pieces: Sequence[Piece], end: Impact) -> Impact:
    """Continue an impact to 12 ms after the start, or until a piece is near a wall.

    Args:
        scene: The scene.
        pieces: The stack's pieces and the thrown slammer, shape (B,).
        end: State at the end of the impact.
    """
    near_mm = scene.arena.half_side_mm - _CLEAR_OF_WALLS_MM
    speed_mm_s = np.maximum(np.abs(end.state[:, VX]), 1e-9)
    to_wall_s = float(((near_mm - np.abs(end.state[:, X])) / speed_mm_s).min())
    left_s = min(PARTED_S - end.duration_s, to_wall_s)
    if left_s <= 0:
        return end
    state = end.state.copy()
    state[:, POSITION] += left_s * state[:, VELOCITY]
    state[:, Z] -= GRAVITY_MM_S2 * left_s**2 / 2
    state[:, VZ] -= GRAVITY_MM_S2 * left_s
    # A piece that would sink into the floor stays as it was.
    grounded = state[:, Z] < [piece.thickness_mm / 2 for piece in pieces]
    state[grounded, Z:VX] = end.state[grounded, Z:VX]
    state[grounded, VZ:] = 0.0
    return Impact(state=state, duration_s=end.duration_s + left_s)
