"""How hard a puzzle is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sim.bumpers.moves import Change, Move, PieceMove
from sim.bumpers.pieces import Kind, Piece
from sim.bumpers.position import Position
from sim.bumpers.rules import legal_moves, play
from sim.bumpers.solver import Goal
from sim.bumpers.solver.goals import colour_of_goal
from sim.bumpers.solver.linesteps import LineStep, line_steps
from sim.bumpers.solver.running import least_actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """How hard a puzzle is.

    Attributes:
        solutions: Shortest solutions; two orders of the same actions are two.
        branching: Legal actions to choose from, on average over the positions of a solution.
        decoys: First actions that look good and lead nowhere: on a board without other pieces the
            goal would be nearer by an action, but no shortest solution begins with them.
        movers: Pieces that the player sets out with in a solution.
        difficulty_bits: The binary logarithm of how many lines of legal actions there are to try
            for each solution: about the product of the actions to choose from, divided by the
            solutions.
    """

    solutions: int
    branching: float
    decoys: int
    movers: int
    difficulty_bits: float


def rate(position: Position, goal: Goal, lines: tuple[tuple[Move, ...], ...]) -> Rating:
    """Return how hard a puzzle is.

    Args:
        position: The position.
        goal: What must be reached.
        lines: All shortest solutions, without mat moves; at least one.

    Example:
        >>> from sim.bumpers import parse_position
        >>> from sim.bumpers.solver import solve
        >>> start = parse_position("pb1:small:RPb7.BPe7:-:R:-")
        >>> rate(start, Goal(), solve(start, every=True).lines).decoys
        0
    """
    steps = line_steps(position, lines[0])
    choices = [len(legal_moves(step.before)) for step in steps]
    return Rating(
        solutions=len(lines),
        branching=sum(choices) / len(choices),
        decoys=_decoys(position, goal, {line[0] for line in lines}),
        movers=movers_of(steps),
        difficulty_bits=sum(map(math.log2, choices)) - math.log2(len(lines)),
    )


def goal_after(before: Position, goal: Goal, after: Position, change: Change) -> Goal | None:
    """Return what is left of a goal after a move; None if it is reached."""
    if goal.space is not None:
        piece = after.piece_on(goal.space)
        reached = piece is not None and goal.colour in (None, piece.colour)
        return None if reached else goal
    if goal.puck is not None:
        for movement in change.movements:
            if movement.start == goal.puck:
                return None if movement.scored else replace(goal, puck=movement.end)
        return goal
    puck = (
        Piece(colour, Kind.PUCK) if (colour := colour_of_goal(before, goal)) is not None else None
    )
    scored = sum(movement.scored and movement.piece == puck for movement in change.movements)
    there = sum(piece == puck for _, piece in after.pieces)
    if goal.pucks is None:
        return goal if there else None
    left = goal.pucks - scored
    return replace(goal, pucks=left) if left > 0 else None


def movers_of(steps: Sequence[LineStep]) -> int:
    """Return how many pieces set out in a line, however often each does."""
    origins: dict[int, int] = {}  # of pieces that have moved: where they stood at first
    movers = set()
    for step in steps:
        assert isinstance(step.move, PieceMove)
        movers.add(origins.get(step.move.space, step.move.space))
        movements = step.change.movements
        came_from = [origins.pop(movement.start, movement.start) for movement in movements]
        origins |= {m.end: origin for m, origin in zip(movements, came_from, strict=True)}
    return len(movers)


def _decoys(position: Position, goal: Goal, good: set[Move]) -> int:
    now = least_actions(position, goal)
    found = 0
    for move in legal_moves(position):
        if move not in good:
            after, change = play(position, move)
            left = goal_after(position, goal, after, change)
            found += left is not None and least_actions(after, left) < now
    return found
