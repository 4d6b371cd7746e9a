"""Rounding, rolls, stages and durations, chances to hit, damage (sections 1, 3, 6.5 and 8)."""

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pucklab.base.decoding import register_text
from pucklab.base.errors import refusal
from pucklab.sim.chance.distribution import Distribution, distribution, map_outcomes

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
Rational: TypeAlias = Fraction | int


def round_to_int(value: Rational, *, up: bool = False, down: bool = False) -> int:
    """Return a whole number: up if a modifier says so, else down if one does, else nearest.

    Halves go away from zero (1.3).

    Example:
        >>> round_to_int(HALF), round_to_int(Fraction(-5, 2)), round_to_int(HALF, down=True)
        (1, -3, 0)
    """
    if value.denominator == 1:
        return value.numerator
    if up or down:
        return math.ceil(value) if up else math.floor(value)
    return math.floor(value + HALF) if value > 0 else math.ceil(value - HALF)


def limit(value: int, least: int | None = None, most: int | None = None) -> int:
    """Return a number within limits: the minimum first, then the maximum (1.5)."""
    value = value if least is None else max(value, least)
    return value if most is None else min(value, most)


# Rolls


def luck(chance: Fraction, by: int) -> Fraction:
    """Return the chance of a roll: the better of two if ``by`` is above 0, the worse if below.

    Example:
        >>> luck(Fraction(1, 24), 1), luck(Fraction(1, 24), 0)
        (Fraction(47, 576), Fraction(1, 24))
    """
    return 1 - (1 - chance) ** 2 if by > 0 else chance**2 if by < 0 else chance


@lru_cache(maxsize=4096)
def success(chance: Fraction) -> Distribution[bool]:
    """Return the distribution of success of a roll."""
    return distribution([(True, chance), (False, 1 - chance)])


@lru_cache(maxsize=256)
def range_roll(low: int, high: int, by: int = 0) -> Distribution[int]:
    """Return a roll from ``low`` to ``high``; the higher or lower of two by `luck`."""
    once = distribution((n, Fraction(1, high - low + 1)) for n in range(low, high + 1))
    return map_outcomes(max if by > 0 else min, once, once) if by else once


@lru_cache(maxsize=256)
def successes(chance: Fraction, rolls: int) -> Distribution[int]:
    """Return the distribution of the number of rolls that succeed."""
    odds = (math.comb(rolls, k) * chance**k * (1 - chance) ** (rolls - k) for k in range(rolls + 1))
    return distribution(enumerate(odds))


class Roll(NamedTuple):
    """A die that was rolled against a target: as low or lower is a success.

    Example:
        >>> Roll("Hit", 216, 240, 217).succeeds
        False
    """

    label: str
    target: int
    sides: int
    rolled: int

    @property
    def succeeds(self) -> bool:
        """Whether the roll is a success."""
        return self.rolled <= self.target

    def __str__(self) -> str:
        return f"{self.label} <= {self.target}: {self.rolled} of {self.sides}"


# Durations and stages

Stat: TypeAlias = Literal[
    "attack",
    "defense",
    "special_attack",
    "special_defense",
    "speed",
    "accuracy",
    "evasion",
    "critical",
]
STATS = get_args(Stat)
"""Stats with stages; the first five have values, too."""
_RANGES = {"accuracy": (-2, 2), "evasion": (-2, 2), "critical": (0, 3)}
Extension: TypeAlias = Literal["longer", "without extension", "overwriting"]
"""Rules for the duration of a stage that has one already."""


class Duration(NamedTuple):
    """A number of turns, steps or rounds; or until leaving, or for ever, with nothing to count."""

    left: int
    unit: str

    def __str__(self) -> str:
        unit = self.unit if self.left != 1 else self.unit.removesuffix("s")
        return f"{self.left} {unit}" if self.left else unit


LEAVING, EVER = Duration(0, "leaving"), Duration(0, "ever")


def parse_duration(text: str) -> Duration:
    """Return a duration such as ``3 turns``, ``1 round``, ``leaving`` or ``ever``.

    Raises:
        InputError: It is none.
    """
    if text in {"leaving", "ever"}:
        return Duration(0, text)
    found = re.fullmatch(r"([1-9]\d?) (turn|step|round)s?", text)
    if not found:
        raise refusal("duration", text, "such as 3 turns, 2 steps, 1 round, leaving (play) or ever")
    return Duration(int(found[1]), f"{found[2]}s")


register_text(Duration, "a duration, such as 3 turns", str, parse_duration)


def count_down(parts: Iterable[Any], unit: str) -> tuple[Any, ...]:
    """Return conditions or stages with one unit less to go, without those that have ended."""
    return tuple(
        one._replace(duration=until._replace(left=until.left - 1)) if counts else one
        for one in parts
        for until in [one.duration]
        if not (counts := until.unit == unit) or until.left > 1
    )


class Stage(NamedTuple):
    """The durable part of a stage that is not 0."""

    stat: str
    value: int
    duration: Duration


Stages: TypeAlias = tuple[Stage, ...]
"""Stages, sorted by stat."""


def clip_stage(stat: str, value: int) -> int:
    """Return a stage within its limits."""
    return limit(value, *_RANGES.get(stat, (-6, 6)))


def stage_value(stages: Stages, stat: str) -> int:
    """Return the durable part of a stage."""
    return next((one.value for one in stages if one.stat == stat), 0)


def change_stage(
    stages: Stages,
    stat: str,
    by: int,
    duration: Duration,
    extension: Extension = "longer",
    steps: int = 3,
) -> Stages:
    """Return stages after one is raised or lowered; a round is compared as so many steps.

    At 0 a stage has no duration (BP-45); equal durations leave the old one.

    Example:
        >>> raised = change_stage((), "attack", 2, Duration(3, "turns"))
        >>> change_stage(raised, "attack", 1, Duration(5, "turns"))[0].duration
        Duration(left=5, unit='turns')
    """
    durable = {one.stat: one for one in stages}
    _, before, old = durable.pop(stat, (stat, 0, duration))
    new, was = (
        one.left * (steps if one.unit == "rounds" else 1) or math.inf for one in (duration, old)
    )
    if extension == "without extension" or (extension == "longer" and new <= was):
        duration = old
    if value := clip_stage(stat, before + by):
        durable[stat] = Stage(stat, value, duration)
    return tuple(durable[own] for own in sorted(durable))


# Hitting

_EFFECTS = [Fraction(n, 100) for n in (1, 25, 50, 75, 100, 150, 200, 250, 300)]
CRITICAL = (Fraction(1, 24), Fraction(1, 8), HALF, ONE)
SPREAD = Fraction(2, 3)
"""Factor of damage with two or more targets."""
STAB = 3


def effectiveness(weak: int, resists: int, immune: int = 0) -> Fraction:
    """Return the factor of weaknesses and resistances; 0 with an immunity (6.2).

    Example:
        >>> effectiveness(2, 0), effectiveness(1, 2)
        (Fraction(2, 1), Fraction(3, 4))
    """
    return ZERO if immune else _EFFECTS[limit(weak - resists, -4, 4) + 4]


@lru_cache(maxsize=4096)
def hit_chance(
    accuracy: int | None,
    difference: int = 0,
    *,
    flat: int = 0,
    by: int = 0,
    sure: bool | None = None,
) -> Fraction:
    """Return the chance to hit (8.7, BP-17, BP-18).

    Args:
        accuracy: Percentage; None always hits.
        difference: User's Accuracy stage less the defender's Evasion stage.
        flat: Percentage added, such as by Natures.
        by: Luck, as `luck` has it.
        sure: True succeeds, False fails automatically.

    Example:
        >>> hit_chance(70, 1), hit_chance(70, -1), hit_chance(70, 1, flat=10)
        (Fraction(19, 20), Fraction(49, 100), Fraction(1, 1))
    """
    if accuracy is None or sure or difference >= 4:
        return ONE
    if sure is False or difference <= -4:
        return ZERO
    change = 25 * (difference + (difference < 0))
    percent = limit(accuracy + flat + change, 0, 100)
    return luck(Fraction(percent, 100), by - (difference < 0))


class Blow(NamedTuple):
    """The numbers of an attack on one defender, as 8.10 names them by letters."""

    bap: Rational  # a, b: after power multipliers and addends
    stab: int = 0  # c
    ranks: int = 0  # e: attacker's less defender's
    bonus: int = 0  # f
    effect: Fraction = ONE  # g
    attack_stage: int = 0  # h
    defence_stage: int = 0
    critical_stage: int | None = 0  # None is never critical
    ignores: bool = False  # bad stages, as Identify does
    added: int = 0  # i
    factor: Rational = ONE  # j
    screen: Rational = ONE  # part of j that a mended critical hit ignores
    most_hits: int = 1
    is_fixed: bool = False
    is_one: bool = False  # each hit deals 1

    @property
    def critical_chance(self) -> Fraction:
        """Chance that a hit is critical (8.8)."""
        if self.critical_stage is None or self.is_fixed:
            return ZERO
        return CRITICAL[limit(self.critical_stage, 0, 3)]


def stage_difference(attack: int, defence: int, *, ignores: bool) -> int:
    """Return the difference of two stages; stages that are bad for the attacker may be ignored."""
    return max(0, attack) - min(0, defence) if ignores else attack - defence


def damage(blow: Blow, hits: int, critical: bool, more_criticals: int = 0) -> int:
    """Return the damage of some hits, the first of them critical or not.

    Example:
        >>> sample = Blow(Fraction(9), stab=3, ranks=6 - 8)
        >>> damage(sample, 1, False), damage(sample, 1, True)
        (10, 13)
    """
    if blow.is_one or blow.is_fixed:
        return hits if blow.is_one else round_to_int(hits * max(ONE, blow.bap))
    ignores = (critical or more_criticals > 0) and (blow.critical_stage or 0) >= 1  # BP-14
    stage = stage_difference(blow.attack_stage, blow.defence_stage, ignores=ignores or blow.ignores)
    bonus = 3 if blow.most_hits == 1 else 2 if blow.most_hits <= 3 else 1
    factor = blow.factor * (1 if ignores else blow.screen)
    power = blow.bap + blow.stab + bonus * critical + blow.ranks + blow.bonus
    first = (power * blow.effect + (4 if stage > 0 else 3) * stage + blow.added) * factor
    plain, higher = (max(ONE, (blow.bap + own) * blow.effect * factor) for own in (0, bonus))
    extra = (hits - 1 - more_criticals) * plain + more_criticals * higher
    return round_to_int(max(ONE, first) + extra)
