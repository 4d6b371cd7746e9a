"""Tables that people fill in: CSV files whose errors name the file, the row and the column."""

from collections.abc import Mapping, Sequence

from physics import InputError
from physics.errors import check_number, shown
from physics.facts import fact
from physics.parsing import read_cells

NOTE = "note"
"""A column that every table may have, for people."""


@fact
class Column:
    """A column of numbers.

    Attributes:
        name: Its name, with the unit.
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: The unit.
        whole: Accept whole numbers only.
        reading_error: Standard deviation of reading it off a ruler or a dial; 0 if not known.
    """

    name: str
    low: float
    high: float
    unit: str = ""
    whole: bool = False
    reading_error: float = 0.0


@fact
class TableRow:
    """A row as it stands in the file.

    Attributes:
        where: What the file is called.
        number: The row's number; the file's first line is row 1.
        cells: Text by column, without spaces around it.
    """

    where: str
    number: int
    cells: Mapping[str, str]


def read_table(
    text: str, where: str, *, required: Sequence[str], optional: Sequence[str] = ()
) -> tuple[TableRow, ...]:
    """Return the rows of a CSV file; empty lines and lines that begin with # are passed over.

    Args:
        text: The file's text.
        where: What to call the file in an error.
        required: Columns that must be there.
        optional: Columns that may be there, beside ``note``.

    Raises:
        InputError: The file is empty, or a column is missing, unknown or there twice, or a row
            has cells without a column.

    Example:
        >>> rows = read_table("drop_mm,rebound_mm\\n500,120\\n", "a.csv", required=("drop_mm",),
        ...                   optional=("rebound_mm",))
        >>> rows[0].number, number_in(rows[0], Column(name="drop_mm", low=1, high=5000))
        (2, 500.0)
    """
    filled = [(number, cells) for number, cells in read_cells(text, where) if _has_text(cells)]
    if not filled:
        raise InputError(f"{where}: is empty; give a row of column names: {', '.join(required)}")
    (first, header), *rows = filled
    names = [name.strip() for name in header]
    _check_header(f"{where}: row {first}", names, required, (*required, *optional, NOTE))
    return tuple(_row(where, number, names, cells) for number, cells in rows)


def number_in(row: TableRow, column: Column) -> float | None:
    """Return the number in a cell, or None if the cell is empty or the column is not there.

    Raises:
        InputError: It is no number, or not one that can be; the message names file, row and column.
    """
    text = row.cells.get(column.name, "")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        hint = "; write a decimal point, not a comma" if "," in text else ""
        raise cell_error(
            row, column.name, f"{shown(text)} is no number; give {_accepted(column)}{hint}"
        ) from None
    name = f"{row.where}: row {row.number}, column {column.name}"
    check_number(name, value, low=column.low, high=column.high, unit=column.unit)
    if column.whole and value != int(value):
        raise cell_error(
            row, column.name, f"{shown(text)} is not accepted; give {_accepted(column)}"
        )
    return value


def needed_in(row: TableRow, column: Column) -> float:
    """Return the number in a cell that must not be empty.

    Raises:
        InputError: As `number_in`, or the cell is empty.
    """
    value = number_in(row, column)
    if value is None:
        raise cell_error(row, column.name, f"is empty; give {_accepted(column)}")
    return value


def cell_error(row: TableRow, column: str, message: str) -> InputError:
    """Return an error that names file, row and column.

    Example:
        >>> str(cell_error(TableRow(where="a.csv", number=3, cells={}), "out", "is empty"))
        'a.csv: row 3, column out: is empty'
    """
    return InputError(f"{row.where}: row {row.number}, column {column}: {message}")


def _has_text(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("#")


def _accepted(column: Column) -> str:
    kind = "a whole number" if column.whole else "a number"
    return f"{kind} from {column.low:g} to {column.high:g} {column.unit}".rstrip()


def _check_header(
    where: str, names: list[str], required: Sequence[str], accepted: Sequence[str]
) -> None:
    if len(names) == 1 and ";" in names[0]:
        raise InputError(f"{where}: cells are parted by semicolons; save the file with commas")
    for name in required:
        if name not in names:
            raise InputError(f"{where}, column {name}: missing; give {', '.join(required)}")
    for name in names:
        if name and name not in accepted:
            raise InputError(
                f"{where}, column {shown(name)}: no such column; give {', '.join(accepted)}"
            )
        if name and names.count(name) > 1:
            raise InputError(f"{where}, column {name}: is there twice; give it once")


def _row(where: str, number: int, names: list[str], cells: list[str]) -> TableRow:
    extra = [cell for cell in cells[len(names) :] if cell.strip()]
    if extra:
        raise InputError(
            f"{where}: row {number}, column {len(names) + 1}: {shown(extra[0])} has no column name"
        )
    found = {name: cell.strip() for name, cell in zip(names, cells, strict=False) if name}
    return TableRow(where=where, number=number, cells=found)
