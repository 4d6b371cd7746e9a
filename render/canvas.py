"""Drawing without a display: smooth edges and words on a surface.

Energy types as badges: a colour, and a letter on it.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pygame
import pygame.font
from numpy.typing import NDArray

from render.palette import ENERGIES, Rgb
from sim.core.files import write_whole

FINE = 4
"""Pixels of a fine canvas per pixel of the picture, each way.

A power of two: with others, scaling down rounds a plain colour to another.
"""

_SMALLEST_TEXT_PX = 9
_LARGE_PX2 = 250_000
"""Larger pictures are smoothed half as finely: their edges are few, their pixels many."""

Align = Literal["left", "right", "centre"]


def new_surface(width: int, height: int) -> pygame.Surface:
    """Return an empty surface of 32 bits a pixel."""
    return pygame.Surface((width, height), depth=32)


@contextmanager
def fine_canvas(surface: pygame.Surface) -> Iterator[pygame.Surface]:
    """Give a canvas `FINE` times as fine as a surface, and scale it down onto it at the end."""
    width, height = surface.get_size()
    fine = new_surface(FINE * width, FINE * height)
    yield fine
    surface.blit(pygame.transform.smoothscale(fine, (width, height)), (0, 0))


def clear_surface(size: tuple[int, int]) -> pygame.Surface:
    """Return a surface that hides nothing where nothing is drawn on it (premultiplied alpha)."""
    return pygame.Surface(size, pygame.SRCALPHA, depth=32)


def lay(surface: pygame.Surface, sprite: pygame.Surface, place: tuple[int, int]) -> None:
    """Lay what was drawn on a clear surface over another."""
    surface.blit(sprite, place, special_flags=pygame.BLEND_PREMULTIPLIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A polygon of one colour.

    Attributes:
        colour: Its colour.
        points: Its corners, in pixels of the picture; shape (N, 2).
        line_px: Width of its outline if just that is drawn; 0 fills it.
    """

    colour: Rgb
    points: NDArray[np.float64]
    line_px: float = 0.0


def draw_shapes(surface: pygame.Surface, shapes: Sequence[Shape]) -> None:
    """Draw polygons with smooth edges, each over those before; what lies outside is left out.

    The cost is that of the box around them: for shapes far apart, draw each on its own.
    """
    corners = [shape.points.tolist() for shape in shapes]
    wide = max(shape.line_px for shape in shapes) / 2 + 1
    across = [x for points in corners for x, _ in points]
    down = [y for points in corners for _, y in points]
    width, height = surface.get_size()
    left, top = max(math.floor(min(across) - wide), 0), max(math.floor(min(down) - wide), 0)
    right = min(math.ceil(max(across) + wide), width)
    bottom = min(math.ceil(max(down) + wide), height)
    if left >= right or top >= bottom:
        return
    width, height = right - left, bottom - top
    finer = FINE if width * height < _LARGE_PX2 else FINE // 2
    fine = clear_surface((finer * width, finer * height))
    for shape, points in zip(shapes, corners, strict=True):
        placed = [(finer * (x - left), finer * (y - top)) for x, y in points]
        line = max(round(shape.line_px * finer), 1) if shape.line_px else 0
        pygame.draw.polygon(fine, shape.colour, placed, line)
    lay(surface, pygame.transform.smoothscale(fine, (width, height)), (left, top))


def draw_stroke(
    fine: pygame.Surface, colour: Rgb, points: Sequence[tuple[float, float]], width: float
) -> None:
    """Draw a line through points with round joints and ends."""
    for (x, y), (to_x, to_y) in pairwise(points):
        length = math.hypot(to_x - x, to_y - y)
        if length > 0:
            dx, dy = (x - to_x) / length * width / 2, (to_y - y) / length * width / 2
            corners = [(x + dy, y + dx), (to_x + dy, to_y + dx)]
            corners += [(to_x - dy, to_y - dx), (x - dy, y - dx)]
            pygame.draw.polygon(fine, colour, corners)
    for point in points:
        pygame.draw.circle(fine, colour, point, width / 2)


def write(
    surface: pygame.Surface,
    text: str,
    place: tuple[float, float],
    *,
    size_px: int,
    colour: Rgb,
    align: Align = "left",
    width_px: float | None = None,
) -> int:
    """Write a line of words and return its width in pixels.

    Args:
        surface: Where to.
        text: What.
        place: x of the line's left, right or centre, and y of its middle.
        size_px: Height of the letters.
        colour: Their colour.
        align: What x means.
        width_px: Room there is: the letters get smaller, and then the line is cut.
    """
    room = width_px if width_px is not None else float("inf")
    while _width(text, size_px) > room and size_px > _SMALLEST_TEXT_PX:
        size_px -= 1
    if _width(text, size_px) > room:
        while text and _width(text + "...", size_px) > room:
            text = text[:-1]
        text = text.rstrip() + "..."
    drawn = _line(text, size_px, colour)
    shift = {"left": 0.0, "right": 1.0, "centre": 0.5}[align]
    x = round(place[0] - shift * drawn.get_width())
    lay(surface, drawn, (x, round(place[1] - drawn.get_height() / 2)))
    return drawn.get_width()


def text_width(text: str, size_px: int) -> int:
    """Return how wide a line of words is, in pixels."""
    return _width(text, size_px)


def png_bytes(surface: pygame.Surface) -> bytes:
    """Return a surface as a PNG file."""
    data = BytesIO()
    pygame.image.save(surface, data, "picture.png")
    return data.getvalue()


def save_png(path: Path, surface: pygame.Surface) -> None:
    """Write a surface as a PNG file, whole or not at all."""
    write_whole(path, png_bytes(surface))


@lru_cache(maxsize=2048)
def _width(text: str, size_px: int) -> int:
    return -(-_font(FINE * size_px).size(text)[0] // FINE)


@lru_cache(maxsize=512)
def _line(text: str, size_px: int, colour: Rgb) -> pygame.Surface:
    """Return a line of words: drawn finely, for letters to stand where they should."""
    fine = _font(FINE * size_px).render(text, antialias=True, color=colour).premul_alpha()
    width, height = fine.get_size()
    whole = clear_surface((-(-width // FINE) * FINE, -(-height // FINE) * FINE))
    whole.blit(fine, (0, 0))
    return pygame.transform.smoothscale(
        whole, (whole.get_width() // FINE, whole.get_height() // FINE)
    )


def _font(size_px: int) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
        _loaded.cache_clear()
    return _loaded(size_px)


@lru_cache(maxsize=64)
def _loaded(size_px: int) -> pygame.font.Font:
    return pygame.font.Font(None, size_px)


def draw_energy(
    surface: pygame.Surface,
    energy: str,
    middle: tuple[float, float],
    size_px: int,
    *,
    inverse: bool = False,
) -> None:
    """Draw the badge of an energy type.

    Args:
        surface: Where to.
        energy: A type of `ENERGIES`, such as ``grass``.
        middle: Its middle.
        size_px: Its diameter.
        inverse: The letter has the colour, for a badge on the colour itself.
    """
    badge = _badge(energy, size_px, inverse=inverse)
    lay(surface, badge, (round(middle[0] - size_px / 2), round(middle[1] - size_px / 2)))


@lru_cache(maxsize=64)
def _badge(energy: str, size_px: int, *, inverse: bool) -> pygame.Surface:
    look = ENERGIES[energy]
    colour, ink = (look.ink, look.colour) if inverse else (look.colour, look.ink)
    fine = clear_surface((FINE * size_px, FINE * size_px))
    radius = FINE * size_px / 2
    pygame.draw.circle(fine, colour, (radius, radius), radius)
    letter_px = round(0.85 * FINE * size_px)
    middle = (radius, 1.04 * radius)
    write(fine, look.letter, middle, size_px=letter_px, colour=ink, align="centre")
    return pygame.transform.smoothscale(fine, (size_px, size_px))
