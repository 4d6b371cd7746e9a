"""MuJoCo as a 3-D reference: rigid cylinders, elliptic friction cones, contacts as stiff springs.

It is no ground truth: throws may end with more energy than they began with, in some versions flat
hits of a heavy slammer far off centre do; `Reference3D.gains_energy` marks the throws that do.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from calibration.extras import load_extra
from calibration.mujoco_model import GEOMS_OF_BOX, MM, models_of
from calibration.reference3d import Reference3D, follow
from physics import InputError, Scene, Throw
from physics.solid.bodies import Bodies3D, mechanical_energy_nj, starting_bodies

MUJOCO_VERSION = "3.12.0"
"""The version of reference throws; between versions mean flips differ by up to 40 %.

A flat hit of 24 g at 7 m/s, 16 mm off centre, gains 5 % of energy in 3.17.0 and 4.0.0, and none in
3.3.7, 3.10.0, 3.11.0 and 3.12.0, of which this is the latest. 3.13 to 3.16 were not tried.
"""

_WEIGH_EVERY = 20
_SETTLE_STRIDE = 5
"""Steps between looks at what touches; a contact lasts ten steps."""


def run_mujoco(scene: Scene, throw: Throw, damping_share: float | None = None) -> Reference3D:
    """Throw the scene's slammer at its stack, in MuJoCo.

    Args:
        scene: What is thrown at what, where.
        throw: How.
        damping_share: See `MujocoRun`.

    Raises:
        InputError: The throw was drawn for a smaller or larger stack, or MuJoCo has another version
            than `MUJOCO_VERSION`.
        MissingExtraError: MuJoCo is not installed.
    """
    found = load_extra("mujoco").__version__
    if found != MUJOCO_VERSION:
        raise InputError(
            f"engine: mujoco {found} is not accepted, because versions answer differently; "
            f"pip install mujoco=={MUJOCO_VERSION}"
        )
    return follow(MujocoRun(scene, starting_bodies(scene, throw), damping_share), scene, throw)


class MujocoRun:
    """Bodies on their way in MuJoCo; see `calibration.reference3d.Run3D`."""

    def __init__(self, scene: Scene, bodies: Bodies3D, damping_share: float | None = None) -> None:
        """Put the pieces of a scene into its box.

        Args:
            scene: The scene: pieces, arena and materials.
            bodies: Where its pieces are, and how they move; the slammer last.
            damping_share: Of the contacts' damping, instead of the scene's usual one; see
                `calibration.mujoco_model`.
        """
        self._mujoco = load_extra("mujoco")
        self._start = bodies
        self._impact_model, self._settle_model = models_of(scene, damping_share)
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
        return (first + GEOMS_OF_BOX, second + GEOMS_OF_BOX) in self._met


def _place(mujoco: Any, model: Any, data: Any, start: Bodies3D) -> None:
    """Put bodies into fresh data."""
    places, rates = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6)
    middle_velocity = start.velocity_mm_s - np.cross(
        start.rate_rad_s, start.centre_mm[:, np.newaxis] * start.normal
    )
    places[:, :3] = start.middle_mm * MM
    rates[:, :3] = middle_velocity * MM
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
        position_mm=places[:, :3] / MM + arm,
        rotation=rotation,
        velocity_mm_s=rates[:, :3] / MM + np.cross(rate, arm),
        rate_rad_s=rate,
    )
