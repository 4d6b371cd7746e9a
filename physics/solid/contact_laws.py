"""Contact laws: penalty contacts, one spring with a damper for all points of a patch, and friction.

| law | model and source | function |
|---|---|---|
| normal | penalty, gradient of K D^2 / 2: a rigid punch | `apply_contact_forces` |
| damping | viscous, only pushes (Schwager and Poeschel 2007) | `apply_contact_forces` |
| hysteresis | latching spring (Walton and Braun 1986) | `_latching_spring` |
| friction | Mindlin's stiffness, Coulomb's slider (Cundall and Strack 1979) | `_apply_friction` |
| two materials | damping by share of the energy | `apply_contact_forces` |
| two materials | friction by the geometric mean | `apply_contact_forces` |

All points of one pair of bodies together make one spring, whose compression

    D = (sum of w d^4)^(1/4),    potential energy K D^2 / 2

is the norm of the depths d, weighted with each point's share w of its face. The exponent makes the
edge of a face stiffer than its inside, as under a rigid punch: a flat pair resists tilting with
3/4 K r^2 (an elastic half-space: 2/3), a uniform foundation would with 1/4. Forces are the gradient
of that energy, so a spring gives back what it took; its damper c dD/dt, with c from the mass that D
has in the present configuration, takes the same share in any of them.

With hysteresis h, pressed further than before the spring has the stiffness K, let out (and pressed
again) K / e^(2 h), so that a dent is left and the share e^(2 h) of its energy comes back, at any
rate. The dent vanishes with the contact. The damper takes the rest of the loss: alone it has the
restitution e^(1 - h), and a collision of two ends with e (Journal of Rheology 30, 949).

Friction is one spring and slider a patch, for slip (two directions) and turning together; the
slider moves where the spring's load passes Coulomb's limit, which only loses energy.
"""

import math
from functools import lru_cache

from pucklab.base.arrays import Floats
from pucklab.base.elementary import atan2, cube_root, exp, log
from pucklab.base.errors import check_number
from pucklab.base.kernels import inlined
from pucklab.physics.solid.geometry import (
    apply_inverse_inertia,
    cross,
    dot,
    minus,
    plus,
    times,
    triple,
    vector,
)
from pucklab.physics.solid.narrow_phase import (
    LEVER,
    LEVER_SQUARE,
    LOAD,
    OVERLAP,
    UNIT_COUNTER_TORQUE,
    UNIT_FORCE,
    UNIT_TORQUE,
)
from pucklab.physics.solid.state import (
    CENTRE,
    COMPLIANCE,
    DAMPING,
    FORCE,
    FRICTION,
    HALF_KICK,
    INVERSE_MASS,
    RATE,
    TORQUE,
    VELOCITY,
    ContactCache,
    Law,
    Vector,
)

_UNIFORM_ARM = math.sqrt(8.0) / 3.0
"""Mean over root-mean-square distance from the centre of a uniformly pressed disc."""

_SHEAR_DAMPING_RATIO = 0.2
"""Of the friction spring while it sticks. Any value from .1 to .5 stops the ringing of a disc that
has come to rest; sliding does not depend on it."""


@inlined
def apply_contact_forces(
    table: Floats, cache: ContactCache, law: Law, one: int, other: int, patch: int, step_s: float
) -> float:
    """Add the forces of a patch whose points were added up; return its springs' energy, nJ.

    Args:
        table: The bodies; forces and torques are added to.
        cache: Of the contacts, with the resultant of this patch.
        law: Stiffness, damping, friction.
        one: The first body.
        other: The second, or the world.
        patch: The patch of the friction spring.
        step_s: Time step.
    """
    resultant = cache.resultant
    quartic = law.exponent == 4.0
    total: float = resultant[OVERLAP]
    depth = math.sqrt(math.sqrt(total)) if quartic else cube_root(total)
    if depth < 1e-12:
        return 0.0
    fresh = not cache.touches[patch]
    cache.touches[patch] = True
    # Gradient of D: sum of w (d/D)^3 times the gradient of each depth.
    scale = 1.0 / (depth * depth * (depth if quartic else 1.0))
    force = times(scale, triple(resultant, UNIT_FORCE))
    torque = times(scale, triple(resultant, UNIT_TORQUE))
    counter_torque = times(scale, triple(resultant, UNIT_COUNTER_TORQUE))
    square = dot(force, force)
    closing_speed = -dot(force, vector(table, one, VELOCITY)) - dot(
        torque, vector(table, one, RATE)
    )
    closing_speed -= dot(force, vector(table, one, HALF_KICK)) + dot(
        torque, vector(table, one, HALF_KICK + 3)
    )
    # 1 / (the mass that D has): gradient . inverse inertia . gradient.
    inverse_mass = square * table[one, INVERSE_MASS] + dot(
        torque, apply_inverse_inertia(table, one, torque)
    )
    pair = table[other, INVERSE_MASS] > 0.0
    if pair:
        closing_speed += dot(force, vector(table, other, VELOCITY))
        closing_speed += dot(counter_torque, vector(table, other, RATE))
        closing_speed += dot(force, vector(table, other, HALF_KICK)) + dot(
            counter_torque, vector(table, other, HALF_KICK + 3)
        )
        inverse_mass += square * table[other, INVERSE_MASS]
        inverse_mass += dot(counter_torque, apply_inverse_inertia(table, other, counter_torque))
    # Two sides in series.
    full: float = 1.0 / (table[one, COMPLIANCE] + table[other, COMPLIANCE])
    stiffness, spring = full, full * depth
    energy = spring * depth / 2
    if law.kept < 1.0:
        stiffness, spring = _latching_spring(cache, full, law.kept, patch, depth)
        energy = spring * spring * law.kept / (2 * full)
    # A side counts by its share of the energy.
    ratio: float = table[one, DAMPING]
    if ratio != table[other, DAMPING]:
        soft, its_soft = table[one, COMPLIANCE], table[other, COMPLIANCE]
        ratio = (ratio * soft + table[other, DAMPING] * its_soft) / (soft + its_soft)
    damping = 2 * ratio * math.sqrt(stiffness / inverse_mass)
    if fresh and depth < closing_speed * step_s:
        # A step's kick stands for half a step before and after. The contact began depth / closing
        # ago: without this the damper, which sets in at once, would err by half a step's kick.
        since = depth / (closing_speed * step_s)
        damping *= since + 0.5
        spring *= (since + 0.5) * (since + 0.5) / (2 * since)
    # The velocities lack the second half of this step's kick. Other contacts add about what they
    # added a step ago; this one adds a part in proportion to its force. Without the others, pieces
    # pressed from both sides would seem to part, and the damper would take from their springs.
    last = cache.slip_mm[patch, 4]
    size = (spring + damping * (closing_speed + inverse_mass * step_s / 2 * last)) / (
        1.0 + damping * inverse_mass * step_s / 2
    )
    strength = math.sqrt(square)
    if size <= 0.0 or strength <= 0.0:  # a contact only pushes
        _release_friction(cache, patch)
        return energy
    if 2 * size < last:  # it will reach zero within a step: the kick ends there, as it began above
        until = size / (last - size)
        size *= (until + 0.5) * (until + 0.5) / (2 * until)
    cache.slip_mm[patch, 4] = size
    _add_force(table, one, size, force, torque)
    if pair:
        _add_force(table, other, -size, force, counter_torque)
    friction: float = table[one, FRICTION]
    if friction != table[other, FRICTION]:
        friction = math.sqrt(friction * table[other, FRICTION])  # the geometric mean
    limit = friction * size * strength
    if limit <= 0.0:
        return energy
    normal = times(1.0 / strength, force)
    shear = law.shear_share * full
    return energy + _apply_friction(table, cache, shear, limit, normal, one, other, patch, step_s)


@inlined
def _latching_spring(
    cache: ContactCache, full: float, kept: float, patch: int, depth: float
) -> tuple[float, float]:
    """Return stiffness and force of a latching spring, whose dent is brought up to date."""
    dent = min(cache.dent_mm[patch], depth)
    stiffness, spring = full / kept, (depth - dent) * full / kept
    if spring >= full * depth:
        stiffness, spring = full, full * depth
        dent = (1.0 - kept) * depth
    cache.dent_mm[patch] = dent
    return stiffness, spring


@inlined
def _apply_friction(
    table: Floats,
    cache: ContactCache,
    shear: float,
    limit: float,
    normal: Vector,
    one: int,
    other: int,
    patch: int,
    step_s: float,
) -> float:
    """Add friction; return the energy of its spring, nJ.

    Slip and turning (times the patch's mean radius) are one vector: where its load passes
    ``limit``, the whole vector is shortened. So a disc that slides and spins is braked in both by
    one friction, not by one for each.
    """
    resultant = cache.resultant
    per_share = 1.0 / resultant[LOAD]
    lever = times(per_share, triple(resultant, LEVER))
    arm = _UNIFORM_ARM * math.sqrt(
        max(0.0, resultant[LEVER_SQUARE] * per_share - dot(lever, lever))
    )
    rate = vector(table, one, RATE)
    velocity = plus(vector(table, one, VELOCITY), 1.0, cross(rate, lever))
    its_lever = lever
    inverse_mass = table[one, INVERSE_MASS] + table[other, INVERSE_MASS]
    pair = table[other, INVERSE_MASS] > 0.0
    if pair:
        its_lever = plus(
            lever, 1.0, minus(vector(table, one, CENTRE), vector(table, other, CENTRE))
        )
        its_rate = vector(table, other, RATE)
        velocity = minus(
            velocity, plus(vector(table, other, VELOCITY), 1.0, cross(its_rate, its_lever))
        )
        rate = minus(rate, its_rate)
    velocity = plus(velocity, -dot(velocity, normal), normal)
    turning = arm * dot(rate, normal)
    stored = cache.slip_mm
    slip = (stored[patch, 0], stored[patch, 1], stored[patch, 2])
    # The patch may have turned: only the part in its present plane counts.
    slip = plus(plus(slip, -dot(slip, normal), normal), step_s, velocity)
    twist = stored[patch, 3] + step_s * turning
    stretch = dot(slip, slip) + twist * twist
    load = shear * math.sqrt(stretch)
    if load > limit:
        shorter = limit / load
        slip, twist = times(shorter, slip), shorter * twist
        stretch *= shorter * shorter
    stored[patch, 0], stored[patch, 1], stored[patch, 2] = slip
    stored[patch, 3] = twist
    pull, couple = times(-shear, slip), -shear * twist
    damping = 2 * _SHEAR_DAMPING_RATIO * math.sqrt(shear / inverse_mass)
    damped, damped_couple = plus(pull, -damping, velocity), couple - damping * turning
    if dot(damped, damped) + damped_couple * damped_couple <= limit * limit:
        pull, couple = damped, damped_couple
    about = times(couple * arm, normal)
    _add_force(table, one, 1.0, pull, plus(about, 1.0, cross(lever, pull)))
    if pair:
        _add_force(table, other, -1.0, pull, plus(about, 1.0, cross(its_lever, pull)))
    energy: float = shear * stretch / 2
    return energy


@inlined
def _add_force(table: Floats, body: int, size: float, force: Vector, torque: Vector) -> None:
    for k in range(3):
        table[body, FORCE + k] += size * force[k]
        table[body, TORQUE + k] += size * torque[k]


@inlined
def release_contact(cache: ContactCache, patch: int) -> None:
    """Remove the springs of a patch that no longer touches."""
    cache.dent_mm[patch] = 0.0
    if cache.touches[patch]:
        _release_friction(cache, patch)


@inlined
def _release_friction(cache: ContactCache, patch: int) -> None:
    """Let a patch's friction spring go."""
    cache.touches[patch] = False
    for k in range(5):
        cache.slip_mm[patch, k] = 0.0


@lru_cache(maxsize=256)
def contact_damping_ratio(restitution: float) -> float:
    """Return the damping ratio of a contact spring that only pushes, by its restitution.

    Such a contact ends as its force reaches zero, before the spring is at its full length again:
    e = exp(-z / s (pi - atan2(2 z s, 1 - 2 z2))) with s = sqrt(1 - z2), and for z above 1
    e = exp(-z / s ln((z + s) / (z - s))) with s = sqrt(z2 - 1) (Schwager and Poeschel 2007).

    Example:
        >>> round(contact_damping_ratio(0.5), 4)
        0.2553
    """
    check_number("restitution", restitution, low=1e-3, high=1.0)
    low, high = 0.0, 1e3
    for _ in range(100):
        middle = (low + high) / 2
        if _restitution(middle) > restitution:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _restitution(ratio: float) -> float:
    square = ratio * ratio
    s = math.sqrt(abs(1 - square))
    if ratio < 1:
        return exp(-ratio / s * (math.pi - atan2(2 * ratio * s, 1 - 2 * square)))
    return exp(-ratio / s * log((ratio + s) / (ratio - s))) if ratio > 1 else exp(-2.0)
