"""The plane's laws of flight: figures of the solid engine, invariants, and free discs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from pucklab.physics import Throw
from pucklab.physics.materials import GRAVITY_MM_S2
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.plane.flight_laws import (
    DiscRotation,
    fly_to_touch_down,
    horizontal_share,
    individual_scatter,
    lean_after,
    lean_rate,
    lean_reduction,
    precession_rate,
    t_distributed,
)
from tests.scenes import stack_scene

SCENE = stack_scene(8.0, 10)
THROW = Throw(speed_mm_s=5000.0)
RISING = np.full(10, 1000.0)

MEASURED = (
    # Spin or relative speed, the value in the solid engine, and how well the law meets it.
    *(
        (lean_rate, s, v, 0.03)
        for s, v in ((0.015, 0.093), (0.15, 0.026), (0.29, -0.1), (0.5, -0.18))
    ),
    *(
        (lean_reduction, s, v, 0.13)
        for s, v in ((0.15, 1.06), (0.29, 1.25), (0.39, 1.6), (0.52, 2.1))
    ),
    *(
        (precession_rate, s, -v, 0.02)
        for s, v in ((0.015, 0.03), (0.1, 0.14), (0.21, 0.28), (0.5, 0.29))
    ),
    *((horizontal_share, s, v, 0.16) for s, v in ((0.4, 0.5), (0.8, 0.9), (1.2, 1.0), (2.1, 1.3))),
    *((individual_scatter, s, v, 0.11) for s, v in ((0.5, 1.0), (1.3, 1.0), (1.8, 1.5))),
)


@pytest.mark.parametrize(("law", "at", "value", "error"), MEASURED)
def test_a_law_meets_the_figures_of_the_solid_engine(law, at, value, error):
    assert float(law(np.array([at]))[0]) == pytest.approx(value, abs=error)


@pytest.mark.parametrize("tail", [3.0, 8.0])
def test_long_tailed_vectors_have_the_lengths_of_a_t_distribution_and_their_directions(tail):
    """Of its radius: P(R > r) = (1 + r2 / tail) ** (-tail / 2), in the plane."""
    normal = np.random.default_rng(5).standard_normal((2, 40_000))
    long = t_distributed(normal[0], normal[1], tail)
    assert np.abs(normal[0] * long[1] - normal[1] * long[0]).max() < 1e-9 * np.abs(long).max()
    for length in (0.5, 1.5, 4.0):
        beyond = (1 + length**2 / tail) ** (-tail / 2)
        error = math.sqrt(beyond * (1 - beyond) / 40_000)
        assert np.mean(np.hypot(*long) > length) == pytest.approx(beyond, abs=4 * error)


rates = st.floats(-80.0, 80.0)


def turning(lean, onward, sideways=0.0, spin=0.0):
    return DiscRotation(
        lean_rad=np.array([lean]),
        lean_rate_rad_s=np.array([onward]),
        precession_rate_rad_s=np.array([sideways]),
        spin_rad_s=np.array([spin]),
    )


def integrated_cosine(lean, onward, sideways, spin, flown_s):
    """By the law of angular momentum: the axis follows the angular velocity."""
    axis = np.array([math.sin(lean), 0.0, -math.cos(lean)])
    moving = onward * np.array([math.cos(lean), 0.0, math.sin(lean)]) + (0.0, sideways, 0.0)
    momentum = np.cross(axis, moving) + 2 * spin * axis

    def along(_, now):
        return np.cross(momentum - now @ momentum / 2 * now, now)

    return -solve_ivp(along, (0.0, flown_s), axis, rtol=1e-9, atol=1e-10).y[2, -1]


@settings(max_examples=25)
@given(
    lean=st.floats(0.0, 3.1), onward=rates, sideways=rates, spin=rates, flown=st.floats(0.01, 0.3)
)
def test_a_disc_turns_as_the_law_of_angular_momentum_has_it(lean, onward, sideways, spin, flown):
    (after,) = lean_after(turning(lean, onward, sideways, spin), np.array([flown]))
    expected = integrated_cosine(lean, onward, sideways, spin, flown)
    assert math.cos(after) == pytest.approx(expected, abs=1e-5)


@given(
    height=st.floats(25.0, 200.0),
    up=st.floats(-500.0, 3000.0),
    onward=st.floats(-10.0, 10.0),
    spin=st.floats(-10.0, 10.0),
)
def test_a_disc_touches_the_floor_with_its_rim(height, up, onward, spin):
    """To 5 mm: the way down takes as long whether the rim reaches a little more or less."""
    start = turning(1.0, onward, spin=spin)
    (time_s,), (lean,) = fly_to_touch_down(start, np.array([height]), np.array([up]))
    middle_mm = height + up * time_s - GRAVITY_MM_S2 * time_s**2 / 2
    if time_s > 0.02:
        assert middle_mm == pytest.approx(PIECE_RADIUS_MM * math.sin(lean), abs=5.0)
