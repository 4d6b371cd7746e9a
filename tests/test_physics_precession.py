"""Free flight of discs: the closed form against mechanics."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from physics.materials import GRAVITY_MM_S2
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import DiscRotation, fly_to_touch_down, lean_after

rates = st.floats(-80.0, 80.0)


def turning(lean, onward, sideways=0.0, spin=0.0):
    return DiscRotation(
        lean_rad=np.array([lean]),
        lean_rate_rad_s=np.array([onward]),
        precession_rate_rad_s=np.array([sideways]),
        spin_rad_s=np.array([spin]),
    )


def leans(start, flown_s):
    return float(lean_after(start, np.array([flown_s]))[0])


def integrated(start, flown_s):
    """The same by the law of angular momentum: the axis follows the angular velocity."""
    lean, onward, sideways, spin = (
        float(values[0])
        for values in (
            start.lean_rad,
            start.lean_rate_rad_s,
            start.precession_rate_rad_s,
            start.spin_rad_s,
        )
    )
    axis = np.array([math.sin(lean), 0.0, -math.cos(lean)])
    moving = onward * np.array([math.cos(lean), 0.0, math.sin(lean)]) + (0.0, sideways, 0.0)
    momentum = np.cross(axis, moving) + 2 * spin * axis

    def along(_, now):
        about_axis = now @ momentum / 2
        rate = momentum - 2 * about_axis * now + about_axis * now
        return np.cross(rate, now)

    end = solve_ivp(along, (0.0, flown_s), axis, rtol=1e-9, atol=1e-10).y[:, -1]
    return math.acos(-max(-1.0, min(1.0, float(end[2]))))


@settings(max_examples=25)
@given(
    lean=st.floats(0.0, 3.1), onward=rates, sideways=rates, spin=rates, flown=st.floats(0.01, 0.3)
)
def test_a_disc_turns_as_the_law_of_angular_momentum_has_it(lean, onward, sideways, spin, flown):
    start = turning(lean, onward, sideways, spin)
    assert math.cos(leans(start, flown)) == pytest.approx(
        math.cos(integrated(start, flown)), abs=1e-5
    )


def test_a_disc_that_does_not_spin_turns_evenly():
    assert leans(turning(0.5, 10.0), 0.1) == pytest.approx(1.5)


@given(spin=st.floats(1.0, 100.0), flown=st.floats(0.0, 1.0))
def test_a_flat_disc_leans_at_most_twice_as_far_as_what_it_goes_round(spin, flown):
    assert leans(turning(0.0, 20.0, spin=spin), flown) <= 2 * math.atan2(20.0, 2 * spin) + 1e-6


@given(lean=st.floats(0.0, 3.1), onward=rates, sideways=rates, spin=rates)
def test_a_mirror_image_leans_alike(lean, onward, sideways, spin):
    image = turning(lean, onward, -sideways, -spin)
    assert leans(turning(lean, onward, sideways, spin), 0.2) == pytest.approx(leans(image, 0.2))


@given(
    height=st.floats(25.0, 200.0),
    up=st.floats(-500.0, 3000.0),
    onward=st.floats(-10.0, 10.0),
    spin=st.floats(-10.0, 10.0),
)
def test_a_disc_touches_the_floor_with_its_rim(height, up, onward, spin):
    """To 5 mm: the way down takes as long whether the rim reaches a little more or less."""
    time_s, lean = fly_to_touch_down(
        turning(1.0, onward, spin=spin), np.array([height]), np.array([up])
    )
    middle_mm = height + up * time_s[0] - GRAVITY_MM_S2 * time_s[0] ** 2 / 2
    if time_s[0] > 0.02:
        assert middle_mm == pytest.approx(PIECE_RADIUS_MM * math.sin(lean[0]), abs=5.0)


def test_a_disc_that_lies_on_the_floor_has_come_down():
    time_s, lean = fly_to_touch_down(turning(0.1, 5.0), np.array([1.0]), np.array([-100.0]))
    assert time_s[0] == pytest.approx(1e-3)
    assert lean[0] == pytest.approx(0.1, abs=0.01)
