"""The top view of a slam: the space seen by the camera `above`, with paths and marks.

`draw_top_view` draws it. A `Camera` says which part a view shows, `top_scale` how large.
"""

import math
from itertools import accumulate

import numpy as np
import pygame
from pygame import Surface

from pucklab.base.facts import fact
from pucklab.physics import Scene, SlamOutcome
from pucklab.render.palette import Palette
from pucklab.render.slams.camera3d import PRESETS, WALL_MM, Camera3D, Eye
from pucklab.render.slams.motion import Moment
from pucklab.render.slams.outcome_marks import draw_arrow, draw_mark, outcome_marks
from pucklab.render.slams.space import RENDERER, space_view

ZOOMS = (1.0, 40.0)
"""Smallest and largest zoom of a camera."""

_MARGIN_MM = 12.0
"""Space around the walls in a view of the whole arena."""

_EYE_MM = 6000.0
"""Height of the eye, above all pieces."""


@fact
class Camera:
    """The part of the arena that a view shows.

    Attributes:
        zoom: Magnification; 1 shows everything.
        x_mm: Place of the middle of the view, to the right of the stack.
        y_mm: The same, above the floor (side view) or beyond the stack (top view).

    Example:
        >>> zoom(WHOLE, 2.0, (10.0, 0.0))
        Camera(zoom=2.0, x_mm=5.0, y_mm=0.0)
    """

    zoom: float = 1.0
    x_mm: float = 0.0
    y_mm: float = 0.0


WHOLE = Camera()
"""The camera that shows everything."""


def zoom(camera: Camera, factor: float, on_mm: tuple[float, float]) -> Camera:
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


def top_scale(size: tuple[int, int], scene: Scene, camera: Camera = WHOLE) -> float:
    """Return the pixels of a millimetre on the floor in a view of a size."""
    all_mm = 2 * (scene.arena.shown_half_mm + WALL_MM + _MARGIN_MM)
    return camera.zoom * min(size) / all_mm


def draw_top_view(
    surface: Surface,
    scene: Scene,
    moment: Moment,
    *,
    outcome: SlamOutcome,
    palette: Palette,
    camera: Camera = WHOLE,
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
        camera: The part of the arena to show.
        is_moving: True if another moment follows at once, as in a window that plays a slam.
    """
    size, scale = surface.get_size(), top_scale(surface.get_size(), scene, camera)
    above = PRESETS["above"][1]
    in_space = Camera3D(
        azimuth_rad=above.azimuth_rad,
        elevation_rad=above.elevation_rad,
        distance_mm=_EYE_MM,
        target_mm=(camera.x_mm, camera.y_mm, 0.0),
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
