"""The board as the window shows it, with what is marked on it."""

from dataclasses import replace

import pygame

from render.boardwindow.marks import Marks, draw_marks_above, draw_marks_below
from render.boardwindow.stage import Stage
from render.bumpers import (
    DARK_BOARD,
    LIGHT_BOARD,
    BoardPalette,
    BoardView,
    draw_labels,
    draw_moment,
    fitted,
)
from render.bumpers.board import LABEL_PX
from render.palette import DARK, Palette


def board_palette(palette: Palette) -> BoardPalette:
    """Return the colours of the board for those of the window."""
    return DARK_BOARD if palette is DARK else LIGHT_BOARD


def plane_view(stage: Stage, box: pygame.Rect, *, has_ring: bool = False) -> BoardView:
    """Return where the plane of the mats is in the window.

    Args:
        stage: What is shown.
        box: Where the board is.
        has_ring: Leave room for a mat on all sides of the board.
    """
    west, north, east, south = stage.extent
    more = stage.layout.size if has_ring else 0
    extent = (west - more, north - more, east + more, south + more)
    view = fitted(extent, box.size, margin_px=LABEL_PX)
    return replace(view, x_px=view.x_px + box.left, y_px=view.y_px + box.top)


def layout_view(stage: Stage, plane: BoardView) -> BoardView:
    """Return where the layout's own squares are: square (0, 0) is in its slot (0, 0)."""
    rows, columns = stage.origin
    size = stage.layout.size
    return replace(
        plane,
        x_px=plane.x_px + columns * size * plane.scale_px,
        y_px=plane.y_px + rows * size * plane.scale_px,
    )


def draw_board(
    surface: pygame.Surface,
    box: pygame.Rect,
    stage: Stage,
    marks: Marks,
    palette: Palette,
    *,
    has_ring: bool = False,
) -> None:
    """Draw the board in a box; marks are drawn while nothing moves."""
    colours = board_palette(palette)
    plane = plane_view(stage, box, has_ring=has_ring)
    own = layout_view(stage, plane)
    layout = stage.layout
    if not has_ring:  # a mat is called by its name
        draw_labels(surface, own, layout, palette=colours)
    if not stage.is_moving:
        draw_marks_below(surface, own, layout, marks, colours)
    draw_moment(surface, plane, stage.moment, palette=colours)
    if not stage.is_moving:
        draw_marks_above(surface, own, layout, marks, colours)
