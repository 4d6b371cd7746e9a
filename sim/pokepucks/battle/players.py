"""Players that decide by rules: the greedy one, and the skilled one.

`GreedyPlayer` goes by the values of `pucklab.sim.pokepucks.battle.evaluation` and by the hints of
the special rules, so it plays a new rule without knowing its name. `SkilledPlayer` judges some
rules that come with pucklab better. `pucklab.sim.pokepucks.battle.kernel_choices` has the same in
compiled code.
"""

from collections.abc import Callable, Mapping
from math import ceil

import numpy as np

from pucklab.sim.core.game import Decision
from pucklab.sim.pokepucks.battle.evaluation import (
    BEST_TRAINER,
    FEW_ATTACKS,
    LOW_HEALTH,
    LOWEST_HEALTH,
    SPARE_VALUE,
    USELESS,
    arena_value,
    best_for_arena,
    by_value,
    by_worth,
    expected_attacks,
    heaviest_first,
    least_valuable,
    most_valuable,
    puck_value,
    pucks_of,
    worth,
)
from pucklab.sim.pokepucks.battle.live import Moment
from pucklab.sim.pokepucks.battle.questions import Asking, Question, Reply, Use
from pucklab.sim.pokepucks.battle.rule_book import Rule, View
from pucklab.sim.pokepucks.battle.setup import ARENA_PUCKS
from pucklab.sim.pokepucks.battle.state import BattleState, Status
from pucklab.sim.pokepucks.special import rules_of
from pucklab.sim.pokepucks.special.judgement import (
    can_strike,
    gains_by_exchange,
    top_off_would_fail,
    top_off_would_fail_healed,
)


class GreedyPlayer:
    """Attempts every knock-out, takes all it can, and uses special rules that win battles."""

    def choose(self, state: Moment, decision: Decision, rng: np.random.Generator) -> Reply:
        """Return the reply that the player rates best, the same for the same question."""
        del rng
        return self.reply(state.state, decision.about)

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
        return rule.is_wanted(view)


def _shields(view: View, question: Question) -> Reply:
    """Put everything on the slammer except slammers and Items still to be used."""
    state = view.state
    return tuple(
        puck
        for puck in pucks_of(question)
        if not state.table.is_slammer(puck) and view.rules.main_rule(state.design(puck)).as_shield
    )


def _surplus(view: View, question: Question) -> Reply:
    """Discard pucks that do nothing in Power: from Prize they may come back to Health.

    Only one Trainer works, and some slammers want exactly one puck of a rule. In a wild battle
    everything in Power may be a shield.
    """
    state, player, pucks = view.state, view.player, pucks_of(question)
    is_wild = state.table.options.is_wild
    surplus = [puck for puck in pucks if not is_wild and puck_value(view, puck) <= USELESS]
    surplus += by_value(view, tuple(filter(state.table.is_trainer, pucks)))[:-1]
    slammer = state.slammer(player)
    if slammer is not None:
        one = view.rules.main_rule(state.design(slammer)).needs_one
        surplus += [puck for puck in pucks if one and state.design(puck).rule == one][1:]
    # A Potion is worth nothing with an empty Prize. When Health is low, pucks of little value in
    # Power are worth more as Health, and a Potion brings them there in the next turn.
    potions = [p for p in state.power(player) if view.rules.main_rule(state.design(p)).heals]
    if not potions or is_wild or len(state.health(player)) > LOW_HEALTH:
        return tuple(surplus)
    heals = view.rules.main_rule(state.design(potions[0])).heals
    missing = heals - len(state.prize(player)) - len(surplus)
    spare = (puck for puck in pucks if puck not in surplus and puck != potions[0])
    cheap = tuple(puck for puck in spare if puck_value(view, puck) <= SPARE_VALUE)
    return (*surplus, *by_value(view, cheap)[: max(missing, 0)])


def _by_rule(view: View, question: Question) -> Reply:
    """Answer a question of a special rule as the rule advises."""
    rule = view.rules.rule(question.rule)
    choice = None if rule is None else rule.choice
    return (choice or most_valuable)(view, question)


def _heaviest(view: View, question: Question) -> Reply:
    """Take the heaviest slammers, Pokémon first."""
    return tuple(heaviest_first(view, pucks_of(question))[: question.most])


_CHOICES: Mapping[Asking, Callable[[View, Question], Reply]] = {
    Asking.BUILD_ARENA: best_for_arena,
    Asking.SLAMMER: _heaviest,
    Asking.TEAM: _heaviest,
    Asking.BUILD_PRIZE: least_valuable,
    Asking.TOP_OFF: best_for_arena,
    Asking.PICK_UP: lambda view, question: tuple(by_worth(view, question)[: question.most]),
    Asking.SHIELDS: _shields,
    # The pucks that the player wants back go on top, where they are the likeliest to flip.
    Asking.RESTACK_OUT: lambda view, question: tuple(
        sorted(pucks_of(question), key=lambda puck: arena_value(view, puck))
    ),
    Asking.DISCARD: _surplus,
    Asking.RULE: _by_rule,
}
"""The greedy player's choices; for other questions it takes the most valuable pucks."""


class SkilledPlayer(GreedyPlayer):
    """The greedy player with better judgement of a few rules that come with pucklab.

    Each difference was tried in battles of two with random slammers, in which each player had it or
    not by chance; those with errors of 0.1 in pairs of slammers against the greedy player, with the
    same throws. The table has the gain in percent of the battles, with standard errors:

    ===========================================================  =============  =======
    difference                                                   share          battles
    ===========================================================  =============  =======
    A Potion is used for a top-off that fails without it         +0.8 +- 0.1     88,200
    Pucks are healed that the rival wants least                  +0.6 +- 0.1     88,200
    Mr. Saia: a second puck of a kind counts as worth nothing    +0.4 +- 0.1     88,200
    Mr. Merkert is kept rather than Mr. Saia                     +2.8 +- 0.7      9,019
    Potions wait for low Health and for a top-off they save      +1.8 +- 0.9      9,019
    In set-up the best pucks are put last, and so on top         +1.2 +- 0.8      9,019
    Mr. Saia takes what is worth most to both players            +0.7 +- 0.3     38,955
    With Jigglypuff: Sing against two attacks or more            +9.7 +- 2.1      9,019
    With Pikachu: Thunder Wave against two attacks or more       +3.7 +- 2.1     38,955
    Neither with the only attack while the rival's Health is     +7.6 +- 0.1     84,000
    full, with Jigglypuff, and with Pikachu                      +1.3 +- 0.1     84,000
    With Aerodactyl: no Hyper Beam with three attacks or more    +3.3 +- 2.2      9,019
    ===========================================================  =============  =======
    """

    def reply(self, state: BattleState, question: Question) -> Reply:
        """Return the reply; no random numbers are needed."""
        view = View(state, rules_of(state.table), question.player)
        if question.asking is Asking.BUILD_ARENA:
            # Put the pucks that the player wants back last, so that they end on top.
            wanted = sorted(pucks_of(question), key=lambda puck: -arena_value(view, puck))
            players = state.table.players
            rounds_left = ceil(ARENA_PUCKS / players) - len(state.arena) // players
            return (wanted[min(max(rounds_left, 1), len(wanted)) - 1],)
        if question.asking is Asking.RULE and question.rule == "Mr. Saia":
            return _exchange(view, question)
        if question.asking is Asking.RULE and question.rule in _HEALS:
            # Heal the pucks that the next player wants least: they are paid into the Arena soon.
            pucks = sorted(pucks_of(question), key=lambda puck: worth(view.rival, puck))
            return tuple(pucks[: question.most])
        reply = super().reply(state, question)
        if question.asking is Asking.DISCARD:
            # Keep Mr. Merkert rather than another Trainer: an attack is worth more than a swap.
            trainers = [puck for puck in pucks_of(question) if state.table.is_trainer(puck)]
            best = [puck for puck in trainers if state.design(puck).rule == BEST_TRAINER]
            if best:
                rest = (puck for puck in reply if puck not in trainers)
                return (*rest, *(puck for puck in trainers if puck != best[-1]))
        return reply

    def wants(self, view: View, rule: Rule) -> bool:
        """Return whether a special rule is worth using now."""
        judge = _JUDGEMENTS.get(rule.name)
        return rule.is_wanted(view) if judge is None else judge(view, rule)


_HEALS = frozenset({"Potion", "Rest", "Leech Seed"})
"""Rules by which pucks go from Prize to Health."""


def _to_both(view: View, puck: int) -> int:
    """Value of a puck to the player and the next one together."""
    return worth(view, puck) + worth(view.rival, puck)


def _exchange(view: View, question: Question) -> Reply:
    """Take the flipped puck of most worth to both players, for the one of least worth."""
    giving = set(question.options) <= set(view.state.health(view.player))
    return ((min if giving else max)(pucks_of(question), key=lambda p: _to_both(view, p)),)


def _heals_in_time(view: View, rule: Rule) -> bool:
    """Keep a Potion for low Health and for a top-off that it saves."""
    low = len(view.state.health(view.player)) <= LOWEST_HEALTH or top_off_would_fail(view)
    return low and rule.is_wanted(view) and not top_off_would_fail_healed(view)


def _stops_attacks(view: View, status: Status) -> bool:
    """Give a status to a rival who has more than one attack, and no cure.

    A player's only attack is for pucks as long as the rival has paid none: whatever it flips, the
    rival pays for.
    """
    rival = view.rival
    is_free = view.state.turn.attacks > 1 or view.state.health_room(rival.player) > 0
    return is_free and can_strike(view, status) and expected_attacks(rival) > 1


_JUDGEMENTS: Mapping[str, Callable[[View, Rule], bool]] = {
    "Potion": _heals_in_time,
    "Mr. Saia": lambda view, _: gains_by_exchange(view, _to_both),
    "Sing": lambda view, _: _stops_attacks(view, Status.SLEEP),
    "Thunder Wave": lambda view, _: _stops_attacks(view, Status.PARALYZED),
    # The turn after it has but one attack, however many there would be.
    "Hyper Beam": lambda view, rule: (
        view.state.turn.attacks <= FEW_ATTACKS and rule.is_wanted(view)
    ),
}
