"""What battles are set up with: shared by the commands that play them."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.pokepucks.battle.options import BattleOptions
    from sim.pokepucks.catalogue import Catalogue
    from sim.pokepucks.design import Design
    from sim.pokepucks.physicsthrows import PhysicsThrows
    from sim.pokepucks.tablethrows import TableThrows


def throws_from(text: str, params: Path | None) -> "PhysicsThrows | TableThrows":
    """Return where throws come from.

    Args:
        text: ``physics``, ``table`` for the table that comes with pucklab, or an odds CSV.
        params: Parameter file of the physics.

    Raises:
        InputError: A value that is not accepted.
    """
    from physics import InputError, ParameterSet
    from sim.files import read_toml
    from sim.pokepucks.physicsthrows import PhysicsThrows
    from sim.pokepucks.tablethrows import read_table, shipped_table

    if text == "physics":
        parameters = ParameterSet()
        if params is not None:
            from calibration.parameterfile import parameters_from

            parameters = parameters_from(read_toml("params", params), parameters)
        return PhysicsThrows(parameters=parameters)
    if params is not None:
        raise InputError(f"params: {str(params)!r} is not accepted beside throws {text!r}")
    if text == "table":
        return shipped_table()
    if Path(text).suffix.lower() != ".csv":
        raise InputError(
            f"throws: {text!r} is not accepted; give physics, table, or an odds file (.csv)"
        )
    return read_table(Path(text))


def options_from(mode: str, turns: int) -> "BattleOptions":
    """Return the options of battles of a mode.

    Raises:
        InputError: There is no such mode.
    """
    from physics import InputError
    from sim.pokepucks.battle.options import BattleOptions, Mode

    if mode not in tuple(Mode):
        raise InputError(f"mode: {mode!r} is not accepted; give one of {', '.join(Mode)}")
    return BattleOptions(mode=Mode(mode), max_turns=turns)


def slammers_from(field: str, text: str, catalogue: "Catalogue") -> "Sequence[Design]":
    """Return the slammers of a list of names; ``all`` stands for every Pokémon slammer.

    Raises:
        InputError: A name that is not in the catalogue.
    """
    from sim.pokepucks.design import DesignKind

    found: list[Design] = []
    for name in text.split(","):
        if name.strip().lower() == "all":
            found += [d for d in catalogue.designs if d.kind is DesignKind.POKEMON]
        else:
            found.append(catalogue.find(name, field))
    return found
