"""Sounds of a slam, read off its recording, in films and in a window."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pucklab.physics import Face
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.poses import Poses
from pucklab.render.movie_files import SOUND_HZ
from pucklab.render.slams.export import film_times_s
from pucklab.render.slams.motion import replay_motion
from pucklab.render.slams.pace import FILM_PACE, Pace
from pucklab.render.slams.sound import _samples, film_sound, pitch_at, sounds_of, voice_of
from tests.recordedslams import SCENE, some_replay

SLAM = some_replay()
MOTION, SOUNDS = replay_motion(SLAM), sounds_of(SLAM)
RATE_HZ, LENGTH_S, FPS = 1000.0, 0.3, 30.0
TIMES = film_times_s(MOTION, FPS, FILM_PACE)


def moved(height_mm, x_mm):
    """Return a recording in which only the lowest puck moves; the other pieces stay away."""
    count = len(height_mm)
    pieces = len(SCENE.stack) + 1
    middle = np.zeros((count, pieces, 3))
    middle[:, :, 0] = 60.0
    middle[:, :, 2] = 500.0 - 9810.0 * (np.arange(count)[:, np.newaxis] / RATE_HZ) ** 2 / 2
    middle[:, 0, 0], middle[:, 0, 2] = x_mm, height_mm
    orientation = np.tile((1.0, 0.0, 0.0, 0.0), (count, pieces, 1))
    poses = Poses(time_s=np.arange(count) / RATE_HZ, middle_mm=middle, orientation=orientation)
    recording = replace(SLAM.recording, poses=poses, impact_samples=0)
    pieces_down = tuple(replace(piece, face=Face.DOWN) for piece in SLAM.outcome.pieces)
    return replace(SLAM, recording=recording, outcome=replace(SLAM.outcome, pieces=pieces_down))


def bounce(speed_mm_s):
    """Return the heights of a flat puck that falls for .1 s, and leaves the floor at a speed."""
    half_mm = SCENE.stack[0].thickness_mm / 2
    time = np.arange(round(LENGTH_S * RATE_HZ)) / RATE_HZ - 0.1
    fall = half_mm + 9810.0 * (0.1**2 - (time + 0.1) ** 2) / 2
    return np.where(time < 0, fall, half_mm + speed_mm_s * time - 9810.0 * time**2 / 2)


def test_a_puck_that_hits_the_floor_sounds_by_the_energy_of_its_kick():
    still = np.zeros(round(LENGTH_S * RATE_HZ))
    click, board = sounds_of(moved(bounce(1200.0), still))
    assert (click.voice, board.voice) == (f"disc{SCENE.stack[0].thickness_mm:g}", "wood")
    assert click.time_s == board.time_s == pytest.approx(0.1, abs=0.002)
    kick_m_s = 9.81 * 0.1 + 1.2
    energy_j = SCENE.stack[0].mass_g / 1000 * kick_m_s**2 / 2
    assert click.loudness == board.loudness == pytest.approx((energy_j / 0.25) ** 0.35, rel=0.03)
    softer, _ = sounds_of(moved(bounce(300.0), still))
    assert softer.loudness < click.loudness


def test_a_click_has_the_frequencies_of_a_free_plate_and_is_short():
    """Measured in the samples: the lowest mode of a PLA disc, and thicker discs higher."""
    for thickness_mm in (1.6, 3.2):
        samples = _samples(f"disc{thickness_mm}")
        power = np.abs(np.fft.rfft(samples, 1 << 16)) ** 2
        peak_hz = float(np.fft.rfftfreq(1 << 16, 1 / SOUND_HZ)[power.argmax()])
        # f = 5.25 / (2 pi) h / R^2 sqrt(E / (12 rho (1 - nu^2)))
        root = math.sqrt(3.3e9 / (12 * 1240 * (1 - 0.33**2)))
        wanted_hz = 5.25 / (2 * math.pi) * thickness_mm * 1000 / PIECE_RADIUS_MM**2 * root
        assert peak_hz == pytest.approx(wanted_hz, rel=0.03)
        loud = np.flatnonzero(np.abs(samples) > 0.02)
        assert loud[-1] / SOUND_HZ < 0.03


def test_a_free_flight_is_silent():
    time = np.arange(round(LENGTH_S * RATE_HZ)) / RATE_HZ
    up = 100.0 + 2000.0 * time - 9810.0 * time**2 / 2
    assert sounds_of(moved(up, 400.0 * time)) == ()


def test_a_puck_that_turns_back_at_a_wall_knocks_on_its_side():
    time = np.arange(round(LENGTH_S * RATE_HZ)) / RATE_HZ
    up = 600.0 - 9810.0 * time**2 / 2
    wall = SCENE.arena.half_side_mm - PIECE_RADIUS_MM
    x_mm = -wall + 900.0 * np.abs(time - 0.1)
    _, sound = sounds_of(moved(up, x_mm))
    assert (sound.voice, round(sound.time_s, 2)) == ("wall", 0.1)
    assert sound.side == pytest.approx(-0.7 * wall / SCENE.arena.half_side_mm, abs=0.01)


def test_every_flip_has_a_chime_when_it_comes_to_rest_each_higher_than_the_last():
    chimes = [sound for sound in SOUNDS if sound.voice.startswith("chime")]
    rests = sorted(float(MOTION.piece_rest_s[k]) for k in SLAM.outcome.flipped)
    assert [chime.time_s for chime in chimes] == rests
    heights = [voice_of(f"chime{step}").tones[0][0] for step in range(10)]
    assert heights == sorted(set(heights))


def test_a_sound_on_the_left_is_louder_there():
    click = max(SOUNDS, key=lambda sound: sound.loudness)
    for side in (-0.7, 0.7):
        sound = film_sound([replace(click, side=side)], MOTION, FILM_PACE, TIMES, FPS)
        left, right = np.abs(sound.astype(float)).sum(axis=0)
        assert (left > 2 * right) if side < 0 else (right > 2 * left)


def test_a_film_sounds_in_its_slow_motion_without_a_buzz_and_fades():
    sound = film_sound(SOUNDS, MOTION, FILM_PACE, TIMES, FPS)
    assert sound.shape == (math.ceil(len(TIMES) / FPS * SOUND_HZ), 2)
    loud = np.abs(sound.astype(float)).max(axis=1)
    heard_s = [
        float(np.interp(one.time_s, TIMES, np.arange(len(TIMES)))) / FPS
        for one in SOUNDS
        if not one.is_chime
    ]
    # Contacts are at least 15 ms apart, and the slow impact has several.
    gaps = np.diff(np.unique(heard_s))
    assert gaps.min() > 0.0149
    impact = [one for one in SOUNDS if 0 <= one.time_s <= MOTION.impact_end_s]
    assert len({one.time_s for one in impact}) >= 3
    begin_s = min(heard_s)
    assert loud[: int((begin_s - 0.01) * SOUND_HZ)].max(initial=0) < 10
    assert loud[int(begin_s * SOUND_HZ) :][: SOUND_HZ // 20].max() > 300
    # The spectrum is that of clicks: little in the band in which a rattle of contacts would hum.
    power = np.abs(np.fft.rfft(sound[:, 0].astype(float))) ** 2
    hz = np.fft.rfftfreq(len(sound), 1 / SOUND_HZ)
    assert power[(hz > 90) & (hz < 130)].sum() < 0.05 * power.sum()
    assert power[hz > 1000].sum() > 0.2 * power.sum()
    assert loud[-SOUND_HZ // 100 :].max() < 0.02 * loud.max()  # a late chime may ring until then


def test_slow_motion_lowers_clicks_but_not_chimes():
    assert [round(pitch_at(slower), 2) for slower in (0.5, 1, 2, 32, 1e6)] == [1, 1, 0.87, 0.5, 0.3]
    low, own = _samples("disc1.6", 0.5), _samples("disc1.6")
    assert len(low) == pytest.approx(2 * len(own), abs=2)
    pace = Pace(impact_slower=50.0, settle_slower=50.0)
    (chime,) = [one for one in SOUNDS if one.is_chime][:1]
    times = np.linspace(chime.time_s - 0.01, chime.time_s + 0.05, 60)
    sound = film_sound([chime], MOTION, pace, times, 30.0)
    power = np.abs(np.fft.rfft(sound[:, 0].astype(float))) ** 2
    peak_hz = np.fft.rfftfreq(len(sound), 1 / SOUND_HZ)[power.argmax()]
    assert peak_hz == pytest.approx(voice_of(chime.voice).tones[0][0], rel=0.01)


def test_a_recording_without_poses_has_the_contacts_of_its_impact_and_chimes():
    flat = replace(SLAM, recording=replace(SLAM.recording, poses=None))
    end_s = MOTION.impact_end_s
    contacts = [one for one in sounds_of(flat) if not one.is_chime]
    assert contacts
    assert all(one.time_s <= end_s for one in contacts)
