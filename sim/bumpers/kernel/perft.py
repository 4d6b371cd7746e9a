"""Counting the lines of play: perft."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part
from sim.bumpers.kernel.layouts import Layouts
from sim.bumpers.kernel.move_generation import count_piece_moves, make_move, move_piece, take_back
from sim.bumpers.kernel.position import Game, Pieces

DONE, PAUSED, UNKNOWN_AHEAD = 0, 1, 2
"""How a run ends: all is counted, its share of steps is used up, or the mat moves of the
arrangement that it came to are not known."""


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


def new_stack(depth: int, pieces: int, moves: int) -> Stack:
    """Return the stack of a count that has not begun.

    Args:
        depth: How many moves a line has.
        pieces: How many pieces there are.
        moves: How many moves there are to try at first.
    """
    plies = depth + 1
    return Stack(
        ply=np.zeros(1, np.int64),
        next_move=np.zeros(plies, np.int64),
        arrangement=np.zeros(plies, np.int64),
        changes=np.zeros(plies, np.int64),
        who=np.zeros((plies, pieces + 1), np.uint8),
        origin=np.zeros((plies, pieces + 1), np.uint16),
        to=np.zeros((plies, pieces + 1), np.uint16),
        leaves=np.full(moves, -1, np.int64),
    )


@jitted
def count_leaves(
    game: Game, pieces: Pieces, layouts: Layouts, stack: Stack, depth: int, steps: int
) -> int:
    """Count the lines of ``depth`` moves on from where the stack is, and return how it ended.

    The moves of the last ply are counted, not made. Once all is counted, the pieces are where they
    were.

    Args:
        game: What no move changes.
        pieces: Where the pieces are.
        layouts: What is known of arrangements; without mat moves none is legal.
        stack: Where the count is.
        depth: How many moves a line has, at least 1.
        steps: Moves to make or take back before a pause.
    """
    ply = stack.ply[0]
    for _ in range(steps):
        number = stack.arrangement[ply]
        is_last = ply > 0 and ply == depth - 1
        is_made = False
        if ply == depth:
            stack.leaves[stack.next_move[0] - 1] += 1
        elif layouts.total[number] < 0 or (not is_last and layouts.first[number] < 0):
            stack.ply[0] = ply
            return UNKNOWN_AHEAD
        elif is_last:
            table = layouts.neighbours[number]
            count = count_piece_moves(table, pieces.occupied, pieces.where, game)
            stack.leaves[stack.next_move[0] - 1] += count + layouts.total[number]
        else:
            is_made = _make_next_move(game, pieces, layouts, stack, ply)
        if is_made:
            if ply == 0:
                stack.leaves[stack.next_move[0] - 1] = 0
            ply += 1
            stack.next_move[ply] = 0
        elif ply == 0:
            return DONE
        else:
            ply -= 1
            take_back(pieces, stack.who[ply], stack.origin[ply], stack.changes[ply])
    stack.ply[0] = ply
    return PAUSED


@jitted_part
def _make_next_move(game: Game, pieces: Pieces, layouts: Layouts, stack: Stack, ply: int) -> bool:
    """Make the next legal move of a ply; return whether there is one."""
    where, occupied = pieces.where, pieces.occupied
    who, to = stack.who[ply], stack.to[ply]
    number = stack.arrangement[ply]
    piece_moves = 4 * len(game.movable)
    for move in range(stack.next_move[ply], piece_moves):
        piece = game.movable[move >> 2]
        ahead = layouts.neighbours[number, move & 3]
        changes = move_piece(ahead, occupied, game, piece, where[piece], who, to)
        if changes > 0:
            stack.next_move[ply] = move + 1
            make_move(pieces, stack.who[ply], stack.to[ply], stack.origin[ply], changes)
            stack.changes[ply] = changes
            stack.arrangement[ply + 1] = number
            return True
    mat_move = max(0, stack.next_move[ply] - piece_moves)
    if mat_move >= layouts.total[number]:
        return False
    stack.next_move[ply] = piece_moves + mat_move + 1
    stack.changes[ply] = 0
    stack.arrangement[ply + 1] = layouts.after[layouts.first[number] + mat_move]
    return True
