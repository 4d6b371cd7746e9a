"""Options of the commands that play battles: rulings, pucks and the source of throws."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pucklab.api.scenes import note_doubt
from pucklab.base.decoding import decode
from pucklab.base.errors import InputError, shown
from pucklab.base.files import read_toml
from pucklab.base.parsing import parse_toml
from pucklab.calibration.parameter_files import parameters_from
from pucklab.cli.options import PATH, Decorator, complete_from, count, option, together
from pucklab.physics import ENGINES, Scene, check_engine, puck_stack, puckdex_slammer
from pucklab.sim.odds import Study
from pucklab.sim.pokepucks.battle.battle_setup import (
    LENGTHS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    BattleOptions,
    Mode,
    with_length,
)
from pucklab.sim.pokepucks.battle.player_kinds import PLAYERS
from pucklab.sim.pokepucks.battle.setup_file import Deck, house_deck, read_deck
from pucklab.sim.pokepucks.design_file import Catalogue, read_catalogue
from pucklab.sim.pokepucks.designs import Design, DesignKind
from pucklab.sim.pokepucks.throw_sources import (
    OddsThrows,
    PhysicsThrows,
    TableThrows,
    read_odds_throws,
    shipped_table,
)
from pucklab.sim.pokepucks.tournament import Contest

_MOST_VALUE_CHARS = 200


def rules_options(throws: str = "physics", length: str = "full") -> Decorator:
    """Return the options for rulings, pucks and throws.

    Args:
        throws: The source of throws if none is given.
        length: The length of a battle if none is given, as a text.
    """
    return together(
        option(
            "--length",
            str,
            "LENGTH",
            "first: all rules, 6 pucks of Health, only questions that matter; short: no special "
            "rules; simple: the rulebook's training with Sandbags and Pokéball slammers; or full.  "
            f"[default: {length}]",
            shell_complete=complete_from(lambda: LENGTHS),
        ),
        option(
            "--mode",
            str,
            "MODE",
            "battle, training or wild.  [default: battle]",
            shell_complete=complete_from(lambda: Mode),
        ),
        option(
            "--turns",
            count(1, 10_000),
            "N",
            "Turns per player before the battle is a draw.  [default: 250]",
        ),
        option(
            "--option rulings",
            str,
            "NAME=VALUE",
            "Change a ruling, such as buy_in=20 or keeps=false; may be repeated.",
            multiple=True,
        ),
        option(
            "--puckdex",
            PATH,
            "FILE",
            "Pucks of your own (TOML or CSV), in addition to the PuckDex.",
        ),
        option(
            "--throws",
            str,
            "SOURCE",
            "physics, table (quick: recorded slams), or a CSV file of 'pucklab odds --out'.",
            default=throws,
        ),
        option(
            "--engine",
            str,
            "NAME",
            "Engine of --throws physics: plane, or solid (2 to 3 times slower).  [default: plane]",
            shell_complete=complete_from(lambda: ENGINES),
        ),
        option(
            "--params",
            str,
            "FILE,...",
            "Parameter files (TOML): one for all players, or one for each.",
        ),
    )


def deck_files(text: str | None) -> list[Path]:
    """Return the files of a list of decks."""
    words = [] if text is None else [word.strip() for word in text.split(",")]
    return [Path(word) for word in words if word == "-" or word.lower().endswith(".toml")]


def check_players(field: str, text: str, players: int) -> None:
    """Check that a list is as long as a battle may have players.

    Raises:
        InputError: It is not; the message names the option.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise InputError(
            f"{field}: {text!r} makes {players} player{'' if players == 1 else 's'}; give "
            f"{MIN_PLAYERS} to {MAX_PLAYERS} with commas between them"
        )


def decks_from(
    field: str, text: str, options: BattleOptions, catalogue: Catalogue
) -> tuple[Deck, ...]:
    """Return the decks of a list of deck files (TOML) and of slammers with house decks.

    Args:
        field: Name of the option in errors.
        text: The list; ``all`` gives every Pokémon slammer.
        options: Decide how many pucks a house deck has, as for two players.
        catalogue: The designs.

    Raises:
        InputError: A file or name is not accepted.
    """
    buy_in = options.buy_in
    size = max(buy_in) if isinstance(buy_in, tuple) else options.buy_in_of(0, 2)
    found: list[Deck] = []
    for word in text.split(","):
        if deck_files(word):
            found.append(read_deck(Path(word.strip()), catalogue, field))
        else:
            slammers = slammers_from(field, word, catalogue)
            found += [house_deck(slammer, size, catalogue, options) for slammer in slammers]
    return tuple(found)


def rulings_from_options(base: BattleOptions, options: dict[str, Any]) -> BattleOptions:
    """Return the rulings that a command's options give.

    Args:
        base: Rulings where the options give none.
        options: The options' values by name.

    Raises:
        InputError: A value is not accepted.
    """
    values: dict[str, object] = {}
    for text in options["rulings"]:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"option: {text!r} is not accepted; give NAME=VALUE")
        value = value.strip()
        if len(value) > _MOST_VALUE_CHARS or "\n" in value:
            raise InputError(f"option: {shown(value)} is not accepted; give a shorter value")
        try:  # as in TOML; any other text is a word
            values[name.strip()] = parse_toml(f"value = {value}", "option")["value"]
        except InputError:
            values[name.strip()] = value
    for name, own in (("length", "length"), ("mode", "mode"), ("max_turns", "turns")):
        if options[own] is not None:
            values[name] = options[own]
    return decode(BattleOptions, with_length(values, "option"), "option", base)


def throws_from_options(
    options: dict[str, Any], players: int
) -> tuple[PhysicsThrows | TableThrows | OddsThrows, str]:
    """Return the source of throws that a command's options give, and its name.

    Raises:
        InputError: The source, the engine or a parameter file is not accepted.
    """
    source: str = options["throws"]
    engine: str | None = options["engine"]
    if engine is not None:
        check_engine(engine)
    if source != "physics":
        for name in ("engine", "params"):
            if options[name] is not None:
                raise InputError(
                    f"{name}: {options[name]!r} is not accepted beside --throws {source!r}"
                )
        return shipped_table() if source == "table" else read_odds_throws(Path(source)), source
    engine = engine or "plane"
    if options["params"] is None:
        return PhysicsThrows(engine=engine), source
    files = options["params"].split(",")
    if len(files) not in {1, players}:
        raise InputError(
            f"params: {options['params']!r} is not accepted; give 1 or {players} files"
        )
    first, *others = (parameters_from(read_toml("params", Path(file))) for file in files)
    throwers = tuple(own.thrower for own in (first, *others))
    if engine == "plane":
        stack = puck_stack(_USUAL_PUCKS)
        scene = Scene(slammer=puckdex_slammer(8.0), stack=stack, materials=first.materials)
        note_doubt(Study(scene=scene, thrower=own, engine=engine) for own in throwers)
    throwers *= players // len(files)
    return PhysicsThrows(parameters=first, throwers=throwers, engine=engine), source


def contest_from(
    options: dict[str, Any], players: int, policy: str = "greedy"
) -> tuple[Contest, str]:
    """Return the contest that a command's options describe, and its throws as a text."""
    PLAYERS.of(policy)
    throws, source = throws_from_options(options, players)
    contest = Contest(
        throws=throws,
        policy=policy,
        options=rulings_from_options(BattleOptions(), options),
        catalogue=read_catalogue(options["puckdex"]),
    )
    return contest, throws_text(source, throws.engine)


def files_read(options: dict[str, Any]) -> list[Path | None]:
    """Return the files that the options of battles name."""
    params = (options["params"] or "").split(",")
    return [options["puckdex"], Path(options["throws"]), *(Path(file) for file in params if file)]


_USUAL_PUCKS = 10


def throws_text(source: str, engine: str) -> str:
    """Return the source of throws and its engine as a text.

    Example:
        >>> throws_text("physics", "solid")
        'throws: physics (solid engine)'
    """
    return f"throws: {source} ({engine} engine)"


def slammers_from(field: str, text: str, catalogue: Catalogue) -> Sequence[Design]:
    """Return the slammers of a list of names; ``all`` gives every Pokémon slammer.

    Raises:
        InputError: A name is not in the catalogue.
    """
    found: list[Design] = []
    for name in text.split(","):
        if name.strip().lower() == "all":
            found += [d for d in catalogue.designs if d.kind is DesignKind.POKEMON]
        else:
            found.append(catalogue.find_slammer(name, field))
    return found
