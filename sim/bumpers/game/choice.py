"""What players, and whoever shuffles, may choose."""

from dataclasses import dataclass

from sim.bumpers.moves import Move
from sim.bumpers.pieces import Colour, Piece


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The order of the draw pile after a shuffle; nobody's choice, but recorded as one.

    Attributes:
        cards: Numbers of the cards, the top one last.
    """

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Put:
    """Put a piece on a space: when placing, or when a scored puck comes back."""

    piece: Piece
    space: int


@dataclass(frozen=True, slots=True)
class Go:
    """Move a piece, or a mat if a card says so."""

    move: Move


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card from the hand."""

    card: int


@dataclass(frozen=True, slots=True)
class Pick:
    """Pick a card: to discard it, or to take it from the discard pile."""

    card: int


@dataclass(frozen=True, slots=True)
class Name:
    """Name a colour, as a card asks."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing more: play no quick play, move no more mats, end the turn, or keep a card."""


Choice = Shuffled | Put | Go | Play | Pick | Name | Pass
