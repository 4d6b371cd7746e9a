"""Standings: what a tournament's tallies tell of each slammer, and of knock-out throws."""

from collections.abc import Sequence
from dataclasses import dataclass

from sim.odds import Proportion, wilson
from sim.pokepucks.design import Design
from sim.pokepucks.tournament.running import Pair
from sim.pokepucks.tournament.tally import PairTally


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a slammer did against all others.

    Attributes:
        slammer: The slammer.
        tally: All its battles.
    """

    slammer: Design
    tally: PairTally

    @property
    def won(self) -> Proportion:
        """Share of its battles that it won; a draw is no win."""
        return wilson(self.tally.wins, self.tally.battles)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockOutRate:
    """How often knock-out attempts with slammers of a mass succeeded.

    Attributes:
        slammer_g: Mass of the thrown slammer.
        attempts: Attempts made.
        chance: Share of them that flipped the slammer thrown at.
    """

    slammer_g: float
    attempts: int
    chance: Proportion


def standings_of(pairs: Sequence[Pair], tallies: Sequence[PairTally]) -> tuple[Standing, ...]:
    """Return every slammer that had a battle, with the greatest share of wins first."""
    total: dict[Design, PairTally] = {}
    for (first, second), tally in zip(pairs, tallies, strict=True):
        total[first] = total.get(first, PairTally()) + tally
        total[second] = total.get(second, PairTally()) + tally.turned
    found = [
        Standing(slammer=slammer, tally=tally) for slammer, tally in total.items() if tally.battles
    ]
    return tuple(sorted(found, key=lambda standing: -standing.won.value))


def knock_out_rates(
    pairs: Sequence[Pair], tallies: Sequence[PairTally]
) -> tuple[KnockOutRate, ...]:
    """Return how often knock-out attempts succeeded, by the mass of the thrown slammer."""
    counts: dict[float, tuple[int, int]] = {}
    for (first, second), tally in zip(pairs, tallies, strict=True):
        for slammer, seen in ((first, tally), (second, tally.turned)):
            attempts, made = counts.get(slammer.mass_g, (0, 0))
            counts[slammer.mass_g] = (attempts + seen.attempts, made + seen.knock_outs)
    return tuple(
        KnockOutRate(slammer_g=mass_g, attempts=attempts, chance=wilson(made, attempts))
        for mass_g, (attempts, made) in sorted(counts.items())
        if attempts
    )
