"""A battle's set-up as JSON: complete, with the designs of its pucks, but for special rules.

Special rules are code; they are found again by the names that designs have.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from physics import InputError
from physics.checks import shown, with_values
from sim.jsonfields import from_json, to_json
from sim.pokepucks.battle.options import BattleOptions, Mode
from sim.pokepucks.battle.pucks import Puck
from sim.pokepucks.battle.rule import Rule
from sim.pokepucks.battle.table import Table
from sim.pokepucks.design import Design

_KEYS = ("names", "options", "designs", "pucks")


def table_json(table: Table) -> dict[str, Any]:
    """Return a set-up as JSON has it.

    Each puck is the number of its design, and its owner; options are those that are not default.
    """
    designs = tuple(dict.fromkeys(puck.design for puck in table.pucks))
    numbers = {design: number for number, design in enumerate(designs)}
    return {
        "names": list(table.names),
        "options": options_json(table.options),
        "designs": to_json(designs),
        "pucks": [[numbers[puck.design], puck.owner] for puck in table.pucks],
    }


def options_json(options: BattleOptions) -> dict[str, Any]:
    """Return the options that are not default, as JSON has them."""
    default = BattleOptions()
    return {
        field.name: to_json(getattr(options, field.name))
        for field in fields(options)
        if getattr(options, field.name) != getattr(default, field.name)
    }


def table_from(field: str, value: object, rules: tuple[Rule, ...]) -> Table:
    """Return the set-up that JSON tells.

    Args:
        field: What to call it in an error.
        value: What `table_json` returned.
        rules: The special rules that work.

    Raises:
        InputError: A key or value that is not accepted.
    """
    if not isinstance(value, Mapping) or set(value) != set(_KEYS):
        raise InputError(f"{field}: {shown(value)} is not accepted; give {', '.join(_KEYS)}")
    designs: tuple[Design, ...] = from_json(
        tuple[Design, ...], value["designs"], f"{field} designs"
    )
    pucks = from_json(tuple[tuple[int, int | None], ...], value["pucks"], f"{field} pucks")
    for number, (design, _) in enumerate(pucks):
        if not 0 <= design < len(designs):
            raise InputError(f"{field} pucks: puck {number}: there is no design {design}")
    names = from_json(tuple[str, ...], value["names"], f"{field} names")
    options = options_from(f"{field} options", value["options"])
    try:
        return Table(
            pucks=tuple(Puck(design=designs[design], owner=owner) for design, owner in pucks),
            names=names,
            options=options,
            rules=rules,
        )
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def options_from(field: str, value: object) -> BattleOptions:
    """Return the options that JSON, or a file, tells; what it does not tell is default.

    Args:
        field: What to call them in an error.
        value: Values by the names of `BattleOptions`.

    Raises:
        InputError: A name or value that is not accepted.

    Example:
        >>> options_from("options", {"mode": "wild", "buy_in": [8, 12]}).buy_in
        (8, 12)
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{field}: {shown(value)} is not accepted; give names and values")
    values = dict(value)
    if values.get("mode") in set(Mode):
        values["mode"] = Mode(values["mode"])
    if isinstance(values.get("buy_in"), list):
        values["buy_in"] = tuple(values["buy_in"])
    return with_values(BattleOptions(), values, field)
