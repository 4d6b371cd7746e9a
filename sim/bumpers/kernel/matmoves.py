"""Mat moves in the kernel: each is one number, made and read here."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part
from sim.bumpers.kernel.shapes import Shape, Slot, shape_of, slots_of
from sim.bumpers.moves import MatMove, Shift, Swap, Turn

MOST_MAT_MOVES = 4096
"""No layout has more: 16 mats have 48 turns, 120 swaps and at most 60 shifts each."""

_TURN, _SWAP, _SHIFT = 0, 1, 2
_OFFSET = 4
"""Added to a slot's row and column, which may be -1."""

_KEPT = 1 << 16  # lists of mat moves of shapes met


@dataclass(frozen=True, slots=True, kw_only=True)
class MatMoves:
    """Which mat moves there are.

    Attributes:
        turns: Mats may turn.
        swaps: Mats may be swapped.
        shifts: Mats may be shifted.
        one_piece: A move must leave the board one piece.
    """

    turns: bool
    swaps: bool
    shifts: bool
    one_piece: bool

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return self.turns or self.swaps or self.shifts


def all_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> NDArray[np.int32]:
    """Return the legal mat moves of a layout, in the order of the rules: turns, swaps, shifts.

    Args:
        places: Row, column and quarter turns of each mat.
        allowed: Which mat moves there are.
    """
    listed: list[int] = []
    if allowed.turns:
        listed += _turns(len(places))
    if allowed.swaps or allowed.shifts:
        slots, shape = _shape(places, allowed)
        if allowed.swaps:
            # The slots in use stay the same, so a swap keeps a layout legal.
            listed += _swaps(tuple(m for m, slot in enumerate(slots) if shape.is_open[slot]))
        if allowed.shifts:
            for mat, slot in enumerate(slots):
                listed += _shifts(mat, shape.shifts[slot])
    return np.array(listed, np.int32)


def count_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> int:
    """Return how many mat moves of a layout are legal; see `all_mat_moves`."""
    count = 3 * len(places) if allowed.turns else 0
    if allowed.swaps or allowed.shifts:
        _, shape = _shape(places, allowed)
        movable = sum(shape.is_open.values())
        count += movable * (movable - 1) // 2 if allowed.swaps else 0
        count += sum(map(int.bit_count, shape.shifts.values())) if allowed.shifts else 0
    return count


@jitted
def make_mat_moves(
    places: NDArray[np.int16], moves: NDArray[np.int32], after: NDArray[np.int16]
) -> None:
    """Write the places after each of some mat moves.

    Args:
        places: ``places[i, mat]``: the layout before each move.
        moves: The moves.
        after: ``after[i, mat]``: written, with the least row and column 0.
    """
    for index in range(len(moves)):
        move_mats(places[index], moves[index], after[index])


def _shape(places: NDArray[np.int16], allowed: MatMoves) -> tuple[list[Slot], Shape]:
    """Return the slot of each mat, and the shape of all."""
    slots = [(row, column) for row, column, _ in places.tolist()]
    return slots, shape_of(frozenset(slots), one_piece=allowed.one_piece)


@lru_cache(maxsize=_KEPT)
def _turns(mats: int) -> tuple[int, ...]:
    return tuple(_code(_TURN, mat, quarters, 0) for mat in range(mats) for quarters in (1, 2, 3))


@lru_cache(maxsize=_KEPT)
def _swaps(movable: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(_code(_SWAP, *pair, 0) for pair in combinations(movable, 2))


@lru_cache(maxsize=_KEPT)
def _shifts(mat: int, targets: int) -> tuple[int, ...]:
    return tuple(_code(_SHIFT, mat, *target) for target in slots_of(targets))


def _code(kind: int, mat: int, one: int, two: int) -> int:
    return kind << 25 | mat << 20 | (one + _OFFSET) << 10 | (two + _OFFSET)


class Lattice(NamedTuple):
    """Space for the work on a layout.

    Attributes:
        grid: 1 where a mat lies; the board's first slot is at (2, 2).
        seen: 1 where a search has been.
        places: Places after a move.
        is_open: 1 for a mat with an open side.
    """

    grid: NDArray[np.uint8]
    seen: NDArray[np.uint8]
    places: NDArray[np.int16]
    is_open: NDArray[np.uint8]


def new_lattice(mats: int, side: int) -> Lattice:
    """Return the space for layouts of some mats, at most ``side`` slots wide and high."""
    return Lattice(
        grid=np.zeros((side + 4, side + 4), np.uint8),
        seen=np.zeros((side + 4, side + 4), np.uint8),
        places=np.zeros((mats, 3), np.int16),
        is_open=np.zeros(mats, np.uint8),
    )


@jitted_part
def list_mat_moves(
    places: NDArray[np.int16], one_piece: int, lattice: Lattice, listed: NDArray[np.int32]
) -> int:
    """Write the legal mat moves of a layout, and return how many there are.

    The order is that of the rules: turns, swaps, shifts.

    Args:
        places: Row, column and quarter turns of each mat.
        one_piece: 1 if a move must leave the board one piece.
        lattice: Space for the work.
        listed: Where the moves are written.
    """
    mats = len(places)
    _draw(places, lattice)
    count = 0
    for mat in range(mats):
        for quarters in range(1, 4):
            listed[count] = _coded(_TURN, mat, quarters, 0)
            count += 1
    for first in range(mats):
        for second in range(first + 1, mats):
            # The slots in use stay the same, so a swap keeps a layout legal.
            if lattice.is_open[first] and lattice.is_open[second]:
                listed[count] = _coded(_SWAP, first, second, 0)
                count += 1
    for mat in range(mats):
        if lattice.is_open[mat]:
            count = _list_shifts(places, mat, one_piece, lattice, listed, count)
    return count


@jitted_part
def _list_shifts(
    places: NDArray[np.int16],
    mat: int,
    one_piece: int,
    lattice: Lattice,
    listed: NDArray[np.int32],
    count: int,
) -> int:
    """Write the legal shifts of a mat after the ``count`` moves that are written already."""
    grid = lattice.grid
    row, column = places[mat, 0] + 2, places[mat, 1] + 2
    rows, columns = 0, 0
    for other in range(len(places)):
        rows = max(rows, places[other, 0] + 1)
        columns = max(columns, places[other, 1] + 1)
    grid[row, column] = 0
    for to_row in range(1, rows + 3):
        for to_column in range(1, columns + 3):
            is_same = to_row == row and to_column == column
            if not is_same and _may_lie(places, mat, to_row, to_column, lattice, one_piece):
                listed[count] = _coded(_SHIFT, mat, to_row - 2, to_column - 2)
                count += 1
    grid[row, column] = 1
    return count


@jitted_part
def move_mats(places: NDArray[np.int16], coded: int, after: NDArray[np.int16]) -> None:
    """Write the places after a mat move, with the least row and column 0."""
    mats = len(places)
    for mat in range(mats):
        for part in range(3):
            after[mat, part] = places[mat, part]
    moved = coded >> 20 & 31
    kind, one, two = coded >> 25, (coded >> 10 & 1023) - _OFFSET, (coded & 1023) - _OFFSET
    if kind == _TURN:
        after[moved, 2] = (after[moved, 2] + one) & 3
    elif kind == _SWAP:
        for part in range(2):
            after[moved, part] = places[one, part]
            after[one, part] = places[moved, part]
    else:
        after[moved, 0] = one
        after[moved, 1] = two
        for part in range(2):
            least = after[0, part]
            for mat in range(mats):
                least = min(least, after[mat, part])
            for mat in range(mats):
                after[mat, part] -= least


def mat_move_of(coded: int) -> MatMove:
    """Return the move that a number stands for."""
    mat, one, two = coded >> 20 & 31, (coded >> 10 & 1023) - _OFFSET, (coded & 1023) - _OFFSET
    kind = coded >> 25
    if kind == _TURN:
        return Turn(mat, one)
    return Swap(mat, one) if kind == _SWAP else Shift(mat, (one, two))


@jitted_part
def _coded(kind: int, mat: int, one: int, two: int) -> int:
    return kind << 25 | mat << 20 | (one + _OFFSET) << 10 | (two + _OFFSET)


@jitted_part
def _draw(places: NDArray[np.int16], lattice: Lattice) -> None:
    """Mark where the mats of an arrangement lie, and which have an open side."""
    grid = lattice.grid
    rows, columns = 0, 0
    for mat in range(len(places)):
        rows = max(rows, places[mat, 0] + 1)
        columns = max(columns, places[mat, 1] + 1)
    for row in range(rows + 4):
        for column in range(columns + 4):
            grid[row, column] = 0
    for mat in range(len(places)):
        grid[places[mat, 0] + 2, places[mat, 1] + 2] = 1
    for mat in range(len(places)):
        row, column = places[mat, 0] + 2, places[mat, 1] + 2
        lattice.is_open[mat] = _around(grid, row, column) < 4


@jitted_part
def _may_lie(
    places: NDArray[np.int16],
    moved: int,
    row: int,
    column: int,
    lattice: Lattice,
    one_piece: int,
) -> bool:
    """Return whether a mat that was taken up may be laid on a slot of the grid."""
    grid = lattice.grid
    if grid[row, column] or _around(grid, row, column) == 0:
        return False
    grid[row, column] = 1
    legal = True
    for mat in range(len(places)):
        if mat != moved:
            beside = _around(grid, places[mat, 0] + 2, places[mat, 1] + 2)
            if beside == 0:
                legal = False
    if legal and one_piece:
        legal = _hangs_together(lattice, row, column, len(places))
    grid[row, column] = 0
    return legal


@jitted_part
def _around(grid: NDArray[np.uint8], row: int, column: int) -> np.int64:
    """Return how many of the four slots beside one are marked."""
    return (
        np.int64(grid[row - 1, column])
        + np.int64(grid[row, column + 1])
        + np.int64(grid[row + 1, column])
        + np.int64(grid[row, column - 1])
    )


@jitted_part
def _hangs_together(lattice: Lattice, row: int, column: int, mats: int) -> bool:
    """Return whether all marked slots hang together with one of them."""
    grid, seen = lattice.grid, lattice.seen
    rows, columns = grid.shape
    for r in range(rows):
        for c in range(columns):
            seen[r, c] = 0
    seen[row, column] = 1
    reached, before = 1, 0
    while reached > before:
        before = reached
        for r in range(1, rows - 1):
            for c in range(1, columns - 1):
                if grid[r, c] and not seen[r, c] and _around(seen, r, c) > 0:
                    seen[r, c] = 1
                    reached += 1
    return reached == mats
