"""Maximum-likelihood fit of a log of throws: values, intervals, identifiability.

`fit_throws` finds the best point of the likelihood and profile-likelihood intervals, decides which
parameters the log identifies, and keeps the others at their defaults.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from calibration.throws.likelihood import (
    Likelihood,
    best_point,
    descend,
    intervals,
    likelihood_of,
    variances,
)
from calibration.throws.log import RealThrow
from calibration.throws.space import SPEED, FreeParameter, to_point, to_unit
from calibration.throws.surrogate import Bools, Floats, Surrogate

_Z_95 = 1.959963984540054
_TELLING_SHARE = 0.6
"""Width of an interval, as a share of the range, from which a thrower counts as not identified."""

_TELLING_KNOWN = 0.75
"""The same for a contact parameter, as a share of its prior interval."""

_EDGE = 1e-3
_SAME = 1e-9
_RISES_95 = (3.84, 5.99, 7.81, 9.49, 11.07)
"""95 % quantiles of chi-squared by degrees of freedom: the rise of -2 log likelihood that keeping
so many parameters may cause."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedParameter:
    """Estimate of one parameter, in its own unit.

    Attributes:
        free: The parameter and its range.
        value: Best value, with parameters that are not identified held fixed.
        low: Lower end of the 95 % interval, profiled over the others.
        high: Upper end.
        verdict: Identifiability.
    """

    free: FreeParameter
    value: float
    low: float
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """Linear combination of parameters and its standard error: an eigenvector of the information.

    Attributes:
        weights: One per parameter, in halves of the whole ranges; their squares add up to 1.
        standard_error: In the same unit; above about .6 it is no smaller than the range itself.
    """

    weights: tuple[float, ...]
    standard_error: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThrowFit:
    """Result of a fit.

    Attributes:
        parameters: One per parameter of the space, with their whole ranges.
        directions: Combinations of the fitted parameters, from best to worst identified.
        unit: The fitted point in the unit cube.
        converged: True if the best point is a minimum.
        surrogate_share: Share of the surrogates' error in the variance of the best direction.
    """

    parameters: tuple[FittedParameter, ...]
    directions: tuple[Direction, ...]
    unit: Floats
    converged: bool
    surrogate_share: float

    @property
    def identified(self) -> tuple[FittedParameter, ...]:
        """Parameters that the log identifies, alone or with others."""
        return tuple(p for p in self.parameters if p.verdict in (Verdict.IDENTIFIED, Verdict.TIED))


def fit_throws(
    throws: Sequence[RealThrow],
    surrogates: Sequence[Surrogate],
    space: Sequence[FreeParameter],
    *,
    whole: Sequence[FreeParameter] | None = None,
) -> ThrowFit:
    """Fit the parameters to a log by maximum likelihood.

    Args:
        throws: The log.
        surrogates: One for each of its settings, trained in ``space``.
        space: The parameters, and the ranges in which the surrogates hold.
        whole: The whole ranges, if those of the surrogates are narrower.
    """
    likelihood = likelihood_of(throws, surrogates, space)
    free = np.ones(len(space), dtype=np.bool_)
    free[SPEED] = any(throw.speed_mm_s is None for throw in throws)
    best, converged = best_point(likelihood, free)
    ends = intervals(likelihood, best, free)
    best_values, low, high = (to_point(space, unit) for unit in (best, ends[:, 0], ends[:, 1]))
    identified = free.copy()
    for k in np.flatnonzero(free).tolist():
        interval = float(low[k]), float(high[k])
        identified[k] = _is_identified((whole or space)[k], float(best_values[k]), interval)
    variance, added = variances(likelihood, best, free)
    raised = np.ones(len(space))
    raised[free] += np.diag(added) / np.diag(variance)
    held, kept = _keep(likelihood, best, ends, (free & ~identified, free), raised)
    default = np.array([own.default for own in space])
    at_default = np.abs(held - to_unit(space, default)) < _SAME
    values = np.where(kept & at_default, default, to_point(space, held))
    fitted = [
        FittedParameter(
            free=(whole or space)[k],
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
    return ThrowFit(
        parameters=tuple(fitted),
        directions=_directions(likelihood, best, free, whole or space),
        unit=held,
        converged=converged,
        surrogate_share=_share(variance, added),
    )


def narrowed(
    fit: ThrowFit, space: Sequence[FreeParameter], margin: float = 1.8
) -> tuple[FreeParameter, ...]:
    """Return ranges around the intervals of a fit, for a second fit.

    Args:
        fit: The first fit.
        space: Its ranges, which are not exceeded.
        margin: Width of the ranges over that of the intervals.
    """
    found = []
    for free, own in zip(space, fit.parameters, strict=True):
        middle, half = (own.low + own.high) / 2, margin * (own.high - own.low) / 2
        if own.fitted:
            low, high = max(free.low, middle - half), min(free.high, middle + half)
            found.append(replace(free, low=low, high=high))
        else:
            found.append(free)
    return tuple(found)


def _is_identified(whole: FreeParameter, value: float, interval: tuple[float, float]) -> bool:
    """Return True if an interval is narrow enough and the best value is not at the edge."""
    width = interval[1] - interval[0]
    if whole.known_sd is not None:
        return width < _TELLING_KNOWN * 2 * _Z_95 * whole.known_sd
    size = whole.high - whole.low
    inside = _EDGE < (value - whole.low) / size < 1 - _EDGE
    return inside and width < _TELLING_SHARE * size


def _keep(
    likelihood: Likelihood, best: Floats, ends: Floats, which: tuple[Bools, Bools], raised: Floats
) -> tuple[Floats, Bools]:
    """Keep unidentified parameters at their defaults, widest interval first, if the log allows it.

    Args:
        likelihood: The likelihood.
        best: The best point.
        ends: Shape (D, 2); ends of the intervals.
        which: Masks of the unidentified and of the free parameters.
        raised: Shape (D,); factors on the limits for the surrogates' own error.

    Returns:
        The best point with those kept, and the mask of those kept. The others stay free, because
        all defaults at once may fit worse than each alone.
    """
    space, (unidentified, free) = likelihood.space, which
    default = np.clip(
        to_unit(space, np.array([own.default for own in space])), ends[:, 0], ends[:, 1]
    )
    lowest = float(likelihood.misfit(best[np.newaxis])[0])
    point, kept = best, np.zeros(len(best), dtype=np.bool_)
    for k in sorted(
        np.flatnonzero(unidentified).tolist(), key=lambda k: float(ends[k, 0] - ends[k, 1])
    ):
        tried = kept.copy()
        tried[k] = True
        start = point.copy()
        start[k] = default[k]
        end = descend(likelihood, start, free & ~tried)
        rise = float(likelihood.misfit(end[np.newaxis])[0]) - lowest
        if rise < _RISES_95[int(kept.sum())] * float(raised[tried].max()):
            point, kept = end, tried
    return point, kept


def _directions(
    likelihood: Likelihood, best: Floats, free: Bools, whole: Sequence[FreeParameter]
) -> tuple[Direction, ...]:
    widths = [
        (wide.high - wide.low) / (own.high - own.low)
        for wide, own in zip(whole, likelihood.space, strict=True)
    ]
    information = likelihood.information(best, with_known=False) * np.outer(widths, widths)
    values, vectors = np.linalg.eigh(information[np.ix_(free, free)])
    found = []
    for value, vector in zip(values[::-1], vectors.T[::-1], strict=True):
        weights = np.zeros(len(best))
        weights[free] = vector * np.sign(vector[np.argmax(np.abs(vector))])
        error = 1 / math.sqrt(value) if value > 1e-6 else math.inf
        found.append(Direction(weights=tuple(weights.tolist()), standard_error=error))
    return tuple(found)


def _share(own: Floats, added: Floats) -> float:
    """Return the surrogates' share of the variance in the best identified direction."""
    values, vectors = np.linalg.eigh(own)
    extra = float(vectors[:, 0] @ added @ vectors[:, 0])
    return extra / (extra + float(values[0]))


def _measured_speed(space: FreeParameter, throws: Sequence[RealThrow]) -> FittedParameter:
    """Return the mean of the measured speeds; that of drops alone is not the thrower's."""
    thrown = [throw for throw in throws if not throw.setting.dropped]
    speeds = np.array([throw.speed_mm_s for throw in thrown or throws], dtype=np.float64)
    error = float(speeds.std(ddof=1)) / math.sqrt(len(speeds)) if len(speeds) > 1 else 0.0
    mean = float(speeds.mean())
    return FittedParameter(
        free=space,
        value=mean if thrown else space.default,
        low=mean - _Z_95 * error,
        high=mean + _Z_95 * error,
        verdict=Verdict.MEASURED if thrown else Verdict.DROPPED,
    )
