"""Logs of real throws: fit of the thrower and of contact parameters, with identifiability.

In comes a log (`log`) and simulated throws of its settings (`simulation`), out come values and
intervals (`fit`) and a report. Begin with `likelihood`, which says how the two are compared.
"""

from calibration.throws.fit import FittedParameter, ThrowFit, fit_throws, narrowed
from calibration.throws.likelihood import fit_response, likelihood_of
from calibration.throws.log import RealThrow, Setting, read_throws, settings_of, simulate_throw
from calibration.throws.report import (
    StatisticResidual,
    residuals_of,
    throws_parameters,
    throws_report,
)
from calibration.throws.simulation import (
    POINTS,
    Moments,
    design,
    levels_of,
    moments_of,
    point_subjects,
    throw_at_point,
)
from calibration.throws.space import FREE, FreeParameter, search_space

__all__ = [
    "FREE",
    "POINTS",
    "FittedParameter",
    "FreeParameter",
    "Moments",
    "RealThrow",
    "Setting",
    "StatisticResidual",
    "ThrowFit",
    "design",
    "fit_response",
    "fit_throws",
    "levels_of",
    "likelihood_of",
    "moments_of",
    "narrowed",
    "point_subjects",
    "read_throws",
    "residuals_of",
    "search_space",
    "settings_of",
    "simulate_throw",
    "throw_at_point",
    "throws_parameters",
    "throws_report",
]
