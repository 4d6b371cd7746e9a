"""A planar world of rigid bodies with impulse contacts, stepped by Pymunk's engine, Chipmunk.

Contacts are solved by sequential impulses (E. Catto, Iterative Dynamics with Temporal Coherence,
Game Developers Conference 2005). The only module that touches Pymunk. It calls the C functions that
Pymunk wraps: through Pymunk's own objects, building and reading the 32 bodies of a throw costs half
as much again as stepping them.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

import numpy as np
from pymunk._chipmunk_cffi import ffi, lib

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact
from pucklab.physics.materials import GRAVITY_MM_S2, Materials
from pucklab.physics.pieces import PIECE_RADIUS_MM

FLOOR_CATEGORY = 1
WALL_CATEGORY = 2
ALL_CATEGORIES = 0xFFFF_FFFF

_FLOOR_RADIUS_MM = 30.0
_CONTACT_SLOP_MM = 0.01

State = Floats
"""States of bodies, shape (bodies, 6), one column each for `X`, `Z` (mm), `ANGLE` (rad), `VX`, `VZ`
(mm/s) and `OMEGA` (rad/s): the centre of mass in the plane of computation, x along it and z up."""

X, Z, ANGLE, VX, VZ, OMEGA = range(6)
POSITION, VELOCITY = slice(X, VX), slice(VX, None)
"""Columns of a `State`: the first three and their rates."""

_OVERLAP_LEFT = math.exp(-15.0)
"""Share of an overlap left after a second. A heavy slammer that falls on a pile is pressed into the
floor; it is out again within .2 s, before everything is at rest."""

Surface = tuple[float, float]
"""Friction and elasticity of a shape; a pair's coefficient of friction and restitution are the
products of those of its two shapes."""

_STATE_FIELDS = lib.POSITION | lib.ANGLE | lib.VELOCITY | lib.ANGULAR_VELOCITY
_READ_STATES = ffi.addressof(lib, "pmSpaceBodyGetIteratorFuncBatched")


def surface_of(materials: Materials) -> Surface:
    """Return the surface of everything in a scene: two of it have the materials' coefficients."""
    return math.sqrt(materials.friction), math.sqrt(materials.restitution)


class World:
    """World of discs seen from the side, with springs, a floor and walls.

    Use it in a ``with`` statement, which frees the engine's memory.

    Example:
        >>> with World(iterations=10) as world:
        ...     body = world.add_disc(
        ...         (0.0, 100.0, 0.0, 0.0, 0.0, 0.0), mass_g=1.5, moment_g_mm2=160.0,
        ...         thickness_mm=1.6, middle_mm=0.0, surface=(0.6, 0.7),
        ...     )
        ...     world.run(1000, 1e-4)
        ...     round(float(world.states()[0, 4]))  # a tenth of a second of free fall
        -981
    """

    def __init__(self, iterations: int) -> None:
        self._space = lib.cpSpaceNew()
        self._static = lib.cpSpaceGetStaticBody(self._space)
        lib.cpSpaceSetGravity(self._space, (0.0, -GRAVITY_MM_S2))
        lib.cpSpaceSetIterations(self._space, iterations)
        lib.cpSpaceSetCollisionSlop(self._space, _CONTACT_SLOP_MM)
        lib.cpSpaceSetCollisionBias(self._space, _OVERLAP_LEFT)
        self._bodies: list[Any] = []
        self._shapes: list[Any] = []
        self._disc_shapes: list[Any] = []
        self._constraints: list[Any] = []
        self._callbacks: list[Any] = []
        self._floats = lib.pmFloatArrayNew(0)
        self._ints = lib.pmIntArrayNew(0)
        self._batch = ffi.new("pmBatchedData *")
        self._batch.fields = _STATE_FIELDS
        self._batch.floatArray = self._floats
        self._batch.intArray = self._ints

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The space goes first: removing its parts one by one costs as much as building it.
        lib.cpSpaceFree(self._space)
        for constraint in self._constraints:
            lib.cpConstraintFree(constraint)
        for shape in self._shapes:
            lib.cpShapeFree(shape)
        for body in self._bodies:
            lib.cpBodyFree(body)
        lib.pmFloatArrayFree(self._floats)
        lib.pmIntArrayFree(self._ints)

    def add_floor(self, half_length_mm: float, surface: Surface) -> None:
        """Add a floor whose surface is at z = 0."""
        ends = ((-half_length_mm, -_FLOOR_RADIUS_MM), (half_length_mm, -_FLOOR_RADIUS_MM))
        self.add_segment(*ends, _FLOOR_RADIUS_MM, surface, FLOOR_CATEGORY)

    def add_segment(
        self,
        begin: tuple[float, float],
        end: tuple[float, float],
        radius_mm: float,
        surface: Surface,
        categories: int,
        mask: int = ALL_CATEGORIES,
    ) -> None:
        """Add a straight bar with round ends that never moves; ``mask`` has what it stops."""
        shape = lib.cpSegmentShapeNew(self._static, begin, end, radius_mm)
        self._add_shape(shape, surface, categories, mask)

    def add_disc(
        self,
        state: Sequence[float],
        *,
        mass_g: float,
        moment_g_mm2: float,
        thickness_mm: float,
        middle_mm: float,
        surface: Surface,
        categories: int = ALL_CATEGORIES,
        mask: int = ALL_CATEGORIES,
    ) -> Any:
        """Add a disc of a piece's diameter, seen from the side, and return its handle.

        Args:
            state: One row of `State`.
            mass_g: Mass.
            moment_g_mm2: Moment of inertia about a diameter.
            thickness_mm: Thickness.
            middle_mm: Position of the middle along the axis, from the centre of mass.
            surface: Friction and elasticity.
            categories: Collision categories of the disc.
            mask: Categories with which it collides.
        """
        x, z, angle, vx, vz, rate = state
        body = lib.cpBodyNew(mass_g, moment_g_mm2)
        lib.cpBodySetAngle(body, angle)
        lib.cpBodySetPosition(body, (x, z))
        lib.cpBodySetVelocity(body, (vx, vz))
        lib.cpBodySetAngularVelocity(body, rate)
        shape = lib.cpPolyShapeNewRaw(body, 4, _outline(thickness_mm, middle_mm), 0.0)
        lib.cpSpaceAddBody(self._space, body)
        self._bodies.append(body)
        self._disc_shapes.append(shape)
        self._add_shape(shape, surface, categories, mask)
        return body

    def add_spring(
        self,
        lower: Any,
        upper: Any,
        anchors_mm: tuple[tuple[float, float], tuple[float, float]],
        *,
        rest_mm: float,
        stiffness_g_s2: float,
        damping_g_s: float,
        kept: float = 1.0,
    ) -> "LatchingSpring":
        """Join two non-colliding discs by a damped spring between an anchor on each.

        Return its force law: Hooke's if it returns all the energy that it stored.

        Args:
            lower: The one disc.
            upper: The other.
            anchors_mm: Anchors from the discs' centres of mass.
            rest_mm: Length at rest.
            stiffness_g_s2: Stiffness.
            damping_g_s: Damping.
            kept: Share of its stored energy that the spring gives back; see `LatchingSpring`.
        """
        spring = lib.cpDampedSpringNew(
            lower, upper, *anchors_mm, rest_mm, stiffness_g_s2, damping_g_s
        )
        latch = LatchingSpring(stiffness=stiffness_g_s2, kept=kept)
        self._add_latching(
            spring,
            latch,
            lib.cpDampedSpringSetSpringForceFunc,
            lambda _, length_mm: -latch.press(length_mm - rest_mm),
        )
        return latch

    def add_rotary_spring(
        self,
        lower: Any,
        upper: Any,
        *,
        stiffness_g_mm2_s2: float,
        damping_g_mm2_s: float,
        kept: float = 1.0,
    ) -> "LatchingSpring":
        """Join two non-colliding discs by a damped rotary spring that holds them parallel."""
        spring = lib.cpDampedRotarySpringNew(lower, upper, 0.0, stiffness_g_mm2_s2, damping_g_mm2_s)
        latch = LatchingSpring(stiffness=stiffness_g_mm2_s2, kept=kept)
        self._add_latching(
            spring,
            latch,
            lib.cpDampedRotarySpringSetSpringTorqueFunc,
            lambda _, angle_rad: latch.press(angle_rad),
        )
        return latch

    def add_groove(self, lower: Any, upper: Any, reach_mm: float) -> None:
        """Hold the centre of one disc on the axis of another."""
        self._add_constraint(
            lib.cpGrooveJointNew(lower, upper, (0.0, -reach_mm), (0.0, reach_mm), (0.0, 0.0))
        )

    def run(self, steps: int, step_s: float) -> None:
        """Advance the world by some time steps."""
        space, step = self._space, lib.cpSpaceStep
        for _ in range(steps):
            step(space, step_s)

    def set_collision_mask(self, disc: int, mask: int) -> None:
        """Set the categories with which a disc collides; discs count in the order of adding."""
        shape = self._disc_shapes[disc]
        categories = lib.cpShapeGetFilter(shape).categories
        lib.cpShapeSetFilter(shape, (0, categories, mask))

    def set_angular_velocity(self, disc: int, rate_rad_s: float) -> None:
        """Set the angular velocity of a disc; discs count in the order of adding."""
        lib.cpBodySetAngularVelocity(self._bodies[disc], rate_rad_s)

    def states(self) -> State:
        """Return the states of all discs in the order of adding; shape (discs, 6)."""
        self._floats.num = 0
        self._ints.num = 0
        lib.cpSpaceEachBody(self._space, _READ_STATES, self._batch)
        data = ffi.buffer(self._floats.arr, 8 * self._floats.num)
        return np.frombuffer(data, dtype=np.float64).reshape(-1, 6)[: len(self._bodies)].copy()

    def _add_shape(self, shape: Any, surface: Surface, categories: int, mask: int) -> None:
        friction, elasticity = surface
        lib.cpShapeSetFriction(shape, friction)
        lib.cpShapeSetElasticity(shape, elasticity)
        lib.cpShapeSetFilter(shape, (0, categories, mask))
        lib.cpSpaceAddShape(self._space, shape)
        self._shapes.append(shape)

    def _add_latching(
        self,
        spring: Any,
        latch: "LatchingSpring",
        set_law: Callable[..., None],
        law: Callable[[Any, float], float],
    ) -> None:
        """Add a spring; one that loses energy asks its law for its force once a step."""
        self._add_constraint(spring)
        if latch.kept < 1.0:
            pointer = ffi.callback("cpFloat(cpConstraint *, cpFloat)", law)
            self._callbacks.append(pointer)  # the engine does not keep it alive
            set_law(spring, pointer)

    def _add_constraint(self, constraint: Any) -> None:
        lib.cpConstraintSetCollideBodies(constraint, False)
        lib.cpSpaceAddConstraint(self._space, constraint)
        self._constraints.append(constraint)


@dataclass(slots=True, kw_only=True)
class LatchingSpring:
    """A spring that gives back a share of what it stored, after Walton and Braun (1986).

    Deformed further than before it has its own stiffness; unloaded and reloaded it is stiffer by
    1 / kept, which leaves a dent. Passing through its length at rest, it forgets the dent.

    Attributes:
        stiffness: Force per length, or torque per angle.
        kept: Share of the energy that it gives back.
        dent: Deformation, with its sign, at which it has no force.

    Example:
        >>> spring = LatchingSpring(stiffness=10.0, kept=0.25)
        >>> [spring.press(deformation) for deformation in (1.0, 2.0, 1.75, 1.5, 1.0, 1.25)]
        [10.0, 20.0, 10.0, 0.0, 0.0, 10.0]
    """

    stiffness: float
    kept: float
    dent: float = 0.0

    def press(self, deformation: float) -> float:
        """Bring the dent up to date; return the force in the direction of the deformation."""
        size = abs(deformation)
        dent = self.dent if deformation > 0.0 else -self.dent
        # On the way out the force is stiffness x deformation: the dent grows with it.
        dent = max(min(dent, size), (1.0 - self.kept) * size)
        self.dent = math.copysign(dent, deformation)
        return (deformation - self.dent) * self.stiffness / self.kept


def kinetic_energy_nj(state: State, mass_g: Floats, moment_g_mm2: Floats) -> float:
    """Return the kinetic energy of bodies; shapes (B, 6), (B,) and (B,)."""
    twice = mass_g * (state[:, VX] ** 2 + state[:, VZ] ** 2) + moment_g_mm2 * state[:, OMEGA] ** 2
    return float(twice.sum()) / 2


def mechanical_energy_nj(state: State, mass_g: Floats, moment_g_mm2: Floats) -> float:
    """Return kinetic plus potential energy of bodies; shapes (B, 6), (B,) and (B,)."""
    potential_nj = float((mass_g * state[:, Z]).sum()) * GRAVITY_MM_S2
    return kinetic_energy_nj(state, mass_g, moment_g_mm2) + potential_nj


@lru_cache(maxsize=256)
def _outline(thickness_mm: float, middle_mm: float) -> Any:
    """Return the corners of a disc seen from the side, counter-clockwise."""
    low, high = middle_mm - thickness_mm / 2, middle_mm + thickness_mm / 2
    r = PIECE_RADIUS_MM
    return ffi.new("cpVect[]", [(-r, low), (r, low), (r, high), (-r, high)])


@dataclass(slots=True)
class Trace:
    """Samples of one stage in order of time.

    Attributes:
        interval_s: Time between samples.
        time_s: Times of the samples, from the start of the stage.
        states: States of all pieces at each sample, the thrown slammer last.
        energy_nj: Mechanical energy of each sample.
    """

    interval_s: float
    time_s: list[float] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    energy_nj: list[float] = field(default_factory=list)

    def add(self, time_s: float, state: State, energy_nj: float) -> None:
        """Add one sample."""
        self.time_s.append(time_s)
        self.states.append(state)
        self.energy_nj.append(energy_nj)


@fact
class Checkpoints:
    """Times at which a stage is checked for its end.

    Attributes:
        first_s: Time of the first checkpoint.
        every_s: Time between checkpoints.
        last_s: Time of the last checkpoint.
    """

    first_s: float
    every_s: float
    last_s: float


def run_with_checkpoints(
    world: World,
    step_s: float,
    checkpoints: Checkpoints,
    trace: Trace | None,
    sample: Callable[[float], None],
) -> Iterator[float]:
    """Advance a world and yield the time at each checkpoint, until the last.

    Args:
        world: The world.
        step_s: Time step.
        checkpoints: Times of the checkpoints, rounded to whole steps.
        trace: Its interval says how often to sample; None for no sampling. Sampling does not change
            the motion.
        sample: Called with the time of each sample; the first is after the first interval.
    """
    last = round(checkpoints.last_s / step_s)
    every = max(1, round(checkpoints.every_s / step_s))
    sample_every = last + 1 if trace is None else max(1, round(trace.interval_s / step_s))
    done, next_checkpoint = 0, round(checkpoints.first_s / step_s)
    while done < last:
        target = min(next_checkpoint, done + sample_every - done % sample_every)
        world.run(target - done, step_s)
        done = target
        if done % sample_every == 0:
            sample(done * step_s)
        if done == next_checkpoint:
            yield done * step_s
            next_checkpoint = min(last, done + every)
