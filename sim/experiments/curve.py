"""One curve through the means of cases: differences that are drawn towards 0, and who leads.

Cases of a number that varies (masses, speeds, heights) lie on a smooth curve, a Gaussian process
over the logarithm of the number (Rasmussen and Williams, Gaussian Processes for Machine Learning,
2006, chapters 2 and 5). How far it moves, and how soon, is not known beforehand: the curve is an
average over a grid of both, weighed by how well each explains the means. Cases that are no numbers
lie infinitely far apart: the same prior draws their differences towards 0, and nothing else.

The prior comes from the reference throws of the solid engine (``python -m tests.oddscalibration``).
Over pairs of cells that differ in one number only, flips differ by a root mean square of .20
standard deviations of a throw for each factor of e in the slammer's mass, .82 in the speed, .40 in
the height of the stack, .15 in friction, and .20 in restitution.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pucklab.base.facts import fact
from pucklab.sim.experiments.estimates import Z_95

_Vector = npt.NDArray[np.float64]

MOVES = (0.06, 0.12, 0.25, 0.5, 1.0)
"""Standard deviations of a curve, in those of one throw, ..."""

_USUAL_MOVE, _MOVE_SPREAD = 0.25, 0.8
"""... which are log-normally distributed around this one: the spreads above, over all numbers."""

LENGTHS = (0.5, 1.0, 2.0)
"""Lengths of a curve, in factors of e of its number; equally likely."""

COMMON_LUCK = 0.1
"""Correlation of the flips of two cases in the same throw, where only tallies of each are kept.
Over five masses in two scenes it was .14 on average (-.02 to .30), over speeds and heights .27."""

_EVEN_THROWS = 10
"""Throws with the average variance and the usual correlation that count as thrown: a few do not
determine them. For correlations there is one with their average for each case."""

_LEVEL = 10.0
"""Standard deviation of the level of a curve, in those of a throw: it is not known."""

_SPAN = math.log(4)
"""Length of a range that contains 0, in factors of e."""

_STEEP = {"speed_m_s": 4.0, "pucks": 2.0}
"""Numbers of which a factor counts as so many of the slammer's mass."""

_HELD = 0.95
"""Probability that the best case is among the leaders."""


def number_distances(values: Sequence[float], name: str = "") -> _Vector:
    """Return the distances of a number's values in factors of e of a mass; shape (k, k).

    A range that contains 0 or goes below it is a factor of 4 long.

    Example:
        >>> [round(float(number_distances([4.0, 8.0], name)[0, 1]), 2) for name in ("", "pucks")]
        [0.69, 1.39]
    """
    own = np.asarray(values, dtype=float)
    places = np.log(own) if own.min() > 0 else own * (_SPAN / max(np.ptp(own), 1e-12))
    return np.asarray(np.abs(places[:, None] - places) * _STEEP.get(name, 1.0))


def move_chances() -> _Vector:
    """Return the prior's probability of each of `MOVES`."""
    chances = np.exp(-0.5 * (np.log(np.array(MOVES) / _USUAL_MOVE) / _MOVE_SPREAD) ** 2)
    return np.asarray(chances / chances.sum())


class Gap(NamedTuple):
    """The difference of two cases, first less second."""

    value: float
    error: float  # standard
    better: float  # probability that the first case's true mean is the higher one


@fact(eq=False)
class Curve:
    """True means of k places, as far as throws tell: a mixture of normal distributions.

    Attributes:
        weights: Shape (h,); probability of each of the prior's moves and lengths.
        means: Shape (h, k).
        covariances: Shape (h, k, k).
    """

    weights: _Vector
    means: _Vector
    covariances: _Vector

    def only(self, places: Sequence[int]) -> "Curve":
        """Return it at some of the places."""
        return Curve(
            weights=self.weights,
            means=self.means[:, places],
            covariances=self.covariances[:, places][:, :, places],
        )

    @property
    def values(self) -> _Vector:
        """The means; shape (k,)."""
        return np.asarray(self.weights @ self.means)

    @property
    def errors(self) -> _Vector:
        """Their standard errors; shape (k,)."""
        variances = self.covariances.diagonal(axis1=1, axis2=2) + (self.means - self.values) ** 2
        return np.asarray(np.sqrt(self.weights @ variances))

    def gap(self, first: int, second: int) -> Gap:
        """Return the difference of two cases."""
        pair = self.only([first, second])
        gaps = pair.means[:, 0] - pair.means[:, 1]  # (h,)
        variances = pair.covariances @ [1.0, -1.0] @ [1.0, -1.0]
        value = float(self.weights @ gaps)
        error = math.sqrt(float(self.weights @ (variances + (gaps - value) ** 2)))
        return Gap(value, error, float(pair.chances[0, 1]))

    @property
    def chances(self) -> _Vector:
        """Probability of each case to be better than each other; shape (k, k)."""
        from scipy.special import ndtr

        total = np.zeros(self.covariances.shape[1:])
        for weight, means, own in zip(self.weights, self.means, self.covariances, strict=True):
            variances = own.diagonal()[:, None] + own.diagonal() - 2 * own
            total += weight * ndtr((means[:, None] - means) / np.sqrt(np.maximum(variances, 1e-12)))
        return total

    @property
    def ranks(self) -> list[tuple[int, float]]:
        """Each case with the probability that it beats the highest one, which stands first.

        The others follow, the likeliest first. The first one's number is the probability that none
        beats it: 1 less all the others', which is too small by what two of them share.
        """
        best = int(np.argmax(self.values))
        beats = self.chances[:, best].tolist()
        others = sorted(set(range(len(beats))) - {best}, key=lambda k: (-beats[k], k))
        first = max(0.0, 1 - sum(beats[k] for k in others))
        return [(best, first), *((k, beats[k]) for k in others)]

    @property
    def leaders(self) -> list[int]:
        """Cases that the throws do not tell apart from the highest one, which is among them.

        Of all others none is the best with 95 % probability; in the order of the cases.
        """
        rest, left = list(self.ranks), 1 - _HELD
        while len(rest) > 1 and rest[-1][1] <= left:
            left -= rest.pop()[1]
        return sorted(k for k, _ in rest)


def fit_curve(
    distances: _Vector,
    means: Sequence[float],
    covariance: _Vector,
    trials: Sequence[int],
    z: float = Z_95,
) -> Curve:
    """Return the curve through the means of k cases, and at more places.

    Args:
        distances: Shape (k + m, k + m); of the cases and of m more places, infinite between cases
            that are no values of one number.
        means: Shape (k,).
        covariance: Shape (k, k); of the cases in one throw.
        trials: Shape (k,); throws of each case.
        z: Quantile of 95 % intervals: larger errors where looks are paid for.

    Example:
        >>> found = fit_curve(number_distances([4.0, 8.0]), [1.0, 1.5], 4 * np.eye(2), [100] * 2)
        >>> found.values.round(2).tolist(), round(found.gap(1, 0).better, 2), found.leaders
        ([1.1, 1.4], 0.9, [0, 1])
    """
    from scipy.linalg import solve_triangular

    count, thrown = len(means), np.asarray(trials, dtype=float)
    fewest = thrown.min()
    # A case whose throws are all alike is no perfect measurement: the next may differ by one.
    own = np.maximum(covariance.diagonal(), 1 / thrown)  # (k,)
    variance = float(own.mean())
    spread = np.sqrt((thrown * own + _EVEN_THROWS * variance) / (thrown + _EVEN_THROWS))
    # Correlations of a few throws are drawn towards their mean and towards the usual one, which
    # keeps them those of a covariance.
    luck = covariance / np.sqrt(own[:, None] * own)
    common = float(luck[~np.eye(count, dtype=bool)].mean()) if count > 1 else 0.0
    luck = fewest * luck + count * max(0.0, common) + _EVEN_THROWS * COMMON_LUCK
    luck /= fewest + count + _EVEN_THROWS
    np.fill_diagonal(luck, 1.0)
    # Trials that two cases share are the first ones of both.
    noise = luck * spread[:, None] * spread / np.maximum(thrown[:, None], thrown)
    noise *= (z / Z_95) ** 2 / variance
    level = float(np.mean(means))
    scaled = (np.asarray(means) - level) / math.sqrt(variance)
    logs, centres, spreads = [], [], []
    for move, chance in zip(MOVES, move_chances(), strict=True):
        for length in LENGTHS:
            # Matern's covariance of smoothness 3/2, about a level that may be anything.
            way = math.sqrt(3) / length * np.minimum(distances, 1e3)
            prior = move**2 * (1 + way) * np.exp(-way) + _LEVEL**2
            factor = np.linalg.cholesky(prior[:count, :count] + noise)
            seen = solve_triangular(factor, prior[:count], lower=True)  # (k, k + m)
            rest = solve_triangular(factor, scaled, lower=True)
            centres.append(seen.T @ rest)
            spreads.append(prior - seen.T @ seen)
            logs.append(math.log(chance) - 0.5 * rest @ rest - np.log(factor.diagonal()).sum())
    weights = np.exp(np.array(logs) - max(logs))
    return Curve(
        weights=weights / weights.sum(),
        means=level + np.array(centres) * math.sqrt(variance),
        covariances=np.array(spreads) * variance,
    )


def curve_constants() -> dict[str, float | Sequence[float]]:
    """Return the numbers of the fit by name, for pages, which fit curves themselves."""
    return {
        "moves": MOVES,
        "lengths": LENGTHS,
        "usualMove": _USUAL_MOVE,
        "moveSpread": _MOVE_SPREAD,
        "commonLuck": COMMON_LUCK,
        "evenThrows": _EVEN_THROWS,
        "level": _LEVEL,
        "held": _HELD,
    }
