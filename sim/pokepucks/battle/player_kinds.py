"""The kinds of players by their names on the command line."""

from functools import partial

from pucklab.physics import InputError
from pucklab.sim.core.game import Player
from pucklab.sim.core.players import Players, RandomPlayer
from pucklab.sim.pokepucks.battle.expert import (
    LEVELS,
    MAX_PLAYOUTS,
    MAX_SECONDS,
    ExpertPlayer,
)
from pucklab.sim.pokepucks.battle.match import BATTLE
from pucklab.sim.pokepucks.battle.players import GreedyPlayer, SkilledPlayer

PLAYS = {
    "greedy": "simply",
    "skilled": "well",
    "expert-quick": "very well",
    "expert": "like an expert",
    "expert-deep": "like a master",
}
"""How well each kind of rival plays, in words; the weakest comes first."""


def _expert(kind: str) -> Player | None:
    """Return an expert with a number of playouts, or of seconds such as ``0.5s``."""
    name, _, level = kind.partition(":")
    if name != "expert" or not level:
        return None
    if level.isdecimal() and 1 <= int(level[:9]) <= MAX_PLAYOUTS:
        return ExpertPlayer(int(level))
    try:
        seconds = float(level[:-1]) if level.endswith("s") else 0.0
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise InputError(
            f"policy: {kind!r} is not accepted; give 1 to {MAX_PLAYOUTS} playouts, "
            f"or up to {MAX_SECONDS:g} seconds, such as expert:400 or expert:0.5s"
        )
    return ExpertPlayer(seconds=seconds)


PLAYERS = Players(
    game=BATTLE,
    by_name={
        "random": RandomPlayer,
        "greedy": GreedyPlayer,
        "skilled": SkilledPlayer,
        **{level: partial(ExpertPlayer, playouts) for level, playouts in LEVELS.items()},
    },
    others=_expert,
    field="policy",
)
"""The players by name; ``expert:400`` has 400 playouts for each decision, ``expert:0.5s`` half a
second, with which the same seed may lead to another battle."""
