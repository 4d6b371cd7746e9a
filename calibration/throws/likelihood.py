"""Likelihood of a log by the surrogates of its settings: best point and profile intervals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.throws.log import RealThrow
from calibration.throws.space import SPEED, FreeParameter
from calibration.throws.surrogate import (
    EXTRAS,
    Bools,
    Floats,
    Surrogate,
    chance,
    climbed,
    counts_of,
    extras_of,
    polynomial,
)

_STEP = 1e-3
"""Of finite differences, in the unit cube; the likelihood is smooth, so it errs by 1e-6."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SettingData:
    """Throws of one setting, prepared for the likelihood; N throws, E different speeds, R rungs.

    Attributes:
        surrogate: The surrogate of the setting.
        speed: Shape (E,); measured speeds in the unit cube, NaN for an unknown one.
        which: Shape (N,); index of the speed of each throw.
        extras: Shape (N, 4); columns for conditioning.
        reached: Shape (N, R); True for rungs that the throw reached.
        over: Shape (N, R); True for rungs that it passed.
    """

    surrogate: Surrogate
    speed: Floats
    which: NDArray[np.intp]
    extras: Floats
    reached: Bools
    over: Bools


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Likelihood:
    """Likelihood of a log, with the prior of contact parameters.

    Attributes:
        space: The parameters, each from -1 to 1 in the unit cube.
        data: One per setting.
    """

    space: tuple[FreeParameter, ...]
    data: tuple[SettingData, ...]

    def misfit(self, units: Floats) -> Floats:
        """Return -2 log likelihood at points, with the prior; shape (B,) for (B, D)."""
        total = self._known(units)
        for own in self.data:
            log_odds = _log_odds(own, units)
            gain = own.over * log_odds - np.logaddexp(0.0, log_odds)
            total = total - 2 * np.sum(own.reached * gain, axis=(1, 2))
        return total

    def slope(self, unit: Floats) -> Floats:
        """Return the gradient of `misfit` at a point."""
        steps = _STEP * np.eye(len(unit))
        values = self.misfit(np.concatenate([unit + steps, unit - steps]))
        found: Floats = (values[: len(unit)] - values[len(unit) :]) / (2 * _STEP)
        return found

    def information(self, unit: Floats, *, with_known: bool) -> Floats:
        """Return the expected Fisher information at a point; shape (D, D).

        Args:
            unit: The point.
            with_known: Add what is known before.
        """
        size = len(unit)
        steps = _STEP * np.eye(size)
        total = np.diag(self._precision()) if with_known else np.zeros((size, size))
        for own in self.data:
            chances = chance(_log_odds(own, unit[np.newaxis, :])[0])
            weight = own.reached * chances * (1 - chances)
            moved = _log_odds(own, np.concatenate([unit + steps, unit - steps]))
            slopes = (moved[:size] - moved[size:]) / (2 * _STEP)
            total = total + np.einsum("inr,nr,jnr->ij", slopes, weight, slopes)
        return total

    def pull(self, unit: Floats) -> Floats:
        """Return the variance of the score from the surrogates' errors; shape (D, D).

        The score is linear in a rung's coefficients: d score / d coefficients is the slope, by the
        parameters, of the sum over throws of (expected less seen) times the columns.
        """
        size = len(unit)
        steps = _STEP * np.eye(size)
        points = np.concatenate([unit + steps, unit - steps])
        total = np.zeros((size, size))
        for own in self.data:
            chances = chance(_log_odds(own, points))
            rest = own.reached * (own.over - chances)
            sums = np.einsum("bnr,bnc->brc", rest, _columns(own, points))
            mixed = (sums[:size] - sums[size:]) / (2 * _STEP)
            total = total + np.einsum("irc,rcd,jrd->ij", mixed, own.surrogate.covariance, mixed)
        return total

    def _precision(self) -> Floats:
        """Return the precisions of the prior in the unit cube."""
        return np.array(
            [
                0.0 if free.known_sd is None else ((free.high - free.low) / 2 / free.known_sd) ** 2
                for free in self.space
            ]
        )

    def _known(self, units: Floats) -> Floats:
        middle = np.array(
            [2 * (free.default - free.low) / (free.high - free.low) - 1 for free in self.space]
        )
        found: Floats = np.sum(self._precision() * (units - middle) ** 2, axis=1)
        return found


def likelihood_of(
    throws: Sequence[RealThrow], surrogates: Sequence[Surrogate], space: Sequence[FreeParameter]
) -> Likelihood:
    """Return the likelihood of a log.

    Args:
        throws: The log.
        surrogates: One for each setting in it.
        space: The parameters, as the surrogates were made for.
    """
    data = []
    for surrogate in surrogates:
        own = [throw for throw in throws if throw.setting == surrogate.setting]
        if own:
            data.append(_setting_data(own, surrogate, space[SPEED]))
    return Likelihood(space=tuple(space), data=tuple(data))


def _setting_data(
    own: Sequence[RealThrow], surrogate: Surrogate, speed: FreeParameter
) -> SettingData:
    counts = counts_of(own)
    reached, over = climbed(surrogate, counts)
    known = np.array([np.nan if t.speed_mm_s is None else t.speed_mm_s for t in own])
    speeds, which = np.unique(
        2 * (known - speed.low) / (speed.high - speed.low) - 1, return_inverse=True
    )
    return SettingData(
        surrogate=surrogate,
        speed=speeds,
        which=which,
        extras=extras_of(counts.levels, surrogate.setting.pucks),
        reached=reached,
        over=over,
    )


def _polynomials(own: SettingData, units: Floats) -> Floats:
    """Return the polynomial at each point and speed; shape (B, E, C - 2)."""
    points = np.repeat(units[:, np.newaxis, :], len(own.speed), axis=1)
    points[:, :, SPEED] = np.where(np.isnan(own.speed), points[:, :, SPEED], own.speed)
    rows = polynomial(points.reshape(-1, units.shape[1]))
    return rows.reshape(len(units), len(own.speed), -1)


def _log_odds(own: SettingData, units: Floats) -> Floats:
    """Return the log odds of each rung; shape (B, N, R)."""
    coefficients = own.surrogate.coefficients
    # No BLAS for products this small: its threads cost more than they do where others work too.
    by_speed = np.einsum("bec,rc->ber", _polynomials(own, units), coefficients[:, :-EXTRAS])
    later = np.einsum("nx,rx->nr", own.extras, coefficients[:, -EXTRAS:])
    found: Floats = by_speed[:, own.which] + later
    return found


def _columns(own: SettingData, units: Floats) -> Floats:
    """Return all columns of each throw; shape (B, N, C)."""
    rows = _polynomials(own, units)[:, own.which]
    extras = np.repeat(own.extras[np.newaxis], len(units), axis=0)
    return np.concatenate([rows, extras], axis=2)


_CHI2_95 = 3.841458820694124
_STARTS = 5
_LEVEL = 1e-2
"""Tolerance of -2 log likelihood at a minimum: a tenth of a standard error."""

_EDGE = 1 - 1e-6

_UNIFORM_PRECISION = 3.0
"""Precision of a uniform distribution from -1 to 1."""

_LOOKS = 10
_CLOSE = 0.02
_CREEP = 0.02


def best_point(likelihood: Likelihood, free: Bools) -> tuple[Floats, bool]:
    """Return the best point in the unit cube from several starts, and True if it is a minimum.

    Args:
        likelihood: The likelihood.
        free: Shape (D,); which parameters to fit. The others stay in the middle.
    """
    starts = np.random.default_rng(0).uniform(-0.7, 0.7, (_STARTS, len(free))) * free
    starts[0] = 0.0
    ends = np.array([descend(likelihood, start, free) for start in starts])
    best: Floats = ends[np.argmin(likelihood.misfit(ends))]
    slope = likelihood.slope(best)[free]
    outward = (np.abs(best[free]) >= _EDGE) & (slope * best[free] < 0)
    inside = np.where(outward, 0.0, slope)
    left = inside @ variances(likelihood, best, free)[0] @ inside / 4
    return best, bool(left < _LEVEL)


def descend(likelihood: Likelihood, start: Floats, free: Bools) -> Floats:
    """Return the best point with some parameters free and the others fixed at the start."""
    if not free.any():
        return start
    from scipy.optimize import minimize

    point = start.copy()

    def misfit(own: Floats) -> tuple[float, Floats]:
        point[free] = own
        return float(likelihood.misfit(point[np.newaxis])[0]), likelihood.slope(point)[free]

    found = minimize(
        misfit,
        start[free],
        jac=True,
        method="SLSQP",
        bounds=[(-1.0, 1.0)] * int(free.sum()),
        options={"ftol": 1e-8, "maxiter": 200},
    )
    end = start.copy()
    end[free] = np.clip(found.x, -1.0, 1.0)
    return end


def variances(likelihood: Likelihood, best: Floats, free: Bools) -> tuple[Floats, Floats]:
    """Return covariances of the free parameters: of the log, and added by the surrogates.

    The log's is the inverse of the information plus that of the ranges; shapes (F, F).
    """
    grid = np.ix_(free, free)
    information = likelihood.information(best, with_known=True)[grid]
    own = np.linalg.inv(information + _UNIFORM_PRECISION * np.eye(len(information)))
    added: Floats = own @ likelihood.pull(best)[grid] @ own
    return own.astype(np.float64), added


def intervals(likelihood: Likelihood, best: Floats, free: Bools) -> Floats:
    """Return the ends of the 95 % intervals in the unit cube; shape (D, 2), 0 for fixed ones.

    An interval is where -2 log likelihood, at its best over all other parameters, lies within
    3.84 of its lowest; within 3.84 (1 + S/V), where the variance is V by the log and the
    surrogates' error adds S.
    """
    own, added = variances(likelihood, best, free)
    ends = np.zeros((len(best), 2))
    spread = np.sqrt(np.diag(own))
    rises = _CHI2_95 * (1 + np.diag(added) / np.diag(own))
    for place, sd, rise in zip(np.flatnonzero(free).tolist(), spread, rises, strict=True):
        for side, sign in enumerate((-1.0, 1.0)):
            step = sign * math.sqrt(rise) * float(sd)
            ends[place, side] = _end(likelihood, best, free, place, (step, math.sqrt(rise)))
    return ends


def _end(
    likelihood: Likelihood,
    best: Floats,
    free: Bools,
    place: int,
    aim: tuple[float, float],
) -> float:
    """Return the end of an interval: the root of the rise, almost linear, meets its target."""
    step, target = aim
    others = free.copy()
    others[place] = False
    lowest = float(likelihood.misfit(best[np.newaxis])[0])
    near, near_root = float(best[place]), 0.0
    far: tuple[float, float] | None = None
    point, x = best, near + step
    for _ in range(_LOOKS):
        x = min(max(x, -1.0), 1.0)
        point = point.copy()
        point[place] = x
        point = descend(likelihood, point, others)
        root = math.sqrt(max(float(likelihood.misfit(point[np.newaxis])[0]) - lowest, 0.0))
        at_the_edge = x == math.copysign(1.0, step)
        if abs(root - target) < _CLOSE * target or (root < target and at_the_edge):
            return x
        if root < target:
            near, near_root = x, root
        else:
            far = (x, root)
        if far is None:
            missing = abs(x - best[place]) * (target / max(root, 0.3) - 1)
            x += math.copysign(min(abs(step), missing + _CREEP), step)
        else:
            x = near + (far[0] - near) * (target - near_root) / (far[1] - near_root)
    return x
