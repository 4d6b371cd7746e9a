"""Set-ups: from a file, or with a house collection for each player.

`read_setup` reads a TOML file with ``schema = 1``, such as::

    [options]                      # any of BattleOptions; missing ones have the default
    mode = "battle"

    [[players]]                    # in turn order
    name = "Ash"
    slammers = ["Pikachu", "Onix"]
    pucks = { "Plain Puck" = 10, "Potion" = 2, "Electric Energy" = 2 }

    [box]                          # pucks shared by all, as in a training battle; optional
    slammers = []
    pucks = { "Sandbag" = 40 }

A player who takes pucks from the box needs no ``pucks``.

`house_table` gives every player the same pucks, except for the slammer and whatever suits its type.
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
    Table,
)
from sim.pokepucks.design_file import Catalogue, shipped_catalogue
from sim.pokepucks.designs import Design, EnergyType

_MAX_OF_ONE = 200
"""Most pucks of one name that a player may bring."""

_HOUSE_PUCKS = (
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
"""The first pucks of a house collection; plain pucks follow."""

_WILD_PUCKS = ("Switch", "Full Heal", "Plain Puck", "Plain Puck", "Plain Puck", "Poké Ball")
"""The house collection in a wild battle."""


def read_setup(path: Path, catalogue: Catalogue) -> Table:
    """Read the set-up of a battle from a file.

    Args:
        path: The file.
        catalogue: The designs that it may name.

    Raises:
        InputError: The file cannot be read, or a key or value is not accepted.
    """
    field = f"setup: {str(path)!r}"
    setup = read_toml("setup", path)
    _check_keys(field, setup, ("options", "players", "box"))
    players = setup.get("players")
    if not isinstance(players, list):
        raise InputError(f"{field} players: {shown(players)} is not accepted; give [[players]]")
    check_count(f"{field} players", len(players), low=MIN_PLAYERS, high=MAX_PLAYERS)
    pucks: list[Puck] = []
    names = []
    for index, player in enumerate(players):
        where = f"{field} player {index + 1}"
        _check_keys(where, player, ("name", "slammers", "pucks"))
        names.append(_name(where, player.get("name")))
        pucks += _pucks(where, player, index, catalogue)
    box = setup.get("box", {})
    _check_keys(f"{field} box", box, ("slammers", "pucks"))
    pucks += _pucks(f"{field} box", box, None, catalogue)
    options = options_from(f"{field} options", setup.get("options", {}))
    try:
        return Table(pucks=tuple(pucks), names=tuple(names), options=options)
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


def house_table(
    slammers: Sequence[Design],
    options: BattleOptions | None = None,
    catalogue: Catalogue | None = None,
) -> Table:
    """Return a set-up in which each player has one slammer and a house collection.

    Args:
        slammers: The slammer of each player, in turn order.
        options: Mode and rulings; the defaults if None.
        catalogue: Source of the pucks; the shipped designs if None.

    Raises:
        InputError: One of the designs is no slammer, or the number of players is not accepted.

    Example:
        >>> find = shipped_catalogue().find
        >>> table = house_table([find("pikachu"), find("onix"), find("onix")])
        >>> table.names, len(table.pucks)
        (('Pikachu', 'Onix', 'Onix 2'), 42)
        >>> table.pucks[1].name
        'Electric Energy'
    """
    options = options or BattleOptions()
    catalogue = catalogue or shipped_catalogue()
    options.check_players(len(slammers))
    pucks = []
    for player, slammer in enumerate(slammers):
        if not slammer.kind.is_slammer:
            raise InputError(f"slammer: {slammer.name!r} is no slammer; give one")
        count = options.buy_in_of(player, len(slammers))
        names = _WILD_PUCKS if options.mode is Mode.WILD else house_collection(slammer, count)
        # In a training battle the players share a box of pucks but bring their own slammers.
        owner = None if options.mode is Mode.TRAINING else player
        pucks.append(Puck(design=slammer, owner=player))
        pucks += [Puck(design=catalogue.find(name), owner=owner) for name in names]
    return Table(pucks=tuple(pucks), names=_names(slammers), options=options)


def house_collection(slammer: Design, count: int) -> tuple[str, ...]:
    """Return the names of the first ``count`` pucks of the house collection for a slammer."""
    kind = (slammer.type or EnergyType.NORMAL).capitalize()
    first = tuple(name.format(type=kind) for name in _HOUSE_PUCKS[:count])
    return first + ("Plain Puck",) * (count - len(first))


def _names(slammers: Sequence[Design]) -> tuple[str, ...]:
    """Name the players after their slammers, with a number if the name is taken."""
    names: list[str] = []
    for slammer in slammers:
        name, number = slammer.name, 1
        while name in names:
            number += 1
            name = f"{slammer.name} {number}"
        names.append(name)
    return tuple(names)
