"""The window of `pucklab bumpers view`: boards to move on, to edit and to solve, and games.

A `Desk` is what is explored: a `History` of positions, and what is chosen on the one shown;
functions make a desk of another. `Exploring` is the view of it: a `Stage` says which position is
on the board just now, or which motion, and `Solving` asks the solver in a process of its own.

A `LiveGame` is a game under way, and `Playing` the view of it: what a person can choose is what
the game offers. `GameWindow` is the game, and a key away a board of its positions to explore.
"""

from render.boardwindow.desk import Desk, Tool, desk_of, desk_with_moves, part_of
from render.boardwindow.exploring import Exploring, save_film
from render.boardwindow.game import LiveGame, history_of_game
from render.boardwindow.window import GameWindow

__all__ = [
    "Desk",
    "Exploring",
    "GameWindow",
    "LiveGame",
    "Tool",
    "desk_of",
    "desk_with_moves",
    "history_of_game",
    "part_of",
    "save_film",
]
