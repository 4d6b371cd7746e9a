"""Lift-off: how the plane's motion becomes motion in space."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics import LiftOff, PieceChance, Scene, Throw, puck_stack, puckdex_slammer
from physics.impact import Impact
from physics.liftoff import Flight, lift_off
from physics.plane import project

SPEED_MM_S = 5000.0
STILL = LiftOff(kick_fraction=0.0)
PUCK = [0.0, 5.0, math.pi + 0.2, 800.0, 900.0, 30.0]
SLAMMER = [0.0, 9.0, 0.1, 100.0, 500.0, 5.0]
ALONG = np.array([PUCK, SLAMMER])


def fly(chance: PieceChance, model: LiftOff = STILL, state: np.ndarray = ALONG) -> Flight:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1), lift_off=model)
    throw = Throw(speed_mm_s=SPEED_MM_S, descent_rad=0.2, chances=(chance,))
    end = Impact(state=state, duration_s=0.004, lifted_nj=0.0)
    return lift_off(scene, throw, project(throw, (0.0, 1.0)), end)


def test_without_chance_a_puck_goes_on_in_the_impacts_plane() -> None:
    flight = fly(PieceChance())
    assert flight.state[0] == pytest.approx(ALONG[0])
    assert flight.azimuth_rad[0] == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("turn", [0.3, -1.0, 2.5])
def test_a_turned_puck_keeps_its_speed_and_only_tumbles_along_its_way(turn: float) -> None:
    flight = fly(PieceChance(azimuth=turn))
    angle, vx, vz, rate = flight.state[0, 2:]
    assert (abs(vx), vz) == pytest.approx((800.0, 900.0))
    assert rate == pytest.approx(30.0 * math.cos(turn))
    assert angle == pytest.approx(math.pi + 0.2 * math.cos(turn))
    velocity = vx * np.exp(1j * flight.azimuth_rad[0])
    assert velocity == pytest.approx(800.0 * np.exp(1j * (math.pi / 2 + turn)))


def test_a_puck_that_spins_fast_does_not_turn_over() -> None:
    assert fly(PieceChance(spin=1.0), LiftOff(spin_ratio=0.4, kick_fraction=0.0)).state[0, 5] == 30
    assert fly(PieceChance(spin=1.3), LiftOff(spin_ratio=0.4, kick_fraction=0.0)).state[0, 5] == 0


def test_a_puck_at_rest_is_kicked_by_a_share_of_the_throws_speed() -> None:
    state = ALONG.copy()
    state[0, 3] = 0.0
    flight = fly(PieceChance(kick_along=1.0), LiftOff(kick_fraction=0.02), state)
    assert flight.state[0, 3] == pytest.approx(0.02 * SPEED_MM_S)


def test_a_puck_thrown_higher_than_its_radius_rolls_when_it_comes_down() -> None:
    assert fly(PieceChance()).high.tolist() == [True, False]
    low = ALONG.copy()
    low[0, 4] = 500.0
    assert fly(PieceChance(), state=low).high.tolist() == [False, False]


def test_the_slammer_keeps_a_share_of_its_speed_across_the_plane() -> None:
    flight = fly(PieceChance(), replace(STILL, lateral_kept=0.5))
    across = -SPEED_MM_S * math.sin(0.2) * 0.5
    assert abs(flight.state[1, 3]) == pytest.approx(math.hypot(100.0, across))


def test_no_motion_leaves_with_more_energy_than_the_throw_brought() -> None:
    state = ALONG.copy()
    state[1, 3:5] = (4900.0, 4900.0)
    flight = fly(PieceChance(), state=state)
    mass = np.array([1.5, 8.0])
    linear = 0.5 * mass * (flight.state[:, 3] ** 2 + flight.state[:, 4] ** 2)
    assert linear.sum() <= 0.5 * 8.0 * SPEED_MM_S**2
