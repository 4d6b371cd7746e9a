"""The explicit stack of the depth-first search."""

from typing import Any, NamedTuple

import numpy as np

from pucklab.sim.bumpers.kernel.arrays import I32, I64, U8, U16, U64
from pucklab.sim.bumpers.kernel.heuristic import EncodedGoal
from pucklab.sim.bumpers.kernel.layouts import LayoutArrays
from pucklab.sim.bumpers.kernel.position import Encoded, key_of

NODES, LEGAL_MOVES, HITS, ENTRIES = 0, 1, 2, 3
"""Indices of `SearchStack.counts`."""

NOT_GENERATED, PIECE_MOVES, MAT_MOVES = 0, 1, 2
"""Stages of a ply: no moves generated yet, those of pieces, or, after these, those of mats."""


MOST_MOVABLE = 16
"""Pieces whose moves have a bit each in sets of moves, such as `SearchStack.closed`."""


class SearchStack(NamedTuple):
    """The state of a search, from which a run goes on. Arrays are indexed by ply.

    Attributes:
        ply: The current ply, in an array of one.
        stage: The moves generated so far.
        next_move: The index of the move to try next.
        move_count: The number of generated moves whose bound fits.
        moves: ``moves[ply, i]``: index of the movable piece * 4 + direction, or an edge of the
            layout graph.
        move_bounds: ``move_bounds[ply, i]``: the lower bound after each move.
        move_keys: ``move_keys[ply, i]``: the 128-bit key after each move.
        start: The space from which the piece of the last move tried set out.
        layout: The number of the layout.
        cards: The code of the cards in hand.
        bound: The lower bound of the actions left.
        keys: The 128-bit key.
        solved: 1 if a solution was found below this ply.
        changes: Number of pieces that the last move moved.
        who: Those pieces.
        origin: The spaces they left.
        to: The spaces they moved to.
        closed: ``closed[ply]``: piece moves known to lead to no solution, a bit for each, by their
            numbers in ``moves``; see `moves_asleep`.
        reach: ``reach[ply, move]``: lanes of the first and last space that a move depends on, and
            the number and up to four of the spaces that it leaves or enters; see `set_reach`.
        home: ``home[ply, move]``: the ply in which the reach of a closed move stands.
        touched: Scratch array of `moves_asleep`.
        counts: Nodes (moves made), legal moves listed, hits in the transposition table,
            and entries of it in use.
    """

    ply: I64
    stage: U8
    next_move: I64
    move_count: I64
    moves: I32
    move_bounds: U8
    move_keys: U64
    start: U16
    layout: I64
    cards: I64
    bound: I64
    keys: U64
    solved: U8
    changes: I64
    who: U8
    origin: U16
    to: U16
    closed: U64
    reach: I32
    home: U8
    touched: I32
    counts: I64


class Search(NamedTuple):
    """The arrays of the compiled search.

    Attributes:
        encoded: The position.
        layouts: The arrays of the layouts met.
        goal: The goal.
        stack: The search stack.
        table: The transposition table.
    """

    encoded: Encoded
    layouts: LayoutArrays
    goal: EncodedGoal
    stack: SearchStack
    table: U64


def new_search_stack(encoded: Encoded, depth: int, mat_moves: int) -> SearchStack:
    """Return the search stack of a position.

    Args:
        encoded: The encoded position.
        depth: The greatest depth of the search.
        mat_moves: The largest number of mat moves of a layout.
    """
    plies, pieces = depth + 1, len(encoded.pieces.where)
    piece_moves = 4 * len(encoded.game.movable)
    moves = max(piece_moves, mat_moves)

    def by_ply(kind: Any, *shape: int) -> Any:
        return np.zeros((plies, *shape), kind)

    stack = SearchStack(
        ply=np.zeros(1, np.int64),
        stage=by_ply(np.uint8),
        next_move=by_ply(np.int64),
        move_count=by_ply(np.int64),
        moves=by_ply(np.int32, moves),
        move_bounds=by_ply(np.uint8, moves),
        move_keys=by_ply(np.uint64, moves, 2),
        start=by_ply(np.uint16),
        layout=by_ply(np.int64),
        cards=by_ply(np.int64),
        bound=by_ply(np.int64),
        keys=by_ply(np.uint64, 2),
        solved=by_ply(np.uint8),
        changes=by_ply(np.int64),
        who=by_ply(np.uint8, pieces + 1),
        origin=by_ply(np.uint16, pieces + 1),
        to=by_ply(np.uint16, pieces + 1),
        closed=by_ply(np.uint64),
        reach=by_ply(np.int32, piece_moves, 7),
        home=by_ply(np.uint8, piece_moves),
        touched=np.zeros((2, 4), np.int32),
        counts=np.zeros(4, np.int64),
    )
    stack.keys[0] = key_of(encoded)
    return stack
