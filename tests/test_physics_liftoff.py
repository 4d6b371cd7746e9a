"""Lift-off: from the plane of the impact into space."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.physics import LiftOff, Throw, puckdex_slammer
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.pieces import mass_properties
from pucklab.physics.plane.impact import Impact, project
from pucklab.physics.plane.lift_off import PARTED_S, lift_off, part
from tests.scenes import stack_scene

SCENE = stack_scene(8.0, 2)
PIECES = (*SCENE.stack, SCENE.slammer)
THROW = Throw(speed_mm_s=5000.0, descent_rad=0.2)
ACROSS_MM_S = 5000.0 * math.sin(0.2)
# The lowest puck, the upper one, and the slammer: x, z, angle and their rates.
STRUCK = np.array(
    [
        [0.0, 5.0, math.pi + 0.2, 800.0, 300.0, 30.0],
        [0.0, 9.0, math.pi + 0.2, 800.0, 900.0, 30.0],
        [0.0, 14.0, 0.1, 100.0, 500.0, 5.0],
    ]
)


def fly(state=STRUCK, direction=(0.0, 1.0), throw=THROW, luck=None, scene=SCENE, **constants):
    scene = replace(scene, lift_off=replace(scene.lift_off, **constants))
    end = Impact(state=state, duration_s=PARTED_S)
    return lift_off(scene, throw, project(throw, direction, 0.0), end, luck)


def energy_nj(state, rate_rad_s, scene, across_mm_s=0.0):
    made = [mass_properties(piece) for piece in (*scene.stack, scene.slammer)]
    mass, moment = np.array([(p.mass_g, p.moment_diameter_g_mm2) for p in made]).T
    twice = mass * (state[:, 3:5] ** 2).sum(axis=1) + moment * rate_rad_s**2
    return (twice.sum() + mass[-1] * across_mm_s**2) / 2


any_constants = st.builds(
    LiftOff,
    strength=st.floats(-1.0, 1.0),
    exponent=st.floats(0.0, 1.0),
    carry=st.floats(0.0, 2.0),
    drift=st.floats(0.0, 1.0),
    roll=st.floats(1e-6, 2.0),
    swing_scatter=st.floats(0.0, 2.0),
    twist=st.floats(0.0, 2.0),
)


@settings(max_examples=100, deadline=None)
@given(
    model=any_constants,
    luck=st.integers(1, 2**40),
    slammer_g=st.sampled_from((4.0, 8.0, 20.0)),
    pace=st.floats(0.0, 5.0),
    left=st.floats(0.0, 2.0),
    descent_rad=st.floats(0.0, 1.2),
    aim_mm=st.floats(0.0, 40.0),
)
def test_no_motion_leaves_with_more_energy_than_the_impact_left(
    model, luck, slammer_g, pace, left, descent_rad, aim_mm
):
    """With the rate before and after the pieces have come apart, whatever the constants."""
    scene = replace(SCENE, slammer=puckdex_slammer(slammer_g), lift_off=model)
    throw = replace(THROW, descent_rad=descent_rad, luck=luck, aim_x_mm=aim_mm)
    state = STRUCK * np.array([1.0, 1.0, 1.0, pace, pace, pace])
    state[-1, 3:] *= left
    flight = fly(state, throw=throw, scene=scene)
    left_nj = energy_nj(state, state[:, 5], scene, 5000.0 * math.sin(descent_rad))
    for rate_rad_s in (flight.state[:, 5], flight.swing_rad_s):
        assert energy_nj(flight.state, rate_rad_s, scene) <= left_nj * (1 + 1e-9)


def test_pieces_part_in_free_flight_but_for_what_lies_on_the_floor():
    lying = [5.0, 0.85, math.pi, 100.0, 20.0, 0.5]
    before = np.array([lying, *STRUCK[1:]])
    end = part(SCENE, PIECES, Impact(state=before, duration_s=4e-3))
    span_s = PARTED_S - 4e-3
    flown = before.copy()
    flown[:, :3] += before[:, 3:] * span_s
    flown[:, 1] -= GRAVITY_MM_S2 * span_s**2 / 2
    flown[:, 4] -= GRAVITY_MM_S2 * span_s
    flown[0] = [5.8, 0.85, math.pi, 100.0, 0.0, 0.0]
    assert end.duration_s == pytest.approx(PARTED_S)
    assert end.state == pytest.approx(flown)
    assert part(SCENE, PIECES, end) is end


def test_a_piece_near_a_wall_ends_the_parting():
    before = STRUCK.copy()
    before[0, [0, 3]] = -100.0, -4000.0
    end = part(SCENE, PIECES, Impact(state=before, duration_s=4e-3))
    assert end.duration_s < PARTED_S
    assert end.state[0, 0] == pytest.approx(41.23 - SCENE.arena.half_side_mm)
