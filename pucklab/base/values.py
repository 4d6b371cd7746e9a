"""Values as people give them: text from a command line, or numbers and lists from Python.

A reader takes the name of a value in errors and what was given, and returns the value.
"""

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from pucklab.base.errors import InputError, check_count, check_number, refusal, shown

Reader = Callable[[str, Any], Any]

MOST_SEED = 2**63 - 1

MOST_IN_SPAN = 1000
"""Numbers that LOW:HIGH:STEP may stand for."""


def read_number(
    name: str, given: object, *, low: float, high: float, unit: str = "", ranged: bool = True
) -> float:
    """Return a number; unless ``ranged``, its range is not checked but only named in the error.

    Raises:
        InputError: It is no number, or outside its range.

    Example:
        >>> read_number("speed_m_s", "4.5", low=0.5, high=10.0)
        4.5
    """
    value: Any = parse_number(float, given) if isinstance(given, str) else given
    if not isinstance(value, bool) and hasattr(value, "__float__"):  # NumPy's numbers, too
        value = float(value)
    if ranged or not isinstance(value, float):
        check_number(name, value, low, high, unit=unit)
    return float(value)


def read_count(name: str, given: object, *, low: int, high: int) -> int:
    """Return a whole number.

    Raises:
        InputError: It is none, or outside its range.
    """
    value: Any = parse_number(int, given) if isinstance(given, str) else given
    if not isinstance(value, bool) and hasattr(value, "__index__"):  # NumPy's, too
        value = operator.index(value)
    check_count(name, value, low, high)
    return int(value)


def read_seed(given: object) -> int:
    """Return a seed: of a command, a call or a file, from 0 to `MOST_SEED`.

    Raises:
        InputError: It is none.
    """
    return read_count("seed", given, low=0, high=MOST_SEED)


def read_numbers(
    name: str, given: object, *, each: Reader, size: int | None = None, spans: bool = False
) -> tuple[float, ...]:
    """Return numbers: of a text with commas, of a list, or a single one.

    Args:
        name: Of the value in errors.
        given: The numbers.
        each: Reads one.
        size: Number of them; None for one or more.
        spans: Accept LOW:HIGH:STEP for a number and all that follow it by a step.

    Raises:
        InputError: One is not accepted, or there are too few or too many.

    Example:
        >>> from functools import partial
        >>> read_numbers("g", "2:3:.5,8", each=partial(read_number, low=2, high=24), spans=True)
        (2.0, 2.5, 3.0, 8.0)
    """
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    parts: list[Any] = list(given) if is_list else [given]  # type: ignore[call-overload]
    if isinstance(given, str):
        parts = given.split(",")
    if not parts or size not in {None, len(parts)}:
        accepted = f"{size or 'one or more'} numbers with a comma between them"
        raise refusal(name, given, accepted)
    found: list[float] = []
    for part in parts:
        if not (spans and isinstance(part, str) and ":" in part):
            found.append(each(name, part))
            continue
        # LOW:HIGH:STEP, with HIGH if a step falls on it.
        refused = f"{name}: {shown(part)} is not accepted"
        pieces = part.split(":")
        if len(pieces) != 3:
            raise InputError(f"{refused}; give LOW:HIGH:STEP, such as 2:24:2")
        low, high = (each(name, piece) for piece in pieces[:2])
        step = read_number(name, pieces[2], low=-1e9, high=1e9)
        if not low <= high < math.inf or step <= 0:
            raise InputError(
                f"{refused}; give a range that begins at its lower end, and a step above 0"
            )
        count = math.floor((high - low) / step + 1e-9) + 1
        if count > MOST_IN_SPAN:
            raise InputError(f"{refused}; give a range of at most {MOST_IN_SPAN} numbers")
        # Rounded, so that 2:3:.1 has 2.3 and not 2.3000000000000003.
        found += [round(low + k * step, 9) for k in range(count)]
    return tuple(found)


def parse_number(kind: type, text: str) -> object:
    """Return a text as a number of a kind, or itself, for a check of its range to name."""
    try:
        return kind(text)
    except ValueError:
        return text
