"""How the stack's pieces leave a slam in 3-D: what the lift-off's constants are read off.

At 12 ms the pieces have come apart. Each engine gives their velocities, tumbling and spin then;
over a piece's vertical speed, or its root, these are alike in all cells.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.reference3d import ImpactEnd
from physics import Throw
from physics.liftoff import DRIFTING_MM_S, TUMBLING_UNIT_MM_S
from physics.pieces import PIECE_RADIUS_MM
from physics.plane import face_normal

_FAST_MM_S = 1500.0
"""Pieces that rise faster may reach the walls: theirs are the horizontal velocities that count."""

_RISING_MM_S = 400.0
"""Slower pieces do not turn over."""

_FEWEST = 2
_HALF_NORMAL_MEDIAN = 0.6745
_NORMAL_QUARTILES = 1.349
"""Between the quartiles of a normal distribution of unit scatter; the pieces' has long tails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Departures:
    """The constants of `physics.LiftOff` that are read off 3-D states; there is what each means.

    Attributes:
        carry: Of the slammer's way.
        uphill: Of its tilt, for velocities.
        drift: Of all pieces alike, for velocities.
        scatter: Of each piece.
        downhill: Of the tilt, for tumbling.
        roll: Of all pieces alike, for tumbling.
        tumble_scatter: Of each piece.
        spin_ratio: Spin over tumbling.
        throws: How many throws have two pieces or more that rise fast enough.
    """

    carry: float
    uphill: float
    drift: float
    scatter: float
    downhill: float
    roll: float
    tumble_scatter: float
    spin_ratio: float
    throws: int


def measure_departures(slams: Iterable[tuple[Throw, ImpactEnd]]) -> Departures:
    """Read the constants off slams of stacks.

    Args:
        slams: Throws, and how their pieces left: the stack's from the floor up, then the slammer.

    Raises:
        ValueError: Hardly a piece rises.
    """
    moved, tumbled = _Vectors(), _Vectors()
    spins: list[float] = []
    for throw, end in slams:
        pieces = len(throw.chances)
        up = end.velocity_mm_s[:pieces, 2]
        tilt = np.array(face_normal(throw)[:2])
        way = np.array([math.sin(throw.descent_rad), 0.0])
        fast = up > _FAST_MM_S
        moved.add(end.velocity_mm_s[:pieces, :2][fast], up[fast] + DRIFTING_MM_S, (way, -tilt))
        turning = end.tumble_rad_s[:pieces]
        rim = np.column_stack((turning[:, 1], -turning[:, 0])) * PIECE_RADIUS_MM
        place = np.arange(pieces)
        # The lowest piece tips about its rim, and is not one of them.
        rising = (up > _RISING_MM_S) & (place > 0)
        tumbled.add(rim[rising], np.sqrt(TUMBLING_UNIT_MM_S * up[rising]), (tilt,))
        rate = np.linalg.norm(turning, axis=1)
        spins += (np.abs(end.spin_rad_s[:pieces]) / rate)[rising].tolist()
    (carry, uphill), drift, scatter = moved.fit()
    (downhill,), roll, tumble_scatter = tumbled.fit()
    return Departures(
        carry=carry,
        uphill=uphill,
        drift=drift,
        scatter=scatter,
        downhill=downhill,
        roll=roll,
        tumble_scatter=tumble_scatter,
        spin_ratio=float(np.median(spins)) / _HALF_NORMAL_MEDIAN,
        throws=len(moved.means),
    )


class _Vectors:
    """Horizontal vectors of the pieces of throws, in units of each piece's own."""

    def __init__(self) -> None:
        self.means: list[NDArray[np.float64]] = []
        self._causes: list[tuple[NDArray[np.float64], ...]] = []
        self._about_mean: list[NDArray[np.float64]] = []

    def add(
        self,
        vectors: NDArray[np.float64],
        units: NDArray[np.float64],
        causes: tuple[NDArray[np.float64], ...],
    ) -> None:
        """Add the pieces of a throw, shapes (n, 2) and (n,), and what their mean may come of."""
        if len(units) < _FEWEST:
            return
        mean = vectors.sum(axis=0) / units.sum()
        self.means.append(mean)
        self._causes.append(causes)
        self._about_mean.append(vectors / units[:, np.newaxis] - mean)

    def fit(self) -> tuple[list[float], float, float]:
        """Return the share of each cause, and the scatter per axis of means and about them."""
        if len(self.means) < _FEWEST:
            raise ValueError("slams: none in which two pieces rise")
        means = np.concatenate(self.means)
        causes = np.concatenate([np.column_stack(each) for each in self._causes])
        shares, *_ = np.linalg.lstsq(causes, means, rcond=None)
        about = np.concatenate(self._about_mean)
        return (
            shares.tolist(),
            float((means - causes @ shares).std()),
            float(np.subtract(*np.quantile(about, (0.75, 0.25)))) / _NORMAL_QUARTILES,
        )
