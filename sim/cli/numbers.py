"""Types of options: numbers and lists of them, with errors that say what is accepted."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # takes no type argument in older versions


def number(low: float, high: float, unit: str = "", *, ranged: bool = True) -> _Type:
    """Return the type of an option that is a number from ``low`` to ``high``.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Its unit.
        ranged: Check the range; if not, it is only told to whom gives no number, and physics
            checks it, which knows unofficial pieces.
    """
    return _Number(low=low, high=high, unit=unit, ranged=ranged)


def count(low: int, high: int) -> _Type:
    """Return the type of an option that is a whole number from ``low`` to ``high``."""
    return _Count(low=low, high=high)


def numbers(
    low: float, high: float, unit: str = "", *, size: int | None = None, ranged: bool = True
) -> _Type:
    """Return the type of an option that is numbers, with commas between them.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Their unit.
        size: How many there must be; None for one or more.
        ranged: As of `number`.
    """
    return _Numbers(each=_Number(low=low, high=high, unit=unit, ranged=ranged), size=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number(_Type):
    name = "number"
    low: float
    high: float
    unit: str
    ranged: bool

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        del ctx
        from physics.checks import check_number

        found = _parsed(float, value)
        if self.ranged or isinstance(found, str):
            check_number(field_of(param), found, low=self.low, high=self.high, unit=self.unit)
        return float(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Count(_Type):
    name = "count"
    low: int
    high: int

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        del ctx
        from physics.checks import check_count

        found = _parsed(int, value)
        check_count(field_of(param), found, low=self.low, high=self.high)
        return int(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers(_Type):
    name = "numbers"
    each: _Number
    size: int | None

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        from physics.checks import InputError

        parts = value.split(",")
        if self.size is not None and len(parts) != self.size:
            raise InputError(
                f"{field_of(param)}: {value!r} is not accepted; give {self.size} numbers with a "
                "comma between them"
            )
        return tuple(self.each.convert(part, param, ctx) for part in parts)


def field_of(param: click.Parameter | None) -> str:
    """Return what an error calls a parameter: as the user does, whatever its name in the code.

    Example:
        >>> field_of(click.Option(["--max-g", "highest_g"]))
        'max_g'
        >>> field_of(click.Argument(["replays"], nargs=-1, metavar="[REPLAY]..."))
        'replay'
    """
    if param is None:
        return "value"
    if isinstance(param, click.Argument):
        return (param.metavar or str(param.name)).strip("[].").lower()
    return param.opts[0].lstrip("-").replace("-", "_")


def _parsed(kind: type, text: Any) -> Any:
    """Return the text as a number, or as it is if it is none: the range check then names it."""
    try:
        return kind(text)
    except ValueError:
        return text
