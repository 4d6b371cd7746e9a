"""Values of pucks, attacks and slammers for players: rough numbers, the greater the better.

The greedy player and the hints of special rules go by these. Each function looks at a battle from
the view of one player.
"""

from pucklab.sim.pokepucks.battle.battle_setup import Pucks
from pucklab.sim.pokepucks.battle.questions import Question, Reply
from pucklab.sim.pokepucks.battle.rule_book import View
from pucklab.sim.pokepucks.battle.state import BOX, Status
from pucklab.sim.pokepucks.designs import Design, DesignKind

BEST_TRAINER = "Mr. Merkert"
"""A Trainer that is worth more than any other: an attack more is worth more than a swap."""

USELESS = 1
"""Value of a puck that does nothing for its player, but might for another."""

_SLAMMER, _TRAINER, _ITEM, _PLAIN = 2, 4, 2, 0
"""Values of pucks by kind, if their rule has no value of its own."""

_OF_OWN_TYPE = 5
"""Value of an Item that gives the player's slammer an additional attack."""


def puck_value(view: View, puck: int) -> int:
    """Return the value of a puck to the player, from 0."""
    state = view.state
    if state.table.is_slammer(puck):
        return _SLAMMER
    design = state.design(puck)
    if design.kind is DesignKind.TRAINER:
        return _TRAINER
    rule = view.rules.main_rule(design)
    if rule.of_type:
        return _OF_OWN_TYPE if _gives_attack(view, design) else USELESS
    if rule.value is not None:
        return rule.value
    return _ITEM if design.kind is DesignKind.ITEM else _PLAIN


def _gives_attack(view: View, item: Design) -> bool:
    """Return whether an Item of some type gives the player's slammer an additional attack."""
    state = view.state
    slammer = state.slammer(view.player)
    if slammer is None:
        # Pucks for Health and for the Arena are chosen before the slammer: it will be the heaviest.
        there = (*state.collection(view.player), *state.stack(BOX))
        choice = heaviest_first(view, tuple(filter(state.table.is_slammer, there)))
        if not choice:
            return False
        slammer = choice[0]
    design = state.design(slammer)
    return design.type is item.type or view.rules.main_rule(design).needs_one == item.rule


def heaviest_first(view: View, slammers: Pucks) -> list[int]:
    """Return slammers by mass, the heaviest first, but every Pokémon before every ball."""
    by_mass = sorted(slammers, key=lambda puck: view.state.design(puck).mass_g, reverse=True)
    return sorted(by_mass, key=lambda puck: view.state.design(puck).kind is not DesignKind.POKEMON)


def worth(view: View, puck: int) -> int:
    """Value of one more puck to the player: 0 if a puck in Power does the same already.

    Several Energies count as one, only one Trainer works, and Switch needs a second slammer.
    """
    state, power = view.state, view.state.power(view.player)
    design, value = state.design(puck), puck_value(view, puck)
    if design.rule == "Switch":
        return value if any(map(state.table.is_slammer, power)) else 0
    if value <= USELESS or view.rules.main_rule(design).many:
        return value
    alike = {BEST_TRAINER, design.rule} if state.table.is_trainer(puck) else {design.rule}
    held = map(state.design, power)
    return 0 if any(d.rule in alike and d.type is design.type for d in held) else value


REST_PUCKS = 3
"""Fewest pucks in Prize for which falling asleep is worth it."""

MANY_ATTACKS = 2
"""If the next player has more attacks, taking some away is worth more than pucks."""

FEW_ATTACKS = 2
"""Most attacks with which a skilled player uses Hyper Beam."""

LOW_HEALTH, SPARE_VALUE = 6, 2
"""Most pucks in Health at which others are discarded to be healed, and the most valuable ones."""

LOWEST_HEALTH = 3
"""Most pucks in Health for which a skilled player uses a Potion."""

_RIVAL_SHARE = 0.5
"""Weight of the next player's use of a puck in the Arena, relative to the player's own use.

Both may flip it, but only one of them can be helped by it; 0 and 0.5 play alike, and 1 plays worse.
"""


def arena_value(view: View, puck: int) -> float:
    """Return the value of a puck in the Arena to the player, where the rival may take it, too.

    An Item does nothing in Health. It works in Power, and it gets there only through the Arena.
    """
    return worth(view, puck) - _RIVAL_SHARE * worth(view.rival, puck)


def best_for_arena(view: View, question: Question) -> Reply:
    """Give as few pucks as possible, first those that the player wants to win back from the Arena.

    The first one ends on top, where it is the likeliest to flip. So an Energy of the own type is
    paid early, in set-up and in top-offs: kept in Health, it would never give an attack.
    """
    pucks = sorted(pucks_of(question), key=lambda puck: -arena_value(view, puck))
    return tuple(pucks[: question.least])


def by_value(view: View, pucks: Pucks) -> list[int]:
    """Return pucks in ascending order of value; equals keep their order."""
    return sorted(pucks, key=lambda puck: puck_value(view, puck))


def type_advantage(own: Design, other: Design) -> int:
    """Return the change of a slammer's number of attacks due to its type and its rival's."""
    if own.type is None:
        return 0
    return int(own.type is other.weakness) - int(own.type is other.resistance)


def slammer_value(view: View, puck: int) -> tuple[float, ...]:
    """Return the value of a slammer to the player now; greater tuples are better.

    In a battle it is the number of attacks that its type gains against the next slammer. A wild
    battle has no attacks: there heavy slammers knock out more often, and between equals a ball is
    better because it catches the slammer it flips.
    """
    state, design = view.state, view.state.design(puck)
    if state.table.options.is_wild:
        return design.mass_g, float(design.kind is DesignKind.BALL)
    facing = state.slammer(state.next_player(view.player))
    return (0.0 if facing is None else float(type_advantage(design, state.design(facing))),)


def expected_attacks(view: View) -> int:
    """Return the likely number of attacks of the player in the next turn."""
    state, player = view.state, view.player
    mine, following = state.slammer(player), state.slammer(state.next_player(player))
    if mine is None or following is None or state.has(player, Status.SLEEP):
        return 1
    own = state.design(mine)
    items = set()
    for design in map(state.design, state.power(player)):
        rule = view.rules.main_rule(design)
        if rule.of_type and design.type is own.type:
            items.add(rule.name)
    count = 1 + len(items) + type_advantage(own, state.design(following))
    return max(count + sum(each.attacks for each in state.known_statuses(player)), 1)


def pucks_of(question: Question) -> Pucks:
    """Return the options of a question that are pucks."""
    return tuple(option for option in question.options if isinstance(option, int))


def by_worth(view: View, question: Question) -> list[int]:
    """Return the pucks of a question in descending order of worth, of equals the topmost first."""
    return sorted(pucks_of(question), key=lambda puck: worth(view, puck))[::-1]


def most_valuable(view: View, question: Question) -> Reply:
    """Take as many pucks as possible, the most valuable first, and of equals the topmost."""
    return tuple(by_value(view, pucks_of(question))[::-1][: question.most])


def least_valuable(view: View, question: Question) -> Reply:
    """Give as few pucks as possible, the least valuable first."""
    return tuple(by_value(view, pucks_of(question))[: question.least])


def many_of_least_value(view: View, question: Question) -> Reply:
    """Give as many pucks as possible, the least valuable first."""
    return tuple(by_value(view, pucks_of(question))[: question.most])
