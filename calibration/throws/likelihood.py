"""How likely a log is at any parameters, by the surrogates of its settings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.throws.log import RealThrow
from calibration.throws.rung import EXTRAS, Bools, Floats, chance, polynomial
from calibration.throws.space import SPEED, FreeParameter
from calibration.throws.surrogate import Surrogate, climbed, counts_of, extras_of

_STEP = 1e-3
"""Of finite differences, in the unit cube; the likelihood is smooth, so it errs by 1e-6."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SettingData:
    """The throws of one setting, ready to be looked up; N throws, E different speeds, R rungs.

    Attributes:
        surrogate: The surrogate of the setting.
        speed: Shape (E,); measured speeds in the unit cube, NaN for one that is not known.
        which: Shape (N,); the speed of each throw.
        extras: Shape (N, 4); what later rungs are conditioned on.
        reached: Shape (N, R).
        over: Shape (N, R).
    """

    surrogate: Surrogate
    speed: Floats
    which: NDArray[np.intp]
    extras: Floats
    reached: Bools
    over: Bools


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Likelihood:
    """The likelihood of a log.

    Attributes:
        space: The parameters, each from -1 to 1 in the unit cube.
        data: One per setting.
    """

    space: tuple[FreeParameter, ...]
    data: tuple[SettingData, ...]

    def misfit(self, units: Floats) -> Floats:
        """Return -2 log likelihood at points, with what is known before; shape (B,) for (B, D)."""
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
        """Return the variance that errors of the surrogates give the score; shape (D, D).

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
        """Return one over the variances of what is known before, in the unit cube."""
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
