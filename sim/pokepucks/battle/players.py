"""Players: whoever decides, given the state and the question.

A greedy player: takes what it can get, and pays with what is worth least.

When a greedy player uses a special rule that it may use; those not named here, always.

What greedy players think of pucks, attacks and slammers: rough numbers, the more the better.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np

from physics import InputError
from sim.pokepucks.battle.ledger import why_not_gain
from sim.pokepucks.battle.questions import Asking, Question, Reply, Use
from sim.pokepucks.battle.state import ARENA, ASLEEP, BattleState, Status
from sim.pokepucks.designs import Design, DesignKind

USELESS = 1
"""What a puck is worth that does nothing for its player, and might for others."""

_MATCHING = {"Energy", "Focus Energy", "Power Stone"}
_HEALING = {"Potion", "Full Heal", "Focus Sash", "Berry"}


def worth(state: BattleState, player: int, puck: int) -> int:
    """Return what a puck is worth to a player, from 0."""
    if state.table.is_slammer(puck):
        return 2
    design = state.design(puck)
    if design.kind is DesignKind.TRAINER:
        return 4
    if design.rule in _MATCHING:
        return 5 if _fits(state, player, design) else USELESS
    if design.rule in _HEALING:
        return 3
    return 2 if design.kind is DesignKind.ITEM and design.rule != "Sandbag" else 0


def _fits(state: BattleState, player: int, item: Design) -> bool:
    """Return whether an Item of some type gives a player's slammer an attack more."""
    mine = state.slammer(player)
    if mine is None:
        return False
    slammer = state.design(mine)
    return slammer.type is item.type or (
        item.rule == "Energy" and slammer.rule == "Genetically Unstable"
    )


def by_worth(state: BattleState, player: int, pucks: tuple[int, ...]) -> list[int]:
    """Return pucks from the least to the most worth, equals in the order that they have."""
    return sorted(pucks, key=lambda puck: worth(state, player, puck))


def advantage(own: Design, other: Design) -> int:
    """Return by how many attacks the types of two slammers change the count of the first."""
    if own.type is None:
        return 0
    return int(own.type is other.weakness) - int(own.type is other.resistance)


def slammer_merit(state: BattleState, player: int, puck: int) -> tuple[float, ...]:
    """Return how good a slammer is for a player now, the greater the better.

    In a battle, the attacks that its type wins against the next slammer. In a wild battle there
    are none: a heavy slammer knocks out more often, and of two a ball catches what it flips.
    """
    design = state.design(puck)
    if state.table.options.is_wild:
        return design.mass_g, float(state.table.is_ball(puck))
    facing = state.slammer(state.next_player(player))
    return (0.0 if facing is None else float(advantage(design, state.design(facing))),)


def attacks_ahead(state: BattleState, player: int) -> int:
    """Return about how many attacks a player will have in the next turn."""
    mine, next_one = state.slammer(player), state.slammer(state.next_player(player))
    if mine is None or next_one is None or state.has(player, Status.SLEEP):
        return 1
    own = state.design(mine)
    power = [state.design(puck) for puck in state.power(player)]
    helping = {d.rule for d in power if d.rule in _MATCHING and d.type is own.type}
    count = 1 + len(helping) + advantage(own, state.design(next_one))
    return max(count - int(state.has(player, Status.PARALYZED)), 1)


Wants = Callable[[BattleState, int], bool]

_MANY = 2
"""With more attacks of the next player's, taking some away is worth more than pucks."""

_WORTH_A_REST = 3
"""Pucks in Prize from which healing them is worth falling asleep."""


def _can_strike(state: BattleState, player: int, status: Status, *cures: str) -> bool:
    """Return whether the next slammer would gain a status, and its player has no cure."""
    following = state.next_player(player)
    power = {state.design(puck).rule for puck in state.power(following)}
    return not why_not_gain(state, following, status) and not power & {"Full Heal", *cures}


def _for_nothing(status: Status, *cures: str) -> Wants:
    """Return when to give a status: where nothing is picked up anyway, in Sleep (PP-14)."""

    def wants(state: BattleState, player: int) -> bool:
        return ASLEEP in state.turn.flags and _can_strike(state, player, status, *cures)

    return wants


def _sing(state: BattleState, player: int) -> bool:
    """Give up pucks where the next player loses several attacks and what they flip."""
    if not _can_strike(state, player, Status.SLEEP, "Poké Flute"):
        return False
    many = attacks_ahead(state, state.next_player(player)) > _MANY
    return many or ASLEEP in state.turn.flags


def _only_one(state: BattleState, player: int) -> bool:
    del player
    return state.turn.attacks == 1


def _pay_day(state: BattleState, player: int) -> bool:
    """Lay a puck in the Arena only where it spares the next player none."""
    missing = (state.max_size(ARENA) or 0) - len(state.arena)
    return missing <= 0 or missing > len(state.health(state.next_player(player))) + 1


def _needs_rest(state: BattleState, player: int) -> bool:
    return _would_fail(state, player) and len(state.prize(player)) >= _WORTH_A_REST


def _has_prize(state: BattleState, player: int) -> bool:
    return bool(state.prize(player))


def _better_slammer(state: BattleState, player: int) -> bool:
    mine = state.slammer(player)
    assert mine is not None
    now = slammer_merit(state, player, mine)
    team = filter(state.table.is_slammer, _to_switch_to(state, player))
    return any(slammer_merit(state, player, puck) > now for puck in team)


def _to_switch_to(state: BattleState, player: int) -> tuple[int, ...]:
    from_power = state.table.options.switch_from == "power"
    return state.power(player) if from_power else state.collection(player)


def _worth_more(state: BattleState, player: int) -> bool:
    """Exchange a flipped puck if it is worth more than the worst of Health."""
    assert state.attack is not None
    flipped = [worth(state, player, puck) for puck in state.attack.flipped]
    own = [worth(state, player, puck) for puck in state.health(player)]
    return max(flipped, default=0) > min(own, default=0)


def _would_fail(state: BattleState, player: int) -> bool:
    size = state.max_size(ARENA) or 0
    return len(state.arena) + len(state.health(player)) < size


def _ails(state: BattleState, player: int) -> bool:
    return any(s is not Status.CONFUSED for s in state.statuses[player])


def _never(state: BattleState, player: int) -> bool:
    """Leave a rule alone: Surf spares the others, and Focus Energy is worth more when kept."""
    del state, player
    return False


WANTS: Mapping[str, Wants] = MappingProxyType(
    {
        "Thunder Wave": _for_nothing(Status.PARALYZED, "Silph Scope"),
        "Sing": _sing,
        "Poison Cloud": _for_nothing(Status.POISONED),
        "Dig": _only_one,
        "Surf": _never,
        "Rest": _needs_rest,
        "Leech Seed": _has_prize,
        "Pay Day": _pay_day,
        "Switch": _better_slammer,
        "Mr. Saia": _worth_more,
        "Focus Sash": _would_fail,
        "Full Heal": _ails,
        "Focus Energy for two": _never,
    }
)


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
        physics.errors.InputError: policy: 'clever' is not accepted; give one of random, greedy
    """
    if kind not in kinds:
        raise InputError(f"policy: {kind!r} is not accepted; give one of {', '.join(kinds)}")
    return kinds[kind]()
