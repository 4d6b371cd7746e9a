"""Parameter files: TOML with values, uncertainties and where they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from pucklab.base.decoding import Noted, decode
from pucklab.base.errors import parameters
from pucklab.base.facts import fact
from pucklab.base.parsing import toml_text
from pucklab.physics import Materials, ParameterSet

_SMALLEST_SD = 1e-3
"""Smallest standard deviation of a prior."""


def parameters_from(table: Mapping[str, Any], base: ParameterSet | None = None) -> ParameterSet:
    """Return the parameters of a file's table; what it does not name stays as in ``base``.

    A parameter file is a scene file that holds parameters only: the sections materials, lift_off
    and thrower. Each number may be a table with a ``value`` and, for people, uncertainty, source,
    fitted_on and not_fitted_on.

    Raises:
        InputError: A section, a field or a value that is not accepted.

    Example:
        >>> set_ = parameters_from({"materials": {"friction": {"value": 0.3, "uncertainty": 0.02}}})
        >>> set_.materials.friction
        0.3
    """
    return decode(ParameterSet, table, "params:", base or ParameterSet())


def uncertainties_from(table: Mapping[str, Any]) -> dict[str, float]:
    """Return the uncertainties that a table of parameters or of a scene gives, by name.

    Example:
        >>> uncertainties_from({"materials": {"friction": {"value": 0.3, "uncertainty": 0.02}}})
        {'friction': 0.02}
    """
    noted = {
        name: decode(Noted, number, f"params: {section} {name}")
        for section in (each.name for each in fields(ParameterSet))
        for name, number in table.get(section, {}).items()
        if isinstance(number, Mapping)
    }
    return {name: number.uncertainty for name, number in noted.items() if number.uncertainty}


def prior_sd(table: Mapping[str, Any], name: str) -> float:
    """Return the uncertainty of a contact parameter: a file's, or else the model's own.

    Example:
        >>> prior_sd({}, "friction")
        0.1
    """
    own = parameters(Materials)[name].uncertainty or 0.0
    return max(uncertainties_from(table).get(name, own), _SMALLEST_SD)


@fact
class FittedConstant:
    """A fitted constant with its uncertainty and origin.

    Attributes:
        section: materials, lift_off or thrower.
        name: The field in that section, such as ``friction``.
        value: Its value, in the field's unit.
        uncertainty: Standard error, in the same unit; None where it is not known.
        source: Method by which it was found.
        fitted_on: The data behind it; empty where there are none.
        not_fitted_on: Cases that the data do not cover; empty if unknown.
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
        constants: The fitted constants; all others keep their defaults.
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
