"""Callbacks of options: numbers and lists of them, with errors that say what is accepted."""

from collections.abc import Callable
from typing import Any

import click

_Callback = Callable[[click.Context, click.Parameter, Any], Any]


def number(low: float, high: float, unit: str = "", *, ranged: bool = True) -> _Callback:
    """Return a callback that makes an option's text a number from ``low`` to ``high``.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Its unit.
        ranged: Check the range; if not, it is only told to whom gives no number, and physics
            checks it, which knows unofficial pieces.
    """

    def convert(ctx: click.Context, param: click.Parameter, text: str | None) -> float | None:
        del ctx
        return None if text is None else _number(_field(param), text, (low, high), unit, ranged)

    return convert


def count(low: int, high: int) -> _Callback:
    """Return a callback that makes an option's text a whole number from ``low`` to ``high``."""

    def convert(ctx: click.Context, param: click.Parameter, text: Any) -> int | None:
        del ctx
        if text is None:
            return None
        from physics.checks import check_count

        value = _parsed(int, text)
        check_count(_field(param), value, low=low, high=high)
        return int(value)

    return convert


def numbers(
    low: float, high: float, unit: str = "", *, size: int | None = None, ranged: bool = True
) -> _Callback:
    """Return a callback that makes an option's text numbers, with commas between them.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Their unit.
        size: How many there must be; None for one or more.
        ranged: As of `number`.
    """

    def convert(
        ctx: click.Context, param: click.Parameter, text: str | None
    ) -> tuple[float, ...] | None:
        del ctx
        if text is None:
            return None
        from physics.checks import InputError

        parts = text.split(",")
        if size is not None and len(parts) != size:
            raise InputError(
                f"{_field(param)}: {text!r} is not accepted; give {size} numbers with a comma "
                "between them"
            )
        return tuple(_number(_field(param), part, (low, high), unit, ranged) for part in parts)

    return convert


def _field(param: click.Parameter) -> str:
    return str(param.name)


def _number(field: str, text: str, accepted: tuple[float, float], unit: str, ranged: bool) -> float:
    from physics.checks import check_number

    value = _parsed(float, text)
    if ranged or isinstance(value, str):
        check_number(field, value, low=accepted[0], high=accepted[1], unit=unit)
    return float(value)


def _parsed(kind: type, text: Any) -> Any:
    """Return the text as a number, or as it is if it is none: the range check then names it."""
    try:
        return kind(text)
    except ValueError:
        return text
