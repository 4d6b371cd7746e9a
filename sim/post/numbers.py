"""Rounding, modifiers, limits and rolls (sections 1 and 3)."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sim.chance.distribution import Distribution, best_of, distribution, mapped

HALF = Fraction(1, 2)


def rounded(value: Fraction | int, *, up: bool = False, down: bool = False) -> int:
    """Return a whole number: up if a modifier says so, else down if one does, else nearest.

    Halves go away from zero (1.3).

    Example:
        >>> rounded(HALF), rounded(Fraction(-5, 2)), rounded(Fraction(27, 4), up=True)
        (1, -3, 7)
    """
    if up:
        return math.ceil(value)
    if down:
        return math.floor(value)
    nearest = math.floor(abs(Fraction(value)) + HALF)
    return nearest if value >= 0 else -nearest


def limited(value: int, least: int | None = None, most: int | None = None) -> int:
    """Return a number within limits: the minimum first, then the maximum (1.5)."""
    value = value if least is None else max(value, least)
    return value if most is None else min(value, most)


def luck(chance: Fraction, *, lucky: bool = False, unlucky: bool = False) -> Fraction:
    """Return the chance of a roll: the better of two if lucky, the worse if unlucky, not both.

    Example:
        >>> luck(Fraction(1, 24), lucky=True), luck(Fraction(1, 24), lucky=True, unlucky=True)
        (Fraction(47, 576), Fraction(1, 24))
    """
    if lucky == unlucky:
        return chance
    return 1 - (1 - chance) ** 2 if lucky else chance**2


@lru_cache(maxsize=4096)
def success(chance: Fraction) -> Distribution[bool]:
    """Return the result of a roll with a chance."""
    return distribution([(True, chance), (False, 1 - chance)])


@lru_cache(maxsize=256)
def range_roll(
    low: int, high: int, *, lucky: bool = False, unlucky: bool = False
) -> Distribution[int]:
    """Return a roll from ``low`` to ``high``; lucky keeps the higher of two, unlucky the lower."""
    once = distribution((n, Fraction(1, high - low + 1)) for n in range(low, high + 1))
    if lucky == unlucky:
        return once
    return best_of(once, 2) if lucky else mapped(min, once, once)


@lru_cache(maxsize=256)
def successes(chance: Fraction, rolls: int) -> Distribution[int]:
    """Return how many of some rolls succeed."""
    odds = (math.comb(rolls, k) * chance**k * (1 - chance) ** (rolls - k) for k in range(rolls + 1))
    return distribution(enumerate(odds))


class Roll(NamedTuple):
    """A die that was rolled against a target: as low or lower is a success.

    Example:
        >>> Roll("Hit", 216, 240, 116).chance, Roll("Hit", 216, 240, 217).succeeds
        (Fraction(9, 10), False)
    """

    label: str
    target: int
    sides: int
    rolled: int

    @property
    def chance(self) -> Fraction:
        """Chance of success."""
        return Fraction(self.target, self.sides)

    @property
    def succeeds(self) -> bool:
        """Whether the roll is a success."""
        return self.rolled <= self.target

    def __str__(self) -> str:
        return f"{self.label} <= {self.target}: {self.rolled} of {self.sides}"
