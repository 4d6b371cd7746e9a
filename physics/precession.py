"""Discs in free flight: how far one that tumbles and spins has turned over when it comes down.

The axis of a free body of revolution goes round its angular momentum at a constant rate and angle
(Landau and Lifshitz, Mechanics, section 33). So a disc that spins besides tumbling swings back
before it has turned over: the less far, the more it spins.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.pieces import PIECE_RADIUS_MM
from physics.units import GRAVITY_MM_S2

Numbers = NDArray[np.float64]

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
