"""Which mats may be moved, and where to, by the slots in use.

That depends on which slots are in use, not on which mats lie there, so that it is worked out once
for each such shape. Inside, a set of slots is an integer with a bit for each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_WIDTH = 256
"""Bits from a row to the next: more than a layout has columns."""

_KEPT = 1 << 13  # shapes of 1 or 2 kB each


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What can be done on some slots. They are numbered by row and column.

    Attributes:
        open: The slots with a free side.
        lifted: Of each shift, the slot that a mat leaves.
        laid: ``laid[shift]``: row and column of the slot that it comes to; both may be -1.
    """

    open: NDArray[np.int64]
    lifted: NDArray[np.int64]
    laid: NDArray[np.int64]


@lru_cache(maxsize=_KEPT)
def shape_of(slots: bytes, *, one_piece: bool) -> Shape:
    """Return what can be done on the slots in use.

    Args:
        slots: Row and column of each as 16-bit numbers, by row and column; the least are 0.
        one_piece: Mats must leave the board one piece.
    """
    used = np.frombuffer(slots, np.int16).reshape(-1, 2).tolist()
    bits = [1 << ((row + 1) * _WIDTH + column + 1) for row, column in used]
    whole = sum(bits)
    is_open = [i for i, bit in enumerate(bits) if _around(bit) & ~whole]
    shifts = [
        (i, slot) for i in is_open for slot in _slots(_targets(whole, bits[i], one_piece=one_piece))
    ]
    return Shape(
        open=np.array(is_open, np.int64),
        lifted=np.array([i for i, _ in shifts], np.int64),
        laid=np.array([slot for _, slot in shifts], np.int64).reshape(-1, 2),
    )


def _targets(whole: int, lifted: int, *, one_piece: bool) -> int:
    """Return where a mat may be laid: beside another, where it leaves none of them alone."""
    left = whole & ~lifted
    targets = _around(left) & ~whole
    for part in _parts(left):
        is_alone = part & (part - 1) == 0
        if is_alone or one_piece:
            targets &= _around(part)
    return targets


def _parts(slots: int) -> Iterator[int]:
    """Yield the parts that hang together."""
    while slots:
        part, grown = 0, slots & -slots
        while grown != part:
            part, grown = grown, grown | (_around(grown) & slots)
        yield part
        slots &= ~part


def _slots(slots: int) -> Iterator[tuple[int, int]]:
    """Yield the slots of a set, by row and column."""
    while slots:
        lowest = slots & -slots
        row, column = divmod(lowest.bit_length() - 1, _WIDTH)
        yield row - 1, column - 1
        slots ^= lowest


def _around(slots: int) -> int:
    """Return the slots beside some."""
    return slots << 1 | slots >> 1 | slots << _WIDTH | slots >> _WIDTH
