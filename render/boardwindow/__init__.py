"""The window of `pucklab bumpers view`: boards to explore, edit and solve, and games to play.

In come a position, a saved game or players; out come pictures, films and saved games.
Begin at `screen.BoardScreen`, what both views share, then `explorer.BoardExplorer` (its state is an
`ExplorerState`, which pure functions change) and `game_view.GameView`; `GameWindow` shows a game
and, on a key, its positions in an explorer.
"""

from render.boardwindow.explorer import BoardExplorer
from render.boardwindow.explorer_state import (
    ExplorerState,
    Tool,
    initial_state,
    turns_of_game,
    with_moves,
)
from render.boardwindow.film import save_film
from render.boardwindow.game import LiveGame, history_of_game
from render.boardwindow.puzzle_view import PuzzleView
from render.boardwindow.window import GameWindow

__all__ = [
    "BoardExplorer",
    "ExplorerState",
    "GameWindow",
    "LiveGame",
    "PuzzleView",
    "Tool",
    "history_of_game",
    "initial_state",
    "save_film",
    "turns_of_game",
    "with_moves",
]
