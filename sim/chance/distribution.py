"""Finite distributions: outcomes with their probabilities.

Probabilities are fractions or floats, and what is computed from fractions is a fraction.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, product
from operator import add
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np

Number: TypeAlias = Fraction | float
"""A probability or a cost; whole numbers count as fractions."""

_T = TypeVar("_T")
_U = TypeVar("_U")
_ROUNDING = 1e-9
"""Largest distance of the sum of float probabilities from 1."""


@dataclass(frozen=True, slots=True)
class Distribution(Generic[_T]):
    """A finite distribution; `distribution` makes one.

    Attributes:
        items: Outcomes and their probabilities, each outcome once, in ascending order if the
            outcomes have one; probabilities are above 0 and add up to 1.
    """

    items: tuple[tuple[_T, Number], ...]
    _cumulative: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sums = accumulate(probability for _, probability in self.items[:-1])
        object.__setattr__(self, "_cumulative", tuple(map(float, sums)))

    def __getitem__(self, outcome: _T) -> Number:
        """Return the probability of an outcome; 0 if it cannot happen."""
        return next((chance for found, chance in self.items if found == outcome), Fraction(0))


def distribution(pairs: Iterable[tuple[_T, Number]]) -> Distribution[_T]:
    """Return the distribution of outcomes with their probabilities.

    Args:
        pairs: Outcomes and probabilities; those of equal outcomes are added up.

    Raises:
        ValueError: A probability is negative, or they do not add up to 1.

    Example:
        >>> distribution([(2, Fraction(1, 4)), (1, Fraction(1, 2)), (2, Fraction(1, 4))])[2]
        Fraction(1, 2)
    """
    merged: dict[_T, Number] = {}
    for outcome, probability in pairs:
        if not probability >= 0:
            raise ValueError(f"probability: {probability!r} is not accepted; give 0 or more")
        if probability:
            merged[outcome] = merged.get(outcome, 0) + probability
    total = sum(merged.values())
    if not (total == 1 or (isinstance(total, float) and abs(total - 1) <= _ROUNDING)):
        raise ValueError(f"probabilities: their sum {total!r} is not accepted; give a sum of 1")
    items: Any = list(merged.items())
    try:
        items.sort(key=lambda item: item[0])
    except TypeError:  # outcomes without an order stay as they came
        items = list(merged.items())
    return Distribution(tuple(items))


def certain(outcome: _T) -> Distribution[_T]:
    """Return the distribution with a single outcome."""
    return distribution([(outcome, Fraction(1))])


def die(sides: int) -> Distribution[int]:
    """Return a fair die: 1 to ``sides``."""
    return distribution((face, Fraction(1, sides)) for face in range(1, sides + 1))


def best_of(each: Distribution[Any], count: int) -> Distribution[Any]:
    """Return the highest of ``count`` independent outcomes, at least one.

    Example:
        >>> best_of(die(6), 2)[6]
        Fraction(11, 36)
    """
    if count < 1:
        raise ValueError(f"count: {count!r} is not accepted; give 1 or more")
    pairs, below = [], Fraction(0) * each.items[0][1]
    for outcome, probability in each.items:
        # The highest is at most x if all are: P(max = x) = P(X <= x)^n - P(X < x)^n.
        upto = below + probability
        pairs.append((outcome, upto**count - below**count))
        below = upto
    return distribution(pairs)


def combined(function: Callable[..., _U], *parts: Distribution[Any]) -> Distribution[_U]:
    """Return the distribution of a function of independent outcomes.

    Example:
        >>> combined(lambda a, b: a > b, die(6), die(6))[True]
        Fraction(5, 12)
    """
    return distribution(
        (function(*(outcome for outcome, _ in chosen)), math.prod(p for _, p in chosen))
        for chosen in product(*(part.items for part in parts))
    )


def plus(first: Distribution[Any], second: Distribution[Any]) -> Distribution[Any]:
    """Return the sum of two independent outcomes."""
    return combined(add, first, second)


def times(each: Distribution[Any], count: int) -> Distribution[Any]:
    """Return the sum of ``count`` independent outcomes of a distribution; 0 for none."""
    total: Distribution[Any] = certain(0)
    for _ in range(count):
        total = plus(total, each)
    return total


def mapped(part: Distribution[_T], function: Callable[[_T], _U]) -> Distribution[_U]:
    """Return the distribution of a function of the outcome."""
    return combined(function, part)


def mixture(parts: Iterable[tuple[Number, Distribution[_T]]]) -> Distribution[_T]:
    """Return the outcome of one of several distributions, drawn with the given probabilities."""
    return distribution(
        (outcome, weight * probability)
        for weight, part in parts
        for outcome, probability in part.items
    )


def at_least(part: Distribution[Any], least: Any) -> Number:
    """Return the chance that the outcome is ``least`` or more."""
    return sum((p for outcome, p in part.items if outcome >= least), Fraction(0))


def mean(part: Distribution[Any]) -> Any:
    """Return the expected outcome.

    Example:
        >>> mean(die(6))
        Fraction(7, 2)
    """
    return sum(outcome * probability for outcome, probability in part.items)


def quantile(part: Distribution[_T], level: Number) -> _T:
    """Return the least outcome that is not exceeded with at least this probability, 0 to 1.

    Example:
        >>> quantile(die(6), 0.5), quantile(die(6), 0.9)
        (3, 6)
    """
    upto: Number = 0
    for outcome, probability in part.items:
        upto += probability
        # Rounding must not push a level that is reached exactly to the next outcome.
        if upto >= level or (isinstance(upto, float) and upto >= level - _ROUNDING):
            return outcome
    return part.items[-1][0]


def draw(part: Distribution[_T], rng: "np.random.Generator") -> _T:
    """Draw an outcome."""
    return part.items[bisect_right(part._cumulative, rng.random())][0]  # noqa: SLF001


Draw: TypeAlias = Callable[[Distribution[Any]], Any]
"""Draws an outcome: at random, or every one in turn."""


def courses(run: Callable[[Draw], _U]) -> list[tuple[_U, Number]]:
    """Return every result that a random procedure can have, with the probability of its course.

    The procedure is run once for each way in which its draws can fall; it must be the same for the
    same draws. So one engine serves simulation and exact odds.

    Args:
        run: Does the work; it draws only with the function that it is given.

    Example:
        >>> distribution(courses(lambda draw: draw(die(2)) + draw(die(2)))).items
        ((2, Fraction(1, 4)), (3, Fraction(1, 2)), (4, Fraction(1, 4)))
    """
    results = []
    waiting: list[tuple[tuple[int, ...], Number]] = [((), Fraction(1))]
    while waiting:
        course = _Course(*waiting.pop())
        results.append((run(course.draw), course.probability))
        waiting += course.others
    return results


class _Course:
    """One course of a procedure: draws as taken before, then the first outcome of each."""

    def __init__(self, taken: tuple[int, ...], probability: Number) -> None:
        self.probability = probability
        self.others: list[tuple[tuple[int, ...], Number]] = []
        self._taken = list(taken)
        self._drawn = 0

    def draw(self, part: Distribution[Any]) -> Any:
        if self._drawn == len(self._taken):
            first, *others = part.items
            self.others += [
                ((*self._taken, index), self.probability * chance)
                for index, (_, chance) in enumerate(others, start=1)
            ]
            self.probability *= first[1]
            self._taken.append(0)
        self._drawn += 1
        return part.items[self._taken[self._drawn - 1]][0]
