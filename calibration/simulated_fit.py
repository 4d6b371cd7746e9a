"""Fit by simulation: parameters of a model from mean statistics of real trials, with intervals.

Trials are simulated at points that fill the ranges of the parameters, then again at points around
the first optimum. Between the points each statistic is a Gaussian process (C. E. Rasmussen and C.
K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006, sections 2.2 and 5.4). A
normal synthetic likelihood (S. N. Wood, Nature 466 (2010) 1102) compares the statistics: its
covariance is the scatter of the real trials plus the error of the Gaussian process. The posterior
is a set of points weighted by it. `fit_by_simulation` does all of this.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Self

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.calibration.designs import design_points
from pucklab.physics.tally import Counts, per_trial

ROUNDS = 2
"""Designs: one in the whole ranges, one around the optimum of the first."""

_CANDIDATES = 4096
_ENOUGH, _TOO_FEW = 800.0, 100.0
"""Effective sample size that is aimed at, and that up to which no fit is trusted."""

_MOST_DRAWS = 6
_REACH = 3.0
"""Half of the width of the second design, in standard deviations of the first posterior."""

_TELLING_SHARE = 0.7
"""Width of an interval, as a share of the range, from which a parameter is not identified."""

_TELLING_KNOWN = 0.75
"""The same for a parameter with a prior, as a share of the prior's interval."""

Z_95 = 1.959963984540054

TRIALS_APART = 1_000_000
"""Random numbers of each subject: its number times these, and those that follow."""

_MICRO = 1_000_000
_LENGTHS = tuple(np.geomspace(0.7, 10.0, 8).tolist())
"""Lengths of a Gaussian process that are tried; the parameters' ranges are 2 wide."""

_RATIOS = np.geomspace(1e-5, 1e3, 65)
"""Ratios that are tried of the variance of a value and that of the process."""

_LEAST_DISPERSION = 0.05
_TIED_STATISTICS = 0.01
"""Share of a statistic's variance that no other one tells: some are equal in every trial."""


class Verdict(StrEnum):
    """Whether the data identify a parameter."""

    IDENTIFIED = "identified"
    TIED = "identified with the others only"
    """Its own interval is wide, but those that are so cannot all be at their defaults."""
    KEPT = "not identified"
    """Kept at its default, or at the nearest end of its interval."""
    MEASURED = "measured"
    DROPPED = "of drops, not of throws"
    """All speeds are those of dropped slammers: the thrower's is kept at its default."""


@fact
class FreeParameter:
    """One parameter to fit."""

    name: str  # the field in its section of a parameter file
    section: str = ""  # that section; empty for a nuisance
    label: str = ""  # name in reports
    unit: str = ""  # in reports
    scale: float = 1.0  # divisor of a value for that unit
    low: float  # ends of the search range
    high: float
    default: float  # value if the data do not identify it
    known_sd: float | None = None  # prior standard deviation around the default; None for none
    is_log: bool = False  # each order of magnitude is as likely as another

    def value(self, unit: Floats) -> Floats:
        """Return values at places in the range, from -1 to 1."""
        share = (unit + 1) / 2
        if self.is_log:
            return np.asarray(self.low * (self.high / self.low) ** share)
        return np.asarray(self.low + (self.high - self.low) * share)

    def with_prior(self, sd: float, least: float, most: float) -> Self:
        """Return the parameter with a normal prior, and a range of three standard deviations."""
        low, high = max(least, self.default - 3 * sd), min(most, self.default + 3 * sd)
        return replace(self, known_sd=sd, low=low, high=high)

    def place(self, value: float) -> float:
        """Return the place of a value; the inverse of `value`."""
        low, high, at = (np.log if self.is_log else np.array)([self.low, self.high, value])
        return float(2 * (at - low) / (high - low) - 1)


@fact
class FittedParameter:
    """Estimate of one parameter, in its own unit."""

    free: FreeParameter
    value: float
    low: float  # ends of the 95 % interval, over all values of the others
    high: float
    standard_error: float
    verdict: Verdict


@fact
class Sums(Counts):
    """Sums of the numbers of each trial, in whole millionths."""

    sums: tuple[int, ...] = per_trial(1000 * _MICRO, low=-1000 * _MICRO)

    @property
    def means(self) -> Floats:
        """Mean of each number."""
        return np.array(self.sums) / self.trials / _MICRO


def sums_of(levels: Floats) -> Sums:
    """Return the sums of trials; shape (N, K).

    Example:
        >>> sums_of(np.array([[2.0, 1], [0, 1]])).means.tolist()
        [1.0, 1.0]
    """
    return Sums(
        trials=len(levels),
        sums=tuple(np.rint(_MICRO * levels).astype(np.int64).sum(axis=0).tolist()),
    )


@fact(eq=False)
class Statistics:
    """The statistics that are compared, K of them."""

    names: tuple[str, ...]
    low: Floats  # (K,), least and greatest means
    high: Floats
    variance: Callable[[Floats, Floats], Floats]
    """Variance up to a factor, (..., K), by the means, (..., K), and the number of trials, (K,)."""


@fact(eq=False)
class Measured:
    """Statistics of the real trials of one setting: J of K, or combinations of them."""

    setting: Any  # it has a name for reports
    seen: Floats  # (J,)
    rows: Floats  # (J, K), of which each adds up to 1
    trials: Floats  # (K,), trials that tell it


@fact
class StatisticResidual:
    """Measured and fitted mean of one statistic of one setting."""

    setting: str  # its name
    statistic: str
    trials: int
    seen: float
    fitted: float
    standard_error: float  # of the mean over the trials, by the fit
    simulated_share: float  # of its square: due to the limited number of simulated trials

    @property
    def z_score(self) -> float:
        """Residual in standard errors."""
        return (self.seen - self.fitted) / self.standard_error


@fact(eq=False)
class Response:
    """Statistics of a setting as functions of the parameters: Gaussian processes, given P values.

    Their covariances are those of a squared exponential, by eigenvalues and vectors.
    """

    statistics: Statistics
    points: Floats  # (P, D)
    length: float
    vectors: Floats  # (P, P)
    centre: Floats  # (K,)
    pull: Floats  # (P, K), contributions of the eigenvectors to the means
    known: Floats  # (P, K), reductions of the variances by them
    variance: Floats  # (K,), of the processes
    dispersion: Floats  # (K,), variance of a statistic over that of `Statistics`
    correlation: Floats  # (K, K), of the statistics of the same trials

    def predict(self, unit: Floats) -> tuple[Floats, Floats]:
        """Return means and the variances of their errors; shapes (B, K) for (B, D)."""
        projected = _correlate(unit, self.points, self.length) @ self.vectors
        means = self.centre + projected @ self.pull  # Rasmussen and Williams (2.25), (2.26)
        errors = self.variance * np.maximum(1.0 - projected**2 @ self.known, 0.0)
        return np.clip(means, self.statistics.low, self.statistics.high), errors

    def compare(self, measured: Measured, unit: Floats) -> tuple[Floats, Floats, Floats]:
        """Return means of what was measured, and covariances of its scatter and of their errors.

        Shapes (B, J), (B, J, J) and (B, J, J) for (B, D).
        """
        means, errors = self.predict(unit)
        trials, rows = np.maximum(measured.trials, 1e-9), measured.rows
        own = np.sqrt(self.dispersion * self.statistics.variance(means, trials))
        # Statistics known in n and m of the same trials share the smaller number of them.
        shared = np.sqrt(np.minimum.outer(trials, trials) / np.maximum.outer(trials, trials))
        error = np.sqrt(errors)
        scatter = self.correlation * shared * own[:, :, np.newaxis] * own[:, np.newaxis]
        simulated = self.correlation * error[:, :, np.newaxis] * error[:, np.newaxis]
        return means @ rows.T, rows @ scatter @ rows.T, rows @ simulated @ rows.T


def _correlate(one: Floats, other: Floats, length: float) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(np.exp(cdist(one, other, "sqeuclidean") / (-2 * length**2)))


def fit_response(statistics: Statistics, points: Floats, values: Floats, trials: int) -> Response:
    """Return the response of a setting, by the greatest marginal likelihood.

    Args:
        statistics: The kinds of statistics, K of them.
        points: Shape (P, D).
        values: Shape (P, K); the statistics there.
        trials: Simulated trials at each point.
    """
    centre, each = values.mean(axis=0), np.full(values.shape[1], float(trials))
    least, found = math.inf, []
    for length in _LENGTHS:
        eigenvalues, vectors = np.linalg.eigh(_correlate(points, points, length))
        # Covariance variance (C + ratio 1); its best variance for each ratio is known.  (R, P)
        spread = np.maximum(eigenvalues, 1e-9) + _RATIOS[:, np.newaxis]
        variances = np.maximum((vectors.T @ (values - centre)).T ** 2 @ (1 / spread.T), 1e-9)
        variances /= len(points)
        # Twice the negative of (5.8), less a constant.  (K, R)
        misfits = len(points) * np.log(variances) + np.log(spread).sum(axis=1)
        if (total := misfits.min(axis=1).sum()) < least:
            least, best = total, misfits.argmin(axis=1)
            found = [length, eigenvalues, vectors, variances[range(len(each)), best], _RATIOS[best]]
    length, eigenvalues, vectors, variance, ratio = found
    least_noise = _LEAST_DISPERSION * statistics.variance(centre, each)
    noise = np.maximum(ratio * variance, least_noise)
    known = variance / (variance * np.maximum(eigenvalues, 1e-9)[:, np.newaxis] + noise)
    pull = known * (vectors.T @ (values - centre))
    response = Response(
        statistics=statistics,
        points=points,
        length=length,
        vectors=vectors,
        centre=centre,
        pull=pull,
        known=known,
        variance=variance,
        dispersion=np.ones(len(each)),
        correlation=np.eye(len(each)),
    )
    mean, _ = response.predict(points)
    variances = statistics.variance(mean, each)
    rest = (values - mean) / np.sqrt(variances)
    within = rest.T @ rest + 1e-9 * np.eye(len(each))
    deviation = np.sqrt(np.diag(within))
    correlation = (1 - _TIED_STATISTICS) * within / np.outer(deviation, deviation)
    np.fill_diagonal(correlation, 1.0)
    return replace(response, dispersion=noise / variances.mean(axis=0), correlation=correlation)


@fact(eq=False)
class Posterior:
    """Weighted points of the cube from -1 to 1."""

    unit: Floats  # (B, D)
    weights: Floats  # (B,); they add up to 1
    lowest: float  # smallest -2 log posterior density

    @property
    def size(self) -> float:
        """Effective sample size."""
        return float(1 / np.sum(self.weights**2))

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and covariance; shapes (D,) and (D, D)."""
        mean = self.weights @ self.unit
        rest = self.unit - mean
        return mean, (rest * self.weights[:, np.newaxis]).T @ rest

    def quantiles(self, column: int, levels: tuple[float, ...]) -> Floats:
        """Return quantiles of a parameter."""
        order = np.argsort(self.unit[:, column])
        below = np.cumsum(self.weights[order]) - self.weights[order] / 2
        return np.asarray(np.interp(levels, below, self.unit[order, column]))


@fact(eq=False)
class SimulatedFit:
    """Result of a fit: parameters with intervals, residuals, and the posterior behind them."""

    parameters: tuple[FittedParameter, ...]
    axes: Floats  # (D, D), columns: combinations of halves of ranges, the best determined first
    axis_errors: Floats  # (D,), their standard errors; that of a whole range is .58
    unit: Floats  # (D,), the fitted point in the cube from -1 to 1
    posterior: Posterior
    responses: tuple[Response, ...]
    residuals: tuple[StatisticResidual, ...]

    @property
    def converged(self) -> bool:
        """False if a few points carry all of the weight."""
        return self.posterior.size > _TOO_FEW

    @property
    def identified(self) -> tuple[FittedParameter, ...]:
        """Parameters that the data identify, alone or with others."""
        return tuple(p for p in self.parameters if p.verdict in (Verdict.IDENTIFIED, Verdict.TIED))

    @property
    def simulated_share(self) -> float:
        """Share of the variances that is due to the limited number of simulated trials."""
        return float(np.mean([residual.simulated_share for residual in self.residuals]))


def fit_by_simulation(
    space: Sequence[FreeParameter],
    measured: Sequence[Measured],
    statistics: Statistics,
    subject_at: Callable[[Any, dict[str, float], int], Any],
    simulate: Callable[[Sequence[Any], int], Sequence[Sums]],
    trials: int,
    seed: int,
    points: int = 64,
) -> SimulatedFit:
    """Fit parameters to the statistics of some settings.

    Args:
        space: The parameters, D of them.
        measured: The settings, S of them.
        statistics: The statistics, K of them.
        subject_at: Returns what is simulated: a setting with the values of the parameters, by name,
            and a number of its own for its random numbers.
        simulate: Returns the sums of the statistics over so many trials of each subject.
        trials: Trials of each setting in all.
        seed: Seed of the designs.
        points: Points of a design.
    """
    from scipy.stats import chi2

    low, high = -np.ones(len(space)), np.ones(len(space))
    unit, values = np.empty((0, len(space))), np.empty((len(measured), 0, len(statistics.names)))
    each = math.ceil(trials / (ROUNDS * points))
    for number in range(ROUNDS):
        places = design_points(low, high, points, (seed, number))
        columns = [free.value(places[:, k]).tolist() for k, free in enumerate(space)]
        names = [free.name for free in space]
        at = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        cases = [(own.setting, point) for own in measured for point in at]
        first = number * len(cases)
        subjects = [subject_at(*case, first + index) for index, case in enumerate(cases)]
        sums = np.array([own.means for own in simulate(subjects, each)])
        found = sums.reshape(len(measured), points, -1)
        unit, values = np.concatenate([unit, places]), np.concatenate([values, found], axis=1)
        responses = tuple(fit_response(statistics, unit, own, each) for own in values)
        posterior = _weigh(space, measured, responses)
        for _ in range(_MOST_DRAWS):
            if posterior.size < _ENOUGH:
                posterior = _weigh(space, measured, responses, posterior)
        mean, covariance = posterior.moments()
        half = _REACH * np.sqrt(np.diag(covariance))
        low, high = np.maximum(mean - half, -1.0), np.minimum(mean + half, 1.0)
    ends = np.array([posterior.quantiles(k, (0.025, 0.975)) for k in range(len(space))])
    bounds = np.array([free.value(own) for free, own in zip(space, ends, strict=True)])
    wide = np.array(
        [
            high - low > _TELLING_KNOWN * 2 * Z_95 * free.known_sd
            if free.known_sd is not None
            else bool(free.section) and high - low > _TELLING_SHARE * (free.high - free.low)
            for free, (low, high) in zip(space, bounds.tolist(), strict=True)
        ]
    )
    default = np.array([free.place(free.default) for free in space])
    fixed = np.where(wide, np.clip(default, ends[:, 0], ends[:, 1]), np.nan)
    unclear = Verdict.KEPT
    best, covariance = posterior.moments()
    if wide.any():
        held = _weigh(space, measured, responses, posterior, fixed)
        if held.lowest - posterior.lowest < chi2.ppf(0.95, wide.sum()):
            best = held.moments()[0]
        else:
            unclear = Verdict.TIED
    variances, axes = np.linalg.eigh(covariance)
    return SimulatedFit(
        parameters=tuple(
            FittedParameter(
                free=free,
                value=free.default
                if wide[k] and np.isclose(best[k], default[k])
                else float(free.value(best[k])),
                low=low,
                high=high,
                standard_error=(high - low) / (2 * Z_95),
                verdict=unclear if wide[k] else Verdict.IDENTIFIED,
            )
            for k, (free, (low, high)) in enumerate(zip(space, bounds.tolist(), strict=True))
        ),
        axes=axes * np.sign(axes[np.abs(axes).argmax(axis=0), range(len(space))]),
        axis_errors=np.sqrt(np.maximum(variances, 0.0)),
        unit=best,
        posterior=posterior,
        responses=responses,
        residuals=tuple(_list_residuals(measured, responses, best)),
    )


def _list_residuals(
    measured: Sequence[Measured], responses: Sequence[Response], unit: Floats
) -> Iterator[StatisticResidual]:
    for own, response in zip(measured, responses, strict=True):
        means, scatter, simulated = response.compare(own, unit[np.newaxis])
        for j, row in enumerate(own.rows):
            k, error = int(row.argmax()), float(simulated[0, j, j])
            variance = float(scatter[0, j, j]) + error
            yield StatisticResidual(
                setting=own.setting.name,
                statistic=response.statistics.names[k],
                trials=int(own.trials[k]),
                seen=float(own.seen[j]),
                fitted=float(means[0, j]),
                standard_error=math.sqrt(variance),
                simulated_share=error / variance,
            )


def _weigh(
    space: Sequence[FreeParameter],
    measured: Sequence[Measured],
    responses: Sequence[Response],
    near: Posterior | None = None,
    fixed: Floats | None = None,
) -> Posterior:
    """Weight points by prior and likelihood over their own density.

    They lie around those of ``near``, or in the whole cube if it is None. ``fixed`` has the places
    of fixed parameters, and NaN for the others.
    """
    from scipy.stats import qmc

    unit = design_points(-np.ones(len(space)), np.ones(len(space)), _CANDIDATES, 0)
    drawn = np.zeros(len(unit))  # -2 log density of the points
    if near is not None:
        mean, covariance = near.moments()
        # Wider than the posterior, the more so the fewer points tell it.
        covariance = 2 * covariance + 0.04 / near.size * np.eye(len(space))
        is_free = np.isnan(fixed) if fixed is not None else np.ones(len(space), dtype=np.bool_)
        mean, covariance = mean[is_free], covariance[np.ix_(is_free, is_free)]
        normal = qmc.MultivariateNormalQMC(mean, covariance, seed=np.random.default_rng(0))
        points = normal.random(_CANDIDATES)
        rest = points - mean
        drawn = np.einsum("bk,kl,bl->b", rest, np.linalg.inv(covariance), rest)
        unit = np.tile(mean if fixed is None else fixed, (_CANDIDATES, 1))
        unit[:, is_free] = points
        inside = (np.abs(points) <= 1).all(axis=1)
        unit, drawn = unit[inside], drawn[inside]
    misfit = np.zeros(len(unit))
    for k, free in enumerate(space):
        if free.known_sd is not None:
            misfit += ((free.value(unit[:, k]) - free.default) / free.known_sd) ** 2
    for own, response in zip(measured, responses, strict=True):
        means, scatter, simulated = response.compare(own, unit)
        matrix, rest = scatter + simulated, own.seen - means
        pull = np.linalg.solve(matrix, rest[..., np.newaxis])[..., 0]
        misfit += np.einsum("bk,bk->b", rest, pull) + np.linalg.slogdet(matrix)[1]
    lowest = float(misfit.min())
    weights = np.exp((drawn - misfit - (drawn - misfit).max()) / 2)
    return Posterior(unit=unit, weights=weights / weights.sum(), lowest=lowest)
