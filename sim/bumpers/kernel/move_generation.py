"""What a piece's move does, in numbers.

Listing the moves of a position that may lead to a solution, with bounds and keys.
"""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.compiling import jitted_part
from sim.bumpers.kernel.heuristic import UNWANTED, Aim, bound_of, tight_distances, ways_down
from sim.bumpers.kernel.layouts import HAND_KEYS, KIND_BIT, Layouts
from sim.bumpers.kernel.position import EMPTY, FIRST, GOAL, Encoded, Game, Pieces
from sim.bumpers.kernel.search_stack import GENERATED, MATS, PIECES, Path
from sim.bumpers.kernel.transposition_table import expect


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


@jitted_part
def list_piece_moves(
    encoded: Encoded,
    layouts: Layouts,
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    left: int,
) -> None:
    """List the piece moves of a ply.

    Args:
        encoded: The position.
        layouts: What is known of arrangements.
        aim: What is wanted.
        path: Where the search is; the list is written.
        table: Proofs; those that will be asked for are brought near.
        ply: The ply.
        left: Actions left after the move.
    """
    game, pieces, zobrist = encoded
    where, occupied = pieces.where, pieces.occupied
    who, to = path.who[ply], path.to[ply]
    neighbours = layouts.neighbours[path.arrangement[ply]]
    distances = aim.distances[path.arrangement[ply]]
    falls = aim.falls[path.arrangement[ply]]
    bound_here = path.bound[ply]
    must_near = bound_here > left
    has_cards = path.hand[ply] > 0
    least = most = 0  # any, as a card may lower the bound otherwise
    if must_near and not has_cards:
        least, most = tight_distances(aim, distances, where, bound_here)
    slides = game.slid if game.slippery else game.pucks
    listed = 0
    for index in range(len(game.movable)):
        piece = game.movable[index]
        start = where[piece]
        # Only ways down lead nearer; a step of an unwanted piece never does.
        ways = 15
        if must_near:
            ways = ways_down(falls[start], least) & ways_down(falls[start], most)
        is_idle = must_near and aim.row[piece] == UNWANTED and piece >= slides
        for direction in range(4 if ways else 0):
            ahead = neighbours[direction]
            is_way = ways >> direction & 1
            if not is_way or (is_idle and occupied[ahead[start]] <= GOAL):
                continue
            changes = move_piece(ahead, occupied, game, piece, start, who, to)
            if changes == 0:
                continue
            bound = bound_here
            if _changes_bound(aim, distances, where, who, to, changes, must_near, least):
                bound = bound_of(aim, distances, where, who, to, changes, has_cards)
            if bound > left:
                continue
            low, high = key_change(zobrist, where, who, to, changes)
            low ^= path.keys[ply, 0]
            high ^= path.keys[ply, 1]
            _list_move(path, table, ply, listed, 4 * index + direction, bound, low, high)
            listed += 1
    generated = count_piece_moves(neighbours, occupied, where, game)
    _begin_list(path, ply, PIECES, listed, generated)


@jitted_part
def _changes_bound(
    aim: Aim,
    distances: NDArray[np.uint8],
    where: NDArray[np.uint16],
    who: NDArray[np.uint8],
    to: NDArray[np.uint16],
    changes: int,
    must_near: bool,
    least: int,
) -> bool:
    """Return whether a move may change the bound, in the way that is wanted.

    Args:
        aim: What is wanted.
        distances: Those of the arrangement.
        where: The space of each piece.
        who: The pieces that move.
        to: The spaces they come to.
        changes: How many they are.
        must_near: Only a lower bound is wanted.
        least: The distance from which it must bring a piece nearer then, or 0 for any.
    """
    is_nearer = is_other = False
    for change in range(changes):
        row = aim.row[who[change]]
        before = distances[row, where[who[change]]]
        after = distances[row, to[change]]
        is_nearer |= after < before and (least == 0 or before == least)
        is_other |= after != before
    return is_nearer if must_near else is_other


@jitted_part
def list_mat_moves(
    encoded: Encoded,
    layouts: Layouts,
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    left: int,
) -> bool:
    """List the mat moves of a ply; return False if it is not known where they lead.

    Args:
        encoded: The position.
        layouts: What is known of arrangements.
        aim: What is wanted.
        path: Where the search is; the list is written.
        table: Proofs; those that will be asked for are brought near.
        ply: The ply.
        left: Actions left after the move.
    """
    number, hand = path.arrangement[ply], path.hand[ply]
    first = layouts.first[number]
    if first < 0:
        return False
    generated = listed = 0
    for link in range(first, first + layouts.total[number]):
        kind = np.int64(layouts.moves[link]) >> KIND_BIT
        if hand >> 2 * kind & 3 == 0:
            continue
        after = layouts.after[link]
        if after < 0:
            return False
        generated += 1
        rest = hand - (1 << 2 * kind)
        where, who, to = encoded.pieces.where, path.who[ply], path.to[ply]
        bound = bound_of(aim, aim.distances[after], where, who, to, 0, rest > 0)
        if bound > left:
            continue
        low = path.keys[ply, 0] ^ layouts.keys[number, 0] ^ layouts.keys[after, 0]
        high = path.keys[ply, 1] ^ layouts.keys[number, 1] ^ layouts.keys[after, 1]
        low ^= HAND_KEYS[hand, 0] ^ HAND_KEYS[rest, 0]
        high ^= HAND_KEYS[hand, 1] ^ HAND_KEYS[rest, 1]
        _list_move(path, table, ply, listed, link, bound, low, high)
        listed += 1
    _begin_list(path, ply, MATS, listed, generated)
    return True


@jitted_part
def _list_move(
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    place: int,
    move: int,
    bound: int,
    low: np.uint64,
    high: np.uint64,
) -> None:
    expect(table, high)
    path.listed_move[ply, place] = move
    path.listed_bound[ply, place] = bound
    path.listed_keys[ply, place, 0] = low
    path.listed_keys[ply, place, 1] = high


@jitted_part
def _begin_list(path: Path, ply: int, stage: int, listed: int, generated: int) -> None:
    path.stage[ply] = stage
    path.next_move[ply] = 0
    path.listed[ply] = listed
    path.counts[GENERATED] += generated
