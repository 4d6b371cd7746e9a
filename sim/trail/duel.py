"""Trainer battles: one die against one, or two for a starter that is super effective."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from sim.chance import Distribution, Number, Owner, collect, combined, mean, solve
from sim.trail.gym import highest

LOSS_UNITS = 2
"""Units that the loser of a trainer battle drinks."""
TIE_UNITS = 1
"""Units that both drink on a tie."""


class Starter(StrEnum):
    """The starters; each beats the next but one in this order, round and round."""

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
    """Return how many dice each of two players rolls, keeping the higher."""
    return 1 + mine.beats(theirs), 1 + theirs.beats(mine)


def battle_units(mine: int, theirs: int) -> tuple[int, int]:
    """Return the units that each of two players drinks after these rolls."""
    if mine == theirs:
        return TIE_UNITS, TIE_UNITS
    return (0, LOSS_UNITS) if mine > theirs else (LOSS_UNITS, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleOdds:
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
    rolls = [highest(dice) for dice in battle_dice(mine, theirs)]
    units: Distribution[tuple[int, int]] = combined(battle_units, *rolls)
    return BattleOdds(
        win=units[0, LOSS_UNITS],
        tie=units[TIE_UNITS, TIE_UNITS],
        lose=units[LOSS_UNITS, 0],
        units=mean(combined(lambda both: both[0], units)),
        other_units=mean(combined(lambda both: both[1], units)),
    )


def starter_units(others: Sequence[Starter] = tuple(Starter)) -> dict[Starter, Number]:
    """Return the expected units of a battle with one of the others, by one's own starter.

    Args:
        others: The others' starters, each as likely; all three if nothing is known of them.

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
    mine = combined(lambda a, b: battle_units(a, b)[0], highest(1), highest(1))
    without = mean(mine)

    def moves(state: tuple[int, int]) -> dict[str, list[tuple[Number, tuple[int, int], Number]]]:
        left, units = state
        if units:
            return {
                "keep": [(1, (left, 0), units)],
                "use": [(1, (0, 0), left * without)],  # the rest without a Potion, by its mean
            }
        return {"battle": [(p, (left - 1, n), 0) for n, p in mine.items]} if left else {}

    return solve(collect((battles, 0), moves), Owner.MINIMISE).value[battles, 0]
