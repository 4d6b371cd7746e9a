"""Vectors, speeds and separating-axis bounds of distances of discs, for the engine's kernels."""

import math

from pucklab.base.arrays import Floats
from pucklab.base.kernels import inlined
from pucklab.physics.solid.state import (
    HALF,
    INVERSE_AXIS,
    INVERSE_DIAMETER,
    MIDDLE,
    NORMAL,
    RADIUS,
    RATE,
    VELOCITY,
    Vector,
)

_FAR_MM = 5.0
"""Spheres further apart than this need no better bound."""


@inlined
def vector(table: Floats, body: int, column: int) -> Vector:
    """Return a body's vector that begins in a column."""
    return table[body, column], table[body, column + 1], table[body, column + 2]


@inlined
def triple(row: Floats, column: int) -> Vector:
    """Return the vector that begins at a column of a row."""
    return row[column], row[column + 1], row[column + 2]


@inlined
def put(table: Floats, body: int, column: int, value: Vector) -> None:
    """Store a body's vector from a column on."""
    table[body, column] = value[0]
    table[body, column + 1] = value[1]
    table[body, column + 2] = value[2]


@inlined
def dot(a: Vector, b: Vector) -> float:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a: Vector, b: Vector) -> Vector:
    """Return the cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def times(size: float, a: Vector) -> Vector:
    """Return size a."""
    return size * a[0], size * a[1], size * a[2]


@inlined
def plus(a: Vector, size: float, b: Vector) -> Vector:
    """Return a + size b."""
    return a[0] + size * b[0], a[1] + size * b[1], a[2] + size * b[2]


@inlined
def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def apply_inverse_inertia(table: Floats, body: int, momentum: Vector) -> Vector:
    """Return a body's inverse inertia times a vector: L/I_d + (1/I_a - 1/I_d) (L . n) n."""
    normal = vector(table, body, NORMAL)
    across = table[body, INVERSE_DIAMETER]
    along = (table[body, INVERSE_AXIS] - across) * dot(momentum, normal)
    return plus(times(across, momentum), along, normal)


@inlined
def reach_mm(cosine: float, half_mm: float, radius_mm: float) -> float:
    """Return the extent of a disc from its middle along a direction, mm.

    Args:
        cosine: Of the angle between that direction and the disc's normal.
        half_mm: Half the disc's thickness.
        radius_mm: Its radius.
    """
    return radius_mm * math.sqrt(max(0.0, 1.0 - cosine * cosine)) + half_mm * abs(cosine)


@inlined
def reach_along_mm(table: Floats, body: int, axis: int) -> float:
    """Return the extent of a disc from its middle along an axis of the arena, mm."""
    reach: float = reach_mm(table[body, NORMAL + axis], table[body, HALF], table[body, RADIUS])
    return reach


@inlined
def lowest_mm(table: Floats, body: int) -> float:
    """Return the height of a disc's lowest point."""
    low: float = table[body, MIDDLE + 2] - reach_along_mm(table, body, 2)
    return low


@inlined
def fastest_mm_s(table: Floats, body: int) -> float:
    """Return an upper bound of the speed at which any part of a disc moves along its normal."""
    velocity, rate = vector(table, body, VELOCITY), vector(table, body, RATE)
    spin = dot(rate, vector(table, body, NORMAL))
    tumble = math.sqrt(max(0.0, dot(rate, rate) - spin * spin))
    fastest: float = math.sqrt(dot(velocity, velocity)) + table[body, RADIUS] * tumble
    return fastest


@inlined
def gap_mm(table: Floats, one: int, other: int) -> float:
    """Return a lower bound of the distance of two discs; below zero they may overlap.

    Two convex bodies are at least as far apart as their extents along any direction are. Tried are
    the spheres around them, both normals, the vertical, and the line between their middles.
    """
    return pose_gap_mm(
        minus(vector(table, one, MIDDLE), vector(table, other, MIDDLE)),
        vector(table, one, NORMAL),
        vector(table, other, NORMAL),
        (table[one, HALF], table[other, HALF]),
        (table[one, RADIUS], table[other, RADIUS]),
    )


@inlined
def pose_gap_mm(
    apart: Vector,
    normal: Vector,
    its_normal: Vector,
    halves: tuple[float, float],
    radii: tuple[float, float],
) -> float:
    """Return the bound of `gap_mm` from the vector between two middles, and the normals."""
    half_mm, its_half = halves
    radius, its_radius = radii
    distance = math.sqrt(dot(apart, apart))
    best = distance - (radius + its_radius) - half_mm - its_half
    if best > _FAR_MM or distance < 1e-9:
        return best
    cosine = dot(normal, its_normal)
    sine = math.sqrt(max(0.0, 1.0 - cosine * cosine))
    cosine = abs(cosine)
    best = max(best, abs(dot(apart, normal)) - half_mm - its_radius * sine - its_half * cosine)
    best = max(best, abs(dot(apart, its_normal)) - its_half - radius * sine - half_mm * cosine)
    best = max(
        best,
        abs(apart[2])
        - reach_mm(normal[2], half_mm, radius)
        - reach_mm(its_normal[2], its_half, its_radius),
    )
    towards = times(1.0 / distance, apart)
    return max(
        best,
        distance
        - reach_mm(dot(normal, towards), half_mm, radius)
        - reach_mm(dot(its_normal, towards), its_half, its_radius),
    )
