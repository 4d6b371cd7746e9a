"""Running the command line in a process of its own."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from sim.cli import main

_TERMINAL_VARIABLES = frozenset({"COLUMNS", "LINES", "NO_COLOR"})


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


def pucklab_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, str, str]:
    """Run ``pucklab`` in this process; return its exit code, and what it printed on out and err.

    It is quicker than `pucklab`, for mistakes above all.
    """
    monkeypatch.setattr(sys, "argv", ["pucklab", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    printed, said = capsys.readouterr()
    return int(ended.value.code or 0), printed, said


def on_terminal(*arguments: str, columns: int = 80) -> str:
    """Run ``pucklab`` on a terminal, and return all that it writes there, escapes included."""
    import fcntl
    import pty
    import struct
    import termios

    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    running = subprocess.Popen(
        [sys.executable, "-m", "sim.cli", *arguments],
        stdin=its,
        stdout=its,
        stderr=its,
        env={name: value for name, value in os.environ.items() if name not in _TERMINAL_VARIABLES},
    )
    os.close(its)
    written = b""
    # Linux ends a terminal that nobody has open any more with an error.
    with suppress(OSError):
        while some := os.read(ours, 65536):
            written += some
    os.close(ours)
    assert running.wait(timeout=60) == 0, written
    return written.decode()


def interrupted_when(
    pattern: str, *arguments: str, cwd: Path | None = None
) -> tuple[int, str, str]:
    """Run ``pucklab`` with stderr on a terminal, and press Ctrl-C when that shows a pattern.

    Returns its exit code, and the text on standard output and on the terminal.
    """
    import pty

    ours, its = pty.openpty()
    with started(*arguments, cwd=cwd, stderr=its) as running:
        os.close(its)
        written, pressed = "", False
        # Linux ends a terminal that nobody has open any more with an error.
        with suppress(OSError):
            while select.select([ours], [], [], 120)[0] and (some := os.read(ours, 65536)):
                written += some.decode(errors="replace")
                if not pressed and re.search(pattern, written):
                    os.killpg(running.pid, signal.SIGINT)
                    pressed = True
        printed, _ = running.communicate(timeout=60)
    os.close(ours)
    return running.returncode, printed, written


@contextmanager
def started(
    *arguments: str, cwd: Path | None = None, stderr: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Start ``pucklab`` in a session of its own, to be stopped with Ctrl-C."""
    # A shell's background jobs ignore Ctrl-C, and so would what they start.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(
            [sys.executable, "-u", "-m", "sim.cli", *arguments],
            stdout=subprocess.PIPE,
            stderr=stderr,
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
