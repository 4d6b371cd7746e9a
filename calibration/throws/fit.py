"""Fit of a log of throws: values, intervals, identifiability.

Intervals are those of the posterior, sampled; a value is the best one with the parameters that the
log does not identify kept at their defaults.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from calibration.designs import Floats
from calibration.throws.likelihood import Likelihood, Response, likelihood_of
from calibration.throws.log import RealThrow
from calibration.throws.space import SPEED, FreeParameter, to_point, to_unit
from physics.facts import fact

_Z_95 = 1.959963984540054
_TELLING_SHARE = 0.6
"""Width of an interval, as a share of the range, from which a thrower counts as not identified."""

_TELLING_KNOWN = 0.75
"""The same for a contact parameter, as a share of its prior interval."""

_RISES_95 = (3.84, 5.99, 7.81, 9.49, 11.07)
"""95 % quantiles of chi-squared by degrees of freedom: the rise of -2 log likelihood that keeping
so many parameters may cause."""

_WALKERS, _SEARCHED, _STEPS, _BURN_IN = 60, 2000, 400, 150
_STRETCH = 2.0
_SETTLED = 0.3
"""Largest difference between the means of both halves of the chain, in standard deviations."""


class Verdict(StrEnum):
    """Identifiability of a parameter by a log."""

    IDENTIFIED = "identified"
    TIED = "identified with the others only"
    """Its own interval is wide, but it cannot be at its default together with the others."""
    KEPT = "not identified"
    """Kept at its default, or at the nearest value that the log allows."""
    MEASURED = "measured"
    DROPPED = "of drops, not of throws"
    """All speeds are those of dropped slammers: the thrower's is kept at its default."""


@fact
class FittedParameter:
    """Estimate of one parameter, in its own unit."""

    free: FreeParameter  # with its whole range
    value: float
    low: float  # ends of the 95 % interval, over all values of the others
    high: float
    verdict: Verdict

    @property
    def fitted(self) -> bool:
        """True if it was fitted; False for the speed if every speed was measured."""
        return self.verdict not in (Verdict.MEASURED, Verdict.DROPPED)

    @property
    def standard_error(self) -> float:
        """Standard error of a normal distribution with this interval."""
        return (self.high - self.low) / (2 * _Z_95)


@fact
class Direction:
    """Linear combination of parameters and its standard error: an eigenvector of the covariance."""

    weights: tuple[float, ...]  # in halves of the whole ranges; their squares add up to 1
    standard_error: float  # in the same unit; of a whole range it is .58


@fact(eq=False)
class ThrowFit:
    """Result of a fit."""

    parameters: tuple[FittedParameter, ...]
    directions: tuple[Direction, ...]  # of the fitted parameters, from best to worst determined
    unit: Floats  # the fitted point in the unit cube of the ranges
    converged: bool
    simulated_share: float  # share of the simulation's errors in the variances

    @property
    def identified(self) -> tuple[FittedParameter, ...]:
        """Parameters that the log identifies, alone or with others."""
        return tuple(p for p in self.parameters if p.verdict in (Verdict.IDENTIFIED, Verdict.TIED))


def fit_throws(
    throws: Sequence[RealThrow],
    responses: Sequence[Response],
    space: Sequence[FreeParameter],
    *,
    whole: Sequence[FreeParameter] | None = None,
) -> ThrowFit:
    """Fit the parameters to a log.

    Args:
        throws: The log.
        responses: One for each of its settings, fitted in ``space``.
        space: The parameters, and the ranges in which the responses hold.
        whole: The whole ranges, if those of the responses are narrower.
    """
    whole = whole or space
    likelihood = likelihood_of(throws, responses, space)
    free = np.ones(len(space), dtype=np.bool_)
    free[SPEED] = any(throw.speed_mm_s is None for throw in throws)
    chain, best = sample(likelihood, free)
    flat = chain.reshape(-1, len(space))
    ends = np.quantile(flat, (0.025, 0.975), axis=0).T
    best = descend(likelihood, best, free)
    low, high = to_point(space, ends[:, 0]), to_point(space, ends[:, 1])
    identified = np.array(
        [is_free and _is_identified(own, float(b - a))
         for own, is_free, a, b in zip(whole, free, low, high, strict=True)]
    )  # fmt: skip
    held, kept = _keep(likelihood, best, ends, free & ~identified, free)
    default = np.array([own.default for own in space])
    at_default = np.isclose(held, to_unit(space, default), rtol=0, atol=1e-9)
    values = np.where(kept & at_default, default, to_point(space, held))
    fitted = [
        FittedParameter(
            free=whole[k],
            value=float(values[k]),
            low=float(low[k]),
            high=float(high[k]),
            verdict=Verdict.KEPT
            if kept[k]
            else Verdict.IDENTIFIED
            if identified[k]
            else Verdict.TIED,
        )
        for k in range(len(space))
    ]
    if not free[SPEED]:
        fitted[SPEED] = _measured_speed(space[SPEED], throws)
    halves = np.array([part.mean(axis=(0, 1)) for part in np.array_split(chain, 2)])
    moved = np.abs(halves[0] - halves[1]) / np.maximum(flat.std(axis=0), 1e-12)
    return ThrowFit(
        parameters=tuple(fitted),
        directions=_directions(to_unit(whole, to_point(space, flat)), free),
        unit=held,
        converged=bool((moved < _SETTLED).all()),
        simulated_share=likelihood.simulated_share(held),
    )


def narrowed(
    fit: ThrowFit, space: Sequence[FreeParameter], margin: float = 1.8
) -> tuple[FreeParameter, ...]:
    """Return ranges ``margin`` times as wide as the intervals of a fit, within its own ranges."""
    found = []
    for free, own in zip(space, fit.parameters, strict=True):
        middle, half = (own.low + own.high) / 2, margin * (own.high - own.low) / 2
        low, high = max(free.low, middle - half), min(free.high, middle + half)
        found.append(replace(free, low=low, high=high) if own.fitted else free)
    return tuple(found)


def sample(likelihood: Likelihood, free: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return a sample of the posterior in the unit cube, (steps, walkers, D), and its best point.

    Stretch moves of an ensemble of walkers: J. Goodman and J. Weare, Comm. App. Math. Comp. Sci. 5
    (2010) 65. Parameters that are not free stay in the middle.
    """
    rng = np.random.default_rng(0)
    start = rng.uniform(-1, 1, (_SEARCHED, len(free))) * free
    walkers = start[np.argsort(likelihood.misfit(start))[:_WALKERS]]
    misfits = likelihood.misfit(walkers)
    chain = np.empty((_STEPS, *walkers.shape))
    best, lowest = walkers[0], float(misfits[0])
    for step in range(-_BURN_IN, _STEPS):
        for half in (0, 1):
            own, others = slice(half, None, 2), walkers[1 - half :: 2]
            size = len(others)
            # z has the density 1 / sqrt(z) from 1 / a to a.
            z = (1 + (_STRETCH - 1) * rng.random(size)) ** 2 / _STRETCH
            partner = others[rng.integers(size, size=size)]
            tried = partner + z[:, np.newaxis] * (walkers[own] - partner)
            level = likelihood.misfit(np.clip(tried, -1, 1))
            gain = (free.sum() - 1) * np.log(z) + (misfits[own] - level) / 2
            taken = (np.log(rng.random(size)) < gain) & (np.abs(tried) <= 1).all(axis=1)
            walkers[own] = np.where(taken[:, np.newaxis], tried, walkers[own])
            misfits[own] = np.where(taken, level, misfits[own])
        if misfits.min() < lowest:
            best, lowest = walkers[misfits.argmin()].copy(), float(misfits.min())
        if step >= 0:
            chain[step] = walkers
    return chain, best


def descend(likelihood: Likelihood, start: Floats, free: NDArray[np.bool_]) -> Floats:
    """Return the best point with some parameters free and the others fixed at the start."""
    from scipy.optimize import minimize

    end = start.copy()
    if free.any():

        def misfit(own: Floats) -> float:
            end[free] = own
            return float(likelihood.misfit(end[np.newaxis])[0])

        found = minimize(misfit, start[free], method="Powell", bounds=[(-1.0, 1.0)] * free.sum())
        end[free] = np.clip(found.x, -1.0, 1.0)
    return end


def _is_identified(whole: FreeParameter, width: float) -> bool:
    """Return whether an interval is narrow enough."""
    if whole.known_sd is not None:
        return width < _TELLING_KNOWN * 2 * _Z_95 * whole.known_sd
    return width < _TELLING_SHARE * (whole.high - whole.low)


def _keep(
    likelihood: Likelihood,
    best: Floats,
    ends: Floats,
    unidentified: NDArray[np.bool_],
    free: NDArray[np.bool_],
) -> tuple[Floats, NDArray[np.bool_]]:
    """Keep unidentified parameters at their defaults, widest interval first, if the log allows it.

    Returns:
        The best point with those kept, and the mask of those kept. The others stay free, because
        all defaults at once may fit worse than each alone.
    """
    space = likelihood.space
    default = to_unit(space, np.array([own.default for own in space]))
    default = np.clip(default, ends[:, 0], ends[:, 1])
    lowest = float(likelihood.misfit(best[np.newaxis])[0])
    point, kept = best, np.zeros(len(best), dtype=np.bool_)
    widths = ends[:, 1] - ends[:, 0]
    for k in sorted(np.flatnonzero(unidentified).tolist(), key=lambda k: -float(widths[k])):
        tried, start = kept.copy(), point.copy()
        tried[k], start[k] = True, default[k]
        end = descend(likelihood, start, free & ~tried)
        if float(likelihood.misfit(end[np.newaxis])[0]) - lowest < _RISES_95[int(kept.sum())]:
            point, kept = end, tried
    return point, kept


def _directions(units: Floats, free: NDArray[np.bool_]) -> tuple[Direction, ...]:
    """Return the principal axes of a sample in the unit cube of the whole ranges."""
    covariance = np.atleast_2d(np.cov(units[:, free], rowvar=False))
    values, vectors = np.linalg.eigh(covariance)
    found = []
    for value, vector in zip(values.tolist(), vectors.T, strict=True):
        weights = np.zeros(len(free))
        weights[free] = vector * np.sign(vector[np.argmax(np.abs(vector))])
        error = float(np.sqrt(max(value, 0.0)))
        found.append(Direction(weights=tuple(weights.tolist()), standard_error=error))
    return tuple(found)


def _measured_speed(space: FreeParameter, throws: Sequence[RealThrow]) -> FittedParameter:
    """Return the mean of the measured speeds; that of drops alone is not the thrower's."""
    thrown = [throw for throw in throws if not throw.setting.dropped]
    speeds = np.array([throw.speed_mm_s for throw in thrown or throws], dtype=np.float64)
    error = float(speeds.std(ddof=1)) / np.sqrt(len(speeds)) if len(speeds) > 1 else 0.0
    mean = float(speeds.mean())
    return FittedParameter(
        free=space,
        value=mean if thrown else space.default,
        low=mean - _Z_95 * error,
        high=mean + _Z_95 * error,
        verdict=Verdict.MEASURED if thrown else Verdict.DROPPED,
    )
