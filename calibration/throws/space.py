"""Parameters fitted to a log of throws: ranges, defaults and prior knowledge."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.designs import Floats
from calibration.parameter_files import uncertainties_from
from calibration.throws.log import RealThrow
from physics import Materials, ParameterSet, ThrowDistribution
from physics.errors import parameters
from physics.facts import fact

_PRIOR_SDS = 3.0
_SMALLEST_SD = 1e-3
_SPEED_MARGIN = 0.05


@fact
class FreeParameter:
    """One parameter to fit."""

    section: str  # of a parameter file
    name: str  # the field in it
    label: str  # name in reports
    unit: str  # in reports
    scale: float  # divisor of a value for that unit
    low: float  # ends of the search range
    high: float
    default: float  # value if the log does not identify it
    known_sd: float | None = None  # prior standard deviation around the default; None for none


def _contact(name: str, value: float, known_sd: float) -> FreeParameter:
    note = parameters(Materials)[name]
    return FreeParameter(
        section="materials",
        name=name,
        label=name,
        unit="",
        scale=1.0,
        low=max(note.low, value - _PRIOR_SDS * known_sd),
        high=min(note.high, value + _PRIOR_SDS * known_sd),
        default=value,
        known_sd=known_sd,
    )


def _thrower(
    name: str, label: str, unit: str, scale: float, low: float, high: float
) -> FreeParameter:
    return FreeParameter(
        section="thrower",
        name=name,
        label=label,
        unit=unit,
        scale=scale,
        low=low,
        high=high,
        default=getattr(ThrowDistribution(), name),
    )


FREE: tuple[FreeParameter, ...] = (
    _thrower("speed_mm_s", "speed", "m/s", 1000.0, 1500.0, 9000.0),
    _thrower("aim_sd_mm", "aim spread", "mm", 1.0, 0.0, 40.0),
    _thrower("tilt_sd_deg", "tilt spread", "deg", 1.0, 0.0, 45.0),
    *(
        _contact(name, getattr(Materials(), name), parameters(Materials)[name].uncertainty or 0.1)
        for name in ("restitution", "friction")
    ),
)
"""Fitted parameters in the order of a point's columns, with the model's own defaults."""

SPEED = 0
"""Column of the speed in a point."""


def search_space(
    base: ParameterSet, table: Mapping[str, Any], throws: Sequence[RealThrow]
) -> tuple[FreeParameter, ...]:
    """Return the parameters with the ranges that a parameter file and a log imply.

    The prior of a contact parameter is the file's value and uncertainty, or else the model's own;
    its range is three standard deviations. The range of the speed contains all measured speeds,
    and nothing else if all were measured.

    Raises:
        InputError: An entry of the file is not accepted.
    """
    given = uncertainties_from(table)
    space = []
    for free in FREE:
        default = getattr(getattr(base, free.section), free.name)
        own = replace(free, default=default)
        if free.known_sd is not None:
            sd = given.get(free.name, free.known_sd)
            own = _contact(free.name, default, max(sd, _SMALLEST_SD))
        space.append(own)
    speeds = [throw.speed_mm_s for throw in throws if throw.speed_mm_s is not None]
    if speeds:
        slow, fast = (1 - _SPEED_MARGIN) * min(speeds), (1 + _SPEED_MARGIN) * max(speeds)
        if len(speeds) < len(throws):
            slow, fast = min(slow, space[SPEED].low), max(fast, space[SPEED].high)
        space[SPEED] = replace(space[SPEED], low=max(slow, 500.0), high=min(fast, 10_000.0))
    return tuple(space)


def to_point(space: Sequence[FreeParameter], unit: Floats) -> Floats:
    """Return parameter values of points in the unit cube, -1 to 1."""
    low, high = ends_of(space)
    return low + (high - low) * (unit + 1) / 2


def to_unit(space: Sequence[FreeParameter], point: Floats) -> Floats:
    """Return points in the unit cube of parameter values; the inverse of `to_point`."""
    low, high = ends_of(space)
    return 2 * (point - low) / (high - low) - 1


def set_parameters(
    base: ParameterSet, space: Sequence[FreeParameter], point: Floats
) -> ParameterSet:
    """Return a parameter set with the values of a point."""
    sections: dict[str, dict[str, float]] = {}
    for free, value in zip(space, point.tolist(), strict=True):
        sections.setdefault(free.section, {})[free.name] = value
    changed = {name: replace(getattr(base, name), **own) for name, own in sections.items()}
    return replace(base, **changed)


def ends_of(space: Sequence[FreeParameter]) -> tuple[Floats, Floats]:
    """Return the lowest and the highest value of each parameter."""
    return (
        np.array([free.low for free in space]),
        np.array([free.high for free in space]),
    )
