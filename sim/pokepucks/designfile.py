"""Designs of pucks from files: the shipped lists, and a user's own.

A file is CSV with a line of column names, lines that begin with ``#`` left out::

    name,kind,rule,type,resistance,weakness,mass_g
    Onix Gold,pokemon,Dig,fighting,fire,water,24
    Rare Potion,item,Potion,,,,1.2

or TOML with ``schema = 1`` and a ``[[pucks]]`` table for each, with the same names for keys:

====================  =============================================================================
name                  what it is called
kind                  pokemon (if not given), ball, slammer, item, trainer or plain
rule                  name of its special rule, of those that pucklab knows; none for plain pucks,
                      balls and other slammers, whose rules come with their kind
type                  grass, fire, water, electric, fighting, psychic or normal; needed for pokemon
resistance, weakness  as type, for pokemon; weakness is needed
mass_g                2 to 24 for a slammer, and needed; 1 to 2 for other pucks, 1.5 if not given
thickness_mm          1.6 to 8 for a slammer, 6 if not given; other pucks have 1.6
wing                  yes or no (if not given); in TOML true or false
dex, variant, text    number in the PuckDex, how it differs from another, what it does
====================  =============================================================================
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from physics import InputError
from physics.checks import shown
from sim.files import read_text, read_toml
from sim.pokepucks.design import Design
from sim.pokepucks.designfields import KnownRules, design_from


def shipped_designs(name: str) -> tuple[Design, ...]:
    """Return the designs of a list that comes with pucklab.

    Args:
        name: Name of the CSV file.
    """
    text = files("sim.pokepucks").joinpath("data", name).read_text(encoding="utf-8")
    return _from_csv(name, text)


def read_designs(path: Path) -> tuple[Design, ...]:
    """Return the designs of a file: TOML if its name ends in ``.toml``, else CSV.

    Raises:
        InputError: It cannot be read, or holds what is not accepted; the message names the file,
            the row and the field.
    """
    from sim.pokepucks.special import known_rules  # the lists know nothing of battles

    field = f"puckdex: {str(path)!r}"
    if path.suffix.lower() != ".toml":
        return _from_csv(field, read_text("puckdex", path), known_rules)
    table = read_toml("puckdex", path)
    for key in table:
        if key != "pucks":
            raise InputError(f"{field}: {key}: no such key; give pucks")
    entries = table.get("pucks")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{field}: pucks: {shown(entries)} is not accepted; give [[pucks]] tables")
    named = ((f"{field} puck {place}", entry) for place, entry in enumerate(entries, start=1))
    return designs_from(named, known_rules)


def designs_from(
    entries: Iterable[tuple[str, object]], known: KnownRules | None = None
) -> tuple[Design, ...]:
    """Return the designs of tables.

    Args:
        entries: What to call each in an error, and its values by key; see the module.
        known: The special rules that there are for a kind of puck; None to leave that unchecked.

    Raises:
        InputError: A key or value that is not accepted, or a name that is there twice.

    Example:
        >>> (design,) = designs_from([("row 1", {"name": "Gem", "kind": "item", "rule": "Potion"})])
        >>> design.mass_g
        1.5
        >>> designs_from([("row 1", {"name": "Gem", "kind": "ball", "type": "water"})])
        Traceback (most recent call last):
            ...
        physics.checks.InputError: row 1 (Gem) mass_g: missing; give the slammer's mass in g
    """
    found: dict[str, Design] = {}
    for field, entry in entries:
        design = design_from(field, entry, known)
        if design.key in found:
            raise InputError(f"{field} name: {design.name!r} is there twice")
        found[design.key] = design
    return tuple(found.values())


def _from_csv(field: str, text: str, known: KnownRules | None = None) -> tuple[Design, ...]:
    kept = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]
    rows = csv.DictReader(io.StringIO("\n".join(line for _, line in kept)), strict=True)
    entries = []
    try:
        for row in rows:
            where = f"{field} line {kept[rows.line_num - 1][0]}"
            if None in row or None in row.values():
                raise InputError(f"{where}: it has not {len(rows.fieldnames or ())} cells")
            entries.append((where, _entry(row)))
    except csv.Error as error:
        raise InputError(f"{field}: it is no CSV: {error}") from None
    if not entries:
        raise InputError(f"{field}: it has no row; give a line of column names, and rows")
    return designs_from(entries, known)


def _entry(row: Mapping[str, str]) -> dict[str, object]:
    """Return the values of a row's cells as TOML would give them; empty cells give none."""
    entry: dict[str, object] = {}
    for key, cell in row.items():
        text = cell.strip()
        if text:
            entry[key] = _READ_CELL.get(key, str)(text)
    return entry


def _number(text: str) -> object:
    """Return the number that a cell holds; what is none is refused when it is checked."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return text


def _flag(text: str) -> object:
    return {"yes": True, "no": False}.get(text, text)


_READ_CELL: Mapping[str, Callable[[str], object]] = {
    "mass_g": _number,
    "thickness_mm": _number,
    "dex": _number,
    "wing": _flag,
}
