"""Players: whoever decides, given the state and the question."""

from typing import Protocol

import numpy as np

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
        count = int(rng.integers(question.least, question.most + 1))
        return tuple(options[place] for place in rng.permutation(len(options))[:count].tolist())
