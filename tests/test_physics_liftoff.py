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
from physics.units import GRAVITY_MM_S2

SPEED_MM_S = 5000.0
DESCENT_RAD = 0.2
NOTHING = LiftOff(
    strength=0.0,
    strength_by_offset=0.0,
    strength_sd=0.0,
    scatter=0.0,
    carry=0.0,
    tumble_scatter=0.0,
    spin_ratio=0.0,
)
"""What leaves the plane's motion as it is."""

PUCK = [0.0, 5.0, math.pi + 0.2, 800.0, 900.0, 30.0]
SLAMMER = [0.0, 9.0, 0.1, 100.0, 500.0, 5.0]
ALONG = np.array([PUCK, SLAMMER])


def fly(
    chance: PieceChance,
    model: LiftOff = NOTHING,
    state: np.ndarray = ALONG,
    direction: tuple[float, float] = (0.0, 1.0),
    **throw: float,
) -> Flight:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1), lift_off=model)
    thrown = Throw(speed_mm_s=SPEED_MM_S, descent_rad=DESCENT_RAD, chances=(chance,), **throw)
    end = Impact(state=state, duration_s=0.012, lifted_nj=0.0)
    return lift_off(scene, thrown, project(thrown, direction), end)


def velocity_mm_s(flight: Flight) -> complex:
    """The first piece's horizontal velocity, x + i y."""
    return complex(flight.state[0, 3] * np.exp(1j * flight.azimuth_rad[0]))


def test_without_chance_a_puck_goes_on_in_the_impacts_plane() -> None:
    flight = fly(PieceChance(kick_along=1.0, kick_across=1.0, tumble_along=1.0, spin=1.0))
    assert flight.state[0] == pytest.approx(ALONG[0])
    assert flight.azimuth_rad[0] == pytest.approx(math.pi / 2)


@pytest.mark.parametrize("kick", [0.7, -1.2])
def test_horizontal_scatter_is_a_share_of_the_vertical_speed(kick: float) -> None:
    flight = fly(PieceChance(kick_across=kick), replace(NOTHING, scatter=0.1))
    assert velocity_mm_s(flight) == pytest.approx((800.0 + 1j * kick * 0.1 * 900.0) * 1j)


@pytest.mark.parametrize("turn_rad", [0.0, 1.0, -2.5])
def test_the_slammers_way_carries_pieces_along_whatever_the_plane(turn_rad: float) -> None:
    direction = (math.cos(turn_rad), math.sin(turn_rad))
    carried = fly(PieceChance(), replace(NOTHING, carry=0.5), direction=direction)
    gained = velocity_mm_s(carried) - 800.0 * complex(*direction)
    assert gained == pytest.approx(0.5 * math.sin(DESCENT_RAD) * 900.0)


def test_off_centre_hits_and_strong_throws_multiply_the_speeds() -> None:
    model = replace(NOTHING, strength=-0.3, strength_by_offset=0.4, strength_sd=0.1)
    flight = fly(PieceChance(), model, aim_x_mm=3.0, aim_y_mm=-4.0, strength=-2.0)
    factor = math.exp(-0.3 + 0.4 * 5.0 / PIECE_RADIUS_MM - 0.2)
    assert flight.state[0, 3:5] == pytest.approx(factor * ALONG[0, 3:5])
    assert flight.state[0, 5] == pytest.approx(ALONG[0, 5])
    assert flight.state[1, 4] == pytest.approx(ALONG[1, 4])


def test_random_tumbling_adds_to_the_plane_s_as_vectors_do() -> None:
    rim_mm_s = 0.4 * 900.0
    chance = PieceChance(tumble_along=0.5, tumble_across=-0.8)
    flight = fly(chance, replace(NOTHING, tumble_scatter=0.4))
    along = 30.0 + 0.5 * rim_mm_s / PIECE_RADIUS_MM
    across = -0.8 * rim_mm_s / PIECE_RADIUS_MM
    assert flight.state[0, 5] == pytest.approx(math.hypot(along, across))


def test_a_puck_that_flies_back_tumbles_the_other_way_as_seen_from_its_own_way() -> None:
    backwards = ALONG.copy()
    backwards[0, 3] = -800.0
    assert fly(PieceChance(), state=backwards).state[0, 5] == pytest.approx(30.0)
    turned = fly(PieceChance(kick_along=-30.0), replace(NOTHING, scatter=0.08))
    assert turned.state[0, 3] > 0
    assert np.exp(1j * turned.azimuth_rad[0]) == pytest.approx(-1j)
    assert turned.state[0, 5] == pytest.approx(-30.0)


@pytest.mark.parametrize("lean_rad", [0.2, -0.2])
@pytest.mark.parametrize("kick", [0.0, -30.0])
def test_a_puck_leans_as_far_as_in_the_plane_and_to_the_side_that_it_tumbles_to(
    lean_rad: float, kick: float
) -> None:
    leaning = ALONG.copy()
    leaning[0, 2] = math.pi + lean_rad
    flight = fly(PieceChance(kick_along=kick), replace(NOTHING, scatter=0.08), leaning)
    lean = flight.state[0, 2] - math.pi
    assert lean == pytest.approx(math.copysign(0.2, flight.state[0, 5]))


def test_a_puck_that_spins_far_enough_before_it_is_down_does_not_turn_over() -> None:
    """It spins by its spin times the time that a fall from its height and speed takes."""
    time_s = (900.0 + math.sqrt(900.0**2 + 2 * GRAVITY_MM_S2 * 5.0)) / GRAVITY_MM_S2
    spun_rad = 0.3 * 1.5 * 30.0 * time_s
    for limit_rad, rate in ((0.99 * spun_rad, 0.0), (1.01 * spun_rad, 30.0)):
        model = replace(NOTHING, spin_ratio=0.3, keeping_spin_rad=limit_rad)
        assert fly(PieceChance(spin=-1.5), model).state[0, 5] == pytest.approx(rate)


def test_a_puck_thrown_higher_than_its_radius_rolls_when_it_comes_down() -> None:
    assert fly(PieceChance()).high.tolist() == [True, False]
    low = ALONG.copy()
    low[0, 4] = 500.0
    assert fly(PieceChance(), state=low).high.tolist() == [False, False]


def test_the_slammer_keeps_a_share_of_its_speed_across_the_plane() -> None:
    flight = fly(PieceChance(), replace(NOTHING, lateral_kept=0.5))
    across = -SPEED_MM_S * math.sin(DESCENT_RAD) * 0.5
    assert abs(flight.state[1, 3]) == pytest.approx(math.hypot(100.0, across))


def test_no_motion_leaves_with_more_energy_than_the_throw_brought() -> None:
    state = ALONG.copy()
    state[1, 3:5] = (4900.0, 4900.0)
    flight = fly(PieceChance(), state=state)
    mass = np.array([1.5, 8.0])
    linear = 0.5 * mass * (flight.state[:, 3] ** 2 + flight.state[:, 4] ** 2)
    assert linear.sum() <= 0.5 * 8.0 * SPEED_MM_S**2
