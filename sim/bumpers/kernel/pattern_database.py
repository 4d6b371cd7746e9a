"""Pattern databases: exact solutions of a relaxed game for all sets of up to three pucks.

The relaxed game has the walls of a layout and two or three pucks of the goal, no more. In an action
one puck moves any number of spaces, at least one, along an open corridor up to the next puck,
or into a goal. Pucks further along the corridor may move on in the same action, as in a chain.
For every set T of pucks two numbers are stored: d(T), the fewest actions that bring all of T in,
and h(T), their least cost if an action that moves one puck of T costs 2, and another one 1.

**The bound is admissible.** Let T be two or three pucks of the goal, and look only at them while a
real game is played without mat moves:

1. A real action moves pieces along one corridor in one direction. A puck moves only by sliding: it
   sets out itself, is bumped, or is hit by a sliding piece. It stops before the next piece on its
   way, or in the first goal on it. So each puck of T that moves stops somewhere in its corridor
   before the next puck of T, or in a goal, and those that move after the first are ahead of it. The
   relaxed game has this action, or the action changes nothing in T.
2. Hence a real solution that brings all of T in, seen on T alone, is a relaxed solution that is not
   longer: d(T) is at most its length, and h(T) at most its cost.
3. An action scores at most one puck, the last of a chain, for a puck in a goal hits nothing. If
   k > 3 pucks must come in, the last k - 3 do so one after another once three are in. So at
   least min d(T) + k - 3 actions are needed, and max d(T) if it is known which k come in.
4. Four pucks have four triples. Added up over them, an action costs at most 6: one puck is in three
   of them (3 x 2); two are together in two, and each alone in one (2 x 1 + 2 x 2); three or four
   cost 1 in each (4). So if just these four come in, the sum of h(T) / 6 actions are needed.
5. If more pucks could come in than must, the smallest bound over the choices holds, so only the
   minimum over T is used.

With three pucks left, h adds nothing: d of the three is the exact length of the relaxed game.

For each puck of T and each direction the tables also say if an action in which that puck is
the first of T to move can lower d(T), and h(T): the filter of the move generation.

`database_of` finds or builds the tables; `combined_bound` and `lowering_moves` read them.
"""

import gzip
import hashlib
import io
import warnings
import zlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.compiling import CacheWarning, batch_size, inlined, jitted, user_folder
from sim.bumpers.kernel.arrays import I32, I64, U8, U16, U32
from sim.bumpers.kernel.position import GOAL
from sim.core.files import write_whole

PAIR_SPACES = 1024
"""Layouts with more spaces have no database; 1024 spaces take 3 MB of pairs."""

TRIPLE_SPACES = 320
"""Layouts with more spaces have pairs only; 320 spaces take 28 MB of triples, 256 take 14 MB."""

FOLDER_MB = 16.0
"""Databases on disk; the oldest are deleted beyond it."""

LANE_BIT = 9
"""The first bit of the number of a corridor; a board has at most 144 spaces in a row."""

_FIRST_PLACE = 4
_MOST, _UNREACHED = 14, 15
"""Stored values of sets that come in after so many actions or more, and of those that never do."""

UNREACHABLE = 255
"""Distance of a piece, and lower bound of a position, from which the goal can never be reached."""

_FAR = 100  # value of such sets while tables are built

_VALUE = 15
_COST_BIT = 12  # the first bit of a filter's mask for costs
_WAYS = np.uint64(15)
_IN_MEMORY = 4  # databases kept by a process
_VERSION = b"3"
_READ_BYTES = 1 << 16  # of a file at a time: its contents are large
_GZIP_LEVEL = 3  # twice as fast as 6, and files are only a fourth larger
_FEW_ROWS, _ROWS = 2, 4096  # filled at a time: interpreted, compiled


class PatternDatabase(NamedTuple):
    """The tables of one layout.

    A set is three spaces in descending order; pucks that are in, or not asked for, stand on the
    space behind the last one. The set of a >= b >= c is entry ``choose[3, a] + choose[2, b] + c``.

    Attributes:
        spaces: The number of spaces; 0 for tables that are not used.
        values: d(T) in bits 0 to 3, at most 14, or 15 if the pucks cannot come in; above it what
            h(T) is larger than that, at most 15. Values that are too small are still admissible.
        filters: Bit ``4 * i + direction`` is set if an action in a direction, first of T by its
            puck i, can lower d(T), and bit ``12 + 4 * i + direction`` if it can lower h(T).
        choose: Places of sets by their first and second spaces, as above.
        lanes: ``lanes[axis, space]``: number of the corridor in the bits from `LANE_BIT` on, and
            place in it, from 4 and growing north (axis 0) or east (axis 1); -1 for the wall.
    """

    spaces: int
    values: U8
    filters: U32
    choose: I64
    lanes: I32


class _Draft(NamedTuple):
    """Tables that are being built.

    A row belongs to two pucks, a column to the space of the third, so all places to which that one
    moves are in the same row: that of a >= b is ``choose[2, a] + b``. After the spaces come a
    column for a puck that is in, and one for the wall.

    Attributes:
        best: ``best[row, space]``: the least cost known of three pucks, each of them in the column.
        pucks: ``pucks[0, row]`` and ``pucks[1, row]``: the spaces of a row, the larger one first.
        ahead: ``ahead[direction, space]``: the next column; that of pucks that are in for a goal.
        order: ``order[direction, i]``: each space and the column ahead of it, those ahead first.
        least: Scratch array: the least cost with the third puck on a space ahead.
        ways: Scratch array: directions in which the third puck can lower the cost.
    """

    best: U8
    pucks: U16
    ahead: U16
    order: U16
    least: U8
    ways: U8


def no_database() -> PatternDatabase:
    """Return tables without entries, for searches that do not use them."""
    return _empty(np.zeros((4, 2), np.uint16), triples=False)


def database_of(
    neighbours: U16,
    vacated: U8,
    *,
    triples: bool,
    go_on: Callable[[], bool] = lambda: True,
) -> PatternDatabase | None:
    """Return the database of a layout from memory or disk, or build and keep it.

    Args:
        neighbours: ``neighbours[direction, space]``, with the wall and the scored space at the end.
        vacated: Code of each space without pieces.
        triples: True if triples are needed, too.
        go_on: Asked several times a second while tables are built; if False, building stops.

    Returns:
        The tables, or None if the layout is too large, or building was stopped.
    """
    if len(vacated) - 2 > (TRIPLE_SPACES if triples else PAIR_SPACES):
        return None
    key = _key(neighbours, vacated)
    known = _in_memory.get(key) or _read(key, neighbours)
    if known is None or (triples and not _has_triples(known)):
        known = build_database(neighbours, vacated, triples=triples, go_on=go_on)
        if known is None:
            return None
        if triples:  # pairs are built as fast as they are read
            _write(key, known)
    _in_memory[key] = known
    _in_memory.move_to_end(key)
    while len(_in_memory) > _IN_MEMORY:
        _in_memory.popitem(last=False)
    return known


def database_mb(spaces: int, *, triples: bool) -> float:
    """Return the memory that building the database of a layout takes, in MB."""
    rows = (spaces + 1) * (spaces + 2) // 2
    return (rows * (spaces + 16) + (5 * rows * spaces // 3 if triples else 0)) / 1e6


def is_stored(neighbours: U16, vacated: U8) -> bool:
    """Return whether the triples of a layout need not be built."""
    key = _key(neighbours, vacated)
    if key in _in_memory:
        return _has_triples(_in_memory[key])
    try:
        return _path(key).exists()
    except RuntimeError:  # no folder for files
        return False


_in_memory: OrderedDict[str, PatternDatabase] = OrderedDict()


@inlined
def combined_bound(database: PatternDatabase, ordered: I64, count: int, needed: int) -> int:
    """Return a lower bound of the actions to bring in ``needed`` of ``count`` pucks; 255 for never.

    Args:
        database: The tables.
        ordered: The spaces of the pucks in descending order.
        count: The number of pucks on the board.
        needed: How many of them must come in, at least 1.
    """
    size = min(needed, 3)
    low, high, cost = _UNREACHED, 0, 0
    for i in range(count):
        for j in range(i + 1, count) if size > 1 else range(1):
            for k in range(j + 1, count) if size > 2 else range(1):
                entry = int(database.values[_place(database, ordered, i, j, k, size)])
                low = min(low, entry & _VALUE)
                high = max(high, entry & _VALUE)
                cost += (entry & _VALUE) + (entry >> 4)
    if low == _UNREACHED or (high == _UNREACHED and count == needed):
        return UNREACHABLE
    bound = low + needed - size
    if count == needed:
        bound = max(high, bound)
    return max(bound, (cost + 5) // 6) if count == needed == 4 else bound


@inlined
def lowering_moves(
    database: PatternDatabase, ordered: I64, count: int, needed: int, bound: int
) -> np.uint64:
    """Return the moves that can lower a bound: four bits of directions for each piece.

    Bits 4 i to 4 i + 3 are the directions of the puck on ``ordered[i]``; after those of all pucks
    come the directions in which another piece can help by hitting a puck. The bound rests on a set
    T if d(T) is the minimum, or, where all pucks are needed, if d(T) is the bound itself. One of
    the former must fall, unless one puck less is needed after the move, and each of the latter.
    If the bound rests on the costs of four triples, so many of these must fall as their sum is too
    large, each by 2 at most.

    Args:
        database: The tables.
        ordered: The spaces of the pucks in descending order.
        count: The number of pucks on the board, at most 15.
        needed: How many of them must come in, at least 1.
        bound: The result of `combined_bound`; not 0 or 255.
    """
    slots = np.uint64(0)  # bit 4 i for each puck i, and one more for other pieces
    for slot in range(count + 1):
        slots |= np.uint64(1) << np.uint64(4 * slot)
    some, every = np.uint64(0), slots * np.uint64(15)
    one = two = three = np.uint64(0)  # moves that lower the cost of so many triples
    size = min(needed, 3)
    lowest, low, cost = bound - (needed - size), _UNREACHED, 0
    for i in range(count):
        for j in range(i + 1, count) if size > 1 else range(1):
            for k in range(j + 1, count) if size > 2 else range(1):
                place = _place(database, ordered, i, j, k, size)
                entry = int(database.values[place])
                mask = np.uint64(database.filters[place])
                is_low = entry & _VALUE == lowest
                is_high = entry & _VALUE == bound and count == needed
                if is_low or is_high:
                    moves = _moves_of(mask, i, j, k, size, slots)
                    some |= moves if is_low else np.uint64(0)
                    every &= moves if is_high else every
                low = min(low, entry & _VALUE)
                if count == needed == 4:
                    cost += (entry & _VALUE) + (entry >> 4)
                    moves = _moves_of(mask >> np.uint64(_COST_BIT), i, j, k, size, slots)
                    three |= two & moves
                    two |= one & moves
                    one |= moves
    for i in range(count if needed > 3 else 0):
        place = _place(database, ordered, i, 0, 0, 1)
        if database.values[place] & _VALUE == 1:  # it may score, and leave fewer to bring in
            some |= _moves_of(np.uint64(database.filters[place]), i, 0, 0, 1, slots)
    too_much = cost - 6 * (bound - 1)
    if too_much > 0:
        every &= one if too_much <= 2 else two if too_much <= 4 else three
    return every & some if low == lowest else every


@inlined
def _place(database: PatternDatabase, ordered: I64, i: int, j: int, k: int, size: int) -> int:
    """Return the place of one, two or three of the ordered spaces in the tables."""
    choose = database.choose
    if size == 1:
        return int(choose[2, database.spaces] + ordered[i])
    if size == 2:
        return int(choose[2, ordered[i]] + ordered[j])
    return int(choose[3, ordered[i]] + choose[2, ordered[j]] + ordered[k])


@inlined
def _moves_of(mask: np.uint64, i: int, j: int, k: int, size: int, slots: np.uint64) -> np.uint64:
    """Return the moves that a filter's mask allows; see `lowering_moves`.

    The first puck of T to move must be one that can: the piece that sets out if it is in T,
    otherwise any puck of T that it hits.
    """
    mask = mask >> np.uint64(12 - 4 * size)  # pucks that are in come first
    first, second, third = mask & _WAYS, mask >> np.uint64(4) & _WAYS, mask >> np.uint64(8) & _WAYS
    if size < 3:
        third = np.uint64(0)
    if size < 2:
        second = np.uint64(0)
    moves = slots * (first | second | third)
    if size > 2:
        moves &= ~(_WAYS << np.uint64(4 * k))
    if size > 1:
        moves &= ~(_WAYS << np.uint64(4 * j))
    moves &= ~(_WAYS << np.uint64(4 * i))
    moves |= third << np.uint64(4 * k) | second << np.uint64(4 * j)
    return moves | first << np.uint64(4 * i)


def build_database(
    neighbours: U16,
    vacated: U8,
    *,
    triples: bool,
    go_on: Callable[[], bool] = lambda: True,
) -> PatternDatabase | None:
    """Build the tables of a layout and keep them nowhere; see `database_of`.

    Costs begin too large and are lowered to those of an action and of what is left after it, in
    sweeps over all sets, until none falls any more.
    """
    database = _empty(neighbours, triples=triples)
    draft = _draft_of(neighbours, vacated, triples=triples)
    pairs, rows = database.spaces + 1, len(draft.best)
    for cost, first_bit in ((1, 0), (2, _COST_BIT)):
        np.multiply(draft.best, cost, out=draft.best)
        np.minimum(draft.best, _FAR, out=draft.best)
        for end in (pairs, rows):
            lowered, with_filters = rows, False
            while lowered or not with_filters:
                with_filters = lowered < rows  # hardly any is left
                database.filters[:] &= np.uint32((1 << first_bit) - 1)
                lowered = row = 0
                while row < end:
                    if not go_on():
                        return None
                    begin, row = row, min(end, row + batch_size(_FEW_ROWS, _ROWS))
                    lowered += _lower_costs(
                        database, draft, cost, first_bit, with_filters, begin, row
                    )
    return database


@jitted
def _lower_costs(
    database: PatternDatabase,
    draft: _Draft,
    cost: int,
    first_bit: int,
    with_filters: bool,
    begin: int,
    end: int,
) -> int:
    """Lower the costs of some rows to those of an action and of what is left after it.

    Args:
        database: The tables.
        draft: The tables that are being built.
        cost: The cost of an action that moves one puck; one that moves more costs 1.
        first_bit: The first bit of the filters of this cost.
        with_filters: True to fill in values and filters; they are right if no cost falls any more.
        begin: The first row.
        end: One after the last row.

    Returns:
        The number of costs that fell.
    """
    lowered = 0
    for row in range(begin, end):
        y, z = draft.pucks[0, row], draft.pucks[1, row]
        if y == z and y < database.spaces:
            continue
        draft.ways[:] = 0
        for direction in range(4):
            lowered += _move_alone(database, draft, y, z, direction, cost)
            lowered += _hit(database, draft, y, z, y, z, direction)
            lowered += _hit(database, draft, y, z, z, y, direction)
        for space in range(database.spaces if with_filters else 0):
            place, slot = _set_of(database, y, z, space)
            ways = np.uint32(draft.ways[space]) << np.uint32(first_bit + 4 * slot)
            database.filters[place] |= ways
            found = int(draft.best[row, space])
            if slot == 2 and found < _FAR:
                value = min(found, _MOST) if first_bit == 0 else database.values[place] & _VALUE
                database.values[place] = value | min(found - value, _VALUE) << 4
    return lowered


@inlined
def _move_alone(
    database: PatternDatabase,
    draft: _Draft,
    y: np.uint16,
    z: np.uint16,
    direction: int,
    cost: int,
) -> int:
    """Lower the costs of a row by moves of the third puck alone; return how many fell."""
    here, least, order = draft.best[_row(database, y, z)], draft.least, draft.order[direction]
    lowered = 0
    for place in range(len(order)):
        x, there = order[place, 0], order[place, 1]
        found = min(here[there], least[there])
        if x in (y, z):
            found = np.uint8(_FAR)
        least[x] = found
        if found + cost < here[x]:
            _set_cost(database, draft.best, x, y, z, found + cost)
            lowered += 1
        draft.ways[x] |= np.uint8(found < here[x]) << np.uint8(direction)
    return lowered


@inlined
def _hit(
    database: PatternDatabase,
    draft: _Draft,
    y: np.uint16,
    z: np.uint16,
    hit: np.uint16,
    other: np.uint16,
    direction: int,
) -> int:
    """Lower the costs of a row by moves of the third puck that hit one; return how many fell."""
    here, ahead, inside = draft.best[_row(database, y, z)], draft.ahead, database.spaces
    lowered, found = 0, _FAR
    x = ahead[direction ^ 2, hit] if hit < inside else hit
    while x < inside and x != other and ahead[direction, hit] <= inside:
        if found + 1 < here[x]:
            _set_cost(database, draft.best, x, y, z, found + 1)
            lowered += 1
        draft.ways[x] |= np.uint8(found < here[x]) << np.uint8(direction)
        found = min(found, _cost_after_hit(database, draft, x, hit, other, direction))
        x = ahead[direction ^ 2, x]
    return lowered


@inlined
def _cost_after_hit(
    database: PatternDatabase,
    draft: _Draft,
    stop: np.uint16,
    hit: np.uint16,
    other: np.uint16,
    direction: int,
) -> int:
    """Return the least cost after a puck has stopped on a space and hit another, which moves on.

    If that one hits the last puck, both move on, or the last alone, as momentum passes through
    touching pucks by some rules.
    """
    best, ahead, inside = draft.best, draft.ahead, database.spaces
    found = _FAR
    row = best[_row(database, stop, other)]
    there = ahead[direction, hit]
    while there < inside and there != other:
        found = min(found, row[there])
        there = ahead[direction, there]
    if there == inside:
        return int(min(found, row[there]))
    if there != other:
        return found
    last = ahead[direction, other]
    while last <= inside:
        found = min(found, best[_row(database, stop, hit), last])
        there = ahead[direction, hit]
        while there != other:
            found = min(found, best[_row(database, stop, there), last])
            there = ahead[direction, there]
        last = ahead[direction, last] if last < inside else inside + 1
    return found


@inlined
def _row(database: PatternDatabase, x: np.uint16, y: np.uint16) -> int:
    """Return the row of two spaces."""
    return int(database.choose[2, max(x, y)] + min(x, y))


@inlined
def _set_cost(
    database: PatternDatabase, best: U8, x: np.uint16, y: np.uint16, z: np.uint16, cost: int
) -> None:
    """Set the cost of a set in its three rows, as far as they exist."""
    best[_row(database, y, z), x] = cost
    row = _row(database, x, z)
    if row < len(best):
        best[row, y] = cost
    row = _row(database, x, y)
    if row < len(best):
        best[row, z] = cost


@inlined
def _set_of(database: PatternDatabase, y: np.uint16, z: np.uint16, x: int) -> tuple[int, int]:
    """Return the place of a set of y >= z and x, and the number of x in it."""
    choose = database.choose
    if x > y:
        return choose[3, x] + choose[2, y] + z, 0
    if x > z:
        return choose[3, y] + choose[2, x] + z, 1
    return choose[3, y] + choose[2, z] + x, 2


def _draft_of(neighbours: U16, vacated: U8, *, triples: bool) -> _Draft:
    """Return tables in which only the cost of three pucks that are in is known."""
    spaces = len(vacated) - 2
    is_goal = vacated == GOAL
    ahead = np.full((4, spaces + 2), spaces + 1)
    ahead[:, :spaces] = np.where(neighbours == spaces, spaces + 1, neighbours)[:, :spaces]
    ahead[is_goal[ahead]] = spaces
    steps = np.zeros((4, spaces + 2), np.int64)  # to the end of each corridor
    for _ in range(spaces):
        steps = np.where(ahead < spaces, 1 + np.take_along_axis(steps, ahead, 1), 0)
    open_spaces = np.flatnonzero(~is_goal[:spaces])
    order = open_spaces[np.argsort(steps[:, open_spaces], axis=1, kind="stable")]
    first = np.stack([np.full(spaces + 1, spaces), np.arange(spaces + 1)])
    pucks = np.hstack([first, np.tril_indices(spaces)]) if triples else first
    best = np.full((pucks.shape[1], spaces + 2), _FAR, np.uint8)
    best[spaces, spaces] = 0
    return _Draft(
        best=best,
        pucks=pucks.astype(np.uint16),
        ahead=ahead.astype(np.uint16),
        order=np.stack([order, np.take_along_axis(ahead, order, 1)], axis=2).astype(np.uint16),
        least=np.full(spaces + 2, _FAR, np.uint8),
        ways=np.zeros(spaces, np.uint8),
    )


def _lanes_of(neighbours: U16) -> I32:
    """Return the corridor of each space and its place in it; see `PatternDatabase`."""
    spaces = neighbours.shape[1] - 2
    lanes = np.full((2, spaces + 2), -1, np.int32)
    for axis in range(2):
        number = 0
        for space in range(spaces):
            if neighbours[axis ^ 2, space] != spaces:  # not the first of its corridor
                continue
            there, place = space, _FIRST_PLACE
            while there != spaces:
                lanes[axis, there] = (number << LANE_BIT) + place
                there, place = int(neighbours[axis, there]), place + 1
            number += 1
        lanes[axis, spaces + 1] = (number + 1) << LANE_BIT  # scored pucks
    return lanes


def _has_triples(database: PatternDatabase) -> bool:
    return len(database.values) > int(database.choose[3, 0] + database.choose[2, 0])


def _key(neighbours: U16, vacated: U8) -> str:
    """Return what the tables of a layout are known by."""
    return hashlib.sha256(_VERSION + neighbours.tobytes() + vacated.tobytes()).hexdigest()


def _path(key: str) -> Path:
    return user_folder() / f"patterns-{key[:24]}.gz"


def _read(key: str, neighbours: U16) -> PatternDatabase | None:
    """Return a database from disk; None if there is none, with a warning if it is damaged."""
    try:
        path = _path(key)
        if not path.exists():
            return None
    except (OSError, RuntimeError):
        return None
    known = _empty(neighbours, triples=True)
    with suppress(EOFError, OSError, zlib.error), gzip.open(path) as file:
        is_whole = file.read(len(key)) == key.encode()
        for table in (known.values, known.filters):
            for part in np.array_split(table.view(np.uint8), -(-table.nbytes // _READ_BYTES)):
                is_whole &= file.readinto(part.data) == len(part)
        if is_whole and not file.read(1):
            return known
    said = f"{path.name}, a pattern database, is damaged; it is built anew"
    warnings.warn(said, CacheWarning, stacklevel=2)
    return None


def _empty(neighbours: U16, *, triples: bool) -> PatternDatabase:
    """Return tables in which no set has a value yet."""
    spaces = neighbours.shape[1] - 2
    numbers = np.arange(spaces + 1, dtype=np.int64)
    choose = np.zeros((4, spaces + 1), np.int64)
    choose[2] = numbers * (numbers + 1) // 2
    sets, triples_of = int(choose[2, -1]) + spaces + 1, choose[2] * (numbers + 2) // 3
    choose[3] = choose[2, -1] + triples_of
    choose[2] += spaces + 1
    choose[2:, -1] = 0
    sets += int(triples_of[-1]) if triples else 0
    values = np.full(sets, _UNREACHED, np.uint8)
    values[spaces] = 0  # all are in
    return PatternDatabase(
        spaces=spaces,
        values=values,
        filters=np.zeros(sets, np.uint32),
        choose=choose,
        lanes=_lanes_of(neighbours),
    )


def _write(key: str, database: PatternDatabase) -> None:
    """Keep a database on disk, and delete the oldest beyond the limit; do nothing if that fails."""
    data = io.BytesIO()
    with gzip.GzipFile(fileobj=data, mode="wb", compresslevel=_GZIP_LEVEL, mtime=0) as packed:
        for part in (key.encode(), database.values.data, database.filters.data):
            packed.write(part)
    try:
        path = _path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data.getvalue())
        files = sorted(path.parent.glob("patterns-*"), key=lambda file: -file.stat().st_mtime)
        total = 0
        for file in files:
            total += file.stat().st_size
            if total > FOLDER_MB * 1e6:
                file.unlink(missing_ok=True)
    except (OSError, RuntimeError):
        return
