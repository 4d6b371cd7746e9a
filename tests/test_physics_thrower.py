"""The thrower: what is drawn, and from what."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pucklab.base.errors import parameters
from pucklab.physics import (
    InputError,
    SampleRate,
    Scene,
    Throw,
    ThrowDistribution,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from tests.refusals import refused
from tests.tables import cases, toml

MANY = 4000


def draw_many(thrower):
    return [draw_throw(thrower, 1, trial_generator(11, i)) for i in range(MANY)]


def test_the_same_trial_is_the_same_throw():
    first = draw_throw(ThrowDistribution(), 10, trial_generator(5, 3))
    assert first == draw_throw(ThrowDistribution(), 10, trial_generator(5, 3))
    assert first != draw_throw(ThrowDistribution(), 10, trial_generator(5, 4))
    assert first != draw_throw(ThrowDistribution(), 10, trial_generator(6, 3))


def test_stacks_of_any_height_share_the_throw_and_the_lower_pieces_chances():
    low = draw_throw(ThrowDistribution(), 3, trial_generator(5, 0))
    high = draw_throw(ThrowDistribution(), 29, trial_generator(5, 0))
    assert replace(high, jitter_mm=high.jitter_mm[:3]) == low


def test_throws_have_the_distribution_asked_for():
    throws = draw_many(ThrowDistribution())
    error = 4 / math.sqrt(MANY)
    aim = np.array([throw.aim_x_mm for throw in throws])
    assert aim.mean() == pytest.approx(0.0, abs=12.0 * error)
    assert aim.std() == pytest.approx(12.0, rel=error)
    tilt = np.degrees([throw.tilt_rad for throw in throws])
    assert tilt.mean() == pytest.approx(15.0 * math.sqrt(2 / math.pi), rel=error)
    assert 0.0 <= tilt.min() <= tilt.max() <= 60.0
    descent = np.degrees([throw.descent_rad for throw in throws])
    assert descent.mean() == pytest.approx(15.0, rel=error)
    assert 0.0 <= descent.min() <= descent.max() <= 30.0
    spin = np.array([throw.rate_z_rad_s for throw in throws])
    assert spin.std() == pytest.approx(20.0, rel=error)


def test_a_thrower_without_spread_throws_the_same_every_time():
    still = ThrowDistribution(
        aim_sd_mm=0.0,
        descent_max_deg=0.0,
        tilt_sd_deg=0.0,
        tumble_sd_rad_s=0.0,
        spin_sd_rad_s=0.0,
        stack_jitter_sd_mm=0.0,
    )
    throw = draw_throw(still, 2, trial_generator(1, 1))
    assert (throw.aim_x_mm, throw.tilt_rad, throw.descent_rad) == (0.0, 0.0, 0.0)
    assert throw.jitter_mm == ((0.0, 0.0),) * 2


def test_every_number_of_the_thrower_has_a_unit_a_range_and_a_source():
    for name, note in parameters(ThrowDistribution).items():
        assert note.low < note.high, name
        assert note.unit, name
        assert note.source, name


@cases(
    "field value",
    """
    "speed_mm_s" => 0.0
    "speed_mm_s" => 20000.0
    "speed_mm_s" => nan
    "aim_sd_mm" => -1.0
    "tilt_sd_deg" => 90.0
    "descent_max_deg" => 80.0
    "stack_jitter_sd_mm" => inf
    """,
    toml,
)
def test_a_thrower_that_cannot_be_is_refused(field, value):
    with pytest.raises(InputError, match=rf"^{field}: .* give a number from"):
        ThrowDistribution(**{field: value})


def test_a_descent_that_runs_backwards_is_refused():
    refused(
        ThrowDistribution,
        descent_min_deg=40.0,
        said="^descent_min_deg: 40.0 ... at most descent_max_deg, 30",
    )


QUARTER = math.pi / 2


def turned_by_a_quarter(throw):
    """Return a throw with everything in it turned about the vertical by a quarter turn."""
    return replace(
        throw,
        aim_x_mm=-throw.aim_y_mm,
        aim_y_mm=throw.aim_x_mm,
        tilt_azimuth_rad=throw.tilt_azimuth_rad + QUARTER,
        rate_x_rad_s=-throw.rate_y_rad_s,
        rate_y_rad_s=throw.rate_x_rad_s,
        direction_rad=throw.direction_rad + QUARTER,
    )


@pytest.mark.parametrize(
    ("engine", "quarters", "early_s", "same_mm"),
    # The discs of the stack are not turned. A half turn puts the solid engine's contact points in
    # each other's places, a quarter does not for a ring of six: that shows from 3 ms on.
    [
        ("plane", 1, 0.02, 0.01),
        ("plane", 2, 0.02, 0.01),
        ("solid", 1, 0.003, 0.05),
        ("solid", 2, 0.02, 0.01),
    ],
)
@pytest.mark.parametrize("aim_mm", [(9.0, 5.0), (60.0, 3.0)])
def test_a_throw_turned_gives_the_slam_turned(engine, quarters, early_s, same_mm, aim_mm):
    """The box is square, so nothing but rounding may depend on the direction; (60, 3) misses."""
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(3))
    throw = Throw(
        speed_mm_s=4000.0,
        aim_x_mm=aim_mm[0],
        aim_y_mm=aim_mm[1],
        descent_rad=0.4,
        tilt_rad=0.2,
        tilt_azimuth_rad=0.7,
        rate_x_rad_s=3.0,
    )
    own = slam(scene, throw, SampleRate(), engine).recording
    early = own.time_s < early_s
    expected = own.top_mm[early]
    for _ in range(quarters):
        throw = turned_by_a_quarter(throw)
        expected = np.stack((-expected[..., 1], expected[..., 0]), axis=-1)
    turned = slam(scene, throw, SampleRate(), engine).recording
    assert turned.top_mm[: early.sum()] == pytest.approx(expected, abs=same_mm)
    assert turned.height_mm[: early.sum()] == pytest.approx(own.height_mm[early], abs=same_mm)


def test_the_direction_of_a_thrower_is_that_of_all_throws():
    thrower = ThrowDistribution(direction_deg=-30.0)
    throw = draw_throw(thrower, 2, trial_generator(1, 1))
    assert throw.heading == pytest.approx((math.cos(math.pi / 6), -0.5))
    assert replace(throw, direction_rad=0.0) == draw_throw(
        ThrowDistribution(), 2, trial_generator(1, 1)
    )
