"""The place where the slammer first touches, and the plane of the impact."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pucklab.physics import Scene, Slammer, Throw, puck_stack
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.plane.impact import first_contact, impact_plane

R = PIECE_RADIUS_MM

throws = st.builds(
    Throw,
    speed_mm_s=st.just(5000.0),
    aim_x_mm=st.floats(-60, 60),
    aim_y_mm=st.floats(-60, 60),
    tilt_rad=st.floats(0, 1),
    tilt_azimuth_rad=st.floats(0, 2 * math.pi),
    descent_rad=st.floats(0, 0.5),
)


def underside_height(throw, x, y):
    """Return the height of the slammer's underside, from its middle."""
    tilt, axis = throw.tilt_rad, throw.tilt_azimuth_rad
    down_x, down_y = math.sin(axis), -math.cos(axis)
    return -math.tan(tilt) * ((x - throw.aim_x_mm) * down_x + (y - throw.aim_y_mm) * down_y)


@given(throws)
def test_the_first_contact_is_the_lowest_point_above_the_stack(throw):
    contact = first_contact(throw)
    offset = math.hypot(throw.aim_x_mm, throw.aim_y_mm)
    if contact is None:
        assert offset >= 2 * R
        return
    assert math.hypot(*contact) <= R + 1e-6
    assert math.hypot(contact[0] - throw.aim_x_mm, contact[1] - throw.aim_y_mm) <= R + 1e-6
    lowest = underside_height(throw, *contact)
    for ring in (0.3, 0.7, 1.0):
        for turn in range(24):
            x = ring * R * math.cos(turn * math.pi / 12)
            y = ring * R * math.sin(turn * math.pi / 12)
            if math.hypot(x - throw.aim_x_mm, y - throw.aim_y_mm) <= R:
                # A slammer tilted by a millionth touches with its whole face at once.
                assert underside_height(throw, x, y) >= lowest - 1e-4


@given(throws)
def test_the_plane_keeps_speed_and_aim(throw):
    scene = Scene(slammer=Slammer(mass_g=8.0), stack=puck_stack(3))
    plane = impact_plane(scene, throw)
    if plane is None:
        return
    assert math.hypot(*plane.direction) == pytest.approx(1.0)
    assert math.hypot(plane.offset_mm, plane.lateral_mm) == pytest.approx(
        math.hypot(throw.aim_x_mm, throw.aim_y_mm)
    )
    assert math.hypot(
        plane.speed_along_mm_s, plane.speed_across_mm_s, plane.speed_up_mm_s
    ) == pytest.approx(throw.speed_mm_s)


def test_an_empty_stack_is_always_missed():
    assert impact_plane(Scene(slammer=Slammer(mass_g=8.0), stack=()), Throw(speed_mm_s=5e3)) is None
