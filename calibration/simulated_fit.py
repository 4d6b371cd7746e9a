"""Fit by simulation: parameters of a model from mean statistics of real trials, with intervals.

Trials are simulated at points that fill the ranges of the parameters, then again at points around
the first optimum. Between the points each statistic is a Gaussian process (C. E. Rasmussen and C.
K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006, sections 2.2 and 5.4). A
normal synthetic likelihood (S. N. Wood, Nature 466 (2010) 1102) compares the statistics: its
covariance is the scatter of the real trials plus the error of the Gaussian process. The posterior
is a set of points weighted by it. `fit_by_simulation` does all of this.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np

from calibration.designs import Floats, design_points
from physics.facts import fact
from physics.tally import Counts, per_trial

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

_Z_95 = 1.959963984540054
_MICRO = 1_000_000
_LENGTHS = tuple(np.geomspace(0.7, 10.0, 8).tolist())
"""Lengths of a Gaussian process that are tried; the parameters' ranges are 2 wide."""

_RATIOS = np.geomspace(1e-5, 1e3, 65)
"""Ratios that are tried of the variance of a value and that of the process."""

_LEAST_DISPERSION = 0.05
_TIED_STATISTICS = 0.01
"""Share of a statistic's variance that no other one tells: some are equal in every trial."""


class Verdict(StrEnum):
    """Identifiability of a parameter by a log."""

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
class Direction:
    """Linear combination of parameters and its standard error: an eigenvector of the covariance."""

    weights: tuple[float, ...]  # in halves of the ranges; their squares add up to 1
    standard_error: float  # in the same unit; of a whole range it is .58


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
    standard_error: float  # of the mean of so many trials, by the fit

    @property
    def standardised(self) -> float:
        """StatisticResidual in standard errors."""
        return (self.seen - self.fitted) / self.standard_error


@fact(eq=False)
class Kernel:
    """Squared-exponential correlation of the points of a design, by eigenvalues and vectors."""

    points: Floats  # (P, D)
    length: float
    values: Floats  # (P,)
    vectors: Floats  # (P, P)

    def project(self, unit: Floats) -> Floats:
        """Return the correlation of places with the points, by the vectors; shape (B, P)."""
        return np.asarray(_correlation(unit, self.points, self.length) @ self.vectors)


def _correlation(one: Floats, other: Floats, length: float) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(np.exp(cdist(one, other, "sqeuclidean") / (-2 * length**2)))


def kernels_of(points: Floats) -> tuple[Kernel, ...]:
    """Return the kernels of a design that are tried, by their lengths."""
    found = []
    for length in _LENGTHS:
        values, vectors = np.linalg.eigh(_correlation(points, points, length))
        kernel = Kernel(
            points=points, length=length, values=np.maximum(values, 1e-9), vectors=vectors
        )
        found.append(kernel)
    return tuple(found)


@fact(eq=False)
class Surface:
    """A Gaussian process, given values at the points of a kernel."""

    kernel: Kernel
    centre: float
    variance: float  # of the process
    noise: float  # variance of a value
    pull: Floats  # (P,)

    def predict(self, projected: Floats) -> tuple[Floats, Floats]:
        """Return mean and variance at the places that the kernel projected; shapes (B,)."""
        # Rasmussen and Williams (2.25) and (2.26).
        known = projected**2 @ (self.variance / (self.variance * self.kernel.values + self.noise))
        left = self.variance * np.maximum(1.0 - known, 0.0)
        return self.centre + self.variance * (projected @ self.pull), left


def fit_surface(kernels: Sequence[Kernel], values: Floats, least_noise: float) -> Surface:
    """Return the Gaussian process of the greatest marginal likelihood; shape (P,)."""
    centre = float(values.mean())
    best, least = None, math.inf
    for kernel in kernels:
        squares = (kernel.vectors.T @ (values - centre)) ** 2
        # Covariance variance (C + ratio 1); its best variance for each ratio is known.
        spread = kernel.values + _RATIOS[:, np.newaxis]
        variances = np.maximum((squares / spread).mean(axis=1), 1e-12)
        # Twice the negative of (5.8), less a constant.
        misfits = len(values) * np.log(variances) + np.log(spread).sum(axis=1)
        place = int(misfits.argmin())
        if misfits[place] < least:
            least, best = misfits[place], (kernel, variances[place], _RATIOS[place])
    assert best is not None
    kernel, variance, ratio = best
    noise = max(float(ratio * variance), least_noise)
    pull = (kernel.vectors.T @ (values - centre)) / (variance * kernel.values + noise)
    return Surface(kernel=kernel, centre=centre, variance=float(variance), noise=noise, pull=pull)


@fact(eq=False)
class Response:
    """Statistics of a setting as functions of the parameters."""

    statistics: Statistics
    surfaces: tuple[Surface, ...]  # K
    dispersion: Floats  # (K,), variance over that of `Statistics`
    correlation: Floats  # (K, K), of the statistics of the same trials

    def predict(self, unit: Floats) -> tuple[Floats, Floats]:
        """Return means and the variances of their errors; shapes (B, K) for (B, D)."""
        kernels = {surface.kernel.length: surface.kernel for surface in self.surfaces}
        projected = {length: kernel.project(unit) for length, kernel in kernels.items()}
        found = [surface.predict(projected[surface.kernel.length]) for surface in self.surfaces]
        means, errors = (np.stack(each, axis=-1) for each in zip(*found, strict=True))
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


def fit_response(
    statistics: Statistics, kernels: Sequence[Kernel], values: Floats, trials: int
) -> Response:
    """Return the response of a setting to its statistics at the points of the kernels.

    Args:
        statistics: Their kinds, K of them.
        kernels: The kernels that are tried.
        values: Shape (P, K).
        trials: Simulated trials at each point.
    """
    count = np.full(values.shape[1], float(trials))
    expected = statistics.variance(values.mean(axis=0), count)
    surfaces = tuple(
        fit_surface(kernels, own, _LEAST_DISPERSION * least)
        for own, least in zip(values.T, expected.tolist(), strict=True)
    )
    response = Response(
        statistics=statistics,
        surfaces=surfaces,
        dispersion=np.ones(len(count)),
        correlation=np.eye(len(count)),
    )
    mean, _ = response.predict(kernels[0].points)
    variances = statistics.variance(mean, count)
    rest = (values - mean) / np.sqrt(variances)
    within = rest.T @ rest / len(rest) + 1e-9 * np.eye(len(count))
    deviation = np.sqrt(np.diag(within))
    correlation = (1 - _TIED_STATISTICS) * within / np.outer(deviation, deviation)
    np.fill_diagonal(correlation, 1.0)
    noise = np.array([surface.noise for surface in surfaces])
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

    def quantile(self, column: int, level: float) -> float:
        """Return a quantile of a parameter."""
        order = np.argsort(self.unit[:, column])
        below = np.cumsum(self.weights[order]) - self.weights[order] / 2
        return float(np.interp(level, below, self.unit[order, column]))


@fact(eq=False)
class SimulatedFit:
    """Result of a fit."""

    parameters: tuple[FittedParameter, ...]
    directions: tuple[Direction, ...]  # from best to worst determined
    unit: Floats  # (D,), the fitted point in the cube from -1 to 1
    posterior: Posterior
    measured: tuple[Measured, ...]
    responses: tuple[Response, ...]

    @property
    def converged(self) -> bool:
        """False if too few points have all of the weight."""
        return self.posterior.size > _TOO_FEW

    @property
    def identified(self) -> tuple[FittedParameter, ...]:
        """Parameters that the data identify, alone or with others."""
        return tuple(p for p in self.parameters if p.verdict in (Verdict.IDENTIFIED, Verdict.TIED))

    @property
    def residuals(self) -> tuple[StatisticResidual, ...]:
        """Residuals of all statistics at the fitted point."""
        return tuple(residual for residual, _ in self._compared())

    @property
    def simulated_share(self) -> float:
        """Share of the variances that is due to the limited number of simulated trials."""
        return float(np.mean([share for _, share in self._compared()]))

    def _compared(self) -> list[tuple[StatisticResidual, float]]:
        found = []
        for own, response in zip(self.measured, self.responses, strict=True):
            means, scatter, simulated = response.compare(own, self.unit[np.newaxis])
            errors, shares = np.diagonal((scatter + simulated)[0]), np.diagonal(simulated[0])
            for j, row in enumerate(own.rows):
                k = int(row.argmax())
                residual = StatisticResidual(
                    setting=own.setting.name,
                    statistic=response.statistics.names[k],
                    trials=int(own.trials[k]),
                    seen=float(own.seen[j]),
                    fitted=float(means[0, j]),
                    standard_error=float(np.sqrt(errors[j])),
                )
                found.append((residual, float(shares[j] / errors[j])))
        return found


def fit_by_simulation(
    space: Sequence[FreeParameter],
    measured: Sequence[Measured],
    statistics: Statistics,
    simulate: Callable[[Floats, int, int], Floats],
    trials: int,
    seed: int,
    points: int = 64,
) -> SimulatedFit:
    """Fit parameters to the statistics of some settings.

    Args:
        space: The parameters, D of them.
        measured: The settings, S of them.
        statistics: The statistics, K of them.
        simulate: Returns the statistics, shape (S, P, K), of simulated trials at points, shape
            (P, D), by parameter values; it is given the number of the first point and the number
            of trials at each.
        trials: Trials of each setting in all.
        seed: Seed of the designs.
        points: Points of a design.
    """
    low, high = -np.ones(len(space)), np.ones(len(space))
    unit, values = np.empty((0, len(space))), np.empty((len(measured), 0, len(statistics.names)))
    each = math.ceil(trials / (ROUNDS * points))
    for number in range(ROUNDS):
        places = design_points(low, high, points, (seed, number))
        at = np.stack([free.value(places[:, k]) for k, free in enumerate(space)], axis=1)
        found = simulate(at, number * points, each)
        unit, values = np.concatenate([unit, places]), np.concatenate([values, found], axis=1)
        kernels = kernels_of(unit)
        responses = tuple(fit_response(statistics, kernels, own, each) for own in values)
        posterior = _weigh(space, measured, responses)
        for _ in range(_MOST_DRAWS):
            if posterior.size < _ENOUGH:
                posterior = _weigh(space, measured, responses, posterior)
        mean, covariance = posterior.moments()
        half = _REACH * np.sqrt(np.diag(covariance))
        low, high = np.maximum(mean - half, -1.0), np.minimum(mean + half, 1.0)
    ends = np.array([[posterior.quantile(k, p) for p in (0.025, 0.975)] for k in range(len(space))])
    wide = np.array([_is_wide(free, own) for free, own in zip(space, ends, strict=True)])
    at_default = np.array([free.place(free.default) for free in space])
    fixed = np.where(wide, np.clip(at_default, ends[:, 0], ends[:, 1]), np.nan)
    verdicts = [Verdict.KEPT if own else Verdict.IDENTIFIED for own in wide]
    best, covariance = posterior.moments()
    if wide.any():
        from scipy.stats import chi2

        held = _weigh(space, measured, responses, posterior, fixed)
        if held.lowest - posterior.lowest < chi2.ppf(0.95, wide.sum()):
            best = held.moments()[0]
        else:
            verdicts = [Verdict.TIED if own else Verdict.IDENTIFIED for own in wide]
    lengths, axes = np.linalg.eigh(covariance)
    return SimulatedFit(
        parameters=tuple(
            _fitted(free, best[k], ends[k], verdicts[k]) for k, free in enumerate(space)
        ),
        directions=tuple(
            Direction(
                weights=tuple((v * np.sign(v[np.argmax(np.abs(v))])).tolist()),
                standard_error=float(np.sqrt(max(variance, 0.0))),
            )
            for variance, v in zip(lengths.tolist(), axes.T, strict=True)
        ),
        unit=best,
        posterior=posterior,
        measured=tuple(measured),
        responses=responses,
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
    drawn = 0.0 * unit[:, 0]  # -2 log density of the points
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


def _is_wide(free: FreeParameter, ends: Floats) -> bool:
    """True if an interval tells too little of a parameter that is written to a file."""
    low, high = free.value(ends)
    if free.known_sd is not None:
        return bool(high - low > _TELLING_KNOWN * 2 * _Z_95 * free.known_sd)
    return bool(free.section) and float(ends[1] - ends[0]) > 2 * _TELLING_SHARE


def _fitted(free: FreeParameter, place: float, ends: Floats, verdict: Verdict) -> FittedParameter:
    low, high = free.value(ends).tolist()
    at_default = verdict is Verdict.KEPT and np.isclose(place, free.place(free.default))
    return FittedParameter(
        free=free,
        value=free.default if at_default else float(free.value(np.array(place))),
        low=low,
        high=high,
        standard_error=(high - low) / (2 * _Z_95),
        verdict=verdict,
    )
