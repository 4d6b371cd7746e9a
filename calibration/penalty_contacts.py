"""Which points of a disc are below the floor, in a wall or in another disc, and how deep.

A point keeps the surface that it came in through until it is out again, and nothing that is swept
in from the side starts a spring that is already compressed.
"""

import math

from calibration.extras import compiled
from calibration.penalty_state import SHEETS, Bodies, Law, Memory, Points, Vector
from calibration.vectors import cross, dot, minus, normal_of, plus, row_of, times
from physics.pieces import PIECE_RADIUS_MM

_OUTSIDE, _TOP, _BOTTOM, _SIDE = 0, 1, 2, 3
"""The surface through which a point came into a disc."""

_WALL_FACE, _WALL_TOP, _WALL_BACK = 1, 2, 3

_RIM_SLACK_MM = 0.01
"""A point this far beyond a disc's rim still counts as on its face."""

_EDGE_MM = 0.4
"""A point that comes in from the side less than this from a face does not press on the side: it
lies on that face, with a spring that begins where the point is."""

_WALL_THICKNESS_MM = 20.0


@compiled
def below_floor(bodies: Bodies, memory: Memory, points: Points, body: int) -> int:
    """Find the points of a body below the floor.

    They are counted from the steepest direction in the face, not from the body's own axes: so a
    disc's rim is round, and it rolls as a wheel does instead of as a polygon.
    """
    nx, ny, nz = normal_of(bodies, body)
    slope = math.hypot(nx, ny)
    reach = PIECE_RADIUS_MM * slope
    rows = 0
    for level in (-1.0, 1.0):
        height = bodies.middle[body, 2] + level * bodies.half_mm[body] * nz
        if height >= reach:
            continue
        down = (1.0, 0.0, 0.0)
        if slope > 1e-9:
            down = (nx * nz / slope, ny * nz / slope, -slope)
        across = cross((nx, ny, nz), down)
        for q in range(points.first[0], points.first[1]):
            x, y = points.x_mm[q], points.y_mm[q]
            depth = -(height + x * down[2])
            if depth <= 0.0:
                continue
            lever = level * bodies.half_mm[body]
            _note(
                memory,
                rows,
                depth,
                points.weight[q],
                (
                    bodies.middle[body, 0] + lever * nx + x * down[0] + y * across[0],
                    bodies.middle[body, 1] + lever * ny + x * down[1] + y * across[1],
                    -depth,
                ),
                (0.0, 0.0, 1.0),
            )
            rows += 1
    return rows


@compiled
def in_wall(bodies: Bodies, memory: Memory, points: Points, law: Law, body: int, wall: int) -> int:
    """Find the points of a body that are in a wall, 20 mm thick."""
    axis, side = wall // 2, 1.0 - 2.0 * (wall % 2)
    other = len(bodies.half_mm) - 1 + wall
    beyond = side * bodies.middle[body, axis] - law.half_side_mm
    reach = PIECE_RADIUS_MM + bodies.half_mm[body]
    if beyond < -reach or beyond > _WALL_THICKNESS_MM + reach:
        for sheet in range(SHEETS):
            _forget(memory, points, body, other, sheet)
        return 0
    rows = 0
    for sheet in range(SHEETS):
        memory.busy[body, other, sheet] = True
        for q in range(points.first[sheet], points.first[sheet + 1]):
            place = _point(bodies, points, body, sheet, q)
            face = side * place[axis] - law.half_side_mm
            top = law.wall_height_mm - place[2]
            back = _WALL_THICKNESS_MM - face
            if face <= 0.0 or top <= 0.0 or back <= 0.0:
                memory.surface[body, other, q] = _OUTSIDE
                continue
            if memory.surface[body, other, q] == _OUTSIDE:
                memory.surface[body, other, q] = _nearest_of_wall(face, top, back)
            depth, normal = _wall_depth(memory.surface[body, other, q], face, top, back, axis, side)
            _note(memory, rows, depth, points.weight[q], place, normal)
            rows += 1
    return rows


@compiled
def _nearest_of_wall(face: float, top: float, back: float) -> int:
    if top <= face and top <= back:
        return _WALL_TOP
    return _WALL_FACE if face <= back else _WALL_BACK


@compiled
def _wall_depth(
    surface: int, face: float, top: float, back: float, axis: int, side: float
) -> tuple[float, Vector]:
    if surface == _WALL_TOP:
        return top, (0.0, 0.0, 1.0)
    inward = -side if surface == _WALL_FACE else side
    depth = face if surface == _WALL_FACE else back
    return depth, ((inward, 0.0, 0.0) if axis == 0 else (0.0, inward, 0.0))


@compiled
def in_each_other(bodies: Bodies, memory: Memory, points: Points, body: int, other: int) -> int:
    """Find the points of each of two bodies that are in the other."""
    apart = minus(row_of(bodies.middle, body), row_of(bodies.middle, other))
    reach = 2 * PIECE_RADIUS_MM + bodies.half_mm[body] + bodies.half_mm[other]
    near = dot(apart, apart) < reach * reach
    rows = 0
    for sheet in range(SHEETS):
        if near:
            rows = _in_disc(bodies, memory, points, body, other, sheet, rows, 1.0)
            rows = _in_disc(bodies, memory, points, other, body, sheet, rows, -1.0)
        else:
            _forget(memory, points, body, other, sheet)
            _forget(memory, points, other, body, sheet)
    return rows


@compiled
def _in_disc(
    bodies: Bodies,
    memory: Memory,
    points: Points,
    body: int,
    host: int,
    sheet: int,
    rows: int,
    sign: float,
) -> int:
    """Find the points of one sheet of a body that are in a host disc.

    Args:
        bodies: The bodies.
        memory: Which points came in where; found points are noted behind ``rows``.
        points: The points.
        body: Whose points.
        host: In which disc.
        sheet: Which sheet.
        rows: How many were found before.
        sign: 1 if normals are to push the body, -1 if they are to push the host.
    """
    own, axis = bodies.rotation[body], normal_of(bodies, host)
    half = bodies.half_mm[host]
    lever = (sheet - 1.0) * bodies.half_mm[body]
    from_host = plus(
        minus(row_of(bodies.middle, body), row_of(bodies.middle, host)),
        lever,
        normal_of(bodies, body),
    )
    height = dot(from_host, axis)
    rise_x = own[0, 0] * axis[0] + own[1, 0] * axis[1] + own[2, 0] * axis[2]
    rise_y = own[0, 1] * axis[0] + own[1, 1] * axis[1] + own[2, 1] * axis[2]
    if abs(height) - PIECE_RADIUS_MM * math.hypot(rise_x, rise_y) >= half:
        _forget(memory, points, body, host, sheet)
        return rows
    memory.busy[body, host, sheet] = True
    surface, offset = memory.surface[body, host], memory.offset_mm[body, host]
    wide = PIECE_RADIUS_MM + _RIM_SLACK_MM
    for q in range(points.first[sheet], points.first[sheet + 1]):
        x, y = points.x_mm[q], points.y_mm[q]
        level = height + x * rise_x + y * rise_y
        if abs(level) >= half:
            surface[q] = _OUTSIDE
            continue
        place = (
            from_host[0] + x * own[0, 0] + y * own[0, 1],
            from_host[1] + x * own[1, 0] + y * own[1, 1],
            from_host[2] + x * own[2, 0] + y * own[2, 1],
        )
        square = max(0.0, dot(place, place) - level * level)
        if square >= wide * wide:
            surface[q] = _OUTSIDE
            continue
        distance = math.sqrt(square)
        if surface[q] == _OUTSIDE:
            surface[q], offset[q] = _entry(half - level, half + level, wide - distance)
        depth = wide - distance
        normal = times(sign, axis)
        if surface[q] == _TOP:
            depth = half - level
        elif surface[q] == _BOTTOM:
            depth = half + level
            normal = times(-sign, axis)
        else:
            normal = times(sign / distance, plus(place, -level, axis))
        offset[q] = min(offset[q], depth)
        if depth > offset[q]:
            place = plus(place, 1.0, row_of(bodies.middle, host))
            _note(memory, rows, depth - offset[q], points.weight[q] / 2, place, normal)
            rows += 1
    return rows


@compiled
def _entry(top: float, bottom: float, side: float) -> tuple[int, float]:
    """Return through which surface a point came in, and where its spring begins."""
    face = min(top, bottom)
    surface = _TOP if top <= bottom else _BOTTOM
    if face <= side:
        return surface, 0.0
    if face < _EDGE_MM:
        return surface, face
    return _SIDE, 0.0


@compiled
def _forget(memory: Memory, points: Points, body: int, other: int, sheet: int) -> None:
    if memory.busy[body, other, sheet]:
        memory.busy[body, other, sheet] = False
        for q in range(points.first[sheet], points.first[sheet + 1]):
            memory.surface[body, other, q] = _OUTSIDE


@compiled
def _note(
    memory: Memory, row: int, depth: float, weight: float, place: Vector, normal: Vector
) -> None:
    memory.found[row, 0] = depth
    memory.found[row, 1] = weight
    for k in range(3):
        memory.found[row, 2 + k] = place[k]
        memory.found[row, 5 + k] = normal[k]


@compiled
def _point(bodies: Bodies, points: Points, body: int, sheet: int, q: int) -> Vector:
    """Return where a body's point is."""
    own = bodies.rotation[body]
    x, y, z = points.x_mm[q], points.y_mm[q], (sheet - 1.0) * bodies.half_mm[body]
    return (
        bodies.middle[body, 0] + x * own[0, 0] + y * own[0, 1] + z * own[0, 2],
        bodies.middle[body, 1] + x * own[1, 0] + y * own[1, 1] + z * own[1, 2],
        bodies.middle[body, 2] + x * own[2, 0] + y * own[2, 1] + z * own[2, 2],
    )
