"""Breadth-first search over distinct positions, for counts of positions by depth.

`new_search` starts it, `expand` makes every move of a batch of the frontier, `next_depth` turns the
positions found into the next frontier. A position is new if its 128-bit key is not in the table of
visited keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.compiling import batch_size, inlined, jitted
from sim.bumpers.kernel.layouts import (
    LayoutGraph,
    all_mat_moves,
    edges_of,
    expand_layouts,
    layout_keys,
    make_mat_moves,
    size_bytes,
)
from sim.bumpers.kernel.move_generation import key_change, move_piece
from sim.bumpers.kernel.position import FIRST, Encoded, Game, key_of

_FIRST_FRONTIER = 1 << 12
_FIRST_VISITED = 1 << 16

_FEW, _MOST = 1 << 5, 1 << 13
"""Positions expanded at a time: interpreted, compiled."""

_FEW_WITH_MATS, _MOST_WITH_MATS = 1 << 2, 1 << 8  # each has hundreds of mat moves
_LAYOUTS = 64  # layouts whose mat moves are made at a time


class Frontier(NamedTuple):
    """The positions of one depth.

    Attributes:
        where: ``where[i, piece]``: the space of each piece.
        layout: ``layout[i]``: the number of the layout.
        keys: ``keys[i]``: the 128-bit keys.
        used: The number of positions, in an array of one.
    """

    where: NDArray[np.uint16]
    layout: NDArray[np.int64]
    keys: NDArray[np.uint64]
    used: NDArray[np.int64]


class Visited(NamedTuple):
    """The keys of all positions met: a hash table with open addressing, at most half full.

    Attributes:
        keys: The keys; 0 in empty slots.
        used: The number of keys, in an array of one.
    """

    keys: NDArray[np.uint64]
    used: NDArray[np.int64]


class Scratch(NamedTuple):
    """Space for the scratch on one position.

    Attributes:
        occupied: The code of each space; equal to ``vacated`` between positions.
        vacated: The code of each space without pieces.
        who: The pieces that a move moves.
        to: The spaces they move to.
    """

    occupied: NDArray[np.uint8]
    vacated: NDArray[np.uint8]
    who: NDArray[np.uint8]
    to: NDArray[np.uint16]


class MatSuccessors(NamedTuple):
    """The mat moves of a batch of positions.

    Attributes:
        first: The index of the first move of each position, and the total number at the end.
        keys: The XOR change of the 128-bit key by each move.
        after: The layout that each leads to; empty if positions are not kept.
    """

    first: NDArray[np.int64]
    keys: NDArray[np.uint64]
    after: NDArray[np.int32]


@dataclass(slots=True, kw_only=True)
class Search:
    """The state of a breadth-first search.

    Attributes:
        encoded: The first position.
        graph: The layouts met so far.
        frontier: The positions of the last depth.
        reached: How many of them are expanded.
        following: The positions of the next depth found so far.
        visited: The keys of all positions met.
        scratch: Scratch arrays.
    """

    encoded: Encoded
    graph: LayoutGraph
    frontier: Frontier
    reached: int
    following: Frontier
    visited: Visited
    scratch: Scratch


def new_search(encoded: Encoded, graph: LayoutGraph) -> Search:
    """Return a search that has met one position.

    Args:
        encoded: The position.
        graph: A graph with its layout alone.
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
        visited=new_visited(frontier.keys[0]),
        scratch=Scratch(
            occupied=encoded.pieces.vacated.copy(),
            vacated=encoded.pieces.vacated,
            who=np.zeros(pieces + 1, np.uint8),
            to=np.zeros(pieces + 1, np.uint16),
        ),
    )


def expand(search: Search, *, keep: bool) -> None:
    """Make every move of the next batch of the frontier.

    Args:
        search: The search.
        keep: If False, the positions found are only counted.
    """
    mats_move = search.graph.allowed.any
    share = batch_size(_FEW_WITH_MATS, _MOST_WITH_MATS) if mats_move else batch_size(_FEW, _MOST)
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
        search.visited,
        search.scratch,
        begin,
        end,
        keep,
    )
    if mats_move:
        successors = _mat_successors(search, begin, end, keep=keep)
        _make_room(search, int(successors.first[-1]), keep=keep)
        expand_mats(search.frontier, search.following, search.visited, successors, begin, end, keep)
    search.reached = end


def next_depth(search: Search) -> None:
    """Make the positions found the new frontier."""
    search.frontier = search.following
    search.following = empty_frontier(1, search.frontier.where.shape[1])
    search.reached = 0


def memory_bytes(search: Search) -> int:
    """Return the memory that a search uses."""
    arrays = (*search.frontier, *search.following, *search.visited)
    return sum(array.nbytes for array in arrays) + size_bytes(search.graph)


def _make_room(search: Search, more: int, *, keep: bool) -> None:
    search.visited = visited_with_room(search.visited, more)
    if keep:
        search.following = frontier_with_room(search.following, more)


def _mat_successors(search: Search, begin: int, end: int, *, keep: bool) -> MatSuccessors:
    """Return the mat moves of a batch; if kept, the layouts they lead to are added."""
    graph, numbers = search.graph, search.frontier.layout[begin:end].tolist()
    if keep:
        expand_layouts(graph, numbers)
    layouts = graph.layouts
    links = [edges_of(graph, number) for number in numbers] if keep else []
    after = np.concatenate([layouts.after[:0], *(layouts.after[each] for each in links)])
    if keep:
        first = np.cumsum([0, *(each.stop - each.start for each in links)])
        keys = layouts.keys[after]
    else:
        ahead = _keys_ahead(graph, list(dict.fromkeys(numbers)))
        first = np.cumsum([0, *(len(ahead[number]) for number in numbers)])
        keys = np.concatenate([ahead[number] for number in numbers])
    keys ^= np.repeat(layouts.keys[numbers], np.diff(first), axis=0)
    return MatSuccessors(first=first, keys=keys, after=after)


def _keys_ahead(graph: LayoutGraph, numbers: Sequence[int]) -> dict[int, NDArray[np.uint64]]:
    """Return, by layout, the keys of the layouts that its mat moves lead to."""
    ahead: dict[int, NDArray[np.uint64]] = {}
    for begin in range(0, len(numbers), _LAYOUTS):
        some = numbers[begin : begin + _LAYOUTS]
        moves = all_mat_moves(graph.places[some], graph.allowed)
        counts = [len(each) for each in moves]
        before = np.repeat(graph.places[some], counts, axis=0)
        keys = layout_keys(make_mat_moves(before, np.concatenate(moves)))
        ahead |= zip(some, np.split(keys, np.cumsum(counts)[:-1]), strict=True)
    return ahead


def empty_frontier(capacity: int, pieces: int) -> Frontier:
    """Return an empty frontier."""
    capacity = max(capacity, _FIRST_FRONTIER)
    return Frontier(
        where=np.zeros((capacity, pieces), np.uint16),
        layout=np.zeros(capacity, np.int64),
        keys=np.zeros((capacity, 2), np.uint64),
        used=np.zeros(1, np.int64),
    )


def new_visited(key: NDArray[np.uint64]) -> Visited:
    """Return a table with one key."""
    visited = Visited(keys=np.zeros((_FIRST_VISITED, 2), np.uint64), used=np.ones(1, np.int64))
    visited.keys[int(key[0]) % _FIRST_VISITED] = key
    return visited


def frontier_with_room(frontier: Frontier, more: int) -> Frontier:
    """Return the frontier, enlarged if necessary, with room for ``more`` positions."""
    used, capacity = int(frontier.used[0]), len(frontier.keys)
    if used + more <= capacity:
        return frontier
    larger = empty_frontier(max(2 * capacity, used + more), frontier.where.shape[1])
    larger.where[:used] = frontier.where[:used]
    larger.layout[:used] = frontier.layout[:used]
    larger.keys[:used] = frontier.keys[:used]
    larger.used[0] = used
    return larger


def visited_with_room(visited: Visited, more: int) -> Visited:
    """Return the table, enlarged if necessary, with room for ``more`` keys."""
    slots = len(visited.keys)
    while 2 * (visited.used[0] + more) > slots:
        slots *= 2
    if slots == len(visited.keys):
        return visited
    wider = Visited(keys=np.zeros((slots, 2), np.uint64), used=np.zeros(1, np.int64))
    _add_all(visited.keys, wider)
    return wider


@inlined
def add_key(visited: Visited, low: np.uint64, high: np.uint64) -> bool:
    """Add a key; return True if it is new."""
    mask = np.uint64(len(visited.keys) - 1)
    slot = low & mask
    while visited.keys[slot, 0] != 0 or visited.keys[slot, 1] != 0:
        if visited.keys[slot, 0] == low and visited.keys[slot, 1] == high:
            return False
        slot = (slot + np.uint64(1)) & mask
    visited.keys[slot, 0] = low
    visited.keys[slot, 1] = high
    visited.used[0] += 1
    return True


@jitted
def _add_all(keys: NDArray[np.uint64], visited: Visited) -> None:
    for index in range(len(keys)):
        if keys[index, 0] != 0 or keys[index, 1] != 0:
            add_key(visited, keys[index, 0], keys[index, 1])


@jitted
def expand_pieces(
    game: Game,
    neighbours: NDArray[np.uint16],
    zobrist: NDArray[np.uint64],
    frontier: Frontier,
    following: Frontier,
    visited: Visited,
    scratch: Scratch,
    begin: int,
    end: int,
    keep: bool,
) -> None:
    """Add the positions after each piece move of the positions from ``begin`` to ``end``.

    Args:
        game: The constants of the position.
        neighbours: ``neighbours[layout, direction, space]``.
        zobrist: ``zobrist[piece, space]``.
        frontier: The positions.
        following: New positions are added; there is room for all.
        visited: Their keys are added; there is room for all.
        scratch: Space for the scratch.
        begin: The first position.
        end: One after the last position.
        keep: If False, the positions found are only counted.
    """
    beyond = len(scratch.occupied) - 1
    for index in range(begin, end):
        where = frontier.where[index]
        for piece in range(len(where)):
            if where[piece] < beyond:
                scratch.occupied[where[piece]] = piece + FIRST
        for move in range(4 * len(game.movable)):
            piece = game.movable[move >> 2]
            ahead = neighbours[frontier.layout[index], move & 3]
            changes = move_piece(
                ahead, scratch.occupied, game, piece, where[piece], scratch.who, scratch.to
            )
            if changes == 0:
                continue
            low, high = key_change(zobrist, where, scratch.who, scratch.to, changes)
            low ^= frontier.keys[index, 0]
            high ^= frontier.keys[index, 1]
            if add_key(visited, low, high):
                new = _add_position(frontier, following, index, low, high, keep)
                for change in range(changes if keep else 0):
                    following.where[new, scratch.who[change]] = scratch.to[change]
        for piece in range(len(where)):
            scratch.occupied[where[piece]] = scratch.vacated[where[piece]]


@jitted
def expand_mats(
    frontier: Frontier,
    following: Frontier,
    visited: Visited,
    successors: MatSuccessors,
    begin: int,
    end: int,
    keep: bool,
) -> None:
    """Add the positions after each mat move of the positions from ``begin`` to ``end``.

    Args:
        frontier: The positions.
        following: New positions are added; there is room for all.
        visited: As of `expand_pieces`.
        successors: Their mat moves.
        begin: The first position.
        end: One after the last position.
        keep: If False, the positions found are only counted.
    """
    for index in range(begin, end):
        for edge in range(successors.first[index - begin], successors.first[index - begin + 1]):
            low = frontier.keys[index, 0] ^ successors.keys[edge, 0]
            high = frontier.keys[index, 1] ^ successors.keys[edge, 1]
            if add_key(visited, low, high):
                new = _add_position(frontier, following, index, low, high, keep)
                if keep:
                    following.layout[new] = successors.after[edge]


@inlined
def _add_position(
    frontier: Frontier,
    following: Frontier,
    index: int,
    low: np.uint64,
    high: np.uint64,
    keep: bool,
) -> int:
    """Count a new position and return its number; if kept, copy the one it comes from."""
    new = following.used[0]
    following.used[0] = new + 1
    if keep:
        for piece in range(frontier.where.shape[1]):
            following.where[new, piece] = frontier.where[index, piece]
        following.layout[new] = frontier.layout[index]
        following.keys[new, 0] = low
        following.keys[new, 1] = high
    return int(new)
