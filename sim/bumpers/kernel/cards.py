"""Mat moves as cards: which of them lead where, listed once for each arrangement."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.aims import Aim, measure
from sim.bumpers.kernel.arrangements import Arrangements, find_or_add, grown
from sim.bumpers.kernel.compiling import jitted_part
from sim.bumpers.kernel.encoding import Encoded
from sim.bumpers.kernel.matmoves import (
    MOST_MAT_MOVES,
    Lattice,
    list_mat_moves,
    move_mats,
    new_lattice,
)

MOST_OF_A_KIND = 3
"""A hand is one number: turns + 4 * swaps + 16 * shifts."""

HANDS = 64
NO_ROOM = -1

_KEY_SEED = 6
_FIRST_LINKS = 1 << 13


class Cards(NamedTuple):
    """What a search with cards in hand needs besides.

    Attributes:
        one_piece: 1 if mat moves must leave the board one piece.
        keys: 128-bit keys of hands.
        kinds: 1 for each kind of mat move that was ever in hand.
        first: The first link of each arrangement; -1 where they are not listed.
        total: How many links each has.
        moves: The mat move of each link.
        after: The arrangement that each leads to; -1 where that is not known.
        used: How many links there are, in one cell.
        listed: The mat moves of a layout.
        lattice: Space for layouts.
    """

    one_piece: int
    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    first: NDArray[np.int64]
    total: NDArray[np.int64]
    moves: NDArray[np.int32]
    after: NDArray[np.int32]
    used: NDArray[np.int64]
    listed: NDArray[np.int32]
    lattice: Lattice


def new_cards(encoded: Encoded, turns: int, swaps: int, shifts: int) -> Cards:
    """Return what is known of mat moves before a search, for a hand of up to 3 of each kind."""
    capacity, mats = encoded.arrangements.places.shape[:2]
    side = int(encoded.arrangements.places[0, :, :2].max()) + 1
    keys = np.random.default_rng(_KEY_SEED).integers(0, 2**64, (HANDS, 2), dtype=np.uint64)
    return Cards(
        one_piece=encoded.game.one_piece,
        keys=keys,
        kinds=np.array([turns > 0, swaps > 0, shifts > 0], np.uint8),
        first=np.full(capacity, -1, np.int64),
        total=np.zeros(capacity, np.int64),
        moves=np.zeros(_FIRST_LINKS, np.int32),
        after=np.full(_FIRST_LINKS, -1, np.int32),
        used=np.zeros(1, np.int64),
        listed=np.zeros(MOST_MAT_MOVES, np.int32),
        lattice=new_lattice(mats, side + shifts),
    )


def is_full(encoded: Encoded, cards: Cards) -> bool:
    """Return whether arrangements or links need room."""
    is_crowded = bool(encoded.arrangements.used[0] == len(cards.first))
    return is_crowded or bool(cards.used[0] + MOST_MAT_MOVES > len(cards.moves))


def with_more_room(encoded: Encoded, aim: Aim, cards: Cards) -> tuple[Encoded, Aim, Cards]:
    """Return the same with room for more arrangements and links; at most twice the memory."""
    capacity = len(cards.first)
    if encoded.arrangements.used[0] == capacity:
        encoded = encoded._replace(arrangements=grown(encoded.arrangements))
        unlisted = np.full(capacity, -1, np.int64)
        cards = cards._replace(
            first=np.concatenate([cards.first, unlisted]),
            total=np.concatenate([cards.total, np.zeros(capacity, np.int64)]),
        )
        aim = aim._replace(distances=np.concatenate([aim.distances, np.zeros_like(aim.distances)]))
    if cards.used[0] + MOST_MAT_MOVES > len(cards.moves):
        unknown = np.full(len(cards.after), -1, np.int32)
        cards = cards._replace(
            moves=np.concatenate([cards.moves, np.zeros_like(cards.moves)]),
            after=np.concatenate([cards.after, unknown]),
        )
    return encoded, aim, cards


def size_mb(encoded: Encoded, aim: Aim, cards: Cards) -> float:
    """Return the memory of arrangements and links."""
    arrays = (*encoded.arrangements, aim.distances, cards.first, cards.total)
    return sum(array.nbytes for array in (*arrays, cards.moves, cards.after)) / 1e6


@jitted_part
def list_links(arrangements: Arrangements, cards: Cards, number: int) -> bool:
    """List the mat moves of an arrangement, once; return False if there is no room for them."""
    if cards.first[number] >= 0:
        return True
    if cards.used[0] + MOST_MAT_MOVES > len(cards.moves):
        return False
    places = arrangements.places[number]
    listed = list_mat_moves(places, cards.one_piece, cards.lattice, cards.listed)
    first = cards.used[0]
    end = first
    for index in range(listed):
        if cards.kinds[cards.listed[index] >> 25]:
            cards.moves[end] = cards.listed[index]
            end += 1
    cards.first[number] = first
    cards.total[number] = end - first
    cards.used[0] = end
    return True


@jitted_part
def follow_link(encoded: Encoded, aim: Aim, cards: Cards, number: int, link: int) -> np.int64:
    """Return the arrangement that a link of another leads to; `NO_ROOM` if there is none for it."""
    arrangements = encoded.arrangements
    if cards.after[link] < 0:
        before = arrangements.used[0]
        move_mats(arrangements.places[number], cards.moves[link], cards.lattice.places)
        found = find_or_add(encoded.mats, arrangements, cards.lattice.places)
        if found < 0:
            return np.int64(NO_ROOM)
        if found == before:
            measure(aim, arrangements, encoded.pieces.vacated, int(found))
        cards.after[link] = found
    return np.int64(cards.after[link])
