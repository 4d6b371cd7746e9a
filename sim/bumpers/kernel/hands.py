"""Hands of cards that move mats: each is one number, with two bits for each kind of mat move."""

import numpy as np

from sim.bumpers.kernel.matmoves import KINDS

HAND_KEYS = np.random.default_rng(6).integers(0, 2**64, (1 << 2 * len(KINDS), 2), dtype=np.uint64)
"""128-bit keys of hands."""


def hand_of(turns: int, swaps: int, shifts: int) -> int:
    """Return the hand with up to 3 cards of each kind."""
    return turns | swaps << 2 | shifts << 4


def kinds_of(hand: int) -> list[int]:
    """Return the kinds of mat moves that a hand can make."""
    return [kind for kind in KINDS if hand >> 2 * kind & 3]
