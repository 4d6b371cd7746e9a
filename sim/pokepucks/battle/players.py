"""Players that need nobody at the table: one that plays greedily and one that plays at random.

A `Player` decides, given the state and a question. `GreedyPlayer` goes by the values of
`sim.pokepucks.battle.evaluation` and by the hints of the special rules, so it plays a new rule
without knowing its name. `player_of` makes a player by its name on the command line.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np

from physics import InputError
from sim.pokepucks.battle.evaluation import (
    USELESS,
    by_value,
    least_valuable,
    most_valuable,
    puck_value,
    pucks_of,
)
from sim.pokepucks.battle.questions import Asking, Question, Reply, Use
from sim.pokepucks.battle.rules import RuleBook, View, rules_of
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.designs import DesignKind


class Player(Protocol):
    """A player."""

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return a selection of the question's options, from ``least`` to ``most`` of them.

        Args:
            state: The battle.
            question: A question to this player.
            rng: The player's own random numbers.
        """
        ...


class RandomPlayer:
    """Draws how many options to select, and then which; all are equally likely."""

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return a random legal reply."""
        del state
        options = question.options
        count = question.least
        if question.most > count:
            count = int(rng.integers(count, question.most + 1))
        if count <= 1:
            return (options[int(rng.integers(len(options)))],) if count else ()
        return tuple(options[index] for index in rng.permutation(len(options))[:count].tolist())


class GreedyPlayer:
    """Attempts every knock-out, takes all it can, and uses special rules that win battles.

    Args:
        leaves: Names of special rules that it never uses.
        rules: The special rules in play; those of the table if None.
    """

    def __init__(self, leaves: frozenset[str] = frozenset(), rules: RuleBook | None = None) -> None:
        self.leaves = leaves
        self.rules = rules

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return the best reply by the player's lights; it is always the same."""
        del rng
        rules = rules_of(state.table) if self.rules is None else self.rules
        view = View(state, rules, question.player)
        if question.asking is Asking.USE:
            return self._use(view, question)
        return _CHOICES.get(question.asking, most_valuable)(view, question)

    def _use(self, view: View, question: Question) -> Reply:
        """Use the first special rule that is wanted, or the first one if one must be used."""
        for option in question.options:
            if isinstance(option, Use) and option.rule not in self.leaves:
                rule = view.rules.rule(option.rule)
                if rule is None or rule.hints.wanted(view):
                    return (option,)
        return question.options[: question.least]


def _least_valuable_on_top(view: View, question: Question) -> Reply:
    """Put the least valuable pucks on top, where they are the likeliest to be lost."""
    return tuple(by_value(view, pucks_of(question))[::-1])


def _heaviest(view: View, question: Question) -> Reply:
    """Take the heaviest slammers, Pokémon first."""

    def merit(puck: int) -> tuple[bool, float]:
        design = view.state.design(puck)
        return design.kind is DesignKind.POKEMON, design.mass_g

    pucks = sorted(pucks_of(question), key=merit, reverse=True)
    return tuple(pucks[: question.most])


def _shields(view: View, question: Question) -> Reply:
    """Put everything on the slammer except slammers and Items still to be used."""
    state = view.state
    return tuple(
        puck
        for puck in pucks_of(question)
        if not state.table.is_slammer(puck) and view.rules.hints(state.design(puck)).spent_as_shield
    )


def _surplus(view: View, question: Question) -> Reply:
    """Discard pucks that do nothing in Power: from Prize they may come back to Health.

    Only one Trainer works, and some slammers want exactly one puck of a rule. In a wild battle
    everything in Power may be a shield.
    """
    state, pucks = view.state, pucks_of(question)
    surplus = [puck for puck in pucks if puck_value(view, puck) <= USELESS]
    if state.table.options.is_wild:
        surplus = []
    trainers = tuple(puck for puck in pucks if state.table.is_trainer(puck))
    surplus += by_value(view, trainers)[:-1]
    slammer = state.slammer(view.player)
    if slammer is not None:
        one = view.rules.hints(state.design(slammer)).needs_one
        surplus += [puck for puck in pucks if one and state.design(puck).rule == one][1:]
    return tuple(surplus)


def _by_hints(view: View, question: Question) -> Reply:
    """Answer a question of a special rule by its hints."""
    rule = view.rules.rule(question.rule)
    choice = None if rule is None else rule.hints.choice
    return (choice or most_valuable)(view, question)


_CHOICES: Mapping[Asking, Callable[[View, Question], Reply]] = MappingProxyType(
    {
        Asking.BUILD_ARENA: least_valuable,
        Asking.SLAMMER: _heaviest,
        Asking.TEAM: _heaviest,
        Asking.BUILD_PRIZE: least_valuable,
        Asking.TOP_OFF: least_valuable,
        Asking.SHIELDS: _shields,
        Asking.RESTACK_OUT: _least_valuable_on_top,
        Asking.DISCARD: _surplus,
        Asking.RULE: _by_hints,
    }
)
"""The greedy player's choices; for other questions it takes the most valuable pucks."""


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
        physics.errors.InputError: policy: 'clever' is not accepted; give one of random, greedy
    """
    if kind not in kinds:
        raise InputError(f"policy: {kind!r} is not accepted; give one of {', '.join(kinds)}")
    return kinds[kind]()
