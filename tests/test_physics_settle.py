"""Settling: what meets what, and where pieces come back from walls."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics import Puck, Scene, knock_out_stack, puck_stack, puckdex_slammer
from physics.liftoff import Flight
from physics.pieces import Piece
from physics.settle import Rest, settle
from physics.trace import Trace

SLAMMER = puckdex_slammer(8.0)
HALF_SIDE_MM = 152.4


def flight_of(*rows: tuple[float, ...], azimuth_rad: float = 0.0) -> Flight:
    """Pieces that begin above the middle of the arena."""
    state = np.array(rows)
    return Flight(
        state=state,
        azimuth_rad=np.full(len(rows), azimuth_rad),
        start_mm=np.zeros((len(rows), 2)),
        high=np.zeros(len(rows), dtype=np.bool_),
    )


def upward_mm_s(stack: tuple[Piece, ...], after_s: float) -> float:
    """How fast the uppermost piece of two rises, with the slammer come down on it halfway."""
    scene = Scene(slammer=SLAMMER, stack=stack)
    flight = flight_of(
        (0.0, 20.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 60.0, 0.0, 0.0, 900.0, 0.0),
        (0.0, 68.0, 0.0, 0.0, -900.0, 0.0),
    )
    trace = Trace(interval_s=after_s)
    settle(scene, (*stack, SLAMMER), flight, trace)
    return float(trace.states[1][1, 4]) + 9810.0 * trace.time_s[1]


def test_a_slammer_in_the_midst_of_a_stacks_pieces_does_not_knock_them_about() -> None:
    assert upward_mm_s(puck_stack(2), 0.024) == pytest.approx(900.0, abs=1.0)


def test_in_a_knock_out_the_slammer_meets_the_pieces_at_once() -> None:
    assert upward_mm_s(knock_out_stack(SLAMMER, shields=1), 0.024) < 600.0


def test_a_slammer_comes_to_lie_on_pucks_not_in_them() -> None:
    scene = Scene(slammer=SLAMMER, stack=puck_stack(2))
    flight = flight_of(
        (0.0, 0.8, math.pi, 0.0, 0.0, 0.0),
        (0.0, 2.4, math.pi, 0.0, 0.0, 0.0),
        (0.0, 60.0, 0.0, 0.0, 0.0, 0.0),
    )
    rest = settle(scene, (*scene.stack, SLAMMER), flight)
    assert rest.state[2, 1] - rest.state[1, 1] > 0.8


def thrown_at_a_wall(restitution: float) -> Rest:
    scene = Scene(slammer=SLAMMER, stack=(Puck(),))
    scene = replace(scene, materials=replace(scene.materials, restitution=restitution))
    flight = flight_of((0.0, 20.0, math.pi, 1500.0, 300.0, 0.0), azimuth_rad=0.5)
    return settle(scene, (Puck(),), flight)


@pytest.mark.parametrize("restitution", [0.3, 0.6])
def test_where_a_puck_came_back_from_its_wall_is_known(restitution: float) -> None:
    rest = thrown_at_a_wall(restitution)
    (turn,) = rest.turns[0]
    wall_mm = HALF_SIDE_MM / math.cos(0.5)
    assert turn.onwards == 1
    assert wall_mm - 21.0 < turn.way_mm < wall_mm
    assert rest.state[0, 0] < turn.way_mm
