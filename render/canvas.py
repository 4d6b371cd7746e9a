"""Drawing on surfaces, without a display: smooth polygons and strokes, text, badges, PNG files.

Everything is drawn several times larger and scaled down, so that edges and letters are smooth.
Begin at `draw_polygon` and `write`.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pygame
import pygame.font
from pygame import Rect, Surface

from pucklab.base.files import write_whole
from pucklab.render.palette import Rgb

FINE = 4
"""Pixels of a fine canvas per pixel of the picture, in each direction.

A power of two: any other factor changes plain colours when it is scaled down.
"""

SMALLEST_TEXT_PX = 11
"""Text that does not fit is made smaller down to this height, then shortened."""

Align = Literal["left", "right", "centre"]


def new_surface(width: int, height: int) -> Surface:
    """Return an empty surface with 32 bits per pixel."""
    return Surface((width, height), depth=32)


def clear_surface(size: tuple[int, int]) -> Surface:
    """Return a transparent surface, for drawing with premultiplied alpha."""
    return Surface(size, pygame.SRCALPHA, depth=32)


def lay(surface: Surface, sprite: Surface, place: tuple[int, int] | Rect) -> None:
    """Blend a sprite from a clear surface over another surface."""
    surface.blit(sprite, place, special_flags=pygame.BLEND_PREMULTIPLIED)


def lay_around(surface: Surface, sprite: Surface, middle: tuple[float, float]) -> None:
    """Blend a sprite over another surface, around a place."""
    width, height = sprite.get_size()
    lay(surface, sprite, (round(middle[0] - width / 2), round(middle[1] - height / 2)))


def draw_polygon(surface: Surface, colour: Rgb, corners: Sequence[tuple[float, float]]) -> None:
    """Draw a polygon with smooth edges; parts outside the surface are cut off."""
    across, down = zip(*corners, strict=True)
    width, height = surface.get_size()
    left, top = max(math.floor(min(across)) - 1, 0), max(math.floor(min(down)) - 1, 0)
    right = min(math.ceil(max(across)) + 1, width)
    bottom = min(math.ceil(max(down)) + 1, height)
    if left >= right or top >= bottom:
        return
    width, height = right - left, bottom - top
    fine = clear_surface((FINE * width, FINE * height))
    pygame.draw.polygon(fine, colour, [(FINE * (x - left), FINE * (y - top)) for x, y in corners])
    lay(surface, pygame.transform.smoothscale(fine, (width, height)), (left, top))


def draw_stroke(
    fine: Surface, colour: Rgb, points: Sequence[tuple[float, float]], width: float
) -> None:
    """Draw a line through points, with round joints and ends, on a fine canvas."""
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
    surface: Surface,
    text: str,
    place: tuple[float, float],
    size_px: int,
    colour: Rgb,
    *,
    align: Align = "left",
    width_px: float | None = None,
) -> int:
    """Write a line of text and return its width in pixels.

    Args:
        surface: The surface to write on.
        text: The text.
        place: x of the left end, right end or centre of the line, and y of its middle.
        size_px: Height of the letters.
        colour: Colour of the letters.
        align: The part of the line that x refers to.
        width_px: Room for the line; a longer one is written smaller, then shortened.
    """
    room = width_px if width_px is not None else float("inf")
    while text_width(text, size_px) > room and size_px > SMALLEST_TEXT_PX:
        size_px -= 1
    if text_width(text, size_px) > room:
        while text and text_width(text + "...", size_px) > room:
            text = text[:-1]
        text = text.rstrip() + "..."
    drawn = _line(text, size_px, colour)
    shift = {"left": 0.0, "right": 1.0, "centre": 0.5}[align]
    x = round(place[0] - shift * drawn.get_width())
    lay(surface, drawn, (x, round(place[1] - drawn.get_height() / 2)))
    return drawn.get_width()


def write_over(
    surface: Surface, text: str, y: float, size_px: int, colours: tuple[Rgb, Rgb], shift_px: int
) -> None:
    """Write a line over the middle of a picture, in one colour with a shadow in another."""
    colour, shadow = colours
    for step, ink in ((shift_px, shadow), (0, colour)):
        place = (surface.get_width() / 2 + step, y + step)
        room = surface.get_width() - size_px
        write(surface, text, place, size_px, ink, align="centre", width_px=room)


def save_png(path: Path, surface: Surface) -> None:
    """Write a surface as a PNG file, whole or not at all."""
    data = BytesIO()
    pygame.image.save(surface, data, "picture.png")
    write_whole(path, data.getvalue())


@lru_cache(maxsize=2048)
def text_width(text: str, size_px: int) -> int:
    """Return the width of a line of text, in pixels."""
    return -(-_font(FINE * size_px).size(text)[0] // FINE)


@lru_cache(maxsize=512)
def _line(text: str, size_px: int, colour: Rgb) -> Surface:
    """Return a line of text, drawn finely so that the letters are spaced evenly."""
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
        _load_font.cache_clear()
    return _load_font(size_px)


@lru_cache(maxsize=64)
def _load_font(size_px: int) -> pygame.font.Font:
    return pygame.font.Font(None, size_px)
