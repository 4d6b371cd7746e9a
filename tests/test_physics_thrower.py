"""The thrower: what is drawn, and from what."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics import InputError, Throw, ThrowDistribution, draw_throw, trial_generator
from physics.errors import parameters

MANY = 4000


def draw_many(thrower: ThrowDistribution) -> list[Throw]:
    return [draw_throw(thrower, 1, trial_generator(11, i)) for i in range(MANY)]


def test_the_same_trial_is_the_same_throw() -> None:
    first = draw_throw(ThrowDistribution(), 10, trial_generator(5, 3))
    assert first == draw_throw(ThrowDistribution(), 10, trial_generator(5, 3))
    assert first != draw_throw(ThrowDistribution(), 10, trial_generator(5, 4))
    assert first != draw_throw(ThrowDistribution(), 10, trial_generator(6, 3))


def test_stacks_of_any_height_share_the_throw_and_the_lower_pieces_chances() -> None:
    low = draw_throw(ThrowDistribution(), 3, trial_generator(5, 0))
    high = draw_throw(ThrowDistribution(), 29, trial_generator(5, 0))
    assert replace(high, chances=high.chances[:3]) == low


def test_throws_have_the_distribution_asked_for() -> None:
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


def test_a_thrower_without_spread_throws_the_same_every_time() -> None:
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
    assert throw.chances[0].jitter_x_mm == 0.0


def test_every_number_of_the_thrower_has_a_unit_a_range_and_a_source() -> None:
    for name, note in parameters(ThrowDistribution).items():
        assert note.low < note.high, name
        assert note.unit, name
        assert note.source, name


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("speed_mm_s", 0.0),
        ("speed_mm_s", 20_000.0),
        ("speed_mm_s", math.nan),
        ("aim_sd_mm", -1.0),
        ("tilt_sd_deg", 90.0),
        ("descent_max_deg", 80.0),
        ("stack_jitter_sd_mm", math.inf),
    ],
)
def test_a_thrower_that_cannot_be_is_refused(field: str, value: float) -> None:
    with pytest.raises(InputError, match=rf"^{field}: .* give a number from"):
        ThrowDistribution(**{field: value})


def test_a_descent_that_runs_backwards_is_refused() -> None:
    with pytest.raises(InputError, match=r"^descent_min_deg: 40.0 .* at most descent_max_deg, 30"):
        ThrowDistribution(descent_min_deg=40.0)
