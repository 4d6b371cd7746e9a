"""Sounds of a slam, read off its recording, in films and in a window."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from physics.pieces import PIECE_RADIUS_MM
from physics.poses import Poses
from render.movie_files import SOUND_HZ
from render.slams.export import film_times_s
from render.slams.motion import motion_of
from render.slams.playback import FILM_PACE, Pace
from render.slams.sound import VOICES, Speaker, film_sound, is_heard, sounds_of
from sim.slam_replay import Replay, replay_of
from tests.recordedslams import SCENE, some_slam, thrown

Floats = NDArray[np.float64]

RATE_HZ, LENGTH_S, FPS = 1000.0, 0.3, 30.0


def replay() -> Replay:
    return replay_of(SCENE, thrown(), some_slam())


def moved(height_mm: Floats, x_mm: Floats) -> Replay:
    """Return a recording in which only the lowest puck moves; the other pieces stay away."""
    count = len(height_mm)
    pieces = len(SCENE.stack) + 1
    middle = np.zeros((count, pieces, 3))
    middle[:, :, 0] = 60.0
    middle[:, :, 2] = 500.0 - 9810.0 * (np.arange(count)[:, np.newaxis] / RATE_HZ) ** 2 / 2
    middle[:, 0, 0], middle[:, 0, 2] = x_mm, height_mm
    orientation = np.tile((1.0, 0.0, 0.0, 0.0), (count, pieces, 1))
    poses = Poses(time_s=np.arange(count) / RATE_HZ, middle_mm=middle, orientation=orientation)
    slam = replay()
    recording = replace(slam.recording, poses=poses, impact_samples=0)
    return replace(slam, recording=recording, outcome=replace(slam.outcome, pieces=()))


def bounce(speed_mm_s: float) -> Floats:
    """Return the heights of a flat puck that falls for .1 s, and leaves the floor at a speed."""
    half_mm = SCENE.stack[0].thickness_mm / 2
    time = np.arange(round(LENGTH_S * RATE_HZ)) / RATE_HZ - 0.1
    fall = half_mm + 9810.0 * (0.1**2 - (time + 0.1) ** 2) / 2
    return np.where(time < 0, fall, half_mm + speed_mm_s * time - 9810.0 * time**2 / 2)


def test_a_puck_that_hits_the_floor_sounds_by_the_energy_of_its_kick() -> None:
    still = np.zeros(round(LENGTH_S * RATE_HZ))
    (sound,) = sounds_of(moved(bounce(1200.0), still))
    assert sound.voice == "wood"
    assert sound.time_s == pytest.approx(0.1, abs=0.002)
    kick_m_s = 9.81 * 0.1 + 1.2
    energy_j = SCENE.stack[0].mass_g / 1000 * kick_m_s**2 / 2
    assert sound.loudness == pytest.approx((energy_j / 0.25) ** 0.3, rel=0.03)
    (softer,) = sounds_of(moved(bounce(300.0), still))
    assert softer.loudness < sound.loudness


def test_a_free_flight_is_silent() -> None:
    time = np.arange(round(LENGTH_S * RATE_HZ)) / RATE_HZ
    up = 100.0 + 2000.0 * time - 9810.0 * time**2 / 2
    assert sounds_of(moved(up, 400.0 * time)) == ()


def test_a_puck_that_turns_back_at_a_wall_knocks_on_its_side() -> None:
    time = np.arange(round(LENGTH_S * RATE_HZ)) / RATE_HZ
    up = 600.0 - 9810.0 * time**2 / 2
    wall = SCENE.arena.half_side_mm - PIECE_RADIUS_MM
    x_mm = -wall + 900.0 * np.abs(time - 0.1)
    (sound,) = sounds_of(moved(up, x_mm))
    assert (sound.voice, round(sound.time_s, 2)) == ("wall", 0.1)
    assert sound.side == pytest.approx(-0.7 * wall / SCENE.arena.half_side_mm, abs=0.01)


def test_every_flip_has_a_chime_when_it_comes_to_rest_each_higher_than_the_last() -> None:
    slam = replay()
    motion = motion_of(SCENE, slam.recording, slam.throw)
    chimes = [sound for sound in sounds_of(slam) if sound.voice.startswith("chime")]
    rests = sorted(float(motion.piece_rest_s[k]) for k in slam.outcome.flipped)
    assert [chime.time_s for chime in chimes] == rests
    heights = [VOICES[f"chime{step}"].tones[0][0] for step in range(10)]
    assert heights == sorted(set(heights))


def test_the_impact_is_one_clack_by_the_energy_of_the_throw() -> None:
    slam = replay()
    slow = replace(slam, throw=replace(slam.throw, speed_mm_s=slam.throw.speed_mm_s / 2))
    clacks = [
        [sound for sound in sounds_of(one) if sound.voice == "impact"] for one in (slam, slow)
    ]
    (loud,), (quiet,) = clacks
    assert loud.time_s == quiet.time_s == 0.0
    assert quiet.loudness == pytest.approx(loud.loudness * 0.25**0.3)


def test_a_recording_without_poses_has_its_impact_and_chimes_only() -> None:
    slam = replay()
    flat = replace(slam, recording=replace(slam.recording, poses=None))
    voices = {sound.voice for sound in sounds_of(flat)}
    assert "impact" in voices
    assert all(voice == "impact" or voice.startswith("chime") for voice in voices)


def test_slow_motion_is_silent_but_for_the_clack_in_the_pace_of_films() -> None:
    impact, *others = sounds_of(replay())
    assert is_heard(impact, 250.0, FILM_PACE)
    assert not is_heard(impact, 250.0, Pace(settle_slower=10.0))
    assert is_heard(others[0], 2.0, FILM_PACE)
    assert not is_heard(others[0], 20.0, FILM_PACE)


def test_the_sound_of_a_film_is_as_long_as_its_frames_and_begins_with_the_clack() -> None:
    slam = replay()
    motion = motion_of(SCENE, slam.recording, slam.throw)
    times = film_times_s(motion, FPS, FILM_PACE)
    sound = film_sound(sounds_of(slam), motion, FILM_PACE, times, FPS)
    assert sound.shape == (math.ceil(len(times) / FPS * SOUND_HZ), 2)
    clack = float(np.interp(0.0, times, np.arange(len(times)))) / FPS
    first = int(np.flatnonzero(np.abs(sound).max(axis=1) > 100)[0]) / SOUND_HZ
    assert first == pytest.approx(clack, abs=0.01)
    assert (sound == film_sound(sounds_of(slam), motion, FILM_PACE, times, FPS)).all()
    slow = Pace(settle_slower=10.0)
    times = film_times_s(motion, FPS, slow)
    assert not film_sound(sounds_of(slam), motion, slow, times, FPS).any()


def test_a_sound_on_the_left_is_louder_there() -> None:
    slam = replay()
    motion = motion_of(SCENE, slam.recording, slam.throw)
    times = film_times_s(motion, FPS, FILM_PACE)
    (clack,) = (sound for sound in sounds_of(slam) if sound.voice == "impact")
    for side in (-0.7, 0.7):
        sound = film_sound([replace(clack, side=side)], motion, FILM_PACE, times, FPS)
        left, right = np.abs(sound.astype(float)).sum(axis=0)
        assert (left > 2 * right) if side < 0 else (right > 2 * left)


def test_without_a_sound_card_a_window_is_silent_and_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "none such")
    slam = replay()
    motion = motion_of(SCENE, slam.recording, slam.throw)
    speaker = Speaker()
    speaker.play(sounds_of(slam), motion, FILM_PACE, -1.0, 1.0)
    assert speaker.switch() == "sound off"
    assert speaker.switch() == "no sound: there is no sound card"
    assert capfd.readouterr().err == ""


def test_a_window_plays_each_sound_once_as_its_time_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    pygame.mixer.quit()
    slam = replay()
    motion = motion_of(SCENE, slam.recording, slam.throw)
    speaker, played = Speaker(), []
    monkeypatch.setattr(speaker, "_play", played.append)
    steps = np.linspace(motion.start_s, motion.end_s, 400).tolist()
    sounds, real_time = sounds_of(slam), Pace(impact_slower=1.0, settle_slower=1.0)
    for begin, end in pairwise(steps):
        speaker.play(sounds, motion, real_time, begin, end)
    assert played == list(sounds)
    assert speaker.switch() == "sound off"
    speaker.play(sounds, motion, real_time, -1.0, 1.0)
    assert len(played) == len(sounds)
    monkeypatch.undo()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    speaker.switch()
    speaker.play(sounds_of(slam), motion, FILM_PACE, -0.01, 0.001)
    assert pygame.mixer.get_init()
    assert pygame.mixer.get_busy()
    pygame.mixer.quit()
