"""The explicit stack of the depth-first search, and the moves that commute with others on it.

`SearchStack` is the state of a search. Two ways to leave out moves rest on moves that commute, that
is, lead to the same position in either order. Both use the corridors of a layout, called lanes.

**Moves asleep** (`moves_asleep`) commute with the move before and are known to lead to no solution.

**Steps that can wait.** Let the spare actions be those left beyond the lower bound. A quiet step is
one of a piece that is no puck of the goal, from and to a space outside of all lanes in which a
move can lower the bound (`stamp_lanes`, `is_quiet`). What happens in those lanes is the same before
and after it, so it commutes with every move that lowers the bound.

1. With one spare action, each move after a quiet step m must lower the bound. Let a be the first.
   A solution m, a, ... is also one in the order a, m, ...: so m need not be tried.
2. With two spare actions, let x be the move after a quiet step m. If x does not touch m, it may
   come first, and it is tried if it is not quiet. If it is quiet, whether it touches m or not, the
   move after it must lower the bound, and may come before both. That leaves the moves x that touch
   m and are not quiet. Unless `may_serve` finds that there may be one, m need not be tried.

So if a position has a solution, one begins with a move that is tried, and what is proved of a
position does not depend on the way to it. If all solutions are wanted, no step is left out.
"""

from typing import NamedTuple

import numpy as np

from physics.compiling import inlined
from sim.bumpers.kernel.arrays import I32, I64, U8, U16, U64
from sim.bumpers.kernel.heuristic import OTHER, EncodedGoal
from sim.bumpers.kernel.pattern_database import LANE_BIT
from sim.bumpers.kernel.position import FIRST, GOAL, Encoded, Game, key_of

NODES, LEGAL_MOVES, HITS, ENTRIES = 0, 1, 2, 3
"""Indices of `SearchStack.counts`."""

NOT_GENERATED, PIECE_MOVES, MAT_MOVES = 0, 1, 2
"""Stages of a ply: no moves generated yet, those of pieces, or, after these, those of mats."""

_EVERYWHERE = 1 << 30
"""A lane value beyond all others."""

_SPACES = 2
"""Row of `EncodedGoal.stamps` for spaces; those before are for lanes of either axis."""


class SearchStack(NamedTuple):
    """The state of a search: all that a run needs to go on. Arrays are indexed by ply.

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
        changes: How many pieces the last move moved.
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


def new_search_stack(encoded: Encoded, depth: int, mat_moves: int) -> SearchStack:
    """Return the search stack of a position.

    Args:
        encoded: The encoded position.
        depth: The greatest depth of the search.
        mat_moves: The largest number of mat moves of a layout.
    """
    plies, pieces = depth + 1, len(encoded.pieces.where)
    moves = max(4 * len(encoded.game.movable), mat_moves)
    stack = SearchStack(
        ply=np.zeros(1, np.int64),
        stage=np.zeros(plies, np.uint8),
        next_move=np.zeros(plies, np.int64),
        move_count=np.zeros(plies, np.int64),
        moves=np.zeros((plies, moves), np.int32),
        move_bounds=np.zeros((plies, moves), np.uint8),
        move_keys=np.zeros((plies, moves, 2), np.uint64),
        start=np.zeros(plies, np.uint16),
        layout=np.zeros(plies, np.int64),
        cards=np.zeros(plies, np.int64),
        bound=np.zeros(plies, np.int64),
        keys=np.zeros((plies, 2), np.uint64),
        solved=np.zeros(plies, np.uint8),
        changes=np.zeros(plies, np.int64),
        who=np.zeros((plies, pieces + 1), np.uint8),
        origin=np.zeros((plies, pieces + 1), np.uint16),
        to=np.zeros((plies, pieces + 1), np.uint16),
        closed=np.zeros(plies, np.uint64),
        reach=np.zeros((plies, 4 * len(encoded.game.movable), 7), np.int32),
        home=np.zeros((plies, 4 * len(encoded.game.movable)), np.uint8),
        touched=np.zeros((2, 4), np.int32),
        counts=np.zeros(4, np.int64),
    )
    stack.keys[0] = key_of(encoded)
    return stack


@inlined
def set_reach(
    lanes: I32,
    where: U16,
    game: Game,
    who: U8,
    to: U16,
    changes: int,
    direction: int,
    start: np.uint16,
    reach: I32,
) -> None:
    """Fill in the spaces that a move depends on, and those that it leaves or enters.

    A move stays in one corridor. It depends on the spaces from its start to the second one behind
    the last stop: a piece on the next space ends the slide, one on the second keeps a puck that is
    hit in its place. Too many spaces are harmless.

    Args:
        lanes: The lanes of the layout.
        where: The space of each piece.
        game: The constants of the position.
        who: The pieces that move.
        to: The spaces they move to.
        changes: How many pieces move.
        direction: The direction of the move.
        start: The space from which it sets out.
        reach: Filled in; see `SearchStack.reach`.
    """
    for change in range(min(changes, 2)):
        reach[3 + 2 * change] = where[who[change]]
        reach[4 + 2 * change] = to[change]
    reach[2] = 2 * min(changes, 2)
    if changes > 2 or game.pass_through:
        reach[0], reach[1] = 0, _EVERYWHERE
        return
    axis = direction & 1
    first = lanes[axis, start]
    last = lanes[axis, to[changes - 1]]
    lowest = first >> LANE_BIT << LANE_BIT
    is_scored = to[changes - 1] == lanes.shape[1] - 1  # in some goal ahead
    if direction < 2:
        reach[0] = first
        reach[1] = lowest + (1 << LANE_BIT) - 1 if is_scored else last + 2
    else:
        reach[0] = lowest if is_scored else last - 2
        reach[1] = first


@inlined
def moves_asleep(lanes: I32, stack: SearchStack, ply: int, among: np.uint64) -> np.uint64:
    """Return the moves of a ply that need not be tried, as they commute with the move before.

    Let p be the position before, b the move that was made in it, and a another move of p which
    is known to lead to no solution: its bound is too large, it is refuted in the table, or it has
    been searched. If a and b do not touch, then a after b gives the same position as b after a,
    and that one has no solution either, with one action less. So a is left out after b, and it is
    known to lead to no solution there, too: it may be left out again later. Every position left
    out is really without a solution, so what is stored of the others remains true, whichever way
    they are reached, and the first solution found is the same as without this.

    Two moves do not touch if neither leaves or enters a space that the other depends on.

    Args:
        lanes: The lanes of the layout.
        stack: The search stack; the moves are added to the closed ones of the ply.
        ply: The ply.
        among: The moves to consider, a bit for each by its number.
    """
    asleep = np.uint64(0)
    if ply == 0 or among == 0:
        return asleep
    closed = stack.closed[ply - 1] & among
    made = stack.moves[ply - 1, stack.next_move[ply - 1] - 1]
    # Lanes of the spaces that the move made leaves or enters, on both axes.
    of_made, touched = stack.reach[ply - 1, made], stack.touched
    spaces_made = of_made[2]
    for slot in range(spaces_made):
        touched[0, slot] = lanes[0, of_made[3 + slot]]
        touched[1, slot] = lanes[1, of_made[3 + slot]]
    first, last, axis_made = of_made[0], of_made[1], made & 1
    for index in range(len(stack.home[ply]) >> 2):
        if closed >> np.uint64(4 * index) & np.uint64(15) == 0:
            continue
        for move in range(4 * index, 4 * index + 4):
            bit = np.uint64(1) << np.uint64(move)
            if closed & bit == 0:
                continue
            home = stack.home[ply - 1, move]
            reach = stack.reach[home, move]
            touches = False
            for slot in range(spaces_made):
                there = touched[move & 1, slot]
                touches |= (there >= reach[0]) & (there <= reach[1])
            for slot in range(3, 3 + reach[2]):
                there = lanes[axis_made, reach[slot]]
                touches |= (there >= first) & (there <= last)
            if not touches:
                asleep |= bit
                stack.home[ply, move] = home
    stack.closed[ply] |= asleep
    return asleep


@inlined
def stamp_lanes(goal: EncodedGoal, where: U16, allowed: np.uint64) -> np.int64:
    """Stamp the lanes in which a move can lower the bound, and return the stamp, a new number.

    Args:
        goal: The goal; ``goal.slots`` is filled in for the position.
        where: The space of each piece.
        allowed: The moves that can lower the bound; see `lowering_moves`.
    """
    stamps, lanes = goal.stamps, goal.database.lanes
    scored = stamps.shape[1] - 1
    stamp = np.int64(stamps[_SPACES, scored] + 1)
    stamps[_SPACES, scored] = stamp
    for index in range(len(goal.pieces)):
        piece = goal.pieces[index]
        here = where[piece]
        ways = np.int64(allowed >> np.uint64(goal.slots[piece]) & np.uint64(15))
        for axis in range(2 if here != scored else 0):
            if ways & (5 << axis):
                stamps[axis, lanes[axis, here] >> LANE_BIT] = stamp
    return stamp


@inlined
def is_quiet(goal: EncodedGoal, start: np.uint16, to: np.uint16, stamp: np.int64) -> bool:
    """Return whether a step leaves and enters no lane that has been stamped."""
    return not (_is_stamped(goal, start, stamp) or _is_stamped(goal, to, stamp))


@inlined
def _is_stamped(goal: EncodedGoal, space: np.uint16, stamp: np.int64) -> bool:
    lanes = goal.database.lanes
    found = goal.stamps[0, lanes[0, space] >> LANE_BIT] == stamp
    return bool(found | (goal.stamps[1, lanes[1, space] >> LANE_BIT] == stamp))


@inlined
def is_slider(game: Game, piece: int) -> bool:
    """Return whether a piece slides when it sets out; the others step."""
    return bool(piece < (game.slid if game.slippery else game.pucks))


@inlined
def stamp_slides(goal: EncodedGoal, neighbours: U16, encoded: Encoded, stamp: np.int64) -> bool:
    """Stamp the spaces on which slides of the goal's pucks and bumps depend, for `may_serve`.

    Returns:
        False if another piece can slide by itself, which `may_serve` does not consider.
    """
    game, pieces, _ = encoded
    where, occupied = pieces.where, pieces.occupied
    scored = goal.stamps.shape[1] - 1
    for index in range(len(goal.pieces)):
        here = where[goal.pieces[index]]
        for direction in range(4 if here != scored else 0):
            _stamp_slide(goal, neighbours[direction], encoded, here, stamp)
    for index in range(len(game.movable)):
        piece = game.movable[index]
        if goal.row[piece] != OTHER:
            continue
        if is_slider(game, piece):
            return False
        for direction in range(4 if piece >= game.slid else 0):
            there = neighbours[direction, where[piece]]
            if GOAL < occupied[there] < game.slid + FIRST:
                goal.stamps[_SPACES, there] = stamp
                _stamp_slide(goal, neighbours[direction], encoded, there, stamp)
    return True


@inlined
def _stamp_slide(
    goal: EncodedGoal,
    ahead: U16,
    encoded: Encoded,
    start: np.uint16,
    stamp: np.int64,
) -> None:
    """Stamp the spaces ahead of a piece, up to the first one that it does not set in motion."""
    there = ahead[start]
    met = encoded.pieces.occupied[there]
    goal.stamps[_SPACES, there] = stamp
    while met < encoded.game.pucks + FIRST:
        there = ahead[there]
        met = encoded.pieces.occupied[there]
        goal.stamps[_SPACES, there] = stamp


@inlined
def may_serve(
    goal: EncodedGoal,
    neighbours: U16,
    encoded: Encoded,
    piece: int,
    start: np.uint16,
    to: np.uint16,
    stamp: np.int64,
) -> bool:
    """Return whether a move that is not quiet may follow a quiet step and touch it.

    That is a slide or a bump that depends on the space left or entered; a step of the same piece
    into a stamped lane, or a bump by it; a bump of it; or a step from a stamped lane to where it
    was. Some that touch nothing are harmless.

    Args:
        goal: The goal, with lanes and slides stamped.
        neighbours: ``neighbours[direction, space]`` of the layout.
        encoded: The position before the step.
        piece: The piece that steps.
        start: The space that it leaves.
        to: The space that it enters.
        stamp: The stamp.
    """
    game, pieces, _ = encoded
    where, occupied = pieces.where, pieces.occupied
    if goal.stamps[_SPACES, start] == stamp or goal.stamps[_SPACES, to] == stamp:
        return True
    for direction in range(4):
        there = neighbours[direction, to]
        met = occupied[there]
        if met <= GOAL:
            if _is_stamped(goal, there, stamp):
                return True
        elif met < game.slid + FIRST and piece >= game.slid:
            return True
    for index in range(len(game.movable)):
        other = game.movable[index]
        for direction in range(4 if goal.row[other] == OTHER and other != piece else 0):
            there = neighbours[direction, where[other]]
            if there == to or (there == start and _is_stamped(goal, where[other], stamp)):
                return True
    return False
