"""MuJoCo and Bullet: what they keep of mechanics, and what they are known to get wrong."""

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.bullet_engine import BULLET_VERSION, BulletRun
from calibration.mujoco_engine import MUJOCO_VERSION, MujocoRun
from calibration.reference import PACKAGES, run_reference
from physics import (
    Face,
    InputError,
    Materials,
    Scene,
    Slammer,
    Throw,
    knock_out_stack,
    puck_stack,
    puckdex_slammer,
)
from physics.materials import GRAVITY_MM_S2
from physics.scene import START_GAP_MM
from physics.solid.bodies import starting_bodies
from tests.discs import low_point_speed_mm_s

THIN, HEAVY = Slammer(mass_g=2.0, thickness_mm=1.6), Slammer(mass_g=24.0, thickness_mm=8.0)
VERSIONS = {"mujoco": MUJOCO_VERSION, "bullet": BULLET_VERSION}

both = pytest.mark.parametrize("engine", VERSIONS)


def begun(engine, scene, throw, lift_mm=0.0, **changes):
    pytest.importorskip(PACKAGES[engine][0])
    bodies = starting_bodies(scene, throw)
    lifted = bodies.position_mm + np.array([0.0, 0.0, lift_mm])
    run = {"mujoco": MujocoRun, "bullet": BulletRun}[engine]
    return run(scene, replace(bodies, **{"position_mm": lifted, **changes}))


@pytest.mark.parametrize(
    ("engine", "slammer", "restitution", "tilt_deg", "found"),
    [
        ("mujoco", THIN, 0.5, 0.0, 0.53),
        ("mujoco", THIN, 0.5, 10.0, 0.47),
        ("mujoco", THIN, 0.5, 60.0, 0.60),
        ("bullet", THIN, 0.5, 10.0, 0.50),
        ("bullet", THIN, 0.3, 10.0, 0.30),
        ("bullet", THIN, 0.7, 10.0, 0.65),
        ("bullet", THIN, 0.5, 45.0, 0.57),
        ("bullet", THIN, 0.5, 0.0, 0.62),
        ("bullet", puckdex_slammer(8.0), 0.5, 10.0, 0.50),
        ("bullet", puckdex_slammer(8.0), 0.5, 0.0, 0.63),
    ],
)
def test_a_restitution_comes_out_as_documented(engine, slammer, restitution, tilt_deg, found):
    materials = Materials(restitution=restitution, friction=0.0)
    scene = Scene(slammer=slammer, stack=(), materials=materials)
    run = begun(engine, scene, Throw(speed_mm_s=1000.0, tilt_rad=math.radians(tilt_deg)))
    run.advance(0.7e-3)
    speed = low_point_speed_mm_s(run.start, run.bodies())
    assert speed / 1000.0 == pytest.approx(found, abs=0.02)


def test_a_disc_slides_in_mujoco_as_far_as_coulomb_says():
    speed_mm_s, friction = 1000.0, 0.35
    scene = Scene(slammer=THIN, stack=(), materials=Materials(friction=friction))
    velocity = np.array([[speed_mm_s, 0.0, 0.0]])
    throw = Throw(speed_mm_s=500.0, aim_x_mm=-20.0)
    run = begun("mujoco", scene, throw, -START_GAP_MM, velocity_mm_s=velocity)
    run.soften()
    run.advance(0.35)
    way_mm = run.bodies().middle_mm[0, 0] + 20.0
    assert way_mm == pytest.approx(speed_mm_s**2 / (2 * friction * GRAVITY_MM_S2), rel=0.02)


@both
def test_bodies_go_in_and_come_out_as_they_are(engine):
    scene = Scene(slammer=HEAVY, stack=puck_stack(2))
    throw = Throw(
        speed_mm_s=5000.0,
        tilt_rad=0.4,
        tilt_azimuth_rad=2.0,
        rate_x_rad_s=30.0,
        rate_z_rad_s=-50.0,
        jitter_mm=((0.2, 0.0),) * 2,
    )
    run = begun(engine, scene, throw)
    same = run.bodies()
    for name in ("position_mm", "rotation", "velocity_mm_s", "rate_rad_s"):
        assert getattr(same, name) == pytest.approx(getattr(run.start, name), abs=1e-6)


def test_a_piece_in_bullet_is_as_large_as_it_is_shown():
    scene = Scene(slammer=THIN, stack=())
    run = begun("bullet", scene, Throw(speed_mm_s=500.0, tilt_rad=0.5))
    lowest_mm = 10.0 * run._bullet.getAABB(run._pieces[0], -1, run._client)[0][2]
    assert lowest_mm == pytest.approx(START_GAP_MM, abs=0.1)


@both
def test_a_spinning_disc_about_keeps_its_energy_in_free_flight(engine):
    scene = Scene(slammer=THIN, stack=())
    throw = Throw(speed_mm_s=500.0, tilt_rad=0.5, rate_x_rad_s=120.0, rate_z_rad_s=300.0)
    run = begun(engine, scene, throw, 1000.0)
    run.advance(0.02)
    assert run.energy_nj == pytest.approx(run.begin_nj, rel=5e-3)


@both
def test_a_miss_moves_nothing(engine):
    pytest.importorskip(PACKAGES[engine][0])
    scene = Scene(slammer=THIN, stack=puck_stack(3))
    throw = Throw(speed_mm_s=3000.0, aim_x_mm=80.0, jitter_mm=((0.3, 0.0),) * 3)
    result = run_reference(engine, scene, throw, "solid-settling")
    assert not result.outcome.hit
    assert [piece.face for piece in result.outcome.pieces] == [Face.DOWN] * 3


def test_a_flat_hit_of_a_heavy_slammer_off_centre_gains_nothing_in_the_version_in_use():
    """Versions 3.17 and 4.0 of MuJoCo gain 5 % here."""
    scene = Scene(slammer=HEAVY, stack=puck_stack(10))
    run = begun("mujoco", scene, Throw(speed_mm_s=7000.0, aim_x_mm=16.0))
    run.advance(12e-3)
    assert run.peak_nj < 1.001 * run.begin_nj


@both
def test_another_version_is_refused_in_one_line(engine, monkeypatch):
    package = PACKAGES[engine][0]
    pytest.importorskip(package)
    monkeypatch.setattr(f"calibration.{engine}_engine.{engine.upper()}_VERSION", "2.5")
    with pytest.raises(InputError) as error:
        begun(engine, Scene(slammer=THIN, stack=()), Throw(speed_mm_s=500.0))
    assert str(error.value) == (
        f"engine: {package} {VERSIONS[engine]} is not accepted, because versions answer "
        f"differently; pip install {package}==2.5"
    )


@both
def test_the_extra_installs_the_version_that_is_accepted(engine):
    package, extra = PACKAGES[engine]
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    (needed,) = project["project"]["optional-dependencies"][extra]
    assert needed.partition(";")[0] == f"{package}=={VERSIONS[engine]}"


def test_a_shield_between_two_slammers_lets_the_lower_one_be_thrown_up_in_mujoco():
    """A light puck between hard faces is a washer: it passes the blow on.

    With one stiffness per mass the lower slammer's contact with the floor is over before that.
    """
    slammer = puckdex_slammer(8.0)
    speeds = []
    for shields in (0, 1):
        scene = Scene(slammer=slammer, stack=knock_out_stack(slammer, shields))
        run = begun("mujoco", scene, Throw(speed_mm_s=5000.0))
        run.advance(3e-3)
        speeds.append(run.bodies().velocity_mm_s[0, 2])
    assert speeds[1] > 0.8 * speeds[0] > 1000.0
