"""Arrays of the solid engine, their named columns, and how its kernels are compiled.

A kernel gets plain arrays: a table of bodies with one row each, the contact cache, and a
schedule. The last row of the table is the world (floor and walls), which never moves.
"""

import math
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pucklab.base.arrays import Bools, Floats, Ints
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


@lru_cache(maxsize=8)
def contact_points(rings: tuple[tuple[float, int], ...], exponent: int = 4) -> Points:
    """Return the points of a disc.

    The rim's ring is there three times: on each face, and around the middle of the side. A point's
    weight is the area nearest to its ring over that of the face, shared by the ring's points.

    Args:
        rings: Radius over the disc's and number of points of each ring, from the rim inwards.
        exponent: Of the norm of depths, 3 or 4; see `pucklab.physics.solid.contact_laws`.

    Example:
        >>> points = contact_points(((1.0, 36), (0.5, 8), (0.0, 1)))
        >>> len(points.x_mm), round(float(36 * points.weight[0]), 4)
        (126, 0.4375)
    """
    radii = [radius for radius, _ in rings]
    borders = [1.0, *((a + b) / 2 for a, b in pairwise(radii)), 0.0]
    face = [
        (radius, count, (outer**2 - inner**2) / count)
        for (radius, count), outer, inner in zip(rings, borders, borders[1:], strict=False)
    ]
    every = [*face, face[0], *face]
    angles = [2 * math.pi * i / count for _, count, _ in every for i in range(count)]
    reach = [PIECE_RADIUS_MM * radius for radius, count, _ in every for _ in range(count)]
    return Points(
        x_mm=np.array([r * math.cos(a) for r, a in zip(reach, angles, strict=True)]),
        y_mm=np.array([r * math.sin(a) for r, a in zip(reach, angles, strict=True)]),
        first=np.cumsum([0] + [count for _, count, _ in every]),
        radius_mm=np.array([PIECE_RADIUS_MM * radius for radius, _, _ in every]),
        weight=np.array([weight for _, _, weight in every]),
        sheet=np.array([0, len(face), len(face) + 1, 2 * len(face) + 1]),
        cubic=exponent - 3,
    )


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
        clock: Shape (B,); the step to which a body has been moved in this macro step.
        loaded: Shape (B,); whether a contact pressed on the body at its last step.
        pressed: Shape (B,); whether a contact presses on it at the present step.
        paired: Shape (B,); whether it belongs to a near pair.
        near: Shape (B, B + 5); pairs, then floor and walls, that may touch in this macro step.
        later: Shape (B, B); macro steps until a far pair has to be checked again.
        first: Shape (pairs,); the near pairs' first bodies.
        second: Shape (pairs,); their second bodies.
        gap_mm: Shape (pairs,); a lower bound of their distance at the beginning of the macro step.
        busy: Shape (B,); the bodies that may touch something in this macro step.
        due: Shape (pairs,); the step at which a near pair is checked again.
        world_due: Shape (B, 5); the same for the floor and the walls.
        soonest: Shape (B,); the earliest due step of each body.
        quiet_s: Shape (B,); time for which a body has been at rest.
        slow_s: Shape (B,); time for which it has been slow and hardly moved.
        decided_s: Shape (B,); time for which it has been too weak to turn over.
        slow_from_mm: Shape (B, 2); its position when it became slow.
        decided_from_mm: Shape (B, 2); its position when it became too weak.
        fall: Shape (B, 6); the way down of a body laid flat, see `pucklab.physics.solid.sleeping`.
    """

    phase: Ints
    clock: Ints
    loaded: Bools
    pressed: Bools
    paired: Bools
    near: Bools
    later: Ints
    first: Ints
    second: Ints
    gap_mm: Floats
    active: Ints
    due: Ints
    world_due: Ints
    soonest: Ints
    quiet_s: Floats
    slow_s: Floats
    decided_s: Floats
    slow_from_mm: Floats
    decided_from_mm: Floats
    fall: Floats


class Law(NamedTuple):
    """Constants of contacts, box, schedule and rest as the kernels need them.

    The names are those of `pucklab.physics.solid.settings.SolidSettings`; ``stiffness`` multiplies
    that of the bodies, ``kept`` is the share of its stored energy that a spring gives back, e^(2
    hysteresis).
    """

    stiffness: float
    exponent: int
    shear_share: float
    kept: float
    half_side_mm: float
    wall_height_mm: float
    longest_wait: int
    sleeps: bool
    rest_s: float
    rest_height_mm: float
    slow_height_mm: float
    slow_cosine: float
    slow_drift_mm: float
    wake_height_mm: float
    decided_share: float
    decided_drift_mm: float


POSE_MIDDLE, POSE_FIRST, POSE_NORMAL = slice(0, 3), slice(3, 6), slice(6, 9)
"""Columns of a pose in a `Log`."""


class Log(NamedTuple):
    """Samples at the ends of macro steps.

    Attributes:
        poses: Shape (macro steps, B, 9); middle, first axis and normal of each body.
        energy_nj: Shape (macro steps,); of all bodies and springs.
    """

    poses: Floats
    energy_nj: Floats


def fresh_log(macro_steps: int, count: int) -> Log:
    """Return a log with room for so many macro steps of ``count`` bodies."""
    return Log(poses=np.zeros((macro_steps, count, 9)), energy_nj=np.zeros(macro_steps))


def new_contact_cache(count: int, points: Points) -> ContactCache:
    """Return the contact cache of ``count`` bodies that touch nothing yet."""
    others, size = count + WALLS, len(points.x_mm)
    patches = count * (count + WORLD_PATCHES)
    return ContactCache(
        inside=np.zeros((count, others, len(points.radius_mm)), dtype=np.int64),
        peak=np.zeros((count, others, len(points.radius_mm)), dtype=np.int8),
        surface=np.zeros((count, others, size), dtype=np.int8),
        begin_mm=np.zeros((count, others, size)),
        slip_mm=np.zeros((patches, 5)),
        touches=np.zeros(patches, dtype=np.bool_),
        dent_mm=np.zeros(patches),
        met=np.zeros((count, count), dtype=np.bool_),
        resultant=np.zeros(15),
    )


def fresh_schedule(count: int) -> Schedule:
    """Return the schedule of ``count`` bodies that are all awake."""
    pairs = count * (count - 1) // 2
    return Schedule(
        phase=np.zeros(count, dtype=np.int64),
        clock=np.zeros(count, dtype=np.int64),
        loaded=np.zeros(count, dtype=np.bool_),
        pressed=np.zeros(count, dtype=np.bool_),
        paired=np.zeros(count, dtype=np.bool_),
        near=np.zeros((count, count + WORLD_PATCHES), dtype=np.bool_),
        later=np.zeros((count, count), dtype=np.int64),
        first=np.zeros(pairs, dtype=np.int64),
        second=np.zeros(pairs, dtype=np.int64),
        gap_mm=np.zeros(pairs),
        active=np.zeros(count, dtype=np.int64),
        due=np.zeros(pairs, dtype=np.int64),
        world_due=np.zeros((count, WORLD_PATCHES), dtype=np.int64),
        soonest=np.zeros(count, dtype=np.int64),
        quiet_s=np.zeros(count),
        slow_s=np.zeros(count),
        decided_s=np.zeros(count),
        slow_from_mm=np.zeros((count, 2)),
        decided_from_mm=np.zeros((count, 2)),
        fall=np.zeros((count, 6)),
    )
