"""One blow between two discs: what an engine must get right before its throws count."""

from dataclasses import replace

import numpy as np
import pytest

from pucklab.calibration.mujoco_engine import model_of
from pucklab.calibration.reference import ENGINES, begin_run
from pucklab.physics import Throw
from pucklab.physics.solid.bodies import scene_block, starting_bodies
from tests.scenes import stack_scene

OFFSETS_MM = (0.5, 4, 8, 12, 16, 20, 24, 28)
"""From axis to axis; the first is a little off, as no real blow is centred."""

FORMULA_ERRORS = {"solid": 0.02, "mujoco": 0.05}
"""Contacts are wide, or points of a rim: their middle is not quite that of the overlap."""

SPEED_MM_S = 5000.0

each = pytest.mark.parametrize("offset_mm", OFFSETS_MM)
every_engine = pytest.mark.parametrize("engine", ENGINES)


def energy_left(engine, offset_mm):
    """Share of the relative motion's energy after a flat slammer of 8 g met a puck in mid-air.

    Returns that of the engine, and that of one blow in the middle of the overlap. It reverses the
    speed there, times e: so it takes (1 - e^2) of the energy that the mass felt there has.
    """
    scene = stack_scene(8.0, 2)
    start = starting_bodies(scene, Throw(speed_mm_s=SPEED_MM_S))
    half_mm = start.thickness_mm / 2
    # One puck lies far off; the other flies 60 mm up, .02 mm below the slammer.
    middle_mm = np.array([[100.0, 100.0, half_mm[0]], [0.0, 0.0, 60.0], [offset_mm, 0.0, 60.02]])
    middle_mm[2, 2] += half_mm[1] + half_mm[2]
    position_mm = middle_mm + start.centre_mm[:, np.newaxis] * start.normal
    run = begin_run(engine, scene, replace(start, position_mm=position_mm))
    run.advance(0.4e-3)
    reduced_g = 1 / (1 / start.mass_g[1:]).sum()
    whole_nj = 0.5 * reduced_g * SPEED_MM_S**2
    lever = (offset_mm / 2) ** 2 / start.moment_diameter_g_mm2[1:]
    effective_g = 1 / (1 / start.mass_g[1:] + lever).sum()
    lost = (run.begin_nj - run.energy_nj) / whole_nj
    return 1 - lost, 1 - (1 - scene.materials.restitution**2) * effective_g / reduced_g


@every_engine
@each
def test_a_blow_without_damping_keeps_its_energy(engine, offset_mm, monkeypatch):
    for module in ("pucklab.physics.solid.bodies", "pucklab.calibration.mujoco_engine"):
        monkeypatch.setattr(f"{module}.contact_damping_ratio", lambda _: 1e-9)
    monkeypatch.setattr("pucklab.calibration.mujoco_engine.model_of", model_of.__wrapped__)
    left, _ = energy_left(engine, offset_mm)
    scene_block.cache_clear()
    assert left == pytest.approx(1.0, abs=0.015)


@every_engine
@each
def test_a_damped_blow_is_near_one_in_the_middle_of_the_overlap(engine, offset_mm):
    left, formula = energy_left(engine, offset_mm)
    assert left == pytest.approx(formula, abs=FORMULA_ERRORS[engine])
