"""Settling and the top view: what meets what, walls, and how pieces lie (PP-11, PP-28, PP-30)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.physics import (
    Arena,
    Face,
    Puck,
    Scene,
    Throw,
    mass_properties,
    puck_stack,
    puckdex_slammer,
)
from pucklab.physics.plane.lift_off import Flight
from pucklab.physics.plane.settle import Rest, mirror_mm, piece_outcomes, settle
from pucklab.physics.solid.bodies import outcome_from_3d

SLAMMER = puckdex_slammer(8.0)
SCENE = Scene(slammer=SLAMMER, stack=puck_stack(2))
WALL_MM = Arena().half_side_mm


def flight_of(*rows, azimuth_rad=0.0, free=()):
    """Pieces on lines through the middle of the arena."""
    state, count = np.array(rows), len(rows)
    azimuth = np.broadcast_to(azimuth_rad, count).copy()
    frees = np.isin(np.arange(count), free)
    return Flight(
        state=state,
        azimuth_rad=azimuth,
        start_mm=state[:, :1] * np.column_stack((np.cos(azimuth), np.sin(azimuth))),
        high=frees & (np.arange(count) < count - 1),
        separated_s=0.06,
        free=frees,
        swing_rad_s=np.zeros(count),
    )


def resting(*rows, **flight):
    return settle(SCENE, (*SCENE.stack, SLAMMER), flight_of(*rows, **flight))


def still(way_mm, height_mm, angle_rad=math.pi):
    return way_mm, height_mm, angle_rad, 0.0, 0.0, 0.0


def test_pieces_come_to_lie_on_each_other_not_in_each_other():
    rest = resting(still(0.0, 0.8), still(0.0, 60.0), still(0.0, 90.0, 0.0), free=(1, 2))
    assert rest.state[1, 1] == pytest.approx(2.4, abs=0.3)
    assert rest.state[2, 1] - rest.state[1, 1] > 0.8


@pytest.mark.parametrize(("apart_rad", "meet"), [(0.2, True), (2.0, False)])
def test_pieces_meet_if_they_land_close_together(apart_rad, meet):
    """Both fall 50 mm out on lines of their own; seen from the side one is above the other."""
    rows = still(50.0, 0.8), still(50.0, 60.0), still(-120.0, 3.0, 0.0)
    rest = resting(*rows, azimuth_rad=np.array([0.0, apart_rad, 0.0]))
    assert (rest.state[1, 1] > 2.0) == meet


directions = st.floats(-math.pi, math.pi).map(lambda a: (math.cos(a), math.sin(a)))
starts = st.tuples(st.floats(-40.0, 40.0), st.floats(-40.0, 40.0)).map(np.array)


@given(start=starts, along=directions, turned=st.floats(60.0, 180.0), back=st.floats(0.0, 300.0))
def test_from_above_a_wall_sends_a_piece_as_a_mirror_does(start, along, turned, back):
    """It stays inside, its way is unbroken, and a mirror image gives the mirror image."""
    way = np.array([turned, turned, turned - back])
    turns = [(np.array([False, True, True]), turned)]
    there = mirror_mm(start, along, way, turns)
    at_wall = start + turned * np.array(along)
    assert np.abs(there).max() <= np.abs(at_wall).max() * (1 + 1e-12)
    assert there[:2] == pytest.approx(np.array([at_wall, at_wall]))
    image = np.array([1.0, -1.0])
    other = mirror_mm(start * image, (along[0], -along[1]), way, turns)
    assert other == pytest.approx(there * image, abs=1e-9)


def test_a_piece_that_turned_twice_goes_on_along_the_zigzag():
    """Between walls 100 mm from the middle: 30 past the second turn is 30 past the third wall."""
    along, over = (math.cos(0.3), math.sin(0.3)), np.array([True])
    turned = 100 / along[0]
    way = np.array([-turned + 30.0])
    there = mirror_mm(np.zeros(2), along, way, [(over, turned), (over, -turned)])
    assert there[0] == pytest.approx([-100 + 30 * along[0], 200 - (3 * turned + 30) * along[1]])


def in_plane(way_mm, angle_rad):
    """Return the outcome of a puck at rest on the x axis."""
    centre_mm = way_mm - math.sin(angle_rad) * mass_properties(Puck()).centre_mm
    state = np.array([[centre_mm, 0.8, angle_rad, 0.0, 0.0, 0.0]])
    rest = Rest(state=state, walls_mm=np.array([[-WALL_MM, WALL_MM]]), turns=((),))
    flight = flight_of(still(0.0, 0.0))
    return piece_outcomes((Puck(),), (3,), flight, rest, WALL_MM)[0]


def in_space(way_mm, angle_rad):
    """The same by its pose."""
    return outcome_from_3d(
        Scene(slammer=SLAMMER, stack=(Puck(),)),
        Throw(speed_mm_s=5e3),
        hit=True,
        middle_mm=np.array([[way_mm, 0.0, 0.8], [0.0, 0.0, 3.0]]),
        normal=np.array([[-math.sin(angle_rad), 0.0, math.cos(angle_rad)], [0.0, 0.0, 1.0]]),
    ).pieces[0]


def beside_a_wall(gap_mm, tilt_deg):
    tilt = math.radians(tilt_deg)
    return WALL_MM - 20.615 * math.cos(tilt) - 0.8 * math.sin(tilt) - gap_mm, tilt_deg


@pytest.mark.parametrize("rest", [in_plane, in_space])
@pytest.mark.parametrize(
    ("way_mm", "angle_deg", "face"),
    [
        (20.0, 0.0, Face.UP),
        (20.0, -540.0, Face.DOWN),
        # On another piece its own upper face counts; on its rim it leans.
        (20.0, 30.0, Face.UP),
        (20.0, 150.0, Face.DOWN),
        *((20.0, angle_deg, Face.LEANING) for angle_deg in (86.0, -90.0, 270.0)),
        # Tilted, it leans on a wall that is at most 1 mm away; flat it does not.
        (*beside_a_wall(0.9, 40.0), Face.LEANING),
        (*beside_a_wall(1.1, 40.0), Face.UP),
        (-beside_a_wall(0.9, 40.0)[0], 40.0, Face.LEANING),
        (*beside_a_wall(0.2, 9.0), Face.UP),
        (*beside_a_wall(0.2, 11.0), Face.LEANING),
        (WALL_MM + 1.0, 0.0, Face.OUT),
        (-WALL_MM - 1.0, 90.0, Face.OUT),
    ],
)
def test_a_face_is_what_is_up_unless_the_puck_leans_or_is_out(rest, way_mm, angle_deg, face):
    outcome = rest(way_mm, math.radians(angle_deg))
    assert outcome.face is face
    assert abs(outcome.x_mm) == pytest.approx(abs(way_mm), abs=1.0)
