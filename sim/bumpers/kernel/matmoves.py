"""Mat moves in the kernel: each is one number, made and read here."""

from collections.abc import Iterator
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


def all_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> list[NDArray[np.int32]]:
    """Return the legal mat moves of some layouts, in the order of the rules: turns, swaps, shifts.

    Args:
        places: ``places[layout, mat]``: row, column and quarter turns.
        allowed: Which mat moves there are.
    """
    return [
        np.concatenate(
            [
                _turns(len(mats) if allowed.turns else 0),
                # The slots in use stay the same, so a swap keeps a layout legal.
                _swaps(np.sort(mats[shape.open]).tobytes() if allowed.swaps else b""),
                _shifts(mats, shape) if allowed.shifts else _turns(0),
            ]
        )
        for mats, shape in _shapes(places, allowed)
    ]


def count_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> list[int]:
    """Return how many mat moves of some layouts are legal; see `all_mat_moves`."""
    turns = 3 * places.shape[1] * allowed.turns
    movable = ((len(shape.open), len(shape.lifted)) for _, shape in _shapes(places, allowed))
    return [
        turns + mats * (mats - 1) // 2 * allowed.swaps + shifts * allowed.shifts
        for mats, shifts in movable
    ]


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
    slots = after[shifted, :, :2]
    # With mats as the first axis, numpy folds it fast.
    least = slots.transpose(1, 2, 0).copy().min(axis=0).T
    (is_off,) = least.any(axis=1).nonzero()
    after[shifted[is_off], :, :2] -= least[is_off, None]
    return after


def mat_move_of(coded: int) -> MatMove:
    """Return the move that a number stands for."""
    kind, mat, one, two = _read(coded)
    if kind == TURN:
        return Turn(mat, one)
    return Swap(mat, one) if kind == SWAP else Shift(mat, (one, two))


def _shapes(
    places: NDArray[np.int16], allowed: MatMoves
) -> Iterator[tuple[NDArray[np.int64], Shape]]:
    """Yield the mat on each slot in use, by row and column, and the shape of all, by layout."""
    slots = places[:, :, :2]
    mats = (slots[:, :, 0].astype(np.int64) << 16 | slots[:, :, 1]).argsort(axis=1)
    used = np.take_along_axis(slots, mats[:, :, None], axis=1)
    for on_slots, each in zip(mats, used, strict=True):
        yield on_slots, shape_of(each.tobytes(), one_piece=allowed.one_piece)


@lru_cache(maxsize=64)
def _turns(mats: int) -> NDArray[np.int32]:
    return np.array(
        [_code(TURN, mat, quarters, 0) for mat in range(mats) for quarters in (1, 2, 3)], np.int32
    )


@lru_cache(maxsize=_KEPT)
def _swaps(movable: bytes) -> NDArray[np.int32]:
    mats = np.frombuffer(movable, np.int64).tolist()
    return np.array([_code(SWAP, *pair, 0) for pair in combinations(mats, 2)], np.int32)


def _shifts(mats: NDArray[np.int64], shape: Shape) -> NDArray[np.int32]:
    row, column = shape.laid
    listed: NDArray[np.int32] = _code(SHIFT, mats[shape.lifted], row, column).astype(np.int32)
    listed.sort()
    return listed


def _code(kind: int, mat: Any, one: Any, two: Any) -> Any:
    """Return the number of a move, or an array of them."""
    slot = (one + _OFFSET) << _ONE_BIT | (two + _OFFSET)
    return kind << KIND_BIT | mat << _MAT_BIT | slot


def _read(coded: Any) -> tuple[Any, Any, Any, Any]:
    """Return what `_code` was given."""
    one, two = (coded >> _ONE_BIT & 1023) - _OFFSET, (coded & 1023) - _OFFSET
    return coded >> KIND_BIT, coded >> _MAT_BIT & 31, one, two
