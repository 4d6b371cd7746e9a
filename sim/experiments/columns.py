"""Columns of results, each declared once: for files, JSON, printed tables, notebooks and plots.

A `Column` has the name of a number, its value from the estimate of a case, and its form for
people. `Columns` are those of an experiment: called as `Experiment.columns` they give the cells of
its file; `row_texts` and `legend_of` are for people.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from physics.facts import fact
from physics.tally import Counts, Mean
from sim.experiments.estimates import Proportion
from sim.experiments.experiment import Cell

_Tally = TypeVar("_Tally", bound=Counts)


@fact
class Column:
    """One number of a result.

    Attributes:
        name: In files and JSON. A mean is stored as ``name_mean`` and ``name_se``, a chance as
            ``name``, ``name_low`` and ``name_high``. Empty for what files only have as counts.
        heading: In tables; empty for what only files have.
        value: Returns it from an estimate.
        about: In plots.
        form: Format of a plain number in tables.
        legend: Below tables; columns may share one.
        is_wide: Only the wide table has it.
    """

    name: str
    heading: str
    value: Callable[[Any], Mean | Proportion | Cell]
    about: str = ""
    form: str = ".2f"
    legend: str = ""
    is_wide: bool = False

    def text(self, estimate: Any) -> str:
        """Return the cell of a table for people.

        Example:
            >>> column = Column(name="flips", heading="flips", value=lambda mean: mean)
            >>> column.text(Mean(value=1.5, standard_error=0.05)), column.text(math.nan)
            ('1.50 ± 0.05', '-')
        """
        found = self.value(estimate)
        if isinstance(found, Proportion):
            return found.text
        if isinstance(found, Mean):
            error = "?" if math.isnan(found.standard_error) else f"{found.standard_error:.2f}"
            return f"{found.value:.2f} ± {error}"
        return (
            found if isinstance(found, str) else "-" if found != found else f"{found:{self.form}}"
        )

    def cells(self, estimate: Any) -> dict[str, Cell]:
        """Return the cells of a file, by column of the file."""
        found, name = self.value(estimate), self.name
        if isinstance(found, Proportion):
            return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        if isinstance(found, Mean):
            return {f"{name}_mean": found.value, f"{name}_se": found.standard_error}
        return {name: found}


def row_cells(columns: Sequence[Column], estimate: Any) -> dict[str, Cell]:
    """Return the cells of a row of a file or of JSON, by name."""
    return {name: cell for column in columns if column.name
            for name, cell in column.cells(estimate).items()}  # fmt: skip


def row_texts(columns: Sequence[Column], estimate: Any, *, wide: bool = False) -> dict[str, str]:
    """Return the cells of a row for people, by heading."""
    return {c.heading: c.text(estimate) for c in columns if c.heading and (wide or not c.is_wide)}


def legend_of(columns: Sequence[Column], *, wide: bool = False) -> str:
    """Return the meaning of the headings in a line."""
    own = (column.legend for column in columns if wide or not column.is_wide)
    return "; ".join(dict.fromkeys(filter(None, own)))


@fact
class Columns(Generic[_Tally]):
    """The columns of an experiment, and the estimate that they read."""

    estimate: Callable[[_Tally, float], Any]  # of a tally, with intervals of a z
    columns: Sequence[Column]

    def __call__(self, tally: _Tally, z: float) -> dict[str, Cell]:
        """Return the cells of a row of a file."""
        return row_cells(self.columns, self.estimate(tally, z))
