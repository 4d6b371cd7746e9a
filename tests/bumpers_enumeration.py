"""Every line of a position, tried one after another: no bound, no table, no position left out.

The moves are those of the kernel, whose trees are counted against the plain rules elsewhere.
"""

from functools import lru_cache

import numba

from physics import linking
from sim.bumpers.kernel.leaf_count import new_leaf_count_stack
from sim.bumpers.kernel.move_generation import make_move, move_piece, unmake_move
from sim.bumpers.solver.search import compile_solver

_MOST_LINES = 1e6
_LEGAL = 0.6  # of the directions of pieces, about


@lru_cache(maxsize=1)
def _compiled():
    compile_solver()  # numba then knows the parts of kernels
    return numba.njit(**linking.OPTIONS)(_count_solutions)


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
        solutions = _compiled()(
            run.graph.layouts.neighbours[0], encoded, goal.pieces, goal.needed, depth, stack
        )
    return depth, solutions


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
