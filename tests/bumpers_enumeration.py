"""Every line of a position, tried one after another: no bound, no table, no position left out.

The moves are those of the kernel, whose trees are counted against the plain rules elsewhere.
"""

from functools import lru_cache

import numba
import numpy as np

from physics import linking
from sim.bumpers.kernel.heuristic import order_pucks, pattern_bound_of
from sim.bumpers.kernel.leaf_count import new_leaf_count_stack
from sim.bumpers.kernel.move_generation import make_move, move_piece, unmake_move
from sim.bumpers.kernel.pattern_database import lowering_moves
from sim.bumpers.kernel.position import FIRST
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
    goal, pieces, game = run.encoded_goal, run.encoded.pieces, run.encoded.game
    moves = 4 * len(game.movable)
    depth = solutions = 0
    while not solutions and (_LEGAL * moves) ** (depth + 1) < _MOST_LINES:
        depth += 1
        stack = new_leaf_count_stack(depth, len(pieces.where), moves)
        solutions = _compiled()[0](
            run.graph.layouts.neighbours[0], pieces, game, goal.pieces, goal.needed, depth, stack
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


def _count_solutions(neighbours, pieces, game, wanted, needed, depth, stack):
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
        who, to, start = stack.who[ply], stack.to[ply], pieces.where[piece]
        changes = move_piece(ahead, pieces.occupied, game, piece, start, who, to)
        if changes == 0:
            continue
        make_move(pieces, who, to, stack.origin[ply], changes)
        stack.changes[ply] = changes
        if ply < depth - 1:
            ply += 1
            continue
        there = 0
        for puck in wanted:
            there += pieces.where[puck] == scored
        count += there >= needed
        unmake_move(pieces, who, stack.origin[ply], changes)


def _greatest_fall(neighbours, encoded, goal, who, to):
    game, pieces = encoded.game, encoded.pieces
    greatest, lets_through = 0, True
    bound = pattern_bound_of(goal, pieces.where, who, to, 0)
    if bound in (0, 255):
        return 0, True
    count, needed = order_pucks(goal, pieces.where, who, to, 0)
    allowed = lowering_moves(goal.database, goal.scratch.ordered, count, needed, bound)
    slots = goal.scratch.slots
    slots[:] = 4 * count
    for index in range(count):
        slots[pieces.occupied[goal.scratch.ordered[index]] - FIRST] = 4 * index
    for move in range(4 * len(game.movable)):
        piece = game.movable[move >> 2]
        start = pieces.where[piece]
        changes = move_piece(neighbours[move & 3], pieces.occupied, game, piece, start, who, to)
        if changes:
            fall = bound - pattern_bound_of(goal, pieces.where, who, to, changes)
            greatest = max(greatest, fall)
            lets_through &= fall <= 0 or (allowed >> np.uint64(slots[piece] + (move & 3))) & 1 == 1
    return greatest, lets_through
