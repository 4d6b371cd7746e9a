"""The window of battles: `pucklab watch --battle` and `pucklab battle --watch`.

In come a recorded or a live battle and the slams of its throws; out come pictures, films, records.
Begin at `window.BattleWindow`: `timeline` is the data shown, `playback` the position in it,
`picture`, `arena`, `panels`, `stacks`, `transcript` and `question_panel` draw it; `page` makes
web pages.
"""

from render.battlewindow.film import check_film, save_battle, turn_range
from render.battlewindow.page import battle_page
from render.battlewindow.playback import BattlePlayback
from render.battlewindow.timeline import Game, recorded_game
from render.battlewindow.window import BattleWindow

__all__ = [
    "BattlePlayback",
    "BattleWindow",
    "Game",
    "battle_page",
    "check_film",
    "recorded_game",
    "save_battle",
    "turn_range",
]
