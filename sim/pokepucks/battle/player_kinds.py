"""The kinds of players by their names on the command line."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from physics import InputError
from physics.decoding import check_one_of
from sim.core.players import Bot
from sim.pokepucks.battle.expert import (
    LEVELS,
    MAX_PLAYOUTS,
    MAX_SECONDS,
    ExpertPlayer,
)
from sim.pokepucks.battle.live import Player
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer, SkilledPlayer
from sim.pokepucks.battle.questions import Option, Question, Reply
from sim.pokepucks.battle.record import option_text
from sim.pokepucks.battle.state import BattleState, place_name, places

PLAYERS: Mapping[str, Callable[[], Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "skilled": SkilledPlayer,
    **{level: partial(ExpertPlayer, playouts) for level, playouts in LEVELS.items()},
}
"""The kinds of players that need nobody at the table."""


PLAYS = {
    "greedy": "simply",
    "skilled": "well",
    "expert-quick": "very well",
    "expert": "like an expert",
    "expert-deep": "like a master",
}
"""How the rivals of a person play, from the weakest."""


def player_of(kind: str, kinds: Mapping[str, Callable[[], Player]] = PLAYERS) -> Player:
    """Return a player of a kind.

    ``expert:400`` is an expert with 400 playouts for each decision, and ``expert:0.5s`` one with
    half a second; with a time, the same seed may lead to another battle. ``exec:./bot`` is another
    program, see `sim.core.players`.

    Raises:
        InputError: There is no such kind.

    Example:
        >>> player_of("clever")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        physics.errors.InputError: policy: 'clever' is not accepted; give one of random, greedy, ...
    """
    name, _, level = kind.partition(":")
    if name == "expert" and level:
        return _expert_of(kind, level)
    if kind.startswith("exec"):
        return BattleBot(kind)
    check_one_of("policy", kind, list(kinds))
    return kinds[kind]()


def _expert_of(kind: str, level: str) -> Player:
    """Return an expert with a number of playouts, or of seconds such as ``0.5s``."""
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


class BattleBot:
    """A bot as a player of PokéPucks; see `Bot` for its arguments."""

    def __init__(self, kind: str, say: Callable[[str], None] | None = None) -> None:
        self._bot = Bot(kind, say=say)

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return what the bot selects, or the first options."""
        del rng
        table = state.table
        stacks = zip(places(table.players), state.stacks, strict=True)
        message = {
            "game": "pokepucks",
            "player": table.names[question.player],
            "asking": question.asking.value,
            "rule": question.rule,
            "ordered": question.ordered,
            "least": question.least,
            "most": question.most,
            "options": [_label(state, option) for option in question.options],
            "turn": state.turn.number,
            "stacks": {
                place_name(state, place): [table.label(puck) for puck in stack]
                for place, stack in stacks
                if stack
            },
            "statuses": dict(zip(table.names, map(list, state.statuses), strict=True)),
        }
        chosen = self._bot.select(message, len(question.options), question.least, question.most)
        return tuple(question.options[index] for index in chosen)


def _label(state: BattleState, option: Option) -> str:
    return state.table.label(option) if isinstance(option, int) else option_text(option)
