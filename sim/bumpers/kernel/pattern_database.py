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
   more pucks must come in than a table's sets have, the others follow one after another once a
   set is in. So of k pucks at least min d(T) + k - 3 actions are needed by triples, one more than
   min d(T) + k - 2 by pairs, and max d(T) if it is known which k come in.
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

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np

from pucklab.base.kernels import inlined, kernel
from pucklab.sim.bumpers.kernel.arrays import I32, I64, U8, U16, U32, U64
from pucklab.sim.bumpers.kernel.position import GOAL

PAIRS, TRIPLES = 2, 3
"""Pucks of the largest sets of a database."""

NAMES = {PAIRS: "pairs", TRIPLES: "triples"}

MOST_SPACES = {PAIRS: 1024, TRIPLES: 320}
"""Layouts on which pucks can stand on more spaces have no such database: it would take too much
memory while it is built, 60 MB of pairs or 64 MB of triples."""

LANE_BIT = 9
"""The first bit of the number of a corridor; a board has at most 144 spaces in a row."""

_FIRST_PLACE = 4
_MOST, _UNREACHED = 14, 15
"""Stored values of sets that come in after so many actions or more, and of those that never do."""

UNREACHABLE = 255
"""Distance of a piece, and lower bound of a position, from which the goal can never be reached."""

_VALUE = 15
_COST_BIT = 12  # the first bit of a filter's mask for costs
_WAYS = np.uint64(15)
_NONE, _ONE = np.uint64(0), np.uint64(1)
_IN_MEMORY = 4  # databases kept by a process


class PatternDatabase(NamedTuple):
    """The tables of one layout.

    Spaces on which a puck can stop are numbered from 0 in their order; all others, which a puck
    can neither leave nor reach, share the next number, and pucks that are in, or not asked for,
    have the one after it. A set is three of these in descending order: that of a >= b >= c is entry
    ``choose[3, a] + choose[2, b] + c``.

    Attributes:
        size: Pucks of the largest sets: `PAIRS` or `TRIPLES`, or 0 for tables that are not used.
        scored: The number of pucks that are in.
        number: ``number[row, space]``: the number of each space, the same in both rows that a goal
            of pucks has.
        values: d(T) in bits 0 to 3, at most 14, or 15 if the pucks cannot come in; in the bits
            above, h(T) - d(T), at most 15. Values that are too small are still admissible.
        filters: Bit ``4 * i + direction`` is set if an action in a direction, first of T by its
            puck i, can lower d(T), and bit ``12 + 4 * i + direction`` if it can lower h(T).
        choose: Places of sets by their first and second numbers, as above.
        lanes: ``lanes[axis, space]``: number of the corridor in the bits from `LANE_BIT` on, and
            place in it, from 4 and growing north (axis 0) or east (axis 1); -1 for the wall.
    """

    size: int
    scored: int
    number: U16
    values: U8
    filters: U32
    choose: I64
    lanes: I32


class _Draft(NamedTuple):
    """Sets of bits from which tables are built.

    ``known[x, y * width + w]`` has a bit for each set of x, y and z: bit ``scored - z`` of the
    ``width`` words of y. So the sets with z in, and pairs have no others, come first.

    Attributes:
        bits: Bits for all z: ``scored + 1``, or 1 for pairs only.
        known: The sets whose cost is less than the one looked for.
        earlier: The sets from which an action of one puck costs it.
        found: The known sets, and those that cost it.
        ways: ``ways[direction, x]``: the sets whose cost an action can lower, first of them by x.
        ahead: ``ahead[direction, x]``: the next number; that of pucks that are in for a goal, and
            the one after it for the wall.
        order: ``order[direction]``: numbers of spaces by corridors, those ahead first.
        rays: ``rays[direction, x]``: the bits of all z ahead of x, for triples.
        seen: Scratch array: sets that x can lead to by moving alone.
        hits: Scratch arrays of `_mark_hits`.
    """

    bits: int
    known: U64
    earlier: U64
    found: U64
    ways: U64
    ahead: I64
    order: I64
    rays: U64
    seen: U64
    hits: U64


@lru_cache(maxsize=1)
def no_database() -> PatternDatabase:
    """Return tables without entries, for searches that do not use them."""
    return _empty(np.zeros((4, 2), np.uint16), np.zeros(2, np.uint8), 0)


def database_of(
    neighbours: U16,
    vacated: U8,
    size: int,
    go_on: Callable[[], bool] = lambda: True,
) -> PatternDatabase | None:
    """Return the database of a layout from memory, or build and keep it.

    Args:
        neighbours: ``neighbours[direction, space]``, with the wall and the scored space at the end.
        vacated: Code of each space without pieces.
        size: `PAIRS`, or `TRIPLES` for pairs and triples.
        go_on: Asked every few milliseconds while tables are built; if False, building stops.

    Returns:
        The tables, or None if building was stopped.
    """
    key = neighbours.tobytes(), vacated.tobytes()
    known = _in_memory.get(key)
    if known is None or known.size < size:
        known = build_database(neighbours, vacated, size, go_on)
        if known is None:
            return None
    with _lock:  # a thread may build triples while another one searches with pairs
        _in_memory[key] = known
        _in_memory.move_to_end(key)
        while len(_in_memory) > _IN_MEMORY:
            _in_memory.popitem(last=False)
    return known._replace(size=size)  # pairs come first in the tables of triples


def is_kept(neighbours: U16, vacated: U8, size: int) -> bool:
    """Return whether the database of a layout is in memory."""
    known = _in_memory.get((neighbours.tobytes(), vacated.tobytes()))
    return known is not None and known.size >= size


_lock = Lock()
_in_memory: OrderedDict[tuple[bytes, bytes], PatternDatabase] = OrderedDict()


@inlined
def combined_bound(database: PatternDatabase, ordered: I64, count: int, needed: int) -> int:
    """Return a lower bound of the actions to bring in ``needed`` of ``count`` pucks; 255 for never.

    Args:
        database: The tables.
        ordered: The numbers of the pucks' spaces in descending order.
        count: The number of pucks on the board.
        needed: Number of them that must come in, at least 1.
    """
    size = min(needed, database.size)
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
    return max(bound, (cost + 5) // 6) if count == needed == size + 1 == 4 else bound


@inlined
def lowering_moves(
    database: PatternDatabase, ordered: I64, count: int, needed: int, bound: int
) -> np.uint64:
    """Return the moves that can lower a bound: four bits of directions for each piece.

    Bits 4 i to 4 i + 3 are the directions of the puck on ``ordered[i]``; after those of all pucks
    come the directions in which another piece can help by hitting a puck. The bound rests on a set
    T if d(T) is the minimum, or, where all pucks are needed, if d(T) is the bound itself. Of the
    minimal sets one must fall, unless the move brings in a puck; of the sets that equal the bound,
    each. If the bound rests on the costs of four triples, enough of them must fall, each by at most
    2.

    Args:
        database: The tables.
        ordered: The numbers of the pucks' spaces in descending order.
        count: The number of pucks on the board, at most 15.
        needed: Number of them that must come in, at least 1.
        bound: The result of `combined_bound`; not 0 or 255.
    """
    slots = np.uint64(0)  # bit 4 i for each puck i, and one more for other pieces
    for slot in range(count + 1):
        slots |= _ONE << np.uint64(4 * slot)
    some, every = np.uint64(0), slots * np.uint64(15)
    one = two = three = np.uint64(0)  # moves that lower the cost of so many triples
    size = min(needed, database.size)
    has_costs = count == needed == size + 1 == 4
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
                if has_costs:
                    cost += (entry & _VALUE) + (entry >> 4)
                    moves = _moves_of(mask >> np.uint64(_COST_BIT), i, j, k, size, slots)
                    three |= two & moves
                    two |= one & moves
                    one |= moves
    for i in range(count if needed > size else 0):
        place = _place(database, ordered, i, 0, 0, 1)
        if database.values[place] & _VALUE == 1:  # it may score, and leave fewer to bring in
            some |= _moves_of(np.uint64(database.filters[place]), i, 0, 0, 1, slots)
    too_much = cost - 6 * (bound - 1)
    if too_much > 0:
        every &= one if too_much <= 2 else two if too_much <= 4 else three
    return every & some if low == lowest else every


@inlined
def _place(database: PatternDatabase, ordered: I64, i: int, j: int, k: int, size: int) -> int:
    """Return the place of one, two or three of the ordered numbers in the tables."""
    choose = database.choose
    if size == 1:
        return int(ordered[i])
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


def database_mb(spaces: int, size: int) -> float:
    """Return an upper bound of the memory that building a database takes, in MB."""
    words = 1 if size == PAIRS else spaces // 64 + 1
    return (56 * words * (spaces + 1) ** 2 + 5 * count_sets(spaces, size)) / 1e6


def count_sets(spaces: int, size: int) -> int:
    """Return the number of sets of a database with at most ``spaces`` numbered spaces."""
    pairs = (spaces + 1) * (spaces + 2) // 2
    return pairs if size == PAIRS else pairs + spaces * (spaces + 1) * (spaces + 2) // 6


def build_database(
    neighbours: U16,
    vacated: U8,
    size: int,
    go_on: Callable[[], bool] = lambda: True,
) -> PatternDatabase | None:
    """Build the tables of a layout without keeping them; see `database_of`.

    Sets are found by rising cost, all of one cost at a time, from those of which all pucks are in:
    first the moves that lead to known sets are marked, by bits for all sets of two pucks at once,
    then sets with such a move are recorded. At the end these moves become filters.
    """
    database = _empty(neighbours, vacated, size)
    for cost, first_bit in ((1, 0), (2, _COST_BIT)):  # of an action that moves one puck
        draft = _draft_of(database, neighbours, cost)
        level = idle = 0
        while idle < cost:
            if not go_on():
                return None
            level += 1
            idle = 0 if _find_sets(database, draft, level, first_bit) else idle + 1
            if cost > 1:
                draft.earlier[:] = draft.known
            draft.known[:] = draft.found
        fill_filters(database, draft, first_bit)
        del draft  # before the next one takes as much memory
    return database


@lru_cache(maxsize=1)
def _helper() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1)


def _find_sets(database: PatternDatabase, draft: _Draft, level: int, first_bit: int) -> int:
    """Find and record the sets of a cost; return their number.

    Two threads mark the ways of two directions each, of triples.
    """
    if draft.bits == 1:
        mark_ways(draft, 0, 4)
        return record_sets(database, draft, level, first_bit)
    own = draft._replace(seen=np.zeros_like(draft.seen), hits=np.zeros_like(draft.hits))
    other = _helper().submit(mark_ways, own, 2, 4)
    mark_ways(draft, 0, 2)
    other.result()
    return record_sets(database, draft, level, first_bit)


@kernel
def mark_ways(draft: _Draft, first: int, end: int) -> int:
    """Mark the ways in some directions, from ``first`` to before ``end``, to sets known."""
    _mark_slides(draft, first, end)
    _mark_hits(draft, first, end)
    return 0


@inlined
def _mark_slides(draft: _Draft, first: int, end: int) -> None:
    """Mark the ways of one puck that moves alone, any number of spaces, to sets known earlier."""
    earlier, ahead, seen = draft.earlier, draft.ahead, draft.seen
    scored, width = ahead.shape[1] - 2, draft.hits.shape[1]
    for direction in range(first, end):
        for x in draft.order[direction]:
            there = ahead[direction, x]
            for place in range(len(seen)):
                sets = seen[place] if there < scored else _NONE
                seen[place] = sets | earlier[there, place] if there <= scored else sets
            # No other puck is on x, nor is a puck behind it seen from here.
            seen[x * width : (x + 1) * width] = 0
            if scored - x < draft.bits:
                for y in range(scored + 1):
                    seen[y * width + (scored - x >> 6)] &= ~_bit(scored - x)
            for place in range(len(seen)):
                draft.ways[direction, x, place] |= seen[place] & ~earlier[x, place]


@inlined
def _mark_hits(draft: _Draft, first: int, end: int) -> None:
    """Mark the ways of a puck that stops before another one and sends it on, to known sets.

    That one may hit the third puck in turn. Then both move on, or the last alone, as momentum
    passes through touching pucks by some rules.
    """
    known, ahead, ways = draft.known, draft.ahead, draft.ways
    scored, width = ahead.shape[1] - 2, draft.hits.shape[1]
    after, closed = draft.hits[0], draft.hits[1]
    for direction in range(first, end):
        for hit in range(scored):
            after[:] = 0  # third pucks with which a hit from a space passed leads to a known set
            closed[:] = 0  # third pucks that would be in the way
            _add_bit(closed, scored - hit, draft.bits)
            x = ahead[direction ^ 2, hit] if ahead[direction, hit] <= scored else scored
            while x < scored:
                _add_bit(closed, scored - x, draft.bits)
                for word in range(width):
                    place = hit * width + word
                    old = closed[word] | known[x, place] | ways[direction, x, place]
                    new, z = after[word] & ~old, scored - 64 * word
                    ways[direction, x, place] |= new
                    while new != 0:
                        if new & _ONE:
                            row = ways[direction, x, z * width : (z + 1) * width]
                            _add_bit(row, scored - hit, draft.bits)
                        new, z = new >> _ONE, z - 1
                _hit_from(draft, direction, x, hit)
                x = ahead[direction ^ 2, x]


@inlined
def _hit_from(draft: _Draft, direction: int, x: int, hit: int) -> None:
    """Add the third pucks with which a set is known after a puck has stopped on x and hit another.

    That one stops on any space ahead.
    """
    known, ahead = draft.known, draft.ahead
    scored, width = ahead.shape[1] - 2, draft.hits.shape[1]
    after, passed, union = draft.hits[0], draft.hits[2], draft.hits[3]
    passed[:] = 0
    for word in range(width):
        union[word] = known[x, hit * width + word]
    there = ahead[direction, hit]
    while there < scored:
        is_last = False  # whether the third puck moves on to a known set if it is there
        _add_bit(passed, scored - there, draft.bits)
        for word in range(width):
            sets = known[x, there * width + word]
            is_last |= union[word] & draft.rays[direction, there, word] != 0
            after[word] |= sets & ~passed[word]
            union[word] |= sets
        if is_last:
            _add_bit(after, scored - there, draft.bits)
        there = ahead[direction, there]
    if there == scored:
        for word in range(width):
            after[word] |= known[x, scored * width + word] & ~passed[word]


@kernel
def record_sets(database: PatternDatabase, draft: _Draft, level: int, first_bit: int) -> int:
    """Record the sets that have a way and are not found yet; return their number."""
    scored, width = database.scored, draft.hits.shape[1]
    ways, found, count = draft.ways, draft.found, 0
    for x in range(scored):
        for place in range(found.shape[1]):
            new = ways[0, x, place] | ways[1, x, place] | ways[2, x, place] | ways[3, x, place]
            new &= ~found[x, place]
            y, z = place // width, scored - 64 * (place % width)
            while new != 0:
                if new & _ONE:
                    entry, _ = _set_of(database, max(y, z), min(y, z), x)
                    value = database.values[entry] & _VALUE if first_bit else min(level, _MOST)
                    database.values[entry] = value | min(level - value, _VALUE) << 4
                    for one, two, three in ((x, y, z), (x, z, y), (y, z, x)):
                        _add_bit(
                            found[one, two * width : (two + 1) * width], scored - three, draft.bits
                        )
                        _add_bit(
                            found[two, one * width : (one + 1) * width], scored - three, draft.bits
                        )
                    count += 1
                new, z = new >> _ONE, z - 1
    return count


@kernel
def fill_filters(database: PatternDatabase, draft: _Draft, first_bit: int) -> None:
    """Fill in the filters by the ways of each puck of each set."""
    ways, scored, width = draft.ways, database.scored, draft.hits.shape[1]
    for x in range(scored):
        for y in range(scored + 1):
            for z in range(y + 1) if draft.bits > 1 else range(scored, scored + 1):
                place, shift = y * width + (scored - z >> 6), np.uint64(scored - z & 63)
                moves = np.uint32(0)
                for direction in range(4):
                    way = ways[direction, x, place] >> shift & _ONE
                    moves |= np.uint32(way << np.uint64(direction))
                if moves:
                    entry, slot = _set_of(database, max(y, z), min(y, z), x)
                    database.filters[entry] |= moves << np.uint32(first_bit + 4 * slot)


@inlined
def _set_of(database: PatternDatabase, y: int, z: int, x: int) -> tuple[int, int]:
    """Return the place of a set of y >= z and x, and the place of x in it."""
    choose = database.choose
    if x > y:
        return choose[3, x] + choose[2, y] + z, 0
    if x > z:
        return choose[3, y] + choose[2, x] + z, 1
    return choose[3, y] + choose[2, z] + x, 2


@inlined
def _add_bit(words: U64, bit: int, bits: int) -> None:
    """Set a bit of a row of words, if these have so many."""
    if bit < bits:
        words[bit >> 6] |= _bit(bit)


@inlined
def _bit(number: int) -> np.uint64:
    return _ONE << np.uint64(number & 63)


def _draft_of(database: PatternDatabase, neighbours: U16, cost: int) -> _Draft:
    """Return sets of which only that of three pucks that are in is known."""
    scored, number = database.scored, database.number[0]
    stops = np.flatnonzero(number < scored - 1)
    bits = scored + 1 if database.size == TRIPLES else 1
    width = (bits + 63) // 64
    ahead = np.full((4, scored + 2), scored + 1)
    ahead[:, : len(stops)] = number[neighbours[:, stops]]
    order = np.argsort(database.lanes[[0, 1, 0, 1]][:, stops] * [[-1], [-1], [1], [1]], axis=1)
    rays = np.zeros((4, scored + 2, width), np.uint64)
    for direction in range(4):
        for x in order[direction] if bits > 1 else ():
            there = ahead[direction, x]
            if there <= scored:
                rays[direction, x] = rays[direction, there]
                _add_bit(rays[direction, x], scored - there, bits)
    known = np.zeros((scored + 1, (scored + 1) * width), np.uint64)
    known[scored, scored * width] = 1
    return _Draft(
        bits=bits,
        known=known,
        earlier=known if cost == 1 else np.zeros_like(known),
        found=known.copy(),
        ways=np.zeros((4, *known.shape), np.uint64),
        ahead=ahead,
        order=order,
        rays=rays,
        seen=np.zeros(known.shape[1], np.uint64),
        hits=np.zeros((4, width), np.uint64),
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


def _empty(neighbours: U16, vacated: U8, size: int) -> PatternDatabase:
    """Return tables in which no set has a value yet."""
    wall = neighbours.shape[1] - 2
    can_stop = (neighbours != wall).any(axis=0) & (vacated != GOAL)
    can_stop[wall:] = False
    scored = int(can_stop.sum()) + 1
    number = np.where(can_stop, can_stop.cumsum() - 1, scored - 1)
    number[vacated == GOAL] = number[wall + 1] = scored
    number[wall] = scored + 1
    numbers = np.arange(scored + 1, dtype=np.int64)
    choose = np.zeros((4, scored + 1), np.int64)
    choose[2] = scored + 1 + numbers * (numbers + 1) // 2
    choose[3] = scored * (scored + 1) // 2 + numbers * (numbers + 1) * (numbers + 2) // 6
    choose[2:, -1] = 0
    values = np.full(count_sets(scored, size), _UNREACHED, np.uint8)
    values[scored] = 0  # all are in
    return PatternDatabase(
        size=size,
        scored=scored,
        number=np.stack([number, number]).astype(np.uint16),
        values=values,
        filters=np.zeros(len(values), np.uint32),
        choose=choose,
        lanes=_lanes_of(neighbours),
    )
