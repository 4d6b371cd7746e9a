"""Counting the lines of play: perft."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.actions import count_piece_moves, move_piece
from sim.bumpers.kernel.arrangements import Arrangements, find_or_add
from sim.bumpers.kernel.compiling import jitted
from sim.bumpers.kernel.encoding import Encoded, Game, Pieces
from sim.bumpers.kernel.matmoves import (
    MOST_MAT_MOVES,
    Lattice,
    list_mat_moves,
    move_mats,
    new_lattice,
)

DONE, PAUSED, FULL = 0, 1, 2
"""How a run ends: all is counted, its share of nodes is used up, or arrangements need room."""

MADE, NO_MORE = 3, 4
"""What comes of the next move of a ply, besides `FULL`: it is made, or there is none."""


class Stack(NamedTuple):
    """Where the count is: all that a run needs to go on.

    Attributes:
        ply: How many moves are made, in one cell.
        next_move: The move to try next, by ply: pieces * 4 + direction, then mat moves.
        arrangement: The arrangement, by ply.
        changes: How many pieces the last move moved, by ply.
        who: Which ones.
        origin: Where they came from.
        to: Where they went.
        leaves: Leaves counted, by the first move; -1 for one that was not made.
    """

    ply: NDArray[np.int64]
    next_move: NDArray[np.int64]
    arrangement: NDArray[np.int64]
    changes: NDArray[np.int64]
    who: NDArray[np.uint8]
    origin: NDArray[np.uint16]
    to: NDArray[np.uint16]
    leaves: NDArray[np.int64]


class MatStack(NamedTuple):
    """What a count needs besides if mats move, too.

    Attributes:
        listed: The mat moves of each ply's arrangement.
        lattice: Space for the work on layouts.
    """

    listed: NDArray[np.int32]
    lattice: Lattice


def new_stack(depth: int, pieces: int) -> Stack:
    """Return the stack of a count that has not begun."""
    plies = depth + 1
    return Stack(
        ply=np.zeros(1, np.int64),
        next_move=np.zeros(plies, np.int64),
        arrangement=np.zeros(plies, np.int64),
        changes=np.zeros(plies, np.int64),
        who=np.zeros((plies, pieces + 1), np.uint8),
        origin=np.zeros((plies, pieces + 1), np.uint16),
        to=np.zeros((plies, pieces + 1), np.uint16),
        leaves=np.full(4 * pieces + MOST_MAT_MOVES, -1, np.int64),
    )


def new_mat_stack(depth: int, mats: int, side: int) -> MatStack:
    """Return the stack of mat moves, for layouts at most ``side`` slots wide and high."""
    return MatStack(
        listed=np.zeros((depth + 1, MOST_MAT_MOVES), np.int32),
        lattice=new_lattice(mats, side),
    )


@jitted
def count_leaves(
    encoded: Encoded, stack: Stack, mat_stack: MatStack | None, depth: int, nodes: int
) -> int:
    """Count the lines of ``depth`` moves on from where the stack is, and return how it ended.

    The moves of the last ply are counted, not made. Once all is counted, the position's numbers
    are as they were.

    Args:
        encoded: The position; new arrangements are added.
        stack: Where the count is.
        mat_stack: The same for mat moves; None if mats do not move, for which numba compiles a
            shorter function.
        depth: How many moves a line has, at least 1.
        nodes: Moves to make before a pause.
    """
    game, arrangements, pieces = encoded.game, encoded.arrangements, encoded.pieces
    ply, made = stack.ply[0], 0
    while made < nodes:
        number = stack.arrangement[ply]
        is_last = ply == depth - 1 and ply > 0
        if mat_stack is not None and stack.next_move[ply] == 0 and ply < depth:
            _list_mat_moves(arrangements, number, game, mat_stack, ply, is_last)
        if is_last or ply == depth:
            count = 1
            if is_last:
                table = arrangements.neighbours[number]
                count = count_piece_moves(table, pieces.occupied, pieces.where, game)
                # Not listed, so below 0, where mats do not move.
                count += max(0, arrangements.mat_moves[number])
            stack.leaves[stack.next_move[0] - 1] += count
            found = NO_MORE
        else:
            found = _make_next_piece_move(game, arrangements.neighbours[number], pieces, stack, ply)
            if mat_stack is not None and found == NO_MORE:
                found = _make_next_mat_move(encoded, stack, mat_stack, ply)
        if found == MADE:
            if ply == 0:
                stack.leaves[stack.next_move[0] - 1] = 0
            ply += 1
            made += 1
            stack.next_move[ply] = 0
        elif found == FULL:
            stack.ply[0] = ply
            return FULL
        elif ply == 0:
            return DONE
        else:
            ply -= 1
            _take_back(pieces, stack, ply)
    stack.ply[0] = ply
    return PAUSED


@jitted
def _list_mat_moves(
    arrangements: Arrangements,
    number: int,
    game: Game,
    mat_stack: MatStack,
    ply: int,
    is_last: bool,
) -> None:
    """List the mat moves of a ply; of the last one only their number is needed, and kept."""
    if not is_last or arrangements.mat_moves[number] < 0:
        arrangements.mat_moves[number] = list_mat_moves(
            arrangements.places[number],
            game.one_piece,
            mat_stack.lattice,
            mat_stack.listed[ply],
        )


@jitted
def _make_next_mat_move(encoded: Encoded, stack: Stack, mat_stack: MatStack, ply: int) -> int:
    """Make the next mat move of a ply; return `MADE`, `NO_MORE` or `FULL`."""
    arrangements, lattice = encoded.arrangements, mat_stack.lattice
    number = stack.arrangement[ply]
    move = stack.next_move[ply] - 4 * len(encoded.game.movable)
    if move >= arrangements.mat_moves[number]:
        return NO_MORE
    move_mats(arrangements.places[number], mat_stack.listed[ply, move], lattice.places)
    after = find_or_add(encoded.mats, arrangements, lattice.places)
    if after < 0:
        return FULL
    stack.next_move[ply] += 1
    stack.changes[ply] = 0
    stack.arrangement[ply + 1] = after
    return MADE


@jitted
def _make_next_piece_move(
    game: Game, neighbours: NDArray[np.uint16], pieces: Pieces, stack: Stack, ply: int
) -> int:
    """Make the next legal piece move of a ply; return `MADE` or `NO_MORE`."""
    where, occupied = pieces.where, pieces.occupied
    who, to = stack.who[ply], stack.to[ply]
    move = stack.next_move[ply]
    changes = 0
    while changes == 0 and move < 4 * len(game.movable):
        piece = game.movable[move >> 2]
        changes = move_piece(neighbours[move & 3], occupied, game, piece, where[piece], who, to)
        move += 1
    stack.next_move[ply] = move
    if changes == 0:
        return NO_MORE
    for change in range(changes):
        space = where[who[change]]
        stack.origin[ply, change] = space
        occupied[space] = pieces.vacated[space]
    for change in range(changes):
        where[who[change]] = to[change]
        if to[change] < len(occupied) - 1:
            occupied[to[change]] = who[change] + 1
    stack.changes[ply] = changes
    stack.arrangement[ply + 1] = stack.arrangement[ply]
    return MADE


@jitted
def _take_back(pieces: Pieces, stack: Stack, ply: int) -> None:
    """Move the pieces of a ply's move back."""
    where, occupied = pieces.where, pieces.occupied
    who, origin = stack.who[ply], stack.origin[ply]
    for change in range(stack.changes[ply]):
        space = where[who[change]]
        occupied[space] = pieces.vacated[space]
    for change in range(stack.changes[ply]):
        where[who[change]] = origin[change]
        occupied[origin[change]] = who[change] + 1
