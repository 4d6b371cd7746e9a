"""MuJoCo as a 3-D reference: rigid cylinders, elliptic friction cones, contacts as stiff springs.

It is no ground truth: with the damping that one contact point would need, contacts of several
points are damped too strongly, and flat hits far off centre then end with more energy than they
began with. `DAMPING_SHARE` mends both; `Reference3D.gains_energy` tells what is left.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from calibration.bodies3d import Bodies3D, mechanical_energy_nj, starting_bodies
from calibration.extras import load_extra
from calibration.reference3d import Reference3D, follow
from physics import Piece, Scene, Throw, mass_properties
from physics.materials import damping_ratio
from physics.pieces import PIECE_RADIUS_MM
from physics.units import GRAVITY_MM_S2

_IMPACT_STEP_S = 10e-6
_SETTLE_STEP_S = 100e-6
_IMPACT_STIFFNESS_S2 = 1e9
"""Contact stiffness over the contact's effective mass; at the settling's step it is softer by the
square of the steps' ratio."""

_FRICTION_RATIO = 100
"""MuJoCo's impratio: at 1, friction creeps in impacts that last less than a millisecond."""

_IMPEDANCE = 0.1
DAMPING_SHARE = 0.57
"""Share of the damping with which the restitution comes out right; see `MujocoRun`."""

_WALL_HALF_MM = 10.0
_GEOMS_OF_BOX = 5
_WEIGH_EVERY = 20
_SETTLE_STRIDE = 5
"""Steps between looks at what touches; a contact lasts ten steps."""

_MM, _G = 1e-3, 1e-3
"""In SI, the units of MuJoCo's defaults."""


def run_mujoco(scene: Scene, throw: Throw, damping_share: float = DAMPING_SHARE) -> Reference3D:
    """Throw the scene's slammer at its stack, in MuJoCo.

    Args:
        scene: What is thrown at what, where.
        throw: How.
        damping_share: See `MujocoRun`.

    Raises:
        InputError: The throw was drawn for a smaller or larger stack.
        MissingExtraError: MuJoCo is not installed.
    """
    return follow(MujocoRun(scene, starting_bodies(scene, throw), damping_share), scene, throw)


class MujocoRun:
    """Bodies on their way in MuJoCo; see `calibration.reference3d.Run3D`."""

    def __init__(
        self, scene: Scene, bodies: Bodies3D, damping_share: float = DAMPING_SHARE
    ) -> None:
        """Put the pieces of a scene into its box.

        Args:
            scene: The scene: pieces, arena and materials.
            bodies: Where its pieces are, and how they move; the slammer last.
            damping_share: Of the contacts' damping. MuJoCo counts stiffness and damping per
                contact point and per mass of the whole body, so a flat piece (four points) and a
                piece on its rim (a fifth of its mass) are damped about twice as strongly as one
                point is. With 1, a restitution of .5 comes out as .34 flat and .27 on the rim;
                with the default as .53 and .46 to .60.
        """
        self._mujoco = load_extra("mujoco")
        self._start = bodies
        self._impact_model, self._settle_model = _models(scene, damping_share)
        self._model = self._impact_model
        self._data = self._mujoco.MjData(self._model)
        _place(self._mujoco, self._model, self._data, bodies)
        self._met: set[tuple[int, int]] = set()
        self.time_s = 0.0
        self.begin_nj = self.energy_nj = self.peak_nj = mechanical_energy_nj(bodies)

    def advance(self, span_s: float) -> None:
        """Move on by at least five steps.

        The energy, without that of the contacts, is sampled every 20 steps of the impact and at
        the end.
        """
        stride = 1 if self._model is self._impact_model else _SETTLE_STRIDE
        looks = max(1, round(span_s / self._model.opt.timestep / stride))
        for look in range(1, looks + 1):
            self._mujoco.mj_step(self._model, self._data, stride)
            self._met.update((min(a, b), max(a, b)) for a, b in self._data.contact.geom.tolist())
            if look == looks or (stride == 1 and look % _WEIGH_EVERY == 0):
                self.energy_nj = mechanical_energy_nj(self.bodies())
                self.peak_nj = max(self.peak_nj, self.energy_nj)
        self.time_s = self._data.time

    def soften(self) -> None:
        """Go on with the settling's step."""
        self._model = self._settle_model

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        return _bodies(self._mujoco, self._data, self._start)

    def have_met(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, ever touched."""
        return (first + _GEOMS_OF_BOX, second + _GEOMS_OF_BOX) in self._met


@lru_cache(maxsize=16)
def _models(scene: Scene, damping_share: float) -> tuple[Any, Any]:
    """Return a scene's model for the impact, and the same with the settling's step."""
    mujoco = load_extra("mujoco")
    softer = _IMPACT_STIFFNESS_S2 * (_IMPACT_STEP_S / _SETTLE_STEP_S) ** 2
    steps = ((_IMPACT_STEP_S, _IMPACT_STIFFNESS_S2), (_SETTLE_STEP_S, softer))
    impact_model, settle_model = (
        mujoco.MjModel.from_xml_string(_xml(scene, step_s, stiffness_s2, damping_share))
        for step_s, stiffness_s2 in steps
    )
    return impact_model, settle_model


def _xml(scene: Scene, step_s: float, stiffness_s2: float, damping_share: float) -> str:
    """Return the description of a scene; the geoms of the box come first."""
    ratio = damping_share * damping_ratio(scene.materials.restitution)
    damping_s = 2 * ratio * math.sqrt(stiffness_s2)
    bodies = "".join(_body_xml(piece) for piece in (*scene.stack, scene.slammer))
    return f"""
<mujoco>
  <compiler boundmass="1e-9" boundinertia="1e-14"/>
  <option timestep="{step_s!r}" gravity="0 0 {-GRAVITY_MM_S2 * _MM!r}" cone="elliptic"
          solver="Newton" iterations="20" tolerance="1e-8" integrator="Euler"
          impratio="{_FRICTION_RATIO}">
    <flag multiccd="enable"/>
  </option>
  <size memory="20M"/>
  <statistic meansize="0.02" extent="0.3"/>
  <default>
    <geom friction="{scene.materials.friction!r} 0 0" condim="3" margin="0"
          solref="{-stiffness_s2!r} {-damping_s!r}"
          solimp="{_IMPEDANCE} {_IMPEDANCE} 0.001 0.5 2"/>
  </default>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    {_walls_xml(scene)}
    {bodies}
  </worldbody>
</mujoco>"""


def _walls_xml(scene: Scene) -> str:
    half, thick = scene.arena.half_side_mm * _MM, _WALL_HALF_MM * _MM
    height = scene.arena.wall_height_mm / 2 * _MM
    walls = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        place = f"{x * (half + thick)!r} {y * (half + thick)!r} {height!r}"
        long = half + 2 * thick
        size = f"{thick if x else long!r} {thick if y else long!r} {height!r}"
        walls.append(f'<geom type="box" pos="{place}" size="{size}"/>')
    return "".join(walls)


def _body_xml(piece: Piece) -> str:
    mass = mass_properties(piece)
    diameter = mass.moment_diameter_g_mm2 * _G * _MM**2
    axis = mass.moment_axis_g_mm2 * _G * _MM**2
    size = f"{PIECE_RADIUS_MM * _MM!r} {piece.thickness_mm / 2 * _MM!r}"
    return (
        f'<body><freejoint/><inertial pos="0 0 {mass.centre_mm * _MM!r}" '
        f'mass="{mass.mass_g * _G!r}" diaginertia="{diameter!r} {diameter!r} {axis!r}"/>'
        f'<geom type="cylinder" size="{size}"/></body>'
    )


def _place(mujoco: Any, model: Any, data: Any, start: Bodies3D) -> None:
    """Put bodies into fresh data."""
    places, rates = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6)
    middle_velocity = start.velocity_mm_s - np.cross(
        start.rate_rad_s, start.centre_mm[:, np.newaxis] * start.normal
    )
    places[:, :3] = start.middle_mm * _MM
    rates[:, :3] = middle_velocity * _MM
    for index, rotation in enumerate(start.rotation):
        mujoco.mju_mat2Quat(places[index, 3:], rotation.ravel())
        rates[index, 3:] = (rotation * start.rate_rad_s[index][:, np.newaxis]).sum(axis=0)
    mujoco.mj_forward(model, data)


def _bodies(mujoco: Any, data: Any, start: Bodies3D) -> Bodies3D:
    """Return the bodies as they are now."""
    places, rates = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6)
    rotation = np.empty_like(start.rotation)
    flat = np.empty(9)
    for index, quaternion in enumerate(places[:, 3:]):
        mujoco.mju_quat2Mat(flat, quaternion)
        rotation[index] = flat.reshape(3, 3)
    rate = (rotation * rates[:, np.newaxis, 3:]).sum(axis=2)
    arm = start.centre_mm[:, np.newaxis] * rotation[:, :, 2]
    return replace(
        start,
        position_mm=places[:, :3] / _MM + arm,
        rotation=rotation,
        velocity_mm_s=rates[:, :3] / _MM + np.cross(rate, arm),
        rate_rad_s=rate,
    )
