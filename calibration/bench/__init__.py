"""Bench measurements: restitution and friction with a ruler, and their standard errors."""

from calibration.bench.estimate import BenchConstant, KindEstimate, bench_constants
from calibration.bench.measurements import KINDS, Kind, Measurement, read_measurements
from calibration.bench.report import bench_parameters, bench_report

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
