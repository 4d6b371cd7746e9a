"""Layouts of mats as arrays: neighbour tables, mat moves, keys.

A space's number belongs to its mat, so a mat move changes no piece: it changes the layout, and with
it the table of neighbours. A `LayoutGraph` numbers the layouts met so far and holds, for each, its
neighbour table, its 128-bit key and the layouts that its mat moves lead to. The graph grows in
batches outside compiled functions; these only read its arrays, `LayoutArrays`.

From top to bottom: the graph; legal mat moves (each coded as one number) by the slots in use;
neighbour tables; layout keys; cards that move mats, coded as one number. Begin with `new_graph` and
`expand_layouts`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pucklab.base.arrays import Bools
from pucklab.base.facts import fact
from pucklab.sim.bumpers.kernel.arrays import I16, I32, I64, U8, U16, U64
from pucklab.sim.bumpers.mats import Layout
from pucklab.sim.bumpers.moves import MatMove, MatShift, MatSwap, MatTurn

KINDS = TURN, SWAP, SHIFT = 0, 1, 2
"""Kinds of mat moves."""

KIND_BIT = 25
"""The bits of a coded mat move from this one on are its kind."""

ROW, COLUMN, QUARTERS = 0, 1, 2
"""Columns of ``places[layout, mat]``: slot row, slot column, quarter turns clockwise."""

UNKNOWN = -1
"""Marks an entry of `LayoutArrays` that has not been computed."""

CARD_KEYS = np.random.default_rng(6).integers(0, 2**64, (1 << 2 * len(KINDS), 2), dtype=np.uint64)
"""Zobrist keys, 128 bits each, of the cards in hand (see `encode_cards`)."""

_MAT_BIT, _ONE_BIT = 20, 10
_OFFSET = 4
"""Added to a slot's row and column, which may be -1, before they are coded."""

_SHAPE_CACHE_SIZE = 1 << 13  # shapes of 1 or 2 kB each
_SWAP_CACHE_SIZE = 1 << 13  # lists of swaps, at most half a kB each
_LAYOUT_CACHE_SIZE = 32  # layouts of about 10 kB each
_FIRST_CAPACITY = 64
_BATCH = 1 << 7  # layouts added at a time, a few kB each
_NUMBER_BYTES = 150  # approximate size of a dictionary entry, without its places
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west
_BACK = np.array([2, 3, 0, 1])  # the opposite of each direction
_Number = TypeVar("_Number", bound=np.generic)


@fact
class MatMoves:
    """The kinds of mat moves that are allowed.

    Attributes:
        turns: Mats may turn.
        swaps: Mats may be swapped.
        shifts: Mats may be shifted.
        one_piece: The board must stay one piece.
        series: A shift may leave the layout illegal if another one follows (PB-23).
    """

    turns: bool
    swaps: bool
    shifts: bool
    one_piece: bool
    series: bool = False

    @property
    def any(self) -> bool:
        """True if any kind is allowed."""
        return self.turns or self.swaps or self.shifts


class Mats(NamedTuple):
    """The printed side of the mats of a layout, which no move changes.

    Directions are in each mat's own frame.

    Attributes:
        inside: ``inside[mat, direction, space]``: the next space on the same mat, or the wall.
        edge: ``edge[mat, direction, i]``: the spaces along an edge, clockwise.
        is_open: ``is_open[mat, direction, i]``: True where a piece can cross the edge.
    """

    inside: U16
    edge: U16
    is_open: Bools


class LayoutArrays(NamedTuple):
    """The arrays of a graph that compiled functions read; ``a`` is the number of a layout.

    Attributes:
        neighbours: ``neighbours[a, direction, space]``: the next space, or the wall.
        keys: ``keys[a]``: 128-bit keys.
        total: ``total[a]``: the number of legal mat moves, or `UNKNOWN`.
        first: ``first[a]``: the first of its edges, or `UNKNOWN`.
        moves: The coded mat move of each edge.
        after: The layout that each edge leads to, or `UNKNOWN`.
        is_legal: ``is_legal[a]``: 1 if pieces may move; 0 within a series of mat moves.
        leads_legal: 1 for each edge that leads to a legal layout.
    """

    neighbours: U16
    keys: U64
    total: I64
    first: I64
    moves: I32
    after: I32
    is_legal: U8
    leads_legal: U8


@dataclass(slots=True, kw_only=True)
class LayoutGraph:
    """The layouts met so far, numbered from 0 (the first), with the mat moves between them.

    Attributes:
        mats: The printed side of the mats.
        allowed: The kinds of mat moves that are allowed.
        numbers: The number of each layout, by the bytes of its places.
        places: ``places[a, mat]``: row, column and quarter turns.
        layouts: The arrays that compiled functions read.
        edge_count: The number of edges.
    """

    mats: Mats
    allowed: MatMoves
    numbers: dict[bytes, int]
    places: I16
    layouts: LayoutArrays
    edge_count: int


def new_graph(layout: Layout, allowed: MatMoves) -> LayoutGraph:
    """Return a graph with one layout.

    Args:
        layout: The layout.
        allowed: The kinds of mat moves that are allowed.
    """
    mats, spaces = len(layout.faces), layout.spaces_per_mat * len(layout.faces)
    capacity = _FIRST_CAPACITY if allowed.any else 1
    graph = LayoutGraph(
        mats=mats_of(layout),
        allowed=allowed,
        numbers={},
        places=np.zeros((capacity, mats, 3), np.int16),
        layouts=LayoutArrays(
            neighbours=np.zeros((capacity, 4, spaces + 2), np.uint16),
            keys=np.zeros((capacity, 2), np.uint64),
            total=np.full(capacity, UNKNOWN, np.int64),
            first=np.full(capacity, UNKNOWN, np.int64),
            moves=np.zeros(capacity, np.int32),
            after=np.full(capacity, UNKNOWN, np.int32),
            is_legal=np.ones(capacity, np.uint8),
            leads_legal=np.zeros(capacity, np.uint8),
        ),
        edge_count=0,
    )
    places, graph.layouts.neighbours[0], graph.layouts.keys[0] = _tables_of(layout)
    graph.numbers[places.tobytes()] = 0
    graph.places[0] = places
    return graph


@lru_cache(maxsize=_LAYOUT_CACHE_SIZE)
def _tables_of(
    layout: Layout,
) -> tuple[I16, U16, U64]:
    """Return the places, the neighbour table and the key of a layout, for copies only."""
    places = np.array([[[*place.slot, place.turn] for place in layout.places]], np.int16)
    return places[0], neighbours_of(mats_of(layout), places)[0], layout_keys(places)[0]


def count_moves(graph: LayoutGraph, numbers: Sequence[int]) -> None:
    """Fill in the number of legal mat moves of the numbered layouts."""
    total = graph.layouts.total
    new = [number for number in dict.fromkeys(numbers) if total[number] == UNKNOWN]
    places, allowed = graph.places[new], graph.allowed
    turns = 3 * places.shape[1] * allowed.turns
    movable = ((len(shape.open), len(shape.lifted)) for _, shape in _shapes(places, allowed))
    total[new] = [
        turns + mats * (mats - 1) // 2 * allowed.swaps + shifts * allowed.shifts
        for mats, shifts in movable
    ]


def expand_layouts(
    graph: LayoutGraph,
    numbers: Sequence[int],
    kinds: Sequence[int] = KINDS,
    *,
    series: bool = False,
) -> None:
    """Generate the mat moves of the numbered layouts, and add the layouts they lead to.

    Args:
        graph: The graph.
        numbers: The layouts.
        kinds: The kinds of mat moves to follow; the others are generated, but not followed.
        series: Whether moves to illegal layouts are followed, too.
    """
    once = list(dict.fromkeys(numbers))
    _generate_edges(graph, [number for number in once if graph.layouts.first[number] == UNKNOWN])
    edges = [edges_of(graph, number) for number in once]
    before = np.repeat(once, [each.stop - each.start for each in edges])
    edge = np.concatenate([np.arange(each.start, each.stop) for each in edges])
    moves, after = graph.layouts.moves, graph.layouts.after
    is_asked = np.array([kind in kinds for kind in KINDS])
    leads_legal = graph.layouts.leads_legal
    is_new = (after[edge] == UNKNOWN) & is_asked[moves[edge] >> KIND_BIT]
    is_new &= series | (leads_legal[edge] == 1)
    edge, before = edge[is_new], before[is_new]
    numbers_after = _numbers_of(graph, make_mat_moves(graph.places[before], moves[edge]))
    after[edge] = numbers_after
    graph.layouts.is_legal[numbers_after] = leads_legal[edge]


def edges_of(graph: LayoutGraph, number: int) -> slice:
    """Return the slice of the edges of a layout that has been expanded."""
    first = int(graph.layouts.first[number])
    return slice(first, first + int(graph.layouts.total[number]))


def may_grow(graph: LayoutGraph) -> bool:
    """Return whether expanding one more layout may need longer arrays."""
    most = most_mat_moves(graph.places.shape[1], graph.allowed)
    has_room = len(graph.numbers) + most <= len(graph.places)
    return not has_room or graph.edge_count + most > len(graph.layouts.moves)


def size_bytes(graph: LayoutGraph) -> int:
    """Return the approximate memory of the graph."""
    arrays: tuple[NDArray[Any], ...] = (graph.places, *graph.layouts)
    each = graph.places.nbytes // len(graph.places) + _NUMBER_BYTES
    return len(graph.numbers) * each + sum(array.nbytes for array in arrays)


def _generate_edges(graph: LayoutGraph, numbers: Sequence[int]) -> None:
    """Generate the mat moves of layouts that have none yet."""
    if not numbers:
        return
    listed, legal = _mat_moves_of(graph.places[numbers], graph.allowed)
    counts = [len(moves) for moves in listed]
    begin, end = graph.edge_count, graph.edge_count + sum(counts)
    moves = _with_room(graph.layouts.moves, end, 0)
    after = _with_room(graph.layouts.after, end, UNKNOWN)
    leads_legal = _with_room(graph.layouts.leads_legal, end, 0)
    moves[begin:end] = np.concatenate(listed)
    leads_legal[begin:end] = np.concatenate(legal)
    graph.layouts.total[numbers] = counts
    graph.layouts.first[numbers] = begin + np.cumsum(counts) - counts
    graph.layouts = graph.layouts._replace(moves=moves, after=after, leads_legal=leads_legal)
    graph.edge_count = end


def _numbers_of(graph: LayoutGraph, places: I16) -> list[int]:
    """Return the numbers of layouts, adding those not met before."""
    before = len(graph.numbers)
    new: list[int] = []
    found: list[int] = []
    for index, layout in enumerate(places):
        number = graph.numbers.setdefault(layout.tobytes(), len(graph.numbers))
        found.append(number)
        if number == before + len(new):
            new.append(index)
    if not new:
        return found
    end, old = before + len(new), graph.layouts
    graph.places = _with_room(graph.places, end, 0)
    graph.layouts = old._replace(
        neighbours=_with_room(old.neighbours, end, 0),
        keys=_with_room(old.keys, end, 0),
        total=_with_room(old.total, end, UNKNOWN),
        first=_with_room(old.first, end, UNKNOWN),
        is_legal=_with_room(old.is_legal, end, 1),
    )
    graph.places[before:end] = places[new]
    graph.layouts.keys[before:end] = layout_keys(places[new])
    for first in range(before, end, _BATCH):
        some = graph.places[first : min(first + _BATCH, end)]
        graph.layouts.neighbours[first : first + len(some)] = neighbours_of(graph.mats, some)
    return found


def _with_room(array: NDArray[_Number], end: int, value: int) -> NDArray[_Number]:
    """Return the array, lengthened if necessary so that row ``end - 1`` exists."""
    if end <= len(array):
        return array
    longer = np.full((max(end, 2 * len(array)), *array.shape[1:]), value, array.dtype)
    longer[: len(array)] = array
    return longer


@fact
class Shape:
    """The mats that may be lifted from a set of slots, and the slots they may be laid on.

    Only the slots in use matter, not which mats fill them, so each set is worked out once. Slots
    are numbered by row and column. Inside, a set of slots is an integer with one bit per slot, row
    after row of a board with a margin of one slot.

    Attributes:
        open: The slots with a free side.
        lifted: The slot that each shift takes a mat from.
        laid: ``laid[0]`` and ``laid[1]``: row and column of the slot that each shift leads to; -1
            is possible, within a series of moves -2.
        is_legal: 1 if the slots themselves are legal.
        leads_legal: 1 for each shift to a legal layout.
    """

    open: I64
    lifted: I64
    laid: I64
    is_legal: int
    leads_legal: U8


def most_mat_moves(mats: int, allowed: MatMoves) -> int:
    """Return an upper bound of the number of mat moves of a layout."""
    turns, swaps = 3 * mats, mats * (mats - 1) // 2
    shifts = 4 * mats * (mats - 1)  # to one of the four sides of another mat
    if allowed.series:
        # Anywhere on a board of at most mats + 6 rows and columns, or up to two slots beside it.
        shifts = mats * (mats + 10) ** 2
    return turns * allowed.turns + swaps * allowed.swaps + shifts * allowed.shifts


def _mat_moves_of(places: I16, allowed: MatMoves) -> tuple[list[I32], list[U8]]:
    """Return the mat moves of each layout, and for each move 1 if the layout after it is legal."""
    moves, legal = [], []
    for mats, shape in _shapes(places, allowed):
        # The slots in use stay the same after a turn or a swap.
        turns = _turns(len(mats) if allowed.turns else 0)
        swaps = _swaps(np.sort(mats[shape.open]).tobytes() if allowed.swaps else b"")
        shifts, order = _turns(0), np.zeros(0, int)
        if allowed.shifts:
            row, column = shape.laid
            shifts = _code(SHIFT, mats[shape.lifted], row, column).astype(np.int32)
            order = shifts.argsort(kind="stable")
        same = np.full(len(turns) + len(swaps), shape.is_legal, np.uint8)
        moves.append(np.concatenate([turns, swaps, shifts[order]]))
        legal.append(np.concatenate([same, shape.leads_legal[order]]))
    return moves, legal


def make_mat_moves(places: I16, moves: I32) -> I16:
    """Return the places after each mat move, shifted so that the smallest row and column are 0.

    Args:
        places: ``places[i, mat]``: the layout before move ``i``.
        moves: ``moves[i]``: the coded moves.
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
    # With mats as the first axis, numpy reduces it fast.
    least = slots.transpose(1, 2, 0).copy().min(axis=0).T
    (is_off,) = least.any(axis=1).nonzero()
    after[shifted[is_off], :, :2] -= least[is_off, None]
    return after


def mat_move_of(coded: int) -> MatMove:
    """Decode a mat move."""
    kind, mat, one, two = _read(coded)
    if kind == TURN:
        return MatTurn(mat, one)
    return MatSwap(mat, one) if kind == SWAP else MatShift(mat, (one, two))


def _shapes(places: I16, allowed: MatMoves) -> Iterator[tuple[I64, Shape]]:
    """Yield, for each layout, its mats sorted by slot, and the shape of its slots."""
    slots = places[:, :, :2]
    mats = (slots[:, :, 0].astype(np.int64) << 16 | slots[:, :, 1]).argsort(axis=1)
    used = np.take_along_axis(slots, mats[:, :, None], axis=1)
    for on_slots, each in zip(mats, used, strict=True):
        yield (
            on_slots,
            _shape_of(each.tobytes(), one_piece=allowed.one_piece, series=allowed.series),
        )


@lru_cache(maxsize=64)
def _turns(mats: int) -> I32:
    return np.array(
        [_code(TURN, mat, quarters, 0) for mat in range(mats) for quarters in (1, 2, 3)], np.int32
    )


@lru_cache(maxsize=_SWAP_CACHE_SIZE)
def _swaps(movable: bytes) -> I32:
    mats = np.frombuffer(movable, np.int64).tolist()
    return np.array([_code(SWAP, *pair, 0) for pair in combinations(mats, 2)], np.int32)


def _code(kind: int, mat: Any, one: Any, two: Any) -> Any:
    """Encode a mat move, or an array of them."""
    slot = (one + _OFFSET) << _ONE_BIT | (two + _OFFSET)
    return kind << KIND_BIT | mat << _MAT_BIT | slot


def _read(coded: Any) -> tuple[Any, Any, Any, Any]:
    """Decode kind, mat and the two arguments of a mat move, or of an array of them."""
    one, two = (coded >> _ONE_BIT & 1023) - _OFFSET, (coded & 1023) - _OFFSET
    return coded >> KIND_BIT, coded >> _MAT_BIT & 31, one, two


@lru_cache(maxsize=_SHAPE_CACHE_SIZE)
def _shape_of(slots: bytes, *, one_piece: bool, series: bool = False) -> Shape:
    """Return the mats that may move for a set of slots in use.

    Args:
        slots: Row and column of each slot as 16-bit numbers, sorted; the smallest are 0.
        one_piece: The board must stay one piece.
        series: Shifts to illegal layouts are listed, too.
    """
    used = np.frombuffer(slots, np.int16).reshape(-1, 2).tolist()
    margin = 1 + series
    width = 1 + 2 * margin + max(column for _, column in used)
    height = 1 + 2 * margin + max(row for row, _ in used)
    bits = [1 << ((row + margin) * width + column + margin) for row, column in used]
    whole = sum(bits)
    is_open = [i for i, bit in enumerate(bits) if _around(bit, width) & ~whole]
    targets = [_targets(whole & ~bits[i], bits[i], width, one_piece=one_piece) for i in is_open]
    everywhere = ((1 << width * height) - 1) & ~whole
    found = [_numbers(everywhere if series and len(bits) > 1 else each) for each in targets]
    legal = [
        target >> place & 1
        for target, places in zip(targets, found, strict=True)
        for place in places
    ]
    parts = list(_parts(whole, width))
    has_alone = any(part & (part - 1) == 0 for part in parts)
    row, column = np.divmod(np.array(list(chain.from_iterable(found)), np.int64), width)
    return Shape(
        open=np.array(is_open, np.int64),
        lifted=np.repeat(np.array(is_open, np.int64), [len(each) for each in found]),
        laid=np.stack([row, column]) - margin,
        is_legal=int(len(parts) == 1 or not (one_piece or has_alone)),
        leads_legal=np.array(legal, np.uint8),
    )


def _targets(left: int, lifted: int, width: int, *, one_piece: bool) -> int:
    """Return the slots a mat may be laid on: beside another mat, leaving no mat without neighbour.

    Args:
        left: The slots still in use while the mat is lifted.
        lifted: The slot it was lifted from.
        width: Bits per row.
        one_piece: The board must stay one piece.
    """
    targets = _around(left, width) & ~(left | lifted)
    for part in _parts(left, width):
        is_alone = part & (part - 1) == 0
        if is_alone or one_piece:
            targets &= _around(part, width)
    return targets


def _parts(slots: int, width: int) -> Iterator[int]:
    """Yield the connected components of a set of slots."""
    while slots:
        part, grown = 0, slots & -slots
        while grown != part:
            part, grown = grown, grown | (_around(grown, width) & slots)
        yield part
        slots &= ~part


def _numbers(slots: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    found = []
    while slots:
        lowest = slots & -slots
        found.append(lowest.bit_length() - 1)
        slots ^= lowest
    return found


def _around(slots: int, width: int) -> int:
    """Return the slots that share a side with one of a set."""
    return slots << 1 | slots >> 1 | slots << width | slots >> width


@lru_cache(maxsize=_LAYOUT_CACHE_SIZE)
def mats_of(layout: Layout) -> Mats:
    """Return the printed side of the mats of a layout."""
    size, per_mat = layout.size, layout.spaces_per_mat
    mats = len(layout.faces)
    spaces = np.arange(mats * per_mat, dtype=np.uint16).reshape(mats, size, size)
    barred = _barriers(layout)
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


def neighbours_of(mats: Mats, places: I16) -> U16:
    """Return ``neighbours[layout, direction, space]``: the next space, or the wall.

    Inside a mat the neighbour depends on the mat's turn alone; across an edge, on the mat beside
    it. Array operations are as fast here as compiled code, which would take a second to compile.

    Args:
        mats: The printed side of the mats.
        places: ``places[layout, mat]``: row, column and quarter turns; the smallest row and column
            are 0.
    """
    layouts, count = places.shape[:2]
    per_mat = mats.inside.shape[2]
    wall = count * per_mat
    every = np.arange(count)
    # Board direction d is direction d - turn in the frame of a mat.  (layouts, 4, mats)
    own = (np.arange(4)[None, :, None] - places[:, None, :, QUARTERS]) % 4
    neighbours = np.full((layouts, 4, wall + 2), wall, np.uint16)
    neighbours[:, :, :wall] = mats.inside[every, own].reshape(layouts, 4, wall)
    # The mat beside each mat in each direction, or -1.  (layouts, 4, mats)
    rows = places[:, :, ROW].astype(np.int64) + 1
    columns = places[:, :, COLUMN].astype(np.int64) + 1
    slots = np.full((layouts, rows.max() + 2, columns.max() + 2), -1, np.int64)
    each = np.arange(layouts)[:, None]
    slots[each, rows, columns] = every
    beside = np.stack([slots[each, rows + down, columns + right] for down, right in _STEPS], axis=1)
    # Across an edge: the facing edge of the mat beside, clockwise there, so reversed here.
    facing = own[each[..., None], _BACK[None, :, None], beside]
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


def _along(direction: int) -> tuple[slice | int, slice | int]:
    """Return the index of the row or column of a mat's spaces along an edge."""
    everything = slice(None)
    return ((0, everything), (everything, -1), (-1, everything), (everything, 0))[direction]


def _barriers(layout: Layout) -> Bools:
    """Return ``barred[direction, space]``: True where no piece can leave or enter."""
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


def layout_keys(places: I16) -> U64:
    """Return the 128-bit key of each layout: XOR over its mats of a hash of mat, slot and turn.

    Args:
        places: ``places[layout, mat]``: row, column and quarter turns.
    """
    mats = np.arange(places.shape[1], dtype=np.uint64)[:, None]
    packed = np.broadcast_to(mats, places.shape[1::-1])  # mats first: numpy reduces that axis fast
    for part in places.transpose(2, 1, 0):
        packed = packed << np.uint64(16) | part.astype(np.uint64)
    halves = (packed + np.uint64(0x9E3779B97F4A7C15), packed ^ np.uint64(0xD1B54A32D192ED03))
    return np.stack([np.bitwise_xor.reduce(_mix(half), axis=0) for half in halves], axis=1)


def _mix(value: Any) -> Any:
    """Return the splitmix64 finaliser of 64-bit numbers."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def encode_cards(turns: int, swaps: int, shifts: int) -> int:
    """Return the code of up to 3 cards of each kind: two bits for each kind."""
    return turns | swaps << 2 | shifts << 4


def card_kinds(cards: int) -> list[int]:
    """Return the kinds of mat moves that some cards allow."""
    return [kind for kind in KINDS if cards >> 2 * kind & 3]
