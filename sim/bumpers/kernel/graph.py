"""The graph of arrangements: each layout met, with its neighbours and where its mat moves lead.

A space's number goes with its mat, so that a mat move changes no piece, only the arrangement. The
graph grows by whole batches, outside compiled functions; these read its arrays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.layoutkeys import layout_keys
from sim.bumpers.kernel.matmoves import (
    KIND_BIT,
    KINDS,
    MatMoves,
    all_mat_moves,
    count_mat_moves,
    make_mat_moves,
    most_mat_moves,
)
from sim.bumpers.kernel.neighbours import Mats, mats_of, neighbours_of
from sim.bumpers.layout import Layout

UNKNOWN = -1
"""Of what was not asked yet."""

_FIRST_CAPACITY = 64
_SHARE = 1 << 7  # layouts at a time, of a few kB each
_NUMBER_BYTES = 150  # about what a number of an arrangement takes, besides its places
_Number = TypeVar("_Number", bound=np.generic)


class Layouts(NamedTuple):
    """The arrays of a graph, as compiled functions read them.

    Attributes:
        neighbours: ``neighbours[a, direction, space]``: the next space, or the wall.
        keys: 128-bit keys.
        total: How many mat moves are legal, or `UNKNOWN`.
        first: The first of its links, or `UNKNOWN`.
        moves: The mat move of each link.
        after: The arrangement it leads to, or `UNKNOWN`.
    """

    neighbours: NDArray[np.uint16]
    keys: NDArray[np.uint64]
    total: NDArray[np.int64]
    first: NDArray[np.int64]
    moves: NDArray[np.int32]
    after: NDArray[np.int32]


@dataclass(slots=True, kw_only=True)
class Graph:
    """The arrangements met so far, by number; 0 is the first. It grows.

    Attributes:
        mats: What is printed on the mats.
        allowed: Which mat moves there are.
        numbers: The number of each arrangement, by its places.
        places: ``places[a, mat]``: row, column and quarter turns.
        layouts: What compiled functions read.
        links: How many links there are.
    """

    mats: Mats
    allowed: MatMoves
    numbers: dict[bytes, int]
    places: NDArray[np.int16]
    layouts: Layouts
    links: int


def new_graph(layout: Layout, allowed: MatMoves) -> Graph:
    """Return the graph that holds a layout alone.

    Args:
        layout: The layout.
        allowed: Which mat moves there are.
    """
    mats, spaces = len(layout.faces), layout.spaces_per_mat * len(layout.faces)
    capacity = _FIRST_CAPACITY if allowed.any else 1
    graph = Graph(
        mats=mats_of(layout),
        allowed=allowed,
        numbers={},
        places=np.zeros((capacity, mats, 3), np.int16),
        layouts=Layouts(
            neighbours=np.zeros((capacity, 4, spaces + 2), np.uint16),
            keys=np.zeros((capacity, 2), np.uint64),
            total=np.full(capacity, UNKNOWN, np.int64),
            first=np.full(capacity, UNKNOWN, np.int64),
            moves=np.zeros(capacity, np.int32),
            after=np.full(capacity, UNKNOWN, np.int32),
        ),
        links=0,
    )
    _numbers_of(graph, np.array([[[*place.slot, place.turn] for place in layout.places]], np.int16))
    return graph


def count_moves(graph: Graph, numbers: Sequence[int]) -> None:
    """Write how many mat moves are legal in some arrangements."""
    total = graph.layouts.total
    new = [number for number in dict.fromkeys(numbers) if total[number] == UNKNOWN]
    total[new] = count_mat_moves(graph.places[new], graph.allowed)


def follow(graph: Graph, numbers: Sequence[int], kinds: Sequence[int] = KINDS) -> None:
    """List the mat moves of some arrangements, and add the arrangements that they lead to.

    Args:
        graph: The graph.
        numbers: The arrangements.
        kinds: The kinds of mat moves to follow; others are only listed.
    """
    once = list(dict.fromkeys(numbers))
    _list_links(graph, [number for number in once if graph.layouts.first[number] == UNKNOWN])
    links = [links_of(graph, number) for number in once]
    before = np.repeat(once, [each.stop - each.start for each in links])
    link = np.concatenate([np.arange(each.start, each.stop) for each in links])
    moves, after = graph.layouts.moves, graph.layouts.after
    is_asked = np.array([kind in kinds for kind in KINDS])
    is_new = (after[link] == UNKNOWN) & is_asked[moves[link] >> KIND_BIT]
    link, before = link[is_new], before[is_new]
    after[link] = _numbers_of(graph, make_mat_moves(graph.places[before], moves[link]))


def links_of(graph: Graph, number: int) -> slice:
    """Return where the links of an arrangement are that was followed."""
    first = int(graph.layouts.first[number])
    return slice(first, first + int(graph.layouts.total[number]))


def may_grow(graph: Graph) -> bool:
    """Return whether an arrangement more that is followed may need longer arrays."""
    most = most_mat_moves(graph.places.shape[1], graph.allowed)
    has_room = len(graph.numbers) + most <= len(graph.places)
    return not has_room or graph.links + most > len(graph.layouts.moves)


def size_bytes(graph: Graph) -> int:
    """Return about how much memory the graph uses."""
    arrays: tuple[NDArray[Any], ...] = (graph.places, *graph.layouts)
    each = graph.places.nbytes // len(graph.places) + _NUMBER_BYTES
    return len(graph.numbers) * each + sum(array.nbytes for array in arrays)


def _list_links(graph: Graph, numbers: Sequence[int]) -> None:
    """List the mat moves of arrangements of which they are not listed yet."""
    if not numbers:
        return
    listed = all_mat_moves(graph.places[numbers], graph.allowed)
    counts = [len(moves) for moves in listed]
    begin, end = graph.links, graph.links + sum(counts)
    moves = _with_room(graph.layouts.moves, end, 0)
    after = _with_room(graph.layouts.after, end, UNKNOWN)
    moves[begin:end] = np.concatenate(listed)
    graph.layouts.total[numbers] = counts
    graph.layouts.first[numbers] = begin + np.cumsum(counts) - counts
    graph.layouts = graph.layouts._replace(moves=moves, after=after)
    graph.links = end


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
    old = graph.layouts
    graph.places = _with_room(graph.places, end, 0)
    graph.layouts = old._replace(
        neighbours=_with_room(old.neighbours, end, 0),
        keys=_with_room(old.keys, end, 0),
        total=_with_room(old.total, end, UNKNOWN),
        first=_with_room(old.first, end, UNKNOWN),
    )
    graph.places[begin:end] = places
    graph.layouts.keys[begin:end] = layout_keys(places)
    for share in range(0, len(places), _SHARE):
        some = places[share : share + _SHARE]
        first = begin + share
        graph.layouts.neighbours[first : first + len(some)] = neighbours_of(graph.mats, some)


def _with_room(array: NDArray[_Number], end: int, value: int) -> NDArray[_Number]:
    """Return the array, or a longer one with the same rows, so that row ``end - 1`` exists."""
    if end <= len(array):
        return array
    longer = np.full((max(end, 2 * len(array)), *array.shape[1:]), value, array.dtype)
    longer[: len(array)] = array
    return longer
