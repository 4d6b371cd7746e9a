"""Tables that people fill in: CSV files whose errors name the file, the row and the column.

A row is read into a dataclass, whose fields are the columns. `SlamCells` are the columns of all
tables of real slams, and slams of one `Setting` are simulated together.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from typing import Any, Generic, TypeVar

from pucklab.base.decoding import decode_cells
from pucklab.base.errors import limits, shown
from pucklab.base.facts import fact
from pucklab.base.parsing import read_cells
from pucklab.physics import InputError, Puck, Scene, Slammer, puckdex_slammer

NOTE = "note"
"""A column that every table may have, for people."""

_Cells_co = TypeVar("_Cells_co", covariant=True)

_POINT_ZERO = re.compile(r"(?<=\d)\.0+$")
"""The end of whole numbers as spreadsheets write them."""


@fact
class TableRow(Generic[_Cells_co]):
    """A row of a file."""

    place: str  # name of the file and number of the row, for errors
    number: int  # the file's first line is row 1
    cells: _Cells_co

    def error(self, column: str, message: str) -> InputError:
        """Return an error that names file, row and column.

        Example:
            >>> str(TableRow(place="a.csv: row 3", number=3, cells=None).error("out", "is empty"))
            'a.csv: row 3, column out: is empty'
        """
        return InputError(f"{self.place}, column {column}: {message}")


def read_table(
    kind: type[_Cells_co], text: str, where: str, *, unread: Sequence[str] = (), needs: str = ""
) -> list[TableRow[_Cells_co]]:
    """Return the rows of a CSV file; empty lines and lines that begin with # are passed over.

    Args:
        kind: Class of a row, with a field for each column; one without a default must be there.
        text: The file's text.
        where: Name of the file in errors.
        unread: Columns that may be there, beside ``note``, and are not read.
        needs: A column without which a row is passed over.

    Raises:
        InputError: The file is empty, or a column is missing, unknown or repeated, or a cell has
            no column or is not accepted; the message names file, row and column.

    Example:
        >>> text = "slammer_g,thickness_mm,pucks,drop_mm\\n8,6,10,460\\n"
        >>> [(row.number, row.cells.slammer_g) for row in read_table(SlamCells, text, "a.csv")]
        [(2, 8.0)]
    """
    required = [f.name for f in fields(kind)  # type: ignore[arg-type]
                if f.default is MISSING and f.default_factory is MISSING]  # fmt: skip
    accepted = dict.fromkeys((*required, *(f.name for f in fields(kind))))  # type: ignore[arg-type]
    filled = [
        (number, cells)
        for number, cells in read_cells(text, where)
        if any(cell.strip() for cell in cells) and not cells[0].lstrip().startswith("#")
    ]
    if not filled:
        raise InputError(f"{where}: is empty; give a row of column names: {', '.join(required)}")
    (first, header), *rows = filled
    names = [name.strip() for name in header]
    _check_header(f"{where}: row {first}", names, required, (*accepted, *unread, NOTE))
    found = []
    for number, cells in rows:
        place = f"{where}: row {number}"
        if extra := [cell for cell in cells[len(names) :] if cell.strip()]:
            raise InputError(
                f"{place}, column {len(names) + 1}: {shown(extra[0])} has no column name"
            )
        own = {name: _POINT_ZERO.sub("", cell.strip())
               for name, cell in zip(names, cells, strict=False) if name in accepted}  # fmt: skip
        if needs and not own.get(needs):
            continue
        for name, cell in own.items():
            if re.fullmatch(r"[-+\d.]+,\d+", cell):
                raise InputError(
                    f"{place}, column {name}: {shown(cell)} is not accepted; write a decimal "
                    "point, not a comma"
                )
        row = decode_cells(kind, own, f"{place}, column")
        found.append(TableRow(place=place, number=number, cells=row))
    return found


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
            raise InputError(f"{where}, column {name}: appears twice; give it once")


@fact
class SlamCells:
    """Columns of a table of slams."""

    slammer_g: float = limits(2, 24, "g")
    thickness_mm: float = limits(1.6, 8, "mm")
    pucks: int
    puck_g: float = limits(1, 2, "g", default=Puck().mass_g)
    speed_m_s: float | None = limits(0.5, 10, "m/s", default=None)
    drop_mm: float | None


@fact
class Setting:
    """The slammer, the stack and the kind of drop or throw that several slams share."""

    slammer: Slammer
    pucks: int  # in the stack; 0 for the bare floor
    puck: Puck  # their kind
    dropped: bool = False  # it came straight down, and was not thrown

    @property
    def name(self) -> str:
        """Label in reports.

        Example:
            >>> Setting(slammer=puckdex_slammer(8.0), pucks=10, puck=Puck()).name
            '8 g, 6 mm on 10 pucks'
        """
        target = f"{self.pucks} puck{'' if self.pucks == 1 else 's'}" if self.pucks else "the floor"
        own = f" of {self.puck.mass_g:g} g" if self.pucks and self.puck != Puck() else ""
        how = ", dropped" if self.dropped else ""
        return f"{self.slammer.mass_g:g} g, {self.slammer.thickness_mm:g} mm on {target}{own}{how}"

    @property
    def scene(self) -> Scene:
        """The scene, with the model's own contact parameters."""
        return Scene(slammer=self.slammer, stack=(self.puck,) * self.pucks)


def setting_of(row: TableRow[SlamCells]) -> Setting:
    """Return the setting of a row."""
    own = row.cells
    try:
        slammer = puckdex_slammer(own.slammer_g, own.thickness_mm)
    except InputError as error:
        raise row.error("slammer_g", str(error)) from None
    return Setting(
        slammer=slammer,
        pucks=own.pucks,
        puck=Puck(mass_g=own.puck_g),
        dropped=own.drop_mm is not None,
    )


def group_by_setting(slams: Iterable[Any]) -> dict[Setting, list[Any]]:
    """Return the slams of each setting, in order of appearance."""
    groups: dict[Setting, list[Any]] = {}
    for each in slams:
        groups.setdefault(each.setting, []).append(each)
    return groups


def check_amount(
    where: str,
    what: str,
    rows: Sequence[TableRow[SlamCells]],
    fewest: int,
    settings: int,
    most: int,
) -> None:
    """Check that a table has enough slams, of not too many settings.

    Args:
        where: Name of the file in errors.
        what: Its slams in the plural.
        rows: Its rows.
        fewest: Fewest of them.
        settings: Number of their settings.
        most: Most settings.
    """
    if len(rows) < fewest:
        last = f" (the last is row {rows[-1].number})" if rows else ""
        raise InputError(f"{where}: {len(rows)} {what}{last} are too few; give at least {fewest}")
    if settings > most:
        raise InputError(
            f"{where}: {settings} different slammers and stacks are too many; give at most {most}"
        )
