"""Shortest solutions of Puck Bumpers positions, with proofs.

`solve` is the door: a `Question` (position, goal, limits, cards) in, a `Solution` out.

Example:
    >>> from pucklab.sim.bumpers import move_text, parse_position
    >>> start = parse_position("pb1:small:RPf7.RMe7:-:R:-")
    >>> found = solve(Question(start, bring_in(1), Limits(max_actions=6)))
    >>> found.status.name, move_text(start, found.line[0])
    ('SOLVED', 'f7N*')
"""

from pucklab.sim.bumpers.solver.cards import Hand, MatCard
from pucklab.sim.bumpers.solver.goals import Defence, Goal, Target, bring_in
from pucklab.sim.bumpers.solver.question import Limits, Question
from pucklab.sim.bumpers.solver.search import solve
from pucklab.sim.bumpers.solver.solution import Solution, Status

__all__ = [
    "Defence",
    "Goal",
    "Hand",
    "Limits",
    "MatCard",
    "Question",
    "Solution",
    "Status",
    "Target",
    "bring_in",
    "solve",
]
