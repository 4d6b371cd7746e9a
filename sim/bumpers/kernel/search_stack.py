"""Where a search for a solution is."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.position import Encoded, key_of

NODES, GENERATED, HITS, ENTRIES = 0, 1, 2, 3
"""Places in `Path.counts`."""

UNLISTED, PIECES, MATS = 0, 1, 2
"""What moves of a ply are listed: none yet, those of pieces, or after these are tried, of mats."""


class Path(NamedTuple):
    """Where the search is: all that a run needs to go on.

    Attributes:
        ply: How many moves are made, in one cell.
        stage: Which moves are listed, by ply.
        next_move: The place on the list of the move to try next, by ply.
        listed: How many moves on the list may lead to a solution, by ply.
        listed_move: Which: ``listed_move[ply, i]``, place among the movable pieces * 4 + direction,
            or a link.
        listed_bound: Actions needed at least after each.
        listed_keys: The position's 128-bit key after each.
        start: The space where the piece of the last move tried stood, by ply.
        arrangement: The arrangement, by ply.
        hand: The cards in hand, by ply.
        bound: Actions needed at least from here, by ply.
        keys: The position's 128-bit key, by ply.
        solved: 1 if a solution was found on from here, by ply.
        changes: How many pieces the last move moved, by ply.
        who: Which ones.
        origin: Where they came from.
        to: Where they went.
        counts: Moves made, positions generated, positions found in the table, entries used.
    """

    ply: NDArray[np.int64]
    stage: NDArray[np.uint8]
    next_move: NDArray[np.int64]
    listed: NDArray[np.int64]
    listed_move: NDArray[np.int32]
    listed_bound: NDArray[np.uint8]
    listed_keys: NDArray[np.uint64]
    start: NDArray[np.uint16]
    arrangement: NDArray[np.int64]
    hand: NDArray[np.int64]
    bound: NDArray[np.int64]
    keys: NDArray[np.uint64]
    solved: NDArray[np.uint8]
    changes: NDArray[np.int64]
    who: NDArray[np.uint8]
    origin: NDArray[np.uint16]
    to: NDArray[np.uint16]
    counts: NDArray[np.int64]


def new_path(encoded: Encoded, depth: int, mat_moves: int) -> Path:
    """Return the path that begins at a position.

    Args:
        encoded: The position's numbers.
        depth: Most moves.
        mat_moves: Most mat moves that an arrangement has.
    """
    plies, pieces = depth + 1, len(encoded.pieces.where)
    moves = max(4 * len(encoded.game.movable), mat_moves)
    path = Path(
        ply=np.zeros(1, np.int64),
        stage=np.zeros(plies, np.uint8),
        next_move=np.zeros(plies, np.int64),
        listed=np.zeros(plies, np.int64),
        listed_move=np.zeros((plies, moves), np.int32),
        listed_bound=np.zeros((plies, moves), np.uint8),
        listed_keys=np.zeros((plies, moves, 2), np.uint64),
        start=np.zeros(plies, np.uint16),
        arrangement=np.zeros(plies, np.int64),
        hand=np.zeros(plies, np.int64),
        bound=np.zeros(plies, np.int64),
        keys=np.zeros((plies, 2), np.uint64),
        solved=np.zeros(plies, np.uint8),
        changes=np.zeros(plies, np.int64),
        who=np.zeros((plies, pieces + 1), np.uint8),
        origin=np.zeros((plies, pieces + 1), np.uint16),
        to=np.zeros((plies, pieces + 1), np.uint16),
        counts=np.zeros(4, np.int64),
    )
    path.keys[0] = key_of(encoded)
    return path
