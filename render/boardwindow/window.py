"""The window of a game, and of its positions in an explorer, one key away."""

from collections.abc import Sequence

import pygame
from pygame.event import Event

from render.boardwindow.explorer import BoardExplorer
from render.boardwindow.explorer_state import ExplorerState, History
from render.boardwindow.game import LiveGame
from render.boardwindow.game_view import GameView
from render.palette import Palette
from render.viewer import Command, Size


class GameWindow:
    """A view of a game, or of its positions in an explorer.

    Attributes:
        game_view: The view of the game.
        explorer: The explorer of its positions; None while the game is shown.
    """

    def __init__(self, game: LiveGame) -> None:
        self.game_view = GameView(game, explore=self.explore)
        self.explorer: BoardExplorer | None = None

    @property
    def title(self) -> str:
        """Title of the window."""
        return self._active.title

    @property
    def commands(self) -> Sequence[Command]:
        """Commands of the view shown."""
        return self._active.commands

    def handle(self, event: Event, size: Size) -> bool:
        """Handle a mouse event."""
        return self._active.handle(event, size)

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        return self._active.advance(elapsed_s)

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw the view shown."""
        self._active.draw(surface, palette)

    def explore(self, history: History) -> None:
        """Show positions in an explorer."""
        back = Command(keys=("b",), name="back to the game", action=self.back, label="Back")
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
    def _active(self) -> BoardExplorer | GameView:
        return self.game_view if self.explorer is None else self.explorer
