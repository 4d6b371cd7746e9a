"""Narrow phase: persistent contact points of discs in discs, walls and floor; penetration depths.

Points lie on rings on both faces of a disc and around its side. A point keeps the surface that it
came in through until it is out again (a persistent contact), so that a deep point is not pushed out
on the wrong side; what is swept in from the side starts no spring that is already compressed. Bit
masks in the contact cache say which points of a ring are inside.

Kernels list no points: they add them up in ``cache.resultant``, whose columns are named here.
Each point counts with s = w d^3, w its share of the face and d its depth (with the norm's exponent
3 instead of 4, w d^2); `pucklab.physics.solid.contact_laws` says why.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pucklab.base.arrays import Floats
from pucklab.base.kernels import inlined
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.solid.geometry import cross, dot, minus, plus, reach_along_mm, times, vector
from pucklab.physics.solid.state import (
    CENTRE,
    FIRST,
    HALF,
    MIDDLE,
    NORMAL,
    RADIUS,
    SECOND,
    SHEETS,
    ContactCache,
    Law,
    Points,
    Vector,
)

# Columns of the resultant: force and torques for a unit of stiffness, and their lever; levers
# count from the first body's centre of mass.
OVERLAP = 0
"""Sum of w d^4; with the norm's exponent 3, of w d^3."""
UNIT_FORCE = 1
"""Sum of s times the normal; three columns."""
UNIT_TORQUE = 4
"""Sum of s times lever x normal; three columns."""
UNIT_COUNTER_TORQUE = 7
"""The same about the second body's centre of mass."""
LEVER = 10
"""Sum of s times the lever; three columns."""
LOAD = 13
"""Sum of s."""
LEVER_SQUARE = 14
"""Sum of s times the lever's square."""
_RESULTANT_COLUMNS = 15

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


class ContactFrame(NamedTuple):
    """An incident disc, whose points are looked for in the pair's other disc, the reference.

    A point scale (x FIRST + y SECOND) + lever NORMAL of the incident disc has the level (height
    above the reference's middle plane) ``level + x rise_x + y rise_y``, and the squared distance
    ``square + x along_x + y along_y + scale^2 (x^2 + y^2)`` from the reference's middle.
    """

    one: int  # the pair's first body
    other: int  # its second
    incident: int  # whose points: one of the two
    reference: int  # in which disc: the other of the two
    scale: float  # the incident disc's radius over that of `Points`
    wide_mm: float  # the reference's radius, and some slack
    sign: float  # 1 if the incident disc is the first body, else -1: normals push the first body
    step_mm: float  # the most that a point may come in by within a step
    rise_x: float
    rise_y: float
    rise: float  # their length
    along_x: float
    along_y: float
    along: float  # their length


@inlined
def collide_discs(
    table: Floats, cache: ContactCache, points: Points, one: int, other: int, step_mm: float
) -> float:
    """Add up the points of each of two discs that are in the other; return the sum of w d^4.

    A point that is found deeper than ``step_mm`` has come in between the points of a rim, or on a
    body that is laid flat: its spring begins there.
    """
    clear_resultant(cache.resultant)
    _add_incident_points(table, cache, points, one, other, one, other, 1.0, step_mm)
    _add_incident_points(table, cache, points, one, other, other, one, -1.0, step_mm)
    overlap: float = cache.resultant[OVERLAP]
    return overlap


@inlined
def clear_resultant(resultant: Floats) -> None:
    """Set a contact's resultant to zero."""
    for column in range(_RESULTANT_COLUMNS):
        resultant[column] = 0.0


@inlined
def _add_incident_points(
    table: Floats,
    cache: ContactCache,
    points: Points,
    one: int,
    other: int,
    incident: int,
    reference: int,
    sign: float,
    step_mm: float,
) -> None:
    """Add up the points of one disc of a pair that are in the other; see `ContactFrame`."""
    axis, half = vector(table, reference, NORMAL), table[reference, HALF]
    normal = vector(table, incident, NORMAL)
    apart = minus(vector(table, incident, MIDDLE), vector(table, reference, MIDDLE))
    scale = table[incident, RADIUS] / PIECE_RADIUS_MM
    rise_x = scale * dot(vector(table, incident, FIRST), axis)
    rise_y = scale * dot(vector(table, incident, SECOND), axis)
    along_x = scale * 2 * dot(apart, vector(table, incident, FIRST))
    along_y = scale * 2 * dot(apart, vector(table, incident, SECOND))
    wide_mm = table[reference, RADIUS] + _RIM_SLACK_MM
    rise = math.sqrt(rise_x * rise_x + rise_y * rise_y)
    along = math.sqrt(along_x * along_x + along_y * along_y)
    pair = ContactFrame(
        one,
        other,
        incident,
        reference,
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
    resultant, centre = cache.resultant, vector(table, one, CENTRE)
    to_other = minus(centre, vector(table, other, CENTRE))
    for sheet in range(SHEETS):
        lever = (sheet - 1.0) * table[incident, HALF]
        level = middle_level + lever * climb
        if abs(level) - PIECE_RADIUS_MM * rise >= half:
            for ring in range(points.sheet[sheet], points.sheet[sheet + 1]):
                cache.inside[incident, reference, ring] = 0
            continue
        sheet_square = middle_square + lever * (leaning + lever)
        # Nearly all points came in through the reference's face on this side: their s, s x, s y,
        # s r^2 and w d^4 are added up first. The others are added one by one.
        load, load_x, load_y, load_square, overlap = 0.0, 0.0, 0.0, 0.0, 0.0
        for ring in range(points.sheet[sheet], points.sheet[sheet + 1]):
            radius = points.radius_mm[ring]
            own_radius = scale * radius
            square = sheet_square + own_radius * own_radius
            room = wide_mm * wide_mm + half * half - square
            if abs(level) - radius * rise >= half or room <= -radius * along:
                cache.inside[incident, reference, ring] = 0
                continue
            own, own_x, own_y, own_overlap = _add_arc(
                table, cache, points, pair, ring, level, square, lever, room
            )
            load += own
            load_x += scale * own_x
            load_y += scale * own_y
            load_square += own * own_radius * own_radius
            overlap += own_overlap
        if load <= 0.0:
            continue
        # All points of a sheet that press on one face share its normal.
        out = times(sign if level >= 0.0 else -sign, axis)
        middle = plus(minus(vector(table, incident, MIDDLE), centre), lever, normal)
        inside = plus(
            times(load_x, vector(table, incident, FIRST)), load_y, vector(table, incident, SECOND)
        )
        arms = plus(inside, load, middle)
        resultant[OVERLAP] += overlap
        _add_to(resultant, UNIT_FORCE, load, out)
        _add_to(resultant, UNIT_TORQUE, 1.0, cross(arms, out))
        _add_to(resultant, UNIT_COUNTER_TORQUE, 1.0, cross(plus(arms, load, to_other), out))
        _add_to(resultant, LEVER, 1.0, arms)
        resultant[LOAD] += load
        # |middle + place|^2, summed with s.
        resultant[LEVER_SQUARE] += (
            load * dot(middle, middle) + 2 * dot(middle, inside) + load_square
        )


@inlined
def _add_arc(
    table: Floats,
    cache: ContactCache,
    points: Points,
    pair: ContactFrame,
    ring: int,
    middle_level: float,
    square: float,
    lever: float,
    room: float,
) -> tuple[float, float, float, float]:
    """Return the sums of s, s x, s y and w d^4 over a ring's points that are in the reference disc.

    Those that press on another surface than the sheet's usual one are added up at once.
    """
    half = table[pair.reference, HALF]
    surfaces = cache.surface[pair.incident, pair.reference]
    begins = cache.begin_mm[pair.incident, pair.reference]
    usual, upwards = (TOP, 1.0) if middle_level >= 0.0 else (BOTTOM, -1.0)
    weight = points.weight[ring] / 2  # both discs' points share the contact
    first = points.first[ring]
    count = points.first[ring + 1] - first
    # Points can only be inside where a x + b y > c. They have to be inside the slab, where the
    # level is below half (or above -half), and near enough to the axis, where x along_x + y along_y
    # is below the room. Each holds on one arc; the narrower is taken, or the whole ring.
    a, b, least = 0.0, 0.0, -math.inf
    # The cosines of the half-widths of the two arcs, each times the other's scale.
    over = abs(middle_level) - half
    by_slab = over * (points.radius_mm[ring] * pair.along)
    by_room = -room * (points.radius_mm[ring] * pair.rise)
    if count > _SHORT_RING and max(by_slab, by_room) > 0.0:
        a, b, least = -pair.along_x, -pair.along_y, -room
        if by_slab > by_room:
            up = -1.0 if middle_level > 0.0 else 1.0
            a, b, least = up * pair.rise_x, up * pair.rise_y, over
    load, load_x, load_y, overlap = 0.0, 0.0, 0.0, 0.0
    before = cache.inside[pair.incident, pair.reference, ring]
    now = 0
    at = _begin(cache, points, pair, ring, a, b, least) - 1
    for _ in range(count):
        at += 1
        if at >= count:
            at -= count
        point = np.uint64(first + at)  # unsigned: spares the check for negative indices
        x, y = points.x_mm[point], points.y_mm[point]
        if a * x + b * y <= least:
            break
        level = middle_level + x * pair.rise_x + y * pair.rise_y
        if abs(level) >= half:
            continue
        # Squared distance from the reference's axis.
        wide = square + x * pair.along_x + y * pair.along_y - level * level
        if wide >= pair.wide_mm * pair.wide_mm:
            continue
        now |= 1 << at
        if not (before >> at) & 1:
            side = pair.wide_mm - math.sqrt(max(0.0, wide))
            record_entry(surfaces, begins, point, level, half, side, pair.step_mm)
        depth = half - upwards * level
        if surfaces[point] != usual:
            spot = plus(
                plus(
                    times(pair.scale * x, vector(table, pair.incident, FIRST)),
                    pair.scale * y,
                    vector(table, pair.incident, SECOND),
                ),
                lever,
                vector(table, pair.incident, NORMAL),
            )
            if surfaces[point] == SIDE:
                depth, normal = side_penetration(table, pair, spot, level, wide)
                depth = net_depth(begins, point, depth)
            else:  # so deep from one face that it is nearer to the other
                depth = net_depth(begins, point, half + upwards * level)
                normal = times(-pair.sign * upwards, vector(table, pair.reference, NORMAL))
            to_one = minus(vector(table, pair.incident, MIDDLE), vector(table, pair.one, CENTRE))
            spot = plus(spot, 1.0, to_one)
            own = point_load(points, weight, depth)
            add_point(table, cache.resultant, pair.one, pair.other, own, depth, spot, normal)
            continue
        if begins[point] > 0.0:
            depth = net_depth(begins, point, depth)
        own = point_load(points, weight, depth)
        load += own
        load_x += own * x
        load_y += own * y
        overlap += own * depth
    cache.inside[pair.incident, pair.reference, ring] = now
    return load, load_x, load_y, overlap


@inlined
def point_load(points: Points, weight: float, depth: float) -> float:
    """Return the load of a contact point, s = w d^3 (or w d^2)."""
    square = weight * depth * depth
    return square * depth if points.cubic else square


@inlined
def net_depth(begins: Floats, point: np.uint64, depth: float) -> float:
    """Return the compression of a point's spring; one that began compressed may only relax."""
    begins[point] = min(begins[point], depth)
    left: float = depth - begins[point]
    return left


@inlined
def _begin(
    cache: ContactCache,
    points: Points,
    pair: ContactFrame,
    ring: int,
    a: float,
    b: float,
    least: float,
) -> int:
    """Return the first point of a ring with a x + b y > least, or one beside an empty arc.

    It climbs to the ring's highest point, from where that was at the last look.
    """
    if least == -math.inf:
        return 0
    first = points.first[ring]
    count = points.first[ring + 1] - first
    peak = int(cache.peak[pair.incident, pair.reference, ring])
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
    cache.peak[pair.incident, pair.reference, ring] = peak
    begin = peak
    for _ in range(count):
        at = begin - 1 if begin > 0 else count - 1
        if a * points.x_mm[first + at] + b * points.y_mm[first + at] <= least:
            break
        begin = at
    return begin


@inlined
def record_entry(
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
def side_penetration(
    table: Floats, pair: ContactFrame, spot: Vector, level: float, wide: float
) -> tuple[float, Vector]:
    """Return depth and normal of a point that came in through the side: away from the axis.

    Args:
        table: The bodies.
        pair: The discs.
        spot: The point, from the incident disc's middle.
        level: Its height above the reference disc's middle plane.
        wide: Its squared distance from the reference disc's axis.
    """
    distance = math.sqrt(max(1e-12, wide))
    apart = minus(vector(table, pair.incident, MIDDLE), vector(table, pair.reference, MIDDLE))
    from_axis = plus(plus(apart, 1.0, spot), -level, vector(table, pair.reference, NORMAL))
    return pair.wide_mm - distance, times(pair.sign / distance, from_axis)


@inlined
def add_point(
    table: Floats,
    resultant: Floats,
    one: int,
    other: int,
    load: float,
    depth: float,
    arm: Vector,
    normal: Vector,
) -> None:
    """Add one point to the resultant; ``arm`` is its lever on the first body."""
    to_other = minus(vector(table, one, CENTRE), vector(table, other, CENTRE))
    resultant[OVERLAP] += load * depth
    _add_to(resultant, UNIT_FORCE, load, normal)
    _add_to(resultant, UNIT_TORQUE, load, cross(arm, normal))
    _add_to(resultant, UNIT_COUNTER_TORQUE, load, cross(plus(arm, 1.0, to_other), normal))
    _add_to(resultant, LEVER, load, arm)
    resultant[LOAD] += load
    resultant[LEVER_SQUARE] += load * dot(arm, arm)


@inlined
def _add_to(resultant: Floats, column: int, size: float, value: Vector) -> None:
    resultant[column] += size * value[0]
    resultant[column + 1] += size * value[1]
    resultant[column + 2] += size * value[2]


@inlined
def collide_floor(table: Floats, cache: ContactCache, points: Points, body: int) -> float:
    """Add up the points of a disc that are below the floor; return the sum of w d^4.

    They are counted from the steepest direction in the face, not from the disc's own axes: so the
    rim is round, and a disc rolls as a wheel does instead of as a polygon. The points lie
    symmetrically about that direction: half of them are computed.
    """
    resultant = cache.resultant
    clear_resultant(resultant)
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
        load, load_x, load_square, overlap = 0.0, 0.0, 0.0, 0.0
        for ring in range(points.sheet[1]):
            radius, weight = scale * points.radius_mm[ring], points.weight[ring]
            if radius * slope <= height:
                continue
            first = points.first[ring]
            count = points.first[ring + 1] - first
            for at in range(count // 2 + 1):
                x = scale * points.x_mm[first + at]  # along the steepest way down
                depth = x * slope - height
                if depth <= 0.0:
                    break  # the further round a ring, the higher
                both = weight if at == 0 or 2 * at == count else 2 * weight
                own = point_load(points, both, depth)
                load += own
                load_x += own * x
                load_square += own * radius * radius
                overlap += own * depth
        if load <= 0.0:
            continue
        middle = plus(
            minus(vector(table, body, MIDDLE), vector(table, body, CENTRE)), lever, normal
        )
        arms = plus(times(load, middle), load_x, down)
        # The floor's normal is (0, 0, 1): arm x normal = (arm_y, -arm_x, 0).
        resultant[OVERLAP] += overlap
        resultant[UNIT_FORCE + 2] += load
        resultant[UNIT_TORQUE] += arms[1]
        resultant[UNIT_TORQUE + 1] -= arms[0]
        _add_to(resultant, LEVER, 1.0, arms)
        resultant[LOAD] += load
        resultant[LEVER_SQUARE] += (
            load * dot(middle, middle) + 2 * load_x * dot(middle, down) + load_square
        )
    result: float = resultant[OVERLAP]
    return result


@inlined
def wall_gap_mm(table: Floats, law: Law, body: int, wall: int) -> float:
    """Return the distance of a disc from the plane of a wall's inner face."""
    axis, side = wall // 2, 1.0 - 2.0 * (wall % 2)
    reach = reach_along_mm(table, body, axis)
    gap: float = law.half_side_mm - side * table[body, MIDDLE + axis] - reach
    return gap


@inlined
def collide_wall(
    table: Floats, cache: ContactCache, points: Points, law: Law, body: int, wall: int
) -> float:
    """Add up the points of a disc that are in a wall; return the sum of w d^4.

    Args:
        table: The bodies.
        cache: Of the contacts.
        points: Contact points of a disc.
        law: Gives the places of the walls.
        body: The disc.
        wall: 0 and 1 for the walls at +x and -x, 2 and 3 for those at +y and -y.
    """
    clear_resultant(cache.resultant)
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
            before = cache.inside[body, other, ring]
            cache.inside[body, other, ring] = 0
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
                cache.inside[body, other, ring] |= bit
                back = WALL_THICKNESS_MM - own_face
                if not before & bit:
                    nearest = _WALL_FACE if own_face <= back else _WALL_BACK
                    if own_top <= own_face and own_top <= back:
                        nearest = _WALL_TOP
                    cache.surface[body, other, point] = nearest
                surface = cache.surface[body, other, point]
                depth, normal = own_top, (0.0, 0.0, 1.0)
                if surface != _WALL_TOP:
                    depth = own_face if surface == _WALL_FACE else back
                    out = -side if surface == _WALL_FACE else side
                    normal = (out, 0.0, 0.0) if axis == 0 else (0.0, out, 0.0)
                arm = plus(
                    minus(vector(table, body, MIDDLE), vector(table, body, CENTRE)),
                    lever,
                    vector(table, body, NORMAL),
                )
                arm = plus(plus(arm, x, vector(table, body, FIRST)), y, vector(table, body, SECOND))
                add_point(
                    table,
                    cache.resultant,
                    body,
                    len(table) - 1,
                    point_load(points, points.weight[ring], depth),
                    depth,
                    arm,
                    normal,
                )
    result: float = cache.resultant[OVERLAP]
    return result


@inlined
def forget_points(cache: ContactCache, body: int, other: int) -> None:
    """Forget which points of a body are inside another, or in a wall."""
    for ring in range(cache.inside.shape[2]):
        cache.inside[body, other, ring] = 0
