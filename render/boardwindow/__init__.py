"""The window of `pucklab bumpers view`: boards to move on, to edit and to solve, and games.

A `Desk` is what is explored: a `History` of positions, and what is chosen on the one shown;
functions make a desk of another. `Exploring` is the view of it: a `Stage` says which position is
on the board just now, or which motion, and `Solving` asks the solver in a process of its own.
"""

from render.boardwindow.desk import Desk, Tool, desk_of, desk_with_moves
from render.boardwindow.exploring import Exploring

__all__ = ["Desk", "Exploring", "Tool", "desk_of", "desk_with_moves"]
