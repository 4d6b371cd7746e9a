"""MuJoCo: what it keeps of mechanics, and what it is known to get wrong."""

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pucklab.calibration.mujoco_engine import MUJOCO_VERSION, MujocoRun, model_of
from pucklab.calibration.reference import run_reference
from pucklab.physics import (
    Face,
    InputError,
    Materials,
    Scene,
    Slammer,
    Throw,
    puck_stack,
)
from pucklab.physics.solid.bodies import starting_bodies
from tests.discs import low_point_speed_mm_s

FIRST_POINT = 0.25 / 8
"""Where the first contact point of a rim is, in turns."""

THIN, HEAVY = Slammer(mass_g=2.0, thickness_mm=1.6), Slammer(mass_g=24.0, thickness_mm=8.0)


def begun(scene, throw, lift_mm=0.0, **changes):
    bodies = starting_bodies(scene, throw)
    lifted = bodies.position_mm + np.array([0.0, 0.0, lift_mm])
    return MujocoRun(scene, replace(bodies, **{"position_mm": lifted, **changes}))


@pytest.mark.parametrize(
    ("tilt_deg", "found"), [(0.0, 0.51), (10.0, 0.54), (45.0, 0.61), (60.0, 0.66)]
)
def test_a_restitution_comes_out_as_documented(tilt_deg, found):
    """A disc falls on a contact point of its rim; the steeper, the less mass the blow moves."""
    materials = Materials(restitution=0.5, friction=0.0)
    scene = Scene(slammer=THIN, stack=(), materials=materials)
    throw = Throw(
        speed_mm_s=1000.0,
        tilt_rad=math.radians(tilt_deg),
        tilt_azimuth_rad=2 * math.pi * FIRST_POINT,
    )
    run = begun(scene, throw)
    run.advance(0.7e-3)
    speed = low_point_speed_mm_s(run.start, run.bodies())
    assert speed / 1000.0 == pytest.approx(found, abs=0.02)


def test_four_walls_close_the_box():
    """Each wall's inner face is half a side from the middle; their outer corners meet."""
    model = model_of(Scene(slammer=THIN, stack=()))
    sides = {(1, 0), (-1, 0), (0, 1), (0, -1)}
    for wall in range(4):
        geom = model.geom(f"wall{wall}")
        side = tuple(np.sign(geom.pos[:2]).astype(int).tolist())
        sides.remove(side)
        axis = side.index(0)
        inner_m = np.abs(geom.pos) - geom.size
        assert inner_m[1 - axis] == pytest.approx(0.1524)
        assert geom.size[axis] == pytest.approx(0.1524 + 2 * geom.size[1 - axis])
        assert inner_m[2] == pytest.approx(0)


def test_a_blow_of_a_sliding_disc_has_the_friction_that_was_set():
    scene = Scene(slammer=THIN, stack=(), materials=Materials(friction=0.35))
    velocity = np.array([[3000.0, 0.0, -1000.0]])
    run = begun(scene, Throw(speed_mm_s=1000.0), velocity_mm_s=velocity)
    run.advance(2e-3)
    slowed, _, thrown = (run.bodies().velocity_mm_s - velocity)[0]
    assert -slowed / thrown == pytest.approx(0.35, rel=0.02)


def test_a_disc_falls_freely_for_as_long_as_was_asked():
    scene = Scene(slammer=HEAVY, stack=())
    run = begun(scene, Throw(speed_mm_s=1000.0), lift_mm=100.0)
    run.advance(5e-3)
    gained_mm_s = (run.bodies().velocity_mm_s - run.start.velocity_mm_s)[0]
    assert gained_mm_s == pytest.approx([0, 0, -9810.0 * 5e-3], abs=1e-6)


def test_bodies_go_in_and_come_out_as_they_are():
    scene = Scene(slammer=HEAVY, stack=puck_stack(2))
    throw = Throw(
        speed_mm_s=5000.0,
        tilt_rad=0.4,
        tilt_azimuth_rad=2.0,
        rate_x_rad_s=30.0,
        rate_z_rad_s=-50.0,
        jitter_mm=((0.2, 0.0),) * 2,
    )
    run = begun(scene, throw)
    same = run.bodies()
    for name in ("position_mm", "rotation", "velocity_mm_s", "rate_rad_s"):
        assert getattr(same, name) == pytest.approx(getattr(run.start, name), abs=1e-6)


def test_a_miss_moves_nothing():
    scene = Scene(slammer=THIN, stack=puck_stack(3))
    throw = Throw(speed_mm_s=3000.0, aim_x_mm=80.0, jitter_mm=((0.3, 0.0),) * 3)
    result = run_reference("mujoco", scene, throw)
    assert not result.outcome.hit
    assert [piece.face for piece in result.outcome.pieces] == [Face.DOWN] * 3


def test_a_flat_hit_of_a_heavy_slammer_off_centre_gains_no_energy():
    """MuJoCo's own contacts of cylinders gain up to 5 % here."""
    scene = Scene(slammer=HEAVY, stack=puck_stack(10))
    run = begun(scene, Throw(speed_mm_s=7000.0, aim_x_mm=16.0))
    run.advance(12e-3)
    assert run.peak_nj < 1.001 * run.begin_nj


def test_another_version_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr("pucklab.calibration.mujoco_engine.MUJOCO_VERSION", "2.5")
    with pytest.raises(InputError) as error:
        begun(Scene(slammer=THIN, stack=()), Throw(speed_mm_s=500.0))
    assert str(error.value) == (
        f"engine: mujoco {MUJOCO_VERSION} is not accepted, because versions answer "
        "differently; pip install mujoco==2.5"
    )


def test_the_extra_installs_the_version_that_is_accepted():
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    (needed,) = project["project"]["optional-dependencies"]["reference"]
    assert needed == f"mujoco=={MUJOCO_VERSION}"
