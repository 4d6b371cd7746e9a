"""Running the command line in a process of its own."""

import subprocess
import sys
from pathlib import Path


def pucklab(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``pucklab`` and return what it printed, and its exit code."""
    return subprocess.run(
        [sys.executable, "-m", "sim.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=300,
    )
