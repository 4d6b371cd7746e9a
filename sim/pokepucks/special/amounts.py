"""Numbers and kinds of special rules, which the rules and the compiled battles both read.

`AMOUNTS` has what special rules give, take and need. Numbers of players' judgement follow.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sim.pokepucks.battle.state import Status
from sim.pokepucks.designs import EnergyType


class Amounts(NamedTuple):
    """The numbers and kinds of a special rule."""

    attacks: int = 0  # more of them, while attacks are counted
    picks: int | None = None  # most pucks picked up from an attack that is granted
    pucks: int = 0  # most pucks that are moved
    spent: bool = False  # the puck is discarded
    many: bool = False  # several such pucks are worth as many times as much, as each is used up
    of_type: bool = False  # the slammer must have the puck's type
    gives: Status | None = None  # status of the next slammer, in place of a pick-up
    cures: tuple[Status, ...] = ()  # statuses that a puck in Power protects its owner from
    weak: EnergyType | None = None  # type of a next slammer that counts as weak to the attack
    resists: EnergyType | None = None  # type of one that counts as resistant


AMOUNTS: Mapping[str, Amounts] = {
    "Energy": Amounts(attacks=1, of_type=True),
    "Focus Energy": Amounts(attacks=1, of_type=True),
    "Focus Energy for two": Amounts(attacks=2, of_type=True, spent=True),
    "Power Stone": Amounts(attacks=1, of_type=True, spent=True, many=True),
    "Potion": Amounts(pucks=2, spent=True, many=True),
    "Berry": Amounts(many=True),
    "Focus Sash": Amounts(spent=True),
    "Full Heal": Amounts(cures=tuple(Status)),
    "Poké Flute": Amounts(cures=(Status.SLEEP,)),
    "Silph Scope": Amounts(cures=(Status.PARALYZED,)),
    "Mr. Merkert": Amounts(),
    "You": Amounts(),
    "Dig": Amounts(attacks=1),
    "Hyper Beam": Amounts(attacks=2),
    "Surf": Amounts(pucks=2),
    "Leech Seed": Amounts(pucks=1, picks=0),
    "Rage": Amounts(picks=1),
    "Cross Chop": Amounts(picks=1),
    "Cut": Amounts(picks=1),
    "Swift": Amounts(picks=1),
    "Thunder Wave": Amounts(gives=Status.PARALYZED),
    "Sing": Amounts(gives=Status.SLEEP),
    "Poison Cloud": Amounts(gives=Status.POISONED),
    "Wing Attack": Amounts(weak=EnergyType.GRASS),
    "Ice Beam": Amounts(weak=EnergyType.WATER, resists=EnergyType.FIRE),
}
"""Amounts that special rules give, take and need, by name; others have no numbers."""

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
