"""How pieces leave a slam in 3-D: laws that two engines share, read off their pucks at 12 ms.

What the pieces of a stack then do to each other, for some 60 ms more, follows below.

A piece's relative speed, here, is its vertical speed over the mean of the stack's pieces.

A stack is carried off at a pace that goes with the slammer's energy, whatever the vertical speeds
of that throw; of a throw's pieces, the faster rise, the more of it they have. Tumbling goes with
the root of the throw's mean vertical speed. Pieces much faster than the mean, the uppermost, go
their own ways. All of it was read off stacks of 2 to 20 of the rulebook's pucks, thrown at by 3 to
24 g at 3 to 7 m/s, with restitution .5 and friction .35; how it goes with those is not known.

How the pieces of a stack are turned when they have come apart: what two 3-D engines share.

Pieces thrown up in a throng tumble on, most of them the same way, until they stand side by side at
some 75 degrees; there they hold each other up, and what they turn by then is hardly more than what
that leaves to chance. Those that tumble so slowly that they do not come that far turn on as they
did; those that spin much about their axes have swung back. After that each flies freely.

Discs in free flight: how far one that tumbles and spins has turned over when it comes down.

The axis of a free body of revolution goes round its angular momentum at a constant rate and angle
(Landau and Lifshitz, Mechanics, section 33). So a disc that spins besides tumbling swings back
before it has turned over: the less far, the more it spins.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.materials import GRAVITY_MM_S2, LiftOff
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.projection import is_knock_out
from physics.scene import Scene
from physics.thrower import Throw

Numbers = NDArray[np.float64]

_USUAL_MASS_G = 8.0
_USUAL_SPEED_MM_S = 5000.0
_USUAL_PIECES = 10
"""The slammer, the speed and the stack at which the pace is 1 m/s."""

KNOCK_OUT_PACE = 1.0
"""Pace over mean vertical speed. In 3-D runs lone pieces' horizontal speeds are .26 of their
vertical ones (median; .19 to .5 in 22 cells), whatever their mass and the slammer's; 1 gives
that."""

_TUMBLING_UNIT_MM_S = 1000.0
"""Tumbling is the speed of the rim's top over the root of this times the mean vertical speed."""

VELOCITY_TAIL = 8.0
"""Degrees of freedom of the common velocity's t distribution: 8 in MuJoCo, more in the other."""

SCATTER_TAIL = 3.0
"""Of each piece's own velocity: the outermost tenth is 2.5 times as far out as the median in a
t distribution of 3; 3.0 in MuJoCo and 2.8 in the other."""


def pace_mm_s(scene: Scene, throw: Throw, up_mm_s: Numbers) -> float:
    """Return what a throw's horizontal velocities are counted in.

    Args:
        scene: The scene.
        throw: The throw.
        up_mm_s: Vertical speeds of the stack's pieces, shape (pieces,).

    Example:
        >>> from physics import puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> pace_mm_s(scene, Throw(speed_mm_s=5000.0), np.full(10, 700.0))
        1000.0
    """
    if is_knock_out(scene):
        return KNOCK_OUT_PACE * max(float(up_mm_s.mean()), 0.0)
    model = scene.lift_off
    energy = scene.slammer.mass_g / _USUAL_MASS_G * (throw.speed_mm_s / _USUAL_SPEED_MM_S) ** 2
    pace: float = 1000.0 * energy**model.pace_by_energy * _height(scene) ** model.pace_by_height
    return pace


def tumbling_unit_mm_s(scene: Scene, up_mm_s: Numbers) -> float:
    """Return what a throw's tumbling is counted in, as speed of the rim: see `pace_mm_s`."""
    mean_mm_s = np.array([max(float(up_mm_s.mean()), 0.0)])
    return float(own_tumbling_unit_mm_s(scene, mean_mm_s)[0])


def own_tumbling_unit_mm_s(scene: Scene, up_mm_s: Numbers) -> Numbers:
    """Return what tumbling is counted in by each piece's own vertical speed, shape (pieces,).

    Args:
        scene: The scene.
        up_mm_s: Vertical speeds, at least 0, shape (pieces,).
    """
    unit_mm_s: Numbers = _height(scene) ** scene.lift_off.tumbling_by_height * np.sqrt(
        _TUMBLING_UNIT_MM_S * up_mm_s
    )
    return unit_mm_s


def relative_speeds(up_mm_s: Numbers) -> Numbers:
    """Return vertical speeds over their mean, at least 0.

    Example:
        >>> relative_speeds(np.array([-100.0, 500.0, 1100.0])).tolist()
        [0.0, 1.0, 2.2]
    """
    mean_mm_s = max(float(up_mm_s.mean()), 1.0)
    return np.maximum(up_mm_s / mean_mm_s, 0.0)


def share_of_pace(relative: Numbers) -> Numbers:
    """Return how much of the common velocity a piece has, by its relative speed.

    In MuJoCo and the penalty engine .1 and .2 at .1, .5 and .6 at .6, .8 and .9 at 1, 1.4 and 1.3
    at 1.5, 1.5 and 1.4 at 1.9, and hardly more beyond.
    """
    return np.minimum(0.17 + 0.75 * relative, 1.42)


def share_of_tumbling(relative: Numbers) -> Numbers:
    """Return how much of the common tumbling a piece has, by its relative speed.

    In both engines .3 at .28, .66 at .6, 1 at 1, 1.2 at 1.5, 1.35 at 1.9.
    """
    return np.minimum(1.1 * relative, 0.65 + 0.37 * relative)


def wildness(relative: Numbers) -> Numbers:
    """Return how much more than one at the mean a piece goes its own way, by its relative speed.

    In both engines 1 up to 1.2, 1.5 to 2 at 1.5, 3 at 1.9, 5 at 2.5; of velocity and of tumbling.
    """
    return np.maximum(1.0, 1.0 + 2.8 * (relative - 1.3))


def long_tailed(x: Numbers, y: Numbers, tail: float) -> Numbers:
    """Turn standard normal vectors into those of a t distribution, of the same direction.

    Args:
        x: Shape (n,).
        y: Shape (n,).
        tail: Its degrees of freedom.

    Returns:
        Shape (2, n). As many normal vectors as t-distributed ones are longer than theirs.

    Example:
        >>> long_tailed(np.array([0.1, 3.0]), np.zeros(2), 3.0).round(2).tolist()
        [[0.1, 7.57], [0.0, 0.0]]
    """
    vectors = np.array((x, y))
    square = np.maximum((vectors**2).sum(axis=0) / tail, 1e-12)
    stretched: Numbers = vectors * np.sqrt(np.expm1(square) / square)
    return stretched


def _height(scene: Scene) -> float:
    """Return the number of the stack's pieces over the usual one."""
    return len(scene.stack) / _USUAL_PIECES


_MOMENTS = 2.0
"""Moment of inertia about the axis over that about a diameter: of a thin disc. A slammer 8 mm thick
has 1.91."""

_MEAN_REACH_MM = 2 / math.pi * PIECE_RADIUS_MM
"""How far a thin disc reaches down below its middle, in the mean over all its angles."""

_SHORTEST_S = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning:
    """How discs are turned, and turn; arrays of shape (n,).

    Attributes:
        lean_rad: Angle of the axis to the vertical, from 0, face down, to pi, face up.
        onward_rad_s: Rate of that angle.
        sideways_rad_s: Rate of the axis across that.
        spin_rad_s: Angular velocity about the axis.
    """

    lean_rad: Numbers
    onward_rad_s: Numbers
    sideways_rad_s: Numbers
    spin_rad_s: Numbers


def lean_after(start: Turning, flown_s: Numbers) -> Numbers:
    """Return the lean of discs that have flown freely, 0 to pi; shape (n,).

    Args:
        start: How they began.
        flown_s: How long they have flown, shape (n,).

    Example:
        >>> rate, none = np.array([50.0]), np.zeros(1)
        >>> def start(spin):
        ...     return Turning(
        ...         lean_rad=none, onward_rad_s=rate, sideways_rad_s=none, spin_rad_s=spin
        ...     )
        >>> lean_after(start(none), np.array([0.05]))
        array([2.5])
        >>> float(lean_after(start(rate), np.array([0.05]))[0]) < 1  # it has swung back
        True
    """
    sine, cosine = np.sin(start.lean_rad), np.cos(start.lean_rad)
    hoop = _MOMENTS * start.spin_rad_s
    round_rad_s = np.sqrt(start.onward_rad_s**2 + start.sideways_rad_s**2 + hoop**2)
    slow = np.maximum(round_rad_s, 1e-9)
    angle = round_rad_s * flown_s
    # The axis' height, after Rodrigues; what it goes round has the height of the last bracket.
    height = (
        -cosine * np.cos(angle)
        + start.onward_rad_s / slow * sine * np.sin(angle)
        + hoop / slow**2 * (1 - np.cos(angle)) * (start.sideways_rad_s * sine - hoop * cosine)
    )
    result: Numbers = np.arccos(np.clip(-height, -1.0, 1.0))
    return result


def flight_to_touch(
    start: Turning, height_mm: Numbers, up_mm_s: Numbers
) -> tuple[Numbers, Numbers]:
    """Return how long thin discs fly until they touch the floor, and how they lean then.

    Args:
        start: How they begin.
        height_mm: Of their middles, shape (n,).
        up_mm_s: Their vertical speeds, shape (n,).

    Returns:
        Seconds, and angles from 0 to pi; shapes (n,). Of discs that touch it already, or do not
        come up to it, how long they fly is 1 ms.
    """
    reach_mm = np.full(len(height_mm), _MEAN_REACH_MM)
    for _ in range(2):
        time_s = np.maximum(_fall_s(height_mm - reach_mm, up_mm_s), _SHORTEST_S)
        lean_rad = lean_after(start, time_s)
        reach_mm = PIECE_RADIUS_MM * np.sin(lean_rad)
    return time_s, lean_rad


def _fall_s(above_mm: Numbers, up_mm_s: Numbers) -> Numbers:
    square = up_mm_s**2 + 2 * GRAVITY_MM_S2 * above_mm
    time_s: Numbers = (up_mm_s + np.sqrt(np.maximum(square, 0.0))) / GRAVITY_MM_S2
    return time_s


APART_S = 80e-3
"""Since the slam began. Earlier states of the engines' pieces do not foretell how they come to lie:
from 80 ms on free flight does, as well as it does later."""

TUMBLING_SINCE_S = 1.6e-3
"""Pieces lean by what they tumble from then on: in 3-D runs to a tenth, in all cells."""

FREE_TUMBLING_S = APART_S - TUMBLING_SINCE_S

_USUAL_UNIT_MM_S = 1000.0
_STOPPING = 4.0
"""How sharply they stop: lean is x / (1 + x**4)**(1/4) of the most, x what free tumbling would make
of it. In both engines that is right to a tenth for x from .1 to 3, and so is its slope for the rate
of turning."""

_ONWARD = 0.03
_STRAIGHTENING = 0.45
"""Spin, over the unit of turning, at which pieces lean less by a factor of 1.4."""


def turning_when_apart(scene: Scene, throw: Throw, up_mm_s: Numbers, rim_mm_s: Numbers) -> Turning:
    """Return how the pieces of a stack are turned, 80 ms after the slam began.

    Args:
        scene: The scene.
        throw: The throw; its chances decide.
        up_mm_s: Vertical speeds of the stack's pieces as they leave the impact, shape (pieces,).
        rim_mm_s: How fast they tumble then: speeds of their rims, shape (pieces,).

    Example:
        >>> from physics import puck_stack, puckdex_slammer
        >>> from physics.thrower import PieceChance
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3))
        >>> throw = Throw(speed_mm_s=5000.0, chances=(PieceChance(),) * 3)
        >>> rising, rims = np.full(3, 1000.0), np.array([0.0, 100.0, 1000.0])
        >>> turning_when_apart(scene, throw, rising, rims).lean_rad.round(2)
        array([0.  , 0.38, 1.51])
    """
    model = scene.lift_off
    unit_mm_s = own_tumbling_unit_mm_s(scene, np.maximum(up_mm_s, 1.0))
    unit_rad_s = unit_mm_s / PIECE_RADIUS_MM
    tumbling_rad_s = rim_mm_s / PIECE_RADIUS_MM
    most_rad = most_lean_rad(model, unit_mm_s)
    leant_rad, kept_rad_s = throng(tumbling_rad_s, most_rad)
    in_throng = share_in_throng(tumbling_rad_s, most_rad)
    twist = model.twist * _long_tailed(np.array([throw.twist]))
    spin = twist + own_spin(throw, model.twist_scatter)
    lean, on, aside = np.array([(c.lean, c.swing_on, c.swing_aside) for c in throw.chances]).T
    relative_lean = 1 + model.lean_sd * throw.lean + model.lean_scatter * lean
    lean_rad = leant_rad * relative_lean / straightening(spin)
    swing = swinging(spin, in_throng) * _wild_swinging(relative_speeds(up_mm_s))
    on = model.swing * throw.swing_on + model.swing_scatter * on
    aside = model.swing * throw.swing_aside + model.swing_scatter * aside
    return Turning(
        lean_rad=np.clip(np.abs(lean_rad), 0.0, math.pi),
        onward_rad_s=kept_rad_s + (onward(spin, in_throng) + swing * on) * unit_rad_s,
        sideways_rad_s=(sideways(spin) + swing * aside) * unit_rad_s,
        spin_rad_s=spin * unit_rad_s,
    )


def own_spin(throw: Throw, scale: float) -> Numbers:
    """Return what each of a throw's pieces spins of its own, in units of the scale's.

    Example:
        >>> from physics.thrower import PieceChance
        >>> throw = Throw(speed_mm_s=5000.0, chances=(PieceChance(), PieceChance(spin=-3.0)))
        >>> own_spin(throw, 0.1).round(2).tolist()
        [0.0, -0.76]
    """
    spin: Numbers = scale * _long_tailed(np.array([chance.spin for chance in throw.chances]))
    return spin


def most_lean_rad(model: LiftOff, unit_mm_s: Numbers) -> Numbers:
    """Return how far pieces may lean, by their unit of tumbling; shape (n,)."""
    most_rad: Numbers = model.lean_rad * (unit_mm_s / _USUAL_UNIT_MM_S) ** model.lean_by_tumbling
    return most_rad


def share_in_throng(tumbling_rad_s: Numbers, most_rad: Numbers) -> Numbers:
    """Return 1 for pieces that come as far as they may lean, down to 0 for what does not tumble."""
    share: Numbers = np.minimum(tumbling_rad_s * FREE_TUMBLING_S / most_rad, 1.0)
    return share


def throng(tumbling_rad_s: Numbers, most_rad: Numbers) -> tuple[Numbers, Numbers]:
    """Return how far pieces lean in a throng and how fast they then turn on, by their tumbling.

    Args:
        tumbling_rad_s: How fast they would tumble alone, shape (n,).
        most_rad: How far they may lean, shape (n,).

    Example:
        >>> lean, rate = throng(np.array([1.0, 100.0]), np.array([1.35, 1.35]))
        >>> lean.round(2), rate.round(1)
        (array([0.08, 1.35]), array([1., 0.]))
    """
    free = tumbling_rad_s * FREE_TUMBLING_S / most_rad
    stopped = (1 + free**_STOPPING) ** (1 / _STOPPING)
    return most_rad * free / stopped, tumbling_rad_s / stopped ** (_STOPPING + 1)


def straightening(spin: Numbers) -> Numbers:
    """Return by which factor pieces lean less that spin: they have swung back.

    In both engines 1.1 to 1.2 for spins, over the unit, of .25, 1.9 at .55, 2.3 at .8.
    """
    factor: Numbers = np.hypot(1, spin / _STRAIGHTENING)
    return factor


def onward(spin: Numbers, in_throng: Numbers) -> Numbers:
    """Return what pieces turn on besides, over the unit: less if they spin.

    In both engines .03 less .1 at .2, .24 at .37, .35 at .55, .4 at .8.

    Args:
        spin: Over the unit.
        in_throng: See `share_in_throng`.
    """
    result: Numbers = in_throng * _ONWARD - 0.5 * np.minimum(np.abs(spin), 0.8)
    return result


def sideways(spin: Numbers) -> Numbers:
    """Return how fast their axes go aside, in the sense of precession, over the unit.

    In both engines .02 to .08 for spins of .015 to .05, .14 at .1, .22 at .16, .31 at .25, .36 at
    .37, .35 at .55 and beyond.
    """
    result: Numbers = -np.clip(1.25 * spin, -0.36, 0.36)
    return result


def swinging(spin: Numbers, in_throng: Numbers) -> Numbers:
    """Return how much more than others a piece turns at random that spins, and is in the throng.

    In both engines 1 without spin, 1.7 at .37, 2.1 at .55; less the less it is stopped.
    """
    more: Numbers = in_throng * (1 + 2 * np.abs(spin))
    return more


def _wild_swinging(relative: Numbers) -> Numbers:
    """Return how much more than others a piece turns at random, by its relative speed.

    In both engines 1 up to 2, 1.5 at 2.4, 3 at 3.8.
    """
    return np.maximum(1.0, 1.0 + 1.1 * (relative - 1.9))


def _long_tailed(chance: Numbers) -> Numbers:
    along: Numbers = long_tailed(chance, np.zeros_like(chance), SCATTER_TAIL)[0]
    return along
