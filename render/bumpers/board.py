"""A board as a picture: places of mats and pieces in the plane of the board.

A `Moment` holds the poses of all mats and pieces in the plane of the board, whose unit is a space:
the corners of square (row, column) are whole numbers, its middle is (column + 0.5, row + 0.5).
`moment_of` makes the moment of a position; `svg` draws it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from pucklab.base.facts import fact
from pucklab.sim.bumpers import Layout, MatFace, Piece, Position
from pucklab.sim.bumpers.board import board_of, column_name
from pucklab.sim.bumpers.mats import Slot

Point = tuple[float, float]
"""A point of the plane, in spaces: x eastward, y southward."""

Extent = tuple[float, float, float, float]
"""West, north, east and south end of a part of the plane, in spaces."""

SPACES_OF_SAMPLE = {
    (1, 1, 2, 1): "goal: open on the side without a wall",
    (0, 0, 1, 1): "pool: no piece crosses it",
}
"""Legend of the spaces at a column and a row of the sample mat, of a width and height in spaces."""

SAMPLE = "pb1:X1:-:-:-:mats=X1/opmi/.ss./..../....:-"
"""Position of the sample mat."""

_BESIDE_ROWS, _BESIDE_COLUMNS = 0.45, 0.4
"""Distances of the names of rows and of columns from the board, in spaces."""

NOTES_OF_LEGEND = (
    "c7N moves the piece on c7 north; with x it sets another one in motion, with * a puck scores.",
    "A line from a dot shows the way of a piece, a dark rim shows a mat that moved.",
    "A ring marks the chosen piece, green is a hint.",
)


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


def moment_of(position: Position, origin: Slot = (0, 0)) -> Moment:
    """Return the moment of a position at rest.

    Args:
        position: The position.
        origin: Slot of the picture that is slot (0, 0) of the position. A board that grows to the
            north or west renumbers its slots, and its picture must not jump.

    Example:
        >>> from pucklab.sim.bumpers import parse_position
        >>> moment_of(parse_position("pb1:X1:RPb1:-:R:mats=X1/../..:-")).pieces[0].middle
        (1.5, 1.5)
    """
    mats = mat_poses(position.layout, origin)
    return Moment(mats=mats, pieces=piece_poses(position, mats))


def mat_poses(layout: Layout, origin: Slot) -> tuple[MatPose, ...]:
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
    """Return the places of the pieces of a position.

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
    x, y = column + 0.5 - half, row + 0.5 - half  # from the middle of the mat, before its turn
    # With y southward, this rotation is clockwise on the screen.
    angle = math.radians(90 * pose.quarters)
    cos, sin = math.cos(angle), math.sin(angle)
    if pose.quarters == round(pose.quarters):
        cos, sin = float(round(cos)), float(round(sin))  # exact on the lattice
    return pose.middle[0] + cos * x - sin * y, pose.middle[1] + sin * x + cos * y


def extent_of(moments: Iterable[Moment]) -> Extent:
    """Return the extent that all mats cover at some moments."""
    mats = [(mat.middle, mat.face.size / 2) for moment in moments for mat in moment.mats]
    west, north = (min(middle[axis] - half for middle, half in mats) for axis in (0, 1))
    east, south = (max(middle[axis] + half for middle, half in mats) for axis in (0, 1))
    return west, north, east, south


def labels_of(layout: Layout, origin: Slot = (0, 0)) -> list[tuple[str, float, float]]:
    """Return the names of columns above and below the board, and of rows on both sides.

    Args:
        layout: The layout whose squares are named.
        origin: Slot of the picture that is its slot (0, 0); see `moment_of`.
    """
    board = board_of(layout)
    north, west = origin[0] * layout.size, origin[1] * layout.size
    names = [
        (column_name(column), west + column + 0.5, y)
        for column in range(board.columns)
        for y in (north - _BESIDE_COLUMNS, north + board.rows + _BESIDE_COLUMNS)
    ]
    return names + [
        (str(board.rows - row), x, north + row + 0.5)
        for row in range(board.rows)
        for x in (west - _BESIDE_ROWS, west + board.columns + _BESIDE_ROWS)
    ]
