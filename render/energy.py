"""Energy types as badges: a colour, and a letter on it."""

from functools import lru_cache

import pygame

from render.canvas import FINE, clear_surface, lay, write
from render.palette import ENERGIES


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
