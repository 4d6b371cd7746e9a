"""The look of a slam in space, for OpenGL, the web page and the software drawing alike.

It has meshes of the pieces, the box and the table (`disc_mesh`, `box_mesh`), pictures of faces and
backs (`face_art`), shaders (`shaders`, from the folder ``glsl``), and the looks of the pieces
(`piece_looks`).
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
import pygame
from numpy.typing import NDArray

from pucklab.base.facts import fact
from pucklab.physics import Arena, Scene, Slammer
from pucklab.render.canvas import FINE, new_surface, write
from pucklab.render.palette import ENERGIES, KINDS, LIGHT, Rgb, blend
from pucklab.render.slams.camera3d import WALL_MM
from pucklab.render.slams.emblems import ENERGY_ORDER, face_shapes

Floats = NDArray[np.float32]

SUN = (-0.38, -0.3, 1.0)
"""Direction to the sun."""

CREAM, STEEL = (238, 234, 224), (188, 192, 200)
"""Colours of the border of a face, and of slammers."""

BORDER = 0.86
"""Radius of the coloured part of a face, relative to the piece."""

ART_PX = 256
"""Width and height of the picture of a face."""

MOST_CONTACTS = 32
"""Most pieces that darken what lies below them."""

WALL_CORNERS = 18
"""Corners of each wall in `box_mesh`: 6 of its inner side, 6 of its top, 6 of its outer side."""

DISC_SEGMENTS = 72
"""Corners of a disc."""

DISC_PROFILE = (
    (0, 1, 0, 1), (1, 1, 0, 1), (1, 1, 0.4, 0.92), (2, 0.5, 0.95, 0.3), (2, 0.5, 1, 0),
    (2, -0.5, 1, 0), (2, -0.5, 0.95, -0.3), (1, -1, 0.4, -0.92), (1, -1, 0, -1), (0, -1, 0, -1),
)  # fmt: skip
"""Outline of a disc, from the face to the back, which `disc_mesh` turns about the axis."""

_TABLE = 9.0
"""Half of the side of the table, relative to that of the box."""

PROGRAMS = {
    "disc": ("disc.vert", "disc.frag"),
    "halo": ("halo.vert", "halo.frag"),
    "box": ("box.vert", "box.frag"),
    "table": ("box.vert", "table.frag"),
    "disc_depth": ("disc.vert", "depth.frag"),
    "box_depth": ("box.vert", "depth.frag"),
}
"""Vertex and fragment shader of each program."""

PANELS = {"panels": ("panels.vert", "panels.frag")}
"""The program that lays panels over views, in windows only."""

_LIT = ("disc.frag", "box.frag", "table.frag")
"""Shaders that begin with ``light.glsl``."""


@fact
class PieceLook:
    """The look of a piece: names of its pictures in `face_art`."""

    face: str
    back: str
    is_metal: bool


def piece_looks(scene: Scene, faces: Sequence[str] = ()) -> tuple[PieceLook, ...]:
    """Return the looks of the pieces of a scene, the thrown slammer last.

    Args:
        scene: The scene.
        faces: An energy type or one of `KINDS` for each piece of the stack, where those are known;
            by default pucks have the energy types in turn. Their backs are alike.
    """
    pucks, looks = 0, []
    for place, piece in enumerate((*scene.stack, scene.slammer)):
        if isinstance(piece, Slammer):
            label = f"{piece.mass_g:g} g"
            looks.append(PieceLook(face=label, back=label, is_metal=True))
        else:
            face = faces[place] if faces else ENERGY_ORDER[pucks % len(ENERGY_ORDER)]
            looks.append(PieceLook(face=face, back="back", is_metal=False))
            pucks += 1
    return tuple(looks)


def shaders(header: str, programs: Mapping[str, tuple[str, str]] = PROGRAMS) -> dict[str, str]:
    """Return the text of each shader by its name, begun with a version and its defaults."""
    folder = files("pucklab.render.slams").joinpath("glsl")

    def text(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    light = text("light.glsl")
    return {
        name: header + (light if name in _LIT else "") + text(name)
        for name in sorted({name for pair in programs.values() for name in pair})
    }


def disc_mesh() -> tuple[Floats, NDArray[np.uint16]]:
    """Return the points of a disc and the corners of its triangles.

    A point is a direction from the axis, a step of the radius (0 axis, 1 inside the bevel, 2
    outside), a level (1 cap, .5 below the bevel; below 0 on the back), and the normal along that
    direction and along the axis.
    """
    angle = np.linspace(0.0, 2 * np.pi, DISC_SEGMENTS + 1)
    many = len(DISC_PROFILE)
    rim = np.repeat(np.stack((np.cos(angle), np.sin(angle)), axis=1), many, axis=0)
    points = np.hstack((rim, np.tile(DISC_PROFILE, (DISC_SEGMENTS + 1, 1))))
    first = many * np.arange(DISC_SEGMENTS)[:, np.newaxis] + np.arange(many - 1)
    across = first + many
    corners = np.stack((first, first + 1, across, across, first + 1, across + 1), axis=-1)
    return points.astype(np.float32), corners.ravel().astype(np.uint16)


@lru_cache(maxsize=8)
def box_mesh(arena: Arena) -> Floats:
    """Return corners of triangles: the floor, the walls on +x, +y, -x and -y, the table.

    Each has a place, a normal, and a place on the wood: across and along the grain, and 0 for the
    floor, 1 for a wall, 2 for its top.
    """
    half, height = arena.shown_half_mm, arena.shown_wall_mm
    wide, points = half + (WALL_MM if arena.box else 0.0), []

    def add(
        corners: Sequence[Sequence[float]], normal: Sequence[float], kind: int, axis: int = 1
    ) -> None:
        for place in (corners[k] for k in (0, 1, 2, 0, 2, 3)):
            across = (place[0], place[2], max(map(abs, place[:2])) - half)[kind]
            points.append((*place, *normal, across, place[axis], kind))

    def square(half_mm: float) -> list[Sequence[float]]:
        return [(x * half_mm, y * half_mm, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]

    add(square(half), (0, 0, 1), 0)
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):

        def at(out: float, along: float, z: float, x: int = x, y: int = y) -> Sequence[float]:
            return (out * x - along * y, out * y + along * x, z)

        inner = [at(half, -half, 0), at(half, half, 0)]
        over = [at(half, half, height), at(half, -half, height)]
        outer = [at(wide, wide, height), at(wide, -wide, height)]
        foot = [at(wide, -wide, 0), at(wide, wide, 0)]
        add([*inner, *over], (-x, -y, 0), 1, abs(x))
        add([over[1], over[0], *outer], (0, 0, 1), 2, abs(x))
        add([*foot, *outer], (x, y, 0), 1, abs(x))
    add(square(_TABLE * half), (0, 0, 1), 0)
    return np.array(points, dtype=np.float32)


@fact
class FaceArt:
    """Pictures of faces and backs, by name; L of them."""

    layers: tuple[str, ...]
    colours: tuple[NDArray[np.uint8], ...]  # of each picture, shape (C, 3)
    pixels: NDArray[np.uint8]  # index of a colour, shape (L, ART_PX, ART_PX)

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """The pictures; shape (L, ART_PX, ART_PX, 3)."""
        return np.stack(
            [own[pixels] for own, pixels in zip(self.colours, self.pixels, strict=True)]
        )


def face_art(labels: Sequence[str]) -> FaceArt:
    """Return the pictures of all energies, of the back of a puck, and of slammers by label."""
    layers = (*ENERGY_ORDER, "back", *labels)
    pictures = [_picture(name) for name in layers]
    return FaceArt(
        layers=layers,
        colours=tuple(colours for colours, _ in pictures),
        pixels=np.stack([pixels for _, pixels in pictures]),
    )


@lru_cache(maxsize=64)
def _picture(name: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the colours of a picture, shape (C, 3), and the index of each pixel."""
    side, badge = FINE * ART_PX, ENERGIES.get(name) or KINDS.get(name)
    fine, unit = new_surface(side, side), side / 2

    def ring(radius: float, width: float, colour: Rgb) -> None:
        """Paint a ring, or a disc of no width."""
        outer, thick = (radius + width / 2) * unit, round(width * unit)
        pygame.draw.circle(fine, colour, (unit, unit), outer, thick)

    def shape(points: NDArray[np.float64], colour: Rgb) -> None:
        pygame.draw.polygon(fine, colour, unit * (1 + points * (1, -1)))

    light, text = (255, 255, 255), (name, (84, 91, 102), 0.3, 0.51)
    if badge is not None:
        fine.fill(CREAM)
        ring(BORDER, 0, badge.colour)
        ring(0.8, 0.025, blend(badge.colour, light, 0.55))
        ring(BORDER, 0.02, blend(badge.colour, (0, 0, 0), 0.25))
        for points in face_shapes(name) if name in ENERGIES else ():
            shape(points, badge.ink)
        text = (badge.letter, badge.ink, 0.2, 0.79 if name in ENERGIES else 0.51)
    elif name == "back":
        back, dark, text = LIGHT.puck_back, (0, 40, 80), ("", light, 0.3, 0.51)
        fine.fill(back)
        ring(0.9, 0.05, blend(back, light, 0.55))
        ray = np.array([(0.3, -0.02), (0.8, -0.06), (0.8, 0.06), (0.3, 0.02)])
        for angle in np.arange(24) * np.pi / 12:
            cos, sin = math.cos(angle), math.sin(angle)
            shape(ray @ np.array([(cos, sin), (-sin, cos)]), blend(back, dark, 0.2))
        for radius, colour, share in ((0.34, dark, 0.3), (0.27, light, 0.75), (0.19, back, 0.75)):
            ring(radius, 0, blend(back, colour, share))
    else:
        fine.fill(STEEL)
        for radius, width, grey in ((0.9, 0.03, 141), (0.76, 0.07, 154), (0.79, 0.012, 228)):
            ring(radius, width, (grey, grey + 5, grey + 12))
        ring(0.58, 0, (200, 204, 211))
        ring(0.58, 0.02, (141, 146, 155))
    small = pygame.transform.smoothscale(fine, (ART_PX, ART_PX))
    # Words are drawn finely by themselves: the mass on a slammer, a letter below an emblem.
    words, ink, height, y = text
    place, size_px = (ART_PX / 2, y * ART_PX), round(height * ART_PX)
    write(small, words, place, size_px, ink, align="centre", width_px=0.5 * ART_PX)
    # Few colours, so that a page is small: five bits of each part.
    pixels = pygame.surfarray.array3d(small).swapaxes(0, 1) & 0xF8
    # As whole numbers, since rows are slow to sort.
    codes = pixels.reshape(-1, 3) @ np.array([1 << 16, 1 << 8, 1])
    codes, index = np.unique(codes, return_inverse=True)
    colours = np.stack([codes >> shift & 0xFF for shift in (16, 8, 0)], axis=1)
    colours = (colours | colours >> 5).astype(np.uint8)
    return colours, index.reshape(ART_PX, ART_PX).astype(np.uint8)
