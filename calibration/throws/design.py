"""Throws of the model all over the parameters' ranges, and the surrogates learned from them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.throws.log import RealThrow, Setting, simulate_throw
from calibration.throws.space import FreeParameter, Points, set_parameters, to_point, to_unit
from calibration.throws.surrogate import Surrogate, counts_of, fit_surrogate
from physics import ParameterSet

CHUNK_THROWS = 32
"""Throws a worker does before it reports."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DesignTask:
    """Some throws for a worker process.

    Attributes:
        setting: What is thrown at what.
        base: The parameters that are not fitted.
        space: Those that are.
        seed: The seed of the throws.
        first: Number of the first trial.
        points: Shape (N, 5); a point of the space per throw.
    """

    setting: Setting
    base: ParameterSet
    space: tuple[FreeParameter, ...]
    seed: int
    first: int
    points: Points


def design_points(space: Sequence[FreeParameter], trials: int, seed: int) -> Points:
    """Return points that fill the ranges evenly: a scrambled Sobol sequence.

    Args:
        space: The ranges.
        trials: How many.
        seed: Of the scrambling.

    Example:
        >>> from calibration.throws.space import FREE
        >>> points = design_points(FREE, 100, seed=1)
        >>> points.shape, bool((points[:, 0] > 1500).all())
        ((100, 5), True)
    """
    from scipy.stats import qmc

    sobol = qmc.Sobol(len(space), seed=np.random.default_rng(seed))
    exponent = max(trials - 1, 1).bit_length()
    return to_point(space, 2 * sobol.random_base2(exponent)[:trials] - 1)


def design_tasks(
    settings: Sequence[Setting],
    base: ParameterSet,
    space: tuple[FreeParameter, ...],
    points: Points,
    *,
    seed: int,
    first: int = 0,
) -> Iterator[DesignTask]:
    """Yield the tasks of a design: each setting in turn, some throws at a time.

    Trial ``first + i`` is at point i, and draws the same random numbers in every setting.
    """
    for setting in settings:
        for low in range(0, len(points), CHUNK_THROWS):
            yield DesignTask(
                setting=setting,
                base=base,
                space=space,
                seed=seed,
                first=first + low,
                points=points[low : low + CHUNK_THROWS],
            )


def run_design(task: DesignTask) -> list[RealThrow]:
    """Throw the throws of a task, for a worker process."""
    return [
        simulate_throw(
            task.setting,
            set_parameters(task.base, task.space, point),
            task.seed,
            task.first + index,
        )
        for index, point in enumerate(task.points)
    ]


def surrogates_from(
    settings: Sequence[Setting],
    space: Sequence[FreeParameter],
    points: Points,
    throws: Sequence[RealThrow],
    *,
    whole: Sequence[FreeParameter] | None = None,
) -> list[Surrogate]:
    """Return a surrogate per setting from the throws that lie inside some ranges.

    Args:
        settings: The settings.
        space: The ranges that the surrogates are for.
        points: Shape (N, 5); of the design.
        throws: N throws per setting, setting after setting in the order of ``settings``.
        whole: The whole ranges, if those of the surrogates are narrower.
    """
    widths = np.array(
        [[own.high - own.low for own in ranges] for ranges in (space, whole or space)]
    )
    unit = to_unit(space, points)
    inside = np.flatnonzero((np.abs(unit) <= 1).all(axis=1)).tolist()
    return [
        fit_surrogate(
            setting,
            unit[inside],
            counts_of([throws[place * len(points) + index] for index in inside]),
            widths[0] / widths[1],
        )
        for place, setting in enumerate(settings)
    ]
