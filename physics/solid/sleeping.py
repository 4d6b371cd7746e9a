"""Sleeping bodies: when one sleeps, how it is laid flat, when it wakes, and when it is gone.

Speeds are judged as heights: kinetic energy without the spin about the axis, over m g. A body
sleeps when it is all but motionless; when it is slow and stays where it is; or when it has room on
the floor and is too weak to turn over, even with the energy of its awake neighbours, which decides
its face. The last two would leave it tilted in the air: where there is room it is laid flat on the
floor in the time it would take to tip over.
"""

import math

from pucklab.base.arrays import Floats
from pucklab.base.elementary import atan2
from pucklab.base.kernels import inlined
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.outcome import ON_RIM_COSINE, TOUCHING_MM
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.solid.geometry import (
    cross,
    lowest_mm,
    plus,
    pose_gap_mm,
    put,
    reach_along_mm,
    reach_mm,
    times,
    vector,
)
from pucklab.physics.solid.integrator import fly, motion_height_mm, sine_cosine, stop
from pucklab.physics.solid.state import (
    ASLEEP,
    AWAKE,
    CENTRE,
    FIRST,
    FLYING_OUT,
    HALF,
    INVERSE_MASS,
    MIDDLE,
    NORMAL,
    OFFSET,
    RADIUS,
    SECOND,
    SETTLING_DOWN,
    Law,
    Schedule,
)

_LYING_COSINE = 0.5
"""A body steeper than 60 degrees sleeps only if it does not move at all."""

_MOTIONLESS_MM = 1e-4
"""Height of the motion below which a body sleeps at any tilt: 1.4 mm/s."""

_FLAT_COSINE = 0.985
"""A body flatter than 10 degrees counts as flat, even where it touches a wall."""

_WALL_ROOM_MM = 2.0
"""A tilted body nearer to a wall might lean on it in the end: it must come to rest by itself."""

_GONE_MM = 45.0
"""A body with its centre so far beyond the inner face of a wall cannot touch the wall any more: the
wall is 20 mm thick, a usual disc reaches 21 mm."""

_TILTED_MM = 0.02
"""A body whose rim rises less than this over its middle is flat enough to be left as it is."""

# Columns of the path of a body that is laid flat.
_ELAPSED_S, _LASTS_S, _TILT_RAD, _LIFT_MM, _AXIS_X, _AXIS_Y = 0, 1, 2, 3, 4, 5


@inlined
def update_sleep(
    table: Floats, schedule: Schedule, law: Law, span_s: float, may_sleep: bool
) -> bool:
    """Put bodies to sleep that have come to rest, and move on those that nothing touches any more.

    Args:
        table: The bodies.
        schedule: Their phases.
        law: The thresholds.
        span_s: Time since the last look.
        may_sleep: Whether bodies may sleep yet.

    Returns:
        Whether a body is still awake.
    """
    awake = False
    for body in range(len(table) - 1):
        phase = schedule.phase[body]
        if phase == SETTLING_DOWN:
            _continue_settling_flat(table, schedule, body, span_s)
        elif phase == FLYING_OUT:
            fly(table, body, span_s)
            if lowest_mm(table, body) <= 0.0:
                stop(table, body)
                _begin_settling_flat(table, schedule, body)
        elif phase == AWAKE:
            if _is_gone(table, law, body):
                schedule.phase[body] = FLYING_OUT
                schedule.loaded[body] = False
            elif may_sleep and _may_sleep(table, schedule, law, body, span_s):
                stop(table, body)
                schedule.loaded[body] = False
                # Should it wake, it looks for the floor.
                schedule.near[body, len(schedule.phase)] = True
                schedule.phase[body] = ASLEEP
                cosine = table[body, NORMAL + 2]
                high = table[body, RADIUS] * math.sqrt(max(0.0, 1.0 - cosine * cosine))
                lies = abs(cosine) > _LYING_COSINE
                if high > _TILTED_MM and lies and _has_room(table, schedule, law, body):
                    _begin_settling_flat(table, schedule, body)
            else:
                awake = True
    return awake


@inlined
def _is_gone(table: Floats, law: Law, body: int) -> bool:
    far = max(abs(table[body, CENTRE]), abs(table[body, CENTRE + 1]))
    gone: bool = far > law.half_side_mm + _GONE_MM + (table[body, RADIUS] - PIECE_RADIUS_MM)
    return gone


@inlined
def has_left_box(table: Floats, schedule: Schedule, law: Law, body: int) -> bool:
    """Return whether a body is outside for good: it flies there, is being laid flat, or lies."""
    phase = schedule.phase[body]
    out: bool = phase == FLYING_OUT or (phase != AWAKE and _is_gone(table, law, body))
    return out


@inlined
def _may_sleep(table: Floats, schedule: Schedule, law: Law, body: int, span_s: float) -> bool:
    """Return whether a body may sleep, by any of the three rules; keep their times."""
    cosine = abs(table[body, NORMAL + 2])
    height = motion_height_mm(table, body)
    if (height < law.rest_height_mm and cosine > _LYING_COSINE) or height < _MOTIONLESS_MM:
        schedule.quiet_s[body] += span_s
        if schedule.quiet_s[body] >= law.rest_s * (1.0 if cosine > _LYING_COSINE else 2.0):
            return True
    else:
        schedule.quiet_s[body] = 0.0
    # Distance from the nearest plane of a wall, on either side of it.
    room = math.inf
    for axis in range(2):
        beyond = abs(law.half_side_mm - abs(table[body, MIDDLE + axis]))
        room = min(room, beyond - reach_along_mm(table, body, axis))
    clear = cosine > _FLAT_COSINE or room > _WALL_ROOM_MM
    slow = clear and cosine > law.slow_cosine and height < law.slow_height_mm
    if _holds_in_place(
        table, schedule.slow_s, schedule.slow_from_mm, body, slow, law.slow_drift_mm, law, span_s
    ):
        return True
    decided = (
        cosine > _LYING_COSINE
        and _energy_in_reach_mm(table, schedule, body) < law.decided_share * table[body, RADIUS]
    )
    return _holds_in_place(
        table,
        schedule.decided_s,
        schedule.decided_from_mm,
        body,
        decided,
        law.decided_drift_mm,
        law,
        span_s,
    ) and _has_room(table, schedule, law, body)


@inlined
def _holds_in_place(
    table: Floats,
    since_s: Floats,
    from_mm: Floats,
    body: int,
    holds: bool,
    drift_mm: float,
    law: Law,
    span_s: float,
) -> bool:
    """Return whether a condition has held for long enough without the body moving away."""
    x, y = table[body, CENTRE], table[body, CENTRE + 1]
    if holds and since_s[body] > 0.0:
        dx, dy = x - from_mm[body, 0], y - from_mm[body, 1]
        holds = dx * dx + dy * dy < drift_mm * drift_mm
    if not holds:
        since_s[body] = 0.0
        return False
    if since_s[body] == 0.0:
        from_mm[body, 0], from_mm[body, 1] = x, y
    since_s[body] += span_s
    enough: bool = since_s[body] >= law.rest_s
    return enough


@inlined
def _energy_in_reach_mm(table: Floats, schedule: Schedule, body: int) -> float:
    """Return the energy that a body and those awake near it have above lying flat, over its m g."""
    energy = 0.0
    for other in range(len(schedule.phase)):
        near = other == body or schedule.near[min(body, other), max(body, other)]
        if near and schedule.phase[other] == AWAKE:
            above = motion_height_mm(table, other) + table[other, CENTRE + 2] - table[other, HALF]
            energy += above * table[body, INVERSE_MASS] / table[other, INVERSE_MASS]
    return energy


@inlined
def settle_flat(table: Floats, schedule: Schedule, law: Law, body: int) -> None:
    """Lay a body flat for which there is no more time, with the face that it has.

    One on its rim, or so near a wall that it may lean there, stays as it is.
    """
    reach_mm = (
        math.sqrt(table[body, RADIUS] * table[body, RADIUS] + table[body, HALF] * table[body, HALF])
        + TOUCHING_MM
    )
    far_mm = max(abs(table[body, MIDDLE]), abs(table[body, MIDDLE + 1]))
    leans = abs(table[body, NORMAL + 2]) <= ON_RIM_COSINE or far_mm + reach_mm >= law.half_side_mm
    if not leans and _has_room(table, schedule, law, body):
        stop(table, body)
        schedule.loaded[body] = False
        _begin_settling_flat(table, schedule, body)


@inlined
def _has_room(table: Floats, schedule: Schedule, law: Law, body: int) -> bool:
    """Return whether a body could be laid flat on the floor just where it is."""
    x, y = table[body, MIDDLE], table[body, MIDDLE + 1]
    if max(abs(x), abs(y)) + table[body, RADIUS] > law.half_side_mm:
        return False
    # On its way down it stays within an upright cylinder, from the floor to its highest point.
    up, top = (0.0, 0.0, 1.0), _highest_mm(table, body)
    for other in range(len(schedule.phase)):
        if other != body and schedule.phase[other] != FLYING_OUT:
            its_half = table[other, HALF]
            middle, normal = vector(table, other, MIDDLE), vector(table, other, NORMAL)
            if schedule.phase[other] == SETTLING_DOWN:  # so does that one
                its_half = _highest_mm(table, other) / 2
                middle, normal = (middle[0], middle[1], its_half), up
            apart = (x - middle[0], y - middle[1], top / 2 - middle[2])
            radii = table[body, RADIUS], table[other, RADIUS]
            if pose_gap_mm(apart, up, normal, (top / 2, its_half), radii) <= 0.0:
                return False
    return True


@inlined
def _highest_mm(table: Floats, body: int) -> float:
    """Return the height of a disc's highest point."""
    reach = reach_along_mm(table, body, 2)
    high: float = table[body, MIDDLE + 2] + reach
    return high


@inlined
def _begin_settling_flat(table: Floats, schedule: Schedule, body: int) -> None:
    """Begin to lay a body flat, with the face up that is up now.

    A disc that tips about its rim has the angular acceleration m g R / (5/4 m R^2) and its high
    rim, 2 R sin(tilt) up, twice R times that: it is down after sqrt(2.5 R sin(tilt) / g).
    """
    normal, fall = vector(table, body, NORMAL), schedule.fall
    face = 1.0 if normal[2] > 0.0 else -1.0
    sine = math.sqrt(normal[0] * normal[0] + normal[1] * normal[1])
    schedule.phase[body] = SETTLING_DOWN
    fall[body, _ELAPSED_S] = 0.0
    fall[body, _LASTS_S] = math.sqrt(2.5 * table[body, RADIUS] * max(sine, 0.01) / GRAVITY_MM_S2)
    fall[body, _TILT_RAD] = atan2(sine, abs(normal[2]))
    fall[body, _LIFT_MM] = lowest_mm(table, body)
    # Turning about normal x (0, 0, face) brings the normal to the vertical.
    fall[body, _AXIS_X] = face * normal[1] / max(sine, 1e-12)
    fall[body, _AXIS_Y] = -face * normal[0] / max(sine, 1e-12)


@inlined
def _continue_settling_flat(table: Floats, schedule: Schedule, body: int, span_s: float) -> None:
    """Move a body on its way down: its middle sinks, its lowest point never below the floor."""
    fall = schedule.fall
    before = min(1.0, fall[body, _ELAPSED_S] / fall[body, _LASTS_S])
    fall[body, _ELAPSED_S] += span_s
    after = min(1.0, fall[body, _ELAPSED_S] / fall[body, _LASTS_S])
    left = 1.0 - after * after
    step = fall[body, _TILT_RAD] * (after * after - before * before)
    axis = (fall[body, _AXIS_X], fall[body, _AXIS_Y], 0.0)
    sine, cosine = sine_cosine(step)
    about = times(sine, axis)
    around = (1.0 - cosine) / max(sine * sine, 1e-30)
    first, normal = vector(table, body, FIRST), vector(table, body, NORMAL)
    turn_first, turn_normal = cross(about, first), cross(about, normal)
    first = plus(plus(first, 1.0, turn_first), around, cross(about, turn_first))
    normal = plus(plus(normal, 1.0, turn_normal), around, cross(about, turn_normal))
    if after >= 1.0:
        normal = (0.0, 0.0, 1.0 if normal[2] > 0.0 else -1.0)
        size = math.sqrt(first[0] * first[0] + first[1] * first[1])
        first = (first[0] / size, first[1] / size, 0.0)
        schedule.phase[body] = ASLEEP
    height = (
        reach_mm(normal[2], table[body, HALF], table[body, RADIUS]) + left * fall[body, _LIFT_MM]
    )
    middle = (table[body, MIDDLE], table[body, MIDDLE + 1], height)
    put(table, body, MIDDLE, middle)
    put(table, body, FIRST, first)
    put(table, body, NORMAL, normal)
    put(table, body, SECOND, cross(normal, first))
    put(table, body, CENTRE, plus(middle, table[body, OFFSET], normal))


@inlined
def wake(table: Floats, schedule: Schedule, law: Law, sleeper: int, waker: int) -> bool:
    """Wake a body that is touched by another, if that one is fast enough; return whether it woke.

    One on its way down wakes at any touch: it must not push.
    """
    phase = schedule.phase[sleeper]
    if (phase != ASLEEP and phase != SETTLING_DOWN) or schedule.phase[waker] != AWAKE:
        return False
    if phase == ASLEEP and motion_height_mm(table, waker) < law.wake_height_mm:
        return False
    schedule.phase[sleeper] = AWAKE
    schedule.quiet_s[sleeper] = schedule.slow_s[sleeper] = schedule.decided_s[sleeper] = 0.0
    return True
