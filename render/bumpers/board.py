"""A board as a picture: places of mats and pieces, the view of the plane, drawing.

A `Moment` holds the poses of all mats and pieces in the plane of the board, whose unit is a space:
the corners of square (row, column) are whole numbers, its middle is (column + 0.5, row + 0.5).
`moment_of` makes the moment of a position, a `BoardView` maps the plane to pixels, and
`draw_moment` draws it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import pygame
from pygame import Surface

from physics.facts import fact
from render.bumpers.sprites import (
    LIGHT_BOARD,
    BoardPalette,
    blit_centred,
    mat_sprite,
    piece_sprite,
)
from render.canvas import draw_lines, write
from sim.bumpers import Layout, MatFace, Piece, Position, parse_position
from sim.bumpers.board import Square, board_of, column_name
from sim.bumpers.mats import Slot

Point = tuple[float, float]
"""A point of the plane, in spaces: x eastward, y southward."""

Extent = tuple[float, float, float, float]
"""West, north, east and south end of a part of the plane, in spaces."""

SMALLEST_PX = 6
"""Least width of a space in a picture, in pixels."""

LABEL_PX = 22
"""Margin for the names of rows and columns on each side of a board, in pixels."""

SPACES_OF_SAMPLE = {
    (1, 1, 2, 1): "goal: open on the side without a wall",
    (0, 0, 1, 1): "pool: no piece crosses it",
}
"""Legend of the spaces at a column and a row of the sample mat, of a width and height in spaces."""

NOTES_OF_LEGEND = (
    "c7N moves the piece on c7 north; with x it sets another one in motion, with * a puck scores.",
    "A line from a dot shows the way of a piece, a dark rim shows a mat that moved.",
    "A ring marks the chosen piece, green is a hint.",
)

_LABEL_TEXT_PX, _SMALLEST_LABEL_PX = 18, 9
"""Greatest and least text height of these names; smaller ones are left out."""


@fact
class MatPose:
    """The place of a mat.

    Attributes:
        face: The side that is up.
        middle: Its middle.
        quarters: Quarter turns clockwise; whole numbers are aligned with the board.
        is_lifted: True if it is moving, above the other mats.
    """

    face: MatFace
    middle: Point
    quarters: float = 0.0
    is_lifted: bool = False


@fact
class PiecePose:
    """The place of a piece.

    Attributes:
        piece: The piece.
        middle: Its middle.
        size: Its size relative to the usual one: a puck in a goal shrinks.
        is_lifted: True if it is on a lifted mat.
    """

    piece: Piece
    middle: Point
    size: float = 1.0
    is_lifted: bool = False


@fact
class Moment:
    """All that a picture of a board shows.

    Attributes:
        mats: The mats, by number.
        pieces: The pieces.
        trails: The ways of the pieces in the move shown, as points.
        moved: The numbers of the mats to mark as moved.
    """

    mats: tuple[MatPose, ...]
    pieces: tuple[PiecePose, ...]
    trails: tuple[tuple[Point, ...], ...] = ()
    moved: frozenset[int] = frozenset()


@cache
def sample_mat() -> MatFace:
    """Return the mat with the spaces of a legend."""
    line = "pb1:X1:-:-:-:mats=X1/opmi/.ss./..../....:-"
    return parse_position(line).layout.faces[0]


def moment_of(position: Position, origin: Slot = (0, 0)) -> Moment:
    """Return the moment of a position at rest.

    Args:
        position: The position.
        origin: Slot of the picture that is slot (0, 0) of the position. A board that grows to the
            north or west renumbers its slots, and its picture must not jump.

    Example:
        >>> from sim.bumpers import parse_position
        >>> moment_of(parse_position("pb1:X1:RPb1:-:R:mats=X1/../..:-")).pieces[0].middle
        (1.5, 1.5)
    """
    mats = mat_poses(position.layout, origin)
    return Moment(mats=mats, pieces=piece_poses(position, mats))


def mat_poses(layout: Layout, origin: Slot = (0, 0)) -> tuple[MatPose, ...]:
    """Return the places of the mats of a layout, by number; see `moment_of`."""
    size = layout.size
    return tuple(
        MatPose(
            face=face,
            middle=(
                (place.slot[1] + origin[1] + 0.5) * size,
                (place.slot[0] + origin[0] + 0.5) * size,
            ),
            quarters=float(place.turn),
        )
        for face, place in zip(layout.faces, layout.places, strict=True)
    )


def piece_poses(
    position: Position, mats: Sequence[MatPose], own: Mapping[int, Point] | None = None
) -> tuple[PiecePose, ...]:
    """Return where the pieces of a position are.

    Args:
        position: The position.
        mats: The places of the mats.
        own: Places of moving pieces, by the space they come from.
    """
    per_mat = position.layout.spaces_per_mat
    places = own or {}
    return tuple(
        PiecePose(
            piece=piece,
            middle=places[space] if space in places else space_middle(mats, space),
            is_lifted=mats[space // per_mat].is_lifted,
        )
        for space, piece in position.pieces
    )


def space_middle(mats: Sequence[MatPose], space: int) -> Point:
    """Return the middle of a space, by number, wherever its mat is."""
    # Spaces are numbered mat by mat, and row by row on the unturned mat.
    mat, own = divmod(space, mats[0].face.spaces)
    pose = mats[mat]
    row, column = divmod(own, pose.face.size)
    half = pose.face.size / 2
    return on_mat(pose, (column + 0.5 - half, row + 0.5 - half))


def on_mat(pose: MatPose, point: Point) -> Point:
    """Return the point of the plane at a point of a mat, given from its middle before turning."""
    x, y = point
    # With y southward, this rotation is clockwise on the screen.
    angle = math.radians(90 * pose.quarters)
    cos, sin = math.cos(angle), math.sin(angle)
    if pose.quarters == round(pose.quarters):
        cos, sin = float(round(cos)), float(round(sin))  # exact on the lattice
    return pose.middle[0] + cos * x - sin * y, pose.middle[1] + sin * x + cos * y


@fact
class BoardView:
    """The map from the plane of a board to pixels.

    Attributes:
        scale_px: Width of a space; a whole number, for sharp edges.
        x_px: Pixel of x = 0.
        y_px: Pixel of y = 0.

    Example:
        >>> view = BoardView(scale_px=20, x_px=10, y_px=0)
        >>> view.pixel(1.5, 0.5), view.square_at((45, 15))
        ((40, 10), (0, 1))
    """

    scale_px: int
    x_px: int
    y_px: int

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of a point of the plane."""
        return round(self.x_px + self.scale_px * x), round(self.y_px + self.scale_px * y)

    def square_at(self, pixel: tuple[float, float]) -> Square:
        """Return the square at a pixel, which need not have a space."""
        column = math.floor((pixel[0] - self.x_px) / self.scale_px)
        return math.floor((pixel[1] - self.y_px) / self.scale_px), column


def fitted(extent: Extent, size_px: tuple[int, int], *, margin_px: int = 0) -> BoardView:
    """Return the view that shows an extent in the middle of a picture, as large as possible.

    Args:
        extent: The part of the plane to show.
        size_px: Width and height of the picture.
        margin_px: Free margin on each side.

    Example:
        >>> fitted((0, 0, 8, 4), (100, 100), margin_px=10)
        BoardView(scale_px=10, x_px=10, y_px=30)
    """
    west, north, east, south = extent
    room = [side - 2 * margin_px for side in size_px]
    # The narrower direction decides; the extent is then centred in the other.
    scale = max(SMALLEST_PX, math.floor(min(room[0] / (east - west), room[1] / (south - north))))
    return BoardView(
        scale_px=scale,
        x_px=round((size_px[0] - scale * (west + east)) / 2),
        y_px=round((size_px[1] - scale * (north + south)) / 2),
    )


def extent_of(moments: Iterable[Moment]) -> Extent:
    """Return the extent that all mats cover at some moments."""
    corners = [corner for moment in moments for mat in moment.mats for corner in _corners(mat)]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)


def _corners(mat: MatPose) -> tuple[Point, Point]:
    """Return the northwest and southeast corners of a mat, as if it were not turned."""
    half = mat.face.size / 2
    x, y = mat.middle
    return (x - half, y - half), (x + half, y + half)


def draw_position(
    surface: Surface, position: Position, *, palette: BoardPalette = LIGHT_BOARD
) -> BoardView:
    """Draw a position with the names of its squares, as large as possible.

    Args:
        surface: The surface to fill.
        position: The position.
        palette: The colours.

    Returns:
        The place of the board in the picture.
    """
    moment = moment_of(position)
    view = fitted(extent_of([moment]), surface.get_size(), margin_px=LABEL_PX)
    surface.fill(palette.page.background)
    draw_labels(surface, view, position.layout, palette=palette)
    draw_moment(surface, view, moment, palette=palette)
    return view


def draw_moment(
    surface: Surface, view: BoardView, moment: Moment, *, palette: BoardPalette = LIGHT_BOARD
) -> None:
    """Draw mats, pieces and trails, on whatever is there.

    Args:
        surface: The surface to draw on.
        view: Place of the board on it.
        moment: The moment.
        palette: The colours.
    """
    for is_lifted in (False, True):  # lifted mats and their pieces are on top
        for number, mat in enumerate(moment.mats):
            if mat.is_lifted is is_lifted:
                _put_mat(surface, view, mat, palette, is_moved=number in moment.moved)
        if not is_lifted:
            for trail in moment.trails:
                draw_trail(surface, view, trail, palette=palette)
        for pose in moment.pieces:
            if pose.is_lifted is is_lifted:
                sprite = piece_sprite(pose.piece, view.scale_px, palette)
                if pose.size < 1.0:
                    side = max(round(pose.size * sprite.get_width()), 1)
                    sprite = pygame.transform.smoothscale(sprite, (side, side))
                blit_centred(surface, sprite, view.pixel(*pose.middle))


def draw_trail(
    surface: Surface,
    view: BoardView,
    trail: tuple[Point, ...],
    *,
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Draw a line through points of the plane, with a dot at its start."""
    pixels = [view.pixel(*point) for point in trail]
    line, dot = max(0.07 * view.scale_px, 1.5), max(0.26 * view.scale_px, 5.0)
    draw_lines(surface, palette.trail, [(pixels, line), (pixels[:1], dot)])


def draw_labels(
    surface: Surface,
    view: BoardView,
    layout: Layout,
    origin: Slot = (0, 0),
    *,
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Write the names of columns above and below a board, and of rows on both sides.

    Args:
        surface: The surface to draw on.
        view: Place of the board on it.
        layout: The layout whose squares are named.
        origin: Slot of the picture that is its slot (0, 0); see `moment_of`.
        palette: The colours.
    """
    size_px = min(_LABEL_TEXT_PX, round(0.62 * view.scale_px))
    if size_px < _SMALLEST_LABEL_PX:
        return
    apart = 0.62 * size_px / view.scale_px
    for name, *place in labels_of(layout, origin, (apart, apart)):
        write(surface, name, view.pixel(*place), size_px, palette.page.faint, align="centre")


def labels_of(
    layout: Layout, origin: Slot, apart: Point = (0.45, 0.4)
) -> list[tuple[str, float, float]]:
    """Return the names of columns above and below the board, and of rows on both sides.

    Args:
        layout: The layout whose squares are named.
        origin: Slot of the picture that is its slot (0, 0); see `moment_of`.
        apart: Distance of the names of rows and of columns from the board.
    """
    board = board_of(layout)
    north, west = origin[0] * layout.size, origin[1] * layout.size
    names = [
        (column_name(column), west + column + 0.5, y)
        for column in range(board.columns)
        for y in (north - apart[1], north + board.rows + apart[1])
    ]
    return names + [
        (str(board.rows - row), x, north + row + 0.5)
        for row in range(board.rows)
        for x in (west - apart[0], west + board.columns + apart[0])
    ]


def _put_mat(
    surface: Surface, view: BoardView, mat: MatPose, palette: BoardPalette, *, is_moved: bool
) -> None:
    # Whole quarter turns have sprites of their own, so that only moving mats are blurred.
    whole = round(mat.quarters)
    sprite = mat_sprite(mat.face, whole % 4, view.scale_px, palette, is_moved=is_moved)
    if mat.quarters != whole:
        sprite = pygame.transform.rotozoom(sprite, -90 * (mat.quarters - whole), 1.0)
    blit_centred(surface, sprite, view.pixel(*mat.middle))
