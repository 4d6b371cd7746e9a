"""Depth-first search for a solution of a given number of actions.

One iteration of iterative deepening A*: moves whose lower bound does not fit into the actions left
are pruned, and positions without a solution are stored in the transposition table. The recursion is
an explicit `SearchStack`, so that a run can pause after some nodes and go on later.
"""

import numpy as np

from pucklab.base.kernels import inlined, kernel
from pucklab.sim.bumpers.kernel.arrays import U64
from pucklab.sim.bumpers.kernel.layouts import KIND_BIT
from pucklab.sim.bumpers.kernel.move_generation import (
    generate_mat_moves,
    generate_piece_moves,
    make_move,
    move_piece,
    unmake_move,
)
from pucklab.sim.bumpers.kernel.search_stack import (
    ENTRIES,
    HITS,
    MAT_MOVES,
    NODES,
    NOT_GENERATED,
    PIECE_MOVES,
    Search,
    SearchStack,
)
from pucklab.sim.bumpers.kernel.transposition_table import is_refuted, store

EXHAUSTED, FOUND, PAUSED, LAYOUT_UNKNOWN = 0, 1, 2, 3
"""Results of a run: no (further) solution, a solution, out of nodes, or a layout whose mat moves
are not expanded yet."""


@kernel
def search_depth_first(search: Search, depth: int, nodes: int) -> int:
    """Search for a solution of at most ``depth`` actions, going on from the state of the stack.

    Args:
        search: The search; its position is restored when it is exhausted, and the last move of a
            solution is not made.
        depth: Most actions, at least 1.
        nodes: Nodes to visit before the run pauses.

    Returns:
        `EXHAUSTED`, `FOUND`, `PAUSED` or `LAYOUT_UNKNOWN`.
    """
    encoded, layouts, _, stack, table = search
    where, movable = encoded.pieces.where, encoded.game.movable
    ply, made = stack.ply[0], 0
    result = PAUSED
    while made < nodes:
        left = depth - ply - 1
        if stack.stage[ply] == NOT_GENERATED:
            generate_piece_moves(search, ply, left)
        index = _skip_refuted(stack, table, ply, left)
        if index == stack.move_count[ply]:
            if stack.stage[ply] == PIECE_MOVES and left > 0 and stack.cards[ply] > 0:
                if not generate_mat_moves(search, ply, left):
                    result = LAYOUT_UNKNOWN
                    break
                continue
            # Back up: nothing is left to try.
            if not stack.solved[ply]:
                low, high = stack.keys[ply, 0], stack.keys[ply, 1]
                stack.counts[ENTRIES] += store(table, low, high, depth - ply)
            if ply == 0:
                result = EXHAUSTED
                break
            ply -= 1
            unmake_move(encoded.pieces, stack.who[ply], stack.origin[ply], stack.changes[ply])
            if stack.stage[ply] == PIECE_MOVES and not stack.solved[ply + 1]:
                move = stack.moves[ply, stack.next_move[ply] - 1]
                stack.closed[ply] |= np.uint64(1) << np.uint64(move & 63)
            continue
        # Make the move.
        move, number, cards = stack.moves[ply, index], stack.layout[ply], stack.cards[ply]
        stack.next_move[ply] = index + 1
        stack.changes[ply] = 0
        if stack.stage[ply] == MAT_MOVES:
            number = layouts.after[move]
            cards -= 1 << 2 * (np.int64(layouts.moves[move]) >> KIND_BIT)
        else:
            piece = movable[move >> 2]
            stack.start[ply] = where[piece]
            if stack.move_bounds[ply, index] == 0:
                stack.solved[: ply + 1] = 1
                result = FOUND
                break
            ahead = layouts.neighbours[number, move & 3]
            change = move_piece(encoded, ahead, piece, stack.who[ply], stack.to[ply])
            make_move(encoded.pieces, change, stack.origin[ply])
            stack.changes[ply] = change.number
        ply += 1
        stack.layout[ply] = number
        stack.cards[ply] = cards
        stack.bound[ply] = stack.move_bounds[ply - 1, index]
        stack.keys[ply, 0] = stack.move_keys[ply - 1, index, 0]
        stack.keys[ply, 1] = stack.move_keys[ply - 1, index, 1]
        stack.stage[ply] = NOT_GENERATED
        stack.solved[ply] = 0
        made += 1
    stack.ply[0] = ply
    stack.counts[NODES] += made
    return result


@inlined
def _skip_refuted(stack: SearchStack, table: U64, ply: int, left: int) -> int:
    """Return the index of the next move that the transposition table does not refute.

    It is `SearchStack.move_count` if there is none. ``left`` actions are left after the move.
    Earlier moves of this ply may have refuted a position since the move was generated.
    """
    index = int(stack.next_move[ply])
    while index < stack.move_count[ply] and stack.move_bounds[ply, index] > 0:
        low, high = stack.move_keys[ply, index, 0], stack.move_keys[ply, index, 1]
        if not is_refuted(table, low, high, left):
            break
        stack.counts[HITS] += 1
        if stack.stage[ply] == PIECE_MOVES:
            stack.closed[ply] |= np.uint64(1) << np.uint64(stack.moves[ply, index] & 63)
        index += 1
    stack.next_move[ply] = index
    return index
