"""A position as arrays: where the pieces are, what is on each space, and Zobrist numbers.

``occupied[space]`` is ``EMPTY`` for an empty space, ``GOAL`` for an empty goal space, and otherwise
the index of the piece on it plus ``FIRST``. So a space is open if its code is at most ``GOAL``, one
comparison for the most frequent test. Two extra spaces follow the real ones: index ``spaces`` is
the wall behind every barrier, and ``spaces + 1`` holds scored pucks; every direction from either
leads to the wall. Begin with `encode`.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.kernel.arrays import U8, U16, U64
from pucklab.sim.bumpers.mats import Colour, Direction, Kind, Layout
from pucklab.sim.bumpers.moves import PieceMove

EMPTY = 0
GOAL = 1
FIRST = 2
WALL = 255
_KINDS = (Kind.PUCK, Kind.ICE, Kind.MEEPLE)
_ZOBRIST_SEED = 4
_CACHE_SIZE = 32  # layouts, and numbers of spaces


class Game(NamedTuple):
    """The constants of a position. Pieces are ordered by kind: pucks, ice blocks, meeples.

    Attributes:
        pucks: The number of pucks.
        slid: The number of pucks and ice blocks; the other pieces are meeples, which bump. If every
            piece slides, the number of pieces.
        movable: The pieces that may move, in the order of the rules' moves.
        chains: 1 if a sliding piece sends pucks sliding.
        pass_through: 1 if momentum passes through touching pucks.
        slippery: 1 if ice blocks slide instead of stepping.
    """

    pucks: int
    slid: int
    movable: U8
    chains: int
    pass_through: int
    slippery: int


class Pieces(NamedTuple):
    """The places of the pieces, as two tables that agree.

    Attributes:
        where: The space of each piece.
        occupied: The code of each space; see the module's docstring.
        vacated: The code of each space without pieces.
    """

    where: U16
    occupied: U8
    vacated: U8


class Change(NamedTuple):
    """The pieces that a move displaces, in the order in which they are set in motion.

    Attributes:
        who: The pieces, the first ``number`` of an array.
        to: The spaces they move to.
        number: Number of pieces; 0 if nothing moves.
    """

    who: U8
    to: U16
    number: int


class Encoded(NamedTuple):
    """An encoded position, without its layout (see `pucklab.sim.bumpers.kernel.layouts`).

    Attributes:
        game: The constants of the position.
        pieces: The places of the pieces.
        zobrist: ``zobrist[piece, space]``, 128-bit numbers, equal for pieces of the same kind and
            colour. 0 for a scored puck: the pucks on the board imply which have scored.
    """

    game: Game
    pieces: Pieces
    zobrist: U64


def encode(position: Position, colours: Collection[Colour] | None = None) -> Encoded:
    """Encode a legal position.

    Args:
        position: The position.
        colours: The colours that may move; by default the side to move.
    """
    movers = position.movers if colours is None else colours
    pieces = sorted(position.pieces, key=lambda pair: _KINDS.index(pair[1].kind))
    kinds = [_KINDS.index(piece.kind) for _, piece in pieces]
    spaces = position.layout.spaces_per_mat * len(position.layout.faces)
    classes = [
        kind * len(Colour) + piece.colour for kind, (_, piece) in zip(kinds, pieces, strict=True)
    ]
    movable = [index for index, (_, piece) in enumerate(pieces) if piece.colour in movers]
    game = Game(
        pucks=kinds.count(0),
        slid=len(kinds) if position.rules.slide else kinds.count(0) + kinds.count(1),
        movable=np.array(sorted(movable, key=lambda index: pieces[index][0]), np.uint8),
        chains=int(position.rules.chains),
        pass_through=int(position.rules.pass_through),
        slippery=int(position.rules.slippery_ice or position.rules.slide),
    )
    vacated = _vacated(position.layout).copy()
    where = np.array([space for space, _ in pieces], np.uint16)
    occupied = vacated.copy()
    occupied[where] = np.arange(len(pieces)) + FIRST
    return Encoded(
        game=game,
        pieces=Pieces(where, occupied, vacated),
        zobrist=_zobrist(spaces)[np.array(classes, np.int64)],
    )


@lru_cache(maxsize=_CACHE_SIZE)
def _vacated(layout: Layout) -> U8:
    """Return the code of each space of a layout without pieces, for copies only."""
    spaces = layout.spaces_per_mat * len(layout.faces)
    vacated = np.zeros(spaces + 2, np.uint8)
    for mat, face in enumerate(layout.faces):
        for goal in face.goals:
            vacated[[mat * layout.spaces_per_mat + space for space in goal.spaces]] = GOAL
    vacated[spaces:] = WALL
    return vacated


@lru_cache(maxsize=_CACHE_SIZE)
def _zobrist(spaces: int) -> U64:
    """Return ``zobrist[kind and colour, space]``, 128-bit numbers; for copies only."""
    drawn = np.random.default_rng(_ZOBRIST_SEED).integers(
        0, 2**64, (len(_KINDS) * len(Colour), spaces + 2, 2), dtype=np.uint64
    )
    drawn[:, spaces:] = 0  # the wall, and scored pucks
    return drawn


def key_of(encoded: Encoded) -> U64:
    """Return the 128-bit Zobrist key of a position, without the key of its layout."""
    pieces = np.arange(len(encoded.pieces.where))
    key: U64 = np.bitwise_xor.reduce(encoded.zobrist[pieces, encoded.pieces.where], axis=0)
    return key


def piece_move_of(encoded: Encoded, index: int) -> PieceMove:
    """Decode a piece move: index among the movable pieces * 4 + direction."""
    space = int(encoded.pieces.where[encoded.game.movable[index // 4]])
    return PieceMove(space, Direction(index % 4))
