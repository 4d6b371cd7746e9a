"""A chance as a smooth function of the parameters: logistic regression on a polynomial of them.

Each is one rung of a ladder: the chance that a count goes on from c to more (continuation-ratio
logits: Agresti, Categorical Data Analysis, 2002, section 7.4.3).
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

DEGREE = 3
EXTRAS = 2
"""Columns beside the polynomial: what came before in the same throw."""

_RIDGE = 0.3
_STEPS = 50
_FOLDS = 5
_BINS = 5
_FEWEST_IN_BIN = 10
_MOST_LOGIT = 20.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rung:
    """A fitted chance; C columns: the polynomial's, then the extras.

    Attributes:
        coefficients: Shape (C,); on the scale of log odds.
        covariance: Shape (C, C); of the coefficients, with what the regression lacks put into the
            constant.
        lack_of_fit: How far, on the scale of log odds and as a standard deviation, throws that
            were held out lie from the regression beyond their own error.
    """

    coefficients: Floats
    covariance: Floats
    lack_of_fit: float


def fit_rung(columns: Floats, success: Bools, extras: int) -> Rung:
    """Return the chance of success as a function of the columns.

    The polynomial's degree, up to the third, is the one with the lowest information criterion:
    Akaike, IEEE Trans. Autom. Control 19 (1974) 716.

    Args:
        columns: Shape (N, C); of `polynomial`, then the extras.
        success: Shape (N,).
        extras: How many of the extras to use.
    """
    used = min(
        (_used(columns, degree, extras) for degree in range(1, DEGREE + 1)),
        key=lambda used: _criterion(columns[:, used], success),
    )
    fold = np.arange(len(success)) % _FOLDS
    chances = np.zeros(len(success))
    for held_out in (fold == k for k in range(_FOLDS)):
        trained, _ = _regress(columns[~held_out][:, used], success[~held_out])
        chances[held_out] = chance(columns[held_out][:, used] @ trained)
    lack = _lack_of_fit(columns, chances, success)
    found, own = _regress(columns[:, used], success)
    coefficients = np.zeros(columns.shape[1])
    covariance = np.zeros((columns.shape[1],) * 2)
    coefficients[used] = found
    covariance[np.ix_(used, used)] = own
    covariance[0, 0] += lack**2
    return Rung(coefficients=coefficients, covariance=covariance, lack_of_fit=lack)


def polynomial(unit: Floats) -> Floats:
    """Return the monomials of points up to the third degree, lowest first; shape (N, C).

    Example:
        >>> polynomial(np.array([[0.5, 2.0]])).tolist()
        [[1.0, 0.5, 2.0, 0.25, 1.0, 4.0, 0.125, 0.5, 2.0, 8.0]]
    """
    count, size = unit.shape
    rows = [np.prod(unit[:, _powers(size, degree)], axis=2) for degree in range(1, DEGREE + 1)]
    return np.concatenate([np.ones((count, 1)), *rows], axis=1)


@lru_cache(maxsize=16)
def _powers(size: int, degree: int) -> NDArray[np.intp]:
    return np.array(list(combinations_with_replacement(range(size), degree)), dtype=np.intp)


def _parameters(columns: Floats) -> int:
    """Return of how many parameters the polynomial is."""
    terms = columns.shape[1] - EXTRAS
    return next(size for size in range(terms + 1) if comb(size + DEGREE, DEGREE) == terms)


def _used(columns: Floats, degree: int, extras: int) -> NDArray[np.intp]:
    """Return the columns of a polynomial of some degree, and of some extras."""
    terms = columns.shape[1] - EXTRAS
    polynomial_terms = np.arange(comb(_parameters(columns) + degree, degree))
    return np.concatenate([polynomial_terms, np.arange(terms, terms + extras)])


def _criterion(columns: Floats, success: Bools) -> float:
    """Return Akaike's information criterion of a regression."""
    coefficients, _ = _regress(columns, success)
    log_odds = columns @ coefficients
    gain = success * log_odds - np.logaddexp(0.0, log_odds)
    return float(2 * columns.shape[1] - 2 * np.sum(gain))


def chance(log_odds: Floats) -> Floats:
    """Return chances from log odds."""
    found: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -_MOST_LOGIT, _MOST_LOGIT)))
    return found


def _regress(columns: Floats, success: Bools) -> tuple[Floats, Floats]:
    """Return coefficients and their covariance, by iteratively reweighted least squares."""
    penalty = np.diag([1e-6] + [_RIDGE] * (columns.shape[1] - 1))
    coefficients = np.zeros(columns.shape[1])
    normal = penalty
    for _ in range(_STEPS):
        chances = chance(columns @ coefficients)
        weights = np.maximum(chances * (1 - chances), 1e-9)
        normal = (columns * weights[:, np.newaxis]).T @ columns + penalty
        score = columns.T @ (success - chances) - penalty @ coefficients
        step = np.linalg.solve(normal, score)
        coefficients = coefficients + step * min(1.0, 5.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return coefficients, np.linalg.inv(normal)


def _lack_of_fit(columns: Floats, chances: Floats, success: Bools) -> float:
    """Return how far throws lie off beyond their own error, in boxes of two parameters.

    Args:
        columns: As of `fit_rung`.
        chances: Shape (N,); of each throw, by a regression that it was held out of.
        success: Shape (N,).
    """
    residual, weight = success - chances, chances * (1 - chances)
    size = _parameters(columns)
    place = np.minimum(((columns[:, 1 : size + 1] + 1) / 2 * _BINS).astype(int), _BINS - 1)
    excess = scale = 0.0
    for first, second in combinations(range(size), 2):
        box = place[:, first] * _BINS + place[:, second]
        counts = np.bincount(box, minlength=_BINS**2)
        sums = np.bincount(box, residual, minlength=_BINS**2)
        own = np.bincount(box, weight, minlength=_BINS**2)
        full = counts >= _FEWEST_IN_BIN
        excess += float(np.sum((sums[full] ** 2 - own[full]) / counts[full] ** 2))
        scale += float(np.sum((own[full] / counts[full]) ** 2))
    return float(np.sqrt(max(excess, 0.0) / scale)) if scale > 0 else 0.0
