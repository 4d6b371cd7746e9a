"""A goal as the kernel has it."""

from typing import TYPE_CHECKING

import numpy as np

from sim.bumpers.pieces import Kind
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import Goal, colour_of_goal

if TYPE_CHECKING:
    from sim.bumpers.kernel.encoding import Encoded
    from sim.bumpers.kernel.solving import Aim

_NAMED_SEED = 5


def aim_of(position: Position, goal: Goal, encoded: "Encoded") -> "Aim":
    """Return a goal's numbers.

    Args:
        position: The position.
        goal: A goal that was checked.
        encoded: The position's numbers.
    """
    from sim.bumpers.kernel.distances import NO_WAY
    from sim.bumpers.kernel.solving import Aim

    wanted = _wanted(position, goal, encoded)
    needed = 1
    if goal.puck is None and goal.space is None:
        needed = len(wanted) if goal.pucks is None else goal.pucks
    distances = np.full((len(encoded.zobrist), encoded.zobrist.shape[1]), NO_WAY, np.uint8)
    for piece in wanted:
        distances[piece] = _distances(goal, encoded, piece)
    return Aim(
        wanted=np.array(wanted, np.uint8),
        needed=needed,
        distances=distances,
    )


def with_named(encoded: "Encoded", aim: "Aim", goal: Goal) -> "Encoded":
    """Return a position's numbers such that a named puck is not taken for another of its colour."""
    if goal.puck is None:
        return encoded
    spaces = encoded.zobrist.shape[1] - 2
    zobrist = encoded.zobrist.copy()
    drawn = np.random.default_rng(_NAMED_SEED).integers(0, 2**64, (spaces, 2), dtype=np.uint64)
    zobrist[aim.wanted[0], :spaces] = drawn
    return encoded._replace(zobrist=zobrist)


def _wanted(position: Position, goal: Goal, encoded: "Encoded") -> list[int]:
    """Return the pieces of which some must come somewhere, by their number in the kernel."""
    numbers = {int(space): number for number, space in enumerate(encoded.pieces.where)}
    if goal.puck is not None:
        return [numbers[goal.puck]]
    if goal.space is not None:
        spaces = [s for s, piece in position.pieces if goal.colour in (None, piece.colour)]
    else:
        colour = colour_of_goal(position, goal)
        spaces = [
            space
            for space, piece in position.pieces
            if (piece.kind, piece.colour) == (Kind.PUCK, colour)
        ]
    return sorted(numbers[space] for space in spaces)


def _distances(goal: Goal, encoded: "Encoded", piece: int) -> "np.ndarray":
    """Return the actions that a piece needs at least from each space."""
    from sim.bumpers.kernel.distances import NO_WAY, fill_distances

    game, spaces = encoded.game, len(encoded.mats.pools)
    is_puck = piece < game.pucks
    distances = np.full(spaces + 2, NO_WAY, np.uint8)
    if goal.space is None:
        distances[:spaces][encoded.mats.goals == 1] = 0
        distances[spaces + 1] = 0
    elif not (is_puck and encoded.mats.goals[goal.space]):
        distances[goal.space] = 0
    fill_distances(
        encoded.arrangements.neighbours[0],
        encoded.pieces.vacated,
        not is_puck,
        piece >= game.slid,
        np.zeros(spaces + 2, np.uint16),
        distances,
    )
    return distances
