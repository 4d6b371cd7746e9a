"""Running the command line: in this process, or where a test needs one, in a process of its own."""

import csv
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import chdir, contextmanager, suppress
from unittest.mock import patch

import pytest

from pucklab.cli import run
from pucklab.cli.signals import catch_signals

not_windows = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has other signals, modes and terminals"
)
COMMAND = (sys.executable, "-m", "pucklab.cli")

_SIGNALS = [getattr(signal, name, signal.SIGINT) for name in ("SIGINT", "SIGTERM", "SIGHUP")]


def pucklab(line="", *more, cwd=None, typed=""):
    """Run ``pucklab`` in this process; return its exit code and what it prints on out and err.

    A line of words is followed by more of them, which may have blanks. It reads ``typed``, and
    works in ``cwd`` or else in a folder that is removed afterwards, with one processor: it starts
    no worker unless it is asked to. An exception that would be a traceback is raised here, and so
    is any warning.
    """
    arguments = [*line.split(), *more]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")
    with (
        tempfile.TemporaryDirectory() as nowhere,
        chdir(cwd or nowhere),
        warnings.catch_warnings(),
        signals_restored(),
        patch.multiple(sys, argv=["pucklab", *arguments], stdin=stdin, stdout=out, stderr=err),
        patch("os.sched_getaffinity", lambda _: {0}, create=True),
    ):
        try:
            code = run()
        except SystemExit as ended:  # click's completion
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, code, _text(out), _text(err))


def succeed(*arguments, cwd=None, typed=""):
    """Run ``pucklab`` in this process, and check that it ends well."""
    done = pucklab(*arguments, cwd=cwd, typed=typed)
    assert done.returncode == 0, (arguments, done.stderr)
    return done


def json_of(*arguments, cwd=None):
    """Run ``pucklab`` in this process, and return what it prints as JSON."""
    return json.loads(succeed(*arguments, "--json", cwd=cwd).stdout)


def rows_of(path):
    """Return the rows of a table that was saved."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def fail(*arguments, said, cwd=None):
    """Run ``pucklab`` in this process, and check that it refuses what it is given in one line."""
    done = pucklab(*arguments, cwd=cwd)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("error: ")
    assert said in done.stderr
    assert len(done.stderr) <= len("error: ") + 300 + 1


@contextmanager
def signals_restored():
    """Give the signals their handlers back, and forget a stop."""
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    hook = sys.unraisablehook
    try:
        yield
    finally:
        catch_signals()
        sys.unraisablehook = hook
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def default_signals():
    """Give the signals their default handlers: background jobs and nohup ignore some."""
    with signals_restored():
        for number in set(_SIGNALS):
            ctrl_c = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if ctrl_c else signal.SIG_DFL)
        yield


def _text(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()


def wait_until(condition, within_s=60.0) -> None:
    """Wait until something is so, such as that a process has written a file."""
    until = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def on_terminal(line, *more, columns=80):
    """Run ``pucklab`` on a terminal, and return all that it writes there, escapes included."""
    import fcntl
    import pty
    import struct
    import termios

    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    unset = {"COLUMNS", "LINES", "NO_COLOR"}
    running = subprocess.Popen(
        [*COMMAND, *line.split(), *more],
        stdin=its,
        stdout=its,
        stderr=its,
        env={name: value for name, value in os.environ.items() if name not in unset},
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


def interrupted_when(pattern, *arguments, cwd=None, by=signal.SIGINT):
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
                    os.killpg(running.pid, by)
                    pressed = True
        printed, _ = running.communicate(timeout=60)
    os.close(ours)
    return running.returncode, printed, written


def interrupt(running):
    """Press Ctrl-C, check that the command stops, and return what it has printed and said."""
    os.killpg(running.pid, signal.SIGINT)
    printed, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "Traceback" not in said
    return printed, said


@contextmanager
def started(line, *more, cwd=None, stderr=subprocess.PIPE):
    """Start ``pucklab`` in a session of its own, to be stopped with Ctrl-C."""
    with default_signals():
        running = subprocess.Popen(
            [sys.executable, "-u", *COMMAND[1:], *line.split(), *more],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
            cwd=cwd,
        )
    try:
        yield running
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
