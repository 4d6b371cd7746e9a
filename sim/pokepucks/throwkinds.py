"""Kinds of throws, as tables tell them apart: all pucks are alike, slammers differ by mass."""

from dataclasses import dataclass
from math import log

from sim.pokepucks.throws import Shot


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowKind:
    """A kind of throw.

    Attributes:
        slammer_g: Mass of what is thrown.
        knock_out_g: Mass of the lone slammer thrown at; None for a stack of pucks.
        pieces: How many pieces are thrown at.
    """

    slammer_g: float
    knock_out_g: float | None
    pieces: int

    def apart(self, other: "ThrowKind") -> tuple[bool, float, float, int]:
        """Return how far another kind is; the smallest is the nearest.

        What lies counts first, then what is thrown, both by the ratio of their masses, and then
        the number of pieces.

        Example:
            >>> rock = ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=8)
            >>> rock.apart(ThrowKind(slammer_g=20.0, knock_out_g=None, pieces=17))
            (False, 0.0, 0.0, 9)
        """
        lying = 0.0
        if self.knock_out_g is not None and other.knock_out_g is not None:
            lying = abs(log(other.knock_out_g / self.knock_out_g))
        return (
            (other.knock_out_g is None) != (self.knock_out_g is None),
            lying,
            abs(log(other.slammer_g / self.slammer_g)),
            abs(other.pieces - self.pieces),
        )


def kind_of(shot: Shot) -> ThrowKind:
    """Return the kind of a throw that is to be made."""
    return ThrowKind(
        slammer_g=shot.slammer.mass_g,
        knock_out_g=shot.stack[0].mass_g if shot.knock_out else None,
        pieces=len(shot.stack),
    )
