"""One sample of a recording as a picture, pixel by pixel."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pygame
import pytest

from physics import (
    Arena,
    Face,
    PieceOutcome,
    Recording,
    SampleRate,
    Scene,
    SlamOutcome,
    SlamResult,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    preset,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import new_surface, write
from render.palette import DARK, LIGHT, Palette, Rgb
from render.slams.frame import draw_frame, state_text
from render.slams.geometry import Projection, disc_from_above, side_motion
from render.slams.motion import Moment, moment_at, motion_of
from render.slams.side_view import draw_side_view
from render.slams.top_view import draw_top_view

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2), preset=preset("fast"))
SIZE = 341
ARENA = Arena()


@lru_cache(maxsize=1)
def some_slam() -> tuple[Scene, SlamResult]:
    scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(4), preset=preset("fast"))
    throw = draw_throw(ThrowDistribution(), 4, trial_generator(1, 0))
    return scene, slam(scene, throw, SampleRate())


def resting(
    places_mm: list[tuple[float, float]], angles_rad: list[float], samples: int = 2
) -> Recording:
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


def outcome_of(faces: list[Face], slammer: Face = Face.DOWN) -> SlamOutcome:
    pieces = tuple(
        PieceOutcome(place=i, face=face, x_mm=0.0, y_mm=0.0) for i, face in enumerate(faces)
    )
    return SlamOutcome(
        hit=True,
        pieces=pieces,
        slammer=PieceOutcome(place=None, face=slammer, x_mm=0.0, y_mm=0.0),
    )


def moment_of(recording: Recording, sample: int, scene: Scene = SCENE) -> Moment:
    return moment_at(motion_of(scene, recording), float(recording.time_s[sample]))


def top_view(
    recording: Recording,
    sample: int = 0,
    outcome: SlamOutcome | None = None,
    palette: Palette = LIGHT,
) -> pygame.Surface:
    surface = new_surface(SIZE, SIZE)
    draw_top_view(surface, SCENE, moment_of(recording, sample), outcome=outcome, palette=palette)
    return surface


def side_view(recording: Recording, sample: int = 0, scene: Scene = SCENE) -> pygame.Surface:
    surface = new_surface(2 * SIZE, SIZE)
    draw_side_view(surface, scene, moment_of(recording, sample, scene))
    return surface


def from_above(surface: pygame.Surface, x_mm: float, y_mm: float) -> Rgb:
    """Return the colour of a place of the arena in a top view, found by the arena's walls."""
    wall = [x for x in range(SIZE) if surface.get_at((x, SIZE // 2))[:3] == LIGHT.wall]
    scale = (wall[-1] - wall[0]) / (2 * (ARENA.half_side_mm + 6.0))
    middle = (wall[0] + wall[-1]) / 2
    red, green, blue, _ = surface.get_at(
        (round(middle + scale * x_mm), round(SIZE / 2 - scale * y_mm))
    )
    return red, green, blue


def pixels(surface: pygame.Surface, colour: Rgb) -> list[tuple[int, int]]:
    """Return x and y of all pixels of just that colour."""
    found = np.argwhere((pygame.surfarray.array3d(surface) == colour).all(axis=2))
    return [(int(x), int(y)) for x, y in found]


PLACES = [(-80.0, 60.0), (90.0, -40.0), (30.0, 100.0)]


def test_a_flipped_puck_shows_its_face_and_another_its_back() -> None:
    surface = top_view(resting(PLACES, [0.0, np.pi, np.pi]))
    assert from_above(surface, *PLACES[0]) == LIGHT.puck_face
    assert from_above(surface, *PLACES[1]) == LIGHT.puck_back


def test_the_slammer_has_a_colour_of_its_own() -> None:
    surface = top_view(resting(PLACES, [0.0, np.pi, np.pi]))
    x, y = PLACES[2]
    assert from_above(surface, x, y + 15.0) == LIGHT.slammer


def test_the_slammer_carries_its_mass() -> None:
    surface = top_view(resting(PLACES, [0.0, np.pi, np.pi]))
    assert pixels(surface, LIGHT.on_slammer)


def test_the_floor_is_visible_between_pieces() -> None:
    assert from_above(top_view(resting(PLACES, [0.0, np.pi, np.pi])), -80.0, -80.0) == LIGHT.arena


def test_a_tilted_disc_is_an_ellipse_as_wide_as_its_cosine() -> None:
    angle = np.radians(60.0)
    outline, cap = disc_from_above(np.zeros(2), np.array([1.0, 0.0]), angle, 0.0, 20.0)
    assert np.ptp(cap[:, 0]) == pytest.approx(20.0)
    assert np.ptp(cap[:, 1]) == pytest.approx(40.0)
    assert outline == pytest.approx(cap)


def test_a_disc_on_its_rim_is_as_wide_as_it_is_thick() -> None:
    outline, _ = disc_from_above(np.zeros(2), np.array([0.0, 1.0]), np.pi / 2, 6.0, 20.0)
    assert np.ptp(outline[:, 1]) == pytest.approx(6.0)
    assert np.ptp(outline[:, 0]) == pytest.approx(40.0)


def test_the_way_of_a_piece_is_drawn_up_to_the_sample() -> None:
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
def test_what_a_piece_came_to_is_marked_at_the_end_only(face: Face, colour: Rgb) -> None:
    recording = resting(PLACES, [0.0, np.pi, np.pi])
    outcome = outcome_of([face, Face.DOWN])
    assert not pixels(top_view(recording, 0, outcome), colour)
    assert not pixels(top_view(recording, 1), colour)
    assert pixels(top_view(recording, 1, outcome), colour)
    assert pixels(top_view(recording, -1, outcome), colour)


def test_a_piece_that_left_is_pointed_at_from_the_edge() -> None:
    recording = resting([(900.0, 0.0), PLACES[1], PLACES[2]], [0.0, np.pi, np.pi])
    arrow = pixels(top_view(recording, 1, outcome_of([Face.OUT, Face.DOWN])), LIGHT.out)
    assert arrow
    assert min(x for x, _ in arrow) > 0.9 * SIZE
    assert np.mean([y for _, y in arrow]) == pytest.approx(SIZE / 2, abs=2.0)


def test_a_face_down_puck_shows_its_face_below_its_back() -> None:
    surface = side_view(resting([(0.0, 0.0), (60.0, 0.0), (-60.0, 0.0)], [np.pi, np.pi, np.pi]))
    face, back = pixels(surface, LIGHT.puck_face), pixels(surface, LIGHT.puck_back)
    middle = SIZE
    faces = [y for x, y in face if x == middle]
    backs = [y for x, y in back if x == middle]
    assert min(faces) > max(backs)


def test_pucks_lie_on_the_floor() -> None:
    surface = side_view(resting([(0.0, 0.0), (60.0, 0.0), (-60.0, 0.0)], [np.pi, 0.0, 0.0]))
    floor = min(y for _, y in pixels(surface, LIGHT.floor))
    lowest = max(y for _, y in pixels(surface, LIGHT.puck_face))
    assert 0 < floor - lowest <= 3


def test_a_stack_is_as_high_in_the_picture_as_it_is() -> None:
    scene, result = some_slam()
    assert result.recording is not None
    surface = side_view(result.recording, 0, scene)
    colours = pixels(surface, LIGHT.puck_back) + pixels(surface, LIGHT.puck_face)
    rows, columns = [y for _, y in colours], [x for x, _ in colours]
    shape = (max(rows) - min(rows)) / (max(columns) - min(columns))
    assert shape == pytest.approx(scene.stack_height_mm / (2 * PIECE_RADIUS_MM), rel=0.15)


def test_the_side_view_gets_wider_as_pieces_fly_and_never_closer() -> None:
    scene, result = some_slam()
    recording = result.recording
    assert recording is not None
    widths = []
    for sample in (0, recording.impact_samples - 1, len(recording.time_s) - 1):
        slammer_alone = replace(
            recording, height_mm=np.maximum.accumulate(recording.height_mm, axis=0)
        )
        surface = side_view(slammer_alone, sample, scene)
        widths.append(len(pixels(surface, LIGHT.wall)))
    assert widths[0] <= widths[1] < widths[2]


def test_a_piece_at_its_own_wall_is_drawn_at_the_wall() -> None:
    recording = resting([(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [np.pi] * 3, samples=3)
    reach = np.sqrt(2.0) * ARENA.half_side_mm - PIECE_RADIUS_MM
    recording.side_mm[:, 0] = (0.0, reach / 2, reach)
    recording.top_mm[:, 0] = recording.side_mm[:, :1] * np.sqrt(0.5)
    ways, angles = side_motion(recording, ARENA)
    assert ways[-1, 0] == pytest.approx(ARENA.half_side_mm - PIECE_RADIUS_MM)
    assert ways[1, 0] == pytest.approx(ways[-1, 0] / 2)
    assert (angles == recording.angle_rad).all()


def test_right_in_the_side_view_is_right_from_above() -> None:
    recording = resting([(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [np.pi] * 3, samples=4)
    recording.side_mm[:, 2] = (0.0, 2.0, 10.0, 30.0)
    recording.top_mm[:, 2, 0] = -recording.side_mm[:, 2]
    recording.angle_rad[:, 2] = 0.3
    ways, angles = side_motion(replace(recording, impact_samples=2), ARENA)
    assert (ways[1:, 2] < 0).all()
    assert angles[0, 2] == pytest.approx(-0.3)


def test_the_state_counts_faces_in_flight_and_flips_at_the_end() -> None:
    recording = resting(PLACES, [0.0, np.pi, 0.0])
    outcome = outcome_of([Face.OUT, Face.UP], slammer=Face.OUT)
    assert state_text(moment_of(recording, 0), outcome) == "face up: 1 of 2"
    assert state_text(moment_of(recording, 1), outcome).split("    ") == [
        "flipped: 1 of 2",
        "out: 1",
        "slammer out",
    ]
    missed = replace(outcome, hit=False)
    assert state_text(moment_of(recording, -1), missed) == "missed the stack"


def test_a_frame_is_drawn_the_same_each_time() -> None:
    scene, result = some_slam()
    assert result.recording is not None
    pictures = []
    for _ in range(2):
        surface = new_surface(400, 200)
        draw_frame(
            surface,
            scene,
            moment_of(result.recording, 3, scene),
            outcome=result.outcome,
            caption="a slam",
        )
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("size", [(800, 400), (320, 180), (1600, 700)])
def test_a_frame_fills_a_surface_of_any_size(size: tuple[int, int]) -> None:
    scene, result = some_slam()
    assert result.recording is not None
    surface = new_surface(*size)
    draw_frame(
        surface,
        scene,
        moment_of(result.recording, -1, scene),
        outcome=result.outcome,
        caption="a slam",
    )
    for colour in (LIGHT.background, LIGHT.wall, LIGHT.floor, LIGHT.puck_face):
        assert pixels(surface, colour)


def test_a_frame_can_be_dark_and_of_a_knock_out() -> None:
    scene = Scene(
        slammer=puckdex_slammer(20.0),
        stack=knock_out_stack(puckdex_slammer(8.0), shields=1),
        preset=preset("fast"),
    )
    throw = draw_throw(ThrowDistribution(), 2, trial_generator(1, 1))
    result = slam(scene, throw, SampleRate())
    assert result.recording is not None
    surface = new_surface(400, 200)
    draw_frame(surface, scene, moment_of(result.recording, 0, scene), palette=DARK)
    assert pixels(surface, DARK.background)
    assert pixels(surface, DARK.slammer)


def test_no_display_is_opened() -> None:
    scene, result = some_slam()
    assert result.recording is not None
    draw_frame(
        new_surface(400, 200), scene, moment_of(result.recording, 0, scene), caption="a slam"
    )
    assert not pygame.display.get_init()


def test_words_that_do_not_fit_are_made_smaller_and_then_cut() -> None:
    surface = new_surface(200, 40)
    surface.fill(LIGHT.background)
    used = write(surface, "word " * 60, (0, 20), size_px=24, colour=LIGHT.text, width_px=150.0)
    assert used <= 150


def test_a_view_turns_millimetres_into_pixels_downwards() -> None:
    view = Projection(scale=3.0, x_px=10.0, y_px=90.0)
    assert view.at(np.array([[0.0, 0.0], [1.0, 2.0]])) == [(10.0, 90.0), (13.0, 84.0)]


def test_colours_that_mean_different_things_are_far_apart_for_every_eye() -> None:
    """By luminance too, in which all eyes see: what lies face up and what does not."""

    def luminance(colour: Rgb) -> float:
        red, green, blue = colour
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for palette in (LIGHT, DARK):
        assert abs(luminance(palette.slammer) - luminance(palette.puck_back)) > 40
        assert abs(luminance(palette.slammer) - luminance(palette.puck_face)) > 40
        assert abs(luminance(palette.text) - luminance(palette.background)) > 150
