"""Restitution and hysteresis from rebounds: parameters and ranges, statistics, the findings.

The tilt of a drop or throw is not known: it is drawn from |N(0, spread)|, and the spread is a
nuisance, one for drops and one for throws, as is a further scatter of the measurements, from one
slammer, puck or place to another. A flat blow returns most, so that the best of several rebounds
tells more than their mean: the statistics are the mean returns of four rebounds in their order.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pucklab.base.errors import parameters
from pucklab.base.facts import fact
from pucklab.calibration.rebound.measurements import READING_MM, Rebound, simulate_rebound
from pucklab.calibration.simulated_fit import (
    TRIALS_APART,
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
from pucklab.physics import Materials, trial_generator
from pucklab.physics.materials import GRAVITY_MM_S2

_MOST_TILT_DEG = 60.0
_POINTS = 32


_GROUP = 4
_LEAST_GAP = 0.002


STATISTICS = Statistics(
    names=("lowest return of four", "second", "third", "highest"),
    low=np.zeros(_GROUP),
    high=np.ones(_GROUP),
    # A value varies about as much as its neighbours are apart: the standard deviations of four
    # normal, uniform or exponential numbers in their order are .75 to 1.2 times these gaps.
    variance=lambda mean, trials: np.maximum(np.gradient(mean, axis=-1), _LEAST_GAP) ** 2 / trials,
)


def measure(setting: Setting, rebounds: Sequence[Rebound]) -> Measured:
    """Return the mean returns of all groups of four, in their order; of less than four, the mean.

    The mean of value i of all groups is one of the sorted returns, weighted with the share of
    groups in which it is value i.
    """
    returns, count = sorted(rebound.returned for rebound in rebounds), len(rebounds)
    groups = np.full(_GROUP, count / _GROUP)
    if count < _GROUP:
        rows = np.full((1, _GROUP), 1 / _GROUP)
        return Measured(
            setting=setting, seen=np.array([np.mean(returns)]), rows=rows, trials=groups
        )
    weights = [
        [math.comb(j, i) * math.comb(count - 1 - j, _GROUP - 1 - i) for j in range(count)]
        for i in range(_GROUP)
    ]
    seen = np.array(weights) @ returns / math.comb(count, _GROUP)
    return Measured(setting=setting, seen=seen, rows=np.eye(_GROUP), trials=groups)


def search_space(
    rebounds: Sequence[Rebound], base: Materials, sd: float
) -> tuple[FreeParameter, ...]:
    """Return the parameters to fit: restitution, hysteresis, spreads of the tilt, and scatter.

    Args:
        rebounds: The measurements; without drops or throws there is no spread of their tilt.
        base: Its restitution is the middle of a normal prior; the hysteresis' prior is even.
        sd: That prior's standard deviation.
    """
    note = parameters(Materials)["restitution"]
    contact = FreeParameter(section="materials", name="hysteresis", low=0.0, high=1.0, default=0.5)

    def nuisance(name: str, low: float, high: float) -> FreeParameter:
        return FreeParameter(name=name, low=low, high=high, default=low, is_log=True)

    space = [
        replace(contact, name="restitution", default=base.restitution).with_prior(
            sd, note.low, note.high
        ),
        contact,
        nuisance("scatter", 0.003, 0.08),
    ]
    if any(rebound.setting.dropped for rebound in rebounds):
        space.append(nuisance("drops", 0.4, 6.0))
    if not all(rebound.setting.dropped for rebound in rebounds):
        space.append(nuisance("throws", 4.0, 30.0))
    return tuple(space)


@fact
class PointSubject:
    """A setting at a point of a design."""

    setting: Setting
    materials: Materials
    speed_mm_s: float  # at which the slammer arrives
    tilt_sd_deg: float
    scatter: float  # further standard deviation of the return
    number: int  # of all points and settings: its random numbers are its own


def rebounds_at_point(subject: PointSubject, seed: int, first: int, count: int) -> Sums:
    """Simulate groups of four rebounds of a setting at a point, and sum up their sorted returns."""
    fall_mm = subject.speed_mm_s**2 / (2 * GRAVITY_MM_S2)
    returns = []
    for trial in range(_GROUP * first, _GROUP * (first + count)):
        rng = trial_generator(seed, TRIALS_APART * subject.number + trial)
        tilt_deg = min(abs(subject.tilt_sd_deg * rng.standard_normal()), _MOST_TILT_DEG)
        height_mm = simulate_rebound(
            subject.setting, subject.materials, subject.speed_mm_s, math.radians(tilt_deg), rng
        )
        read_mm = max(0.0, height_mm + READING_MM * rng.standard_normal())
        returns.append(math.sqrt(read_mm / fall_mm) + subject.scatter * rng.standard_normal())
    return sums_of(np.sort(np.reshape(returns, (count, _GROUP)), axis=1))


@fact
class Expected:
    """Mean returns in a setting, measured and in the model."""

    setting: Setting
    count: int  # rebounds that were measured
    measured: float
    fitted: float  # the model's, at the fit
    viscous: float  # without hysteresis
    latching: float  # with nothing else


@fact(eq=False)
class ReboundFit:
    """Findings from rebounds."""

    fit: SimulatedFit
    more_than_half: float  # probability that more than half of the loss is hysteresis
    expected: tuple[Expected, ...]

    def __getitem__(self, name: str) -> FittedParameter:
        """Return restitution, hysteresis, scatter, or the tilt spread of drops or throws."""
        return next(own for own in self.fit.parameters if own.free.name == name)

    @property
    def tells_hysteresis(self) -> bool:
        """True if the data narrow the hysteresis down."""
        return self["hysteresis"].verdict is Verdict.IDENTIFIED


def fit_rebounds(
    rebounds: Sequence[Rebound],
    base: Materials,
    sd: float,
    simulate: Callable[[Sequence[PointSubject], int], Sequence[Sums]],
    *,
    trials: int,
    seed: int,
) -> ReboundFit:
    """Return restitution and hysteresis with their intervals.

    Args:
        rebounds: The measurements.
        base: The materials but for what is fitted; see `search_space`.
        sd: Standard deviation of the restitution's prior.
        simulate: Returns the sums of so many groups of four rebounds of each subject.
        trials: Simulated rebounds of each setting.
        seed: Seed of the designs.
    """
    space = search_space(rebounds, base, sd)
    own = group_by_setting(rebounds)

    def subject_at(setting: Setting, values: dict[str, float], number: int) -> PointSubject:
        falls_mm = [rebound.fall_mm for rebound in own[setting]]
        contacts = {name: values[name] for name in ("restitution", "hysteresis")}
        return PointSubject(
            setting=setting,
            materials=replace(base, **contacts),
            speed_mm_s=math.sqrt(2 * GRAVITY_MM_S2 * (sum(falls_mm) / len(falls_mm))),
            tilt_sd_deg=values["drops" if setting.dropped else "throws"],
            scatter=values["scatter"],
            number=number,
        )

    measured = [measure(setting, group) for setting, group in own.items()]
    groups = math.ceil(trials / _GROUP)
    fit = fit_by_simulation(
        space, measured, STATISTICS, subject_at, simulate, groups, seed, _POINTS
    )
    column = [free.name for free in space].index("hysteresis")
    # The fit, and the same with no hysteresis and with nothing else.
    compared = np.tile(fit.unit, (3, 1))
    compared[1:, column] = -1.0, 1.0
    expected = []
    for each, response in zip(measured, fit.responses, strict=True):
        fitted, viscous, latching = response.predict(compared)[0].mean(axis=1).tolist()
        expected.append(
            Expected(
                setting=each.setting,
                count=len(own[each.setting]),
                measured=float(np.mean(each.seen)),
                fitted=fitted,
                viscous=viscous,
                latching=latching,
            )
        )
    posterior = fit.posterior
    return ReboundFit(
        fit=fit,
        more_than_half=float(posterior.weights[posterior.unit[:, column] > 0.0].sum()),
        expected=tuple(expected),
    )
