"""Bullet as a second independent 3-D engine: rigid cylinders whose contact points are springs.

Bullet's rigid contacts pass no blow on within a stack, so its soft ones are used. It steps them
implicitly, which by itself damps a point of stiffness K as K times the time step would; dampers add
what is missing of

    c = 2 z sqrt(K m_p),    m_p = m / 5,

where z is the damping ratio of a spring that only pushes, and m_p the mass of a thin disc at its
rim. So of a restitution of .5 is left .5 at rims and, on four points, about .6 on faces. It is no
ground truth, either: a flat contact begins with one point, which turns the disc, and some throws
end with more energy than they began with.
"""

import math
import weakref
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.extras import load_extra
from calibration.reference3d import EngineRun
from physics import Scene
from physics.arrays import Floats
from physics.materials import GRAVITY_MM_S2
from physics.poses import quaternions
from physics.solid.bodies import Bodies3D
from physics.solid.settings import contact_damping_ratio

BULLET_VERSION = "3.2.7"
"""The version of reference throws, as PyBullet counts."""

_UNIT_MM = 10.0
"""Bullet's unit of length: it is made for pieces of about one."""

_STIFFNESS_G_S2 = 1.5e9
"""Of a contact point of two bodies: 1.5e6 N/m, a stiff rim's; four make a face."""

_RIM_SHARE = 0.2
"""Effective mass of a thin disc struck at its rim, over its mass."""

_LONGEST_STEP_S = 5e-6
_SETTLE_STEPS = 20.0
"""The settling's step over the impact's; its stiffness is that much squared softer."""

_ITERATIONS = 50
_MARGIN, _BREAKING = 0.004, 0.002
_WALL_HALF = 1.0
"""Bullet's collision margin, distance at which contacts break, and half a wall, in its units."""

_DISTANCE = 8
"""Place of the distance in Bullet's contact points."""


class BulletRun(EngineRun):
    """Bodies on their way in a world of Bullet's own."""

    def __init__(self, scene: Scene, bodies: Bodies3D) -> None:
        """Put the pieces of a scene into its box.

        Args:
            scene: The scene: arena and materials.
            bodies: Where its pieces are, and how they move; the slammer last.

        Raises:
            InputError: PyBullet has another version than `BULLET_VERSION`.
            MissingExtraError: PyBullet is not installed.
        """
        super().__init__(scene, bodies)
        self._bullet = load_extra("pybullet", "bullet", BULLET_VERSION)
        self._friction = math.sqrt(scene.materials.friction)  # of two sides the product counts
        self.step_s, self._dampers = _damping(scene.materials.restitution, bodies.mass_g)
        self._stiffness = _STIFFNESS_G_S2
        self._client = self._bullet.connect(self._bullet.DIRECT)
        weakref.finalize(self, self._bullet.disconnect, self._client)
        self._bullet.setGravity(0, 0, -GRAVITY_MM_S2 / _UNIT_MM, self._client)
        self._world = _box(self._bullet, self._client, scene)
        self._pieces = [self._piece(index) for index in range(len(bodies.mass_g))]
        self._set_contacts()

    def move(self, steps: int) -> None:
        """Move on by some steps."""
        for _ in range(steps):
            self._bullet.stepSimulation(self._client)

    def soften(self) -> None:
        """Go on with longer steps and softer contacts."""
        super().soften()
        self.step_s *= _SETTLE_STEPS
        self._stiffness /= _SETTLE_STEPS**2
        self._dampers = self._dampers / _SETTLE_STEPS
        self._set_contacts()

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        bullet, client = self._bullet, self._client
        poses = [bullet.getBasePositionAndOrientation(piece, client) for piece in self._pieces]
        speeds = [bullet.getBaseVelocity(piece, client) for piece in self._pieces]
        turns = np.array([bullet.getMatrixFromQuaternion(turn) for _, turn in poses])
        return replace(
            self.start,
            position_mm=_UNIT_MM * np.array([place for place, _ in poses]),
            rotation=turns.reshape(-1, 3, 3),
            velocity_mm_s=_UNIT_MM * np.array([velocity for velocity, _ in speeds]),
            rate_rad_s=np.array([rate for _, rate in speeds]),
        )

    def touch(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, touch now."""
        pair = self._pieces[first], self._pieces[second]
        points = self._bullet.getContactPoints(*pair, physicsClientId=self._client)
        return any(point[_DISTANCE] <= 0.0 for point in points)

    def _piece(self, index: int) -> int:
        """Put a piece where it begins; return its number."""
        bullet, client, start = self._bullet, self._client, self.start
        shape = bullet.createCollisionShape(
            bullet.GEOM_CYLINDER,
            radius=start.radius_mm[index] / _UNIT_MM,
            height=start.thickness_mm[index] / _UNIT_MM,
            physicsClientId=client,
        )
        turn = quaternions(start.rotation[index, :, 0], start.rotation[index, :, 2])[[1, 2, 3, 0]]
        place = start.position_mm[index] / _UNIT_MM
        piece: int = bullet.createMultiBody(
            start.mass_g[index],
            shape,
            baseInertialFramePosition=(0.0, 0.0, start.centre_mm[index] / _UNIT_MM),
            physicsClientId=client,
        )
        bullet.resetBasePositionAndOrientation(piece, place, turn, client)
        velocity = start.velocity_mm_s[index] / _UNIT_MM
        bullet.resetBaseVelocity(piece, velocity, start.rate_rad_s[index], client)
        diameter, axis = (
            moments[index] / _UNIT_MM**2
            for moments in (start.moment_diameter_g_mm2, start.moment_axis_g_mm2)
        )
        bullet.changeDynamics(
            piece,
            -1,
            localInertiaDiagonal=(diameter, diameter, axis),
            linearDamping=0.0,
            angularDamping=0.0,
            collisionMargin=_MARGIN,
            maxJointVelocity=1e9,
            activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=client,
        )
        return piece

    def _set_contacts(self) -> None:
        """Set time step, stiffness, damping and friction."""
        self._bullet.setPhysicsEngineParameter(
            fixedTimeStep=self.step_s,
            numSubSteps=0,
            numSolverIterations=_ITERATIONS,
            contactBreakingThreshold=_BREAKING,
            restitutionVelocityThreshold=1e9,
            useSplitImpulse=0,
            enableConeFriction=1,
            allowedCcdPenetration=0.0,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )
        owners = [*((piece, index) for index, piece in enumerate(self._pieces))]
        owners += [(part, -1) for part in self._world]
        for body, index in owners:
            self._bullet.changeDynamics(
                body,
                -1,
                lateralFriction=self._friction,
                rollingFriction=0.0,
                spinningFriction=0.0,
                restitution=0.0,
                contactStiffness=2 * self._stiffness,  # of two sides in series
                contactDamping=self._dampers[index],  # of two sides the sum counts
                physicsClientId=self._client,
            )


def _damping(restitution: float, mass_g: Floats) -> tuple[float, Floats]:
    """Return the time step of the impact, and the damper of each body and of the world, in g/s."""

    def needed(mass: float) -> float:
        ratio = contact_damping_ratio(restitution)
        return 2 * ratio * math.sqrt(_STIFFNESS_G_S2 * _RIM_SHARE * mass)

    *stack, slammer = mass_g.tolist()
    step_s = min([_LONGEST_STEP_S, *(needed(mass / 2) / _STIFFNESS_G_S2 for mass in stack)])
    by_step = _STIFFNESS_G_S2 * step_s
    # A piece of the stack has half of what two like it need; slammer and world have the rest.
    own = [(needed(mass / 2) - by_step) / 2 for mass in stack]
    lowest, floor_partner = (own[0], stack[0]) if stack else (0.0, slammer)
    last = 0.0
    if stack:
        last = needed(slammer * stack[-1] / (slammer + stack[-1])) - by_step - own[-1]
    world = needed(floor_partner) - by_step - lowest
    return step_s, np.maximum(0.0, [*own, last, world])


def _box(bullet: Any, client: int, scene: Scene) -> list[int]:
    """Build floor and walls; return their numbers."""
    half, high = (
        length / _UNIT_MM for length in (scene.arena.half_side_mm, scene.arena.wall_height_mm / 2)
    )
    floor = bullet.createCollisionShape(bullet.GEOM_PLANE, physicsClientId=client)
    parts = [bullet.createMultiBody(0, floor, physicsClientId=client)]
    long, away = half + 4 * _WALL_HALF, half + _WALL_HALF
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        size = (_WALL_HALF, long, high) if x else (long, _WALL_HALF, high)
        wall = bullet.createCollisionShape(
            bullet.GEOM_BOX, halfExtents=size, physicsClientId=client
        )
        place = (x * away, y * away, high)
        parts.append(bullet.createMultiBody(0, wall, basePosition=place, physicsClientId=client))
    return parts
