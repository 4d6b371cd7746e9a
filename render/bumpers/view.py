"""Where a board is in a picture."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from render.bumpers.moment import MatPose, Moment, Point
from sim.bumpers.board import Square

Extent = tuple[float, float, float, float]
"""The west, north, east and south ends of what is shown, in spaces."""

SMALLEST_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """How spaces become pixels.

    Attributes:
        scale_px: Pixels of a space; a whole number, for sharp edges.
        x_px: Where the board's west edge is.
        y_px: Where its north edge is.

    Example:
        >>> view = BoardView(scale_px=20, x_px=10, y_px=0)
        >>> view.pixel(1.5, 0.5), view.square_at((45, 15))
        ((40, 10), (0, 1))
    """

    scale_px: int
    x_px: int
    y_px: int

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of a point of the board."""
        return round(self.x_px + self.scale_px * x), round(self.y_px + self.scale_px * y)

    def square_at(self, pixel: tuple[float, float]) -> Square:
        """Return the square that a pixel shows; whether it has a space is for the board to say."""
        column = math.floor((pixel[0] - self.x_px) / self.scale_px)
        return math.floor((pixel[1] - self.y_px) / self.scale_px), column


def fitted(extent: Extent, size_px: tuple[int, int], *, margin_px: int = 0) -> BoardView:
    """Return the view that shows an extent as large as it goes, in the middle.

    Args:
        extent: What to show.
        size_px: Width and height of the picture.
        margin_px: Pixels to leave free on all sides.

    Example:
        >>> fitted((0, 0, 8, 4), (100, 100), margin_px=10)
        BoardView(scale_px=10, x_px=10, y_px=30)
    """
    west, north, east, south = extent
    room = [side - 2 * margin_px for side in size_px]
    scale = max(SMALLEST_PX, math.floor(min(room[0] / (east - west), room[1] / (south - north))))
    return BoardView(
        scale_px=scale,
        x_px=round((size_px[0] - scale * (west + east)) / 2),
        y_px=round((size_px[1] - scale * (north + south)) / 2),
    )


def extent_of(moments: Iterable[Moment]) -> Extent:
    """Return the extent of all mats at some moments, wherever they turn."""
    corners = [corner for moment in moments for mat in moment.mats for corner in _corners(mat)]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)


def _corners(mat: MatPose) -> tuple[Point, Point]:
    half = mat.face.size / 2
    x, y = mat.middle
    return (x - half, y - half), (x + half, y + half)
