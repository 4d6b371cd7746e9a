"""The transposition table: positions that are known to have no solution within some actions.

An entry is 128 bits: the low half of a key, and the high half with the number of actions in place
of its last 8 bits. Those bits are told by the bucket that the entry is in, so that keys are
compared whole.
"""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import bring_near, jitted, jitted_part

_FIRST_ENTRIES = 1 << 18
_GROWTH = 4
_WAYS = 4
_ACTIONS = np.uint64(255)


@jitted_part
def is_proved(table: NDArray[np.uint64], low: np.uint64, high: np.uint64, actions: int) -> bool:
    """Return whether a position is known to have no solution within some actions, at least 1."""
    first = _first_entry(table, high)
    found = False
    # To look at all of them is faster than a branch, wrong half of the time.
    for way in range(_WAYS):
        entry = first + np.uint64(way)
        is_same = (table[entry, 0] == low) & ((table[entry, 1] ^ high) <= _ACTIONS)
        found |= is_same & (table[entry, 1] & _ACTIONS >= np.uint64(actions))
    return bool(found)


@jitted_part
def expect(table: NDArray[np.uint64], high: np.uint64) -> None:
    """Bring the bucket of a key near that will be asked for.

    It is far away in memory: waiting for one after another takes half of a search, and waiting for
    all at a time a tenth.
    """
    bring_near(table, np.uint64(2) * _first_entry(table, high))


@jitted_part
def keep_proof(table: NDArray[np.uint64], low: np.uint64, high: np.uint64, actions: int) -> bool:
    """Keep that a position has no solution within some actions; return if it took a free entry.

    A full bucket loses the entry of the fewest actions.
    """
    first = _first_entry(table, high)
    chosen, lowest = first, int(_ACTIONS) + 2
    for way in range(_WAYS):
        entry = first + np.uint64(way)
        rank = int(table[entry, 1] & _ACTIONS) + 1
        if (table[entry, 0] == low) & ((table[entry, 1] ^ high) <= _ACTIONS):
            rank = 0
        if rank < lowest:
            chosen, lowest = entry, rank
    most = np.uint64(actions)
    if lowest == 0:
        most = max(most, table[chosen, 1] & _ACTIONS)
    table[chosen, 0] = low
    table[chosen, 1] = (high & ~_ACTIONS) | most
    return lowest == 1


def first_table() -> NDArray[np.uint64]:
    """Return an empty table of 4 MB."""
    return _empty(_FIRST_ENTRIES)


def with_room(table: NDArray[np.uint64], used: int, memory_mb: float) -> NDArray[np.uint64]:
    """Return a larger table with the same entries if half is used and memory allows, or itself."""
    larger_mb = (1 + _GROWTH) * table.nbytes / 1e6  # both exist while entries are copied
    if 2 * used < len(table) or larger_mb > memory_mb:
        return table
    larger = _empty(_GROWTH * len(table))
    _copy(table, larger)
    return larger


def _empty(entries: int) -> NDArray[np.uint64]:
    line = 64 // 8  # a bucket fills a line of the processor's cache
    space = np.zeros(2 * entries + line, np.uint64)
    first = -(space.ctypes.data // 8) % line
    return space[first : first + 2 * entries].reshape(entries, 2)


@jitted
def _copy(table: NDArray[np.uint64], larger: NDArray[np.uint64]) -> None:
    """Copy all entries of a table into a larger one."""
    for entry in range(len(table)):
        actions = int(table[entry, 1] & _ACTIONS)
        if actions > 0:
            told = np.uint64(entry // _WAYS) & _ACTIONS
            high = (table[entry, 1] & ~_ACTIONS) | told
            keep_proof(larger, table[entry, 0], high, actions)


@jitted_part
def _first_entry(table: NDArray[np.uint64], high: np.uint64) -> np.uint64:
    """Return where a key's bucket begins, unsigned: numba asks of others if they are negative."""
    return (high & np.uint64(len(table) // _WAYS - 1)) * np.uint64(_WAYS)
