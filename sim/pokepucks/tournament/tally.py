"""Tallies of battles between two slammers: counts that add up."""

from dataclasses import astuple, dataclass
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTally:
    """What happened in some battles of one slammer against another. All counts.

    Attributes:
        battles: Battles counted.
        wins: Battles that the slammer won.
        losses: Battles that the other won; the rest are draws (ruling PP-23).
        first_wins: Battles won by whose turn was first, whichever it was.
        turns: Turns, all battles together.
        throws: Throws, knock-out attempts among them.
        attempts: Knock-out attempts that the slammer was thrown in.
        knock_outs: Those of them that flipped the other.
        attempts_against: Knock-out attempts that the other was thrown in.
        knock_outs_against: Those of them that flipped the slammer.

    Example:
        >>> PairTally(battles=2, wins=1).draws
        1
    """

    battles: int = 0
    wins: int = 0
    losses: int = 0
    first_wins: int = 0
    turns: int = 0
    throws: int = 0
    attempts: int = 0
    knock_outs: int = 0
    attempts_against: int = 0
    knock_outs_against: int = 0

    def __add__(self, other: Self) -> "PairTally":
        """Return the tally of both sets of battles."""
        sums = (a + b for a, b in zip(astuple(self), astuple(other), strict=True))
        return PairTally(**dict(zip(PairTally.__slots__, sums, strict=True)))

    @property
    def draws(self) -> int:
        """Battles that nobody won."""
        return self.battles - self.wins - self.losses

    @property
    def turned(self) -> "PairTally":
        """The same battles, told of the other slammer."""
        return PairTally(
            battles=self.battles,
            wins=self.losses,
            losses=self.wins,
            first_wins=self.first_wins,
            turns=self.turns,
            throws=self.throws,
            attempts=self.attempts_against,
            knock_outs=self.knock_outs_against,
            attempts_against=self.attempts,
            knock_outs_against=self.knock_outs,
        )
