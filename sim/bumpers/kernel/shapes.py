"""Which slots a mat may be shifted to.

That depends on which slots are in use, not on which mats lie there, so that it is worked out once
for each such shape. A set of slots is an integer with a bit for each.
"""

from dataclasses import dataclass
from functools import lru_cache

Slot = tuple[int, int]

_WIDTH = 256
"""Bits from a row to the next: more than a layout has columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The slots in use of a layout.

    Attributes:
        is_open: Of each slot in use, whether a side of it is free.
        shifts: Of each slot in use, the slots that the mat on it may be shifted to.
    """

    is_open: dict[Slot, bool]
    shifts: dict[Slot, int]


@lru_cache(maxsize=1 << 16)
def shape_of(used: frozenset[Slot], *, one_piece: bool) -> Shape:
    """Return what can be done on the slots in use.

    Args:
        used: The slots; the least row and column are 0.
        one_piece: Mats must leave the board one piece.
    """
    whole = sum(_bit(slot) for slot in used)
    is_open = {slot: bool(_around(_bit(slot)) & ~whole) for slot in used}
    return Shape(
        is_open=is_open,
        shifts={
            slot: _shifts(whole, _bit(slot), one_piece=one_piece) if is_open[slot] else 0
            for slot in used
        },
    )


def slots_of(slots: int) -> tuple[Slot, ...]:
    """Return the slots of a set, by row and column."""
    found = []
    while slots:
        lowest = slots & -slots
        row, column = divmod(lowest.bit_length() - 1, _WIDTH)
        found.append((row - 1, column - 1))
        slots ^= lowest
    return tuple(found)


def _shifts(whole: int, lifted: int, *, one_piece: bool) -> int:
    """Return where a mat may be laid: beside another, where it leaves none of them alone."""
    left = whole & ~lifted
    targets = _around(left) & ~whole
    for part in _parts(left):
        is_alone = part & (part - 1) == 0
        if is_alone or one_piece:
            targets &= _around(part)
    return targets


def _parts(slots: int) -> list[int]:
    """Return the parts that hang together."""
    parts = []
    while slots:
        part, grown = 0, slots & -slots
        while grown != part:
            part, grown = grown, grown | (_around(grown) & slots)
        parts.append(part)
        slots &= ~part
    return parts


def _around(slots: int) -> int:
    """Return the slots beside some."""
    return slots << 1 | slots >> 1 | slots << _WIDTH | slots >> _WIDTH


def _bit(slot: Slot) -> int:
    row, column = slot
    return 1 << ((row + 1) * _WIDTH + column + 1)
