"""What is seen of a throw before it is thrown."""

import math

import numpy as np
import pygame

from physics import Scene, Throw
from physics.pieces import PIECE_RADIUS_MM
from render.canvas import Shape, draw_shapes, write
from render.palette import Palette
from render.slams.camera import Camera
from render.slams.geometry import Projection
from render.slams.motion import Moment
from render.slams.sideview import draw_side_view, side_height_px, side_projection
from render.slams.topview import draw_top_view, top_projection
from render.slamwindow.boxes import Boxes
from render.slamwindow.hand import ready_moment

AIM_CAMERA = Camera(zoom=2.6)
"""How close a person looks at the stack to aim."""

_ARROW_MM_S = 0.005
"""Length of the arrow that shows a speed, by that speed, in mm."""


def draw_aim(
    surface: pygame.Surface,
    boxes: Boxes,
    scene: Scene,
    throw: Throw,
    palette: Palette,
) -> None:
    """Draw a throw that waits: the slammer over the stack, and where it comes from."""
    moment = ready_moment(scene, throw)
    side, top = surface.subsurface(boxes.side), surface.subsurface(boxes.top)
    draw_side_view(side, scene, moment, palette=palette)
    air = side.subsurface((0, 0, side.get_width(), side_height_px(side.get_height())))
    to = side_projection(air.get_size(), scene, moment)
    _draw_way(air, to, throw, moment, palette)
    draw_top_view(top, scene, moment, camera=AIM_CAMERA, palette=palette)
    _draw_cross(top, top_projection(top.get_size(), scene, AIM_CAMERA), throw, palette)
    size_px = round(0.9 * boxes.words_px)
    words = "click to throw here"
    place = (size_px, top.get_height() - size_px)
    write(top, words, place, size_px=size_px, colour=palette.faint)


def _draw_way(
    surface: pygame.Surface, to: Projection, throw: Throw, moment: Moment, palette: Palette
) -> None:
    """Draw an arrow along the slammer's way, as long as it is fast."""
    end = np.array([moment.way_mm[-1], moment.height_mm[-1]])
    back = np.array([-math.sin(throw.descent_rad), math.cos(throw.descent_rad)])
    aside = np.array([back[1], -back[0]])
    tip, tail = 8.0, 8.0 + _ARROW_MM_S * throw.speed_mm_s
    outline = ((tip, 0.0), (tip + 4, 2.2), (tip + 4, 0.5), (tail, 0.5))
    outline += tuple((along, -across) for along, across in reversed(outline[1:]))
    corners = np.array([end + along * back + across * aside for along, across in outline])
    draw_shapes(surface, [Shape(colour=palette.accent, points=to.points(corners))])


def _draw_cross(surface: pygame.Surface, to: Projection, throw: Throw, palette: Palette) -> None:
    """Draw lines to where the slammer's centre is aimed at, from all sides up to its rim."""
    ((x, y),) = to.at(np.array([[throw.aim_x_mm, throw.aim_y_mm]]))
    rim = 1.08 * PIECE_RADIUS_MM * to.scale
    width, height = surface.get_size()
    for begin, end in (
        ((0.0, y), (x - rim, y)),
        ((x + rim, y), (width, y)),
        ((x, 0.0), (x, y - rim)),
        ((x, y + rim), (x, height)),
    ):
        pygame.draw.line(surface, palette.accent, begin, end)
