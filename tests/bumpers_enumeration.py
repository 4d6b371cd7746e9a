"""Every line of a position, tried one after another: no bound, no table, no position left out.

The moves are those of the kernel, whose trees are counted against the plain rules elsewhere.
"""

from functools import lru_cache

import numba
import numpy as np

from physics import linking
from sim.bumpers.kernel.heuristic import lower_bound_of, order_pieces
from sim.bumpers.kernel.leaf_count import new_leaf_count_stack
from sim.bumpers.kernel.move_generation import make_move, move_piece, unmake_move
from sim.bumpers.kernel.pattern_database import lowering_moves
from sim.bumpers.kernel.position import Change
from sim.bumpers.solver.search import compile_solver

_MOST_LINES = 1e6
_LEGAL = 0.6  # of the directions of pieces, about


@lru_cache(maxsize=1)
def _compiled():
    compile_solver()  # numba then knows the parts of kernels
    return tuple(numba.njit(**linking.OPTIONS)(one) for one in (_count_solutions, _greatest_fall))


def shortest_by_enumeration(run):
    """Return the actions up to which all lines were tried, and how many solutions have that many.

    Args:
        run: A run without mat moves.
    """
    goal, encoded = run.encoded_goal, run.encoded
    moves = 4 * len(encoded.game.movable)
    depth = solutions = 0
    while not solutions and (_LEGAL * moves) ** (depth + 1) < _MOST_LINES:
        depth += 1
        stack = new_leaf_count_stack(depth, len(encoded.pieces.where), moves)
        solutions = _compiled()[0](
            run.graph.layouts.neighbours[0], encoded, goal.pieces, goal.needed, depth, stack
        )
    return depth, solutions


def greatest_fall(run):
    """Return by how much a move lowers the bound at most, and if the filter lets all those through.

    Args:
        run: A run that uses a pattern database.
    """
    stack, goal = run.stack, run.encoded_goal
    neighbours = run.graph.layouts.neighbours[0]
    return _compiled()[1](neighbours, run.encoded, goal, stack.who[0], stack.to[0])


def _count_solutions(neighbours, encoded, wanted, needed, depth, stack):
    game, pieces, _ = encoded
    scored = len(pieces.occupied) - 1
    ply = count = 0
    while True:
        if stack.next_move[ply] == 4 * len(game.movable):
            stack.next_move[ply] = 0
            if ply == 0:
                return count
            ply -= 1
            unmake_move(pieces, stack.who[ply], stack.origin[ply], stack.changes[ply])
            continue
        move = stack.next_move[ply]
        stack.next_move[ply] += 1
        piece, ahead = game.movable[move >> 2], neighbours[move & 3]
        change = move_piece(encoded, ahead, piece, stack.who[ply], stack.to[ply])
        if change.number == 0:
            continue
        make_move(pieces, change, stack.origin[ply])
        stack.changes[ply] = change.number
        if ply < depth - 1:
            ply += 1
            continue
        there = 0
        for puck in wanted:
            there += pieces.where[puck] == scored
        count += there >= needed
        unmake_move(pieces, change.who, stack.origin[ply], change.number)


def _greatest_fall(neighbours, encoded, goal, who, to):
    game, pieces = encoded.game, encoded.pieces
    greatest, lets_through = 0, True
    distances, unchanged = goal.distances[0], Change(who, to, 0)
    bound = lower_bound_of(goal, distances, pieces.where, unchanged, False)
    if bound in (0, 255):
        return 0, True
    count, needed = order_pieces(goal, goal.database.number, pieces.where, unchanged)
    allowed = lowering_moves(goal.database, goal.scratch.ordered, count, needed, bound)
    slots = goal.scratch.slots
    slots[:] = 4 * count
    for index in range(count):
        for piece in goal.pieces:
            if goal.scratch.ordered[index] == goal.database.number[0, pieces.where[piece]]:
                slots[piece] = 4 * index
    for move in range(4 * len(game.movable)):
        piece = game.movable[move >> 2]
        change = move_piece(encoded, neighbours[move & 3], piece, who, to)
        if change.number:
            fall = bound - lower_bound_of(goal, distances, pieces.where, change, False)
            greatest = max(greatest, fall)
            lets_through &= fall <= 0 or (allowed >> np.uint64(slots[piece] + (move & 3))) & 1 == 1
    return greatest, lets_through
