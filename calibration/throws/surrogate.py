"""The chances of every count in a setting at any parameters, learned from throws at many.

A throw's likelihood is that of its number of flips, then of its number out given the flips, then
of its mean distance, in bands, given both. Each is a ladder of rungs: does it go on from c?

A chance as a smooth function of the parameters: logistic regression on a polynomial of them.

Each is one rung of a ladder: the chance that a count goes on from c to more (continuation-ratio
logits: Agresti, Categorical Data Analysis, 2002, section 7.4.3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from calibration.throws.log import RealThrow, Setting

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


LADDERS = ("flipped", "out", "distance")
"""What a throw tells, in the order of conditioning."""

_MOST_RUNGS = 6
_FEWEST_REACH = 60
_FEWEST_GO_ON = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counts:
    """What some throws of one setting came to; N throws.

    Attributes:
        levels: Shape (N, 3); flips, pucks out, and mean distance in mm, NaN where it is not known.
    """

    levels: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ladder:
    """The rungs of one quantity.

    Attributes:
        edges: Shape (R,); a throw goes on over rung r if its level is at least this.
        rungs: R of them.
        typical: Shape (R + 1,); mean level of the throws that stop at each place.
    """

    edges: Floats
    rungs: tuple[Rung, ...]
    typical: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surrogate:
    """The surrogate of one setting; R rungs in all, C columns.

    Attributes:
        setting: The setting.
        ladders: Of flips, pucks out and distance.
        coefficients: Shape (R, C); of all rungs, in the order of the ladders.
        covariance: Shape (R, C, C).
    """

    setting: Setting
    ladders: tuple[Ladder, ...]
    coefficients: Floats
    covariance: Floats

    @property
    def lack_of_fit(self) -> float:
        """Root mean square over the rungs, on the scale of log odds."""
        own = [rung.lack_of_fit for ladder in self.ladders for rung in ladder.rungs]
        return float(np.sqrt(np.mean(np.square(own)))) if own else 0.0


def counts_of(throws: Sequence[RealThrow]) -> Counts:
    """Return what throws of one setting came to."""
    return Counts(
        levels=np.array(
            [
                (t.flipped, t.out, np.nan if t.distance_mm is None else t.distance_mm)
                for t in throws
            ],
            dtype=np.float64,
        ).reshape(-1, 3)
    )


def extras_of(levels: Floats, pucks: int) -> Floats:
    """Return what later rungs are conditioned on: flips and pucks out; shape (N, 4).

    Args:
        levels: Shape (N, 2 or more); flips and pucks out.
        pucks: In the stack.

    Example:
        >>> extras_of(np.array([[2.0, 0.0]]), 10).tolist()
        [[0.2, 1.0, 0.0, 0.0]]
    """
    flips, outs = levels[:, 0], levels[:, 1]
    return np.stack([flips / pucks, flips > 0, outs / pucks, outs > 0], axis=1).astype(np.float64)


def fit_surrogate(
    setting: Setting, unit: Floats, counts: Counts, shares: Floats | None = None
) -> Surrogate:
    """Return the surrogate of a setting.

    Args:
        setting: The setting.
        unit: Shape (N, D); points of the unit cube, -1 to 1, each with one throw.
        counts: What those throws came to.
        shares: Shape (D,); what share of its whole range the cube has of each parameter, if not
            all.
    """
    columns = np.concatenate([polynomial(unit), extras_of(counts.levels, setting.pucks)], axis=1)
    ladders = tuple(
        _fit_ladder(columns, counts.levels[:, place], 2 * place, shares)
        for place in range(len(LADDERS))
    )
    rungs = [rung for ladder in ladders for rung in ladder.rungs]
    size = columns.shape[1]
    return Surrogate(
        setting=setting,
        ladders=ladders,
        coefficients=np.array([rung.coefficients for rung in rungs]).reshape(-1, size),
        covariance=np.array([rung.covariance for rung in rungs]).reshape(-1, size, size),
    )


def climbed(surrogate: Surrogate, counts: Counts) -> tuple[Bools, Bools]:
    """Return which rungs throws came to, and which they went on over; both of shape (N, R)."""
    reached, over = [], []
    for place, ladder in enumerate(surrogate.ladders):
        levels = counts.levels[:, place]
        beyond = levels[:, np.newaxis] >= ladder.edges
        known = np.isfinite(levels)[:, np.newaxis]
        came = np.concatenate([known, beyond[:, :-1]], axis=1)[:, : len(ladder.edges)]
        reached.append(came & known)
        over.append(beyond)
    return np.concatenate(reached, axis=1), np.concatenate(over, axis=1)


def joint_chances(surrogate: Surrogate, unit: Floats) -> Floats:
    """Return the chances of all counts at a point of the unit cube.

    Returns:
        Shape (F, O, B): flips, pucks out, band of distance; adds up to 1. The levels that belong
        to the indices are the ladders' ``typical`` ones.
    """
    flips, outs, bands = surrogate.ladders
    row = polynomial(unit[np.newaxis, :])[0]
    first, second = len(flips.edges), len(flips.edges) + len(outs.edges)
    table = np.zeros((len(flips.typical), len(outs.typical), len(bands.typical)))
    pucks = surrogate.setting.pucks
    for i, flipped in enumerate(flips.typical):
        for j, out in enumerate(outs.typical):
            extras = extras_of(np.array([[flipped, out]]), pucks)[0]
            chances = chance(surrogate.coefficients @ np.concatenate([row, extras]))
            table[i, j] = (
                _stops(chances[:first])[i]
                * _stops(chances[first:second])[j]
                * _stops(chances[second:])
            )
    return table


def _stops(goes_on: Floats) -> Floats:
    """Return the chances to stop at each place of a ladder from those to go on."""
    reach = np.concatenate([[1.0], np.cumprod(goes_on)])
    stop = np.concatenate([1 - goes_on, [1.0]])
    found: Floats = reach * stop
    return found


def _fit_ladder(columns: Floats, levels: Floats, extras: int, shares: Floats | None) -> Ladder:
    edges, rungs = [], []
    reached: Bools = np.isfinite(levels)
    for edge in _edges(levels[reached], counted=extras < EXTRAS):
        over = levels >= edge
        going, stopping = int(np.sum(over & reached)), int(np.sum(~over & reached))
        if min(going, stopping) < _FEWEST_GO_ON or going + stopping < _FEWEST_REACH:
            break
        edges.append(edge)
        rungs.append(fit_rung(columns[reached], over[reached], extras, shares))
        reached = over & reached
    place = np.searchsorted(edges, levels[np.isfinite(levels)], side="right")
    typical = [
        float(np.mean(levels[np.isfinite(levels)][place == k])) if np.any(place == k) else 0.0
        for k in range(len(edges) + 1)
    ]
    return Ladder(edges=np.array(edges), rungs=tuple(rungs), typical=np.array(typical))


def _edges(levels: Floats, *, counted: bool) -> list[float]:
    """Return where the rungs stand: at whole numbers, or at evenly filled bands."""
    if counted:
        return [float(k) for k in range(1, _MOST_RUNGS + 1)]
    if len(levels) == 0:
        return []
    shares = np.arange(1, _MOST_RUNGS) / _MOST_RUNGS
    return sorted(set(np.quantile(levels, shares).tolist()))
