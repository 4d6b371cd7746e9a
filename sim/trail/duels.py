"""Duels of dice: gyms with fixed ATK and HP, and trainer battles. Every number here is exact.

A round at a gym with ``k`` of ``n`` dice in attack: the best of the ``k`` is the damage; if the gym
still stands, the player faints unless the best of the other ``n - k`` reaches its ATK. A faint
starts the fight over. In a trainer battle each rolls a die, or two for a starter that is super
effective, and keeps the higher.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pucklab.base.errors import check_limits, errors_at, limits
from pucklab.base.facts import fact
from pucklab.physics import InputError
from pucklab.sim.chance.distribution import (
    Distribution,
    Number,
    at_least,
    best_of,
    certain,
    die,
    map_outcomes,
    mean,
)
from pucklab.sim.chance.process import EXACT, Process, Step, collect, evaluate, solve

FAINTED = -1
"""State of a fight, in place of the HP left, after a faint that ends the chance of a Flash."""
LOSS_UNITS = 2
TIE_UNITS = 1


class Split(StrEnum):
    """Times at which dice are divided (ruling DG-3): in each round, or once for a fight."""

    ROUND = "round"
    FIGHT = "fight"


@fact
class Gym:
    """The numbers of a gym, and the player's dice there; each has its range."""

    attack: int = limits(0, 100)  # ATK; the defence must reach it
    hp: int = limits(1, 20)
    dice: int = limits(1, 10, default=3)
    sides: int = limits(2, 100, default=6)
    attack_bonus: int = limits(-10, 10, default=0)  # to the best die; damage is never below 0
    defence_bonus: int = limits(-10, 10, default=0)

    def __post_init__(self) -> None:
        check_limits(self)

    def __str__(self) -> str:
        return f"{self.attack}/{self.hp}"


@fact
class Plan:
    """A way to divide the dice, and its results from full HP on."""

    attack_dice: Mapping[int, int]  # by the gym's HP left
    flash: Number  # chance to win without a faint
    turns: Number  # expected rounds until the gym is won, one a turn; infinite if it never is
    faints: Number  # expected faints until then

    def cost(self, faint_cost: Number) -> Number:
        """Return the expected turns, with each faint counted as ``faint_cost`` turns."""
        return self.turns + faint_cost * self.faints if self.flash else math.inf


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
    with errors_at(f"gym: {text!r}:"):
        return Gym(attack=int(found[1]), hp=int(found[2]), dice=dice)


@lru_cache(maxsize=1024)
def highest(dice: int, sides: int = 6) -> Distribution[int]:
    """Return the best of some dice; 0 without any (ruling DG-4)."""
    return best_of(die(sides), dice) if dice else certain(0)


@lru_cache(maxsize=1024)
def damage_of(gym: Gym, attack_dice: int) -> Distribution[int]:
    """Return the damage of a round."""
    bonus = gym.attack_bonus if attack_dice else 0
    return map_outcomes(lambda best: max(0, best + bonus), highest(attack_dice, gym.sides))


@lru_cache(maxsize=1024)
def defence_of(gym: Gym, attack_dice: int) -> Distribution[int]:
    """Return the player's defence when ``attack_dice`` of the dice attack."""
    left = gym.dice - attack_dice
    return map_outcomes(
        lambda best: best + (gym.defence_bonus if left else 0), highest(left, gym.sides)
    )


def fight(gym: Gym, *, round_cost: Number, faint_cost: Number, restart: bool) -> Process:
    """Return a fight as a process: states are the HP left, moves the dice in attack.

    A faint costs ``faint_cost`` beside the round's cost; without ``restart``, it is the end.
    """

    def results(hp: int, dice: int) -> Iterator[Step]:
        stands = at_least(defence_of(gym, dice), gym.attack)
        faint: Number = Fraction(0)
        for damage, chance in damage_of(gym, dice).items:
            if damage >= hp:  # a killing blow is never answered
                yield chance, 0, round_cost
            else:
                yield chance * stands, hp - damage, round_cost
                faint += chance * (1 - stands)
        yield faint, gym.hp if restart else FAINTED, round_cost + faint_cost

    every = range(gym.dice, -1, -1)
    return collect(gym.hp, lambda hp: {k: results(hp, k) for k in every} if hp > 0 else {})


def flash_chances(gym: Gym, attack_dice: Mapping[int, int] | None = None) -> dict[int, Number]:
    """Return the chance to win without a faint by HP left, with the best or with given dice.

    Example:
        >>> flash_chances(Gym(attack=3, hp=4))[4]
        Fraction(76, 81)
    """
    # Least chance of a faint: so a fight that never ends is no win either.
    process = fight(gym, round_cost=0, faint_cost=1, restart=False)
    found = evaluate(process, attack_dice) if attack_dice else solve(process)
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
    return {
        hp: tuple(
            k
            for k, steps in sorted(process[hp].items())
            if k and sum(p * chances[to] for p, to, _ in steps) == chances[hp]
        )
        for hp in sorted(hp for hp in process if hp > 0)
    }


def plan(gym: Gym, attack_dice: Mapping[int, int] | int) -> Plan:
    """Return the results of a division: dice in attack by HP left, or the same for every HP."""
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
    process = fight(gym, round_cost=1, faint_cost=0, restart=True)
    only_best = {
        hp: {k: steps for k, steps in moves.items() if k in best[hp]}
        for hp, moves in process.items()
        if moves
    }
    return plan(gym, solve({**only_best, 0: {}}).policy)


def cheapest_plan(
    gym: Gym, faint_cost: Number, split: Split = Split.ROUND, *, exact: int = EXACT
) -> Plan:
    """Return the plan with the least expected ``turns + faint_cost * faints``.

    Plans are compared in fractions up to ``exact`` HP, else in floats; the plan's own numbers are
    exact in any case.
    """
    if split is Split.FIGHT:
        return min(_single_splits(gym), key=lambda one: (one.cost(faint_cost), one.turns))
    process = fight(gym, round_cost=1, faint_cost=faint_cost, restart=True)
    return plan(gym, solve(process, exact=exact).policy)


def efficient_plans(gym: Gym, split: Split = Split.ROUND) -> Iterator[tuple[Plan, Number]]:
    """Yield the plans that are cheapest for some cost of a faint, each with its highest such cost.

    From the fewest turns to the best chance of a Flash; the last is cheapest without limit. None
    for a gym that cannot be won. With many dice there may be dozens, each some work to find.
    """

    def between(low: Plan, high: Plan) -> Iterator[tuple[Plan, Number]]:
        """Yield the efficient plans from ``low`` on, below ``high``."""
        if low.faints == high.faints:
            return
        # If both cost the same, either another plan is cheaper, or they are neighbours.
        even = (high.turns - low.turns) / (low.faints - high.faints)
        middle = cheapest_plan(gym, even, split, exact=0)
        if middle.cost(even) < low.cost(even):
            yield from between(low, middle)
            yield from between(middle, high)
        else:
            yield low, even

    last = flash_plan(gym, split)
    if last.flash:
        yield from between(cheapest_plan(gym, Fraction(0), split), last)
        yield last, math.inf


def _single_splits(gym: Gym) -> list[Plan]:
    return [plan(gym, dice) for dice in range(gym.dice, -1, -1)]


class Starter(StrEnum):
    """The starters, in a cycle: each beats the next but one."""

    BULBASAUR = "bulbasaur"
    CHARMANDER = "charmander"
    SQUIRTLE = "squirtle"

    def beats(self, other: "Starter") -> bool:
        """Return whether this starter is super effective against another.

        Example:
            >>> Starter.BULBASAUR.beats(Starter.SQUIRTLE)
            True
        """
        order = tuple(Starter)
        return order[(order.index(self) + 2) % 3] is other


def battle_dice(mine: Starter, theirs: Starter) -> tuple[int, int]:
    """Return the number of dice that each of two players rolls, keeping the higher."""
    return 1 + mine.beats(theirs), 1 + theirs.beats(mine)


def battle_units(mine: int, theirs: int) -> tuple[int, int]:
    """Return the units that each of two players drinks after these rolls."""
    if mine == theirs:
        return TIE_UNITS, TIE_UNITS
    return (0, LOSS_UNITS) if mine > theirs else (LOSS_UNITS, 0)


class BattleOdds(NamedTuple):
    """Chances of a trainer battle, and the expected units of both players."""

    win: Number
    tie: Number
    lose: Number
    units: Number
    other_units: Number


def battle_odds(mine: Starter, theirs: Starter) -> BattleOdds:
    """Return the odds of a trainer battle.

    Example:
        >>> battle_odds(Starter.SQUIRTLE, Starter.CHARMANDER).win
        Fraction(125, 216)
    """
    both = map_outcomes(battle_units, *(highest(dice) for dice in battle_dice(mine, theirs)))
    ends = ((0, LOSS_UNITS), (TIE_UNITS, TIE_UNITS), (LOSS_UNITS, 0))
    units = (mean(map_outcomes(lambda pair, n=n: pair[n], both)) for n in range(2))
    return BattleOdds(*(both[end] for end in ends), *units)


def starter_units(others: Sequence[Starter] = tuple(Starter)) -> dict[Starter, Number]:
    """Return the expected units of a battle with one of some starters, by one's own starter.

    Example:
        >>> starter_units([Starter.SQUIRTLE])[Starter.BULBASAUR]
        Fraction(73, 108)
    """
    return {
        mine: sum((battle_odds(mine, theirs).units for theirs in others), Fraction(0)) / len(others)
        for mine in Starter
    }


def potion_units(battles: int) -> Number:
    """Return the expected units of some battles of equal starters with one Potion, used best.

    A state is the battles to come and the units about to be drunk, 0 before the next battle.

    Example:
        >>> potion_units(2)
        Fraction(7, 12)
    """
    mine = map_outcomes(lambda a, b: battle_units(a, b)[0], highest(1), highest(1))

    def moves(state: tuple[int, int]) -> dict[str, list[Step]]:
        left, units = state
        if units:
            # The rest without a Potion counts by its mean.
            return {"keep": [(1, (left, 0), units)], "use": [(1, (0, 0), left * mean(mine))]}
        return {"battle": [(p, (left - 1, n), 0) for n, p in mine.items]} if left else {}

    return solve(collect((battles, 0), moves)).value[battles, 0]
