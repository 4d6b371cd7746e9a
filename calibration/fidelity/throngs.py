"""Lean, turn and spin of a stack's pieces in 3-D, 80 ms after the start of a slam.

80 ms after a slam began each engine gives how its pieces lean, turn and spin; in the units of
`physics.plane.flight_laws` these are alike in all cells.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.reference3d import ImpactEnd
from physics import Scene
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import (
    most_lean_rad,
    onward,
    own_tumbling_unit_mm_s,
    relative_speeds,
    share_in_throng,
    sideways,
    straightening,
    swinging,
    throng,
)

Numbers = NDArray[np.float64]

_AT_WALL_MM = PIECE_RADIUS_MM + 5.0
_LIKE_OTHERS = 2.0
"""Pieces of a larger relative speed go their own ways."""

_HELD = 0.5
"""What would have turned so much of how far it may lean has met others by now."""

_FEWEST = 2
_MEDIAN_SPIN = 0.702
"""Median of a t distribution of three degrees of freedom as `long_tailed` makes it of a normal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Throngs:
    """The constants of `physics.LiftOff` that are read off these states; there is what each means.

    Attributes:
        lean_rad: How far pieces lean that are stopped.
        lean_by_tumbling: Of the unit of tumbling.
        lean_sd: Of the throws.
        lean_scatter: Of the pieces of a throw.
        swing: Of the throws.
        swing_scatter: Of the pieces of a throw.
        twist: Of the throws.
        twist_scatter: Of the pieces of a throw.
        throws: How many throws have two pieces that are in the air by then.
    """

    lean_rad: float
    lean_by_tumbling: float
    lean_sd: float
    lean_scatter: float
    swing: float
    swing_scatter: float
    twist: float
    twist_scatter: float
    throws: int


def measure_throngs(slams: Iterable[tuple[Scene, ImpactEnd, ImpactEnd]]) -> Throngs:
    """Read the constants off slams of stacks.

    Args:
        slams: Scenes, and their bodies 12 and 80 ms after the start.

    Raises:
        ValueError: Hardly a piece is in the air.
    """
    leans: list[Numbers] = []
    swings: list[Numbers] = []
    spins: list[Numbers] = []
    stopped: list[Numbers] = []
    for scene, early, late in slams:
        pieces = len(scene.stack)
        up_mm_s = early.velocity_mm_s[:pieces, 2]
        # The walls turn what they stop; what is that far out by now has met one or is beside it.
        inside = (
            np.abs(late.middle_mm[:pieces, :2]).max(axis=1) < scene.arena.half_side_mm - _AT_WALL_MM
        )
        told = inside & (late.middle_mm[:pieces, 2] > PIECE_RADIUS_MM) & (up_mm_s > 0)
        told &= relative_speeds(up_mm_s) < _LIKE_OTHERS
        if told.sum() < _FEWEST:
            continue
        unit_mm_s = own_tumbling_unit_mm_s(scene, up_mm_s[told])
        spin = late.spin_rad_s[:pieces][told] * PIECE_RADIUS_MM / unit_mm_s
        lean, on, aside = _turning(late, np.flatnonzero(told))
        tumbling_rad_s = np.linalg.norm(early.tumble_rad_s[:pieces][told], axis=1)
        most_rad = most_lean_rad(scene.lift_off, unit_mm_s)
        leant, kept_rad_s = throng(tumbling_rad_s, most_rad)
        relative = lean * straightening(spin) / leant
        in_throng = share_in_throng(tumbling_rad_s, most_rad)
        size = swinging(spin, in_throng)
        onwards = (on - kept_rad_s) * PIECE_RADIUS_MM / unit_mm_s - onward(spin, in_throng)
        aways = aside * PIECE_RADIUS_MM / unit_mm_s - sideways(spin)
        held = in_throng > _HELD
        leans.append(relative[held])
        swings += [(onwards / size)[held], (aways / size)[held]]
        spins.append(spin)
        stopped.append(
            np.column_stack((np.log(unit_mm_s / 1000.0), np.log(relative * most_rad)))[held]
        )
    if len(leans) < _FEWEST:
        raise ValueError("slams: none in which two pieces are in the air after 80 ms")
    logarithms = np.concatenate(stopped)
    power = float(np.polyfit(logarithms[:, 0], logarithms[:, 1], 1)[0])
    level = float(np.median(logarithms[:, 1] - power * logarithms[:, 0]))
    lean_sd, lean_scatter = _spreads(leans)
    swing, swing_scatter = _spreads(swings)
    mean_spin = np.array([spin.mean() for spin in spins])
    own_spin = np.concatenate(
        [np.abs(spin - spin.mean()) / math.sqrt(1 - 1 / len(spin)) for spin in spins]
    )
    return Throngs(
        lean_rad=math.exp(level),
        lean_by_tumbling=power,
        lean_sd=lean_sd,
        lean_scatter=lean_scatter,
        swing=swing,
        swing_scatter=swing_scatter,
        twist=float(np.median(np.abs(mean_spin))) / _MEDIAN_SPIN,
        twist_scatter=float(np.median(own_spin)) / _MEDIAN_SPIN,
        throws=len(leans),
    )


def _turning(end: ImpactEnd, pieces: NDArray[np.int_]) -> tuple[Numbers, Numbers, Numbers]:
    """Return leans, rates onwards and rates aside of some pieces, shape (n,) each."""
    axis = end.normal[pieces]
    moving = np.cross(end.tumble_rad_s[pieces], axis)
    sine = np.maximum(np.hypot(axis[:, 0], axis[:, 1]), 0.05)
    aside = (axis[:, 0] * moving[:, 1] - axis[:, 1] * moving[:, 0]) / sine
    return np.arccos(np.clip(-axis[:, 2], -1.0, 1.0)), moving[:, 2] / sine, aside


def _spreads(groups: Sequence[Numbers]) -> tuple[float, float]:
    """Return the scatter of groups' means and that within them: one-way analysis of variance."""
    told = [group for group in groups if len(group) >= _FEWEST]
    sizes = np.array([len(group) for group in told])
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in told)
    within /= float(sizes.sum()) - len(told)
    means = np.array([group.mean() for group in told])
    middle = float((sizes * means).sum() / sizes.sum())
    between = float((sizes * (means - middle) ** 2).sum()) / (len(told) - 1)
    size = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(told) - 1)
    return math.sqrt(max(0.0, (between - within) / size)), math.sqrt(within)
