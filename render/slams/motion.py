"""How the pieces of a recording move in both views, and where they are at a moment."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics import Recording, Scene, Throw
from physics.pieces import PIECE_RADIUS_MM
from physics.plane.projection import impact_plane, project
from render.slams.geometry import headings, side_motion

Floats = NDArray[np.float64]

_APPROACH_MM = 70.0
"""How far the slammer is shown to come, before the recording begins."""

_APPROACH_SAMPLES = 8
_STILL_MM = 1.0
_ALL = slice(None)
_STRAIGHT_MM = 0.05
"""A path that is so close to straight has no corner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """How pieces move in both views; the thrown slammer is the last. F samples, B pieces.

    Right in the picture from the side is the side of +x, as seen from above.

    Attributes:
        time_s: Shape (F,); 0 is just before the first contact.
        impact_end_s: When the impact is over; 0 where there is none.
        rest_s: When all is at rest, as far as can be seen.
        side_x_mm: Shape (F, B); where each piece's middle is along the picture from the side.
        height_mm: Shape (F, B); its height above the floor.
        side_rad: Shape (F, B); its angle in that picture, 0 for face up, counter-clockwise.
        top_mm: Shape (F, B, 2); its place from above.
        angle_rad: Shape (F, B); its angle in its own plane.
        impact_heading: Shape (2,); horizontal unit vector of the impact's plane.
        headings: Shape (B, 2); of each piece's own plane after it.
        reach_mm: Shape (F, 2); how far to each side, and how far up, pieces have been by then.
        corners: For each piece when and where its path from above begins and turns; shapes (N,)
            and (N, 2).
    """

    time_s: Floats
    impact_end_s: float
    rest_s: float
    side_x_mm: Floats
    height_mm: Floats
    side_rad: Floats
    top_mm: Floats
    angle_rad: Floats
    impact_heading: Floats
    headings: Floats
    reach_mm: Floats
    corners: tuple[tuple[Floats, Floats], ...]

    @property
    def start_s(self) -> float:
        """When it begins; before 0 if the approach is shown."""
        return float(self.time_s[0])

    @property
    def end_s(self) -> float:
        """When it ends."""
        return float(self.time_s[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where the pieces of a motion are at a moment; B pieces.

    Attributes:
        time_s: When.
        at_end: It is the end of the motion.
        side_x_mm: Shape (B,); as in `Motion`, and so are the others.
        height_mm: Shape (B,).
        side_rad: Shape (B,).
        top_mm: Shape (B, 2).
        angle_rad: Shape (B,).
        headings: Shape (B, 2); of the plane that each piece is in.
        reach_mm: Shape (2,).
        corners: As in `Motion`, those to come among them.
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

    @property
    def paths_mm(self) -> tuple[Floats, ...]:
        """For each piece its way so far from above, by its corners; shapes (N, 2)."""
        return tuple(
            np.concatenate((places[times <= self.time_s], place[np.newaxis]))
            for (times, places), place in zip(self.corners, self.top_mm, strict=True)
        )

    @property
    def face_up(self) -> tuple[bool, ...]:
        """For each piece whether its face is turned up, lying or flying."""
        return tuple((np.cos(self.angle_rad) > 0).tolist())


def motion_of(scene: Scene, recording: Recording, throw: Throw | None = None) -> Motion:
    """Return how the pieces of a recording move.

    Args:
        scene: The scene that was recorded.
        recording: The recording.
        throw: The throw: if it is given, the slammer is also shown coming, straight on, for the
            last 70 mm before the recording begins.
    """
    impact, own = headings(recording)
    ways, side = side_motion(recording, scene.arena)
    first = recording.time_s[max(recording.impact_samples - 1, 0)]
    facts = [ways, recording.height_mm, side, recording.top_mm, recording.angle_rad]
    time = recording.time_s
    reach = np.stack((np.abs(ways).max(axis=1), recording.height_mm.max(axis=1)), axis=1)
    reach = np.maximum.accumulate(reach, axis=0)
    if throw is not None:
        before, moved = _approach(scene, throw, mirrored=impact[0] < 0)
        facts = [_with_approach(fact, way) for fact, way in zip(facts, moved, strict=True)]
        time = np.concatenate((before, time))
        reach = np.concatenate((np.broadcast_to(reach[0], (len(before), 2)), reach))
    way, height, side, top, angle = facts
    return Motion(
        time_s=time,
        impact_end_s=float(first) if recording.impact_samples else 0.0,
        rest_s=float(recording.time_s[rest_sample(recording)]),
        side_x_mm=way,
        height_mm=height,
        side_rad=side,
        top_mm=top,
        angle_rad=angle,
        impact_heading=impact,
        headings=own,
        reach_mm=reach,
        corners=tuple(_corners(time, top[:, piece]) for piece in range(top.shape[1])),
    )


def moment_at(motion: Motion, time_s: float) -> Moment:
    """Return where pieces are at a time, straight between samples; the ends where it is outside."""
    times = motion.time_s
    time_s = min(max(time_s, motion.start_s), motion.end_s)
    before = max(int(np.searchsorted(times, time_s, side="right")) - 1, 0)
    after = min(before + 1, len(times) - 1)
    span = float(times[after] - times[before])
    share = (time_s - float(times[before])) / span if span > 0 else 0.0

    def between(values: Floats) -> Floats:
        mixed: Floats = (1 - share) * values[before] + share * values[after]
        return mixed

    top = between(motion.top_mm)
    during = time_s <= motion.impact_end_s
    return Moment(
        time_s=time_s,
        at_end=time_s >= motion.end_s,
        side_x_mm=between(motion.side_x_mm),
        height_mm=between(motion.height_mm),
        side_rad=between(motion.side_rad),
        top_mm=top,
        angle_rad=between(motion.angle_rad),
        headings=np.broadcast_to(motion.impact_heading, top.shape) if during else motion.headings,
        reach_mm=between(motion.reach_mm),
        corners=motion.corners,
    )


def rest_sample(recording: Recording, pieces: slice = _ALL) -> int:
    """Return the first sample after which no piece moves any more, as far as can be seen."""
    states = (
        recording.side_mm[:, pieces],
        recording.height_mm[:, pieces],
        PIECE_RADIUS_MM * recording.angle_rad[:, pieces],
    )
    moved = np.max([np.abs(state - state[-1]).max(axis=1) for state in states], axis=0)
    moving = np.flatnonzero(moved > _STILL_MM)
    return min(int(moving[-1]) + 1, len(moved) - 1) if len(moving) else 0


def _approach(scene: Scene, throw: Throw, *, mirrored: bool) -> tuple[Floats, list[Floats]]:
    """Return times before 0, and by how much the slammer is short of where it is at 0 then.

    Returns:
        Shape (N,), and shapes (N,), (N,), (N,), (N, 2) and (N,): along and up in the picture from
        the side, its angle there, its place from above, and its angle.
    """
    plane = impact_plane(scene, throw) or project(throw, (1.0, 0.0))
    begin_s = -_APPROACH_MM / throw.speed_mm_s
    time = np.linspace(begin_s, 0.0, _APPROACH_SAMPLES, endpoint=False)
    across = throw.speed_mm_s * np.sin(throw.descent_rad)
    turned = plane.rate_rad_s * time
    sign = -1.0 if mirrored else 1.0
    return time, [
        sign * plane.speed_along_mm_s * time,
        plane.speed_up_mm_s * time,
        sign * turned,
        np.stack((across * time, np.zeros_like(time)), axis=1),
        turned,
    ]


def _with_approach(values: Floats, moved: Floats) -> Floats:
    """Return values of all pieces, (F, B) or (F, B, 2), with the slammer's approach before them."""
    still = np.broadcast_to(values[0], (len(moved), *values.shape[1:])).copy()
    still[:, -1] += moved
    return np.concatenate((still, values))


def _corners(time_s: Floats, path_mm: Floats) -> tuple[Floats, Floats]:
    """Return when and where a path begins and turns; shapes (N,) and (N, 2)."""
    corners = [0]
    for sample in range(1, len(path_mm) - 1):
        begin = path_mm[corners[-1]]
        way, chord = path_mm[sample] - begin, path_mm[sample + 1] - begin
        length = float(np.hypot(*chord))
        off = abs(way[0] * chord[1] - way[1] * chord[0]) / length if length > 0 else 0.0
        beyond = float(way @ way) > float(chord @ chord)
        if off > _STRAIGHT_MM or (beyond and float(way @ way) > _STRAIGHT_MM**2):
            corners.append(sample)
    return time_s[corners], path_mm[corners]
