"""The top view: where pieces lie, and how (rulings PP-11, PP-28 and PP-30)."""

import math

import numpy as np
import pytest

from physics import (
    Arena,
    Face,
    Puck,
    Scene,
    Throw,
    mass_properties,
    puckdex_slammer,
)
from physics.plane.lift_off import Flight
from physics.plane.settle import Rest, WallTurn, piece_outcomes, places_mm
from physics.solid.bodies import outcome_from_3d

WALL_MM = Arena().half_side_mm


def flight_along(azimuth_rad, start=(0.0, 0.0)):
    return Flight(
        state=np.zeros((1, 6)),
        azimuth_rad=np.array([azimuth_rad]),
        start_mm=np.array([start]),
        high=np.zeros(1, dtype=np.bool_),
        separated_s=0.0,
        free=np.zeros(1, dtype=np.bool_),
        swing_rad_s=np.zeros(1),
    )


def in_plane(way_mm, angle_deg):
    """Return the outcome of a puck at rest on the x axis."""
    angle = math.radians(angle_deg)
    centre_mm = way_mm - math.sin(angle) * mass_properties(Puck()).centre_mm
    state = np.array([[centre_mm, 0.8, angle, 0.0, 0.0, 0.0]])
    rest = Rest(state=state, walls_mm=np.array([[-WALL_MM, WALL_MM]]), turns=((),))
    (outcome,) = piece_outcomes((Puck(),), (3,), flight_along(0.0), rest, WALL_MM)
    return outcome


def in_space(way_mm, angle_deg):
    """The same by its pose."""
    angle = math.radians(angle_deg)
    scene = Scene(slammer=puckdex_slammer(8.0), stack=(Puck(),))
    return outcome_from_3d(
        scene,
        Throw(speed_mm_s=5e3),
        hit=True,
        middle_mm=np.array([[way_mm, 0.0, 0.8], [0.0, 0.0, 3.0]]),
        normal=np.array([[-math.sin(angle), 0.0, math.cos(angle)], [0.0, 0.0, 1.0]]),
    ).pieces[0]


def reach_mm(tilt_deg):
    """Half the width of a puck that is so tilted."""
    tilt = math.radians(tilt_deg)
    return 20.615 * math.cos(tilt) + 0.8 * math.sin(tilt)


def gap(gap_mm, tilt_deg):
    """Place and angle of a puck so far from a wall."""
    return WALL_MM - reach_mm(tilt_deg) - gap_mm, tilt_deg


@pytest.mark.parametrize("rest", [in_plane, in_space])
@pytest.mark.parametrize(
    ("way_mm", "angle_deg", "face"),
    [
        (20.0, 0.0, Face.UP),
        (20.0, 180.0, Face.DOWN),
        (20.0, -540.0, Face.DOWN),
        # On another piece its own upper face counts; on its rim it leans.
        (20.0, 30.0, Face.UP),
        (20.0, 150.0, Face.DOWN),
        *((20.0, angle_deg, Face.LEANING) for angle_deg in (86.0, 90.0, -90.0, 270.0)),
        # Tilted, it leans on a wall that is at most 1 mm away; flat it does not.
        (*gap(0.9, 40.0), Face.LEANING),
        (*gap(1.1, 40.0), Face.UP),
        (-gap(0.9, 40.0)[0], 40.0, Face.LEANING),
        (-gap(1.1, 40.0)[0], 40.0, Face.UP),
        (*gap(0.2, 9.0), Face.UP),
        (*gap(0.2, 11.0), Face.LEANING),
        (WALL_MM - 20.7, 0.0, Face.UP),
        *(
            (way_mm, angle_deg, Face.OUT)
            for way_mm in (WALL_MM + 1.0, -WALL_MM - 1.0, 900.0)
            for angle_deg in (0.0, 90.0)
        ),
    ],
)
def test_a_face_is_what_is_up_unless_the_puck_leans_or_is_out(rest, way_mm, angle_deg, face):
    assert rest(way_mm, angle_deg).face is face


def test_a_puck_keeps_its_place_in_the_stack_and_tells_its_distance():
    outcome = in_plane(30.0, 0.0)
    assert (outcome.place, outcome.distance_mm) == (3, pytest.approx(30.0))


def moving(flight, way_mm, speed_mm_s, turns=()):
    """Return where a puck is from above, a tenth of a second from sample to sample."""
    states = np.zeros((len(way_mm), 1, 6))
    states[:, 0, 0] = way_mm
    states[:, 0, 3] = speed_mm_s
    rest = Rest(state=states[-1], walls_mm=np.array([[-WALL_MM, WALL_MM]]), turns=(turns,))
    return places_mm(flight, rest, 0.1 * np.arange(len(way_mm)), states)[:, 0]


def test_a_way_along_an_azimuth_is_a_straight_line_from_the_start():
    there = moving(flight_along(math.pi / 6, start=(1.0, 2.0)), [0.0, 10.0, -10.0], [0.0] * 3)
    assert there[0] == pytest.approx([1.0, 2.0])
    assert there[1] == pytest.approx([1.0 + 10 * math.cos(math.pi / 6), 7.0])
    assert there[2] == pytest.approx([1.0 - 10 * math.cos(math.pi / 6), -3.0])


def test_from_above_a_piece_leaves_a_wall_as_a_mirror_sends_it():
    turn = WallTurn(after_s=0.1, before_s=0.4, way_mm=100.0, onwards=1)
    way, speed = [0.0, 90.0, 95.0, 95.0, 80.0], [500.0, 500.0, 500.0, -250.0, -250.0]
    there = moving(flight_along(math.radians(30.0)), way, speed, (turn,))
    x, y = math.cos(math.radians(30.0)), 0.5
    assert there[2] == pytest.approx([95 * x, 95 * y])
    assert there[3] == pytest.approx([95 * x, 105 * y])
    assert there[4] == pytest.approx([80 * x, 120 * y])
