"""What a piece's move does, in numbers."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.codes import EMPTY, FIRST, GOAL
from sim.bumpers.kernel.compiling import jitted_part
from sim.bumpers.kernel.encoding import Game, Pieces


@jitted_part
def move_piece(
    ahead: NDArray[np.uint16],
    occupied: NDArray[np.uint8],
    game: Game,
    piece: int,
    start: int,
    who: NDArray[np.uint8],
    to: NDArray[np.uint16],
) -> int:
    """Write which pieces a move moves where, and return how many; 0 if it is impossible.

    Args:
        ahead: The next space of each space in the move's direction.
        occupied: What is on each space; not changed.
        game: What no move changes.
        piece: The piece that sets out.
        start: Its space.
        who: The pieces that move.
        to: The spaces they come to.
    """
    there = ahead[start]
    met = occupied[there]
    sliding, here, count = np.int64(piece), start, 0
    if met > GOAL:
        is_bump = piece >= game.slid and met < game.slid + FIRST
        if not is_bump or occupied[ahead[there]] > GOAL:
            return 0
        sliding, here, count = np.int64(met) - FIRST, there, 1
    is_slide = piece < game.pucks or (game.slippery and piece < game.slid)
    if count > 0 or not is_slide:
        who[0] = piece
        to[0] = there
    if count == 0 and not is_slide:
        return 1
    return _slide(ahead, occupied, game, sliding, here, count, who, to)


@jitted_part
def make_move(
    pieces: Pieces,
    who: NDArray[np.uint8],
    to: NDArray[np.uint16],
    origin: NDArray[np.uint16],
    changes: int,
) -> None:
    """Move pieces as `move_piece` wrote it.

    Args:
        pieces: The pieces.
        who: The pieces that move.
        to: The spaces they come to.
        origin: The spaces they leave are written here.
        changes: How many move.
    """
    where, occupied = pieces.where, pieces.occupied
    for change in range(changes):
        space = where[who[change]]
        origin[change] = space
        occupied[space] = pieces.vacated[space]
    for change in range(changes):
        where[who[change]] = to[change]
        if to[change] < len(occupied) - 1:
            occupied[to[change]] = who[change] + FIRST


@jitted_part
def take_back(
    pieces: Pieces, who: NDArray[np.uint8], origin: NDArray[np.uint16], changes: int
) -> None:
    """Move pieces back to where `make_move` took them from."""
    where, occupied = pieces.where, pieces.occupied
    for change in range(changes):
        space = where[who[change]]
        occupied[space] = pieces.vacated[space]
    for change in range(changes):
        where[who[change]] = origin[change]
        occupied[origin[change]] = who[change] + FIRST


@jitted_part
def key_change(
    zobrist: NDArray[np.uint64],
    where: NDArray[np.uint16],
    who: NDArray[np.uint8],
    to: NDArray[np.uint16],
    changes: int,
) -> tuple[np.uint64, np.uint64]:
    """Return what a move as `move_piece` wrote it changes in a position's 128-bit key."""
    low, high = np.uint64(0), np.uint64(0)
    for change in range(changes):
        moved, space = who[change], to[change]
        origin = where[moved]
        low ^= zobrist[moved, origin, 0] ^ zobrist[moved, space, 0]
        high ^= zobrist[moved, origin, 1] ^ zobrist[moved, space, 1]
    return low, high


@jitted_part
def _slide(
    ahead: NDArray[np.uint16],
    occupied: NDArray[np.uint8],
    game: Game,
    sliding: np.int64,
    here: np.uint16 | int,
    count: int,
    who: NDArray[np.uint8],
    to: NDArray[np.uint16],
) -> int:
    """Write where a piece with an open space ahead slides, and all that it sends sliding.

    ``count`` pieces are written already; returns how many there are then.
    """
    while True:
        is_puck = sliding < game.pucks
        there = ahead[here]
        met = occupied[there]
        while met == EMPTY or (met == GOAL and not is_puck):
            here = there
            there = ahead[here]
            met = occupied[there]
        who[count] = sliding
        if met == GOAL:
            to[count] = len(occupied) - 1
            return count + 1
        to[count] = here
        count += 1
        if met >= game.pucks + FIRST or not game.chains:
            return count
        behind = occupied[ahead[there]]
        while game.pass_through and GOAL < behind < game.pucks + FIRST:
            there = ahead[there]
            met = behind
            behind = occupied[ahead[there]]
        if behind > GOAL:
            return count
        sliding, here = np.int64(met) - FIRST, there


@jitted_part
def count_piece_moves(
    neighbours: NDArray[np.uint16],
    occupied: NDArray[np.uint8],
    where: NDArray[np.uint16],
    game: Game,
) -> int:
    """Return how many piece moves are legal, without making them.

    Args:
        neighbours: The arrangement's table.
        occupied: What is on each space.
        where: The space of each piece; every way from a scored puck leads to the wall.
        game: What no move changes.
    """
    count = 0
    for index in range(len(game.movable)):
        piece = game.movable[index]
        start = where[piece]
        # No branch asks what is ahead, which no processor can foretell.
        for direction in range(4):
            there = neighbours[direction, start]
            met = occupied[there]
            is_legal = met <= GOAL
            if piece >= game.slid:
                behind = occupied[neighbours[direction, there]]
                is_legal |= (met < game.slid + FIRST) & (behind <= GOAL)
            count += is_legal
    return count
