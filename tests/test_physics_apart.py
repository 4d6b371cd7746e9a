"""Turns of the pieces of a stack when they have come apart."""

import math
from dataclasses import replace

import numpy as np
import pytest

from physics import LiftOff, Materials, Scene, Throw, puck_stack, puckdex_slammer
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.flight_laws import (
    FREE_TUMBLING_S,
    lean_rate,
    lean_reduction,
    luck_of,
    rotation_when_separated,
)

MOST_RAD = 1.3
MODEL = LiftOff(
    lean_rad=MOST_RAD,
    lean_by_descent=0.5,
    lean_sd=0.25,
    swing_scatter=0.1,
    twist=0.2,
    exponent=0.4,
)
UP_MM_S = 1000.0
ONE_M_S = PIECE_RADIUS_MM / 1000.0


def turned(rim_mm_s=500.0, pucks=10, up_mm_s=UP_MM_S, own=(0.0, 0.0), materials=None, **luck):
    """Pieces that rise and tumble alike; the uppermost has a swing of its own."""
    scene = Scene(
        slammer=puckdex_slammer(8.0),
        stack=puck_stack(pucks),
        lift_off=MODEL,
        materials=materials or Materials(),
    )
    throw = Throw(speed_mm_s=5000.0)
    mean = luck_of(throw, pucks)
    mean.swing[:, -1] = own
    return rotation_when_separated(
        scene,
        throw,
        replace(mean, **luck),
        np.full(pucks, up_mm_s),
        np.full(pucks, float(rim_mm_s)),
    )


def test_what_does_not_tumble_does_not_lean():
    still = turned(rim_mm_s=0.0)
    assert still.lean_rad[0] == still.precession_rate_rad_s[0] == 0.0


def test_what_tumbles_slowly_is_not_stopped():
    slow = turned(rim_mm_s=50.0)
    assert slow.lean_rad[0] == pytest.approx(50.0 / PIECE_RADIUS_MM * FREE_TUMBLING_S, rel=1e-3)


def test_what_tumbles_fast_leans_as_far_as_its_neighbours_let_it():
    assert turned(rim_mm_s=1500.0).lean_rad[0] == pytest.approx(MOST_RAD, rel=0.01)


@pytest.mark.parametrize(
    ("spin", "rate", "reduction"),
    [
        (0.015, 0.093, 1.0),
        (0.1, 0.066, 1.0),
        (0.15, 0.026, 1.06),
        (0.21, -0.027, 1.13),
        (0.29, -0.1, 1.25),
        (0.39, -0.16, 1.56),
        (0.52, -0.18, 2.1),
    ],
)
def test_pieces_swing_on_and_those_that_spin_have_swung_back(spin, rate, reduction):
    """Bins of the solid engine's pucks, in units of the scale of tumbling."""
    assert float(lean_rate(np.array([-spin]))[0]) == pytest.approx(rate, abs=0.03)
    assert float(lean_reduction(np.array([-spin]))[0]) == pytest.approx(reduction, rel=0.06)


def test_one_chance_is_all_pieces_and_another_each_ones():
    usual = turned()
    together = turned(lean=1.0)
    assert together.lean_rad / usual.lean_rad == pytest.approx(1.25)
    alone = turned(own=(1.0, 1.0))
    assert alone.lean_rad[:-1] == pytest.approx(usual.lean_rad[:-1])
    grown_rad = 0.1 / ONE_M_S * FREE_TUMBLING_S / 2
    assert alone.lean_rad[-1] - usual.lean_rad[-1] == pytest.approx(grown_rad)
    assert alone.lean_rate_rad_s[:-1] == pytest.approx(usual.lean_rate_rad_s[:-1])
    assert alone.lean_rate_rad_s[-1] - usual.lean_rate_rad_s[-1] == pytest.approx(0.1 / ONE_M_S)
    assert alone.precession_rate_rad_s[-1] == pytest.approx(0.1 / ONE_M_S)


def test_the_stack_spins_together():
    together = turned(twist=1.0)
    assert np.ptp(together.spin_rad_s) == 0.0
    assert together.spin_rad_s[0] > 0.2 / ONE_M_S


def test_what_spins_has_swung_back():
    straight, spun = turned(), turned(twist=1.5)
    assert spun.lean_rad[0] < 0.9 * straight.lean_rad[0]


def test_a_mirror_image_is_turned_alike():
    one, other = (turned(twist=sign, own=(0.0, sign * 0.7)) for sign in (1.0, -1.0))
    assert one.lean_rad == pytest.approx(other.lean_rad)
    assert one.lean_rate_rad_s == pytest.approx(other.lean_rate_rad_s)
    assert one.precession_rate_rad_s == pytest.approx(-other.precession_rate_rad_s)


def test_no_piece_leans_further_than_face_up():
    assert turned(lean=20.0).lean_rad.max() <= math.pi


def test_friction_makes_pieces_spin_and_spin_does_not_depend_on_the_stack():
    rough = turned(twist=1.0, materials=Materials(friction=0.7))
    usual, tall = turned(twist=1.0), turned(twist=1.0, pucks=20)
    assert rough.spin_rad_s / usual.spin_rad_s == pytest.approx(2**0.4)
    assert tall.spin_rad_s[0] == pytest.approx(usual.spin_rad_s[0])
