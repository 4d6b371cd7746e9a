"""The search for a solution of a given number of actions: depth first, with bounds and proofs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bumpers.kernel.actions import move_piece
from sim.bumpers.kernel.compiling import jitted
from sim.bumpers.kernel.distances import NO_WAY
from sim.bumpers.kernel.encoding import Encoded, Game, Pieces
from sim.bumpers.kernel.proofs import is_proved, keep_proof

NONE, FOUND, PAUSED = 0, 1, 2
"""How a run ends: there is no (other) solution, here is one, or its share of nodes is used up."""

MADE, NO_MORE = 3, 4
"""What comes of the next move of a ply, besides `FOUND`: it is made, or there is none."""

NODES, GENERATED, HITS, ENTRIES = 0, 1, 2, 3
"""Places in `Path.counts`."""


class Aim(NamedTuple):
    """What is wanted.

    Attributes:
        wanted: The pieces of which some must come where they are wanted.
        needed: How many of them must.
        distances: ``distances[piece, space]``: actions needed at least, `NO_WAY` for others.
    """

    wanted: NDArray[np.uint8]
    needed: int
    distances: NDArray[np.uint8]


class Path(NamedTuple):
    """Where the search is: all that a run needs to go on.

    Attributes:
        ply: How many moves are made, in one cell.
        next_move: The move to try next, by ply: place among the movable pieces * 4 + direction.
        start: The space where the piece of the last move tried stood, by ply.
        bound: Actions needed at least from here, by ply.
        keys: The position's 128-bit key, by ply.
        solved: 1 if a solution was found on from here, by ply.
        changes: How many pieces the last move moved, by ply.
        who: Which ones.
        origin: Where they came from.
        to: Where they went.
        sorted: Space for the work on bounds.
        counts: Moves made, positions generated, positions found in the table, entries used.
    """

    ply: NDArray[np.int64]
    next_move: NDArray[np.int64]
    start: NDArray[np.uint16]
    bound: NDArray[np.int64]
    keys: NDArray[np.uint64]
    solved: NDArray[np.uint8]
    changes: NDArray[np.int64]
    who: NDArray[np.uint8]
    origin: NDArray[np.uint16]
    to: NDArray[np.uint16]
    sorted: NDArray[np.int64]
    counts: NDArray[np.int64]


def new_path(encoded: Encoded, depth: int) -> Path:
    """Return the path that begins at a position, with room for ``depth`` moves."""
    plies, pieces = depth + 1, len(encoded.pieces.where)
    path = Path(
        ply=np.zeros(1, np.int64),
        next_move=np.zeros(plies, np.int64),
        start=np.zeros(plies, np.uint16),
        bound=np.zeros(plies, np.int64),
        keys=np.zeros((plies, 2), np.uint64),
        solved=np.zeros(plies, np.uint8),
        changes=np.zeros(plies, np.int64),
        who=np.zeros((plies, pieces + 1), np.uint8),
        origin=np.zeros((plies, pieces + 1), np.uint16),
        to=np.zeros((plies, pieces + 1), np.uint16),
        sorted=np.zeros(pieces + 1, np.int64),
        counts=np.zeros(4, np.int64),
    )
    zobrist = encoded.zobrist[np.arange(pieces), encoded.pieces.where]
    path.keys[0] = np.bitwise_xor.reduce(zobrist, axis=0)
    return path


@jitted
def search(
    encoded: Encoded,
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    depth: int,
    nodes: int,
) -> int:
    """Search for a solution of at most ``depth`` actions from where the path is.

    Args:
        encoded: The position; once there is none (other), it is as it was.
        aim: What is wanted.
        path: Where the search is; at a solution its last move is tried, not made.
        table: Proofs; new ones are added.
        depth: Most actions, at least 1.
        nodes: Moves to make before a pause.

    Returns:
        `NONE`, `FOUND` or `PAUSED`.
    """
    game, pieces = encoded.game, encoded.pieces
    neighbours = encoded.arrangements.neighbours[0]
    ply, made = path.ply[0], 0
    while made < nodes:
        found = _make_next_move(
            game, neighbours, pieces, encoded.zobrist, aim, path, table, ply, depth - ply - 1
        )
        if found == MADE:
            made += 1
            ply += 1
            path.next_move[ply] = 0
            path.solved[ply] = 0
        elif found == FOUND:
            for before in range(ply + 1):
                path.solved[before] = 1
            path.ply[0] = ply
            path.counts[NODES] += made
            return FOUND
        else:
            if not path.solved[ply]:
                low, high = path.keys[ply, 0], path.keys[ply, 1]
                path.counts[ENTRIES] += keep_proof(table, low, high, depth - ply)
            if ply == 0:
                path.counts[NODES] += made
                return NONE
            ply -= 1
            _take_back(pieces, path, ply)
    path.ply[0] = ply
    path.counts[NODES] += made
    return PAUSED


@jitted
def bound_of(aim: Aim, where: NDArray[np.uint16], path: Path, ply: int, changes: int) -> int:
    """Return how many actions are needed at least; 0 if the aim is reached, `NO_WAY` for never.

    An action brings at most one piece into a goal, the last of a chain.

    Args:
        aim: What is wanted.
        where: The space of each piece.
        path: With the move at ``ply`` that is tried, not made.
        ply: Its ply.
        changes: How many pieces it moves.
    """
    ordered = path.sorted
    goal = aim.distances.shape[1] - 1
    count, left = 0, aim.needed
    for index in range(len(aim.wanted)):
        piece = aim.wanted[index]
        space = where[piece]
        for change in range(changes):
            if path.who[ply, change] == piece:
                space = path.to[ply, change]
        distance = np.int64(aim.distances[piece, space])
        if space == goal and distance == 0:
            left -= 1
            continue
        place = count
        while place > 0 and ordered[place - 1] > distance:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = distance
        count += 1
    if left <= 0:
        return 0
    needed = int(ordered[0])
    for index in range(1, left):
        needed = max(needed + 1, int(ordered[index]))
    return min(needed, NO_WAY)


@jitted
def _make_next_move(
    game: Game,
    neighbours: NDArray[np.uint16],
    pieces: Pieces,
    zobrist: NDArray[np.uint64],
    aim: Aim,
    path: Path,
    table: NDArray[np.uint64],
    ply: int,
    left: int,
) -> int:
    """Make the next move of a ply that may lead to a solution.

    ``left`` actions are left after it. Returns `MADE`, `NO_MORE`, or `FOUND` if it is the
    solution's last and not made.
    """
    where, occupied = pieces.where, pieces.occupied
    who, to = path.who[ply], path.to[ply]
    generated = 0
    for move in range(path.next_move[ply], 4 * len(game.movable)):
        piece = game.movable[move >> 2]
        start = where[piece]
        changes = move_piece(neighbours[move & 3], occupied, game, piece, start, who, to)
        if changes == 0:
            continue
        generated += 1
        is_nearer = False
        is_other = False
        for change in range(changes):
            moved = who[change]
            before = aim.distances[moved, where[moved]]
            after = aim.distances[moved, to[change]]
            is_nearer |= after < before
            is_other |= after != before
        if path.bound[ply] > left and not is_nearer:
            continue
        bound = path.bound[ply]
        if is_other:
            bound = bound_of(aim, where, path, ply, changes)
            if bound > left:
                continue
        path.next_move[ply] = move + 1
        path.start[ply] = start
        if bound == 0:
            path.counts[GENERATED] += generated
            return FOUND
        low, high = path.keys[ply, 0], path.keys[ply, 1]
        for change in range(changes):
            moved, space = who[change], to[change]
            origin = where[moved]
            low ^= zobrist[moved, origin, 0] ^ zobrist[moved, space, 0]
            high ^= zobrist[moved, origin, 1] ^ zobrist[moved, space, 1]
        if is_proved(table, low, high, left):
            path.counts[HITS] += 1
            continue
        _make(pieces, path, ply, changes)
        path.bound[ply + 1] = bound
        path.keys[ply + 1, 0] = low
        path.keys[ply + 1, 1] = high
        path.counts[GENERATED] += generated
        return MADE
    path.counts[GENERATED] += generated
    return NO_MORE


@jitted
def _make(pieces: Pieces, path: Path, ply: int, changes: int) -> None:
    """Move the pieces of a ply's move."""
    where, occupied = pieces.where, pieces.occupied
    who, to, origin = path.who[ply], path.to[ply], path.origin[ply]
    for change in range(changes):
        space = where[who[change]]
        origin[change] = space
        occupied[space] = pieces.vacated[space]
    for change in range(changes):
        where[who[change]] = to[change]
        if to[change] < len(occupied) - 1:
            occupied[to[change]] = who[change] + 1
    path.changes[ply] = changes


@jitted
def _take_back(pieces: Pieces, path: Path, ply: int) -> None:
    """Move them back."""
    where, occupied = pieces.where, pieces.occupied
    who, origin = path.who[ply], path.origin[ply]
    for change in range(path.changes[ply]):
        space = where[who[change]]
        occupied[space] = pieces.vacated[space]
    for change in range(path.changes[ply]):
        where[who[change]] = origin[change]
        occupied[origin[change]] = who[change] + 1
