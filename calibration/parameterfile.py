"""Parameter files: TOML with values, uncertainties and where they come from."""

from collections.abc import Mapping
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
