"""The top view of a slam: the space seen by the camera `above`, with paths and marks.

`draw_top_view` draws it, `top_scale` says how large.
"""

import math
from itertools import accumulate

import numpy as np
import pygame
from pygame import Surface

from pucklab.physics import Scene, SlamOutcome
from pucklab.render.palette import Palette
from pucklab.render.slams.camera3d import PRESETS, WALL_MM, Camera3D, Eye
from pucklab.render.slams.motion import Moment
from pucklab.render.slams.outcome_marks import draw_arrow, draw_mark, outcome_marks
from pucklab.render.slams.space import RENDERER, space_view

_MARGIN_MM = 12.0
"""Space around the walls in a view of the whole arena."""

_EYE_MM = 6000.0
"""Height of the eye, above all pieces."""


def top_scale(size: tuple[int, int], scene: Scene) -> float:
    """Return the pixels of a millimetre on the floor in a view of a size."""
    all_mm = 2 * (scene.arena.shown_half_mm + WALL_MM + _MARGIN_MM)
    return min(size) / all_mm


def draw_top_view(
    surface: Surface,
    scene: Scene,
    moment: Moment,
    *,
    outcome: SlamOutcome,
    palette: Palette,
    is_moving: bool = False,
) -> None:
    """Draw a moment from above, with the path of each piece so far.

    At the end, pieces that flipped, lean or left the arena are marked.

    Args:
        surface: The surface to fill; the largest square in its middle shows the arena.
        scene: The scene.
        moment: The poses of the pieces.
        outcome: Result of the slam.
        palette: The colours.
        is_moving: True if another moment follows at once, as in a window that plays a slam.
    """
    size, scale = surface.get_size(), top_scale(surface.get_size(), scene)
    above = PRESETS["above"][1]
    in_space = Camera3D(
        azimuth_rad=above.azimuth_rad,
        elevation_rad=above.elevation_rad,
        distance_mm=_EYE_MM,
        target_mm=(0.0, 0.0, 0.0),
        field_rad=2 * math.atan(size[1] / (2 * scale * _EYE_MM)),
    )
    view = space_view(scene, moment, None, in_space, is_moving=is_moving)
    RENDERER.draw(surface, [(surface.get_rect(), view)], palette)
    eye = Eye(in_space, size)
    paths, lengths = moment.paths_mm, [len(path) for path in moment.paths_mm]
    pixels = eye.pixels(np.concatenate((np.zeros((0, 3)), *paths))).tolist()
    for end, length in zip(accumulate(lengths), lengths, strict=True):
        if length > 1:
            pygame.draw.aalines(surface, palette.path, False, pixels[end - length : end])
    marks = outcome_marks(outcome, palette) if moment.at_end else {}
    at = [(x, y) for x, y in eye.pixels(moment.centre_mm).tolist()]
    slammer = len(scene.stack)
    for index in np.argsort(moment.centre_mm[:, 2], kind="stable").tolist():
        radius_px = scale * float(moment.radius_mm[index])
        body = palette.slammer if index == slammer else palette.puck_back
        face, colour = marks.get(index, (None, body))
        if face is not None:
            draw_mark(surface, at[index], radius_px, face, (colour, palette.edge))
        draw_arrow(surface, at[index], 0.8 * radius_px, colour)
