"""Making every move of many positions, for a breadth-first search."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.actions import key_change, move_piece
from sim.bumpers.kernel.codes import FIRST
from sim.bumpers.kernel.compiling import jitted, jitted_part
from sim.bumpers.kernel.encoding import Game
from sim.bumpers.kernel.frontier import Frontier, Seen, add_key


class Work(NamedTuple):
    """Space for the work on one position.

    Attributes:
        occupied: What is on each space; as without pieces between positions.
        vacated: What is on each space when no piece is.
        who: The pieces that a move moves.
        to: The spaces they come to.
    """

    occupied: NDArray[np.uint8]
    vacated: NDArray[np.uint8]
    who: NDArray[np.uint8]
    to: NDArray[np.uint16]


class Ahead(NamedTuple):
    """The mat moves of some positions.

    Attributes:
        first: The first move of each position; one more tells where the last one's end.
        keys: What each changes in a position's 128-bit key.
        after: The arrangement that each leads to; empty if that is not wanted.
    """

    first: NDArray[np.int64]
    keys: NDArray[np.uint64]
    after: NDArray[np.int32]


@jitted
def expand_pieces(
    game: Game,
    neighbours: NDArray[np.uint16],
    zobrist: NDArray[np.uint64],
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    work: Work,
    begin: int,
    end: int,
    keep: bool,
) -> None:
    """Add the positions after each piece move of the positions from ``begin`` to ``end``.

    Args:
        game: What no move changes.
        neighbours: ``neighbours[arrangement, direction, space]``.
        zobrist: Numbers for keys, by piece and space.
        frontier: The positions.
        following: Positions not met before are added; there is room for all.
        seen: Their keys are added; there is room for all.
        work: Space for the work.
        begin: The first position.
        end: The one after the last.
        keep: The positions found are kept, to go on from them; if not, they are only counted.
    """
    beyond = len(work.occupied) - 1
    for index in range(begin, end):
        where = frontier.where[index]
        for piece in range(len(where)):
            if where[piece] < beyond:
                work.occupied[where[piece]] = piece + FIRST
        for move in range(4 * len(game.movable)):
            piece = game.movable[move >> 2]
            ahead = neighbours[frontier.arrangement[index], move & 3]
            changes = move_piece(ahead, work.occupied, game, piece, where[piece], work.who, work.to)
            if changes == 0:
                continue
            low, high = key_change(zobrist, where, work.who, work.to, changes)
            low ^= frontier.keys[index, 0]
            high ^= frontier.keys[index, 1]
            if add_key(seen, low, high):
                new = _add_position(frontier, following, index, low, high, keep)
                for change in range(changes if keep else 0):
                    following.where[new, work.who[change]] = work.to[change]
        for piece in range(len(where)):
            work.occupied[where[piece]] = work.vacated[where[piece]]


@jitted
def expand_mats(
    frontier: Frontier,
    following: Frontier,
    seen: Seen,
    ahead: Ahead,
    begin: int,
    end: int,
    keep: bool,
) -> None:
    """Add the positions after each mat move of the positions from ``begin`` to ``end``.

    Args:
        frontier: The positions.
        following: As of `expand_pieces`.
        seen: As of `expand_pieces`.
        ahead: Their mat moves.
        begin: The first position.
        end: The one after the last.
        keep: As of `expand_pieces`.
    """
    for index in range(begin, end):
        for link in range(ahead.first[index - begin], ahead.first[index - begin + 1]):
            low = frontier.keys[index, 0] ^ ahead.keys[link, 0]
            high = frontier.keys[index, 1] ^ ahead.keys[link, 1]
            if add_key(seen, low, high):
                new = _add_position(frontier, following, index, low, high, keep)
                if keep:
                    following.arrangement[new] = ahead.after[link]


@jitted_part
def _add_position(
    frontier: Frontier,
    following: Frontier,
    index: int,
    low: np.uint64,
    high: np.uint64,
    keep: bool,
) -> int:
    """Count a position; if it is kept, as a copy of one with another key. Return its number."""
    new = following.used[0]
    following.used[0] = new + 1
    if keep:
        for piece in range(frontier.where.shape[1]):
            following.where[new, piece] = frontier.where[index, piece]
        following.arrangement[new] = frontier.arrangement[index]
        following.keys[new, 0] = low
        following.keys[new, 1] = high
    return int(new)
