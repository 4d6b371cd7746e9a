"""Set-ups of battles from files: who plays with which pucks, and which options.

A file is TOML with ``schema = 1``, such as::

    [options]                      # any of BattleOptions; what is not there is default
    mode = "battle"

    [[players]]                    # in turn order
    name = "Ash"
    slammers = ["Pikachu", "Onix"]
    pucks = { "Plain Puck" = 10, "Potion" = 2, "Electric Energy" = 2 }

    [box]                          # pucks that all share, as in a training battle; may be left out
    slammers = []
    pucks = { "Sandbag" = 40 }

A player who takes pucks from the box may leave ``pucks`` out.

Tables whose players bring house collections: equal but for the slammer and what suits its type.

House data: the rulebook leaves it to the players which pucks they bring.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from physics import InputError
from physics.errors import check_count, shown
from sim.core.files import read_toml
from sim.pokepucks.battle.record import options_from
from sim.pokepucks.battle.table import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    BattleOptions,
    Mode,
    Puck,
    Rule,
    Table,
)
from sim.pokepucks.design_file import Catalogue, shipped_catalogue
from sim.pokepucks.designs import Design, EnergyType

_MAX_OF_ONE = 200


def read_setup(path: Path, catalogue: Catalogue, rules: tuple[Rule, ...]) -> Table:
    """Return the set-up that a file tells.

    Args:
        path: Where it is.
        catalogue: The designs that it may name.
        rules: The special rules that work.

    Raises:
        InputError: It cannot be read, or has a key or value that is not accepted.
    """
    field = f"setup: {str(path)!r}"
    told = read_toml("setup", path)
    _check_keys(field, told, ("options", "players", "box"))
    players = told.get("players")
    if not isinstance(players, list):
        raise InputError(f"{field} players: {shown(players)} is not accepted; give [[players]]")
    check_count(f"{field} players", len(players), low=MIN_PLAYERS, high=MAX_PLAYERS)
    pucks: list[Puck] = []
    names = []
    for number, player in enumerate(players):
        where = f"{field} player {number + 1}"
        _check_keys(where, player, ("name", "slammers", "pucks"))
        names.append(_name(where, player.get("name")))
        pucks += _pucks(where, player, number, catalogue)
    box = told.get("box", {})
    _check_keys(f"{field} box", box, ("slammers", "pucks"))
    pucks += _pucks(f"{field} box", box, None, catalogue)
    options = options_from(f"{field} options", told.get("options", {}))
    try:
        return Table(pucks=tuple(pucks), names=tuple(names), options=options, rules=rules)
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _check_keys(field: str, table: object, keys: tuple[str, ...]) -> None:
    if not isinstance(table, Mapping):
        raise InputError(f"{field}: {shown(table)} is not accepted; give a table")
    for key in table:
        if key not in keys:
            raise InputError(f"{field} {key}: no such key; give {', '.join(keys)}")


def _name(field: str, name: object) -> str:
    if not isinstance(name, str) or not name.isprintable() or not name.strip():
        raise InputError(f"{field} name: {shown(name)} is not accepted; give a name")
    return name.strip()


def _pucks(
    field: str, table: Mapping[str, Any], owner: int | None, catalogue: Catalogue
) -> list[Puck]:
    """Return the pucks of a player, or of the box."""
    slammers = table.get("slammers", [])
    if not isinstance(slammers, list) or not all(isinstance(name, str) for name in slammers):
        raise InputError(f"{field} slammers: {shown(slammers)} is not accepted; give names")
    counts = table.get("pucks", {})
    if not isinstance(counts, Mapping):
        raise InputError(f"{field} pucks: {shown(counts)} is not accepted; give names and numbers")
    pucks = []
    for name in slammers:
        design = catalogue.find_slammer(name, f"{field} slammers")
        pucks.append(Puck(design=design, owner=owner))
    for name, count in counts.items():
        check_count(f"{field} pucks {name}", count, low=1, high=_MAX_OF_ONE)
        pucks += [Puck(design=catalogue.find(name, f"{field} pucks"), owner=owner)] * count
    return pucks


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
