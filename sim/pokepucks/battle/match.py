"""Playing a battle from set-up to the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from physics import InputError, trial_generator
from sim.pokepucks.battle.events import Event
from sim.pokepucks.battle.live import LiveBattle
from sim.pokepucks.battle.players import Player
from sim.pokepucks.battle.question import Answer, Ask, ThrowCall
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.table import Table
from sim.pokepucks.throws import Shot, Throws


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A question, or a throw, of a battle, its answer, and what came of it.

    Attributes:
        before: The state in which it was asked.
        ask: What was asked.
        answer: What was answered.
        after: The state at the next question, or at the end.
        events: What happened in between.
    """

    before: BattleState
    ask: Ask
    answer: Answer
    after: BattleState
    events: tuple[Event, ...]


def play_battle(
    table: Table, players: Sequence[Player], throws: Throws, seed: int
) -> Iterator[Exchange]:
    """Play a battle, and yield its exchanges up to the last.

    Args:
        table: The set-up.
        players: The players, in turn order.
        throws: Where the outcomes of throws come from.
        seed: Seed of all that is random, from 0: throw k and player p have generators of their
            own, `throw_generator` and `player_generator`.

    Raises:
        InputError: There are more or fewer players than the table has, or too few pucks.
    """
    if len(players) != table.players:
        raise InputError(f"players: {len(players)} is not accepted; give {table.players}")
    own = [player_generator(seed, player) for player in range(table.players)]
    battle = LiveBattle(new_battle(table))
    after = battle.state
    while (ask := battle.ask) is not None:
        before = after
        answer: Answer
        if isinstance(ask, ThrowCall):
            answer = throws.throw(shot_of(table, ask), throw_generator(seed, ask.number))
        else:
            answer = players[ask.player].choose(before, ask, own[ask.player])
        events = battle.answer(answer)
        after = battle.state
        yield Exchange(before=before, ask=ask, answer=answer, after=after, events=events)


def shot_of(table: Table, call: ThrowCall) -> Shot:
    """Return a throw as whatever makes throws knows it: with designs of pucks."""
    return Shot(
        player=call.player,
        slammer=table.pucks[call.slammer].design,
        stack=tuple(table.pucks[puck].design for puck in call.targets),
        knock_out=call.knock_out,
    )


def throw_generator(seed: int, number: int) -> np.random.Generator:
    """Return the random numbers of a battle's throw; its number is from 1."""
    return trial_generator(seed, number)


def player_generator(seed: int, player: int) -> np.random.Generator:
    """Return the random numbers of a battle's player."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, player)))
