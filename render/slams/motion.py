"""Motion of the pieces of a recording in both views, and their places at one moment.

`motion_of` computes once all that the views need; `moment_at` interpolates it at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from physics import Recording, Scene, Throw
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.impact import impact_plane, project
from physics.poses import Poses
from render.slams.geometry import headings, side_motion, true_side_plane

Floats = NDArray[np.float64]

_APPROACH_MM, _APPROACH_SAMPLES = 70.0, 8
"""Length and samples of the slammer's approach, shown before the recording begins."""

_STILL_MM = 1.0
"""A piece within this distance of its final place is at rest, as far as can be seen."""

_STRAIGHT_MM = 0.05
"""Largest distance between a path and the straight line that is drawn for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Motion of all pieces in both views; F samples, B pieces, the thrown slammer last.

    Right in the side view is the side of +x of the top view.

    Attributes:
        time_s: Times of the samples, shape (F,); 0 is just before the first contact.
        impact_end_s: End of the impact; 0 if there is none.
        rest_s: Time from which everything is at rest, as far as can be seen.
        piece_rest_s: Time from which each piece is at rest, shape (B,).
        side_x_mm: Place of each piece's centre along the side view, shape (F, B).
        height_mm: Height of each centre above the floor, shape (F, B).
        side_rad: Angle of each piece in the side view, shape (F, B); 0 for face up,
            counter-clockwise.
        top_mm: Place of each centre from above, shape (F, B, 2).
        angle_rad: Angle of each piece in its own plane of motion, shape (F, B).
        impact_heading: Horizontal unit vector of the impact's plane, shape (2,).
        headings: Unit vector of each piece's own plane after the impact, shape (B, 2).
        reach_mm: Largest distance to a side, and largest height, of any piece so far; shape (F, 2).
        corners: For each piece the times and places at which its path from above begins and turns,
            shapes (N,) and (N, 2).
        poses: Poses in space; None if the recording has none, as an older replay.
        is_projection: True if the side view is a projection of the motion in space onto one plane;
            otherwise each piece has a plane of its own.
    """

    time_s: Floats
    impact_end_s: float
    rest_s: float
    piece_rest_s: Floats
    side_x_mm: Floats
    height_mm: Floats
    side_rad: Floats
    top_mm: Floats
    angle_rad: Floats
    impact_heading: Floats
    headings: Floats
    reach_mm: Floats
    corners: tuple[tuple[Floats, Floats], ...]
    poses: Poses | None = None
    is_projection: bool = False

    @property
    def start_s(self) -> float:
        """Time of the first sample; below 0 if the approach is shown."""
        return float(self.time_s[0])

    @property
    def end_s(self) -> float:
        """Time of the last sample."""
        return float(self.time_s[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Places of all pieces at one time of a motion; B pieces.

    Fields that `Motion` has too have the same meaning, without the axis of samples.

    Attributes:
        time_s: The time.
        at_end: True at the end of the motion.
        side_x_mm: Shape (B,).
        height_mm: Shape (B,).
        side_rad: Shape (B,).
        top_mm: Shape (B, 2).
        angle_rad: Shape (B,).
        headings: Unit vector of the plane that each piece moves in now, shape (B, 2).
        reach_mm: Shape (2,).
        corners: All corners of the motion, including those still to come.
        centre_mm: Centre of each piece in space, shape (B, 3); None if the motion has no poses.
        orientation: Unit quaternion of each piece, shape (B, 4); None with ``centre_mm``.
        resting: Indices of the pieces that have come to rest for good.
        side_heading: Horizontal unit vector to the right of the side view, shape (2,).
    """

    time_s: float
    at_end: bool
    side_x_mm: Floats
    height_mm: Floats
    side_rad: Floats
    top_mm: Floats
    angle_rad: Floats
    headings: Floats
    reach_mm: Floats
    corners: tuple[tuple[Floats, Floats], ...]
    centre_mm: Floats | None = None
    orientation: Floats | None = None
    resting: frozenset[int] = frozenset()
    side_heading: Floats = field(default_factory=lambda: np.array([1.0, 0.0]))

    @property
    def paths_mm(self) -> tuple[Floats, ...]:
        """Each piece's path so far from above, as a polyline; shapes (N, 2)."""
        return tuple(
            np.concatenate((places[times <= self.time_s], place[np.newaxis]))
            for (times, places), place in zip(self.corners, self.top_mm, strict=True)
        )

    @property
    def face_up(self) -> tuple[bool, ...]:
        """For each piece, True if its face points up, at rest or in flight."""
        return tuple((np.cos(self.angle_rad) > 0).tolist())


def motion_of(scene: Scene, recording: Recording, throw: Throw | None = None) -> Motion:
    """Return the motion of the pieces of a recording.

    Args:
        scene: The scene that was recorded.
        recording: The recording.
        throw: The throw; with it, the motion begins with the last 70 mm of the slammer's approach,
            along a straight line.
    """
    impact, own = headings(recording)
    plane = true_side_plane(recording)
    if plane is not None:
        impact = plane
    side_x, side = side_motion(recording, scene.arena)
    first = recording.time_s[max(recording.impact_samples - 1, 0)]
    states = [side_x, recording.height_mm, side, recording.top_mm, recording.angle_rad]
    time = recording.time_s
    reach = np.stack((np.abs(side_x).max(axis=1), recording.height_mm.max(axis=1)), axis=1)
    reach = np.maximum.accumulate(reach, axis=0)
    if throw is not None:
        before, moved = _approach(scene, throw, mirrored=impact[0] < 0)
        states = [_with_approach(state, by) for state, by in zip(states, moved, strict=True)]
        time = np.concatenate((before, time))
        reach = np.concatenate((np.broadcast_to(reach[0], (len(before), 2)), reach))
    side_x, height, side, top, angle = states
    return Motion(
        time_s=time,
        impact_end_s=float(first) if recording.impact_samples else 0.0,
        rest_s=float(recording.time_s[rest_sample(recording)]),
        piece_rest_s=_piece_rest_s(recording),
        side_x_mm=side_x,
        height_mm=height,
        side_rad=side,
        top_mm=top,
        angle_rad=angle,
        impact_heading=impact,
        headings=own,
        reach_mm=reach,
        corners=tuple(_corners(time, top[:, piece]) for piece in range(top.shape[1])),
        poses=_poses(recording, throw),
        is_projection=plane is not None,
    )


def moment_at(motion: Motion, time_s: float) -> Moment:
    """Return the places of pieces at a time, interpolated linearly; outside, those of the ends."""
    times = motion.time_s
    time_s = min(max(time_s, motion.start_s), motion.end_s)
    before = max(int(np.searchsorted(times, time_s, side="right")) - 1, 0)
    after = min(before + 1, len(times) - 1)
    span = float(times[after] - times[before])
    share = (time_s - float(times[before])) / span if span > 0 else 0.0

    def between(values: Floats) -> Floats:
        mixed: Floats = (1 - share) * values[before] + share * values[after]
        return mixed

    centre, orientation = _pose_at(motion.poses, time_s)
    top = between(motion.top_mm)
    if orientation is not None and motion.is_projection:
        way, angle = _leans(orientation)
    else:
        angle = between(motion.angle_rad)
        during = time_s <= motion.impact_end_s
        way = np.broadcast_to(motion.impact_heading, top.shape) if during else motion.headings
    return Moment(
        time_s=time_s,
        at_end=time_s >= motion.end_s,
        side_x_mm=between(motion.side_x_mm),
        height_mm=between(motion.height_mm),
        side_rad=between(motion.side_rad),
        top_mm=top,
        angle_rad=angle,
        headings=way,
        reach_mm=between(motion.reach_mm),
        corners=motion.corners,
        centre_mm=centre,
        orientation=orientation,
        resting=frozenset(np.flatnonzero(motion.piece_rest_s <= time_s).tolist()),
        side_heading=_to_the_right(motion.impact_heading),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BestFlip:
    """The best flip of a slam, to be shown again.

    Attributes:
        place: Index of the piece in the stack.
        turns: Turns of its axis in flight, in whole turns and parts of one.
        height_mm: Largest height of its centre.
        begin_s: End of the impact.
        end_s: Time at which it has come to rest.
    """

    place: int
    turns: float
    height_mm: float
    begin_s: float
    end_s: float


def best_flip(motion: Motion, flipped: Sequence[int]) -> BestFlip | None:
    """Return the flip with the largest product of height and turns; None if there is none.

    Args:
        motion: The motion.
        flipped: Indices of the pieces that flip.
    """
    if not flipped:
        return None
    if motion.poses is None:
        height = motion.height_mm.max(axis=0)
        turned = np.abs(np.diff(motion.angle_rad, axis=0)).sum(axis=0)
    else:
        height = motion.poses.middle_mm[:, :, 2].max(axis=0)
        w, x, y, z = np.moveaxis(motion.poses.orientation, 2, 0)
        # The face normal is the third column of the rotation matrix; shape (F, B, 3).
        normal = np.stack(
            (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=2
        )
        cosine = (normal[1:] * normal[:-1]).sum(axis=2)
        turned = np.arccos(np.clip(cosine, -1.0, 1.0)).sum(axis=0)
    place = max(flipped, key=lambda index: float(height[index] * turned[index]))
    return BestFlip(
        place=place,
        turns=float(turned[place]) / (2 * np.pi),
        height_mm=float(height[place]),
        begin_s=motion.impact_end_s,
        end_s=float(motion.piece_rest_s[place]),
    )


def _pose_at(poses: Poses | None, time_s: float) -> tuple[Floats | None, Floats | None]:
    """Return centres and orientations at a time, interpolated linearly between samples."""
    if poses is None:
        return None, None
    times = poses.time_s
    after = min(max(int(np.searchsorted(times, time_s, side="right")), 1), len(times) - 1)
    before = max(after - 1, 0)
    span = float(times[after] - times[before])
    share = min(max((time_s - float(times[before])) / span, 0.0), 1.0) if span > 0 else 0.0
    centre = (1 - share) * poses.middle_mm[before] + share * poses.middle_mm[after]
    # Quaternions of neighbouring samples are close, so that normalising their mean is enough.
    mixed = (1 - share) * poses.orientation[before] + share * poses.orientation[after]
    return centre, mixed / np.sqrt((mixed**2).sum(axis=1, keepdims=True))


def _leans(orientation: Floats) -> tuple[Floats, Floats]:
    """Return the vertical planes that pieces are tilted in, and their angles in these planes.

    Args:
        orientation: Unit quaternions; shape (B, 4).

    Returns:
        Horizontal unit vectors, shape (B, 2), and angles of 0 to pi, shape (B,).
    """
    w, x, y, z = orientation.T
    # The face normal is (-h sin a, cos a) for a tilt by the angle a in the plane of h.
    normal = np.stack((2 * (x * z + w * y), 2 * (y * z - w * x)), axis=1)
    sine = np.sqrt((normal**2).sum(axis=1))
    flat = sine < 1e-9
    way = -normal / np.where(flat, 1.0, sine)[:, np.newaxis]
    way[flat] = 1.0, 0.0
    return way, np.arctan2(sine, 1 - 2 * (x * x + y * y))


def _poses(recording: Recording, throw: Throw | None) -> Poses | None:
    """Return the poses of a recording, after the slammer's approach if the throw is given."""
    poses = recording.poses
    if poses is None or throw is None:
        return poses
    before_s = -_APPROACH_MM / throw.speed_mm_s
    middle = poses.middle_mm[0].copy()
    across, (x, y) = np.sin(throw.descent_rad), throw.heading
    velocity = throw.speed_mm_s * np.array([across * x, across * y, -np.cos(throw.descent_rad)])
    middle[-1] += velocity * before_s
    return Poses(
        time_s=np.concatenate(([before_s], poses.time_s)),
        middle_mm=np.concatenate((middle[np.newaxis], poses.middle_mm)),
        orientation=np.concatenate((poses.orientation[:1], poses.orientation)),
    )


def _to_the_right(impact_heading: Floats) -> Floats:
    """Return the direction of the impact, or its opposite, that is to the right from above."""
    right: Floats = -impact_heading if impact_heading[0] < 0 else impact_heading
    return right


def rest_sample(recording: Recording, pieces: slice | None = None) -> int:
    """Return the first sample from which no piece moves any more, as far as can be seen."""
    moving = np.flatnonzero(_is_moving(recording)[:, pieces or slice(None)].any(axis=1))
    return min(int(moving[-1]) + 1, len(recording.time_s) - 1) if len(moving) else 0


def _piece_rest_s(recording: Recording) -> Floats:
    """Return the time from which each piece is at rest; shape (B,)."""
    is_moving = _is_moving(recording)
    # The last moving sample of each piece, found from the end; -1 if it never moves.
    last = len(is_moving) - 1 - is_moving[::-1].argmax(axis=0)
    after = np.where(is_moving.any(axis=0), np.minimum(last + 1, len(is_moving) - 1), 0)
    times: Floats = recording.time_s[after]
    return times


def _is_moving(recording: Recording) -> NDArray[np.bool_]:
    """Return for each sample and piece if it is away from its final place; shape (F, B)."""
    # The angle counts as the distance that the rim moves.
    states = (
        recording.side_mm,
        recording.height_mm,
        PIECE_RADIUS_MM * recording.angle_rad,
    )
    moved = np.max([np.abs(state - state[-1]) for state in states], axis=0)
    is_moving: NDArray[np.bool_] = moved > _STILL_MM
    return is_moving


def _approach(scene: Scene, throw: Throw, *, mirrored: bool) -> tuple[Floats, list[Floats]]:
    """Return times before 0, and the slammer's state at them relative to its state at 0.

    Returns:
        Times, shape (N,), and differences: along the side view and up, shapes (N,); angle in the
        side view, (N,); place from above, (N, 2); angle, (N,).
    """
    # Uniform motion back in time: every difference is a speed times a time below 0.
    plane = impact_plane(scene, throw) or project(throw, throw.heading)
    begin_s = -_APPROACH_MM / throw.speed_mm_s
    time = np.linspace(begin_s, 0.0, _APPROACH_SAMPLES, endpoint=False)
    across = throw.speed_mm_s * np.sin(throw.descent_rad)
    turned = plane.rate_rad_s * time
    sign = -1.0 if mirrored else 1.0
    return time, [
        sign * plane.speed_along_mm_s * time,
        plane.speed_up_mm_s * time,
        sign * turned,
        across * time[:, np.newaxis] * np.array(throw.heading),
        turned,
    ]


def _with_approach(values: Floats, moved: Floats) -> Floats:
    """Return values, (F, B) or (F, B, 2), with samples of the slammer's approach before them."""
    still = np.broadcast_to(values[0], (len(moved), *values.shape[1:])).copy()
    still[:, -1] += moved
    return np.concatenate((still, values))


def _corners(time_s: Floats, path_mm: Floats) -> tuple[Floats, Floats]:
    """Return times and places at which a path begins and turns; shapes (N,) and (N, 2)."""
    corners = [0]
    for sample in range(1, len(path_mm) - 1):
        begin = path_mm[corners[-1]]
        to_sample, chord = path_mm[sample] - begin, path_mm[sample + 1] - begin
        # Distance of the sample from the chord: the cross product over the chord's length.
        length = float(np.hypot(*chord))
        off = abs(to_sample[0] * chord[1] - to_sample[1] * chord[0]) / length if length > 0 else 0.0
        # A path that turns straight back has no such distance, but the chord gets shorter.
        back = float(to_sample @ to_sample) > max(float(chord @ chord), _STRAIGHT_MM**2)
        if off > _STRAIGHT_MM or back:
            corners.append(sample)
    return time_s[corners], path_mm[corners]
