"""The state of a breadth-first search: frontiers, and the keys of all positions met."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.arrangements import grown
from sim.bumpers.kernel.compiling import jitted
from sim.bumpers.kernel.encoding import Encoded
from sim.bumpers.kernel.matmoves import MOST_MAT_MOVES, Lattice, new_lattice

_FIRST_FRONTIER = 1 << 12
_FIRST_SEEN = 1 << 14


class Frontier(NamedTuple):
    """Positions that are one number of moves away.

    Attributes:
        where: The space of each piece, a row for each position.
        arrangement: The arrangement of each.
        keys: The 128-bit key of each.
        used: How many there are, in one cell.
    """

    where: NDArray[np.uint16]
    arrangement: NDArray[np.int64]
    keys: NDArray[np.uint64]
    used: NDArray[np.int64]


class Seen(NamedTuple):
    """The keys of all positions met: an open hash table, at most half full.

    Attributes:
        keys: The keys; 0 where there is none.
        used: How many there are, in one cell.
    """

    keys: NDArray[np.uint64]
    used: NDArray[np.int64]


class Work(NamedTuple):
    """Space for the work on one position.

    Attributes:
        occupied: What is on each space; as without pieces between positions.
        who: The pieces that a move moves.
        to: The spaces they come to.
    """

    occupied: NDArray[np.uint8]
    who: NDArray[np.uint8]
    to: NDArray[np.uint16]


class MatWork(NamedTuple):
    """What is needed besides if mats move, too.

    Attributes:
        listed: The mat moves of a layout.
        lattice: Space for layouts.
    """

    listed: NDArray[np.int32]
    lattice: Lattice


class Search(NamedTuple):
    """A breadth-first search on its way.

    Attributes:
        encoded: The position it began at, and the arrangements met so far.
        frontier: The positions of the last depth.
        following: Those of the next depth, so far.
        seen: The keys of all positions met.
        work: Space for the work.
        mat_work: The same for mat moves; None if mats do not move, for which numba compiles
            shorter functions.
    """

    encoded: Encoded
    frontier: Frontier
    following: Frontier
    seen: Seen
    work: Work
    mat_work: MatWork | None


def new_search(encoded: Encoded, mat_side: int | None) -> Search:
    """Return the search that has met the position alone.

    Args:
        encoded: The position's numbers.
        mat_side: The most slots that a layout will be wide or high; None if mats do not move.
    """
    pieces = len(encoded.pieces.where)
    mat_work = None
    if mat_side is not None:
        lattice = new_lattice(len(encoded.arrangements.places[0]), mat_side)
        mat_work = MatWork(np.zeros(MOST_MAT_MOVES, np.int32), lattice)
    search = Search(
        encoded=encoded,
        frontier=_empty_frontier(_FIRST_FRONTIER, pieces),
        following=_empty_frontier(_FIRST_FRONTIER, pieces),
        seen=_empty_seen(_FIRST_SEEN),
        work=Work(
            occupied=encoded.pieces.vacated.copy(),
            who=np.zeros(pieces + 1, np.uint8),
            to=np.zeros(pieces + 1, np.uint16),
        ),
        mat_work=mat_work,
    )
    zobrist = encoded.zobrist[np.arange(pieces), encoded.pieces.where]
    key = np.bitwise_xor.reduce(zobrist, axis=0) ^ encoded.arrangements.keys[0]
    search.frontier.where[0] = encoded.pieces.where
    search.frontier.keys[0] = key
    search.frontier.used[0] = 1
    add_key(search.seen, key[0], key[1])
    return search


def next_depth(search: Search) -> Search:
    """Return the search with the positions that it found as its frontier."""
    count = int(search.following.used[0])
    empty = _empty_frontier(max(_FIRST_FRONTIER, 2 * count), search.frontier.where.shape[1])
    return search._replace(frontier=search.following, following=empty)


def with_room(search: Search) -> Search:
    """Return the search with room for the moves of one more position at least."""
    following, seen, encoded = search.following, search.seen, search.encoded
    most = 4 * len(encoded.game.movable)
    if search.mat_work is not None:
        most += MOST_MAT_MOVES
        while encoded.arrangements.used[0] + most > len(encoded.arrangements.keys):
            encoded = encoded._replace(arrangements=grown(encoded.arrangements))
    if following.used[0] + most > len(following.keys):
        larger = _empty_frontier(2 * len(following.keys) + most, following.where.shape[1])
        larger.where[: len(following.where)] = following.where
        larger.arrangement[: len(following.where)] = following.arrangement
        larger.keys[: len(following.where)] = following.keys
        larger.used[0] = following.used[0]
        following = larger
    while 2 * (seen.used[0] + most) > len(seen.keys):
        wider = _empty_seen(2 * len(seen.keys))
        _add_all(seen.keys, wider)
        seen = wider
    return search._replace(following=following, seen=seen, encoded=encoded)


def size_bytes(search: Search) -> int:
    """Return how much memory a search uses."""
    arrays = (*search.frontier, *search.following, *search.seen, *search.encoded.arrangements)
    return sum(array.nbytes for array in arrays)


@jitted
def add_key(seen: Seen, low: np.uint64, high: np.uint64) -> bool:
    """Add a key; return whether it is new."""
    mask = np.uint64(len(seen.keys) - 1)
    slot = low & mask
    while seen.keys[slot, 0] != 0 or seen.keys[slot, 1] != 0:
        if seen.keys[slot, 0] == low and seen.keys[slot, 1] == high:
            return False
        slot = (slot + np.uint64(1)) & mask
    seen.keys[slot, 0] = low
    seen.keys[slot, 1] = high
    seen.used[0] += 1
    return True


def _empty_frontier(capacity: int, pieces: int) -> Frontier:
    return Frontier(
        where=np.zeros((capacity, pieces), np.uint16),
        arrangement=np.zeros(capacity, np.int64),
        keys=np.zeros((capacity, 2), np.uint64),
        used=np.zeros(1, np.int64),
    )


def _empty_seen(capacity: int) -> Seen:
    return Seen(keys=np.zeros((capacity, 2), np.uint64), used=np.zeros(1, np.int64))


@jitted
def _add_all(keys: NDArray[np.uint64], seen: Seen) -> None:
    for index in range(len(keys)):
        if keys[index, 0] != 0 or keys[index, 1] != 0:
            add_key(seen, keys[index, 0], keys[index, 1])
