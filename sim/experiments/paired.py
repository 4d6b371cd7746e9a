"""Paired comparisons: the same trials in several cases, and the differences that follow.

Trial i is run in every case with the same random numbers (common random numbers), so that luck is
shared, and differences are surer than the estimates of either case. `PairedCounts` of a case are
sums and sums of products with each other case, which are whole numbers and add up in any order.

Answers follow from the sums: `fit_paired_curve` is the curve through the means of all cases,
`difference` compares two of them, `swing` gives the effect of one assumption. All intervals are of
95 %.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Self

import numpy as np
import numpy.typing as npt

from pucklab.base.facts import fact
from pucklab.physics.scene import MAX_STACK
from pucklab.physics.tally import Counts, SlamCounts, per_trial
from pucklab.sim.experiments.curve import Curve, fit_curve, number_distances
from pucklab.sim.experiments.estimates import Z_95

_Counts = npt.NDArray[np.int64]
_Vector = npt.NDArray[np.float64]

_POWER_80 = NormalDist().inv_cdf(0.8)
_ROUNDING = 1e-6
"""Of an eigenvalue."""


@fact
class PairedCounts(SlamCounts):
    """Sums over trials of one of k cases, and of its products with each case, for m measures."""

    sums: tuple[int, ...] = per_trial(MAX_STACK, low=-MAX_STACK)
    """(m,); each measure, summed over trials."""
    products: tuple[tuple[int, ...], ...] = per_trial(MAX_STACK**2, low=-(MAX_STACK**2))
    """(m, k); times the same measure in each case."""
    wins: tuple[int, ...]  # (k,); trials in which the first measure is higher than in each case
    flips: tuple[int, ...] = ()  # (n + 1,); trials by the first measure; none in older files

    def agrees(self) -> bool:
        """True if every trial is counted once among the flips."""
        return not self.flips or sum(self.flips) == self.counted

    def __add__(self, other: Self) -> Self:
        """Return the counts of both sets of trials; without flips if one has none."""
        own = self
        if bool(self.flips) != bool(other.flips):
            own, other = replace(self, flips=()), replace(other, flips=())
        return self.total((own, other))

    def check(self, before: Sequence[Self] = ()) -> None:
        """Check that the counts of all cases can be of the same trials; see `Counts.check`."""
        Counts.check(self, before)
        place, rows = len(before), [*before, self]
        sizes = {len(part) for own in rows for part in (own.wins, *own.products)}
        if (
            len(sizes) > 1
            or len({len(part) for own in rows for part in (own.sums, own.products)}) > 1
        ):
            raise ValueError("they are of other numbers of cases")
        both = paired_tally(rows)
        products, sums = both.products[:, :, : place + 1], both.sums.astype(float)
        # Of the values of all cases in a trial, no combination has a variance below 0.
        covariance = both.trials * products - sums[:, :, None] * sums[:, None, :]
        agree = (
            np.array_equal(products, products.transpose(0, 2, 1))
            and (np.linalg.eigvalsh(covariance) >= -_ROUNDING * both.trials**2).all()
            and all(self.wins[n] + own[place] <= both.trials for n, own in enumerate(both.wins))
        )
        if not agree:
            raise ValueError("they contradict each other or those of earlier rows")


@fact(eq=False)
class PairedTally:
    """Sums over trials that were run in each of k cases, for m measures."""

    trials: int
    sums: _Counts  # (m, k)
    products: _Counts  # (m, k, k)
    wins: _Counts  # (k, k)
    flips: Sequence[tuple[int, ...]]  # of each case

    def only(self, cases: Sequence[int]) -> "PairedTally":
        """Return the sums over some cases, in another order."""
        pick = np.ix_(cases, cases)
        return PairedTally(
            trials=self.trials,
            sums=self.sums[:, cases],
            products=self.products[:, pick[0], pick[1]],
            wins=self.wins[pick],
            flips=[self.flips[case] for case in cases],
        )

    def means(self, measure: int) -> _Vector:
        """Return the mean of a measure in each case; shape (k,)."""
        return np.asarray(self.sums[measure] / self.trials)

    def covariance(self, measure: int) -> _Vector:
        """Return the unbiased covariance of a measure between cases, for one trial; shape (k, k).

        At least two trials are needed.
        """
        # In whole numbers until the division, so that nothing is lost where variances are small.
        sums, n = self.sums[measure].astype(object), self.trials
        centred = self.products[measure].astype(object) * n - np.outer(sums, sums)
        return np.asarray(centred, dtype=float) / (n * (n - 1))


def paired_counts(values: _Counts, most: int = 0) -> list[PairedCounts]:
    """Return the counts of each case.

    Args:
        values: Shape (m, trials, k); each measure in each trial and case.
        most: Highest value of the first measure; 0 to keep none of its counts.

    Example:
        >>> values = np.array([[[2, 1], [0, 1]], [[1, 1], [0, 1]]])
        >>> first, second = paired_counts(values)
        >>> first.sums, first.products, first.wins
        ((2, 1), ((4, 2), (1, 1)), (0, 1))
    """
    _, trials, k = values.shape
    sums = values.sum(axis=1).tolist()
    products = np.einsum("mti,mtj->mij", values, values).tolist()
    wins = (values[0][:, :, None] > values[0][:, None, :]).sum(axis=0).tolist()
    return [
        PairedCounts(
            trials=trials,
            sums=tuple(own[case] for own in sums),
            products=tuple(tuple(own[case]) for own in products),
            wins=tuple(wins[case]),
            flips=tuple(np.bincount(values[0][:, case], minlength=most + 1).tolist())
            if most
            else (),
        )
        for case in range(k)
    ]


def paired_tally(counts: Sequence[PairedCounts]) -> PairedTally:
    """Return the sums of all cases together."""
    return PairedTally(
        trials=counts[0].counted,
        sums=np.array([own.sums for own in counts]).T,
        products=np.array([own.products for own in counts]).transpose(1, 0, 2),
        wins=np.array([own.wins for own in counts]),
        flips=[own.flips for own in counts],
    )


@fact
class Difference:
    """Difference of a measure between two cases, first less second.

    Attributes:
        value: Mean difference per throw, drawn towards 0; see `curve`.
        low: Lower end of its interval.
        high: Upper end.
        better: Probability that the first case's true mean is the higher one.
        wins: Share of throws in which the first case flips more.
        losses: Share in which the second does.
        trials: Throws so far.
        needed: Throws that would tell the cases apart with probability 80 %, if the true difference
            were the one found; None if it is 0.
    """

    value: float
    low: float
    high: float
    better: float
    wins: float
    losses: float
    trials: int
    needed: int | None

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0."""
        return self.low > 0 or self.high < 0


def fit_paired_curve(
    tally: PairedTally, measure: int, distances: npt.ArrayLike, z: float = Z_95
) -> Curve:
    """Return the curve through the means of all cases.

    Args:
        tally: At least two trials.
        measure: Index of the measure.
        distances: Of the cases, and of more places, as `fit_curve` takes them.
        z: Quantile of 95 % intervals; `Z_DECIDED` if the run ended when the order was clear.
    """
    means = tally.means(measure).tolist()
    trials = [tally.trials] * len(means)
    return fit_curve(np.asarray(distances), means, tally.covariance(measure), trials, z)


def difference(
    tally: PairedTally, curve: Curve, first: int, second: int, measure: int
) -> Difference:
    """Compare two cases.

    Args:
        tally: The trials.
        curve: The one through their means.
        first: Index of a case.
        second: Index of another one.
        measure: Index of the measure.

    Example:
        >>> flips = np.array([[2, 1], [1, 1], [3, 1], [2, 2]])
        >>> tally = paired_tally(paired_counts(flips[None]))
        >>> curve = fit_paired_curve(tally, 0, number_distances([4.0, 8.0]))
        >>> found = difference(tally, curve, 0, 1, measure=0)
        >>> 0 < found.value < 0.75, found.wins, found.losses
        (True, 0.5, 0.0)
    """
    covariance, found = tally.covariance(measure), curve.gap(first, second)
    apart = float(covariance[first, first] + covariance[second, second])
    paired = max(0.0, apart - 2 * float(covariance[first, second]))
    needed = math.ceil(paired * ((Z_95 + _POWER_80) / found.value) ** 2) if found.value else None
    return Difference(
        value=found.value,
        low=found.value - Z_95 * found.error,
        high=found.value + Z_95 * found.error,
        better=found.better,
        wins=int(tally.wins[first, second]) / tally.trials,
        losses=int(tally.wins[second, first]) / tally.trials,
        trials=tally.trials,
        needed=needed,
    )


@fact
class Swing:
    """Effect of one assumption, moved from its value to either side.

    Attributes:
        name: The assumption's field.
        values: Its lower, own and upper value.
        below: Difference of the measure at the lower value to that at its own.
        above: The same at the upper value.
        across: Difference of the measure at the upper value to that at the lower.
        per_unit: The same per unit of the assumption.
        per_unit_low: Lower end of the interval of that.
        per_unit_high: Upper end.
    """

    name: str
    values: tuple[float, float, float]
    below: Difference
    above: Difference
    across: Difference
    per_unit: float
    per_unit_low: float
    per_unit_high: float

    @property
    def largest(self) -> Difference:
        """Greatest change: to either side, or between the two."""
        return max(self.across, self.below, self.above, key=lambda change: abs(change.value))


def swing(
    name: str, values: tuple[float, float, float], tally: PairedTally, lower: int, measure: int
) -> Swing:
    """Return the effect of an assumption.

    Args:
        name: Its field.
        values: Its lower, own and upper value.
        tally: Trials; case 0 has the assumption's own value.
        lower: Index of the case with the lower value; the next one has the upper.
        measure: Index of the measure.
    """
    # All cases are one sum: the three of an assumption are taken out of it.
    own, at = tally.only([lower, 0, lower + 1]), [*values]
    curve = fit_paired_curve(own, measure, number_distances(at, name))
    below, above, across = (
        difference(own, curve, *pair, measure) for pair in ((0, 1), (2, 1), (2, 0))
    )
    span = values[2] - values[0]
    return Swing(
        name=name,
        values=values,
        below=below,
        above=above,
        across=across,
        per_unit=across.value / span,
        per_unit_low=across.low / span,
        per_unit_high=across.high / span,
    )
