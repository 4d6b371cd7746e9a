"""Pictures of Puck Bumpers boards: a position or a move in, a picture, strip or film out.

`moment_of` places mats and pieces of a position, `motion_of` and `moment_at` those of an animated
move, and `draw_moment` draws them; `export` writes lines of moves. No rules are decided here.

Example:
    >>> from render.canvas import new_surface
    >>> from sim.bumpers import parse_position
    >>> position = parse_position("pb1:X1:RPa2:-:R:mats=X1/../..:-")
    >>> surface = new_surface(300, 300)
    >>> view = draw_position(surface, position)
    >>> x, y = view.pixel(*moment_of(position).pieces[0].middle)
    >>> tuple(surface.get_at((x, y - view.scale_px // 4)))[:3]
    (190, 40, 30)
"""

from render.bumpers.board import (
    BoardView,
    MatPose,
    Moment,
    PiecePose,
    draw_labels,
    draw_moment,
    draw_position,
    draw_trail,
    extent_of,
    fitted,
    moment_of,
)
from render.bumpers.motion import Motion, final_moment, moment_at, motion_of
from render.bumpers.sprites import DARK_BOARD, LIGHT_BOARD, BoardPalette

__all__ = [
    "DARK_BOARD",
    "LIGHT_BOARD",
    "BoardPalette",
    "BoardView",
    "MatPose",
    "Moment",
    "Motion",
    "PiecePose",
    "draw_labels",
    "draw_moment",
    "draw_position",
    "draw_trail",
    "extent_of",
    "final_moment",
    "fitted",
    "moment_at",
    "moment_of",
    "motion_of",
]
