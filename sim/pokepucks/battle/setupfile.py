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
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from physics import InputError
from physics.checks import check_count, shown
from sim.files import read_toml
from sim.pokepucks.battle.options import MAX_PLAYERS, MIN_PLAYERS
from sim.pokepucks.battle.pucks import Puck
from sim.pokepucks.battle.rule import Rule
from sim.pokepucks.battle.table import Table
from sim.pokepucks.battle.tablejson import options_from
from sim.pokepucks.catalogue import Catalogue

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
