"""The top view: where pieces lie, and how (rulings PP-11, PP-28 and PP-30)."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from physics import Arena, Face, PieceOutcome, Puck
from physics.plane.lift_off import Flight
from physics.plane.settle import Rest, WallTurn, piece_outcomes, places_mm

WALL_MM = Arena().half_side_mm


def flight_along(azimuth_rad: float, start: tuple[float, float] = (0.0, 0.0)) -> Flight:
    return Flight(
        state=np.zeros((1, 6)),
        azimuth_rad=np.array([azimuth_rad]),
        start_mm=np.array([start]),
        high=np.zeros(1, dtype=np.bool_),
        separated_s=0.0,
        free=np.zeros(1, dtype=np.bool_),
        swing_rad_s=np.zeros(1),
    )


def resting(way_mm: float, angle_deg: float, height_mm: float = 0.8) -> PieceOutcome:
    """Return the outcome of a puck at rest on the x axis."""
    state = np.array([[way_mm, height_mm, math.radians(angle_deg), 0.0, 0.0, 0.0]])
    rest = Rest(state=state, walls_mm=np.array([[-WALL_MM, WALL_MM]]), turns=((),))
    (outcome,) = piece_outcomes((Puck(),), (3,), flight_along(0.0), rest, WALL_MM)
    return outcome


def test_a_flat_puck_shows_the_face_that_is_up() -> None:
    assert resting(20.0, 0.0).face is Face.UP
    assert resting(20.0, 180.0).face is Face.DOWN
    assert resting(20.0, -540.0).face is Face.DOWN


def test_a_puck_on_another_counts_by_its_own_upper_face() -> None:
    assert resting(20.0, 30.0).face is Face.UP
    assert resting(20.0, 150.0).face is Face.DOWN


@pytest.mark.parametrize("angle_deg", [86.0, 90.0, -90.0, 270.0])
def test_a_puck_on_its_rim_is_leaning(angle_deg: float) -> None:
    assert resting(20.0, angle_deg).face is Face.LEANING


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_tilted_puck_at_the_wall_is_leaning(side: float) -> None:
    reach_mm = 20.615 * math.cos(math.radians(40.0)) + 0.8 * math.sin(math.radians(40.0))
    assert resting(side * (WALL_MM - reach_mm - 0.5), 40.0).face is Face.LEANING
    assert resting(side * (WALL_MM - reach_mm - 5.0), 40.0).face is Face.UP


@pytest.mark.parametrize(("tilt_deg", "face"), [(9.0, Face.UP), (11.0, Face.LEANING)])
def test_a_puck_that_touches_the_wall_leans_from_ten_degrees_on(
    tilt_deg: float, face: Face
) -> None:
    tilt = math.radians(tilt_deg)
    reach_mm = 20.615 * math.cos(tilt) + 0.8 * math.sin(tilt)
    assert resting(WALL_MM - reach_mm - 0.2, tilt_deg).face is face


def test_a_flat_puck_at_the_wall_lies() -> None:
    assert resting(WALL_MM - 20.7, 0.0).face is Face.UP


@pytest.mark.parametrize("way_mm", [WALL_MM + 1.0, -WALL_MM - 1.0, 900.0])
def test_a_puck_beyond_the_wall_is_out_however_it_lies(way_mm: float) -> None:
    assert resting(way_mm, 0.0).face is Face.OUT
    assert resting(way_mm, 90.0).face is Face.OUT


def test_a_puck_keeps_its_place_in_the_stack_and_tells_its_distance() -> None:
    outcome = resting(30.0, 0.0)
    assert (outcome.place, outcome.distance_mm) == (3, pytest.approx(30.0))


def moving(
    flight: Flight, way_mm: list[float], speed_mm_s: list[float], turns: tuple[WallTurn, ...] = ()
) -> NDArray[np.float64]:
    """Return where a puck is from above, a tenth of a second from sample to sample."""
    states = np.zeros((len(way_mm), 1, 6))
    states[:, 0, 0] = way_mm
    states[:, 0, 3] = speed_mm_s
    rest = Rest(state=states[-1], walls_mm=np.array([[-WALL_MM, WALL_MM]]), turns=(turns,))
    return places_mm(flight, rest, 0.1 * np.arange(len(way_mm)), states)[:, 0]


def test_a_way_along_an_azimuth_is_a_straight_line_from_the_start() -> None:
    there = moving(flight_along(math.pi / 6, start=(1.0, 2.0)), [0.0, 10.0, -10.0], [0.0] * 3)
    assert there[0] == pytest.approx([1.0, 2.0])
    assert there[1] == pytest.approx([1.0 + 10 * math.cos(math.pi / 6), 7.0])
    assert there[2] == pytest.approx([1.0 - 10 * math.cos(math.pi / 6), -3.0])


def test_from_above_a_piece_leaves_a_wall_as_a_mirror_sends_it() -> None:
    turn = WallTurn(after_s=0.1, before_s=0.4, way_mm=100.0, onwards=1)
    way, speed = [0.0, 90.0, 95.0, 95.0, 80.0], [500.0, 500.0, 500.0, -250.0, -250.0]
    there = moving(flight_along(math.radians(30.0)), way, speed, (turn,))
    x, y = math.cos(math.radians(30.0)), 0.5
    assert there[2] == pytest.approx([95 * x, 95 * y])
    assert there[3] == pytest.approx([95 * x, 105 * y])
    assert there[4] == pytest.approx([80 * x, 120 * y])
