"""Bullet as a reference: what it keeps of mechanics, in a version whose throws are shipped."""

import math
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("pybullet", reason="pip install 'pucklab[bullet]'")

from calibration.bullet_engine import BulletRun, load_bullet, run_bullet
from physics import Face, InputError, Materials, Scene, Slammer, Throw, puck_stack, puckdex_slammer
from physics.pieces import PIECE_RADIUS_MM
from physics.solid.bodies import starting_bodies

THIN = Slammer(mass_g=2.0, thickness_mm=1.6)


@pytest.mark.parametrize(
    ("slammer", "restitution", "tilt_deg", "found"),
    [
        (THIN, 0.5, 10.0, 0.50),
        (THIN, 0.3, 10.0, 0.30),
        (THIN, 0.7, 10.0, 0.65),
        (THIN, 0.5, 45.0, 0.57),
        (THIN, 0.5, 0.0, 0.62),
        (puckdex_slammer(8.0), 0.5, 10.0, 0.50),
        (puckdex_slammer(8.0), 0.5, 0.0, 0.63),
    ],
)
def test_a_restitution_comes_out_as_documented(slammer, restitution, tilt_deg, found):
    scene = Scene(
        slammer=slammer, stack=(), materials=Materials(restitution=restitution, friction=0.0)
    )
    begin = starting_bodies(scene, Throw(speed_mm_s=1000.0, tilt_rad=math.radians(tilt_deg)))
    with closing(BulletRun(scene, begin)) as run:
        run.advance(0.7e-3)
        after = run.bodies()
    low = np.zeros(3)
    if tilt_deg:
        low = np.array([0.0, 0.0, -1.0]) + begin.normal[0, 2] * begin.normal[0]
        low /= math.hypot(*low)
    lever = (
        PIECE_RADIUS_MM * low - (slammer.thickness_mm / 2 + begin.centre_mm[0]) * begin.normal[0]
    )
    speed = (after.velocity_mm_s + np.cross(after.rate_rad_s, lever))[0, 2]
    assert speed / 1000.0 == pytest.approx(found, abs=0.02)


def test_a_spinning_disc_about_keeps_its_energy_in_free_flight():
    scene = Scene(slammer=THIN, stack=())
    throw = Throw(speed_mm_s=500.0, tilt_rad=0.5, rate_x_rad_s=120.0, rate_z_rad_s=300.0)
    begin = starting_bodies(scene, throw)
    far = begin.position_mm + np.array([0.0, 0.0, 1000.0])
    with closing(BulletRun(scene, replace(begin, position_mm=far))) as run:
        same = run.bodies()
        for name in ("position_mm", "rotation", "velocity_mm_s", "rate_rad_s"):
            wanted = far if name == "position_mm" else getattr(begin, name)
            assert getattr(same, name) == pytest.approx(wanted, abs=1e-6)
        lowest_mm = 10.0 * run._bullet.getAABB(run._pieces[0], -1, run._client)[0][2]
        tilted = THIN.thickness_mm / 2 * math.cos(0.5) + PIECE_RADIUS_MM * math.sin(0.5)
        assert lowest_mm == pytest.approx(begin.middle_mm[0, 2] + 1000.0 - tilted, abs=0.1)
        run.advance(0.02)
        assert run.energy_nj == pytest.approx(run.begin_nj, rel=5e-3)


def test_a_miss_moves_nothing():
    scene = Scene(slammer=THIN, stack=puck_stack(3))
    throw = Throw(speed_mm_s=3000.0, aim_x_mm=80.0, jitter_mm=((0.3, 0.0),) * 3)
    result = run_bullet(scene, throw, by_solid=True)
    assert not result.outcome.hit
    assert [piece.face for piece in result.outcome.pieces] == [Face.DOWN] * 3


def test_another_version_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr("calibration.bullet_engine.BULLET_VERSION", "3.2.5")
    with pytest.raises(InputError, match=r"pip install pybullet==3\.2\.5"):
        load_bullet()
