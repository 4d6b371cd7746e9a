"""What lies where at a moment, in spaces: x eastward and y southward.

A square's corners are whole numbers and its middle lies half a space further. Pieces lie on mats,
so that a mat on its way takes them along.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sim.bumpers import Layout, MatFace, Piece, Position
from sim.bumpers.mats import Slot

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatPose:
    """Where a mat is.

    Attributes:
        face: The side that lies up.
        middle: Its middle.
        quarters: Quarter turns clockwise; whole numbers lie on the lattice.
        is_lifted: It is on its way, above the others.
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
        ways: Where pieces have come from and gone to in the move shown, as points.
        moved: The numbers of the mats to mark as moved.
    """

    mats: tuple[MatPose, ...]
    pieces: tuple[PiecePose, ...]
    ways: tuple[tuple[Point, ...], ...] = ()
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
        own: Places of pieces that are on their way, by the space they come from.
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
