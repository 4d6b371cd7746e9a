"""Which mats may be moved, and where to, by the slots in use.

That depends on which slots are in use, not on which mats lie there, so that it is worked out once
for each such shape. Inside, a set of slots is an integer with a bit for each, row after row of a
board with a margin of one slot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

_KEPT = 1 << 13  # shapes of 1 or 2 kB each


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What can be done on some slots. They are numbered by row and column.

    Attributes:
        open: The slots with a free side.
        lifted: Of each shift, the slot that a mat leaves.
        laid: The rows, and the columns, of the slots that they come to; they may be -1.
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
    width = 3 + max(column for _, column in used)
    bits = [1 << ((row + 1) * width + column + 1) for row, column in used]
    whole = sum(bits)
    is_open = [i for i, bit in enumerate(bits) if _around(bit, width) & ~whole]
    targets = [_targets(whole & ~bits[i], bits[i], width, one_piece=one_piece) for i in is_open]
    found = [_numbers(each) for each in targets]
    row, column = np.divmod(np.array(list(chain.from_iterable(found)), np.int64), width)
    return Shape(
        open=np.array(is_open, np.int64),
        lifted=np.repeat(np.array(is_open, np.int64), [len(each) for each in found]),
        laid=np.stack([row, column]) - 1,
    )


def _targets(left: int, lifted: int, width: int, *, one_piece: bool) -> int:
    """Return where a mat may be laid: beside another, where it leaves none of them alone.

    Args:
        left: The slots still in use when the mat is lifted.
        lifted: The slot that it leaves.
        width: Bits from a row to the next.
        one_piece: Mats must leave the board one piece.
    """
    targets = _around(left, width) & ~(left | lifted)
    for part in _parts(left, width):
        is_alone = part & (part - 1) == 0
        if is_alone or one_piece:
            targets &= _around(part, width)
    return targets


def _parts(slots: int, width: int) -> Iterator[int]:
    """Yield the parts that hang together."""
    while slots:
        part, grown = 0, slots & -slots
        while grown != part:
            part, grown = grown, grown | (_around(grown, width) & slots)
        yield part
        slots &= ~part


def _numbers(slots: int) -> list[int]:
    """Return the places of a set's bits, in order."""
    found = []
    while slots:
        lowest = slots & -slots
        found.append(lowest.bit_length() - 1)
        slots ^= lowest
    return found


def _around(slots: int, width: int) -> int:
    """Return the slots beside some."""
    return slots << 1 | slots >> 1 | slots << width | slots >> width
