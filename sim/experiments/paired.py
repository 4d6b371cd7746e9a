"""Paired comparisons: the same trials in several cases, and the differences that follow.

Trial i is run in every case with the same random numbers (common random numbers), so that luck is
shared, and differences are surer than the estimates of either case. `PairedCounts` of a case are
sums and sums of products with each other case, which are whole numbers and add up in any order.

Answers follow from the sums: `difference` compares two cases; `best_value` fits a response surface
to the cases of a sweep and finds its highest point; `swing` gives the effect of one assumption. All
intervals are of 95 %.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Self

import numpy as np
import numpy.typing as npt

from pucklab.base.facts import fact
from pucklab.physics.scene import MAX_STACK
from pucklab.physics.tally import Counts, SlamCounts, per_trial
from pucklab.sim.experiments.estimates import Z_95

_Counts = npt.NDArray[np.int64]
_Vector = npt.NDArray[np.float64]

_POWER_80 = NormalDist().inv_cdf(0.8)
_LEAST_FIT = 0.01
"""A polynomial is taken if a misfit as large as its own has at least this probability."""

_WIDE = 4
"""Ratio of the ends of a range from which on the curve is fitted over the logarithm."""

_ROUNDING = 1e-6
"""Of an eigenvalue."""

_DRAWS = 1000
"""Curves drawn for the interval of a best value."""

_FINE = 201
"""Points of a curve in plots."""


@fact
class PairedCounts(SlamCounts):
    """Sums over trials of one of k cases, and of its products with each case, for m measures."""

    sums: tuple[int, ...] = per_trial(MAX_STACK, low=-MAX_STACK)
    """(m,); each measure, summed over trials."""
    products: tuple[tuple[int, ...], ...] = per_trial(MAX_STACK**2, low=-(MAX_STACK**2))
    """(m, k); times the same measure in each case."""
    wins: tuple[int, ...]  # (k,); trials in which the first measure is higher than in each case

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


def paired_counts(values: _Counts) -> list[PairedCounts]:
    """Return the counts of each case.

    Args:
        values: Shape (m, trials, k); each measure in each trial and case.

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
    )


@fact
class Difference:
    """Difference of a measure between two cases, first less second.

    Attributes:
        value: Mean difference per throw.
        low: Lower end of its interval.
        high: Upper end.
        better: Probability that the first case's true mean is the higher one, from the normal
            distribution of the difference, with every difference equally likely beforehand.
        wins: Share of throws in which the first case flips more.
        losses: Share in which the second does.
        trials: Throws so far.
        needed: Throws that would tell the cases apart with probability 80 %, if the true difference
            were the one found; None if it is 0.
        factor: Ratio of the throws that an unpaired comparison would need to these.
    """

    value: float
    low: float
    high: float
    better: float
    wins: float
    losses: float
    trials: int
    needed: int | None
    factor: float

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0."""
        return self.low > 0 or self.high < 0


def difference(
    tally: PairedTally, first: int, second: int, measure: int, z: float = Z_95
) -> Difference:
    """Compare two cases of at least two trials.

    Args:
        tally: The trials.
        first: Index of a case.
        second: Index of another one.
        measure: Index of the measure.
        z: Quantile of 95 % intervals; `Z_DECIDED` if the run ended when the order was clear.

    Example:
        >>> flips = np.array([[2, 1], [1, 1], [3, 1], [2, 2]])
        >>> found = difference(paired_tally(paired_counts(flips[None])), 0, 1, measure=0)
        >>> found.value, found.wins, found.losses
        (0.75, 0.5, 0.0)
    """
    means, covariance = tally.means(measure), tally.covariance(measure)
    value = float(means[first] - means[second])
    apart = float(covariance[first, first] + covariance[second, second])
    paired = max(0.0, apart - 2 * float(covariance[first, second]))
    error = math.sqrt(paired / tally.trials)
    better = 0.5 + 0.5 * float(np.sign(value))
    if error:
        better = NormalDist().cdf(value / (error * z / Z_95))
    needed = math.ceil(paired * ((Z_95 + _POWER_80) / value) ** 2) if value else None
    return Difference(
        value=value,
        low=value - z * error,
        high=value + z * error,
        better=better,
        wins=int(tally.wins[first, second]) / tally.trials,
        losses=int(tally.wins[second, first]) / tally.trials,
        trials=tally.trials,
        needed=needed,
        factor=apart / paired if paired else math.inf,
    )


@fact
class BestValue:
    """The case where a response surface is highest, and the plateau of cases as good as it.

    Attributes:
        x: Value of the number in the best case.
        plateau: Indices of the cases that no other one is clearly better than.
        heights: Height of the surface in each case.
        y: Height of the surface there.
        y_error: Standard error of the height in the best case.
        degree: Degree of the polynomial.
        fit: Probability of a misfit at least as large, if the polynomial were the truth.
        curve_x: Shape (201,); values along the range.
        curve: Shape (201,); the surface there.
        curve_low: Shape (201,); lower ends of its intervals.
        curve_high: Shape (201,); upper ends.
    """

    x: float
    plateau: tuple[int, ...]
    heights: _Vector
    y: float
    y_error: float
    degree: int
    fit: float
    curve_x: _Vector
    curve: _Vector
    curve_low: _Vector
    curve_high: _Vector


def best_value(
    x: Sequence[float], tally: PairedTally, measure: int, rng: np.random.Generator
) -> BestValue:
    """Fit a response surface to paired cases, and find in which of them it is highest.

    The surface is the polynomial of lowest degree, from 2 on, that fits (Box and Wilson, J. R.
    Stat. Soc. B 13 (1951) 1), or that through all means. Errors of the cases have common parts, as
    all cases are thrown alike: the fit weighs them by their covariance (generalised least squares;
    Schruben and Margolin, J. Am. Stat. Assoc. 73 (1978) 504), and the misfit is judged by
    Hotelling's T-squared.

    The plateau has all cases that no other one exceeds by more than the standard error of the
    highest one, and by chance: by the 95 % quantile of the largest difference, in its standard
    errors, of surfaces drawn from the fit's distribution. So it holds every best case with at least
    that probability, all cases of a level surface included (multiple comparisons with the best,
    Hsu, Ann. Stat. 12 (1984) 1136).

    Args:
        x: Value of the number in each case; at least 4, rising.
        tally: Trials, more than there are cases.
        measure: Index of the measure.
        rng: Draws the surfaces.
    """
    # Over a wide range a power law is smoother than a line: 2 to 4 g changes more than 22 to 24 g.
    is_wide = min(x) > 0 and max(x) >= _WIDE * min(x)
    places = np.log(x) if is_wide else np.asarray(x, dtype=float)
    low, high = float(places[0]), float(places[-1])
    means = tally.means(measure)
    covariance = tally.covariance(measure)
    # A case whose throws are all alike is no perfect measurement: the next may differ by one.
    covariance += np.diag(np.maximum(0.0, 1 / tally.trials - covariance.diagonal()))
    covariance /= tally.trials
    # A small ridge keeps the covariance of cases that share all their luck invertible.
    covariance += np.eye(len(x)) * (1e-6 * float(np.trace(covariance)) / len(x) + 1e-12)
    scaled = (2 * places - low - high) / (high - low)
    for degree in range(2, len(x)):
        basis = _rows(scaled, degree)  # (k, degree + 1)
        found, spread, fit = _fit(basis, means, covariance, tally.trials)
        if fit >= _LEAST_FIT:
            break
    heights, covariances = basis @ found, basis @ spread @ basis.T  # (k,), (k, k)
    peak, variance = int(np.argmax(heights)), covariances.diagonal()
    # Standard errors of all differences; any will do for that of a case to itself.
    errors = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariances, 1e-18))
    drawn = rng.standard_normal((_DRAWS, len(found))) @ np.linalg.cholesky(spread).T @ basis.T
    largest = ((drawn[:, :, None] - drawn[:, None]) / errors).max(axis=(1, 2))
    # Shortfall of each case from each other, beyond the error of the best one's height.
    error = math.sqrt(float(variance[peak]))
    shortfall = heights - heights[:, None] - error
    alike = np.flatnonzero((shortfall / errors).max(axis=1) <= np.quantile(largest, 0.95))
    fine = np.linspace(-1, 1, _FINE)
    rows = _rows(fine, degree)  # (fine, degree + 1)
    curve_x = low + (high - low) * (fine + 1) / 2
    curve, half = rows @ found, Z_95 * np.sqrt(np.einsum("ij,jk,ik->i", rows, spread, rows))
    return BestValue(
        x=float(x[peak]),
        plateau=tuple(alike.tolist()),
        heights=heights,
        y=float(heights[peak]),
        y_error=error,
        degree=degree,
        fit=fit,
        curve_x=np.exp(curve_x) if is_wide else curve_x,
        curve=curve,
        curve_low=curve - half,
        curve_high=curve + half,
    )


def _rows(scaled: _Vector, degree: int) -> _Vector:
    """Return Chebyshev polynomials of degrees 0 to ``degree`` at points from -1 to 1."""
    return np.asarray(np.polynomial.chebyshev.chebvander(scaled, degree), dtype=np.float64)


def _fit(
    basis: _Vector, means: _Vector, covariance: _Vector, trials: int
) -> tuple[_Vector, _Vector, float]:
    """Return the coefficients of a fit, their covariance, and the probability of its misfit."""
    from scipy.linalg import cho_factor, cho_solve
    from scipy.stats import f

    factor = cho_factor(covariance)
    spread = np.linalg.inv(basis.T @ cho_solve(factor, basis))
    found = spread @ basis.T @ cho_solve(factor, means)
    rest = means - basis @ found
    freedom = len(means) - basis.shape[1]
    if freedom == 0:
        return found, spread, 1.0
    squared = float(rest @ cho_solve(factor, rest))  # Hotelling's T-squared
    scale = (trials - freedom) / (freedom * (trials - 1))
    # The weights are estimates, too, which widens the spread: Rao, Proc. 5th Berkeley Symp. 1
    # (1967) 355.
    spread *= (1 + squared / (trials - 1)) * (trials - 1) / (trials - 1 - freedom)
    return found, spread, float(f.sf(squared * scale, freedom, trials - freedom))


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
    across, span = difference(tally, lower + 1, lower, measure), values[2] - values[0]
    return Swing(
        name=name,
        values=values,
        below=difference(tally, lower, 0, measure),
        above=difference(tally, lower + 1, 0, measure),
        across=across,
        per_unit=across.value / span,
        per_unit_low=across.low / span,
        per_unit_high=across.high / span,
    )
