"""Replays: what is written is read again, and what is no replay is refused in one line."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from physics import (
    InputError,
    PieceChance,
    Puck,
    SampleRate,
    Scene,
    Slammer,
    SlamResult,
    Throw,
    ThrowDistribution,
    draw_throw,
    knock_out_stack,
    preset,
    puck_stack,
    puckdex_slammer,
    slam,
    trial_generator,
)
from sim.core.files import version
from sim.slam_replay import (
    Replay,
    load_replay,
    replay_from_json,
    replay_of,
    replay_to_json,
    save_replay,
)

SCENE = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(4), preset=preset("fast"))


def thrown(scene: Scene, throw: Throw | None = None) -> tuple[Scene, Throw, SlamResult]:
    count = len(scene.stack)
    throw = throw or draw_throw(ThrowDistribution(), count, trial_generator(1, 0))
    return scene, throw, slam(scene, throw, SampleRate())


@lru_cache(maxsize=1)
def some_slams() -> tuple[tuple[Scene, Throw, SlamResult], ...]:
    return (
        thrown(SCENE),
        thrown(
            Scene(
                slammer=Slammer(mass_g=30.0, unofficial=True),
                stack=knock_out_stack(puckdex_slammer(20.0), 2, Puck(mass_g=1.1)),
            )
        ),
        thrown(SCENE, Throw(speed_mm_s=5000.0, aim_x_mm=70.0, chances=(PieceChance(),) * 4)),
    )


@lru_cache(maxsize=1)
def some_text() -> str:
    scene, throw, result = some_slams()[0]
    assert result.recording is not None
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
def test_a_replay_is_read_as_it_was_written(tmp_path: Path, index: int) -> None:
    scene, throw, result = some_slams()[index]
    path = tmp_path / "slam.json"
    save_replay(path, replay_of(scene, throw, result))
    replay = load_replay(path)
    assert (replay.version, replay.scene, replay.throw) == (version(), scene, throw)
    assert replay.outcome == result.outcome
    assert replay_to_json(replay) == path.read_text()
    assert [entry.name for entry in tmp_path.iterdir()] == ["slam.json"]


def test_a_recording_is_kept_to_a_micrometre() -> None:
    recording = some_slams()[0][2].recording
    assert recording is not None
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


def test_poses_in_space_are_kept_all_of_the_impact_and_fewer_later() -> None:
    recording = some_slams()[0][2].recording
    assert recording is not None
    assert recording.poses is not None
    read = replay_from_json(some_text()).recording.poses
    assert read is not None
    early = recording.poses.time_s <= 0.02
    assert read.time_s[: early.sum()] == pytest.approx(recording.poses.time_s[early], abs=1e-7)
    assert np.diff(read.time_s[early.sum() : -1]).min() > 0.0049
    assert read.time_s[-1] == pytest.approx(recording.poses.time_s[-1], abs=1e-6)
    same = np.searchsorted(recording.poses.time_s, read.time_s - 1e-6)
    assert np.abs(read.middle_mm - recording.poses.middle_mm[same]).max() < 0.006
    assert np.abs(read.orientation - recording.poses.orientation[same]).max() < 1e-5


def test_a_replay_of_an_older_version_has_no_poses_and_is_of_the_plane() -> None:
    facts = json.loads(some_text())
    del facts["engine"]
    del facts["recording"]["poses"]
    replay = replay_from_json(json.dumps(facts))
    assert replay.recording.poses is None
    assert replay.engine == "plane"


def test_a_scene_thrown_again_from_its_replay_comes_to_the_same() -> None:
    replay = replay_from_json(some_text())
    assert slam(replay.scene, replay.throw).outcome == replay.outcome


def test_a_slam_that_was_not_recorded_is_no_replay() -> None:
    scene, throw, result = some_slams()[0]
    with pytest.raises(InputError, match="recording"):
        replay_of(scene, throw, replace(result, recording=None))


def test_a_replay_of_another_version_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "slam.json"
    path.write_text('{"schema": 2, "version": "9.9.0"}')
    with pytest.raises(InputError) as caught:
        load_replay(path)
    message = str(caught.value)
    assert message.startswith(f"replay: {str(path)!r}: schema: 2 is not accepted; give 1")
    assert message.endswith(f"saved by pucklab 9.9.0, this is {version()}: save it again with this")


def without(*keys: str | int) -> Callable[[Any], None]:
    def change(facts: Any) -> None:
        *way, last = keys
        for key in way:
            facts = facts[key]
        del facts[last]

    return change


def with_(value: Any, *keys: str | int) -> Callable[[Any], None]:
    def change(facts: Any) -> None:
        *way, last = keys
        for key in way:
            facts = facts[key]
        facts[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without("schema"), "schema is missing"),
        (with_(2, "schema"), "schema: 2 is not accepted; give 1"),
        (with_(True, "schema"), "schema: True"),
        (with_(3, "version"), "version: 3"),
        (without("scene", "slammer", "mass_g"), "scene slammer: mass_g is missing"),
        (with_("stone", "scene", "slammer", "kind"), "scene slammer kind: 'stone'"),
        (with_("puck", "scene", "slammer", "kind"), "scene slammer"),
        (with_(-1.0, "scene", "stack", 2, "mass_g"), "scene stack 3: puck_g: -1.0"),
        (with_(1, "scene", "stack", 2, "unofficial"), "scene stack 3 unofficial: 1 is not"),
        (with_([], "scene", "stack"), "scene stack: [] is not accepted"),
        (with_(1, "scene", "colour"), "scene: 'colour' is not a field"),
        (with_(None, "scene", "arena"), "scene arena: None"),
        (with_("quick", "scene", "preset", "impact_iterations"), "impact_iterations: 'quick'"),
        (with_([], "throw", "chances"), "throw chances: 0 values are not accepted"),
        (with_("x", "throw", "chances", 0, "kick_x"), "throw chances 1 kick_x: 'x'"),
        (with_(99.0, "throw", "speed_mm_s"), "throw: speed_mm_s: 99.0"),
        (with_("sideways", "outcome", "pieces", 1, "face"), "pieces 2 face: 'sideways'"),
        (with_(["up"], "outcome", "pieces", 1, "face"), "pieces 2 face: ['up']"),
        (with_(3, "outcome", "pieces", 1, "place"), "places [0, 3, 2, 3] are not accepted"),
        (with_(None, "outcome", "slammer", "x_mm"), "slammer x_mm: None"),
        (with_("yes", "outcome", "hit"), "hit: 'yes'"),
        (without("recording", "angle_rad"), "recording: angle_rad is missing"),
        (with_([], "recording", "time_s"), "recording time_s"),
        (with_(1e5, "recording", "time_s", -1), "time_s: not accepted; give times in order"),
        (with_(-1.0, "recording", "time_s", 0), "time_s: not accepted; give times in order"),
        (with_(1e300, "recording", "height_mm", 3, 0), "height_mm: not accepted; give "),
        (with_([[1.0], [2.0, 3.0]], "recording", "side_mm"), "recording side_mm"),
        (with_("a", "recording", "height_mm", 0, 0), "recording height_mm"),
        (with_(9999, "recording", "impact_samples"), "impact_samples: 9999"),
        (with_(True, "recording", "impact_samples"), "impact_samples: True"),
        (with_("paper", "engine"), "engine: 'paper' is not accepted; give plane or solid"),
        (with_([], "recording", "poses"), "recording poses: [] is not accepted"),
        (without("recording", "poses", "time_s"), "recording poses: time_s is missing"),
        (with_([9.0, 0, 0, 0], "recording", "poses", "orientation", 0, 0), "poses orientation"),
    ],
)
def test_a_damaged_replay_is_refused_in_one_line_that_names_the_field(
    tmp_path: Path, change: Callable[[Any], None], words: str
) -> None:
    facts = json.loads(some_text())
    change(facts)
    path = tmp_path / "slam.json"
    path.write_text(json.dumps(facts))
    with pytest.raises(InputError) as caught:
        load_replay(path)
    message = str(caught.value)
    assert words in message
    assert message.startswith(f"replay: {str(path)!r}: ")
    assert "\n" not in message
    assert len(message) < 400 + len(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "null",
        '{"schema": NaN}',
        '{"schema": ' + "9" * 5000 + "}",
        "[" * 100_000,
    ],
)
def test_a_text_that_is_no_replay_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^replay"):
        replay_from_json(text)


def test_a_replay_cut_short_is_refused() -> None:
    with pytest.raises(InputError, match="not JSON"):
        replay_from_json(some_text()[:-200])


def test_an_infinite_number_is_refused() -> None:
    text = some_text()
    start = text.index('"energy_mj":[') + len('"energy_mj":[')
    with pytest.raises(InputError, match="energy_mj"):
        replay_from_json(text[:start] + "1e999," + text[text.index(",", start) + 1 :])


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"replay: .*cannot be read"):
        load_replay(tmp_path / "none.json")
