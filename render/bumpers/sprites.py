"""Small pictures with smooth edges, drawn once and then put wherever they are wanted."""

from collections.abc import Callable

import pygame

from render.canvas import FINE
from render.palette import Rgb


def drawn_sprite(
    size_px: tuple[int, int], rim: Rgb, draw: Callable[[pygame.Surface], None]
) -> pygame.Surface:
    """Return a picture with clear parts.

    Args:
        size_px: Its width and height.
        rim: The colour that its edges fade from.
        draw: Draws it on a surface `FINE` times as large.
    """
    width, height = size_px
    fine = pygame.Surface((FINE * width, FINE * height), pygame.SRCALPHA, 32)
    fine.fill((*rim, 0))
    draw(fine)
    return pygame.transform.smoothscale(fine, size_px)


def put(surface: pygame.Surface, sprite: pygame.Surface, middle: tuple[int, int]) -> None:
    """Put a picture such that its middle is at a pixel."""
    width, height = sprite.get_size()
    surface.blit(sprite, (middle[0] - width // 2, middle[1] - height // 2))
