"""Vectors, and the axes of bodies, for kernels that numba compiles."""

from calibration.extras import compiled
from calibration.penalty_state import Bodies, Floats, Vector


@compiled
def row_of(table: Floats, row: int) -> Vector:
    """Return a row of a table of three columns."""
    return table[row, 0], table[row, 1], table[row, 2]


@compiled
def dot(a: Vector, b: Vector) -> float:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def times(size: float, a: Vector) -> Vector:
    """Return size a."""
    return size * a[0], size * a[1], size * a[2]


@compiled
def plus(a: Vector, size: float, b: Vector) -> Vector:
    """Return a + size b."""
    return a[0] + size * b[0], a[1] + size * b[1], a[2] + size * b[2]


@compiled
def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled
def cross(a: Vector, b: Vector) -> Vector:
    """Return the outer product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled
def normal_of(bodies: Bodies, body: int) -> Vector:
    """Return a body's face normal."""
    own = bodies.rotation
    return own[body, 0, 2], own[body, 1, 2], own[body, 2, 2]


@compiled
def turning_of(bodies: Bodies, body: int, momentum: Vector) -> Vector:
    """Return a body's inverse moment of inertia times a vector."""
    normal = normal_of(bodies, body)
    spin = (bodies.inverse_axis[body] - bodies.inverse_diameter[body]) * dot(momentum, normal)
    return plus(times(bodies.inverse_diameter[body], momentum), spin, normal)
