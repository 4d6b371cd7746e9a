"""Keys of layouts, in compiled functions and by arrays."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted_part


def layout_keys(places: NDArray[np.int16]) -> NDArray[np.uint64]:
    """Return the 128-bit key of each layout, from ``places[layout, mat]``."""
    low, high = layout_key(places.transpose(1, 2, 0))
    return np.stack([low, high], axis=-1)


@jitted_part
def layout_key(places: NDArray[np.int16]) -> tuple[np.uint64, np.uint64]:
    """Return the 128-bit key of a layout, from the row, column and turn of each mat."""
    low, high = np.uint64(0), np.uint64(0)
    for mat in range(len(places)):
        packed = np.uint64(mat)
        for part in range(3):
            packed = (packed << np.uint64(16)) | np.uint64(places[mat, part])
        low ^= _mixed(packed + np.uint64(0x9E3779B97F4A7C15))
        high ^= _mixed(packed ^ np.uint64(0xD1B54A32D192ED03))
    return low, high


@jitted_part
def _mixed(value: np.uint64) -> np.uint64:
    """Return a 64-bit number well mixed (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
