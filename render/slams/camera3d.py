"""Cameras in space: presets, the path of one that follows a slam, orbit and zoom, matrices.

The stack stands at the origin, x points along the throw, z up. A `Direction` is a viewing
direction; `frame_points` finds the `Camera3D` in that direction that has given points in its
picture. `camera_path` computes once for a slam the part that a camera shows at each time, as a
`Shot`: the whole box, then the stack at the impact, the flight, and the box again with the result.
`following` gives the camera of a shot.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from pucklab.base.facts import fact
from pucklab.physics import Arena

Floats = NDArray[np.float64]

Shot = Floats
"""View of a camera, shape (3,): half the side and the height, in mm, of the block on the floor that
it shows around the stack, and its turn around the stack."""

WALL_MM = 6.0
"""Thickness of the walls."""

DEPTHS_MM = NEAR_MM, _FAR_MM = 8.0, 20_000.0
"""Nearest and farthest distance that is drawn."""

ELEVATIONS_RAD = (math.radians(3.0), math.radians(90.0))
"""Smallest and largest elevation: a camera stays above the floor."""

ZOOMS = (0.4, 8.0)
"""Smallest and largest zoom."""

WIDE = 1.6
"""Width over height of a picture, unless another is asked for."""

_FIELD_RAD = math.radians(38.0)
"""Angle that the height of a picture covers."""

_SIDES, _TOP, _BOTTOM = 0.96, 0.78, 0.96
"""Parts of the half picture that are used: at the top there is room for the number of flips."""

_NEAR = 1.8
"""Half side of what is shown at the impact, in radii: so the stack is a third of the picture."""

_OPEN_MM = 300.0
"""Largest half side of the floor that is shown at the end where there is no box. Pieces are
followed twice as far as is shown at the end, and as high."""

_EASE, _AHEAD = 10, 4
"""Frames of a film over which a camera eases into a move, and by which it is ahead of pieces."""

_DRIFT_RAD, _DRIFT_S = 0.35, 0.5
"""Angle that a following camera turns in all after the impact, and the time constant of it."""


@fact
class Direction:
    """A viewing direction, as seen from the target."""

    azimuth_rad: float = math.radians(-68.0)  # of the eye from above: 0 for +x, a quarter for +y
    elevation_rad: float = math.radians(30.0)  # of the eye above the horizon
    zoom: float = 1.0  # 1 shows everything that is asked for
    follows: bool = True  # True to keep the pieces in the picture, not only the box


PRESETS = {
    "follow": ("camera that follows the pieces", Direction()),
    "whole": ("whole box", Direction(follows=False)),
    "above": (
        "from above",
        Direction(azimuth_rad=-math.pi / 2, elevation_rad=math.pi / 2, follows=False),
    ),
    "side": (
        "from the side",
        Direction(azimuth_rad=-math.pi / 2, elevation_rad=math.radians(4.0), follows=False),
    ),
}
"""Names of cameras to choose from, and their directions; x is to the right in the last two."""

FOLLOWING = PRESETS["follow"][1]


@fact
class Camera3D:
    """A camera that looks at a target."""

    azimuth_rad: float
    elevation_rad: float
    distance_mm: float  # between eye and target
    target_mm: tuple[float, float, float]  # the point in the middle of the picture
    field_rad: float = _FIELD_RAD  # angle that the height of the picture covers

    @property
    def axes(self) -> Floats:
        """Rows: unit vectors to the right, up, and towards the eye; shape (3, 3)."""
        return axes_of(self.azimuth_rad, self.elevation_rad)

    @property
    def eye_mm(self) -> Floats:
        """Place of the eye; shape (3,)."""
        eye: Floats = np.array(self.target_mm) + self.distance_mm * self.axes[2]
        return eye

    def matrix(self, aspect: float) -> Floats:
        """Return the matrix that OpenGL projects points with; shape (4, 4)."""
        # Perspective: x and y shrink with the depth, which goes from -1 (near) to 1 (far).
        tall, depth = 1 / math.tan(self.field_rad / 2), NEAR_MM - _FAR_MM
        seen = np.zeros((4, 4))
        seen[0, 0], seen[1, 1], seen[3, 2] = tall / aspect, tall, -1.0
        seen[2, 2:] = (_FAR_MM + NEAR_MM) / depth, 2 * _FAR_MM * NEAR_MM / depth
        matrix: Floats = seen @ view_matrix(self.eye_mm, self.axes)
        return matrix


class Eye:
    """The eye of a camera, with the pixels of what it sees."""

    def __init__(self, camera: Camera3D, size: tuple[int, int]) -> None:
        self.place_mm, self._axes = camera.eye_mm, camera.axes
        self._middle = np.array(size) / 2
        self._scale_px = size[1] / (2 * np.tan(camera.field_rad / 2))

    def pixels(self, points_mm: Floats) -> Floats:
        """Return the pixels of points; shape (..., 2)."""
        return self._flat((points_mm - self.place_mm) @ self._axes.T)

    def polygon(self, corners_mm: Floats) -> list[list[float]]:
        """Return the pixels of a polygon, cut off at the near plane."""
        seen = (corners_mm - self.place_mm) @ self._axes.T
        ahead = -seen[:, 2] - NEAR_MM
        kept: list[Floats] = []
        for index in range(len(seen)) if ahead.min() < 0 else ():
            before = index - 1
            # An edge that crosses the plane gives the point where it does.
            if ahead[before] * ahead[index] < 0:
                share = ahead[before] / (ahead[before] - ahead[index])
                kept.append(seen[before] + share * (seen[index] - seen[before]))
            if ahead[index] >= 0:
                kept.append(seen[index])
        shown = seen if ahead.min() >= 0 else np.array(kept).reshape(-1, 3)
        pixels: list[list[float]] = self._flat(shown).tolist()
        return pixels

    def _flat(self, seen_mm: Floats) -> Floats:
        # Perspective: distances from the axis shrink with the depth; y grows downwards.
        scale = self._scale_px / np.maximum(-seen_mm[..., 2:], NEAR_MM / 10)
        pixels: Floats = seen_mm[..., :2] * scale * (1.0, -1.0)
        pixels += self._middle
        return pixels


def axes_of(azimuth_rad: float, elevation_rad: float) -> Floats:
    """Return unit vectors to the right, up, and towards the eye, as rows."""
    sin_a, cos_a = math.sin(azimuth_rad), math.cos(azimuth_rad)
    sin_e, cos_e = math.sin(elevation_rad), math.cos(elevation_rad)
    # Derivatives of the direction by azimuth and by elevation: also defined straight above.
    return np.array(
        [
            (-sin_a, cos_a, 0.0),
            (-sin_e * cos_a, -sin_e * sin_a, cos_e),
            (cos_e * cos_a, cos_e * sin_a, sin_e),
        ]
    )


def view_matrix(eye_mm: Floats, axes: Floats) -> Floats:
    """Return the matrix that takes points into the frame of an eye; shape (4, 4)."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = axes, -axes @ eye_mm
    return matrix


def preset_camera(name: str) -> dict[str, float]:
    """Return the direction of a preset for pages, which find the distance themselves."""
    _, direction = PRESETS[name]
    return {
        "azimuth": direction.azimuth_rad,
        "elevation": direction.elevation_rad,
        "field": _FIELD_RAD,
    }


def box_corners(arena: Arena) -> Floats:
    """Return the outer corners of the box; shape (8, 3)."""
    return _corners(arena.shown_half_mm + WALL_MM, arena.shown_wall_mm)


def _corners(half_mm: float, height_mm: float) -> Floats:
    sides = (-half_mm, half_mm)
    return np.array([(x, y, z) for x in sides for y in sides for z in (0.0, height_mm)])


def last_shot(arena: Arena) -> Shot:
    """Return the last shot: the box, or a part of the floor without walls."""
    half = arena.shown_half_mm + WALL_MM if arena.box else min(arena.shown_half_mm, _OPEN_MM)
    return np.array((half, arena.shown_wall_mm, 0.0))


def camera_path(
    arena: Arena, time_s: Floats, middle_mm: Floats, top_mm: Floats, radius_mm: Floats
) -> Floats:
    """Return the shots of a slam, shape (F, 3).

    It begins with the box if the approach is shown, comes close to the stack for the impact, widens
    to have all pieces inside the arena in the picture, and ends with the box. Pieces outside are
    not followed, and neither is one that rolls away over a floor without end.

    Args:
        arena: The box.
        time_s: Times of the frames of a film, shape (F,), up to the rest; 0 is the first contact.
        middle_mm: Middles of the pieces, shape (F, B, 3).
        top_mm: Heights of their highest points, shape (F, B).
        radius_mm: Their radii, shape (B,).
    """
    *last, _ = last_shot(arena)
    far_mm = 2 * last[0]
    reach_mm = np.abs(middle_mm[..., :2]).max(axis=2)
    # Half sides and heights that each piece asks for; a rim cannot cross a wall.  (2, F, B)
    half_mm = np.minimum(reach_mm + radius_mm, arena.half_side_mm)
    needs = np.stack((half_mm, np.minimum(top_mm, far_mm)))
    needs *= reach_mm <= min(arena.half_side_mm, arena.out_radius_mm or math.inf, far_mm)
    wanted = np.maximum(needs.max(axis=2), [[_NEAR * radius_mm.max()], [1.0]])
    is_whole = (time_s < time_s[0] / 4) | (time_s >= time_s[-1] / 2)
    wanted = np.maximum(wanted, is_whole * np.reshape(last, (2, 1)))
    # From the contact on it grows up to its largest, then shrinks, each once.
    flight = wanted[:, time_s >= 0]
    so_far, to_come = (
        np.maximum.accumulate(flight[:, ::step], axis=1)[:, ::step] for step in (1, -1)
    )
    wanted[:, time_s >= 0] = np.minimum(so_far, to_come)
    # A weighted mean of the largest values around each frame makes all moves smooth.
    weights = np.hanning(2 * _EASE + 1)
    padded = np.pad(np.log(wanted), ((0, 0), (_EASE + _AHEAD, _EASE + _AHEAD)), "edge")
    largest = sliding_window_view(padded, 2 * _AHEAD + 1, axis=1).max(axis=2)
    eased = sliding_window_view(largest, len(weights), axis=1) @ (weights / weights.sum())
    # A slow turn shows the depth of the picture.
    turned = _DRIFT_RAD * (1 - np.exp(-np.maximum(time_s, 0.0) / _DRIFT_S))
    return np.column_stack((*np.exp(eased), turned))


def frame_points(
    direction: Direction, points_mm: Floats, aspect: float = WIDE, room_mm: float = 0.0
) -> Camera3D:
    """Return the closest camera in a direction that has all points in its picture.

    Args:
        direction: The direction; the camera is closer by its zoom.
        points_mm: The points, shape (N, 3).
        aspect: Width of the picture over its height.
        room_mm: Room around each point.

    Example:
        >>> camera = frame_points(Direction(elevation_rad=math.pi / 2), box_corners(Arena()))
        >>> bool(400 < camera.distance_mm < 1200), round(camera.target_mm[2])
        (True, 0)
    """
    axes = axes_of(direction.azimuth_rad, direction.elevation_rad)
    right, up, near = (points_mm @ axes.T).T
    tall = math.tan(_FIELD_RAD / 2)
    side, top, bottom = _SIDES * tall * aspect, _TOP * tall, _BOTTOM * tall
    # A point is in the picture if |right - x| <= side (d - near), with x and d of the eye; so
    # x + side d >= right + side near, and the same to the left, above and below.
    to_right, to_left, above, below = (
        float((way + share * near).max()) + room_mm
        for way, share in ((right, side), (-right, side), (up, top), (-up, bottom))
    )
    distance = max((to_right + to_left) / (2 * side), (above + below) / (top + bottom))
    # Spare room is shared between both sides.
    spare = distance * (top + bottom) - above - below
    centre = ((to_right - to_left) / 2, above - distance * top + spare / 2)
    x, y, z = (centre[0] * axes[0] + centre[1] * axes[1]).tolist()
    return Camera3D(
        azimuth_rad=direction.azimuth_rad,
        elevation_rad=direction.elevation_rad,
        distance_mm=distance / direction.zoom,
        target_mm=(x, y, z),
    )


def following(
    direction: Direction, arena: Arena, shots: Sequence[Shot], aspect: float = WIDE
) -> Camera3D:
    """Return the camera that shows some shots together, or the whole box if it does not follow.

    Args:
        direction: The direction.
        arena: The box.
        shots: The shot of each slam that is shown; a camera that follows needs one.
        aspect: Width of the picture over its height.
    """
    if not direction.follows:
        return frame_points(direction, box_corners(arena), aspect)
    half, height, _ = np.max(shots, axis=0).tolist()
    turned = replace(direction, azimuth_rad=direction.azimuth_rad + float(shots[0][2]))
    return frame_points(turned, _corners(half, height), aspect)


def orbit(direction: Direction, azimuth_rad: float, elevation_rad: float) -> Direction:
    """Return a direction moved around the box; it stays above the floor.

    Example:
        >>> math.degrees(orbit(FOLLOWING, 0.0, 9.0).elevation_rad)
        90.0
    """
    low, high = ELEVATIONS_RAD
    return replace(
        direction,
        azimuth_rad=math.remainder(direction.azimuth_rad + azimuth_rad, 2 * math.pi),
        elevation_rad=min(max(direction.elevation_rad + elevation_rad, low), high),
    )


def closer(direction: Direction, factor: float) -> Direction:
    """Return a direction with the zoom multiplied by a factor: closer above 1, farther below."""
    low, high = ZOOMS
    return replace(direction, zoom=min(max(direction.zoom * factor, low), high))
