"""The transposition table: positions proved to have no solution within some depth.

An entry has 128 bits: the low half of the key, and the high half with its last 8 bits replaced by
the depth in actions. The bucket of an entry implies those 8 bits, so keys are compared in full.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.kernels import inlined, kernel, when_compiling
from pucklab.sim.bumpers.kernel.arrays import U64

_FIRST_ENTRIES = 1 << 12
_FULL = 0.75
_GROWTHS, _LARGE = (4, 2), 1 << 20  # the first growth that fits into memory; large tables double
_WAYS = 4
_DEPTH = np.uint64(255)


@inlined
def is_refuted(table: U64, low: np.uint64, high: np.uint64, depth: int) -> bool:
    """Return whether a position is known to have no solution within a depth of at least 1."""
    first = _first_entry(table, high)
    found = False
    # Comparing all ways is faster than a branch that is mispredicted half of the time.
    for way in range(_WAYS):
        entry = first + np.uint64(way)
        is_same = (table[entry, 0] == low) & ((table[entry, 1] ^ high) <= _DEPTH)
        found |= is_same & (table[entry, 1] & _DEPTH >= np.uint64(depth))
    return bool(found)


@inlined
def prefetch_bucket(table: U64, high: np.uint64) -> None:
    """Prefetch the bucket of a key that will be probed.

    Waiting for one cache miss after another takes half of the time of a search; overlapping them
    leaves a tenth.
    """
    prefetch(table, np.uint64(2) * _first_entry(table, high))


@inlined
def store(table: U64, low: np.uint64, high: np.uint64, depth: int) -> bool:
    """Store that a position has no solution within a depth; return True if a free entry was used.

    A full bucket loses its entry of the smallest depth.
    """
    first = _first_entry(table, high)
    chosen, lowest = first, int(_DEPTH) + 2
    for way in range(_WAYS):
        entry = first + np.uint64(way)
        rank = int(table[entry, 1] & _DEPTH) + 1
        if (table[entry, 0] == low) & ((table[entry, 1] ^ high) <= _DEPTH):
            rank = 0
        if rank < lowest:
            chosen, lowest = entry, rank
    most = np.uint64(depth)
    if lowest == 0:
        most = max(most, table[chosen, 1] & _DEPTH)
    table[chosen, 0] = low
    table[chosen, 1] = (high & ~_DEPTH) | most
    return lowest == 1


def new_table() -> U64:
    """Return an empty table of 64 kB."""
    return _empty(_FIRST_ENTRIES)


def grow_table(table: U64, used: int, memory_mb: float) -> U64:
    """Return the table, enlarged if three quarters are used and memory allows."""
    for growth in _GROWTHS[len(table) >= _LARGE :] if used >= _FULL * len(table) else ():
        if (1 + growth) * table.nbytes / 1e6 <= memory_mb:  # both exist while entries are copied
            larger = _empty(growth * len(table))
            copy_entries(table, larger)
            return larger
    return table


def _empty(entries: int) -> U64:
    line = 64 // 8  # a bucket fills one cache line
    space = np.empty(2 * entries + line, np.uint64)
    space.fill(0)  # np.zeros asks for no huge pages, which make the search 10 % faster
    first = -(space.ctypes.data // 8) % line
    return space[first : first + 2 * entries].reshape(entries, 2)


@kernel
def copy_entries(table: U64, larger: U64) -> None:
    """Copy all entries into a larger table."""
    for entry in range(len(table)):
        depth = int(table[entry, 1] & _DEPTH)
        if depth > 0:
            low_bits = np.uint64(entry // _WAYS) & _DEPTH
            high = (table[entry, 1] & ~_DEPTH) | low_bits
            store(larger, table[entry, 0], high, depth)


@inlined
def _first_entry(table: U64, high: np.uint64) -> np.uint64:
    """Return the first entry of a key's bucket; unsigned, as numba checks signed indices."""
    return (high & np.uint64(len(table) // _WAYS - 1)) * np.uint64(_WAYS)


def prefetch(array: NDArray[Any], index: np.uint64) -> None:
    """Prefetch the item of a contiguous array at a flat index into the processor's cache.

    Compiled, this is one machine instruction that numba does not offer; interpreted, it does
    nothing.
    """


@when_compiling
def _register_prefetch() -> None:
    ir: Any = import_module("llvmlite.ir")
    extending: Any = import_module("numba.extending")
    types: Any = import_module("numba.types")
    number = ir.IntType(32)
    to_read, to_keep, of_data = number(0), number(3), number(1)

    @extending.type_callable(prefetch)  # type: ignore[untyped-decorator]
    def returned(_: Any) -> Any:
        return lambda array, index: types.none  # noqa: ARG005

    @extending.lower_builtin(prefetch, types.Array, types.uint64)  # type: ignore[untyped-decorator]
    def written(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        place = builder.bitcast(builder.gep(array.data, [values[1]]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(fetch, [place, to_read, to_keep, of_data])
        return context.get_dummy_value()
