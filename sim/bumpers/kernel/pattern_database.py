"""Pattern databases: exact solutions of a relaxed game for all pairs and triples of pucks.

The relaxed game has the walls of a layout and two or three pucks of the goal, no more. In an action
one puck moves any number of spaces, at least one, along an open corridor up to the next puck,
or into a goal. Pucks further along the corridor may move on in the same action, as in a chain. The
number of actions that bring all of them in is stored for every pair and triple of spaces.

**The bound is admissible.** Let T be two or three pucks of the goal, and look only at them while a
real game is played without mat moves:

1. A real action moves pieces along one corridor in one direction. A puck moves only by sliding: it
   sets out itself, is bumped, or is hit by a sliding piece. It stops before the next piece on its
   way, or in the first goal on it. So each puck of T that moves stops somewhere in its corridor
   before the next puck of T, or in a goal, and those that move after the first are ahead of it. The
   relaxed game has this action, or the action changes nothing in T.
2. Hence a real solution that brings all of T in, seen on T alone, is a relaxed solution that is not
   longer: the database value d(T) is at most its length.
3. An action scores at most one puck, the last of a chain, for a puck in a goal hits nothing. If
   k > 3 pucks must come in, the last k - 3 do so one after another once three are in. So at
   least min d(T) + k - 3 actions are needed, and max d(T) if it is known which k come in.
4. If more pucks could come in than must, the smallest bound over the choices holds, so only the
   minimum over T is used.

An entry also stores, for each puck of T and each direction, if an action in which that puck is
the first of T to move can lower the value: the filter of the move generation.

`database_of` finds or builds the tables; `combined_bound` and `lowering_moves` read them.
"""

import hashlib
import struct
import warnings
import zlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.compiling import CacheWarning, batch_size, inlined, jitted, user_folder
from sim.bumpers.kernel.arrays import I32, I64, U8, U16
from sim.bumpers.kernel.position import GOAL
from sim.core.files import write_whole

PAIR_SPACES = 1024
"""Layouts with more spaces have no database; 1024 spaces take 1 MB of pairs."""

TRIPLE_SPACES = 320
"""Layouts with more spaces have pairs only; 320 spaces take 11 MB of triples, 256 take 5.5 MB."""

FOLDER_MB = 64.0
"""Databases on disk; the oldest are deleted beyond it."""

LANE_BIT = 9
"""The first bit of the number of a corridor; a board has at most 144 spaces in a row."""

_FIRST_PLACE = 4
_UNREACHED = 15
"""Value of a pair or triple that cannot come in; larger values than 14 are refused."""

_VALUE = 15
_MASK_BIT = 4
_IN_MEMORY = 4  # databases kept by a process
_MAGIC = b"pucklab pattern database 1\n"
_HEADER = struct.Struct("<32sIII")  # layout, entries of pairs and triples, checksum
_FEW_ROWS, _ROWS = 1, 8  # of the first puck's spaces filled at a time: interpreted, compiled


class PatternDatabase(NamedTuple):
    """The tables of one layout. Spaces of a pair or triple are in descending order.

    Bits 0 to 3 of an entry are its value in actions, 15 if the pucks cannot come in. Bit
    ``4 + 4 * i + direction`` is set if an action in a direction, first of these pucks by number i,
    can lower the value.

    Attributes:
        spaces: The number of spaces.
        singles: ``singles[a]``.
        pairs: ``pairs[C(a, 2) + b]``.
        triples: ``triples[C(a, 3) + C(b, 2) + c]``; empty if not built.
        choose: ``choose[k, a]``: the binomial coefficient C(a, k), for k of 2 and 3.
        lanes: ``lanes[axis, space]``: number of the corridor in the bits from `LANE_BIT` on, and
            place in it, from 4 and growing north (axis 0) or east (axis 1); -1 for the wall.
    """

    spaces: int
    singles: U16
    pairs: U16
    triples: U16
    choose: I64
    lanes: I32


class _Rays(NamedTuple):
    """The corridors ahead of each space.

    Attributes:
        length: ``length[direction, space]``: spaces ahead up to a wall or the first goal.
        stops: ``stops[direction, space, i]``: those spaces; the number of spaces for a goal.
    """

    length: I64
    stops: U16


def no_database() -> PatternDatabase:
    """Return tables without entries, for searches that do not use them."""
    nothing = np.zeros(0, np.uint16)
    return PatternDatabase(
        spaces=0,
        singles=nothing,
        pairs=nothing,
        triples=nothing,
        choose=np.zeros((4, 0), np.int64),
        lanes=np.zeros((2, 0), np.int32),
    )


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
        The tables, or None if the layout is too large, some distance is beyond 14 actions, or
        building was stopped.
    """
    spaces = len(vacated) - 2
    if spaces > (TRIPLE_SPACES if triples else PAIR_SPACES):
        return None
    key = hashlib.sha256(neighbours.tobytes() + vacated.tobytes()).digest()
    known = _in_memory.get(key)
    if known is None:
        known = _read(key, neighbours, vacated)
    if known is None or (triples and len(known.triples) == 0):
        built = build_database(neighbours, vacated, triples=triples, go_on=go_on)
        if built is None:
            return None
        known = built
        if triples:  # pairs are built as fast as they are read
            _write(key, known)
    _in_memory[key] = known
    _in_memory.move_to_end(key)
    while len(_in_memory) > _IN_MEMORY:
        _in_memory.popitem(last=False)
    return known


def database_mb(spaces: int, *, triples: bool) -> float:
    """Return the size of the database of a layout in MB."""
    entries = spaces * (spaces - 1) // 2
    if triples:
        entries += entries * (spaces - 2) // 3
    return 2 * entries / 1e6


def is_stored(neighbours: U16, vacated: U8) -> bool:
    """Return whether the triples of a layout need not be built."""
    key = hashlib.sha256(neighbours.tobytes() + vacated.tobytes()).digest()
    if key in _in_memory:
        return len(_in_memory[key].triples) > 0
    try:
        return _path(key).exists()
    except RuntimeError:  # no folder for files
        return False


_in_memory: OrderedDict[bytes, PatternDatabase] = OrderedDict()


@inlined
def combined_bound(database: PatternDatabase, ordered: I64, count: int, needed: int) -> int:
    """Return a lower bound of the actions to bring in ``needed`` of ``count`` pucks; 15 for never.

    Args:
        database: The tables.
        ordered: The spaces of the pucks in descending order.
        count: The number of pucks on the board.
        needed: How many of them must come in, at least 1.
    """
    low, high = _UNREACHED, 0
    for i in range(count):
        if needed == 1:
            low = min(low, int(database.singles[ordered[i]]) & _VALUE)
            continue
        for j in range(i + 1, count):
            pair = database.choose[2, ordered[i]] + ordered[j]
            if needed == 2:
                low = min(low, int(database.pairs[pair]) & _VALUE)
                continue
            base = database.choose[3, ordered[i]] + database.choose[2, ordered[j]]
            for k in range(j + 1, count):
                value = int(database.triples[base + ordered[k]]) & _VALUE
                low = min(low, value)
                high = max(high, value)
    if low == _UNREACHED or needed <= 2:
        return low
    if count > needed:
        return low + needed - 3
    return _UNREACHED if high == _UNREACHED else max(high, low + needed - 3)


@inlined
def lowering_moves(
    database: PatternDatabase, ordered: I64, count: int, needed: int, bound: int
) -> np.uint64:
    """Return the moves that can lower a bound: four bits of directions for each piece.

    Bits 4 i to 4 i + 3 are the directions of the puck on ``ordered[i]``; after those of all pucks
    come the directions in which another piece can help by hitting a puck. The bound rests on a set
    T if d(T) is the minimum, or, where all pucks are needed, if d(T) is the bound itself. One of
    the former must fall, unless one puck less is needed after the move, and each of the latter.

    Args:
        database: The tables.
        ordered: The spaces of the pucks in descending order.
        count: The number of pucks on the board, at most 15.
        needed: How many of them must come in, at least 1.
        bound: The result of `combined_bound`; 1 to 14.
    """
    slots = np.uint64(0)  # bit 4 i for each puck i, and one more for other pieces
    for slot in range(count + 1):
        slots |= np.uint64(1) << np.uint64(4 * slot)
    some, every = np.uint64(0), slots * np.uint64(15)
    size = min(needed, 3)
    lowest, low = bound - (needed - size), _UNREACHED
    for i in range(count):
        for j in range(i + 1, count) if size > 1 else range(1):
            for k in range(j + 1, count) if size > 2 else range(1):
                entry = _entry(database, ordered, i, j, k, size)
                is_low = entry & _VALUE == lowest
                is_high = entry & _VALUE == bound and count == needed
                moves = _lowering_entry(entry, i, j, k, size, slots) if is_low or is_high else every
                some |= moves if is_low else np.uint64(0)
                every &= moves if is_high else every
                low = min(low, entry & _VALUE)
    for i in range(count if needed > 3 else 0):
        entry = int(database.singles[ordered[i]])
        if entry & _VALUE == 1:  # it may score, and leave a smaller number to bring in
            some |= _lowering_entry(entry, i, 0, 0, 1, slots)
    return every & some if low == lowest else every


@inlined
def _entry(database: PatternDatabase, ordered: I64, i: int, j: int, k: int, size: int) -> int:
    """Return the entry of one, two or three of the ordered spaces."""
    if size == 1:
        return int(database.singles[ordered[i]])
    index = database.choose[size, ordered[i]]
    if size == 2:
        return int(database.pairs[index + ordered[j]])
    return int(database.triples[index + database.choose[2, ordered[j]] + ordered[k]])


@inlined
def _lowering_entry(entry: int, i: int, j: int, k: int, size: int, slots: np.uint64) -> np.uint64:
    """Return the moves that can lower one entry; see `lowering_moves`.

    The first puck of T to move must be able to lower d(T): the piece that sets out if it is in T,
    otherwise any puck of T that it hits. Masks beyond the size of T are 0.
    """
    first, second, third = entry >> 4 & 15, entry >> 8 & 15, entry >> 12 & 15
    moves = slots * np.uint64(first | second | third)
    if size > 2:
        moves &= ~(np.uint64(15) << np.uint64(4 * k))
    if size > 1:
        moves &= ~(np.uint64(15) << np.uint64(4 * j))
    moves &= ~(np.uint64(15) << np.uint64(4 * i))
    moves |= np.uint64(third) << np.uint64(4 * k) | np.uint64(second) << np.uint64(4 * j)
    return moves | np.uint64(first) << np.uint64(4 * i)


def build_database(
    neighbours: U16,
    vacated: U8,
    *,
    triples: bool,
    go_on: Callable[[], bool] = lambda: True,
) -> PatternDatabase | None:
    """Build the tables of a layout level by level and keep them nowhere; see `database_of`."""
    spaces = len(vacated) - 2
    rays = _rays_of(neighbours, vacated)
    database = _empty(neighbours, triples=triples)
    if not _fill_singles(database, rays, vacated):
        return None
    for fill in (fill_pairs, fill_triples) if triples else (fill_pairs,):
        # A level without entries may precede one with some only while smaller sets have levels.
        below = database.singles if fill is fill_pairs else database.pairs
        values = below & _VALUE
        last = int(values[values < _UNREACHED].max(initial=0)) + 1
        for level in range(1, _UNREACHED + 1):
            added = row = 0
            while row < spaces:
                if not go_on():
                    return None
                end = min(spaces, row + batch_size(_FEW_ROWS, _ROWS))
                added += fill(database, rays, level, row, end)
                row = end
            if added and level == _UNREACHED:
                return None
            if not added and level > last:
                break
    return database


def _fill_singles(database: PatternDatabase, rays: _Rays, vacated: U8) -> bool:
    """Fill in the values of single pucks; return False if some are beyond 14."""
    spaces, singles = database.spaces, database.singles
    for level in range(1, _UNREACHED + 1):
        found = []
        for space in range(spaces):
            if singles[space] != _UNREACHED or vacated[space] == GOAL:
                continue
            mask = 0
            for direction in range(4):
                stops = rays.stops[direction, space, : rays.length[direction, space]]
                values = [0 if stop == spaces else int(singles[stop]) & _VALUE for stop in stops]
                mask |= (level - 1 in values) << direction
            if mask:
                found.append((space, level | mask << _MASK_BIT))
        if not found or level == _UNREACHED:
            return not found
        for space, entry in found:
            singles[space] = entry
    return True


@jitted
def fill_pairs(database: PatternDatabase, rays: _Rays, level: int, begin: int, end: int) -> int:
    """Fill in the pairs of a value whose larger space is from ``begin`` to ``end``.

    Returns:
        The number of pairs filled in.
    """
    added = 0
    for a in range(begin, end):
        for b in range(a):
            index = database.choose[2, a] + b
            one, two = int(database.singles[a]) & _VALUE, int(database.singles[b]) & _VALUE
            if database.pairs[index] != _UNREACHED or max(one, two) == _UNREACHED:
                continue
            # The last of two to come in does so at least one action after the other.
            if max(one, two, min(one, two) + 1) > level:
                continue
            mask = 0
            for slot in range(2):
                x, y = (a, b) if slot == 0 else (b, a)
                for direction in range(4):
                    if _pair_falls(database, rays, x, y, direction, level):
                        mask |= 1 << 4 * slot + direction
            if mask:
                database.pairs[index] = level | mask << _MASK_BIT
                added += 1
    return added


@inlined
def _pair_falls(
    database: PatternDatabase, rays: _Rays, x: int, y: int, direction: int, level: int
) -> bool:
    """Return whether puck x, moving first, can bring a pair below a value."""
    goal = database.spaces
    for i in range(rays.length[direction, x]):
        r = np.int64(rays.stops[direction, x, i])
        if r == y:
            # x stops anywhere before y, and y moves on.
            for k in range(rays.length[direction, y] if i > 0 else 0):
                t = np.int64(rays.stops[direction, y, k])
                for u in range(i):
                    s = np.int64(rays.stops[direction, x, u])
                    if _pair_value(database, s, t, goal) < level:
                        return True
            return False
        if _pair_value(database, r, np.int64(y), goal) < level:
            return True
    return False


@inlined
def _pair_value(database: PatternDatabase, x: np.int64, y: np.int64, goal: int) -> int:
    """Return the value of two pucks, of which at most one is in the goal."""
    if x == goal:
        return int(database.singles[y]) & _VALUE
    if y == goal:
        return int(database.singles[x]) & _VALUE
    return int(database.pairs[database.choose[2, max(x, y)] + min(x, y)]) & _VALUE


@jitted
def fill_triples(database: PatternDatabase, rays: _Rays, level: int, begin: int, end: int) -> int:
    """Fill in the triples of a value whose largest space is from ``begin`` to ``end``."""
    added = 0
    for a in range(begin, end):
        for b in range(a):
            ab = int(database.pairs[database.choose[2, a] + b]) & _VALUE
            if ab > level:
                continue
            for c in range(b):
                index = database.choose[3, a] + database.choose[2, b] + c
                ac = int(database.pairs[database.choose[2, a] + c]) & _VALUE
                bc = int(database.pairs[database.choose[2, b] + c]) & _VALUE
                # One comes in last, at least one action after the other two.
                least = max(ab, ac, bc, min(ab, ac, bc) + 1)
                is_known = database.triples[index] != _UNREACHED
                if is_known or least > level or least == _UNREACHED:
                    continue
                mask = _triple_mask(database, rays, a, b, c, level)
                if mask:
                    database.triples[index] = level | mask << _MASK_BIT
                    added += 1
    return added


@inlined
def _triple_mask(database: PatternDatabase, rays: _Rays, a: int, b: int, c: int, level: int) -> int:
    """Return the moves that bring a triple below a value, as bits of its entry."""
    mask = 0
    for slot in range(3):
        x, y, z = a, b, c
        if slot == 1:
            x, y, z = b, a, c
        if slot == 2:
            x, y, z = c, a, b
        for direction in range(4):
            if _triple_falls(database, rays, x, y, z, direction, level):
                mask |= 1 << 4 * slot + direction
    return mask


@inlined
def _triple_falls(
    database: PatternDatabase, rays: _Rays, x: int, y: int, z: int, direction: int, level: int
) -> bool:
    """Return whether puck x, moving first, can bring a triple below a value."""
    goal = database.spaces
    for i in range(rays.length[direction, x]):
        r = np.int64(rays.stops[direction, x, i])
        if r in (y, z):
            if i == 0:
                return False
            hit, other = (y, z) if r == y else (z, y)
            return _chain_falls(database, rays, x, i, hit, other, direction, level)
        if _triple_value(database, r, np.int64(y), np.int64(z), goal) < level:
            return True
    return False


@inlined
def _chain_falls(
    database: PatternDatabase,
    rays: _Rays,
    x: int,
    room: int,
    y: int,
    z: int,
    direction: int,
    level: int,
) -> bool:
    """Return whether x, stopping on one of ``room`` spaces before y, and those ahead of it can.

    Either y moves; or y and then z, which is ahead of it; or z alone, as momentum passes through
    touching pucks by some rules.
    """
    goal = database.spaces
    for k in range(rays.length[direction, y]):
        t = np.int64(rays.stops[direction, y, k])
        for u in range(room):
            s = np.int64(rays.stops[direction, x, u])
            if t != z:
                if _triple_value(database, s, t, np.int64(z), goal) < level:
                    return True
                continue
            for e in range(rays.length[direction, z]):
                v = np.int64(rays.stops[direction, z, e])
                if _triple_value(database, s, np.int64(y), v, goal) < level:
                    return True
                for w in range(k):
                    t2 = np.int64(rays.stops[direction, y, w])
                    if _triple_value(database, s, t2, v, goal) < level:
                        return True
        if t == z:
            return False
    return False


@inlined
def _triple_value(
    database: PatternDatabase, x: np.int64, y: np.int64, z: np.int64, goal: int
) -> int:
    """Return the value of three pucks, of which at most one is in the goal."""
    a, b = max(x, y), min(x, y)
    if z > a:
        first, second, third = z, a, b
    elif z > b:
        first, second, third = a, z, b
    else:
        first, second, third = a, b, z
    if first == goal:  # its number is larger than that of any space
        return int(database.pairs[database.choose[2, second] + third]) & _VALUE
    index = database.choose[3, first] + database.choose[2, second] + third
    return int(database.triples[index]) & _VALUE


def _rays_of(neighbours: U16, vacated: U8) -> _Rays:
    """Return the corridors ahead of each space."""
    spaces = len(vacated) - 2
    found = {}
    for direction in range(4):
        for space in range(spaces):
            stops = []
            there = int(neighbours[direction, space])
            while there != spaces:
                is_goal = vacated[there] == GOAL
                stops.append(spaces if is_goal else there)
                there = spaces if is_goal else int(neighbours[direction, there])
            found[direction, space] = stops
    length = np.zeros((4, spaces), np.int64)
    rays = np.zeros((4, spaces, max(1, *map(len, found.values()))), np.uint16)
    for (direction, space), stops in found.items():
        length[direction, space] = len(stops)
        rays[direction, space, : len(stops)] = stops
    return _Rays(length=length, stops=rays)


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


def _path(key: bytes) -> Path:
    return user_folder() / f"patterns-{key.hex()[:24]}.bin"


def _read(key: bytes, neighbours: U16, vacated: U8) -> PatternDatabase | None:
    """Return a database from disk; None if there is none of use, with a warning if a file is not.

    A file of no use is damaged, or of another version or layout.
    """
    try:
        path = _path(key)
        data = path.read_bytes()
    except (OSError, RuntimeError):
        return None
    found = _parsed(data, key, neighbours, vacated)
    if found is None:
        text = (
            f"{path.name}, a pattern database, is damaged or of another version; it is built anew"
        )
        warnings.warn(text, CacheWarning, stacklevel=2)
    return found


def _parsed(data: bytes, key: bytes, neighbours: U16, vacated: U8) -> PatternDatabase | None:
    """Return the database of a layout from the bytes of a file; None if they are not one."""
    head = len(_MAGIC) + _HEADER.size
    if len(data) < head or not data.startswith(_MAGIC):
        return None
    stored, pairs, triples, checksum = _HEADER.unpack_from(data, len(_MAGIC))
    spaces = len(vacated) - 2
    expected = spaces * (spaces - 1) // 2, spaces * (spaces - 1) * (spaces - 2) // 6
    if (
        stored != key
        or (pairs, triples) != expected
        or len(data) != head + 2 * (spaces + pairs + triples)
    ):
        return None
    if zlib.crc32(memoryview(data)[head:]) != checksum:
        return None
    entries = np.frombuffer(data, np.uint16, offset=head).copy()
    return _empty(neighbours, triples=False)._replace(
        singles=entries[:spaces],
        pairs=entries[spaces : spaces + pairs],
        triples=entries[spaces + pairs :],
    )


def _empty(neighbours: U16, *, triples: bool) -> PatternDatabase:
    """Return tables in which no pair or triple has a value yet."""
    spaces = neighbours.shape[1] - 2
    numbers = np.arange(spaces + 1, dtype=np.int64)
    choose = np.zeros((4, spaces + 1), np.int64)
    choose[2] = numbers * (numbers - 1) // 2
    choose[3] = choose[2] * (numbers - 2) // 3
    return PatternDatabase(
        spaces=spaces,
        singles=np.full(spaces, _UNREACHED, np.uint16),
        pairs=np.full(int(choose[2, -1]), _UNREACHED, np.uint16),
        triples=np.full(int(choose[3, -1]) if triples else 0, _UNREACHED, np.uint16),
        choose=choose,
        lanes=_lanes_of(neighbours),
    )


def _write(key: bytes, database: PatternDatabase) -> None:
    """Keep a database on disk, and delete the oldest beyond the limit; do nothing if that fails."""
    tables = (database.singles, database.pairs, database.triples)
    body = b"".join(table.tobytes() for table in tables)
    header = _HEADER.pack(key, len(database.pairs), len(database.triples), zlib.crc32(body))
    try:
        path = _path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, _MAGIC + header + body)
        files = sorted(path.parent.glob("patterns-*.bin"), key=lambda file: -file.stat().st_mtime)
        total = 0
        for file in files:
            total += file.stat().st_size
            if total > FOLDER_MB * 1e6:
                file.unlink(missing_ok=True)
    except (OSError, RuntimeError):
        return
