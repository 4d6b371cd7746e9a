"""The four directions, clockwise from north."""

from enum import IntEnum


class Direction(IntEnum):
    """A direction on the board; north is up in a drawing.

    Example:
        >>> Direction.N.opposite, Direction.W.turned(1)
        (<Direction.S: 2>, <Direction.N: 0>)
    """

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def opposite(self) -> "Direction":
        """The direction that points back."""
        return Direction((self + 2) % 4)

    @property
    def step(self) -> tuple[int, int]:
        """Rows (southward) and columns (eastward) that one step covers."""
        return _STEPS[self]

    def turned(self, quarters: int) -> "Direction":
        """Return the direction turned clockwise by quarter turns."""
        return Direction((self + quarters) % 4)


_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
