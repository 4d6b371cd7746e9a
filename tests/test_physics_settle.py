"""Settling: what meets what, and where pieces come back from walls."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics import Puck, Scene, puck_stack, puckdex_slammer
from physics.plane.lift_off import Flight
from physics.plane.settle import _at_rest, settle
from physics.plane.world import Trace

SLAMMER = puckdex_slammer(8.0)
HALF_SIDE_MM = 152.4


SEPARATED_S = 0.06


def flight_of(*rows, azimuth_rad=0.0, free=(), swing_rad_s=0.0):
    """Pieces that begin above the middle of the arena."""
    state = np.array(rows)
    frees = np.isin(np.arange(len(rows)), free)
    return Flight(
        state=state,
        azimuth_rad=np.full(len(rows), azimuth_rad),
        start_mm=np.zeros((len(rows), 2)),
        high=frees & (np.arange(len(rows)) < len(rows) - 1),
        separated_s=SEPARATED_S,
        free=frees,
        swing_rad_s=np.full(len(rows), swing_rad_s),
    )


def meeting(free, trace, swing_rad_s=0.0):
    """Settle two pucks, with a slammer that comes down on the upper one halfway."""
    scene = Scene(slammer=SLAMMER, stack=puck_stack(2))
    flight = flight_of(
        (0.0, 20.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 60.0, 0.0, 0.0, 900.0, 0.0),
        (0.0, 68.0, 0.0, 0.0, -900.0, 0.0),
        free=free,
        swing_rad_s=swing_rad_s,
    )
    settle(scene, (*scene.stack, SLAMMER), flight, trace)


def upward_mm_s(free):
    """How fast the upper puck of that rises, gravity left out, when it should have met it."""
    trace = Trace(interval_s=0.024)
    meeting(free, trace)
    return float(trace.states[1][1, 4]) + 9810.0 * trace.time_s[1]


def test_a_slammer_in_the_midst_of_free_pieces_does_not_knock_them_about():
    assert upward_mm_s(free=(1, 2)) == pytest.approx(900.0, abs=1.0)


def test_pieces_that_are_not_free_meet_at_once():
    assert upward_mm_s(free=()) < 600.0


def test_free_pieces_turn_on_as_foretold_once_they_have_come_apart():
    trace = Trace(interval_s=0.012)
    meeting((1, 2), trace, swing_rad_s=7.0)
    rates = {round(t, 3): s[1, 5] for t, s in zip(trace.time_s, trace.states, strict=True)}
    assert rates[0.048] == pytest.approx(0.0)
    assert rates[0.072] == pytest.approx(7.0)


def test_free_pieces_meet_others_once_they_have_come_apart():
    scene = Scene(slammer=SLAMMER, stack=puck_stack(2))
    flight = flight_of(
        (0.0, 0.8, math.pi, 0.0, 0.0, 0.0),
        (0.0, 60.0, math.pi, 0.0, 0.0, 0.0),
        (100.0, 3.0, 0.0, 0.0, 0.0, 0.0),
        free=(1, 2),
    )
    rest = settle(scene, (*scene.stack, SLAMMER), flight)
    assert rest.state[1, 1] == pytest.approx(2.4, abs=0.3)


def test_a_slammer_comes_to_lie_on_pucks_not_in_them():
    scene = Scene(slammer=SLAMMER, stack=puck_stack(2))
    flight = flight_of(
        (0.0, 0.8, math.pi, 0.0, 0.0, 0.0),
        (0.0, 2.4, math.pi, 0.0, 0.0, 0.0),
        (0.0, 60.0, 0.0, 0.0, 0.0, 0.0),
    )
    rest = settle(scene, (*scene.stack, SLAMMER), flight)
    assert rest.state[2, 1] - rest.state[1, 1] > 0.8


@pytest.mark.parametrize(("apart_rad", "meet"), [(0.2, True), (2.0, False)])
def test_pieces_meet_if_they_land_close_together(apart_rad, meet):
    """Both fall 50 mm out on lines of their own; seen from the side one is above the other."""
    scene = Scene(slammer=SLAMMER, stack=puck_stack(2))
    rows = np.array(
        [
            (50.0, 0.8, math.pi, 0.0, 0.0, 0.0),
            (50.0, 60.0, math.pi, 0.0, 0.0, 0.0),
            (-120.0, 3.0, 0.0, 0.0, 0.0, 0.0),
        ]
    )
    azimuth = np.array([0.0, apart_rad, 0.0])
    flight = Flight(
        state=rows,
        azimuth_rad=azimuth,
        start_mm=rows[:, :1] * np.column_stack((np.cos(azimuth), np.sin(azimuth))),
        high=np.zeros(3, dtype=np.bool_),
        separated_s=SEPARATED_S,
        free=np.zeros(3, dtype=np.bool_),
        swing_rad_s=np.zeros(3),
    )
    rest = settle(scene, (*scene.stack, SLAMMER), flight)
    assert (rest.state[1, 1] > 2.0) == meet


def thrown_at_a_wall(restitution):
    scene = Scene(slammer=SLAMMER, stack=(Puck(),))
    scene = replace(scene, materials=replace(scene.materials, restitution=restitution))
    flight = flight_of((0.0, 20.0, math.pi, 1500.0, 300.0, 0.0), azimuth_rad=0.5)
    return settle(scene, (Puck(),), flight)


@pytest.mark.parametrize("restitution", [0.3, 0.6])
def test_where_a_puck_came_back_from_its_wall_is_known(restitution):
    rest = thrown_at_a_wall(restitution)
    (turn,) = rest.turns[0]
    wall_mm = HALF_SIDE_MM / math.cos(0.5)
    assert turn.onwards == 1
    assert wall_mm - 21.0 < turn.way_mm < wall_mm
    assert rest.state[0, 0] < turn.way_mm


@pytest.mark.parametrize(("beyond_mm", "rests"), [(-10.0, False), (55.0, False), (65.0, True)])
def test_a_moving_piece_is_waited_for_until_it_is_60_mm_beyond_its_wall(beyond_mm, rests):
    moving = [HALF_SIDE_MM + beyond_mm, 0.8, 0.0, 500.0, 0.0, 0.0]
    walls = np.array([[-HALF_SIDE_MM, HALF_SIDE_MM]])
    assert _at_rest([moving], walls) is rests
