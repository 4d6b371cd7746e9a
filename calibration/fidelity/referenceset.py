"""The shipped reference set: every throw of both 3-D engines, cell by cell."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from calibration.cells import REFERENCE_CELLS, Cell, cells_named
from calibration.fidelity.statistics import CellStatistics, statistics_of
from calibration.reference import ENGINES
from calibration.throwlog import LoggedThrow, read_log

_HOLD_OUT_EVERY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCell:
    """What both engines make of one cell.

    Attributes:
        cell: The cell.
        mujoco: Of MuJoCo.
        penalty: Of the penalty engine.
        left_out: Throws of both that gained energy and count for nothing.
    """

    cell: Cell
    mujoco: CellStatistics
    penalty: CellStatistics
    left_out: int


def shipped_reference() -> tuple[ReferenceCell, ...]:
    """Return the reference set that comes with pucklab.

    Example:
        >>> cells = shipped_reference()
        >>> cells[0].cell.name
        '3g-1.6mm-5ms-10'
    """
    folder = files("calibration") / "data"
    return reference_cells(
        throw
        for engine in ENGINES
        for throw in read_log(
            (folder / f"{engine}.throws.csv").read_text(encoding="utf-8"), f"the {engine} set"
        )
    )


def reference_cells(throws: Iterable[LoggedThrow]) -> tuple[ReferenceCell, ...]:
    """Return the cells that both engines have throws of, those of the shipped set first.

    Raises:
        InputError: A throw is of no cell.
    """
    kept: defaultdict[tuple[str, str], list[LoggedThrow]] = defaultdict(list)
    gaining: defaultdict[str, int] = defaultdict(int)
    for throw in throws:
        if throw.gains_energy:
            gaining[throw.cell] += 1
        else:
            kept[throw.engine, throw.cell].append(throw)
    names = dict.fromkeys(cell for _, cell in kept)
    return tuple(
        ReferenceCell(
            cell=cell,
            mujoco=_statistics(kept["mujoco", cell.name]),
            penalty=_statistics(kept["penalty", cell.name]),
            left_out=gaining[cell.name],
        )
        for cell in sorted(cells_named(names), key=_place)
        if all((engine, cell.name) in kept for engine in ENGINES)
    )


def fitted_cells() -> frozenset[str]:
    """Return the names of the cells that constants are fitted on: all but every third one.

    Example:
        >>> [cell.name in fitted_cells() for cell in REFERENCE_CELLS[:4]]
        [True, True, False, True]
    """
    return frozenset(
        cell.name for number, cell in enumerate(REFERENCE_CELLS) if (number + 1) % _HOLD_OUT_EVERY
    )


def _place(cell: Cell) -> int:
    return REFERENCE_CELLS.index(cell) if cell in REFERENCE_CELLS else len(REFERENCE_CELLS)


def _statistics(throws: list[LoggedThrow]) -> CellStatistics:
    return statistics_of([t.faces for t in throws], [t.distance_um for t in throws])
