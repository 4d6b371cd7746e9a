"""The search for a solution of a given number of actions: depth first, with bounds and proofs."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted, jitted_part
from sim.bumpers.kernel.heuristic import Aim
from sim.bumpers.kernel.layouts import KIND_BIT, Layouts
from sim.bumpers.kernel.move_generation import (
    list_mat_moves,
    list_piece_moves,
    make_move,
    move_piece,
    take_back,
)
from sim.bumpers.kernel.position import Encoded
from sim.bumpers.kernel.search_stack import ENTRIES, HITS, MATS, NODES, PIECES, UNLISTED, Path
from sim.bumpers.kernel.transposition_table import is_proved, keep_proof

NONE, FOUND, PAUSED, UNKNOWN_AHEAD = 0, 1, 2, 3
"""How a run ends: there is no (other) solution, here is one, its share of nodes is used up, or it
is not known where the mat moves of the arrangement lead that it came to."""

MADE, NO_MORE = 4, 5
"""What comes of a ply's next move, besides `FOUND`: it is made, or there is none."""


@jitted
def search(
    encoded: Encoded,
    layouts: Layouts,
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    depth: int,
    nodes: int,
) -> int:
    """Search for a solution of at most ``depth`` actions from where the path is.

    Args:
        encoded: The position; once there is none (other), it is as it was.
        layouts: What is known of arrangements.
        aim: What is wanted.
        path: Where the search is; at a solution its last move is tried, not made.
        table: Proofs; new ones are added.
        depth: Most actions, at least 1.
        nodes: Moves to make before a pause.

    Returns:
        `NONE`, `FOUND`, `PAUSED` or `UNKNOWN_AHEAD`.
    """
    ply, made = path.ply[0], 0
    ended = PAUSED
    while made < nodes:
        left = depth - ply - 1
        if path.stage[ply] == UNLISTED:
            list_piece_moves(encoded, layouts, aim, path, table, ply, left)
        found = _make_next_move(encoded, layouts, path, table, ply, left)
        if found == NO_MORE and path.stage[ply] == PIECES and left > 0 and path.hand[ply] > 0:
            if not list_mat_moves(encoded, layouts, aim, path, table, ply, left):
                ended = UNKNOWN_AHEAD
                break
        elif found == MADE:
            made += 1
            ply += 1
            path.stage[ply] = UNLISTED
            path.solved[ply] = 0
        elif found == FOUND:
            for before in range(ply + 1):
                path.solved[before] = 1
            ended = FOUND
            break
        else:
            if not path.solved[ply]:
                low, high = path.keys[ply, 0], path.keys[ply, 1]
                path.counts[ENTRIES] += keep_proof(table, low, high, depth - ply)
            if ply == 0:
                ended = NONE
                break
            ply -= 1
            take_back(encoded.pieces, path.who[ply], path.origin[ply], path.changes[ply])
    path.ply[0] = ply
    path.counts[NODES] += made
    return ended


@jitted_part
def _make_next_move(
    encoded: Encoded,
    layouts: Layouts,
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    left: int,
) -> int:
    """Make the next move of a ply's list that may lead to a solution.

    ``left`` actions are left after it. Returns `MADE`, `NO_MORE`, or `FOUND` if it is the
    solution's last and not made.
    """
    game, pieces, _ = encoded
    for index in range(path.next_move[ply], path.listed[ply]):
        low, high = path.listed_keys[ply, index, 0], path.listed_keys[ply, index, 1]
        bound = path.listed_bound[ply, index]
        # Moves before it on the list may have proved it since that was made.
        if bound > 0 and is_proved(table, low, high, left):
            path.counts[HITS] += 1
            continue
        path.next_move[ply] = index + 1
        move = path.listed_move[ply, index]
        number, hand = path.arrangement[ply], path.hand[ply]
        changes = 0
        if path.stage[ply] == MATS:
            path.arrangement[ply + 1] = layouts.after[move]
            path.hand[ply + 1] = hand - (1 << 2 * (np.int64(layouts.moves[move]) >> KIND_BIT))
        else:
            piece = game.movable[move >> 2]
            start = pieces.where[piece]
            path.start[ply] = start
            if bound == 0:
                return FOUND
            path.arrangement[ply + 1] = number
            path.hand[ply + 1] = hand
            ahead = layouts.neighbours[number, move & 3]
            who, to = path.who[ply], path.to[ply]
            changes = move_piece(ahead, pieces.occupied, game, piece, start, who, to)
            make_move(pieces, who, to, path.origin[ply], changes)
        path.changes[ply] = changes
        path.bound[ply + 1] = bound
        path.keys[ply + 1, 0] = low
        path.keys[ply + 1, 1] = high
        return MADE
    path.next_move[ply] = path.listed[ply]
    return NO_MORE
