"""States of pieces 80 ms after the start: how they are compared, and constants fitted to them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.cells import cell_named
from calibration.fidelity import model_cell
from calibration.fidelity.departures import (
    Apart,
    apart_in_plane,
    apart_in_space,
    fit_lift_off,
    residuals_apart,
    statistics_apart,
)
from physics import LiftOff, Scene, puck_stack, puckdex_slammer
from physics.plane.flight_laws import DiscRotation

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
CELLS = tuple(model_cell(cell_named(name), 25) for name in ("8g-6mm-5ms-5", "20g-6mm-5ms-10"))
STEPS = {"drift": 0.03, "lean_rad": 0.08, "twist": 0.03, "exponent": 0.1}


def flying(height_mm: float, up_mm_s: float, rate_rad_s: float) -> Apart:
    """Two pieces, flat and face down in the middle, that fly off along x at 1 m/s."""
    none = np.zeros(2)
    return Apart(
        place_mm=np.tile([0.0, 0.0, height_mm], (2, 1)),
        velocity_mm_s=np.tile([1000.0, 0.0, up_mm_s], (2, 1)),
        rotation=DiscRotation(
            lean_rad=none,
            lean_rate_rad_s=none + rate_rad_s,
            precession_rate_rad_s=none,
            spin_rad_s=none,
        ),
    )


def test_a_piece_that_is_above_the_wall_when_it_gets_there_clears_it() -> None:
    """The wall is 152.4 mm away and 101.6 mm high: .1524 s, in which a body falls 113.9 mm."""
    for up_mm_s, clears in ((1000.0, False), (1160.0, True)):
        assert flying(40.0, up_mm_s, 0.0).clears(SCENE).tolist() == [clears] * 2


def test_only_pieces_higher_than_their_radius_count() -> None:
    found = statistics_apart(SCENE, [flying(60.0, 500.0, 0.0), flying(5.0, 0.0, 90.0)])
    assert (found["high"], found["lean_rate"], found["rising"]) == (1.0, 0.0, 500.0)


def test_a_piece_turns_over_if_it_has_time_to() -> None:
    """From 60 mm at .5 m/s it flies for about .18 s."""
    for rate_rad_s, turning in ((math.pi / 0.18, 2.0), (0.3 * math.pi / 0.18, 0.0)):
        found = statistics_apart(SCENE, [flying(60.0, 500.0, rate_rad_s)])
        assert found["turning"] == turning


def test_equal_statistics_differ_by_nothing() -> None:
    found = statistics_apart(SCENE, [flying(60.0, 500.0, 3.0)])
    assert not residuals_apart(found, found).any()


def test_planted_constants_come_back() -> None:
    planted = replace(LiftOff(), drift=0.24, lean_rad=1.25, twist=0.1, exponent=0.5)
    targets = [statistics_apart(cell.scene, apart_in_plane(cell, planted)) for cell in CELLS]
    fit = fit_lift_off(CELLS, targets, LiftOff(), STEPS, rounds=4)
    assert fit.mean_square[-1] < 0.1 * fit.mean_square[0]
    for name in STEPS:
        assert getattr(fit.model, name) == pytest.approx(getattr(planted, name), rel=0.15), name


@pytest.mark.slow
def test_the_laws_give_the_solid_engines_states() -> None:
    """In cells that no constant was fitted to, to two tolerances (root mean square)."""
    found = []
    for name in ("8g-6mm-5ms-5", "8g-6mm-7ms-10", "20g-6mm-5ms-10-mu0.6", "8g-6mm-5ms-10-d20to45"):
        cell = model_cell(cell_named(name), 200)
        ours = statistics_apart(cell.scene, apart_in_plane(cell, LiftOff()))
        theirs = statistics_apart(cell.scene, apart_in_space(cell_named(name), 200))
        found.append(residuals_apart(ours, theirs))
    assert math.sqrt(float((np.array(found) ** 2).mean())) < 2.0
