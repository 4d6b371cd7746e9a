"""The window of a game of Puck Bumpers; commands load it only when one opens."""

from collections.abc import Sequence

from render import viewer
from render.boardwindow import GameWindow, LiveGame
from sim.bumpers.game import Player, Step, Table
from sim.bumpers.game.player_kinds import PERSON


def game_window(
    table: Table, kinds: Sequence[str], seats: Sequence[Player], seed: int
) -> GameWindow:
    """Return the window of a new game, in which persons play by the mouse."""
    # A player who would be asked at the terminal is one at the window.
    players = [
        None if kind == PERSON else player for kind, player in zip(kinds, seats, strict=True)
    ]
    return GameWindow(LiveGame(table, players, kinds, seed))


def steps_in_window(
    table: Table, kinds: Sequence[str], seats: Sequence[Player], seed: int
) -> Sequence[Step]:
    """Play a game in a window, and return it as far as it came."""
    window = game_window(table, kinds, seats, seed)
    try:
        viewer.show(window)
    finally:
        window.close()
    return window.game_view.game.steps
