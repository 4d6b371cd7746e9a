"""Time stepping: kick-drift-kick leapfrog (symplectic Euler on a split) with a step for each body.

A macro step is 20 substeps. The broad phase, lower bounds of all distances as in a sweep, decides
which pairs may touch within it. A body takes substeps only while something presses on it; else it
flies, exactly and in one go, to the substep at which its distance to something is looked at again
(multi-rate stepping). So the work goes with the number of contacts, not of bodies. The integrator
is that of Verlet (Physical Review 159, 98, 1967) in its form with velocities.
"""

import math

from pucklab.base.arrays import Floats
from pucklab.base.kernels import called, inlined
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.solid.air import FILM_REACH, drag_bodies, squeeze_films
from pucklab.physics.solid.contact_laws import apply_contact_forces, release_contact
from pucklab.physics.solid.geometry import fastest_mm_s, gap_mm, lowest_mm
from pucklab.physics.solid.integrator import (
    clear_forces,
    clear_half_kick,
    energy_nj,
    fly,
    kick,
    step_under_force,
)
from pucklab.physics.solid.narrow_phase import (
    collide_discs,
    collide_floor,
    collide_wall,
    forget_points,
    wall_gap_mm,
)
from pucklab.physics.solid.sleeping import has_left_box, settle_flat, update_sleep, wake
from pucklab.physics.solid.state import (
    ASLEEP,
    AWAKE,
    FIRST,
    MIDDLE,
    NORMAL,
    SAMPLES,
    SLEEPS,
    STEP_S,
    TIME_S,
    VELOCITY,
    WORLD_PATCHES,
    ContactCache,
    Law,
    Log,
    Points,
    Run,
    Schedule,
)

_NEAR = 2.5
"""A pair is near if its gap is less than this times the way of the fastest body in a macro step:
each of the two may move that far, and be sped up by a quarter."""

_LATER = 8
"""A far pair is looked at again after at most so many macro steps."""

_NEVER = 1 << 60

SUBSTEPS = 20
"""Of a macro step."""

# Columns of the tally of an engine's run.
ENERGY, SPRINGS, PEAK, LARGEST_RISE, SINCE_HIT_S, FILMS_NJ, DRAG_NJ = range(7)


@called
def advance(run: Run, cache: ContactCache, points: Points, macro_steps: int, log: Log) -> None:
    """Move the bodies on until none is awake, for at most so many macro steps.

    Args:
        run: The run, changed in place. Its tally has the energy, the springs' energy, the highest
            energy, the largest rise between macro steps, the time since the last body, the slammer,
            first touched another, and what films and drag have taken.
        cache: Of the contacts in this stage.
        points: Contact points of every disc in this stage.
        macro_steps: The most of them.
        log: Filled with the end of each macro step, as far as it has rows.
    """
    table, law, schedule, tally, clock = run.table, run.law, run.schedule, run.tally, run.clock
    step_s = clock[STEP_S]
    span_s = step_s * SUBSTEPS
    for _ in range(macro_steps):
        pairs, top_mm_s = _broad_phase(table, cache, law, schedule, span_s)
        if law.film_gap_mm > 0.0 and clock[SLEEPS] == 0.0:
            tally[FILMS_NJ] += squeeze_films(table, law, schedule, pairs, span_s)
        if law.air_density > 0.0:
            tally[DRAG_NJ] += drag_bodies(table, law, schedule, span_s)
        springs = _run_macro_step(
            table, cache, points, law, schedule, step_s, step_s * top_mm_s, pairs
        )
        awake = update_sleep(table, schedule, law, span_s, clock[SLEEPS] > 0.0)
        energy = energy_nj(table) + springs
        tally[LARGEST_RISE] = max(tally[LARGEST_RISE], energy - tally[ENERGY])
        tally[PEAK] = max(tally[PEAK], energy)
        tally[ENERGY], tally[SPRINGS] = energy, springs
        if tally[SINCE_HIT_S] > 0.0 or cache.met[:, -1].any():
            tally[SINCE_HIT_S] += span_s
        clock[TIME_S] += span_s
        note(run, log, energy)
        if not awake or run.stop[0] != 0:
            return


@called
def finish(run: Run, span_s: float, macro_steps: int, log: Log) -> None:
    """Bring down what flies out or still wobbles, in at most so many macro steps."""
    table, law, schedule = run.table, run.law, run.schedule
    for body in range(len(schedule.phase)):
        if schedule.phase[body] == AWAKE:
            settle_flat(table, schedule, law, body)
    for _ in range(macro_steps):
        moving = False
        for body in range(len(schedule.phase)):
            phase = schedule.phase[body]
            moving = moving or phase > ASLEEP  # being laid flat, or flying out
        if not moving:
            return
        update_sleep(table, schedule, law, span_s, True)
        run.clock[TIME_S] += span_s
        note(run, log, energy_nj(table))


@inlined
def note(run: Run, log: Log, energy: float) -> None:
    """Append the bodies as they are now to a log, as far as it has rows; count the sample."""
    table, clock = run.table, run.clock
    sample = int(clock[SAMPLES])
    clock[SAMPLES] += 1.0
    if sample >= len(log.time_s):
        return
    log.time_s[sample], log.energy_nj[sample] = clock[TIME_S], energy
    for body in range(len(table) - 1):
        for k in range(3):
            log.poses[sample, body, k] = table[body, MIDDLE + k]
            log.poses[sample, body, 3 + k] = table[body, FIRST + k]
            log.poses[sample, body, 6 + k] = table[body, NORMAL + k]


@inlined
def _broad_phase(
    table: Floats, cache: ContactCache, law: Law, schedule: Schedule, span_s: float
) -> tuple[int, float]:
    """Find the pairs that may touch within a macro step; return their number and the top speed."""
    count = len(schedule.phase)
    fall_mm_s = GRAVITY_MM_S2 * span_s
    top_mm_s = 0.0
    for body in range(count):
        schedule.moved_to[body] = 0
        if schedule.phase[body] == AWAKE:
            top_mm_s = max(top_mm_s, fastest_mm_s(table, body))
    margin_mm = _NEAR * (top_mm_s + fall_mm_s) * span_s + FILM_REACH * law.film_gap_mm
    schedule.paired[:] = False
    pairs = 0
    for one in range(count):
        for other in range(one + 1, count):
            gap = _pair_gap_mm(table, cache, law, schedule, one, other, margin_mm)
            if gap < margin_mm:
                schedule.first[pairs], schedule.second[pairs] = one, other
                schedule.gap_mm[pairs] = gap
                pairs += 1
    pairs = _drop_sleeping_islands(schedule, pairs)
    top_mm_s = 0.0
    for body in range(count):
        if schedule.phase[body] != AWAKE:
            continue
        own_mm_s = fastest_mm_s(table, body)
        own_mm = 1.5 * (own_mm_s + fall_mm_s) * span_s + FILM_REACH * law.film_gap_mm
        # A lone body keeps its speed; one of a pair may be struck, and driven at the floor.
        if schedule.paired[body]:
            top_mm_s = max(top_mm_s, own_mm_s)
            own_mm = margin_mm
        # The floor and the walls.
        low = lowest_mm(table, body)
        for part in range(WORLD_PATCHES):
            was = schedule.near[body, count + part]
            near = low < own_mm
            if part > 0:
                beside = low < law.wall_height_mm + own_mm
                near = beside and wall_gap_mm(table, law, body, part - 1) < own_mm
            if not near and (part == 0 or was):
                release_contact(cache, count * count + body * WORLD_PATCHES + part)
            schedule.near[body, count + part] = near
            schedule.world_due[body, part] = 0 if near else _NEVER
    return pairs, top_mm_s + fall_mm_s


@inlined
def _pair_gap_mm(
    table: Floats,
    cache: ContactCache,
    law: Law,
    schedule: Schedule,
    one: int,
    other: int,
    margin_mm: float,
) -> float:
    """Return a lower bound of the gap of a pair that may collide, else infinity.

    Far pairs are not looked at every time.

    What lies outside, or flies there, has been laid flat without regard to others and to the walls.
    It may overlap them; releasing its springs would create energy.
    """
    if has_left_box(table, schedule, law, one) or has_left_box(table, schedule, law, other):
        return math.inf
    if schedule.later[one, other] > 0:
        schedule.later[one, other] -= 1
        return math.inf
    was = schedule.near[one, other]
    if was and schedule.phase[one] != AWAKE and schedule.phase[other] != AWAKE:
        return 0.0
    gap = gap_mm(table, one, other)
    near = gap < margin_mm
    if not near:
        schedule.later[one, other] = min(_LATER, int(gap / margin_mm) - 1)
        if was:
            _forget_pair(cache, len(schedule.phase), one, other)
    schedule.near[one, other] = near
    return gap if near else math.inf


@inlined
def _forget_pair(cache: ContactCache, count: int, one: int, other: int) -> None:
    forget_points(cache, one, other)
    forget_points(cache, other, one)
    release_contact(cache, one * count + other)


@inlined
def _drop_sleeping_islands(schedule: Schedule, pairs: int) -> int:
    """Leave out the pairs of sleepers that nothing awake can reach; return how many are left."""
    for body in range(len(schedule.phase)):
        schedule.reached[body] = schedule.phase[body] == AWAKE
    spreads = True
    while spreads:
        spreads = False
        for pair in range(pairs):
            one, other = schedule.first[pair], schedule.second[pair]
            if schedule.reached[one] != schedule.reached[other]:
                schedule.reached[one] = schedule.reached[other] = True
                spreads = True
    left = 0
    for pair in range(pairs):
        one, other = schedule.first[pair], schedule.second[pair]
        if schedule.reached[one]:
            schedule.first[left], schedule.second[left] = one, other
            schedule.gap_mm[left] = schedule.gap_mm[pair]
            schedule.paired[one] = schedule.paired[other] = True
            left += 1
    return left


@inlined
def _run_macro_step(
    table: Floats,
    cache: ContactCache,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    travel_mm: float,
    pairs: int,
) -> float:
    """Move all awake bodies on; return the energy in the springs at the end.

    ``travel_mm`` is how far the fastest body of a pair goes in a substep.
    """
    springs = 0.0
    active = _schedule_contacts(cache, law, schedule, travel_mm, pairs)
    substep = 1
    while substep <= SUBSTEPS:
        # Evolve: half a kick, and the drift, of bodies under a contact force.
        for index in range(active):
            body = schedule.active[index]
            if schedule.loaded[body]:
                step_under_force(table, body, step_s)
                schedule.moved_to[body] = substep
        # Detect and resolve: the contacts that are due add their forces.
        springs = 0.0
        for index in range(active):
            body = schedule.active[index]
            if substep >= schedule.body_due[body] and schedule.phase[body] == AWAKE:
                springs += _apply_world_contacts(
                    table, cache, points, law, schedule, step_s, travel_mm, substep, body
                )
        following = _NEVER
        for pair in range(pairs):
            if substep >= schedule.due[pair]:
                springs += _apply_contact(
                    table, cache, points, law, schedule, step_s, travel_mm, substep, pair, pairs
                )
            following = min(following, schedule.due[pair])
        # The second half of the kick.
        soonest = _NEVER
        for index in range(active):
            body = schedule.active[index]
            if schedule.phase[body] != AWAKE:
                continue
            if schedule.moved_to[body] == substep:
                _finish_kick(table, schedule, step_s, body)
            soonest = min(soonest, schedule.body_due[body])
            if schedule.loaded[body]:
                soonest = min(soonest, schedule.moved_to[body] + 1)
        substep = max(substep + 1, min(following, soonest))
    for body in range(len(schedule.phase)):
        _fly_to_substep(table, schedule, step_s, SUBSTEPS, body)
    return springs


@inlined
def _finish_kick(table: Floats, schedule: Schedule, step_s: float, body: int) -> None:
    if schedule.pressed[body] or schedule.loaded[body]:
        kick(table, body, step_s / 2)
        # A body just flown here has had its weight's share.
        if not schedule.loaded[body]:
            table[body, VELOCITY + 2] += GRAVITY_MM_S2 * step_s / 2
    if not schedule.pressed[body]:
        clear_half_kick(table, body)
    schedule.loaded[body] = schedule.pressed[body]
    schedule.pressed[body] = False


@inlined
def _schedule_contacts(
    cache: ContactCache, law: Law, schedule: Schedule, travel_mm: float, pairs: int
) -> int:
    """List the bodies that may touch something within a macro step; return their number."""
    count = len(schedule.phase)
    for body in range(count):
        schedule.body_due[body] = _NEVER
        if schedule.phase[body] == AWAKE:
            for part in range(WORLD_PATCHES):
                if schedule.near[body, count + part]:
                    schedule.body_due[body] = 1
    for pair in range(pairs):
        one, other = schedule.first[pair], schedule.second[pair]
        schedule.due[pair] = 1
        if schedule.gap_mm[pair] > 0.0 and not cache.touches[one * count + other]:
            schedule.due[pair] = _substeps_until_contact(law, schedule.gap_mm[pair], travel_mm)
        if schedule.phase[one] != AWAKE and schedule.phase[other] != AWAKE:
            schedule.due[pair] = _NEVER  # until one of them wakes
    active = 0
    for body in range(count):
        if schedule.body_due[body] < _NEVER or schedule.paired[body]:
            schedule.active[active] = body
            active += 1
    return active


@inlined
def _fly_to_substep(
    table: Floats, schedule: Schedule, step_s: float, substep: int, body: int
) -> None:
    if schedule.moved_to[body] < substep and schedule.phase[body] == AWAKE:
        fly(table, body, (substep - schedule.moved_to[body]) * step_s)
        clear_forces(table, body)
        schedule.moved_to[body] = substep


@inlined
def _substeps_until_contact(law: Law, gap_mm_: float, travel_mm: float) -> int:
    """Return the substeps until a gap may have closed, both sides at twice the top speed.

    Not the pair's own speed counts but that of the fastest body of all: a shock can run through a
    pile and drive a resting piece at another within a few substeps.
    """
    return 1 + min(int(law.longest_wait), int(gap_mm_ / (2.0 * travel_mm)))


@inlined
def _apply_world_contacts(
    table: Floats,
    cache: ContactCache,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    travel_mm: float,
    substep: int,
    body: int,
) -> float:
    """Press a body against the floor and the walls; return the energy in the springs."""
    count = len(schedule.phase)
    springs = 0.0
    soonest = _NEVER
    for part in range(WORLD_PATCHES):
        if substep < schedule.world_due[body, part]:
            soonest = min(soonest, schedule.world_due[body, part])
            continue
        _fly_to_substep(table, schedule, step_s, substep, body)
        patch = count * count + body * WORLD_PATCHES + part
        gap = lowest_mm(table, body) if part == 0 else wall_gap_mm(table, law, body, part - 1)
        overlap = 0.0
        if gap > 0.0:
            # A lone body may be the fastest of all.
            own_mm = step_s * fastest_mm_s(table, body)
            wait = _substeps_until_contact(law, gap, max(travel_mm, own_mm))
            schedule.world_due[body, part] = substep + wait
            if part > 0:
                forget_points(cache, body, count + part - 1)
        elif part == 0:
            overlap = collide_floor(table, cache, points, body)
        else:
            overlap = collide_wall(table, cache, points, law, body, part - 1)
        if overlap > 0.0:
            springs += apply_contact_forces(table, cache, law, body, count, patch, step_s)
            schedule.pressed[body] = True
        else:
            release_contact(cache, patch)
        soonest = min(soonest, max(substep + 1, schedule.world_due[body, part]))
    schedule.body_due[body] = soonest
    return springs


@inlined
def _apply_contact(
    table: Floats,
    cache: ContactCache,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    travel_mm: float,
    substep: int,
    pair: int,
    pairs: int,
) -> float:
    """Press two bodies against each other; return the energy in their springs."""
    one, other = schedule.first[pair], schedule.second[pair]
    _fly_to_substep(table, schedule, step_s, substep, one)
    _fly_to_substep(table, schedule, step_s, substep, other)
    count = len(schedule.phase)
    patch = one * count + other
    if not cache.touches[patch]:
        gap = gap_mm(table, one, other)
        if gap > 0.0:
            schedule.due[pair] = substep + _substeps_until_contact(law, gap, travel_mm)
            _forget_pair(cache, count, one, other)
            return 0.0
    if collide_discs(table, cache, points, one, other, 2 * travel_mm) <= 0.0:
        release_contact(cache, patch)
        return 0.0
    springs = apply_contact_forces(table, cache, law, one, other, patch, step_s)
    schedule.pressed[one] = schedule.pressed[other] = True
    cache.met[one, other] = True
    if wake(table, schedule, law, one, other):
        _join_macro_step(table, schedule, substep, one, pairs)
    elif wake(table, schedule, law, other, one):
        _join_macro_step(table, schedule, substep, other, pairs)
    return springs


@inlined
def _join_macro_step(
    table: Floats, schedule: Schedule, substep: int, body: int, pairs: int
) -> None:
    """Let a body that has just woken take part in the rest of the macro step."""
    count = len(schedule.phase)
    clear_forces(table, body)
    schedule.pressed[body] = schedule.loaded[body] = False
    schedule.moved_to[body] = substep
    for part in range(WORLD_PATCHES):
        near = schedule.near[body, count + part]
        schedule.world_due[body, part] = substep + 1 if near else _NEVER
    schedule.body_due[body] = substep + 1
    for pair in range(pairs):
        if schedule.first[pair] == body or schedule.second[pair] == body:
            schedule.due[pair] = min(schedule.due[pair], substep + 1)
