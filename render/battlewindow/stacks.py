"""Stacks as piles of slabs with names on them."""

from collections.abc import Sequence

import pygame

from render.battlewindow.slabs import Looks, Slab, draw_slab
from render.palette import Palette
from sim.pokepucks.battle import BattleState

_WORDS_SHARE = 0.8
"""Height of words on a slab, by the slab's."""

_LEAST_TO_READ_PX = 10


def pile(stack: Sequence[int], box: pygame.Rect, highest_px: float) -> tuple[Slab, ...]:
    """Return a stack as slabs on each other, from the floor of a box up; all of them fit.

    Args:
        stack: Pucks from the floor up.
        box: Where to.
        highest_px: Height of a slab where there is room.

    Example:
        >>> low, high = pile((3, 5), pygame.Rect(0, 0, 40, 100), 20)
        >>> low.puck, low.box.bottom, high.box.bottom
        (3, 100, 80)
    """
    height = min(highest_px, box.height / max(len(stack), 1))
    fitting = round(_WORDS_SHARE * height)
    words_px = fitting if fitting >= _LEAST_TO_READ_PX else 0
    slabs = []
    for place, puck in enumerate(stack):
        top = round(box.bottom - (place + 1) * height)
        bottom = round(box.bottom - place * height)
        whole = pygame.Rect(box.left, top, box.width, bottom - top)
        slabs.append(Slab(puck=puck, box=whole, words_px=words_px))
    return tuple(slabs)


def draw_pile(
    surface: pygame.Surface,
    slabs: Sequence[Slab],
    state: BattleState,
    looks: Looks,
    palette: Palette,
) -> None:
    """Draw slabs, with what is to be told of their pucks."""
    for slab in slabs:
        draw_slab(surface, slab, state.design(slab.puck), looks, palette)


def slab_at(slabs: Sequence[Slab], at: tuple[int, int]) -> Slab | None:
    """Return the slab at a place, if there is one."""
    return next((slab for slab in slabs if slab.box.collidepoint(at)), None)
