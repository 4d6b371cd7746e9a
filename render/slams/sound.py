"""Sound of a slam: a click for every contact, wood and walls, and a chime for each flip.

`sounds_of` reads the contacts off a recording: a piece changes its velocity suddenly only where it
touches something. `film_sound` mixes them into the sound of a film, and `voice_of`, whose voices a
web page has too, describes the sound of each. Slow motion spreads contacts in time, and its clicks
are lower.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.facts import fact
from pucklab.physics.pieces import PIECE_DIAMETER_MM, PIECE_RADIUS_MM
from pucklab.render.movie_files import SOUND_HZ
from pucklab.render.slams.motion import Motion, replay_motion
from pucklab.render.slams.pace import FILM_PACE, Pace, slower_at
from pucklab.sim.scene.replay import Replay

Floats = NDArray[np.float64]
Stereo = NDArray[np.int16]
"""Samples of both channels, shape (N, 2)."""

_GRAVITY_MM_S2 = 9810.0

_SUDDEN_M_S, _SUDDEN_IMPACT_M_S = 0.12, 0.02
"""Smallest change of velocity between two samples that is a contact; finer during the impact."""

_NEAR_MM = 2.5
"""Distance from the floor or from a wall within which a contact is with it."""

MERGED_S = 0.015
"""Contacts heard within this time are one: the ear does not tell them apart."""

_LOUDEST_J, _LOUDNESS_POWER = 0.25, 0.35
"""Energy of a contact of loudness 1, that of a slammer of 20 g at 5 m/s, and the growth with it."""

_QUIETEST, _CHIME = 0.02, 0.3
"""Smallest loudness that is kept, and that of a chime."""

_LOWER_POWER, _LOWEST = 0.2, 0.3
"""Growth of the lowering of clicks with the slow-down, and the lowest pitch, 1 being their own."""

_WIDTH = 0.7
"""Place between the speakers of a contact at a side wall; 1 would be all to one side."""

_FADE_S = 0.4
"""Time in which the sound of a film fades at its end."""

_CHIMES = 10
"""Chimes of different height; further flips sound like the last one."""

# Free circular plate: f = k / (2 pi) h / R^2 sqrt(E / (12 rho (1 - nu^2))), with k of the modes of
# fewest nodal diameters and circles for nu = 0.33; A. W. Leissa, "Vibration of Plates" (1969).
_MODES = (5.25, 9.08, 12.23, 20.52, 21.6, 33.1)
_PLATE_M_S = math.sqrt(3.3e9 / (12 * 1240 * (1 - 0.33**2)))
"""That root for PLA: Young's modulus 3.3 GPa, density 1240 kg/m^3 (data sheets of filaments)."""

_LOSS = 0.04
"""Loss factor of PLA: a tone decays in 1 / (pi f loss)."""


@fact
class Voice:
    """A sound as a sum of decaying tones and a burst of noise."""

    length_s: float
    tones: tuple[tuple[float, float, float], ...]  # frequency in Hz, time of decay in s, strength
    noise: float = 0.0  # strength, 0 to 1
    noise_decay_s: float = 0.001  # time in which the noise falls to 1/e


_BOARDS = {
    "wood": ((212.0, 0.028, 0.3), (397.0, 0.02, 0.2), (731.0, 0.012, 0.16)),
    "wall": ((163.0, 0.05, 0.34), (331.0, 0.035, 0.24), (648.0, 0.02, 0.16)),
}
"""Tones of the floor and of the walls, chosen by ear."""


@lru_cache(maxsize=64)
def voice_of(name: str) -> Voice:
    """Return a voice by its name.

    ``disc1.6`` is the click of a disc of 1.6 mm, ``wood`` and ``wall`` are boards that are hit,
    ``chime0`` to ``chime9`` are bells, each a tone higher in a scale of five tones, ``slide`` is a
    piece that slides over a board.

    Example:
        >>> [round(hz) for hz, _, _ in voice_of("disc1.6").tones[:3]]
        [1569, 2714, 3656]
    """
    if name == "slide":
        return Voice(length_s=0.5, tones=(), noise=0.16, noise_decay_s=0.14)
    if name in _BOARDS:
        return Voice(length_s=0.25, tones=_BOARDS[name], noise=0.12, noise_decay_s=0.002)
    if name.startswith("chime"):
        step = int(name.removeprefix("chime"))
        base_hz = 1046.5 * (1.0, 9 / 8, 5 / 4, 3 / 2, 5 / 3)[step % 5] * 2 ** (step // 5)
        partials = ((1.0, 0.32, 0.5), (2.0, 0.2, 0.22), (3.01, 0.12, 0.12), (4.2, 0.06, 0.08))
        bell = tuple((round(base_hz * ratio, 1), decay, gain) for ratio, decay, gain in partials)
        return Voice(length_s=1.0, tones=bell)
    thickness_m = float(name.removeprefix("disc")) / 1000
    scale_hz = thickness_m * _PLATE_M_S / (2 * math.pi * (PIECE_RADIUS_MM / 1000) ** 2)
    heard = [mode * scale_hz for mode in _MODES if mode * scale_hz < 0.4 * SOUND_HZ]
    tones = tuple(
        (round(hz, 1), round(1 / (math.pi * hz * _LOSS), 6), round(0.5 * 0.72**step, 3))
        for step, hz in enumerate(heard)
    )
    return Voice(length_s=0.05, tones=tones, noise=0.2, noise_decay_s=0.0007)


def page_sounds() -> dict[str, Any]:
    """Return the voices and the rules of contacts for a page that computes slams, as JSON."""
    names = ("wood", "wall", *(f"chime{step}" for step in range(_CHIMES)))
    return {
        "voices": {name: asdict(voice_of(name)) for name in names},
        "modes": _MODES,
        "scale": _PLATE_M_S / (2 * math.pi * (PIECE_RADIUS_MM / 1000) ** 2) / 1000,
        "loss": _LOSS,
        "highest": 0.4 * SOUND_HZ,
        "usualRadius": PIECE_RADIUS_MM,
        "sudden": _SUDDEN_M_S,
        "suddenImpact": _SUDDEN_IMPACT_M_S,
        "near": _NEAR_MM,
        "merged": MERGED_S,
        "loudest": _LOUDEST_J,
        "power": _LOUDNESS_POWER,
        "quietest": _QUIETEST,
        "chime": _CHIME,
    }


@fact
class SlamSound:
    """A sound of a slam."""

    time_s: float  # time of the slam at which it begins
    voice: str  # its name for `voice_of`
    loudness: float  # 0 to 1
    side: float  # place from left, -1, to right, 1

    @property
    def is_chime(self) -> bool:
        """True for a chime, which marks a flip; all else are contacts."""
        return self.voice.startswith("chime")


def sounds_of(replay: Replay) -> tuple[SlamSound, ...]:
    """Return the sounds of a slam in the order of time.

    Contacts that are heard within 15 ms at the pace of films are one, with the energy of all.
    """
    motion = replay_motion(replay)
    half_mm = replay.scene.arena.shown_half_mm
    flips = sorted((float(motion.piece_rest_s[k]), k) for k in replay.outcome.flipped)
    sounds = [
        SlamSound(
            time_s=time_s,
            voice=f"chime{min(step, _CHIMES - 1)}",
            loudness=_CHIME,
            side=_side(float(motion.poses.middle_mm[-1, index, 0]) / half_mm),
        )
        for step, (time_s, index) in enumerate(flips)
    ]
    for contact in _merge(_contacts(replay, motion), motion):
        loudness = min((contact.energy_j / _LOUDEST_J) ** _LOUDNESS_POWER, 1.0)
        if loudness >= _QUIETEST:
            sounds += [
                SlamSound(
                    time_s=contact.time_s,
                    voice=voice,
                    loudness=loudness,
                    side=_side(contact.x_mm / half_mm),
                )
                for voice in (contact.disc, contact.board)
                if voice
            ]
    return tuple(sorted(sounds, key=lambda sound: (sound.time_s, sound.voice, sound.side)))


@fact
class _Contact:
    time_s: float
    energy_j: float
    disc: str  # voice of the piece
    board: str  # voice of the surface it hits; empty for another piece
    x_mm: float


def _contacts(replay: Replay, motion: Motion) -> list[_Contact]:
    """Return the contacts of all pieces: peaks in the changes of their velocities."""
    found: list[_Contact] = []
    recording, end_s = replay.recording, motion.impact_end_s
    fine = np.concatenate((recording.top_mm, recording.height_mm[..., np.newaxis]), axis=2)
    count = recording.impact_samples
    # Times, centres, the span that counts and the smallest kick: of the impact, then of the rest.
    tracks = [(recording.time_s[:count], fine[:count], (-1.0, end_s), _SUDDEN_IMPACT_M_S)]
    if recording.poses is not None:
        poses = recording.poses
        tracks.append((poses.time_s, poses.middle_mm, (end_s, math.inf), _SUDDEN_M_S))
    for time_s, centre_mm, until_s, sudden_m_s in tracks:
        if len(time_s) < 4:
            continue
        step_s = np.diff(time_s)[:, np.newaxis, np.newaxis]
        change = np.diff(np.diff(centre_mm, axis=0) / step_s, axis=0) / 1000
        # Gravity changes velocities too. (F - 2, B, 3), in m/s.
        change[..., 2] += (_GRAVITY_MM_S2 / 1000 * (step_s[1:] + step_s[:-1]) / 2)[..., 0]
        size = np.sqrt((change**2).sum(axis=-1))
        beside = np.pad(size, ((1, 1), (0, 0)))
        is_peak = (size > sudden_m_s) & (size >= beside[:-2]) & (size > beside[2:])
        is_peak &= (time_s[1:-1] > until_s[0])[:, np.newaxis]
        is_peak &= (time_s[1:-1] <= until_s[1])[:, np.newaxis]
        for sample, index in np.argwhere(is_peak).tolist():
            piece = (*replay.scene.stack, replay.scene.slammer)[index]
            widening = PIECE_DIAMETER_MM / piece.diameter_mm
            # A contact may last a few samples.
            kick = change[max(sample - 1, 0) : sample + 2, index].sum(axis=0)
            at_s, place = float(time_s[sample + 1]), centre_mm[sample + 1, index]
            found.append(
                _Contact(
                    time_s=at_s,
                    energy_j=piece.mass_g / 1000 * float(kick @ kick) / 2,
                    # The voice of a usual piece as thick as to have its tones.
                    disc=f"disc{min(piece.thickness_mm * widening**2, 12.0):g}",
                    board=_board(motion, at_s, index, replay.scene.arena.half_side_mm),
                    x_mm=float(place[0]),
                )
            )
    return sorted(found, key=lambda contact: contact.time_s)


def _board(motion: Motion, time_s: float, index: int, wall_mm: float) -> str:
    """Return the voice of the floor or wall that a piece is at; empty if it meets a piece."""
    poses = motion.poses
    sample = int(np.searchsorted(poses.time_s, time_s).clip(0, len(poses.time_s) - 1))
    middle, normal = poses.middle_mm[sample, index], poses.normal[sample, index]
    # Half of the width of a disc along each axis.
    reach = motion.radius_mm[index] * np.sqrt(np.clip(1 - normal**2, 0.0, None))
    reach += motion.half_mm[index] * np.abs(normal)
    if abs(float((np.abs(middle[:2]) + reach[:2] - wall_mm).max())) < _NEAR_MM:
        return "wall"
    return "wood" if middle[2] - reach[2] < _NEAR_MM else ""


def _merge(contacts: Sequence[_Contact], motion: Motion) -> list[_Contact]:
    """Return contacts with those that are heard at once, at the pace of films, made one."""
    groups: list[list[_Contact]] = []
    for contact in contacts:
        slower = slower_at(FILM_PACE, motion.impact_end_s, contact.time_s)
        if groups and contact.time_s - groups[-1][0].time_s < MERGED_S / slower:
            groups[-1].append(contact)
        else:
            groups.append([contact])
    merged: list[_Contact] = []
    for group in groups:
        loudest = max(group, key=lambda contact: contact.energy_j)
        energy_j = sum(contact.energy_j for contact in group)
        merged.append(replace(loudest, time_s=group[0].time_s, energy_j=energy_j))
    return merged


def _side(share: float) -> float:
    return _WIDTH * min(max(share, -1.0), 1.0)


def pitch_at(slower: float) -> float:
    """Return the pitch of a contact in slow motion; 1 is its own.

    Example:
        >>> pitch_at(1.0), round(pitch_at(250.0), 2)
        (1.0, 0.33)
    """
    return max(float(max(slower, 1.0) ** -_LOWER_POWER), _LOWEST)


def film_sound(
    sounds: Sequence[SlamSound], motion: Motion, pace: Pace, times_s: Floats, fps: float
) -> Stereo:
    """Return the sound of a film, as long as its frames; it fades at the end.

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
    first = int(np.flatnonzero(times_s == times_s[-1])[0]) + 1  # where the end is held
    for sound in sounds:
        frame = float(np.interp(sound.time_s, times_s[:first], np.arange(first)))
        begin = round(frame / fps * SOUND_HZ)
        slower = slower_at(pace, motion.impact_end_s, sound.time_s)
        pitch = 1.0 if sound.is_chime else pitch_at(slower)
        samples = _samples(sound.voice, round(pitch, 2))[: len(mixed) - begin, np.newaxis]
        mixed[begin : begin + len(samples)] += sound.loudness * samples * _gains(sound.side)
    fade = np.linspace(1.0, 0.0, min(round(_FADE_S * SOUND_HZ), len(mixed)))
    mixed[len(mixed) - len(fade) :] *= fade[:, np.newaxis]
    # Many sounds at once are bent, not cut off.
    return np.round(32_767 * np.tanh(mixed)).astype(np.int16)


@lru_cache(maxsize=256)
def _samples(name: str, pitch: float = 1.0) -> Floats:
    """Return a voice at loudness 1, lowered to a pitch; shape (N,)."""
    voice = voice_of(name)
    time = np.arange(math.ceil(voice.length_s / pitch * SOUND_HZ)) / SOUND_HZ * pitch
    noise = np.random.default_rng(1).uniform(-1.0, 1.0, len(time))
    samples: Floats = voice.noise * noise * np.exp(-time / voice.noise_decay_s)
    for hz, decay_s, strength in voice.tones:
        samples += strength * np.sin(2 * np.pi * hz * time) * np.exp(-time / decay_s)
    return samples


def _gains(side: float) -> Floats:
    """Return the gains of the left and the right channel: equal power at any place."""
    angle = (side + 1) * math.pi / 4
    return np.array([math.cos(angle), math.sin(angle)])
