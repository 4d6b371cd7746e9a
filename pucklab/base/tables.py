"""Tables as CSV text: one reader, of pucklab's files and of those of spreadsheets, and one writer.

Cells stand between commas, semicolons or tabs; a first line such as ``sep=;`` may say which. Where
they are not commas, a decimal comma is read as a point. Blanks round cells, empty rows and columns,
and lines that begin with ``#`` are passed over. The names of columns are read without regard to
case, and a row of them in the middle begins another table, as in files that ``cat`` has joined.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from itertools import zip_longest
from typing import Generic, TypeVar

from pucklab.base.decoding import decode_cells
from pucklab.base.errors import InputError, shown
from pucklab.base.facts import fact
from pucklab.base.parsing import check_characters

MAX_CELL_CHARS = 10_000
MAX_COLUMNS = 1000

NOTE = "note"
"""A column that every table of measurements may have, for people."""

_Cells_co = TypeVar("_Cells_co", covariant=True)

_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")
_SEPARATOR = re.compile(r' *"?sep=([,;\t|])', re.IGNORECASE)


@fact
class TableRow(Generic[_Cells_co]):
    """A row of a table."""

    place: str  # name of the file and number of the row, for errors
    number: int  # the text's first line is row 1
    cells: _Cells_co

    def error(self, column: str, message: str) -> InputError:
        """Return an error that names file, row and column.

        Example:
            >>> str(TableRow(place="a.csv: row 3", number=3, cells=None).error("out", "is empty"))
            'a.csv: row 3, column out: is empty'
        """
        return InputError(f"{self.place}, column {column}: {message}")


def read_rows(
    text: str,
    where: str,
    needed: Sequence[str],
    accepted: Collection[str] | None = None,
    longest: int = MAX_CELL_CHARS,
) -> Iterator[TableRow[dict[str, str]]]:
    """Yield the cells of each row by column.

    Args:
        text: The table's text.
        where: Its name in errors.
        needed: Columns that must be there.
        accepted: Columns that may be there; any if None.
        longest: Characters of a cell that are accepted at most.

    Raises:
        InputError: It is no CSV or has control characters, a column is missing, unknown or
            repeated, or a cell has no column; the message names row and column.

    Example:
        >>> text = "sep=;\\nSlammer;Mass_g\\n\\nOnix;17,5\\n"
        >>> [(row.number, row.cells) for row in read_rows(text, "a.csv", ["slammer"])]
        [(4, {'slammer': 'Onix', 'mass_g': '17.5'})]
        >>> list(read_rows("nome,kind\\nGem,item\\n", "a.csv", ["name"]))
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: a.csv: row 1, column name: missing; did you mean nome?
    """
    names: list[str] = []
    wanted = frozenset(needed)
    for number, cells in _read_cells(text, where, longest):
        place = f"{where}: row {number}"
        found = {*map(str.casefold, cells)}
        if not names or (wanted <= found and (accepted is None or found <= {"", *accepted})):
            names = _column_names(cells, place, needed, accepted)
            continue
        own = dict(zip_longest(names, cells, fillvalue=""))
        if "" in own:  # columns without a name are empty
            for column, (name, cell) in enumerate(zip_longest(names, cells, fillvalue=""), 1):
                if cell and not name:
                    raise InputError(f"{place}, column {column}: {shown(cell)} has no column name")
            del own[""]
        yield TableRow(place=place, number=number, cells=own)
    if not names:
        raise InputError(f"{where}: is empty; give a row of column names: {', '.join(needed)}")


def read_table(
    kind: type[_Cells_co], text: str, where: str, *, unread: Sequence[str] = (), needs: str = ""
) -> Iterator[TableRow[_Cells_co]]:
    """Yield the rows of a table as instances of a dataclass, whose fields are the columns.

    Args:
        kind: The class; a column must be there if its field has no default.
        text: The table's text.
        where: Its name in errors.
        unread: Columns that may be there, beside ``note``, and are not read.
        needs: A column without which a row is passed over.

    Raises:
        InputError: See `read_rows`; or a cell is not accepted.

    Example:
        >>> from pucklab.physics import Puck
        >>> [row.cells.mass_g for row in read_table(Puck, "mass_g\\n1.2\\n", "pucks.csv")]
        [1.2]
    """
    known = {own.metadata.get("key", own.name): own for own in fields(kind) if own.init}  # type: ignore[arg-type]
    needed = [name for name, own in known.items()
              if own.default is MISSING and own.default_factory is MISSING]  # fmt: skip
    for row in read_rows(text, where, needed, dict.fromkeys((*needed, *known, *unread, NOTE))):
        if not needs or row.cells.get(needs):
            cells = decode_cells(kind, row.cells, f"{row.place}, column")
            yield TableRow(place=row.place, number=row.number, cells=cells)


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


def _column_names(
    cells: Sequence[str], where: str, needed: Sequence[str], accepted: Collection[str] | None
) -> list[str]:
    """Return the names of columns; check them."""
    names = [cell.casefold() for cell in cells]
    known, missing = accepted or names, [name for name in needed if name not in names]
    for cell, name in zip(cells, names, strict=True):
        if name and name not in known:
            near = get_close_matches(name, missing, n=1) or get_close_matches(name, known, n=1)
            raise _wrong_column(where, cell, "no such column", near, known)
        if name and names.count(name) > 1:
            raise InputError(f"{where}, column {cell}: appears twice; give it once")
    for name in missing:
        raise _wrong_column(where, name, "missing", get_close_matches(name, names, n=1), needed)
    return names


def _wrong_column(
    where: str, name: str, what: str, near: Sequence[str], others: Iterable[str]
) -> InputError:
    hint = f"did you mean {near[0]}?" if near else f"give {', '.join(others)}"
    return InputError(f"{where}, column {name}: {what}; {hint}")


def _read_cells(text: str, where: str, longest: int) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of each row that is not empty."""
    check_characters(text, where)
    # A byte order mark stands in the middle, too, where files were joined.
    text = text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
    delimiter, begins_row = ",", True
    for line in _lines(text):
        if said := _SEPARATOR.match(line):
            delimiter = said[1]
            break
        if not _is_no_row(line):
            delimiter = max(",;\t", key=line.count)
            break

    def lines() -> Iterator[str]:
        nonlocal begins_row
        for line in _lines(text):
            begins_row = begins_row and _is_no_row(line)
            yield "\n" if begins_row else line

    reader = csv.reader(lines(), delimiter=delimiter, skipinitialspace=True)
    try:
        for row in reader:
            begins_row, place = True, f"{where}: row {reader.line_num}"
            if len(row) > MAX_COLUMNS:
                raise InputError(f"{place} has {len(row)} cells; give at most {MAX_COLUMNS}")
            if (size := max(map(len, row), default=0)) > longest:
                raise InputError(f"{place} has a cell of {size} characters; give at most {longest}")
            cells = [cell.strip() for cell in row]
            if delimiter != ",":
                cells = [cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell
                         for cell in cells]  # fmt: skip
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{where}: row {reader.line_num} is not CSV: {error}") from None


def _is_no_row(line: str) -> bool:
    return line.lstrip(" ")[:1] in {"", "#", "\n"} or _SEPARATOR.match(line) is not None


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, without a copy of it all."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin) + 1 or len(text)
        yield text[begin:end]
        begin = end
