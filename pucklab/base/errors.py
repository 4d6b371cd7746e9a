"""Errors of input: one line that names the field, the value and what is accepted.

Fields of dataclasses declare their range, uncertainty and source with `parameter`, or a range alone
with `limits`; `check_limits` checks them, `check_number` and `check_count` single values; `refusal`
words an error, `errors_at` names the place of others; `require_extra` checks that an optional part
of the installation is there.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, fields
from importlib.util import find_spec
from typing import Any, get_args

from pucklab.base.facts import fact

_SHOWN = 40
"""Characters of a value that an error shows."""

_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")
_WITH_UNIT = re.compile(r"[-+]?[\d.,]+\s*[a-zA-Zµ°%]")


class InputError(ValueError):
    """A value that is not accepted.

    The message is one line: the field, the value, and what is accepted. Its middle is left out if
    it is long.

    Example:
        >>> len(str(InputError("x" * 1000)))
        300
    """

    longest = 300  # characters

    def __init__(self, message: str) -> None:
        if len(message) > self.longest:
            message = f"{message[: self.longest - 103]}...{message[-100:]}"
        super().__init__(message)


@fact
class Limits:
    """Range of a number, or of the number of characters of a text."""

    low: float
    high: float
    unit: str = ""  # empty for a pure number


@fact
class Parameter(Limits):
    """Range, unit, uncertainty and source of one number of the model."""

    uncertainty: float | None  # standard uncertainty, in the same unit; None where it is unknown
    source: str  # of the default


def parameter(
    default: float,
    *,
    low: float,
    high: float,
    unit: str = "",
    uncertainty: float | None = None,
    source: str,
) -> Any:
    """Declare a dataclass field that carries its range, uncertainty and source."""
    note = Parameter(low=low, high=high, unit=unit, uncertainty=uncertainty, source=source)
    return field(default=default, metadata={"limits": note})


def limits(low: float, high: float, unit: str = "", key: str = "", **default: Any) -> Any:
    """Declare a dataclass field with a range for `pucklab.base.decoding`.

    Args:
        low: Smallest number, or fewest characters, also of those in a tuple or mapping.
        high: Largest number, or most characters.
        unit: Unit of the number.
        key: Name of the field in files, if it is another.
        default: ``default`` or ``default_factory``.
    """
    note = {"limits": Limits(low=low, high=high, unit=unit)}
    return field(metadata=note | ({"key": key} if key else {}), **default)


def parameters(owner: Any) -> dict[str, Parameter]:
    """Return the declared parameters of a dataclass (or of an instance), by field name.

    Example:
        >>> from pucklab.physics.materials import Materials
        >>> parameters(Materials)["friction"].high
        1.5
    """
    notes = {f.name: f.metadata.get("limits") for f in fields(owner)}
    return {name: note for name, note in notes.items() if isinstance(note, Parameter)}


def check_limits(owner: Any) -> None:
    """Check the numbers of a dataclass instance that have a range and are not None.

    Raises:
        InputError: A value is no number, or no whole one, or outside its range.
    """
    for one in fields(owner):
        note, value = one.metadata.get("limits"), getattr(owner, one.name)
        if note is None or value is None or isinstance(value, str):
            continue
        key = one.metadata.get("key", one.name)
        if float in (one.type, *get_args(one.type)):
            check_number(key, value, low=note.low, high=note.high, unit=note.unit)
        else:
            check_count(key, value, low=int(note.low), high=int(note.high))


class Checked:
    """A dataclass that checks its numbers with `check_limits` when it is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Check every field."""
        check_limits(self)


def check_number(
    name: str, value: object, low: float, high: float, *, unit: str = "", hint: str = ""
) -> None:
    """Check that ``value`` is a finite number in ``[low, high]``.

    Raises:
        InputError: It is not. NaN, infinities, booleans and text are no numbers here.

    Example:
        >>> check_number("mass_g", float("nan"), low=1, high=2, unit="g")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: mass_g: nan is not accepted; give a number from 1 to 2 g
    """
    good = (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and low <= value <= high  # false for NaN, and for whole numbers beyond any float
    )
    if not good:
        accepted = f"a number from {low:g} to {high:g} {unit}".rstrip()
        raise refusal(name, value, accepted + hint)


def check_count(name: str, value: object, low: int, high: int) -> None:
    """Check that ``value`` is a whole number in ``[low, high]``.

    Raises:
        InputError: It is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise refusal(name, value, f"a whole number from {low} to {high}")


def refusal(where: str, value: object, accepted: str) -> InputError:
    """Return the error for a value that is not accepted.

    Example:
        >>> str(refusal("mode", "tame", "one of battle, wild"))
        "mode: 'tame' is not accepted; give one of battle, wild"
    """
    said = f"give {accepted}"
    if isinstance(value, str) and accepted.startswith("a number"):
        if _DECIMAL_COMMA.fullmatch(value):
            said = f"a decimal has a point: {value.replace(',', '.')}"
        elif _WITH_UNIT.match(value):
            said = said.replace("a number", "a number without its unit", 1)
    return InputError(f"{where}: {shown(value)} is not accepted; {said}")


@contextmanager
def errors_at(where: str) -> Iterator[None]:
    """Name a place before the errors of what is read there.

    Raises:
        InputError: The work raises one; the message begins with ``where``.

    Example:
        >>> with errors_at("deck:"):
        ...     raise refusal("mode", "tame", "one of battle, wild")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: deck: mode: 'tame' is not accepted; give one of battle, wild
    """
    try:
        yield
    except InputError as error:
        raise InputError(f"{where} {error}") from None


def shown(value: object) -> str:
    """Return the text of a value for an error, cut if it is long.

    Example:
        >>> shown("x" * 1000)
        "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
    """
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


class MissingExtraError(ImportError):
    """An optional part of pucklab is needed and not installed; the message has the pip command."""


def require_extra(extra: str, *modules: str) -> None:
    """Check that the modules of an extra can be imported, without importing them.

    Raises:
        MissingExtraError: One of them cannot.

    Example:
        >>> require_extra("plot", "nothing")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.MissingExtraError: nothing is not installed; pip install 'pucklab[plot]'
    """
    for module in modules:
        if find_spec(module) is None:
            raise MissingExtraError(f"{module} is not installed; pip install 'pucklab[{extra}]'")
