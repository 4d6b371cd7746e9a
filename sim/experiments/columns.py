"""Columns of results, each declared once: for files, JSON, printed tables, notebooks and plots.

A `Column` has the name of a number, its value from the estimate of a case, and its form for
people. `Columns` are those of an experiment: called as `Experiment.columns` they give the values
of its table. `flat_cells` makes the cells of files of these; `row_texts`, `value_text` and
`legend_of` are for people.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from pucklab.base.facts import fact
from pucklab.physics.tally import Counts, Mean
from pucklab.sim.experiments.estimates import Proportion
from pucklab.sim.experiments.experiment import Cell, Value

_Tally = TypeVar("_Tally", bound=Counts)


@fact
class Column:
    """One number of a result.

    Attributes:
        name: In files and JSON, see `flat_cells`; empty for what files only have as counts.
        heading: In tables; empty for numbers that only files have.
        value: Returns it from an estimate.
        about: In plots.
        form: Format of a plain number in tables.
        legend: Below tables; columns may share one.
        is_wide: Only the wide table has it.
    """

    name: str
    heading: str
    value: Callable[[Any], Value]
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
        return value_text(self.value(estimate), self.form)


def value_text(value: Value, form: str) -> str:
    """Return a value for people; the form is that of a plain number."""
    if isinstance(value, Proportion):
        return value.text
    if isinstance(value, Mean):
        error = "?" if math.isnan(value.standard_error) else f"{value.standard_error:.2f}"
        return f"{value.value:.2f} ± {error}"
    return value if isinstance(value, str) else "-" if value != value else f"{value:{form}}"


def flat_cells(values: Mapping[str, Value]) -> dict[str, Cell]:
    """Return the cells of a row of a file or of JSON, by name.

    A mean becomes ``name_mean`` and ``name_se``, a chance ``name``, ``name_low`` and ``name_high``.
    """
    cells: dict[str, Cell] = {}
    for name, value in values.items():
        if isinstance(value, Proportion):
            cells |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        elif isinstance(value, Mean):
            cells |= {f"{name}_mean": value.value, f"{name}_se": value.standard_error}
        else:
            cells[name] = value
    return cells


def row_values(columns: Sequence[Column], estimate: Any) -> dict[str, Value]:
    """Return the values that files and JSON have, by name."""
    return {column.name: column.value(estimate) for column in columns if column.name}


def row_texts(columns: Sequence[Column], estimate: Any, *, wide: bool = False) -> dict[str, str]:
    """Return the cells of a row for people, by heading."""
    return {c.heading: c.text(estimate) for c in columns if c.heading and (wide or not c.is_wide)}


def legend_of(columns: Sequence[Column], *, wide: bool = False) -> str:
    """Return a line that explains the headings."""
    own = (column.legend for column in columns if wide or not column.is_wide)
    return "; ".join(dict.fromkeys(filter(None, own)))


@fact
class Columns(Generic[_Tally]):
    """The columns of an experiment, and the estimate that they read."""

    estimate: Callable[[_Tally, float], Any]  # of a tally, with intervals of a z
    columns: Sequence[Column]

    def __call__(self, tally: _Tally, z: float) -> dict[str, Value]:
        """Return the values of a row."""
        return row_values(self.columns, self.estimate(tally, z))
