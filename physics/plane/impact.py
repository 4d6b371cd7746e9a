"""The impact: plates on springs and dampers (Kelvin and Voigt) in the plane of the first contact.

`impact_plane` projects a throw onto that plane, with the horizontal direction u and w = z x u
across it; None for a throw that misses. `impact` computes the struck stack.

An impulse solver sends no shock through bodies that touch. Each piece of the stack is therefore two
plates, each with half its thickness and mass, joined by a damped spring along their axis, a rotary
spring that keeps them parallel and a groove that stops them from shearing. The springs carry the
shock; their damping is the coefficient of restitution. The thrown slammer is one rigid body.
"""

import math
from collections.abc import Sequence

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.physics.materials import GRAVITY_MM_S2, PLATE_FREQUENCY_RAD_S, damping_ratio
from pucklab.physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from pucklab.physics.plane.world import (
    ANGLE,
    FLOOR_CATEGORY,
    OMEGA,
    VELOCITY,
    VX,
    VZ,
    Checkpoints,
    LatchingSpring,
    State,
    Trace,
    World,
    X,
    Z,
    kinetic_energy_nj,
    mechanical_energy_nj,
    run_with_checkpoints,
    surface_of,
)
from pucklab.physics.scene import START_GAP_MM, Scene
from pucklab.physics.thrower import Throw, face_normal

_ROUNDING = 1e-9
_TILT_SEEN = 4.0
"""Slope of the slammer in the plane over its tilt, with the plates' usual frequency. The plane's
springs are softer than plastic, and a blow lasts about four times as long as in space. A tilted
slammer strikes with its rim, then with its other side: tilted so much more, it does so as late
beside the blow's length. In space the direction of the tilt makes little difference."""

_APART = 2.6
"""Greatest delay of that second blow, in units of the time sqrt(M n / k) of a slammer of mass M on
n springs of stiffness k; half a swing would be pi. Blows further apart are two, and a greater delay
changes nothing in space. In the plane it would still. With this limit, pieces rise in the plane as
they do in space to a tenth, whatever the slammer's mass and speed, descent and number of pucks."""

_FLAT_SLOPE = 1e-6
"""Slope below which a slammer touches with its whole face at once."""


@fact
class ImpactPlane:
    """A throw, projected onto the plane of its impact.

    Attributes:
        direction: Unit vector (x, y) of the plane's horizontal axis u.
        offset_mm: Aim of the slammer along u.
        lateral_mm: Aim along w.
        speed_along_mm_s: Horizontal velocity along u.
        speed_across_mm_s: Horizontal velocity along w.
        speed_up_mm_s: Vertical velocity; negative is down.
        angle_rad: The slammer's angle in the plane, 0 for flat and face up, counter-clockwise; see
            `seen_tilt_rad`.
        rate_rad_s: Angular velocity in the plane.
    """

    direction: tuple[float, float]
    offset_mm: float
    lateral_mm: float
    speed_along_mm_s: float
    speed_across_mm_s: float
    speed_up_mm_s: float
    angle_rad: float
    rate_rad_s: float


def first_contact(throw: Throw) -> tuple[float, float] | None:
    """Return the point of first contact on the plane of the stack's top, or None for a miss.

    The slammer's underside is a disc about the aim point, the stack's top a disc about the origin.
    The first contact is the lowest point of the underside above the top: the lowest point of
    either rim if the other disc covers it, or else a corner of the lens that both share.

    Example:
        >>> first_contact(Throw(speed_mm_s=5000.0, aim_x_mm=10.0))  # flat: the lens's middle
        (5.0, 0.0)
        >>> first_contact(Throw(speed_mm_s=5000.0, aim_x_mm=42.0)) is None
        True
    """
    radius = PIECE_RADIUS_MM
    ax, ay = throw.aim_x_mm, throw.aim_y_mm
    distance = math.hypot(ax, ay)
    if distance >= 2 * radius:
        return None
    nx, ny, nz = face_normal(throw)
    slope = math.hypot(nx, ny) / nz
    if slope < _FLAT_SLOPE:
        return ax / 2, ay / 2
    down_x, down_y = nx / (slope * nz), ny / (slope * nz)
    rim_x, rim_y = ax + radius * down_x, ay + radius * down_y
    covered = radius * (1 + _ROUNDING)
    if math.hypot(rim_x, rim_y) <= covered:
        return rim_x, rim_y
    edge_x, edge_y = radius * down_x, radius * down_y
    if math.hypot(edge_x - ax, edge_y - ay) <= covered:
        return edge_x, edge_y
    half_chord = math.sqrt(radius**2 - distance**2 / 4)
    across_x, across_y = -ay / distance * half_chord, ax / distance * half_chord
    sign = 1.0 if across_x * down_x + across_y * down_y > 0 else -1.0
    return ax / 2 + sign * across_x, ay / 2 + sign * across_y


def impact_plane(scene: Scene, throw: Throw) -> ImpactPlane | None:
    """Return the throw projected onto the plane of its impact, or None for a miss.

    The plane contains the stack's axis and the aim point.
    """
    contact = first_contact(throw) if scene.stack else None
    if contact is None:
        return None
    tilt_rad = seen_tilt_rad(scene, throw)
    for x, y in ((throw.aim_x_mm, throw.aim_y_mm), contact):
        length = math.hypot(x, y)
        if length > 0:
            return project(throw, (x / length, y / length), tilt_rad)
    return project(throw, throw.heading, tilt_rad)


def seen_tilt_rad(scene: Scene, throw: Throw) -> float:
    """Return the slammer's tilt in the plane, whatever the direction of the tilt in space.

    Example:
        >>> from pucklab.physics import Slammer, puck_stack
        >>> scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(10))
        >>> tilts = 0.0, 0.02, 0.2, 0.5
        >>> throws = [Throw(speed_mm_s=5000.0, tilt_rad=tilt_rad) for tilt_rad in tilts]
        >>> [round(seen_tilt_rad(scene, throw), 2) for throw in throws]
        [0.0, 0.08, 0.28, 0.28]
    """
    puck = scene.stack[0]
    frequency_rad_s = _plate_frequency_rad_s(scene, puck)
    stiffness_g_s2 = puck.mass_g * frequency_rad_s**2 / 4
    swing_s = math.sqrt(len(scene.stack) * scene.slammer.mass_g / stiffness_g_s2)
    down_mm_s = throw.speed_mm_s * math.cos(throw.descent_rad)
    softer = PLATE_FREQUENCY_RAD_S / scene.preset.plate_frequency_rad_s
    apart = _APART * swing_s * down_mm_s / PIECE_RADIUS_MM
    return math.atan(min(_TILT_SEEN * softer * throw.tilt_rad, apart))


def project(throw: Throw, direction: tuple[float, float], tilt_rad: float) -> ImpactPlane:
    """Return the throw projected onto the vertical plane along ``direction``, a unit vector.

    Args:
        throw: The throw.
        direction: The plane's horizontal axis.
        tilt_rad: The slammer's tilt in it.
    """
    ux, uy = direction
    nx, ny, _ = face_normal(throw)
    horizontal = throw.speed_mm_s * math.sin(throw.descent_rad)
    x_mm_s, y_mm_s = (horizontal * part for part in throw.heading)
    return ImpactPlane(
        direction=direction,
        offset_mm=throw.aim_x_mm * ux + throw.aim_y_mm * uy,
        lateral_mm=throw.aim_y_mm * ux - throw.aim_x_mm * uy,
        speed_along_mm_s=x_mm_s * ux + y_mm_s * uy,
        speed_across_mm_s=y_mm_s * ux - x_mm_s * uy,
        speed_up_mm_s=-throw.speed_mm_s * math.cos(throw.descent_rad),
        angle_rad=math.copysign(tilt_rad, -(nx * ux + ny * uy)),
        rate_rad_s=throw.rate_x_rad_s * uy - throw.rate_y_rad_s * ux,
    )


def arriving_state(
    scene: Scene, plane: ImpactPlane
) -> tuple[float, float, float, float, float, float]:
    """Return the slammer's state at the start: x, z, angle, vx, vz, angular velocity.

    Of its centre of mass, in the plane; see `pucklab.physics.plane.world.State`.
    """
    slammer, angle = scene.slammer, plane.angle_rad
    centre_mm = mass_properties(slammer).centre_mm
    lowest_mm = slammer.thickness_mm / 2 * abs(math.cos(angle)) + PIECE_RADIUS_MM * abs(
        math.sin(angle)
    )
    return (
        plane.offset_mm - math.sin(angle) * centre_mm,
        scene.stack_height_mm + START_GAP_MM + lowest_mm + math.cos(angle) * centre_mm,
        angle,
        plane.speed_along_mm_s,
        plane.speed_up_mm_s,
        plane.rate_rad_s,
    )


_SLAMMER_CATEGORY = 1 << 31
_NO_INTERFACE = 1 << 30
_ARM_MM = PIECE_RADIUS_MM
"""Lever arm of the rotary springs: tilted pucks press on each other at their rims. With springs at
the rim, throws that stay in one plane throw pucks up as in 3-D to a factor of 1.5; with springs
halfway out, of 1.8."""

_STIFF_MASS_G = 1.5
"""Mass above which a piece is no stiffer than the usual puck, because stiffness belongs to the
faces in contact."""

_SPRING_OFFSET_MM = 4.0
"""Distance of the anchors from the plates along the axis: a spring needs a rest length above
zero."""

_GROOVE_SLACK_MM = 5.0
_COMES_DOWN_MM = 10.0
"""Way of the slammer before the first checkpoint. A tilted slammer strikes with its rim, then with
its
face: springs that are empty in between do not mean that the impact is over."""

_LOOK_EVERY_S = 0.3e-3
_LONGEST_S = 12e-3
_SPRING_SHARE = 4e-3
"""The impact is over when the springs hold less than this share of the throw's energy."""

_DULL_RESTITUTION = 0.25
_ROUGH_FRICTION = 0.5


@fact
class Impact:
    """State at the end of an impact.

    Attributes:
        state: Shape (pieces + 1, 6), the thrown slammer last; see
            `pucklab.physics.plane.world.State`.
        duration_s: Duration, 1 to 12 ms.
    """

    state: State
    duration_s: float


def impact(scene: Scene, throw: Throw, plane: ImpactPlane, trace: Trace | None = None) -> Impact:
    """Compute the impact of a throw that hits.

    Args:
        scene: The scene; its stack has at least one piece.
        throw: The throw.
        plane: The throw in the plane of the impact.
        trace: Receives samples of the motion; None for no sampling.
    """
    materials = scene.materials
    # A spring let out is stiffer than one pressed: the step follows its frequency.
    step_s = scene.preset.impact_step_s * materials.restitution**materials.hysteresis
    energy_nj = 0.5 * scene.slammer.mass_g * throw.speed_mm_s**2
    enough_nj = _SPRING_SHARE * energy_nj
    # Strongly damped and rough materials: with the preset's own number of iterations, the energy of
    # an impact would rise by up to 7 and .4 %, against .1 % elsewhere.
    hard = materials.restitution < _DULL_RESTITUTION or materials.friction > _ROUGH_FRICTION
    first_s = min(_COMES_DOWN_MM / throw.speed_mm_s, _LONGEST_S)
    looks = Checkpoints(first_s=first_s, every_s=_LOOK_EVERY_S, last_s=_LONGEST_S)
    with World(scene.preset.impact_iterations * (3 if hard else 1)) as world:
        rig = _build(world, scene, throw, plane)

        def sample(time_s: float) -> None:
            if trace is not None:
                _sample(rig, world.states(), trace, time_s, step_s)

        sample(0.0)
        for time_s in run_with_checkpoints(world, step_s, looks, trace, sample):
            plates, duration_s = world.states(), time_s
            if _spring_energy_nj(rig, plates) < enough_nj:
                break
    return Impact(state=_merge(rig, plates), duration_s=duration_s)


@fact
class _Rig:
    """Masses and springs of one impact's plates.

    A spring's stiffness is that on the way back to its dent, see `LatchingSpring`; there is none
    unless the materials have hysteresis.

    Plates come in pairs, the upper half first (the piece is face down), the half with the face
    second; the slammer follows the last pair.
    """

    mass_g: Floats
    moment_g_mm2: Floats
    rest_mm: Floats
    stiffness_g_s2: Floats
    springs: Sequence[LatchingSpring]
    rotary_springs: Sequence[LatchingSpring]


def _build(world: World, scene: Scene, throw: Throw, plane: ImpactPlane) -> _Rig:
    surface = surface_of(scene.materials)
    world.add_floor(4 * scene.arena.side_mm, surface)
    # Half of a piece at an end stays with the floor or the slammer while its springs throw the
    # other half: the piece comes off with half the springs' restitution.
    inner = scene.materials.restitution
    outer = min(1.0, 2 * inner)
    ux, uy = plane.direction
    masses: list[float] = []
    moments: list[float] = []
    rests: list[float] = []
    stiffnesses: list[float] = []
    springs: list[tuple[LatchingSpring, LatchingSpring]] = []
    base_mm = 0.0
    for position, (piece, (x, y)) in enumerate(
        zip(scene.stack, scene.places_mm(throw), strict=True)
    ):
        side_mm = x * ux + y * uy
        # By the parallel axis theorem from the whole piece's.
        whole = mass_properties(piece)
        quarter_mm = piece.thickness_mm / 4
        moment = (whole.moment_diameter_g_mm2 - whole.mass_g * quarter_mm**2) / 2
        # The underside, which is on top, and the face. A plate collides only with the floor, the
        # slammer and the plate across its interface: the statistics are the same, a tenth faster.
        above = 1 << (position + 1)
        below = 1 << position if position else _NO_INTERFACE
        middle_mm = base_mm + piece.thickness_mm / 2
        lower, face = (
            world.add_disc(
                (side_mm, middle_mm - from_mm - whole.centre_mm, math.pi, 0.0, 0.0, 0.0),
                mass_g=piece.mass_g / 2,
                moment_g_mm2=moment,
                thickness_mm=piece.thickness_mm / 2,
                middle_mm=-whole.centre_mm,
                surface=(surface[0], 0.0),
                categories=interface,
                mask=FLOOR_CATEGORY | _SLAMMER_CATEGORY | interface,
            )
            for from_mm, interface in ((-quarter_mm, above), (quarter_mm, below))
        )
        omega = _plate_frequency_rad_s(scene, piece)
        stiffness = piece.mass_g * omega**2 / 4
        rest_mm = 2 * _SPRING_OFFSET_MM + piece.thickness_mm / 2
        restitution = outer if position in (0, len(scene.stack) - 1) else inner
        zeta = damping_ratio(restitution, scene.materials.hysteresis)
        kept = restitution ** (2.0 * scene.materials.hysteresis)
        damping = 2 * zeta * stiffness / omega
        # A spring, a rotary spring that holds the plates parallel, and a groove.
        along = world.add_spring(
            lower,
            face,
            ((0.0, -_SPRING_OFFSET_MM), (0.0, _SPRING_OFFSET_MM)),
            rest_mm=rest_mm,
            stiffness_g_s2=stiffness,
            damping_g_s=damping,
            kept=kept,
        )
        turning = world.add_rotary_spring(
            lower,
            face,
            stiffness_g_mm2_s2=stiffness * _ARM_MM**2,
            damping_g_mm2_s=damping * _ARM_MM**2,
            kept=kept,
        )
        world.add_groove(lower, face, _GROOVE_SLACK_MM + rest_mm)
        springs.append((along, turning))
        masses += [piece.mass_g / 2] * 2
        moments += [moment] * 2
        rests.append(rest_mm)
        stiffnesses.append(stiffness / kept)
        base_mm += piece.thickness_mm
    slammer = mass_properties(scene.slammer)
    world.add_disc(
        arriving_state(scene, plane),
        mass_g=slammer.mass_g,
        moment_g_mm2=slammer.moment_diameter_g_mm2,
        thickness_mm=scene.slammer.thickness_mm,
        middle_mm=-slammer.centre_mm,
        surface=surface,
        categories=_SLAMMER_CATEGORY,
    )
    return _Rig(
        mass_g=np.array([*masses, slammer.mass_g]),
        moment_g_mm2=np.array([*moments, slammer.moment_diameter_g_mm2]),
        rest_mm=np.array(rests),
        stiffness_g_s2=np.array(stiffnesses),
        springs=[along for along, _ in springs],
        rotary_springs=[turning for _, turning in springs],
    )


def _plate_frequency_rad_s(scene: Scene, piece: Piece) -> float:
    return scene.preset.plate_frequency_rad_s * math.sqrt(min(1.0, _STIFF_MASS_G / piece.mass_g))


@fact
class _SpringGeometry:
    """Geometry of the pieces' springs: shapes (pieces,) and (pieces, 2).

    Anchors count from the centres of their plates; the axis points from the underside to the face;
    the bend is the angle of the face against the underside. Both count from the springs' dents.
    """

    lower_anchor_mm: Floats
    face_anchor_mm: Floats
    axis: Floats
    stretch_mm: Floats
    bend_rad: Floats


def _spring_geometry(rig: _Rig, plates: State) -> _SpringGeometry:
    lower, face = plates[0:-1:2], plates[1:-1:2]
    lower_anchor = _anchors_mm(lower[:, ANGLE], -_SPRING_OFFSET_MM)
    face_anchor = _anchors_mm(face[:, ANGLE], _SPRING_OFFSET_MM)
    span = face[:, X:ANGLE] - lower[:, X:ANGLE] + face_anchor - lower_anchor
    length = np.hypot(span[:, 0], span[:, 1])
    return _SpringGeometry(
        lower_anchor_mm=lower_anchor,
        face_anchor_mm=face_anchor,
        axis=span / length[:, np.newaxis],
        stretch_mm=length - rig.rest_mm - np.array([spring.dent for spring in rig.springs]),
        bend_rad=face[:, ANGLE]
        - lower[:, ANGLE]
        - np.array([spring.dent for spring in rig.rotary_springs]),
    )


def _anchors_mm(angle_rad: Floats, along_axis_mm: float) -> Floats:
    """Return the anchors of springs relative to the plates' centres, shape (pieces, 2)."""
    return along_axis_mm * np.stack((-np.sin(angle_rad), np.cos(angle_rad)), axis=-1)


def _spring_energy_nj(rig: _Rig, plates: State) -> float:
    springs = _spring_geometry(rig, plates)
    squares = springs.stretch_mm**2 + (_ARM_MM * springs.bend_rad) ** 2
    return float((rig.stiffness_g_s2 * squares).sum()) / 2


def _merge(rig: _Rig, plates: State) -> State:
    """Merge each pair of plates into one piece; momentum and angular momentum are conserved."""
    lower, upper = plates[0:-1:2], plates[1:-1:2]
    merged = np.empty((len(lower) + 1, 6))
    merged[-1] = plates[-1]
    mean = (lower + upper) / 2
    half_x, half_z = (upper[:, X] - lower[:, X]) / 2, (upper[:, Z] - lower[:, Z]) / 2
    half_vx, half_vz = (upper[:, VX] - lower[:, VX]) / 2, (upper[:, VZ] - lower[:, VZ]) / 2
    plate_mass, plate_moment = rig.mass_g[0:-1:2], rig.moment_g_mm2[0:-1:2]
    # Angular momentum about the common centre: the plates' own, and that of their centres.
    # (pieces,)
    own = plate_moment * (lower[:, OMEGA] + upper[:, OMEGA])
    orbital = 2 * plate_mass * (half_x * half_vz - half_z * half_vx)
    moment = 2 * (plate_moment + plate_mass * (half_x**2 + half_z**2))
    merged[:-1] = mean
    merged[:-1, OMEGA] = (own + orbital) / moment
    return merged


def _sample(rig: _Rig, plates: State, trace: Trace, time_s: float, step_s: float) -> None:
    """Sample the pieces' states and an energy that a vibrating spring conserves step by step.

    The engine's velocities are half a step ahead of its positions. Leapfrog steps do not conserve
    the energy of one instant but the product of the velocities before and after the kick: the
    square of their mean less the square of half their difference.
    """
    # Velocity changes by gravity and the springs in half a time step.
    kicks = np.zeros_like(plates)
    kicks[:, VZ] = -GRAVITY_MM_S2 * step_s / 2
    springs = _spring_geometry(rig, plates)
    # Hooke's law along the axis, and the rotary spring's torque.             (pieces, 2), (pieces,)
    pull = springs.axis * (rig.stiffness_g_s2 * springs.stretch_mm)[:, np.newaxis]
    bending = rig.stiffness_g_s2 * _ARM_MM**2 * springs.bend_rad
    for first, anchor, force, turning in (
        (0, springs.lower_anchor_mm, pull, bending),
        (1, springs.face_anchor_mm, -pull, -bending),
    ):
        half = slice(first, -1, 2)
        # z component of anchor x force, plus the rotary spring.                           (pieces,)
        torque = anchor[:, 0] * force[:, 1] - anchor[:, 1] * force[:, 0] + turning
        kicks[half, VX:OMEGA] += force / rig.mass_g[half, np.newaxis] * step_s / 2
        kicks[half, OMEGA] += torque / rig.moment_g_mm2[half] * step_s / 2
    mean = plates.copy()
    mean[:, VELOCITY] -= kicks[:, VELOCITY]
    energy = mechanical_energy_nj(mean, rig.mass_g, rig.moment_g_mm2)
    energy -= kinetic_energy_nj(kicks, rig.mass_g, rig.moment_g_mm2)
    trace.add(time_s, _merge(rig, plates), energy + _spring_energy_nj(rig, plates))
