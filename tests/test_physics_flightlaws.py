"""The laws of flight: what velocities and tumbling are counted in, and how pieces share them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics import (
    LiftOff,
    Materials,
    Puck,
    Scene,
    Slammer,
    Throw,
    puck_stack,
)
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import (
    horizontal_scale_mm_s,
    horizontal_share,
    individual_scatter,
    max_lean_rad,
    relative_speeds,
    t_distributed,
    tumbling_scales_mm_s,
    vertical_factor,
)

R = PIECE_RADIUS_MM
UP_MM_S = np.array([200.0, 400.0, 900.0])
MODEL = LiftOff(strength=0.2, exponent=0.5)


def stack_of(pucks, mass_g=8.0):
    slammer = Slammer(mass_g=mass_g, thickness_mm=6.0)
    return Scene(slammer=slammer, stack=puck_stack(pucks), lift_off=MODEL)


def at(speed_mm_s):
    return Throw(speed_mm_s=speed_mm_s)


LESS_GIVEN = 2**-0.125
"""Factor on the velocities from a slammer of twice the mass, over that of its energy."""


def test_the_pace_goes_with_the_root_of_the_slammers_energy_a_little_less_with_its_mass():
    usual = horizontal_scale_mm_s(stack_of(10), at(5000.0))
    heavy = horizontal_scale_mm_s(stack_of(10, mass_g=16.0), at(5000.0))
    assert heavy / usual == pytest.approx(math.sqrt(2) * LESS_GIVEN)
    assert horizontal_scale_mm_s(stack_of(10), at(2500.0)) / usual == pytest.approx(0.5)


def test_a_tall_stack_is_slower():
    paces = [horizontal_scale_mm_s(stack_of(pucks), at(5000.0)) for pucks in (8, 16)]
    assert paces[1] / paces[0] == pytest.approx(2**-0.25)


def test_a_tall_stack_tumbles_less():
    units = [tumbling_scales_mm_s(stack_of(pucks), UP_MM_S) for pucks in (8, 16)]
    assert units[1] / units[0] == pytest.approx(2**-0.5)


def test_tumbling_goes_with_the_root_of_a_pieces_own_speed():
    slow, _, fast = tumbling_scales_mm_s(stack_of(10), UP_MM_S)
    assert fast / slow == pytest.approx(4.5**0.5)


def test_friction_raises_the_pace_and_light_pucks_take_more_of_the_energy():
    usual = horizontal_scale_mm_s(stack_of(10), at(5000.0))
    rough = replace(stack_of(10), materials=Materials(friction=0.7))
    assert horizontal_scale_mm_s(rough, at(5000.0)) / usual == pytest.approx(2**0.25)
    light = replace(stack_of(10), stack=puck_stack(10, Puck(mass_g=1.0)))
    assert horizontal_scale_mm_s(light, at(5000.0)) / usual == pytest.approx(1.5 ** (0.5 - 0.125))


def test_the_pace_is_that_of_the_way_down():
    flat = replace(at(5000.0), descent_rad=math.pi / 3)
    paces = [horizontal_scale_mm_s(stack_of(10), throw) for throw in (flat, at(2500.0))]
    assert paces[0] == pytest.approx(paces[1])


@pytest.mark.parametrize(("aim_mm", "share"), [(0.0, 0.0), (R / 2, 0.5), (R, 1.0), (30.0, 1.0)])
def test_pieces_rise_faster_than_in_the_plane_the_further_out_the_hit(aim_mm, share):
    throw = replace(at(5000.0), aim_x_mm=0.6 * aim_mm, aim_y_mm=-0.8 * aim_mm)
    assert vertical_factor(stack_of(10), throw) == pytest.approx(math.exp(0.2 * share))
    heavy = vertical_factor(stack_of(10, mass_g=16.0), throw)
    assert heavy == pytest.approx(math.exp(0.2 * share) * LESS_GIVEN)


@pytest.mark.parametrize(
    ("pucks", "mass_g", "speed_m_s", "descent_rad", "share"),
    [
        (10, 8.0, 5.0, 0.0, 1.0),
        (20, 8.0, 5.0, 0.0, 2**-0.5),
        (10, 16.0, 5.0, 0.0, 2**0.25),
        (10, 8.0, 2.5, 0.0, 2**-0.5),
        (10, 8.0, 5.0, math.pi / 3, 2**MODEL.lean_by_descent),
    ],
)
def test_crowded_pieces_lean_further_after_hard_and_flat_throws_and_in_low_stacks(
    pucks, mass_g, speed_m_s, descent_rad, share
):
    throw = replace(at(1000.0 * speed_m_s), descent_rad=descent_rad)
    lean_rad = max_lean_rad(stack_of(pucks, mass_g), throw)
    assert lean_rad == pytest.approx(MODEL.lean_rad * share)


def test_relative_speeds_are_one_on_average_where_all_rise():
    assert relative_speeds(UP_MM_S).mean() == pytest.approx(1.0)


def test_in_a_stack_that_does_not_rise_relative_speeds_are_none():
    assert relative_speeds(np.array([-300.0, 0.0])).tolist() == [0.0, 0.0]


@given(st.floats(0.0, 8.0), st.floats(1e-3, 2.0))
def test_the_faster_a_piece_rises_the_more_it_shares_and_the_wilder_it_is(relative, more):
    pair = np.array([relative, relative + more])
    for law in (horizontal_share, individual_scatter):
        slow, fast = law(pair).tolist()
        assert 0 <= slow <= fast


@pytest.mark.parametrize("tail", [3.0, 8.0])
def test_long_tailed_vectors_have_the_lengths_of_a_t_distribution(tail):
    """Of its radius: P(R > r) = (1 + r2 / tail) ** (-tail / 2), in the plane."""
    normal = np.random.default_rng(5).standard_normal((2, 40_000))
    radius = np.hypot(*t_distributed(normal[0], normal[1], tail))
    for length in (0.5, 1.5, 4.0, 8.0):
        beyond = (1 + length**2 / tail) ** (-tail / 2)
        error = math.sqrt(beyond * (1 - beyond) / radius.size)
        assert np.mean(radius > length) == pytest.approx(beyond, abs=4 * error)


@given(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
def test_long_tailed_vectors_keep_their_direction_and_are_no_shorter(x, y):
    ((u,), (v,)) = t_distributed(np.array([x]), np.array([y]), 3.0).tolist()
    assert u * y == pytest.approx(v * x)
    assert math.hypot(u, v) >= math.hypot(x, y) * (1 - 1e-9)
