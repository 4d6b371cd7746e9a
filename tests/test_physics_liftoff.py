"""Lift-off: how the plane's motion becomes motion in space."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics import LiftOff, PieceChance, Scene, Throw, puck_stack, puckdex_slammer
from physics.impact import Impact
from physics.liftoff import Flight, lift_off
from physics.pieces import PIECE_RADIUS_MM
from physics.plane import project

SPEED_MM_S = 5000.0
WHOLE = LiftOff(tumble_kept=1.0)
PUCK = [0.0, 5.0, math.pi + 0.2, 800.0, 900.0, 30.0]
SLAMMER = [0.0, 9.0, 0.1, 100.0, 500.0, 5.0]
ALONG = np.array([PUCK, SLAMMER])


def fly(
    chance: PieceChance, model: LiftOff = WHOLE, state: np.ndarray = ALONG, tilt_rad: float = 0.0
) -> Flight:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1), lift_off=model)
    throw = Throw(speed_mm_s=SPEED_MM_S, descent_rad=0.2, tilt_rad=tilt_rad, chances=(chance,))
    end = Impact(state=state, duration_s=0.004, lifted_nj=0.0)
    return lift_off(scene, throw, project(throw, (0.0, 1.0)), end)


def test_without_chance_a_puck_goes_on_in_the_impacts_plane() -> None:
    flight = fly(PieceChance())
    assert flight.state[0] == pytest.approx(ALONG[0])
    assert flight.azimuth_rad[0] == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("kick", [0.7, -1.2])
@pytest.mark.parametrize("tilt_deg", [0.0, 20.0])
def test_a_lone_pucks_horizontal_scatter_is_a_share_of_its_vertical_speed(
    kick: float, tilt_deg: float
) -> None:
    model = LiftOff(scatter=0.1, scatter_by_tilt=0.5)
    tilt_rad = math.radians(tilt_deg)
    flight = fly(PieceChance(kick_across=kick), model, tilt_rad=tilt_rad)
    across = kick * (0.1 + 0.5 * math.sin(tilt_rad)) * 900.0
    velocity = flight.state[0, 3] * np.exp(1j * flight.azimuth_rad[0])
    assert velocity == pytest.approx((800.0 + 1j * across) * 1j)


def test_in_a_stack_the_scatter_is_the_geometric_mean_of_own_and_common_vertical_speed() -> None:
    state = np.array([[0.0, 1.0, math.pi, 0.0, up, 0.0] for up in (100.0, 700.0)] + [SLAMMER])
    scene = Scene(
        slammer=puckdex_slammer(8.0),
        stack=puck_stack(2),
        lift_off=LiftOff(scatter=0.2, scatter_by_tilt=0.0),
    )
    throw = Throw(speed_mm_s=SPEED_MM_S, chances=(PieceChance(kick_along=1.0),) * 2)
    end = Impact(state=state, duration_s=0.004, lifted_nj=0.0)
    flight = lift_off(scene, throw, project(throw, (1.0, 0.0)), end)
    common = math.sqrt((100.0**2 + 700.0**2) / 2)
    expected = [0.2 * math.sqrt(up * common) for up in (100.0, 700.0)]
    assert flight.state[:2, 3] == pytest.approx(expected)


def test_random_tumbling_adds_to_the_plane_s_as_vectors_do() -> None:
    rim_mm_s = 0.4 * 900.0
    chance = PieceChance(tumble_along=0.5, tumble_across=-0.8)
    flight = fly(chance, LiftOff(tumble_kept=0.6, tumble_scatter=0.4))
    along = 0.6 * 30.0 + 0.5 * rim_mm_s / PIECE_RADIUS_MM
    across = -0.8 * rim_mm_s / PIECE_RADIUS_MM
    assert flight.state[0, 5] == pytest.approx(math.hypot(along, across))


def test_a_puck_that_flies_back_tumbles_the_other_way_as_seen_from_its_own_way() -> None:
    backwards = ALONG.copy()
    backwards[0, 3] = -800.0
    assert fly(PieceChance(), state=backwards).state[0, 5] == pytest.approx(30.0)
    turned = fly(PieceChance(kick_along=-30.0), LiftOff(scatter=0.08, tumble_kept=1.0))
    assert turned.state[0, 3] > 0
    assert np.exp(1j * turned.azimuth_rad[0]) == pytest.approx(-1j)
    assert turned.state[0, 5] == pytest.approx(-30.0)


@pytest.mark.parametrize(("spin_ratio", "rate"), [(0.23, 30.0), (0.24, 0.0)])
def test_a_disc_that_spins_so_fast_that_it_swings_less_than_130_degrees_does_not_turn_over(
    spin_ratio: float, rate: float
) -> None:
    """Its axis circles at atan(tumbling / 2 spin) about its angular momentum."""
    swing_deg = 2 * math.degrees(math.atan(1 / (2 * spin_ratio)))
    assert (swing_deg > 130.0) == (rate > 0)
    model = LiftOff(spin_ratio=spin_ratio, tumble_kept=1.0)
    assert fly(PieceChance(spin=1.0), model).state[0, 5] == pytest.approx(rate)


def test_a_puck_thrown_higher_than_its_radius_rolls_when_it_comes_down() -> None:
    assert fly(PieceChance()).high.tolist() == [True, False]
    low = ALONG.copy()
    low[0, 4] = 500.0
    assert fly(PieceChance(), state=low).high.tolist() == [False, False]


def test_the_slammer_keeps_a_share_of_its_speed_across_the_plane() -> None:
    flight = fly(PieceChance(), replace(WHOLE, lateral_kept=0.5))
    across = -SPEED_MM_S * math.sin(0.2) * 0.5
    assert abs(flight.state[1, 3]) == pytest.approx(math.hypot(100.0, across))


def test_no_motion_leaves_with_more_energy_than_the_throw_brought() -> None:
    state = ALONG.copy()
    state[1, 3:5] = (4900.0, 4900.0)
    flight = fly(PieceChance(), state=state)
    mass = np.array([1.5, 8.0])
    linear = 0.5 * mass * (flight.state[:, 3] ** 2 + flight.state[:, 4] ** 2)
    assert linear.sum() <= 0.5 * 8.0 * SPEED_MM_S**2
