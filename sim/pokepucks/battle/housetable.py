"""Tables whose players bring house collections: equal but for the slammer and what suits its type.

House data: the rulebook leaves it to the players which pucks they bring.
"""

from collections.abc import Sequence

from physics import InputError
from sim.pokepucks.battle.options import BattleOptions, Mode
from sim.pokepucks.battle.pucks import Puck
from sim.pokepucks.battle.table import Table
from sim.pokepucks.catalogue import Catalogue, shipped_catalogue
from sim.pokepucks.design import Design, EnergyType

_FIRST = (
    "{type} Energy",
    "{type} Focus Energy",
    "Potion",
    "Berry",
    "Full Heal",
    "Mr. Merkert",
    "{type} Energy",
    "Poké Flute",
    "Potion",
    "Berry",
    "Silph Scope",
    "Focus Sash",
    "Mr. Saia",
    "Switch",
    "Sandbag",
)
"""What comes first in a house collection; plain pucks follow."""

_WILD = ("Switch", "Full Heal", "Plain Puck", "Plain Puck", "Plain Puck", "Poké Ball")


def house_table(
    slammers: Sequence[Design],
    options: BattleOptions | None = None,
    catalogue: Catalogue | None = None,
) -> Table:
    """Return the table of a battle in which each player has one slammer and a house collection.

    Args:
        slammers: Each player's slammer, in turn order.
        options: Mode and rulings; their defaults if not given.
        catalogue: Where the pucks come from; the shipped one if not given.

    Raises:
        InputError: A puck that is no slammer, or more or fewer players than may be.

    Example:
        >>> find = shipped_catalogue().find
        >>> table = house_table([find("pikachu"), find("onix"), find("onix")])
        >>> table.names, len(table.pucks)
        (('Pikachu', 'Onix', 'Onix 2'), 42)
        >>> table.pucks[1].name
        'Electric Energy'
    """
    from sim.pokepucks.special import SPECIAL_RULES  # they know of battles, not the other way

    options = options or BattleOptions()
    catalogue = catalogue or shipped_catalogue()
    options.check_players(len(slammers))
    pucks = []
    for player, slammer in enumerate(slammers):
        if not slammer.kind.is_slammer:
            raise InputError(f"slammer: {slammer.name!r} is no slammer; give one")
        count = options.buy_in_of(player, len(slammers))
        names = _WILD if options.mode is Mode.WILD else house_collection(slammer, count)
        # In a training battle the players share a box of pucks, and bring their own slammers.
        owner = None if options.mode is Mode.TRAINING else player
        pucks.append(Puck(design=slammer, owner=player))
        pucks += [Puck(design=catalogue.find(name), owner=owner) for name in names]
    return Table(pucks=tuple(pucks), names=_names(slammers), options=options, rules=SPECIAL_RULES)


def house_collection(slammer: Design, count: int) -> tuple[str, ...]:
    """Return the names of so many pucks that a player with a slammer brings to Health."""
    kind = (slammer.type or EnergyType.NORMAL).capitalize()
    first = tuple(name.format(type=kind) for name in _FIRST[:count])
    return first + ("Plain Puck",) * (count - len(first))


def _names(slammers: Sequence[Design]) -> tuple[str, ...]:
    """Return what players are called: as their slammers, with a number where one has it already."""
    names: list[str] = []
    for slammer in slammers:
        name, number = slammer.name, 1
        while name in names:
            number += 1
            name = f"{slammer.name} {number}"
        names.append(name)
    return tuple(names)
