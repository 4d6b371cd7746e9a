"""What a slam comes to: how each piece lies, and where."""

import math
from dataclasses import dataclass
from enum import StrEnum


class Face(StrEnum):
    """How a piece has come to rest (rulings PP-11, PP-28, PP-30)."""

    UP = "up"
    DOWN = "down"
    LEANING = "leaning"
    """On the wall, or standing on its rim: neither face up nor face down."""
    OUT = "out"
    """Outside the arena, however it lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceOutcome:
    """How and where one piece ended.

    Attributes:
        place: Where in the stack it began, 0 on the floor; None for the thrown slammer.
        face: How it lies.
        x_mm: Its centre, from the arena's centre; the throw came along +x.
        y_mm: The same, y.
    """

    place: int | None
    face: Face
    x_mm: float
    y_mm: float

    @property
    def distance_mm(self) -> float:
        """Distance of its centre from the arena's centre."""
        return math.hypot(self.x_mm, self.y_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamOutcome:
    """What a slam comes to.

    Attributes:
        hit: The slammer touched the top piece of the stack; a miss moves nothing (ruling PP-40).
        pieces: The stack's pieces in the order of the stack, from the floor up.
        slammer: The thrown slammer.
    """

    hit: bool
    pieces: tuple[PieceOutcome, ...]
    slammer: PieceOutcome

    @property
    def flipped(self) -> tuple[int, ...]:
        """Places of the pieces that ended face up inside the arena."""
        return tuple(i for i, piece in enumerate(self.pieces) if piece.face is Face.UP)

    @property
    def out(self) -> tuple[int, ...]:
        """Places of the pieces that left the arena."""
        return tuple(i for i, piece in enumerate(self.pieces) if piece.face is Face.OUT)
