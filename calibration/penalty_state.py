"""What the penalty engine's kernels work on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

WALLS = 4
WORLD_PATCHES = 1 + WALLS
"""Patches that a body may have with the world: the floor and the walls."""

SHEETS = 3
"""Sheets of points on a body: lower face, middle of the side, upper face."""


class Bodies(NamedTuple):
    """Bodies and their motion: rows are bodies, the last one is the world, which never moves.

    Attributes:
        position: Centres of mass, mm.
        middle: Geometric middles, mm.
        velocity: Of the centres of mass, mm/s.
        rotation: Shape (B + 1, 3, 3); columns are a body's own axes, the last its face normal.
        momentum: Angular momentum about the centre of mass, g mm2/s.
        rate: Angular velocity, rad/s.
        force: Force at the last step, g mm/s2.
        torque: Torque about the centre of mass at the last step, g mm2/s2.
        inverse_mass: Shape (B + 1,), 0 for the world.
        inverse_diameter: One over the moment about a diameter.
        inverse_axis: One over the moment about the axis.
        half_mm: Half the thickness.
        centre_mm: Centre of mass along the face normal, from the middle.
    """

    position: Floats
    middle: Floats
    velocity: Floats
    rotation: Floats
    momentum: Floats
    rate: Floats
    force: Floats
    torque: Floats
    inverse_mass: Floats
    inverse_diameter: Floats
    inverse_axis: Floats
    half_mm: Floats
    centre_mm: Floats


class Points(NamedTuple):
    """The points of every body: the lower face, the middle of the side, the upper face.

    Attributes:
        x_mm: Shape (Q,); along the body's first axis.
        y_mm: Along its second.
        weight: Share of a face; 1 in all for each face.
        first: Shape (4,); where each of the three sheets begins, and the last one ends.
    """

    x_mm: Floats
    y_mm: Floats
    weight: Floats
    first: NDArray[np.int64]


class Memory(NamedTuple):
    """What contacts remember. The second index of points counts B bodies, then four walls.

    Attributes:
        surface: Shape (B, B + 4, Q); through which surface a point came in.
        offset_mm: Shape (B, B + 4, Q); depth at which its spring begins.
        busy: Shape (B, B + 4, 3); whether any point of a sheet is remembered.
        slip_mm: Shape (patches, 3); stretch of the friction springs.
        turn_mm: Shape (patches,); their stretch by turning, at the patch's own radius.
        sticks: Shape (patches,); whether a patch is in contact.
        met: Shape (B, B); whether a pair has ever touched.
        still: Shape (B,); looks in a row at which a body lay still.
        asleep: Shape (B,); bodies that are left where they are.
        found: Shape (rows, 8); scratch: depth, weight, place and normal of each contact point.
    """

    surface: NDArray[np.int8]
    offset_mm: Floats
    busy: NDArray[np.bool_]
    slip_mm: Floats
    turn_mm: Floats
    sticks: NDArray[np.bool_]
    met: NDArray[np.bool_]
    still: NDArray[np.int64]
    asleep: NDArray[np.bool_]
    found: Floats


class Law(NamedTuple):
    """Constants of the contacts and of the box.

    Attributes:
        stiffness: K, g/s2.
        shear_stiffness: Of the friction springs, g/s2.
        damping_ratio: Of the normal springs.
        friction: Coulomb's coefficient.
        half_side_mm: Distance of each wall from the centre.
        wall_height_mm: Height of the walls.
        still_mm_s: A body slower than this for a while falls asleep; 0 for never.
    """

    stiffness: float
    shear_stiffness: float
    damping_ratio: float
    friction: float
    half_side_mm: float
    wall_height_mm: float
    still_mm_s: float
