"""Keys of layouts, in compiled functions and by arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted_part


def layout_keys(places: NDArray[np.int16]) -> NDArray[np.uint64]:
    """Return the 128-bit key of each layout, from ``places[layout, mat]``."""
    row, column, turn = np.moveaxis(places, 2, 0)
    keys = np.stack(_mat_key(np.arange(places.shape[1]), row, column, turn), axis=2)
    folded: NDArray[np.uint64] = np.bitwise_xor.reduce(keys, axis=1)
    return folded


@jitted_part
def layout_key(places: NDArray[np.int16]) -> tuple[np.uint64, np.uint64]:
    """Return the 128-bit key of a layout, from the row, column and turn of each mat."""
    low, high = np.uint64(0), np.uint64(0)
    for mat in range(len(places)):
        more_low, more_high = _mat_key(mat, places[mat, 0], places[mat, 1], places[mat, 2])
        low ^= more_low
        high ^= more_high
    return low, high


@jitted_part
def _mat_key(mat: Any, row: Any, column: Any, turn: Any) -> tuple[Any, Any]:
    """Return what a mat adds to a layout's key: numbers, or arrays of them."""
    width = np.uint64(16)
    packed = (np.uint64(mat) << width) | np.uint64(row)
    packed = (((packed << width) | np.uint64(column)) << width) | np.uint64(turn)
    low = _mixed(packed + np.uint64(0x9E3779B97F4A7C15))
    high = _mixed(packed ^ np.uint64(0xD1B54A32D192ED03))
    return low, high


@jitted_part
def _mixed(value: Any) -> Any:
    """Return 64-bit numbers well mixed (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
