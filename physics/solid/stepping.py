"""The solid engine's scheduler: windows of steps in which every body has its own clock.

At the beginning of a window of 20 steps, lower bounds of all distances decide which pairs may touch
within it. In the window a body moves in steps only while something presses on it; else it is flown,
exactly and in one go, to the step at which its distance to something is to be looked at again. So
the work goes with the number of contacts, not with the number of bodies. A body's steps are those
of velocity Verlet.
"""

import math

from physics.arrays import Floats
from physics.compiling import compiled, inlined
from physics.materials import GRAVITY_MM_S2
from physics.solid.contact_laws import let_go, push_apart
from physics.solid.geometry import fastest_mm_s, gap_mm, lowest_mm
from physics.solid.integrator import energy_nj, fly, kick, lose_gain, step_loaded, unload
from physics.solid.narrow_phase import forget, press_discs, press_floor, press_wall, wall_gap_mm
from physics.solid.sleeping import is_left_out, lay_down, update_sleep, wake
from physics.solid.state import (
    ASLEEP,
    AWAKE,
    FIRST,
    MIDDLE,
    NORMAL,
    VELOCITY,
    WALLS,
    WORLD_PATCHES,
    Law,
    Log,
    Memory,
    Points,
    Schedule,
)

_NEAR = 2.5
"""A pair is near if its gap is less than this times the way of the fastest body in a window: each
of the two may move that far, and be sped up by a quarter."""

_LATER = 8
"""A far pair is looked at again after at most so many windows."""

_NEVER = 1 << 60

# Columns of the tally of an engine's run.
ENERGY, SPRINGS, PEAK, LARGEST_RISE, SINCE_HIT_S = 0, 1, 2, 3, 4


@compiled
def advance(
    table: Floats,
    memory: Memory,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    steps: int,
    windows: int,
    tally: Floats,
    log: Log,
) -> int:
    """Move the bodies on until none is awake, for at most so many windows; return how many.

    Args:
        table: The bodies; changed in place.
        memory: Of the contacts; changed in place.
        points: Contact points of every disc.
        law: The constants.
        schedule: Clocks and phases; changed in place.
        step_s: Time step.
        steps: Steps of a window.
        windows: The most windows.
        tally: Shape (5,); energy, springs' energy, highest energy, largest rise between windows,
            and the time since the last body, the slammer, first touched another.
        log: Filled with the end of each window, as far as it has rows.
    """
    for window in range(windows):
        pairs, top_mm_s = _look_around(table, memory, law, schedule, step_s * steps)
        springs = _run_window(
            table, memory, points, law, schedule, step_s, step_s * top_mm_s, steps, pairs
        )
        awake = update_sleep(table, schedule, law, step_s * steps)
        energy = energy_nj(table) + springs
        tally[LARGEST_RISE] = max(tally[LARGEST_RISE], energy - tally[ENERGY])
        tally[PEAK] = max(tally[PEAK], energy)
        tally[ENERGY], tally[SPRINGS] = energy, springs
        if tally[SINCE_HIT_S] > 0.0 or memory.met[:, -1].any():
            tally[SINCE_HIT_S] += step_s * steps
        _note(table, log, window, energy)
        if not awake:
            return window + 1
    return windows


@compiled
def finish(
    table: Floats, schedule: Schedule, law: Law, span_s: float, windows: int, log: Log
) -> int:
    """Bring down bodies that fly out, are being laid flat or still wobble; return the windows."""
    for body in range(len(schedule.phase)):
        if schedule.phase[body] == AWAKE:
            lay_down(table, schedule, law, body)
    for window in range(windows):
        moving = False
        for body in range(len(schedule.phase)):
            phase = schedule.phase[body]
            moving = moving or phase > ASLEEP  # being laid flat, or flying out
        if not moving:
            return window
        update_sleep(table, schedule, law, span_s)
        _note(table, log, window, energy_nj(table))
    return windows


@inlined
def _note(table: Floats, log: Log, window: int, energy: float) -> None:
    """Note poses and energy at the end of a window, if they are wanted."""
    if window >= len(log.energy_nj):
        return
    log.energy_nj[window] = energy
    for body in range(len(table) - 1):
        for k in range(3):
            log.poses[window, body, k] = table[body, MIDDLE + k]
            log.poses[window, body, 3 + k] = table[body, FIRST + k]
            log.poses[window, body, 6 + k] = table[body, NORMAL + k]


@inlined
def _look_around(
    table: Floats, memory: Memory, law: Law, schedule: Schedule, span_s: float
) -> tuple[int, float]:
    """Find what may touch within a window; return the near pairs' number and the top speed."""
    count = len(schedule.phase)
    fall_mm_s = GRAVITY_MM_S2 * span_s
    top_mm_s = 0.0
    for body in range(count):
        schedule.clock[body] = 0
        if schedule.phase[body] == AWAKE:
            top_mm_s = max(top_mm_s, fastest_mm_s(table, body))
    margin_mm = _NEAR * (top_mm_s + fall_mm_s) * span_s
    schedule.paired[:] = False
    pairs = 0
    for one in range(count):
        for other in range(one + 1, count):
            gap = _near_gap_mm(table, memory, law, schedule, one, other, margin_mm)
            if gap < margin_mm:
                schedule.first[pairs], schedule.second[pairs] = one, other
                schedule.gap_mm[pairs] = gap
                pairs += 1
    pairs = _drop_sleeping(schedule, pairs)
    top_mm_s = 0.0
    for body in range(count):
        if schedule.phase[body] == AWAKE:
            own_mm_s = fastest_mm_s(table, body)
            own_mm = 1.5 * (own_mm_s + fall_mm_s) * span_s
            # A lone body keeps its speed; one of a pair may be struck, and driven at the floor.
            if schedule.paired[body]:
                top_mm_s = max(top_mm_s, own_mm_s)
                own_mm = margin_mm
            _look_at_world(table, memory, law, schedule, body, own_mm)
    return pairs, top_mm_s + fall_mm_s


@inlined
def _drop_sleeping(schedule: Schedule, pairs: int) -> int:
    """Leave out the pairs of sleepers that nothing awake can reach; return how many are left."""
    for body in range(len(schedule.phase)):
        schedule.soonest[body] = schedule.phase[body] == AWAKE
    reached = True
    while reached:
        reached = False
        for pair in range(pairs):
            one, other = schedule.first[pair], schedule.second[pair]
            if schedule.soonest[one] != schedule.soonest[other]:
                schedule.soonest[one] = schedule.soonest[other] = 1
                reached = True
    left = 0
    for pair in range(pairs):
        one, other = schedule.first[pair], schedule.second[pair]
        if schedule.soonest[one]:
            schedule.first[left], schedule.second[left] = one, other
            schedule.gap_mm[left] = schedule.gap_mm[pair]
            schedule.paired[one] = schedule.paired[other] = True
            left += 1
    return left


@inlined
def _look_at_world(
    table: Floats, memory: Memory, law: Law, schedule: Schedule, body: int, margin_mm: float
) -> None:
    """Note whether a body may touch the floor and the walls within a window."""
    count = len(schedule.phase)
    patch = count * count + body * WORLD_PATCHES
    low = lowest_mm(table, body)
    near = low < margin_mm
    schedule.near[body, count] = near
    if not near:
        let_go(memory, patch)
    for wall in range(WALLS):
        beside = low < law.wall_height_mm + margin_mm
        near = beside and wall_gap_mm(table, law, body, wall) < margin_mm
        if not near and schedule.near[body, count + 1 + wall]:
            _leave_wall(memory, count, body, wall)
        schedule.near[body, count + 1 + wall] = near
    for part in range(WORLD_PATCHES):
        schedule.world_due[body, part] = 0 if schedule.near[body, count + part] else _NEVER


@inlined
def _near_gap_mm(
    table: Floats,
    memory: Memory,
    law: Law,
    schedule: Schedule,
    one: int,
    other: int,
    margin_mm: float,
) -> float:
    """Return a lower bound of the gap of a pair that may touch within a window, else infinity.

    Far pairs are not looked at every time.

    What lies outside, or flies there, has been laid flat without regard to others and to the walls:
    it could stand in them, and its springs would give back energy that nobody put in.
    """
    if is_left_out(table, schedule, law, one) or is_left_out(table, schedule, law, other):
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
            _part(memory, len(schedule.phase), one, other)
    schedule.near[one, other] = near
    return gap if near else math.inf


@inlined
def _part(memory: Memory, count: int, one: int, other: int) -> None:
    """Forget a contact of two bodies."""
    forget(memory, one, other)
    forget(memory, other, one)
    let_go(memory, one * count + other)


@inlined
def _leave_wall(memory: Memory, count: int, body: int, wall: int) -> None:
    """Forget a body's contact with a wall."""
    forget(memory, body, count + wall)
    let_go(memory, count * count + body * WORLD_PATCHES + 1 + wall)


@inlined
def _run_window(
    table: Floats,
    memory: Memory,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    way_mm: float,
    steps: int,
    pairs: int,
) -> float:
    """Move all awake bodies on by a window; return the energy in the springs at its end.

    Args:
        table: The bodies.
        memory: Of the contacts.
        points: Contact points of every disc.
        law: The constants.
        schedule: The near pairs, clocks and phases.
        step_s: Time step.
        way_mm: Way of the fastest body in it.
        steps: Steps of the window.
        pairs: Number of near pairs.
    """
    springs = 0.0
    busy = _list_busy(memory, law, schedule, way_mm, pairs)
    step = 1
    while step <= steps:
        _move_loaded(table, schedule, step_s, step, busy)
        springs = 0.0
        for index in range(busy):
            body = schedule.busy[index]
            if step >= schedule.soonest[body] and schedule.phase[body] == AWAKE:
                springs += _meet_world(
                    table, memory, points, law, schedule, step_s, way_mm, step, body
                )
        following = _NEVER
        for pair in range(pairs):
            if step >= schedule.due[pair]:
                springs += _meet(
                    table, memory, points, law, schedule, step_s, way_mm, step, pair, pairs
                )
            following = min(following, schedule.due[pair])
        step = max(step + 1, min(following, _end_steps(table, schedule, step_s, step, busy)))
    for body in range(len(schedule.phase)):
        _catch_up(table, schedule, step_s, steps, body)
    return springs


@inlined
def _move_loaded(table: Floats, schedule: Schedule, step_s: float, step: int, busy: int) -> None:
    """Move the bodies that something presses on to a step."""
    for index in range(busy):
        body = schedule.busy[index]
        if schedule.loaded[body]:
            step_loaded(table, body, step_s)
            schedule.clock[body] = step


@inlined
def _end_steps(table: Floats, schedule: Schedule, step_s: float, step: int, busy: int) -> int:
    """End the steps of the bodies that are at a step; return when one is next to be looked at."""
    following = _NEVER
    for index in range(busy):
        body = schedule.busy[index]
        if schedule.phase[body] != AWAKE:
            continue
        if schedule.clock[body] == step:
            _end_step(table, schedule, step_s, body)
        following = min(following, schedule.soonest[body])
        if schedule.loaded[body]:
            following = min(following, schedule.clock[body] + 1)
    return following


@inlined
def _list_busy(memory: Memory, law: Law, schedule: Schedule, way_mm: float, pairs: int) -> int:
    """List the bodies that may touch something within a window; return their number."""
    count = len(schedule.phase)
    for body in range(count):
        schedule.soonest[body] = _NEVER
        if schedule.phase[body] == AWAKE:
            for part in range(WORLD_PATCHES):
                if schedule.near[body, count + part]:
                    schedule.soonest[body] = 1
    for pair in range(pairs):
        one, other = schedule.first[pair], schedule.second[pair]
        schedule.due[pair] = 1
        if schedule.gap_mm[pair] > 0.0 and not memory.touches[one * count + other]:
            schedule.due[pair] = _wait(law, schedule.gap_mm[pair], way_mm)
        if schedule.phase[one] != AWAKE and schedule.phase[other] != AWAKE:
            schedule.due[pair] = _NEVER  # until one of them wakes
    busy = 0
    for body in range(count):
        if schedule.soonest[body] < _NEVER or schedule.paired[body]:
            schedule.busy[busy] = body
            busy += 1
    return busy


@inlined
def _catch_up(table: Floats, schedule: Schedule, step_s: float, step: int, body: int) -> None:
    """Fly a body that nothing pressed on to a step."""
    if schedule.clock[body] < step and schedule.phase[body] == AWAKE:
        fly(table, body, (step - schedule.clock[body]) * step_s)
        unload(table, body)
        schedule.clock[body] = step


@inlined
def _wait(law: Law, gap_mm_: float, way_mm: float) -> int:
    """Return the steps until a gap may have closed: both sides may move at twice the top speed.

    Not the pair's own speed counts but that of the fastest body of all: a shock can run through a
    pile and drive a resting piece at another within a few steps.
    """
    return 1 + min(law.longest_wait, int(gap_mm_ / (2.0 * way_mm)))


@inlined
def _meet_world(
    table: Floats,
    memory: Memory,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    way_mm: float,
    step: int,
    body: int,
) -> float:
    """Press a body against the floor and the walls; return the energy in the springs."""
    count = len(schedule.phase)
    springs = 0.0
    soonest = _NEVER
    for part in range(WORLD_PATCHES):
        if step < schedule.world_due[body, part]:
            soonest = min(soonest, schedule.world_due[body, part])
            continue
        _catch_up(table, schedule, step_s, step, body)
        patch = count * count + body * WORLD_PATCHES + part
        gap = lowest_mm(table, body) if part == 0 else wall_gap_mm(table, law, body, part - 1)
        fourth = 0.0
        if gap > 0.0:
            # A lone body may be the fastest of all.
            own_mm = step_s * fastest_mm_s(table, body)
            schedule.world_due[body, part] = step + _wait(law, gap, max(way_mm, own_mm))
            if part > 0:
                forget(memory, body, count + part - 1)
        elif part == 0:
            fourth = press_floor(table, memory, points, body)
        else:
            fourth = press_wall(table, memory, points, law, body, part - 1)
        if fourth > 0.0:
            springs += push_apart(table, memory, law, body, count, patch, step_s)
            schedule.pressed[body] = True
        else:
            let_go(memory, patch)
        soonest = min(soonest, max(step + 1, schedule.world_due[body, part]))
    schedule.soonest[body] = soonest
    return springs


@inlined
def _meet(
    table: Floats,
    memory: Memory,
    points: Points,
    law: Law,
    schedule: Schedule,
    step_s: float,
    way_mm: float,
    step: int,
    pair: int,
    pairs: int,
) -> float:
    """Press two bodies against each other; return the energy in their springs."""
    one, other = schedule.first[pair], schedule.second[pair]
    _catch_up(table, schedule, step_s, step, one)
    _catch_up(table, schedule, step_s, step, other)
    count = len(schedule.phase)
    patch = one * count + other
    if not memory.touches[patch]:
        gap = gap_mm(table, one, other)
        if gap > 0.0:
            schedule.due[pair] = step + _wait(law, gap, way_mm)
            forget(memory, one, other)
            forget(memory, other, one)
            let_go(memory, patch)
            return 0.0
    if press_discs(table, memory, points, one, other, 2 * way_mm) <= 0.0:
        let_go(memory, patch)
        return 0.0
    springs = push_apart(table, memory, law, one, other, patch, step_s)
    schedule.pressed[one] = schedule.pressed[other] = True
    memory.met[one, other] = True
    if wake(table, schedule, law, one, other):
        _join(table, schedule, step, one, pairs)
    elif wake(table, schedule, law, other, one):
        _join(table, schedule, step, other, pairs)
    return springs


@inlined
def _join(table: Floats, schedule: Schedule, step: int, body: int, pairs: int) -> None:
    """Let a body that has just woken take part in the rest of the window."""
    count = len(schedule.phase)
    unload(table, body)
    schedule.pressed[body] = schedule.loaded[body] = False
    schedule.clock[body] = step
    for part in range(WORLD_PATCHES):
        near = schedule.near[body, count + part]
        schedule.world_due[body, part] = step + 1 if near else _NEVER
    schedule.soonest[body] = step + 1
    for pair in range(pairs):
        if schedule.first[pair] == body or schedule.second[pair] == body:
            schedule.due[pair] = min(schedule.due[pair], step + 1)


@inlined
def _end_step(table: Floats, schedule: Schedule, span_s: float, body: int) -> None:
    """Give a body the second half of its step's kick.

    A body that has just been flown here has had its weight's share; the contact's is missing.
    """
    if schedule.pressed[body] or schedule.loaded[body]:
        kick(table, body, span_s / 2)
        if not schedule.loaded[body]:
            table[body, VELOCITY + 2] += GRAVITY_MM_S2 * span_s / 2
    if not schedule.pressed[body]:
        lose_gain(table, body)
    schedule.loaded[body] = schedule.pressed[body]
    schedule.pressed[body] = False
