"""MuJoCo as a 3-D reference: rigid cylinders, elliptic friction cones, contacts as stiff springs.

It is no ground truth: throws may end with more energy than they began with, in some versions flat
hits of a heavy slammer far off centre do; `Reference3D.gains_energy` marks the throws that do.
"""

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from calibration.mujoco_model import GEOMS_OF_BOX, MM, models_of
from calibration.reference3d import EngineRun
from physics import InputError, Scene
from physics.solid.bodies import Bodies3D

MUJOCO_VERSION = "3.12.0"
"""The version of reference throws; between versions mean flips differ by up to 40 %.

A flat hit of 24 g at 7 m/s, 16 mm off centre, gains 5 % of energy in 3.17.0 and 4.0.0, and none in
3.3.7, 3.10.0, 3.11.0 and 3.12.0, of which this is the latest. 3.13 to 3.16 were not tried.
"""


class MujocoRun(EngineRun):
    """Bodies on their way in MuJoCo."""

    def __init__(self, scene: Scene, bodies: Bodies3D) -> None:
        """Put the pieces of a scene into its box.

        Args:
            scene: The scene: pieces, arena and materials.
            bodies: Where its pieces are, and how they move; the slammer last.

        Raises:
            InputError: MuJoCo has another version than `MUJOCO_VERSION`.
        """
        if mujoco.__version__ != MUJOCO_VERSION:
            raise InputError(
                f"engine: mujoco {mujoco.__version__} is not accepted, because versions answer "
                f"differently; pip install mujoco=={MUJOCO_VERSION}"
            )
        super().__init__(scene, bodies)
        self._model, self._settle_model = models_of(scene)
        self.step_s = self._model.opt.timestep
        self._data = mujoco.MjData(self._model)
        _place(self._model, self._data, bodies)

    def move(self, steps: int) -> None:
        """Move on by some steps."""
        mujoco.mj_step(self._model, self._data, steps)

    def soften(self) -> None:
        """Go on with the settling's step."""
        super().soften()
        self._model = self._settle_model
        self.step_s = self._model.opt.timestep

    def bodies(self) -> Bodies3D:
        """Return the bodies as they are now."""
        return _bodies(self._data, self.start)

    def touch(self, first: int, second: int) -> bool:
        """Return whether two bodies, the first below the second in number, touch now."""
        pair = [first + GEOMS_OF_BOX, second + GEOMS_OF_BOX]
        return bool((np.sort(self._data.contact.geom, axis=1) == pair).all(axis=1).any())


def _place(model: Any, data: Any, start: Bodies3D) -> None:
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


def _bodies(data: Any, start: Bodies3D) -> Bodies3D:
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
