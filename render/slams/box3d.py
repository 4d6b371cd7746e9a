"""The wooden box in space: its floor of planks and its four walls, in the pixels of a view.

A `WoodenBox` projects all its corners in a single step. `view3d` and `multiples` draw its parts
around the pieces: the floor and the walls at the back before them, the walls at the front after
them, as if of glass.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pygame
import pygame.gfxdraw
from numpy.typing import NDArray

from physics import Arena
from render.palette import Rgb
from render.slams.camera3d import NEAR_MM, View3D
from render.slams.side_view import WALL_MM

Floats = NDArray[np.float64]
Pixels = list[list[float]]

FLOOR_WOOD: Rgb = (176, 132, 88)
"""Colour of the floor."""

_WALL_WOOD, _TOP_WOOD = (142, 102, 64), (206, 164, 116)
_GROOVE = 0.86
"""Brightness of the gaps between planks, relative to the planks."""

_EDGE = 0.6
"""Brightness of the edges of walls, relative to the walls."""

_PLANKS = 8
"""Planks of the floor."""

_GLASS = 70
"""Opacity of the top of a wall before the pieces, 0 to 255."""

_LIGHT = np.array([-0.38, -0.3, 1.0]) / math.hypot(-0.38, -0.3, 1.0)
LIGHT_DIRECTION: Floats = _LIGHT
"""Unit vector to the light."""

_AMBIENT = 0.5
"""Brightness of a surface that the light does not reach."""


def brightness(normal: Floats) -> Floats:
    """Return the brightness of surfaces by their normals (..., 3), 0 to 1: Lambert's law."""
    found: Floats = _AMBIENT + (1 - _AMBIENT) * np.maximum(normal @ _LIGHT, 0.0)
    return found


def lit(colour: Rgb, light: float, shine: float = 0.0) -> Rgb:
    """Return a colour at a brightness of 0 to 1, with a reflection added."""
    red, green, blue = colour
    return (
        min(int(red * light + shine), 255),
        min(int(green * light + shine), 255),
        min(int(blue * light + shine), 255),
    )


class WoodenBox:
    """The box in a view.

    Attributes:
        from_inside: For each wall, on the sides +x, +y, -x and -y, True if the eye sees its inner
            side: it is then behind the pieces in the box.
    """

    def __init__(self, arena: Arena, view: View3D) -> None:
        half_mm, height_mm = arena.half_side_mm, arena.wall_height_mm
        points, ends = _corners(half_mm, height_mm)
        seen = view.seen(points)
        if float(seen[:, 2].min()) >= NEAR_MM:
            pixels = view.pixels(seen).tolist()
            self._parts = [pixels[begin:end] for begin, end in ends]
        else:
            self._parts = [view.polygon(points[begin:end]).tolist() for begin, end in ends]
        # A wall is seen from inside if the eye is on the inner side of its plane.
        x, y, _ = view.eye_mm.tolist()
        self.from_inside = (x < half_mm, y < half_mm, x > -half_mm, y > -half_mm)

    def draw_floor(self, surface: pygame.Surface) -> None:
        """Draw the floor without the gaps between its planks."""
        _fill(surface, FLOOR_WOOD, self._parts[0])

    def draw_planks(self, surface: pygame.Surface) -> None:
        """Draw the gaps between the planks, also where shadows are."""
        colour = lit(FLOOR_WOOD, _GROOVE)
        for line in self._parts[1:_PLANKS]:
            _line(surface, colour, line)

    def draw_walls_behind(self, surface: pygame.Surface) -> None:
        """Draw the walls that are seen from inside, with their tops."""
        for quarter, is_back in enumerate(self.from_inside):
            if not is_back:
                continue
            inner, top, *lines = self._wall(quarter)
            _fill(surface, lit(_WALL_WOOD, _wall_light(quarter)), inner)
            _fill(surface, _TOP_WOOD, top)
            for line in lines[:3]:
                _line(surface, lit(_WALL_WOOD, _EDGE), line)

    def draw_walls_before(self, surface: pygame.Surface) -> None:
        """Draw the walls before the pieces as if of glass: a hint of their tops, their edges."""
        for quarter, is_back in enumerate(self.from_inside):
            if is_back:
                continue
            _, top, *lines = self._wall(quarter)
            if len(top) > 2:
                pygame.gfxdraw.filled_polygon(surface, top, (*_TOP_WOOD, _GLASS))
            for line in lines[3:]:
                _line(surface, _TOP_WOOD, line)

    def _wall(self, quarter: int) -> list[Pixels]:
        first = _PLANKS + quarter * _PARTS_OF_WALL
        return self._parts[first : first + _PARTS_OF_WALL]


_PARTS_OF_WALL = 9
"""Shapes of a wall: its inner side, its top, three lines seen from inside, four from outside."""


@lru_cache(maxsize=8)
def _corners(half_mm: float, height_mm: float) -> tuple[Floats, tuple[tuple[int, int], ...]]:
    """Return the corners of all shapes of the box, shape (N, 3), and the range of each shape.

    The floor comes first, then the gaps between planks, then `_PARTS_OF_WALL` shapes of each wall.
    """
    shapes = [half_mm * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])]
    for plank in range(1, _PLANKS):
        x = half_mm * (2 * plank / _PLANKS - 1)
        shapes.append(np.array([[x, -half_mm, 0.0], [x, half_mm, 0.0]]))
    for quarter in range(4):
        cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter]
        out, along = np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0])
        up = np.array([0.0, 0.0, height_mm])
        wide = half_mm + WALL_MM
        left, right = half_mm * (out - along), half_mm * (out + along)
        far_left, far_right = wide * (out - along), wide * (out + along)
        inner = np.array([left, right, right + up, left + up])
        top = np.array([left + up, right + up, far_right + up, far_left + up])
        outer = np.array([far_left, far_right, far_right + up, far_left + up])
        shapes += [inner, top, inner[:2], inner[2:], inner[1:3]]
        shapes += [outer[:2], outer[1:3], top[:2], top[2:]]
    ends = np.cumsum([len(shape) for shape in shapes]).tolist()
    ranges = tuple((end - len(shape), end) for shape, end in zip(shapes, ends, strict=True))
    return np.concatenate(shapes), ranges


@lru_cache(maxsize=4)
def _wall_light(quarter: int) -> float:
    """Return the brightness of the inner side of a wall."""
    cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter]
    return 0.35 + 0.65 * float(brightness(np.array([-cos, -sin, 0.0])))


def _fill(surface: pygame.Surface, colour: Rgb, pixels: Sequence[Sequence[float]]) -> None:
    if len(pixels) > 2:
        pygame.draw.polygon(surface, colour, pixels)


def _line(surface: pygame.Surface, colour: Rgb, ends: Sequence[Sequence[float]]) -> None:
    if len(ends) > 1:
        pygame.draw.aaline(surface, colour, ends[0], ends[1])
