"""Pieces as pictures: a puck is a disc, an ice block a square, a meeple a small figure."""

from functools import lru_cache

import pygame

from render.bumpers.palette import PLAYERS, BoardPalette
from render.bumpers.sprites import drawn_sprite
from render.canvas import FINE, write
from render.palette import Rgb
from sim.bumpers import Kind, Piece

PIECE_PART = 0.8
"""A piece's width as a part of a space."""

_DARK, _WHITE = (20, 22, 26), (255, 255, 255)
_LIGHT_FROM = 140.0


@lru_cache(maxsize=1024)
def piece_sprite(piece: Piece, scale_px: int, palette: BoardPalette) -> pygame.Surface:
    """Return a piece's picture.

    Args:
        piece: The piece.
        scale_px: Pixels of a space.
        palette: The colours.
    """
    size = max(round(PIECE_PART * scale_px), 4)
    colour = PLAYERS[piece.colour]

    def draw(fine: pygame.Surface) -> None:
        _SHAPES[piece.kind](fine, colour, palette.edge)

    sprite = drawn_sprite((size, size), draw)
    down = 0.68 if piece.kind is Kind.MEEPLE else 0.53
    letter_px = round(size * (0.55 if piece.kind is Kind.MEEPLE else 0.78))
    if letter_px >= 8:
        write(
            sprite,
            piece.colour.letter,
            (size / 2, down * size),
            size_px=letter_px,
            colour=letter_colour(colour),
            align="centre",
        )
    return sprite


def letter_colour(behind: Rgb) -> Rgb:
    """Return the colour of a letter that can be read on a colour."""
    red, green, blue = behind
    return _DARK if 0.299 * red + 0.587 * green + 0.114 * blue > _LIGHT_FROM else _WHITE


def _draw_puck(fine: pygame.Surface, colour: Rgb, edge: Rgb) -> None:
    radius = fine.get_width() / 2
    rim = _rim(fine)
    pygame.draw.circle(fine, edge, (radius, radius), radius)
    pygame.draw.circle(fine, colour, (radius, radius), radius - rim)
    pygame.draw.circle(fine, edge, (radius, radius), 0.84 * radius, max(rim // 2, 1))


def _draw_ice(fine: pygame.Surface, colour: Rgb, edge: Rgb) -> None:
    size, rim = fine.get_width(), _rim(fine)
    inset = round(0.06 * size)
    box = pygame.Rect(inset, inset, size - 2 * inset, size - 2 * inset)
    pygame.draw.rect(fine, edge, box, border_radius=size // 10)
    pygame.draw.rect(fine, colour, box.inflate(-2 * rim, -2 * rim), border_radius=size // 14)
    shine = tuple((part + 255) // 2 for part in colour)
    near, far = inset + 2 * rim, round(0.34 * size)
    pygame.draw.polygon(fine, shine, [(near, near), (far, near), (near, far)])


def _draw_meeple(fine: pygame.Surface, colour: Rgb, edge: Rgb) -> None:
    size, rim = fine.get_width(), _rim(fine)
    for inset, shade in ((0, edge), (rim, colour)):
        head = size * 0.22 - inset
        body = [
            (0.36 * size + inset / 2, 0.36 * size + inset),
            (0.64 * size - inset / 2, 0.36 * size + inset),
            (0.94 * size - 1.4 * inset, size - inset),
            (0.06 * size + 1.4 * inset, size - inset),
        ]
        pygame.draw.polygon(fine, shade, body)
        pygame.draw.circle(fine, shade, (size / 2, 0.22 * size), head)


def _rim(fine: pygame.Surface) -> int:
    return max(FINE, round(0.05 * fine.get_width()))


_SHAPES = {Kind.PUCK: _draw_puck, Kind.ICE: _draw_ice, Kind.MEEPLE: _draw_meeple}
