"""Bodies that lie still sleep until something that moves touches them: it halves the work."""

import math

from calibration.extras import compiled
from calibration.penalty_state import Bodies, Law, Memory
from calibration.vectors import dot, row_of
from physics.pieces import PIECE_RADIUS_MM

_STILL_SAMPLES = 100
"""Looks in a row at which a body must be still: 20 ms in the settling. Nothing that flies is that
slow for as long, not even at the top of its way."""

_LYING_COSINE = 0.5
"""Nor anything that rocks, unless it stands on its rim: a steeper body never sleeps."""


@compiled
def put_to_sleep(bodies: Bodies, memory: Memory, law: Law) -> None:
    """Let the bodies sleep that have been still for long enough."""
    for body in range(len(bodies.half_mm) - 1):
        if memory.asleep[body]:
            continue
        lies = abs(bodies.rotation[body, 2, 2]) > _LYING_COSINE
        if not lies or motion_mm_s(bodies, body) >= law.still_mm_s:
            memory.still[body] = 0
            continue
        memory.still[body] += 1
        if memory.still[body] >= _STILL_SAMPLES:
            memory.asleep[body] = True
            for k in range(3):
                bodies.velocity[body, k] = 0.0
                bodies.momentum[body, k] = 0.0
                bodies.rate[body, k] = 0.0


@compiled
def wake_each_other(bodies: Bodies, memory: Memory, law: Law, body: int, other: int) -> None:
    """Wake the sleeper of two bodies that touch, if the other one moves."""
    for sleeper, waker in ((body, other), (other, body)):
        touched = memory.asleep[sleeper] and not memory.asleep[waker]
        if touched and motion_mm_s(bodies, waker) >= law.still_mm_s:
            memory.asleep[sleeper] = False
            memory.still[sleeper] = 0


@compiled
def motion_mm_s(bodies: Bodies, body: int) -> float:
    """Return a body's speed and the speed of its rim about its centre, added."""
    velocity, rate = row_of(bodies.velocity, body), row_of(bodies.rate, body)
    return math.sqrt(dot(velocity, velocity)) + PIECE_RADIUS_MM * math.sqrt(dot(rate, rate))
