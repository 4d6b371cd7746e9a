"""Poses of pieces in space, as quaternions, and their even sampling."""

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.facts import fact


@fact
class Poses:
    """Position and orientation of every piece in space, sampled evenly. F samples, B pieces.

    Attributes:
        time_s: Shape (F,); multiples of one interval, from 0.
        middle_mm: Shape (F, B, 3); each piece's geometric middle: x along the throw, z up from the
            floor, the origin below the stack.
        orientation: Shape (F, B, 4); unit quaternions (w, x, y, z) that rotate a flat, face-up
        piece into its pose: its face normal is the rotated z axis. Signs run on from sample
        to sample.
    """

    time_s: Floats
    middle_mm: Floats
    orientation: Floats

    @property
    def normal(self) -> Floats:
        """Face normals; shape (F, B, 3)."""
        w, x, y, z = np.moveaxis(self.orientation, -1, 0)
        # Third column of the rotation matrix of a unit quaternion.
        columns = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        return np.stack(columns, axis=-1)


def even_poses(
    time_s: Floats,
    middle_mm: Floats,
    orientation: Floats,
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
    steady = with_steady_signs(orientation)
    even_s = even_times_s(float(time_s[-1]), rate_hz)
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


def even_times_s(end_s: float, rate_hz: float) -> Floats:
    """Return multiples of a sampling interval, from 0 to an end."""
    return np.arange(int(end_s * rate_hz * (1 + 1e-12)) + 1) / rate_hz


def values_at(at_s: Floats, time_s: Floats, values: Floats) -> Floats:
    """Return values, shape (F, ...), interpolated linearly between their times, shape (F,)."""
    columns = [np.interp(at_s, time_s, column) for column in values.reshape(len(values), -1).T]
    return np.stack(columns, axis=1).reshape(-1, *values.shape[1:])


def with_steady_signs(orientation: Floats) -> Floats:
    """Return quaternions, shape (F, B, 4), whose signs run on from sample to sample.

    A quaternion and its negative are one orientation: the one nearer to the sample before is taken.
    """
    turns = np.sum(orientation[1:] * orientation[:-1], axis=-1) < 0
    signs = np.concatenate((np.ones((1, turns.shape[1])), np.where(turns, -1.0, 1.0)))
    result: Floats = orientation * np.cumprod(signs, axis=0)[..., np.newaxis]
    return result


def raise_above_floor_mm(
    height_mm: Floats, upright: Floats, half_mm: Floats, radius_mm: Floats | float
) -> Floats:
    """Return heights of pieces' middles, shape (F, B), raised where a rim would be below the floor.

    Args:
        height_mm: The heights.
        upright: Vertical component of the face normals, shape (F, B).
        half_mm: Half the thickness of each piece, shape (B,).
        radius_mm: Radius of each piece, shape (B,), or of all.

    Example:
        >>> upright, half = np.ones((1, 2)), np.array([0.8, 0.8])
        >>> raise_above_floor_mm(np.array([[0.5, 9.0]]), upright, half, half + 19.2).tolist()
        [[0.8, 9.0]]
    """
    # Half the height of a tilted disc: R sin(tilt) + half cos(tilt).
    sine = np.sqrt(np.clip(1 - upright**2, 0.0, None))
    return np.maximum(height_mm, radius_mm * sine + half_mm * np.abs(upright))


_LOOKS = 3
_PRESSED_MM = 0.1
"""A contact may be pressed so far even at rest, and is left as it is."""

_RIM_POINTS = 120
"""Points of an edge that are looked at beside a wall, 1.1 mm apart."""


def move_out_of_walls_mm(
    middle_mm: Floats,
    normal: Floats,
    half_mm: Floats,
    radius_mm: Floats,
    half_side_mm: float,
    wall_height_mm: float,
) -> Floats:
    """Return pieces' middles, shape (F, B, 3), moved back where an edge would be in a wall.

    A piece whose middle is beyond a wall's inner side is leaving, and stays where it is.

    Args:
        middle_mm: The middles.
        normal: Shape (F, B, 3); face normals.
        half_mm: Shape (B,); half the thickness of each piece.
        radius_mm: Shape (B,); radius of each piece.
        half_side_mm: From the box's middle to the inner side of a wall.
        wall_height_mm: Height of the walls.

    Example:
        >>> middle, up = np.array([[[135.0, 0.0, 0.8]]]), np.array([[[0.0, 0.0, 1.0]]])
        >>> half, radius = np.array([0.8]), np.array([20.615])
        >>> move_out_of_walls_mm(middle, up, half, radius, 152.4, 101.6)[0, 0].round(2).tolist()
        [131.88, 0.0, 0.8]
    """
    moved = middle_mm.copy()
    far = np.abs(middle_mm[..., :2])
    beside = (far.max(axis=-1) < half_side_mm) & (middle_mm[..., 2] < wall_height_mm + 30.0)
    reach = np.sqrt(np.clip(1 - normal[..., :2] ** 2, 0.0, None))
    reach *= radius_mm[:, np.newaxis]
    reach += half_mm[:, np.newaxis] * np.abs(normal[..., :2])
    frames, pieces = np.nonzero(beside & ((far + reach).max(axis=-1) > half_side_mm))
    if not len(frames):
        return moved
    own, axis = middle_mm[frames, pieces], normal[frames, pieces]
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis), axis=-1)])
    across /= np.sqrt(np.sum(across**2, axis=-1, keepdims=True))
    along = np.cross(axis, across)
    angle = np.linspace(0.0, 2 * np.pi, _RIM_POINTS, endpoint=False)[:, np.newaxis, np.newaxis]
    rim = radius_mm[pieces][:, np.newaxis] * (np.cos(angle) * across + np.sin(angle) * along)
    lift = half_mm[pieces][:, np.newaxis] * axis
    edges = own + np.concatenate((rim + lift, rim - lift))
    shift = np.zeros_like(own)
    for _ in range(_LOOKS):  # an edge may be in two walls, or below a wall's top
        for side in range(2):
            sign = np.where(own[:, side] < 0, -1.0, 1.0)
            beyond = sign * (edges + shift)[..., side] - half_side_mm
            below = wall_height_mm - (edges + shift)[..., 2]
            depth = np.minimum(beyond, below)
            deepest = depth.argmax(axis=0), np.arange(len(own))
            # The shortest way out: back, or up to the wall's top.
            back = beyond[deepest] <= below[deepest]
            way = np.maximum(depth[deepest] - _PRESSED_MM, 0.0)
            shift[:, side] -= np.where(back, sign * way, 0.0)
            shift[:, 2] += np.where(back, 0.0, way)
    moved[frames, pieces] += shift
    return moved


def quaternions(first: Floats, normal: Floats) -> Floats:
    """Return unit quaternions (w, x, y, z) of axes, shape (..., 4), of any sign.

    Args:
        first: Shape (..., 3); the turned x axis.
        normal: Shape (..., 3); the turned z axis.
    """
    second = np.cross(normal, first)
    xx, yy, zz = first[..., 0], second[..., 1], normal[..., 2]
    # 4 w^2, 4 x^2, ... from the diagonal; the largest gives the others without loss.
    squares = np.stack((1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz), -1)
    a, b, c = (
        second[..., 2] - normal[..., 1],
        normal[..., 0] - first[..., 2],
        first[..., 1] - second[..., 0],
    )
    d, e, f = (
        first[..., 1] + second[..., 0],
        normal[..., 0] + first[..., 2],
        second[..., 2] + normal[..., 1],
    )
    w, x, y, z = np.moveaxis(squares, -1, 0)
    rows = np.stack((w, a, b, c, a, x, d, e, b, d, y, f, c, e, f, z), -1).reshape(*w.shape, 4, 4)
    largest = np.argmax(squares, axis=-1)[..., np.newaxis, np.newaxis]
    row = np.take_along_axis(rows, largest, axis=-2)[..., 0, :]
    result: Floats = row / np.sqrt(np.sum(row**2, axis=-1, keepdims=True))
    return result


def rotate_in_plane(angle_rad: Floats, azimuth_rad: Floats) -> Floats:
    """Return quaternions of pieces turned in vertical planes.

    Args:
        angle_rad: Shape (F, B); in the plane, from face up, counter-clockwise.
        azimuth_rad: Shape (B,); of the plane.
    """
    sine, cosine = np.sin(angle_rad / 2), np.cos(angle_rad / 2)
    # About the horizontal axis -(z x u), u the plane's direction.
    axis_x, axis_y = np.sin(azimuth_rad), -np.cos(azimuth_rad)
    return np.stack((cosine, sine * axis_x, sine * axis_y, np.zeros_like(sine)), axis=-1)


def spin_poses(orientation: Floats, half_rad: Floats) -> Floats:
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
