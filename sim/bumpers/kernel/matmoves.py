"""Mat moves in the kernel: each is one number, made and read here."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.shapes import Shape, shape_of
from sim.bumpers.moves import MatMove, Shift, Swap, Turn

KINDS = TURN, SWAP, SHIFT = 0, 1, 2
"""Kinds of mat moves."""

KIND_BIT = 25
"""The kind of a move is what stands from this bit on."""

_MAT_BIT, _ONE_BIT = 20, 10
_OFFSET = 4
"""Added to a slot's row and column, which may be -1."""

_KEPT = 1 << 13  # lists of swaps, of up to half a kB each


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


def most_mat_moves(mats: int, allowed: MatMoves) -> int:
    """Return how many mat moves a layout of some mats has at most."""
    turns, swaps = 3 * mats, mats * (mats - 1) // 2
    shifts = 4 * mats * (mats - 1)  # to one of the four sides of another mat
    return turns * allowed.turns + swaps * allowed.swaps + shifts * allowed.shifts


def all_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> NDArray[np.int32]:
    """Return the legal mat moves of a layout, in the order of the rules: turns, swaps, shifts.

    Args:
        places: Row, column and quarter turns of each mat.
        allowed: Which mat moves there are.
    """
    listed = [_turns(len(places))] if allowed.turns else []
    if allowed.swaps or allowed.shifts:
        mats, shape = _shape(places, allowed)
        if allowed.swaps:
            # The slots in use stay the same, so a swap keeps a layout legal.
            listed.append(_swaps(np.sort(mats[shape.open]).tobytes()))
        if allowed.shifts:
            row, column = shape.laid.T
            listed.append(np.sort(_code(SHIFT, mats[shape.lifted], row, column)).astype(np.int32))
    return np.concatenate(listed) if listed else np.zeros(0, np.int32)


def count_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> int:
    """Return how many mat moves of a layout are legal; see `all_mat_moves`."""
    count = 3 * len(places) if allowed.turns else 0
    if allowed.swaps or allowed.shifts:
        _, shape = _shape(places, allowed)
        movable = len(shape.open)
        count += movable * (movable - 1) // 2 if allowed.swaps else 0
        count += len(shape.lifted) if allowed.shifts else 0
    return count


def make_mat_moves(places: NDArray[np.int16], moves: NDArray[np.int32]) -> NDArray[np.int16]:
    """Return the places after each of some mat moves, with the least row and column 0.

    Args:
        places: ``places[i, mat]``: the layout before each move.
        moves: The moves.
    """
    after = places.copy()
    kind, mat, one, two = _read(moves)
    (turned,), (swapped,), (shifted,) = (np.nonzero(kind == each) for each in KINDS)
    after[turned, mat[turned], 2] = (after[turned, mat[turned], 2] + one[turned]) & 3
    after[swapped, mat[swapped], :2] = places[swapped, one[swapped], :2]
    after[swapped, one[swapped], :2] = places[swapped, mat[swapped], :2]
    after[shifted, mat[shifted], 0] = one[shifted]
    after[shifted, mat[shifted], 1] = two[shifted]
    after[shifted, :, :2] -= after[shifted, :, :2].min(axis=1, keepdims=True)
    return after


def mat_move_of(coded: int) -> MatMove:
    """Return the move that a number stands for."""
    kind, mat, one, two = _read(coded)
    if kind == TURN:
        return Turn(mat, one)
    return Swap(mat, one) if kind == SWAP else Shift(mat, (one, two))


def _shape(places: NDArray[np.int16], allowed: MatMoves) -> tuple[NDArray[np.int64], Shape]:
    """Return the mat on each slot in use, by row and column, and the shape of all."""
    row, column, _ = places.T.astype(np.int64)
    mats = (row << 16 | column).argsort()
    return mats, shape_of(places[mats, :2].tobytes(), one_piece=allowed.one_piece)


@lru_cache(maxsize=64)
def _turns(mats: int) -> NDArray[np.int32]:
    return np.array(
        [_code(TURN, mat, quarters, 0) for mat in range(mats) for quarters in (1, 2, 3)], np.int32
    )


@lru_cache(maxsize=_KEPT)
def _swaps(movable: bytes) -> NDArray[np.int32]:
    mats = np.frombuffer(movable, np.int64).tolist()
    return np.array([_code(SWAP, *pair, 0) for pair in combinations(mats, 2)], np.int32)


def _code(kind: int, mat: Any, one: Any, two: Any) -> Any:
    """Return the number of a move, or an array of them."""
    slot = (one + _OFFSET) << _ONE_BIT | (two + _OFFSET)
    return kind << KIND_BIT | mat << _MAT_BIT | slot


def _read(coded: Any) -> tuple[Any, Any, Any, Any]:
    """Return what `_code` was given."""
    one, two = (coded >> _ONE_BIT & 1023) - _OFFSET, (coded & 1023) - _OFFSET
    return coded >> KIND_BIT, coded >> _MAT_BIT & 31, one, two
