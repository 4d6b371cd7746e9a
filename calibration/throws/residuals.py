"""What a log has against what the fit says, setting by setting."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.throws.likelihood import Likelihood
from calibration.throws.log import RealThrow
from calibration.throws.rung import Floats
from calibration.throws.space import SPEED
from calibration.throws.surrogate import Surrogate, joint_chances

STATISTICS = (
    "flips a throw",
    "share of throws that flip any",
    "out a throw",
    "share of throws with any out",
    "mean distance, mm",
)

_UNLIKELY = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticResidual:
    """One statistic of one setting.

    Attributes:
        setting: What the setting is called.
        statistic: One of `STATISTICS`.
        throws: Throws behind it.
        seen: What the log has.
        fitted: What the fit says.
        standard_error: Of the mean of so many throws, by the fit.
    """

    setting: str
    statistic: str
    throws: int
    seen: float
    fitted: float
    standard_error: float

    @property
    def standardised(self) -> float:
        """The residual in standard errors; 0 where the fit has no scatter."""
        rest = self.seen - self.fitted
        return rest / self.standard_error if self.standard_error > 0 else 0.0


def residuals_of(
    throws: Sequence[RealThrow], likelihood: Likelihood, unit: Floats
) -> tuple[StatisticResidual, ...]:
    """Return the residuals at a point of the unit cube."""
    found: list[StatisticResidual] = []
    for data in likelihood.data:
        setting = data.surrogate.setting
        own = [throw for throw in throws if throw.setting == setting]
        speeds = np.where(np.isnan(data.speed), unit[SPEED], data.speed)
        share = np.bincount(data.which, minlength=len(speeds)) / len(own)
        moments = np.zeros((len(STATISTICS), 2))
        for speed, weight in zip(speeds, share, strict=True):
            point = unit.copy()
            point[SPEED] = speed
            moments += weight * _moments(data.surrogate, point)
        for name, (mean, square), seen in zip(STATISTICS, moments, _seen(own), strict=True):
            if seen:
                variance = max(square - mean**2, 0.0)
                found.append(
                    StatisticResidual(
                        setting=setting.name,
                        statistic=name,
                        throws=len(seen),
                        seen=math.fsum(seen) / len(seen),
                        fitted=float(mean),
                        standard_error=math.sqrt(variance / len(seen)),
                    )
                )
    return tuple(found)


def misfit_of(residuals: Sequence[StatisticResidual]) -> StatisticResidual | None:
    """Return the worst residual if so bad a one would be rare, at 1 % over all of them."""
    from statistics import NormalDist

    worst = max(residuals, key=lambda r: abs(r.standardised))
    limit = NormalDist().inv_cdf(1 - _UNLIKELY / 2 / len(residuals))
    return worst if abs(worst.standardised) > limit else None


def _seen(own: Sequence[RealThrow]) -> list[list[float]]:
    return [
        [float(t.flipped) for t in own],
        [float(t.flipped > 0) for t in own],
        [float(t.out) for t in own],
        [float(t.out > 0) for t in own],
        [t.distance_mm for t in own if t.distance_mm is not None],
    ]


def _moments(surrogate: Surrogate, unit: Floats) -> Floats:
    """Return mean and mean square of each statistic; shape (5, 2)."""
    table = joint_chances(surrogate, unit)
    flips, outs, bands = (ladder.typical for ladder in surrogate.ladders)
    by_flips, by_outs, by_band = (table.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))

    def counted(levels: Floats, chances: Floats) -> tuple[float, float]:
        return float(np.sum(levels * chances)), float(np.sum(levels**2 * chances))

    def any_at_all(levels: Floats, chances: Floats) -> tuple[float, float]:
        # Without rungs the only level is a mean below or above 1; with them, they are 0, 1, ...
        share = float(np.sum(np.minimum(levels, 1.0) * chances))
        return share, share

    return np.array(
        [
            counted(flips, by_flips),
            any_at_all(flips, by_flips),
            counted(outs, by_outs),
            any_at_all(outs, by_outs),
            counted(bands, by_band),
        ]
    )
