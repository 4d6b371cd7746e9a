"""Shortest solutions of Puck Bumpers positions, with proofs.

`solve` is the door: a position, a goal and limits in, a `Solution` out.

Example:
    >>> from pucklab.sim.bumpers import move_text, parse_position
    >>> start = parse_position("pb1:small:RPf7.RMe7:-:R:-")
    >>> found = solve(start, Goal(pucks=1), Limits(max_actions=6))
    >>> found.status.name, move_text(start, found.line[0])
    ('SOLVED', 'f7N*')
"""

from pucklab.sim.bumpers.solver.cards import MatCard
from pucklab.sim.bumpers.solver.goals import Defence, Goal
from pucklab.sim.bumpers.solver.search import solve
from pucklab.sim.bumpers.solver.solution import Limits, Solution, Status

__all__ = ["Defence", "Goal", "Limits", "MatCard", "Solution", "Status", "solve"]
