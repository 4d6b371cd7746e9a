"""Parameter files: TOML with values, uncertainties and where they come from.

Parameter files, written: fitted constants with what is known of them, as TOML.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from physics import InputError, ParameterSet
from physics.errors import with_values

_SECTIONS = ("materials", "lift_off", "thrower")
_ENTRY_KEYS = ("value", "uncertainty", "source", "fitted_on", "not_fitted_on")


def parameters_from(table: Mapping[str, Any], base: ParameterSet | None = None) -> ParameterSet:
    """Return the parameters of a file's table; what it does not name stays as in ``base``.

    The sections are materials, lift_off and thrower. An entry is a number, or a table with a
    ``value`` and, for people, uncertainty, source, fitted_on and not_fitted_on.

    Raises:
        InputError: A section, a field or a value that is not accepted.

    Example:
        >>> set_ = parameters_from({"materials": {"friction": {"value": 0.3, "uncertainty": 0.02}}})
        >>> set_.materials.friction
        0.3
    """
    base = base or ParameterSet()
    sections: dict[str, object] = {}
    for name, entries in table.items():
        if name not in _SECTIONS or not isinstance(entries, Mapping):
            raise InputError(f"params: [{name}] is no section; give {', '.join(_SECTIONS)}")
        values = {key: _value(f"[{name}] {key}", entry) for key, entry in entries.items()}
        sections[name] = with_values(getattr(base, name), values, f"params: [{name}]")
    return with_values(base, sections, "params:")


def _value(where: str, entry: object) -> object:
    if not isinstance(entry, Mapping):
        return entry
    for key in entry:
        if key not in _ENTRY_KEYS:
            raise InputError(f"params: {where}.{key}: no such key; give {', '.join(_ENTRY_KEYS)}")
    if "value" not in entry:
        raise InputError(f"params: {where}: no value is not accepted; give {where} a number")
    return entry["value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedConstant:
    """A constant that was fitted, and what is known of it.

    Attributes:
        section: materials, lift_off or thrower.
        name: The field in that section, such as ``friction``.
        value: Its value, in the field's unit.
        uncertainty: Standard error, in the same unit; None where it is not known.
        source: How it was found.
        fitted_on: The data behind it; empty where there are none.
        not_fitted_on: What the data do not cover; empty where nothing is known of that.
    """

    section: str
    name: str
    value: float
    uncertainty: float | None
    source: str
    fitted_on: str
    not_fitted_on: str


def parameter_file(constants: Sequence[FittedConstant], heading: str = "") -> str:
    """Return the text of a parameter file that every command takes with ``--params``.

    Args:
        constants: What was fitted; what is not named keeps its default.
        heading: Comment lines above them.

    Raises:
        InputError: A section, a field or a value that the model does not accept.

    Example:
        >>> friction = FittedConstant(
        ...     section="materials", name="friction", value=0.31, uncertainty=0.01,
        ...     source="ramp", fitted_on="9 ramps", not_fitted_on="slams",
        ... )
        >>> print(parameter_file([friction]))
        schema = 1
        <BLANKLINE>
        [materials.friction]
        value = 0.31
        uncertainty = 0.01
        source = "ramp"
        fitted_on = "9 ramps"
        not_fitted_on = "slams"
        <BLANKLINE>
    """
    table: dict[str, dict[str, float]] = {}
    for constant in constants:
        table.setdefault(constant.section, {})[constant.name] = float(constant.value)
    parameters_from(table)
    comment = "".join(f"# {line}".rstrip() + "\n" for line in heading.splitlines())
    return comment + "schema = 1\n" + "".join(map(_entry, constants))


def _entry(constant: FittedConstant) -> str:
    lines = [f"\n[{constant.section}.{constant.name}]", f"value = {float(constant.value)!r}"]
    if constant.uncertainty is not None:
        lines.append(f"uncertainty = {float(constant.uncertainty)!r}")
    notes = {key: getattr(constant, key) for key in ("source", "fitted_on", "not_fitted_on")}
    lines += [f"{key} = {_text(text)}" for key, text in notes.items() if text]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    # A JSON string is a TOML string, but for the one control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
