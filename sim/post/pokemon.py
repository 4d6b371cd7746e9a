"""Stat lines and Natures, match rules, the post schedule (sections 2, 4.2 and 6)."""

from collections.abc import Sequence
from dataclasses import fields, replace
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from pucklab.base.errors import check_limits, limits
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.post.numbers import Stat, round_to_int

Technique: TypeAlias = Literal["z-move", "dynamax", "terastal"]
ADVANCED_LEVEL = 4
"""Level of advanced techniques, and of the type of Hidden Power."""
_NATURE = Fraction(115, 100)


@fact
class Stats:
    """A stat line: maximum HP, four ranks, Speed; and percentages of accuracy by Nature."""

    hp: int = limits(1, 1000)
    attack: int = limits(0, 100)
    defense: int = limits(0, 100)
    special_attack: int = limits(0, 100)
    special_defense: int = limits(0, 100)
    speed: int = limits(0, 1000)
    accuracy: int = limits(0, 100, default=0)  # added to own actions'
    exposed: int = limits(0, 100, default=0)  # added to actions' against it

    def __post_init__(self) -> None:
        check_limits(self)


@fact
class Nature:
    """A Nature: a stat that is higher, and one that is lower."""

    raised: Stat | None = None
    lowered: Stat | None = None


def stats_from_base(base: Sequence[int]) -> Stats:
    """Return the stats of base stats: HP, Attack, Defense, Sp. Attack, Sp. Defense, Speed (6.4).

    Raises:
        InputError: They are not six numbers from 1 to 255.

    Example:
        >>> stats_from_base([80, 32, 111, 88, 99, 124]).hp
        90
    """
    if len(base) != 6 or not all(0 < number < 256 for number in base):
        text = "/".join(map(str, base))
        raise InputError(f"base: {text!r} is not accepted; give six numbers from 1 to 255")
    names = (one.name for one in fields(Stats))
    line = dict(zip(names, (number // 15 + 1 for number in base), strict=False))
    return Stats(**line | {"hp": 5 * line["hp"] + 60, "speed": base[-1]})


def with_nature(stats: Stats, nature: Nature) -> Stats:
    """Return stats under a Nature (BP-19)."""
    changes: dict[str, int] = {}
    signs = {nature.raised: 1, nature.lowered: -1}
    for stat, sign in signs.items() if len(signs) > 1 else ():
        if stat == "speed":
            quick = stats.speed * (_NATURE if sign > 0 else 1 / _NATURE)
            changes["speed"] = round_to_int(quick, up=sign > 0, down=sign < 0)
            changes["accuracy" if sign > 0 else "exposed"] = 10
        elif stat is not None:
            changes[stat] = max(1, getattr(stats, stat) + sign)
    return replace(stats, **changes)


@fact
class Match:
    """Match rules (section 2); rules with a default by other rules may be left out."""

    positions: int = limits(1, 2, default=1)  # Singles or Doubles
    team_size: int = limits(1, 12, default=3)
    selection: int = limits(1, 24, default=None)
    species_restriction: bool = True  # no species twice in a team
    steps: int = limits(1, 3, default=None)
    level: int = limits(0, 4, default=4)
    substitutions: int = limits(0, 20, default=None)
    recoveries: int = limits(0, 100, default=2)
    chills: int = limits(0, 100, default=5)
    switching: bool | None = None
    abilities: int | None = limits(0, 20, default=None)  # that count, of each Pokemon; None: all
    half_start: bool = False
    tech: int = limits(0, 100, default=None)
    backpack: int = limits(0, 1000, default=None)
    techniques: tuple[Technique, ...] = get_args(Technique)  # advanced ones that are allowed
    combination_second_cost: int = limits(1, 9, default=2)  # BP-4
    staked: bool = False  # illegal substitutions are ignored, not refused
    energy: bool = True  # house rule: False makes every action free
    max_rounds: int = limits(1, 10_000, default=100)  # BP-44

    def __post_init__(self) -> None:
        check_limits(self)
        n = self.team_size
        defaults = {
            "selection": n + 2,
            "steps": 4 - self.positions,
            "substitutions": min(self.level + 2, 4),
            "switching": n > 1,
            "tech": (n + 1) // 2,
            "backpack": 3 * n + 1,
        }
        for name, value in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

    def bars(self, technique: Technique, level: int) -> str:
        """Return the reason why a Pokemon may not use an advanced technique; empty if it may."""
        if min(level, self.level) < ADVANCED_LEVEL:
            return f"advanced techniques need Level {ADVANCED_LEVEL} (6.3)"
        return "" if technique in self.techniques else f"the match does not allow {technique} (2)"

    def steps_in(self, round_number: int) -> int:
        """Return the steps of a round, from 1; half of them at a half-start (BP-40)."""
        halved = self.half_start and round_number == 1
        return max(1, round_to_int(Fraction(self.steps, 2))) if halved else self.steps


def to_front(posts: Sequence[int], team: int) -> tuple[int, ...]:
    """Return the schedule after a team has become starting player."""
    return (team, *(other for other in posts if other != team))
