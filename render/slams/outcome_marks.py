"""Marks of the outcome on pieces in the top view, and arrows to pieces outside a picture."""

import math
from functools import lru_cache

import numpy as np
import pygame
from pygame import Surface

from pucklab.physics import Face, SlamOutcome
from pucklab.render.canvas import FINE, clear_surface, draw_polygon, draw_stroke, lay_around
from pucklab.render.palette import Palette, Rgb

_ARROW_PX, _ARROW_SHARE = 7.0, 1 / 75
"""Size of an arrow: so many pixels, or that share of the picture's shorter side if it is more."""


def outcome_marks(outcome: SlamOutcome, palette: Palette) -> dict[int, tuple[Face, Rgb]]:
    """Return the mark of each marked piece, by its index, with the colour of the mark.

    Pieces of the stack have a mark if they flipped, lean or left the arena; the slammer, which is
    the last piece, only if it left.
    """
    colours = {
        Face.UP: palette.flipped,
        Face.LEANING: palette.leaning,
        Face.OUT: palette.out,
    }
    marks = {
        index: (piece.face, colours[piece.face])
        for index, piece in enumerate(outcome.pieces)
        if piece.face in colours
    }
    if outcome.slammer.face is Face.OUT:
        marks[len(outcome.pieces)] = (Face.OUT, palette.out)
    return marks


def draw_mark(
    surface: Surface,
    at: tuple[float, float],
    radius_px: float,
    face: Face,
    colours: tuple[Rgb, Rgb],
) -> None:
    """Draw a ring around a tick (flipped), a slash (leaning) or a cross (out).

    Args:
        surface: The surface to draw on.
        at: Centre of the ring, in pixels.
        radius_px: Radius of the piece, in pixels.
        face: The result that is marked.
        colours: Colours of the ring and of the sign in it.
    """
    lay_around(surface, _mark(round(radius_px * 1.12), face, colours), at)


def draw_arrow(surface: Surface, at: tuple[float, float], hidden: float, colour: Rgb) -> None:
    """Draw an arrow at the edge of a picture that points to a piece outside it.

    Args:
        surface: The picture.
        at: Centre of the piece, in pixels, possibly outside the picture.
        hidden: Distance of the centre from the picture beyond which the piece is invisible.
        colour: Colour of the arrow.
    """
    width, height = surface.get_size()
    x, y = at
    if -hidden < x < width + hidden and -hidden < y < height + hidden:
        return
    tip = np.array([min(max(x, 1.0), width - 1.0), min(max(y, 1.0), height - 1.0)])
    dx, dy = x - width / 2, y - height / 2
    if tip[0] == x:
        dx = 0.0
    elif tip[1] == y:
        dy = 0.0
    along = np.array([dx, dy]) / math.hypot(dx, dy)
    size = max(_ARROW_PX, _ARROW_SHARE * min(width, height))
    wing = 0.7 * size * np.array([-along[1], along[0]])
    base = tip - 1.4 * size * along
    draw_polygon(surface, colour, np.array([tip, base + wing, base - wing]).tolist())


@lru_cache(maxsize=64)
def _mark(ring_px: int, face: Face, colours: tuple[Rgb, Rgb]) -> Surface:
    side = 2 * ring_px + 2
    fine = clear_surface((FINE * side, FINE * side))
    ring, middle = FINE * ring_px, FINE * side / 2
    stroke = max(FINE, round(0.16 * ring))
    pygame.draw.circle(fine, colours[0], (middle, middle), ring, stroke)
    arm = 0.42 * ring
    strokes = {
        Face.UP: [[(-arm, 0.0), (-0.25 * arm, 0.75 * arm), (arm, -0.75 * arm)]],
        Face.LEANING: [[(-arm, arm), (arm, -arm)]],
        Face.OUT: [[(-arm, -arm), (arm, arm)], [(-arm, arm), (arm, -arm)]],
    }
    for line in strokes.get(face, []):
        draw_stroke(fine, colours[1], [(middle + dx, middle + dy) for dx, dy in line], stroke)
    return pygame.transform.smoothscale(fine, (side, side))
