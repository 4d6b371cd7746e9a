"""The special rules of slammers, Items and Trainers: small functions at points of the turn.

A rule has the name of its listing in the PuckDex or the PuckMart. A new puck with a known rule is a
row in a file; a new rule is a `sim.pokepucks.battle.table.Rule` here.

==============  ===================================================================================
matchups        abilities that change types: Wing Attack, Ice Beam, Genetically Unstable
counts          abilities that change the number of attacks: Dig, Hyper Beam; MissingNo.
moreattacks     Leech Seed, Rage, Cross Chop, Cut, Pay Day, Swift
hindering       Thunder Wave, Sing, Poison Cloud, Defense Curl, Fire Spin
healing         Surf, Rest
balls           Pokéball slammers
countingitems   Energy, Focus Energy, Power Stone, Silph Scope
items           Potion, Switch, Berry, Full Heal, Poké Flute, Focus Sash, Sandbag
trainers        Mr. Smith, Mr. Saia, Mr. Merkert, Ms. Hicks, You
acting          what they are made of
==============  ===================================================================================

Example:
    >>> len(SPECIAL_RULES), known_rules(DesignKind.TRAINER)
    (44, ('Mr. Merkert', 'Mr. Saia', 'Mr. Smith', 'Ms. Hicks', 'You'))
"""

from sim.pokepucks.battle.table import Rule, Source
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

_SOURCES = {
    DesignKind.POKEMON: {Source.ABILITY, Source.SUPPORT},
    DesignKind.ITEM: {Source.ITEM},
    DesignKind.TRAINER: {Source.TRAINER},
}


def known_rules(kind: DesignKind) -> tuple[str, ...]:
    """Return the names of the special rules that pucks of a kind may be listed with."""
    sources = _SOURCES.get(kind, set())
    names = {
        rule.listing or rule.name
        for rule in SPECIAL_RULES
        if rule.source in sources and not rule.kinds
    }
    return tuple(sorted(names))
