"""Sprites of pieces and mats with smooth edges, and the colours of boards.

`piece_sprite` and `mat_sprite` draw and cache sprites, `blit_centred` puts them on a surface.
Player colours differ in lightness too, and every piece carries the letter of its colour, so that
colour-blind eyes can tell them apart; the kind of a piece is its shape.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType

import pygame
from pygame import Rect, Surface

from physics.facts import fact
from render.canvas import FINE, clear_surface, draw_stroke, lay, write
from render.palette import DARK, LIGHT, Palette, Rgb
from sim.bumpers import Colour, Direction, Kind, MatFace, Piece

PLAYERS: Mapping[Colour, Rgb] = MappingProxyType(
    {
        Colour.RED: (190, 40, 30),
        Colour.ORANGE: (240, 150, 40),
        Colour.YELLOW: (245, 232, 80),
        Colour.GREEN: (0, 158, 115),
        Colour.BLUE: (0, 90, 181),
        Colour.VIOLET: (204, 121, 200),
    }
)
"""The colour of each player's pieces."""

PIECE_PART = 0.8
"""Width of a piece, relative to a space."""

_DARK_LETTER, _LIGHT_LETTER = (20, 22, 26), (255, 255, 255)
_LIGHT_FROM = 140.0
"""Luma, 0 to 255, from which a colour needs a dark letter."""

_NAME_PART = 0.32
"""Text height of a mat's name, relative to a space."""

_SMALLEST_NAME_PX = 9
_NAMED_FROM_PX = 16
"""Least text height of a mat's name, and least width of a space that has room for one."""

_LUMA = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in the perceived brightness of a colour (ITU-R BT.601)."""

Edge = tuple[tuple[float, float], tuple[float, float]]
"""A line along the edge of a space, on a mat whose spaces are unit squares."""


@fact
class BoardPalette:
    """The colours of a board.

    Attributes:
        page: Colours around the board: background and text.
        mat: Open spaces.
        grid: Lines between the spaces of a mat.
        rim: The edge of a mat.
        pool: Pools.
        wave: Waves of pools.
        goal: The spaces of goals.
        wall: Walls, and the sides and backs of goals.
        start: Marks of start spaces, and names of mats.
        edge: Outlines of pieces.
        trail: Trails of the pieces that moved.
        moved: The rim of a mat that has moved.
    """

    page: Palette
    mat: Rgb
    grid: Rgb
    rim: Rgb
    pool: Rgb
    wave: Rgb
    goal: Rgb
    wall: Rgb
    start: Rgb
    edge: Rgb
    trail: Rgb
    moved: Rgb

    @property
    def colours(self) -> tuple[Rgb, ...]:
        """The colours of the board and of all pieces, without the page."""
        own = (getattr(self, field.name) for field in fields(self) if field.name != "page")
        return (*own, *PLAYERS.values())


LIGHT_BOARD = BoardPalette(
    page=LIGHT,
    mat=(242, 238, 228),
    grid=(218, 212, 198),
    rim=(168, 158, 138),
    pool=(150, 200, 226),
    wave=(96, 156, 190),
    goal=(128, 124, 116),
    wall=(44, 42, 40),
    start=(176, 168, 150),
    edge=(30, 34, 40),
    trail=(88, 84, 78),
    moved=(20, 20, 20),
)
"""Dark on white, for pages."""

DARK_BOARD = BoardPalette(
    page=DARK,
    mat=(64, 66, 70),
    grid=(82, 85, 90),
    rim=(118, 122, 128),
    pool=(36, 84, 110),
    wave=(84, 142, 172),
    goal=(28, 29, 31),
    wall=(226, 224, 218),
    start=(122, 126, 132),
    edge=(12, 14, 17),
    trail=(206, 203, 196),
    moved=(255, 255, 255),
)
"""Light on black, for screens."""


def drawn_sprite(size_px: tuple[int, int], draw: Callable[[Surface], None]) -> Surface:
    """Return a sprite that is transparent where nothing is drawn.

    Args:
        size_px: Its width and height.
        draw: Draws it on a surface `FINE` times as large, which is then scaled down.
    """
    width, height = size_px
    fine = clear_surface((FINE * width, FINE * height))
    draw(fine)
    return pygame.transform.smoothscale(fine, size_px)


def faded(sprite: Surface, alpha: int) -> Surface:
    """Return a more transparent copy of a sprite; an alpha of 0 makes it invisible.

    Example:
        >>> dot = clear_surface((1, 1))
        >>> _ = dot.fill((200, 100, 0, 255))
        >>> tuple(faded(dot, 51).get_at((0, 0)))
        (40, 20, 0, 51)
    """
    ghost = sprite.copy()
    ghost.fill((alpha,) * 4, special_flags=pygame.BLEND_RGBA_MULT)
    return ghost


def blit_centred(surface: Surface, sprite: Surface, middle: tuple[int, int]) -> None:
    """Draw a sprite with its middle at a pixel."""
    width, height = sprite.get_size()
    lay(surface, sprite, (middle[0] - width // 2, middle[1] - height // 2))


@lru_cache(maxsize=1024)
def piece_sprite(piece: Piece, scale_px: int, palette: BoardPalette) -> Surface:
    """Return the sprite of a piece.

    Args:
        piece: The piece.
        scale_px: Pixels of a space.
        palette: The colours.
    """
    size = max(round(PIECE_PART * scale_px), 4)
    colour = PLAYERS[piece.colour]

    def draw(fine: Surface) -> None:
        _SHAPES[piece.kind](fine, colour, palette.edge)

    sprite = drawn_sprite((size, size), draw)
    down = 0.68 if piece.kind is Kind.MEEPLE else 0.53
    letter_px = round(size * (0.55 if piece.kind is Kind.MEEPLE else 0.78))
    if letter_px >= 8:
        write(
            sprite,
            piece.colour.letter,
            (size / 2, down * size),
            letter_px,
            letter_colour(colour),
            align="centre",
        )
    return sprite


@lru_cache(maxsize=256)
def mat_sprite(
    face: MatFace, turn: int, scale_px: int, palette: BoardPalette, *, is_moved: bool = False
) -> Surface:
    """Return the sprite of one side of a mat.

    Args:
        face: The side.
        turn: Quarter turns clockwise, 0 to 3.
        scale_px: Pixels of a space.
        palette: The colours.
        is_moved: True to mark it as a mat that has moved.
    """
    side = face.size * scale_px

    def draw(fine: Surface) -> None:
        step = FINE * scale_px
        fine.fill(palette.mat)
        _draw_spaces(fine, face, turn, step, palette)
        rim = FINE * (max(2, scale_px // 12) if is_moved else 1)
        pygame.draw.rect(fine, palette.moved if is_moved else palette.rim, fine.get_rect(), rim)
        width = max(0.12 * step, 2 * FINE)
        low, high = width / 2, FINE * side - width / 2  # at the mat's edge, the whole width is seen
        for edge in barriers(face, turn):
            points = [
                (min(max(x * step, low), high), min(max(y * step, low), high)) for x, y in edge
            ]
            draw_stroke(fine, palette.wall, points, width)

    sprite = drawn_sprite((side, side), draw)
    if scale_px >= _NAMED_FROM_PX:
        name_px = max(round(_NAME_PART * scale_px), _SMALLEST_NAME_PX)
        place = (0.08 * scale_px + 1, 0.17 * scale_px + 1)
        write(sprite, face.label, place, name_px, palette.start)
    return sprite


def letter_colour(behind: Rgb) -> Rgb:
    """Return the colour of a letter that is readable on a background colour."""
    luma = sum(weight * part for weight, part in zip(_LUMA, behind, strict=True))
    return _DARK_LETTER if luma > _LIGHT_FROM else _LIGHT_LETTER


def _draw_puck(fine: Surface, colour: Rgb, edge: Rgb) -> None:
    radius = fine.get_width() / 2
    rim = _rim(fine)
    pygame.draw.circle(fine, edge, (radius, radius), radius)
    pygame.draw.circle(fine, colour, (radius, radius), radius - rim)
    pygame.draw.circle(fine, edge, (radius, radius), 0.84 * radius, max(rim // 2, 1))


def _draw_ice(fine: Surface, colour: Rgb, edge: Rgb) -> None:
    size, rim = fine.get_width(), _rim(fine)
    inset = round(0.06 * size)
    box = Rect(inset, inset, size - 2 * inset, size - 2 * inset)
    pygame.draw.rect(fine, edge, box, border_radius=size // 10)
    pygame.draw.rect(fine, colour, box.inflate(-2 * rim, -2 * rim), border_radius=size // 14)
    shine = tuple((part + 255) // 2 for part in colour)
    near, far = inset + 2 * rim, round(0.34 * size)
    pygame.draw.polygon(fine, shine, [(near, near), (far, near), (near, far)])


def _draw_meeple(fine: Surface, colour: Rgb, edge: Rgb) -> None:
    size, rim = fine.get_width(), _rim(fine)
    for inset, shade in ((0, edge), (rim, colour)):
        head = size * 0.22 - inset
        body = [
            (0.36 * size + inset / 2, 0.36 * size + inset),
            (0.64 * size - inset / 2, 0.36 * size + inset),
            (0.94 * size - 1.4 * inset, size - inset),
            (0.06 * size + 1.4 * inset, size - inset),
        ]
        pygame.draw.polygon(fine, shade, body)
        pygame.draw.circle(fine, shade, (size / 2, 0.22 * size), head)


def _rim(fine: Surface) -> int:
    return max(FINE, round(0.05 * fine.get_width()))


_SHAPES = {Kind.PUCK: _draw_puck, Kind.ICE: _draw_ice, Kind.MEEPLE: _draw_meeple}


def _draw_spaces(fine: Surface, face: MatFace, turn: int, step: int, palette: BoardPalette) -> None:
    goals = {space for goal in face.goals for space in goal.spaces}
    starts = dict(face.starts)
    for space in range(face.spaces):
        row, column = cell_of(face.size, space, turn)
        box = Rect(column * step, row * step, step, step)
        if space in face.pools:
            fine.fill(palette.pool, box)
            _draw_waves(fine, box, palette.wave)
        elif space in goals:
            fine.fill(palette.goal, box)
        elif space in starts:
            _draw_start(fine, box, starts[space], palette.start)
        pygame.draw.rect(fine, palette.grid, box.inflate(FINE, FINE), FINE)


def _draw_waves(fine: Surface, box: Rect, colour: Rgb) -> None:
    for down in (0.3, 0.5, 0.7):
        points = [
            (box.left + part * box.width / 8, box.top + (down + 0.04 * (-1) ** part) * box.height)
            for part in range(1, 8)
        ]
        draw_stroke(fine, colour, points, 0.05 * box.width)


def _draw_start(fine: Surface, box: Rect, kind: Kind, colour: Rgb) -> None:
    """Draw a small outline of the kind of piece that starts on a space."""
    x, y = box.center
    arm, width = 0.16 * box.width, max(round(0.035 * box.width), FINE // 2)
    if kind is Kind.PUCK:
        pygame.draw.circle(fine, colour, (x, y), arm, width)
    elif kind is Kind.ICE:
        square = Rect(0, 0, round(2 * arm), round(2 * arm))
        square.center = (x, y)
        pygame.draw.rect(fine, colour, square, width)
    else:
        corners = [(x, y - arm), (x + arm, y + arm), (x - arm, y + arm)]
        pygame.draw.polygon(fine, colour, corners, width)


def barriers(face: MatFace, turn: int) -> list[Edge]:
    """Return the edges that no piece can cross, as lines on the turned mat."""
    edges = set(face.walls)
    for goal in face.goals:
        goal_cells = [cell_of(face.size, space, 0) for space in goal.spaces]
        for space, (row, column) in zip(goal.spaces, goal_cells, strict=True):
            for direction in Direction:
                down, right = direction.step
                # A goal is closed on all sides but the one it faces.
                is_inside = (row + down, column + right) in goal_cells
                if direction is not goal.facing and not is_inside:
                    edges.add((space, direction))
    return [
        _edge(*cell_of(face.size, space, turn), direction.turned(turn))
        for space, direction in edges
    ]


def _edge(row: int, column: int, direction: Direction) -> Edge:
    """Return the edge of a cell in a direction; corners run clockwise from the northwest."""
    corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
    return corners[direction], corners[(direction + 1) % 4]


def cell_of(size: int, space: int, turn: int) -> tuple[int, int]:
    """Return the row and column of a space on the turned mat."""
    row, column = divmod(space, size)
    for _ in range(turn):
        row, column = column, size - 1 - row  # a quarter turn clockwise
    return row, column
