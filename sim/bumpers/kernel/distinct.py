"""Counting distinct positions, breadth first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

_MOST_POSITIONS = 1 << 13
_MOST_WITH_MATS = 1 << 8  # each has hundreds of mat moves


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
    share = _MOST_WITH_MATS if mats_move else _MOST_POSITIONS
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
    changes = {number: _key_changes(graph, number, known=keep) for number in set(numbers)}
    links = [links_of(graph, number) for number in numbers] if keep else []
    return Ahead(
        first=np.cumsum([0, *(len(changes[number]) for number in numbers)]),
        keys=np.concatenate([changes[number] for number in numbers]),
        after=np.concatenate([layouts.after[:0], *(layouts.after[each] for each in links)]),
    )


def _key_changes(graph: Graph, number: int, *, known: bool) -> NDArray[np.uint64]:
    """Return what each mat move of an arrangement changes in a key."""
    if known:
        after = graph.layouts.keys[graph.layouts.after[links_of(graph, number)]]
    else:
        moves = all_mat_moves(graph.places[number], graph.allowed)
        before = np.repeat(graph.places[number][None], len(moves), axis=0)
        after = layout_keys(make_mat_moves(before, moves))
    changes: NDArray[np.uint64] = after ^ graph.layouts.keys[number]
    return changes
