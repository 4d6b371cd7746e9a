"""Fit of a log of throws: its parameters and their ranges, its statistics, and simulated throws."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pucklab.base.arrays import Floats
from pucklab.base.errors import parameters
from pucklab.base.facts import fact
from pucklab.calibration.parameter_files import prior_sd
from pucklab.calibration.simulated_fit import (
    TRIALS_APART,
    Z_95,
    FittedParameter,
    FreeParameter,
    Measured,
    SimulatedFit,
    Statistics,
    Sums,
    Verdict,
    fit_by_simulation,
    sums_of,
)
from pucklab.calibration.table import Setting, group_by_setting
from pucklab.calibration.throws.log import RealThrow, simulate_throw
from pucklab.physics import Arena, Materials, ParameterSet

_RARE = 5e-4
"""Smallest mean and share: what was never simulated is rare, and not impossible."""

_STRIDE = 7919  # a prime: points begin at different throws of the log


def _throw_variance(mean: Floats, trials: Floats) -> Floats:
    """Return variances up to a factor: of counts like their mean, of shares m (1 - m)."""
    counts, rest = np.maximum(mean, _RARE), np.maximum(1 - mean, _RARE)
    factors = np.ones_like(mean)
    factors[..., :4] = counts[..., :4]
    factors[..., [1, 3]] *= rest[..., [1, 3]]
    return factors / trials


STATISTICS = Statistics(
    names=(
        "flips per throw",
        "share of throws that flip any",
        "out per throw",
        "share of throws with any out",
        "mean distance, mm",
    ),
    low=np.zeros(5),
    high=np.array([np.inf, 1.0, np.inf, 1.0, np.inf]),
    variance=_throw_variance,
)


def _free(
    section: str, name: str, label: str, low: float, high: float, **known: Any
) -> FreeParameter:
    default = getattr(getattr(ParameterSet(), section), name)
    return FreeParameter(
        section=section, name=name, label=label, low=low, high=high, default=default, **known
    )


_FREE = (
    _free("thrower", "speed_mm_s", "speed", 1500.0, 9000.0, unit="m/s", scale=1000.0),
    _free("thrower", "aim_sd_mm", "aim spread", 0.0, 40.0, unit="mm"),
    _free("thrower", "tilt_sd_deg", "tilt spread", 0.0, 45.0, unit="deg"),
    _free("materials", "restitution", "restitution", 0.0, 1.0, known_sd=0.1),
    _free("materials", "friction", "friction", 0.0, 1.0, known_sd=0.1),
)


def search_space(base: ParameterSet, table: Mapping[str, Any]) -> tuple[FreeParameter, ...]:
    """Return the fitted parameters with defaults, ranges and priors that a parameter file implies.

    The prior of a contact parameter is the file's value and uncertainty, or else the model's own;
    its range is three standard deviations.
    """
    space = []
    for free in _FREE:
        own = replace(free, default=getattr(getattr(base, free.section), free.name))
        if free.known_sd is not None:
            note = parameters(Materials)[free.name]
            own = own.with_prior(prior_sd(table, free.name), note.low, note.high)
        space.append(own)
    return tuple(space)


FREE = search_space(ParameterSet(), {})
"""Fitted parameters with the model's own defaults and priors, the speed first."""


def levels_of(throws: Sequence[RealThrow]) -> Floats:
    """Return `STATISTICS` of each throw, shape (N, 5); NaN for a distance that nobody measured.

    Pucks of a throw that left none inside count as at the wall.
    """
    wall_mm = Arena().half_side_mm
    rows = [
        (t.flipped, t.flipped > 0, t.out, t.out > 0,
         wall_mm if t.out == t.setting.pucks else t.distance_mm)
        for t in throws
    ]  # fmt: skip
    return np.array(rows, dtype=np.float64).reshape(-1, len(STATISTICS.names))


@fact
class PointSubject:
    """A setting at a point of a design."""

    setting: Setting
    parameters: ParameterSet
    speeds_mm_s: tuple[float | None, ...]  # measured ones of the log's throws, taken in turns
    number: int  # of all points and settings: its random numbers are its own


def throw_at_point(subject: PointSubject, seed: int, first: int, count: int) -> Sums:
    """Simulate some trials of a setting at a point, and sum up `STATISTICS`."""
    throws = []
    for trial in range(first, first + count):
        known = subject.speeds_mm_s[(_STRIDE * subject.number + trial) % len(subject.speeds_mm_s)]
        own = subject.parameters
        if known is not None:
            own = replace(own, thrower=replace(own.thrower, speed_mm_s=known))
        number = TRIALS_APART * subject.number + trial
        throws.append(simulate_throw(subject.setting, own, seed, number))
    return sums_of(levels_of(throws))


def set_parameters(base: ParameterSet, values: Mapping[str, float]) -> ParameterSet:
    """Return a parameter set with other values of fitted parameters, by name."""
    sections: dict[str, dict[str, float]] = {}
    for free in _FREE:
        if free.name in values:
            sections.setdefault(free.section, {})[free.name] = values[free.name]
    changed = {name: replace(getattr(base, name), **own) for name, own in sections.items()}
    return replace(base, **changed)


def fit_throws(
    throws: Sequence[RealThrow],
    base: ParameterSet,
    space: Sequence[FreeParameter],
    simulate: Callable[[Sequence[PointSubject], int], Sequence[Sums]],
    *,
    trials: int,
    seed: int,
) -> SimulatedFit:
    """Fit the thrower and contact parameters to a log.

    Args:
        throws: The log.
        base: The parameters that are not fitted.
        space: The parameters.
        simulate: Returns the sums of so many trials of each subject.
        trials: Simulated throws of each setting.
        seed: Seed of the designs.
    """
    logs = group_by_setting(throws)
    fitted = space[all(throw.speed_mm_s is not None for throw in throws) :]

    def subject_at(setting: Setting, values: dict[str, float], number: int) -> PointSubject:
        return PointSubject(
            setting=setting,
            parameters=set_parameters(base, values),
            speeds_mm_s=tuple(throw.speed_mm_s for throw in logs[setting]),
            number=number,
        )

    measured = []
    for setting, own in logs.items():
        levels = levels_of(own)
        known = np.isfinite(levels)
        count = known.sum(axis=0)
        told = count > 0
        measured.append(
            Measured(
                setting=setting,
                seen=np.nanmean(levels[:, told], axis=0),
                rows=np.eye(len(count))[told],
                trials=count.astype(np.float64),
            )
        )
    fit = fit_by_simulation(fitted, measured, STATISTICS, subject_at, simulate, trials, seed)
    if len(fitted) == len(space):
        return fit
    # The mean of the measured speeds; that of drops alone is not the thrower's.
    thrown = [throw for throw in throws if not throw.setting.dropped]
    speeds = np.array([throw.speed_mm_s for throw in thrown or throws], dtype=np.float64)
    error = float(speeds.std(ddof=1)) / np.sqrt(len(speeds)) if len(speeds) > 1 else 0.0
    mean = float(speeds.mean())
    speed = FittedParameter(
        free=space[0],
        value=mean if thrown else space[0].default,
        low=mean - Z_95 * error,
        high=mean + Z_95 * error,
        standard_error=error,
        verdict=Verdict.MEASURED if thrown else Verdict.DROPPED,
    )
    return replace(fit, parameters=(speed, *fit.parameters))
