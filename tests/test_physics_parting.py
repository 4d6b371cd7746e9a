"""The parting: pieces that have just been struck fly on until they are apart."""

import numpy as np
import pytest

from physics import Scene, puck_stack, puckdex_slammer
from physics.materials import GRAVITY_MM_S2
from physics.plane.impact import Impact
from physics.plane.lift_off import PARTED_S, part

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(1))
PIECES = (*SCENE.stack, SCENE.slammer)
FLYING = np.array([[-60.0, 40.0, 3.0, -500.0, 900.0, 20.0], [30.0, 60.0, 0.1, 400.0, 1500.0, 5.0]])


def struck(state):
    return Impact(state=np.array(state), duration_s=4e-3)


def test_pieces_fly_as_they_fall():
    end = part(SCENE, PIECES, struck(FLYING.tolist()))
    assert end.duration_s == pytest.approx(PARTED_S)
    span_s = PARTED_S - 4e-3
    flown = FLYING.copy()
    flown[:, :3] += FLYING[:, 3:] * span_s
    flown[:, 1] -= GRAVITY_MM_S2 * span_s**2 / 2
    flown[:, 4] -= GRAVITY_MM_S2 * span_s
    assert end.state == pytest.approx(flown)


def test_a_piece_that_hardly_rises_lies_where_it_was():
    lying = [5.0, 0.85, np.pi, 100.0, 20.0, 0.5]
    end = part(SCENE, PIECES, struck([lying, FLYING[1].tolist()]))
    assert end.state[0].tolist() == pytest.approx([5.8, 0.85, np.pi, 100.0, 0.0, 0.0])


def test_a_piece_near_a_wall_ends_the_parting():
    near_mm = SCENE.arena.half_side_mm - 41.23
    before = struck([[-100.0, 40.0, 3.0, -4000.0, 900.0, 0.0], FLYING[1].tolist()])
    end = part(SCENE, PIECES, before)
    assert end.duration_s < PARTED_S
    assert end.state[0, 0] == pytest.approx(-near_mm)


def test_pieces_that_have_parted_already_are_left_as_they_are():
    late = Impact(state=FLYING, duration_s=PARTED_S)
    assert part(SCENE, PIECES, late) is late
