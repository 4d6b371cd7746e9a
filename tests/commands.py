"""Running the command line in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def started(*arguments: str, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Start ``pucklab`` in a session of its own, to be stopped with Ctrl-C."""
    # A shell's background jobs ignore Ctrl-C, and so would what they start.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            [sys.executable, "-u", "-m", "sim.cli", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=cwd,
        )
    finally:
        signal.signal(signal.SIGINT, handler)
    try:
        yield running
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
