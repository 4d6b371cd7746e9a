"""Gyms: a duel of some dice, divided between attack and defence, against fixed ATK and HP.

Every number here is exact. A round of a fight with ``k`` of ``n`` dice in attack: the best of the
``k`` is the damage; if the gym still stands, it makes the player faint unless the best of the other
``n - k`` reaches its ATK. A faint starts the fight over.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from physics import InputError
from physics.errors import check_count
from sim.chance import (
    Distribution,
    Number,
    Owner,
    Process,
    at_least,
    best_of,
    certain,
    collect,
    die,
    evaluate,
    mapped,
    solve,
)
from sim.chance.process import EXACT

FAINTED = -1
"""State of a fight, in place of the HP left, after a faint that ends the chance of a Flash."""


class Split(StrEnum):
    """When the dice are divided (ruling DG-3): anew in each round, or once for a fight."""

    ROUND = "round"
    FIGHT = "fight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gym:
    """The numbers of a gym.

    Attributes:
        attack: ATK, 0 to 100; the defence must reach it.
        hp: HP, 1 to 20.
        dice: The player's dice, 1 to 10.
        sides: Sides of each, 2 to 100.
        attack_bonus: Added to the best attack die, -10 to 10; damage is never below 0.
        defence_bonus: Added to the best defence die, -10 to 10.

    Raises:
        InputError: A number outside its range.
    """

    attack: int
    hp: int
    dice: int = 3
    sides: int = 6
    attack_bonus: int = 0
    defence_bonus: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("attack", 0, 100),
            ("hp", 1, 20),
            ("dice", 1, 10),
            ("sides", 2, 100),
            ("attack_bonus", -10, 10),
            ("defence_bonus", -10, 10),
        ):
            check_count(name, getattr(self, name), low=low, high=high)

    def __str__(self) -> str:
        return f"{self.attack}/{self.hp}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A way to divide the dice, and what comes of it from full HP on.

    Attributes:
        attack_dice: Dice in attack by the gym's HP left.
        flash: Chance to win without a faint.
        turns: Expected rounds until the gym is won, one a turn; infinite if it never is.
        faints: Expected faints until then.
    """

    attack_dice: Mapping[int, int]
    flash: Number
    turns: Number
    faints: Number


def parse_gym(text: str, dice: int = 3) -> Gym:
    """Return the gym that is written as ATK/HP.

    Raises:
        InputError: It is written otherwise, or a number is not accepted.

    Example:
        >>> parse_gym("3/4").hp
        4
    """
    found = re.fullmatch(r"\s*([+-]?\d{1,9})\s*/\s*([+-]?\d{1,9})\s*", text, re.ASCII)
    if found is None:
        raise InputError(f"gym: {text!r} is not accepted; a gym is ATK/HP, for example 3/4")
    try:
        return Gym(attack=int(found[1]), hp=int(found[2]), dice=dice)
    except InputError as error:
        raise InputError(f"gym: {text!r}: {error}") from None


@lru_cache(maxsize=1024)
def highest(dice: int, sides: int = 6) -> Distribution[int]:
    """Return the best of some dice; 0 without any (ruling DG-4)."""
    return best_of(die(sides), dice) if dice else certain(0)


@lru_cache(maxsize=1024)
def damage_of(gym: Gym, attack_dice: int) -> Distribution[int]:
    """Return the damage of a round."""
    if not attack_dice:
        return certain(0)
    return mapped(highest(attack_dice, gym.sides), lambda best: max(0, best + gym.attack_bonus))


@lru_cache(maxsize=1024)
def defence_of(gym: Gym, attack_dice: int) -> Distribution[int]:
    """Return what the player's defence comes to when ``attack_dice`` of the dice attack."""
    if attack_dice == gym.dice:
        return certain(0)
    best = highest(gym.dice - attack_dice, gym.sides)
    return mapped(best, lambda roll: roll + gym.defence_bonus)


def fight(gym: Gym, *, round_cost: Number, faint_cost: Number, restart: bool) -> Process[int, int]:
    """Return a fight as a process: states are the HP left, moves the dice in attack.

    Args:
        gym: The gym.
        round_cost: Cost of a round.
        faint_cost: Cost of a faint, beside the round's.
        restart: Start over after a faint; if not, a faint is the end.
    """

    def moves(hp: int) -> dict[int, list[tuple[Number, int, Number]]]:
        if hp in {0, FAINTED}:
            return {}
        return {dice: list(results(hp, dice)) for dice in range(gym.dice, -1, -1)}

    def results(hp: int, dice: int) -> Iterator[tuple[Number, int, Number]]:
        stands = at_least(defence_of(gym, dice), gym.attack)
        faint: Number = Fraction(0)
        for damage, chance in damage_of(gym, dice).items:
            if damage >= hp:  # a killing blow is never answered
                yield chance, 0, round_cost
            else:
                yield chance * stands, hp - damage, round_cost
                faint += chance * (1 - stands)
        yield faint, gym.hp if restart else FAINTED, round_cost + faint_cost

    return collect(gym.hp, moves)


def flash_chances(gym: Gym, attack_dice: Mapping[int, int] | None = None) -> dict[int, Number]:
    """Return the chance to win without a faint by HP left, best or with given dice in attack.

    Example:
        >>> flash_chances(Gym(attack=3, hp=4))[4]
        Fraction(76, 81)
    """
    # Least chance of a faint: so a fight that never ends is no win either.
    process = fight(gym, round_cost=0, faint_cost=1, restart=False)
    found = (
        solve(process, Owner.MINIMISE) if attack_dice is None else evaluate(process, attack_dice)
    )
    return {hp: max(0, 1 - value) for hp, value in found.value.items() if hp > 0}


def best_dice(gym: Gym) -> dict[int, tuple[int, ...]]:
    """Return all numbers of attack dice that are best for a Flash, by HP left.

    To attack with none is left out: it is never better, and may go on for ever.

    Example:
        >>> best_dice(Gym(attack=3, hp=4))[4]
        (1,)
    """
    chances = flash_chances(gym) | {0: Fraction(1), FAINTED: Fraction(0)}
    process = fight(gym, round_cost=0, faint_cost=0, restart=False)
    best = {}
    for hp, moves in process.moves.items():
        worth = {k: sum(p * chances[to] for p, to, _ in steps) for k, steps in moves.items() if k}
        best[hp] = tuple(sorted(k for k, chance in worth.items() if chance == chances[hp]))
    return {hp: dice for hp, dice in sorted(best.items()) if hp > 0}


def plan(gym: Gym, attack_dice: Mapping[int, int] | int) -> Plan:
    """Return what comes of dividing the dice in a given way.

    Args:
        gym: The gym.
        attack_dice: Dice in attack by HP left, or the same number for every HP.
    """
    if isinstance(attack_dice, int):
        attack_dice = dict.fromkeys(range(1, gym.hp + 1), attack_dice)
    turns = evaluate(fight(gym, round_cost=1, faint_cost=0, restart=True), attack_dice)
    flash = flash_chances(gym, attack_dice)[gym.hp]
    return Plan(
        attack_dice=attack_dice,
        flash=flash,
        turns=turns.value[gym.hp],
        # Attempts until the first without a faint are geometric.
        faints=(1 - flash) / flash if flash else math.inf,
    )


def flash_plan(gym: Gym, split: Split = Split.ROUND) -> Plan:
    """Return the plan with the best chance of a Flash; among equals, the fewest turns."""
    if split is Split.FIGHT:
        return max(_single_splits(gym), key=lambda one: (one.flash, -one.turns))
    best = best_dice(gym)
    whole = fight(gym, round_cost=1, faint_cost=0, restart=True)
    only_best = Process(
        {
            hp: {k: steps for k, steps in moves.items() if k in best[hp]} if moves else {}
            for hp, moves in whole.moves.items()
        }
    )
    return plan(gym, solve(only_best, Owner.MINIMISE).policy)


def cheapest_plan(
    gym: Gym, faint_cost: Number, split: Split = Split.ROUND, *, exact: int = EXACT
) -> Plan:
    """Return the plan with the least expected ``turns + faint_cost * faints``.

    Args:
        gym: The gym.
        faint_cost: Turns that a faint is worth.
        split: When the dice are divided.
        exact: Most HP for which plans are compared in fractions, not in floats; what comes of
            the plan is exact in any case.
    """
    if split is Split.FIGHT:
        return min(_single_splits(gym), key=lambda one: (_cost(one, faint_cost), one.turns))
    process = fight(gym, round_cost=1, faint_cost=faint_cost, restart=True)
    return plan(gym, solve(process, Owner.MINIMISE, exact=exact).policy)


def efficient_plans(gym: Gym, split: Split = Split.ROUND) -> Iterator[tuple[Plan, Number]]:
    """Yield the plans that are cheapest for some cost of a faint, each with the cost up to which.

    From the fewest turns to the best chance of a Flash; the last is cheapest without limit. None
    for a gym that cannot be won. With many dice there may be dozens, each some work to find.
    """
    last = flash_plan(gym, split)
    if not last.flash:
        return

    def between(low: Plan, high: Plan) -> Iterator[tuple[Plan, Number]]:
        """Yield the efficient plans from ``low`` on, below ``high``."""
        if low.faints == high.faints:
            return
        # Where both cost the same, either another plan is cheaper, or they are neighbours.
        even = (high.turns - low.turns) / (low.faints - high.faints)
        middle = cheapest_plan(gym, even, split, exact=0)
        if _cost(middle, even) < _cost(low, even):
            yield from between(low, middle)
            yield from between(middle, high)
        else:
            yield low, even

    yield from between(cheapest_plan(gym, Fraction(0), split), last)
    yield last, math.inf


def _single_splits(gym: Gym) -> list[Plan]:
    return [plan(gym, dice) for dice in range(gym.dice, -1, -1)]


def _cost(one: Plan, faint_cost: Number) -> Number:
    return one.turns + faint_cost * one.faints if one.flash else math.inf
