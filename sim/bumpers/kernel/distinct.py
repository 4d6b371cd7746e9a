"""Counting distinct positions, breadth first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import share_of
from sim.bumpers.kernel.encoding import Encoded, key_of
from sim.bumpers.kernel.expanding import Ahead, Work, expand_mats, expand_pieces
from sim.bumpers.kernel.frontier import (
    Frontier,
    Seen,
    empty_frontier,
    first_seen,
    frontier_with_room,
    seen_with_room,
)
from sim.bumpers.kernel.graph import Graph, follow, links_of, size_bytes
from sim.bumpers.kernel.layoutkeys import layout_keys
from sim.bumpers.kernel.matmoves import all_mat_moves, make_mat_moves

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
