"""Throws by hand: their settings, the throw and the scene made of them, and the log of them."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.calibration.throws.log import read_throws, throws_log
from pucklab.physics import (
    MATERIALS,
    InputError,
    Puck,
    Slammer,
    knock_out_stack,
    own_piece,
    puckdex_slammer,
    slam,
)
from pucklab.physics.thrower import face_normal
from pucklab.sim.odds.study import run_again, throw_again
from pucklab.sim.scene.hand_throw import (
    SETTINGS,
    HandThrow,
    hand_for,
    scene_of,
    set_to,
    study_of,
    throw_of,
)
from tests.slamwindows import SEED, study


def make_throw(hand, number):
    own = study_of(hand, study())
    throw = throw_again(throw_of(hand), own.throw(SEED, number))
    return own.scene, throw, slam(own.scene, throw, engine=own.engine).outcome


def test_a_throw_begins_like_the_thrower_of_the_study():
    assert hand_for(study()) == HandThrow(
        speed_m_s=5.0, descent_deg=15.0, slammer_g=8.0, pucks=4, scatter_mm=12.0
    )


@given(value=st.floats(-1000, 1000), setting=st.sampled_from(SETTINGS))
def test_a_setting_is_kept_to_its_range_and_step(value, setting):
    number = getattr(set_to(HandThrow(), setting, value), setting.name)
    assert setting.low <= number <= setting.high
    assert number / setting.step == pytest.approx(round(number / setting.step), abs=1e-6)


@pytest.mark.parametrize("towards_deg", [-180.0, -90.0, 0.0, 30.0, 90.0])
def test_the_low_side_points_where_it_is_set_to(towards_deg):
    throw = throw_of(HandThrow(tilt_deg=30.0, tilt_to_deg=towards_deg))
    x, y, _ = face_normal(throw)
    wanted = math.radians(towards_deg)
    assert (x, y) == pytest.approx((0.5 * math.cos(wanted), 0.5 * math.sin(wanted)))


def test_what_is_thrown_is_as_set():
    scene = scene_of(HandThrow(slammer_g=20.0, pucks=6), study())
    assert scene.slammer.mass_g == 20.0
    assert len(scene.stack) == 6
    lone = scene_of(HandThrow(), study()).stack[:1]
    assert lone == study().scene.stack[:1]


def test_the_same_hand_throw_again_has_new_luck_and_the_same_luck_another_time():
    (_, first, _), (_, second, _), (_, again, _) = (
        make_throw(HandThrow(pucks=2, scatter_mm=8.0), number) for number in (0, 1, 0)
    )
    assert first == again
    assert first.luck != second.luck
    assert first.aim_x_mm != second.aim_x_mm
    assert first.speed_mm_s == second.speed_mm_s


def test_a_thousand_throws_are_the_next_throws_of_the_same_hand():
    """The odds count the throws that the hand itself would make, with their scatter and luck."""
    hand = HandThrow(pucks=2, scatter_mm=12.0)
    tally = run_again(study_of(hand, study()), throw_of(hand), SEED, 0, 5)
    flips = [len(make_throw(hand, number)[2].flipped) for number in range(5)]
    assert sum(k * count for k, count in enumerate(tally.flips)) == sum(flips)


def test_throws_by_hand_become_a_log_that_calibration_reads():
    own = [make_throw(HandThrow(pucks=1, aim_x_mm=float(n)), n) for n in range(20)]
    throws = read_throws(throws_log(own), "throws.csv")
    assert [throw.flipped for throw in throws] == [len(outcome.flipped) for *_, outcome in own]
    assert [throw.out for throw in throws] == [len(outcome.out) for *_, outcome in own]
    assert {throw.speed_mm_s for throw in throws} == {5000.0}


def test_a_throw_at_a_lone_slammer_has_no_log():
    scene, throw, outcome = make_throw(HandThrow(pucks=1), 0)
    lone = knock_out_stack(puckdex_slammer(8.0), shields=0)
    with pytest.raises(InputError, match="lone slammer"):
        throws_log([(type(scene)(slammer=scene.slammer, stack=lone), throw, outcome)])


def test_a_throw_by_hand_throws_the_pieces_of_its_scene():
    pucks = tuple(Puck(mass_g=mass) for mass in (1.0, 2.0, 1.0, 2.0))
    brass = own_piece(Slammer, mass_g=30.6, diameter_mm=43.0, material=MATERIALS["brass"])
    scene = replace(study().scene, stack=pucks, slammer=brass)
    own = replace(study(), scene=scene)
    hand = hand_for(own)
    assert scene_of(hand, own) == scene
    assert scene_of(replace(hand, pucks=3), own).stack == pucks[:3]
    masses = [puck.mass_g for puck in scene_of(replace(hand, pucks=7), own).stack]
    assert masses == [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0]
    for slammer_g in (24.0, 2.0):  # thinner; and lighter than brass can be so wide
        slammer = scene_of(replace(hand, slammer_g=slammer_g), own).slammer
        assert (slammer.mass_g, slammer.diameter_mm) == (slammer_g, 43.0)
        assert slammer.material == MATERIALS["brass"]
