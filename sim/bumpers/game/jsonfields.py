"""Dataclasses to JSON and back, by the types of their fields."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from physics import InputError
from physics.checks import shown
from sim.bumpers.notation import position_text
from sim.bumpers.parsing import parse_position
from sim.bumpers.pieces import Colour
from sim.bumpers.position import Position


def to_json(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses as objects, positions as lines, colours as words.

    Example:
        >>> to_json((Colour.RED, None, 3))
        ['red', None, 3]
    """
    if isinstance(value, Position):
        return position_text(value)
    if isinstance(value, Colour):
        return value.word
    if isinstance(value, Enum) and not isinstance(value, IntEnum):
        return value.value
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_json(part) for part in value]
    return value


def from_json(kind: Any, value: Any, where: str) -> Any:
    """Return the value of a type that JSON tells.

    Args:
        kind: The type: a dataclass, an enumeration, a position, a tuple, a plain type, or a union
            of one of these with None.
        value: What `to_json` returned; a dataclass that is read already stays as it is.
        where: What to call it in an error.

    Raises:
        InputError: It is no such value; the message says where.

    Example:
        >>> from_json(tuple[Colour, ...], ["red", "blue"], "colours")[1]
        <Colour.BLUE: 4>
        >>> from_json(int | None, "x", "winner")
        Traceback (most recent call last):
            ...
        physics.checks.InputError: winner: 'x' is not accepted; give int
    """
    origin = get_origin(kind)
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, kind):
        return value
    if origin in {types.UnionType, Union}:
        (other,) = (part for part in get_args(kind) if part is not type(None))
        return None if value is None else from_json(other, value, where)
    if origin is tuple:
        return _tuple(get_args(kind), value, where)
    if kind is Position and isinstance(value, str):
        try:
            return parse_position(value, temporary=True)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    if is_dataclass(kind) and kind is not Position:
        return _dataclass(kind, value, where)
    if kind is Colour:
        return _member({colour.word: colour for colour in Colour}, value, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _member({member.value: member for member in kind}, value, where)
    if type(value) is not kind:
        name = "a position" if kind is Position else kind.__name__
        raise InputError(f"{where}: {shown(value)} is not accepted; give {name}")
    return value


@lru_cache(maxsize=32)
def _types(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _dataclass(kind: Any, value: Any, where: str) -> Any:
    hints = _types(kind)
    if not isinstance(value, Mapping) or set(value) != set(hints):
        accepted = ", ".join(hints)
        raise InputError(f"{where}: {shown(value)} is not accepted; give {accepted}")
    return kind(**{name: from_json(hints[name], value[name], f"{where} {name}") for name in hints})


def _tuple(kinds: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise InputError(f"{where}: {shown(value)} is not accepted; give a list")
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise InputError(f"{where}: {shown(value)} is not accepted; give {len(kinds)} values")
    return tuple(
        from_json(kind, part, f"{where} {place}")
        for place, (kind, part) in enumerate(zip(kinds, value, strict=True), start=1)
    )


def _member(members: Mapping[Any, Any], value: Any, where: str) -> Any:
    if not isinstance(value, str) or value not in members:
        accepted = ", ".join(members)
        raise InputError(f"{where}: {shown(value)} is not accepted; give one of {accepted}")
    return members[value]
