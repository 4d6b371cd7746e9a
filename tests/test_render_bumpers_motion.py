"""Animated moves: the place of every piece at any time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.bumpers import moment_of
from render.bumpers.board import Moment, PiecePose, Point
from render.bumpers.motion import MATS_S, Motion, final_moment, moment_at, motion_of
from sim.bumpers import Move, Position, legal_moves, parse_move, parse_position, play
from tests.bumpersboards import GOAL_9, position

CLASSIC = parse_position(
    "pb1:classic:RPc3e2i5l9.RIb5n14.RMa8h12.OPc5e6.OIi2.YPj13k5.YMl11.GPo4p10.GIm8."
    "BPd12f14.BMg3.VPb14h15.VIk16:-:R:-"
)


def motion(start: Position, move: str) -> Motion:
    after, change = play(start, parse_move(start, move))
    return motion_of(start, after, change.movements)


def piece_at(moment: Moment, code: str) -> PiecePose | None:
    return next((pose for pose in moment.pieces if pose.piece.code == code), None)


def middle(moment: Moment, code: str) -> Point:
    pose = piece_at(moment, code)
    assert pose is not None
    return pose.middle


def test_a_puck_slides_until_it_hits_the_next_and_only_then_that_one_sets_out() -> None:
    moved = motion(position("RPa1.BPd1"), "a1E")
    first, second = moved.slides
    assert second.begin_s == first.end_s
    early, late = (moment_at(moved, t) for t in (first.end_s / 2, second.end_s - 0.01))
    assert middle(early, "RP") == pytest.approx((1.5, 8.5))
    assert middle(early, "BP") == (3.5, 8.5)
    assert middle(late, "RP") == (2.5, 8.5)
    assert middle(late, "BP")[0] > 8.0


def test_a_meeple_follows_what_it_bumps_at_once() -> None:
    moved = motion(position("RMa1.BPb1"), "a1E")
    early = moment_at(moved, 0.1)
    assert middle(early, "RM")[0] > 0.5
    assert middle(early, "BP")[0] > 1.5


def test_a_scored_puck_shrinks_in_the_goal_and_is_gone() -> None:
    moved = motion(position("RPe1", mat=GOAL_9), "e1N")
    (slide,) = moved.slides
    shrinking = piece_at(moment_at(moved, slide.end_s + 0.1), "RP")
    assert shrinking is not None
    assert shrinking.middle == (4.5, 3.5)
    assert 0 < shrinking.size < 1
    assert piece_at(moment_at(moved, moved.duration_s), "RP") is None


def test_a_turning_mat_takes_its_pieces_along() -> None:
    start = parse_position("pb1:X1.B1:RPa1.BPf1:-:R:mats=X1/..../..../..../....:-")
    moved = motion(start, "T:X1+90")
    half = moment_at(moved, MATS_S / 2)
    assert [mat.is_lifted for mat in half.mats] == [False, True]
    assert half.mats[1].quarters == pytest.approx(0.5)
    assert middle(half, "RP") == pytest.approx((2 - 1.5 * 2**0.5, 2.0))
    assert middle(half, "BP") == (5.5, 3.5)
    assert middle(moment_at(moved, MATS_S), "RP") == (0.5, 0.5)


def test_a_mat_turns_the_short_way() -> None:
    start = parse_position("pb1:X1:RPa1:-:R:mats=X1/..../..../..../....:-")
    assert moment_at(motion(start, "T:X1+270"), MATS_S / 2).mats[0].quarters == -0.5


def test_a_board_that_grows_to_the_north_stays_where_it_is() -> None:
    start = parse_position("pb1:B1.B2.B3:RPa1:-:R:-")
    moved = motion(start, "H:B3,B1.N")
    assert moved.origin_after == (-1, 0)
    before, after = moment_of(start), moment_at(moved, moved.duration_s)
    assert after.mats[0].middle == before.mats[0].middle
    assert after.mats[2].middle == (2.0, -2.0)
    assert middle(after, "RP") == (0.5, 3.5)


def test_two_mats_change_places() -> None:
    moved = motion(parse_position("pb1:B1.B2.B3:RPa1:-:R:-"), "S:B1,B2")
    half = moment_at(moved, MATS_S / 2)
    assert half.mats[0].middle == half.mats[1].middle == (4.0, 2.0)
    assert not half.mats[2].is_lifted


def test_the_final_moment_shows_what_moved_and_its_trail() -> None:
    slid = final_moment(motion(position("RPa1.BPd1"), "a1E"))
    assert slid.trails == (((0.5, 8.5), (2.5, 8.5)), ((3.5, 8.5), (8.5, 8.5)))
    turned = final_moment(motion(parse_position("pb1:B1.B2.B3:RPa1:-:R:-"), "T:B2+90"))
    assert (turned.trails, turned.moved) == ((), frozenset({1}))


@given(move=st.sampled_from(legal_moves(CLASSIC, mats=True)))
def test_every_move_begins_and_ends_at_its_positions_without_jumps(move: Move) -> None:
    after, change = play(CLASSIC, move)
    moved = motion_of(CLASSIC, after, change.movements)
    start = moment_of(CLASSIC)
    assert all(_is_near(*pair) for pair in _pairs(moment_at(moved, 0.0), start))
    end = moment_of(after, moved.origin_after)
    assert moment_at(moved, moved.duration_s) == end
    almost = [pose.middle for pose in moment_at(moved, moved.duration_s - 1e-9).pieces]
    for pose in end.pieces:
        assert any(_is_near(pose.middle, place) for place in almost)


def _pairs(first: Moment, second: Moment) -> list[tuple[Point, Point]]:
    return [(a.middle, b.middle) for a, b in zip(first.pieces, second.pieces, strict=True)]


def _is_near(first: Point, second: Point) -> bool:
    return math.dist(first, second) < 1e-4
