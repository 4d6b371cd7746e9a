"""A goal as the kernel has it."""

from typing import TYPE_CHECKING

import numpy as np

from sim.bumpers.pieces import Kind
from sim.bumpers.position import Position
from sim.bumpers.solver.goals import Goal, colour_of_goal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sim.bumpers.kernel.aims import Aim
    from sim.bumpers.kernel.encoding import Encoded

_NAMED_SEED = 5


def aim_of(position: Position, goal: Goal, encoded: "Encoded", *, cards: bool) -> "Aim":
    """Return a goal's numbers.

    Args:
        position: The position.
        goal: A goal that was checked.
        encoded: The position's numbers.
        cards: There will be other arrangements than the position's own.
    """
    from sim.bumpers.kernel.aims import Aim, measure

    wanted = _wanted(position, goal, encoded)
    needed = 1
    if goal.puck is None and goal.space is None:
        needed = len(wanted) if goal.pucks is None else goal.pucks
    ends = _ends(goal, encoded)
    capacity = len(encoded.arrangements.places) if cards else 1
    aim = Aim(
        wanted=np.array(wanted, np.uint8),
        needed=needed,
        row=_rows(encoded, wanted),
        ends=ends,
        distances=np.zeros((capacity, *ends.shape), np.uint8),
        queue=np.zeros(ends.shape[1], np.uint16),
        ordered=np.zeros(len(wanted) + 1, np.int64),
    )
    measure(aim, encoded.arrangements, encoded.pieces.vacated, 0)
    return aim


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


def _rows(encoded: "Encoded", wanted: list[int]) -> "NDArray[np.uint8]":
    """Return which distances are each piece's."""
    from sim.bumpers.kernel.aims import ICE, MEEPLE, PUCK, UNWANTED

    game = encoded.game
    rows = np.full(len(encoded.pieces.where), UNWANTED, np.uint8)
    for piece in wanted:
        rows[piece] = PUCK if piece < game.pucks else ICE if piece < game.slid else MEEPLE
    return rows


def _ends(goal: Goal, encoded: "Encoded") -> "NDArray[np.uint8]":
    """Return where each kind of piece is wanted."""
    from sim.bumpers.kernel.aims import PUCK, ROWS
    from sim.bumpers.kernel.distances import NO_WAY

    goals, spaces = encoded.mats.goals, len(encoded.mats.goals)
    ends = np.full((ROWS, spaces + 2), NO_WAY, np.uint8)
    if goal.space is None:
        ends[PUCK, :spaces][goals == 1] = 0
        ends[PUCK, spaces + 1] = 0
    else:
        ends[PUCK:, goal.space] = 0
        if goals[goal.space]:
            ends[PUCK, goal.space] = NO_WAY
    return ends
