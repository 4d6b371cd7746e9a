"""The 3-D engines from outside: how bodies begin, how their end is read, and the one door."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from pucklab.base.errors import MissingExtraError
from pucklab.calibration.reference import ENGINES, Reference3D, run_reference
from pucklab.physics import (
    Face,
    Puck,
    Scene,
    Slammer,
    Throw,
    puck_stack,
)
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.scene import START_GAP_MM
from pucklab.physics.solid.bodies import mechanical_energy_nj, outcome_from_3d, starting_bodies
from pucklab.physics.thrower import face_normal
from tests.refusals import refused
from tests.scenes import trial_throw

SCENE = Scene(slammer=Slammer(mass_g=12.0, thickness_mm=7.87), stack=puck_stack(10))
THROW = trial_throw(10, 2, 0)


def test_the_slammer_begins_just_above_the_stack_and_as_tilted_as_the_throw_says():
    bodies = starting_bodies(SCENE, THROW)
    assert bodies.normal[-1] == pytest.approx(face_normal(THROW))
    tilt = math.acos(bodies.normal[-1, 2])
    low_mm = bodies.middle_mm[-1, 2] - 7.87 / 2 * math.cos(tilt) - PIECE_RADIUS_MM * math.sin(tilt)
    assert low_mm - SCENE.stack_height_mm == pytest.approx(START_GAP_MM)
    assert bodies.middle_mm[-1, :2] == pytest.approx([THROW.aim_x_mm, THROW.aim_y_mm])
    assert math.hypot(*bodies.velocity_mm_s[-1]) == pytest.approx(THROW.speed_mm_s)


def test_the_stack_lies_face_down_on_the_floor():
    bodies = starting_bodies(SCENE, THROW)
    assert (bodies.normal[:-1, 2] == -1.0).all()
    assert bodies.middle_mm[:-1, 2] == pytest.approx(0.8 + 1.6 * np.arange(10))
    assert bodies.middle_mm[3, 0] == THROW.jitter_mm[3][0]


def test_a_throw_for_another_stack_is_refused():
    refused(
        starting_bodies,
        replace(SCENE, stack=puck_stack(3)),
        THROW,
        said="throw: jitter of 10 pieces",
    )


def read(place_mm, tilt_deg, *, hit=True):
    """Read a lone puck, tilted about the y axis, and a slammer that lies flat."""
    scene = Scene(slammer=Slammer(mass_g=8.0), stack=(Puck(),))
    throw = Throw(speed_mm_s=5000.0, jitter_mm=((0.25, 0.0),))
    tilt = math.radians(tilt_deg)
    return outcome_from_3d(
        scene,
        throw,
        hit=hit,
        middle_mm=np.array([[*place_mm, 5.0], [0.0, 0.0, 3.0]]),
        normal=np.array([[math.sin(tilt), 0.0, math.cos(tilt)], [0.0, 0.0, 1.0]]),
    )


def test_along_the_axis_of_its_tilt_a_puck_reaches_a_wall_with_its_full_radius():
    """See `test_physics_topview` for the other rules."""
    assert read((0.0, 131.5), 45.0).pieces[0].face is Face.LEANING
    assert read((0.0, 130.5), 45.0).pieces[0].face is Face.UP
    assert read((0.0, -152.5), 90.0).pieces[0].face is Face.OUT


def test_a_run_gains_energy_above_one_percent():
    run = Reference3D(
        outcome=read((0.0, 0.0), 0.0),
        energy_begin_mj=100.0,
        energy_peak_mj=101.0,
        energy_end_of_impact_mj=50.0,
    )
    assert not run.gains_energy
    assert replace(run, energy_peak_mj=101.1).gains_energy


def test_an_engine_without_its_package_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    said = r"mujoco is not installed; pip install 'pucklab\[reference\]'"
    with pytest.raises(MissingExtraError, match=said):
        run_reference("mujoco", SCENE, THROW)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_runs_a_throw(engine):
    scene = replace(SCENE, stack=puck_stack(3))
    throw = trial_throw(3, 2, 0)
    result = run_reference(engine, scene, throw)
    assert result.outcome.hit
    assert len(result.outcome.pieces) == 3
    begin_mj = mechanical_energy_nj(starting_bodies(scene, throw)) / 1e6
    assert result.energy_begin_mj == pytest.approx(begin_mj)
    again = run_reference(engine, scene, throw)
    assert again.outcome == result.outcome
