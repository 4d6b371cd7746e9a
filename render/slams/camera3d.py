"""Cameras in space: perspective, orbit and zoom, presets, and the camera that follows an impact.

The stack stands at the origin, x points along the throw, z up. A `Camera3D` looks at a target from
a direction; `view_of` turns it into a `View3D` for a picture of a size, which projects points.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NEAR_MM = 10.0
"""Distance from the eye to the nearest plane that is drawn."""

ELEVATIONS_RAD = (math.radians(3.0), math.radians(90.0))
"""Smallest and largest elevation: a camera stays above the floor."""

DISTANCES_MM = (90.0, 2500.0)
"""Smallest and largest distance from the target."""

_BOX_MM = 182.0
"""Half of the width that `OVERVIEW` shows at its target."""

_CLOSEST_MM, _WIDEST_MM = 72.0, 178.0
"""Range of the half width that a following camera shows."""

_ROOM_MM = 32.0
"""Room around the pieces: their radius and a margin."""

_DRIFT_RAD, _DRIFT_S = 0.35, 0.5
"""Angle that a following camera turns in all after the impact, and the time constant of it."""

_LIFT, _LIFT_UP_TO_MM = 0.1, 150.0
"""Rise of the target of a following camera, relative to the largest height up to a limit."""

_CLOSE_MM = 260.0
"""Distance of a camera that looks at a single piece."""

_WIDE = 1.6
"""Width over height of the pictures that the presets are made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera3D:
    """A camera that looks at a target.

    Attributes:
        azimuth_rad: Direction of the eye from the target, from above: 0 for +x, a quarter turn for
            +y.
        elevation_rad: Angle of the eye above the horizon.
        distance_mm: Distance between eye and target.
        target_mm: The point in the middle of the picture.
        field_rad: Angle that the height of the picture covers.
    """

    azimuth_rad: float = math.radians(-68.0)
    elevation_rad: float = math.radians(30.0)
    distance_mm: float = 560.0
    target_mm: tuple[float, float, float] = (0.0, 0.0, 28.0)
    field_rad: float = math.radians(38.0)


OVERVIEW = Camera3D()
"""The whole box, from the side of the thrower."""

FROM_ABOVE = Camera3D(
    azimuth_rad=math.radians(-90.0),
    elevation_rad=math.radians(90.0),
    distance_mm=600.0,
    target_mm=(0.0, 0.0, 0.0),
)
"""The whole box from above, with x to the right, as in the top view."""

FROM_SIDE = Camera3D(
    azimuth_rad=math.radians(-90.0),
    elevation_rad=math.radians(4.0),
    distance_mm=620.0,
    target_mm=(0.0, 0.0, 60.0),
)
"""The whole box from the side, with x to the right, as in the side view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View3D:
    """A camera set up for a picture of a size.

    Attributes:
        eye_mm: Place of the eye; shape (3,).
        axes: Rows: unit vectors to the right, up, and into the picture; shape (3, 3).
        scale_px: Pixels per millimetre at a depth of a millimetre.
        size: Width and height of the picture, in pixels.
    """

    eye_mm: Floats
    axes: Floats
    scale_px: float
    size: tuple[int, int]

    def seen(self, points_mm: Floats) -> Floats:
        """Return points in the frame of the camera: right, up, depth; shape (..., 3)."""
        seen: Floats = (points_mm - self.eye_mm) @ self.axes.T
        return seen

    def pixels(self, seen_mm: Floats) -> Floats:
        """Return the pixels of points in the frame of the camera; shape (..., 2)."""
        # Perspective: distances from the axis shrink with the depth; y grows downwards.
        scale = self.scale_px / np.maximum(seen_mm[..., 2:], NEAR_MM / 10)
        pixels: Floats = seen_mm[..., :2] * scale * (1.0, -1.0)
        pixels += (self.size[0] / 2, self.size[1] / 2)
        return pixels

    def project(self, points_mm: Floats) -> Floats:
        """Return the pixels of points; shape (..., 2).

        Example:
            >>> view = view_of(FROM_ABOVE, (400, 400))
            >>> view.project(np.zeros(3)).round(6).tolist()
            [200.0, 200.0]
            >>> right, up = view.project(np.array([[10.0, 0.0, 0.0], [0.0, 10.0, 0.0]]))
            >>> bool(right[0] > 200 and up[1] < 200)
            True
        """
        return self.pixels(self.seen(points_mm))

    def polygon(self, corners_mm: Floats) -> Floats:
        """Return the pixels of a polygon, cut off at the near plane; shape (N, 2), N may be 0."""
        return self.pixels(_in_front(self.seen(corners_mm)))


def view_of(camera: Camera3D, size: tuple[int, int]) -> View3D:
    """Return a camera set up for a picture of a size, in pixels."""
    sin_a, cos_a = math.sin(camera.azimuth_rad), math.cos(camera.azimuth_rad)
    sin_e, cos_e = math.sin(camera.elevation_rad), math.cos(camera.elevation_rad)
    to_eye = np.array([cos_e * cos_a, cos_e * sin_a, sin_e])
    # Derivatives of the direction by azimuth and by elevation: also defined straight above.
    right = np.array([-sin_a, cos_a, 0.0])
    up = np.array([-sin_e * cos_a, -sin_e * sin_a, cos_e])
    return View3D(
        eye_mm=np.array(camera.target_mm) + camera.distance_mm * to_eye,
        axes=np.stack((right, up, -to_eye)),
        scale_px=size[1] / (2 * math.tan(camera.field_rad / 2)),
        size=size,
    )


def orbited(camera: Camera3D, azimuth_rad: float, elevation_rad: float) -> Camera3D:
    """Return a camera moved around its target; it stays above the floor.

    Example:
        >>> math.degrees(orbited(OVERVIEW, 0.0, 9.0).elevation_rad)
        90.0
    """
    low, high = ELEVATIONS_RAD
    return replace(
        camera,
        azimuth_rad=math.remainder(camera.azimuth_rad + azimuth_rad, 2 * math.pi),
        elevation_rad=min(max(camera.elevation_rad + elevation_rad, low), high),
    )


def closer(camera: Camera3D, factor: float) -> Camera3D:
    """Return a camera closer to its target by a factor, or farther away below 1."""
    low, high = DISTANCES_MM
    return replace(camera, distance_mm=min(max(camera.distance_mm / factor, low), high))


def fitted(camera: Camera3D, size: tuple[int, int]) -> Camera3D:
    """Return a camera farther away if a picture is too narrow for what it shows in a wide one.

    Example:
        >>> fitted(OVERVIEW, (1600, 1000)) == OVERVIEW
        True
        >>> fitted(OVERVIEW, (800, 1000)).distance_mm / OVERVIEW.distance_mm
        2.0
    """
    width, height = size
    return replace(camera, distance_mm=camera.distance_mm * max(1.0, _WIDE * height / width))


def following(camera: Camera3D, reach_mm: Floats, time_s: float) -> Camera3D:
    """Return a camera that is close to the stack at first and moves away as the pieces fly.

    It turns slowly after the impact, which shows the depth of the picture.

    Args:
        camera: The camera of the whole box.
        reach_mm: Largest distance to a side, and largest height, of any piece so far; shape (2,).
        time_s: Time since the first contact.

    Example:
        >>> near, far = (following(OVERVIEW, np.array([mm, mm]), 0.0) for mm in (20.0, 150.0))
        >>> near.distance_mm < far.distance_mm <= OVERVIEW.distance_mm
        True
    """
    sideways, up = reach_mm.tolist()
    half_mm = min(max(sideways + _ROOM_MM, 0.62 * (up + _ROOM_MM), _CLOSEST_MM), _WIDEST_MM)
    drift = _DRIFT_RAD * (1 - math.exp(-max(time_s, 0.0) / _DRIFT_S))
    x, y, z = camera.target_mm
    return replace(
        camera,
        azimuth_rad=camera.azimuth_rad + drift,
        distance_mm=camera.distance_mm * half_mm / _BOX_MM,
        target_mm=(x, y, z + _LIFT * min(up, _LIFT_UP_TO_MM)),
    )


def close_to(camera: Camera3D, centre_mm: Floats) -> Camera3D:
    """Return a camera that looks at a piece from nearby.

    Args:
        camera: The camera whose direction is kept.
        centre_mm: Centre of the piece; shape (3,).
    """
    x, y, z = centre_mm.tolist()
    return replace(camera, distance_mm=_CLOSE_MM, target_mm=(x, y, z))


def _in_front(seen_mm: Floats) -> Floats:
    """Return a polygon in the frame of the camera without its part in front of the near plane."""
    depth = seen_mm[:, 2] - NEAR_MM
    if (depth >= 0).all():
        return seen_mm
    kept: list[Floats] = []
    for index in range(len(seen_mm)):
        before = index - 1
        # An edge that crosses the plane gives the point where it does.
        if depth[before] * depth[index] < 0:
            share = depth[before] / (depth[before] - depth[index])
            kept.append(seen_mm[before] + share * (seen_mm[index] - seen_mm[before]))
        if depth[index] >= 0:
            kept.append(seen_mm[index])
    return np.array(kept).reshape(-1, 3)
