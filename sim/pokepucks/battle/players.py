"""Players: whoever decides, given the state and the question."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np

from physics import InputError
from sim.pokepucks.battle.greedy import GreedyPlayer
from sim.pokepucks.battle.question import Question, Reply
from sim.pokepucks.battle.state import BattleState


class Player(Protocol):
    """A player."""

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return some of the question's options: from ``least`` to ``most`` of them.

        Args:
            state: The battle; the question is this player's.
            question: What is to be decided.
            rng: The player's own random numbers.
        """
        ...


class RandomPlayer:
    """Chooses how many at random, and then which: each as likely as another."""

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return a legal reply at random."""
        del state
        options = question.options
        count = question.least
        if question.most > count:
            count = int(rng.integers(count, question.most + 1))
        if count <= 1:
            return (options[int(rng.integers(len(options)))],) if count else ()
        return tuple(options[place] for place in rng.permutation(len(options))[:count].tolist())


PLAYERS: Mapping[str, Callable[[], Player]] = MappingProxyType(
    {"random": RandomPlayer, "greedy": GreedyPlayer}
)
"""The kinds of players that need nobody at the table."""


def player_of(kind: str, kinds: Mapping[str, Callable[[], Player]] = PLAYERS) -> Player:
    """Return a player of a kind.

    Raises:
        InputError: There is no such kind.

    Example:
        >>> player_of("clever")
        Traceback (most recent call last):
            ...
        physics.checks.InputError: policy: 'clever' is not accepted; give one of random, greedy
    """
    if kind not in kinds:
        raise InputError(f"policy: {kind!r} is not accepted; give one of {', '.join(kinds)}")
    return kinds[kind]()
