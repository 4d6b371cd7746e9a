"""Options that set up a battle: who plays with what."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.battlesetup import rules_options, rulings_from_options

if TYPE_CHECKING:
    from sim.pokepucks.battle import Table

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)
_PLAYERS = "pikachu,onix"

_OPTIONS = (
    click.option(
        "--players",
        metavar="NAME,...",
        help=f"The slammers of 2 to 8 players, in turn order.  [default: {_PLAYERS}]",
    ),
    click.option("--setup", type=_PATH, metavar="FILE", help="Set-up file (TOML) with any pucks."),
)


def battle_options(function: _Function) -> _Function:
    """Give a command the options that set a battle up."""
    function = rules_options(function)
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def table_from_options(options: dict[str, Any]) -> "Table":
    """Return the set-up that a command's options ask for.

    Later ones win: the defaults, the set-up file, the options.

    Raises:
        InputError: A value that is not accepted.
    """
    from physics import InputError
    from sim.pokepucks.battle import BattleOptions, house_table, read_setup
    from sim.pokepucks.design_file import read_catalogue
    from sim.pokepucks.special import SPECIAL_RULES

    catalogue = read_catalogue(options["puckdex"])
    if options["setup"] is not None:
        if options["players"] is not None:
            raise InputError(
                f"players: {options['players']!r} is not accepted beside setup; it has players"
            )
        table = read_setup(options["setup"], catalogue, SPECIAL_RULES)
        return replace(table, options=rulings_from_options(table.options, options))
    names = (options["players"] or _PLAYERS).split(",")
    slammers = [catalogue.find_slammer(name, "players") for name in names]
    return house_table(slammers, rulings_from_options(BattleOptions(), options), catalogue)
