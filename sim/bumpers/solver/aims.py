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


def aim_of(
    position: Position, goal: Goal, encoded: "Encoded", neighbours: "NDArray[np.uint16]"
) -> "Aim":
    """Return a goal's numbers.

    Args:
        position: The position.
        goal: A goal that was checked.
        encoded: The position's numbers.
        neighbours: Those of the position's layout, and room for those of others.
    """
    from sim.bumpers.kernel.aims import Aim, with_distances

    wanted = _wanted(position, goal, encoded)
    needed = 1
    if goal.puck is None and goal.space is None:
        needed = len(wanted) if goal.pucks is None else goal.pucks
    kinds, row = _rows(encoded, wanted)
    ends = _ends(goal, encoded, kinds)
    aim = Aim(
        wanted=np.array(wanted, np.uint8),
        needed=needed,
        kinds=kinds,
        row=row,
        ends=ends,
        distances=np.zeros((0, *ends.shape), np.uint8),
        falls=np.zeros((0, ends.shape[1]), np.uint32),
        queue=np.zeros(ends.shape[1], np.uint16),
        ordered=np.zeros(len(wanted) + 1, np.int64),
    )
    return with_distances(aim, neighbours, encoded.pieces.vacated, 0, 1)


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


def _rows(encoded: "Encoded", wanted: list[int]) -> "tuple[NDArray[np.uint8], NDArray[np.uint8]]":
    """Return the kinds of pieces with a row of distances, and which row is each piece's."""
    from sim.bumpers.kernel.aims import ICE, MEEPLE, PUCK, UNWANTED

    game = encoded.game
    kind = np.full(len(encoded.pieces.where), UNWANTED, np.uint8)
    for piece in wanted:
        kind[piece] = PUCK if piece < game.pucks else ICE if piece < game.slid else MEEPLE
    kinds = np.array(sorted({UNWANTED, *kind.tolist()}), np.uint8)
    return kinds, np.searchsorted(kinds, kind).astype(np.uint8)


def _ends(goal: Goal, encoded: "Encoded", kinds: "NDArray[np.uint8]") -> "NDArray[np.uint8]":
    """Return where each kind of piece is wanted."""
    from sim.bumpers.kernel.aims import PUCK, UNWANTED
    from sim.bumpers.kernel.codes import GOAL
    from sim.bumpers.kernel.distances import NO_WAY

    vacated = encoded.pieces.vacated
    ends = np.full((len(kinds), len(vacated)), NO_WAY, np.uint8)
    for row, kind in enumerate(kinds.tolist()):
        if goal.space is None and kind == PUCK:
            ends[row, vacated == GOAL] = 0
            ends[row, -1] = 0
        elif goal.space is not None and kind != UNWANTED:
            is_closed = kind == PUCK and vacated[goal.space] == GOAL
            ends[row, goal.space] = NO_WAY if is_closed else 0
    return ends
