"""Counting the lines of play: perft."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.actions import count_piece_moves, move_piece
from sim.bumpers.kernel.arrangements import find_or_add
from sim.bumpers.kernel.compiling import jitted
from sim.bumpers.kernel.encoding import Encoded
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
        counts: How many they are; -1 where they are not listed yet.
        lattice: Space for the work on layouts.
    """

    listed: NDArray[np.int32]
    counts: NDArray[np.int64]
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
        counts=np.full(depth + 1, -1, np.int64),
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
    ply, made = stack.ply[0], 0
    while made < nodes:
        if ply == depth or (ply == depth - 1 and ply > 0):
            count = 1 if ply == depth else _count_moves(encoded, stack, mat_stack, ply)
            stack.leaves[stack.next_move[0] - 1] += count
            found = NO_MORE
        else:
            found = _advance(encoded, stack, mat_stack, ply)
        if found == MADE:
            ply += 1
            made += 1
        elif found == FULL:
            stack.ply[0] = ply
            return FULL
        elif ply == 0:
            return DONE
        else:
            ply -= 1
            _take_back(encoded, stack, ply)
    stack.ply[0] = ply
    return PAUSED


@jitted
def _count_moves(encoded: Encoded, stack: Stack, mat_stack: MatStack | None, ply: int) -> int:
    """Return how many moves there are at a ply, without making them."""
    arrangements, number = encoded.arrangements, stack.arrangement[ply]
    count = count_piece_moves(
        arrangements.neighbours[number], encoded.occupied, encoded.where, encoded.game
    )
    if mat_stack is not None:
        if arrangements.mat_moves[number] < 0:
            arrangements.mat_moves[number] = list_mat_moves(
                arrangements,
                number,
                encoded.game.one_piece,
                mat_stack.lattice,
                mat_stack.listed[ply],
            )
        count += arrangements.mat_moves[number]
    return count


@jitted
def _advance(encoded: Encoded, stack: Stack, mat_stack: MatStack | None, ply: int) -> int:
    """Make the next legal move of a ply; return `MADE`, `NO_MORE` or `FULL`."""
    piece_moves = 4 * len(encoded.game.movable)
    move = stack.next_move[ply]
    found = NO_MORE
    while move < piece_moves and found == NO_MORE:
        if _make(encoded, stack, ply, move):
            found = MADE
        move += 1
    if found == NO_MORE and mat_stack is not None:
        found = _make_mat_move(encoded, stack, mat_stack, ply, move - piece_moves)
        move += found == MADE
    stack.next_move[ply] = move
    if found == MADE:
        stack.next_move[ply + 1] = 0
        if ply == 0:
            stack.leaves[move - 1] = 0
        if mat_stack is not None:
            mat_stack.counts[ply + 1] = -1
    return found


@jitted
def _make_mat_move(encoded: Encoded, stack: Stack, mat_stack: MatStack, ply: int, move: int) -> int:
    """Make a ply's mat move of that number; return `MADE`, `NO_MORE` or `FULL`."""
    arrangements, lattice = encoded.arrangements, mat_stack.lattice
    number = stack.arrangement[ply]
    if mat_stack.counts[ply] < 0:
        mat_stack.counts[ply] = list_mat_moves(
            arrangements, number, encoded.game.one_piece, lattice, mat_stack.listed[ply]
        )
    if move >= mat_stack.counts[ply]:
        return NO_MORE
    move_mats(arrangements, number, mat_stack.listed[ply, move], lattice.places)
    after = find_or_add(encoded.mats, arrangements, lattice.places)
    if after < 0:
        return FULL
    stack.changes[ply] = 0
    stack.arrangement[ply + 1] = after
    return MADE


@jitted
def _make(encoded: Encoded, stack: Stack, ply: int, move: int) -> bool:
    """Make a piece move, if it is possible; return whether it was."""
    where, occupied = encoded.where, encoded.occupied
    number = stack.arrangement[ply]
    piece = encoded.game.movable[move >> 2]
    changes = move_piece(
        encoded.arrangements.neighbours[number, move & 3],
        occupied,
        encoded.game,
        piece,
        where[piece],
        stack.who[ply],
        stack.to[ply],
    )
    for change in range(changes):
        space = where[stack.who[ply, change]]
        stack.origin[ply, change] = space
        occupied[space] = encoded.vacated[space]
    for change in range(changes):
        moved, space = stack.who[ply, change], stack.to[ply, change]
        where[moved] = space
        if space < len(occupied) - 1:
            occupied[space] = moved + 1
    stack.changes[ply] = changes
    stack.arrangement[ply + 1] = number
    return changes > 0


@jitted
def _take_back(encoded: Encoded, stack: Stack, ply: int) -> None:
    """Move the pieces of a ply's move back."""
    where, occupied = encoded.where, encoded.occupied
    for change in range(stack.changes[ply]):
        space = where[stack.who[ply, change]]
        occupied[space] = encoded.vacated[space]
    for change in range(stack.changes[ply]):
        piece, space = stack.who[ply, change], stack.origin[ply, change]
        where[piece] = space
        occupied[space] = piece + 1
