"""One sample of a recording as a picture, pixel by pixel."""

from dataclasses import replace

import numpy as np
import pytest

from physics import (
    Arena,
    Face,
    PieceOutcome,
    Recording,
    Scene,
    SlamOutcome,
    preset,
    puck_stack,
    puckdex_slammer,
)
from render.canvas import new_surface, write
from render.palette import DARK, LIGHT
from render.slams.frame import draw_frame, state_text
from render.slams.motion import moment_at, motion_of
from render.slams.top_view import disc_from_above, draw_top_view
from tests.recordedslams import some_replay
from tests.slamwindows import pixels_of

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2), preset=preset("fast"))
SIZE = 341
ARENA = Arena()


def resting(places_mm, angles_rad, samples=2):
    """Return a recording of pieces that lie on the floor; the first sample is an impact."""
    top = np.broadcast_to(np.array(places_mm, dtype=np.float64), (samples, len(places_mm), 2))
    shape = top.shape[:2]
    return Recording(
        time_s=np.linspace(0.0, 0.01 * (samples - 1), samples),
        side_mm=top[:, :, 0].copy(),
        height_mm=np.full(shape, 0.8),
        angle_rad=np.broadcast_to(np.array(angles_rad, dtype=np.float64), shape).copy(),
        top_mm=top.copy(),
        energy_mj=np.zeros(samples),
        impact_samples=1,
    )


def outcome_of(faces, slammer=Face.DOWN):
    pieces = tuple(
        PieceOutcome(place=i, face=face, x_mm=0.0, y_mm=0.0) for i, face in enumerate(faces)
    )
    return SlamOutcome(
        hit=True,
        pieces=pieces,
        slammer=PieceOutcome(place=None, face=slammer, x_mm=0.0, y_mm=0.0),
    )


def moment_of(recording, sample, scene=SCENE):
    return moment_at(motion_of(scene, recording), float(recording.time_s[sample]))


def top_view(recording, sample=0, outcome=None, palette=LIGHT):
    surface = new_surface(SIZE, SIZE)
    draw_top_view(surface, SCENE, moment_of(recording, sample), outcome=outcome, palette=palette)
    return surface


def from_above(surface, x_mm, y_mm):
    """Return the colour of a place of the arena in a top view, found by the arena's walls."""
    wall = [x for x in range(SIZE) if surface.get_at((x, SIZE // 2))[:3] == LIGHT.wall]
    scale = (wall[-1] - wall[0]) / (2 * (ARENA.half_side_mm + 6.0))
    middle = (wall[0] + wall[-1]) / 2
    red, green, blue, _ = surface.get_at(
        (round(middle + scale * x_mm), round(SIZE / 2 - scale * y_mm))
    )
    return red, green, blue


def pixels(surface, colour):
    """Return x and y of all pixels of just that colour."""
    found = np.argwhere((pixels_of(surface) == colour).all(axis=2))
    return [(int(x), int(y)) for y, x in found]


PLACES = [(-80.0, 60.0), (90.0, -40.0), (30.0, 100.0)]


def test_faces_backs_the_slammer_with_its_mass_and_the_floor_are_told_apart():
    surface = top_view(resting(PLACES, [0.0, np.pi, np.pi]))
    assert from_above(surface, *PLACES[0]) == LIGHT.puck_face
    assert from_above(surface, *PLACES[1]) == LIGHT.puck_back
    x, y = PLACES[2]
    assert from_above(surface, x, y + 15.0) == LIGHT.slammer
    assert pixels(surface, LIGHT.on_slammer)
    assert from_above(surface, -80.0, -80.0) == LIGHT.arena


def test_a_tilted_disc_is_an_ellipse_as_wide_as_its_cosine():
    angle = np.radians(60.0)
    outline, cap = disc_from_above(np.zeros(2), np.array([1.0, 0.0]), angle, 0.0, 20.0)
    assert np.ptp(cap[:, 0]) == pytest.approx(20.0)
    assert np.ptp(cap[:, 1]) == pytest.approx(40.0)
    assert outline == pytest.approx(cap)
    # On its rim it is as wide as it is thick.
    outline, _ = disc_from_above(np.zeros(2), np.array([0.0, 1.0]), np.pi / 2, 6.0, 20.0)
    assert np.ptp(outline, axis=0) == pytest.approx((40.0, 6.0))


def test_the_way_of_a_piece_is_drawn_up_to_the_sample():
    recording = resting(PLACES, [0.0, np.pi, np.pi], samples=3)
    recording.top_mm[:, 0, 0] = (-80.0, -20.0, 40.0)
    recording.side_mm[:, 0] = recording.top_mm[:, 0, 0]
    begun, ended = top_view(recording, 0), top_view(recording, 2)
    near_mm = (59.0, 60.0, 61.0)
    assert {from_above(begun, -50.0, y) for y in near_mm} == {LIGHT.arena}
    assert {from_above(ended, -50.0, y) for y in near_mm} != {LIGHT.arena}


@pytest.mark.parametrize(
    ("face", "colour"), [(Face.UP, LIGHT.flipped), (Face.LEANING, LIGHT.leaning)]
)
def test_what_a_piece_came_to_is_marked_at_the_end_only(face, colour):
    recording = resting(PLACES, [0.0, np.pi, np.pi])
    outcome = outcome_of([face, Face.DOWN])
    assert not pixels(top_view(recording, 0, outcome), colour)
    assert not pixels(top_view(recording, 1), colour)
    assert pixels(top_view(recording, 1, outcome), colour)
    assert pixels(top_view(recording, -1, outcome), colour)


def test_a_piece_that_left_is_pointed_at_from_the_edge():
    recording = resting([(900.0, 0.0), PLACES[1], PLACES[2]], [0.0, np.pi, np.pi])
    arrow = pixels(top_view(recording, 1, outcome_of([Face.OUT, Face.DOWN])), LIGHT.out)
    assert arrow
    assert min(x for x, _ in arrow) > 0.9 * SIZE
    assert np.mean([y for _, y in arrow]) == pytest.approx(SIZE / 2, abs=2.0)


def test_the_state_counts_faces_in_flight_and_flips_at_the_end():
    recording = resting(PLACES, [0.0, np.pi, 0.0])
    outcome = outcome_of([Face.OUT, Face.UP], slammer=Face.OUT)
    assert state_text(moment_of(recording, 0), outcome) == "face up: 1 of 2"
    assert state_text(moment_of(recording, 1), outcome) == "1 flip, 1 out, slammer out"
    missed = replace(outcome, hit=False)
    assert state_text(moment_of(recording, -1), missed) == "missed the stack"


@pytest.mark.parametrize("size", [(800, 400), (320, 180), (1600, 700)])
def test_a_frame_fills_a_surface_of_any_size(size):
    slam, surface = some_replay(), new_surface(*size)
    moment = moment_of(slam.recording, -1, slam.scene)
    draw_frame(surface, slam.scene, moment, slam.outcome, "a slam", "")
    for colour in (LIGHT.background, LIGHT.wall, LIGHT.arena, LIGHT.puck_face):
        assert pixels(surface, colour)


def test_words_that_do_not_fit_are_made_smaller_and_then_cut():
    surface = new_surface(200, 40)
    surface.fill(LIGHT.background)
    used = write(surface, "word " * 60, (0, 20), size_px=24, colour=LIGHT.text, width_px=150.0)
    assert used <= 150


def test_colours_that_mean_different_things_are_far_apart_for_every_eye():
    """By luminance too, in which all eyes see: what lies face up and what does not."""

    def luminance(colour):
        red, green, blue = colour
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for palette in (LIGHT, DARK):
        assert abs(luminance(palette.slammer) - luminance(palette.puck_back)) > 40
        assert abs(luminance(palette.slammer) - luminance(palette.puck_face)) > 40
        assert abs(luminance(palette.text) - luminance(palette.background)) > 150
