"""Facts: frozen dataclasses with slots, built by keywords, and the small ones by position."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform, overload

_Class = TypeVar("_Class")


@overload
def fact(kind: type[_Class], /) -> type[_Class]: ...
@overload
def fact(*, eq: bool) -> Callable[[type[_Class]], type[_Class]]: ...
@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
def fact(kind: Any = None, /, **options: Any) -> Any:
    """Make a class a frozen dataclass with slots, whose fields are given by keywords.

    Args:
        kind: The class.
        options: ``eq=False`` for fields that do not compare, such as arrays.

    Example:
        >>> @fact
        ... class Puck:
        ...     mass_g: float = 1.5
        >>> Puck(mass_g=2.0)
        Puck(mass_g=2.0)
    """
    made = dataclass(frozen=True, slots=True, kw_only=True, **options)
    return made if kind is None else made(kind)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def small_fact(kind: type[_Class], /) -> type[_Class]:
    """Make a class a `fact` of few fields, which are given by position.

    Example:
        >>> @small_fact
        ... class Place:
        ...     row: int
        ...     column: int
        >>> Place(2, 3)
        Place(row=2, column=3)
    """
    return dataclass(frozen=True, slots=True)(kind)
