"""Sound of a slam: the clack of the impact, pieces on wood, knocks on walls, a chime for each flip.

`sounds_of` reads the contacts off a recording: a piece changes its velocity suddenly only where it
touches something. `film_sound` mixes them into the sound of a film, `Speaker` plays them in a
window, and `VOICES`, which a web page has too, says how each sounds.
"""

import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pygame
from numpy.typing import NDArray

from physics.pieces import PIECE_RADIUS_MM
from physics.poses import Poses
from render.movie_files import SOUND_HZ
from render.slams.motion import Motion, motion_of
from render.slams.playback import Pace, slower_at
from sim.slam_replay import Replay

Floats = NDArray[np.float64]
Stereo = NDArray[np.int16]
"""Samples of both channels, shape (N, 2)."""


SILENT_FROM = 4.0
"""Slow-down above which contacts are silent: a sound is never stretched."""

_GRAVITY_MM_S2 = 9810.0

_SUDDEN_M_S = 0.12
"""Smallest change of velocity between two samples that is a contact."""

_NEAR_MM = 2.5
"""Distance from the floor or from a wall within which a contact is with it."""

_MERGED_S = 0.003
"""Changes of a piece's velocity within this time are one contact."""

_LOUDEST_J, _LOUDNESS_POWER = 0.25, 0.3
"""Energy of a contact of loudness 1, that of a slammer of 20 g at 5 m/s, and the growth with it."""

_QUIETEST, _CHIME = 0.05, 0.3
"""Smallest loudness that is kept, and that of a chime."""

_WIDTH = 0.7
"""Place between the speakers of a contact at a side wall; 1 would be all to one side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """A sound as a sum of decaying tones and a burst of noise.

    Attributes:
        length_s: Length of the sound.
        noise: Strength of the noise, 0 to 1.
        noise_decay_s: Time in which the noise falls to 1/e.
        tones: Frequency in Hz, time of decay in s, and strength of each tone.
    """

    length_s: float
    noise: float
    noise_decay_s: float
    tones: tuple[tuple[float, float, float], ...]


def _chime(step: int) -> Voice:
    """Return a bell; each step is a tone higher in a scale of five tones."""
    scale = (1.0, 9 / 8, 5 / 4, 3 / 2, 5 / 3)
    base_hz = 1046.5 * scale[step % 5] * 2 ** (step // 5)
    partials = ((1.0, 0.32, 0.5), (2.0, 0.2, 0.22), (3.01, 0.12, 0.12), (4.2, 0.06, 0.08))
    tones = tuple((round(base_hz * ratio, 1), decay, gain) for ratio, decay, gain in partials)
    return Voice(length_s=1.0, noise=0.0, noise_decay_s=0.01, tones=tones)


CHIMES = 10
"""Chimes of different height; further flips sound like the last one."""

VOICES: Mapping[str, Voice] = MappingProxyType(
    {
        "impact": Voice(
            length_s=0.3,
            noise=0.55,
            noise_decay_s=0.006,
            tones=(
                (172.0, 0.05, 0.32), (930.0, 0.02, 0.2), (2350.0, 0.013, 0.22),
                (3720.0, 0.009, 0.16), (5900.0, 0.006, 0.1),
            ),
        ),
        "wood": Voice(
            length_s=0.2,
            noise=0.3,
            noise_decay_s=0.004,
            tones=((410.0, 0.03, 0.4), (870.0, 0.02, 0.25), (1540.0, 0.012, 0.2)),
        ),
        "thud": Voice(
            length_s=0.3,
            noise=0.3,
            noise_decay_s=0.005,
            tones=((205.0, 0.05, 0.45), (470.0, 0.03, 0.3), (3300.0, 0.03, 0.1)),
        ),
        "wall": Voice(
            length_s=0.3,
            noise=0.22,
            noise_decay_s=0.005,
            tones=((165.0, 0.06, 0.4), (330.0, 0.04, 0.3), (720.0, 0.02, 0.2)),
        ),
        "touch": Voice(
            length_s=0.08,
            noise=0.3,
            noise_decay_s=0.0015,
            tones=((3100.0, 0.009, 0.3), (4870.0, 0.007, 0.25), (7300.0, 0.004, 0.15)),
        ),
        **{f"chime{step}": _chime(step) for step in range(CHIMES)},
    }
)  # fmt: skip
"""Voices by name; the frequencies are chosen by ear, not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamSound:
    """A sound of a slam.

    Attributes:
        time_s: Time of the slam at which it begins.
        voice: Name of its voice in `VOICES`.
        loudness: 0 to 1.
        side: Place from left, -1, to right, 1.
    """

    time_s: float
    voice: str
    loudness: float
    side: float


def sounds_of(replay: Replay) -> tuple[SlamSound, ...]:
    """Return the sounds of a slam in the order of time.

    A recording without poses in space has the sound of its impact and the chimes only.
    """
    motion = motion_of(replay.scene, replay.recording, replay.throw)
    sounds = _chimes(replay, motion)
    after_s = -1.0
    if motion.impact_end_s > 0:
        # The whole impact is one sound: its contacts are a few milliseconds apart.
        after_s = motion.impact_end_s
        energy_j = replay.scene.slammer.mass_g * replay.throw.speed_mm_s**2 / 2e9
        at_mm = replay.throw.aim_x_mm
        sounds.append(_sound(0.0, "impact", energy_j, at_mm / replay.scene.arena.half_side_mm))
    if motion.poses is not None and replay.recording.poses is not None:
        sounds += _contacts(replay, replay.recording.poses, after_s)
    return tuple(sorted(sounds, key=lambda sound: (sound.time_s, sound.voice, sound.side)))


def _chimes(replay: Replay, motion: Motion) -> list[SlamSound]:
    half_mm = replay.scene.arena.half_side_mm
    flips = sorted((float(motion.piece_rest_s[k]), k) for k in replay.outcome.flipped)
    return [
        SlamSound(
            time_s=time_s,
            voice=f"chime{min(step, CHIMES - 1)}",
            loudness=_CHIME,
            side=_side(float(motion.poses.middle_mm[-1, index, 0]) / half_mm),
        )
        for step, (time_s, index) in enumerate(flips)
    ]


def _contacts(replay: Replay, poses: Poses, after_s: float) -> list[SlamSound]:
    """Return the sounds of sudden changes of velocity after a time."""
    time_s = poses.time_s
    if len(time_s) < 3:
        return []
    pieces = (*replay.scene.stack, replay.scene.slammer)
    step_s = np.diff(time_s)[:, np.newaxis, np.newaxis]
    velocity = np.diff(poses.middle_mm, axis=0) / step_s
    # Change of velocity at the inner samples, (F - 2, B, 3), without what gravity adds.
    change = np.diff(velocity, axis=0) / 1000
    change[..., 2] += (_GRAVITY_MM_S2 / 1000 * (step_s[1:] + step_s[:-1]) / 2)[..., 0]
    sudden = np.sqrt((change**2).sum(axis=-1)) > _SUDDEN_M_S
    sounds: list[SlamSound] = []
    for index, piece in enumerate(pieces):
        for run in _runs(np.flatnonzero(sudden[:, index]), time_s[1:-1]):
            kick = change[run, index].sum(axis=0)
            sample = int(run[0]) + 1
            if time_s[sample] <= after_s:
                continue
            middle, normal = poses.middle_mm[sample, index], poses.normal[sample, index]
            place = _place(middle, normal, piece.thickness_mm / 2, replay.scene.arena.half_side_mm)
            is_slammer = index == len(pieces) - 1
            voice = "thud" if place == "wood" and is_slammer else place
            energy_j = piece.mass_g / 1000 * float(kick @ kick) / 2
            side = float(middle[0]) / replay.scene.arena.half_side_mm
            sounds.append(_sound(float(time_s[sample]), voice, energy_j, side))
    return _without_twins([sound for sound in sounds if sound.loudness >= _QUIETEST])


def _runs(samples: NDArray[np.intp], time_s: Floats) -> list[NDArray[np.intp]]:
    """Return samples in groups that are close in time."""
    if not len(samples):
        return []
    gaps = np.diff(time_s[samples]) > _MERGED_S
    return list(np.split(samples, np.flatnonzero(gaps) + 1))


def _place(middle: Floats, normal: Floats, half_mm: float, wall_mm: float) -> str:
    """Return the voice of a contact by the nearest thing: the floor, a wall, or another piece."""
    # Half of the width of a disc along each axis.
    reach = PIECE_RADIUS_MM * np.sqrt(np.clip(1 - normal**2, 0.0, None)) + half_mm * np.abs(normal)
    if abs(float((np.abs(middle[:2]) + reach[:2] - wall_mm).max())) < _NEAR_MM:
        return "wall"
    return "wood" if middle[2] - reach[2] < _NEAR_MM else "touch"


def _sound(time_s: float, voice: str, energy_j: float, share: float) -> SlamSound:
    loudness = min((energy_j / _LOUDEST_J) ** _LOUDNESS_POWER, 1.0)
    return SlamSound(time_s=time_s, voice=voice, loudness=loudness, side=_side(share))


def _side(share: float) -> float:
    return _WIDTH * min(max(share, -1.0), 1.0)


def _without_twins(sounds: Sequence[SlamSound]) -> list[SlamSound]:
    """Return sounds without the weaker of two touches at once: both pieces feel a touch."""
    kept: list[SlamSound] = []
    for sound in sorted(sounds, key=lambda sound: (-sound.loudness, sound.time_s, sound.side)):
        is_twin = sound.voice == "touch" and any(
            other.voice == "touch" and abs(other.time_s - sound.time_s) < _MERGED_S
            for other in kept
        )
        if not is_twin:
            kept.append(sound)
    return kept


def is_heard(sound: SlamSound, slower: float, pace: Pace) -> bool:
    """Return True if a sound is played while a slam is shown some times slower than real.

    Slow motion is silent. Only the clack of the impact is heard in the slow motion that a film has
    of the impact, once, and at its own speed.
    """
    return (pace.settle_slower if sound.voice == "impact" else slower) <= SILENT_FROM


def film_sound(
    sounds: Sequence[SlamSound], motion: Motion, pace: Pace, times_s: Floats, fps: float
) -> Stereo:
    """Return the sound of a film, as long as its frames.

    Args:
        sounds: The sounds of the slam.
        motion: Its motion.
        pace: The pace of the film.
        times_s: Time of the slam at each frame, shape (F,).
        fps: Frames a second.

    Returns:
        Samples at `SOUND_HZ`, shape (N, 2).
    """
    mixed = np.zeros((math.ceil(len(times_s) / fps * SOUND_HZ), 2))
    for sound in sounds:
        if not is_heard(sound, slower_at(pace, motion, sound.time_s), pace):
            continue
        begin = round(
            float(np.interp(sound.time_s, times_s, np.arange(len(times_s)))) / fps * SOUND_HZ
        )
        samples = _samples(sound.voice)[: len(mixed) - begin, np.newaxis]
        mixed[begin : begin + len(samples)] += sound.loudness * samples * _gains(sound.side)
    # Many sounds at once are bent, not cut off.
    return np.round(32_767 * np.tanh(mixed)).astype(np.int16)


def silence(seconds: float) -> Stereo:
    """Return silent samples."""
    return np.zeros((round(seconds * SOUND_HZ), 2), np.int16)


@lru_cache(maxsize=32)
def _samples(name: str) -> Floats:
    """Return a voice at loudness 1; shape (N,)."""
    voice = VOICES[name]
    time = np.arange(math.ceil(voice.length_s * SOUND_HZ)) / SOUND_HZ
    noise = np.random.default_rng(1).uniform(-1.0, 1.0, len(time))
    samples: Floats = voice.noise * noise * np.exp(-time / voice.noise_decay_s)
    for hz, decay_s, strength in voice.tones:
        samples += strength * np.sin(2 * np.pi * hz * time) * np.exp(-time / decay_s)
    return samples


def _gains(side: float) -> Floats:
    """Return the gains of the left and the right channel: equal power at any place."""
    angle = (side + 1) * math.pi / 4
    return np.array([math.cos(angle), math.sin(angle)])


class Speaker:
    """The sound of a window; silent where there is no sound card.

    Attributes:
        is_on: False if it is switched off.
    """

    def __init__(self) -> None:
        """Open nothing yet: the first sound does."""
        self.is_on = True
        self._is_broken = False
        self._loaded: dict[str, pygame.mixer.Sound] = {}

    def switch(self) -> str:
        """Switch the sound on or off, and return a line that says so."""
        self.is_on = not self.is_on
        if self.is_on and not self._is_open():
            return "no sound: there is no sound card"
        return f"sound {'on' if self.is_on else 'off'}"

    def play(
        self,
        sounds: Sequence[SlamSound],
        motion: Motion,
        pace: Pace,
        from_s: float,
        to_s: float,
    ) -> None:
        """Play the sounds of a part of a slam.

        Args:
            sounds: The sounds of the slam.
            motion: Its motion.
            pace: The pace at which it is shown.
            from_s: Time of the slam from which sounds are played.
            to_s: Time up to which they are; nothing is played if it is not later.
        """
        if not self.is_on:
            return
        for sound in sounds:
            due = from_s < sound.time_s <= to_s
            if due and is_heard(sound, slower_at(pace, motion, sound.time_s), pace):
                self._play(sound)

    def _play(self, sound: SlamSound) -> None:
        if not self._is_open():
            return
        if sound.voice not in self._loaded:
            mono = np.round(32_767 * np.tanh(_samples(sound.voice))).astype(np.int16)
            both = np.repeat(mono[:, np.newaxis], 2, axis=1)
            self._loaded[sound.voice] = pygame.mixer.Sound(buffer=both.tobytes())
        channel = pygame.mixer.find_channel()
        if channel is not None:
            left, right = (sound.loudness * _gains(sound.side)).tolist()
            channel.play(self._loaded[sound.voice])
            channel.set_volume(left, right)

    def _is_open(self) -> bool:
        """Open the sound card once; return False if there is none."""
        if self._is_broken:
            return False
        if not pygame.mixer.get_init():
            try:
                with _quiet_stderr():
                    pygame.mixer.init(SOUND_HZ, -16, 2, 512)
            except (pygame.error, NotImplementedError):
                self._is_broken = True
                return False
            pygame.mixer.set_num_channels(24)
            self._loaded.clear()
        return True


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Drop what a C library writes to stderr: ALSA explains at length that there is no card."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # a program without stderr
        yield
        return
    try:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
