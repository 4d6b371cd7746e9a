"""One side of a mat: what is printed on its spaces."""

from dataclasses import dataclass, field

from sim.bumpers.directions import Direction
from sim.bumpers.pieces import Kind

MIN_MAT_SIZE = 2
MAX_MAT_SIZE = 9


@dataclass(frozen=True, slots=True)
class Goal:
    """Two spaces side by side, open only at their two front edges (PB-2).

    Attributes:
        spaces: Its two spaces.
        facing: The direction out of its front, in the mat's own frame.
    """

    spaces: tuple[int, int]
    facing: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class MatFace:
    """One side of a mat, in its own frame: row 0 is its north edge when it is not turned.

    A space is ``row * size + column``.

    Attributes:
        name: The mat's name; both its sides share it.
        flipped: This is the flip side.
        size: Spaces along an edge.
        pools: Spaces that no piece enters.
        goals: Its goals.
        starts: Start spaces and the kind of piece that begins there.
        walls: Edges that nothing crosses, as a space and a direction; of an edge between two
            spaces of the mat, only the side of the northern or western one.
    """

    name: str
    flipped: bool = False
    size: int
    pools: frozenset[int] = frozenset()
    goals: tuple[Goal, ...] = ()
    starts: frozenset[tuple[int, Kind]] = field(default=frozenset())
    walls: frozenset[tuple[int, Direction]] = field(default=frozenset())

    @property
    def label(self) -> str:
        """The side in notation: the mat's name, and an ``f`` for the flip side."""
        return self.name + ("f" if self.flipped else "")

    @property
    def spaces(self) -> int:
        """How many spaces it has."""
        return self.size * self.size


def own_side(size: int, space: int, direction: Direction) -> tuple[int, Direction]:
    """Return the edge of a space as ``MatFace.walls`` has it.

    Example:
        >>> own_side(4, 5, Direction.N)
        (1, <Direction.S: 2>)
    """
    row, column = divmod(space, size)
    if direction is Direction.N and row > 0:
        return space - size, Direction.S
    if direction is Direction.W and column > 0:
        return space - 1, Direction.E
    return space, direction
