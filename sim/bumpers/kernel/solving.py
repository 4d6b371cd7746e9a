"""The search for a solution of a given number of actions: depth first, with bounds and proofs."""

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.actions import is_step, make_move, move_piece, take_back
from sim.bumpers.kernel.aims import UNWANTED, Aim, bound_of
from sim.bumpers.kernel.cards import Cards, follow_link, list_links
from sim.bumpers.kernel.compiling import jitted, jitted_part
from sim.bumpers.kernel.encoding import Encoded, Game, Pieces
from sim.bumpers.kernel.path import ENTRIES, GENERATED, HITS, NODES, UNLISTED, Path
from sim.bumpers.kernel.proofs import fetch, is_proved, keep_proof

NONE, FOUND, PAUSED, FULL = 0, 1, 2, 3
"""How a run ends: there is no (other) solution, here is one, its share of nodes is used up, or
arrangements need room."""

MADE, NO_MORE = 4, 5
"""What comes of a ply's next move, besides `FOUND` and `FULL`: it is made, or there is none."""


@jitted
def search(
    encoded: Encoded,
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    cards: Cards | None,
    depth: int,
    nodes: int,
) -> int:
    """Search for a solution of at most ``depth`` actions from where the path is.

    Args:
        encoded: The position; once there is none (other), it is as it was.
        aim: What is wanted.
        path: Where the search is; at a solution its last move is tried, not made.
        table: Proofs; new ones are added.
        cards: What is known of mat moves; None if no card is in hand, for which numba compiles a
            shorter function.
        depth: Most actions, at least 1.
        nodes: Moves to make before a pause.

    Returns:
        `NONE`, `FOUND`, `PAUSED` or `FULL`.
    """
    ply, made = path.ply[0], 0
    while made < nodes:
        left = depth - ply - 1
        number = path.arrangement[ply]
        neighbours = encoded.arrangements.neighbours[number]
        if path.next_move[ply] == UNLISTED:
            _list_moves(
                encoded.game,
                neighbours,
                encoded.pieces,
                encoded.zobrist,
                aim,
                aim.distances[number],
                path,
                table,
                ply,
                left,
            )
        found = _make_next_move(encoded.game, neighbours, encoded.pieces, path, table, ply, left)
        if cards is not None and found == NO_MORE and left > 0 and path.hand[ply] > 0:
            found = _make_next_mat_move(encoded, aim, path, table, cards, ply, left)
        if found == MADE:
            made += 1
            ply += 1
            path.next_move[ply] = UNLISTED
            path.solved[ply] = 0
        elif found in (FOUND, FULL):
            for before in range(ply + 1 if found == FOUND else 0):
                path.solved[before] = 1
            path.ply[0] = ply
            path.counts[NODES] += made
            return found
        else:
            if not path.solved[ply]:
                low, high = path.keys[ply, 0], path.keys[ply, 1]
                path.counts[ENTRIES] += keep_proof(table, low, high, depth - ply)
            if ply == 0:
                path.counts[NODES] += made
                return NONE
            ply -= 1
            take_back(encoded.pieces, path.who[ply], path.origin[ply], path.changes[ply])
    path.ply[0] = ply
    path.counts[NODES] += made
    return PAUSED


@jitted_part
def _list_moves(
    game: Game,
    neighbours: NDArray[np.uint16],
    pieces: Pieces,
    zobrist: NDArray[np.uint64],
    aim: Aim,
    distances: NDArray[np.uint8],
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    left: int,
) -> None:
    """List the piece moves of a ply that may lead to a solution, with bounds and keys.

    ``left`` actions are left after each.
    """
    where, occupied = pieces.where, pieces.occupied
    who, to = path.who[ply], path.to[ply]
    bound_here = path.bound[ply]
    must_near = bound_here > left
    generated = listed = 0
    for move in range(4 * len(game.movable)):
        piece = game.movable[move >> 2]
        ahead = neighbours[move & 3]
        start = where[piece]
        if (
            must_near
            and aim.row[piece] == UNWANTED
            and is_step(ahead, occupied, game, piece, start)
        ):
            generated += 1
            continue
        changes = move_piece(ahead, occupied, game, piece, start, who, to)
        if changes == 0:
            continue
        generated += 1
        is_nearer = False
        is_other = False
        for change in range(changes):
            row = aim.row[who[change]]
            before = distances[row, where[who[change]]]
            after = distances[row, to[change]]
            is_nearer |= after < before
            is_other |= after != before
        if must_near and not is_nearer:
            continue
        bound = bound_here
        if is_other:
            bound = bound_of(aim, distances, where, who, to, changes, path.hand[ply] > 0)
            if bound > left:
                continue
        low, high = path.keys[ply, 0], path.keys[ply, 1]
        for change in range(changes):
            moved, space = who[change], to[change]
            origin = where[moved]
            low ^= zobrist[moved, origin, 0] ^ zobrist[moved, space, 0]
            high ^= zobrist[moved, origin, 1] ^ zobrist[moved, space, 1]
        path.listed_move[ply, listed] = move
        path.listed_bound[ply, listed] = bound
        path.listed_keys[ply, listed, 0] = low
        path.listed_keys[ply, listed, 1] = high
        listed += 1
    path.next_move[ply] = 0
    path.listed[ply] = listed
    path.counts[GENERATED] += generated
    path.fetched[0] = fetch(table, path.listed_keys[ply], listed)


@jitted_part
def _make_next_move(
    game: Game,
    neighbours: NDArray[np.uint16],
    pieces: Pieces,
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    left: int,
) -> int:
    """Make the next piece move of a ply's list that may lead to a solution.

    ``left`` actions are left after it. Returns `MADE`, `NO_MORE`, or `FOUND` if it is the
    solution's last and not made.
    """
    for index in range(path.next_move[ply], path.listed[ply]):
        low, high = path.listed_keys[ply, index, 0], path.listed_keys[ply, index, 1]
        bound = path.listed_bound[ply, index]
        # Moves before it on the list may have proved it since that was made.
        if bound > 0 and is_proved(table, low, high, left):
            path.counts[HITS] += 1
            continue
        move = path.listed_move[ply, index]
        piece = game.movable[move >> 2]
        start = pieces.where[piece]
        path.next_move[ply] = index + 1
        path.start[ply] = start
        path.mat_move[ply] = -1
        if bound == 0:
            return FOUND
        who, to = path.who[ply], path.to[ply]
        changes = move_piece(neighbours[move & 3], pieces.occupied, game, piece, start, who, to)
        make_move(pieces, path.who[ply], path.to[ply], path.origin[ply], changes)
        path.changes[ply] = changes
        path.arrangement[ply + 1] = path.arrangement[ply]
        path.hand[ply + 1] = path.hand[ply]
        path.bound[ply + 1] = bound
        path.keys[ply + 1, 0] = low
        path.keys[ply + 1, 1] = high
        return MADE
    path.next_move[ply] = max(path.next_move[ply], path.listed[ply])
    return NO_MORE


@jitted_part
def _make_next_mat_move(
    encoded: Encoded,
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    cards: Cards,
    ply: int,
    left: int,
) -> int:
    """Make the next mat move of a ply that may lead to a solution.

    ``left`` actions are left after it, at least 1. Returns `MADE`, `NO_MORE` or `FULL`.
    """
    arrangements, number = encoded.arrangements, path.arrangement[ply]
    if not list_links(arrangements, cards, number):
        return FULL
    piece_moves = path.listed[ply]
    for index in range(path.next_move[ply] - piece_moves, cards.total[number]):
        link = cards.first[number] + index
        mat_move = np.int64(cards.moves[link])
        shift = 2 * (mat_move >> 25)
        hand = path.hand[ply]
        if hand >> shift & 3 == 0:
            continue
        path.next_move[ply] = piece_moves + index
        after = follow_link(encoded, aim, cards, number, link)
        if after < 0:
            return FULL
        path.counts[GENERATED] += 1
        rest = hand - (1 << shift)
        bound = bound_of(
            aim,
            aim.distances[after],
            encoded.pieces.where,
            path.who[ply],
            path.to[ply],
            0,
            rest > 0,
        )
        if bound > left:
            continue
        low = path.keys[ply, 0] ^ arrangements.keys[number, 0] ^ arrangements.keys[after, 0]
        high = path.keys[ply, 1] ^ arrangements.keys[number, 1] ^ arrangements.keys[after, 1]
        low ^= cards.keys[hand, 0] ^ cards.keys[rest, 0]
        high ^= cards.keys[hand, 1] ^ cards.keys[rest, 1]
        if is_proved(table, low, high, left):
            path.counts[HITS] += 1
            continue
        path.next_move[ply] = piece_moves + index + 1
        path.mat_move[ply] = mat_move
        path.changes[ply] = 0
        path.arrangement[ply + 1] = after
        path.hand[ply + 1] = rest
        path.bound[ply + 1] = bound
        path.keys[ply + 1, 0] = low
        path.keys[ply + 1, 1] = high
        return MADE
    return NO_MORE
