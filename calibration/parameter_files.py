"""Parameter files: TOML with values, uncertainties and where they come from."""

from collections.abc import Mapping, Sequence
from typing import Any

from physics import ParameterSet
from physics.decoding import decode
from physics.errors import limits
from physics.facts import fact
from physics.parsing import toml_text


@fact
class Entry:
    """A value in a file, with what people want to know of it."""

    value: float
    uncertainty: float = limits(0, 1e6, default=0.0)
    source: str = ""
    fitted_on: str = ""
    not_fitted_on: str = ""


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
    entries = _entries(table)
    values = {
        section: {
            name: entry.value if isinstance(entry, Entry) else entry
            for name, entry in named.items()
        }
        for section, named in entries.items()
    }
    return decode(ParameterSet, values, "params:", base)


def uncertainties_from(table: Mapping[str, Any]) -> dict[str, float]:
    """Return the uncertainties that a file's table gives, by the name of the parameter.

    Example:
        >>> uncertainties_from({"materials": {"friction": {"value": 0.3, "uncertainty": 0.02}}})
        {'friction': 0.02}
    """
    return {
        name: entry.uncertainty
        for named in _entries(table).values()
        for name, entry in named.items()
        if isinstance(entry, Entry) and entry.uncertainty > 0
    }


def _entries(table: Mapping[str, Any]) -> Mapping[str, Mapping[str, float | Entry]]:
    found: Mapping[str, Mapping[str, float | Entry]] = decode(
        Mapping[str, Mapping[str, float | Entry]], table, "params:"
    )
    return found


@fact
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
    lines = ["schema = 1"]
    for constant in constants:
        lines += ["", f"[{constant.section}.{constant.name}]", f"value = {float(constant.value)!r}"]
        if constant.uncertainty is not None:
            lines.append(f"uncertainty = {float(constant.uncertainty)!r}")
        notes = {key: getattr(constant, key) for key in ("source", "fitted_on", "not_fitted_on")}
        lines += [f"{key} = {toml_text(text)}" for key, text in notes.items() if text]
    return comment + "\n".join(lines) + "\n"
