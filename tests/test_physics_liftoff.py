"""Lift-off: how what the plane shows becomes motion in space."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics import (
    LiftOff,
    Scene,
    Throw,
    puck_stack,
    puckdex_slammer,
)
from physics.materials import GRAVITY_MM_S2
from physics.pieces import PIECE_RADIUS_MM, mass_properties
from physics.plane.flight_laws import (
    FREE_TUMBLING_S,
    SCATTER_TAIL,
    SEPARATED_S,
    TUMBLING_SINCE_S,
    VELOCITY_TAIL,
    crowded_lean_rad,
    fly_to_touch_down,
    horizontal_share,
    individual_scatter,
    luck_of,
    rotation_when_separated,
    t_distributed,
    tumbling_scales_mm_s,
)
from physics.plane.impact import Impact, project
from physics.plane.lift_off import lift_off

SPEED_MM_S = 5000.0
DESCENT_RAD = 0.2

NOTHING = LiftOff(
    strength=0.0,
    exponent=0.0,
    carry=0.0,
    drift=0.0,
    scatter=0.0,
    roll=0.0,
    lean_rad=1.3,
    lean_by_descent=0.0,
    lean_sd=0.0,
    swing_scatter=0.0,
    twist=0.0,
)
"""What lets pieces rise as in the plane, and do nothing else."""

LOWEST = [0.0, 5.0, math.pi + 0.2, 800.0, 300.0, 30.0]
PUCK = [0.0, 9.0, math.pi + 0.2, 800.0, 900.0, 30.0]
SLAMMER = [0.0, 14.0, 0.1, 100.0, 500.0, 5.0]
ALONG = np.array([LOWEST, PUCK, SLAMMER])
PACE_MM_S = 1000.0 * math.cos(DESCENT_RAD)
RELATIVE = np.array([0.5, 1.5])
"""The lowest rises half as fast as the mean of the two, the puck 1.5 times as fast. The laws have
tests of their own, against the engines' figures; here they are combined."""

LOWEST_SHARE, SHARE = horizontal_share(RELATIVE).tolist()
INDIVIDUAL = float(individual_scatter(RELATIVE)[1])
UNIT_MM_S = float(
    tumbling_scales_mm_s(
        Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2), lift_off=NOTHING), ALONG[:2, 4]
    )[1]
)


def stretched(vector, tail):
    """A standard normal vector as one of a t distribution."""
    x, y = t_distributed(np.array([vector.real]), np.array([vector.imag]), tail)[:, 0].tolist()
    return complex(x, y)


LASTED_S = 0.012


def stopped_mm_s(rim_mm_s):
    """Speed of the rim, at an even rate, of a piece that tumbles so fast and is stopped."""
    lean_rad = crowded_lean_rad(np.array([rim_mm_s / PIECE_RADIUS_MM]), NOTHING.lean_rad)
    return float(lean_rad[0]) / FREE_TUMBLING_S * PIECE_RADIUS_MM


STACK = puck_stack(2)


def fly(model=NOTHING, state=ALONG, direction=(0.0, 1.0), kick=(0.0, 0.0), aim_mm=0.0, **luck):
    scene = Scene(slammer=puckdex_slammer(8.0), stack=STACK, lift_off=model)
    throw = Throw(speed_mm_s=SPEED_MM_S, descent_rad=DESCENT_RAD, aim_x_mm=aim_mm)
    mean = luck_of(throw, 2)
    mean.kick[:, 1] = kick
    end = Impact(state=state, duration_s=LASTED_S)
    drawn = {
        name: np.array(value) if name in ("drift", "roll") else value
        for name, value in luck.items()
    }
    return lift_off(scene, throw, project(throw, direction, 0.0), end, replace(mean, **drawn))


def way(flight, piece=1):
    """Unit vector of a piece's own plane, x + i y."""
    return complex(np.exp(1j * flight.azimuth_rad[piece]))


def velocity_mm_s(flight, piece=1):
    """A piece's horizontal velocity, x + i y."""
    return complex(flight.state[piece, 3]) * way(flight, piece)


def rim_mm_s(flight, piece=1):
    """How fast the top of a piece's rim goes along its own plane by tumbling."""
    return -float(flight.state[piece, 5]) * PIECE_RADIUS_MM


def test_without_chance_a_puck_rises_as_in_the_plane_and_stays_above_its_place():
    flight = fly(kick=(1.0, 1.0), drift=(1.0, 0.0))
    assert flight.state[1, [1, 3, 4, 5]] == pytest.approx([9.0, 0.0, 900.0, 0.0])


def test_strength_multiplies_the_vertical_speeds_of_the_stack():
    flight = fly(replace(NOTHING, strength=-0.3), aim_mm=PIECE_RADIUS_MM)
    factor = math.exp(-0.3)
    assert flight.state[:, 4] == pytest.approx([300.0 * factor, 900.0 * factor, 500.0])


@pytest.mark.parametrize("turn_rad", [0.0, 1.0, -2.5])
def test_the_slammers_way_carries_pieces_along_whatever_the_plane(turn_rad):
    direction = (math.cos(turn_rad), math.sin(turn_rad))
    flight = fly(replace(NOTHING, carry=0.5), direction=direction)
    assert velocity_mm_s(flight) == pytest.approx(0.5 * math.tan(DESCENT_RAD) * SHARE * PACE_MM_S)


def test_of_a_throws_pieces_that_rise_alike_the_pace_is_the_same_however_fast_they_rise():
    slow = ALONG.copy()
    slow[:2, 4] /= 3
    ways = [fly(replace(NOTHING, drift=0.2), state, drift=(1.0, 0.0)) for state in (ALONG, slow)]
    assert velocity_mm_s(ways[0]) == pytest.approx(velocity_mm_s(ways[1]))


def test_what_all_pieces_get_and_what_each_gets_add_up_as_vectors():
    model = replace(NOTHING, drift=0.2, scatter=0.1, roll=0.7)
    flight = fly(model, kick=(1.0, -1.0), drift=(0.5, 1.5), roll=(-1.0, 0.4))
    common = 0.2 * stretched(0.5 + 1.5j, VELOCITY_TAIL)
    own = 0.1 * stretched(1 - 1j, SCATTER_TAIL)
    assert velocity_mm_s(flight, 0) == pytest.approx(PACE_MM_S * LOWEST_SHARE * common)
    assert velocity_mm_s(flight, 1) == pytest.approx(
        PACE_MM_S * (SHARE * common + INDIVIDUAL * own)
    )
    rolled = 0.7 * (-1.0 + 0.4j)
    assert abs(rim_mm_s(flight)) == pytest.approx(stopped_mm_s(UNIT_MM_S * abs(rolled)))
    assert rim_mm_s(flight) * (rolled * way(flight).conjugate()).real > 0


@pytest.mark.parametrize(("rolled", "rim_share"), [(0.5, 0.5), (1.0, 1.0), (3.0, 1.1)])
def test_the_lowest_piece_tips_about_its_rim_at_most(rolled, rim_share):
    """Then its rim is as fast as it rises, or a little faster if it leaves the floor."""
    flight = fly(replace(NOTHING, roll=0.7), roll=(rolled, 0.0))
    assert abs(rim_mm_s(flight, 0)) == pytest.approx(stopped_mm_s(rim_share * 300.0))


def test_pieces_lean_by_what_they_have_tumbled_since_the_shock():
    flight = fly(replace(NOTHING, roll=0.7), roll=(1.0, 0.0))
    lean = flight.state[:2, 2] - math.pi
    assert lean == pytest.approx(flight.state[:2, 5] * (LASTED_S - TUMBLING_SINCE_S))


def test_a_puck_that_has_come_apart_turns_evenly_to_what_free_flight_makes_of_it():
    model = replace(NOTHING, roll=0.7, twist=0.3)
    flight = fly(model, roll=(1.0, 0.0), twist=1.0)
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2), lift_off=model)
    throw = Throw(speed_mm_s=SPEED_MM_S)
    luck = replace(luck_of(throw, 2), twist=1.0)
    rims = np.array([330.0, 0.7 * UNIT_MM_S])
    apart = rotation_when_separated(scene, throw, luck, ALONG[:2, 4], rims)
    up_mm_s = 900.0 - GRAVITY_MM_S2 * flight.separated_s
    height_mm = 9.0 + (900.0 + up_mm_s) / 2 * flight.separated_s
    flown_s, touch_rad = fly_to_touch_down(apart, np.full(2, height_mm), np.full(2, up_mm_s))
    turned_rad = abs(flight.state[1, 2] - math.pi) + abs(flight.state[1, 5]) * flight.separated_s
    assert turned_rad == pytest.approx(apart.lean_rad[1])
    sense = math.copysign(1.0, flight.state[1, 5])
    assert turned_rad + sense * flight.swing_rad_s[1] * flown_s[1] == pytest.approx(touch_rad[1])


def test_a_puck_higher_than_its_radius_when_pieces_are_apart_rolls_when_it_comes_down():
    assert fly().high.tolist() == [False, True, False]


def test_what_is_high_and_the_slammer_meet_nothing_until_pieces_are_apart():
    flight = fly()
    assert flight.separated_s == pytest.approx(SEPARATED_S - LASTED_S)
    assert flight.free.tolist() == [False, True, True]


def test_the_slammer_keeps_its_motion_in_the_plane_and_its_speed_across():
    flight = fly(NOTHING)
    across = -SPEED_MM_S * math.sin(DESCENT_RAD)
    assert abs(flight.state[2, 3]) == pytest.approx(math.hypot(100.0, across))
    assert flight.state[2, [1, 2, 4, 5]] == pytest.approx([14.0, 0.1, 500.0, 5.0])


def test_a_slammer_that_goes_back_in_the_plane_has_a_negative_speed_on_a_forward_azimuth():
    """So the sense of its rotation, which belongs to that plane, stays right."""
    back = ALONG.copy()
    back[2, 3] *= -1
    flight = fly(NOTHING, back)
    across = SPEED_MM_S * math.sin(DESCENT_RAD)
    assert flight.state[2, 3] == pytest.approx(-math.hypot(100.0, across))
    assert velocity_mm_s(flight, 2).imag == pytest.approx(-100.0)


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
    roll=st.floats(0.0, 2.0),
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
    scene = Scene(slammer=puckdex_slammer(slammer_g), stack=STACK, lift_off=model)
    throw = Throw(speed_mm_s=SPEED_MM_S, descent_rad=descent_rad, luck=luck, aim_x_mm=aim_mm)
    state = ALONG * np.array([1.0, 1.0, 1.0, pace, pace, pace])
    state[-1, 3:] *= left
    plane = project(throw, (0.0, 1.0), 0.0)
    flight = lift_off(scene, throw, plane, Impact(state=state, duration_s=LASTED_S))
    left_nj = energy_nj(state, state[:, 5], scene, plane.speed_across_mm_s)
    for rate_rad_s in (flight.state[:, 5], flight.swing_rad_s):
        assert energy_nj(flight.state, rate_rad_s, scene) <= left_nj * (1 + 1e-9)


def test_what_pieces_have_more_than_in_the_plane_the_slammer_has_less():
    flight = fly(replace(NOTHING, strength=1.0), aim_mm=30.0)
    assert flight.state[:2, 4] == pytest.approx(math.e * ALONG[:2, 4])
    across_mm_s = SPEED_MM_S * math.sin(DESCENT_RAD)
    scene = Scene(slammer=puckdex_slammer(8.0), stack=STACK)
    left_nj = energy_nj(ALONG, ALONG[:, 5], scene, across_mm_s)
    rate_rad_s = np.maximum(abs(flight.state[:, 5]), abs(flight.swing_rad_s))
    assert energy_nj(flight.state, rate_rad_s, scene) == pytest.approx(left_nj)
    assert 0 < flight.state[2, 4] < ALONG[2, 4]


def test_pieces_that_are_carried_along_tumble_forwards():
    flight = fly(replace(NOTHING, carry=0.5))
    speed_mm_s = abs(velocity_mm_s(flight))
    assert speed_mm_s > 0
    assert rim_mm_s(flight) == pytest.approx(stopped_mm_s(speed_mm_s / 2))
