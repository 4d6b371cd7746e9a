"""Depth-first search for a solution of a given number of actions.

One iteration of iterative deepening A*: moves whose lower bound does not fit into the actions left
are pruned, and positions without a solution are stored in the transposition table. The recursion is
an explicit `SearchStack`, so that a run can pause after some nodes and go on later.
"""

import numpy as np

from physics.compiling import inlined, jitted
from sim.bumpers.kernel.layouts import KIND_BIT
from sim.bumpers.kernel.move_generation import (
    generate_mat_moves,
    generate_piece_moves,
    make_move,
    move_piece,
    unmake_move,
)
from sim.bumpers.kernel.search_stack import (
    ENTRIES,
    HITS,
    MAT_MOVES,
    NODES,
    NOT_GENERATED,
    PIECE_MOVES,
    Search,
    SearchStack,
)
from sim.bumpers.kernel.transposition_table import is_refuted, store

EXHAUSTED, FOUND, PAUSED, LAYOUT_UNKNOWN = 0, 1, 2, 3
"""Results of a run: no (further) solution, a solution, out of nodes, or a layout whose mat moves
are not expanded yet."""

MADE, NO_MORE = 4, 5
"""Results of `_make_next_move` besides `FOUND`: a move was made, or none is left."""


@jitted
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
    encoded, _, _, stack, table = search
    ply, made = stack.ply[0], 0
    result = PAUSED
    while made < nodes:
        left = depth - ply - 1
        if stack.stage[ply] == NOT_GENERATED:
            generate_piece_moves(search, ply, left)
        found = _make_next_move(search, ply, left)
        if (
            found == NO_MORE
            and stack.stage[ply] == PIECE_MOVES
            and left > 0
            and stack.cards[ply] > 0
        ):
            if not generate_mat_moves(search, ply, left):
                result = LAYOUT_UNKNOWN
                break
        elif found == MADE:
            made += 1
            ply += 1
            stack.stage[ply] = NOT_GENERATED
            stack.solved[ply] = 0
        elif found == FOUND:
            for before in range(ply + 1):
                stack.solved[before] = 1
            result = FOUND
            break
        else:
            if not stack.solved[ply]:
                low, high = stack.keys[ply, 0], stack.keys[ply, 1]
                stack.counts[ENTRIES] += store(table, low, high, depth - ply)
            if ply == 0:
                result = EXHAUSTED
                break
            ply -= 1
            unmake_move(encoded.pieces, stack.who[ply], stack.origin[ply], stack.changes[ply])
            _close_move(stack, ply, stack.next_move[ply] - 1, stack.solved[ply + 1] == 0)
    stack.ply[0] = ply
    stack.counts[NODES] += made
    return result


@inlined
def _make_next_move(search: Search, ply: int, left: int) -> int:
    """Make the next move of a ply that the transposition table does not refute.

    ``left`` actions are left after it. Returns `MADE`, `NO_MORE`, or `FOUND` if it is the
    solution's last and not made.
    """
    encoded, layouts, _, stack, table = search
    for index in range(stack.next_move[ply], stack.move_count[ply]):
        low, high = stack.move_keys[ply, index, 0], stack.move_keys[ply, index, 1]
        bound = stack.move_bounds[ply, index]
        # Earlier moves of this ply may have refuted the position since the move was generated.
        if bound > 0 and is_refuted(table, low, high, left):
            stack.counts[HITS] += 1
            _close_move(stack, ply, index, True)
            continue
        stack.next_move[ply] = index + 1
        move = stack.moves[ply, index]
        number, cards = stack.layout[ply], stack.cards[ply]
        stack.changes[ply] = 0
        if stack.stage[ply] == MAT_MOVES:
            stack.layout[ply + 1] = layouts.after[move]
            stack.cards[ply + 1] = cards - (1 << 2 * (np.int64(layouts.moves[move]) >> KIND_BIT))
        else:
            piece = encoded.game.movable[move >> 2]
            stack.start[ply] = encoded.pieces.where[piece]
            if bound == 0:
                return FOUND
            stack.layout[ply + 1] = number
            stack.cards[ply + 1] = cards
            ahead = layouts.neighbours[number, move & 3]
            change = move_piece(encoded, ahead, piece, stack.who[ply], stack.to[ply])
            make_move(encoded.pieces, change, stack.origin[ply])
            stack.changes[ply] = change.number
        stack.bound[ply + 1] = bound
        stack.keys[ply + 1, 0] = low
        stack.keys[ply + 1, 1] = high
        return MADE
    stack.next_move[ply] = stack.move_count[ply]
    return NO_MORE


@inlined
def _close_move(stack: SearchStack, ply: int, index: int, is_refuted: bool) -> None:
    """Note that a piece move leads to no solution, if that is so."""
    if is_refuted and stack.stage[ply] == PIECE_MOVES:
        stack.closed[ply] |= np.uint64(1) << np.uint64(stack.moves[ply, index])
