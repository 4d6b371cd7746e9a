"""The window of a game of Puck Bumpers; commands load it only when one opens."""

from render import viewer
from render.boardwindow import GameWindow, LiveGame
from sim.bumpers.game import Choice, Event, GameState, Table
from sim.core.game import Match


def game_window(match: Match[Table, GameState, Choice, Event]) -> GameWindow:
    """Return the window of a new match, in which persons play by the mouse."""
    return GameWindow(LiveGame(match.setup, match.players, match.kinds, match.seed))


def play_in_window(
    match: Match[Table, GameState, Choice, Event],
) -> Match[Table, GameState, Choice, Event]:
    """Play a new match in a window, and return it as far as it came."""
    window = game_window(match)
    try:
        viewer.show(window)
    finally:
        window.close()
    return window.game_view.game
