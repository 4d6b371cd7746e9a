"""Simulated throws of a log's settings all over the ranges of the parameters, counted.

A design is points that fill the ranges; at each of them every setting is thrown some times, with
random numbers of their own, so that errors of different points are independent.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from calibration.designs import Floats, design_points
from calibration.throws.log import RealThrow, Setting, simulate_throw
from calibration.throws.space import FreeParameter, ends_of, set_parameters
from physics import Arena, ParameterSet
from physics.facts import fact
from physics.tally import Counts, per_trial

STATISTICS = (
    "flips per throw",
    "share of throws that flip any",
    "out per throw",
    "share of throws with any out",
    "mean distance, mm",
)

POINTS = 128
"""Points of a design: six times the terms of a quadratic polynomial of five parameters."""

_UM = 1000
_FARTHEST_UM = 1_000_000  # beyond the corners of the box
_TRIALS_APART = 1_000_000


@fact
class Moments(Counts):
    """Sums of `STATISTICS` over throws, and of their products by twos; distances in whole um."""

    sums: tuple[int, ...] = per_trial(_FARTHEST_UM)
    products: tuple[tuple[int, ...], ...] = per_trial(_FARTHEST_UM**2)

    def agrees(self) -> bool:
        """True if the shares are those of some throws, and no variance is below 0."""
        both = enumerate(zip(self.sums, self.products, strict=True))
        return max(self.sums[1], self.sums[3]) <= self.trials and all(
            total**2 <= self.trials * products[k] for k, (total, products) in both
        )


@fact
class PointSubject:
    """A setting at a point of a design."""

    setting: Setting
    parameters: ParameterSet
    number: int  # of all points and settings: its random numbers are its own


def levels_of(throws: Sequence[RealThrow]) -> Floats:
    """Return `STATISTICS` of each throw, shape (N, 5); NaN for a distance that nobody measured.

    Pucks of a throw that left none inside count as at the wall.
    """
    wall_mm = Arena().half_side_mm

    def distance_mm(throw: RealThrow) -> float | None:
        return wall_mm if throw.out == throw.setting.pucks else throw.distance_mm

    rows = [(t.flipped, t.flipped > 0, t.out, t.out > 0, distance_mm(t)) for t in throws]
    return np.array(rows, dtype=np.float64).reshape(-1, len(STATISTICS))


def moments_of(levels: Floats) -> Moments:
    """Return the sums of throws whose distances are all known.

    Example:
        >>> moments_of(np.array([[2.0, 1, 0, 0, 40.5], [0, 0, 1, 1, 50]])).sums
        (2, 1, 1, 1, 90500)
    """
    whole = np.rint(levels * [1, 1, 1, 1, _UM]).astype(np.int64)
    products = (whole[:, :, np.newaxis] * whole[:, np.newaxis, :]).sum(axis=0)
    return Moments(
        trials=len(whole),
        sums=tuple(whole.sum(axis=0).tolist()),
        products=tuple(map(tuple, products.tolist())),
    )


def throw_at_point(subject: PointSubject, seed: int, first: int, count: int) -> Moments:
    """Simulate some trials of a setting at a point, and count them."""
    begin = _TRIALS_APART * subject.number + first
    return moments_of(
        levels_of(
            [
                simulate_throw(subject.setting, subject.parameters, seed, trial)
                for trial in range(begin, begin + count)
            ]
        )
    )


def design(space: Sequence[FreeParameter], seed: int) -> Floats:
    """Return `POINTS` points that fill the ranges evenly; shape (POINTS, 5)."""
    return design_points(*ends_of(space), POINTS, seed)


def point_subjects(
    settings: Sequence[Setting],
    base: ParameterSet,
    space: Sequence[FreeParameter],
    points: Floats,
    first: int = 0,
) -> Iterator[PointSubject]:
    """Yield what to simulate, setting by setting; ``first`` is the number of the first one."""
    for place, setting in enumerate(settings):
        for index, point in enumerate(points):
            yield PointSubject(
                setting=setting,
                parameters=set_parameters(base, space, point),
                number=first + place * len(points) + index,
            )


def moments_arrays(tallies: Sequence[Moments]) -> tuple[Floats, Floats, Floats]:
    """Return throws (P,), sums (P, 5) and products (P, 5, 5) with distances in mm."""
    scale = np.array([1, 1, 1, 1, 1 / _UM])
    return (
        np.array([tally.trials for tally in tallies], dtype=np.float64),
        np.array([tally.sums for tally in tallies], dtype=np.float64) * scale,
        np.array([tally.products for tally in tallies], dtype=np.float64) * np.outer(scale, scale),
    )
