"""The fit of a log of throws: best values, intervals, and what the log does not tell."""

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
"""An interval wider than this share of the range tells nothing of a thrower."""

_TELLING_KNOWN = 0.75
"""The same of a contact parameter, as a share of the interval in which it was known before."""

_EDGE = 1e-3
_SAME = 1e-9
_RISES_95 = (3.84, 5.99, 7.81, 9.49, 11.07)
"""Chi-squared at 95 %: what keeping so many parameters may add to -2 log likelihood."""


class Verdict(StrEnum):
    """What a log tells of a parameter."""

    TOLD = "told"
    TIED = "told with the others only"
    """Its own interval is wide, but with others at what was assumed it cannot be so too."""
    KEPT = "not told"
    """Kept at what was assumed, or at what the log allows next to it."""
    MEASURED = "measured"
    DROPPED = "of drops, not of throws"
    """Every speed is that of a slammer let fall: the thrower's is kept at what was assumed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedParameter:
    """What a log tells of one parameter, in the parameter's own unit.

    Attributes:
        free: The parameter and its range.
        value: The best value, with what is not identified held.
        low: Lower end of the 95 % interval, whatever the others are.
        high: Upper end.
        verdict: What the log tells of it.
    """

    free: FreeParameter
    value: float
    low: float
    high: float
    verdict: Verdict

    @property
    def fitted(self) -> bool:
        """It was fitted at all: not so the speed where every speed was measured."""
        return self.verdict not in (Verdict.MEASURED, Verdict.DROPPED)

    @property
    def standard_error(self) -> float:
        """That of a normal distribution with this interval."""
        return (self.high - self.low) / (2 * _Z_95)


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """A combination of parameters, and how well a log tells it.

    Attributes:
        weights: One per parameter, in halves of the whole ranges; their squares add up to 1.
        standard_error: In the same unit; above about .6 the ranges themselves tell as much.
    """

    weights: tuple[float, ...]
    standard_error: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThrowFit:
    """The fit of a log.

    Attributes:
        parameters: One per parameter of the space; their ranges are the whole ones.
        directions: Combinations of what was fitted, from the best told to the worst.
        unit: The point of the values, in the unit cube.
        converged: The best point is a minimum.
        surrogate_share: Share of the variance of what is told best that is the surrogates' own.
    """

    parameters: tuple[FittedParameter, ...]
    directions: tuple[Direction, ...]
    unit: Floats
    converged: bool
    surrogate_share: float

    @property
    def identified(self) -> tuple[FittedParameter, ...]:
        """What the log tells, alone or with others."""
        return tuple(p for p in self.parameters if p.verdict in (Verdict.TOLD, Verdict.TIED))


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
        surrogates: One for each of its settings, made for ``space``.
        space: The parameters and the ranges in which the surrogates hold.
        whole: Their whole ranges, if those of the surrogates are narrower.
    """
    likelihood = likelihood_of(throws, surrogates, space)
    free = np.ones(len(space), dtype=np.bool_)
    free[SPEED] = any(throw.speed_mm_s is None for throw in throws)
    best, converged = best_point(likelihood, free)
    ends = intervals(likelihood, best, free)
    best_values, low, high = (to_point(space, unit) for unit in (best, ends[:, 0], ends[:, 1]))
    told = free.copy()
    for k in np.flatnonzero(free).tolist():
        interval = float(low[k]), float(high[k])
        told[k] = _tells((whole or space)[k], float(best_values[k]), interval)
    variance, added = variances(likelihood, best, free)
    raised = np.ones(len(space))
    raised[free] += np.diag(added) / np.diag(variance)
    held, kept = _keep(likelihood, best, ends, (free & ~told, free), raised)
    default = np.array([own.default for own in space])
    at_default = np.abs(held - to_unit(space, default)) < _SAME
    values = np.where(kept & at_default, default, to_point(space, held))
    fitted = [
        FittedParameter(
            free=(whole or space)[k],
            value=float(values[k]),
            low=float(low[k]),
            high=float(high[k]),
            verdict=Verdict.KEPT if kept[k] else Verdict.TOLD if told[k] else Verdict.TIED,
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
    """Return ranges around the intervals of a fit, for a closer look.

    Args:
        fit: A first fit.
        space: The ranges it was made in, which are not left.
        margin: How much wider than the intervals.
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


def _tells(whole: FreeParameter, value: float, interval: tuple[float, float]) -> bool:
    """Return whether an interval tells something: narrow enough, and the best value not its end."""
    width = interval[1] - interval[0]
    if whole.known_sd is not None:
        return width < _TELLING_KNOWN * 2 * _Z_95 * whole.known_sd
    size = whole.high - whole.low
    inside = _EDGE < (value - whole.low) / size < 1 - _EDGE
    return inside and width < _TELLING_SHARE * size


def _keep(
    likelihood: Likelihood, best: Floats, ends: Floats, which: tuple[Bools, Bools], raised: Floats
) -> tuple[Floats, Bools]:
    """Keep what is not told at its default, the widest interval first, as far as the log allows.

    Args:
        likelihood: The likelihood.
        best: The best point.
        ends: Shape (D, 2); of the intervals.
        which: What is not told, and what is free.
        raised: Shape (D,); what the surrogates' own error raises a limit by, as a factor.

    Returns:
        The best point with those kept, and which are. The others, told alone or not, are free:
        all defaults at once may be further off than each alone.
    """
    space, (untold, free) = likelihood.space, which
    default = np.clip(
        to_unit(space, np.array([own.default for own in space])), ends[:, 0], ends[:, 1]
    )
    lowest = float(likelihood.misfit(best[np.newaxis])[0])
    point, kept = best, np.zeros(len(best), dtype=np.bool_)
    for k in sorted(np.flatnonzero(untold).tolist(), key=lambda k: float(ends[k, 0] - ends[k, 1])):
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
    """Return the surrogates' share of the variance of the combination that is told best."""
    values, vectors = np.linalg.eigh(own)
    extra = float(vectors[:, 0] @ added @ vectors[:, 0])
    return extra / (extra + float(values[0]))


def _measured_speed(space: FreeParameter, throws: Sequence[RealThrow]) -> FittedParameter:
    """Return the mean of the measured speeds; of drops alone it is not the thrower's."""
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
