"""Integrator: kick-drift-kick leapfrog with exact free rotation, free flight, and energy.

A kick changes velocities by forces, a drift moves a body as if it were free: symplectic (Hairer,
Lubich and Wanner, Geometric Numerical Integration, chapter I.1).
"""

import math

from pucklab.base.arrays import Floats
from pucklab.base.elementary import cos, sin
from pucklab.base.kernels import inlined
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.solid.geometry import (
    apply_inverse_inertia,
    cross,
    dot,
    plus,
    put,
    times,
    vector,
)
from pucklab.physics.solid.state import (
    CENTRE,
    FIRST,
    FORCE,
    HALF_KICK,
    INVERSE_AXIS,
    INVERSE_DIAMETER,
    INVERSE_MASS,
    MIDDLE,
    MOMENTUM,
    NORMAL,
    OFFSET,
    RATE,
    SECOND,
    TORQUE,
    VELOCITY,
    Vector,
)

_SMALL = 0.01
"""Squared angle, rad2, below which three terms of a series are exact to 1e-12."""


@inlined
def sine_cosine(angle: float) -> tuple[float, float]:
    """Return sine and cosine; for the small angles of a step by their series."""
    square = angle * angle
    if square < _SMALL:
        sine = angle * (
            1.0 - square * (1 / 6) * (1.0 - square * (1 / 20) * (1.0 - square * (1 / 42)))
        )
        cosine = 1.0 - square * 0.5 * (
            1.0 - square * (1 / 12) * (1.0 - square * (1 / 30) * (1.0 - square * (1 / 56)))
        )
        return sine, cosine
    return sin(angle), cos(angle)


@inlined
def rotate_free(table: Floats, body: int, span_s: float) -> None:
    """Turn a body as a free symmetric top: about its own axis, then about its momentum.

    With the angular momentum L fixed in space, the axes turn about L at |L| / I_d while the body
    spins about its own axis at (1/I_a - 1/I_d) (L . n) besides (Landau and Lifshitz,
    Mechanics, section 33). Both parts are exact for any span.
    """
    momentum, normal = vector(table, body, MOMENTUM), vector(table, body, NORMAL)
    across = table[body, INVERSE_DIAMETER]
    own = (table[body, INVERSE_AXIS] - across) * dot(momentum, normal) * span_s
    sine, cosine = sine_cosine(own)
    first = plus(times(cosine, vector(table, body, FIRST)), sine, vector(table, body, SECOND))
    about = times(across * span_s, momentum)
    square = dot(about, about)
    # Rodrigues: v + (sin a / a) about x v + ((1 - cos a) / a^2) about x (about x v).
    along, around = 1.0, 0.5
    if square < _SMALL:
        along = 1.0 - square * (1 / 6) * (1.0 - square * (1 / 20) * (1.0 - square * (1 / 42)))
        around = 0.5 * (1.0 - square * (1 / 12) * (1.0 - square * (1 / 30)))
    else:
        angle = math.sqrt(square)
        along, around = sin(angle) / angle, (1.0 - cos(angle)) / square
    first = _rotated(first, about, along, around)
    normal = _rotated(normal, about, along, around)
    put(table, body, FIRST, first)
    put(table, body, NORMAL, normal)
    put(table, body, SECOND, cross(normal, first))


@inlined
def _rotated(vector_: Vector, about: Vector, along: float, around: float) -> Vector:
    once = cross(about, vector_)
    return plus(plus(vector_, along, once), around, cross(about, once))


@inlined
def kick(table: Floats, body: int, span_s: float) -> None:
    """Change a body's velocities by its force and torque over a span."""
    by_force = table[body, INVERSE_MASS] * span_s
    for k in range(3):
        table[body, VELOCITY + k] += table[body, FORCE + k] * by_force
        table[body, MOMENTUM + k] += table[body, TORQUE + k] * span_s
    put(table, body, RATE, apply_inverse_inertia(table, body, vector(table, body, MOMENTUM)))


@inlined
def drift(table: Floats, body: int, span_s: float) -> None:
    """Move and turn a body with its present velocity and angular momentum."""
    rotate_free(table, body, span_s)
    for k in range(3):
        table[body, CENTRE + k] += table[body, VELOCITY + k] * span_s
    _set_middle(table, body)


@inlined
def step_under_force(table: Floats, body: int, span_s: float) -> None:
    """Move a body that something presses on, and store the half kick for its next step."""
    kick(table, body, span_s / 2)
    put(
        table,
        body,
        HALF_KICK,
        times(table[body, INVERSE_MASS] * span_s / 2, vector(table, body, FORCE)),
    )
    torque = times(span_s / 2, vector(table, body, TORQUE))
    put(table, body, HALF_KICK + 3, apply_inverse_inertia(table, body, torque))
    drift(table, body, span_s)
    clear_forces(table, body)


@inlined
def fly(table: Floats, body: int, span_s: float) -> None:
    """Move a body that nothing touches: exact for any span."""
    rotate_free(table, body, span_s)
    for k in range(3):
        table[body, CENTRE + k] += table[body, VELOCITY + k] * span_s
    table[body, CENTRE + 2] -= 0.5 * GRAVITY_MM_S2 * span_s * span_s
    table[body, VELOCITY + 2] -= GRAVITY_MM_S2 * span_s
    _set_middle(table, body)
    put(table, body, RATE, apply_inverse_inertia(table, body, vector(table, body, MOMENTUM)))


@inlined
def _set_middle(table: Floats, body: int) -> None:
    for k in range(3):
        table[body, MIDDLE + k] = (
            table[body, CENTRE + k] - table[body, OFFSET] * table[body, NORMAL + k]
        )


@inlined
def clear_forces(table: Floats, body: int) -> None:
    """Set a body's force to its weight alone."""
    for k in range(3):
        table[body, FORCE + k] = 0.0
        table[body, TORQUE + k] = 0.0
    table[body, FORCE + 2] = -GRAVITY_MM_S2 / table[body, INVERSE_MASS]


@inlined
def clear_half_kick(table: Floats, body: int) -> None:
    """Expect no force at a body's next step."""
    for k in range(6):
        table[body, HALF_KICK + k] = 0.0


@inlined
def stop(table: Floats, body: int) -> None:
    """Set a body's velocities to zero."""
    for k in range(3):
        table[body, VELOCITY + k] = 0.0
        table[body, MOMENTUM + k] = 0.0
        table[body, RATE + k] = 0.0
    clear_half_kick(table, body)


@inlined
def motion_height_mm(table: Floats, body: int) -> float:
    """Return a body's kinetic energy without its spin about its axis, over m g: a height.

    Spin about the axis neither turns a disc over nor lifts it.
    """
    velocity, rate = vector(table, body, VELOCITY), vector(table, body, RATE)
    spin = dot(rate, vector(table, body, NORMAL))
    tumble = max(0.0, dot(rate, rate) - spin * spin)
    inertia = table[body, INVERSE_MASS] / table[body, INVERSE_DIAMETER]  # I_d / m, mm2
    height: float = (dot(velocity, velocity) + tumble * inertia) / (2 * GRAVITY_MM_S2)
    return height


@inlined
def energy_nj(table: Floats) -> float:
    """Return the kinetic and potential energy of all bodies, nJ."""
    total = 0.0
    for body in range(len(table) - 1):
        velocity = vector(table, body, VELOCITY)
        per_mass = dot(velocity, velocity) / 2 + GRAVITY_MM_S2 * table[body, CENTRE + 2]
        total += per_mass / table[body, INVERSE_MASS]
        total += dot(vector(table, body, MOMENTUM), vector(table, body, RATE)) / 2
    return total
