"""The window of battles: `pucklab watch --battle`, and `pucklab battle --watch`.

Data flows one way. A `Game`, recorded or live, gives `beats`: events worth telling, each with the
battle before and after it. A `Walk` knows which beat is shown, as a `course.Course`, and goes on,
steps and jumps; `ThrownSlams` throws again what was thrown by the physics, to be watched.
`BattleWindow` is the view, and `picture` what it draws: `header`, the `arena` (pucks that lie there
by `lying`), a panel for each player (`panels`, with `stacks` as piles of slabs), and `transcript`;
`bar` has the buttons, `asking` a person's questions, `choice` what they chose so far. `filming`
makes pictures and films. What is legal, and what follows, is for `sim.pokepucks.battle` to say.
"""

from render.battlewindow.beats import ThrownSlams
from render.battlewindow.film import check_film, save_battle, turn_beats
from render.battlewindow.walk import Game, LiveGame, RecordedGame, Walk
from render.battlewindow.window import BattleWindow

__all__ = [
    "BattleWindow",
    "Game",
    "LiveGame",
    "RecordedGame",
    "ThrownSlams",
    "Walk",
    "check_film",
    "save_battle",
    "turn_beats",
]
