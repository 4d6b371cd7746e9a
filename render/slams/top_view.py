"""A moment of a slam from above: pieces with their shadows, paths so far, marks of the outcome.

`draw_top_view` draws it. A `Projection` turns millimetres into pixels, and a `Camera` says which
part a view shows; `top_projection` says which pixel shows which place.
"""

import math
from functools import lru_cache

import numpy as np
import pygame
from pygame import Rect, Surface

from physics import Piece, Scene, Slammer, SlamOutcome
from physics.arrays import Floats
from physics.facts import fact
from render.canvas import (
    FINE,
    SMALLEST_TEXT_PX,
    DrawShapes,
    Shape,
    clear_surface,
    draw_shapes,
    lay,
    lay_around,
    write,
)
from render.palette import LIGHT, Palette, Rgb
from render.slams.camera3d import WALL_MM
from render.slams.motion import Moment
from render.slams.outcome_marks import draw_arrow, draw_mark, outcome_marks

Points = Floats
"""Shape (N, 2)."""

ZOOMS = (1.0, 40.0)
"""Smallest and largest zoom of a camera."""

_MARGIN_MM = 12.0
"""Space around the walls in a view of the whole arena."""

_ANGLES = np.linspace(0.0, 2 * np.pi, 48, endpoint=False)
_COS, _SIN = np.cos(_ANGLES), np.sin(_ANGLES)
"""Points of a unit circle, for outlines."""

_EDGE_PX = 1.0
"""Width of outlines."""

_RING = 0.72
"""Radius of the ring on a face, relative to the radius of the piece."""

_FLAT_PX = 0.4
"""Largest distance between the outline of a disc and the circle that is drawn for it."""

_SHADOW_SHIFT = 0.12
"""Sideways distance of a shadow from its piece, relative to the height of the piece."""


@fact
class Projection:
    """A map from millimetres to pixels of a picture, in which y grows downwards.

    Attributes:
        scale: Pixels per millimetre.
        x_px: Place of the origin, from the left.
        y_px: Place of the origin, from the top.

    Example:
        >>> Projection(scale=2.0, x_px=100.0, y_px=50.0).at(np.array([[10.0, 5.0]]))
        [(120.0, 40.0)]
    """

    scale: float
    x_px: float
    y_px: float

    def at(self, points_mm: Points) -> list[tuple[float, float]]:
        """Return the pixels of points, as pairs."""
        return [(x, y) for x, y in self.points(points_mm).tolist()]

    def points(self, points_mm: Points) -> Points:
        """Return the pixels of points as an array; shape (N, 2)."""
        pixels: Points = points_mm * (self.scale, -self.scale)
        pixels += (self.x_px, self.y_px)
        return pixels

    def place(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """Return the point that a pixel shows, in millimetres."""
        return (pixel[0] - self.x_px) / self.scale, (self.y_px - pixel[1]) / self.scale


@fact
class Camera:
    """The part of the arena that a view shows.

    Attributes:
        zoom: Magnification; 1 shows everything.
        x_mm: Place of the middle of the view, to the right of the stack.
        y_mm: The same, above the floor (side view) or beyond the stack (top view).

    Example:
        >>> zoomed(WHOLE, 2.0, (10.0, 0.0))
        Camera(zoom=2.0, x_mm=5.0, y_mm=0.0)
    """

    zoom: float = 1.0
    x_mm: float = 0.0
    y_mm: float = 0.0


WHOLE = Camera()
"""The camera that shows everything."""


def zoomed(camera: Camera, factor: float, on_mm: tuple[float, float]) -> Camera:
    """Return a camera closer by a factor, with one point kept in its place in the picture.

    All the way out, the camera is `WHOLE` again.

    Args:
        camera: The camera.
        factor: Factor of the zoom: closer above 1, farther below 1.
        on_mm: The point that keeps its place.
    """
    low, high = ZOOMS
    zoom = min(max(camera.zoom * factor, low), high)
    if zoom == low:
        return WHOLE
    # The point keeps its pixel if its distance from the middle shrinks as the zoom grows.
    kept = camera.zoom / zoom
    return Camera(
        zoom=zoom,
        x_mm=on_mm[0] + (camera.x_mm - on_mm[0]) * kept,
        y_mm=on_mm[1] + (camera.y_mm - on_mm[1]) * kept,
    )


def moved(camera: Camera, x_mm: float, y_mm: float) -> Camera:
    """Return a camera moved sideways; the one that shows everything stays."""
    if camera.zoom == 1.0:
        return camera
    return Camera(zoom=camera.zoom, x_mm=camera.x_mm + x_mm, y_mm=camera.y_mm + y_mm)


@fact
class PieceColours:
    """The colours of a piece."""

    body: Rgb  # of its back
    face: Rgb


def draw_top_view(
    surface: Surface,
    scene: Scene,
    moment: Moment,
    *,
    outcome: SlamOutcome | None = None,
    camera: Camera = WHOLE,
    palette: Palette = LIGHT,
    draw: DrawShapes = draw_shapes,
) -> None:
    """Draw a moment from above, with the path of each piece so far and shadows that show heights.

    At the end, if the outcome is given, pieces that flipped, lean or left the arena are marked.

    Args:
        surface: The surface to fill; the largest square in its middle shows the arena.
        scene: The scene.
        moment: The places of the pieces.
        outcome: Result of the slam.
        camera: The part of the arena to show.
        palette: The colours.
        draw: Function that draws the pieces: `draw_shapes`, or `draw_quick_shapes` in an inset.
    """
    to = top_projection(surface.get_size(), scene, camera)
    surface.fill(palette.background)
    _draw_arena(surface, to, scene, palette)
    for path in moment.paths_mm:
        if len(path) > 1:
            pygame.draw.aalines(surface, palette.path, False, to.at(path))
    puck = PieceColours(body=palette.puck_back, face=palette.puck_face)
    thrown = PieceColours(body=palette.slammer, face=palette.slammer_face)
    looks = [*((piece, puck) for piece in scene.stack), (scene.slammer, thrown)]
    top_mm, height_mm = moment.centre_mm[:, :2], moment.centre_mm[:, 2]
    headings, angles = moment.leans
    order = np.argsort(height_mm, kind="stable").tolist()
    aside = _SHADOW_SHIFT * height_mm[:, np.newaxis] * (1.0, -1.0)
    shaded = to.at(top_mm + aside)
    for index in order:
        shadow = _shadow(round(to.scale * float(moment.radius_mm[index])), palette.shadow)
        lay_around(surface, shadow, shaded[index])
    marks = outcome_marks(outcome, palette) if outcome is not None and moment.at_end else {}
    at = to.at(top_mm)
    for index in order:
        piece, look = looks[index]
        angle = float(angles[index])
        lean = headings[index], angle
        _draw_disc(surface, to, piece, top_mm[index], lean, look, palette, draw)
        flat = abs(math.cos(angle)) > 0.5
        if isinstance(piece, Slammer) and flat and index not in marks:
            _label_slammer(surface, piece, at[index], to.scale, palette)
    for index in order:
        radius_px = to.scale * float(moment.radius_mm[index])
        face, colour = marks.get(index, (None, looks[index][1].body))
        if face is not None:
            draw_mark(surface, at[index], radius_px, face, (colour, palette.edge))
        draw_arrow(surface, at[index], 0.8 * radius_px, colour)


def top_projection(size: tuple[int, int], scene: Scene, camera: Camera = WHOLE) -> Projection:
    """Return the projection of the top view onto a surface of a size, in pixels."""
    width, height = size
    all_mm = 2 * (scene.arena.shown_half_mm + WALL_MM + _MARGIN_MM)
    scale = camera.zoom * min(width, height) / all_mm
    return Projection(
        scale=scale,
        x_px=width / 2 - scale * camera.x_mm,
        y_px=height / 2 + scale * camera.y_mm,
    )


def _draw_arena(surface: Surface, to: Projection, scene: Scene, palette: Palette) -> None:
    """Draw the floor and the walls of the arena, or the circle beyond which a piece is out."""
    arena = scene.arena
    squares = [(arena.shown_half_mm, palette.arena)]
    if arena.box:
        squares.insert(0, (arena.shown_half_mm + WALL_MM, palette.wall))
    for half_mm, colour in squares:
        corners = half_mm * np.array([[-1.0, 1.0], [1.0, -1.0]])
        (left, top), (right, bottom) = to.at(corners)
        box = Rect(round(left), round(top), round(right - left), round(bottom - top))
        surface.fill(colour, box)
    if arena.out_radius_mm is not None:
        ((x, y),), radius_px = to.at(np.zeros((1, 2))), to.scale * arena.out_radius_mm
        pygame.draw.circle(surface, palette.wall, (x, y), radius_px, max(round(to.scale), 2))


def disc_from_above(
    middle_mm: Points, heading: Points, angle_rad: float, thickness_mm: float, radius_mm: float
) -> tuple[Points, Points]:
    """Return the outlines, seen from above, of a disc and of its upper side; shapes (48, 2).

    The upper side of a tilted disc is an ellipse whose minor axis is abs(cos(angle)) of the major;
    the whole disc also shows a part of its rim.

    Args:
        middle_mm: Centre of the disc; shape (2,).
        heading: Unit vector of the horizontal axis of its plane of motion; shape (2,).
        angle_rad: Its angle in that plane, 0 for face up.
        thickness_mm: Its thickness.
        radius_mm: Its radius.
    """
    # Along the heading a circle shrinks by cos; across it keeps its radius. Each half of the
    # outline belongs to the cap on its side, which the thickness shifts by +-sin t / 2.
    cos, sin = math.cos(angle_rad), math.sin(angle_rad)
    along, across = radius_mm * abs(cos) * _COS, radius_mm * _SIN
    rim = thickness_mm / 2 * abs(sin) * np.sign(_COS)
    cap = -thickness_mm / 2 * sin * math.copysign(1.0, cos)
    sideways = across[:, np.newaxis] * (-heading[1], heading[0])

    def placed(along_mm: Points) -> Points:
        points: Points = middle_mm + along_mm[:, np.newaxis] * heading + sideways
        return points

    return placed(along + rim), placed(along + cap)


def _draw_disc(
    surface: Surface,
    to: Projection,
    piece: Piece,
    middle_mm: Floats,
    lean: tuple[Floats, float],
    look: PieceColours,
    palette: Palette,
    draw: DrawShapes,
) -> None:
    """Draw a piece from above, tilted by an angle along a heading; a face has a ring on it."""
    heading, angle_rad = lean
    face_up = math.cos(angle_rad) > 0
    radius_mm = piece.diameter_mm / 2
    radius_px = to.scale * radius_mm
    rim_px = to.scale * piece.thickness_mm / 2 * abs(math.sin(angle_rad))
    if rim_px + radius_px * (1 - abs(math.cos(angle_rad))) < _FLAT_PX:
        _lay_flat(surface, to.at(middle_mm[np.newaxis])[0], radius_px, look, palette, face_up)
        return

    def seen(share: float) -> tuple[Floats, Floats]:
        outline, cap = disc_from_above(
            middle_mm, heading, angle_rad, piece.thickness_mm, share * radius_mm
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
    draw(surface, shapes)


def _lay_flat(
    surface: Surface,
    at: tuple[float, float],
    radius_px: float,
    look: PieceColours,
    palette: Palette,
    face_up: bool,
) -> None:
    """Draw a flat disc, from a cache: there are many of them, and they look the same."""
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
) -> Surface:
    """Return a picture of a flat disc, shifted by so many `FINE`-ths of a pixel."""
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


@lru_cache(maxsize=16)
def _shadow(radius_px: int, colour: Rgb) -> Surface:
    side = 2 * radius_px + 2
    fine = clear_surface((FINE * side, FINE * side))
    pygame.draw.circle(fine, colour, (FINE * side / 2, FINE * side / 2), FINE * radius_px)
    return pygame.transform.smoothscale(fine, (side, side))


def _label_slammer(
    surface: Surface,
    slammer: Slammer,
    at: tuple[float, float],
    scale: float,
    palette: Palette,
) -> None:
    text, room = f"{slammer.mass_g:g} g", 1.25 * slammer.diameter_mm / 2 * scale
    size_px = round(0.55 * room)
    if size_px >= SMALLEST_TEXT_PX and surface.get_rect().collidepoint(at):
        colour = palette.on_slammer
        write(surface, text, at, size_px, colour, align="centre", width_px=room)
