"""Keys of layouts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def layout_keys(places: NDArray[np.int16]) -> NDArray[np.uint64]:
    """Return the 128-bit key of each layout, from ``places[layout, mat]``."""
    mats = np.arange(places.shape[1], dtype=np.uint64)[:, None]
    packed = np.broadcast_to(mats, places.shape[1::-1])  # mats first: numpy folds that axis fast
    for part in places.transpose(2, 1, 0):
        packed = packed << np.uint64(16) | part.astype(np.uint64)
    halves = (packed + np.uint64(0x9E3779B97F4A7C15), packed ^ np.uint64(0xD1B54A32D192ED03))
    return np.stack([np.bitwise_xor.reduce(_mixed(half), axis=0) for half in halves], axis=1)


def _mixed(value: Any) -> Any:
    """Return 64-bit numbers well mixed (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
