"""Pruning: moves that are left out because they commute with others, with the proofs.

Moves commute if they lead to the same position in either order. Two ways to leave out moves rest
on that. Both use the corridors of a layout, called lanes.

**Moves asleep** (`moves_asleep`) commute with the move before and are known to lead to no solution.

**Steps that can wait.** Let the spare actions be those left beyond the lower bound. A quiet step is
one of a piece that is no puck of the goal, from and to a space outside of all lanes in which a
move can lower the bound, which `recognise_quiet` stamps. All that happens in those lanes is the
same before and after it, so it commutes with every move that lowers the bound.

1. With one spare action, each move after a quiet step m must lower the bound. Let a be the first.
   A solution m, a, ... is also one in the order a, m, ...: so m need not be tried.
2. With two spare actions, let x be the move after a quiet step m. If x does not touch m, it may
   come first, and it is tried if it is not quiet. If it is quiet, whether it touches m or not, the
   move after it must lower the bound, and may come before both. That leaves the moves x that touch
   m and are not quiet. If `_may_serve` finds that there is none, m need not be tried.

So if a position has a solution, one begins with a move that is tried, and what is proved of a
position does not depend on the way to it. If all solutions are wanted, no step is left out.
"""

import numpy as np

from pucklab.base.kernels import inlined
from pucklab.sim.bumpers.kernel.arrays import I32, I64, U8, U16
from pucklab.sim.bumpers.kernel.heuristic import EncodedGoal
from pucklab.sim.bumpers.kernel.pattern_database import LANE_BIT
from pucklab.sim.bumpers.kernel.position import FIRST, GOAL, Change, Encoded, Game
from pucklab.sim.bumpers.kernel.search_stack import SearchStack

_EVERYWHERE = 1 << 30
"""A lane value beyond all others."""

_SPACES = 2
"""Row of `Scratch.stamps` for spaces; those before are for lanes of either axis."""

NOW, LATER, NEVER = 0, 1, 2
"""When a move is tried."""

_NONE, _IDLE, _ALL = 0, 1, 2
"""Quiet steps to leave out: none, those that serve no next move, or all."""


@inlined
def set_reach(game: Game, where: U16, lanes: I32, reach: I32, move: int, change: Change) -> None:
    """Fill in the spaces that a move depends on, and those that it leaves or enters.

    A move stays in one corridor. It depends on the spaces from its start to the second one behind
    the last stop: a piece on the next space ends the slide, one on the second keeps a puck that is
    hit in its place. Too many spaces are harmless.

    Args:
        game: The constants of the position.
        where: The space of each piece.
        lanes: The lanes of the layout.
        reach: The move's `SearchStack.reach`, which is filled in.
        move: The number of the move.
        change: The pieces that it moves.
    """
    changes, to = change.number, change.to
    for moved in range(min(changes, 2)):
        reach[3 + 2 * moved] = where[change.who[moved]]
        reach[4 + 2 * moved] = to[moved]
    reach[2] = 2 * min(changes, 2)
    if changes > 2 or game.pass_through:
        reach[0], reach[1] = 0, _EVERYWHERE
        return
    axis = move & 1
    first = lanes[axis, where[game.movable[move >> 2]]]
    last = lanes[axis, to[changes - 1]]
    lowest = first >> LANE_BIT << LANE_BIT
    is_scored = to[changes - 1] == lanes.shape[1] - 1  # in some goal ahead
    if move & 3 < 2:
        reach[0] = first
        reach[1] = lowest + (1 << LANE_BIT) - 1 if is_scored else last + 2
    else:
        reach[0] = lowest if is_scored else last - 2
        reach[1] = first


@inlined
def moves_asleep(lanes: I32, stack: SearchStack, ply: int) -> np.uint64:
    """Return the moves of a ply that need not be tried, as they commute with the move before.

    Let p be the position before, b the move that was made in it, and a another move of p which is
    known to lead to no solution: its bound is too large, it is refuted in the table, or it has been
    searched. If a and b do not touch, then a after b gives the same position as b after a, and that
    one has no solution either, with one action less. So a is left out after b, and it is known to
    lead to no solution there, too: it may be left out again later. Every position left out has no
    solution, so the table's entries on the others remain true, whichever way they are reached, and
    the first solution found is the same as without pruning.

    Two moves do not touch if neither leaves or enters a space that the other depends on.

    Args:
        lanes: The lanes of the layout.
        stack: The search stack; the moves are added to the closed ones of the ply.
        ply: The ply.
    """
    asleep = np.uint64(0)
    closed = stack.closed[ply - 1] if ply > 0 else asleep
    if closed == 0:
        return asleep
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
def recognise_quiet(
    goal: EncodedGoal, encoded: Encoded, neighbours: U16, allowed: np.uint64, spare: int
) -> tuple[np.int64, int]:
    """Stamp the lanes in which a move can lower the bound, and the spaces that `_may_serve` reads.

    Args:
        goal: The goal; ``goal.scratch.slots`` is filled in for the position.
        encoded: The position.
        neighbours: ``neighbours[direction, space]``.
        allowed: The moves that can lower the bound; see `lowering_moves`.
        spare: The actions left beyond the bound.

    Returns:
        The stamp, a new number, or -1 without spare actions; and the quiet steps to leave out:
        `_NONE`, `_IDLE` or `_ALL`.
    """
    stamps, lanes, where = goal.scratch.stamps, goal.database.lanes, encoded.pieces.where
    if spare <= 0:
        return np.int64(-1), _NONE
    scored = stamps.shape[1] - 1
    stamp = np.int64(stamps[_SPACES, scored] + 1)
    stamps[_SPACES, scored] = stamp
    for index in range(len(goal.pieces)):
        piece = goal.pieces[index]
        here = where[piece]
        ways = np.int64(allowed >> np.uint64(goal.scratch.slots[piece]) & np.uint64(15))
        for axis in range(2 if here != scored else 0):
            if ways & (5 << axis):
                stamps[axis, lanes[axis, here] >> LANE_BIT] = stamp
    if spare == 1 and goal.omits_steps:
        return stamp, _ALL
    if spare == 2 and goal.omits_steps and _stamp_slides(goal, encoded, neighbours, stamp):
        return stamp, _IDLE
    return stamp, _NONE


@inlined
def _stamp_slides(goal: EncodedGoal, encoded: Encoded, neighbours: U16, stamp: np.int64) -> bool:
    """Stamp the spaces on which slides of the goal's pucks and bumps depend, for `_may_serve`.

    Returns:
        False if another piece can slide by itself, which `_may_serve` does not consider.
    """
    game, where, occupied = encoded.game, encoded.pieces.where, encoded.pieces.occupied
    stamps = goal.scratch.stamps
    scored = stamps.shape[1] - 1
    for index in range(len(goal.pieces)):
        here = where[goal.pieces[index]]
        for direction in range(4 if here != scored else 0):
            _stamp_slide(stamps, game, occupied, neighbours[direction], here, stamp)
    for index in range(len(game.movable)):
        piece = game.movable[index]
        if goal.is_asked[piece]:
            continue
        if _is_slider(game, piece):
            return False
        for direction in range(4 if piece >= game.slid else 0):
            there = neighbours[direction, where[piece]]
            if GOAL < occupied[there] < game.slid + FIRST:
                stamps[_SPACES, there] = stamp
                _stamp_slide(stamps, game, occupied, neighbours[direction], there, stamp)
    return True


@inlined
def _stamp_slide(
    stamps: I64, game: Game, occupied: U8, ahead: U16, start: np.uint16, stamp: np.int64
) -> None:
    """Stamp the spaces ahead of a piece, up to the first one that it does not set in motion."""
    there, met = start, np.uint8(GOAL)
    while met < game.pucks + FIRST:
        there = ahead[there]
        met = occupied[there]
        stamps[_SPACES, there] = stamp


@inlined
def when_to_try(
    goal: EncodedGoal,
    encoded: Encoded,
    neighbours: U16,
    piece: int,
    to: np.uint16,
    stamp: np.int64,
    omitted: int,
) -> int:
    """Return when to try a move that moves one piece, no puck of the goal.

    Args:
        goal: The goal.
        encoded: The position before the move.
        neighbours: ``neighbours[direction, space]``.
        piece: The piece.
        to: The space that it enters.
        stamp: The stamp of `recognise_quiet`.
        omitted: The quiet steps to leave out, as it says.
    """
    stamps, lanes, start = goal.scratch.stamps, goal.database.lanes, encoded.pieces.where[piece]
    if stamp < 0 or _is_slider(encoded.game, piece):
        return NOW
    if _is_stamped(stamps, lanes, start, stamp) or _is_stamped(stamps, lanes, to, stamp):
        return NOW
    if omitted == _IDLE and _may_serve(goal, encoded, neighbours, piece, to, stamp):
        return LATER
    return LATER if omitted == _NONE else NEVER


@inlined
def _is_slider(game: Game, piece: int) -> bool:
    """Return whether a piece slides when it sets out; the others step."""
    return bool(piece < (game.slid if game.slippery else game.pucks))


@inlined
def _is_stamped(stamps: I64, lanes: I32, space: np.uint16, stamp: np.int64) -> bool:
    found = stamps[0, lanes[0, space] >> LANE_BIT] == stamp
    return bool(found | (stamps[1, lanes[1, space] >> LANE_BIT] == stamp))


@inlined
def _may_serve(
    goal: EncodedGoal,
    encoded: Encoded,
    neighbours: U16,
    piece: int,
    to: np.uint16,
    stamp: np.int64,
) -> bool:
    """Return whether a move that is not quiet may follow a quiet step and touch it.

    That is a slide or a bump that depends on the space left or entered; a step of the same piece
    into a stamped lane, or a bump by it; a bump of it; or a step from a stamped lane to where it
    was. Some that touch nothing are harmless. The arguments are those of `when_to_try`.
    """
    game, where, occupied = encoded.game, encoded.pieces.where, encoded.pieces.occupied
    stamps, lanes, start = goal.scratch.stamps, goal.database.lanes, where[piece]
    if stamps[_SPACES, start] == stamp or stamps[_SPACES, to] == stamp:
        return True
    for direction in range(4):
        there = neighbours[direction, to]
        met = occupied[there]
        if met <= GOAL:
            if _is_stamped(stamps, lanes, there, stamp):
                return True
        elif met < game.slid + FIRST and piece >= game.slid:
            return True
    for index in range(len(game.movable)):
        other = game.movable[index]
        here = where[other]
        for direction in range(4 if not goal.is_asked[other] and other != piece else 0):
            there = neighbours[direction, here]
            if there == to or (there == start and _is_stamped(stamps, lanes, here, stamp)):
                return True
    return False
