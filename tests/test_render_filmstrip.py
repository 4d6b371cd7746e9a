"""A slam as a strip of pictures."""

from dataclasses import replace

import numpy as np
import pygame

from pucklab.physics import Recording, SampleRate, Throw, slam
from pucklab.render.palette import LIGHT
from pucklab.render.slams.export import export_slam, strip_times_s
from pucklab.sim.scene.replay import replay_of
from tests.recordedslams import SCENE, some_replay


def test_a_strip_is_a_png_that_marks_what_flipped(tmp_path):
    path = tmp_path / "slam.png"
    export_slam(path, some_replay(), "8 g")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [entry.name for entry in tmp_path.iterdir()] == ["slam.png"]
    picture = pygame.surfarray.array3d(pygame.image.load(path))
    marked = np.argwhere((picture == LIGHT.flipped).all(axis=2))
    assert len(marked)
    # The lower row has the flight, where the first pieces may rest, and the end.
    assert marked[:, 1].min() > picture.shape[1] / 2
    assert marked[:, 0].max() > picture.shape[0] * 2 / 3
    assert not pygame.display.get_init()


def test_a_strip_shows_six_moments_from_the_first_to_the_last():
    recording = some_replay().recording
    times, names = zip(*strip_times_s(some_replay()), strict=True)
    assert len(times) == 6
    assert list(times) == sorted(set(times))
    assert times[0] == recording.time_s[0]
    assert times[-1] == recording.time_s[-1]
    assert names[1:3] == ("impact", "lift-off")
    assert times[2] == recording.time_s[recording.impact_samples - 1] < times[3]


def test_a_miss_has_a_strip_too(tmp_path):
    throw = Throw(speed_mm_s=5000.0, aim_x_mm=60.0)
    result = slam(SCENE, throw, SampleRate())
    assert not result.outcome.hit
    missed = replay_of(SCENE, throw, result)
    export_slam(tmp_path / "miss.png", missed, "8 g")
    names = [name for _, name in strip_times_s(missed)]
    assert names[0] == "start"
    assert names[-1] == "rest"
    assert "impact" not in names


def test_a_recording_of_one_sample_or_of_an_impact_alone_is_a_strip_too():
    own, recording = some_replay(), some_replay().recording
    names = ("time_s", "side_mm", "height_mm", "angle_rad", "top_mm", "energy_mj")
    first = {name: getattr(recording, name)[:1] for name in names}
    one = replace(own, recording=Recording(**first, impact_samples=1))
    assert strip_times_s(one) == ((0.0, "rest"),)
    alone = replace(own, recording=replace(recording, impact_samples=len(recording.time_s)))
    assert strip_times_s(alone)[-1] == (recording.time_s[-1], "rest")
