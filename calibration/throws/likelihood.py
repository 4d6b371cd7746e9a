"""Likelihood of a log of throws, simulated: its mean statistics beside those of the model.

A setting's mean statistics are compared with the model's by a normal distribution (a synthetic
likelihood: S. N. Wood, Nature 466 (2010) 1102). The model's means are quadratic polynomials of the
parameters, fitted to the simulated throws of a design; variances follow the means. To the variance
of the log's own throws is added what the polynomials err by: from the limited number of simulated
throws, and from the lack of fit beyond it.
"""

from collections.abc import Sequence

import numpy as np

from calibration.designs import Floats, quadratic
from calibration.throws.log import RealThrow, Setting
from calibration.throws.simulation import STATISTICS, Moments, levels_of, moments_arrays
from calibration.throws.space import SPEED, FreeParameter
from physics.facts import fact

_PRIOR_SDS = (1e3, 3.0, 1.0)
"""Prior standard deviation of a coefficient by its degree, in spreads of the design's means."""

_SHARES, _DISTANCE = [1, 3], 4


@fact(eq=False)
class Response:
    """Mean statistics of a setting as functions of the parameters; C columns of `quadratic`."""

    setting: Setting
    coefficients: Floats  # (C, 5)
    covariance: Floats  # (5, C, C), of each statistic's coefficients
    dispersion: Floats  # (5,), variance of a throw over `_variance` of its mean
    correlation: Floats  # (5, 5), of the statistics of a throw
    lack: Floats  # (5,), standard deviation of the true means from the polynomials
    floor: float  # smallest mean and share: half a throw of all simulated ones

    def mean(self, rows: Floats) -> Floats:
        """Return means, shape (..., 5), at rows of `quadratic`."""
        return _bounded(np.einsum("...c,cs->...s", rows, self.coefficients), self.floor)

    def variance(self, mean: Floats) -> Floats:
        """Return the variance of a throw about a mean; shape (..., 5)."""
        return self.dispersion * _variance(mean)


def _bounded(means: Floats, floor: float) -> Floats:
    """Return means of at least the floor, and shares as far below 1."""
    found = np.maximum(means, floor)
    found[..., _SHARES] = np.minimum(found[..., _SHARES], 1 - floor)
    return found


def _variance(mean: Floats) -> Floats:
    """Return variances up to a factor: of counts like their mean, of shares m (1 - m)."""
    found = mean.copy()
    found[..., _SHARES] *= 1 - mean[..., _SHARES]
    found[..., _DISTANCE] = 1.0
    return found


def fit_response(setting: Setting, unit: Floats, tallies: Sequence[Moments]) -> Response:
    """Return the response of a setting, by least squares with a prior.

    Args:
        setting: The setting.
        unit: Shape (P, D); points in the unit cube.
        tallies: Throws at each point.
    """
    throws, sums, products = moments_arrays(tallies)
    total = float(throws.sum())
    rows, means = quadratic(unit), sums / throws[:, np.newaxis]
    # Scatter of throws about the mean of their own point: the pure error.
    own = (
        products
        - throws[:, np.newaxis, np.newaxis] * means[:, :, np.newaxis] * means[:, np.newaxis]
    )
    pure = np.maximum(np.einsum("pss->s", own) / max(total - len(throws), 1.0), 1 / total)
    middle = sums.sum(axis=0) / total
    spread2 = np.maximum((throws @ (means - middle) ** 2) / total, pure / total)
    size = unit.shape[1]
    degrees = np.repeat([0, 1, 2], [1, size, rows.shape[1] - size - 1])
    normal = np.einsum("pc,p,pd->cd", rows, throws, rows)
    covariance = np.empty((len(STATISTICS), rows.shape[1], rows.shape[1]))
    coefficients = np.empty((rows.shape[1], len(STATISTICS)))
    for s in range(len(STATISTICS)):
        prior = np.diag(1 / (np.array(_PRIOR_SDS)[degrees] ** 2 * spread2[s]))
        covariance[s] = np.linalg.inv(normal / pure[s] + prior)
        pull = np.einsum("pc,p->c", rows, sums[:, s] - throws * middle[s]) / pure[s]
        coefficients[:, s] = covariance[s] @ pull
    coefficients[0] += middle
    raw = np.einsum("pc,cs->ps", rows, coefficients)
    # Scatter of the points' means beyond the pure error is lack of fit.
    used = np.einsum("pc,scd,pd->s", rows * throws[:, np.newaxis], covariance, rows) / pure
    beyond = throws @ (means - raw) ** 2 / np.maximum(len(throws) - used, 1.0) - pure
    lack = np.sqrt(np.maximum(beyond, 0.0) * len(throws) / total)
    floor = 0.5 / total
    fitted = _bounded(raw, floor)
    cross = sums[:, :, np.newaxis] * fitted[:, np.newaxis]
    scatter = products - cross - cross.transpose(0, 2, 1)
    scatter += throws[:, np.newaxis, np.newaxis] * fitted[:, :, np.newaxis] * fitted[:, np.newaxis]
    # Half a throw more keeps the variance of what never happened above 0.
    within = scatter.sum(axis=0) + np.eye(len(STATISTICS)) / 2
    deviation = np.sqrt(np.diag(within))
    return Response(
        setting=setting,
        coefficients=coefficients,
        covariance=covariance,
        dispersion=deviation**2 / (throws @ _variance(fitted)),
        correlation=within / np.outer(deviation, deviation),
        lack=lack,
        floor=floor,
    )


@fact(eq=False)
class SettingData:
    """Throws of one setting, with E different speeds, and its response."""

    response: Response
    throws: Floats  # (5,), throws in which the statistic is known
    seen: Floats  # (5,), its mean
    speed: Floats  # (E,), measured speeds in the unit cube, NaN for unknown
    weight: Floats  # (E, 5), shares of the throws


@fact(eq=False)
class Likelihood:
    """Likelihood of a log, with the prior of contact parameters."""

    space: tuple[FreeParameter, ...]  # the unit cube
    data: tuple[SettingData, ...]

    def misfit(self, units: Floats) -> Floats:
        """Return -2 log likelihood at points, with the prior; shape (B,) for (B, D)."""
        total = np.zeros(len(units))
        for k, free in enumerate(self.space):
            if free.known_sd is not None:
                value = free.low + (free.high - free.low) * (units[:, k] + 1) / 2
                total += ((value - free.default) / free.known_sd) ** 2
        for own in self.data:
            mean, sampled, simulated = predicted(own, units)
            known = np.flatnonzero(own.throws)
            rest = (own.seen - mean)[:, known]
            matrix = (sampled + simulated)[:, known[:, np.newaxis], known]
            total += np.einsum(
                "bs,bs->b", rest, np.linalg.solve(matrix, rest[..., np.newaxis])[..., 0]
            )
            total += np.linalg.slogdet(matrix)[1]
        return total

    def simulated_share(self, unit: Floats) -> float:
        """Return the share of the simulation's errors in the variances at a point."""
        shares = []
        for own in self.data:
            _, sampled, simulated = predicted(own, unit[np.newaxis])
            variance = np.diagonal(simulated[0])
            shares.append(variance / (variance + np.diagonal(sampled[0])))
        return float(np.mean(shares))


def predicted(own: SettingData, units: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the means of a setting's statistics and their two covariances: log and simulation.

    Shapes (B, 5) and (B, 5, 5).
    """
    points = np.repeat(units[:, np.newaxis], len(own.speed), axis=1)
    points[..., SPEED] = np.where(np.isnan(own.speed), points[..., SPEED], own.speed)
    response, rows = own.response, quadratic(points)
    by_speed = response.mean(rows)
    mean, variance = (
        np.einsum("bes,es->bs", values, own.weight)
        for values in (by_speed, response.variance(by_speed))
    )
    row = np.einsum("bec,es->bsc", rows, own.weight)
    squared = np.einsum("sbc,bsc->bs", row.transpose(1, 0, 2) @ response.covariance, row)
    error = np.sqrt(np.maximum(squared, 0.0))  # rounding
    fewest = np.maximum(np.maximum.outer(own.throws, own.throws), 1.0)
    deviation = np.sqrt(variance)
    outer = deviation[:, :, np.newaxis] * deviation[:, np.newaxis] / fewest
    simulated = response.correlation * error[:, :, np.newaxis] * error[:, np.newaxis]
    return mean, response.correlation * outer, simulated + np.diag(response.lack**2)


def likelihood_of(
    throws: Sequence[RealThrow], responses: Sequence[Response], space: Sequence[FreeParameter]
) -> Likelihood:
    """Return the likelihood of a log; its settings' responses were fitted in ``space``."""
    speed = space[SPEED]
    data = []
    for response in responses:
        own = [throw for throw in throws if throw.setting == response.setting]
        if not own:
            continue
        levels = levels_of(own)
        known = np.isfinite(levels)
        speeds = np.array([np.nan if t.speed_mm_s is None else t.speed_mm_s for t in own])
        different, which = np.unique(
            2 * (speeds - speed.low) / (speed.high - speed.low) - 1, return_inverse=True
        )
        weight = np.array([known[which == e].sum(axis=0) for e in range(len(different))])
        count = known.sum(axis=0)
        data.append(
            SettingData(
                response=response,
                throws=count.astype(np.float64),
                seen=np.where(known, levels, 0.0).sum(axis=0) / np.maximum(count, 1),
                speed=different,
                weight=weight / np.maximum(count, 1),
            )
        )
    return Likelihood(space=tuple(space), data=tuple(data))
