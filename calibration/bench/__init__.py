"""Bench measurements: restitution and friction with a ruler, and their standard errors."""

from pucklab.calibration.bench.estimate import BenchConstant, KindEstimate, bench_constants
from pucklab.calibration.bench.measurements import KINDS, Kind, Measurement, read_measurements
from pucklab.calibration.bench.report import bench_parameters, bench_report

__all__ = [
    "KINDS",
    "BenchConstant",
    "Kind",
    "KindEstimate",
    "Measurement",
    "bench_constants",
    "bench_parameters",
    "bench_report",
    "read_measurements",
]
