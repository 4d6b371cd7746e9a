"""Plain values of JSON and TOML into typed dataclasses, and back.

`decode` reads a value by a type: dataclasses and unions of them, enumerations, tuples, lists,
mappings, numbers, texts, and types with a `Form` of their own. It is strict: nothing is converted
but whole numbers to `float`, and NaN and infinities are refused. The ranges are those that fields
declare with `physics.errors.parameter` and `limits`. msgspec checks the values; each class is built
by its own constructor, whose `InputError` is reported under the name of the field.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import msgspec

from physics.errors import InputError, refusal, shown

_Read = TypeVar("_Read")
_MOST = 1e300
"""Larger numbers, infinities and NaN are no numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of a type of its own, such as a text."""

    name: str  # noun for a value in errors, such as "a colour"
    read: Callable[[Any, str], Any]  # from the plain value and its place for errors
    store: Callable[[Any], Any]


_FORMS: dict[Any, Form] = {}
_TAGS: dict[Any, tuple[str, str]] = {}
_STRUCTS: dict[Any, Any] = {}  # by the dataclass
_CLASSES: dict[Any, Any] = {}  # by the struct
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def register_form(kind: Any, form: Form) -> None:
    """Store the values of a type in a form of its own."""
    _FORMS[kind] = form


def register_text(
    kind: Any, name: str, to_text: Callable[[Any], str], from_text: Callable[[str], Any]
) -> None:
    """Store the values of a type as text; ``from_text`` raises an `InputError` for others."""

    def read(value: object, where: str) -> Any:
        if not isinstance(value, str):
            raise refusal(where, value, name)
        try:
            return from_text(value)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None

    register_form(kind, Form(name=name, read=read, store=to_text))


def register_tags(key: str, kinds: Mapping[str, Any]) -> None:
    """Store the name of a dataclass under ``key``, by which a union of several is told apart."""
    _TAGS.update({kind: (key, name) for name, kind in kinds.items()})


@overload
def decode(kind: type[_Read], value: object, where: str, base: _Read | None = None) -> _Read: ...
@overload
def decode(kind: Any, value: object, where: str, base: Any = None) -> Any: ...
def decode(kind: Any, value: object, where: str, base: Any = None) -> Any:
    """Return a plain value as a value of a type.

    Args:
        kind: The type.
        value: The value, as JSON or TOML has it.
        where: Name of the value in errors, such as ``scene:``.
        base: A dataclass instance; fields that the value does not give stay as they are there.

    Raises:
        InputError: It is none; the message names the field, the value and what is accepted.

    Example:
        >>> from physics.materials import Materials
        >>> decode(tuple[int, ...], [1, 2], "pucks")
        (1, 2)
        >>> decode(Materials, {"friction": 0.2}, "[materials]").friction
        0.2
        >>> decode(Materials, {"friction": 9}, "file")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: file friction: 9 is not accepted; give a number from 0 to 1.5
        >>> decode(Materials, {"frictoin": 0.2}, "[materials]")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: [materials] frictoin: no such field; did you mean friction?
    """
    try:
        checked = msgspec.convert(value, _whole_schema(kind))
    except msgspec.ValidationError as error:
        steps = re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", str(error).rpartition(" - at `$")[2])
        raise _explained(kind, None, value, [a or b for a, b in steps], where) from None
    return _built(kind, checked, where, base)


def cell_values(kind: Any, cells: Mapping[str, str]) -> dict[str, object]:
    """Return the cells of a CSV row as JSON would have them, by the fields of a dataclass.

    Empty cells are left out. What is no number stays a text, for `decode` to refuse.

    Example:
        >>> from physics.materials import Materials
        >>> cell_values(Materials, {"friction": "0.3", "restitution": ""})
        {'friction': 0.3}
    """
    known = _fields(kind)
    return {
        name: _cell_value(_parts(known[name][1]) if name in known else (str,), cell.strip())
        for name, cell in cells.items()
        if cell.strip()
    }


def _cell_value(kinds: tuple[Any, ...], text: str) -> object:
    if bool in kinds:
        return _FLAGS.get(text.lower(), text)
    for number in (int, float):
        if number in kinds:
            try:
                return number(text)
            except ValueError:
                return text
    return text


def encode(value: Any) -> Any:
    """Return a value in types of JSON and TOML; `decode` reads it back.

    Example:
        >>> encode((None, 3, ("a", 1.5)))
        [None, 3, ['a', 1.5]]
    """
    form = _FORMS.get(type(value))
    if form is not None:
        return form.store(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        tag = dict([_TAGS[type(value)]]) if type(value) in _TAGS else {}
        return tag | {_key(f): encode(getattr(value, f.name)) for f in fields(value) if f.init}
    if isinstance(value, Mapping):
        return {key: encode(part) for key, part in value.items()}
    if isinstance(value, (tuple, list, frozenset)):
        return [encode(part) for part in value]
    return value


def check_one_of(where: str, value: object, accepted: Sequence[str]) -> None:
    """Check that a value is one of some names.

    Raises:
        InputError: It is not; the message gives the nearest ones.
    """
    if value not in accepted:
        raise refusal(where, value, _names(accepted, value))


def check_names(where: str, names: Mapping[str, object], accepted: Sequence[str]) -> None:
    """Check the names of a table.

    Raises:
        InputError: One is not accepted; the message gives the nearest ones.
    """
    for name in names:
        if name not in accepted:
            plain = name if name.isidentifier() and len(name) <= 40 else shown(name)
            near = get_close_matches(name, accepted, n=1)
            hint = f"did you mean {near[0]}?" if near else f"give {', '.join(accepted) or 'none'}"
            raise InputError(f"{where} {plain}: no such field; {hint}")


def _names(accepted: Sequence[str], value: object) -> str:
    near = get_close_matches(value, accepted, n=1) if isinstance(value, str) else []
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"one of {', '.join(accepted)}{hint}"


def _key(field: "Field[Any]") -> str:
    """Return the name of a field in files."""
    key: str = field.metadata.get("key", field.name)
    return key


@lru_cache(maxsize=256)
def _fields(kind: Any) -> "dict[str, tuple[Field[Any], Any, Any]]":
    """Return field, type and limits by the name in files."""
    hints = get_type_hints(kind)
    return {
        _key(f): (f, hints[f.name], f.metadata.get("parameter") or f.metadata.get("limits"))
        for f in fields(kind)
        if f.init
    }


def _parts(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union but None, or the type itself."""
    if get_origin(kind) in {UnionType, Union}:
        return tuple(part for part in get_args(kind) if part is not NoneType)
    return (kind,)


def _is_class(kind: Any) -> bool:
    return is_dataclass(kind)


def _form(kind: Any) -> Form | None:
    return _FORMS.get(get_origin(kind) or kind)


@lru_cache(maxsize=1024)
def _whole_schema(kind: Any) -> Any:
    return _schema(kind)


def _schema(kind: Any, low: Any = None, high: Any = None) -> Any:
    """Return the type by which msgspec checks a value, with limits of the numbers in it."""
    origin, args = get_origin(kind), get_args(kind)
    if _form(kind) is not None:
        return Any
    if origin in {UnionType, Union}:
        return Union[tuple(_schema(part, low, high) for part in args)]  # noqa: UP007
    if args and origin is not Literal:
        inner = tuple(part if part is ... else _schema(part, low, high) for part in args)
        return (dict if issubclass(origin, Mapping) else origin)[inner]
    if _is_class(kind):
        return _STRUCTS[kind] if kind in _STRUCTS else _struct(kind)
    if kind is float:
        return Annotated[
            float,
            msgspec.Meta(ge=-_MOST if low is None else low, le=_MOST if high is None else high),
        ]
    if kind is int and low is not None:
        return Annotated[int, msgspec.Meta(ge=low, le=high)]
    if kind is str and low is not None:
        line = r"\A[^\t\n]*\Z"
        return Annotated[str, msgspec.Meta(min_length=low, max_length=high, pattern=line)]
    return kind


def _struct(kind: Any) -> Any:
    """Return the struct by which msgspec checks the fields of a dataclass."""
    _STRUCTS[kind] = Any  # within itself: it is decoded when it is built
    tag: Any = dict(zip(("tag_field", "tag"), _TAGS.get(kind, ()), strict=False))
    struct = msgspec.defstruct(
        kind.__name__,
        [
            (
                field.name,
                _schema(part, *((limits.low, limits.high) if limits else ())),
                msgspec.field(default=msgspec.UNSET, name=key),
            )
            for key, (field, part, limits) in _fields(kind).items()
        ],
        forbid_unknown_fields=True,
        **tag,
    )
    _STRUCTS[kind], _CLASSES[struct] = struct, kind
    return struct


@lru_cache(maxsize=1024)
def _is_plain(kind: Any) -> bool:
    """True if there is nothing to build in what msgspec returns for a type."""
    if _form(kind) is not None or _is_class(kind):
        return False
    return get_origin(kind) is Literal or all(map(_is_plain, get_args(kind)))


def _built(kind: Any, value: Any, where: str, base: Any = None) -> Any:
    """Return a checked value with its dataclasses and forms."""
    if _is_plain(kind) or value is None:
        return value
    form = _form(_parts(kind)[0])
    if form is not None:
        return form.read(value, where)
    if isinstance(value, msgspec.Struct):
        return _instance(value, where, base)
    if isinstance(value, Mapping):
        if _is_class(_parts(kind)[0]):
            return decode(kind, value, where, base)
        inner = get_args(_parts(kind)[0])[1]
        return {key: _built(inner, part, f"{where} {key}") for key, part in value.items()}
    if isinstance(value, (tuple, list, frozenset)):
        kinds = get_args(_parts(kind)[0])
        if len(kinds) != len(value) or kinds[-1] is ...:
            kinds = kinds[:1] * len(value)
        pairs = enumerate(zip(kinds, value, strict=True), start=1)
        return type(value)(_built(inner, p, f"{where} {_label(n, p)}") for n, (inner, p) in pairs)
    return value  # a plain part of a union


def _instance(struct: Any, where: str, base: Any) -> Any:
    """Return the dataclass instance of a checked struct."""
    kind, given = _CLASSES[type(struct)], {}
    for key, (field, part, limits) in _fields(kind).items():
        value = getattr(struct, field.name)
        if value is not msgspec.UNSET:
            nested = getattr(base, field.name) if base is not None else None
            given[field.name] = _built(part, value, f"{where} {key}", nested)
        elif base is None and field.default is MISSING and field.default_factory is MISSING:
            raise InputError(f"{where} {key}: missing; give {_accepted(part, limits)}")
    try:
        return kind(**given) if base is None else replace(base, **given)
    except InputError as error:
        raise InputError(f"{where} {error}") from None


def _label(number: int, part: Any) -> str:
    """Return the place of an entry of a list, with its name if it has one."""
    name = part.get("name") if isinstance(part, Mapping) else getattr(part, "name", None)
    named = isinstance(name, str) and name.isprintable() and 0 < len(name) <= 40
    return f"{number} ({name})" if named else str(number)


def _explained(kind: Any, limits: Any, value: Any, steps: list[str], where: str) -> InputError:
    """Return the error for the part of a value that msgspec refused."""
    parts = _parts(kind)
    classes = [part for part in parts if _is_class(part) and not _form(part)]
    if classes and isinstance(value, Mapping):
        if len(classes) > 1:
            key = _TAGS[classes[0]][0]
            named = {_TAGS[part][1]: part for part in classes}
            if not isinstance(value.get(key), str) or value[key] not in named:
                return refusal(
                    f"{where} {key}", value.get(key), _names(list(named), value.get(key))
                )
            classes = [named[value[key]]]
        known = _fields(classes[0])
        if steps and steps[0] in known:
            _, inner, own = known[steps[0]]
            return _explained(inner, own, value[steps[0]], steps[1:], f"{where} {steps[0]}")
        try:
            check_names(
                where, value, [*known, *(_TAGS[classes[0]][:1] if classes[0] in _TAGS else ())]
            )
        except InputError as error:
            return error
    elif steps and isinstance(value, Mapping):
        inner = get_args(parts[0])[1]
        key = next(key for key, part in value.items() if not _fits(inner, limits, part))
        return _explained(inner, limits, value[key], steps[1:], f"{where} {key}")
    elif steps:
        kinds = get_args(parts[0])
        at = int(steps[0])
        inner = kinds[0] if kinds[-1] is ... or len(kinds) == 1 else kinds[at]
        place = f"{where} {_label(at + 1, value[at])}"
        return _explained(inner, limits, value[at], steps[1:], place)
    return refusal(where, value, _accepted(kind, limits, value))


def _fits(kind: Any, limits: Any, value: object) -> bool:
    try:
        msgspec.convert(value, _schema(kind, *((limits.low, limits.high) if limits else ())))
    except msgspec.ValidationError:
        return False
    return True


def _accepted(kind: Any, limits: Any, value: object = None) -> str:
    """Return what a type accepts, for people."""
    (part, *more) = _parts(kind)
    form = _form(part)
    if more:
        return " or ".join(_accepted(one, limits, value) for one in (part, *more))
    if form is not None:
        return form.name
    if _is_class(part):
        return f"a table of {', '.join(_fields(part))}"
    if get_origin(part) is Literal or issubclass(get_origin(part) or part, Enum):
        names = get_args(part) or [member.value for member in part]
        return _names([str(name) for name in names], value)
    if get_args(part):
        kinds = get_args(part)
        if issubclass(get_origin(part), Mapping):
            return f"a table of {_accepted(kinds[1], limits)}"
        if len(kinds) == 1 or kinds[-1] is ...:
            return "a list"
        return f"a list of {len(kinds)}"
    noun = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}[part]
    if limits is None:
        return noun
    if part is str:
        return f"a line of {limits.low} to {limits.high} characters"
    return f"{noun} from {limits.low:.10g} to {limits.high:.10g} {limits.unit}".rstrip()
