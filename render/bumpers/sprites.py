"""Small pictures with smooth edges, drawn once and then put wherever they are wanted."""

from collections.abc import Callable

import pygame

from render.canvas import FINE, clear_surface, lay


def drawn_sprite(
    size_px: tuple[int, int], draw: Callable[[pygame.Surface], None]
) -> pygame.Surface:
    """Return a picture that is clear where nothing is drawn, to be laid over another.

    Args:
        size_px: Its width and height.
        draw: Draws it on a surface `FINE` times as large.
    """
    width, height = size_px
    fine = clear_surface((FINE * width, FINE * height))
    draw(fine)
    return pygame.transform.smoothscale(fine, size_px)


def faded(sprite: pygame.Surface, alpha: int) -> pygame.Surface:
    """Return a copy of a picture that hides less of what is below; an alpha of 0 hides nothing.

    Example:
        >>> dot = clear_surface((1, 1))
        >>> _ = dot.fill((200, 100, 0, 255))
        >>> tuple(faded(dot, 51).get_at((0, 0)))
        (40, 20, 0, 51)
    """
    ghost = sprite.copy()
    ghost.fill((alpha,) * 4, special_flags=pygame.BLEND_RGBA_MULT)
    return ghost


def put(surface: pygame.Surface, sprite: pygame.Surface, middle: tuple[int, int]) -> None:
    """Put a picture such that its middle is at a pixel."""
    width, height = sprite.get_size()
    lay(surface, sprite, (middle[0] - width // 2, middle[1] - height // 2))
