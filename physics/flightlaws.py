"""How pieces leave a slam in 3-D: laws that two engines share, read off their pucks at 12 ms.

What the pieces of a stack then do to each other, for some 60 ms more, is in `physics.apart`.

A piece's relative speed, here, is its vertical speed over the mean of the stack's pieces.

A stack is carried off at a pace that goes with the slammer's energy, whatever the vertical speeds
of that throw; of a throw's pieces, the faster rise, the more of it they have. Tumbling goes with
the root of the throw's mean vertical speed. Pieces much faster than the mean, the uppermost, go
their own ways. All of it was read off stacks of 2 to 20 of the rulebook's pucks, thrown at by 3 to
24 g at 3 to 7 m/s, with restitution .5 and friction .35; how it goes with those is not known.
"""

import numpy as np
from numpy.typing import NDArray

from physics.plane import is_knock_out
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
