"""Logs of real throws: fit of the thrower and of contact parameters, with identifiability."""

from calibration.throws.design import design_points, design_tasks, run_design, surrogates_from
from calibration.throws.fit import FittedParameter, ThrowFit, fit_throws, narrowed
from calibration.throws.likelihood import likelihood_of
from calibration.throws.log import RealThrow, Setting, read_throws, settings_of, simulate_throw
from calibration.throws.report import (
    StatisticResidual,
    residuals_of,
    throws_parameters,
    throws_report,
)
from calibration.throws.space import FREE, FreeParameter, search_space

__all__ = [
    "FREE",
    "FittedParameter",
    "FreeParameter",
    "RealThrow",
    "Setting",
    "StatisticResidual",
    "ThrowFit",
    "design_points",
    "design_tasks",
    "fit_throws",
    "likelihood_of",
    "narrowed",
    "read_throws",
    "residuals_of",
    "run_design",
    "search_space",
    "settings_of",
    "simulate_throw",
    "surrogates_from",
    "throws_parameters",
    "throws_report",
]
