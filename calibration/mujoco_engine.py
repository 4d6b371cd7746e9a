"""MuJoCo as a second 3-D engine for impacts: rigid discs that touch in steady contact points.

Between two cylinders MuJoCo's own contact points jump from step to step, and create up to 43 % of a
blow's energy. So each face of a disc has points of its own, tiny spheres that collide with the
cylinders of the other discs and with the floor: eight on the rim and four inside. The solid engine
settles what the impact has thrown up, because discs with points do not roll.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from pucklab.physics import InputError, Piece, Scene, mass_properties
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.solid.bodies import Bodies3D, mechanical_energy_nj
from pucklab.physics.solid.contact_laws import contact_damping_ratio

MUJOCO_VERSION = "3.12.0"
"""The version of reference throws: between versions of MuJoCo contacts differ."""

_RIM_POINTS, _INNER_POINTS, _INNER_RADIUS = 8, 4, 0.5
"""Contact points of a face, and the radius of the inner ones over the disc's."""

_POINTS_IN_TOUCH = _RIM_POINTS + 2 * _INNER_POINTS
"""Of two faces on each other: half of all rim points lie beyond the other's rim."""

_STIFFNESS_N_M = 1.5e6
"""Of a contact point: a rim's. Two faces have 2.4e7 N/m, as in the solid engine."""

_RIM_DAMPER = 1 / math.sqrt(6)
_INNER_DAMPER = (math.sqrt(_POINTS_IN_TOUCH) - _RIM_POINTS * _RIM_DAMPER) / (2 * _INNER_POINTS)
"""Dampers of points, over that of the same spring for the whole mass. At a rim, with a fifth of the
mass, 1 / sqrt(5) would be right, but leaves too little for the inner points to damp anything: of a
restitution of .5 becomes .53 at rims and .54 on faces."""

_STEP_S = 2.5e-6
_LOOK_EVERY, _WEIGH_EVERY = 4, 20
"""Steps between looks at what touches, and at the energy; a blow lasts 12 or more."""

_IMPEDANCE, _FRICTION_RATIO = 0.01, 10
"""MuJoCo's solimp, so small that a contact is a spring, not a constraint; and its impratio, with
which friction stops what slides within some 10 us."""

_MM, _G = 1e-3, 1e-3
_POINT_M = 1e-6
_WALL_HALF_MM = 10.0


class MujocoRun:
    """Bodies in the impact.

    Attributes:
        begin_nj: Mechanical energy at the start.
        energy_nj: Now, without that of the contacts; sampled every 20 steps.
        peak_nj: The highest sampled.
    """

    def __init__(self, scene: Scene, bodies: Bodies3D) -> None:
        """Put the pieces of a scene into its box.

        Args:
            scene: The scene: pieces, arena and materials.
            bodies: Positions and velocities of its pieces, the slammer last.

        Raises:
            InputError: MuJoCo has another version than `MUJOCO_VERSION`.
        """
        if mujoco.__version__ != MUJOCO_VERSION:
            raise InputError(
                f"engine: mujoco {mujoco.__version__} is not accepted, because versions answer "
                f"differently; pip install mujoco=={MUJOCO_VERSION}"
            )
        self.start = bodies
        self.begin_nj = self.energy_nj = self.peak_nj = mechanical_energy_nj(bodies)
        self._met: set[tuple[int, int]] = set()
        self._model = model_of(scene)
        self._data = mujoco.MjData(self._model)
        middle_velocity = bodies.velocity_mm_s - np.cross(
            bodies.rate_rad_s, bodies.centre_mm[:, np.newaxis] * bodies.normal
        )
        places, rates = self._data.qpos.reshape(-1, 7), self._data.qvel.reshape(-1, 6)
        places[:, :3] = bodies.middle_mm * _MM
        rates[:, :3] = middle_velocity * _MM
        for index, rotation in enumerate(bodies.rotation):
            mujoco.mju_mat2Quat(places[index, 3:], rotation.ravel())
            rates[index, 3:] = (rotation * bodies.rate_rad_s[index][:, np.newaxis]).sum(axis=0)

    def advance(self, span_s: float) -> None:
        """Move on by at least four steps."""
        looks = max(1, round(span_s / _STEP_S / _LOOK_EVERY))
        for look in range(1, looks + 1):
            mujoco.mj_step(self._model, self._data, _LOOK_EVERY)
            if self._data.ncon:
                # Body 0 is the box; pieces follow from 1 on.
                pairs = np.sort(self._model.geom_bodyid[self._data.contact.geom], axis=1) - 1
                self._met.update(map(tuple, pairs.tolist()))
            if look == looks or look * _LOOK_EVERY % _WEIGH_EVERY == 0:
                self.energy_nj = mechanical_energy_nj(self.bodies())
                self.peak_nj = max(self.peak_nj, self.energy_nj)

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        places, rates = self._data.qpos.reshape(-1, 7), self._data.qvel.reshape(-1, 6)
        flat = np.empty((len(places), 9))
        for turn, quaternion in zip(flat, places[:, 3:], strict=True):
            mujoco.mju_quat2Mat(turn, quaternion)
        rotation = flat.reshape(-1, 3, 3)
        rate = (rotation * rates[:, np.newaxis, 3:]).sum(axis=2)
        arm = self.start.centre_mm[:, np.newaxis] * rotation[:, :, 2]
        return replace(
            self.start,
            position_mm=places[:, :3] / _MM + arm,
            rotation=rotation,
            velocity_mm_s=rates[:, :3] / _MM + np.cross(rate, arm),
            rate_rad_s=rate,
        )

    def have_met(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, ever touched."""
        return (first, second) in self._met


@lru_cache(maxsize=128)
def model_of(scene: Scene) -> Any:
    """Return MuJoCo's model of a scene."""
    pieces = (*scene.stack, scene.slammer)
    half, thick = scene.arena.half_side_mm * _MM, _WALL_HALF_MM * _MM
    height, long = scene.arena.wall_height_mm / 2 * _MM, half + 2 * thick
    walls = "".join(
        f'<geom name="wall{wall}" type="box" size="{thick if x else long} {long if x else thick} '
        f'{height}" pos="{x * (half + thick)} {y * (half + thick)} {height}"/>'
        for wall, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1)))
    )
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <compiler boundmass="1e-9" boundinertia="1e-14"/>
  <option timestep="{_STEP_S}" gravity="0 0 {-GRAVITY_MM_S2 * _MM}" cone="elliptic"
          solver="Newton" iterations="20" tolerance="1e-8" impratio="{_FRICTION_RATIO}"/>
  <size memory="200M"/>
  <statistic meansize="0.02" extent="0.3"/>
  <default>
    <geom contype="0" conaffinity="0"/>
    <pair friction="{scene.materials.friction} {scene.materials.friction} 0 0 0" condim="3"
          solimp="{_IMPEDANCE} {_IMPEDANCE} 0.001 0.5 2"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    {walls}
    {"".join(_body_xml(piece, index) for index, piece in enumerate(pieces))}
  </worldbody>
  <contact>{"".join(_pairs_xml(scene, pieces))}</contact>
</mujoco>""")


def _body_xml(piece: Piece, index: int) -> str:
    """Return a disc: its inertia, a cylinder, and the contact points of both faces."""
    mass = mass_properties(piece)
    across, along = (
        moment * _G * _MM**2 for moment in (mass.moment_diameter_g_mm2, mass.moment_axis_g_mm2)
    )
    radius, half = PIECE_RADIUS_MM * _MM, piece.thickness_mm / 2 * _MM
    points = "".join(
        f'<geom name="{name}{index}face{face}" type="sphere" size="{_POINT_M}" '
        f'pos="{(radius - _POINT_M) * x} {(radius - _POINT_M) * y} {face * (half - _POINT_M)}"/>'
        for face in (1, -1)
        for name, x, y, _ in _points()
    )
    return (
        f'<body><freejoint/><inertial pos="0 0 {mass.centre_mm * _MM}" mass="{mass.mass_g * _G}" '
        f'diaginertia="{across} {across} {along}"/>'
        f'<geom name="piece{index}" type="cylinder" size="{radius} {half}"/>{points}</body>'
    )


def _points() -> Iterator[tuple[str, float, float, float]]:
    """Yield name, x and y over the radius, and damper of the points of a face."""
    rings = ((_RIM_POINTS, 1.0, _RIM_DAMPER), (_INNER_POINTS, _INNER_RADIUS, _INNER_DAMPER))
    for count, radius, damper in rings:
        for number in range(count):
            # A quarter of a step off the axes, so that no point lies right across another.
            turn = 2 * math.pi * (number + 0.25) / count
            x, y = radius * math.cos(turn), radius * math.sin(turn)
            yield f"point{count}x{number}piece", x, y, damper


def _pairs_xml(scene: Scene, pieces: tuple[Piece, ...]) -> Iterator[str]:
    """Yield the pairs that may touch: points with floor and other pieces, pieces with walls."""
    ratio = contact_damping_ratio(scene.materials.restitution)

    def pair(point: str, other: str, lightness: float, damper: float) -> str:
        # MuJoCo takes stiffness and damping per mass, of which `lightness` is the inverse, in 1/g.
        rate2 = _STIFFNESS_N_M * lightness / _G
        return (
            f'<pair geom1="{other}" geom2="{point}" '
            f'solref="{-rate2} {-2 * ratio * damper * math.sqrt(rate2)}"/>'
        )

    for index, piece in enumerate(pieces):
        light = 1 / piece.mass_g
        others = [("floor", light)]
        others += [(f"piece{i}", light + 1 / p.mass_g) for i, p in enumerate(pieces) if i != index]
        for other, lightness in others:
            for face in (1, -1):
                for name, _, _, damper in _points():
                    yield pair(f"{name}{index}face{face}", other, lightness, damper)
        for wall in range(4):
            yield pair(f"piece{index}", f"wall{wall}", light, _RIM_DAMPER)
