"""What a player can do to the board: move a piece, or turn, swap or shift mats."""

from dataclasses import dataclass

from sim.bumpers.directions import Direction
from sim.bumpers.layout import Place, Slot
from sim.bumpers.pieces import Piece


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A piece sets out in a direction.

    Attributes:
        space: Where it stands.
        direction: Where it goes; north is up on the board, however its mat is turned.
    """

    space: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class Turn:
    """A mat turns in place (Board Twist).

    Attributes:
        mat: Its number.
        quarters: Quarter turns clockwise, 1 to 3.
    """

    mat: int
    quarters: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Two mats change places and keep their heading (Board Swap).

    Attributes:
        first: The lower of their numbers.
        second: The higher one.
    """

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Shift:
    """A mat goes to a free slot and keeps its heading (Board Shift).

    Attributes:
        mat: Its number.
        slot: Where it goes, counted as the layout before the move counts; may be negative.
    """

    mat: int
    slot: Slot


MatMove = Turn | Swap | Shift
Move = PieceMove | MatMove


@dataclass(frozen=True, slots=True)
class Movement:
    """One piece on its way in a move.

    Attributes:
        piece: The piece.
        start: The space it leaves.
        end: The space it comes to; of a scored puck, the goal's.
        scored: It left the board through a goal.
    """

    piece: Piece
    start: int
    end: int
    scored: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What a move changed.

    Attributes:
        movements: The pieces that moved, in the order in which they come to rest; of a bump, the
            meeple last. Empty for a mat move: pieces lie still on their mats.
        places: Where the mats lay before a mat move; None for a piece move.
    """

    movements: tuple[Movement, ...] = ()
    places: tuple[Place, ...] | None = None
