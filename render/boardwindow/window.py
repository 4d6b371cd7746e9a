"""The window of a game, and of its positions in an explorer, one key away."""

from render.boardwindow.explorer import BoardExplorer
from render.boardwindow.explorer_state import ExplorerState, History
from render.boardwindow.game import LiveGame
from render.boardwindow.game_view import GameView
from render.viewer import Command
from render.viewer.app import ActiveView


class GameWindow(ActiveView):
    """A view of a game, or of its positions in an explorer.

    Attributes:
        game_view: The view of the game.
        explorer: The explorer of its positions; None while the game is shown.
    """

    def __init__(self, game: LiveGame) -> None:
        self.game_view = GameView(game, explore=self.explore)
        self.explorer: BoardExplorer | None = None

    def explore(self, history: History) -> None:
        """Show positions in an explorer."""
        back = Command(("b",), "back to the game", self.back, label="Back")
        self.explorer = BoardExplorer(ExplorerState(history=history), back=back)

    def back(self) -> None:
        """Show the game again."""
        self.close()
        self.explorer = None

    def close(self) -> None:
        """Stop a running search."""
        if self.explorer is not None:
            self.explorer.close()

    @property
    def active(self) -> BoardExplorer | GameView:
        """The explorer, or else the game."""
        return self.game_view if self.explorer is None else self.explorer
