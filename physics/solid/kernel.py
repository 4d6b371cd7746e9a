"""The kernels of the solid engine: throws of a scene, one or many, drawn or given; its blocks.

A scene, a thrower and a throw come as blocks of numbers, so that other languages can call the
kernels, too: see `scene_block`, `thrower_block` and `throw_block`.
"""

import math
from dataclasses import astuple
from typing import Any

import numpy as np

from pucklab.base.arrays import U64, Bytes, Floats, Ints
from pucklab.base.kernels import called, inlined, kernel
from pucklab.base.memory import carve
from pucklab.base.random_numbers import (
    STATE,
    draw_integer,
    draw_normal,
    draw_uniform,
    seed_generator,
)
from pucklab.physics.solid.bodies import (
    BLOCK_BODIES,
    BLOCK_HALF_SIDE,
    BLOCK_LAW,
    BLOCK_OUT_RADIUS,
    BLOCK_TABLE,
    BLOCK_UNIT,
    DOWN,
    THROW_AZIMUTH,
    THROW_DESCENT,
    THROW_DIRECTION,
    THROW_FIELDS,
    THROW_LUCK,
    THROW_PIECES,
    THROW_RATE,
    THROW_SPEED,
    THROW_TILT,
    THROW_X,
    THROW_Y,
    face_code,
    place_bodies,
    place_mm,
)
from pucklab.physics.solid.geometry import vector
from pucklab.physics.solid.overlap import resolve_overlaps
from pucklab.physics.solid.stages import BLOW, SETTLING, begin, run_stages
from pucklab.physics.solid.state import (
    BEGIN_NJ,
    CENTRE,
    COARSE_RINGS,
    COLUMNS,
    HALF,
    NORMAL,
    OFFSET,
    POSE,
    RADIUS,
    RINGS,
    SAMPLES,
    Law,
    Log,
    Run,
    Schedule,
    fill_points,
    lay_run,
)
from pucklab.physics.solid.stepping import ENERGY, PEAK
from pucklab.physics.thrower import MAX_LUCK, MAX_TILT_DEG, Throw, ThrowDistribution

MAX_BODIES = 61
"""A slammer, and the largest stack."""

# The block of a thrower: the fields of `ThrowDistribution` in their order.
_SPEED, _AIM, _STEEP, _FLAT, _TILT, _TUMBLE, _SPIN, _JITTER, _DIRECTION = range(9)

# A result: whether the slammer hit, samples, energy at the start, highest and last, then a code of
# the face, x and y of each body.
HIT, SAMPLES_TAKEN, START_NJ, PEAK_NJ, LAST_NJ, FIRST_FACE = 0, 1, 2, 3, 4, 5

_SEED_WORDS, _TRIALS = 4, 1 << 32


def thrower_block(thrower: ThrowDistribution) -> Floats:
    """Return a thrower as a block of numbers, shape (9,)."""
    return np.array(astuple(thrower))


def throw_of(block: Floats) -> Throw:
    """Return the throw of a block."""
    numbers = block.tolist()
    own: dict[str, Any] = dict(zip(THROW_FIELDS, numbers, strict=False))
    own["luck"] = int(own["luck"])
    x, y = numbers[THROW_PIECES::2], numbers[THROW_PIECES + 1 :: 2]
    return Throw(**own, jitter_mm=tuple(zip(x, y, strict=True)))


@called
def _draw_throw(thrower: Floats, g: U64, throw: Floats) -> None:
    """Draw a throw, in the order of `pucklab.physics.thrower.draw_throw`."""
    radians = math.pi / 180.0
    descent, azimuth = draw_uniform(g), draw_uniform(g)
    throw[THROW_SPEED] = thrower[_SPEED]
    throw[THROW_X] = thrower[_AIM] * draw_normal(g)
    throw[THROW_Y] = thrower[_AIM] * draw_normal(g)
    descent_deg = thrower[_STEEP] + (thrower[_FLAT] - thrower[_STEEP]) * descent
    throw[THROW_DESCENT] = descent_deg * radians
    throw[THROW_TILT] = min(abs(thrower[_TILT] * draw_normal(g)), MAX_TILT_DEG) * radians
    throw[THROW_AZIMUTH] = 2 * math.pi * azimuth
    throw[THROW_RATE] = thrower[_TUMBLE] * draw_normal(g)
    throw[THROW_RATE + 1] = thrower[_TUMBLE] * draw_normal(g)
    throw[THROW_RATE + 2] = thrower[_SPIN] * draw_normal(g)
    throw[THROW_LUCK] = draw_integer(g, MAX_LUCK)
    throw[THROW_DIRECTION] = thrower[_DIRECTION] * radians
    for place in range(THROW_PIECES, len(throw)):
        throw[place] = thrower[_JITTER] * draw_normal(g)


@kernel
def draw_throws(thrower: Floats, seed: Ints, first: int, throws: Floats, memory: Bytes) -> int:
    """Draw the throws of trials; return how many, or -1 if sizes do not fit.

    Args:
        thrower: The block of the thrower.
        seed: Shape (4,); words of the seed, see `pucklab.base.random_numbers.words_of`.
        first: The first trial; all are below 2^32.
        throws: Shape (trials, 11 + 2 pieces); filled in.
        memory: Shape (bytes,); scratch of at least 256 bytes.
    """
    g, used = carve(memory, 0, (STATE,), np.uint64)
    is_short = len(thrower) <= _DIRECTION or len(seed) < _SEED_WORDS or len(memory) < used
    if is_short or throws.shape[1] < THROW_PIECES or first < 0 or first + len(throws) > _TRIALS:
        return -1
    for row in range(len(throws)):
        seed_generator(g, seed, first + row)
        _draw_throw(thrower, g, throws[row])
    return len(throws)


@kernel
def throw_slams(
    scene: Floats,
    thrower: Floats,
    seed: Ints,
    first: int,
    throws: Floats,
    results: Floats,
    log: Log,
    memory: Bytes,
    stop: Ints,
) -> int:
    """Simulate throws at a scene; return how many, or -1 if sizes do not fit.

    Args:
        scene: The block of the scene.
        thrower: The block of the thrower, of no numbers if the throws are given.
        seed: As of `draw_throws`.
        first: The first trial.
        throws: Shape (trials, 11 + 2 pieces); the throws, filled in if they are drawn.
        results: Shape (trials, 5 + 3 B); filled in.
        log: Filled with samples of each throw, the last one's in the end, as far as it has rows.
        memory: Shape (bytes,); scratch of `pucklab.physics.solid.state.run_bytes`.
        stop: Shape (1,); set to another number than 0, it ends the work and drops the throw.
    """
    if len(scene) < BLOCK_TABLE or len(stop) < 1:
        return -1
    if not 1.0 <= scene[BLOCK_BODIES] <= MAX_BODIES:  # NaN is not, either
        return -1
    count = int(scene[BLOCK_BODIES])
    if len(scene) != BLOCK_TABLE + (count + 1) * COLUMNS:
        return -1
    law = _read_law(scene)
    run, used = lay_run(memory, count, law, RINGS, stop)
    g, used = carve(memory, used, (STATE,), np.uint64)
    fits = (
        throws.shape[1] == THROW_PIECES + 2 * (count - 1)
        and results.shape[1] == FIRST_FACE + 3 * count
    )
    logs = len(log.energy_nj) == len(log.poses) == len(log.time_s) and log.poses.shape[2] == POSE
    drawn = len(thrower) > 0
    draws = len(thrower) > _DIRECTION and len(seed) >= _SEED_WORDS and first >= 0
    if not fits or used > len(memory) or len(results) != len(throws) or not logs:
        return -1
    if log.poses.shape[1] != count or (drawn and not draws) or first + len(throws) > _TRIALS:
        return -1
    for row in range(len(throws)):
        memory[:used] = 0
        throw, result = throws[row], results[row]
        if drawn:
            seed_generator(g, seed, first + row)
            _draw_throw(thrower, g, throw)
        fill_points(run.points, RINGS)
        fill_points(run.coarse_points, COARSE_RINGS)
        place_bodies(scene, throw, run.table)
        begin(run, False)
        run_stages(run, BLOW, SETTLING, 0.0, log)
        if stop[0] != 0:
            return row
        _read_result(scene, throw, run, result)
    return len(throws)


@inlined
def _read_law(scene: Floats) -> Law:
    own = scene[BLOCK_LAW:BLOCK_TABLE]
    return Law(
        own[0], own[1], own[2], own[3], own[4], own[5], own[6], own[7], own[8], own[9], own[10],
        own[11], own[12], own[13], own[14], own[15], own[16], own[17], own[18], own[19], own[20],
        own[21], own[22], own[23], own[24], own[25],
    )  # fmt: skip


@called
def _read_result(scene: Floats, throw: Floats, run: Run, result: Floats) -> None:
    """Write what has become of a throw; a miss moves nothing (ruling PP-40)."""
    table, unit = run.table, scene[BLOCK_UNIT]
    count = len(table) - 1
    hit = have_met(run, count - 2, count - 1)
    result[HIT], result[SAMPLES_TAKEN] = 1.0 if hit else 0.0, run.clock[SAMPLES]
    result[START_NJ] = run.clock[BEGIN_NJ]
    result[PEAK_NJ], result[LAST_NJ] = run.tally[PEAK], run.tally[ENERGY]
    for body in range(count):
        at = FIRST_FACE + 3 * body
        if not hit and body < count - 1:
            result[at] = float(DOWN)
            result[at + 1] = place_mm(scene, throw, body, 0)
            result[at + 2] = place_mm(scene, throw, body, 1)
            continue
        normal = vector(table, body, NORMAL)
        x = unit * (table[body, CENTRE] - table[body, OFFSET] * normal[0])
        y = unit * (table[body, CENTRE + 1] - table[body, OFFSET] * normal[1])
        half, radius = unit * table[body, HALF], unit * table[body, RADIUS]
        result[at] = float(
            face_code(x, y, normal, half, radius, scene[BLOCK_HALF_SIDE], scene[BLOCK_OUT_RADIUS])
        )
        result[at + 1], result[at + 2] = x, y


@inlined
def have_met(run: Run, first: int, second: int) -> bool:
    """Return whether two bodies ever touched, the first below the second in number."""
    met: bool = run.cache.met[first, second] or run.coarse_cache.met[first, second]
    return first >= 0 and met


@kernel
def run_on(run: Run, stage: int, last: int, span_s: float, log: Log) -> int:
    """Go through stages of a run; see `pucklab.physics.solid.stages.run_stages`."""
    run_stages(run, stage, last, span_s, log)
    return 0


@kernel
def begin_run(run: Run, was_hit: bool) -> int:
    """Begin a run; see `pucklab.physics.solid.stages.begin`."""
    begin(run, was_hit)
    return 0


@kernel
def part_bodies(table: Floats, schedule: Schedule, law: Law) -> bool:
    """Move bodies at rest apart; see `pucklab.physics.solid.overlap.resolve_overlaps`."""
    if len(schedule.phase) != len(table) - 1 or table.shape[1] != COLUMNS:
        return False
    return resolve_overlaps(table, schedule, law)
