"""Arrays of the solid engine, their named columns, and how they are laid into memory.

A kernel has plain arrays: a table of bodies with one row each, the contact cache, and a
schedule. The last row of the table is the world (floor and walls), which never moves.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pucklab.base.arrays import Bools, Bytes, Floats, Ints
from pucklab.base.elementary import cos, sin
from pucklab.base.kernels import called, inlined
from pucklab.base.memory import carve
from pucklab.physics.pieces import PIECE_RADIUS_MM

Vector = tuple[float, float, float]


# Columns of the table of bodies. A vector has three columns in a row, named by the first.
CENTRE = 0
"""Centre of mass, mm."""
MIDDLE = 3
"""Geometric middle, mm."""
VELOCITY = 6
"""Of the centre of mass, mm/s."""
FIRST = 9
"""Unit vector in the disc's plane, fixed to the disc."""
SECOND = 12
"""The other one, NORMAL x FIRST."""
NORMAL = 15
"""Unit vector of the face."""
MOMENTUM = 18
"""Angular momentum about the centre of mass, g mm2/s."""
RATE = 21
"""Angular velocity, rad/s."""
FORCE = 24
"""Force at the body's last step, g mm/s2."""
TORQUE = 27
"""Torque about the centre of mass at that step, g mm2/s2."""
INVERSE_MASS = 30
"""1/g; 0 for the world."""
INVERSE_DIAMETER = 31
"""One over the moment of inertia about a diameter, 1/(g mm2)."""
INVERSE_AXIS = 32
"""One over the moment about the axis, 1/(g mm2)."""
HALF = 33
"""Half the thickness, mm."""
OFFSET = 34
"""Centre of mass along the normal, from the middle, mm."""
COMPLIANCE = 35
"""One over the stiffness of its side of a contact, s2/g."""
RADIUS = 36
"""Of the disc, mm."""
DAMPING = 37
"""Damping ratio of its side of a contact."""
FRICTION = 38
"""Coefficient of sliding friction, of two bodies of its material."""
HALF_KICK = 39
"""Velocity that the force of the last step adds in half a step, and angular velocity."""
COLUMNS = 45

WALLS = 4
WORLD_PATCHES = 1 + WALLS
"""Patches of contact that a body may have with the world: the floor and the walls."""

SHEETS = 3
"""Sheets of contact points on a disc: its lower face, the middle of its side, its upper face."""

# Numbers of the clock of a run.
TIME_S = 0
"""Since the start."""
SAMPLES = 1
"""Ends of macro steps so far."""
SLEEPS = 2
"""1 once the springs have softened: bodies may sleep, and have the settling's points."""
STEP_S = 3
"""Time of a substep."""
LATER_STEP_S = 4
"""The same once the blow is over."""
LONGEST_PHASE = 5
"""Step times frequency beyond which a damper's velocities would swing and grow."""
SPRING_RATE = 6
"""Angular frequency of the softened springs, rad/s; infinite before."""
SOFTENS_AT_S = 7
"""When they soften again; infinite for never."""
BEGIN_NJ = 8
"""Mechanical energy at the start."""
CLOCK = 9

# Phases of a body.
AWAKE = 0
ASLEEP = 1
"""At rest until something fast touches it."""
SETTLING_DOWN = 2
"""As good as at rest: laid flat on the floor along a prescribed way."""
FLYING_OUT = 3
"""Beyond the walls for good: flies on without touching anything, to the height of the floor."""


class Points(NamedTuple):
    """Contact points of a disc of the usual diameter: rings on each sheet.

    Attributes:
        x_mm: Shape (Q,); along the disc's first axis.
        y_mm: Shape (Q,); along its second.
        first: Shape (rings + 1,); the first point of each ring.
        radius_mm: Shape (rings,).
        weight: Shape (rings,); each point's share of a face. The points of a face make up 1.
        sheet: Shape (4,); the first ring of each sheet.
        cubic: 1 if the norm's exponent is 4 and points press with d^3, 0 if it is 3 and they
            press with d^2.
    """

    x_mm: Floats
    y_mm: Floats
    first: Ints
    radius_mm: Floats
    weight: Floats
    sheet: Ints
    cubic: int


RINGS = np.array([(1.0, 36), (0.75, 12), (0.5, 8), (0.25, 6), (0.0, 1)])
"""Rings of contact points on a face: radius over the disc's, and how many points."""

COARSE_RINGS = np.array([(1.0, 28), (0.6, 8), (0.0, 1)])
"""The same in a settling with coarse points."""


@called
def fill_points(points: Points, rings: Floats) -> None:
    """Fill in the points of a disc.

    The rim's ring is there three times: on each face, and around the middle of the side. A point's
    weight is the area nearest to its ring over that of the face, shared by the ring's points.
    """
    at = number = 0
    points.first[0] = 0
    for sheet in range(SHEETS):
        points.sheet[sheet] = number
        for ring in range(1 if sheet == 1 else len(rings)):
            radius, count = rings[ring, 0], int(rings[ring, 1])
            outer = 1.0 if ring == 0 else (rings[ring - 1, 0] + radius) / 2
            inner = 0.0 if ring == len(rings) - 1 else (radius + rings[ring + 1, 0]) / 2
            points.weight[number] = (outer * outer - inner * inner) / count
            points.radius_mm[number] = PIECE_RADIUS_MM * radius
            for place in range(count):
                angle = 2 * math.pi * place / count
                points.x_mm[at] = PIECE_RADIUS_MM * radius * cos(angle)
                points.y_mm[at] = PIECE_RADIUS_MM * radius * sin(angle)
                at += 1
            number += 1
            points.first[number] = at
    points.sheet[SHEETS] = number


class ContactCache(NamedTuple):
    """Facts about contacts that persist from step to step; B bodies.

    A patch is a pair of bodies (``first * B + second``) or a body and a part of the world
    (``B * B + body * WORLD_PATCHES + part``).

    Attributes:
        inside: Shape (B, B + 4, rings); bit k is set while point k of that ring of the first body
            is inside the second (or inside a wall, from B on).
        peak: Shape (B, B + 4, rings); the ring's point that was deepest when last checked.
        surface: Shape (B, B + 4, Q); the surface through which a point came in.
        begin_mm: Shape (B, B + 4, Q); the depth at which its spring begins.
        slip_mm: Shape (patches, 5); stretch of the friction spring, by turning, and the size of the
            last step's push, g mm/s2.
        touches: Shape (patches,); whether a patch has a loaded spring.
        dent_mm: Shape (patches,); where a latching spring begins, see
            `pucklab.physics.solid.contact_laws`.
        met: Shape (B, B); whether a pair has ever touched, first < second.
        resultant: Shape (15,); scratch, see `pucklab.physics.solid.narrow_phase`.
    """

    inside: Ints
    peak: NDArray[np.int8]
    surface: NDArray[np.int8]
    begin_mm: Floats
    slip_mm: Floats
    touches: Bools
    dent_mm: Floats
    met: Bools
    resultant: Floats


class Schedule(NamedTuple):
    """Each body's own clock within a macro step, and its progress to rest; B bodies.

    Attributes:
        phase: Shape (B,); AWAKE, ASLEEP, SETTLING_DOWN or FLYING_OUT.
        moved_to: Shape (B,); the step to which a body has been moved in this macro step.
        loaded: Shape (B,); whether a contact pressed on the body at its last step.
        pressed: Shape (B,); whether a contact presses on it at the present step.
        paired: Shape (B,); whether it belongs to a near pair.
        reached: Shape (B,); whether something awake can reach it within this macro step.
        near: Shape (B, B + 5); pairs, then floor and walls, that may touch in this macro step.
        later: Shape (B, B); macro steps until a far pair has to be checked again.
        first: Shape (pairs,); the near pairs' first bodies.
        second: Shape (pairs,); their second bodies.
        gap_mm: Shape (pairs,); a lower bound of their distance at the beginning of the macro step.
        active: Shape (B,); the bodies that may touch something in this macro step.
        due: Shape (pairs,); the step at which a near pair is checked again.
        world_due: Shape (B, 5); the same for the floor and the walls.
        body_due: Shape (B,); the earliest step at which a body's floor and walls are due.
        quiet_s: Shape (B,); time for which a body has been at rest.
        slow_s: Shape (B,); time for which it has been slow and hardly moved.
        decided_s: Shape (B,); time for which it has been too weak to turn over.
        slow_from_mm: Shape (B, 2); its position when it became slow.
        decided_from_mm: Shape (B, 2); its position when it became too weak.
        fall: Shape (B, 6); the way down of a body laid flat, see `pucklab.physics.solid.sleeping`.
    """

    phase: Ints
    moved_to: Ints
    loaded: Bools
    pressed: Bools
    paired: Bools
    reached: Bools
    near: Bools
    later: Ints
    first: Ints
    second: Ints
    gap_mm: Floats
    active: Ints
    due: Ints
    world_due: Ints
    body_due: Ints
    quiet_s: Floats
    slow_s: Floats
    decided_s: Floats
    slow_from_mm: Floats
    decided_from_mm: Floats
    fall: Floats


class Law(NamedTuple):
    """Constants of contacts, box, steps and rest as the kernels need them.

    The names are those of `pucklab.physics.solid.settings.SolidSettings`; ``kept`` is the share of
    its stored energy that a spring gives back, e^(2 hysteresis), ``longest_s`` the time after which
    a slam is over. The last four are of `pucklab.physics.solid.air`; without air, gap and density
    are 0.
    """

    exponent: float
    shear_share: float
    kept: float
    half_side_mm: float
    wall_height_mm: float
    longest_wait: float
    rest_s: float
    rest_height_mm: float
    slow_height_mm: float
    slow_cosine: float
    slow_drift_mm: float
    wake_height_mm: float
    decided_share: float
    decided_drift_mm: float
    impact_phase: float
    later_phase: float
    softening: float
    settle_rate_rad_s: float
    sag_mm: float
    settle_phase: float
    coarse_points: float
    longest_s: float
    film_gap_mm: float
    film_viscosity: float
    film_pressure: float
    air_density: float


POSE = 9
POSE_MIDDLE, POSE_FIRST, POSE_NORMAL = slice(0, 3), slice(3, 6), slice(6, 9)
"""Numbers of a pose, and columns of a pose in a `Log`."""


class Log(NamedTuple):
    """Samples at the ends of macro steps.

    Attributes:
        time_s: Shape (macro steps,); since the start.
        energy_nj: Shape (macro steps,); of all bodies and springs.
        poses: Shape (macro steps, B, 9); middle, first axis and normal of each body.
    """

    time_s: Floats
    energy_nj: Floats
    poses: Floats


def new_log(samples: int, count: int) -> Log:
    """Return a log with room for so many samples of ``count`` bodies."""
    return Log(np.zeros(samples), np.zeros(samples), np.zeros((samples, count, 9)))


class Run(NamedTuple):
    """All arrays of a slam that is being computed; B bodies.

    Attributes:
        table: Shape (B + 1, COLUMNS); the bodies, and the world.
        law: The constants.
        points: Contact points of every disc.
        cache: Of the contacts.
        coarse_points: Those of the settling.
        coarse_cache: Of the contacts in the settling.
        schedule: Clocks and phases.
        tally: Energies and the time since the slammer's hit, see
            `pucklab.physics.solid.stepping.advance`.
        clock: Time, steps and springs of the run, see `pucklab.physics.solid.stages`.
        load: Shape (B,); scratch: the weight that each body bears.
        order: Shape (B,); scratch: the bodies from the highest down.
        stop: Shape (1,); set to another number than 0, it ends the run after a macro step.
    """

    table: Floats
    law: Law
    points: Points
    cache: ContactCache
    coarse_points: Points
    coarse_cache: ContactCache
    schedule: Schedule
    tally: Floats
    clock: Floats
    load: Floats
    order: Ints
    stop: Ints


@inlined
def _lay_contacts(
    memory: Bytes, at: int, count: int, rings: Floats, exponent: int
) -> tuple[Points, ContactCache, int]:
    """Lay a disc's points and the contact cache of ``count`` bodies into memory, not filled in.

    Args:
        memory: The memory.
        at: The first free byte.
        count: The number of bodies.
        rings: Radius over the disc's and number of points of each ring, from the rim inwards.
        exponent: Of the norm of depths, 3 or 4; see `pucklab.physics.solid.contact_laws`.

    Returns:
        Points and cache, and the first byte that is still free.
    """
    size, rows = int(rings[0, 1]), 2 * len(rings) + 1
    for ring in range(len(rings)):
        size += 2 * int(rings[ring, 1])
    x_mm, at = carve(memory, at, (size,), np.float64)
    y_mm, at = carve(memory, at, (size,), np.float64)
    first, at = carve(memory, at, (rows + 1,), np.int64)
    radius_mm, at = carve(memory, at, (rows,), np.float64)
    weight, at = carve(memory, at, (rows,), np.float64)
    sheet, at = carve(memory, at, (SHEETS + 1,), np.int64)
    points = Points(x_mm, y_mm, first, radius_mm, weight, sheet, exponent - 3)
    others, patches = count + WALLS, count * (count + WORLD_PATCHES)
    inside, at = carve(memory, at, (count, others, rows), np.int64)
    peak, at = carve(memory, at, (count, others, rows), np.int8)
    surface, at = carve(memory, at, (count, others, size), np.int8)
    begin_mm, at = carve(memory, at, (count, others, size), np.float64)
    slip_mm, at = carve(memory, at, (patches, 5), np.float64)
    touches, at = carve(memory, at, (patches,), np.bool_)
    dent_mm, at = carve(memory, at, (patches,), np.float64)
    met, at = carve(memory, at, (count, count), np.bool_)
    resultant, at = carve(memory, at, (15,), np.float64)
    cache = ContactCache(inside, peak, surface, begin_mm, slip_mm, touches, dent_mm, met, resultant)
    return points, cache, at


@called
def lay_run(memory: Bytes, count: int, law: Law, rings: Floats, stop: Ints) -> tuple[Run, int]:
    """Lay the arrays of a run of ``count`` bodies into memory; return it and the bytes it takes.

    No array is filled in: the memory is to be set to zero, and the points to be filled in.
    """
    at = 0
    table, at = carve(memory, at, (count + 1, COLUMNS), np.float64)
    exponent = int(law.exponent)
    points, cache, at = _lay_contacts(memory, at, count, rings, exponent)
    coarse_points, coarse_cache, at = _lay_contacts(memory, at, count, COARSE_RINGS, exponent)
    pairs = count * (count - 1) // 2
    phase, at = carve(memory, at, (count,), np.int64)
    moved_to, at = carve(memory, at, (count,), np.int64)
    loaded, at = carve(memory, at, (count,), np.bool_)
    pressed, at = carve(memory, at, (count,), np.bool_)
    paired, at = carve(memory, at, (count,), np.bool_)
    reached, at = carve(memory, at, (count,), np.bool_)
    near, at = carve(memory, at, (count, count + WORLD_PATCHES), np.bool_)
    later, at = carve(memory, at, (count, count), np.int64)
    first, at = carve(memory, at, (pairs,), np.int64)
    second, at = carve(memory, at, (pairs,), np.int64)
    gap_mm, at = carve(memory, at, (pairs,), np.float64)
    active, at = carve(memory, at, (count,), np.int64)
    due, at = carve(memory, at, (pairs,), np.int64)
    world_due, at = carve(memory, at, (count, WORLD_PATCHES), np.int64)
    body_due, at = carve(memory, at, (count,), np.int64)
    quiet_s, at = carve(memory, at, (count,), np.float64)
    slow_s, at = carve(memory, at, (count,), np.float64)
    decided_s, at = carve(memory, at, (count,), np.float64)
    slow_from_mm, at = carve(memory, at, (count, 2), np.float64)
    decided_from_mm, at = carve(memory, at, (count, 2), np.float64)
    fall, at = carve(memory, at, (count, 6), np.float64)
    schedule = Schedule(
        phase,
        moved_to,
        loaded,
        pressed,
        paired,
        reached,
        near,
        later,
        first,
        second,
        gap_mm,
        active,
        due,
        world_due,
        body_due,
        quiet_s,
        slow_s,
        decided_s,
        slow_from_mm,
        decided_from_mm,
        fall,
    )
    tally, at = carve(memory, at, (7,), np.float64)
    clock, at = carve(memory, at, (CLOCK,), np.float64)
    load, at = carve(memory, at, (count,), np.float64)
    order, at = carve(memory, at, (count,), np.int64)
    run = Run(
        table,
        law,
        points,
        cache,
        coarse_points,
        coarse_cache,
        schedule,
        tally,
        clock,
        load,
        order,
        stop,
    )
    return run, at


def run_bytes(count: int, rings: Floats = RINGS) -> int:
    """Return more bytes than a run of ``count`` bodies takes."""
    return count * (count + 9) * max(50 * int(rings[:, 1].sum()), 3000) + 50_000


def new_run(count: int, law: Law, rings: Floats = RINGS) -> Run:
    """Return the arrays of a run of ``count`` bodies, with its points but without its bodies."""
    memory = np.zeros(run_bytes(count, rings), np.uint8)
    run, _ = lay_run(memory, count, law, rings, np.zeros(1, np.int64))
    fill_points(run.points, rings)
    fill_points(run.coarse_points, COARSE_RINGS)
    return run
