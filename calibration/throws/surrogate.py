"""The chances of every count in a setting at any parameters, learned from throws at many.

A throw's likelihood is that of its number of flips, then of its number out given the flips, then
of its mean distance, in bands, given both. Each is a ladder of rungs: does it go on from c?
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.throws.log import RealThrow, Setting
from calibration.throws.rung import EXTRAS, Bools, Floats, Rung, chance, fit_rung, polynomial

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
