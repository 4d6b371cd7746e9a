"""The penalty engine's inner loop: discs on springs, moved on by compiled kernels."""

import math

from calibration.extras import compiled
from calibration.penalty_contacts import below_floor, in_each_other, in_wall
from calibration.penalty_forces import settle_patch
from calibration.penalty_sleep import put_to_sleep, wake_each_other
from calibration.penalty_state import WALLS, WORLD_PATCHES, Bodies, Floats, Law, Memory, Points
from calibration.vectors import cross, dot, normal_of, row_of, times, turning_of
from physics.materials import GRAVITY_MM_S2


@compiled
def advance(
    bodies: Bodies,
    memory: Memory,
    points: Points,
    law: Law,
    step_s: float,
    steps: int,
    energies: Floats,
    sample_every: int,
) -> None:
    """Move the bodies on, by velocity Verlet and the exact rotation of a free symmetric top.

    Args:
        bodies: Changed in place.
        memory: Changed in place.
        points: The bodies' points.
        law: The constants.
        step_s: Time step.
        steps: How many.
        energies: Shape (steps // sample_every, 2); filled with samples of the total mechanical
            energy and of the springs' share of it, nJ.
        sample_every: Steps between samples.
    """
    for step in range(steps):
        _kick(bodies, memory, step_s / 2)
        _drift(bodies, memory, step_s)
        springs = _press(bodies, memory, points, law, step_s)
        _kick(bodies, memory, step_s / 2)
        if (step + 1) % sample_every == 0:
            sample = (step + 1) // sample_every - 1
            energies[sample, 0] = _energy(bodies) + springs
            energies[sample, 1] = springs
            put_to_sleep(bodies, memory, law)


@compiled
def _kick(bodies: Bodies, memory: Memory, span_s: float) -> None:
    for body in range(len(bodies.half_mm) - 1):
        if memory.asleep[body]:
            continue
        for k in range(3):
            bodies.velocity[body, k] += bodies.force[body, k] * bodies.inverse_mass[body] * span_s
            bodies.momentum[body, k] += bodies.torque[body, k] * span_s
        turning = turning_of(bodies, body, row_of(bodies.momentum, body))
        for k in range(3):
            bodies.rate[body, k] = turning[k]


@compiled
def _drift(bodies: Bodies, memory: Memory, span_s: float) -> None:
    for body in range(len(bodies.half_mm) - 1):
        if memory.asleep[body]:
            continue
        _turn(bodies, body, span_s)
        for k in range(3):
            bodies.position[body, k] += bodies.velocity[body, k] * span_s
            bodies.middle[body, k] = (
                bodies.position[body, k] - bodies.centre_mm[body] * bodies.rotation[body, k, 2]
            )


@compiled
def _turn(bodies: Bodies, body: int, span_s: float) -> None:
    """Turn a body as a free symmetric top: about its own axis, then about its momentum."""
    own = bodies.rotation[body]
    momentum = row_of(bodies.momentum, body)
    spin = bodies.inverse_axis[body] - bodies.inverse_diameter[body]
    angle = spin * dot(momentum, normal_of(bodies, body)) * span_s
    cos, sin = math.cos(angle), math.sin(angle)
    for k in range(3):
        first, second = own[k, 0], own[k, 1]
        own[k, 0] = cos * first + sin * second
        own[k, 1] = cos * second - sin * first
    turn = times(bodies.inverse_diameter[body] * span_s, momentum)
    square = dot(turn, turn)
    if square < 1e-24:
        return
    size = math.sqrt(square)
    along, around = math.sin(size) / size, (1 - math.cos(size)) / square
    for axis in range(3):
        vector = (own[0, axis], own[1, axis], own[2, axis])
        across = cross(turn, vector)
        twice = cross(turn, across)
        for k in range(3):
            own[k, axis] = vector[k] + along * across[k] + around * twice[k]


@compiled
def _energy(bodies: Bodies) -> float:
    """Return the kinetic and potential energy of all bodies, nJ."""
    total = 0.0
    for body in range(len(bodies.half_mm) - 1):
        velocity = row_of(bodies.velocity, body)
        total += (
            dot(velocity, velocity) / 2 + GRAVITY_MM_S2 * bodies.position[body, 2]
        ) / bodies.inverse_mass[body]
        total += dot(row_of(bodies.momentum, body), row_of(bodies.rate, body)) / 2
    return total


@compiled
def _press(bodies: Bodies, memory: Memory, points: Points, law: Law, step_s: float) -> float:
    """Find all contacts and set all forces; return the energy in the springs of those awake."""
    count = len(bodies.half_mm) - 1
    for body in range(count):
        for k in range(3):
            bodies.force[body, k] = 0.0
            bodies.torque[body, k] = 0.0
        bodies.force[body, 2] = -GRAVITY_MM_S2 / bodies.inverse_mass[body]
    springs = 0.0
    for body in range(count):
        if not memory.asleep[body]:
            springs += _press_on_world(bodies, memory, points, law, body, step_s)
        for other in range(body + 1, count):
            if memory.asleep[body] and memory.asleep[other]:
                continue
            rows = in_each_other(bodies, memory, points, body, other)
            springs += settle_patch(
                bodies, memory, law, rows, body, other, body * count + other, step_s
            )
            if rows > 0:
                memory.met[body, other] = True
                wake_each_other(bodies, memory, law, body, other)
    return springs


@compiled
def _press_on_world(
    bodies: Bodies, memory: Memory, points: Points, law: Law, body: int, step_s: float
) -> float:
    """Add the forces of the floor and the walls on a body; return the energy in the springs."""
    count = len(bodies.half_mm) - 1
    patch = count * count + body * WORLD_PATCHES
    rows = below_floor(bodies, memory, points, body)
    springs = settle_patch(bodies, memory, law, rows, body, count, patch, step_s)
    for wall in range(WALLS):
        rows = in_wall(bodies, memory, points, law, body, wall)
        springs += settle_patch(bodies, memory, law, rows, body, count, patch + 1 + wall, step_s)
    return springs
