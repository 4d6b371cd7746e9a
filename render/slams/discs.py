"""Pieces seen from above, and their shadows."""

import math
from functools import lru_cache

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Piece
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import FINE, Shape, clear_surface, draw_shapes, lay
from render.palette import Palette, Rgb
from render.slams.geometry import Projection, disc_from_above
from render.slams.looks import Look

_EDGE_PX = 1.0
_RING = 0.72
"""Radius of the ring on a face, by that of the piece."""

_FLAT_PX = 0.4
"""A disc whose outline is so close to a circle is drawn as one."""

_SHADOW_SHIFT = 0.12
"""How far aside of a piece its shadow falls, by its height."""


def draw_disc(
    surface: pygame.Surface,
    to: Projection,
    piece: Piece,
    middle_mm: NDArray[np.float64],
    heading: NDArray[np.float64],
    angle_rad: float,
    look: Look,
    palette: Palette,
) -> None:
    """Draw a piece from above; one that is face up has a ring on it."""
    face_up = math.cos(angle_rad) > 0
    radius_px = to.scale * PIECE_RADIUS_MM
    rim_px = to.scale * piece.thickness_mm / 2 * abs(math.sin(angle_rad))
    if rim_px + radius_px * (1 - abs(math.cos(angle_rad))) < _FLAT_PX:
        _lay_flat(surface, to.at(middle_mm[np.newaxis])[0], radius_px, look, palette, face_up)
        return

    def seen(share: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        outline, cap = disc_from_above(
            middle_mm, heading, angle_rad, piece.thickness_mm, share * PIECE_RADIUS_MM
        )
        return to.points(outline), to.points(cap)

    outline, cap = seen(1.0)
    above, below = (look.face, look.body) if face_up else (look.body, look.face)
    shapes = [
        Shape(colour=below, points=outline),
        Shape(colour=above, points=cap),
        Shape(colour=palette.edge, points=outline, line_px=_EDGE_PX),
    ]
    if face_up:
        shapes.append(Shape(colour=palette.edge, points=seen(_RING)[1], line_px=_EDGE_PX))
    draw_shapes(surface, shapes)


def _lay_flat(
    surface: pygame.Surface,
    at: tuple[float, float],
    radius_px: float,
    look: Look,
    palette: Palette,
    face_up: bool,
) -> None:
    """Draw a disc that lies flat: there are many, and they look the same."""
    left, top = math.floor(at[0]), math.floor(at[1])
    shift = (round(FINE * (at[0] - left)), round(FINE * (at[1] - top)))
    colour = look.face if face_up else look.body
    disc = _flat_disc(round(radius_px, 1), shift, colour, palette.edge, ringed=face_up)
    half = disc.get_width() // 2
    if surface.get_rect().colliderect((left - half, top - half, *disc.get_size())):
        lay(surface, disc, (left - half, top - half))


@lru_cache(maxsize=256)
def _flat_disc(
    radius_px: float, shift: tuple[int, int], colour: Rgb, edge: Rgb, *, ringed: bool
) -> pygame.Surface:
    """Return a disc that lies flat, its middle aside of the sprite's by a ``shift`` in `FINE`s."""
    half = math.ceil(radius_px) + 1
    side = 2 * half + 1
    fine = clear_surface((FINE * side, FINE * side))
    middle = (FINE * half + shift[0], FINE * half + shift[1])
    radius = FINE * radius_px
    pygame.draw.circle(fine, colour, middle, radius)
    pygame.draw.circle(fine, edge, middle, radius + FINE * _EDGE_PX / 2, round(FINE * _EDGE_PX))
    if ringed:
        pygame.draw.circle(fine, edge, middle, _RING * radius, round(FINE * _EDGE_PX))
    return pygame.transform.smoothscale(fine, (side, side))


def draw_shadow(
    surface: pygame.Surface,
    to: Projection,
    middle_mm: NDArray[np.float64],
    height_mm: float,
    palette: Palette,
) -> None:
    """Draw the shadow of a piece, which tells how high it is."""
    shadow = _shadow(round(to.scale * PIECE_RADIUS_MM), palette.shadow)
    aside = _SHADOW_SHIFT * height_mm * np.array([[1.0, -1.0]])
    ((x, y),) = to.at(middle_mm + aside)
    half = shadow.get_width() / 2
    box = pygame.Rect(round(x - half), round(y - half), *shadow.get_size())
    if box.colliderect(surface.get_rect()):
        lay(surface, shadow, box.topleft)


@lru_cache(maxsize=16)
def _shadow(radius_px: int, colour: Rgb) -> pygame.Surface:
    side = 2 * radius_px + 2
    fine = clear_surface((FINE * side, FINE * side))
    pygame.draw.circle(fine, colour, (FINE * side / 2, FINE * side / 2), FINE * radius_px)
    return pygame.transform.smoothscale(fine, (side, side))
