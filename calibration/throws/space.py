"""The parameters that a log of throws may tell, the ranges to look in, and what is known before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.throws.log import RealThrow
from physics import Materials, ParameterSet, ThrowDistribution
from physics.errors import check_number, parameters

Points = NDArray[np.float64]
"""Shape (..., 5): speed, aim, tilt, restitution, friction, in the units of `FREE`."""

_PRIOR_SDS = 3.0
_SMALLEST_SD = 1e-3
_SPEED_MARGIN = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeParameter:
    """One parameter to fit.

    Attributes:
        section: Its section in a parameter file.
        name: Its field there.
        told: What it is called in a report.
        unit: The unit in a report.
        scale: What to divide a value by for that unit.
        low: Lower end of the range to look in.
        high: Upper end.
        default: Its value if the log does not tell it.
        known_sd: How well it is known before, as a standard deviation around the default; None
            for not at all.
    """

    section: str
    name: str
    told: str
    unit: str
    scale: float
    low: float
    high: float
    default: float
    known_sd: float | None = None


def _contact(name: str, value: float, known_sd: float) -> FreeParameter:
    note = parameters(Materials)[name]
    return FreeParameter(
        section="materials",
        name=name,
        told=name,
        unit="",
        scale=1.0,
        low=max(note.low, value - _PRIOR_SDS * known_sd),
        high=min(note.high, value + _PRIOR_SDS * known_sd),
        default=value,
        known_sd=known_sd,
    )


FREE: tuple[FreeParameter, ...] = (
    FreeParameter(
        section="thrower",
        name="speed_mm_s",
        told="speed",
        unit="m/s",
        scale=1000.0,
        low=1500.0,
        high=9000.0,
        default=ThrowDistribution().speed_mm_s,
    ),
    FreeParameter(
        section="thrower",
        name="aim_sd_mm",
        told="aim spread",
        unit="mm",
        scale=1.0,
        low=0.0,
        high=40.0,
        default=ThrowDistribution().aim_sd_mm,
    ),
    FreeParameter(
        section="thrower",
        name="tilt_sd_deg",
        told="tilt spread",
        unit="deg",
        scale=1.0,
        low=0.0,
        high=45.0,
        default=ThrowDistribution().tilt_sd_deg,
    ),
    *(
        _contact(name, getattr(Materials(), name), parameters(Materials)[name].uncertainty or 0.1)
        for name in ("restitution", "friction")
    ),
)
"""What is fitted, in the order of a point, with the model's own defaults."""

SPEED = 0
"""Place of the speed in a point."""


def search_space(
    base: ParameterSet, table: Mapping[str, Any], throws: Sequence[RealThrow]
) -> tuple[FreeParameter, ...]:
    """Return the parameters with their ranges, as a parameter file and a log leave them.

    A contact parameter is known as well as the file says (a value with its uncertainty), or as
    well as the model's own default is, and is looked for within three standard deviations. The
    range of the speed holds every speed that was measured, and no more if all were.

    Args:
        base: The parameters that the file gives.
        table: The file's table, for the uncertainties.
        throws: The log.

    Raises:
        InputError: An uncertainty that is no number.
    """
    for section, entries in table.items():
        for name in entries:
            uncertainty_in(table, section, name)
    space = []
    for free in FREE:
        default = getattr(getattr(base, free.section), free.name)
        own = replace(free, default=default)
        if free.known_sd is not None:
            told = uncertainty_in(table, free.section, free.name)
            own = _contact(free.name, default, max(told or free.known_sd, _SMALLEST_SD))
        space.append(own)
    speeds = [throw.speed_mm_s for throw in throws if throw.speed_mm_s is not None]
    if speeds:
        slow, fast = (1 - _SPEED_MARGIN) * min(speeds), (1 + _SPEED_MARGIN) * max(speeds)
        if len(speeds) < len(throws):
            slow, fast = min(slow, space[SPEED].low), max(fast, space[SPEED].high)
        space[SPEED] = replace(space[SPEED], low=max(slow, 500.0), high=min(fast, 10_000.0))
    return tuple(space)


def uncertainty_in(table: Mapping[str, Any], section: str, name: str) -> float | None:
    """Return the uncertainty that a parameter file gives an entry, or None.

    Raises:
        InputError: It is no number from 0.
    """
    entry = table.get(section, {}).get(name)
    told = entry.get("uncertainty") if isinstance(entry, Mapping) else None
    if told is None:
        return None
    check_number(f"params: [{section}] {name}.uncertainty", told, low=0.0, high=1e9)
    return float(told)


def to_point(space: Sequence[FreeParameter], unit: Points) -> Points:
    """Return points of the unit cube, -1 to 1, as values of the parameters."""
    low, high = _ends(space)
    return low + (high - low) * (unit + 1) / 2


def to_unit(space: Sequence[FreeParameter], point: Points) -> Points:
    """Return values of the parameters as points of the unit cube; the reverse of `to_point`."""
    low, high = _ends(space)
    return 2 * (point - low) / (high - low) - 1


def set_parameters(
    base: ParameterSet, space: Sequence[FreeParameter], point: Points
) -> ParameterSet:
    """Return a parameter set with a point's values in it."""
    sections: dict[str, dict[str, float]] = {}
    for free, value in zip(space, point.tolist(), strict=True):
        sections.setdefault(free.section, {})[free.name] = value
    changed = {name: replace(getattr(base, name), **own) for name, own in sections.items()}
    return replace(base, **changed)


def _ends(space: Sequence[FreeParameter]) -> tuple[Points, Points]:
    return (
        np.array([free.low for free in space]),
        np.array([free.high for free in space]),
    )
