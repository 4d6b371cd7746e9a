"""Which space lies ahead of each, for many layouts at a time.

Inside a mat that depends on its turn alone; across an edge, on the mat that lies beside it. Arrays
do it as fast as a compiled function, which would take a second to compile.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.layout import Layout

ROW, COLUMN, TURN = 0, 1, 2
"""The parts of a place."""

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Mats(NamedTuple):
    """What is printed on the mats of a layout; no move changes it.

    Directions are those of a mat's own frame here.

    Attributes:
        inside: ``inside[mat, direction, space]``: the next space on the same mat, or the wall.
        edge: ``edge[mat, direction, i]``: the spaces along an edge, clockwise.
        is_open: ``is_open[mat, direction, i]``: a piece can cross the edge there.
    """

    inside: NDArray[np.uint16]
    edge: NDArray[np.uint16]
    is_open: NDArray[np.bool_]


def mats_of(layout: Layout) -> Mats:
    """Return what is printed on the mats of a layout."""
    size, per_mat = layout.size, layout.spaces_per_mat
    mats = len(layout.faces)
    spaces = np.arange(mats * per_mat, dtype=np.uint16).reshape(mats, size, size)
    barred = _barred(layout)
    inside = np.full((mats, 4, size, size), spaces.size, np.uint16)
    edge = np.zeros((mats, 4, size), np.uint16)
    for direction, (down, right) in enumerate(_STEPS):
        ahead = np.roll(spaces, (-down, -right), (1, 2))
        is_open = ~(barred[direction].ravel()[spaces] | barred[(direction + 2) % 4].ravel()[ahead])
        is_open[:, *_along(direction)] = False
        inside[:, direction][is_open] = ahead[is_open]
        # North and east are clockwise as they are numbered, south and west against.
        edge[:, direction] = spaces[:, *_along(direction)][:, :: 1 if direction < 2 else -1]
    crossing = ~barred[np.arange(4)[:, None], edge.astype(np.int64)]
    return Mats(inside.reshape(mats, 4, per_mat), edge, crossing)


def neighbours_of(mats: Mats, places: NDArray[np.int16]) -> NDArray[np.uint16]:
    """Return ``neighbours[layout, direction, space]``: the next space, or the wall.

    Args:
        mats: What is printed on the mats.
        places: ``places[layout, mat]``: row, column and quarter turns; the least row and column
            are 0.
    """
    layouts, count = places.shape[:2]
    per_mat = mats.inside.shape[2]
    wall = count * per_mat
    every = np.arange(count)
    own = (np.arange(4)[None, :, None] - places[:, None, :, TURN]) % 4
    neighbours = np.full((layouts, 4, wall + 2), wall, np.uint16)
    neighbours[:, :, :wall] = mats.inside[every, own].reshape(layouts, 4, wall)
    beside = _beside(places)
    facing = own[np.arange(layouts)[:, None, None], _BACK[None, :, None], beside]
    leaving = mats.edge[every, own]
    entered = np.where(mats.is_open[beside, facing], mats.edge[beside, facing], wall)[..., ::-1]
    entered[~mats.is_open[every, own] | (beside < 0)[..., None]] = wall
    np.put_along_axis(
        neighbours,
        leaving.reshape(layouts, 4, -1).astype(np.int64),
        entered.reshape(layouts, 4, -1).astype(np.uint16),
        axis=2,
    )
    return neighbours


_BACK = np.array([2, 3, 0, 1])


def _along(direction: int) -> tuple[slice | int, slice | int]:
    """Return the row or column of a mat's spaces along an edge."""
    everything = slice(None)
    return ((0, everything), (everything, -1), (-1, everything), (everything, 0))[direction]


def _barred(layout: Layout) -> NDArray[np.bool_]:
    """Return ``barred[direction, space]``: nothing leaves or enters there."""
    barred = np.zeros((4, layout.spaces_per_mat * len(layout.faces)), np.bool_)
    for mat, face in enumerate(layout.faces):
        first = mat * layout.spaces_per_mat
        for space in face.pools:
            barred[:, first + space] = True
        for space, direction in face.walls:
            barred[direction, first + space] = True
        for goal in face.goals:
            low, high = sorted(goal.spaces)
            to_twin = 1 if high - low == 1 else 2
            for space, to_other in ((low, to_twin), (high, (to_twin + 2) % 4)):
                for direction in {*range(4)} - {goal.facing, to_other}:
                    barred[direction, first + space] = True
    return barred


def _beside(places: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return ``beside[layout, direction, mat]``: the mat that lies there; -1 for none."""
    layouts, mats = places.shape[:2]
    rows, columns = (
        places[:, :, ROW].astype(np.int64) + 1,
        places[:, :, COLUMN].astype(np.int64) + 1,
    )
    slots = np.full((layouts, rows.max() + 2, columns.max() + 2), -1, np.int64)
    every = np.arange(layouts)[:, None]
    slots[every, rows, columns] = np.arange(mats)
    return np.stack([slots[every, rows + down, columns + right] for down, right in _STEPS], axis=1)
