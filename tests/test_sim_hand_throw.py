"""Throws as a person aims them: their settings, and the throw made of them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.physics.thrower import face_normal
from pucklab.sim.odds.study import throw_again
from pucklab.sim.scene.hand_throw import SETTINGS, AimedThrow, set_to, throw_of
from tests.slamwindows import SEED, study


@given(value=st.floats(-1000, 1000), setting=st.sampled_from(SETTINGS))
def test_a_setting_is_kept_to_its_range_and_step(value, setting):
    number = getattr(set_to(AimedThrow(), setting, value), setting.name)
    assert setting.low <= number <= setting.high
    assert number / setting.step == pytest.approx(round(number / setting.step), abs=1e-6)


@pytest.mark.parametrize("towards_deg", [-180.0, -90.0, 0.0, 30.0, 90.0])
def test_the_low_side_points_where_it_is_set_to(towards_deg):
    throw = throw_of(AimedThrow(tilt_deg=30.0, tilt_to_deg=towards_deg))
    x, y, _ = face_normal(throw)
    wanted = math.radians(towards_deg)
    assert (x, y) == pytest.approx((0.5 * math.cos(wanted), 0.5 * math.sin(wanted)))


def test_the_same_aim_again_has_new_luck_and_the_same_luck_another_time():
    first, second, again = (
        throw_again(throw_of(AimedThrow()), study().throw(SEED, number)) for number in (0, 1, 0)
    )
    assert first == again
    assert first.luck != second.luck
    assert first.aim_x_mm != second.aim_x_mm
    assert first.speed_mm_s == second.speed_mm_s
