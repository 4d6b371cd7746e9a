"""Stop rules: throw until the answer is sure enough, and first where it is least sure.

A run with a rule looks at the tally of each study after 100 trials, and again after a tenth more of
them, at most 1000. The study with the widest interval is thrown next; one whose half-width has
reached the target is thrown no more. Looks fall on trial numbers that are fixed beforehand, and a
study is judged by its own tally only, so that the result depends neither on the number of workers
nor on how often the run was stopped and continued.

Looks are paid for. A rule that ends a run when the interval is narrow lets chance choose the end,
and the nominal level is no longer exact (Anscombe, Proc. Cambridge Phil. Soc. 48 (1952) 600; Chow
and Robbins, Ann. Math. Stat. 36 (1965) 457). Frey, Am. Stat. 64 (2010) 242, raises the level of the
intervals until their coverage at the end, counted over all paths, is right. `stopped_coverage`
counts so; with `Z_LOOKED` = 2 instead of 1.96 the coverage of the nominal 95 % is 95.4 to 95.6 %,
averaged over chances from .03 to .97, for targets of .1 to .01. The price is 4 % more trials. A
confidence sequence that holds at every moment at once (Howard and others, Ann. Stat. 49 (2021)
1055) would cost half as many again or more, and cover over 97 %.
"""

import math
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from physics.errors import InputError
from physics.tally import Tally, empty_tally
from sim.core.ordered_work import in_order
from sim.odds.study import (
    CHUNK_TRIALS,
    Z_LOOKED,
    Progress,
    Study,
    flips_half_width,
    run_trials,
    wilson,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

FIRST_LOOK = 100
"""Trials before the first look at a study."""

_GROWTH = 10
"""The next look is after one more trial for every so many, ..."""

_LONGEST_STEP = 1000
"""... but after so many at most: a run that is killed loses no more of a study."""

TARGETS = ("p_any", "flips")
"""Quantities that a half-width may be asked of: P(at least one flip) and mean flips."""

_MOST_TRIALS = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """Conditions that end a run; the first one that holds does.

    Attributes:
        half_width: Half-width of every study's interval to reach; None for no target.
        of: The quantity that it is asked of, one of `TARGETS`; also the one that decides which
            study is least sure.
        max_trials: Trials over all studies, those of an earlier run included; the run ends when
            the next look would need more.
        max_seconds: Time; looked at once every study has had its first look.

    Example:
        >>> StopRule(half_width=0.02, max_trials=50_000).of
        'p_any'
    """

    half_width: float | None = None
    of: str = "p_any"
    max_trials: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        """Check that the quantity is known and that something ends the run."""
        if self.of not in TARGETS:
            raise InputError(f"of: {self.of!r} is not accepted; give {' or '.join(TARGETS)}")
        if self.half_width is None and self.max_trials is None and self.max_seconds is None:
            raise InputError("half_width: none is not accepted without max_trials or max_seconds")


def next_look(trials: int) -> int:
    """Return the number of trials at which a study with ``trials`` is looked at next.

    Example:
        >>> next_look(0), next_look(100), next_look(110), next_look(1000)
        (100, 125, 125, 1050)
    """
    looks = _first_looks()
    if trials < looks[-1]:
        return looks[bisect_right(looks, trials)]
    return looks[-1] + ((trials - looks[-1]) // _LONGEST_STEP + 1) * _LONGEST_STEP


@lru_cache(maxsize=1)
def _first_looks() -> tuple[int, ...]:
    """Return the looks until they are `_LONGEST_STEP` trials apart."""
    looks, step = [FIRST_LOOK], 0
    while step < _LONGEST_STEP:
        step = max(1, looks[-1] // (_GROWTH * CHUNK_TRIALS)) * CHUNK_TRIALS
        looks.append(looks[-1] + step)
    return tuple(looks)


def half_width(tally: Tally, of: str) -> float:
    """Return the half-width of an estimate's interval, at the level that pays for looks.

    Args:
        tally: The trials so far; infinite before the first look.
        of: One of `TARGETS`.
    """
    if tally.trials < FIRST_LOOK:
        return math.inf
    if of == "p_any":
        chance = wilson(tally.trials - tally.flips[0], tally.trials, Z_LOOKED)
        return (chance.high - chance.low) / 2
    return flips_half_width(tally.flips, Z_LOOKED)


def run_until(
    studies: Sequence[Study],
    rule: StopRule,
    *,
    seed: int,
    begin: Sequence[Tally] | None = None,
    executor: "Executor | None" = None,
    window: int = 8,
    throw: Callable[[Study, int, int, int], Tally] = run_trials,
) -> Iterator[Progress]:
    """Simulate trials until a rule ends the run, and yield the state after each look.

    Args:
        studies: The studies.
        rule: The rule.
        seed: The seed; trial i of every study is drawn from it and i alone.
        begin: Tallies of an earlier run, one per study; trials continue after them.
        executor: Runs the trials, some of them ahead of time; None to run them in this process.
        window: Chunks in the executor at a time.
        throw: Returns the tally of some trials of a study, like `run_trials`.

    Yields:
        States; the last one has in ``stopped_by`` the rule that ended each study: ``half-width``,
        ``max-trials`` or ``max-seconds``.
    """
    run = _Run(studies, rule, begin)
    ends_s = math.inf if rule.max_seconds is None else time.monotonic() + rule.max_seconds
    yield run.state()
    tasks = ((throw, index, studies[index], seed, *span) for index, *span in run.chunks())
    for index, tally in in_order(_run_chunk, tasks, executor, window):
        run.collect(index, tally)
        while run.adopt():
            yield run.state()
        if time.monotonic() >= ends_s and run.all_looked_at():
            run.is_out_of_time = True
            break
        if run.least_sure() is None:
            break
    yield run.state()


def stopped_coverage(chance: float, target: float, z: float = Z_LOOKED) -> tuple[float, float]:
    """Return the exact coverage of a run that stops at a half-width, and its mean trials.

    Every path of the number of successes is followed from look to look, as Frey (2010) does.

    Args:
        chance: The true chance of success.
        target: Half-width at which the run stops.
        z: Quantile of the intervals.

    Example:
        >>> coverage, trials = stopped_coverage(0.7, 0.05)
        >>> round(coverage, 2), round(trials, -1)
        (0.95, 340.0)
    """
    import numpy as np
    from scipy.stats import binom

    alive = np.array([1.0])  # chance of each number of successes from `first` on, still running
    first = trials = 0
    covered = spent = 0.0
    while alive.size:
        more = next_look(trials) - trials
        steps = np.arange(binom.ppf(1e-12, more, chance), binom.isf(1e-12, more, chance) + 1)
        alive = np.convolve(alive, binom.pmf(steps, more, chance))
        first, trials = first + int(steps[0]), trials + more
        intervals = [wilson(first + k, trials, z) for k in range(alive.size)]
        narrow = np.array([(p.high - p.low) / 2 <= target for p in intervals])
        holds = np.array([p.low <= chance <= p.high for p in intervals])
        covered += alive[narrow & holds].sum()
        spent += trials * alive[narrow].sum()
        alive[narrow | (alive < 1e-14)] = 0.0
        left = np.flatnonzero(alive)
        if not left.size:
            break
        alive, first = alive[left[0] : left[-1] + 1], first + int(left[0])
    return float(covered), float(spent)


class _Run:
    """A run under way: adopted tallies, and chunks that were thrown ahead of them."""

    def __init__(
        self, studies: Sequence[Study], rule: StopRule, begin: Sequence[Tally] | None
    ) -> None:
        self._rule = rule
        self._tallies = list(begin or (empty_tally(len(study.scene.stack)) for study in studies))
        self._asked = [tally.trials for tally in self._tallies]
        self._collected = list(self._asked)
        self._ahead: list[deque[Tally]] = [deque() for _ in studies]
        self._widths = [half_width(tally, rule.of) for tally in self._tallies]
        self._target = rule.half_width or 0.0
        self._most = rule.max_trials or _MOST_TRIALS * len(studies)
        self.is_out_of_time = False

    def least_sure(self) -> int | None:
        """Return the study to throw next; None if a rule ends the run."""
        index = max(range(len(self._widths)), key=self._widths.__getitem__)
        after = sum(tally.trials for tally in self._tallies) + self._step(index)
        is_over = self._widths[index] <= self._target or after > self._most or self.is_out_of_time
        return None if is_over else index

    def chunks(self) -> Iterator[tuple[int, int, int]]:
        """Yield study, first trial and count of chunks, as they will probably be needed."""
        while (wanted := self.least_sure()) is not None:
            if self._asked[wanted] < self._tallies[wanted].trials + self._step(wanted):
                index = wanted
            else:  # nothing is left to ask for this look: ahead to the widest one after it
                index = max(range(len(self._asked)), key=self._expected_width)
            first = self._asked[index]
            count = min(CHUNK_TRIALS, next_look(first) - first)
            self._asked[index] += count
            yield index, first, count

    def collect(self, index: int, tally: Tally) -> None:
        """Keep the tally of a chunk, added to that of its step, until its look is due."""
        ahead, first = self._ahead[index], self._collected[index]
        if ahead and next_look(first - 1) != first:
            ahead[-1] += tally
        else:
            ahead.append(tally)
        self._collected[index] += tally.trials

    def adopt(self) -> bool:
        """Add the next step of the least sure study, and return False if it is not there yet."""
        index = self.least_sure()
        if index is None:
            return False
        ahead = self._ahead[index]
        if not ahead or ahead[0].trials < self._step(index):
            return False
        self._tallies[index] += ahead.popleft()
        self._widths[index] = half_width(self._tallies[index], self._rule.of)
        return True

    def all_looked_at(self) -> bool:
        """Return whether every study has had its first look."""
        return all(width < math.inf for width in self._widths)

    def state(self) -> Progress:
        """Return the state; its total is an estimate."""
        done = sum(tally.trials for tally in self._tallies)
        total = self._most
        if self._target and self.all_looked_at():
            # Half-widths fall with the square root of the trials.
            needed = (
                tally.trials * max(1.0, width / self._target) ** 2
                for tally, width in zip(self._tallies, self._widths, strict=True)
            )
            total = min(total, math.ceil(sum(needed)))
        over = "max-seconds" if self.is_out_of_time else "max-trials"
        stopped_by = tuple(
            "half-width" if width <= self._target else over for width in self._widths
        )
        is_over = self.least_sure() is None
        return Progress(
            tallies=tuple(self._tallies),
            done=done,
            total=max(done, total),
            stopped_by=stopped_by if is_over else None,
        )

    def _step(self, index: int) -> int:
        """Return the trials to the next look of a study."""
        trials = self._tallies[index].trials
        return next_look(trials) - trials

    def _expected_width(self, index: int) -> float:
        trials, asked = self._tallies[index].trials, self._asked[index]
        width = self._widths[index]
        return width * math.sqrt(trials / asked) if width < math.inf else 1.0 / (1 + asked)


def _run_chunk(
    throw: Callable[[Study, int, int, int], Tally],
    index: int,
    study: Study,
    seed: int,
    first: int,
    count: int,
) -> tuple[int, Tally]:
    return index, throw(study, seed, first, count)
