"""A slam as a strip of pictures."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pygame
import pytest

from physics import (
    InputError,
    PieceChance,
    Recording,
    SampleRate,
    Scene,
    SlamResult,
    Throw,
    ThrowDistribution,
    draw_throw,
    preset,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from render.filmstrip import draw_filmstrip, save_filmstrip
from render.moments import at_times, film_times_s, strip_samples
from render.palette import LIGHT

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(4), preset=preset("fast"))


@lru_cache(maxsize=1)
def some_slam() -> SlamResult:
    """A slam with flips."""
    for trial in range(50):
        throw = draw_throw(ThrowDistribution(), 4, trial_generator(1, trial))
        if slam(SCENE, throw).outcome.flipped:
            return slam(SCENE, throw, SampleRate())
    raise AssertionError


def recorded(result: SlamResult) -> Recording:
    assert result.recording is not None
    return result.recording


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
    assert marked.min() > width * 5 / 6
    assert not pygame.display.get_init()


def test_a_strip_without_a_caption_is_less_high() -> None:
    result = some_slam()
    bare = draw_filmstrip(SCENE, recorded(result), result.outcome)
    told = draw_filmstrip(SCENE, recorded(result), result.outcome, caption="a slam")
    assert bare.get_width() == told.get_width()
    assert bare.get_height() < told.get_height()


def test_a_strip_shows_six_moments_from_the_first_to_the_last() -> None:
    recording = recorded(some_slam())
    moments = strip_samples(recording)
    samples = [sample for sample, _ in moments]
    assert len(samples) == 6
    assert samples == sorted(set(samples))
    assert samples[0] == 0
    assert samples[-1] == len(recording.time_s) - 1
    assert [name for _, name in moments][1:3] == ["impact", "lift-off"]
    assert samples[2] < recording.impact_samples <= samples[3]


def test_a_miss_has_a_strip_too(tmp_path: Path) -> None:
    throw = Throw(speed_mm_s=5000.0, aim_x_mm=60.0, chances=(PieceChance(),) * 4)
    result = slam(SCENE, throw, SampleRate())
    assert not result.outcome.hit
    save_filmstrip(tmp_path / "miss.png", SCENE, recorded(result), result.outcome)
    names = [name for _, name in strip_samples(recorded(result))]
    assert names[0] == "start"
    assert names[-1] == "rest"
    assert "impact" not in names


def test_a_recording_of_one_sample_is_a_strip_of_one_picture() -> None:
    recording = at_times(recorded(some_slam()), np.array([0.0]))
    assert strip_samples(recording) == ((0, "rest"),)


def test_a_film_shows_the_impact_slowly_and_ends_with_the_recording() -> None:
    recording = recorded(some_slam())
    times = film_times_s(recording, 25.0, 250.0)
    steps = np.diff(times)
    assert times[0] == recording.time_s[0]
    assert times[-1] == recording.time_s[-1]
    assert (steps > 0).all()
    assert steps[0] == pytest.approx(1 / (25 * 250))
    assert steps[:-1].max() == pytest.approx(1 / (25 * 2))


def test_a_recording_at_its_own_times_is_itself() -> None:
    recording = recorded(some_slam())
    again = at_times(recording, recording.time_s)
    assert again.impact_samples == recording.impact_samples
    for name in ("side_mm", "height_mm", "angle_rad", "top_mm", "energy_mj"):
        assert getattr(again, name) == pytest.approx(getattr(recording, name), abs=1e-9)


def test_between_two_samples_a_piece_is_between_its_places() -> None:
    recording = recorded(some_slam())
    middle = (recording.time_s[4] + recording.time_s[5]) / 2
    halfway = at_times(recording, np.array([middle]))
    assert halfway.height_mm[0] == pytest.approx(recording.height_mm[4:6].mean(axis=0))


def test_a_time_outside_the_recording_is_not_accepted() -> None:
    recording = recorded(some_slam())
    with pytest.raises(InputError, match="times_s"):
        at_times(recording, np.array([0.0, float(recording.time_s[-1]) + 1.0]))
