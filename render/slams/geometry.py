"""Where pieces are in a picture, and the outlines of discs seen from the side and from above.

How close a view looks, and at what.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics import Arena, Recording
from physics.pieces import PIECE_RADIUS_MM

Points = NDArray[np.float64]
"""Shape (N, 2)."""

_STILL_MM2 = 0.01
"""Below it the squared ways of a piece tell no direction: they are what a replay rounds off."""

_TURN = np.linspace(0.0, 2 * np.pi, 48, endpoint=False)
_COS, _SIN = np.cos(_TURN), np.sin(_TURN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """How millimetres become pixels; in a picture y grows downwards.

    Attributes:
        scale: Pixels per millimetre.
        x_px: Where the origin is.
        y_px: The same, from the top.

    Example:
        >>> Projection(scale=2.0, x_px=100.0, y_px=50.0).at(np.array([[10.0, 5.0]]))
        [(120.0, 40.0)]
    """

    scale: float
    x_px: float
    y_px: float

    def at(self, points_mm: Points) -> list[tuple[float, float]]:
        """Return the pixels of points."""
        return [(x, y) for x, y in self.points(points_mm).tolist()]

    def points(self, points_mm: Points) -> Points:
        """Return the pixels of points as an array; shape (N, 2)."""
        pixels: Points = points_mm * (self.scale, -self.scale)
        pixels += (self.x_px, self.y_px)
        return pixels

    def place(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """Return which point a pixel shows, in millimetres."""
        return (pixel[0] - self.x_px) / self.scale, (self.y_px - pixel[1]) / self.scale


def slab(
    middle_mm: Points, angle_rad: float, low_mm: float, high_mm: float, radius_mm: float
) -> Points:
    """Return the corners of a layer of a disc seen from the side; shape (4, 2).

    Args:
        middle_mm: The disc's middle; shape (2,).
        angle_rad: Its angle, 0 for face up.
        low_mm: Where the layer begins along the face normal, from the middle.
        high_mm: Where it ends.
        radius_mm: The disc's radius.
    """
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    corners = np.array(
        [(-radius_mm, low_mm), (radius_mm, low_mm), (radius_mm, high_mm), (-radius_mm, high_mm)]
    )
    turned: Points = middle_mm + corners @ np.array([(cos, sin), (-sin, cos)])
    return turned


def disc_from_above(
    middle_mm: Points, heading: Points, angle_rad: float, thickness_mm: float, radius_mm: float
) -> tuple[Points, Points]:
    """Return the outline of a disc seen from above, and that of the side of it that is seen.

    A tilted disc is an ellipse whose minor axis is abs(cos(angle)) of the major, and its rim.

    Args:
        middle_mm: Its middle; shape (2,).
        heading: Unit vector of the horizontal axis of its plane; shape (2,).
        angle_rad: Its angle in that plane, 0 for face up.
        thickness_mm: Its thickness.
        radius_mm: Its radius.
    """
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    along, across = radius_mm * abs(cos) * _COS, radius_mm * _SIN
    rim = thickness_mm / 2 * abs(sin) * np.sign(_COS)
    cap = -thickness_mm / 2 * sin * math.copysign(1.0, cos)
    sideways = across[:, np.newaxis] * (-heading[1], heading[0])

    def placed(ways: Points) -> Points:
        points: Points = middle_mm + ways[:, np.newaxis] * heading + sideways
        return points

    return placed(along + rim), placed(along + cap)


def headings(recording: Recording) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the horizontal axes of the impact's plane and of each piece's own.

    Returns:
        Shapes (2,) and (B, 2): unit vectors; the x axis where nothing moved.
    """
    first = recording.impact_samples
    during = _ways(recording, 0, first)
    after = _ways(recording, max(first - 1, 0), len(recording.time_s))
    impact = _unit(during.sum(axis=0), np.array([1.0, 0.0]))
    return impact, np.array([_unit(way, impact) for way in after])


def side_motion(
    recording: Recording, arena: Arena
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where pieces are along the picture from the side, and their angles; shapes (F, B).

    Right in the picture is the side of +x, as seen from above. Each piece has walls of its own
    where its line crosses the arena's, up to the square root of two times as far as the nearest.
    Ways after the impact are scaled so that a piece that reaches its own wall is drawn at the one
    wall of the picture.
    """
    last = max(recording.impact_samples - 1, 0)
    impact, own = headings(recording)
    begin = recording.side_mm[last]
    drawn = recording.side_mm.copy()
    for sign in (1.0, -1.0):
        reach = _reach_mm(recording.top_mm[last], sign * own, arena.half_side_mm) - PIECE_RADIUS_MM
        room = arena.half_side_mm - PIECE_RADIUS_MM - sign * begin
        good = (reach > 1.0) & (room > 1.0)
        factor = np.where(good, room / np.where(good, reach, 1.0), 1.0)
        moved = sign * (recording.side_mm[last:] - begin)
        upto_wall = np.minimum(moved, np.where(good, reach, np.inf))
        scaled = begin + sign * (upto_wall * factor + moved - upto_wall)
        drawn[last:] = np.where(moved > 0, scaled, drawn[last:])
    mirror = -1.0 if impact[0] < 0 else 1.0
    return mirror * drawn, mirror * recording.angle_rad


def _ways(recording: Recording, first: int, end: int) -> NDArray[np.float64]:
    """Return the sums of ways from the first sample, weighted by how far they go; shape (B, 2)."""
    side = recording.side_mm[first:end] - recording.side_mm[first : first + 1]
    top = recording.top_mm[first:end] - recording.top_mm[first : first + 1]
    ways: NDArray[np.float64] = (side[:, :, np.newaxis] * top).sum(axis=0)
    return ways


def _unit(way: NDArray[np.float64], otherwise: NDArray[np.float64]) -> NDArray[np.float64]:
    length = float(np.hypot(*way))
    unit: NDArray[np.float64] = way / length if length > _STILL_MM2 else otherwise
    return unit


def _reach_mm(
    begin_mm: NDArray[np.float64], heading: NDArray[np.float64], half_side_mm: float
) -> NDArray[np.float64]:
    """Return how far it is to the walls from places (B, 2) along directions (B, 2)."""
    moving = np.abs(heading) > 1e-9
    wall = np.copysign(half_side_mm, heading)
    ways = np.where(moving, (wall - begin_mm) / np.where(moving, heading, 1.0), np.inf)
    reach: NDArray[np.float64] = ways.min(axis=1)
    return reach


ZOOMS = (1.0, 40.0)
"""The least and the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """How close a view looks, and at what.

    Attributes:
        zoom: How many times closer than the view that shows all.
        x_mm: How far to the right of the stack's place the middle is.
        y_mm: How far up, or away, it is.

    Example:
        >>> zoomed(WHOLE, 2.0, (10.0, 0.0))
        Camera(zoom=2.0, x_mm=5.0, y_mm=0.0)
    """

    zoom: float = 1.0
    x_mm: float = 0.0
    y_mm: float = 0.0


WHOLE = Camera()
"""All is shown."""


def zoomed(camera: Camera, factor: float, on_mm: tuple[float, float]) -> Camera:
    """Return a camera that is closer by a factor, with a point kept where it is in the picture.

    All the way out it is `WHOLE` again.

    Args:
        camera: The camera.
        factor: Above 1 goes closer, below 1 away.
        on_mm: The point.
    """
    low, high = ZOOMS
    zoom = min(max(camera.zoom * factor, low), high)
    if zoom == low:
        return WHOLE
    kept = camera.zoom / zoom
    return Camera(
        zoom=zoom,
        x_mm=on_mm[0] + (camera.x_mm - on_mm[0]) * kept,
        y_mm=on_mm[1] + (camera.y_mm - on_mm[1]) * kept,
    )


def moved(camera: Camera, x_mm: float, y_mm: float) -> Camera:
    """Return a camera that has moved along; where all is shown there is nowhere to go."""
    if camera.zoom == 1.0:
        return camera
    return Camera(zoom=camera.zoom, x_mm=camera.x_mm + x_mm, y_mm=camera.y_mm + y_mm)
