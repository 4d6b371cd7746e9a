"""A slam as a strip of pictures."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from physics import (
    PieceChance,
    Recording,
    SampleRate,
    Scene,
    Throw,
    ThrowDistribution,
    draw_throw,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from physics.pieces import PIECE_RADIUS_MM
from render.palette import LIGHT
from render.slams.camera3d import OVERVIEW, fitted, following, view_of
from render.slams.export import draw_filmstrip, save_filmstrip, strip_times_s
from render.slams.motion import Moment, moment_at, motion_of
from render.slams.poses import pose_of
from tests.recordedslams import SCENE, recorded, some_slam, thrown


def test_a_strip_is_a_png_that_marks_what_flipped(tmp_path: Path) -> None:
    result = some_slam()
    path = tmp_path / "slam.png"
    save_filmstrip(path, SCENE, recorded(result), result.outcome, caption="a slam")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [entry.name for entry in tmp_path.iterdir()] == ["slam.png"]
    picture = pygame.surfarray.array3d(pygame.image.load(path))
    width = picture.shape[0]
    marked = np.argwhere((picture == LIGHT.flipped).all(axis=2))[:, 0]
    assert marked.size
    assert marked.min() > width * 4 / 6  # a piece that is at rest early is marked early
    assert not pygame.display.get_init()


def test_a_strip_without_a_caption_is_less_high() -> None:
    result = some_slam()
    bare = draw_filmstrip(SCENE, recorded(result), result.outcome)
    captioned = draw_filmstrip(SCENE, recorded(result), result.outcome, caption="a slam")
    assert bare.get_width() == captioned.get_width()
    assert bare.get_height() < captioned.get_height()


def test_a_strip_shows_six_moments_from_the_first_to_the_last() -> None:
    recording = recorded(some_slam())
    times, names = zip(*strip_times_s(recording), strict=True)
    assert len(times) == 6
    assert list(times) == sorted(set(times))
    assert times[0] == recording.time_s[0]
    assert times[-1] == recording.time_s[-1]
    assert names[1:3] == ("impact", "lift-off")
    assert times[2] == recording.time_s[recording.impact_samples - 1] < times[3]


def test_a_miss_has_a_strip_too(tmp_path: Path) -> None:
    throw = Throw(speed_mm_s=5000.0, aim_x_mm=60.0, chances=(PieceChance(),) * 4)
    result = slam(SCENE, throw, SampleRate())
    assert not result.outcome.hit
    save_filmstrip(tmp_path / "miss.png", SCENE, recorded(result), result.outcome)
    names = [name for _, name in strip_times_s(recorded(result))]
    assert names[0] == "start"
    assert names[-1] == "rest"
    assert "impact" not in names


def test_a_recording_of_one_sample_is_a_strip_of_one_picture() -> None:
    recording = recorded(some_slam())
    names = ("time_s", "side_mm", "height_mm", "angle_rad", "top_mm", "energy_mj")
    first = {name: getattr(recording, name)[:1] for name in names}
    assert strip_times_s(Recording(**first, impact_samples=1)) == ((0.0, "rest"),)


def test_a_recording_that_ends_with_the_impact_is_a_strip_too() -> None:
    recording = recorded(some_slam())
    alone = replace(recording, impact_samples=len(recording.time_s))
    assert strip_times_s(alone)[-1] == (recording.time_s[-1], "rest")


def in_picture(scene: Scene, moment: Moment, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return for each piece if all of its outline is in the view in space of a film."""
    camera = following(OVERVIEW, moment.reach_mm, moment.time_s)
    view, pose = view_of(fitted(camera, size), size), pose_of(scene, moment)
    angle = np.linspace(0.0, 2 * np.pi, 24)
    rim = PIECE_RADIUS_MM * np.stack((np.cos(angle), np.sin(angle)))
    outline = (pose.rotation[:, :, :2] @ rim).transpose(0, 2, 1) + pose.centre_mm[:, np.newaxis]
    pixels = view.project(outline)
    found: NDArray[np.bool_] = ((pixels > 0) & (pixels < size)).all(axis=(1, 2))
    return found


@pytest.mark.parametrize("descent_deg", [0.0, 20.0, 40.0, 60.0])
@pytest.mark.parametrize("size", [(550, 310), (880, 520)])
def test_a_film_begins_with_the_whole_slammer_in_the_picture(
    descent_deg: float, size: tuple[int, int]
) -> None:
    throw = replace(thrown(), descent_rad=math.radians(descent_deg))
    motion = motion_of(SCENE, recorded(), throw)
    shown = in_picture(SCENE, moment_at(motion, motion.start_s), size)
    assert shown.all()


def test_no_picture_of_a_strip_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[float] = []

    def count(*arguments: Any) -> None:
        surface, own, moment, _, _, camera = arguments
        size = surface.get_size()
        pixels = view_of(fitted(camera, size), size).project(pose_of(own, moment).centre_mm)
        shown.append(((pixels > 0) & (pixels < size)).all(axis=1).mean())

    monkeypatch.setattr("render.slams.export.draw_space", count)
    scene = replace(SCENE, slammer=puckdex_slammer(20.0), stack=puck_stack(6))
    for trial in range(6):
        throw = draw_throw(
            ThrowDistribution(speed_mm_s=7000.0), len(scene.stack), trial_generator(3, trial)
        )
        result = slam(scene, throw, SampleRate())
        draw_filmstrip(scene, recorded(result), result.outcome)
    assert len(shown) >= 30
    # Where most pieces have left the box for good, some of them stay out of the picture.
    assert min(shown) > 0.25
    assert np.mean(np.array(shown) >= 0.5) > 0.9
