"""Chances to hit and to be critical, effectiveness, and damage (8.5 to 8.10)."""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sim.post.numbers import limited, luck, rounded

_EFFECTS = [Fraction(n, 100) for n in (1, 25, 50, 75, 100, 150, 200, 250, 300)]
CRITICAL = (Fraction(1, 24), Fraction(1, 8), Fraction(1, 2), Fraction(1))
SPREAD = Fraction(2, 3)
"""Factor of damage with two or more targets."""
STAB = 3


def effectiveness(weak: int, resists: int, immune: int = 0) -> Fraction:
    """Return the factor of weaknesses and resistances; 0 with an immunity (6.2).

    Example:
        >>> effectiveness(2, 0), effectiveness(1, 2)
        (Fraction(2, 1), Fraction(3, 4))
    """
    return Fraction(0) if immune else _EFFECTS[max(-4, min(4, weak - resists)) + 4]


@lru_cache(maxsize=4096)
def hit_chance(
    accuracy: int | None,
    difference: int = 0,
    *,
    flat: int = 0,
    lucky: bool = False,
    unlucky: bool = False,
    sure: bool | None = None,
) -> Fraction:
    """Return the chance to hit (8.7, BP-17, BP-18).

    Args:
        accuracy: Percentage; None always hits.
        difference: User's Accuracy stage less the defender's Evasion stage.
        flat: Percentage added, such as by Natures.
        lucky: The roll is Lucky.
        unlucky: The roll is Unlucky.
        sure: True succeeds, False fails automatically.

    Example:
        >>> hit_chance(70, 1), hit_chance(70, -1), hit_chance(70, 1, flat=10)
        (Fraction(19, 20), Fraction(49, 100), Fraction(1, 1))
    """
    if accuracy is None or sure or difference >= 4:
        return Fraction(1)
    if sure is False or difference <= -4:
        return Fraction(0)
    change = 25 * (difference + (difference < 0))
    percent = limited(accuracy + flat + change, 0, 100)
    return luck(Fraction(percent, 100), lucky=lucky, unlucky=unlucky or difference < 0)


class Blow(NamedTuple):
    """The numbers of an attack on one defender, as 8.10 names them by letters."""

    bap: Fraction  # a, b: after power multipliers and addends
    stab: int = 0  # c
    ranks: int = 0  # e: attacker's less defender's
    bonus: int = 0  # f
    effect: Fraction = Fraction(1)  # g
    attack_stage: int = 0  # h
    defence_stage: int = 0
    critical_stage: int | None = 0  # None is never critical
    ignores: bool = False  # bad stages, as Identify does
    added: int = 0  # i
    factor: Fraction = Fraction(1)  # j
    screen: Fraction = Fraction(1)  # part of j that a mended critical hit ignores
    most_hits: int = 1
    is_fixed: bool = False
    is_one: bool = False  # each hit deals 1

    @property
    def critical_chance(self) -> Fraction:
        """Chance of each hit to be critical (8.8)."""
        if self.critical_stage is None or self.is_fixed:
            return Fraction(0)
        return CRITICAL[limited(self.critical_stage, 0, 3)]


def damage(blow: Blow, hits: int, critical: bool, more_criticals: int = 0) -> int:
    """Return the damage of some hits, the first of them critical or not.

    Example:
        >>> sample = Blow(Fraction(9), stab=3, ranks=6 - 8)
        >>> damage(sample, 1, False), damage(sample, 1, True)
        (10, 13)
    """
    if blow.is_one:
        return hits
    if blow.is_fixed:
        return rounded(hits * max(Fraction(1), blow.bap))
    mended = (critical or more_criticals > 0) and (blow.critical_stage or 0) >= 1  # BP-14
    attack, defence = blow.attack_stage, blow.defence_stage
    if mended or blow.ignores:
        attack, defence = max(0, attack), min(0, defence)
    stage = attack - defence
    bonus = 3 if blow.most_hits == 1 else 2 if blow.most_hits <= 3 else 1
    factor = blow.factor * (1 if mended else blow.screen)
    power = blow.bap + blow.stab + bonus * critical + blow.ranks + blow.bonus
    first = (power * blow.effect + (4 if stage > 0 else 3) * stage + blow.added) * factor
    plain, higher = (
        max(Fraction(1), (blow.bap + own) * blow.effect * factor) for own in (0, bonus)
    )
    extra = (hits - 1 - more_criticals) * plain + more_criticals * higher
    return rounded(max(Fraction(1), first) + extra)
