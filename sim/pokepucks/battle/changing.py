"""Values with some fields changed, quickly: a battle does little else."""

from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

_T = TypeVar("_T")


def changed(value: _T, **changes: Any) -> _T:
    """Return a copy of a dataclass instance with other values in some fields.

    As `dataclasses.replace`, three times as fast, for classes with slots; the copy is not checked.

    Example:
        >>> from sim.pokepucks.battle.state import Matchup
        >>> from sim.pokepucks.design import EnergyType
        >>> changed(Matchup(type=EnergyType.FIRE), type=None)
        Matchup(type=None, weakness=None, resistance=None)
    """
    kind = type(value)
    copy: _T = object.__new__(kind)
    read, writers = _slots(kind)  # type: ignore[arg-type]
    for write, old in zip(writers.values(), read(value), strict=True):
        write(copy, old)
    for name, new in changes.items():
        writers[name](copy, new)
    return copy


_Read = Callable[[Any], tuple[Any, ...]]
_Write = Callable[[Any, Any], None]


@lru_cache(maxsize=32)
def _slots(kind: type) -> tuple[_Read, dict[str, _Write]]:
    """Return what reads all fields, and what writes each, past the guard of frozen classes."""
    slots = {field.name: getattr(kind, field.name) for field in fields(kind)}
    return attrgetter(*slots), {name: slot.__set__ for name, slot in slots.items()}
