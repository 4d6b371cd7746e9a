"""Motion of the pieces of a recording, and their poses at one moment.

`motion_of` computes once everything that pictures need; `moment_at` interpolates it at a time. F
samples, B pieces, the thrown slammer last.
"""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from pucklab.base.facts import fact
from pucklab.physics import Recording, Scene, Throw
from pucklab.physics.poses import Poses, raise_above_floor_mm, rotate_in_plane
from pucklab.render.slams.camera3d import Shot, camera_path, last_shot
from pucklab.render.slams.pace import FILM_PACE, frame_times_s
from pucklab.sim.scene.replay import Replay

Floats = NDArray[np.float64]

_APPROACH_MM, _APPROACH_SAMPLES = 70.0, 8
"""Length and samples of the slammer's approach, shown before the recording begins."""

_STILL_MM = 1.0
"""A piece within this distance of its final place is at rest, as far as can be seen."""

FILM_FPS = 30.0
"""Times a second of film for which the camera's path is computed."""

_BENT_MM, _PATH_SAMPLES = 0.1, 25
"""A path is drawn through every sample where it bends so far, and every 25th."""

_ON_FLOOR = (1.0, 1.0, 0.0)


@fact
class Motion:
    """Motion of all pieces."""

    time_s: Floats  # (S,); steps of playback; 0 is just before the first contact
    poses: Poses  # all poses, with the slammer's approach before 0 if it is shown
    half_mm: Floats  # (B,); half thicknesses
    radius_mm: Floats  # (B,)
    impact_end_s: float  # 0 if there is no impact
    piece_rest_s: Floats  # (B,); time from which each piece is at rest, as far as can be seen
    paths: tuple[
        tuple[Floats, Floats], ...
    ]  # of each piece: times (N,), places on the floor (N, 3)
    film_s: Floats  # (K,); times of the frames of a film; the last one is the end
    shots: Floats  # (K, 3); shots of a camera that follows, at those times

    @property
    def start_s(self) -> float:
        """Time of the first step; below 0 if the approach is shown."""
        return float(self.time_s[0])

    @property
    def end_s(self) -> float:
        """Time of the last step."""
        return float(self.time_s[-1])

    @property
    def rest_s(self) -> float:
        """Time from which everything is at rest, as far as can be seen."""
        return float(self.piece_rest_s.max())


@fact
class Moment:
    """Poses of all pieces at one time of a motion."""

    time_s: float
    at_end: bool
    centre_mm: Floats  # (B, 3)
    orientation: Floats  # (B, 4); unit quaternions (w, x, y, z)
    half_mm: Floats  # (B,)
    radius_mm: Floats  # (B,)
    rested_s: Floats  # (B,); time since each piece has come to rest, below 0 before
    shot: Shot  # of a camera that follows
    paths_mm: tuple[Floats, ...] = ()  # of each piece so far, on the floor; (N, 3)

    rotation: Floats = field(init=False)  # matrices, (B, 3, 3); the third column is the face normal

    def __post_init__(self) -> None:
        """Compute the rotations once: every view of a moment needs them."""
        w, x, y, z = self.orientation.T
        rows = (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
        object.__setattr__(self, "rotation", np.array(rows).transpose(2, 0, 1))

    @property
    def face_up(self) -> tuple[bool, ...]:
        """For each piece, True if its face points up, at rest or in flight."""
        return tuple((self.rotation[:, 2, 2] > 0).tolist())

    @property
    def resting(self) -> frozenset[int]:
        """Indices of the pieces that have come to rest for good."""
        return frozenset(np.flatnonzero(self.at_end | (self.rested_s >= 0)).tolist())


def motion_of(scene: Scene, recording: Recording, throw: Throw | None = None) -> Motion:
    """Return the motion of the pieces of a recording.

    With the throw, it begins with the last 70 mm of the slammer's approach, along a straight line.
    A recording without poses in space turns each piece in the plane of its own path.
    """
    poses, time = recording.poses, recording.time_s
    if poses is None:
        moved = recording.top_mm[-1] - recording.top_mm[0]
        heights = recording.height_mm[..., np.newaxis]
        poses = Poses(
            time_s=time,
            middle_mm=np.concatenate((recording.top_mm, heights), axis=2),
            orientation=rotate_in_plane(recording.angle_rad, np.arctan2(moved[:, 1], moved[:, 0])),
        )
    half_mm, radius_mm = sizes_of(scene)
    rest_s = np.minimum(_rest_s(poses, radius_mm), time[-1])
    impact_end_s = (
        float(recording.time_s[recording.impact_samples - 1]) if recording.impact_samples else 0.0
    )
    if throw is not None:
        begin_s = -_APPROACH_MM / throw.speed_mm_s
        before_s = np.linspace(begin_s, 0.0, _APPROACH_SAMPLES, endpoint=False)
        time = np.concatenate((before_s, time))
        # Before the recording, the slammer comes in a straight line.
        first = [0] * _APPROACH_SAMPLES
        middle, orientation = poses.middle_mm[first], poses.orientation[first]
        across, (x, y) = np.sin(throw.descent_rad), throw.heading
        velocity = throw.speed_mm_s * np.array([across * x, across * y, -np.cos(throw.descent_rad)])
        middle[:, -1] += before_s[:, np.newaxis] * velocity
        poses = Poses(
            time_s=np.concatenate((before_s, poses.time_s)),
            middle_mm=np.concatenate((middle, poses.middle_mm)),
            orientation=np.concatenate((orientation, poses.orientation)),
        )
    times = float(time[0]), float(rest_s.max()), float(time[-1])
    film_s = frame_times_s(FILM_PACE, impact_end_s, *times, FILM_FPS)
    shown = np.searchsorted(poses.time_s[:-1], film_s)
    centre, upright = poses.middle_mm[shown], poses.normal[shown, :, 2]
    # A tilted disc reaches as far above its middle as below.
    top_mm = centre[..., 2] + raise_above_floor_mm(
        np.zeros(upright.shape), upright, half_mm, radius_mm
    )
    return Motion(
        time_s=time,
        poses=poses,
        half_mm=half_mm,
        radius_mm=radius_mm,
        impact_end_s=impact_end_s,
        piece_rest_s=rest_s,
        paths=_paths(poses),
        film_s=film_s,
        shots=camera_path(scene.arena, film_s, centre, top_mm, radius_mm),
    )


def replay_motion(replay: Replay) -> Motion:
    """Return the motion of a slam, from the slammer's approach on."""
    return motion_of(replay.scene, replay.recording, replay.throw)


def sizes_of(scene: Scene) -> tuple[Floats, Floats]:
    """Return half the thickness and the radius of each piece, (B,)."""
    pieces = (*scene.stack, scene.slammer)
    half_mm = np.array([piece.thickness_mm / 2 for piece in pieces])
    return half_mm, np.array([piece.diameter_mm / 2 for piece in pieces])


def moment_at(motion: Motion, time_s: float) -> Moment:
    """Return the poses at a time, interpolated linearly; outside, those of the ends."""
    poses = motion.poses
    time_s = min(max(time_s, motion.start_s), motion.end_s)
    after = int(np.searchsorted(poses.time_s, time_s, side="right"))
    after = min(max(after, 1), len(poses.time_s) - 1)
    before = max(after - 1, 0)
    span = float(poses.time_s[after] - poses.time_s[before])
    share = min(max((time_s - float(poses.time_s[before])) / span, 0.0), 1.0) if span > 0 else 0.0
    centre = (1 - share) * poses.middle_mm[before] + share * poses.middle_mm[after]
    # Quaternions of neighbouring samples are close, so that normalising their mean is enough.
    turn = (1 - share) * poses.orientation[before] + share * poses.orientation[after]
    turn /= np.sqrt((turn**2).sum(axis=1, keepdims=True))
    # Between two samples a piece may dip into the floor; it is shown on it.
    upright = 1 - 2 * (turn[:, 1] ** 2 + turn[:, 2] ** 2)
    sizes = motion.half_mm, motion.radius_mm
    centre[:, 2] = raise_above_floor_mm(centre[np.newaxis, :, 2], upright[np.newaxis], *sizes)[0]
    on_floor = (centre * _ON_FLOOR)[:, np.newaxis]
    return Moment(
        time_s=time_s,
        at_end=time_s >= motion.end_s,
        centre_mm=centre,
        orientation=turn,
        half_mm=motion.half_mm,
        radius_mm=motion.radius_mm,
        rested_s=time_s - motion.piece_rest_s,
        shot=np.array([np.interp(time_s, motion.film_s, column) for column in motion.shots.T]),
        paths_mm=tuple(
            np.concatenate((places[: np.searchsorted(times, time_s, side="right")], here))
            for (times, places), here in zip(motion.paths, on_floor, strict=True)
        ),
    )


def still_moment(scene: Scene) -> Moment:
    """Return a moment at which the stack stands and the slammer lies on it.

    Example:
        >>> from pucklab.physics import puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> still_moment(scene).centre_mm[:, 2].round(2).tolist()
        [0.8, 2.4, 6.2]
    """
    half_mm, radius_mm = sizes_of(scene)
    pieces = len(half_mm)
    centre = np.column_stack((np.zeros((pieces, 2)), 2 * half_mm.cumsum() - half_mm))
    angles = np.append(np.full(pieces - 1, np.pi), 0.0)  # the stack is face down
    return Moment(
        time_s=0.0,
        at_end=False,
        centre_mm=centre,
        orientation=rotate_in_plane(angles, np.zeros(pieces)),
        half_mm=half_mm,
        radius_mm=radius_mm,
        rested_s=np.full(pieces, -1.0),
        shot=last_shot(scene.arena),
    )


def _rest_s(poses: Poses, radius_mm: Floats) -> Floats:
    """Return the time from which each piece is at rest; shape (B,)."""
    moved = poses.middle_mm - poses.middle_mm[-1]
    turned = radius_mm[:, np.newaxis] * (poses.normal - poses.normal[-1])
    distance = np.sqrt(np.maximum((moved**2).sum(axis=-1), (turned**2).sum(axis=-1)))
    is_moving = distance > _STILL_MM
    # One after the last moving sample of each piece, found from the end; 0 if it never moves.
    after = len(is_moving) - is_moving[::-1].argmax(axis=0)
    after = np.where(is_moving.any(axis=0), np.minimum(after, len(is_moving) - 1), 0)
    times: Floats = poses.time_s[after]
    return times


def _paths(poses: Poses) -> tuple[tuple[Floats, Floats], ...]:
    """Return times and places on the floor through which each path is drawn."""
    top = poses.middle_mm * _ON_FLOOR
    kept = np.arange(len(top)) % _PATH_SAMPLES == 0
    bend = np.zeros(top.shape[:2])
    bend[1:-1] = np.abs(top[2:] - 2 * top[1:-1] + top[:-2]).max(axis=2)
    keeps = kept[:, np.newaxis] | (bend > _BENT_MM)
    return tuple(
        (poses.time_s[keeps[:, piece]], top[keeps[:, piece], piece])
        for piece in range(top.shape[1])
    )
