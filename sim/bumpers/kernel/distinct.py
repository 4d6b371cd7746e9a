"""Counting distinct positions, breadth first."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.actions import move_piece
from sim.bumpers.kernel.arrangements import find_or_add, layout_key
from sim.bumpers.kernel.compiling import jitted
from sim.bumpers.kernel.encoding import Encoded, Game, Pieces
from sim.bumpers.kernel.frontier import Frontier, MatWork, Seen, Work, add_key
from sim.bumpers.kernel.matmoves import MOST_MAT_MOVES, list_mat_moves, move_mats


@jitted
def expand(
    encoded: Encoded,
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    work: Work,
    mat_work: MatWork | None,
    begin: int,
    end: int,
    keep: bool,
) -> int:
    """Make every move of the frontier's positions from ``begin`` to ``end``.

    Args:
        encoded: As of `sim.bumpers.kernel.frontier.Search`; new arrangements are added.
        frontier: As of `Search`.
        following: As of `Search`; positions not met before are added.
        seen: As of `Search`; their keys are added.
        work: As of `Search`.
        mat_work: As of `Search`.
        begin: The first position.
        end: The one after the last.
        keep: The positions found are kept, to go on from them; if not, only their keys are.

    Returns:
        The position to go on with: ``end``, or one before it where more room is needed.
    """
    game, arrangements = encoded.game, encoded.arrangements
    most = 4 * len(game.movable)
    if mat_work is not None:
        most += MOST_MAT_MOVES
    for index in range(begin, end):
        if 2 * (seen.used[0] + most) > len(seen.keys):
            return index
        if keep and following.used[0] + most > len(following.keys):
            return index
        if mat_work is not None:
            if keep and arrangements.used[0] + most > len(arrangements.keys):
                return index
            _make_mat_moves(encoded, frontier, following, seen, mat_work, index, keep)
        _put_pieces(encoded.pieces, frontier, work, index)
        table = arrangements.neighbours[frontier.arrangement[index]]
        _make_piece_moves(
            game, table, encoded.zobrist, frontier, following, seen, work, index, keep
        )
        _lift_pieces(encoded.pieces, frontier, work, index)
    return end


@jitted
def _put_pieces(pieces: Pieces, frontier: Frontier, work: Work, index: int) -> None:
    """Mark the spaces of a position's pieces."""
    for piece in range(len(pieces.where)):
        space = frontier.where[index, piece]
        if space < len(work.occupied) - 1:
            work.occupied[space] = piece + 1


@jitted
def _lift_pieces(pieces: Pieces, frontier: Frontier, work: Work, index: int) -> None:
    """Unmark them."""
    for piece in range(len(pieces.where)):
        space = frontier.where[index, piece]
        work.occupied[space] = pieces.vacated[space]


@jitted
def _make_piece_moves(
    game: Game,
    neighbours: NDArray[np.uint16],
    zobrist: NDArray[np.uint64],
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    work: Work,
    index: int,
    keep: bool,
) -> None:
    """Add the positions after each piece move of a position."""
    number = frontier.arrangement[index]
    for move in range(4 * len(game.movable)):
        piece = game.movable[move >> 2]
        start = frontier.where[index, piece]
        ahead = neighbours[move & 3]
        changes = move_piece(ahead, work.occupied, game, piece, start, work.who, work.to)
        if changes == 0:
            continue
        low, high = frontier.keys[index, 0], frontier.keys[index, 1]
        for change in range(changes):
            moved, space = work.who[change], work.to[change]
            origin = frontier.where[index, moved]
            low ^= zobrist[moved, origin, 0] ^ zobrist[moved, space, 0]
            high ^= zobrist[moved, origin, 1] ^ zobrist[moved, space, 1]
        if add_key(seen, low, high):
            new = _add_position(following, frontier, index, number, low, high, keep)
            for change in range(changes if keep else 0):
                following.where[new, work.who[change]] = work.to[change]


@jitted
def _make_mat_moves(
    encoded: Encoded,
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    mat_work: MatWork,
    index: int,
    keep: bool,
) -> None:
    """Add the positions after each mat move of a position."""
    arrangements, lattice = encoded.arrangements, mat_work.lattice
    number = frontier.arrangement[index]
    places = arrangements.places[number]
    count = list_mat_moves(places, encoded.game.one_piece, lattice, mat_work.listed)
    for move in range(count):
        move_mats(places, mat_work.listed[move], lattice.places)
        low, high = layout_key(lattice.places)
        low ^= frontier.keys[index, 0] ^ arrangements.keys[number, 0]
        high ^= frontier.keys[index, 1] ^ arrangements.keys[number, 1]
        if add_key(seen, low, high):
            after = np.int64(0)
            if keep:
                after = find_or_add(encoded.mats, arrangements, lattice.places)
            _add_position(following, frontier, index, after, low, high, keep)


@jitted
def _add_position(
    following: Frontier,
    frontier: Frontier,
    index: int,
    arrangement: np.int64,
    low: np.uint64,
    high: np.uint64,
    keep: bool,
) -> np.int64:
    """Count a position; if it is kept, as a copy of one with another arrangement and key."""
    new = following.used[0]
    following.used[0] = new + 1
    if keep:
        for piece in range(frontier.where.shape[1]):
            following.where[new, piece] = frontier.where[index, piece]
        following.arrangement[new] = arrangement
        following.keys[new, 0] = low
        following.keys[new, 1] = high
    return np.int64(new)
