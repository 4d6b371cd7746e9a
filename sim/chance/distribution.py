"""Finite distributions: outcomes with their probabilities.

Probabilities are fractions or floats, and what is computed from fractions is a fraction.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise, product
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
        return dict(self.items).get(outcome, Fraction(0))


Draw: TypeAlias = Callable[[Distribution[Any]], Any]
"""Draws an outcome: at random, or every one in turn."""


def distribution(pairs: Iterable[tuple[_T, Number]]) -> Distribution[_T]:
    """Return the distribution of outcomes with their probabilities; equal outcomes become one.

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
    try:
        return Distribution(tuple(sorted(merged.items(), key=lambda item: item[0])))  # type: ignore[arg-type, return-value]
    except TypeError:  # outcomes without an order stay as they came
        return Distribution(tuple(merged.items()))


def certain(outcome: _T) -> Distribution[_T]:
    """Return the distribution with a single outcome."""
    return Distribution(((outcome, Fraction(1)),))


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
    upto = list(accumulate((p for _, p in each.items), initial=Fraction(0)))
    # The highest is at most x if all are: P(max = x) = P(X <= x)^n - P(X < x)^n.
    chances = (high**count - low**count for low, high in pairwise(upto))
    return distribution(zip((outcome for outcome, _ in each.items), chances, strict=True))


def map_outcomes(function: Callable[..., _U], *parts: Distribution[Any]) -> Distribution[_U]:
    """Return the distribution of a function of one or more independent outcomes.

    Example:
        >>> map_outcomes(lambda a, b: a > b, die(6), die(6))[True]
        Fraction(5, 12)
    """
    return distribution(
        (function(*(outcome for outcome, _ in chosen)), math.prod(p for _, p in chosen))
        for chosen in product(*(part.items for part in parts))
    )


def plus(first: Distribution[Any], second: Distribution[Any]) -> Distribution[Any]:
    """Return the sum of two independent outcomes."""
    return map_outcomes(add, first, second)


def times(each: Distribution[Any], count: int) -> Distribution[Any]:
    """Return the sum of ``count`` independent outcomes of a distribution; 0 for none."""
    total: Distribution[Any] = certain(0)
    for _ in range(count):
        total = plus(total, each)
    return total


def at_least(part: Distribution[Any], least: Any) -> Number:
    """Return the chance that the outcome is ``least`` or more."""
    return sum((p for outcome, p in part.items if outcome >= least), Fraction(0))


def mean(part: Distribution[Any]) -> Any:
    """Return the expected outcome."""
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


def courses(run: Callable[[Draw], _U]) -> list[tuple[_U, Number]]:
    """Return all results that a random procedure can have, each with the probability of its draws.

    The procedure runs once for each sequence of draws, and must depend on nothing else. So one
    engine serves simulation and exact odds.

    Args:
        run: Does the work; it draws only with the function that it is given.

    Example:
        >>> distribution(courses(lambda draw: draw(die(2)) + draw(die(2)))).items
        ((2, Fraction(1, 4)), (3, Fraction(1, 2)), (4, Fraction(1, 4)))
    """
    results: list[tuple[_U, Number]] = []
    # Draws to repeat, by index of the outcome, and their probability.
    waiting: list[tuple[tuple[int, ...], Number]] = [((), Fraction(1))]

    def follow(course: tuple[int, ...], chance: Number) -> None:
        drawn = 0

        def draw_next(part: Distribution[Any]) -> Any:
            nonlocal course, chance, drawn
            if drawn == len(course):  # beyond: the first outcome now, the others later
                for index, (_, p) in enumerate(part.items[1:], start=1):
                    waiting.append(((*course, index), chance * p))
                course, chance = (*course, 0), chance * part.items[0][1]
            drawn += 1
            return part.items[course[drawn - 1]][0]

        result = run(draw_next)
        results.append((result, chance))

    while waiting:
        follow(*waiting.pop())
    return results
