"""Position correction: discs at rest whose rims cross between contact points are moved apart.

Contact points on a rim are some 4 mm apart, and a puck is 1.6 mm thick: two rims that cross at a
steep angle can sink into each other by up to a millimetre before a point notices. It happens to
about one piece in a hundred. While pieces move it changes no statistics; at rest, where it would
be seen, the pieces are moved apart by the depth of their overlap.
"""

import math

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.elementary import cos, sin
from pucklab.base.kernels import called, inlined
from pucklab.physics.solid.geometry import dot, gap_mm, lowest_mm, minus, plus, times, vector
from pucklab.physics.solid.narrow_phase import wall_gap_mm
from pucklab.physics.solid.state import (
    CENTRE,
    FIRST,
    FLYING_OUT,
    HALF,
    MIDDLE,
    NORMAL,
    RADIUS,
    SECOND,
    WALLS,
    Law,
    Schedule,
    Vector,
)

_ALLOWED_MM = 0.1
"""Overlaps smaller than this stay: as deep as contacts are pressed for a moment anyway."""

_LEFT_MM = 0.05
_SWEEPS = 200
_SPREAD_AFTER = 10
"""Bodies that still overlap after so many sweeps are interlocked: they are drawn apart sideways."""

_ANGLES = [2 * math.pi * k / 120 for k in range(120)]
_COSINES, _SINES = np.array([*map(cos, _ANGLES)]), np.array([*map(sin, _ANGLES)])
"""Directions of the points that are tried on each edge of a disc, 1.1 mm apart on the rim."""


@called
def resolve_overlaps(table: Floats, schedule: Schedule, law: Law) -> bool:
    """Move bodies at rest apart that overlap; return whether any was moved.

    Args:
        table: The bodies; middles and centres of mass are changed.
        schedule: Their phases.
        law: Gives the places of the walls.
    """
    moved = False
    count = len(schedule.phase)
    for sweep in range(_SWEEPS):
        again = False
        for one in range(count):
            for other in range(one + 1, count):
                far = max(abs(table[one, MIDDLE]), abs(table[one, MIDDLE + 1]))
                inside = schedule.phase[one] != FLYING_OUT and far < law.half_side_mm
                if not inside or gap_mm(table, one, other) >= 0.0:
                    continue
                locked = sweep >= _SPREAD_AFTER
                if _separate(table, one, other, locked) or _separate(table, other, one, locked):
                    again = moved = True
                    _keep_in_box(table, law, one)
                    _keep_in_box(table, law, other)
        if not again:
            break
    return moved


@inlined
def _separate(table: Floats, incident: int, reference: int, locked: bool) -> bool:
    """Move two bodies apart, each by half, if an edge of the incident disc is too deep.

    The shortest way out is taken, or the horizontal one if they are interlocked.
    """
    depth, normal = _deepest(table, incident, reference)
    if depth <= _ALLOWED_MM:
        return False
    if locked:
        apart = minus(vector(table, incident, MIDDLE), vector(table, reference, MIDDLE))
        size = math.sqrt(apart[0] * apart[0] + apart[1] * apart[1]) + 1e-9
        normal = (apart[0] / size, apart[1] / size, 0.0)
    half = (depth - _LEFT_MM) / 2
    _shift(table, incident, times(half, normal))
    _shift(table, reference, times(-half, normal))
    return True


@inlined
def _deepest(table: Floats, incident: int, reference: int) -> tuple[float, Vector]:
    """Return how deep an edge of the incident disc is in the other, and the shortest way out."""
    apart = minus(vector(table, incident, MIDDLE), vector(table, reference, MIDDLE))
    axis, half = vector(table, reference, NORMAL), table[reference, HALF]
    deepest, normal = 0.0, (0.0, 0.0, 1.0)
    for side in range(2):
        lever = (2.0 * side - 1.0) * table[incident, HALF]
        edge = plus(apart, lever, vector(table, incident, NORMAL))
        for k in range(len(_COSINES)):
            point = plus(
                edge, table[incident, RADIUS] * _COSINES[k], vector(table, incident, FIRST)
            )
            point = plus(
                point, table[incident, RADIUS] * _SINES[k], vector(table, incident, SECOND)
            )
            level = dot(point, axis)
            wide = math.sqrt(max(0.0, dot(point, point) - level * level))
            by_face, by_side = half - abs(level), table[reference, RADIUS] - wide
            if min(by_face, by_side) <= deepest:
                continue
            deepest = min(by_face, by_side)
            normal = times(1.0 if level > 0.0 else -1.0, axis)
            if by_side < by_face:
                normal = times(1.0 / max(wide, 1e-9), plus(point, -level, axis))
    return deepest, normal


@inlined
def _keep_in_box(table: Floats, law: Law, body: int) -> None:
    """Move a body back out of the floor and the walls."""
    low = lowest_mm(table, body)
    if low < 0.0:
        _shift(table, body, (0.0, 0.0, -low))
    if low >= law.wall_height_mm:
        return
    for wall in range(WALLS):
        gap = wall_gap_mm(table, law, body, wall)
        if gap < 0.0:
            back = gap if wall % 2 == 0 else -gap
            _shift(table, body, (back, 0.0, 0.0) if wall < 2 else (0.0, back, 0.0))


@inlined
def _shift(table: Floats, body: int, way: Vector) -> None:
    for k in range(3):
        table[body, CENTRE + k] += way[k]
        table[body, MIDDLE + k] += way[k]
