"""A moment of a slam from the side, each piece in its own vertical plane.

`draw_side_view` draws it; `side_projection` says which pixel shows which place.
"""

import math
from dataclasses import dataclass

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Piece, Scene
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import SMALLEST_TEXT_PX, DrawShapes, Shape, draw_shapes, text_width, write
from render.palette import LIGHT, Palette, Rgb
from render.slams.geometry import WHOLE, Camera, Projection, slab
from render.slams.motion import Moment
from render.slams.outcome_marks import draw_arrow

WALL_MM, MARGIN_MM = 6.0, 12.0
"""Thickness of the walls, and space around them in a view of the whole arena."""

SIDE_LETTERS = ("L", "R")
"""Letters at the left and the right of the side view, and at the ends of its plane from above."""

_CLOSEST_MM = 55.0
"""Smallest distance from the stack to the left and right edge of the view."""

_THINNEST_PX = (2.4, 4.0)
"""Smallest drawn thickness of a piece, in a stack and alone, so that both its colours show."""

_SCALE_BARS_MM = (1, 2, 5, 10, 20, 50, 100, 200)
"""Lengths of the scale bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceColours:
    """The colours of a piece.

    Attributes:
        body: Colour of its back, the lower half.
        face: Colour of its face, the upper half.
    """

    body: Rgb
    face: Rgb


def piece_colours(scene: Scene, palette: Palette) -> tuple[tuple[Piece, PieceColours], ...]:
    """Return the pieces of a scene with their colours, the thrown slammer last."""
    puck = PieceColours(body=palette.puck_back, face=palette.puck_face)
    thrown = PieceColours(body=palette.slammer, face=palette.slammer_face)
    return (*((piece, puck) for piece in scene.stack), (scene.slammer, thrown))


def draw_side_view(
    surface: pygame.Surface,
    scene: Scene,
    moment: Moment,
    *,
    camera: Camera = WHOLE,
    palette: Palette = LIGHT,
    draw: DrawShapes = draw_shapes,
) -> None:
    """Draw a moment from the side.

    The view is close at first and gets wider as the pieces fly, until it shows the whole arena. An
    arrow at the edge points to a piece outside it.

    Args:
        surface: The surface to fill.
        scene: The scene.
        moment: The places of the pieces.
        camera: The part of the arena to show.
        palette: The colours.
        draw: Function that draws the pieces: `draw_shapes`, or `draw_quick_shapes` in an inset.
    """
    air, band = _split(surface)
    to = side_projection(air.get_size(), scene, moment, camera)
    air.fill(palette.arena)
    _draw_walls(air, to, scene, palette)
    middles = np.stack((moment.side_x_mm, moment.height_mm), axis=1)
    least_mm = _least_thickness_mm(middles, to.scale)
    hidden = 0.8 * to.scale * PIECE_RADIUS_MM
    at = to.at(middles)
    for index, (piece, look) in enumerate(piece_colours(scene, palette)):
        thickness_mm = max(piece.thickness_mm, least_mm[index])
        # A piece drawn thicker than it is grows upwards, not into the floor.
        lift_mm = (thickness_mm - piece.thickness_mm) / 2
        angle = float(moment.side_rad[index])
        foot = middles[index] + np.array([0.0, lift_mm * abs(math.cos(angle))])
        draw_slab(air, to, foot, angle, thickness_mm, look, draw)
        draw_arrow(air, at[index], hidden, look.body)
    size_px = side_letter_px(min(air.get_size()))
    for letter, share in zip(SIDE_LETTERS, (0.04, 0.96), strict=True):
        place = (share * air.get_width(), 0.8 * size_px)
        write(air, letter, place, size_px=size_px, colour=palette.faint, align="centre")
    band.fill(palette.floor)
    band.fill(palette.wall, (0, 0, band.get_width(), 1))
    _label(band, to.scale, palette)


def side_projection(
    size: tuple[int, int], scene: Scene, moment: Moment, camera: Camera = WHOLE
) -> Projection:
    """Return the projection of the side view onto its part above the floor.

    The camera `WHOLE` follows the pieces. Any other stays in its place, closer by its zoom than the
    view of the whole arena.

    Args:
        size: Width and height of the part above the floor, in pixels.
        scene: The scene.
        moment: The places of the pieces.
        camera: The part of the arena to show.
    """
    width, height = size
    half_mm = _widest_mm(scene)
    if camera == WHOLE:
        half_mm /= followed(size, scene, moment).zoom
    scale = camera.zoom * width / (2 * half_mm)
    return Projection(
        scale=scale,
        x_px=width / 2 - scale * camera.x_mm,
        y_px=height + scale * camera.y_mm,
    )


def followed(size: tuple[int, int], scene: Scene, moment: Moment) -> Camera:
    """Return the fixed camera that shows the same as `WHOLE` at a moment."""
    width, height = size
    sideways, upwards = (moment.reach_mm + 1.2 * PIECE_RADIUS_MM).tolist()
    widest = _widest_mm(scene)
    half_mm = min(max(sideways, upwards * width / (2 * height), _CLOSEST_MM), widest)
    return Camera(zoom=widest / half_mm)


def draw_slab(
    surface: pygame.Surface,
    to: Projection,
    middle_mm: NDArray[np.float64],
    angle_rad: float,
    thickness_mm: float,
    look: PieceColours,
    draw: DrawShapes = draw_shapes,
) -> None:
    """Draw a piece from the side: its back below, its face above."""
    half_mm = thickness_mm / 2
    layers = ((-half_mm, half_mm, look.body), (0.0, half_mm, look.face))
    draw(
        surface,
        [
            Shape(
                colour=colour,
                points=to.points(slab(middle_mm, angle_rad, low, high, PIECE_RADIUS_MM)),
            )
            for low, high, colour in layers
        ],
    )


def side_letter_px(side_px: int) -> int:
    """Return the height of `SIDE_LETTERS` in a view whose shorter side has so many pixels."""
    return max(round(side_px / 18), SMALLEST_TEXT_PX)


def side_height_px(height_px: int) -> int:
    """Return the height of the part of a side view that is above its floor."""
    return height_px - round(1.3 * _words_px(height_px))


def _widest_mm(scene: Scene) -> float:
    return scene.arena.half_side_mm + WALL_MM + MARGIN_MM


def _split(surface: pygame.Surface) -> tuple[pygame.Surface, pygame.Surface]:
    """Return the parts of a surface above and below the upper side of the floor."""
    width, height = surface.get_size()
    floor = side_height_px(height)
    return (
        surface.subsurface((0, 0, width, floor)),
        surface.subsurface((0, floor, width, height - floor)),
    )


def _draw_walls(surface: pygame.Surface, to: Projection, scene: Scene, palette: Palette) -> None:
    half, high = scene.arena.half_side_mm, scene.arena.wall_height_mm
    for low in (-half - WALL_MM, half):
        corners = np.array([[low, 0.0], [low + WALL_MM, 0.0], [low + WALL_MM, high], [low, high]])
        draw_shapes(surface, [Shape(colour=palette.wall, points=to.points(corners))])


def _least_thickness_mm(middles_mm: NDArray[np.float64], scale: float) -> list[float]:
    """Return the smallest drawn thickness of each piece, small enough not to cover others.

    Args:
        middles_mm: Centres of the pieces, shape (B, 2).
        scale: Pixels per millimetre.
    """
    least_mm, most_mm = (px / scale for px in _THINNEST_PX)
    apart = np.abs(middles_mm[:, np.newaxis] - middles_mm)
    # A piece may be as thick as the height to its nearest neighbour; pieces beside it do not count.
    beside = apart[:, :, 0] >= PIECE_RADIUS_MM
    gaps_mm = np.where(beside | np.eye(len(middles_mm), dtype=np.bool_), most_mm, apart[:, :, 1])
    thickness: list[float] = np.clip(gaps_mm.min(axis=1), least_mm, most_mm).tolist()
    return thickness


def _label(band: pygame.Surface, scale: float, palette: Palette) -> None:
    """Write the name of the view, and draw a scale bar."""
    width, height = band.get_size()
    words_px = round(height / 1.3)
    fitting = [bar for bar in _SCALE_BARS_MM if bar * scale < 0.3 * width]
    bar_mm = fitting[-1] if fitting else _SCALE_BARS_MM[0]
    y = height / 2
    right = width - words_px / 2
    words = f"{bar_mm} mm"
    write(band, words, (right, y), size_px=words_px, colour=palette.faint, align="right")
    end = right - text_width(words, words_px) - words_px / 3
    begin = end - bar_mm * scale
    pygame.draw.line(band, palette.faint, (begin, y), (end, y), 2)
    for x in (begin, end):
        pygame.draw.line(band, palette.faint, (x, y - 3), (x, y + 3), 2)
    write(
        band,
        "side view",
        (words_px / 2, y),
        size_px=words_px,
        colour=palette.faint,
        width_px=begin - words_px,
    )


def _words_px(height_px: int) -> int:
    return max(round(height_px / 24), 14)
