"""Text from outside the program: JSON, TOML and CSV, read within limits.

In: the text of a file, of an option or of a window's field. Out: plain Python values. Whatever is
wrong with the text, the error is one `InputError` of one line that names the place: too long, too
deeply nested, not of the format, or with control characters, which could command a terminal. All
readers of `sim`, `render` and `calibration` begin here.
"""

import csv
import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

MAX_CELL_CHARS = 10_000
MAX_COLUMNS = 1000

# C0 and C1 controls but tab and newline, halves of surrogate pairs, and characters that turn the
# direction of a line: the first can command a terminal, the others make text look like another.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]"
)

# tomllib takes quadratic time over a dotted key.
_LONG_KEY = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')\s*+\.\s*+){50}""")


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
        raise InputError(f"{where} is not TOML: {error}") from None
    check_value(table, where)
    return table


def parse_csv(
    text: str, where: str, longest: int = MAX_CELL_CHARS
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and cells by column of each row below the column names.

    Args:
        text: The text; its first line has the column names.
        where: Its name in errors.
        longest: Characters of a cell that are accepted at most.

    Raises:
        InputError: It is no CSV, a column appears twice, or a row has more or fewer
            cells than there are columns.

    Example:
        >>> list(parse_csv("slammer,trials\\nOnix,20\\n", "odds.csv"))
        [(2, {'slammer': 'Onix', 'trials': '20'})]
        >>> list(parse_csv("slammer,trials\\nOnix\\n", "odds.csv"))
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: odds.csv: line 2 has 1 cell; give 2, one for each column
    """
    rows = read_cells(text, where, longest)
    first = next(rows, None)
    if first is None:
        return
    _, names = first
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{where}: column {shown(name)} appears twice; give it once")
    for line, cells in rows:
        if len(cells) != len(names):
            number = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
            raise InputError(
                f"{where}: line {line} has {number}; give {len(names)}, one for each column"
            )
        yield line, dict(zip(names, cells, strict=True))


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as a CSV text; a cell that a row does not have is empty.

    Example:
        >>> csv_text(["slammer", "trials"], [{"slammer": "Onix"}])
        'slammer,trials\\nOnix,\\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_cells(
    text: str, where: str, longest: int = MAX_CELL_CHARS
) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each line of a CSV text that is not empty.

    Raises:
        InputError: It is no CSV, or has control characters or too many columns.
    """
    check_characters(text, where)
    reader = csv.reader(_lines(text.removeprefix("\ufeff")))
    try:
        for cells in reader:
            if len(cells) > MAX_COLUMNS:
                raise InputError(
                    f"{where}: line {reader.line_num} has {len(cells)} cells; give at most "
                    f"{MAX_COLUMNS}"
                )
            for cell in cells:
                if len(cell) > longest:
                    raise InputError(
                        f"{where}: line {reader.line_num} has a cell of {len(cell)} characters; "
                        f"give at most {longest}"
                    )
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{where}: line {reader.line_num} is not CSV: {error}") from None


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


def toml_text(text: str) -> str:
    """Return a text as TOML writes it."""
    # A JSON string is a TOML string, but for the one control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def printable(text: object) -> str:
    """Return a text for a terminal: control characters are written as escapes.

    Example:
        >>> printable("a\\x1b[2Jb")
        'a\\\\x1b[2Jb'
    """
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], str(text))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, without a copy of it all."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        yield text[begin:end]
        begin = end


def _too_deep(where: str) -> InputError:
    return InputError(f"{where}: is nested too deeply; give at most {MAX_DEPTH} levels")
