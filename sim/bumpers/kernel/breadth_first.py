"""Counting distinct positions, breadth first.

The state of a breadth-first search: frontiers, and the keys of all positions met.

Making every move of many positions, for a breadth-first search.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part, share_of
from sim.bumpers.kernel.layouts import (
    Graph,
    all_mat_moves,
    follow,
    layout_keys,
    links_of,
    make_mat_moves,
    size_bytes,
)
from sim.bumpers.kernel.move_generation import key_change, move_piece
from sim.bumpers.kernel.position import FIRST, Encoded, Game, key_of

_FIRST_FRONTIER = 1 << 12
_FIRST_SEEN = 1 << 16


class Frontier(NamedTuple):
    """Positions that are one number of moves away.

    Attributes:
        where: The space of each piece, a row for each position.
        arrangement: The arrangement of each.
        keys: The 128-bit key of each.
        used: How many there are, in one cell.
    """

    where: NDArray[np.uint16]
    arrangement: NDArray[np.int64]
    keys: NDArray[np.uint64]
    used: NDArray[np.int64]


class Seen(NamedTuple):
    """The keys of all positions met: an open hash table, at most half full.

    Attributes:
        keys: The keys; 0 where there is none.
        used: How many there are, in one cell.
    """

    keys: NDArray[np.uint64]
    used: NDArray[np.int64]


def empty_frontier(capacity: int, pieces: int) -> Frontier:
    """Return a frontier with room for some positions."""
    capacity = max(capacity, _FIRST_FRONTIER)
    return Frontier(
        where=np.zeros((capacity, pieces), np.uint16),
        arrangement=np.zeros(capacity, np.int64),
        keys=np.zeros((capacity, 2), np.uint64),
        used=np.zeros(1, np.int64),
    )


def first_seen(key: NDArray[np.uint64]) -> Seen:
    """Return a table that holds one key."""
    seen = Seen(keys=np.zeros((_FIRST_SEEN, 2), np.uint64), used=np.ones(1, np.int64))
    seen.keys[int(key[0]) % _FIRST_SEEN] = key
    return seen


def frontier_with_room(frontier: Frontier, more: int) -> Frontier:
    """Return the frontier with room for some more positions, or itself."""
    used, capacity = int(frontier.used[0]), len(frontier.keys)
    if used + more <= capacity:
        return frontier
    larger = empty_frontier(max(2 * capacity, used + more), frontier.where.shape[1])
    larger.where[:used] = frontier.where[:used]
    larger.arrangement[:used] = frontier.arrangement[:used]
    larger.keys[:used] = frontier.keys[:used]
    larger.used[0] = used
    return larger


def seen_with_room(seen: Seen, more: int) -> Seen:
    """Return the keys with room for some more, or themselves."""
    slots = len(seen.keys)
    while 2 * (seen.used[0] + more) > slots:
        slots *= 2
    if slots == len(seen.keys):
        return seen
    wider = Seen(keys=np.zeros((slots, 2), np.uint64), used=np.zeros(1, np.int64))
    _add_all(seen.keys, wider)
    return wider


@jitted_part
def add_key(seen: Seen, low: np.uint64, high: np.uint64) -> bool:
    """Add a key; return whether it is new."""
    mask = np.uint64(len(seen.keys) - 1)
    slot = low & mask
    while seen.keys[slot, 0] != 0 or seen.keys[slot, 1] != 0:
        if seen.keys[slot, 0] == low and seen.keys[slot, 1] == high:
            return False
        slot = (slot + np.uint64(1)) & mask
    seen.keys[slot, 0] = low
    seen.keys[slot, 1] = high
    seen.used[0] += 1
    return True


@jitted
def _add_all(keys: NDArray[np.uint64], seen: Seen) -> None:
    for index in range(len(keys)):
        if keys[index, 0] != 0 or keys[index, 1] != 0:
            add_key(seen, keys[index, 0], keys[index, 1])


class Work(NamedTuple):
    """Space for the work on one position.

    Attributes:
        occupied: What is on each space; as without pieces between positions.
        vacated: What is on each space when no piece is.
        who: The pieces that a move moves.
        to: The spaces they come to.
    """

    occupied: NDArray[np.uint8]
    vacated: NDArray[np.uint8]
    who: NDArray[np.uint8]
    to: NDArray[np.uint16]


class Ahead(NamedTuple):
    """The mat moves of some positions.

    Attributes:
        first: The first move of each position; one more tells where the last one's end.
        keys: What each changes in a position's 128-bit key.
        after: The arrangement that each leads to; empty if that is not wanted.
    """

    first: NDArray[np.int64]
    keys: NDArray[np.uint64]
    after: NDArray[np.int32]


@jitted
def expand_pieces(
    game: Game,
    neighbours: NDArray[np.uint16],
    zobrist: NDArray[np.uint64],
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    work: Work,
    begin: int,
    end: int,
    keep: bool,
) -> None:
    """Add the positions after each piece move of the positions from ``begin`` to ``end``.

    Args:
        game: What no move changes.
        neighbours: ``neighbours[arrangement, direction, space]``.
        zobrist: Numbers for keys, by piece and space.
        frontier: The positions.
        following: Positions not met before are added; there is room for all.
        seen: Their keys are added; there is room for all.
        work: Space for the work.
        begin: The first position.
        end: The one after the last.
        keep: The positions found are kept, to go on from them; if not, they are only counted.
    """
    beyond = len(work.occupied) - 1
    for index in range(begin, end):
        where = frontier.where[index]
        for piece in range(len(where)):
            if where[piece] < beyond:
                work.occupied[where[piece]] = piece + FIRST
        for move in range(4 * len(game.movable)):
            piece = game.movable[move >> 2]
            ahead = neighbours[frontier.arrangement[index], move & 3]
            changes = move_piece(ahead, work.occupied, game, piece, where[piece], work.who, work.to)
            if changes == 0:
                continue
            low, high = key_change(zobrist, where, work.who, work.to, changes)
            low ^= frontier.keys[index, 0]
            high ^= frontier.keys[index, 1]
            if add_key(seen, low, high):
                new = _add_position(frontier, following, index, low, high, keep)
                for change in range(changes if keep else 0):
                    following.where[new, work.who[change]] = work.to[change]
        for piece in range(len(where)):
            work.occupied[where[piece]] = work.vacated[where[piece]]


@jitted
def expand_mats(
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    ahead: Ahead,
    begin: int,
    end: int,
    keep: bool,
) -> None:
    """Add the positions after each mat move of the positions from ``begin`` to ``end``.

    Args:
        frontier: The positions.
        following: As of `expand_pieces`.
        seen: As of `expand_pieces`.
        ahead: Their mat moves.
        begin: The first position.
        end: The one after the last.
        keep: As of `expand_pieces`.
    """
    for index in range(begin, end):
        for link in range(ahead.first[index - begin], ahead.first[index - begin + 1]):
            low = frontier.keys[index, 0] ^ ahead.keys[link, 0]
            high = frontier.keys[index, 1] ^ ahead.keys[link, 1]
            if add_key(seen, low, high):
                new = _add_position(frontier, following, index, low, high, keep)
                if keep:
                    following.arrangement[new] = ahead.after[link]


@jitted_part
def _add_position(
    frontier: Frontier,
    following: Frontier,
    index: int,
    low: np.uint64,
    high: np.uint64,
    keep: bool,
) -> int:
    """Count a position; if it is kept, as a copy of one with another key. Return its number."""
    new = following.used[0]
    following.used[0] = new + 1
    if keep:
        for piece in range(frontier.where.shape[1]):
            following.where[new, piece] = frontier.where[index, piece]
        following.arrangement[new] = frontier.arrangement[index]
        following.keys[new, 0] = low
        following.keys[new, 1] = high
    return int(new)


_FEW, _MOST = 1 << 5, 1 << 13
"""Positions at a time."""

_FEW_WITH_MATS, _MOST_WITH_MATS = 1 << 2, 1 << 8  # each has hundreds of mat moves
_LAYOUTS = 64  # at a time, of which the mat moves are made


@dataclass(slots=True, kw_only=True)
class Search:
    """A breadth-first search on its way.

    Attributes:
        encoded: The position it began at.
        graph: The arrangements met so far.
        frontier: The positions of the last depth.
        reached: How many of them have all their moves made.
        following: The positions of the next depth, so far.
        seen: The keys of all positions met.
        work: Space for the work.
    """

    encoded: Encoded
    graph: Graph
    frontier: Frontier
    reached: int
    following: Frontier
    seen: Seen
    work: Work


def new_search(encoded: Encoded, graph: Graph) -> Search:
    """Return the search that has met the position alone.

    Args:
        encoded: The position's numbers.
        graph: The graph that holds its layout alone.
    """
    pieces = len(encoded.pieces.where)
    frontier = empty_frontier(1, pieces)
    frontier.where[0] = encoded.pieces.where
    frontier.keys[0] = key_of(encoded) ^ graph.layouts.keys[0]
    frontier.used[0] = 1
    return Search(
        encoded=encoded,
        graph=graph,
        frontier=frontier,
        reached=0,
        following=empty_frontier(1, pieces),
        seen=first_seen(frontier.keys[0]),
        work=Work(
            occupied=encoded.pieces.vacated.copy(),
            vacated=encoded.pieces.vacated,
            who=np.zeros(pieces + 1, np.uint8),
            to=np.zeros(pieces + 1, np.uint16),
        ),
    )


def expand(search: Search, *, keep: bool) -> None:
    """Make every move of the next share of the frontier.

    Args:
        search: The search.
        keep: The positions found are kept, to go on from them; if not, they are only counted.
    """
    mats_move = search.graph.allowed.any
    share = share_of(_FEW_WITH_MATS, _MOST_WITH_MATS) if mats_move else share_of(_FEW, _MOST)
    begin = search.reached
    end = min(int(search.frontier.used[0]), begin + share)
    game = search.encoded.game
    _make_room(search, 4 * len(game.movable) * (end - begin), keep=keep)
    expand_pieces(
        game,
        search.graph.layouts.neighbours,
        search.encoded.zobrist,
        search.frontier,
        search.following,
        search.seen,
        search.work,
        begin,
        end,
        keep,
    )
    if mats_move:
        ahead = _ahead(search, begin, end, keep=keep)
        _make_room(search, int(ahead.first[-1]), keep=keep)
        expand_mats(search.frontier, search.following, search.seen, ahead, begin, end, keep)
    search.reached = end


def next_depth(search: Search) -> None:
    """Take the positions that were found as the frontier."""
    search.frontier = search.following
    search.following = empty_frontier(1, search.frontier.where.shape[1])
    search.reached = 0


def memory_bytes(search: Search) -> int:
    """Return how much memory a search uses."""
    arrays = (*search.frontier, *search.following, *search.seen)
    return sum(array.nbytes for array in arrays) + size_bytes(search.graph)


def _make_room(search: Search, more: int, *, keep: bool) -> None:
    search.seen = seen_with_room(search.seen, more)
    if keep:
        search.following = frontier_with_room(search.following, more)


def _ahead(search: Search, begin: int, end: int, *, keep: bool) -> Ahead:
    """Return the mat moves of a share; arrangements that they lead to are added if kept."""
    graph, numbers = search.graph, search.frontier.arrangement[begin:end].tolist()
    if keep:
        follow(graph, numbers)
    layouts = graph.layouts
    links = [links_of(graph, number) for number in numbers] if keep else []
    after = np.concatenate([layouts.after[:0], *(layouts.after[each] for each in links)])
    if keep:
        first = np.cumsum([0, *(each.stop - each.start for each in links)])
        keys = layouts.keys[after]
    else:
        ahead = _keys_ahead(graph, list(dict.fromkeys(numbers)))
        first = np.cumsum([0, *(len(ahead[number]) for number in numbers)])
        keys = np.concatenate([ahead[number] for number in numbers])
    keys ^= np.repeat(layouts.keys[numbers], np.diff(first), axis=0)
    return Ahead(first=first, keys=keys, after=after)


def _keys_ahead(graph: Graph, numbers: Sequence[int]) -> dict[int, NDArray[np.uint64]]:
    """Return the keys of the layouts that the mat moves of some arrangements lead to."""
    ahead: dict[int, NDArray[np.uint64]] = {}
    for begin in range(0, len(numbers), _LAYOUTS):
        some = numbers[begin : begin + _LAYOUTS]
        moves = all_mat_moves(graph.places[some], graph.allowed)
        counts = [len(each) for each in moves]
        before = np.repeat(graph.places[some], counts, axis=0)
        keys = layout_keys(make_mat_moves(before, np.concatenate(moves)))
        ahead |= zip(some, np.split(keys, np.cumsum(counts)[:-1]), strict=True)
    return ahead
