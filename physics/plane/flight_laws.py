"""Velocities, tumbling and spin after an impact, as regressions on the solid engine.

The plane of the impact says how hard each piece is thrown up. It cannot say where the piece flies
or how it tumbles; these laws do. They were read off the pucks of the solid engine, in cells with
friction .15 to .6, restitution .3 to .7, pucks of 1 to 2 g, stacks of 3 to 20 and descents to 60
degrees; restitution changes none of them. The constants in `pucklab.physics.materials.LiftOff` are
fitted to how the pucks end. Three groups, in the order of a slam:

- **Leaving the impact (12 ms).** The horizontal scale of a throw grows with the root of the energy
  of the slammer's way down, and little with friction; the faster a piece rises, the more of it the
  piece takes. Tumbling grows with each piece's own vertical speed. The uppermost pieces, much
  faster than the mean, scatter individually.
- **Separating (12 to 80 ms).** Crowded pieces tumble the same way until they stand side by side at
  some 75 degrees and hold each other up, each in its own way to a third of a radian. Slow tumblers
  do not get that far and turn on as they did; pieces with much spin have already swung back. Spin
  grows with friction, and so friction keeps pieces from turning over.
- **Free flight (from 80 ms).** The axis of a free body of revolution precesses about its angular
  momentum at a constant rate and angle (Landau and Lifshitz, Mechanics, section 33). A disc that
  spins besides tumbling therefore swings back before it has turned over.

A piece's *relative speed* is its vertical speed divided by the mean of the stack's pieces.
"""

import math

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.scene import Scene
from pucklab.physics.thrower import Throw

_USUAL_MASS_G = 8.0
_USUAL_SPEED_MM_S = 5000.0
_USUAL_PIECES = 10
_USUAL_PUCK_G = 1.5
_USUAL_FRICTION = 0.35
_USUAL_PACE_MM_S = 1000.0
"""Slammer mass, speed, stack, puck and friction at which the horizontal scale is 1 m/s."""

_TUMBLING_UNIT_MM_S = 1000.0
"""Vertical speed at which the scale of tumbling of a stack of ten is as great."""

VELOCITY_TAIL = 8.0
"""Degrees of freedom of the common velocity's t distribution: 8 in MuJoCo, more in the solid
engine."""

SCATTER_TAIL = 2.0
"""Degrees of freedom of each piece's own velocity: with 2, the outermost tenth lies 3 times as far
out as the median, as the solid engine's do."""

_TWIST_TAIL = 3.0
"""Degrees of freedom of the spin."""


@fact(eq=False)
class Luck:
    """Standard normal numbers of one throw; n pieces.

    Attributes:
        drift: Shape (2,); common velocity along x and y.
        roll: Shape (2,); common tumbling towards x and y.
        twist: Common spin about the axes.
        lean: Lean when the stack has separated.
        kick: Shape (2, n); each piece's own velocity.
        swing: Shape (2, n); its own rate of the lean then, and that at right angles.
    """

    drift: Floats
    roll: Floats
    twist: float
    lean: float
    kick: Floats
    swing: Floats


def luck_of(throw: Throw, pieces: int) -> Luck:
    """Return the random numbers of a throw at a stack of ``pieces``: zeros if its luck is 0.

    Stacks of any height share the common numbers and those of the lower pieces.
    """
    common, own = np.zeros(6), np.zeros((pieces, 4))
    if throw.luck:
        rng = np.random.default_rng(throw.luck)
        common, own = rng.standard_normal(6), rng.standard_normal((pieces, 4))
    twist, lean = common[4:].tolist()
    return Luck(
        drift=common[:2], roll=common[2:4], twist=twist, lean=lean, kick=own.T[:2], swing=own.T[2:]
    )


def horizontal_scale_mm_s(scene: Scene, throw: Throw) -> float:
    """Return the scale of a throw's horizontal velocities.

    It goes with the root of the slammer's energy over a puck's mass: velocities after an impact
    are in proportion to the throw's.

    Args:
        scene: The scene.
        throw: The throw.

    Example:
        >>> from pucklab.physics import puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> horizontal_scale_mm_s(scene, Throw(speed_mm_s=5000.0))
        1000.0
    """
    down_mm_s = throw.speed_mm_s * math.cos(throw.descent_rad)
    stack = math.sqrt(_grip(scene) * _lowness(scene))
    return _USUAL_PACE_MM_S * _hardness(scene, down_mm_s) * _given(scene) * stack


def _hardness(scene: Scene, speed_mm_s: float) -> float:
    """Return the root of the slammer's energy over a puck's mass, over that of the usual throw."""
    return math.sqrt(_heaviness(scene)) * speed_mm_s / _USUAL_SPEED_MM_S


def _given(scene: Scene) -> float:
    """Return the factor on all velocities: heavy slammers give less of their energy away."""
    return float(_heaviness(scene) ** (-scene.lift_off.exponent / 4))


def _grip(scene: Scene) -> float:
    """Return the factor on spin, and by its root on horizontal velocity: friction carries both."""
    return float((scene.materials.friction / _USUAL_FRICTION) ** scene.lift_off.exponent)


def _lowness(scene: Scene) -> float:
    """Return the factor on tumbling and lean, and by its root on horizontal velocity."""
    return float((_USUAL_PIECES / len(scene.stack)) ** scene.lift_off.exponent)


def _heaviness(scene: Scene) -> float:
    """Return the slammer's mass over a puck's, over that of the usual ones."""
    ratio = scene.slammer.mass_g / scene.stack[0].mass_g
    return ratio * _USUAL_PUCK_G / _USUAL_MASS_G


def vertical_factor(scene: Scene, throw: Throw) -> float:
    """Return the factor on the vertical speeds that the stack's pieces have in the plane.

    In three dimensions an off-centre hit throws the stack up faster, by the same factor in all
    cells; the plane cannot show it.
    """
    aside = min(1.0, math.hypot(throw.aim_x_mm, throw.aim_y_mm) / PIECE_RADIUS_MM)
    return math.exp(scene.lift_off.strength * aside) * _given(scene)


def tumbling_scales_mm_s(scene: Scene, up_mm_s: Floats) -> Floats:
    """Return the scale of tumbling from each piece's own vertical speed, shape (pieces,).

    Args:
        scene: The scene.
        up_mm_s: Vertical speeds, at least 0, shape (pieces,).
    """
    unit_mm_s: Floats = _lowness(scene) * np.sqrt(_TUMBLING_UNIT_MM_S * up_mm_s)
    return unit_mm_s


def relative_speeds(up_mm_s: Floats) -> Floats:
    """Return vertical speeds divided by their mean, at least 0.

    Example:
        >>> relative_speeds(np.array([-100.0, 500.0, 1100.0])).tolist()
        [0.0, 1.0, 2.2]
    """
    mean_mm_s = max(float(up_mm_s.mean()), 1.0)
    return np.maximum(up_mm_s / mean_mm_s, 0.0)


def horizontal_share(relative: Floats) -> Floats:
    """Return the share of the common horizontal velocity by relative speed.

    Measured in the solid engine: .5 at .4, .9 at .8, 1 at 1.2, 1.1 at 1.6 and 1.3 at 2.1 for 8 g
    at 5 m/s; steeper for heavier slammers.
    """
    return np.sqrt(relative)


_WILDNESS = 1.2
"""Growth of the individual scatter with relative speed beyond 1.3."""


def individual_scatter(relative: Floats) -> Floats:
    """Return the factor on a piece's individual scatter by relative speed.

    Measured in the solid engine: 1 up to 1.3, 1.5 at 1.8 and beyond.
    """
    return np.maximum(1.0, 1.0 + _WILDNESS * (relative - 1.3))


def t_distributed(x: Floats, y: Floats, tail: float) -> Floats:
    """Stretch standard normal vectors to t-distributed ones of the same direction.

    Args:
        x: Shape (n,).
        y: Shape (n,).
        tail: Degrees of freedom.

    Returns:
        Shape (2, n). Each vector keeps its quantile of length.

    Example:
        >>> t_distributed(np.array([0.1, 3.0]), np.zeros(2), 3.0).round(2).tolist()
        [[0.1, 7.57], [0.0, 0.0]]
    """
    vectors = np.array((x, y))
    # In two dimensions P(|normal| > r) = exp(-r^2 / 2) and P(|t| > R) = (1 + R^2 / nu)^(-nu / 2):
    # they are equal at R^2 = nu (exp(r^2 / nu) - 1).
    square = np.maximum((vectors**2).sum(axis=0) / tail, 1e-12)
    stretched: Floats = vectors * np.sqrt(np.expm1(square) / square)
    return stretched


_INERTIA_RATIO = 2.0
"""Moment of inertia about the axis over that about a diameter: 2 for a thin disc, 1.91 for a
slammer 8 mm thick."""

MEAN_HALF_HEIGHT_MM = 2 / math.pi * PIECE_RADIUS_MM
"""Height of a thin disc's centre above its lowest point, averaged over all leans."""

_SHORTEST_S = 1e-3


@fact
class DiscRotation:
    """Orientation and angular velocity of discs; arrays of shape (n,).

    Attributes:
        lean_rad: Angle from the vertical to the axis: 0 is face down, pi is face up.
        lean_rate_rad_s: Rate of that angle.
        precession_rate_rad_s: Rate of the axis at right angles to it.
        spin_rad_s: Angular velocity about the axis.
    """

    lean_rad: Floats
    lean_rate_rad_s: Floats
    precession_rate_rad_s: Floats
    spin_rad_s: Floats


def lean_after(start: DiscRotation, flown_s: Floats) -> Floats:
    """Return the lean of discs after free flight, 0 to pi; shape (n,).

    Args:
        start: Rotation at the beginning.
        flown_s: Time of flight, shape (n,).

    Example:
        >>> rate, none = np.array([50.0]), np.zeros(1)
        >>> def start(spin):
        ...     return DiscRotation(
        ...         lean_rad=none, lean_rate_rad_s=rate, precession_rate_rad_s=none, spin_rad_s=spin
        ...     )
        >>> lean_after(start(none), np.array([0.05]))
        array([2.5])
        >>> float(lean_after(start(rate), np.array([0.05]))[0]) < 1  # it has swung back
        True
    """
    # Axial part of the angular momentum over the moment about a diameter.                      (n,)
    sine, cosine = np.sin(start.lean_rad), np.cos(start.lean_rad)
    hoop = _INERTIA_RATIO * start.spin_rad_s
    # The axis goes round the angular momentum at |L| / I_diameter.                             (n,)
    round_rad_s = np.sqrt(start.lean_rate_rad_s**2 + start.precession_rate_rad_s**2 + hoop**2)
    slow = np.maximum(round_rad_s, 1e-9)
    angle = round_rad_s * flown_s
    # Rodrigues' rotation of the axis about L; only its vertical component is needed.           (n,)
    height = (
        -cosine * np.cos(angle)
        + start.lean_rate_rad_s / slow * sine * np.sin(angle)
        + hoop
        / slow**2
        * (1 - np.cos(angle))
        * (start.precession_rate_rad_s * sine - hoop * cosine)
    )
    result: Floats = np.arccos(np.clip(-height, -1.0, 1.0))
    return result


def fly_to_touch_down(
    start: DiscRotation, height_mm: Floats, up_mm_s: Floats
) -> tuple[Floats, Floats]:
    """Return the time of flight of thin discs until they touch the floor, and their lean then.

    Args:
        start: Rotation at the beginning.
        height_mm: Heights of the centres, shape (n,).
        up_mm_s: Vertical speeds, shape (n,).

    Returns:
        Seconds, and angles from 0 to pi; shapes (n,). The time is at least 1 ms, also for discs
        that already touch the floor.
    """
    reach_mm = np.full(len(height_mm), MEAN_HALF_HEIGHT_MM)
    for _ in range(2):
        time_s = np.maximum(fall_time_s(height_mm - reach_mm, up_mm_s), _SHORTEST_S)
        lean_rad = lean_after(start, time_s)
        reach_mm = PIECE_RADIUS_MM * np.sin(lean_rad)
    return time_s, lean_rad


def fall_time_s(above_mm: Floats, up_mm_s: Floats) -> Floats:
    """Return the time of free flight down to a level, from heights above it; shape (n,)."""
    square = up_mm_s**2 + 2 * GRAVITY_MM_S2 * above_mm
    time_s: Floats = (up_mm_s + np.sqrt(np.maximum(square, 0.0))) / GRAVITY_MM_S2
    return time_s


SEPARATED_S = 80e-3
"""Time since the start of the slam at which the pieces have separated. From then on free flight
predicts the final faces of the engines' pieces; from earlier states it does not."""

TUMBLING_SINCE_S = 1.6e-3
"""Time at which tumbling begins: with it, leans in 3-D are met to a tenth in all cells."""

FREE_TUMBLING_S = SEPARATED_S - TUMBLING_SINCE_S

_CROWDING_POWER = 4.0
"""Sharpness of the stop: the lean is x / (1 + x**4)**(1/4) of the greatest one, x being the share
that free tumbling would reach. Both engines meet this and its slope to a tenth for x from .1 to
3."""

_LEAN_REDUCTION_SPIN = 0.52
"""Spin, in units of the tumbling scale, that halves the lean."""


def rotation_when_separated(
    scene: Scene, throw: Throw, luck: Luck, up_mm_s: Floats, rim_mm_s: Floats
) -> DiscRotation:
    """Return the rotation of a stack's pieces 80 ms after the start of the slam.

    Args:
        scene: The scene.
        throw: The throw.
        luck: Its random numbers.
        up_mm_s: Vertical speeds as the pieces leave the impact, shape (pieces,).
        rim_mm_s: Rim speeds of tumbling at that time, shape (pieces,).

    Example:
        >>> from pucklab.physics import puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3))
        >>> throw = Throw(speed_mm_s=5000.0)
        >>> rising, rims = np.full(3, 1000.0), np.array([0.0, 100.0, 1000.0])
        >>> rotation_when_separated(scene, throw, luck_of(throw, 3), rising, rims).lean_rad.round(2)
        array([0.  , 0.38, 1.93])
    """
    model = scene.lift_off
    unit_mm_s = tumbling_scales_mm_s(scene, np.maximum(up_mm_s, 1.0))
    unit_rad_s = unit_mm_s / PIECE_RADIUS_MM
    tumbling_rad_s = rim_mm_s / PIECE_RADIUS_MM
    # The greatest lean in a crowd: less in tall stacks, more after hard and flat throws.
    harder = _hardness(scene, throw.speed_mm_s) ** model.exponent
    flatter = math.cos(throw.descent_rad) ** -model.lean_by_descent
    most_rad = float(model.lean_rad * _lowness(scene) * harder * flatter)
    # What the pieces would lean alone, as a share of it, and what they do.
    free = tumbling_rad_s * FREE_TUMBLING_S / most_rad
    leant_rad = most_rad * free / (1 + free**_CROWDING_POWER) ** (1 / _CROWDING_POWER)
    twist = model.twist * t_distributed(np.array([luck.twist]), np.zeros(1), _TWIST_TAIL)[0]
    # Spin grows with friction, and does not depend on the stack's height.
    spin = twist * (_grip(scene) / _lowness(scene))
    on, aside = luck.swing
    own_rad = model.swing_scatter * on * unit_rad_s * FREE_TUMBLING_S / 2
    lean_rad = leant_rad * (1 + model.lean_sd * luck.lean) / lean_reduction(spin) + own_rad
    return DiscRotation(
        lean_rad=np.clip(np.abs(lean_rad), 0.0, math.pi),
        lean_rate_rad_s=(lean_rate(spin) + model.swing_scatter * on) * unit_rad_s,
        precession_rate_rad_s=(precession_rate(spin) + model.swing_scatter * aside) * unit_rad_s,
        spin_rad_s=spin * unit_rad_s,
    )


def lean_reduction(spin: Floats) -> Floats:
    """Return the factor by which spin reduces the lean: spinning pieces have swung back.

    Measured in the solid engine, by spin in units of the scale: 1.06 at .15, 1.13 at .21, 1.25 at
    .29, 1.6 at .39, 2.1 at .52, 3.1 at .8.
    """
    factor: Floats = 1.0 + (spin / _LEAN_REDUCTION_SPIN) ** 2
    return factor


def lean_rate(spin: Floats) -> Floats:
    """Return the mean rate of lean in units of the scale: what spins much swings back.

    Measured in the solid engine: .09 without spin, .066 at .1, .026 at .15, -.03 at .21, -.1 at
    .29, -.16 at .39, -.18 at .5.
    """
    rate: Floats = np.maximum(0.095 - 2.3 * spin**2, -0.19)
    return rate


def precession_rate(spin: Floats) -> Floats:
    """Return the rate of precession in units of the scale.

    Measured in the solid engine: .03 for spins of .015, .08 at .05, .14 at .1, .2 at .15, .26 at
    .21, .29 at .29 and beyond.
    """
    result: Floats = -np.clip(1.4 * spin, -0.29, 0.29)
    return result
