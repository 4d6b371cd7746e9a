"""Estimates from counts, with their intervals: proportions, and shares by the bootstrap."""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from pucklab.base.facts import fact

Z_95 = NormalDist().inv_cdf(0.975)
"""Quantile of 95 % intervals after a number of trials that was fixed beforehand."""

Z_LOOKED = 2.0
"""Quantile of 95 % intervals of a run that stops when they are narrow; see `stopping`."""

T_BLOCKS = 2.093
"""The same after 20 blocks of trials: Student's t of 19 degrees of freedom."""

Z_DECIDED = 3.0
"""Quantile of 95 % intervals of a paired run that stops when an order is clear; see `stopping`."""

_FEWEST_IN_BLOCK = 5
_RESAMPLES = 2000
_RESAMPLING_SEED = 1


@fact
class Proportion:
    """A chance estimated from counts, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def text(self) -> str:
        """The chance and its interval in per cent."""
        return f"{self.value:.0%} ({100 * self.low:.0f}-{100 * self.high:.0f})"

    def told(self, form: str = ".1%") -> str:
        """Return the chance and its interval in a form for numbers.

        Example:
            >>> Proportion(value=0.5, low=0.4, high=0.6).told()
            '50.0% (40.0% to 60.0%)'
        """
        return f"{self.value:{form}} ({self.low:{form}} to {self.high:{form}})"


def block_effect(trials: Sequence[int], sums: Sequence[float], variance: float) -> float:
    """Return the factor by which luck that trials share raises the variance of their mean, from 1.

    Such luck is that of the recorded throws that all of them draw from. As many trials as there are
    tell it, each of which draws from one block of the throws alone: the jackknife that leaves out a
    block with its trials at a time (J. Tukey, Ann. Math. Stat. 29 (1958) 614) has the variance of
    the mean, and what it is more than the trials' own is that of the throws. The factor is L.
    Kish's design effect, with the quantile of `T_BLOCKS` for that of `Z_95` where it is about
    blocks: trials divided by it are as many independent ones as tell the same. It is 1 for fewer
    than five trials a block, whose own luck outweighs what they share.

    Args:
        trials: Trials that draw from each block.
        sums: Sum of the value over the trials of each block.
        variance: Variance of the value from trial to trial.

    Example:
        >>> block_effect([100] * 20, [50] * 20, 0.25)
        1.0
        >>> round(block_effect([100] * 20, [20, 80] * 10, 0.25), 1)
        43.1
    """
    n, total = np.array(trials, dtype=float), np.array(sums, dtype=float)
    whole = float(n.sum())
    if whole < _FEWEST_IN_BLOCK * len(n) or whole == n.max() or not variance:
        return 1.0
    off = total - n * (total.sum() / whole)
    between = float(off @ off) / (1 - float(n @ n) / whole**2)  # B / (B - 1) for B equal blocks
    return 1 + max(0.0, between / (variance * whole) - 1) * (T_BLOCKS / Z_95) ** 2


def wilson(successes: float, trials: float, z: float = Z_95) -> Proportion:
    """Return a proportion with its Wilson score interval.

    Wilson, J. Am. Stat. Assoc. 22 (1927) 209: unlike the normal interval it stays inside [0, 1],
    and has a width even where nothing or everything succeeded.

    Example:
        >>> p = wilson(0, 100)
        >>> p.value, p.low, round(p.high, 4)
        (0.0, 0.0, 0.037)
    """
    p = successes / trials
    z2 = z**2 / trials
    middle = (p + z2 / 2) / (1 + z2)
    half = z / (1 + z2) * math.sqrt(p * (1 - p) / trials + z2 / (4 * trials))
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return Proportion(value=p, low=low, high=high)


def bootstrap_mean(
    counts: Sequence[float], values: Sequence[float], prior: Sequence[float]
) -> Proportion:
    """Return the mean of counted values, with its Bayesian bootstrap interval.

    Args:
        counts: Trials with each value; the mean of none is that of ``prior``.
        values: The values.
        prior: Weights of one more trial, spread over the values.

    Example:
        >>> won = bootstrap_mean([3, 9], [0.0, 1.0], [0.5, 0.5])
        >>> won.value, won.low < 0.7 < won.high
        (0.75, True)
    """
    seen, each = np.array(counts, dtype=float), np.array(values)
    known = seen if seen.any() else np.array(prior)
    value = float(known @ each / known.sum())
    drawn = np.random.default_rng(_RESAMPLING_SEED).dirichlet(seen + prior, size=_RESAMPLES) @ each
    low, high = np.quantile(drawn, (0.025, 0.975)).tolist()
    return Proportion(value=value, low=min(low, value), high=max(high, value))
