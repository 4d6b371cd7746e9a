"""Settings of the benchmarks."""

import pytest

from physics import compiling


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the kernel of Puck Bumpers at the first calls, which are not measured."""
    monkeypatch.setattr(compiling, "INTERPRETED_S", 0.0)
