"""The stages of a slam, compiled: the blow, the softening of springs, the settling, the parting.

The blow has small steps; then springs are softer and steps larger, until all bodies sleep. The
steps are those of `pucklab.physics.solid.stepping`. The discrete element method is that of
P. A. Cundall and O. D. L. Strack, Geotechnique 29 (1979) 47.
"""

import math

from pucklab.base.arrays import Floats, Ints
from pucklab.base.kernels import called, inlined
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.solid.geometry import dot, plus, put, times, vector
from pucklab.physics.solid.integrator import clear_forces, energy_nj
from pucklab.physics.solid.overlap import resolve_overlaps
from pucklab.physics.solid.state import (
    AWAKE,
    BEGIN_NJ,
    CENTRE,
    COMPLIANCE,
    DAMPING,
    INVERSE_AXIS,
    INVERSE_DIAMETER,
    INVERSE_MASS,
    LATER_STEP_S,
    LONGEST_PHASE,
    MIDDLE,
    MOMENTUM,
    NORMAL,
    OFFSET,
    RATE,
    SLEEPS,
    SOFTENS_AT_S,
    SPRING_RATE,
    STEP_S,
    TIME_S,
    ContactCache,
    Log,
    Run,
)
from pucklab.physics.solid.stepping import (
    ENERGY,
    PEAK,
    SINCE_HIT_S,
    SPRINGS,
    SUBSTEPS,
    advance,
    finish,
    note,
)

ADVANCE, BLOW, SOFTENING, SETTLING = 0, 1, 2, 3
"""Stages: any span, until the blow is over, until the springs have softened, until all rest."""

IMPACT_S = 12e-3
"""Duration of the impact stage, which has the small time step."""

WAIT_S = 0.5e-3
"""Time between two looks whether the springs are empty."""

_APART_S = 3e-3
"""From then on the impact's steps are longer, for the pieces have left each other, unless the
slammer has met the stack only just now."""

_BLOW_S = 2e-3
"""Steps stay short for so long after the slammer has met another piece."""

_EMPTY_SHARE = 1e-4
"""Springs that hold less than this share of the throw's energy are empty."""

_DAMPED_PHASE = 0.35
"""Step times the rate at which a damper brings two bodies to the same speed, 2 x damping ratio x
frequency, at most twice this: beyond three times, velocities in a stack would swing and grow."""

_LONGEST_WAIT_S = 8e-3
_LONGEST_FALL_S = 3.0
"""A puck driven out of the box at twice the speed of a hard throw is on the floor by then."""

_PARTING_S = 20e-3
"""Time at the end of a recording in which overlapping pieces at rest are moved apart."""


@called
def begin(run: Run, was_hit: bool) -> None:
    """Complete the rows of bodies whose poses and velocities are given, and set the clock.

    Args:
        run: The run.
        was_hit: Whether it begins in the middle of a slam: then what moves has been hit.
    """
    table, law, clock = run.table, run.law, run.clock
    count = len(run.schedule.phase)
    for body in range(count):
        normal, rate = vector(table, body, NORMAL), vector(table, body, RATE)
        put(
            table,
            body,
            MIDDLE,
            plus(vector(table, body, CENTRE), -table[body, OFFSET], normal),
        )
        # L = I_d w + (I_a - I_d) (w . n) n, for a body of revolution about n.
        across = 1.0 / table[body, INVERSE_DIAMETER]
        hoop = (1.0 / table[body, INVERSE_AXIS] - across) * dot(rate, normal)
        put(table, body, MOMENTUM, plus(times(across, rate), hoop, normal))
        clear_forces(table, body)
    # The highest angular frequency of two bodies' faces, or of a body and the floor. A spring let
    # out is stiffer than one pressed: the step follows its frequency.
    highest, damped = 0.0, 0.0
    for one in range(count + 1):
        damped = max(damped, table[one, DAMPING])
        for other in range(count + 1):
            light = table[one, INVERSE_MASS] + table[other, INVERSE_MASS]
            highest = max(highest, light / (table[one, COMPLIANCE] + table[other, COMPLIANCE]))
    phase_s = math.sqrt(law.kept / highest)
    longest = _DAMPED_PHASE / damped
    clock[LONGEST_PHASE] = longest
    clock[STEP_S] = min(law.impact_phase, longest) * phase_s
    clock[LATER_STEP_S] = min(max(law.impact_phase, law.later_phase), longest) * phase_s
    clock[SPRING_RATE] = clock[SOFTENS_AT_S] = math.inf
    clock[BEGIN_NJ] = energy_nj(table)
    run.tally[ENERGY] = run.tally[PEAK] = clock[BEGIN_NJ]
    run.tally[SINCE_HIT_S] = math.inf if was_hit else 0.0


@called
def run_stages(run: Run, stage: int, last: int, span_s: float, log: Log) -> None:
    """Go through the stages from one to the last.

    Args:
        run: The run, which has begun.
        stage: The first stage.
        last: The last one.
        span_s: Of the stage `ADVANCE`, at least one macro step of 20 steps.
        log: Filled with the bodies at the end of each macro step, as far as it has rows.
    """
    law, clock, tally = run.law, run.clock, run.tally
    end_s, latest_s = clock[TIME_S] + span_s, clock[TIME_S] + _LONGEST_WAIT_S
    while True:
        # Until when the stage goes on as it is; one that is over leads to the next.
        is_over = False
        if stage == BLOW:
            end_s = _blow_ends_s(run)
            is_over = end_s - clock[TIME_S] <= SUBSTEPS * clock[STEP_S] / 2
        elif stage == SOFTENING:
            # What the springs hold is lost: they have to be all but empty.
            end_s = clock[TIME_S] + WAIT_S
            is_empty = tally[SPRINGS] <= _EMPTY_SHARE * clock[BEGIN_NJ]
            is_over = is_empty or clock[TIME_S] >= latest_s
        elif stage == SETTLING:
            end_s = law.longest_s
        if is_over:
            if stage == SOFTENING:
                _begin_settling(run)
            if stage == last:
                return
            stage += 1
            latest_s = clock[TIME_S] + _LONGEST_WAIT_S
            continue
        _advance_to(run, end_s, log)
        if stage == ADVANCE or run.stop[0] != 0:
            return
        if stage == SETTLING:
            break
    span_s = SUBSTEPS * clock[STEP_S]
    finish(run, span_s, int(_LONGEST_FALL_S / span_s) + 1, log)
    if resolve_overlaps(run.table, run.schedule, law):
        clock[TIME_S] += _PARTING_S
        note(run, log, tally[ENERGY])


@inlined
def _advance_to(run: Run, end_s: float, log: Log) -> None:
    """Move on to a time, at least one macro step of 20 steps, or until no body is awake."""
    law, clock = run.law, run.clock
    while True:
        sleeps, half_macro_step_s = clock[SLEEPS] > 0.0, SUBSTEPS * clock[STEP_S] / 2
        cache, points = run.cache, run.points
        if sleeps and law.coarse_points > 0.0:
            cache, points = run.coarse_cache, run.coarse_points
        longer_at_s = clock[SOFTENS_AT_S]
        if not sleeps and clock[STEP_S] < clock[LATER_STEP_S]:
            longer_at_s = _blow_ends_s(run)
        if longer_at_s - clock[TIME_S] < half_macro_step_s:
            if sleeps:
                _soften(run, cache)
            else:
                clock[STEP_S] = clock[LATER_STEP_S]
            continue
        left_s = min(end_s, longer_at_s) - clock[TIME_S]
        most = max(1, int(left_s / (2 * half_macro_step_s) + 0.5))
        advance(run, cache, points, most, log)
        is_over = end_s - clock[TIME_S] < half_macro_step_s or run.stop[0] != 0
        if is_over or rests(run.schedule.phase):
            return


@inlined
def rests(phase: Ints) -> bool:
    """Return whether no body is awake."""
    for body in range(len(phase)):  # noqa: SIM110 (numba compiles no generator)
        if phase[body] == AWAKE:
            return False
    return True


@inlined
def _blow_ends_s(run: Run) -> float:
    """Return when the blow is over if nothing changes; never beyond the impact."""
    ends_s = run.clock[TIME_S] + _BLOW_S - run.tally[SINCE_HIT_S]
    ends_s = min(IMPACT_S, max(_APART_S, ends_s))
    return float(ends_s)


@called
def _begin_settling(run: Run) -> None:
    """Go on with softer springs, larger steps and sleep."""
    clock, cache, coarse = run.clock, run.cache, run.coarse_cache
    clock[SLEEPS] = 1.0
    _soften(run, cache)
    coarse.dent_mm[:] = math.inf
    for one in range(len(cache.met)):
        for other in range(len(cache.met)):
            coarse.met[one, other] = cache.met[one, other]


@inlined
def _soften(run: Run, cache: ContactCache) -> None:
    """Soften the springs as far as the time since the start allows.

    After the blow pieces are on their way apart, ever further between two collisions, and a
    collision may last ever longer: whenever the time since the start has doubled, the springs
    soften again.
    """
    law, clock, table = run.law, run.clock, run.table
    since_s = max(clock[TIME_S], _APART_S)
    lowest = max(law.settle_rate_rad_s, law.softening / since_s)
    lowest = max(lowest, math.sqrt(_load_acceleration_mm_s2(run, cache) / law.sag_mm))
    # Pressed springs that became stiffer would gain energy.
    rate = min(clock[SPRING_RATE], lowest)
    clock[SPRING_RATE], clock[SOFTENS_AT_S] = rate, math.inf
    if rate > law.settle_rate_rad_s:
        clock[SOFTENS_AT_S] = 2 * since_s
    for row in range(len(table)):
        table[row, COMPLIANCE] = table[row, INVERSE_MASS] / (rate * rate)
    phase = min(law.settle_phase, clock[LONGEST_PHASE])
    clock[STEP_S] = phase / rate * math.sqrt(law.kept)
    # A dent is never deeper than its contact: so all springs begin at their dents.
    cache.dent_mm[:] = math.inf


@inlined
def _load_acceleration_mm_s2(run: Run, cache: ContactCache) -> float:
    """Return the sum of load over reduced mass of all contacts: penetration times frequency^2.

    From the top down each hands its load to those that it touches below.
    """
    table, load, order, total = run.table, run.load, run.order, 0.0
    count = len(load)
    for body in range(count):  # sorted by height, the highest first
        load[body] = GRAVITY_MM_S2 / table[body, INVERSE_MASS]
        place = body
        while place > 0 and table[order[place - 1], CENTRE + 2] < table[body, CENTRE + 2]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = body
    for place in range(count):
        body, below = order[place], 0
        for other in range(count):
            below += _bears(table, cache, body, other)
        for other in range(count):
            if _bears(table, cache, body, other):
                share = load[body] / below
                load[other] += share
                total += share * (table[body, INVERSE_MASS] + table[other, INVERSE_MASS])
    return total


@inlined
def _bears(table: Floats, cache: ContactCache, body: int, other: int) -> bool:
    """Return whether a body touches another one that is lower."""
    count = len(table) - 1
    touches = cache.touches[body * count + other] or cache.touches[other * count + body]
    lower: bool = touches and table[other, CENTRE + 2] < table[body, CENTRE + 2]
    return lower
