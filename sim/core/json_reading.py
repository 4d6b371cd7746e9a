"""Dataclasses to JSON and back, by the types of their fields."""

import math
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from physics.errors import InputError, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForm:
    """A type whose values JSON stores as text.

    Attributes:
        kind: The type.
        name: Noun for a value in errors, such as ``a colour``.
        to_text: Returns a value's text.
        from_text: Returns the value of a text, or raises an `InputError`.
    """

    kind: type
    name: str
    to_text: Callable[[Any], str]
    from_text: Callable[[str], Any]


def to_json(value: Any, forms: Iterable[TextForm] = ()) -> Any:
    """Return a value in JSON types: dataclasses as objects, enumerations as their values.

    Args:
        value: The value.
        forms: Types that are stored as text.

    Example:
        >>> to_json((None, 3, ("a", 1.5)))
        [None, 3, ['a', 1.5]]
    """
    for form in forms:
        if isinstance(value, form.kind):
            return form.to_text(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name), forms) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_json(part, forms) for part in value]
    return value


def from_json(kind: Any, value: Any, where: str, forms: Iterable[TextForm] = ()) -> Any:
    """Return the value of a type from its JSON form.

    Args:
        kind: The type: a dataclass, an enumeration, a tuple, a plain type, one that is stored as
            text, or a union of one of these with None.
        value: A value that `to_json` returned; a finished dataclass is returned as it is.
        where: Name of the value in errors.
        forms: Types that are stored as text.

    Raises:
        InputError: It is no value of that type; the message names the field.

    Example:
        >>> from_json(tuple[int, ...], [1, 2], "pucks")
        (1, 2)
        >>> from_json(int | None, "x", "winner")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: winner: 'x' is not accepted; give int
    """
    origin = get_origin(kind)
    if is_dataclass(value) and isinstance(value, get_args(kind) or kind):
        return value
    if origin in {types.UnionType, Union}:
        (other,) = (part for part in get_args(kind) if part is not type(None))
        return None if value is None else from_json(other, value, where, forms)
    if origin is tuple:
        return _tuple(get_args(kind), value, where, forms)
    for form in forms:
        if form.kind is kind:
            return _read(form, value, where)
    if is_dataclass(kind):
        return _dataclass(kind, value, where, forms)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _member(kind, value, where)
    if kind is float:
        return _number(value, where)
    if type(value) is not kind:
        raise InputError(f"{where}: {shown(value)} is not accepted; give {kind.__name__}")
    return value


def _number(value: Any, where: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise InputError(f"{where}: {shown(value)} is not accepted; give a number")
    return float(value)


@lru_cache(maxsize=128)
def _types(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(form: TextForm, value: Any, where: str) -> Any:
    if not isinstance(value, str):
        raise InputError(f"{where}: {shown(value)} is not accepted; give {form.name}")
    try:
        return form.from_text(value)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _dataclass(kind: Any, value: Any, where: str, forms: Iterable[TextForm]) -> Any:
    hints = _types(kind)
    if not isinstance(value, Mapping) or set(value) != set(hints):
        accepted = ", ".join(hints)
        raise InputError(f"{where}: {_wrong_fields(value, hints)}; give {accepted}")
    read = {name: from_json(hints[name], value[name], f"{where} {name}", forms) for name in hints}
    try:
        return kind(**read)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _wrong_fields(value: Any, hints: Mapping[str, Any]) -> str:
    """Return the first thing that is wrong with the names of an object's fields."""
    if not isinstance(value, Mapping):
        return f"{shown(value)} is not accepted"
    missing = [name for name in hints if name not in value]
    if missing:
        return f"{missing[0]} is missing"
    unknown = [name for name in value if name not in hints]
    return f"{shown(unknown[0])} is not a field"


def _tuple(kinds: tuple[Any, ...], value: Any, where: str, forms: Iterable[TextForm]) -> Any:
    if not isinstance(value, list):
        raise InputError(f"{where}: {shown(value)} is not accepted; give a list")
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise InputError(f"{where}: {shown(value)} is not accepted; give {len(kinds)} values")
    return tuple(
        from_json(kind, part, f"{where} {place}", forms)
        for place, (kind, part) in enumerate(zip(kinds, value, strict=True), start=1)
    )


def _member(kind: type[Enum], value: Any, where: str) -> Any:
    members = {member.value: member for member in kind}
    # A number of another type, such as true for 1, would be found too.
    if not isinstance(value, str | int) or isinstance(value, bool) or value not in members:
        accepted = ", ".join(map(str, members))
        raise InputError(f"{where}: {shown(value)} is not accepted; give one of {accepted}")
    return members[value]
