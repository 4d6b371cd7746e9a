"""Small drawings on buttons, by name: `ICONS`, and `draw_icon` to draw one."""

import pygame
from pygame import Rect, Surface

from render.canvas import FINE, clear_surface, draw_stroke, lay
from render.palette import Rgb

_SHARE = 0.5
"""Side of a drawing, relative to the shorter side of its button."""

_EDGE = 0.07
"""Free margin around a drawing: the edge would cut off the round ends of lines."""

ICONS = {
    "ghosts": "ring .36,.6 .33 .1; ring .64,.4 .33 .1",
    "minus": "line .12 .1,.5 .9,.5",
    "next": "line .16 .35,.1 .75,.5 .35,.9",
    "pause": "fill .1,0 .4,0 .4,1 .1,1; fill .6,0 .9,0 .9,1 .6,1",
    "play": "fill .15,0 1,.5 .15,1",
    "plus": "line .12 .5,.1 .5,.9; line .12 .1,.5 .9,.5",
    "previous": "line .16 .65,.1 .25,.5 .65,.9",
    "restart": "fill .5,.1 0,.5 .5,.9; fill 1,.1 .5,.5 1,.9",
    "save": ("line .12 .5,0 .5,.6; line .12 .2,.35 .5,.65 .8,.35; line .12 0,.7 0,.95 1,.95 1,.7"),
    "step_back": "fill .9,.1 .3,.5 .9,.9; fill .05,.1 .25,.1 .25,.9 .05,.9",
    "step_on": "fill .1,.1 .7,.5 .1,.9; fill .75,.1 .95,.1 .95,.9 .75,.9",
}
"""Drawings in the unit square, whose corner (0, 0) is up on the left: ``fill`` and the corners of a
polygon, ``line`` with its width and points, ``ring`` with its middle, radius and width."""


def draw_icon(surface: Surface, name: str, box: Rect, colour: Rgb) -> None:
    """Draw an icon in the middle of a box."""
    side = round(_SHARE * min(box.size))
    whole = FINE * side
    fine = clear_surface((whole, whole))

    def place(share: str) -> float:
        return whole * (_EDGE + (1 - 2 * _EDGE) * float(share))

    for stroke in ICONS[name].split(";"):
        kind, *parts = stroke.split()
        pairs = [part.split(",") for part in parts if "," in part]
        points = [(place(x), place(y)) for x, y in pairs]
        sizes = [whole * float(part) for part in parts if "," not in part]
        if kind == "fill":
            pygame.draw.polygon(fine, colour, points)
        elif kind == "line":
            draw_stroke(fine, colour, points, sizes[0])
        else:
            pygame.draw.circle(fine, colour, points[0], sizes[0], round(sizes[1]))
    icon = pygame.transform.smoothscale(fine, (side, side))
    lay(surface, icon, (box.centerx - side // 2, box.centery - side // 2))
