"""Bench measurements: the kinds, their formulas, and the CSV file that holds them."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from pucklab.base.errors import limits, parameters
from pucklab.base.facts import fact
from pucklab.base.tables import read_table
from pucklab.physics import InputError, Materials
from pucklab.physics.materials import GRAVITY_MM_S2

FEWEST = 3
"""Fewest repeats of a kind of measurement: fewer show no scatter."""

_READ = 1 / math.sqrt(12)
"""Standard deviation of what is read to the nearest 1 (a millimetre, a degree)."""


@fact
class _Cells:
    measurement: Literal["drop", "slide", "ramp", "tilt"]
    drop_mm: float | None = limits(10, 5000, "mm", default=None)
    rebound_mm: float | None = limits(0.1, 5000, "mm", default=None)
    speed_m_s: float | None = limits(0.05, 10, "m/s", default=None)
    slide_mm: float | None = limits(1, 20_000, "mm", default=None)
    ramp_mm: float | None = limits(5, 3000, "mm", default=None)
    run_mm: float | None = limits(10, 20_000, "mm", default=None)
    tilt_deg: float | None = limits(0.5, 75, "deg", default=None)


@fact
class Kind:
    """A kind of measurement.

    Attributes:
        name: Its name in the column ``measurement``.
        columns: The readings.
        constant: The constant that follows: restitution or friction.
        formula: The formula, for people.
        value: Returns the constant from the readings, in the order of the columns.
    """

    name: str
    columns: tuple[str, ...]
    constant: str
    formula: str
    value: Callable[..., float]


_KINDS = (
    Kind(
        name="drop",
        columns=("drop_mm", "rebound_mm"),
        constant="restitution",
        formula="e = sqrt(rebound / drop)",
        value=lambda drop_mm, rebound_mm: math.sqrt(rebound_mm / drop_mm),
    ),
    Kind(
        name="slide",
        columns=("speed_m_s", "slide_mm"),
        constant="friction",
        formula="mu = speed^2 / (2 g slide)",
        value=lambda speed_m_s, slide_mm: (1000 * speed_m_s) ** 2 / (2 * GRAVITY_MM_S2 * slide_mm),
    ),
    Kind(
        name="ramp",
        columns=("ramp_mm", "run_mm"),
        constant="friction",
        formula="mu = ramp / run",
        value=lambda ramp_mm, run_mm: ramp_mm / run_mm,
    ),
    Kind(
        name="tilt",
        columns=("tilt_deg",),
        constant="friction",
        formula="mu = tan(tilt)",
        value=lambda tilt_deg: math.tan(math.radians(tilt_deg)),
    ),
)
KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _KINDS})
"""The kinds by name.

A puck let go at a height ``ramp_mm`` on a ramp slides down and on over the floor; all its energy
goes into friction, so mu = height / way, where the way ``run_mm`` is measured along the floor from
below the start to where it stops, whatever the slope is.
"""


@fact
class Measurement:
    """One measurement.

    Attributes:
        row: The row of the file.
        kind: Its kind.
        readings: The readings, in the order of the kind's columns.
        value: The constant that follows.
        reading_error: Standard deviation of the value from reading lengths to the millimetre and
            angles to the degree.
    """

    row: int
    kind: Kind
    readings: tuple[float, ...]
    value: float
    reading_error: float


def read_measurements(text: str, where: str) -> tuple[Measurement, ...]:
    """Read a CSV file of measurements: a row each, with its kind in the column ``measurement``.

    Args:
        text: The file's text.
        where: Name of the file in errors.

    Raises:
        InputError: A kind, a column or a number that is not accepted, or fewer than three
            measurements of a kind; the message names file, row and column.

    Example:
        >>> text = "measurement,drop_mm,rebound_mm" + "\\ndrop,500,125" * 3
        >>> [m.value for m in read_measurements(text, "bench.csv")]
        [0.5, 0.5, 0.5]
    """
    found = []
    for row in read_table(_Cells, text, where):
        kind = KINDS[row.cells.measurement]
        read = {name: getattr(row.cells, name) for name in kind.columns}
        for name, value in read.items():
            if value is None:
                raise row.error(name, f"is empty; a {kind.name} needs it")
        readings: tuple[float, ...] = tuple(read.values())
        last = kind.columns[-1]
        if kind.name == "drop" and readings[1] >= readings[0]:
            raise row.error(
                last, f"{readings[1]:g} is not accepted; a rebound is lower than its drop"
            )
        value = kind.value(*readings)
        highest = parameters(Materials)["friction"].high
        if kind.constant == "friction" and value > highest:
            raise row.error(
                last,
                f"{readings[-1]:g} makes a friction of {value:.3g}; the model accepts up to "
                f"{highest:g}, so check the units",
            )
        # Variance that the reading errors give the value (first-order differences).
        variance = 0.0
        for index, column in enumerate(kind.columns):
            step = 1e-4 * readings[index]
            moved = [*readings]
            moved[index] += step
            slope = (kind.value(*moved) - value) / step
            variance += (slope * (0.0 if column == "speed_m_s" else _READ)) ** 2
        found.append(
            Measurement(
                row=row.number,
                kind=kind,
                readings=readings,
                value=value,
                reading_error=math.sqrt(variance),
            )
        )
    if not found:
        raise InputError(f"{where}: has no rows; give at least {FEWEST} measurements of a kind")
    for name in dict.fromkeys(m.kind.name for m in found):
        own = [m for m in found if m.kind.name == name]
        if len(own) < FEWEST:
            raise InputError(
                f"{where}: row {own[-1].row}, column measurement: {len(own)} of kind {name} are "
                f"too few; give at least {FEWEST}"
            )
    return tuple(found)
