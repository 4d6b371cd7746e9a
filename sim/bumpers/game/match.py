"""Playing a game from the first shuffle to the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from physics import InputError
from sim.bumpers.game.asking import choices, chooser
from sim.bumpers.game.choice import Choice
from sim.bumpers.game.events import Event
from sim.bumpers.game.players import Player, RandomPlayer
from sim.bumpers.game.state import GameState, Phase
from sim.bumpers.game.steps import new_game, shuffle, step
from sim.bumpers.game.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a game.

    Attributes:
        before: The state in which somebody chose.
        choice: What they chose.
        after: The state after it.
        events: What happened.
    """

    before: GameState
    choice: Choice
    after: GameState
    events: tuple[Event, ...]


def play_game(table: Table, players: Sequence[Player], rng: np.random.Generator) -> Iterator[Step]:
    """Play a game, and yield its steps up to the last.

    Args:
        table: The set-up.
        players: The players, in order.
        rng: Shuffles, and each player, get generators of their own from it.

    Raises:
        InputError: There are more or fewer players than the table has seats.

    Example:
        >>> from sim.bumpers.game import RandomPlayer, make_table
        >>> table = make_table(2, setup="old-school", max_actions=5)
        >>> *_, last = play_game(table, [RandomPlayer()] * 2, np.random.default_rng(1))
        >>> last.after.phase.value, last.after.actions
        ('over', 5)
    """
    if len(players) != table.players:
        raise InputError(f"players: {len(players)} is not accepted; give {table.players}")
    shuffles, *own = rng.spawn(table.players + 1)
    state = new_game(table)
    while state.phase is not Phase.OVER:
        who = chooser(state)
        choice: Choice
        if who is None:
            choice = shuffle(state, shuffles)
        else:
            choice = players[who].choose(state, choices(state), own[who])
        after, events = step(state, choice)
        yield Step(before=state, choice=choice, after=after, events=events)
        state = after


def random_start(table: Table, rng: np.random.Generator) -> GameState:
    """Return the state at the first turn, after pieces were placed at random.

    Args:
        table: The set-up.
        rng: Where chance comes from.
    """
    for taken in play_game(table, [RandomPlayer()] * table.players, rng):
        if taken.after.phase is not Phase.PLACING:
            return taken.after
    raise AssertionError("a game begins with a turn")
