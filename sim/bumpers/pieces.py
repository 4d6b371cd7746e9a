"""Colours, kinds and pieces."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import MappingProxyType


class Colour(IntEnum):
    """A player's colour; the rulebook names six players and no colours, so the names are ours."""

    RED = 0
    ORANGE = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4
    VIOLET = 5

    @property
    def letter(self) -> str:
        """The colour's first letter, as notation has it."""
        return self.name[0]

    @property
    def word(self) -> str:
        """The colour's name, as errors and drawings say it."""
        return self.name.lower()


class Kind(Enum):
    """A kind of piece, with its letter."""

    PUCK = "P"
    ICE = "I"
    MEEPLE = "M"

    @property
    def word(self) -> str:
        """What the rulebook calls it."""
        return _WORDS[self]


_WORDS: Mapping[Kind, str] = MappingProxyType(
    {Kind.PUCK: "puck", Kind.ICE: "ice block", Kind.MEEPLE: "meeple"}
)

PIECES_EACH: Mapping[Kind, int] = MappingProxyType({Kind.PUCK: 4, Kind.ICE: 2, Kind.MEEPLE: 2})
"""Pieces of each colour (rulebook, Setup)."""

OLD_SCHOOL_PIECES_EACH: Mapping[Kind, int] = MappingProxyType(
    {Kind.PUCK: 2, Kind.ICE: 2, Kind.MEEPLE: 0}
)
"""The same in the old-school variant (PB-17)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece; those of one colour and kind are interchangeable.

    Attributes:
        colour: Whose it is.
        kind: What it is.

    Example:
        >>> Piece(Colour.RED, Kind.ICE).code, str(Piece(Colour.RED, Kind.ICE))
        ('RI', 'red ice block')
    """

    colour: Colour
    kind: Kind

    @property
    def code(self) -> str:
        """The piece in notation and drawings: colour, then kind."""
        return self.colour.letter + self.kind.value

    def __str__(self) -> str:
        return f"{self.colour.word} {self.kind.word}"


def colour_of(letter: str) -> Colour | None:
    """Return the colour of a letter, or None."""
    return next((colour for colour in Colour if colour.letter == letter), None)
