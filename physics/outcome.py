"""Outcome of a slam: the final face and position of every piece.

Pieces of a stack have an index from 0 on the floor, in Python and in JSON. Texts and CSV files for
people number them from 1.
"""

import math
from enum import StrEnum

from pucklab.base.facts import fact
from pucklab.physics.scene import Scene
from pucklab.physics.thrower import Throw

ON_RIM_COSINE = 0.1
"""Cosine of 84 degrees: a steeper piece stands on its rim."""

LEANING_SINE = 0.17
"""Sine of 10 degrees: a flatter piece lies flat, even where it touches a wall."""

TOUCHING_MM = 1.0
"""Distance from a wall up to which a tilted piece leans on it."""


class Face(StrEnum):
    """Final face of a piece (rulings PP-11, PP-28, PP-30)."""

    UP = "up"
    DOWN = "down"
    LEANING = "leaning"
    """Against a wall, or standing on its rim: neither face up nor face down."""
    OUT = "out"
    """Outside the arena, either way up."""

    @property
    def letter(self) -> str:
        """The letter that stands for the face in texts and files: U, D, L or O.

        Example:
            >>> "".join(face.letter for face in Face)
            'UDLO'
        """
        return self.value[0].upper()


@fact
class PieceOutcome:
    """Final face and position of one piece.

    Attributes:
        place: Index in the stack, 0 on the floor; None for the thrown slammer.
        face: Final face.
        x_mm: Position of its centre from the arena's centre, x; the throw came along +x.
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


@fact
class SlamOutcome:
    """Outcome of a slam.

    Attributes:
        hit: True if the slammer touched the top piece of the stack; a miss moves nothing (ruling
            PP-40).
        pieces: The stack's pieces from the floor up.
        slammer: The thrown slammer.
    """

    hit: bool
    pieces: tuple[PieceOutcome, ...]
    slammer: PieceOutcome

    @property
    def flipped(self) -> tuple[int, ...]:
        """Indices of the pieces that ended face up inside the arena."""
        return tuple(i for i, piece in enumerate(self.pieces) if piece.face is Face.UP)

    @property
    def out(self) -> tuple[int, ...]:
        """Indices of the pieces that left the arena."""
        return tuple(i for i, piece in enumerate(self.pieces) if piece.face is Face.OUT)


class EnergyError(RuntimeError):
    """A slam whose energy rose: an error of the engine, with the scene and the throw to repeat it.

    Attributes:
        scene: The scene.
        throw: The throw.
    """

    def __init__(self, scene: Scene, throw: Throw, share: float) -> None:
        super().__init__(scene, throw, share)  # so it can be sent between processes
        self.scene, self.throw, self.share = scene, throw, share

    def __str__(self) -> str:
        """Return a line for a report of the error."""
        return (
            f"the energy of a slam rose to {self.share:.4g} times that of its start, which is an "
            f"error of the engine; please report it with {self.scene!r}, {self.throw!r}"
        )


def undisturbed(scene: Scene, throw: Throw) -> tuple[PieceOutcome, ...]:
    """Return the outcomes of a stack that was missed: all pieces as they lay."""
    return tuple(
        PieceOutcome(place=place, face=Face.DOWN, x_mm=x, y_mm=y)
        for place, (x, y) in enumerate(scene.places_mm(throw))
    )
