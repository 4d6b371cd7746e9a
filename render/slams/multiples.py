"""Slams side by side in space: small pictures of the same moment of several slams.

All pictures have the same camera and the same box, so that they can be compared. The pieces of all
of them are projected in a single step and drawn plainly: a rim, a cap, a shadow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Piece, Scene
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import new_surface, write
from render.palette import Palette, Rgb
from render.slams.box3d import FLOOR_WOOD, LIGHT_DIRECTION, WoodenBox, brightness, lit
from render.slams.camera3d import NEAR_MM, Camera3D, View3D, fitted, view_of
from render.slams.poses import Pose
from render.slams.view3d import DiscLook, disc_looks

Floats = NDArray[np.float64]

_CORNERS = 16
"""Corners of the outline of a disc."""

_GAP_PX = 6
"""Space between pictures."""

_WIDE = 1.5
"""Width over height of a picture that shows most of the box."""

_SHADOW = 0.72
"""Brightness of the floor in a shadow."""

_RIM = 0.8
"""Brightness of a rim, relative to the cap."""

_TEXT, _SMALLEST_TEXT_PX = 0.09, 12
"""Height of text, relative to the height of a picture, and its smallest value."""

_ANGLES = np.linspace(0.0, 2 * np.pi, _CORNERS, endpoint=False)
_CIRCLE = PIECE_RADIUS_MM * np.stack((np.cos(_ANGLES), np.sin(_ANGLES)))
"""Outline of a piece; shape (2, `_CORNERS`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallPicture:
    """A moment of a slam among others.

    Attributes:
        name: Text in its upper left corner.
        note: Text in its upper right corner.
        scene: The scene.
        pose: Places and orientations of its pieces.
        lit: Indices of pieces with a ring of light around them.
        is_marked: True for a frame in the accent colour.
    """

    name: str
    note: str
    scene: Scene
    pose: Pose
    lit: frozenset[int] = frozenset()
    is_marked: bool = False


def cells_of(size: tuple[int, int], count: int) -> list[pygame.Rect]:
    """Return places for pictures, as large as they can be, in rows from the upper left.

    Args:
        size: Width and height of the whole, in pixels.
        count: Number of pictures, at least 1.

    Example:
        >>> [cell.size for cell in cells_of((606, 400), 2)]
        [(300, 400), (300, 400)]
    """
    width, height = size

    def cell_size(columns: int) -> tuple[int, int]:
        rows = math.ceil(count / columns)
        return (
            (width - (columns - 1) * _GAP_PX) // columns,
            (height - (rows - 1) * _GAP_PX) // rows,
        )

    def shown(columns: int) -> float:
        wide, high = cell_size(columns)
        return min(wide, _WIDE * high)

    columns = max(range(1, count + 1), key=shown)
    wide, high = cell_size(columns)
    places = (divmod(number, columns) for number in range(count))
    return [
        pygame.Rect(column * (wide + _GAP_PX), row * (high + _GAP_PX), wide, high)
        for row, column in places
    ]


def draw_multiples(
    surface: pygame.Surface,
    pictures: Sequence[SmallPicture],
    camera: Camera3D,
    palette: Palette,
) -> None:
    """Draw moments of slams side by side, from one camera.

    Args:
        surface: The surface to fill.
        pictures: The moments, at least one; all scenes have the same arena.
        camera: The camera of all pictures.
        palette: The colours.
    """
    surface.fill(palette.background)
    cells = cells_of(surface.get_size(), len(pictures))
    size = cells[0].size
    view = view_of(fitted(camera, size), size)
    box = WoodenBox(pictures[0].scene.arena, view)
    empty = new_surface(*size)
    empty.fill(palette.background)
    box.draw_floor(empty)
    box.draw_planks(empty)
    box.draw_walls_behind(empty)
    discs = _small_discs(pictures, view, palette)
    words_px = max(round(_TEXT * size[1]), _SMALLEST_TEXT_PX)
    begin = 0
    for picture, cell in zip(pictures, cells, strict=True):
        own = surface.subsurface(cell)
        own.blit(empty, (0, 0))
        end = begin + len(picture.pose.centre_mm)
        discs.draw(own, begin, end, {begin + index for index in picture.lit}, palette)
        box.draw_walls_before(own)
        begin = end
        _write_texts(own, picture, words_px, palette)


def _write_texts(
    surface: pygame.Surface, picture: SmallPicture, words_px: int, palette: Palette
) -> None:
    width, height = surface.get_size()
    y = 0.8 * words_px
    used = write(
        surface,
        picture.note,
        (width - words_px / 2, y),
        size_px=words_px,
        colour=palette.flipped if picture.lit else palette.faint,
        align="right",
    )
    room = width - used - 1.5 * words_px
    write(
        surface,
        picture.name,
        (words_px / 2, y),
        size_px=words_px,
        colour=palette.text,
        width_px=room,
    )
    if picture.is_marked:
        pygame.draw.rect(surface, palette.accent, (0, 0, width, height), 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SmallDiscs:
    """The pieces of all pictures in pixels of a picture; N pieces.

    Attributes:
        shadows: Outline of each shadow.
        outlines: Outline of each piece, with its rim.
        caps: Outline of the side that is seen.
        rims: Colour of each rim.
        colours: Colour of each cap.
        distance: Distance to the eye, squared.
        is_ahead: True for pieces in front of the camera.
    """

    shadows: list[list[list[float]]]
    outlines: list[list[list[float]]]
    caps: list[list[list[float]]]
    rims: list[Rgb]
    colours: list[Rgb]
    distance: list[float]
    is_ahead: list[bool]

    def draw(
        self,
        surface: pygame.Surface,
        begin: int,
        end: int,
        lit_pieces: set[int],
        palette: Palette,
    ) -> None:
        """Draw the pieces ``begin`` to ``end - 1``, far ones first."""
        polygon = pygame.draw.polygon
        shade = lit(FLOOR_WOOD, _SHADOW)
        order = sorted(range(begin, end), key=self.distance.__getitem__, reverse=True)
        order = [index for index in order if self.is_ahead[index]]
        for index in order:
            polygon(surface, shade, self.shadows[index])
        for index in order:
            polygon(surface, self.rims[index], self.outlines[index])
            polygon(surface, self.colours[index], self.caps[index])
            if index in lit_pieces:
                polygon(surface, palette.flipped, self.outlines[index], 2)


def _small_discs(pictures: Sequence[SmallPicture], view: View3D, palette: Palette) -> _SmallDiscs:
    centre = np.concatenate([picture.pose.centre_mm for picture in pictures])
    rotation = np.concatenate([picture.pose.rotation for picture in pictures])
    half_mm, faces, backs = _make(pictures, palette)
    normal = rotation[:, :, 2]
    to_eye = view.eye_mm - centre
    sees_face = (to_eye * normal).sum(axis=1) > 0
    towards = np.where(sees_face, 1.0, -1.0)[:, np.newaxis] * normal
    # Outlines of the caps near to the eye and far from it: (N, corners, 3).
    flat = (rotation[:, :, :2] @ _CIRCLE).transpose(0, 2, 1)
    lift = (half_mm[:, np.newaxis] * towards)[:, np.newaxis]
    middle = centre[:, np.newaxis]
    near = view.seen(middle + lift + flat)
    far = view.pixels(view.seen(middle - lift + flat))
    caps = view.pixels(near)
    # Corners of the rim that face the eye belong to the far cap, all others to the near one.
    outward = ((view.eye_mm - (middle + flat)) * flat).sum(axis=2) > 0
    outlines = np.where(outward[:, :, np.newaxis], far, caps)
    # Shadows: along the light to the floor, inside the walls.
    ground = middle + flat
    ground = ground - ground[:, :, 2:] / LIGHT_DIRECTION[2] * LIGHT_DIRECTION
    reach = pictures[0].scene.arena.half_side_mm
    ground[:, :, :2] = np.clip(ground[:, :, :2], -reach, reach)
    ground[:, :, 2] = 0.0
    on_floor = view.seen(ground)
    cap_colour = np.where(sees_face[:, np.newaxis], faces, backs)
    cap_colour = cap_colour * brightness(towards)[:, np.newaxis]
    is_ahead = (near[:, :, 2].min(axis=1) > 2 * NEAR_MM) & (
        on_floor[:, :, 2].min(axis=1) > 2 * NEAR_MM
    )
    return _SmallDiscs(
        shadows=view.pixels(on_floor).tolist(),
        outlines=outlines.tolist(),
        caps=caps.tolist(),
        rims=(_RIM * cap_colour).astype(int).tolist(),
        colours=cap_colour.astype(int).tolist(),
        distance=(to_eye**2).sum(axis=1).tolist(),
        is_ahead=is_ahead.tolist(),
    )


def _make(pictures: Sequence[SmallPicture], palette: Palette) -> tuple[Floats, Floats, Floats]:
    """Return half thicknesses, shape (N,), and colours of faces and backs, shapes (N, 3)."""
    half_mm: list[float] = []
    looks: list[DiscLook] = []
    for picture in pictures:
        scene = picture.scene
        pieces: tuple[Piece, ...] = (*scene.stack, scene.slammer)
        half_mm += [piece.thickness_mm / 2 for piece in pieces]
        looks += disc_looks(scene, palette)
    faces = np.array([look.face for look in looks], dtype=np.float64)
    backs = np.array([look.back for look in looks], dtype=np.float64)
    return np.array(half_mm), faces, backs
