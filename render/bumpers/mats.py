"""Mats as pictures: spaces, pools, goals, walls, start spaces, and the mat's name."""

from functools import lru_cache

import pygame

from render.bumpers.palette import BoardPalette
from render.bumpers.sprites import drawn_sprite
from render.canvas import FINE, draw_stroke, write
from render.palette import Rgb
from sim.bumpers import Direction, Kind, MatFace

_NAME_PART = 0.32
_SMALLEST_NAME_PX = 9
_NAMED_FROM_PX = 16
"""A space of fewer pixels has no room for a mat's name."""

Edge = tuple[tuple[float, float], tuple[float, float]]


@lru_cache(maxsize=256)
def mat_sprite(
    face: MatFace, turn: int, scale_px: int, palette: BoardPalette, *, is_moved: bool = False
) -> pygame.Surface:
    """Return the picture of a mat's side.

    Args:
        face: The side.
        turn: Quarter turns clockwise, 0 to 3.
        scale_px: Pixels of a space.
        palette: The colours.
        is_moved: Mark it as a mat that has moved.
    """
    side = face.size * scale_px

    def draw(fine: pygame.Surface) -> None:
        step = FINE * scale_px
        fine.fill(palette.mat)
        _draw_spaces(fine, face, turn, step, palette)
        rim = FINE * (max(2, scale_px // 12) if is_moved else 1)
        pygame.draw.rect(fine, palette.moved if is_moved else palette.rim, fine.get_rect(), rim)
        width = max(0.12 * step, 2 * FINE)
        low, high = width / 2, FINE * side - width / 2  # at the mat's edge, the whole width is seen
        for edge in _barriers(face, turn):
            points = [
                (min(max(x * step, low), high), min(max(y * step, low), high)) for x, y in edge
            ]
            draw_stroke(fine, palette.wall, points, width)

    sprite = drawn_sprite((side, side), draw)
    if scale_px >= _NAMED_FROM_PX:
        name_px = max(round(_NAME_PART * scale_px), _SMALLEST_NAME_PX)
        place = (0.08 * scale_px + 1, 0.17 * scale_px + 1)
        write(sprite, face.label, place, size_px=name_px, colour=palette.start)
    return sprite


def _draw_spaces(
    fine: pygame.Surface, face: MatFace, turn: int, step: int, palette: BoardPalette
) -> None:
    goals = {space for goal in face.goals for space in goal.spaces}
    starts = dict(face.starts)
    for space in range(face.spaces):
        row, column = _cell(face.size, space, turn)
        box = pygame.Rect(column * step, row * step, step, step)
        if space in face.pools:
            fine.fill(palette.pool, box)
            _draw_waves(fine, box, palette.wave)
        elif space in goals:
            fine.fill(palette.goal, box)
        elif space in starts:
            _draw_start(fine, box, starts[space], palette.start)
        pygame.draw.rect(fine, palette.grid, box.inflate(FINE, FINE), FINE)


def _draw_waves(fine: pygame.Surface, box: pygame.Rect, colour: Rgb) -> None:
    for down in (0.3, 0.5, 0.7):
        points = [
            (box.left + part * box.width / 8, box.top + (down + 0.04 * (-1) ** part) * box.height)
            for part in range(1, 8)
        ]
        draw_stroke(fine, colour, points, 0.05 * box.width)


def _draw_start(fine: pygame.Surface, box: pygame.Rect, kind: Kind, colour: Rgb) -> None:
    """Draw a small outline of the piece that begins here."""
    x, y = box.center
    arm, width = 0.16 * box.width, max(round(0.035 * box.width), FINE // 2)
    if kind is Kind.PUCK:
        pygame.draw.circle(fine, colour, (x, y), arm, width)
    elif kind is Kind.ICE:
        square = pygame.Rect(0, 0, round(2 * arm), round(2 * arm))
        square.center = (x, y)
        pygame.draw.rect(fine, colour, square, width)
    else:
        corners = [(x, y - arm), (x + arm, y + arm), (x - arm, y + arm)]
        pygame.draw.polygon(fine, colour, corners, width)


def _barriers(face: MatFace, turn: int) -> list[Edge]:
    """Return the edges that nothing crosses, as lines on the turned mat."""
    edges = set(face.walls)
    for goal in face.goals:
        twins = [_cell(face.size, space, 0) for space in goal.spaces]
        for space, (row, column) in zip(goal.spaces, twins, strict=True):
            for direction in Direction:
                down, right = direction.step
                if direction is not goal.facing and (row + down, column + right) not in twins:
                    edges.add((space, direction))
    return [
        _line(*_cell(face.size, space, turn), direction.turned(turn)) for space, direction in edges
    ]


def _line(row: int, column: int, direction: Direction) -> Edge:
    corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
    return corners[direction], corners[(direction + 1) % 4]


def _cell(size: int, space: int, turn: int) -> tuple[int, int]:
    """Return the row and column of a space on the turned mat."""
    row, column = divmod(space, size)
    for _ in range(turn):
        row, column = column, size - 1 - row
    return row, column
