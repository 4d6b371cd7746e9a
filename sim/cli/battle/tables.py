"""Options that set up a battle: who plays with what, by which rulings, and whose throws."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.numbers import count

if TYPE_CHECKING:
    from sim.pokepucks.battle import BattleOptions, Table
    from sim.pokepucks.throws import Throws

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)
_PLAYERS = "pikachu,onix"

_OPTIONS = (
    click.option(
        "--players",
        metavar="NAME,...",
        help=f"The slammers of 2 to 8 players, in turn order.  [default: {_PLAYERS}]",
    ),
    click.option("--mode", metavar="MODE", help="battle, training or wild.  [default: battle]"),
    click.option(
        "--turns",
        callback=count(1, 10_000),
        metavar="N",
        help="Turns of each player after which it is a draw.  [default: 250]",
    ),
    click.option(
        "--option",
        "rulings",
        multiple=True,
        metavar="NAME=VALUE",
        help="A ruling decided otherwise, such as buy_in=20 or keeps=false; may be repeated.",
    ),
    click.option("--setup", type=_PATH, metavar="FILE", help="Set-up file (TOML) with any pucks."),
    click.option(
        "--puckdex", type=_PATH, metavar="FILE", help="Pucks of your own (TOML or CSV), beside all."
    ),
    click.option(
        "--throws",
        default="physics",
        show_default=True,
        metavar="SOURCE",
        help="physics, table (quick, from odds), or the CSV file of 'pucklab odds --out'.",
    ),
    click.option(
        "--params",
        metavar="FILE,...",
        help="Parameter files (TOML): one for all players, or the thrower of each.",
    ),
)


def battle_options(function: _Function) -> _Function:
    """Give a command the options that set a battle up."""
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
    from sim.pokepucks.catalogue import read_catalogue
    from sim.pokepucks.special import SPECIAL_RULES

    catalogue = read_catalogue(options["puckdex"])
    if options["setup"] is not None:
        if options["players"] is not None:
            raise InputError(
                f"players: {options['players']!r} is not accepted beside setup; it has players"
            )
        table = read_setup(options["setup"], catalogue, SPECIAL_RULES)
        return replace(table, options=_rulings(table.options, options))
    names = (options["players"] or _PLAYERS).split(",")
    slammers = [catalogue.find(name, "players") for name in names]
    return house_table(slammers, _rulings(BattleOptions(), options), catalogue)


def _rulings(base: "BattleOptions", options: dict[str, Any]) -> "BattleOptions":
    from physics import InputError
    from sim.pokepucks.battle.tablejson import options_from, options_json

    values = options_json(base)
    for text in options["rulings"]:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"option: {text!r} is not accepted; give NAME=VALUE")
        values[name.strip()] = _value(value.strip())
    values |= {
        name: value
        for name, value in (("mode", options["mode"]), ("max_turns", options["turns"]))
        if value is not None
    }
    return options_from("option", values)


def _value(text: str) -> object:
    """Return the value of a text as TOML has it; what is none is a word."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def throws_from_options(options: dict[str, Any], players: int) -> "tuple[Throws, str]":
    """Return whose throws a command's options ask for, and what to call them.

    Raises:
        InputError: A source, or a parameter file, that is not accepted.
    """
    from physics import InputError
    from sim.pokepucks.tablethrows import read_table, shipped_table

    source: str = options["throws"]
    if source == "physics":
        return _physics(options["params"], players), source
    if options["params"] is not None:
        raise InputError(f"params: {options['params']!r} is not accepted beside throws {source!r}")
    if source == "table":
        return shipped_table(), source
    return read_table(Path(source)), source


def _physics(params: str | None, players: int) -> "Throws":
    """Return throws of the physics, with the throwers of the parameter files."""
    from physics import InputError
    from sim.pokepucks.physicsthrows import PhysicsThrows

    if params is None:
        return PhysicsThrows()
    from calibration.parameterfile import parameters_from
    from sim.files import read_toml

    files = params.split(",")
    if len(files) not in {1, players}:
        raise InputError(f"params: {params!r} is not accepted; give 1 or {players} files")
    read = [parameters_from(read_toml("params", Path(file))) for file in files]
    throwers = tuple(parameters.thrower for parameters in read)
    return PhysicsThrows(parameters=read[0], throwers=throwers * (players // len(files)))
