"""The fields of a design, read and checked."""

from collections.abc import Callable, Mapping
from typing import Any

from physics import InputError, Puck
from physics.checks import check_count, check_number, shown
from sim.pokepucks.design import (
    SLAMMER_THICKNESS_MM,
    Design,
    DesignKind,
    EnergyType,
    name_key,
    piece_of,
)

KnownRules = Callable[[DesignKind], tuple[str, ...]]
"""Returns the names of the special rules that pucks of a kind may have."""

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

_TYPED_RULES = frozenset({"Energy", "Focus Energy", "Power Stone"})
"""Special rules that ask for the type of their puck."""


def design_from(field: str, entry: object, known: KnownRules | None = None) -> Design:
    """Return the design that a table tells.

    Args:
        field: What to call the table in an error.
        entry: Its values by key; see `sim.pokepucks.designfile`.
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
    _check_types(field, design)
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
    return _one_of(field, "rule", rule, known(kind))


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


def _check_types(field: str, design: Design) -> None:
    """Check that a puck has the types that it needs, and no others."""
    pokemon = design.kind is DesignKind.POKEMON
    for key in ("type", "weakness"):
        if pokemon and getattr(design, key) is None:
            raise InputError(f"{field} {key}: missing; a Pokémon slammer has one")
    for key in ("resistance", "weakness"):
        if not pokemon and getattr(design, key) is not None:
            raise InputError(f"{field} {key}: a puck of kind {design.kind} has none")
    if design.type is None and design.rule in _TYPED_RULES:
        raise InputError(f"{field} type: missing; {design.rule} has one")
    if design.type is not None and design.kind in _UNTYPED:
        raise InputError(f"{field} type: a puck of kind {design.kind} has none (ruling PP-34)")
