"""A greedy player: takes what it can get, and pays with what is worth least."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from sim.pokepucks.battle.greedyuses import WANTS
from sim.pokepucks.battle.question import Asking, Question, Reply, Use
from sim.pokepucks.battle.state import BattleState
from sim.pokepucks.battle.worth import USELESS, by_worth, slammer_merit, worth
from sim.pokepucks.design import DesignKind

_Choose = Callable[[BattleState, Question], Reply]


class GreedyPlayer:
    """Attempts every knock-out, and uses special rules where they win battles.

    Args:
        leaves: Names of special rules that it never uses.
    """

    def __init__(self, leaves: frozenset[str] = frozenset()) -> None:
        self.leaves = leaves

    def choose(self, state: BattleState, question: Question, rng: np.random.Generator) -> Reply:
        """Return what looks best; the same whenever it is asked the same."""
        del rng
        if question.asking is Asking.USE:
            return self._use(state, question)
        return _CHOOSE.get(question.asking, _most_worth)(state, question)

    def _use(self, state: BattleState, question: Question) -> Reply:
        """Use the first special rule that is wanted; if one must be used, one that must act."""
        for option in question.options:
            if isinstance(option, Use) and option.rule not in self.leaves:
                wants = WANTS.get(option.rule)
                if wants is None or wants(state, question.player):
                    return (option,)
        return question.options[: question.least]


def _pucks(options: Reply) -> tuple[int, ...]:
    return tuple(option for option in options if isinstance(option, int))


def _most_worth(state: BattleState, question: Question) -> Reply:
    """Take as many as there may be, those first that are worth most; of equals the topmost."""
    pucks = by_worth(state, question.player, _pucks(question.options))
    return tuple(pucks[::-1][: question.most])


def _least_worth(state: BattleState, question: Question) -> Reply:
    """Give as few as there must be, those first that are worth least."""
    return tuple(by_worth(state, question.player, _pucks(question.options))[: question.least])


def _all_least_worth(state: BattleState, question: Question) -> Reply:
    """Take as many as there may be, those first that are worth least."""
    return tuple(by_worth(state, question.player, _pucks(question.options))[: question.most])


def _on_top(state: BattleState, question: Question) -> Reply:
    """Lay what is worth least on top, where it is likeliest to be lost."""
    return tuple(by_worth(state, question.player, _pucks(question.options))[::-1])


def _heaviest(state: BattleState, question: Question) -> Reply:
    """Take the heaviest slammers, Pokémon first."""

    def merit(puck: int) -> tuple[bool, float]:
        design = state.design(puck)
        return design.kind is DesignKind.POKEMON, design.mass_g

    pucks = sorted(_pucks(question.options), key=merit, reverse=True)
    return tuple(pucks[: question.most])


def _shields(state: BattleState, question: Question) -> Reply:
    """Put everything on the slammer but slammers and Items that are still to be used."""
    kept = {"Switch", "Full Heal"}
    return tuple(
        puck
        for puck in _pucks(question.options)
        if not state.table.is_slammer(puck) and state.design(puck).rule not in kept
    )


def _surplus(state: BattleState, question: Question) -> Reply:
    """Discard what does nothing in Power: from Prize it may come back to Health.

    Of Trainers only one works, and for Genetically Unstable there must be one Energy. In a wild
    battle all that is in Power may be a shield.
    """
    player, pucks = question.player, _pucks(question.options)
    surplus = [puck for puck in pucks if worth(state, player, puck) <= USELESS]
    if state.table.options.is_wild:
        surplus = []
    trainers = tuple(puck for puck in pucks if state.table.is_trainer(puck))
    surplus += by_worth(state, player, trainers)[:-1]
    slammer = state.slammer(player)
    if slammer is not None and state.design(slammer).rule == "Genetically Unstable":
        surplus += [puck for puck in pucks if state.design(puck).rule == "Energy"][1:]
    return tuple(surplus)


def _for_rule(state: BattleState, question: Question) -> Reply:
    """Choose what a special rule asks for."""
    chosen = _FOR_RULE.get(question.rule)
    return chosen(state, question) if chosen else _most_worth(state, question)


def _saia(state: BattleState, question: Question) -> Reply:
    """Take the flipped puck that is worth most, for the own one that is worth least."""
    own = set(state.health(question.player))
    giving = all(option in own for option in question.options)
    return (_least_worth if giving else _most_worth)(state, question)


def _hicks(state: BattleState, question: Question) -> Reply:
    """Take all that left the arena; pay with what is worth least."""
    paying = question.player == state.player
    return (_least_worth if paying else _most_worth)(state, question)


def _up(state: BattleState, question: Question) -> Reply:
    """Lay on top, where it is likeliest to flip, what is worth most."""
    return tuple(by_worth(state, question.player, _pucks(question.options)))


def _best_slammer(state: BattleState, question: Question) -> Reply:
    """Take the slammer that is best now."""

    def merit(puck: int) -> tuple[float, ...]:
        return slammer_merit(state, question.player, puck)

    return (max(_pucks(question.options), key=merit),)


_FOR_RULE: Mapping[str, _Choose] = MappingProxyType(
    {
        "Potion": _all_least_worth,
        "Rest": _all_least_worth,
        "Leech Seed": _all_least_worth,
        "Surf": _all_least_worth,
        "Pay Day": _all_least_worth,
        "Switch": _best_slammer,
        "Mr. Smith": _up,
        "Mr. Saia": _saia,
        "Ms. Hicks": _hicks,
    }
)

_CHOOSE: Mapping[Asking, _Choose] = MappingProxyType(
    {
        Asking.BUILD_ARENA: _least_worth,
        Asking.SLAMMER: _heaviest,
        Asking.TEAM: _heaviest,
        Asking.BUILD_PRIZE: _least_worth,
        Asking.TOP_OFF: _least_worth,
        Asking.SHIELDS: _shields,
        Asking.RESTACK_OUT: _on_top,
        Asking.DISCARD: _surplus,
        Asking.RULE: _for_rule,
    }
)
