"""The transposition table: positions that are known to have no solution within some actions.

An entry is 128 bits: the low half of a key, and the high half with the number of actions in place
of its last 8 bits. Those bits are told by the bucket that the entry is in, so that keys are
compared whole.
"""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part

_FIRST_ENTRIES = 1 << 18
_GROWTH = 4
_WAYS = 4
_ACTIONS = np.uint64(255)


@jitted_part
def is_proved(table: NDArray[np.uint64], low: np.uint64, high: np.uint64, actions: int) -> bool:
    """Return whether a position is known to have no solution within some actions, at least 1."""
    first = _bucket(table, high) * _WAYS
    for entry in range(first, first + _WAYS):
        if table[entry, 0] == low and (table[entry, 1] ^ high) <= _ACTIONS:
            return bool(table[entry, 1] & _ACTIONS >= np.uint64(actions))
    return False


@jitted_part
def fetch(table: NDArray[np.uint64], keys: NDArray[np.uint64], count: int) -> np.uint64:
    """Bring the buckets of some keys near, all at a time; return what must be used.

    Each is far away in memory: waiting for one after another takes half of a search.
    """
    read = np.uint64(0)
    for index in range(count):
        read ^= table[_bucket(table, keys[index, 1]) * _WAYS, 0]
    return read


@jitted_part
def keep_proof(table: NDArray[np.uint64], low: np.uint64, high: np.uint64, actions: int) -> bool:
    """Keep that a position has no solution within some actions; return if it took a free entry.

    A full bucket loses the entry of the fewest actions.
    """
    first = _bucket(table, high) * _WAYS
    chosen, fewest, most = first, _ACTIONS, np.uint64(actions)
    for entry in range(first, first + _WAYS):
        kept = table[entry, 1] & _ACTIONS
        if table[entry, 0] == low and (table[entry, 1] ^ high) <= _ACTIONS:
            chosen, fewest = entry, kept
            most = max(most, kept)
            break
        if kept < fewest:
            chosen, fewest = entry, kept
    table[chosen, 0] = low
    table[chosen, 1] = (high & ~_ACTIONS) | most
    return bool(fewest == 0)


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
def _bucket(table: NDArray[np.uint64], high: np.uint64) -> int:
    return int(high & np.uint64(len(table) // _WAYS - 1))
