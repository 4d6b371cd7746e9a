"""Slams and what draws them as data of a page.

A page computes a slam of the solid engine from its line of text. Others, as of the plane and of
other versions of the physics, carry their motion: as many samples as straight lines between them
need to stay close to it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pucklab.base.facts import fact
from pucklab.physics import Face, InputError, Piece, SampleRate, SlamOutcome
from pucklab.physics.pieces import PIECE_RADIUS_MM
from pucklab.physics.poses import raise_above_floor_mm, with_steady_signs
from pucklab.physics.slam_line import SlamSetup
from pucklab.render.pages import pack
from pucklab.render.palette import LIGHT
from pucklab.render.slams.camera3d import DEPTHS_MM
from pucklab.render.slams.looks import (
    ART_PX,
    DISC_PROFILE,
    DISC_SEGMENTS,
    MOST_CONTACTS,
    PROGRAMS,
    SUN,
    PieceLook,
    face_art,
    piece_looks,
    shaders,
)
from pucklab.render.slams.motion import Motion, replay_motion
from pucklab.render.slams.outcome_marks import outcome_marks
from pucklab.render.slams.sound import SlamSound, sounds_of, voice_of
from pucklab.sim.scene.replay import Replay, replay_of

Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]

TOLERANCE_MM = 0.15
"""Usual largest distance between a motion and the straight lines between its kept samples."""

_STEP_MM, _STEP_S = 0.05, 2e-5
"""Units of the whole numbers that places and times are stored as."""

_STEPS = 6.0
"""The largest distance from the motion, in units of places if those are larger."""

_HEADER = """#version 300 es
precision highp float;
precision highp sampler2DArray;
precision highp sampler2DShadow;
"""
"""First lines of a shader in WebGL2."""


@fact
class PageSlam:
    """A slam for a page.

    Attributes:
        title: A line above it.
        line: Its line of text; empty if it has none.
        faces: Faces of the stack, as `pucklab.render.slams.looks.piece_looks` takes them.
        replay: The slam whose motion is carried; None if the page computes it from its line.
        motion: That motion.
        sounds: Its sounds.
    """

    title: str
    line: str
    faces: tuple[str, ...] = ()
    replay: Replay | None = None
    motion: Motion | None = None
    sounds: tuple[SlamSound, ...] = ()


def page_slam(title: str, slam: Replay | str, faces: Sequence[str] = ()) -> PageSlam:
    """Return a slam for a page that computes it from its line, or plays that of a replay."""
    if isinstance(slam, str):
        return PageSlam(title=title, line=slam, faces=tuple(faces))
    try:
        line = SlamSetup(scene=slam.scene, throw=slam.throw, engine=slam.engine).line
    except InputError:  # its preset has no name
        line = ""
    return PageSlam(
        title=title,
        line=line,
        faces=tuple(faces),
        replay=slam,
        motion=replay_motion(slam),
        sounds=sounds_of(slam),
    )


def pack_slams(slams: Iterable[PageSlam], tolerance_mm: float = TOLERANCE_MM) -> dict[str, Any]:
    """Return slams for a page as JSON, with the voices and the motions of those that carry them."""
    numbers: list[Shorts] = []
    clips, voices = [], set()
    for own in slams:
        clip: dict[str, Any] = {"title": own.title, "line": own.line, "faces": own.faces}
        if own.replay is not None and own.motion is not None:
            voices |= {sound.voice for sound in own.sounds}
            clip |= {
                "impactEnd": round(own.motion.impact_end_s, 5),
                "sounds": [
                    [round(s.time_s, 5), s.voice, round(s.loudness, 3), round(s.side, 3)]
                    for s in own.sounds
                ],
                "slams": [_slam_facts(own.replay, own.motion, own.faces, tolerance_mm, numbers)],
            }
        clips.append(clip)
    motion = np.concatenate([np.zeros(0, np.int16), *numbers]).astype("<i2").view(np.uint8)
    return {
        "clips": clips,
        "voices": {name: asdict(voice_of(name)) for name in sorted(voices)},
        "motion": pack(motion.reshape(-1, 2).T) if numbers else "",
        "steps": [*_steps(tolerance_mm), _STEP_S],
    }


def compute_slam(setup: SlamSetup, faces: Sequence[str]) -> tuple[SlamOutcome, dict[str, Any]]:
    """Return the outcome of a slam, and the slam for pages."""
    is_solid = setup.engine == "solid"
    result = setup.slam(None if is_solid else SampleRate())
    shown = setup.line if is_solid else replay_of(setup.scene, setup.throw, result)
    return result.outcome, pack_slams([page_slam("", shown, faces)])


def graphics(names: Iterable[str]) -> dict[str, Any]:
    """Return shaders, the profile of discs, and pictures of faces by name, as JSON."""
    art = face_art(sorted(set(names) - set(face_art(()).layers)))
    return {
        "shaders": shaders(_HEADER),
        "programs": PROGRAMS,
        "disc": {"profile": DISC_PROFILE, "segments": DISC_SEGMENTS},
        "art": {
            "size": ART_PX,
            "layers": art.layers,
            "colours": [colours.ravel().tolist() for colours in art.colours],
            # The layers of a pixel stand together: slammers differ only in their labels.
            "pixels": pack(np.moveaxis(art.pixels, 0, 2)),
        },
        "contacts": MOST_CONTACTS,
        "sun": SUN,
        "depths": DEPTHS_MM,
    }


def look_facts(look: PieceLook, piece: Piece) -> dict[str, Any]:
    """Return the look of a piece as JSON."""
    return {
        "half": round(piece.thickness_mm / 2, 3),
        "radius": round(piece.diameter_mm / 2, 3),
        "face": look.face,
        "back": look.back,
        "metal": int(look.is_metal),
    }


def _slam_facts(
    replay: Replay,
    motion: Motion,
    faces: Sequence[str],
    tolerance_mm: float,
    numbers: list[Shorts],
) -> dict[str, Any]:
    """Return a slam as JSON; what its pieces do is added to the numbers."""
    scene, outcome, arena = replay.scene, replay.outcome, replay.scene.arena
    times, values = _samples(motion, tolerance_mm)
    begin = sum(len(part) for part in numbers)
    # Differences from sample to sample are small numbers, which pack well; pieces that are at rest
    # are runs of zeros.
    whole = np.concatenate((np.round((times - times[0]) / _STEP_S)[np.newaxis], values))
    steps = np.diff(whole, axis=1, prepend=0.0)
    numbers.append(((steps + 32768) % 65536 - 32768).astype(np.int16).ravel())
    marks = outcome_marks(outcome, LIGHT)
    names = {Face.UP: "flipped", Face.LEANING: "leaning", Face.OUT: "out"}
    pieces = zip((*scene.stack, scene.slammer), piece_looks(scene, faces), strict=True)
    return {
        "engine": replay.engine,
        "half": arena.shown_half_mm,
        "open": not arena.box,
        "out": arena.out_radius_mm or 0,
        "wall": arena.shown_wall_mm,
        "begin": begin,
        "samples": len(times),
        "start": round(float(times[0]), 5),
        "pieces": [
            look_facts(look, piece) | {"mark": names[marks[index][0]] if index in marks else ""}
            for index, (piece, look) in enumerate(pieces)
        ],
        "hit": outcome.hit,
    }


def _steps(tolerance_mm: float) -> tuple[float, float]:
    """Return the units of places, in mm, and of quaternions, which move a rim less far."""
    step_mm = max(_STEP_MM, tolerance_mm / _STEPS)
    return step_mm, step_mm / (10 * PIECE_RADIUS_MM)


def _samples(motion: Motion, tolerance_mm: float) -> tuple[Floats, Floats]:
    """Return the kept times of a motion, shape (K,), and whole numbers, shape (7 B, K).

    The numbers are x, y, z of the centre and w, x, y, z of the quaternion of each piece.
    """
    poses = motion.poses
    turned = poses.orientation / np.linalg.norm(poses.orientation, axis=2, keepdims=True)
    turned = with_steady_signs(turned)
    # Between two samples a piece may dip into the floor; it is shown on it.
    upright = 1 - 2 * (turned[..., 1] ** 2 + turned[..., 2] ** 2)
    height = raise_above_floor_mm(
        poses.middle_mm[..., 2], upright, motion.half_mm, motion.radius_mm
    )
    centre = np.concatenate((poses.middle_mm[..., :2], height[..., np.newaxis]), axis=2)
    # A turn by a small angle a changes the quaternion by a / 2, and moves the rim by a radius.
    rims_mm = 2 * motion.radius_mm[:, np.newaxis] * turned
    kept = _kept(poses.time_s, np.concatenate((centre, rims_mm), axis=2), tolerance_mm)
    step_mm, step_quaternion = _steps(tolerance_mm)
    whole = np.concatenate((centre / step_mm, turned / step_quaternion), axis=2)[kept]
    return poses.time_s[kept], np.round(whole.reshape(len(kept), -1)).T


def _kept(time_s: Floats, state: Floats, tolerance_mm: float) -> list[int]:
    """Return samples between which straight lines stay close to the motion.

    A line between two of them is split where the motion is farthest from it (Douglas-Peucker).

    Args:
        time_s: Shape (F,).
        state: Centres, and quaternions as ways of the rim, mm; shape (F, B, 7).
        tolerance_mm: Largest distance of a point of a rim.
    """
    kept, open_ = {0, len(time_s) - 1}, [(0, len(time_s) - 1)]
    while open_:
        begin, end = open_.pop()
        if end - begin < 2:
            continue
        share = (time_s[begin + 1 : end] - time_s[begin]) / (time_s[end] - time_s[begin])
        line = state[begin] + share[:, np.newaxis, np.newaxis] * (state[end] - state[begin])
        off = line - state[begin + 1 : end]
        distance = np.sqrt((off[..., :3] ** 2).sum(-1)) + np.sqrt((off[..., 3:] ** 2).sum(-1))
        farthest = distance.max(axis=1)
        if farthest.max() > tolerance_mm:
            middle = begin + 1 + int(farthest.argmax())
            kept.add(middle)
            open_ += [(begin, middle), (middle, end)]
    return sorted(kept)
