"""Replays: what is written is read again, and what is no replay is refused in one line."""

import json
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from pucklab.base.files import version
from pucklab.physics import (
    Puck,
    SampleRate,
    Scene,
    Slammer,
    Throw,
    knock_out_stack,
    puckdex_slammer,
    slam,
)
from pucklab.sim.scene.replay import (
    Replay,
    load_replay,
    replay_from_json,
    replay_of,
    replay_to_json,
    save_replay,
)
from tests.recordedslams import SCENE
from tests.refusals import changed, refused
from tests.scenes import trial_throw
from tests.tables import cases, toml


def thrown(scene, throw=None):
    count = len(scene.stack)
    throw = throw or trial_throw(count, 1, 0)
    return scene, throw, slam(scene, throw, SampleRate())


@lru_cache(maxsize=1)
def some_slams():
    return (
        thrown(SCENE),
        thrown(
            Scene(
                slammer=Slammer(mass_g=30.0, unofficial=True),
                stack=knock_out_stack(puckdex_slammer(20.0), 2, Puck(mass_g=1.1)),
            )
        ),
        thrown(SCENE, Throw(speed_mm_s=5000.0, aim_x_mm=70.0)),
    )


@lru_cache(maxsize=1)
def some_text():
    scene, throw, result = some_slams()[0]
    return replay_to_json(
        Replay(
            version="1.2.3",
            scene=scene,
            throw=throw,
            outcome=result.outcome,
            recording=result.recording,
        )
    )


@pytest.mark.parametrize("index", range(3))
def test_a_replay_is_read_as_it_was_written(tmp_path, index):
    scene, throw, result = some_slams()[index]
    path = tmp_path / "slam.json"
    save_replay(path, replay_of(scene, throw, result))
    replay = load_replay(path)
    assert (replay.version, replay.scene, replay.throw) == (version(), scene, throw)
    assert replay.outcome == result.outcome
    assert replay_to_json(replay) == path.read_text()
    assert [entry.name for entry in tmp_path.iterdir()] == ["slam.json"]


def test_a_recording_is_kept_to_a_micrometre():
    recording = some_slams()[0][2].recording
    read = replay_from_json(some_text()).recording
    assert read.impact_samples == recording.impact_samples
    for name, tolerance in (
        ("time_s", 1e-7),
        ("side_mm", 1e-3),
        ("height_mm", 1e-3),
        ("angle_rad", 1e-5),
        ("top_mm", 1e-3),
        ("energy_mj", 1e-4),
    ):
        wanted, got = getattr(recording, name), getattr(read, name)
        assert got.shape == wanted.shape
        assert got.dtype == np.float64
        assert np.abs(got - wanted).max() <= tolerance


def test_poses_in_space_are_kept_all_of_the_impact_and_fewer_later():
    recording = some_slams()[0][2].recording
    read = replay_from_json(some_text()).recording.poses
    early = recording.poses.time_s <= 0.02
    assert read.time_s[: early.sum()] == pytest.approx(recording.poses.time_s[early], abs=1e-7)
    assert np.diff(read.time_s[early.sum() : -1]).min() > 0.0049
    assert read.time_s[-1] == pytest.approx(recording.poses.time_s[-1], abs=1e-6)
    same = np.searchsorted(recording.poses.time_s, read.time_s - 1e-6)
    assert np.abs(read.middle_mm - recording.poses.middle_mm[same]).max() < 0.006
    assert np.abs(read.orientation - recording.poses.orientation[same]).max() < 1e-5


def test_a_scene_thrown_again_from_its_replay_comes_to_the_same():
    replay = replay_from_json(some_text())
    assert slam(replay.scene, replay.throw).outcome == replay.outcome


def test_a_slam_that_was_not_recorded_is_no_replay():
    scene, throw, result = some_slams()[0]
    refused(replay_of, scene, throw, replace(result, recording=None), said="recording")


def test_a_replay_of_another_version_is_refused_with_the_way_out(write):
    path = write("slam.json", '{"game": "slam", "schema": 2, "version": "9.9.0"}')
    said = f"{str(path)!r} schema: 2 ... give 1; saved by pucklab 9.9.0, this is {version()}"
    refused(load_replay, path, said=said)


@cases("way value said", "replay_mistakes.txt", toml)
def test_a_damaged_replay_is_refused_in_one_line_that_names_the_field(write, way, value, said):
    path = write("slam.json", json.dumps(changed(json.loads(some_text()), way, value)))
    refused(load_replay, path, said=f"replay: {str(path)!r} ... {said}")


@pytest.mark.parametrize(
    "text",
    ["", "no", "[]", "null", '{"schema": NaN}', '{"schema": ' + "9" * 5000 + "}", "[" * 100_000],
)
def test_a_text_that_is_no_replay_is_refused(text):
    refused(replay_from_json, text, said="replay")


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    refused(load_replay, tmp_path / "none.json", said="replay: ... cannot be read")
