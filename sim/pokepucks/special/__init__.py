"""The special rules of slammers, Items and Trainers, as listed in the PuckDex and the PuckMart.

Rules of a user's own come from files: see `sim.pokepucks.special.own_rules`.

A rule has the name of its listing. A new puck with a known rule is a row in a file; a new rule is a
function and a row of type `sim.pokepucks.battle.rules.Rule` in ``abilities``, ``items`` or
``trainers``, with its hints for players.

Example:
    >>> len(SPECIAL_RULES), list(known_rules(DesignKind.TRAINER))
    (44, ['Mr. Merkert', 'Mr. Saia', 'Mr. Smith', 'Ms. Hicks', 'You'])
"""

from functools import cache

from sim.pokepucks.battle.rules import Rule, RuleBook
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special.abilities import (
    COUNT_RULES,
    HEALING_RULES,
    HINDERING_RULES,
    MATCHUP_RULES,
    MORE_ATTACK_RULES,
)
from sim.pokepucks.special.items import BALL_RULES, COUNTING_ITEM_RULES, ITEM_RULES
from sim.pokepucks.special.trainers import TRAINER_RULES

SPECIAL_RULES: tuple[Rule, ...] = (
    *MATCHUP_RULES,
    *COUNT_RULES,
    *MORE_ATTACK_RULES,
    *HINDERING_RULES,
    *HEALING_RULES,
    *BALL_RULES,
    *COUNTING_ITEM_RULES,
    *ITEM_RULES,
    *TRAINER_RULES,
)
"""Every special rule."""


@cache
def shipped_rules() -> RuleBook:
    """Return the book of all special rules that come with pucklab."""
    return RuleBook(SPECIAL_RULES)


def known_rules(kind: DesignKind) -> dict[str, bool]:
    """Return the special rules that pucks of a kind may be listed with.

    Args:
        kind: The kind.

    Returns:
        For the name of each, in alphabetical order, whether its pucks have a type.
    """
    found = {
        rule.listing or rule.name: rule.of_type
        for rule in SPECIAL_RULES
        if rule.source.kind is kind and not rule.kinds
    }
    return dict(sorted(found.items()))
