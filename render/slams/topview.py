"""A moment from above."""

import math
from collections.abc import Sequence

import numpy as np
import pygame
from numpy.typing import NDArray

from physics import Scene, Slammer, SlamOutcome
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import write
from render.palette import LIGHT, Palette
from render.slams.camera import WHOLE, Camera
from render.slams.discs import draw_disc, draw_shadow
from render.slams.geometry import Projection
from render.slams.looks import looks_of
from render.slams.marks import draw_arrow, draw_mark, marks_of
from render.slams.motion import Moment
from render.slams.sideview import MARGIN_MM, WALL_MM


def draw_top_view(
    surface: pygame.Surface,
    scene: Scene,
    moment: Moment,
    *,
    outcome: SlamOutcome | None = None,
    camera: Camera = WHOLE,
    palette: Palette = LIGHT,
) -> None:
    """Draw a moment from above, with the way of each piece so far, and shadows to tell heights.

    At the end, and if there is an outcome, pieces that flipped, lean or left the arena are marked.

    Args:
        surface: Where to; the largest square at its middle shows the arena.
        scene: The scene.
        moment: Where its pieces are.
        outcome: What the slam came to.
        camera: How close to look, and at what.
        palette: The colours.
    """
    to = top_projection(surface.get_size(), scene, camera)
    surface.fill(palette.background)
    draw_arena_box(surface, to, scene, palette)
    draw_paths(surface, to, moment.paths_mm, palette)
    looks = looks_of(scene, palette)
    order = np.argsort(moment.height_mm, kind="stable").tolist()
    for index in order:
        draw_shadow(surface, to, moment.top_mm[index], float(moment.height_mm[index]), palette)
    marks = marks_of(outcome, palette) if outcome is not None and moment.at_end else {}
    at = to.at(moment.top_mm)
    for index in order:
        piece, look = looks[index]
        angle = float(moment.angle_rad[index])
        draw_disc(
            surface,
            to,
            piece,
            moment.top_mm[index],
            moment.headings[index],
            angle,
            look,
            palette,
        )
        flat = abs(math.cos(angle)) > 0.5
        if isinstance(piece, Slammer) and flat and index not in marks:
            _label_slammer(surface, piece, at[index], to.scale, palette)
    hidden = 0.8 * to.scale * PIECE_RADIUS_MM
    for index in order:
        face, colour = marks.get(index, (None, looks[index][1].body))
        if face is not None:
            draw_mark(surface, at[index], to.scale, face, (colour, palette.edge))
        draw_arrow(surface, at[index], hidden, colour)


def top_projection(size: tuple[int, int], scene: Scene, camera: Camera = WHOLE) -> Projection:
    """Return how millimetres from above become pixels."""
    width, height = size
    all_mm = 2 * (scene.arena.half_side_mm + WALL_MM + MARGIN_MM)
    scale = camera.zoom * min(width, height) / all_mm
    return Projection(
        scale=scale,
        x_px=width / 2 - scale * camera.x_mm,
        y_px=height / 2 + scale * camera.y_mm,
    )


def draw_arena_box(surface: pygame.Surface, to: Projection, scene: Scene, palette: Palette) -> None:
    """Draw the arena's floor and walls."""
    for half_mm, colour in (
        (scene.arena.half_side_mm + WALL_MM, palette.wall),
        (scene.arena.half_side_mm, palette.arena),
    ):
        corners = half_mm * np.array([[-1.0, 1.0], [1.0, -1.0]])
        (left, top), (right, bottom) = to.at(corners)
        box = pygame.Rect(round(left), round(top), round(right - left), round(bottom - top))
        surface.fill(colour, box)


def draw_paths(
    surface: pygame.Surface,
    to: Projection,
    paths_mm: Sequence[NDArray[np.float64]],
    palette: Palette,
) -> None:
    """Draw where pieces have been."""
    for path in paths_mm:
        if len(path) > 1:
            pygame.draw.aalines(surface, palette.path, False, to.at(path))


def _label_slammer(
    surface: pygame.Surface,
    slammer: Slammer,
    at: tuple[float, float],
    scale: float,
    palette: Palette,
) -> None:
    room = 1.25 * PIECE_RADIUS_MM * scale
    if surface.get_rect().collidepoint(at):
        write(
            surface,
            f"{slammer.mass_g:g} g",
            at,
            size_px=max(11, round(0.55 * room)),
            colour=palette.on_slammer,
            align="centre",
            width_px=room,
        )
