"""Plain values of JSON and TOML into typed dataclasses, and back.

`decode` reads a value by a type: dataclasses and unions of them, enumerations, tuples, lists,
mappings, numbers, texts, and types with a `Form` of their own. It is strict: nothing is converted
but whole numbers to `float`, and NaN and infinities are refused. The ranges are those that fields
declare with `pucklab.base.errors.parameter` and `limits`; a parameter may be a `Noted` number.
msgspec checks numbers, texts and members of enumerations. Each class is built by its own
constructor, whose errors are reported under the name of the field.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
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
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import msgspec

from pucklab.base import errors
from pucklab.base.errors import InputError, Parameter, refusal, shown
from pucklab.base.facts import fact

_Read = TypeVar("_Read")
_MOST = 1e300
"""Larger numbers, infinities and NaN are no numbers."""


@fact
class Form:
    """A form in which the values of a type are stored instead of their fields, such as a text."""

    name: str  # noun for a value in errors, such as "a colour"
    read: Callable[[Any, str], Any]  # from the plain value and its place for errors
    store: Callable[[Any], Any]


@fact
class Noted:
    """A number of a parameter file, with what people want to know of it."""

    value: float
    uncertainty: float = errors.limits(0, 1e6, default=0.0)
    source: str = ""
    fitted_on: str = ""
    not_fitted_on: str = ""


_FORMS: dict[Any, Form] = {}
_TAGS: dict[Any, tuple[str, str]] = {}
_TABLES = (Mapping, dict)
_LISTS = (tuple, list, frozenset)
_SYNONYMS = dict.fromkeys(("human", "me", "myself", "player", "user", "you"), "person")
_POINT_ZERO = re.compile(r"\.0+$")
"""The end of a whole number as spreadsheets write it."""

_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def register_form(kind: Any, form: Form) -> None:
    """Store the values of a type in a form of its own."""
    _FORMS[kind] = form
    _shape.cache_clear()


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
    """Store the name of a dataclass under ``key``, which tells the members of a union apart."""
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
        >>> from pucklab.physics.materials import Materials
        >>> decode(tuple[int, ...], [1, 2], "pucks")
        (1, 2)
        >>> decode(Materials, {"friction": 0.2}, "[materials]").friction
        0.2
        >>> decode(Materials, {"friction": 9}, "x")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: x friction: 9 is not accepted; give a number from 0 to 1.5
        >>> decode(Materials, {"frictoin": 0.2}, "x")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: x frictoin: no such field; did you mean friction?
    """
    return _read(kind, value, where, None, base)


def decode_cells(kind: type[_Read], cells: Mapping[str, str], where: str) -> _Read:
    """Return a row of a table as an instance of a dataclass; see `decode`, which words the errors.

    Empty cells are left out, and so are cells of columns that are no fields.

    Example:
        >>> from pucklab.physics.materials import Materials
        >>> decode_cells(Materials, {"friction": "0.3", "restitution": ""}, "row 2").friction
        0.3
    """
    owner = cast("Hashable", kind)
    struct, given = _flat(owner), {name: cell for name, cell in cells.items() if cell}
    try:
        if struct is not None:  # a row in one call, which matters in logs of many throws
            found = msgspec.structs.asdict(msgspec.convert(given, struct, strict=False))
            return kind(**{name: v for name, v in found.items() if v is not msgspec.UNSET})
    except (msgspec.ValidationError, InputError):
        pass
    known = _fields(owner)
    values: dict[str, object] = {name: given[name] for name in known if name in given}
    for name in values:
        kinds, cell = _parts(known[name][1]), given[name]
        with suppress(ValueError):  # a cell without a number stays a text, which is refused
            if bool in kinds:
                values[name] = _FLAGS.get(cell.lower(), cell)
            elif int in kinds:
                values[name] = int(_POINT_ZERO.sub("", cell))
            elif float in kinds:
                values[name] = float(cell)
    return decode(kind, values, where)


@lru_cache(maxsize=64)
def _flat(kind: Any) -> Any:
    """Return the struct by which msgspec reads a row; None if the class has nested fields."""
    known = _fields(kind)
    shapes = {key: _shape(part) for key, (_, part, _) in known.items()}
    if any(shape.form or shape.classes or shape.containers for shape in shapes.values()):
        return None
    columns: list[Any] = []
    for key, (field, _, limits) in known.items():
        needed = field.default is MISSING and field.default_factory is MISSING
        own = msgspec.field(name=key, default=msgspec.NODEFAULT if needed else msgspec.UNSET)
        columns.append((field.name, _checked(shapes[key].plain, limits), own))
    return msgspec.defstruct(kind.__name__, columns, kw_only=True)


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
    if isinstance(value, _LISTS):
        return [encode(part) for part in value]
    return value


def check_one_of(where: str, value: object, accepted: Sequence[str]) -> None:
    """Check that a value is one of some names.

    Raises:
        InputError: It is not; the message gives the nearest ones.
    """
    if value not in accepted:
        raise refusal(where, value, _names(accepted, value))


def check_names(where: str, names: Iterable[str], accepted: Sequence[str]) -> None:
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
    near = near or [name for name in accepted if name == _SYNONYMS.get(str(value).lower())]
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
    return {_key(f): (f, hints[f.name], f.metadata.get("limits")) for f in fields(kind) if f.init}


@lru_cache(maxsize=1024)
def _parts(kind: Any) -> tuple[Any, ...]:
    """Return the types of a union but None, or the type itself."""
    if get_origin(kind) in {UnionType, Union}:
        return tuple(part for part in get_args(kind) if part is not NoneType)
    return (kind,)


@dataclass(frozen=True, slots=True)
class _Shape:
    """The parts of a type by how they are read."""

    is_optional: bool
    form: Form | None
    classes: tuple[Any, ...]  # dataclasses
    containers: tuple[Any, ...]  # mappings, tuples and lists
    plain: tuple[Any, ...]  # what msgspec reads whole


@lru_cache(maxsize=1024)
def _shape(kind: Any) -> _Shape:
    parts = _parts(kind)
    classes = tuple(filter(is_dataclass, parts))
    containers = tuple(part for part in parts if get_origin(part) in {*_TABLES, *_LISTS})
    return _Shape(
        is_optional=NoneType in get_args(kind),
        form=_FORMS.get(get_origin(parts[0]) or parts[0]),
        classes=classes,
        containers=containers,
        plain=tuple(part for part in parts if part not in {*classes, *containers}),
    )


def _read(kind: Any, value: Any, where: str, limits: Any, base: Any = None) -> Any:
    """Return a value of a type; ``limits`` are those of the numbers and texts in it."""
    shape = _shape(kind)
    if value is None and shape.is_optional:
        return None
    if shape.form is not None:
        return shape.form.read(value, where)
    if isinstance(limits, Parameter) and isinstance(value, Mapping):
        value = _instance(Noted, value, where, None).value
    if shape.classes and isinstance(value, Mapping):
        owner, *others = shape.classes
        if others:  # told apart by their tags
            key, named = _TAGS[owner][0], {_TAGS[each][1]: each for each in shape.classes}
            check_one_of(f"{where} {key}", value.get(key), tuple(named))
            owner = named[value[key]]
        return _instance(owner, value, where, base)
    for part in shape.containers:
        origin, inner = get_origin(part), get_args(part)
        if origin in _TABLES and isinstance(value, Mapping):
            return {k: _read(inner[1], v, f"{where} {k}", limits) for k, v in value.items()}
        if origin in _LISTS and isinstance(value, list):
            kinds = inner if _has_length(part) else inner[:1] * len(value)
            if len(kinds) == len(value):
                numbered = enumerate(zip(kinds, value, strict=True), start=1)
                return origin(
                    _read(k, v, f"{where} {_label(n, v)}", limits) for n, (k, v) in numbered
                )
    try:
        if shape.plain:
            return msgspec.convert(value, _checked(shape.plain, limits))
    except msgspec.ValidationError:
        pass
    raise refusal(where, value, _describe_accepted(kind, limits, value))


def _has_length(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[-1] is not ...


@lru_cache(maxsize=1024)
def _checked(kinds: tuple[Any, ...], limits: Any) -> Any:
    """Return the type by which msgspec checks a number, a text or the member of an enumeration."""
    low, high = (limits.low, limits.high) if limits else (-_MOST, _MOST)
    meta: dict[Any, msgspec.Meta] = {float: msgspec.Meta(ge=low, le=high)}  # refuses NaN, too
    if limits:
        meta[int] = meta[float]
        if str in kinds:
            meta[str] = msgspec.Meta(
                min_length=int(low), max_length=int(high), pattern=r"\A[^\t\n]*\Z"
            )
    return Union[tuple(Annotated[k, meta[k]] if k in meta else k for k in kinds)]  # noqa: UP007


def _label(number: int, part: Any) -> str:
    """Return the place of an entry of a list, with its name if it has one."""
    name = part.get("name") if isinstance(part, Mapping) else getattr(part, "name", None)
    named = isinstance(name, str) and name.isprintable() and 0 < len(name) <= 40
    return f"{number} ({name})" if named else str(number)


def _instance(kind: Any, value: Mapping[str, Any], where: str, base: Any) -> Any:
    tag, known = _TAGS.get(kind), _fields(kind)
    given = {name: part for name, part in value.items() if (name, part) != tag}
    check_names(where, given, tuple(known))
    read = {}
    for key, (field, part, limits) in known.items():
        if key in given:
            nested = getattr(base, field.name, None)
            read[field.name] = _read(part, given[key], f"{where} {key}", limits, nested)
        elif base is None and field.default is MISSING and field.default_factory is MISSING:
            raise InputError(f"{where} {key}: missing; give {_describe_accepted(part, limits)}")
    try:
        return kind(**read) if base is None else replace(base, **read)
    except InputError as error:
        raise InputError(f"{where} {error}") from None


def _describe_accepted(kind: Any, limits: Any, value: object = None) -> str:
    """Return the values that a type accepts, in words."""
    (part, *more) = _parts(kind)
    if more:
        return " or ".join(_describe_accepted(one, limits, value) for one in (part, *more))
    if form := _FORMS.get(get_origin(part) or part):
        return form.name
    if is_dataclass(part):
        return f"a table of {', '.join(_fields(cast('type', part)))}"
    if get_origin(part) is Literal or issubclass(get_origin(part) or part, Enum):
        names = get_args(part) or [member.value for member in part]
        return _names([str(name) for name in names], value)
    if get_args(part):
        kinds = get_args(part)
        if get_origin(part) in _TABLES:
            return f"a table of {_describe_accepted(kinds[1], limits)}"
        return f"a list of {len(kinds)}" if _has_length(part) else "a list"
    nouns = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    noun = nouns.get(part, "values")
    if limits is None:
        return noun
    if part is str:
        return f"a line of {limits.low} to {limits.high} characters"
    return f"{noun} from {limits.low:.10g} to {limits.high:.10g} {limits.unit}".rstrip()
