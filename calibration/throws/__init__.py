"""Logs of real throws: fit of the thrower and of contact parameters, with identifiability.

In comes a log (`log`), out come values and intervals (`fit`) and a report. `fit` simulates throws
of the log's settings and hands them to `calibration.simulated_fit`, where one should begin.
"""

from calibration.table import Setting
from calibration.throws.fit import FREE, fit_throws, search_space, throw_at_point
from calibration.throws.log import RealThrow, read_throws, simulate_throw
from calibration.throws.report import throws_parameters, throws_report

__all__ = [
    "FREE",
    "RealThrow",
    "Setting",
    "fit_throws",
    "read_throws",
    "search_space",
    "simulate_throw",
    "throw_at_point",
    "throws_parameters",
    "throws_report",
]
