"""Forces of the contact points that were found: springs with dampers, and friction.

All points of one pair of bodies together make one spring, whose compression

    D = (sum of w d^4)^(1/4),    potential energy K D^2 / 2

is the norm of the depths d, weighted with each point's share w of its face. The exponent makes the
edge of a face stiffer than its inside, as under a rigid punch: a flat pair resists tilting
with 3/4 K r^2 (an elastic half-space: 2/3), a uniform foundation would with 1/4. Forces are the
gradient of that energy, so a spring gives back what it took; its damper c dD/dt, with c from the
mass that D has in the present configuration, takes the same share in any of them.

Friction is one spring and slider a pair, for slip (two directions) and turning together; the slider
moves where the spring's load passes Coulomb's limit, which only loses energy.
"""

import math

from calibration.extras import compiled
from calibration.penalty_state import Bodies, Law, Memory, Vector
from calibration.vectors import cross, dot, minus, plus, row_of, times, turning_of

_UNIFORM_ARM = math.sqrt(8.0) / 3.0
"""Mean over root-mean-square distance from the centre of a uniformly pressed disc."""

_SHEAR_DAMPING_RATIO = 0.2


@compiled
def settle_patch(
    bodies: Bodies,
    memory: Memory,
    law: Law,
    rows: int,
    body: int,
    other: int,
    patch: int,
    step_s: float,
) -> float:
    """Add the forces of the contact points that were found; return the springs' energy."""
    if rows == 0:
        if memory.sticks[patch]:
            _let_go(memory, patch)
        return 0.0
    memory.sticks[patch] = True
    fourth = 0.0
    for row in range(rows):
        square = memory.found[row, 0] ** 2
        fourth += memory.found[row, 1] * square * square
    depth = math.sqrt(math.sqrt(fourth))
    if depth < 1e-12:
        return 0.0
    return _push(bodies, memory, law, rows, depth, body, other, patch, step_s)


@compiled
def _push(
    bodies: Bodies,
    memory: Memory,
    law: Law,
    rows: int,
    depth: float,
    body: int,
    other: int,
    patch: int,
    step_s: float,
) -> float:
    """Push two bodies apart along the gradient of their common depth.

    Its gradient is a force on the first body (the opposite one on the other) and a torque on each;
    with them the depth has a rate and a mass of its own.
    """
    mine, its = row_of(bodies.position, body), row_of(bodies.position, other)
    force = (0.0, 0.0, 0.0)
    torque = (0.0, 0.0, 0.0)
    its_torque = (0.0, 0.0, 0.0)
    middle = (0.0, 0.0, 0.0)
    total, spread = 0.0, 0.0
    for row in range(rows):
        share = memory.found[row, 1] * (memory.found[row, 0] / depth) ** 3
        place = (memory.found[row, 2], memory.found[row, 3], memory.found[row, 4])
        normal = (memory.found[row, 5], memory.found[row, 6], memory.found[row, 7])
        lever = minus(place, mine)
        force = plus(force, share, normal)
        torque = plus(torque, share, cross(lever, normal))
        its_torque = plus(its_torque, share, cross(minus(place, its), normal))
        middle = plus(middle, share, lever)
        total += share
        spread += share * dot(lever, lever)
    middle = times(1 / total, middle)
    arm = _UNIFORM_ARM * math.sqrt(max(0.0, spread / total - dot(middle, middle)))
    closing = -(
        dot(force, minus(row_of(bodies.velocity, body), row_of(bodies.velocity, other)))
        + dot(torque, row_of(bodies.rate, body))
        - dot(its_torque, row_of(bodies.rate, other))
    )
    lightness = (
        dot(force, force) * (bodies.inverse_mass[body] + bodies.inverse_mass[other])
        + dot(torque, turning_of(bodies, body, torque))
        + dot(its_torque, turning_of(bodies, other, its_torque))
    )
    damping = 2 * law.damping_ratio * math.sqrt(law.stiffness / lightness)
    size = max(0.0, law.stiffness * depth + damping * closing)
    _add(bodies, body, size, force, torque)
    _add(bodies, other, -size, force, its_torque)
    energy = law.stiffness * depth * depth / 2
    strength = math.sqrt(dot(force, force))
    limit = law.friction * size * strength
    if limit <= 0.0:
        _let_go(memory, patch)
        return energy
    normal = times(1 / strength, force)
    return energy + _rub(
        bodies,
        memory,
        law,
        limit,
        normal,
        plus(mine, 1.0, middle),
        arm,
        body,
        other,
        patch,
        step_s,
    )


@compiled
def _rub(
    bodies: Bodies,
    memory: Memory,
    law: Law,
    limit: float,
    normal: Vector,
    place: Vector,
    arm: float,
    body: int,
    other: int,
    patch: int,
    step_s: float,
) -> float:
    """Add friction; return the energy of its spring.

    Slip and turning (times the patch's mean radius) are one vector: where its load passes
    ``limit``, the whole vector is shortened. So a disc that slides and spins is braked in both by
    one friction, not by one for each.
    """
    lever = minus(place, row_of(bodies.position, body))
    its_lever = minus(place, row_of(bodies.position, other))
    velocity = minus(
        plus(row_of(bodies.velocity, body), 1.0, cross(row_of(bodies.rate, body), lever)),
        plus(row_of(bodies.velocity, other), 1.0, cross(row_of(bodies.rate, other), its_lever)),
    )
    velocity = plus(velocity, -dot(velocity, normal), normal)
    turning = arm * dot(minus(row_of(bodies.rate, body), row_of(bodies.rate, other)), normal)
    slip = row_of(memory.slip_mm, patch)
    slip = plus(plus(slip, -dot(slip, normal), normal), step_s, velocity)
    turn = memory.turn_mm[patch] + step_s * turning
    load = law.shear_stiffness * math.sqrt(dot(slip, slip) + turn * turn)
    if load > limit:
        slip, turn = times(limit / load, slip), limit / load * turn
    for k in range(3):
        memory.slip_mm[patch, k] = slip[k]
    memory.turn_mm[patch] = turn
    pull = times(-law.shear_stiffness, slip)
    twist = -law.shear_stiffness * turn
    lightness = bodies.inverse_mass[body] + bodies.inverse_mass[other]
    damping = 2 * _SHEAR_DAMPING_RATIO * math.sqrt(law.shear_stiffness / lightness)
    damped, damped_twist = plus(pull, -damping, velocity), twist - damping * turning
    if dot(damped, damped) + damped_twist * damped_twist <= limit * limit:
        pull, twist = damped, damped_twist
    couple = times(twist * arm, normal)
    _add(bodies, body, 1.0, pull, plus(couple, 1.0, cross(lever, pull)))
    _add(bodies, other, -1.0, pull, plus(couple, 1.0, cross(its_lever, pull)))
    energy: float = law.shear_stiffness * (dot(slip, slip) + turn * turn) / 2
    return energy


@compiled
def _add(bodies: Bodies, body: int, size: float, force: Vector, torque: Vector) -> None:
    for k in range(3):
        bodies.force[body, k] += size * force[k]
        bodies.torque[body, k] += size * torque[k]


@compiled
def _let_go(memory: Memory, patch: int) -> None:
    memory.sticks[patch] = False
    memory.turn_mm[patch] = 0.0
    for k in range(3):
        memory.slip_mm[patch, k] = 0.0
