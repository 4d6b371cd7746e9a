"""Contact points: those of a disc that are inside another disc, a wall or the floor, and how deep.

A point keeps the surface that it came in through until it is out again, so that a deep point is
not pushed out on the wrong side; and nothing that is swept in from the side starts a spring that
is already compressed. Bit masks remember which points of a ring are inside.

Kernels do not list points: they add them up in ``memory.sums``, whose columns are named here.
Each point counts with s = w d^3, w its share of the face and d its depth (with the norm's exponent
3 instead of 4, w d^2); `physics.solid.contact_laws` says why.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.arrays import Floats
from physics.compiling import inlined
from physics.pieces import PIECE_RADIUS_MM
from physics.solid.geometry import cross, dot, minus, plus, reach_along_mm, times, vector
from physics.solid.state import (
    CENTRE,
    FIRST,
    HALF,
    MIDDLE,
    NORMAL,
    RADIUS,
    SECOND,
    SHEETS,
    Law,
    Memory,
    Points,
    Vector,
)

# Columns of the sums; levers count from the first body's centre of mass.
DEPTH4 = 0
"""Sum of w d^4."""
PUSH = 1
"""Sum of s times the normal; three columns."""
TURN = 4
"""Sum of s times lever x normal; three columns."""
COUNTER_TURN = 7
"""The same about the second body's centre of mass."""
LEVER = 10
"""Sum of s times the lever; three columns."""
SHARE = 13
"""Sum of s."""
SPREAD = 14
"""Sum of s times the lever's square."""
_SUMS = 15

TOP, BOTTOM, SIDE = 1, 2, 3
"""Surfaces of a disc through which a point may come in."""

_WALL_FACE, _WALL_TOP, _WALL_BACK = 1, 2, 3

_RIM_SLACK_MM = 0.01
"""A point this far beyond a disc's rim still counts as on its face."""

_EDGE_MM = 0.4
"""A point that comes in from the side less than this from a face does not press on the side: it
lies on that face, with a spring that begins where the point is."""

WALL_THICKNESS_MM = 20.0
"""Thickness of the walls. A piece whose centre is beyond the inner face is out whatever it is; no
rule and no outcome depends on it."""

_SHORT_RING = 8
"""A ring of at most so many points is searched whole."""


class Guest(NamedTuple):
    """A disc of a pair, seen from the other one, its host; which of its points are in there?

    A point scale (x FIRST + y SECOND) + lever NORMAL of the guest has the level (height above the
    host's middle plane) ``level + x rise_x + y rise_y``, and the squared distance
    ``square + x along_x + y along_y + scale^2 (x^2 + y^2)`` from the host's middle.
    """

    one: int  # the pair's first body
    other: int  # its second
    guest: int  # whose points: one of the two
    host: int  # in which disc: the other of the two
    scale: float  # the guest's radius over that of `Points`
    wide_mm: float  # the host's radius, and some slack
    sign: float  # 1 if the guest is the first body, else -1: normals push the first body
    step_mm: float  # the most that a point may come in by within a step
    rise_x: float
    rise_y: float
    rise: float  # their length
    along_x: float
    along_y: float
    along: float  # their length


class _Sheet(NamedTuple):
    """Place of a sheet or a ring of the guest's points; see `Guest`."""

    level: float
    square: float
    lever: float


@inlined
def press_discs(
    table: Floats, memory: Memory, points: Points, one: int, other: int, step_mm: float
) -> float:
    """Add up the points of each of two discs that are in the other; return the sum of w d^4.

    A point that is found deeper than ``step_mm`` has come in between the points of a rim, or on a
    body that is laid flat: its spring begins there.
    """
    clear_sums(memory.sums)
    _add_disc(table, memory, points, one, other, one, other, 1.0, step_mm)
    _add_disc(table, memory, points, one, other, other, one, -1.0, step_mm)
    fourth: float = memory.sums[DEPTH4]
    return fourth


@inlined
def clear_sums(sums: Floats) -> None:
    """Set all sums of a contact to zero."""
    for column in range(_SUMS):
        sums[column] = 0.0


@inlined
def _add_disc(
    table: Floats,
    memory: Memory,
    points: Points,
    one: int,
    other: int,
    guest: int,
    host: int,
    sign: float,
    step_mm: float,
) -> None:
    """Add up the points of a guest disc that are in a host disc; see `Guest`."""
    axis, half = vector(table, host, NORMAL), table[host, HALF]
    normal = vector(table, guest, NORMAL)
    apart = minus(vector(table, guest, MIDDLE), vector(table, host, MIDDLE))
    scale = table[guest, RADIUS] / PIECE_RADIUS_MM
    rise_x = scale * dot(vector(table, guest, FIRST), axis)
    rise_y = scale * dot(vector(table, guest, SECOND), axis)
    along_x = scale * 2 * dot(apart, vector(table, guest, FIRST))
    along_y = scale * 2 * dot(apart, vector(table, guest, SECOND))
    wide_mm = table[host, RADIUS] + _RIM_SLACK_MM
    rise = math.sqrt(rise_x * rise_x + rise_y * rise_y)
    along = math.sqrt(along_x * along_x + along_y * along_y)
    pair = Guest(
        one,
        other,
        guest,
        host,
        scale,
        wide_mm,
        sign,
        step_mm,
        rise_x,
        rise_y,
        rise,
        along_x,
        along_y,
        along,
    )
    middle_level, climb = dot(apart, axis), dot(normal, axis)
    middle_square, leaning = dot(apart, apart), 2 * dot(apart, normal)
    for sheet in range(SHEETS):
        lever = (sheet - 1.0) * table[guest, HALF]
        level = middle_level + lever * climb
        if abs(level) - PIECE_RADIUS_MM * rise >= half:
            for ring in range(points.sheet[sheet], points.sheet[sheet + 1]):
                memory.inside[guest, host, ring] = 0
            continue
        square = middle_square + lever * (leaning + lever)
        _add_sheet(table, memory, points, pair, sheet, _Sheet(level, square, lever))


@inlined
def _add_sheet(
    table: Floats, memory: Memory, points: Points, pair: Guest, sheet: int, at: _Sheet
) -> None:
    """Add up the points of one sheet of a guest."""
    half = table[pair.host, HALF]
    # Nearly all points came in through the host's face on this side: their s, s x, s y, s r^2 and
    # w d^4 are added up first. The others are added one by one.
    share, share_x, share_y, share_square, fourth = 0.0, 0.0, 0.0, 0.0, 0.0
    for ring in range(points.sheet[sheet], points.sheet[sheet + 1]):
        radius = points.radius_mm[ring]
        count = points.first[ring + 1] - points.first[ring]
        own_radius = pair.scale * radius
        square = at.square + own_radius * own_radius
        room = pair.wide_mm * pair.wide_mm + half * half - square
        if abs(at.level) - radius * pair.rise >= half or room <= -radius * pair.along:
            memory.inside[pair.guest, pair.host, ring] = 0
            continue
        bound = _bound(radius, count, at.level, half, room, pair)
        own, own_x, own_y, own_fourth = _add_arc(
            table, memory, points, pair, ring, bound, _Sheet(at.level, square, at.lever)
        )
        share += own
        share_x += pair.scale * own_x
        share_y += pair.scale * own_y
        share_square += own * own_radius * own_radius
        fourth += own_fourth
    if share > 0.0:
        memory.sums[DEPTH4] += fourth
        sign = pair.sign if at.level >= 0.0 else -pair.sign
        normal = times(sign, vector(table, pair.host, NORMAL))
        _add_face(table, memory.sums, pair, at.lever, share, share_x, share_y, share_square, normal)


@inlined
def _add_arc(
    table: Floats,
    memory: Memory,
    points: Points,
    pair: Guest,
    ring: int,
    bound: tuple[float, float, float],
    place: _Sheet,
) -> tuple[float, float, float, float]:
    """Return the sums of s, s x, s y and w d^4 over the points of a ring that are in the host.

    Those that press on another surface than the sheet's usual one are added up at once.
    """
    half = table[pair.host, HALF]
    surfaces = memory.surface[pair.guest, pair.host]
    begins = memory.begin_mm[pair.guest, pair.host]
    usual, upwards = (TOP, 1.0) if place.level >= 0.0 else (BOTTOM, -1.0)
    weight = points.weight[ring] / 2  # both discs' points share the contact
    first = points.first[ring]
    count = points.first[ring + 1] - first
    share, share_x, share_y, fourth = 0.0, 0.0, 0.0, 0.0
    before = memory.inside[pair.guest, pair.host, ring]
    now = 0
    a, b, least = bound
    at = _begin(memory, points, pair, ring, bound) - 1
    for _ in range(count):
        at += 1
        if at >= count:
            at -= count
        point = np.uint64(first + at)  # unsigned: spares the check for negative indices
        x, y = points.x_mm[point], points.y_mm[point]
        if a * x + b * y <= least:
            break
        level = place.level + x * pair.rise_x + y * pair.rise_y
        if abs(level) >= half:
            continue
        # Squared distance from the host's axis.
        wide = place.square + x * pair.along_x + y * pair.along_y - level * level
        if wide >= pair.wide_mm * pair.wide_mm:
            continue
        now |= 1 << at
        if not (before >> at) & 1:
            enter(
                surfaces,
                begins,
                point,
                level,
                half,
                pair.wide_mm - math.sqrt(max(0.0, wide)),
                pair.step_mm,
            )
        depth = half - upwards * level
        if surfaces[point] != usual:
            spot = plus(
                plus(
                    times(pair.scale * x, vector(table, pair.guest, FIRST)),
                    pair.scale * y,
                    vector(table, pair.guest, SECOND),
                ),
                place.lever,
                vector(table, pair.guest, NORMAL),
            )
            if surfaces[point] == SIDE:
                depth, normal = side_depth(table, pair, spot, level, wide)
                depth = without_begin(begins, point, depth)
            else:  # so deep from one face that it is nearer to the other
                depth = without_begin(begins, point, half + upwards * level)
                normal = times(-pair.sign * upwards, vector(table, pair.host, NORMAL))
            spot = plus(
                spot, 1.0, minus(vector(table, pair.guest, MIDDLE), vector(table, pair.one, CENTRE))
            )
            own = point_load(points, weight, depth)
            add_point(table, memory.sums, pair.one, pair.other, own, depth, spot, normal)
            continue
        if begins[point] > 0.0:
            depth = without_begin(begins, point, depth)
        own = point_load(points, weight, depth)
        share += own
        share_x += own * x
        share_y += own * y
        fourth += own * depth
    memory.inside[pair.guest, pair.host, ring] = now
    return share, share_x, share_y, fourth


@inlined
def point_load(points: Points, weight: float, depth: float) -> float:
    """Return a point's s."""
    square = weight * depth * depth
    return square * depth if points.cubic else square


@inlined
def without_begin(begins: Floats, point: np.uint64, depth: float) -> float:
    """Return how far a point's spring is pressed; one that began compressed only gets longer."""
    begins[point] = min(begins[point], depth)
    left: float = depth - begins[point]
    return left


@inlined
def _bound(
    radius: float, count: int, level: float, half: float, room: float, pair: Guest
) -> tuple[float, float, float]:
    """Return a, b, c of a ring whose points can only be inside the host where a x + b y > c.

    They have to be inside the slab, where the level is below ``half`` (or above -``half``), and
    near enough to the axis, where x along_x + y along_y is below ``room``. Each holds on one arc;
    the narrower is taken, or the whole ring.
    """
    slab, near = radius * pair.rise, radius * pair.along
    # The cosines of the half-widths of the two arcs, each times the other's scale.
    by_slab, by_room = (abs(level) - half) * near, -room * slab
    if count <= _SHORT_RING or max(by_slab, by_room) <= 0.0:
        return 0.0, 0.0, -math.inf
    if by_slab > by_room:
        up = -1.0 if level > 0.0 else 1.0
        return up * pair.rise_x, up * pair.rise_y, abs(level) - half
    return -pair.along_x, -pair.along_y, -room


@inlined
def _begin(
    memory: Memory, points: Points, pair: Guest, ring: int, bound: tuple[float, float, float]
) -> int:
    """Return the first point of the arc of a ring in a bound, or one beside an empty arc.

    It climbs to the ring's highest point, from where that was at the last look.
    """
    a, b, least = bound
    if least == -math.inf:
        return 0
    first = points.first[ring]
    count = points.first[ring + 1] - first
    peak = int(memory.peak[pair.guest, pair.host, ring])
    height = a * points.x_mm[first + peak] + b * points.y_mm[first + peak]
    for way in (1, count - 1):
        for _ in range(count):
            at = peak + way
            if at >= count:
                at -= count
            value = a * points.x_mm[first + at] + b * points.y_mm[first + at]
            if value <= height:
                break
            peak, height = at, value
    memory.peak[pair.guest, pair.host, ring] = peak
    begin = peak
    for _ in range(count):
        at = begin - 1 if begin > 0 else count - 1
        if a * points.x_mm[first + at] + b * points.y_mm[first + at] <= least:
            break
        begin = at
    return begin


@inlined
def enter(
    surfaces: NDArray[np.int8],
    begins: Floats,
    point: np.uint64,
    level: float,
    half: float,
    side: float,
    step_mm: float,
) -> None:
    """Note through which surface a point came in, and where its spring begins."""
    face = half - abs(level)
    begin = face if face > step_mm else 0.0
    surface = TOP if level >= 0.0 else BOTTOM
    if face > side:
        if face < min(_EDGE_MM, half / 2):
            begin = face
        else:
            surface = SIDE
            begin = side if side > step_mm else 0.0
    surfaces[point] = surface
    begins[point] = begin


@inlined
def side_depth(
    table: Floats, pair: Guest, spot: Vector, level: float, wide: float
) -> tuple[float, Vector]:
    """Return depth and normal of a point that came in through the host's side: away from its axis.

    Args:
        table: The bodies.
        pair: The discs.
        spot: The point, from the guest's middle.
        level: Its height above the host's middle plane.
        wide: Its squared distance from the host's axis.
    """
    distance = math.sqrt(max(1e-12, wide))
    apart = minus(vector(table, pair.guest, MIDDLE), vector(table, pair.host, MIDDLE))
    from_axis = plus(plus(apart, 1.0, spot), -level, vector(table, pair.host, NORMAL))
    return pair.wide_mm - distance, times(pair.sign / distance, from_axis)


@inlined
def add_point(
    table: Floats,
    sums: Floats,
    one: int,
    other: int,
    share: float,
    depth: float,
    arm: Vector,
    normal: Vector,
) -> None:
    """Add one point with the load ``share`` to the sums; ``arm`` is its lever on the first body."""
    to_other = minus(vector(table, one, CENTRE), vector(table, other, CENTRE))
    sums[DEPTH4] += share * depth
    _add_to(sums, PUSH, share, normal)
    _add_to(sums, TURN, share, cross(arm, normal))
    _add_to(sums, COUNTER_TURN, share, cross(plus(arm, 1.0, to_other), normal))
    _add_to(sums, LEVER, share, arm)
    sums[SHARE] += share
    sums[SPREAD] += share * dot(arm, arm)


@inlined
def _add_face(
    table: Floats,
    sums: Floats,
    pair: Guest,
    lever: float,
    share: float,
    share_x: float,
    share_y: float,
    share_square: float,
    normal: Vector,
) -> None:
    """Add all points of a sheet that press on one face: they share its normal.

    Args:
        table: The bodies.
        sums: The sums.
        pair: The discs.
        lever: The sheet's height over the guest's middle plane.
        share: Sum of s.
        share_x: Sum of s x.
        share_y: Sum of s y.
        share_square: Sum of s r^2.
        normal: Towards the pair's first body.
    """
    guest, centre = pair.guest, vector(table, pair.one, CENTRE)
    # The sheet's middle from the first body's centre of mass, and the sum of s times the places
    # in the sheet.
    middle = plus(minus(vector(table, guest, MIDDLE), centre), lever, vector(table, guest, NORMAL))
    inside = plus(
        times(share_x, vector(table, guest, FIRST)), share_y, vector(table, guest, SECOND)
    )
    arms = plus(inside, share, middle)
    to_other = minus(centre, vector(table, pair.other, CENTRE))
    _add_to(sums, PUSH, share, normal)
    _add_to(sums, TURN, 1.0, cross(arms, normal))
    _add_to(sums, COUNTER_TURN, 1.0, cross(plus(arms, share, to_other), normal))
    _add_to(sums, LEVER, 1.0, arms)
    sums[SHARE] += share
    # |middle + place|^2, summed with s.
    sums[SPREAD] += share * dot(middle, middle) + 2 * dot(middle, inside) + share_square


@inlined
def _add_to(sums: Floats, column: int, size: float, value: Vector) -> None:
    sums[column] += size * value[0]
    sums[column + 1] += size * value[1]
    sums[column + 2] += size * value[2]


@inlined
def press_floor(table: Floats, memory: Memory, points: Points, body: int) -> float:
    """Add up the points of a disc that are below the floor; return the sum of w d^4.

    They are counted from the steepest direction in the face, not from the disc's own axes: so the
    rim is round, and a disc rolls as a wheel does instead of as a polygon. The points lie
    symmetrically about that direction: half of them are computed.
    """
    sums = memory.sums
    clear_sums(sums)
    normal = vector(table, body, NORMAL)
    slope = math.sqrt(normal[0] * normal[0] + normal[1] * normal[1])
    down = (1.0, 0.0, 0.0)
    if slope > 1e-9:
        down = (normal[0] * normal[2] / slope, normal[1] * normal[2] / slope, -slope)
    scale = table[body, RADIUS] / PIECE_RADIUS_MM
    for side in range(2):
        lever = (2.0 * side - 1.0) * table[body, HALF]
        height = table[body, MIDDLE + 2] + lever * normal[2]
        if height >= table[body, RADIUS] * slope:
            continue
        share, share_x, share_square, fourth = _below(points, scale, slope, height)
        if share <= 0.0:
            continue
        middle = plus(
            minus(vector(table, body, MIDDLE), vector(table, body, CENTRE)), lever, normal
        )
        arms = plus(times(share, middle), share_x, down)
        # The floor's normal is (0, 0, 1): arm x normal = (arm_y, -arm_x, 0).
        sums[DEPTH4] += fourth
        sums[PUSH + 2] += share
        sums[TURN] += arms[1]
        sums[TURN + 1] -= arms[0]
        _add_to(sums, LEVER, 1.0, arms)
        sums[SHARE] += share
        sums[SPREAD] += share * dot(middle, middle) + 2 * share_x * dot(middle, down) + share_square
    result: float = sums[DEPTH4]
    return result


@inlined
def _below(
    points: Points, scale: float, slope: float, height: float
) -> tuple[float, float, float, float]:
    """Return the sums of s, s x, s r^2 and w d^4 over a face's points below the floor.

    Args:
        points: Contact points; x counts along the steepest way down.
        scale: The disc's radius over that of the points.
        slope: Sine of the face's slope.
        height: Of the face's middle.
    """
    share, share_x, share_square, fourth = 0.0, 0.0, 0.0, 0.0
    for ring in range(points.sheet[1]):
        radius, weight = scale * points.radius_mm[ring], points.weight[ring]
        if radius * slope <= height:
            continue
        first = points.first[ring]
        count = points.first[ring + 1] - first
        for at in range(count // 2 + 1):
            x = scale * points.x_mm[first + at]
            depth = x * slope - height
            if depth <= 0.0:
                break  # the further round a ring, the higher
            both = weight if at == 0 or 2 * at == count else 2 * weight
            own = point_load(points, both, depth)
            share += own
            share_x += own * x
            share_square += own * radius * radius
            fourth += own * depth
    return share, share_x, share_square, fourth


@inlined
def wall_gap_mm(table: Floats, law: Law, body: int, wall: int) -> float:
    """Return the distance of a disc from the plane of a wall's inner face."""
    axis, side = wall // 2, 1.0 - 2.0 * (wall % 2)
    reach = reach_along_mm(table, body, axis)
    gap: float = law.half_side_mm - side * table[body, MIDDLE + axis] - reach
    return gap


@inlined
def press_wall(
    table: Floats, memory: Memory, points: Points, law: Law, body: int, wall: int
) -> float:
    """Add up the points of a disc that are in a wall; return the sum of w d^4.

    Args:
        table: The bodies.
        memory: Of the contacts.
        points: Contact points of a disc.
        law: Where the walls are.
        body: The disc.
        wall: 0 and 1 for the walls at +x and -x, 2 and 3 for those at +y and -y.
    """
    clear_sums(memory.sums)
    axis, side = wall // 2, 1.0 - 2.0 * (wall % 2)
    other = len(table) - 1 + wall
    # Depth behind the wall's inner face and height of a point: face + x face_x + y face_y, and
    # height + x height_x + y height_y.
    face_x, face_y = side * table[body, FIRST + axis], side * table[body, SECOND + axis]
    height_x, height_y = table[body, FIRST + 2], table[body, SECOND + 2]
    scale = table[body, RADIUS] / PIECE_RADIUS_MM
    deepest = scale * math.sqrt(face_x * face_x + face_y * face_y)
    for sheet in range(SHEETS):
        lever = (sheet - 1.0) * table[body, HALF]
        face = side * (table[body, MIDDLE + axis] + lever * table[body, NORMAL + axis])
        face -= law.half_side_mm
        height = table[body, MIDDLE + 2] + lever * table[body, NORMAL + 2]
        for ring in range(points.sheet[sheet], points.sheet[sheet + 1]):
            before = memory.inside[body, other, ring]
            memory.inside[body, other, ring] = 0
            if face + points.radius_mm[ring] * deepest <= 0.0:
                continue
            for at in range(points.first[ring + 1] - points.first[ring]):
                point = points.first[ring] + at
                x, y = scale * points.x_mm[point], scale * points.y_mm[point]
                own_face = face + x * face_x + y * face_y
                own_top = law.wall_height_mm - (height + x * height_x + y * height_y)
                if own_face <= 0.0 or own_top <= 0.0 or own_face >= WALL_THICKNESS_MM:
                    continue
                bit = 1 << at
                memory.inside[body, other, ring] |= bit
                if not before & bit:
                    memory.surface[body, other, point] = _wall_surface(own_face, own_top)
                depth, normal = _wall_depth(
                    memory.surface[body, other, point], own_face, own_top, axis, side
                )
                arm = plus(
                    minus(vector(table, body, MIDDLE), vector(table, body, CENTRE)),
                    lever,
                    vector(table, body, NORMAL),
                )
                arm = plus(plus(arm, x, vector(table, body, FIRST)), y, vector(table, body, SECOND))
                add_point(
                    table,
                    memory.sums,
                    body,
                    len(table) - 1,
                    point_load(points, points.weight[ring], depth),
                    depth,
                    arm,
                    normal,
                )
    result: float = memory.sums[DEPTH4]
    return result


@inlined
def _wall_surface(face: float, top: float) -> int:
    """Return the wall's surface that is nearest to a point inside it."""
    back = WALL_THICKNESS_MM - face
    if top <= face and top <= back:
        return _WALL_TOP
    return _WALL_FACE if face <= back else _WALL_BACK


@inlined
def _wall_depth(
    surface: int, face: float, top: float, axis: int, side: float
) -> tuple[float, Vector]:
    """Return how deep a point is below its surface of a wall, and that surface's normal."""
    if surface == _WALL_TOP:
        return top, (0.0, 0.0, 1.0)
    out = -side if surface == _WALL_FACE else side
    depth = face if surface == _WALL_FACE else WALL_THICKNESS_MM - face
    return depth, ((out, 0.0, 0.0) if axis == 0 else (0.0, out, 0.0))


@inlined
def forget(memory: Memory, body: int, other: int) -> None:
    """Forget which points of a body are inside another, or in a wall."""
    for ring in range(memory.inside.shape[2]):
        memory.inside[body, other, ring] = 0
