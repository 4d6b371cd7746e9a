"""The state of a breadth-first search: frontiers, and the keys of all positions met."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part

_FIRST_FRONTIER = 1 << 12
_FIRST_SEEN = 1 << 16


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


def empty_frontier(capacity: int, pieces: int) -> Frontier:
    """Return a frontier with room for some positions."""
    capacity = max(capacity, _FIRST_FRONTIER)
    return Frontier(
        where=np.zeros((capacity, pieces), np.uint16),
        arrangement=np.zeros(capacity, np.int64),
        keys=np.zeros((capacity, 2), np.uint64),
        used=np.zeros(1, np.int64),
    )


def first_seen(key: NDArray[np.uint64]) -> Seen:
    """Return a table that holds one key."""
    seen = Seen(keys=np.zeros((_FIRST_SEEN, 2), np.uint64), used=np.ones(1, np.int64))
    seen.keys[int(key[0]) % _FIRST_SEEN] = key
    return seen


def frontier_with_room(frontier: Frontier, more: int) -> Frontier:
    """Return the frontier with room for some more positions, or itself."""
    used, capacity = int(frontier.used[0]), len(frontier.keys)
    if used + more <= capacity:
        return frontier
    larger = empty_frontier(max(2 * capacity, used + more), frontier.where.shape[1])
    larger.where[:used] = frontier.where[:used]
    larger.arrangement[:used] = frontier.arrangement[:used]
    larger.keys[:used] = frontier.keys[:used]
    larger.used[0] = used
    return larger


def seen_with_room(seen: Seen, more: int) -> Seen:
    """Return the keys with room for some more, or themselves."""
    slots = len(seen.keys)
    while 2 * (seen.used[0] + more) > slots:
        slots *= 2
    if slots == len(seen.keys):
        return seen
    wider = Seen(keys=np.zeros((slots, 2), np.uint64), used=np.zeros(1, np.int64))
    _add_all(seen.keys, wider)
    return wider


@jitted_part
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


@jitted
def _add_all(keys: NDArray[np.uint64], seen: Seen) -> None:
    for index in range(len(keys)):
        if keys[index, 0] != 0 or keys[index, 1] != 0:
            add_key(seen, keys[index, 0], keys[index, 1])
