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
EXTRAS = 4
"""Columns beside the polynomial: what came before in the same throw, each as a share and as
whether there was any."""

_PRECISIONS = (1e-6, 0.1, 0.5, 1.0)
"""What is assumed of a coefficient by its degree: one over its variance around 0. Log odds change
by some units over a range, and bend less than they change."""

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


def fit_rung(columns: Floats, success: Bools, extras: int, shares: Floats | None = None) -> Rung:
    """Return the chance of success as a function of the columns.

    Coefficients have a normal prior around 0, so that what few throws do not tell stays as
    uncertain as it was.

    Args:
        columns: Shape (N, C); of `polynomial`, then the extras.
        success: Shape (N,).
        extras: How many of the extras to use.
        shares: Shape (D,); what share of its whole range each parameter has, if not all. What is
            assumed is of whole ranges: over a part of one, log odds change less.
    """
    size = columns.shape[1] - EXTRAS + extras
    used, precision = columns[:, :size], _prior(columns, shares)[:size]
    fold = np.arange(len(success)) % _FOLDS
    chances = np.zeros(len(success))
    for held_out in (fold == k for k in range(_FOLDS)):
        trained, _ = _regress(used[~held_out], success[~held_out], precision)
        chances[held_out] = chance(used[held_out] @ trained)
    lack = _lack_of_fit(columns, extras, chances, success)
    found, own = _regress(used, success, precision)
    coefficients = np.zeros(columns.shape[1])
    covariance = np.zeros((columns.shape[1],) * 2)
    coefficients[:size] = found
    covariance[:size, :size] = own
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


def chance(log_odds: Floats) -> Floats:
    """Return chances from log odds."""
    found: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -_MOST_LOGIT, _MOST_LOGIT)))
    return found


def _prior(columns: Floats, shares: Floats | None) -> Floats:
    """Return the precision of each column's coefficient; the extras have that of degree 1."""
    size = _parameters(columns)
    terms = [comb(size + degree - 1, degree) for degree in range(DEGREE + 1)]
    precision = np.repeat([*_PRECISIONS, _PRECISIONS[1]], [*terms, EXTRAS])
    if shares is not None:
        precision[:-EXTRAS] /= polynomial(shares[np.newaxis])[0] ** 2
    return precision


def _regress(columns: Floats, success: Bools, precision: Floats) -> tuple[Floats, Floats]:
    """Return coefficients and their covariance, by iteratively reweighted least squares."""
    penalty = np.diag(precision)
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
    return coefficients, np.linalg.inv(normal).astype(np.float64)


def _lack_of_fit(columns: Floats, extras: int, chances: Floats, success: Bools) -> float:
    """Return how far throws lie off beyond their own error, in boxes of two columns.

    The columns are the parameters, and whether there was any of what came before. A polynomial
    bends most at the ends of its ranges, so boxes in the corners are looked at by themselves, and
    the worse of corners and others counts.

    Args:
        columns: As of `fit_rung`.
        extras: How many of the extras are used.
        chances: Shape (N,); of each throw, by a regression that it was held out of.
        success: Shape (N,).
    """
    residual, weight = success - chances, chances * (1 - chances)
    size = _parameters(columns)
    binned = np.minimum(((columns[:, 1 : size + 1] + 1) / 2 * _BINS).astype(int), _BINS - 1)
    before = np.where(columns[:, -EXTRAS:][:, :extras] > 0, _BINS - 1, 0)
    place = np.concatenate([binned, before], axis=1)
    at_end = np.isin(np.arange(_BINS), (0, _BINS - 1))
    corner = np.outer(at_end, at_end).ravel()
    excess, scale = np.zeros(2), np.zeros(2)
    for first, second in combinations(range(place.shape[1]), 2):
        box = place[:, first] * _BINS + place[:, second]
        counts = np.bincount(box, minlength=_BINS**2)
        sums = np.bincount(box, residual, minlength=_BINS**2)
        own = np.bincount(box, weight, minlength=_BINS**2)
        for kind, boxes in enumerate((corner, ~corner)):
            full = boxes & (counts >= _FEWEST_IN_BIN)
            excess[kind] += np.sum((sums[full] ** 2 - own[full]) / counts[full] ** 2)
            scale[kind] += np.sum((own[full] / counts[full]) ** 2)
    known = scale > 0
    worst = np.max(excess[known] / scale[known], initial=0.0)
    return float(np.sqrt(worst))
