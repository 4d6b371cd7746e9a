"""The graph of arrangements: each layout met, with its neighbours and where its mat moves lead.

A space's number goes with its mat, so that a mat move changes no piece, only the arrangement. The
graph grows by whole batches, outside compiled functions; these read its arrays.

Mat moves in the kernel: each is one number, made and read here.

Which mats may be moved, and where to, by the slots in use.

That depends on which slots are in use, not on which mats lie there, so that it is worked out once
for each such shape. Inside, a set of slots is an integer with a bit for each, row after row of a
board with a margin of one slot.

Which space lies ahead of each, for many layouts at a time.

Inside a mat that depends on its turn alone; across an edge, on the mat that lies beside it. Arrays
do it as fast as a compiled function, which would take a second to compile.

Keys of layouts.

Hands of cards that move mats: each is one number, with two bits for each kind of mat move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.mats import Layout
from sim.bumpers.moves import MatMove, MatShift, MatSwap, MatTurn

_KEPT_SHAPES = 1 << 13  # shapes of 1 or 2 kB each


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What can be done on some slots. They are numbered by row and column.

    Attributes:
        open: The slots with a free side.
        lifted: Of each shift, the slot that a mat leaves.
        laid: The rows, and the columns, of the slots that they come to; they may be -1.
    """

    open: NDArray[np.int64]
    lifted: NDArray[np.int64]
    laid: NDArray[np.int64]


@lru_cache(maxsize=_KEPT_SHAPES)
def shape_of(slots: bytes, *, one_piece: bool) -> Shape:
    """Return what can be done on the slots in use.

    Args:
        slots: Row and column of each as 16-bit numbers, by row and column; the least are 0.
        one_piece: Mats must leave the board one piece.
    """
    used = np.frombuffer(slots, np.int16).reshape(-1, 2).tolist()
    width = 3 + max(column for _, column in used)
    bits = [1 << ((row + 1) * width + column + 1) for row, column in used]
    whole = sum(bits)
    is_open = [i for i, bit in enumerate(bits) if _around(bit, width) & ~whole]
    targets = [_targets(whole & ~bits[i], bits[i], width, one_piece=one_piece) for i in is_open]
    found = [_numbers(each) for each in targets]
    row, column = np.divmod(np.array(list(chain.from_iterable(found)), np.int64), width)
    return Shape(
        open=np.array(is_open, np.int64),
        lifted=np.repeat(np.array(is_open, np.int64), [len(each) for each in found]),
        laid=np.stack([row, column]) - 1,
    )


def _targets(left: int, lifted: int, width: int, *, one_piece: bool) -> int:
    """Return where a mat may be laid: beside another, where it leaves none of them alone.

    Args:
        left: The slots still in use when the mat is lifted.
        lifted: The slot that it leaves.
        width: Bits from a row to the next.
        one_piece: Mats must leave the board one piece.
    """
    targets = _around(left, width) & ~(left | lifted)
    for part in _parts(left, width):
        is_alone = part & (part - 1) == 0
        if is_alone or one_piece:
            targets &= _around(part, width)
    return targets


def _parts(slots: int, width: int) -> Iterator[int]:
    """Yield the parts that hang together."""
    while slots:
        part, grown = 0, slots & -slots
        while grown != part:
            part, grown = grown, grown | (_around(grown, width) & slots)
        yield part
        slots &= ~part


def _numbers(slots: int) -> list[int]:
    """Return the places of a set's bits, in order."""
    found = []
    while slots:
        lowest = slots & -slots
        found.append(lowest.bit_length() - 1)
        slots ^= lowest
    return found


def _around(slots: int, width: int) -> int:
    """Return the slots beside some."""
    return slots << 1 | slots >> 1 | slots << width | slots >> width


KINDS = TURN, SWAP, SHIFT = 0, 1, 2
"""Kinds of mat moves."""

KIND_BIT = 25
"""The kind of a move is what stands from this bit on."""

_MAT_BIT, _ONE_BIT = 20, 10
_OFFSET = 4
"""Added to a slot's row and column, which may be -1."""

_KEPT = 1 << 13  # lists of swaps, of up to half a kB each


@dataclass(frozen=True, slots=True, kw_only=True)
class MatMoves:
    """Which mat moves there are.

    Attributes:
        turns: Mats may turn.
        swaps: Mats may be swapped.
        shifts: Mats may be shifted.
        one_piece: A move must leave the board one piece.
    """

    turns: bool
    swaps: bool
    shifts: bool
    one_piece: bool

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return self.turns or self.swaps or self.shifts


def most_mat_moves(mats: int, allowed: MatMoves) -> int:
    """Return how many mat moves a layout of some mats has at most."""
    turns, swaps = 3 * mats, mats * (mats - 1) // 2
    shifts = 4 * mats * (mats - 1)  # to one of the four sides of another mat
    return turns * allowed.turns + swaps * allowed.swaps + shifts * allowed.shifts


def all_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> list[NDArray[np.int32]]:
    """Return the legal mat moves of some layouts, in the order of the rules: turns, swaps, shifts.

    Args:
        places: ``places[layout, mat]``: row, column and quarter turns.
        allowed: Which mat moves there are.
    """
    return [
        np.concatenate(
            [
                _turns(len(mats) if allowed.turns else 0),
                # The slots in use stay the same, so a swap keeps a layout legal.
                _swaps(np.sort(mats[shape.open]).tobytes() if allowed.swaps else b""),
                _shifts(mats, shape) if allowed.shifts else _turns(0),
            ]
        )
        for mats, shape in _shapes(places, allowed)
    ]


def count_mat_moves(places: NDArray[np.int16], allowed: MatMoves) -> list[int]:
    """Return how many mat moves of some layouts are legal; see `all_mat_moves`."""
    turns = 3 * places.shape[1] * allowed.turns
    movable = ((len(shape.open), len(shape.lifted)) for _, shape in _shapes(places, allowed))
    return [
        turns + mats * (mats - 1) // 2 * allowed.swaps + shifts * allowed.shifts
        for mats, shifts in movable
    ]


def make_mat_moves(places: NDArray[np.int16], moves: NDArray[np.int32]) -> NDArray[np.int16]:
    """Return the places after each of some mat moves, with the least row and column 0.

    Args:
        places: ``places[i, mat]``: the layout before each move.
        moves: The moves.
    """
    after = places.copy()
    kind, mat, one, two = _read(moves)
    (turned,), (swapped,), (shifted,) = (np.nonzero(kind == each) for each in KINDS)
    after[turned, mat[turned], 2] = (after[turned, mat[turned], 2] + one[turned]) & 3
    after[swapped, mat[swapped], :2] = places[swapped, one[swapped], :2]
    after[swapped, one[swapped], :2] = places[swapped, mat[swapped], :2]
    after[shifted, mat[shifted], 0] = one[shifted]
    after[shifted, mat[shifted], 1] = two[shifted]
    slots = after[shifted, :, :2]
    # With mats as the first axis, numpy folds it fast.
    least = slots.transpose(1, 2, 0).copy().min(axis=0).T
    (is_off,) = least.any(axis=1).nonzero()
    after[shifted[is_off], :, :2] -= least[is_off, None]
    return after


def mat_move_of(coded: int) -> MatMove:
    """Return the move that a number stands for."""
    kind, mat, one, two = _read(coded)
    if kind == TURN:
        return MatTurn(mat, one)
    return MatSwap(mat, one) if kind == SWAP else MatShift(mat, (one, two))


def _shapes(
    places: NDArray[np.int16], allowed: MatMoves
) -> Iterator[tuple[NDArray[np.int64], Shape]]:
    """Yield the mat on each slot in use, by row and column, and the shape of all, by layout."""
    slots = places[:, :, :2]
    mats = (slots[:, :, 0].astype(np.int64) << 16 | slots[:, :, 1]).argsort(axis=1)
    used = np.take_along_axis(slots, mats[:, :, None], axis=1)
    for on_slots, each in zip(mats, used, strict=True):
        yield on_slots, shape_of(each.tobytes(), one_piece=allowed.one_piece)


@lru_cache(maxsize=64)
def _turns(mats: int) -> NDArray[np.int32]:
    return np.array(
        [_code(TURN, mat, quarters, 0) for mat in range(mats) for quarters in (1, 2, 3)], np.int32
    )


@lru_cache(maxsize=_KEPT)
def _swaps(movable: bytes) -> NDArray[np.int32]:
    mats = np.frombuffer(movable, np.int64).tolist()
    return np.array([_code(SWAP, *pair, 0) for pair in combinations(mats, 2)], np.int32)


def _shifts(mats: NDArray[np.int64], shape: Shape) -> NDArray[np.int32]:
    row, column = shape.laid
    listed: NDArray[np.int32] = _code(SHIFT, mats[shape.lifted], row, column).astype(np.int32)
    listed.sort()
    return listed


def _code(kind: int, mat: Any, one: Any, two: Any) -> Any:
    """Return the number of a move, or an array of them."""
    slot = (one + _OFFSET) << _ONE_BIT | (two + _OFFSET)
    return kind << KIND_BIT | mat << _MAT_BIT | slot


def _read(coded: Any) -> tuple[Any, Any, Any, Any]:
    """Return what `_code` was given."""
    one, two = (coded >> _ONE_BIT & 1023) - _OFFSET, (coded & 1023) - _OFFSET
    return coded >> KIND_BIT, coded >> _MAT_BIT & 31, one, two


ROW, COLUMN, TURN_NEIGHBOURS = 0, 1, 2
"""The parts of a place."""

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class Mats(NamedTuple):
    """What is printed on the mats of a layout; no move changes it.

    Directions are those of a mat's own frame here.

    Attributes:
        inside: ``inside[mat, direction, space]``: the next space on the same mat, or the wall.
        edge: ``edge[mat, direction, i]``: the spaces along an edge, clockwise.
        is_open: ``is_open[mat, direction, i]``: a piece can cross the edge there.
    """

    inside: NDArray[np.uint16]
    edge: NDArray[np.uint16]
    is_open: NDArray[np.bool_]


def mats_of(layout: Layout) -> Mats:
    """Return what is printed on the mats of a layout."""
    size, per_mat = layout.size, layout.spaces_per_mat
    mats = len(layout.faces)
    spaces = np.arange(mats * per_mat, dtype=np.uint16).reshape(mats, size, size)
    barred = _barred(layout)
    inside = np.full((mats, 4, size, size), spaces.size, np.uint16)
    edge = np.zeros((mats, 4, size), np.uint16)
    for direction, (down, right) in enumerate(_STEPS):
        ahead = np.roll(spaces, (-down, -right), (1, 2))
        is_open = ~(barred[direction].ravel()[spaces] | barred[(direction + 2) % 4].ravel()[ahead])
        is_open[:, *_along(direction)] = False
        inside[:, direction][is_open] = ahead[is_open]
        # North and east are clockwise as they are numbered, south and west against.
        edge[:, direction] = spaces[:, *_along(direction)][:, :: 1 if direction < 2 else -1]
    crossing = ~barred[np.arange(4)[:, None], edge.astype(np.int64)]
    return Mats(inside.reshape(mats, 4, per_mat), edge, crossing)


def neighbours_of(mats: Mats, places: NDArray[np.int16]) -> NDArray[np.uint16]:
    """Return ``neighbours[layout, direction, space]``: the next space, or the wall.

    Args:
        mats: What is printed on the mats.
        places: ``places[layout, mat]``: row, column and quarter turns; the least row and column
            are 0.
    """
    layouts, count = places.shape[:2]
    per_mat = mats.inside.shape[2]
    wall = count * per_mat
    every = np.arange(count)
    own = (np.arange(4)[None, :, None] - places[:, None, :, TURN_NEIGHBOURS]) % 4
    neighbours = np.full((layouts, 4, wall + 2), wall, np.uint16)
    neighbours[:, :, :wall] = mats.inside[every, own].reshape(layouts, 4, wall)
    beside = _beside(places)
    facing = own[np.arange(layouts)[:, None, None], _BACK[None, :, None], beside]
    leaving = mats.edge[every, own]
    entered = np.where(mats.is_open[beside, facing], mats.edge[beside, facing], wall)[..., ::-1]
    entered[~mats.is_open[every, own] | (beside < 0)[..., None]] = wall
    np.put_along_axis(
        neighbours,
        leaving.reshape(layouts, 4, -1).astype(np.int64),
        entered.reshape(layouts, 4, -1).astype(np.uint16),
        axis=2,
    )
    return neighbours


_BACK = np.array([2, 3, 0, 1])


def _along(direction: int) -> tuple[slice | int, slice | int]:
    """Return the row or column of a mat's spaces along an edge."""
    everything = slice(None)
    return ((0, everything), (everything, -1), (-1, everything), (everything, 0))[direction]


def _barred(layout: Layout) -> NDArray[np.bool_]:
    """Return ``barred[direction, space]``: nothing leaves or enters there."""
    barred = np.zeros((4, layout.spaces_per_mat * len(layout.faces)), np.bool_)
    for mat, face in enumerate(layout.faces):
        first = mat * layout.spaces_per_mat
        for space in face.pools:
            barred[:, first + space] = True
        for space, direction in face.walls:
            barred[direction, first + space] = True
        for goal in face.goals:
            low, high = sorted(goal.spaces)
            to_twin = 1 if high - low == 1 else 2
            for space, to_other in ((low, to_twin), (high, (to_twin + 2) % 4)):
                for direction in {*range(4)} - {goal.facing, to_other}:
                    barred[direction, first + space] = True
    return barred


def _beside(places: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return ``beside[layout, direction, mat]``: the mat that lies there; -1 for none."""
    layouts, mats = places.shape[:2]
    rows, columns = (
        places[:, :, ROW].astype(np.int64) + 1,
        places[:, :, COLUMN].astype(np.int64) + 1,
    )
    slots = np.full((layouts, rows.max() + 2, columns.max() + 2), -1, np.int64)
    every = np.arange(layouts)[:, None]
    slots[every, rows, columns] = np.arange(mats)
    return np.stack([slots[every, rows + down, columns + right] for down, right in _STEPS], axis=1)


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


HAND_KEYS = np.random.default_rng(6).integers(0, 2**64, (1 << 2 * len(KINDS), 2), dtype=np.uint64)
"""128-bit keys of hands."""


def hand_of(turns: int, swaps: int, shifts: int) -> int:
    """Return the hand with up to 3 cards of each kind."""
    return turns | swaps << 2 | shifts << 4


def kinds_of(hand: int) -> list[int]:
    """Return the kinds of mat moves that a hand can make."""
    return [kind for kind in KINDS if hand >> 2 * kind & 3]
