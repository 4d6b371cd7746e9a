"""Rigid bodies of revolution: how those of a slam begin, and how their end is read.

Everything is in mm, g, s, rad as in `physics`. Bodies are in the order of the stack from the floor
up, the thrown slammer last. A body's own z axis is its face normal.
"""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.elementary import cos, exp, log, sin
from pucklab.base.facts import fact
from pucklab.base.kernels import called, inlined, kernel
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
from pucklab.physics.pieces import PIECE_DIAMETER_MM, mass_properties
from pucklab.physics.scene import START_GAP_MM, Scene
from pucklab.physics.solid.air import FILM_PRESSURE_G_MM_S2, VISCOSITY_G_MM_S
from pucklab.physics.solid.contact_laws import contact_damping_ratio
from pucklab.physics.solid.geometry import plus, put, vector
from pucklab.physics.solid.settings import FAST, SolidSettings
from pucklab.physics.solid.state import (
    CENTRE,
    COLUMNS,
    COMPLIANCE,
    DAMPING,
    FIRST,
    FRICTION,
    HALF,
    INVERSE_AXIS,
    INVERSE_DIAMETER,
    INVERSE_MASS,
    NORMAL,
    OFFSET,
    RADIUS,
    RATE,
    SECOND,
    VELOCITY,
    Law,
)
from pucklab.physics.thrower import Throw

LONGEST_S = 1.5
"""After so long a slam is over, whatever still moves: a disc rolling along a wall, at most."""

LONGEST_ROLL_S = 4.0
"""The same on a floor without walls: a disc rolls on its rim until it falls over."""


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
        square = unit * unit
        return replace(
            self,
            position_mm=self.position_mm / unit,
            velocity_mm_s=self.velocity_mm_s / math.sqrt(unit),
            rate_rad_s=self.rate_rad_s * math.sqrt(unit),
            mass_g=self.mass_g / (unit * square),
            moment_diameter_g_mm2=self.moment_diameter_g_mm2 / (unit * square * square),
            moment_axis_g_mm2=self.moment_axis_g_mm2 / (unit * square * square),
            centre_mm=self.centre_mm / unit,
            thickness_mm=self.thickness_mm / unit,
            radius_mm=self.radius_mm / unit,
            stiffness_g_s2=self.stiffness_g_s2 / square,
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
    unit, count = length_unit(scene), len(scene.stack) + 1
    table = np.zeros((count + 1, COLUMNS))
    block = scene_block(scene, FAST)
    begin_throw(block, throw_block(throw, count - 1), table)
    own, slow = table[:-1], math.sqrt(unit)
    axes = [own[:, column : column + 3] for column in (FIRST, SECOND, NORMAL)]
    return replace(
        _bodies_of(scene),
        position_mm=unit * own[:, CENTRE : CENTRE + 3],
        rotation=np.stack(axes, axis=2),
        velocity_mm_s=slow * own[:, VELOCITY : VELOCITY + 3],
        rate_rad_s=own[:, RATE : RATE + 3] / slow,
    )


def _bodies_of(scene: Scene) -> Bodies3D:
    """Return the bodies of a scene, without places."""
    pieces, usual = (*scene.stack, scene.slammer), scene.materials
    properties = [mass_properties(piece) for piece in pieces]
    count = len(pieces)
    return Bodies3D(
        position_mm=np.zeros((count, 3)),
        rotation=np.zeros((count, 3, 3)),
        velocity_mm_s=np.zeros((count, 3)),
        rate_rad_s=np.zeros((count, 3)),
        mass_g=np.array([p.mass_g for p in properties]),
        moment_diameter_g_mm2=np.array([p.moment_diameter_g_mm2 for p in properties]),
        moment_axis_g_mm2=np.array([p.moment_axis_g_mm2 for p in properties]),
        centre_mm=np.array([p.centre_mm for p in properties]),
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


# The block of a scene: bodies, unit of length, the arena in mm, the law, and the table of bodies.
(
    BLOCK_BODIES, BLOCK_UNIT, BLOCK_HALF_SIDE, BLOCK_WALL_HEIGHT, BLOCK_OUT_RADIUS, BLOCK_LAW,
) = range(6)  # fmt: skip
BLOCK_TABLE = BLOCK_LAW + len(Law._fields)

THROW_FIELDS = (
    "speed_mm_s", "aim_x_mm", "aim_y_mm", "descent_rad", "tilt_rad", "tilt_azimuth_rad",
    "rate_x_rad_s", "rate_y_rad_s", "rate_z_rad_s", "luck", "direction_rad",
)  # fmt: skip
"""The block of a throw: these fields, then x and y of each piece."""
(
    THROW_SPEED, THROW_X, THROW_Y, THROW_DESCENT, THROW_TILT, THROW_AZIMUTH, THROW_RATE, _, _,
    THROW_LUCK, THROW_DIRECTION, THROW_PIECES,
) = range(12)  # fmt: skip


@lru_cache(maxsize=64)
def scene_block(scene: Scene, settings: SolidSettings) -> Floats:
    """Return a scene as a block of numbers, shape (32 + 45 (B + 1),); it is not to be changed."""
    unit, out_mm = length_unit(scene), scene.arena.out_radius_mm
    table = table_of(scene, _bodies_of(scene).in_units(unit), settings)
    start = [
        len(table) - 1.0,
        unit,
        scene.arena.half_side_mm,
        scene.arena.wall_height_mm,
        math.inf if out_mm is None else out_mm,
        *law_of(scene, settings),
    ]
    return np.concatenate([start, table.ravel()])


def throw_block(throw: Throw, pieces: int) -> Floats:
    """Return a throw at a stack of ``pieces`` as a block of numbers, shape (11 + 2 pieces,)."""
    own = [getattr(throw, name) for name in THROW_FIELDS]
    return np.array([*own, *(each for place in throw.jitter_of(pieces) for each in place)])


@called
def place_bodies(scene: Floats, throw: Floats, table: Floats) -> None:
    """Fill in the bodies of a slam as it begins: the stack at rest, the slammer just above it.

    Args:
        scene: The block of the scene.
        throw: The block of the throw.
        table: Shape (B + 1, COLUMNS); `pucklab.physics.solid.stages.begin` completes it.
    """
    count, unit = len(table) - 1, scene[BLOCK_UNIT]
    slow = math.sqrt(unit)
    for row in range(count + 1):
        for column in range(COLUMNS):
            table[row, column] = scene[BLOCK_TABLE + row * COLUMNS + column]
    base = 0.0
    for body in range(count - 1):
        x, y = place_mm(scene, throw, body, 0), place_mm(scene, throw, body, 1)
        put(table, body, CENTRE, (x / unit, y / unit, base + table[body, HALF]))
        base += 2 * table[body, HALF]
        put(table, body, FIRST, (1.0, 0.0, 0.0))
        put(table, body, SECOND, (0.0, -1.0, 0.0))
        put(table, body, NORMAL, (0.0, 0.0, -1.0))
    own = count - 1
    cosine, sine = cos(throw[THROW_TILT]), sin(throw[THROW_TILT])
    lowest = table[own, HALF] * cosine + table[own, RADIUS] * sine
    height = base + START_GAP_MM + lowest
    put(table, own, CENTRE, (throw[THROW_X] / unit, throw[THROW_Y] / unit, height))
    # By Rodrigues, about a horizontal axis.
    x, y, rest = cos(throw[THROW_AZIMUTH]), sin(throw[THROW_AZIMUTH]), 1 - cosine
    put(table, own, FIRST, (cosine + x * x * rest, x * y * rest, -y * sine))
    put(table, own, SECOND, (x * y * rest, cosine + y * y * rest, x * sine))
    put(table, own, NORMAL, (y * sine, -x * sine, cosine))
    speed, direction = throw[THROW_SPEED] / slow, throw[THROW_DIRECTION]
    across = speed * sin(throw[THROW_DESCENT])
    down = -speed * cos(throw[THROW_DESCENT])
    put(table, own, VELOCITY, (across * cos(direction), across * sin(direction), down))
    size = unit * table[own, RADIUS], unit * table[own, HALF]
    back = _way_back_mm(scene, throw, size, unit * base) / unit
    back_s = back / speed
    put(table, own, CENTRE, plus(vector(table, own, CENTRE), -back_s, vector(table, own, VELOCITY)))
    for k in range(3):
        table[own, RATE + k] = throw[THROW_RATE + k] * slow
    for body in range(count):
        for k in range(3):
            table[body, CENTRE + k] += table[body, OFFSET] * table[body, NORMAL + k]


@inlined
def place_mm(scene: Floats, throw: Floats, body: int, axis: int) -> float:
    """Return x or y of a piece of the stack before a throw; see `Scene.places_mm`."""
    radius = scene[BLOCK_UNIT] * scene[BLOCK_TABLE + body * COLUMNS + RADIUS]
    room = scene[BLOCK_HALF_SIDE] - radius
    place: float = min(max(throw[THROW_PIECES + 2 * body + axis], -room), room)
    return place


@inlined
def _way_back_mm(scene: Floats, throw: Floats, size: tuple[float, float], stack_mm: float) -> float:
    """Return `way_back_mm` of a slammer of a radius and half a thickness above a stack."""
    up, half_side = scene[BLOCK_WALL_HEIGHT] - stack_mm, scene[BLOCK_HALF_SIDE]
    if half_side == math.inf or up <= 0.0:
        return 0.0
    above = up / cos(throw[THROW_DESCENT])
    # Below that the path is between both pairs of walls from one length to another.
    first, last = 0.0, above
    sine, tilt = sin(throw[THROW_DESCENT]), sin(throw[THROW_TILT])
    for axis in range(2):
        aim, towards, leans = throw[THROW_X], cos(throw[THROW_DIRECTION]), sin(throw[THROW_AZIMUTH])
        if axis == 1:
            aim, towards = throw[THROW_Y], sin(throw[THROW_DIRECTION])
            leans = -cos(throw[THROW_AZIMUTH])
        along, normal = sine * towards, leans * tilt
        if along == 0.0:
            along = 1e-300  # parallel to the walls: always, or never
        reach = size[0] * math.sqrt(1.0 - normal * normal) + size[1] * abs(normal)
        room = half_side - reach
        one, other = (aim - room) / along, (aim + room) / along
        first, last = max(first, min(one, other)), min(last, max(one, other))
    back: float = first if first <= last else above
    return back


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
    size = scene.slammer.diameter_mm / 2, scene.slammer.thickness_mm / 2
    block = throw_block(throw, len(scene.stack))
    return float(_way_back_mm(scene_block(scene, FAST), block, size, scene.stack_height_mm))


@kernel
def begin_throw(scene: Floats, throw: Floats, table: Floats) -> int:
    """Fill in the bodies of a slam as it begins, see `place_bodies`; -1 if sizes do not fit."""
    count = len(table) - 1
    if count < 1 or table.shape[1] != COLUMNS or len(throw) < THROW_PIECES + 2 * (count - 1):
        return -1
    if len(scene) != BLOCK_TABLE + (count + 1) * COLUMNS:
        return -1
    place_bodies(scene, throw, table)
    return 0


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


def table_of(scene: Scene, bodies: Bodies3D, settings: SolidSettings) -> Floats:
    """Return the table of bodies in the scene's unit, with floor and walls in its last row.

    A side without a material of its own has the restitution and the friction of the scene.
    """
    count, usual = len(bodies.mass_g), scene.materials
    floor = scene.arena.material or usual
    table = np.zeros((count + 1, COLUMNS))
    own = table[:count]
    for column, rows in (
        (CENTRE, bodies.position_mm),
        (VELOCITY, bodies.velocity_mm_s),
        (FIRST, bodies.rotation[:, :, 0]),
        (SECOND, bodies.rotation[:, :, 1]),
        (NORMAL, bodies.rotation[:, :, 2]),
        (RATE, bodies.rate_rad_s),
    ):
        own[:, column : column + 3] = rows
    own[:, INVERSE_MASS] = 1 / bodies.mass_g
    own[:, INVERSE_DIAMETER] = 1 / bodies.moment_diameter_g_mm2
    own[:, INVERSE_AXIS] = 1 / bodies.moment_axis_g_mm2
    own[:, HALF] = bodies.thickness_mm / 2
    own[:, OFFSET] = bodies.centre_mm
    own[:, RADIUS] = bodies.radius_mm
    stiffness = np.append(bodies.stiffness_g_s2, floor_stiffness_g_s2(scene))
    table[:, COMPLIANCE] = 1 / (settings.stiffness * stiffness)
    restitution = np.append(bodies.restitution, floor.restitution)
    lost = hysteresis_restitution(scene)
    table[:, DAMPING] = [contact_damping_ratio(min(1.0, e / lost)) for e in restitution.tolist()]
    table[:, FRICTION] = np.append(bodies.friction, floor.friction)
    return table


def hysteresis_restitution(scene: Scene) -> float:
    """Return the restitution of contacts whose only loss is hysteresis.

    It is the share of the liveliest material; the damper takes what others lose beyond it.
    """
    sides = (*scene.stack, scene.slammer, scene.arena)
    own = max((side.material or scene.materials).restitution for side in sides)
    return exp(scene.materials.hysteresis * log(own)) if scene.materials.hysteresis else 1.0


def law_of(scene: Scene, settings: SolidSettings) -> Law:
    """Return the constants of a slam in a scene."""
    unit, kept = length_unit(scene), hysteresis_restitution(scene)
    given = {name: getattr(settings, name) for name in Law._fields if hasattr(settings, name)}
    given |= {
        "kept": kept * kept,
        "half_side_mm": scene.arena.half_side_mm / unit,
        "wall_height_mm": scene.arena.wall_height_mm / unit,
        "slow_cosine": cos(math.radians(settings.slow_tilt_deg)),
        "longest_s": LONGEST_S if scene.arena.box else LONGEST_ROLL_S,
        "film_gap_mm": scene.arena.film_gap_um / 1000 / unit,
        "film_viscosity": VISCOSITY_G_MM_S / (unit * math.sqrt(unit)),
        "film_pressure": FILM_PRESSURE_G_MM_S2 / unit,
        "air_density": scene.arena.air_kg_m3 * 1e-6,
    }
    return Law(**{name: float(value) for name, value in given.items()})


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
    out_mm = scene.arena.out_radius_mm
    room = scene.arena.half_side_mm, math.inf if out_mm is None else out_mm
    rows = zip((*scene.stack, scene.slammer), middle_mm.tolist(), normal.tolist(), strict=True)
    *stack, slammer = [
        PieceOutcome(
            place=place,
            face=FACES[face_code(x, y, axis, piece.thickness_mm / 2, piece.diameter_mm / 2, *room)],
            x_mm=x,
            y_mm=y,
        )
        for place, (piece, (x, y, _), axis) in enumerate(rows)
    ]
    pieces = tuple(stack) if hit else undisturbed(scene, throw)
    return SlamOutcome(hit=hit, pieces=pieces, slammer=replace(slammer, place=None))


DOWN, UP, LEANING, OUT = range(4)
"""Codes of faces in kernels."""

FACES = (Face.DOWN, Face.UP, Face.LEANING, Face.OUT)
"""The face of each code."""


@inlined
def face_code(
    x_mm: float,
    y_mm: float,
    normal: tuple[float, float, float],
    half_mm: float,
    radius_mm: float,
    half_side_mm: float,
    out_radius_mm: float,
) -> int:
    """Return the code of a piece's face at rest.

    Args:
        x_mm: Its middle, x.
        y_mm: The same, y.
        normal: Its face normal.
        half_mm: Half its thickness.
        radius_mm: Its radius.
        half_side_mm: Distance of each wall from the centre, infinite without walls.
        out_radius_mm: Distance from the centre beyond which a piece is out, infinite in a box.
    """
    beyond = math.sqrt(x_mm * x_mm + y_mm * y_mm) >= out_radius_mm
    if beyond or max(abs(x_mm), abs(y_mm)) >= half_side_mm:
        return OUT
    if abs(normal[2]) <= ON_RIM_COSINE:
        return LEANING
    if math.sqrt(normal[0] * normal[0] + normal[1] * normal[1]) > LEANING_SINE:
        for axis in range(2):
            along, place = normal[axis], x_mm if axis == 0 else y_mm
            reach = radius_mm * math.sqrt(max(0.0, 1 - along * along))
            reach += half_mm * abs(along) + TOUCHING_MM
            if abs(place) + reach >= half_side_mm:
                return LEANING
    return UP if normal[2] > 0 else DOWN


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
