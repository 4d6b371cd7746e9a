"""Players that need nobody at the table: one that plays greedily and one that plays at random.

`GreedyPlayer` goes by the values of `sim.pokepucks.battle.evaluation` and by the hints of the
special rules, so it plays a new rule without knowing its name.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from sim.pokepucks.battle.evaluation import (
    USELESS,
    arena_value,
    best_for_arena,
    by_value,
    heaviest_first,
    least_valuable,
    most_valuable,
    puck_value,
    pucks_of,
)
from sim.pokepucks.battle.questions import Asking, Question, Reply, Use
from sim.pokepucks.battle.rules import Rule, View
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.special.amounts import LOW_HEALTH, SPARE_VALUE
from sim.pokepucks.special.own_rules import rules_of


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
    """Attempts every knock-out, takes all it can, and uses special rules that win battles."""

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return the best reply by the player's lights; it is always the same."""
        del rng
        return self.reply(state, question)

    def reply(self, state: BattleState, question: Question) -> Reply:
        """Return the reply; no random numbers are needed."""
        view = View(state, rules_of(state.table), question.player)
        if question.asking is Asking.USE:
            return self._use(view, question)
        return _CHOICES.get(question.asking, most_valuable)(view, question)

    def _use(self, view: View, question: Question) -> Reply:
        """Use the first special rule that is wanted, or the first one if one must be used."""
        for option in question.options:
            if isinstance(option, Use):
                rule = view.rules.rule(option.rule)
                if rule is None or self.wants(view, rule):
                    return (option,)
        return question.options[: question.least]

    def wants(self, view: View, rule: Rule) -> bool:
        """Return whether a special rule is worth using now."""
        return rule.hints.wanted(view)


def _best_on_top(view: View, question: Question) -> Reply:
    """Put the pucks that the player wants back on top, where they are the likeliest to flip."""
    return tuple(sorted(pucks_of(question), key=lambda puck: arena_value(view, puck)))


def _heaviest(view: View, question: Question) -> Reply:
    """Take the heaviest slammers, Pokémon first."""
    return tuple(heaviest_first(view, pucks_of(question))[: question.most])


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
    surplus = _idle(view, question)
    return (*surplus, *_to_heal(view, question, surplus))


def _to_heal(view: View, question: Question, surplus: Reply) -> Reply:
    """Return pucks to discard so that the next Potion finds enough in Prize.

    A Potion is worth nothing with an empty Prize. When Health is low, pucks of little value in
    Power are worth more as Health, and a Potion brings them there in the next turn.
    """
    state, player = view.state, view.player
    potions = [p for p in state.power(player) if view.rules.hints(state.design(p)).heals]
    if not potions or state.table.options.is_wild or len(state.health(player)) > LOW_HEALTH:
        return ()
    heals = view.rules.hints(state.design(potions[0])).heals
    missing = heals - len(state.prize(player)) - len(surplus)
    spare = (p for p in pucks_of(question) if p not in surplus and p != potions[0])
    cheap = [p for p in spare if puck_value(view, p) <= SPARE_VALUE]
    return tuple(by_value(view, tuple(cheap))[: max(missing, 0)])


def _idle(view: View, question: Question) -> Reply:
    """Return the pucks in Power that do nothing there."""
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
        Asking.BUILD_ARENA: best_for_arena,
        Asking.SLAMMER: _heaviest,
        Asking.TEAM: _heaviest,
        Asking.BUILD_PRIZE: least_valuable,
        Asking.TOP_OFF: best_for_arena,
        Asking.SHIELDS: _shields,
        Asking.RESTACK_OUT: _best_on_top,
        Asking.DISCARD: _surplus,
        Asking.RULE: _by_hints,
    }
)
"""The greedy player's choices; for other questions it takes the most valuable pucks."""
