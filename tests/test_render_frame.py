"""One sample of a recording as a picture, pixel by pixel."""

from dataclasses import replace

import numpy as np
import pytest

from pucklab.physics import (
    Face,
    PieceOutcome,
    Recording,
    SlamOutcome,
)
from pucklab.render.canvas import new_surface, write
from pucklab.render.palette import DARK, LIGHT
from pucklab.render.slams.frame import draw_frame, state_text
from pucklab.render.slams.looks import CREAM
from pucklab.render.slams.motion import moment_at, motion_of
from pucklab.render.slams.top_view import draw_top_view, top_scale
from tests.recordedslams import some_replay
from tests.scenes import fast_scene
from tests.slamwindows import pixels_of

SCENE = fast_scene(8.0, 2)
SIZE = 341


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


NOTHING = outcome_of([Face.DOWN, Face.DOWN])


def top_view(recording, sample=0, outcome=NOTHING, palette=LIGHT):
    surface = new_surface(SIZE, SIZE)
    draw_top_view(surface, SCENE, moment_of(recording, sample), outcome=outcome, palette=palette)
    return surface


def pixels(surface, colour):
    """Return x and y of all pixels of just that colour."""
    found = np.argwhere((pixels_of(surface) == colour).all(axis=2))
    return [(int(x), int(y)) for y, x in found]


PLACES = [(-80.0, 60.0), (90.0, -40.0), (30.0, 100.0)]


def test_a_piece_that_stands_on_its_rim_covers_a_line_as_thick_as_it_is():
    x, y = PLACES[0]
    scale = top_scale((SIZE, SIZE), SCENE)
    left, right, at = (round(SIZE / 2 + scale * mm) for mm in (x - 21.0, x + 21.0, -y))
    covered = []
    for angle in (np.pi, np.pi / 2):
        surface = top_view(resting(PLACES, [angle, np.pi, np.pi]))
        row = pixels_of(surface)[at, left:right]
        covered.append(int((row[:, 0] < row[:, 2] + 40).sum()))  # not wood
    assert covered[1] < covered[0] / 3


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
    for colour in (LIGHT.background, LIGHT.puck_back, CREAM):
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
