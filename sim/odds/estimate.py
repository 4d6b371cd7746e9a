"""Odds: chances and means estimated from a tally, with their uncertainty."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from physics.tally import Mean, Tally, mean_distance_mm, mean_of

_Z_95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A chance estimated from counts, with its 95 % Wilson interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The odds of one scene and thrower, at a stack of n pieces.

    Attributes:
        trials: Number of trials.
        hit: Chance that the slammer hits the stack.
        flips: Pieces flipped per throw.
        flip_chances: Shape (n + 1,); chance of flipping exactly 0..n pieces.
        any_flip: Chance of at least one flip.
        flips_by_place: Shape (n,); chance of each piece to flip; index 0 is on the floor.
        outs: Pieces that leave the arena per throw.
        any_out: Chance that at least one leaves it.
        distance_mm: Mean distance of the pieces that stay inside from the centre; NaN if none does.
        leaning: Pieces that end leaning per throw.
        slammer_out: Chance that the slammer leaves the arena.
    """

    trials: int
    hit: Proportion
    flips: Mean
    flip_chances: tuple[float, ...]
    any_flip: Proportion
    flips_by_place: tuple[Proportion, ...]
    outs: Mean
    any_out: Proportion
    distance_mm: float
    leaning: float
    slammer_out: Proportion


def odds_of(tally: Tally) -> Odds:
    """Estimate the odds from a tally of at least one trial.

    Raises:
        ValueError: The tally is empty.
    """
    trials = tally.trials
    if trials == 0:
        raise ValueError("tally: no trial is not accepted; give at least 1")
    return Odds(
        trials=trials,
        hit=wilson(tally.hits, trials),
        flips=mean_of(tally.flips),
        flip_chances=tuple(count / trials for count in tally.flips),
        any_flip=wilson(trials - tally.flips[0], trials),
        flips_by_place=tuple(wilson(count, trials) for count in tally.flips_by_place),
        outs=mean_of(tally.outs),
        any_out=wilson(trials - tally.outs[0], trials),
        distance_mm=mean_distance_mm(tally),
        leaning=tally.leaning / trials,
        slammer_out=wilson(tally.slammers_out, trials),
    )


def wilson(successes: int, trials: int) -> Proportion:
    """Return a proportion with its 95 % Wilson score interval.

    Wilson, J. Am. Stat. Assoc. 22 (1927) 209: unlike the normal interval it stays inside [0, 1],
    and has a width even where nothing or everything succeeded.

    Example:
        >>> p = wilson(0, 100)
        >>> p.value, p.low, round(p.high, 4)
        (0.0, 0.0, 0.037)
    """
    p = successes / trials
    z2 = _Z_95**2 / trials
    middle = (p + z2 / 2) / (1 + z2)
    half = _Z_95 / (1 + z2) * math.sqrt(p * (1 - p) / trials + z2 / (4 * trials))
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return Proportion(value=p, low=low, high=high)
