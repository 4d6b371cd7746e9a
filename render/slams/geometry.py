"""Projections, cameras and outlines for the side view and the top view.

`Projection` turns millimetres into pixels, and a `Camera` says which part a view shows. `slab` and
`disc_from_above` are the outlines of a disc in the two views. `side_motion` brings the motion of
all pieces, each in a vertical plane of its own, into the one plane of the side view.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics import Arena, Recording
from physics.pieces import PIECE_RADIUS_MM

Points = NDArray[np.float64]
"""Shape (N, 2)."""

ZOOMS = (1.0, 40.0)
"""Smallest and largest zoom of a camera."""

_STILL_MM2 = 0.01
"""Smallest product of two distances that gives a direction; less may be rounding in a replay."""

_SAME_PLANE, _SAME_PLANE_MM = 1e-3, 0.01
"""Largest departures, relative and in mm, of a side view that is a projection onto one plane."""

_ANGLES = np.linspace(0.0, 2 * np.pi, 48, endpoint=False)
_COS, _SIN = np.cos(_ANGLES), np.sin(_ANGLES)
"""Points of a unit circle, for outlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A map from millimetres to pixels of a picture, in which y grows downwards.

    Attributes:
        scale: Pixels per millimetre.
        x_px: Place of the origin, from the left.
        y_px: Place of the origin, from the top.

    Example:
        >>> Projection(scale=2.0, x_px=100.0, y_px=50.0).at(np.array([[10.0, 5.0]]))
        [(120.0, 40.0)]
    """

    scale: float
    x_px: float
    y_px: float

    def at(self, points_mm: Points) -> list[tuple[float, float]]:
        """Return the pixels of points, as pairs."""
        return [(x, y) for x, y in self.points(points_mm).tolist()]

    def points(self, points_mm: Points) -> Points:
        """Return the pixels of points as an array; shape (N, 2)."""
        pixels: Points = points_mm * (self.scale, -self.scale)
        pixels += (self.x_px, self.y_px)
        return pixels

    def place(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """Return the point that a pixel shows, in millimetres."""
        return (pixel[0] - self.x_px) / self.scale, (self.y_px - pixel[1]) / self.scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """The part of the arena that a view shows.

    Attributes:
        zoom: Magnification; 1 shows everything.
        x_mm: Place of the middle of the view, to the right of the stack.
        y_mm: The same, above the floor (side view) or beyond the stack (top view).

    Example:
        >>> zoomed(WHOLE, 2.0, (10.0, 0.0))
        Camera(zoom=2.0, x_mm=5.0, y_mm=0.0)
    """

    zoom: float = 1.0
    x_mm: float = 0.0
    y_mm: float = 0.0


WHOLE = Camera()
"""The camera that shows everything."""


def zoomed(camera: Camera, factor: float, on_mm: tuple[float, float]) -> Camera:
    """Return a camera closer by a factor, with one point kept in its place in the picture.

    All the way out, the camera is `WHOLE` again.

    Args:
        camera: The camera.
        factor: Factor of the zoom: closer above 1, farther below 1.
        on_mm: The point that keeps its place.
    """
    low, high = ZOOMS
    zoom = min(max(camera.zoom * factor, low), high)
    if zoom == low:
        return WHOLE
    # The point keeps its pixel if its distance from the middle shrinks as the zoom grows.
    kept = camera.zoom / zoom
    return Camera(
        zoom=zoom,
        x_mm=on_mm[0] + (camera.x_mm - on_mm[0]) * kept,
        y_mm=on_mm[1] + (camera.y_mm - on_mm[1]) * kept,
    )


def moved(camera: Camera, x_mm: float, y_mm: float) -> Camera:
    """Return a camera moved sideways; the one that shows everything stays."""
    if camera.zoom == 1.0:
        return camera
    return Camera(zoom=camera.zoom, x_mm=camera.x_mm + x_mm, y_mm=camera.y_mm + y_mm)


def slab(
    middle_mm: Points, angle_rad: float, low_mm: float, high_mm: float, radius_mm: float
) -> Points:
    """Return the corners of a layer of a disc seen from the side; shape (4, 2).

    Args:
        middle_mm: Centre of the disc; shape (2,).
        angle_rad: Its angle, 0 for face up.
        low_mm: Lower side of the layer, along the face normal from the centre.
        high_mm: Its upper side.
        radius_mm: Radius of the disc.
    """
    # Corners in the frame of the disc, turned by the angle.
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    corners = np.array(
        [(-radius_mm, low_mm), (radius_mm, low_mm), (radius_mm, high_mm), (-radius_mm, high_mm)]
    )
    turned: Points = middle_mm + corners @ np.array([(cos, sin), (-sin, cos)])
    return turned


def disc_from_above(
    middle_mm: Points, heading: Points, angle_rad: float, thickness_mm: float, radius_mm: float
) -> tuple[Points, Points]:
    """Return the outlines, seen from above, of a disc and of its upper side; shapes (48, 2).

    The upper side of a tilted disc is an ellipse whose minor axis is abs(cos(angle)) of the major;
    the whole disc also shows a part of its rim.

    Args:
        middle_mm: Centre of the disc; shape (2,).
        heading: Unit vector of the horizontal axis of its plane of motion; shape (2,).
        angle_rad: Its angle in that plane, 0 for face up.
        thickness_mm: Its thickness.
        radius_mm: Its radius.
    """
    # Along the heading a circle shrinks by cos; across it keeps its radius. Each half of the
    # outline belongs to the cap on its side, which the thickness shifts by +-sin t / 2.
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    along, across = radius_mm * abs(cos) * _COS, radius_mm * _SIN
    rim = thickness_mm / 2 * abs(sin) * np.sign(_COS)
    cap = -thickness_mm / 2 * sin * math.copysign(1.0, cos)
    sideways = across[:, np.newaxis] * (-heading[1], heading[0])

    def placed(along_mm: Points) -> Points:
        points: Points = middle_mm + along_mm[:, np.newaxis] * heading + sideways
        return points

    return placed(along + rim), placed(along + cap)


def headings(recording: Recording) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the directions of the impact's plane and of each piece's plane after it.

    Returns:
        Horizontal unit vectors, shapes (2,) and (B, 2); the x axis where nothing moved.
    """
    end = recording.impact_samples
    during = _moved_mm2(recording, 0, end)
    after = _moved_mm2(recording, max(end - 1, 0), len(recording.time_s))
    impact = _direction(during.sum(axis=0), np.array([1.0, 0.0]))
    return impact, np.array([_direction(moved, impact) for moved in after])


def side_motion(
    recording: Recording, arena: Arena
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the places of pieces along the side view, and their angles there; shapes (F, B).

    Right in the side view is the side of +x of the top view. A recording that is a projection onto
    one plane along walls stays one. In others a piece that flies at an angle to the walls meets one
    up to the square root of two times as far away as the nearest; its distances after the impact
    are scaled so that it meets the one wall of the side view.
    """
    plane = true_side_plane(recording)
    if plane is not None and np.abs(plane).min() < _SAME_PLANE:
        sign = -1.0 if plane[0] < 0 else 1.0
        return sign * recording.side_mm, sign * recording.angle_rad
    last = max(recording.impact_samples - 1, 0)
    impact, own = headings(recording)
    begin = recording.side_mm[last]
    drawn = recording.side_mm.copy()
    for sign in (1.0, -1.0):
        # Distances from the place at the end of the impact: to the piece's own wall in its
        # direction, and to the wall of the side view.
        reach = _reach_mm(recording.top_mm[last], sign * own, arena.half_side_mm) - PIECE_RADIUS_MM
        room = arena.half_side_mm - PIECE_RADIUS_MM - sign * begin
        good = (reach > 1.0) & (room > 1.0)
        factor = np.where(good, room / np.where(good, reach, 1.0), 1.0)
        # Scaled up to the wall, in millimetres beyond it.
        moved = sign * (recording.side_mm[last:] - begin)
        upto_wall = np.minimum(moved, np.where(good, reach, np.inf))
        scaled = begin + sign * (upto_wall * factor + moved - upto_wall)
        drawn[last:] = np.where(moved > 0, scaled, drawn[last:])
    mirror = -1.0 if impact[0] < 0 else 1.0
    return mirror * drawn, mirror * recording.angle_rad


def true_side_plane(recording: Recording) -> NDArray[np.float64] | None:
    """Return the plane that the side view of a recording is a projection onto.

    Returns:
        Its horizontal unit vector, shape (2,); None if each piece has a plane of its own.
    """
    top, side = recording.top_mm.reshape(-1, 2), recording.side_mm.ravel()
    # Least squares: a projection onto one plane leaves no residual.
    plane, *_ = np.linalg.lstsq(top, side, rcond=None)
    length = float(np.hypot(*plane))
    if abs(length - 1) > _SAME_PLANE or np.abs(top @ plane - side).max() > _SAME_PLANE_MM:
        return None
    x, y = (plane / length).tolist()
    return np.array([x, y])


def _moved_mm2(recording: Recording, first: int, end: int) -> NDArray[np.float64]:
    """Return the horizontal displacements of pieces, summed and weighted; shape (B, 2).

    The displacements from the first sample are weighted by the signed distance along the piece's
    own plane, so that moves there and back add up instead of cancelling.
    """
    side = recording.side_mm[first:end] - recording.side_mm[first : first + 1]
    top = recording.top_mm[first:end] - recording.top_mm[first : first + 1]
    moved: NDArray[np.float64] = (side[:, :, np.newaxis] * top).sum(axis=0)
    return moved


def _direction(
    moved_mm2: NDArray[np.float64], otherwise: NDArray[np.float64]
) -> NDArray[np.float64]:
    length = float(np.hypot(*moved_mm2))
    unit: NDArray[np.float64] = moved_mm2 / length if length > _STILL_MM2 else otherwise
    return unit


def _reach_mm(
    begin_mm: NDArray[np.float64], heading: NDArray[np.float64], half_side_mm: float
) -> NDArray[np.float64]:
    """Return the distances from places (B, 2) to the walls in directions (B, 2); shape (B,)."""
    # A ray meets the wall of each axis at (wall - begin) / heading; the nearer wall counts.
    moving = np.abs(heading) > 1e-9
    wall = np.copysign(half_side_mm, heading)
    distances = np.where(moving, (wall - begin_mm) / np.where(moving, heading, 1.0), np.inf)
    reach: NDArray[np.float64] = distances.min(axis=1)
    return reach
