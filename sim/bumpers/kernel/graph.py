"""The graph of arrangements: each layout met, with its neighbours and where its mat moves lead.

A space's number goes with its mat, so that a mat move changes no piece, only the arrangement. The
graph grows by whole batches, outside compiled functions; these read its arrays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.layoutkeys import layout_keys
from sim.bumpers.kernel.matmoves import (
    MatMoves,
    all_mat_moves,
    count_mat_moves,
    make_mat_moves,
)
from sim.bumpers.kernel.neighbours import Mats, mats_of, neighbours_of
from sim.bumpers.layout import Layout

UNKNOWN = -1
"""Of what was not asked yet."""

_FIRST_CAPACITY = 64
_SHARE = 1 << 9  # layouts at a time, of a few kB each
_Number = TypeVar("_Number", bound=np.generic)


@dataclass(slots=True, kw_only=True)
class Graph:
    """The arrangements met so far, by number; 0 is the first. It grows.

    Attributes:
        mats: What is printed on the mats.
        allowed: Which mat moves there are.
        numbers: The number of each arrangement, by its places.
        places: ``places[a, mat]``: row, column and quarter turns.
        neighbours: ``neighbours[a, direction, space]``: the next space, or the wall.
        keys: 128-bit keys.
        total: How many mat moves are legal, or `UNKNOWN`.
        first: The first of its links, or `UNKNOWN`.
        moves: The mat move of each link.
        after: The arrangement it leads to.
        links: How many links there are.
    """

    mats: Mats
    allowed: MatMoves
    numbers: dict[bytes, int]
    places: NDArray[np.int16]
    neighbours: NDArray[np.uint16]
    keys: NDArray[np.uint64]
    total: NDArray[np.int64]
    first: NDArray[np.int64]
    moves: NDArray[np.int32]
    after: NDArray[np.int64]
    links: int


def new_graph(layout: Layout, allowed: MatMoves) -> Graph:
    """Return the graph that holds a layout alone.

    Args:
        layout: The layout.
        allowed: Which mat moves there are.
    """
    mats, spaces = len(layout.faces), layout.spaces_per_mat * len(layout.faces)
    graph = Graph(
        mats=mats_of(layout),
        allowed=allowed,
        numbers={},
        places=np.zeros((_FIRST_CAPACITY, mats, 3), np.int16),
        neighbours=np.zeros((_FIRST_CAPACITY, 4, spaces + 2), np.uint16),
        keys=np.zeros((_FIRST_CAPACITY, 2), np.uint64),
        total=np.full(_FIRST_CAPACITY, UNKNOWN, np.int64),
        first=np.full(_FIRST_CAPACITY, UNKNOWN, np.int64),
        moves=np.zeros(_FIRST_CAPACITY, np.int32),
        after=np.zeros(_FIRST_CAPACITY, np.int64),
        links=0,
    )
    _numbers_of(graph, np.array([[[*place.slot, place.turn] for place in layout.places]], np.int16))
    return graph


def count_moves(graph: Graph, numbers: Sequence[int]) -> None:
    """Write how many mat moves are legal in some arrangements."""
    for number in numbers:
        if graph.total[number] == UNKNOWN:
            graph.total[number] = count_mat_moves(graph.places[number], graph.allowed)


def follow(graph: Graph, numbers: Sequence[int]) -> None:
    """List the mat moves of some arrangements, and add the arrangements that they lead to."""
    new = [number for number in dict.fromkeys(numbers) if graph.first[number] == UNKNOWN]
    if not new:
        return
    listed = [all_mat_moves(graph.places[number], graph.allowed) for number in new]
    counts = [len(moves) for moves in listed]
    moves = np.concatenate(listed)
    places = np.repeat(graph.places[new], counts, axis=0)
    end = graph.links + len(moves)
    graph.moves = _with_room(graph.moves, end, 0)
    graph.after = _with_room(graph.after, end, 0)
    graph.moves[graph.links : end] = moves
    graph.after[graph.links : end] = _numbers_of(graph, _made(places, moves))
    graph.total[new] = counts
    graph.first[new] = graph.links + np.cumsum(counts) - counts
    graph.links = end


def links_of(graph: Graph, number: int) -> slice:
    """Return where the links of an arrangement are that was followed."""
    first = int(graph.first[number])
    return slice(first, first + int(graph.total[number]))


def size_bytes(graph: Graph) -> int:
    """Return how much memory the arrays use."""
    arrays = (graph.places, graph.neighbours, graph.keys, graph.total, graph.first)
    return sum(array.nbytes for array in (*arrays, graph.moves, graph.after))


def _made(places: NDArray[np.int16], moves: NDArray[np.int32]) -> NDArray[np.int16]:
    """Return the places after each of some mat moves."""
    after = np.empty_like(places)
    if len(moves) > 0:  # without any there is nothing to compile
        make_mat_moves(places, moves, after)
    return after


def _numbers_of(graph: Graph, places: NDArray[np.int16]) -> list[int]:
    """Return the numbers of layouts; those not met before are added."""
    before = len(graph.numbers)
    new: list[int] = []
    found: list[int] = []
    for index, layout in enumerate(places):
        number = graph.numbers.setdefault(layout.tobytes(), len(graph.numbers))
        found.append(number)
        if number == before + len(new):
            new.append(index)
    if new:
        _add(graph, before, places[new])
    return found


def _add(graph: Graph, begin: int, places: NDArray[np.int16]) -> None:
    """Add layouts that were not met before, from number ``begin`` on."""
    end = begin + len(places)
    graph.places = _with_room(graph.places, end, 0)
    graph.neighbours = _with_room(graph.neighbours, end, 0)
    graph.keys = _with_room(graph.keys, end, 0)
    graph.total = _with_room(graph.total, end, UNKNOWN)
    graph.first = _with_room(graph.first, end, UNKNOWN)
    graph.places[begin:end] = places
    graph.keys[begin:end] = layout_keys(places)
    for share in range(0, len(places), _SHARE):
        some = places[share : share + _SHARE]
        first = begin + share
        graph.neighbours[first : first + len(some)] = neighbours_of(graph.mats, some)


def _with_room(array: NDArray[_Number], end: int, value: int) -> NDArray[_Number]:
    """Return the array, or a longer one with the same rows, so that row ``end - 1`` exists."""
    if end <= len(array):
        return array
    longer = np.full((max(end, 2 * len(array)), *array.shape[1:]), value, array.dtype)
    longer[: len(array)] = array
    return longer
