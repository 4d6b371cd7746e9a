"""Rebounds of a slammer: restitution, and hysteresis, which sets the rebound from a stack."""

from calibration.rebound.fit import ReboundFit, fit_rebounds, rebounds_at_point
from calibration.rebound.measurements import Rebound, read_rebounds
from calibration.rebound.report import rebound_parameters, rebound_report

__all__ = [
    "Rebound",
    "ReboundFit",
    "fit_rebounds",
    "read_rebounds",
    "rebound_parameters",
    "rebound_report",
    "rebounds_at_point",
]
