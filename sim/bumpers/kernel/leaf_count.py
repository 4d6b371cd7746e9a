"""Leaf counts of the tree of moves (perft), by depth-first search with an explicit stack."""

from typing import NamedTuple

import numpy as np

from pucklab.base.kernels import inlined, kernel
from pucklab.sim.bumpers.kernel.arrays import I64, U8, U16
from pucklab.sim.bumpers.kernel.layouts import LayoutArrays
from pucklab.sim.bumpers.kernel.move_generation import (
    count_piece_moves,
    make_move,
    move_piece,
    unmake_move,
)
from pucklab.sim.bumpers.kernel.position import Encoded

DONE, PAUSED, LAYOUT_UNKNOWN = 0, 1, 2
"""Results of a run: all is counted, out of steps, or a layout whose mat moves are not expanded."""


class LeafCountStack(NamedTuple):
    """The state of a count, from which a run goes on. Arrays are indexed by ply.

    Attributes:
        ply: The current ply, in an array of one.
        next_move: The move to try next: piece * 4 + direction, then mat moves.
        layout: The number of the layout.
        changes: Number of pieces that the last move moved.
        who: Those pieces.
        origin: The spaces they left.
        to: The spaces they moved to.
        leaves: Leaves by first move; -1 for a first move that was not made.
    """

    ply: I64
    next_move: I64
    layout: I64
    changes: I64
    who: U8
    origin: U16
    to: U16
    leaves: I64


def new_leaf_count_stack(depth: int, pieces: int, moves: int) -> LeafCountStack:
    """Return the stack of a new count.

    Args:
        depth: Moves in a line.
        pieces: The number of pieces.
        moves: The number of first moves to try.
    """
    plies = depth + 1
    return LeafCountStack(
        ply=np.zeros(1, np.int64),
        next_move=np.zeros(plies, np.int64),
        layout=np.zeros(plies, np.int64),
        changes=np.zeros(plies, np.int64),
        who=np.zeros((plies, pieces + 1), np.uint8),
        origin=np.zeros((plies, pieces + 1), np.uint16),
        to=np.zeros((plies, pieces + 1), np.uint16),
        leaves=np.full(moves, -1, np.int64),
    )


@kernel
def count_leaves(
    encoded: Encoded, layouts: LayoutArrays, stack: LeafCountStack, depth: int, steps: int
) -> int:
    """Count lines of ``depth`` moves, going on from the state of the stack; return the result.

    The moves of the last ply are counted, not made. Once all is counted, the pieces are back in
    place.

    Args:
        encoded: The position.
        layouts: The arrays of the layouts met; without mat moves none is legal.
        stack: The state of the count.
        depth: Moves in a line, at least 1.
        steps: Moves to make or unmake before the run pauses.
    """
    ply = stack.ply[0]
    for _ in range(steps):
        number = stack.layout[ply]
        is_last = ply > 0 and ply == depth - 1
        is_made = False
        if ply == depth:
            stack.leaves[stack.next_move[0] - 1] += 1
        elif layouts.total[number] < 0 or (not is_last and layouts.first[number] < 0):
            stack.ply[0] = ply
            return LAYOUT_UNKNOWN
        elif is_last:
            count = count_piece_moves(encoded, layouts.neighbours[number])
            stack.leaves[stack.next_move[0] - 1] += count + layouts.total[number]
        else:
            is_made = _make_next_move(encoded, layouts, stack, ply)
        if is_made:
            if ply == 0:
                stack.leaves[stack.next_move[0] - 1] = 0
            ply += 1
            stack.next_move[ply] = 0
        elif ply == 0:
            return DONE
        else:
            ply -= 1
            unmake_move(encoded.pieces, stack.who[ply], stack.origin[ply], stack.changes[ply])
    stack.ply[0] = ply
    return PAUSED


@inlined
def _make_next_move(
    encoded: Encoded, layouts: LayoutArrays, stack: LeafCountStack, ply: int
) -> bool:
    """Make the next legal move of a ply; return False if none is left."""
    number, movable = stack.layout[ply], encoded.game.movable
    piece_moves = 4 * len(movable)
    for move in range(stack.next_move[ply], piece_moves):
        ahead = layouts.neighbours[number, move & 3]
        change = move_piece(encoded, ahead, movable[move >> 2], stack.who[ply], stack.to[ply])
        if change.number > 0:
            stack.next_move[ply] = move + 1
            make_move(encoded.pieces, change, stack.origin[ply])
            stack.changes[ply] = change.number
            stack.layout[ply + 1] = number
            return True
    mat_move = max(0, stack.next_move[ply] - piece_moves)
    if mat_move >= layouts.total[number]:
        return False
    stack.next_move[ply] = piece_moves + mat_move + 1
    stack.changes[ply] = 0
    stack.layout[ply + 1] = layouts.after[layouts.first[number] + mat_move]
    return True
