"""A slam as a strip of pictures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame

from physics import (
    PieceChance,
    Recording,
    SampleRate,
    Throw,
    slam,
)
from render.palette import LIGHT
from render.slams.export import draw_filmstrip, save_filmstrip, strip_times_s
from tests.recordedslams import SCENE, recorded, some_slam


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
