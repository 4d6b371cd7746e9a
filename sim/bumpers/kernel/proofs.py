"""The transposition table: positions that are known to have no solution within some actions.

An entry is 128 bits: the low half of a key, and the high half with the number of actions in place
of its last 8 bits. Those bits are told by the bucket that the entry is in, so that keys are
compared whole.
"""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted

_FIRST_ENTRIES = 1 << 18
_GROWTH = 4
_WAYS = 4
_ACTIONS = np.uint64(255)


@jitted
def is_proved(table: NDArray[np.uint64], low: np.uint64, high: np.uint64, actions: int) -> bool:
    """Return whether a position is known to have no solution within some actions, at least 1."""
    first = _bucket(table, high) * _WAYS
    for entry in range(first, first + _WAYS):
        if table[entry, 0] == low and (table[entry, 1] ^ high) <= _ACTIONS:
            return bool(table[entry, 1] & _ACTIONS >= np.uint64(actions))
    return False


@jitted
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
    return np.zeros((_FIRST_ENTRIES, 2), np.uint64)


def with_room(table: NDArray[np.uint64], used: int, memory_mb: float) -> NDArray[np.uint64]:
    """Return a larger table with the same entries if half is used and memory allows, or itself."""
    larger_mb = (1 + _GROWTH) * table.nbytes / 1e6  # both exist while entries are copied
    if 2 * used < len(table) or larger_mb > memory_mb:
        return table
    larger = np.zeros((_GROWTH * len(table), 2), np.uint64)
    _copy(table, larger)
    return larger


@jitted
def _copy(table: NDArray[np.uint64], larger: NDArray[np.uint64]) -> None:
    """Copy all entries of a table into a larger one."""
    for entry in range(len(table)):
        actions = int(table[entry, 1] & _ACTIONS)
        if actions > 0:
            told = np.uint64(entry // _WAYS) & _ACTIONS
            high = (table[entry, 1] & ~_ACTIONS) | told
            keep_proof(larger, table[entry, 0], high, actions)


@jitted
def _bucket(table: NDArray[np.uint64], high: np.uint64) -> int:
    return int(high & np.uint64(len(table) // _WAYS - 1))
