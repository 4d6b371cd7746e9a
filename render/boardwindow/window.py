"""The view of a game, and, a key away, of its positions as a board to explore."""

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
    """A game; a key away, its positions as a board to explore.

    Attributes:
        playing: The game.
        exploring: The board to explore; None while the game is shown.
    """

    def __init__(self, game: LiveGame) -> None:
        self.game_view = GameView(game, explore=self.explore)
        self.explorer: BoardExplorer | None = None

    @property
    def title(self) -> str:
        """What stands above the window."""
        return self._active.title

    @property
    def commands(self) -> Sequence[Command]:
        """Its keys."""
        if self.explorer is None:
            return self.game_view.commands
        back = Command(keys=("b",), name="back to the game", action=self.back)
        return (*self.explorer.commands, back)

    def handle(self, event: Event, size: Size) -> bool:
        """Take a mouse event."""
        return self._active.handle(event, size)

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass."""
        return self._active.advance(elapsed_s)

    def draw(self, surface: pygame.Surface, palette: Palette) -> None:
        """Draw all of it."""
        self._active.draw(surface, palette)

    def explore(self, history: History) -> None:
        """Show positions as a board to explore."""
        self.explorer = BoardExplorer(ExplorerState(history=history), back=self.back)

    def back(self) -> None:
        """Show the game again."""
        self.close()
        self.explorer = None

    def close(self) -> None:
        """End a search that is on its preview."""
        if self.explorer is not None:
            self.explorer.close()

    @property
    def _active(self) -> BoardExplorer | GameView:
        return self.game_view if self.explorer is None else self.explorer
