"""A moment of a board as a picture.

Where a board is in a picture.

What lies where at a moment, in spaces: x eastward and y southward.

A square's corners are whole numbers and its middle lies half a space further. Pieces lie on mats,
so that a mat on its trail takes them along.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pygame

from render.bumpers.sprites import (
    LIGHT_BOARD,
    BoardPalette,
    blit_centred,
    drawn_sprite,
    mat_sprite,
    piece_sprite,
)
from render.canvas import FINE, draw_stroke, lay, write
from sim.bumpers import Layout, MatFace, Piece, Position
from sim.bumpers.board import Square, board_of, column_name
from sim.bumpers.mats import Slot

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatPose:
    """Where a mat is.

    Attributes:
        face: The side that lies up.
        middle: Its middle.
        quarters: Quarter turns clockwise; whole numbers lie on the lattice.
        is_lifted: It is on its trail, above the others.
    """

    face: MatFace
    middle: Point
    quarters: float = 0.0
    is_lifted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PiecePose:
    """Where a piece is.

    Attributes:
        piece: The piece.
        middle: Its middle.
        size: Its size as a part of the full one: a puck in a goal gets smaller.
        is_lifted: It lies on a mat that is.
    """

    piece: Piece
    middle: Point
    size: float = 1.0
    is_lifted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """All that a picture of a board shows.

    Attributes:
        mats: The mats, by number.
        pieces: The pieces.
        trails: Where pieces have come from and gone to in the move shown, as points.
        moved: The numbers of the mats to mark as moved.
    """

    mats: tuple[MatPose, ...]
    pieces: tuple[PiecePose, ...]
    trails: tuple[tuple[Point, ...], ...] = ()
    moved: frozenset[int] = frozenset()


def moment_of(position: Position, origin: Slot = (0, 0)) -> Moment:
    """Return the moment at which a position stands still.

    Args:
        position: The position.
        origin: The slot that its slot (0, 0) is at: a board that has grown to the north or west
            counts its slots anew, and a picture of it should not jump.

    Example:
        >>> from sim.bumpers import parse_position
        >>> moment_of(parse_position("pb1:X1:RPb1:-:R:mats=X1/../..:-")).pieces[0].middle
        (1.5, 1.5)
    """
    mats = mat_poses(position.layout, origin)
    return Moment(mats=mats, pieces=piece_poses(position, mats))


def mat_poses(layout: Layout, origin: Slot = (0, 0)) -> tuple[MatPose, ...]:
    """Return where the mats of a layout lie, by number; see `moment_of`."""
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
        mats: Where the mats are.
        own: Places of pieces that are on their trail, by the space they come from.
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
    mat, own = divmod(space, mats[0].face.spaces)
    pose = mats[mat]
    row, column = divmod(own, pose.face.size)
    half = pose.face.size / 2
    return on_mat(pose, (column + 0.5 - half, row + 0.5 - half))


def on_mat(pose: MatPose, point: Point) -> Point:
    """Return where a point of a mat's own frame, from its middle, is."""
    x, y = point
    angle = math.radians(90 * pose.quarters)
    cos, sin = math.cos(angle), math.sin(angle)
    if pose.quarters == round(pose.quarters):
        cos, sin = float(round(cos)), float(round(sin))
    return pose.middle[0] + cos * x - sin * y, pose.middle[1] + sin * x + cos * y


Extent = tuple[float, float, float, float]
"""The west, north, east and south ends of what is shown, in spaces."""

SMALLEST_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardView:
    """How spaces become pixels.

    Attributes:
        scale_px: Pixels of a space; a whole number, for sharp edges.
        x_px: Where the board's west edge is.
        y_px: Where its north edge is.

    Example:
        >>> view = BoardView(scale_px=20, x_px=10, y_px=0)
        >>> view.pixel(1.5, 0.5), view.square_at((45, 15))
        ((40, 10), (0, 1))
    """

    scale_px: int
    x_px: int
    y_px: int

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of a point of the board."""
        return round(self.x_px + self.scale_px * x), round(self.y_px + self.scale_px * y)

    def square_at(self, pixel: tuple[float, float]) -> Square:
        """Return the square that a pixel shows; whether it has a space is for the board to say."""
        column = math.floor((pixel[0] - self.x_px) / self.scale_px)
        return math.floor((pixel[1] - self.y_px) / self.scale_px), column


def fitted(extent: Extent, size_px: tuple[int, int], *, margin_px: int = 0) -> BoardView:
    """Return the view that shows an extent as large as it goes, in the middle.

    Args:
        extent: What to show.
        size_px: Width and height of the picture.
        margin_px: Pixels to leave free on all sides.

    Example:
        >>> fitted((0, 0, 8, 4), (100, 100), margin_px=10)
        BoardView(scale_px=10, x_px=10, y_px=30)
    """
    west, north, east, south = extent
    room = [side - 2 * margin_px for side in size_px]
    scale = max(SMALLEST_PX, math.floor(min(room[0] / (east - west), room[1] / (south - north))))
    return BoardView(
        scale_px=scale,
        x_px=round((size_px[0] - scale * (west + east)) / 2),
        y_px=round((size_px[1] - scale * (north + south)) / 2),
    )


def extent_of(moments: Iterable[Moment]) -> Extent:
    """Return the extent of all mats at some moments, wherever they turn."""
    corners = [corner for moment in moments for mat in moment.mats for corner in _corners(mat)]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)


def _corners(mat: MatPose) -> tuple[Point, Point]:
    half = mat.face.size / 2
    x, y = mat.middle
    return (x - half, y - half), (x + half, y + half)


LABEL_PX = 22
"""Room for the names of rows and columns, on all sides."""

_LABELS_PX = 18
_SMALLEST_LABEL_PX = 9


def draw_position(
    surface: pygame.Surface, position: Position, *, palette: BoardPalette = LIGHT_BOARD
) -> BoardView:
    """Draw a position with the names of its squares, as large as it goes.

    Args:
        surface: Where to; all of it is used.
        position: The position.
        palette: The colours.

    Returns:
        Where the board is in the picture.
    """
    moment = moment_of(position)
    view = fitted(extent_of([moment]), surface.get_size(), margin_px=LABEL_PX)
    surface.fill(palette.page.background)
    draw_labels(surface, view, position.layout, palette=palette)
    draw_moment(surface, view, moment, palette=palette)
    return view


def draw_moment(
    surface: pygame.Surface, view: BoardView, moment: Moment, *, palette: BoardPalette = LIGHT_BOARD
) -> None:
    """Draw mats and pieces; what is around them stays as it is.

    Args:
        surface: Where to.
        view: Where the board is on it.
        moment: What lies where.
        palette: The colours.
    """
    for is_lifted in (False, True):
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
    surface: pygame.Surface,
    view: BoardView,
    trail: tuple[Point, ...],
    *,
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Draw a line through points of the board, with a dot where it begins."""
    pixels = [view.pixel(*point) for point in trail]
    west, north = min(x for x, _ in pixels), min(y for _, y in pixels)
    room = max(4, round(0.2 * view.scale_px))
    size = (
        max(x for x, _ in pixels) - west + 2 * room,
        max(y for _, y in pixels) - north + 2 * room,
    )
    points = [(FINE * (x - west + room), FINE * (y - north + room)) for x, y in pixels]

    def draw(fine: pygame.Surface) -> None:
        draw_stroke(fine, palette.trail, points, FINE * max(0.07 * view.scale_px, 1.5))
        pygame.draw.circle(fine, palette.trail, points[0], FINE * max(0.13 * view.scale_px, 2.5))

    lay(surface, drawn_sprite(size, draw), (west - room, north - room))


def draw_labels(
    surface: pygame.Surface,
    view: BoardView,
    layout: Layout,
    origin: Slot = (0, 0),
    *,
    palette: BoardPalette = LIGHT_BOARD,
) -> None:
    """Write the names of columns below and above a board, and of rows beside it.

    Args:
        surface: Where to.
        view: Where the board is on it.
        layout: The layout whose squares are named.
        origin: As of `render.bumpers.board.moment_of`.
        palette: The colours.
    """
    board = board_of(layout)
    size_px = min(_LABELS_PX, round(0.62 * view.scale_px))
    if size_px < _SMALLEST_LABEL_PX:
        return
    north, west = origin[0] * layout.size, origin[1] * layout.size
    apart = 0.62 * size_px / view.scale_px
    names = [
        (column_name(column), (west + column + 0.5, y))
        for column in range(board.columns)
        for y in (north - apart, north + board.rows + apart)
    ]
    names += [
        (str(board.rows - row), (x, north + row + 0.5))
        for row in range(board.rows)
        for x in (west - apart, west + board.columns + apart)
    ]
    for name, place in names:
        write(
            surface,
            name,
            view.pixel(*place),
            size_px=size_px,
            colour=palette.page.faint,
            align="centre",
        )


def _put_mat(
    surface: pygame.Surface, view: BoardView, mat: MatPose, palette: BoardPalette, *, is_moved: bool
) -> None:
    whole = round(mat.quarters)
    sprite = mat_sprite(mat.face, whole % 4, view.scale_px, palette, is_moved=is_moved)
    if mat.quarters != whole:
        sprite = pygame.transform.rotozoom(sprite, -90 * (mat.quarters - whole), 1.0)
    blit_centred(surface, sprite, view.pixel(*mat.middle))
