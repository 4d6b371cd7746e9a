"""Arrangements: each layout that a search meets, with its table of neighbours.

A space's number goes with its mat, so that a mat move changes no piece, only the arrangement.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted
from sim.bumpers.kernel.layoutkeys import layout_key, layout_keys
from sim.bumpers.kernel.neighbours import mats_of as printed_of
from sim.bumpers.kernel.neighbours import neighbours_of
from sim.bumpers.layout import Layout

_ROW, _COLUMN, _TURN = 0, 1, 2
_FIRST_CAPACITY = 64


class Mats(NamedTuple):
    """What is printed on the mats of a layout; no move changes it.

    Attributes:
        size: Spaces along the edge of a mat.
        barriers: Of each space, the edges that nothing crosses, one bit by direction in the mat's
            own frame.
        pools: 1 for a pool.
        goals: 1 for a goal space.
        turned: ``turned[quarters, cell]``, the space that lies on a cell of a turned mat.
    """

    size: int
    barriers: NDArray[np.uint8]
    pools: NDArray[np.uint8]
    goals: NDArray[np.uint8]
    turned: NDArray[np.int64]


class Arrangements(NamedTuple):
    """The arrangements met so far, by number; 0 is the first.

    Attributes:
        places: ``places[a, mat]``: row, column and quarter turns.
        neighbours: ``neighbours[a, direction, space]``: the next space, or the wall.
        keys: 128-bit keys.
        mat_moves: How many mat moves are legal; -1 where that was not asked yet.
        slots: Hash table of numbers plus 1.
        used: How many there are, in one cell.
    """

    places: NDArray[np.int16]
    neighbours: NDArray[np.uint16]
    keys: NDArray[np.uint64]
    mat_moves: NDArray[np.int32]
    slots: NDArray[np.int32]
    used: NDArray[np.int64]


def mats_of(layout: Layout) -> Mats:
    """Return what is printed on the mats of a layout."""
    size, per_mat = layout.size, layout.spaces_per_mat
    spaces = per_mat * len(layout.faces)
    barriers, pools, goals = (np.zeros(spaces, np.uint8) for _ in range(3))
    for mat, face in enumerate(layout.faces):
        first = mat * per_mat
        for space in face.pools:
            pools[first + space] = 1
        for space, direction in face.walls:
            barriers[first + space] |= 1 << direction
        for goal in face.goals:
            low, high = sorted(goal.spaces)
            to_twin = 1 if high - low == 1 else 2
            front = 1 << goal.facing
            barriers[first + low] |= 15 & ~front & ~(1 << to_twin)
            barriers[first + high] |= 15 & ~front & ~(1 << (to_twin + 2) % 4)
            goals[[first + low, first + high]] = 1
    cells = np.arange(per_mat).reshape(size, size)
    turned = np.stack([np.rot90(cells, -quarters).ravel() for quarters in range(4)])
    return Mats(size, barriers, pools, goals, turned)


def first_arrangement(mats: Mats, layout: Layout) -> Arrangements:
    """Return the arrangements that hold a layout alone."""
    empty = _empty(_FIRST_CAPACITY, len(layout.faces), len(mats.pools))
    places = np.array([[*place.slot, place.turn] for place in layout.places], np.int16)
    empty.places[0] = places
    empty.keys[0] = layout_keys(places[None])[0]
    empty.neighbours[0] = neighbours_of(printed_of(layout), places[None])[0]
    empty.mat_moves[0] = -1
    empty.slots[int(empty.keys[0, 0]) & (len(empty.slots) - 1)] = 1
    empty.used[0] = 1
    return empty


def grown(arrangements: Arrangements) -> Arrangements:
    """Return the same arrangements with room for twice as many."""
    capacity, mats = arrangements.places.shape[:2]
    spaces = arrangements.neighbours.shape[2] - 2
    larger = _empty(2 * capacity, mats, spaces)
    larger.places[:capacity] = arrangements.places
    larger.neighbours[:capacity] = arrangements.neighbours
    larger.keys[:capacity] = arrangements.keys
    larger.mat_moves[:capacity] = arrangements.mat_moves
    larger.used[0] = arrangements.used[0]
    _index_all(larger)
    return larger


@jitted
def find_or_add(mats: Mats, arrangements: Arrangements, places: NDArray[np.int16]) -> np.int64:
    """Return the number of the arrangement with these places; -1 if there is no room for it.

    Args:
        mats: What is printed on the mats.
        arrangements: The arrangements; a new one is added.
        places: Row, column and quarter turns of each mat; the least row and column are 0.
    """
    low, high = layout_key(places)
    mask = np.uint64(len(arrangements.slots) - 1)
    slot = low & mask
    while arrangements.slots[slot] != 0:
        number = arrangements.slots[slot] - 1
        if arrangements.keys[number, 0] == low and arrangements.keys[number, 1] == high:
            return np.int64(number)
        slot = (slot + np.uint64(1)) & mask
    number = arrangements.used[0]
    if number == len(arrangements.places):
        return np.int64(-1)
    arrangements.used[0] = number + 1
    arrangements.slots[slot] = number + 1
    for mat in range(len(places)):
        for part in range(3):
            arrangements.places[number, mat, part] = places[mat, part]
    arrangements.keys[number, 0] = low
    arrangements.keys[number, 1] = high
    arrangements.mat_moves[number] = -1
    _fill_neighbours(mats, arrangements, number)
    return np.int64(number)


def _empty(capacity: int, mats: int, spaces: int) -> Arrangements:
    return Arrangements(
        places=np.zeros((capacity, mats, 3), np.int16),
        neighbours=np.zeros((capacity, 4, spaces + 2), np.uint16),
        keys=np.zeros((capacity, 2), np.uint64),
        mat_moves=np.zeros(capacity, np.int32),
        slots=np.zeros(2 * capacity, np.int32),
        used=np.zeros(1, np.int64),
    )


@jitted
def _index_all(arrangements: Arrangements) -> None:
    mask = np.uint64(len(arrangements.slots) - 1)
    for number in range(arrangements.used[0]):
        slot = arrangements.keys[number, 0] & mask
        while arrangements.slots[slot] != 0:
            slot = (slot + np.uint64(1)) & mask
        arrangements.slots[slot] = number + 1


@jitted
def _fill_neighbours(mats: Mats, arrangements: Arrangements, number: int) -> None:
    """Write the neighbours of every space of an arrangement."""
    size = mats.size
    per_mat = size * size
    places, neighbours = arrangements.places, arrangements.neighbours
    wall = len(mats.pools)
    for direction in range(4):
        down = (direction == 2) - (direction == 0)
        right = (direction == 1) - (direction == 3)
        neighbours[number, direction, wall] = wall
        neighbours[number, direction, wall + 1] = wall
        for mat in range(places.shape[1]):
            turn = places[number, mat, _TURN]
            row_beside = places[number, mat, _ROW] + down
            column_beside = places[number, mat, _COLUMN] + right
            beside = -1
            for other in range(places.shape[1]):
                if (
                    places[number, other, _ROW] == row_beside
                    and places[number, other, _COLUMN] == column_beside
                ):
                    beside = other
            for cell in range(per_mat):
                space = mat * per_mat + mats.turned[turn, cell]
                neighbours[number, direction, space] = wall
                row, column, there = cell // size + down, cell % size + right, mat
                if row < 0 or row >= size or column < 0 or column >= size:
                    row, column, there = row - size * down, column - size * right, beside
                if there < 0:
                    continue
                next_turn = places[number, there, _TURN]
                ahead = there * per_mat + mats.turned[next_turn, row * size + column]
                out = mats.barriers[space] >> ((direction - turn) & 3) & 1
                into = mats.barriers[ahead] >> ((direction + 2 - next_turn) & 3) & 1
                if out + into + mats.pools[space] + mats.pools[ahead] == 0:
                    neighbours[number, direction, space] = ahead
