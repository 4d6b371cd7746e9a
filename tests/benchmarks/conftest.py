"""Settings of the benchmarks."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(config, items):
    """Leave benchmarks to ``make benchmark`` and to the slow tests."""
    if not config.getoption("benchmark_enable"):
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(pytest.mark.slow)
