"""JSON and TOML from outside the program, read within limits; and the one writer of JSON.

In: the text of a file, of an option or of a window's field. Out: plain Python values. Whatever is
wrong with the text, the error is one `InputError` of one line that names the place: too long, too
deeply nested, not of the format, or with control characters, which could command a terminal. All
readers of `sim`, `render` and `calibration` begin here; tables have `pucklab.base.tables`.
"""

import binascii
import json
import math
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from pucklab.base.errors import InputError, shown

MAX_DEPTH = 50
"""Levels of lists and tables in one another."""

MAX_JSON_CHARS = 8_000_000
"""A replay of 30 pieces has 2 million."""

MAX_TOML_CHARS = 1_000_000

_MAX_DIGITS = 18
"""Digits of a whole number; longer ones do not fit into 64 bits."""

MAX_TEXT_CHARS = 10_000
"""Characters of one text in JSON or TOML."""

# C0 and C1 controls but tab and newline, halves of surrogate pairs, and characters that turn the
# direction of a line: the first can command a terminal, the others make text look like another.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]"
)

# tomllib takes quadratic time over a dotted key.
_LONG_KEY = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')\s*+\.\s*+){50}""")


_TOML_HINTS = {
    "write straight quotes": re.compile(r"(?:^|[=\[{,])\s*[\u2018-\u201f«»]"),
    "a decimal has a point, not a comma": re.compile(r"=\s*[-+]?\d+,\d"),
    "give a number without its unit": re.compile(r"=\s*[-+]?[\d.]+\s*[a-zA-Zµ°%]"),
}
"""What is wrong with a line that is no TOML, by how it looks."""


def parse_json(text: str, where: str) -> Any:
    """Return the value of a JSON text.

    Args:
        text: The text.
        where: Its name in errors, such as ``record: 'game.json'``.

    Raises:
        InputError: It is too long, nested too deeply or not JSON, or it has control characters,
            NaN, infinities or endless whole numbers.

    Example:
        >>> parse_json('{"a": [1, 2.5]}', "record")
        {'a': [1, 2.5]}
        >>> parse_json('{"a": NaN}', "record")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: record: NaN is not accepted; give a number
    """
    check_length(text, where, MAX_JSON_CHARS)

    def constant(name: str) -> float:
        raise InputError(f"{where}: {name} is not accepted; give a number")

    def whole(digits: str) -> int:
        if len(digits) > _MAX_DIGITS:
            raise InputError(f"{where}: {shown(digits)} is not accepted; give a smaller number")
        return int(digits)

    try:
        value = json.loads(text, parse_constant=constant, parse_int=whole)
    except RecursionError:
        raise _too_deep(where) from None
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not JSON: {error}") from None
    check_value(value, where)
    return value


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the table of a TOML text; see `parse_json` for arguments and errors.

    Example:
        >>> parse_toml("pucks = 12", "scene")
        {'pucks': 12}
    """
    check_length(text, where, MAX_TOML_CHARS)
    if _LONG_KEY.search(text):
        raise _too_deep(where)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise _too_deep(where) from None
    except ValueError as error:  # tomllib's own, and a number with too many digits
        number = re.search(r"at line (\d+)", str(error))
        line = text.split("\n")[int(number[1]) - 1] if number else ""
        hint = next((f"; {said}" for said, sign in _TOML_HINTS.items() if sign.search(line)), "")
        raise InputError(f"{where} is not TOML: {error}{hint}") from None
    check_value(table, where)
    return table


def check_length(text: str, where: str, most: int) -> None:
    """Check that a text is not too long to be read.

    Raises:
        InputError: It has more than ``most`` characters.
    """
    if len(text) > most:
        raise InputError(f"{where}: {len(text)} characters are not accepted; give at most {most}")


def check_characters(text: str, where: str) -> None:
    """Check that a text has no control characters but tabs and line ends.

    Raises:
        InputError: It has one: printed, it could command the terminal.

    Example:
        >>> check_characters("\\x1b]52;c;", "name")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: name: control character '\\x1b' is not accepted
    """
    found = _CONTROL.search(text)
    if found:
        raise InputError(f"{where}: control character {found.group()!r} is not accepted")


def check_value(value: object, where: str) -> None:
    """Check nesting and texts of a value of JSON or TOML.

    Raises:
        InputError: It is nested too deeply, or a text is too long or has control characters.
    """
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for part in level:
            if isinstance(part, str):
                check_length(part, f"{where}: a text", MAX_TEXT_CHARS)
                check_characters(part, where)
            elif isinstance(part, Mapping):
                below.extend(part)
                below.extend(part.values())
            elif isinstance(part, list):
                below.extend(part)
        if not below:
            return
        level = below
    raise _too_deep(where)


def json_text(value: object, **form: Any) -> str:
    """Return a value as JSON; numbers that are not finite are null.

    Args:
        value: The value.
        form: Options of `json.dumps`, such as ``indent``.

    Example:
        >>> json_text({"factor": float("inf"), "means": (1.5, float("nan"))})
        '{"factor": null, "means": [1.5, null]}'
    """

    def finite(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {key: finite(own) for key, own in part.items()}
        if isinstance(part, list | tuple):
            return [*map(finite, part)]
        return None if isinstance(part, float) and not math.isfinite(part) else part

    return json.dumps(finite(value), allow_nan=False, **form)


def toml_text(text: str) -> str:
    """Return a text as TOML writes it."""
    # A JSON string is a TOML string, but for the one control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def checksum(text: str) -> str:
    """Return the CRC-16 (CCITT) of a text as four hexadecimal digits.

    Example:
        >>> checksum("123456789")
        '31c3'
    """
    return f"{binascii.crc_hqx(text.encode(errors='replace'), 0):04x}"


def printable(text: object) -> str:
    """Return a text for a terminal: control characters are written as escapes.

    Example:
        >>> printable("a\\x1b[2Jb")
        'a\\\\x1b[2Jb'
    """
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], str(text))


def _too_deep(where: str) -> InputError:
    return InputError(f"{where}: is nested too deeply; give at most {MAX_DEPTH} levels")
