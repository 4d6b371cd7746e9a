"""Bench measurements: the kinds, their formulas, and the CSV file that holds them."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from calibration.table import Column, TableRow, cell_error, needed_in, number_in, read_table
from physics import InputError, Materials
from physics.errors import parameters, shown
from physics.facts import fact
from physics.materials import GRAVITY_MM_S2

FEWEST = 3
"""Fewest repeats of a kind of measurement: fewer show no scatter."""

_READ = 1 / math.sqrt(12)
"""Standard deviation of what is read to the nearest 1 (a millimetre, a degree)."""

_DROP = Column(name="drop_mm", low=10, high=5000, unit="mm", reading_error=_READ)
_REBOUND = Column(name="rebound_mm", low=0.1, high=5000, unit="mm", reading_error=_READ)
_SPEED = Column(name="speed_m_s", low=0.05, high=10, unit="m/s")
_SLIDE = Column(name="slide_mm", low=1, high=20_000, unit="mm", reading_error=_READ)
_RAMP = Column(name="ramp_mm", low=5, high=3000, unit="mm", reading_error=_READ)
_RUN = Column(name="run_mm", low=10, high=20_000, unit="mm", reading_error=_READ)
_TILT = Column(name="tilt_deg", low=0.5, high=75, unit="deg", reading_error=_READ)
_COLUMNS = (_DROP, _REBOUND, _SPEED, _SLIDE, _RAMP, _RUN, _TILT)


@fact
class Kind:
    """A kind of measurement.

    Attributes:
        name: What the column ``measurement`` calls it.
        columns: What is read.
        constant: What follows from it: restitution or friction.
        formula: How, for people.
        value: The constant from what was read, in the order of the columns.
    """

    name: str
    columns: tuple[Column, ...]
    constant: str
    formula: str
    value: Callable[..., float]


def _restitution(drop_mm: float, rebound_mm: float) -> float:
    return math.sqrt(rebound_mm / drop_mm)


def _friction_of_slide(speed_m_s: float, slide_mm: float) -> float:
    return (1000 * speed_m_s) ** 2 / (2 * GRAVITY_MM_S2 * slide_mm)


def _friction_of_ramp(ramp_mm: float, run_mm: float) -> float:
    return ramp_mm / run_mm


def _friction_of_tilt(tilt_deg: float) -> float:
    return math.tan(math.radians(tilt_deg))


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            Kind(
                name="drop",
                columns=(_DROP, _REBOUND),
                constant="restitution",
                formula="e = sqrt(rebound / drop)",
                value=_restitution,
            ),
            Kind(
                name="slide",
                columns=(_SPEED, _SLIDE),
                constant="friction",
                formula="mu = speed^2 / (2 g slide)",
                value=_friction_of_slide,
            ),
            Kind(
                name="ramp",
                columns=(_RAMP, _RUN),
                constant="friction",
                formula="mu = ramp / run",
                value=_friction_of_ramp,
            ),
            Kind(
                name="tilt",
                columns=(_TILT,),
                constant="friction",
                formula="mu = tan(tilt)",
                value=_friction_of_tilt,
            ),
        )
    }
)
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
        readings: What was read, in the order of the kind's columns.
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
        where: What to call the file in an error.

    Raises:
        InputError: A kind, a column or a number that is not accepted, or fewer than three
            measurements of a kind; the message names file, row and column.

    Example:
        >>> text = "measurement,drop_mm,rebound_mm" + "\\ndrop,500,125" * 3
        >>> [m.value for m in read_measurements(text, "bench.csv")]
        [0.5, 0.5, 0.5]
    """
    columns = [column.name for column in _COLUMNS]
    rows = read_table(text, where, required=("measurement",), optional=columns)
    found = tuple(_measurement(row) for row in rows)
    if not found:
        raise InputError(f"{where}: has no rows; give at least {FEWEST} measurements of a kind")
    for name in dict.fromkeys(m.kind.name for m in found):
        own = [m for m in found if m.kind.name == name]
        if len(own) < FEWEST:
            raise InputError(
                f"{where}: row {own[-1].row}, column measurement: {len(own)} of kind {name} are "
                f"too few; give at least {FEWEST}"
            )
    return found


def _measurement(row: TableRow) -> Measurement:
    name = row.cells["measurement"]
    if name not in KINDS:
        raise cell_error(
            row, "measurement", f"{shown(name)} is not accepted; give one of {', '.join(KINDS)}"
        )
    kind = KINDS[name]
    for column in _COLUMNS:  # those of other kinds, too
        number_in(row, column)
    readings = tuple(needed_in(row, column) for column in kind.columns)
    last = kind.columns[-1].name
    if kind.name == "drop" and readings[1] >= readings[0]:
        raise cell_error(
            row, last, f"{readings[1]:g} is not accepted; a rebound is lower than its drop"
        )
    value = kind.value(*readings)
    highest = parameters(Materials)["friction"].high
    if kind.constant == "friction" and value > highest:
        raise cell_error(
            row,
            last,
            f"{readings[-1]:g} makes a friction of {value:.3g}; the model accepts up to "
            f"{highest:g}, so check the units",
        )
    return Measurement(
        row=row.number,
        kind=kind,
        readings=readings,
        value=value,
        reading_error=_reading_error(kind, readings),
    )


def _reading_error(kind: Kind, readings: tuple[float, ...]) -> float:
    """Return what errors of reading make of a value, by differences of first order."""
    total = 0.0
    for index, column in enumerate(kind.columns):
        step = 1e-4 * readings[index]
        moved = [*readings]
        moved[index] += step
        slope = (kind.value(*moved) - kind.value(*readings)) / step
        total += (slope * column.reading_error) ** 2
    return math.sqrt(total)
