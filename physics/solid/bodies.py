"""Rigid bodies of revolution: how those of a slam begin, and how their end is read.

Everything is in mm, g, s, rad as in `physics`. Bodies are in the order of the stack from the floor
up, the thrown slammer last. A body's own z axis is its face normal.
"""

import math
from dataclasses import replace

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.physics.material import Material
from pucklab.physics.materials import GRAVITY_MM_S2, contact_stiffness_g_s2
from pucklab.physics.outcome import (
    LEANING_SINE,
    ON_RIM_COSINE,
    TOUCHING_MM,
    Face,
    PieceOutcome,
    SlamOutcome,
    undisturbed,
)
from pucklab.physics.pieces import PIECE_DIAMETER_MM, Piece, mass_properties
from pucklab.physics.scene import START_GAP_MM, Arena, Scene
from pucklab.physics.solid.state import (
    CENTRE,
    COLUMNS,
    COMPLIANCE,
    FIRST,
    FORCE,
    HALF,
    INVERSE_AXIS,
    INVERSE_DIAMETER,
    INVERSE_MASS,
    MIDDLE,
    MOMENTUM,
    NORMAL,
    OFFSET,
    RADIUS,
    RATE,
    SECOND,
    VELOCITY,
)
from pucklab.physics.thrower import Throw, face_normal


@fact(eq=False)
class Bodies3D:
    """Rigid bodies and their motion; B bodies.

    Attributes:
        position_mm: Shape (B, 3); the centres of mass.
        rotation: Shape (B, 3, 3); columns are a body's own axes, the last one its face normal.
        velocity_mm_s: Shape (B, 3); of the centres of mass.
        rate_rad_s: Shape (B, 3); angular velocities, in the axes of the arena.
        mass_g: Shape (B,).
        moment_diameter_g_mm2: Shape (B,); about a diameter through the centre of mass.
        moment_axis_g_mm2: Shape (B,); about the axis.
        centre_mm: Shape (B,); centre of mass along the face normal, from half the thickness.
        thickness_mm: Shape (B,).
        radius_mm: Shape (B,).
        restitution: Shape (B,); of two bodies of its material.
        friction: Shape (B,); the same.
        stiffness_g_s2: Shape (B,); of a body's side of its contacts, see
            `pucklab.physics.materials.contact_stiffness_g_s2`.
    """

    position_mm: Floats
    rotation: Floats
    velocity_mm_s: Floats
    rate_rad_s: Floats
    mass_g: Floats
    moment_diameter_g_mm2: Floats
    moment_axis_g_mm2: Floats
    centre_mm: Floats
    thickness_mm: Floats
    radius_mm: Floats
    restitution: Floats
    friction: Floats
    stiffness_g_s2: Floats

    def in_units(self, unit: float) -> "Bodies3D":
        """Return the bodies with lengths in a unit and times in its square root; gravity stays."""
        if unit == 1.0:
            return self
        return replace(
            self,
            position_mm=self.position_mm / unit,
            velocity_mm_s=self.velocity_mm_s / math.sqrt(unit),
            rate_rad_s=self.rate_rad_s * math.sqrt(unit),
            mass_g=self.mass_g / unit**3,
            moment_diameter_g_mm2=self.moment_diameter_g_mm2 / unit**5,
            moment_axis_g_mm2=self.moment_axis_g_mm2 / unit**5,
            centre_mm=self.centre_mm / unit,
            thickness_mm=self.thickness_mm / unit,
            radius_mm=self.radius_mm / unit,
            stiffness_g_s2=self.stiffness_g_s2 / unit**2,
        )

    @property
    def normal(self) -> Floats:
        """Face normals; shape (B, 3)."""
        return self.rotation[:, :, 2]

    @property
    def middle_mm(self) -> Floats:
        """Geometric middles; shape (B, 3)."""
        return self.position_mm - self.centre_mm[:, np.newaxis] * self.normal


def starting_bodies(scene: Scene, throw: Throw) -> Bodies3D:
    """Return the bodies of a slam as it begins: the stack at rest, the slammer just above it.

    Aimed beyond a wall, the slammer is further back on its path, see `way_back_mm`.

    Raises:
        InputError: The throw was drawn for a smaller or larger stack.

    Example:
        >>> from pucklab.physics import Puck, Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=(Puck(), Puck()))
        >>> starting_bodies(scene, Throw(speed_mm_s=5000.0)).middle_mm[:, 2].round(3).tolist()
        [0.8, 2.4, 6.7]
    """
    usual = scene.materials
    pieces = (*scene.stack, scene.slammer)
    properties = [mass_properties(piece) for piece in pieces]
    count = len(pieces)
    middle = np.zeros((count, 3))
    rotation = np.zeros((count, 3, 3))
    base_mm = 0.0
    for index, (piece, place) in enumerate(zip(scene.stack, scene.places_mm(throw), strict=True)):
        middle[index] = *place, base_mm + piece.thickness_mm / 2
        rotation[index] = np.diag((1.0, -1.0, -1.0))
        base_mm += piece.thickness_mm
    lowest_mm = scene.slammer.thickness_mm / 2 * math.cos(
        throw.tilt_rad
    ) + scene.slammer.diameter_mm / 2 * math.sin(throw.tilt_rad)
    gap_mm = START_GAP_MM * length_unit(scene)
    middle[-1] = throw.aim_x_mm, throw.aim_y_mm, base_mm + gap_mm + lowest_mm
    # By Rodrigues, about a horizontal axis.
    x, y = math.cos(throw.tilt_azimuth_rad), math.sin(throw.tilt_azimuth_rad)
    cos, sin = math.cos(throw.tilt_rad), math.sin(throw.tilt_rad)
    rest = 1 - cos
    rotation[-1] = (
        (cos + x * x * rest, x * y * rest, y * sin),
        (x * y * rest, cos + y * y * rest, -x * sin),
        (-y * sin, x * sin, cos),
    )
    velocity = np.zeros((count, 3))
    across = throw.speed_mm_s * math.sin(throw.descent_rad)
    velocity[-1, :2] = across * throw.heading[0], across * throw.heading[1]
    velocity[-1, 2] = -throw.speed_mm_s * math.cos(throw.descent_rad)
    middle[-1] -= way_back_mm(scene, throw) * velocity[-1] / throw.speed_mm_s
    rate = np.zeros((count, 3))
    rate[-1] = throw.rate_x_rad_s, throw.rate_y_rad_s, throw.rate_z_rad_s
    centre = np.array([p.centre_mm for p in properties])
    return Bodies3D(
        position_mm=middle + centre[:, np.newaxis] * rotation[:, :, 2],
        rotation=rotation,
        velocity_mm_s=velocity,
        rate_rad_s=rate,
        mass_g=np.array([p.mass_g for p in properties]),
        moment_diameter_g_mm2=np.array([p.moment_diameter_g_mm2 for p in properties]),
        moment_axis_g_mm2=np.array([p.moment_axis_g_mm2 for p in properties]),
        centre_mm=centre,
        thickness_mm=np.array([piece.thickness_mm for piece in pieces]),
        radius_mm=np.array([piece.diameter_mm / 2 for piece in pieces]),
        restitution=np.array([(piece.material or usual).restitution for piece in pieces]),
        friction=np.array([(piece.material or usual).friction for piece in pieces]),
        stiffness_g_s2=np.array(
            [
                contact_stiffness_g_s2(
                    piece.material or Material(), piece.thickness_mm, piece.diameter_mm / 2
                )
                for piece in pieces
            ]
        ),
    )


def way_back_mm(scene: Scene, throw: Throw) -> float:
    """Return how far before the stack's height on its path a slammer begins.

    It is 0 unless the slammer would be in or behind a wall there. Then it begins where its path,
    followed back, comes to lie between the walls or above them: it meets a wall from inside, or
    comes down on it or beyond it.

    Example:
        >>> from pucklab.physics import Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=())
        >>> aims_mm = 0.0, 140.0, 300.0
        >>> throws = [Throw(speed_mm_s=5000.0, aim_x_mm=x, descent_rad=1.0) for x in aims_mm]
        >>> [round(way_back_mm(scene, throw), 1) for throw in throws]
        [0.0, 9.8, 188.0]
    """
    arena, slammer = scene.arena, scene.slammer
    up_mm = arena.wall_height_mm - scene.stack_height_mm
    if not arena.box or up_mm <= 0:
        return 0.0
    above_mm = up_mm / math.cos(throw.descent_rad)
    # Below that the path is between both pairs of walls from one length to another.
    first_mm, last_mm = 0.0, above_mm
    normal, sine = face_normal(throw), math.sin(throw.descent_rad)
    for side, aim_mm in enumerate((throw.aim_x_mm, throw.aim_y_mm)):
        along = sine * throw.heading[side] or 1e-300  # parallel to the walls: always, or never
        across, upright = math.sqrt(1 - normal[side] ** 2), abs(normal[side])
        reach_mm = slammer.diameter_mm / 2 * across + slammer.thickness_mm / 2 * upright
        room_mm = arena.half_side_mm - reach_mm
        ends_mm = sorted(((aim_mm - room_mm) / along, (aim_mm + room_mm) / along))
        first_mm, last_mm = max(first_mm, ends_mm[0]), min(last_mm, ends_mm[1])
    return first_mm if first_mm <= last_mm else above_mm


def floor_stiffness_g_s2(scene: Scene) -> float:
    """Return the stiffness of the side of floor and walls, in a scene's own unit of length.

    By default they are as stiff as a puck; boards of wood would be half as stiff.
    """
    # A dent grows with the pieces: k in the scene's unit is k * unit / unit**2.
    return contact_stiffness_g_s2(scene.arena.material or Material()) / length_unit(scene)


def length_unit(scene: Scene) -> float:
    """Return the radius of a scene's largest piece over that of the rulebook's.

    The engine measures lengths in it, and times in its square root, so that its numerical lengths
    and times suit pieces of any size.
    """
    return max(p.diameter_mm for p in (*scene.stack, scene.slammer)) / PIECE_DIAMETER_MM


def table_of(bodies: Bodies3D) -> Floats:
    """Return the table of bodies, with the world in its last row."""
    count = len(bodies.mass_g)
    table = np.zeros((count + 1, COLUMNS))
    spin = np.sum(bodies.rate_rad_s * bodies.normal, axis=1)
    # L = I_d w + (I_a - I_d) (w . n) n, for a body of revolution about n.
    momentum = bodies.moment_diameter_g_mm2[:, np.newaxis] * bodies.rate_rad_s
    hoop = bodies.moment_axis_g_mm2 - bodies.moment_diameter_g_mm2
    momentum += (hoop * spin)[:, np.newaxis] * bodies.normal
    own = table[:count]
    for column, rows in (
        (CENTRE, bodies.position_mm),
        (MIDDLE, bodies.middle_mm),
        (VELOCITY, bodies.velocity_mm_s),
        (FIRST, bodies.rotation[:, :, 0]),
        (SECOND, bodies.rotation[:, :, 1]),
        (NORMAL, bodies.rotation[:, :, 2]),
        (MOMENTUM, momentum),
        (RATE, bodies.rate_rad_s),
    ):
        own[:, column : column + 3] = rows
    own[:, FORCE + 2] = -bodies.mass_g * GRAVITY_MM_S2
    own[:, INVERSE_MASS] = 1 / bodies.mass_g
    own[:, INVERSE_DIAMETER] = 1 / bodies.moment_diameter_g_mm2
    own[:, INVERSE_AXIS] = 1 / bodies.moment_axis_g_mm2
    own[:, HALF] = bodies.thickness_mm / 2
    own[:, OFFSET] = bodies.centre_mm
    own[:, RADIUS] = bodies.radius_mm
    table[:count, COMPLIANCE] = 1 / bodies.stiffness_g_s2
    return table


def outcome_from_3d(
    scene: Scene,
    throw: Throw,
    *,
    hit: bool,
    middle_mm: Floats,
    normal: Floats,
) -> SlamOutcome:
    """Return the outcome of a slam in three dimensions, read from above.

    Args:
        scene: The scene.
        throw: The throw.
        hit: The slammer touched the top piece of the stack. If it did not, the stack is rebuilt
            as it was (ruling PP-40).
        middle_mm: Shape (B, 3); middles of the pieces and the slammer at rest.
        normal: Shape (B, 3); their face normals.
    """
    pieces = (*scene.stack, scene.slammer)
    places: tuple[int | None, ...] = (*range(len(scene.stack)), None)
    outcomes = tuple(
        PieceOutcome(
            place=place,
            face=_face(piece, scene.arena, (x, y), axis),
            x_mm=x,
            y_mm=y,
        )
        for place, piece, (x, y, _), axis in zip(
            places, pieces, middle_mm.tolist(), normal.tolist(), strict=True
        )
    )
    stack = outcomes[:-1] if hit else undisturbed(scene, throw)
    return SlamOutcome(hit=hit, pieces=stack, slammer=outcomes[-1])


def _face(piece: Piece, arena: Arena, place_mm: tuple[float, float], normal: list[float]) -> Face:
    if arena.is_out(*place_mm):
        return Face.OUT
    cosine = normal[2]
    if abs(cosine) <= ON_RIM_COSINE:
        return Face.LEANING
    if math.hypot(normal[0], normal[1]) > LEANING_SINE:
        for coordinate, along in zip(place_mm, normal, strict=False):
            reach = piece.diameter_mm / 2 * math.sqrt(max(0.0, 1 - along**2))
            reach += piece.thickness_mm / 2 * abs(along) + TOUCHING_MM
            if abs(coordinate) + reach >= arena.half_side_mm:
                return Face.LEANING
    return Face.UP if cosine > 0 else Face.DOWN


def mechanical_energy_nj(bodies: Bodies3D) -> float:
    """Return the kinetic and potential energy of bodies, nJ; zero for all at rest at height 0.

    Example:
        >>> from pucklab.physics import Slammer
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=())
        >>> bodies = starting_bodies(scene, Throw(speed_mm_s=5000.0))
        >>> round(mechanical_energy_nj(bodies) / 1e6)  # 8 g at 5 m/s: 100 mJ
        100
    """
    speed_squared = np.sum(bodies.velocity_mm_s**2, axis=1)
    spin = np.sum(bodies.rate_rad_s * bodies.normal, axis=1)
    tumble_squared = np.sum(bodies.rate_rad_s**2, axis=1) - spin**2
    potential = 2 * GRAVITY_MM_S2 * bodies.position_mm[:, 2]
    twice = (
        bodies.mass_g * (speed_squared + potential)
        + bodies.moment_diameter_g_mm2 * tumble_squared
        + bodies.moment_axis_g_mm2 * spin**2
    )
    return float(np.sum(twice)) / 2
