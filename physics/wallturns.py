"""Where pieces come back from walls: to the side they go on as a mirror would send them.

While it settles a piece moves along one line, its own, and comes back along it from a wall. Seen
from above it does not: the wall turns only what goes across it. The pieces are looked at now and
then; one that turned between two looks did so where the straight ways before and after meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.pieces import PIECE_RADIUS_MM

_NEAR_MM = PIECE_RADIUS_MM + 5.0
"""A piece touches a wall with its middle no further from it than its radius. What friction on the
floor bends of the ways between two looks is the rest."""

_CLOSEST_MM = 0.8
"""Nor does it get nearer than half its thickness."""


@dataclass(frozen=True, slots=True)
class WallTurn:
    """A piece came back from a wall.

    Attributes:
        after_s: Time of the last look before it.
        before_s: Of the first look after it.
        way_mm: Where on its line.
        onwards: Whether it moved towards larger ways before: 1, or -1 if not.
    """

    after_s: float
    before_s: float
    way_mm: float
    onwards: int


class WallWatch:
    """Looks at pieces that settle, and keeps where they came back from walls.

    Example:
        >>> watch = WallWatch(0.0, [[0.0, 5.0, 0.0, 1000.0, 0.0, 0.0]], [[-150.0, 150.0]])
        >>> watch.look(0.2, [[70.0, 1.0, 0.0, -800.0, 0.0, 0.0]])
        >>> [round(turn.way_mm, 1) for turn in watch.turns_of_those_inside()[0]]
        [127.8]
    """

    def __init__(
        self, time_s: float, rows: Sequence[Sequence[float]], walls_mm: Sequence[Sequence[float]]
    ) -> None:
        """Look for the first time.

        Args:
            time_s: When.
            rows: The pieces' states, shape (B, 6); see `physics.world.State`.
            walls_mm: Shape (B, 2); where each piece's line crosses the walls.
        """
        self._turns: list[list[WallTurn]] = [[] for _ in rows]
        self._time_s = time_s
        self._rows = rows
        self._walls_mm = walls_mm

    def look(self, time_s: float, rows: Sequence[Sequence[float]]) -> None:
        """Look again.

        Args:
            time_s: When; later than before.
            rows: The pieces' states.
        """
        lasted_s = time_s - self._time_s
        for index, (before, now) in enumerate(zip(self._rows, rows, strict=True)):
            speed, back = before[3], now[3]
            if speed * back < 0:
                turned_s = (now[0] - before[0] - back * lasted_s) / (speed - back)
                way_mm = before[0] + speed * turned_s
                onwards = 1 if speed > 0 else -1
                low, high = self._walls_mm[index]
                left_mm = (high - way_mm) if speed > 0 else (way_mm - low)
                if abs(left_mm) <= _NEAR_MM:
                    way_mm += onwards * min(0.0, left_mm - _CLOSEST_MM)
                    self._turns[index].append(WallTurn(self._time_s, time_s, way_mm, onwards))
        self._time_s, self._rows = time_s, rows

    def turns_of_those_inside(self) -> tuple[tuple[WallTurn, ...], ...]:
        """Return the turns of each piece, but none of one that is beyond its walls by now."""
        return tuple(
            tuple(turns) if low < row[0] < high else ()
            for turns, row, (low, high) in zip(self._turns, self._rows, self._walls_mm, strict=True)
        )


def has_turned(
    turn: WallTurn, time_s: NDArray[np.float64], speed_mm_s: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell at which samples of a piece's motion, shape (F,), it has come back from that wall."""
    back = speed_mm_s * turn.onwards < 0
    result: NDArray[np.bool_] = (time_s >= turn.before_s) | ((time_s > turn.after_s) & back)
    return result


def mirrored_mm(
    start_mm: NDArray[np.float64],
    direction: tuple[float, float],
    way_mm: NDArray[np.float64],
    turns: Sequence[tuple[NDArray[np.bool_], float]],
) -> NDArray[np.float64]:
    """Return where a piece is from above that came back from walls.

    In a room's mirror images a ray's zigzag is one straight line: what the piece has gone in all,
    straight on, is folded at the first wall it came to, and at the others just as far from the
    middle.

    Args:
        start_mm: x and y where its line begins.
        direction: Unit vector of its line.
        way_mm: Shape (F,); positions on its line, from there.
        turns: At least one; whether it was over at each sample, shape (F,), and where on the line.

    Returns:
        Shape (F, 2).

    Example:
        >>> diagonal = (0.5**0.5, 0.5**0.5)
        >>> turn = np.array([False, True]), 120.0
        >>> way = np.array([110.0, 100.0])  # over is the second: 120 onwards and 20 back
        >>> mirrored_mm(np.array([0.0, -50.0]), diagonal, way, [turn]).round(1).tolist()
        [[77.8, 27.8], [70.7, 49.0]]
    """
    along = np.array(direction)
    sign, offset_mm = np.ones(len(way_mm)), np.zeros(len(way_mm))
    for over, turned_mm in turns:
        offset_mm[over] += 2 * sign[over] * turned_mm
        sign[over] *= -1
    gone_mm = sign * way_mm + offset_mm
    limit_mm = float(np.abs(start_mm + turns[0][1] * along).max())
    straight = start_mm + gone_mm[:, np.newaxis] * along
    images = np.mod(straight + limit_mm, 4 * limit_mm)
    result: NDArray[np.float64] = limit_mm - np.abs(images - 2 * limit_mm)
    return result
