"""Pieces that come back from walls, and the way that sends them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.plane.settle import WallWatch, mirrored_mm

WALLS_MM = [[-150.0, 150.0]]


def row(way_mm, speed_mm_s):
    return [[way_mm, 10.0, 0.0, speed_mm_s, 0.0, 0.0]]


def seen(*looks):
    """Return the turns of a piece that is seen at times, ways and speeds."""
    (first_s, way_mm, speed_mm_s), *others = looks
    watch = WallWatch(first_s, row(way_mm, speed_mm_s), WALLS_MM)
    for time_s, way_mm, speed_mm_s in others:
        watch.look(time_s, row(way_mm, speed_mm_s))
    return watch.turns_in_box()[0]


@pytest.mark.parametrize("side", [1, -1])
def test_a_piece_turns_where_its_ways_before_and_after_meet(side):
    # From 0 to 140 mm at 1000 mm/s, and back at 500 mm/s for the .06 s that are left.
    (turn,) = seen((0.0, 0.0, side * 1000.0), (0.2, side * 110.0, -side * 500.0))
    assert turn.way_mm == pytest.approx(side * 140.0)
    assert (turn.after_s, turn.before_s, turn.onwards) == (0.0, 0.2, side)


def test_a_piece_that_another_sends_back_has_met_no_wall():
    assert seen((0.0, 0.0, 1000.0), (0.1, 20.0, -500.0)) == ()


def test_a_piece_that_goes_on_has_not_turned():
    assert seen((0.0, 0.0, 1000.0), (0.1, 100.0, 900.0), (0.2, 129.0, 0.0)) == ()


def test_a_piece_turns_inside_its_wall_also_where_friction_has_slowed_it():
    (turn,) = seen((0.0, 100.0, 900.0), (0.1, 145.0, -100.0))
    assert turn.way_mm == pytest.approx(149.2)


def test_a_piece_that_bounced_off_a_wall_and_left_the_arena_has_no_turns():
    assert seen((0.0, 0.0, 1000.0), (0.2, 110.0, -500.0), (1.0, -220.0, -300.0)) == ()


def test_a_piece_may_turn_twice():
    looks = (0.0, 0.0, 2000.0), (0.1, 110.0, -1000.0), (0.4, -130.0, 200.0)
    assert [turn.onwards for turn in seen(*looks)] == [1, -1]


directions = st.floats(-math.pi, math.pi).map(lambda a: (math.cos(a), math.sin(a)))
starts = st.tuples(st.floats(-40.0, 40.0), st.floats(-40.0, 40.0)).map(np.array)
OVER = np.array([True])


@given(start=starts, along=directions, turned=st.floats(60.0, 180.0), back=st.floats(0.0, 300.0))
def test_a_piece_that_was_sent_back_stays_inside(start, along, turned, back):
    met = np.abs(start + turned * np.array(along)).max()
    there = mirrored_mm(start, along, np.array([turned - back]), [(OVER, turned)])
    assert np.abs(there).max() <= met * (1 + 1e-12)


@given(start=starts, along=directions, turned=st.floats(60.0, 180.0))
def test_at_the_wall_the_way_there_and_the_way_back_meet(start, along, turned):
    way = np.array([turned, turned])
    there, back = mirrored_mm(start, along, way, [(np.array([False, True]), turned)])
    assert there == pytest.approx(start + turned * np.array(along))
    assert back == pytest.approx(there)


def test_a_head_on_piece_comes_back_along_its_own_line():
    there = mirrored_mm(np.array([5.0, 7.0]), (0.0, -1.0), np.array([60.0]), [(OVER, 120.0)])
    assert there[0] == pytest.approx([5.0, -53.0])


@given(start=starts, along=directions, turned=st.floats(60.0, 180.0), back=st.floats(0.0, 300.0))
def test_the_mirror_image_of_a_start_and_way_gives_the_mirror_image(start, along, turned, back):
    way, image = np.array([turned - back]), np.array([1.0, -1.0])
    there = mirrored_mm(start, along, way, [(OVER, turned)])
    other = mirrored_mm(start * image, (along[0], -along[1]), way, [(OVER, turned)])
    assert other == pytest.approx(there * image, abs=1e-9)


def test_a_piece_that_turned_twice_goes_on_along_the_zigzag():
    """Between walls 100 mm from the middle: 30 past the second turn is 30 past the third wall."""
    along = (math.cos(0.3), math.sin(0.3))
    turned = 100 / along[0]
    way = np.array([-turned + 30.0])
    there = mirrored_mm(np.zeros(2), along, way, [(OVER, turned), (OVER, -turned)])
    assert there[0] == pytest.approx([-100 + 30 * along[0], 200 - (3 * turned + 30) * along[1]])
