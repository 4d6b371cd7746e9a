"""Places and orientations of all pieces in space at one moment.

`pose_of` makes a `Pose` of a `Moment`. Of an older replay, which has no poses in space, each piece
turns in the vertical plane that the side view shows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics import Scene
from physics.pieces import PIECE_RADIUS_MM
from render.slams.motion import Moment

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """Places and orientations of all pieces in space; B pieces, the thrown slammer last.

    Attributes:
        centre_mm: Centres of the pieces, shape (B, 3).
        rotation: Rotation matrices, shape (B, 3, 3); the third column is the face normal.
    """

    centre_mm: Floats
    rotation: Floats

    @property
    def normal(self) -> Floats:
        """Face normals, shape (B, 3)."""
        normal: Floats = self.rotation[:, :, 2]
        return normal


def pose_of(scene: Scene, moment: Moment) -> Pose:
    """Return the pose of all pieces at a moment.

    Between two samples of a recording a piece may dip into the floor; it is shown on it.

    Example:
        >>> from physics import PieceChance, SampleRate, Scene, Throw, puck_stack, puckdex_slammer
        >>> from physics import slam
        >>> from render.slams.motion import moment_at, motion_of
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(2))
        >>> throw = Throw(speed_mm_s=5000.0, chances=(PieceChance(),) * 2)
        >>> motion = motion_of(scene, slam(scene, throw, SampleRate()).recording)
        >>> pose_of(scene, moment_at(motion, 0.0)).normal[:, 2].round(3).tolist()
        [-1.0, -1.0, 1.0]
    """
    if moment.centre_mm is not None and moment.orientation is not None:
        centre, rotation = moment.centre_mm, rotations(moment.orientation)
    else:
        centre = np.column_stack((moment.top_mm, moment.height_mm))
        rotation = turned_in_planes(moment.headings, moment.angle_rad)
    upright = np.abs(rotation[:, 2, 2])
    half_mm = np.array([piece.thickness_mm for piece in (*scene.stack, scene.slammer)]) / 2
    # The lowest point of a tilted disc is below its centre by a part of its radius and thickness.
    least_mm = half_mm * upright + PIECE_RADIUS_MM * np.sqrt(np.maximum(1 - upright**2, 0.0))
    height = np.maximum(centre[:, 2], least_mm)
    return Pose(centre_mm=np.column_stack((centre[:, :2], height)), rotation=rotation)


def rotations(orientation: Floats) -> Floats:
    """Return rotation matrices of unit quaternions (w, x, y, z), shape (B, 4); shape (B, 3, 3)."""
    w, x, y, z = orientation.T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def turned_in_planes(headings: Floats, angle_rad: Floats) -> Floats:
    """Return rotation matrices of pieces that turn in vertical planes; shape (B, 3, 3).

    Args:
        headings: Horizontal unit vectors of the planes; shape (B, 2).
        angle_rad: Angles in the planes, 0 for face up; shape (B,).
    """
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    x, y = headings[:, 0], headings[:, 1]
    # With u the heading and z up, the turn takes u to u cos + z sin, and z to z cos - u sin; the
    # axis of the turn, across u, stays as it is: R = aa' + cos (uu' + zz') + sin (zu' - uz').
    rotation = np.empty((len(angle_rad), 3, 3))
    rotation[:, 0, 0] = y * y + cos * x * x
    rotation[:, 1, 1] = x * x + cos * y * y
    rotation[:, 0, 1] = rotation[:, 1, 0] = (cos - 1) * x * y
    rotation[:, 2, 0], rotation[:, 2, 1] = sin * x, sin * y
    rotation[:, 0, 2], rotation[:, 1, 2] = -sin * x, -sin * y
    rotation[:, 2, 2] = cos
    return rotation
