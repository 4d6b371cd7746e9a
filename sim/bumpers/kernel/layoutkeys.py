"""Keys of layouts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def layout_keys(places: NDArray[np.int16]) -> NDArray[np.uint64]:
    """Return the 128-bit key of each layout, from ``places[layout, mat]``."""
    packed = np.arange(places.shape[1], dtype=np.uint64)
    for part in np.moveaxis(places, 2, 0):
        packed = packed << np.uint64(16) | part.astype(np.uint64)
    low = _mixed(packed + np.uint64(0x9E3779B97F4A7C15))
    high = _mixed(packed ^ np.uint64(0xD1B54A32D192ED03))
    keys: NDArray[np.uint64] = np.bitwise_xor.reduce(np.stack([low, high], axis=2), axis=1)
    return keys


def _mixed(value: Any) -> Any:
    """Return 64-bit numbers well mixed (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
