"""Settings of the benchmarks."""

from pathlib import Path

import pytest

from physics import compiling


def pytest_collection_modifyitems(config, items):
    """Leave benchmarks to ``make benchmark`` and to the slow tests."""
    if not config.getoption("benchmark_enable"):
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Compile the kernel of Puck Bumpers at the first calls, which are not measured."""
    monkeypatch.setattr(compiling, "INTERPRETED_S", 0.0)
