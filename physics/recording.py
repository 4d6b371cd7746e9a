"""The motion of a slam, sampled at a frame rate."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.checks import check_number
from physics.liftoff import Flight
from physics.pieces import Piece, mass_properties
from physics.plane import ImpactPlane
from physics.scene import Scene
from physics.settle import Rest
from physics.thrower import Throw
from physics.topview import places_mm
from physics.trace import Trace
from physics.units import GRAVITY_MM_S2, NJ_PER_MJ


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRate:
    """How often the motion is sampled.

    Attributes:
        impact_hz: Samples a second of the impact, which lasts a few milliseconds.
        settle_hz: Samples a second of what follows.
        pose_hz: Samples a second of the poses in space, which are even over the whole slam.
    """

    impact_hz: float = 5000.0
    settle_hz: float = 120.0
    pose_hz: float = 1000.0

    def __post_init__(self) -> None:
        """Check every field."""
        check_number("impact_hz", self.impact_hz, low=10.0, high=100_000.0, unit="Hz")
        check_number("settle_hz", self.settle_hz, low=1.0, high=2000.0, unit="Hz")
        check_number("pose_hz", self.pose_hz, low=1.0, high=100_000.0, unit="Hz")


@dataclass(frozen=True, slots=True, kw_only=True)
class Poses:
    """Position and orientation of every piece in space, sampled evenly. F samples, B pieces.

    Attributes:
        time_s: Shape (F,); multiples of one interval, from 0.
        middle_mm: Shape (F, B, 3); each piece's geometric middle: x along the throw, z up from the
            floor, the origin below the stack.
        orientation: Shape (F, B, 4); unit quaternions (w, x, y, z) that turn a piece lying face up
            to how it is: its face normal is the turned z axis. Signs run on from sample to sample.
    """

    time_s: NDArray[np.float64]
    middle_mm: NDArray[np.float64]
    orientation: NDArray[np.float64]

    @property
    def normal(self) -> NDArray[np.float64]:
        """Face normals; shape (F, B, 3)."""
        w, x, y, z = np.moveaxis(self.orientation, -1, 0)
        # Third column of the rotation matrix of a unit quaternion.
        columns = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        return np.stack(columns, axis=-1)


def even_poses(
    time_s: NDArray[np.float64],
    middle_mm: NDArray[np.float64],
    orientation: NDArray[np.float64],
    rate_hz: float,
) -> Poses:
    """Return poses sampled evenly, interpolated linearly between uneven samples.

    Args:
        time_s: Shape (S,); increasing, from 0.
        middle_mm: Shape (S, B, 3).
        orientation: Shape (S, B, 4); unit quaternions of any sign.
        rate_hz: Samples a second.

    Example:
        >>> start, end = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)
        >>> turning = np.array([[start], [end]])
        >>> poses = even_poses(np.array([0.0, 1.0]), np.zeros((2, 1, 3)), turning, 2.0)
        >>> poses.time_s.tolist(), poses.normal[1, 0].round(6).tolist()
        ([0.0, 0.5, 1.0], [0.0, -1.0, 0.0])
    """
    # A quaternion and its negative are one orientation: take the sign nearer to the one before.
    turns = np.sum(orientation[1:] * orientation[:-1], axis=-1) < 0
    signs = np.concatenate((np.ones((1, turns.shape[1])), np.where(turns, -1.0, 1.0)))
    steady = orientation * np.cumprod(signs, axis=0)[..., np.newaxis]
    even_s = np.arange(int(time_s[-1] * rate_hz * (1 + 1e-12)) + 1) / rate_hz
    after = np.clip(np.searchsorted(time_s, even_s, side="right"), 1, max(1, len(time_s) - 1))
    after = np.minimum(after, len(time_s) - 1)
    before = np.maximum(after - 1, 0)
    span_s = np.maximum(time_s[after] - time_s[before], 1e-300)
    share = np.clip((even_s - time_s[before]) / span_s, 0.0, 1.0)[:, np.newaxis, np.newaxis]
    between = (1 - share) * steady[before] + share * steady[after]
    return Poses(
        time_s=even_s,
        middle_mm=(1 - share) * middle_mm[before] + share * middle_mm[after],
        orientation=between / np.sqrt(np.sum(between**2, axis=-1, keepdims=True)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The motion of every piece; the thrown slammer is the last. F samples, B pieces.

    Seen from the side, a piece moves in a vertical plane of its own; the impact's plane and those
    planes are drawn into one, and what flies back there flies back in it. Seen from above, it moves
    along straight lines from wall to wall.

    Attributes:
        time_s: Shape (F,); the first sample is at 0, the slammer just above the stack.
        side_mm: Shape (F, B); way of each piece's middle along its plane, as seen from the side.
        height_mm: Shape (F, B); height of each piece's middle above the floor.
        angle_rad: Shape (F, B); angle in its plane, 0 for flat and face up, counter-clockwise.
        top_mm: Shape (F, B, 2); x and y of each piece's middle from above.
        energy_mj: Shape (F,); mechanical energy of the motion in those planes: kinetic, potential,
            and in the springs of the split pieces.
        impact_samples: How many of the F samples belong to the impact.
        poses: The motion in space, sampled evenly; None where it is not known, as in a recording
            read from a file of the side and top views.
    """

    time_s: NDArray[np.float64]
    side_mm: NDArray[np.float64]
    height_mm: NDArray[np.float64]
    angle_rad: NDArray[np.float64]
    top_mm: NDArray[np.float64]
    energy_mj: NDArray[np.float64]
    impact_samples: int
    poses: Poses | None = None


def record_slam(
    pieces: Sequence[Piece],
    plane: ImpactPlane,
    flight: Flight,
    impact_trace: Trace,
    impact_s: float,
    settle_trace: Trace,
    rest: Rest,
    pose_hz: float = 1000.0,
) -> Recording:
    """Put the samples of both stages together.

    Args:
        pieces: The pieces, the thrown slammer last; shape (B,).
        plane: The plane of the impact.
        flight: How the pieces left the impact.
        impact_trace: Samples of the impact; may be empty.
        impact_s: How long it took.
        settle_trace: Samples of what followed, times from the end of the impact.
        rest: What came of it.
        pose_hz: Samples a second of the poses in space.
    """
    before, after = _states(impact_trace, len(pieces)), _states(settle_trace, len(pieces))
    states = np.concatenate((before, _from_the_side(after, plane, flight)))
    moved = before[:, :, 0] - flight.state[:, 0]
    top = np.concatenate(
        (
            flight.start_mm + moved[:, :, np.newaxis] * np.array(plane.direction),
            places_mm(flight, rest, np.array(settle_trace.time_s), after),
        )
    )
    centre = np.array([mass_properties(piece).centre_mm for piece in pieces])
    angle = states[:, :, 2]
    across_nj = pieces[-1].mass_g * plane.speed_across_mm_s**2 / 2
    energy_nj = [across_nj + e for e in impact_trace.energy_nj] + settle_trace.energy_nj
    time_s = np.array(impact_trace.time_s + [impact_s + t for t in settle_trace.time_s])
    height_mm = states[:, :, 1] - np.cos(angle) * centre
    in_space = np.concatenate((top, height_mm[:, :, np.newaxis]), axis=2)
    poses = even_poses(time_s, in_space, _orientations(before, after, plane, flight), pose_hz)
    return Recording(
        time_s=time_s,
        side_mm=states[:, :, 0] + np.sin(angle) * centre,
        height_mm=height_mm,
        angle_rad=angle,
        top_mm=top,
        energy_mj=np.array(energy_nj) / NJ_PER_MJ,
        impact_samples=len(before),
        poses=poses,
    )


def _orientations(
    before: NDArray[np.float64], after: NDArray[np.float64], plane: ImpactPlane, flight: Flight
) -> NDArray[np.float64]:
    """Return how pieces are turned in space, shape (F, B, 4).

    In the impact they turn in its plane, then each in the one of its azimuth. Spin about their
    axes is not known to the plane; where a piece goes from one to the other, it is chosen so that
    the orientation runs on as smoothly as it can.

    Args:
        before: States of the impact, shape (F1, B, 6).
        after: States of the settling, shape (F2, B, 6).
        plane: The plane of the impact.
        flight: The azimuths.
    """
    ux, uy = plane.direction
    first = _turned_in_plane(before[:, :, 2], np.full(before.shape[1], math.atan2(uy, ux)))
    then = _turned_in_plane(after[:, :, 2], flight.azimuth_rad)
    if len(first) and len(then):
        w, x, y, z = np.moveaxis(first[-1], -1, 0)
        w1, x1, y1, z1 = np.moveaxis(then[0], -1, 0)
        # Twist about the piece's own axis in conjugate(first) * then, and its reverse.
        half = -np.arctan2(w * z1 - z * w1 + y * x1 - x * y1, w * w1 + x * x1 + y * y1 + z * z1)
        then = _spun(then, half)
    return np.concatenate((first, then))


def _turned_in_plane(
    angle_rad: NDArray[np.float64], azimuth_rad: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return quaternions of pieces turned in vertical planes.

    Args:
        angle_rad: Shape (F, B); in the plane, from face up, counter-clockwise.
        azimuth_rad: Shape (B,); of the plane.
    """
    sine, cosine = np.sin(angle_rad / 2), np.cos(angle_rad / 2)
    # About the horizontal axis -(z x u), u the plane's direction.
    axis_x, axis_y = np.sin(azimuth_rad), -np.cos(azimuth_rad)
    return np.stack((cosine, sine * axis_x, sine * axis_y, np.zeros_like(sine)), axis=-1)


def _spun(orientation: NDArray[np.float64], half_rad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return orientations, shape (F, B, 4), spun about the pieces' own axes by twice an angle."""
    w, x, y, z = np.moveaxis(orientation, -1, 0)
    cosine, sine = np.cos(half_rad), np.sin(half_rad)
    return np.stack(
        (
            w * cosine - z * sine,
            x * cosine + y * sine,
            y * cosine - x * sine,
            z * cosine + w * sine,
        ),
        axis=-1,
    )


def _from_the_side(
    states: NDArray[np.float64], plane: ImpactPlane, flight: Flight
) -> NDArray[np.float64]:
    """Return states with those of pieces mirrored that fly back in the impact's plane.

    Args:
        states: Of the settling, shape (F, B, 6): there all fly onwards.
        plane: The plane of the impact.
        flight: How the pieces left it.
    """
    ux, uy = plane.direction
    back = np.cos(flight.azimuth_rad) * ux + np.sin(flight.azimuth_rad) * uy < 0
    mirrored = states.copy()
    mirrored[:, back, 0] = 2 * flight.state[back, 0] - states[:, back, 0]
    mirrored[:, back, 2] = 2 * np.pi - states[:, back, 2]
    return mirrored


def with_stack_at_rest(slammer: Recording, scene: Scene, throw: Throw) -> Recording:
    """Return a recording of a slammer alone with the scene's stack lying beside it."""
    samples = len(slammer.time_s)
    tops = np.cumsum([piece.thickness_mm for piece in scene.stack])
    height = tops - [piece.thickness_mm / 2 for piece in scene.stack]
    place = np.array([(c.jitter_x_mm, c.jitter_y_mm) for c in throw.chances]).reshape(-1, 2)
    centre = np.array([mass_properties(piece).centre_mm for piece in scene.stack])
    mass = np.array([piece.mass_g for piece in scene.stack])
    resting_mj = GRAVITY_MM_S2 * float(np.sum(mass * (height - centre))) / NJ_PER_MJ

    def before(stack: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.concatenate((np.broadcast_to(stack, (samples, *stack.shape)), own), axis=1)

    poses = slammer.poses
    if poses is not None:
        lying = np.column_stack((place, height))
        face_down = np.tile([0.0, 1.0, 0.0, 0.0], (len(height), 1))
        shape = (len(poses.time_s), len(height))
        poses = Poses(
            time_s=poses.time_s,
            middle_mm=np.concatenate(
                (np.broadcast_to(lying, (*shape, 3)), poses.middle_mm), axis=1
            ),
            orientation=np.concatenate(
                (np.broadcast_to(face_down, (*shape, 4)), poses.orientation), axis=1
            ),
        )
    return Recording(
        time_s=slammer.time_s,
        side_mm=before(place[:, 0], slammer.side_mm),
        height_mm=before(height, slammer.height_mm),
        angle_rad=before(np.full(len(height), np.pi), slammer.angle_rad),
        top_mm=before(place, slammer.top_mm),
        energy_mj=slammer.energy_mj + resting_mj,
        impact_samples=slammer.impact_samples,
        poses=poses,
    )


def _states(trace: Trace, pieces: int) -> NDArray[np.float64]:
    return np.array(trace.states).reshape(-1, pieces, 6)
