"""Stop rules: run trials until the answer is sure enough, and first where it is least sure.

A run with a rule looks at the tally of each case after 100 trials, and again after a tenth more of
them, at most 1000. The case with the widest interval is next; one whose half-width has reached the
target gets no more trials. Looks fall on trial numbers that are fixed beforehand, and a case is
judged by its own tally only, so that the result depends neither on the number of workers nor on how
often the run was stopped and continued.

Looks are paid for. A rule that ends a run when the interval is narrow lets chance choose the end,
and the nominal level is no longer exact (Anscombe, Proc. Cambridge Phil. Soc. 48 (1952) 600; Chow
and Robbins, Ann. Math. Stat. 36 (1965) 457). Frey, Am. Stat. 64 (2010) 242, raises the level of the
intervals until their coverage at the end, counted over all paths, is right. The tests count so:
with `Z_LOOKED` = 2 instead of 1.96 the coverage of the nominal 95 % is 95.4 to 95.6 %,
averaged over chances from .03 to .97, for targets of .1 to .01. The price is 4 % more trials. A
confidence sequence that holds at every moment at once (Howard and others, Ann. Stat. 49 (2021)
1055) would cost half as many again or more, and cover over 97 %.

Trials of all cases together are looked at as often, and end when orders are clear. There the price
is higher: with `Z_DECIDED` = 3, 3.7 % of runs with two equal cases end with an order within 10,000
trials, and 5.7 % within 100,000.
"""

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pucklab.base.errors import InputError
from pucklab.base.facts import fact
from pucklab.physics.tally import Counts
from pucklab.sim.experiments.estimates import Z_LOOKED
from pucklab.sim.experiments.experiment import CHUNK_TRIALS

_Tally = TypeVar("_Tally", bound=Counts)

FIRST_LOOK = 100
"""Trials before the first look at a case."""

_GROWTH = 10
"""The next look is after one more trial for every so many, ..."""

_LONGEST_STEP = 1000
"""... but after so many at most: a run that is killed loses no more of a case."""

MOST_TRIALS = 100_000_000
"""Trials of a case without another limit."""


@fact
class StopRule:
    """Conditions that end a run; the first one that holds does.

    Example:
        >>> StopRule(half_width=0.02, max_trials=50_000).of
        'p_any'
    """

    half_width: float | None = None  # of every case's interval; None for no target
    of: str = "p_any"  # the quantity, one of the experiment's `half_widths`
    max_trials: int | None = None  # over all cases, those of an earlier run included
    max_seconds: float | None = None  # looked at once every case has had its first look
    decided: Callable[[Sequence[Any]], bool] | None = None  # of all cases that are run together

    def __post_init__(self) -> None:
        """Check that something ends the run."""
        if self.half_width is None and self.max_trials is None and self.max_seconds is None:
            raise InputError("half_width: none is not accepted without max_trials or max_seconds")


def next_look(trials: int) -> int:
    """Return the number of trials at which a case with ``trials`` is looked at next.

    Example:
        >>> next_look(0), next_look(100), next_look(110), next_look(1000)
        (100, 125, 125, 1050)
    """
    looks = _first_looks(FIRST_LOOK)
    if trials < looks[-1]:
        return looks[bisect_right(looks, trials)]
    return looks[-1] + ((trials - looks[-1]) // _LONGEST_STEP + 1) * _LONGEST_STEP


@lru_cache(maxsize=1)
def _first_looks(first: int) -> tuple[int, ...]:
    """Return the looks from ``first`` until they are `_LONGEST_STEP` trials apart."""
    looks, step = [first], 0
    while step < _LONGEST_STEP:
        step = max(1, looks[-1] // (_GROWTH * CHUNK_TRIALS)) * CHUNK_TRIALS
        looks.append(looks[-1] + step)
    return tuple(looks)


class RuleRun(Generic[_Tally]):
    """A run under a rule: adopted tallies, and chunks that were run ahead of them.

    Args:
        tallies: Tallies of an earlier run; None for a case without one.
        rule: The rule.
        half_width: Returns the half-width of a tally's interval for a z.
    """

    def __init__(
        self,
        tallies: Sequence[_Tally | None],
        rule: StopRule,
        half_width: Callable[[_Tally, float], float],
    ) -> None:
        self.tallies = list(tallies)
        self.is_out_of_time = False
        self._half_width = half_width
        self._trials = [tally.trials if tally else 0 for tally in tallies]
        self._asked = list(self._trials)
        self._collected = list(self._trials)
        self._ahead: list[deque[_Tally]] = [deque() for _ in tallies]
        self._widths = [self._width(index) for index in range(len(tallies))]
        self._target = rule.half_width or 0.0
        self._most = rule.max_trials or MOST_TRIALS * len(tallies)

    def least_sure(self) -> int | None:
        """Return the case to run next; None if a rule ends the run."""
        index = max(range(len(self._widths)), key=self._widths.__getitem__)
        after = self.done + self._step(index)
        is_over = self._widths[index] <= self._target or after > self._most or self.is_out_of_time
        return None if is_over else index

    def chunks(self) -> Iterator[tuple[int, int, int]]:
        """Yield case, first trial and count of chunks, as they will probably be needed."""

        def expected_width(index: int) -> float:
            trials, asked = self._trials[index], self._asked[index]
            width = self._widths[index]
            return width * math.sqrt(trials / asked) if width < math.inf else 1.0 / (1 + asked)

        while (wanted := self.least_sure()) is not None:
            if self._asked[wanted] < self._trials[wanted] + self._step(wanted):
                index = wanted
            else:  # nothing is left to ask for this look: ahead to the widest one after it
                index = max(range(len(self._asked)), key=expected_width)
            first = self._asked[index]
            count = min(CHUNK_TRIALS, next_look(first) - first)
            self._asked[index] += count
            yield index, first, count

    def collect(self, index: int, tally: _Tally) -> None:
        """Keep the tally of a chunk, added to that of its step, until its look is due."""
        ahead, first = self._ahead[index], self._collected[index]
        if ahead and next_look(first - 1) != first:
            ahead[-1] += tally
        else:
            ahead.append(tally)
        self._collected[index] += tally.trials

    def adopt(self) -> bool:
        """Add the next step of the least sure case, and return False if it is not there yet."""
        index = self.least_sure()
        if index is None:
            return False
        ahead = self._ahead[index]
        if not ahead or ahead[0].trials < self._step(index):
            return False
        own, more = self.tallies[index], ahead.popleft()
        self.tallies[index] = more if own is None else own + more
        self._trials[index] += more.trials
        self._widths[index] = self._width(index)
        return True

    @property
    def all_looked_at(self) -> bool:
        """True once every case has had its first look."""
        return all(width < math.inf for width in self._widths)

    @property
    def done(self) -> int:
        """Trials in the adopted tallies."""
        return sum(self._trials)

    @property
    def total(self) -> int:
        """Estimated trials at the end."""
        total = self._most
        if self._target and self.all_looked_at:
            # Half-widths fall with the square root of the trials.
            needed = (
                trials * max(1.0, width / self._target) ** 2
                for trials, width in zip(self._trials, self._widths, strict=True)
            )
            total = min(total, math.ceil(sum(needed)))
        return max(self.done, total)

    @property
    def stopped_by(self) -> list[str]:
        """The rule that ended each case; empty texts while the run goes on."""
        if self.least_sure() is not None:
            return [""] * len(self.tallies)
        over = "max-seconds" if self.is_out_of_time else "max-trials"
        return ["half-width" if width <= self._target else over for width in self._widths]

    def _width(self, index: int) -> float:
        """Return the half-width of a case's interval; infinite before its first look."""
        tally = self.tallies[index]
        if tally is None or tally.trials < FIRST_LOOK:
            return math.inf
        return self._half_width(tally, Z_LOOKED)

    def _step(self, index: int) -> int:
        """Return the trials to the next look of a case."""
        return next_look(self._trials[index]) - self._trials[index]
