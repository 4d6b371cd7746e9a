"""Rebounds of a slammer: restitution, and hysteresis, which is how much a stack gives back."""

from calibration.rebound.fit import (
    Emulator,
    ReboundFit,
    ReboundTask,
    fit_emulator,
    fit_rebounds,
    rebound_tasks,
    run_rebounds,
)
from calibration.rebound.measurements import Rebound, Setting, read_rebounds, settings_of
from calibration.rebound.report import rebound_parameters, rebound_report

__all__ = [
    "Emulator",
    "Rebound",
    "ReboundFit",
    "ReboundTask",
    "Setting",
    "fit_emulator",
    "fit_rebounds",
    "read_rebounds",
    "rebound_parameters",
    "rebound_report",
    "rebound_tasks",
    "run_rebounds",
    "settings_of",
]
