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

A TOML file may also hold special rules of its own, as ``[[rules]]``: see
`sim.pokepucks.special.own_rules`.

`read_catalogue` returns the shipped designs together with those of a file: the PuckDex lists the
Pokémon slammers, the PuckMart everything else. `Catalogue.find` looks one up by name.
"""

import csv
import difflib
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from physics import InputError, Puck
from physics.errors import check_count, check_number, shown
from physics.parsing import MAX_TOML_CHARS, check_characters, check_length
from sim.core.files import read_text, read_toml
from sim.pokepucks.designs import (
    SLAMMER_THICKNESS_MM,
    Design,
    DesignKind,
    EnergyType,
    OwnRule,
    name_key,
    piece_of,
)
from sim.pokepucks.special import known_rules
from sim.pokepucks.special.own_rules import known_own_rules, own_rules_from

KnownRules = Callable[[DesignKind], Mapping[str, bool]]
"""Returns the special rules for a kind of puck: by name, whether pucks with it have a type."""

_MAX_NAME = 40
_KEYS = (
    "name",
    "kind",
    "rule",
    "type",
    "resistance",
    "weakness",
    "mass_g",
    "thickness_mm",
    "wing",
    "dex",
    "variant",
    "text",
)
_RULED = frozenset({DesignKind.POKEMON, DesignKind.ITEM, DesignKind.TRAINER})
"""The kinds of pucks with a special rule of their own; balls and other slammers share theirs."""

_UNTYPED = frozenset({DesignKind.BALL, DesignKind.SLAMMER})


def design_from(field: str, entry: object, known: KnownRules | None = None) -> Design:
    """Return a design from its fields.

    Args:
        field: Name of the table in an error.
        entry: Its values by key; see `sim.pokepucks.design_file`.
        known: The special rules that there are for a kind of puck; None to leave that unchecked.

    Raises:
        InputError: A key or value that is not accepted.

    Example:
        >>> design_from("row 1", {"name": "Gem", "kind": "item", "rule": "Potion"}).mass_g
        1.5
    """
    if not isinstance(entry, Mapping):
        raise InputError(f"{field}: {shown(entry)} is not accepted; give a table")
    for key in entry:
        if key not in _KEYS:
            raise InputError(f"{field} {shown(key)}: no such field; give {', '.join(_KEYS)}")
    name = _name(field, entry.get("name"))
    field = f"{field} ({name})"
    kind = DesignKind(_one_of(field, "kind", entry.get("kind", "pokemon"), tuple(DesignKind)))
    design = Design(
        name=name,
        kind=kind,
        rule=_rule(field, kind, _text(field, entry, "rule"), known),
        type=_type(field, entry, "type"),
        resistance=_type(field, entry, "resistance"),
        weakness=_type(field, entry, "weakness"),
        mass_g=_mass_g(field, kind, entry),
        thickness_mm=_thickness_mm(field, kind, entry),
        wing=_wing(field, entry),
        dex=_dex(field, entry),
        variant=_text(field, entry, "variant"),
        text=_text(field, entry, "text"),
    )
    _check_types(field, design, known)
    try:
        piece_of(design)
    except InputError as error:
        raise InputError(f"{field} {error}") from None
    return design


def _name(field: str, name: object) -> str:
    plain = isinstance(name, str) and name.isprintable() and name == " ".join(name.split())
    if not plain or not name_key(str(name)) or len(str(name)) > _MAX_NAME or "," in str(name):
        accepted = f"1 to {_MAX_NAME} printed signs with a letter or digit, without a comma"
        raise InputError(f"{field} name: {shown(name)} is not accepted; give {accepted}")
    return str(name)


def _text(field: str, entry: Mapping[str, Any], key: str) -> str:
    text = entry.get(key, "")
    if not isinstance(text, str) or not text.isprintable():
        raise InputError(f"{field} {key}: {shown(text)} is not accepted; give a line of text")
    return text


def _one_of(field: str, key: str, value: object, accepted: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in accepted:
        names = ", ".join(accepted)
        raise InputError(f"{field} {key}: {shown(value)} is not accepted; give one of {names}")
    return value


def _type(field: str, entry: Mapping[str, Any], key: str) -> EnergyType | None:
    value = entry.get(key, "")
    return EnergyType(_one_of(field, key, value, tuple(EnergyType))) if value != "" else None


def _rule(field: str, kind: DesignKind, rule: str, known: KnownRules | None) -> str:
    if rule and kind not in _RULED:
        raise InputError(f"{field} rule: {rule!r} is not accepted; a puck of kind {kind} has none")
    if not rule or known is None:
        return rule
    return _one_of(field, "rule", rule, tuple(known(kind)))


def _mass_g(field: str, kind: DesignKind, entry: Mapping[str, Any]) -> float:
    if "mass_g" not in entry and kind.is_slammer:
        raise InputError(f"{field} mass_g: missing; give the slammer's mass in g")
    mass_g = entry.get("mass_g", Puck().mass_g)
    low, high = (2.0, 24.0) if kind.is_slammer else (1.0, 2.0)
    check_number(f"{field} mass_g", mass_g, low=low, high=high, unit="g")
    return float(mass_g)


def _thickness_mm(field: str, kind: DesignKind, entry: Mapping[str, Any]) -> float:
    usual = SLAMMER_THICKNESS_MM if kind.is_slammer else Puck().thickness_mm
    thickness_mm = entry.get("thickness_mm", usual)
    high = 8.0 if kind.is_slammer else usual
    check_number(f"{field} thickness_mm", thickness_mm, low=1.6, high=high, unit="mm")
    return float(thickness_mm)


def _wing(field: str, entry: Mapping[str, Any]) -> bool:
    wing = entry.get("wing", False)
    if not isinstance(wing, bool):
        raise InputError(f"{field} wing: {shown(wing)} is not accepted; give yes or no")
    return wing


def _dex(field: str, entry: Mapping[str, Any]) -> int | None:
    if "dex" not in entry:
        return None
    check_count(f"{field} dex", entry["dex"], low=0, high=9999)
    return int(entry["dex"])


def _check_types(field: str, design: Design, known: KnownRules | None) -> None:
    """Check that a puck has the types that it needs, and no others."""
    pokemon = design.kind is DesignKind.POKEMON
    for key in ("type", "weakness"):
        if pokemon and getattr(design, key) is None:
            raise InputError(f"{field} {key}: missing; a Pokémon slammer has one")
    for key in ("resistance", "weakness"):
        if not pokemon and getattr(design, key) is not None:
            raise InputError(f"{field} {key}: a puck of kind {design.kind} has none")
    if design.type is None and known is not None and known(design.kind).get(design.rule):
        raise InputError(f"{field} type: missing; {design.rule} has one")
    if design.type is not None and design.kind in _UNTYPED:
        raise InputError(f"{field} type: a puck of kind {design.kind} has none (ruling PP-34)")


EXAMPLE_FILE = "example_pucks.toml"
"""House-made pucks with special rules of their own, which ``pucklab puckdex --example`` prints."""


def example_text() -> str:
    """Return the example of a file with pucks of one's own, as TOML."""
    return files("sim.pokepucks").joinpath("data", EXAMPLE_FILE).read_text(encoding="utf-8")


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
    return _read(path)[0]


def _read(path: Path) -> tuple[tuple[Design, ...], tuple[OwnRule, ...]]:
    """Return the designs and the special rules of a file."""
    field = f"puckdex: {str(path)!r}"
    if path.suffix.lower() != ".toml":
        return _from_csv(field, read_text("puckdex", path), known_rules), ()
    table = read_toml("puckdex", path)
    for key in table:
        if key not in {"pucks", "rules"}:
            raise InputError(f"{field}: {key}: no such key; give pucks, rules")
    entries = table.get("pucks")
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{field}: pucks: {shown(entries)} is not accepted; give [[pucks]] tables")
    rules = own_rules_from(field, table.get("rules", []))
    named = ((f"{field} puck {place}", entry) for place, entry in enumerate(entries, start=1))

    def known(kind: DesignKind) -> Mapping[str, bool]:
        return known_rules(kind) | known_own_rules(rules, kind)

    texts = {rule.listing: rule.text for rule in rules if rule.text}
    designs = designs_from(named, known)
    return tuple(replace(d, text=d.text or texts.get(d.rule, "")) for d in designs), rules


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
        physics.errors.InputError: row 1 (Gem) mass_g: missing; give the slammer's mass in g
    """
    found: dict[str, Design] = {}
    for place, entry in entries:
        design = design_from(place, entry, known)
        if design.key in found:
            raise InputError(f"{place} name: {design.name!r} is there twice")
        found[design.key] = design
    return tuple(found.values())


def _from_csv(field: str, text: str, known: KnownRules | None = None) -> tuple[Design, ...]:
    check_length(text, field, MAX_TOML_CHARS)
    check_characters(text, field)
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
        raise InputError(f"{field}: is not CSV: {error}") from None
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


_SHOWN = 6
"""Names that an error gives where none is near."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Designs, no two of the same name.

    Attributes:
        designs: The designs, in order.
        rules: Special rules of a user's own, under which some of them are listed.
    """

    designs: tuple[Design, ...]
    rules: tuple[OwnRule, ...] = ()
    _by_key: Mapping[str, Design] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the designs by key."""
        object.__setattr__(self, "_by_key", {design.key: design for design in self.designs})

    def rules_of(self, designs: Iterable[Design]) -> tuple[OwnRule, ...]:
        """Return the rules of a user's own that some designs have."""
        listings = {design.rule for design in designs}
        return tuple(rule for rule in self.rules if rule.listing in listings)

    @property
    def slammers(self) -> tuple[Design, ...]:
        """Those that may be thrown."""
        return tuple(design for design in self.designs if design.kind.is_slammer)

    def find(self, name: str, what: str = "puck") -> Design:
        """Return the design of that name; case, accents and signs between words do not matter.

        Args:
            name: Its name.
            what: Name of the option or field in an error.

        Raises:
            InputError: There is none; the message gives the nearest names.

        Example:
            >>> shipped_catalogue().find("poke ball").mass_g
            4.0
            >>> shipped_catalogue().find("poition")
            Traceback (most recent call last):
                ...
            physics.errors.InputError: puck: 'poition' is not in any list; did you mean Potion?
        """
        found = self._by_key.get(name_key(name))
        return found or find_design(what, name, self.designs, "any list")

    def find_slammer(self, name: str, what: str = "slammer") -> Design:
        """Return the slammer of that name, as `find` does.

        Raises:
            InputError: There is none; the message gives the nearest names of slammers.

        Example:
            >>> shipped_catalogue().find_slammer("moon stone")
            Traceback (most recent call last):
                ...
            physics.errors.InputError: slammer: 'Moon Stone' is no slammer but of kind item
        """
        found = self._by_key.get(name_key(name))
        if found is None:
            return find_design(what, name, self.slammers, "any list of slammers")
        if not found.kind.is_slammer:
            raise InputError(f"{what}: {found.name!r} is no slammer but of kind {found.kind}")
        return found


def with_designs(
    catalogue: Catalogue, designs: Iterable[Design], rules: tuple[OwnRule, ...] = ()
) -> Catalogue:
    """Return a catalogue with more designs; a new one replaces a design of the same name."""
    by_key = {design.key: design for design in (*catalogue.designs, *designs)}
    return Catalogue(designs=tuple(by_key.values()), rules=(*catalogue.rules, *rules))


@lru_cache(maxsize=1)
def shipped_catalogue() -> Catalogue:
    """Return the PuckDex and the PuckMart (ruling PP-26).

    Example:
        >>> len(shipped_catalogue().designs), len(shipped_catalogue().slammers)
        (58, 26)
    """
    designs = (*shipped_designs("puckdex.csv"), *shipped_designs("puckmart.csv"))
    return Catalogue(designs=designs)


def read_catalogue(path: Path | None) -> Catalogue:
    """Return the shipped designs together with those of a file; None for the shipped ones alone.

    Raises:
        InputError: The file cannot be read, or holds what is not accepted.
    """
    shipped = shipped_catalogue()
    return shipped if path is None else with_designs(shipped, *_read(path))


def find_design(what: str, name: str, designs: Iterable[Design], where: str) -> Design:
    """Return the design of that name.

    Args:
        what: Name of the option or field in an error.
        name: Its name; case, accents and signs between words do not matter.
        designs: Where to look for it.
        where: Name of the list in an error.

    Raises:
        InputError: There is none; the message gives the nearest names.
    """
    by_key = {design.key: design for design in designs}
    design = by_key.get(name_key(name))
    if design is not None:
        return design
    names = {key: design.name for key, design in by_key.items()}
    near = _nearest(name, names, 3, least=0.6)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    else:
        some = _nearest(name, names, _SHOWN)
        more = f" and {len(names) - len(some)} more" * (len(names) > len(some))
        hint = f"give one of {', '.join(some)}{more}, which 'pucklab puckdex' lists"
    raise InputError(f"{what}: {shown(name)} is not in {where}; {hint}")


def _nearest(name: str, names: Mapping[str, str], most: int, least: float = 0.0) -> list[str]:
    """Return the names that are most like a name, by their keys, the likest first."""
    keys = difflib.get_close_matches(name_key(name), names, n=most, cutoff=least)
    return [names[key] for key in keys]


@lru_cache(maxsize=1)
def puckdex() -> tuple[Design, ...]:
    """Return every entry, in the order of the PuckDex.

    Example:
        >>> len(puckdex()), sorted({entry.mass_g for entry in puckdex()})
        (21, [4.0, 8.0, 20.0])
    """
    return shipped_designs("puckdex.csv")


def find_slammer(name: str) -> Design:
    """Return the entry of that name; case, accents and signs between words do not matter.

    Raises:
        InputError: There is none; the message gives the nearest names.

    Example:
        >>> find_slammer("onix").mass_g
        20.0
        >>> find_slammer("onyx")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: slammer: 'onyx' is not in the PuckDex; did you mean Onix?
    """
    return find_design("slammer", name, puckdex(), "the PuckDex")


@lru_cache(maxsize=1)
def puckmart() -> tuple[Design, ...]:
    """Return every listing, in the order of the file.

    Example:
        >>> sorted({design.rule for design in puckmart() if design.kind == "trainer"})
        ['Mr. Merkert', 'Mr. Saia', 'Mr. Smith', 'Ms. Hicks', 'You']
    """
    return shipped_designs("puckmart.csv")
