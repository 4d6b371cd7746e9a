"""Stage 1, the impact: split pucks in the vertical plane of the first contact.

An impulse solver sends no shock through bodies that touch. So each piece of the stack is two
plates of half its thickness and mass, joined by two damped springs and a groove that keeps them
from shearing: the springs carry the shock, and their damping is the coefficient of restitution.
The thrown slammer is rigid.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.materials import damping_ratio
from physics.pieces import PIECE_RADIUS_MM, Piece, mass_properties
from physics.plane import ImpactPlane, arriving_state, is_knock_out
from physics.scene import Scene
from physics.stepping import Looks, step_and_look
from physics.thrower import Throw
from physics.trace import Trace
from physics.units import GRAVITY_MM_S2
from physics.world import (
    FLOOR_CATEGORY,
    State,
    World,
    kinetic_energy_nj,
    mechanical_energy_nj,
    potential_energy_nj,
)

_SLAMMER_CATEGORY = 1 << 31
_NO_INTERFACE = 1 << 30
_STACK_ARM_MM = PIECE_RADIUS_MM
"""Where the springs of a stack's pieces are. Pucks that tilt press on each other at their rims:
with springs there, throws that keep to one plane throw pucks up as in 3-D, to a factor of 1.5;
with springs halfway out, to 1.8."""

_ALONE_ARM_MM = PIECE_RADIUS_MM / 2
"""The same of a lone piece and of a lying slammer under its shields. With springs at the rim the
floor would throw it up at half the speed of the 3-D engines; why is not known."""
_SPRING_OFFSET_MM = 4.0
"""Anchors are moved apart along the axis: a spring needs a rest length that is not zero."""

_GROOVE_SLACK_MM = 5.0
_LOOKS = Looks(first_s=1.5e-3, every_s=0.3e-3, last_s=12e-3)
_SPRING_SHARE = 4e-3
"""The impact is over when the springs hold less than this share of the throw's energy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """The end of an impact.

    Attributes:
        state: Shape (pieces + 1, 6), the thrown slammer last; see `physics.world.State`.
        duration_s: How long it took, 1.5 to 12 ms.
        lifted_nj: Potential energy that the pieces have gained.
    """

    state: State
    duration_s: float
    lifted_nj: float


def impact(scene: Scene, throw: Throw, plane: ImpactPlane, trace: Trace | None = None) -> Impact:
    """Compute the impact of a throw that hits.

    Args:
        scene: The scene; its stack has at least one piece.
        throw: The throw.
        plane: The throw in the plane of the impact.
        trace: Where to put samples of the motion, if wanted.
    """
    step_s = scene.preset.impact_step_s
    energy_nj = 0.5 * scene.slammer.mass_g * throw.speed_mm_s**2
    enough_nj = _SPRING_SHARE * energy_nj
    with World(scene.preset.impact_iterations) as world:
        rig = _build(world, scene, throw, plane)
        begin_nj = potential_energy_nj(world.states(), rig.mass_g)

        def sample(time_s: float) -> None:
            if trace is not None:
                _sample(rig, world.states(), trace, time_s, step_s)

        sample(0.0)
        for time_s in step_and_look(world, step_s, _LOOKS, trace, sample):
            plates, duration_s = world.states(), time_s
            if _spring_energy_nj(rig, plates) < enough_nj:
                break
    return Impact(
        state=_merge(rig, plates),
        duration_s=duration_s,
        lifted_nj=potential_energy_nj(plates, rig.mass_g) - begin_nj,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rig:
    """What the plates and springs of one impact are.

    Plates come in pairs, the half with the face last; the slammer follows the last pair.
    """

    mass_g: NDArray[np.float64]
    moment_g_mm2: NDArray[np.float64]
    rest_mm: NDArray[np.float64]
    stiffness_g_s2: NDArray[np.float64]
    arms_mm: tuple[float, float]


def _build(world: World, scene: Scene, throw: Throw, plane: ImpactPlane) -> _Rig:
    friction = math.sqrt(scene.materials.friction)
    elasticity = math.sqrt(scene.materials.restitution)
    world.add_floor(4 * scene.arena.side_mm, friction=friction, elasticity=elasticity)
    omega = scene.preset.plate_frequency_rad_s
    zeta = damping_ratio(scene.materials.restitution)
    ux, uy = plane.direction
    masses: list[float] = []
    moments: list[float] = []
    rests: list[float] = []
    stiffnesses: list[float] = []
    arm_mm = _ALONE_ARM_MM if is_knock_out(scene) else _STACK_ARM_MM
    arms_mm = (-arm_mm, arm_mm)
    base_mm = 0.0
    for position, (piece, chance) in enumerate(zip(scene.stack, throw.chances, strict=True)):
        side_mm = chance.jitter_x_mm * ux + chance.jitter_y_mm * uy
        moment = _plate_moment_g_mm2(piece)
        plates = _add_plates(world, piece, position, (side_mm, base_mm), moment, friction)
        stiffness = piece.mass_g * omega**2 / 8
        rest_mm = 2 * _SPRING_OFFSET_MM + piece.thickness_mm / 2
        _join(world, plates, arms_mm, rest_mm, stiffness, 2 * zeta * stiffness / omega)
        masses += [piece.mass_g / 2] * 2
        moments += [moment] * 2
        rests.append(rest_mm)
        stiffnesses.append(stiffness)
        base_mm += piece.thickness_mm
    slammer = mass_properties(scene.slammer)
    world.add_disc(
        arriving_state(scene, plane),
        mass_g=slammer.mass_g,
        moment_g_mm2=slammer.moment_diameter_g_mm2,
        thickness_mm=scene.slammer.thickness_mm,
        middle_mm=-slammer.centre_mm,
        friction=friction,
        elasticity=elasticity,
        categories=_SLAMMER_CATEGORY,
    )
    return _Rig(
        mass_g=np.array([*masses, slammer.mass_g]),
        moment_g_mm2=np.array([*moments, slammer.moment_diameter_g_mm2]),
        rest_mm=np.array(rests),
        stiffness_g_s2=np.array(stiffnesses),
        arms_mm=arms_mm,
    )


def _plate_moment_g_mm2(piece: Piece) -> float:
    """Return a plate's own moment: with the plates' distance it makes up the whole piece's."""
    whole = mass_properties(piece)
    return (whole.moment_diameter_g_mm2 - whole.mass_g * (piece.thickness_mm / 4) ** 2) / 2


def _add_plates(
    world: World,
    piece: Piece,
    position: int,
    foot_mm: tuple[float, float],
    moment_g_mm2: float,
    friction: float,
) -> tuple[Any, Any]:
    """Add a face-down piece as two plates: the lower half, which is on top, and the face."""
    centre_mm = mass_properties(piece).centre_mm
    half_mm = piece.thickness_mm / 2
    # A plate meets only the floor, the slammer and the plate that faces it across an interface:
    # the same statistics, and a tenth faster.
    above = 1 << (position + 1)
    below = 1 << position if position else _NO_INTERFACE
    lower, face = (
        world.add_disc(
            (foot_mm[0], foot_mm[1] + half_mm - middle_mm - centre_mm, math.pi, 0.0, 0.0, 0.0),
            mass_g=piece.mass_g / 2,
            moment_g_mm2=moment_g_mm2,
            thickness_mm=half_mm,
            middle_mm=-centre_mm,
            friction=friction,
            elasticity=0.0,
            categories=interface,
            mask=FLOOR_CATEGORY | _SLAMMER_CATEGORY | interface,
        )
        for middle_mm, interface in ((-half_mm / 2, above), (half_mm / 2, below))
    )
    return lower, face


def _join(
    world: World,
    plates: tuple[Any, Any],
    arms_mm: tuple[float, float],
    rest_mm: float,
    stiffness_g_s2: float,
    damping_g_s: float,
) -> None:
    """Join two plates: springs hold them apart and parallel, a groove keeps them from shearing."""
    for arm in arms_mm:
        world.add_spring(
            *plates,
            ((arm, -_SPRING_OFFSET_MM), (arm, _SPRING_OFFSET_MM)),
            rest_mm=rest_mm,
            stiffness_g_s2=stiffness_g_s2,
            damping_g_s=damping_g_s,
        )
    world.add_groove(*plates, _GROOVE_SLACK_MM + rest_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Springs:
    """The springs at one arm of every piece: shapes (pieces,) and (pieces, 2).

    Anchors count from the centres of their plates; the axis points from the lower half's to the
    face's.
    """

    lower_anchor_mm: NDArray[np.float64]
    face_anchor_mm: NDArray[np.float64]
    axis: NDArray[np.float64]
    stretch_mm: NDArray[np.float64]


def _springs(rig: _Rig, plates: State, arm_mm: float) -> _Springs:
    lower, face = plates[0:-1:2], plates[1:-1:2]
    lower_anchor = _turned(lower[:, 2], arm_mm, -_SPRING_OFFSET_MM)
    face_anchor = _turned(face[:, 2], arm_mm, _SPRING_OFFSET_MM)
    span = face[:, :2] + face_anchor - lower[:, :2] - lower_anchor
    length = np.hypot(span[:, 0], span[:, 1])
    return _Springs(
        lower_anchor_mm=lower_anchor,
        face_anchor_mm=face_anchor,
        axis=span / length[:, np.newaxis],
        stretch_mm=length - rig.rest_mm,
    )


def _spring_energy_nj(rig: _Rig, plates: State) -> float:
    return sum(
        float((rig.stiffness_g_s2 * _springs(rig, plates, arm).stretch_mm ** 2).sum()) / 2
        for arm in rig.arms_mm
    )


def _half_kicks(rig: _Rig, plates: State, step_s: float) -> State:
    """Return what half a step of the springs' and gravity's accelerations does to velocities."""
    kicks = np.zeros_like(plates)
    kicks[:, 4] = -GRAVITY_MM_S2 * step_s / 2
    for arm in rig.arms_mm:
        springs = _springs(rig, plates, arm)
        pull = springs.axis * (rig.stiffness_g_s2 * springs.stretch_mm)[:, np.newaxis]
        for first, anchor, force in (
            (0, springs.lower_anchor_mm, pull),
            (1, springs.face_anchor_mm, -pull),
        ):
            half = slice(first, -1, 2)
            torque = anchor[:, 0] * force[:, 1] - anchor[:, 1] * force[:, 0]
            kicks[half, 3:5] += force / rig.mass_g[half, np.newaxis] * step_s / 2
            kicks[half, 5] += torque / rig.moment_g_mm2[half] * step_s / 2
    return kicks


def _turned(
    angle_rad: NDArray[np.float64], along_mm: float, normal_mm: float
) -> NDArray[np.float64]:
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return np.column_stack((cos * along_mm - sin * normal_mm, sin * along_mm + cos * normal_mm))


def _merge(rig: _Rig, plates: State) -> State:
    """Make each pair of plates one piece; momentum and angular momentum are kept."""
    lower, upper = plates[0:-1:2], plates[1:-1:2]
    merged = np.empty((len(lower) + 1, 6))
    merged[-1] = plates[-1]
    mean = (lower + upper) / 2
    half_x, half_z = (upper[:, 0] - lower[:, 0]) / 2, (upper[:, 1] - lower[:, 1]) / 2
    half_vx, half_vz = (upper[:, 3] - lower[:, 3]) / 2, (upper[:, 4] - lower[:, 4]) / 2
    plate_mass, plate_moment = rig.mass_g[0:-1:2], rig.moment_g_mm2[0:-1:2]
    own = plate_moment * (lower[:, 5] + upper[:, 5])
    orbital = 2 * plate_mass * (half_x * half_vz - half_z * half_vx)
    moment = 2 * (plate_moment + plate_mass * (half_x**2 + half_z**2))
    merged[:-1] = mean
    merged[:-1, 5] = (own + orbital) / moment
    return merged


def _sample(rig: _Rig, plates: State, trace: Trace, time_s: float, step_s: float) -> None:
    """Sample the pieces, and the energy that steps as the engine's keep in a spring's vibration.

    The engine's velocities are half a step ahead of its positions. Leapfrog steps keep not the
    energy but the product of the velocities before and after the kick: the square of their mean
    less that of half their difference.
    """
    kicks = _half_kicks(rig, plates, step_s)
    mean = plates.copy()
    mean[:, 3:] -= kicks[:, 3:]
    energy = mechanical_energy_nj(mean, rig.mass_g, rig.moment_g_mm2)
    energy -= kinetic_energy_nj(kicks, rig.mass_g, rig.moment_g_mm2)
    trace.add(time_s, _merge(rig, plates), energy + _spring_energy_nj(rig, plates))
