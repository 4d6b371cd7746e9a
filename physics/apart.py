"""How the pieces of a stack are turned when they have come apart: what two 3-D engines share.

Pieces thrown up in a throng tumble on, most of them the same way, until they stand side by side at
some 75 degrees; there they hold each other up, and what they turn by then is hardly more than what
that leaves to chance. Those that tumble so slowly that they do not come that far turn on as they
did; those that spin much about their axes have swung back. After that each flies freely.
"""

import math

import numpy as np

from physics.flightlaws import (
    SCATTER_TAIL,
    Numbers,
    long_tailed,
    own_tumbling_unit_mm_s,
    relative_speeds,
)
from physics.materials import LiftOff
from physics.pieces import PIECE_RADIUS_MM
from physics.precession import Turning
from physics.scene import Scene
from physics.thrower import Throw

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
