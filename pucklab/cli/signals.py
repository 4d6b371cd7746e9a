"""Signals that stop the program: Ctrl-C, SIGTERM, and SIGHUP when its terminal is gone.

Before a command works, the first one ends the process: there is nothing to lose. While it works,
it raises KeyboardInterrupt: commands save what they have, say how far they came, and end with
`EXIT_STOPPED`. Once the answer is printed, it changes nothing. Those of the next two seconds are
ignored, so that an impatient person cuts off neither; after that, one more ends the process at
once. Libraries that load slowly are not imported here: signals are caught while others are
imported.
"""

import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any

EXIT_STOPPED = 130
EXIT_WORKERS = 4
"""Worker processes died, and again when their work was given to others."""

_AGAIN_S = 0.01
PATIENCE_S = 2.0
"""Time to stop in order."""


class Stop:
    """Signal that asked for the end of the run, if any did."""

    number = 0  # of the signal
    at_s = 0.0  # of the signal or the answer, on the monotonic clock
    phase = "starting"  # then "working", while the function of a command runs, and "answered"
    is_raised = False
    workers_died = False
    is_reported = False


def catch_signals() -> None:
    """Begin to catch signals; one that is ignored stays so, as under nohup.

    The handler remembers that a signal came: some libraries, such as NumPy and numba, are known to
    swallow the exception. Where Python itself drops it, as in the callback of an import, it is
    raised again a little later.
    """
    Stop.number, Stop.is_raised, Stop.workers_died, Stop.is_reported = 0, False, False, False
    set_phase("starting")
    show = sys.unraisablehook

    def send_again(dropped: Any) -> None:
        """Show an exception that could not be raised, or send its signal once more."""
        if dropped.exc_type is KeyboardInterrupt:
            number, Stop.number, Stop.is_raised = Stop.number, 0, False
            threading.Timer(_AGAIN_S, signal.raise_signal, [number]).start()
        else:
            show(dropped)

    sys.unraisablehook = send_again
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            usual = (signal.SIG_DFL, signal.default_int_handler)
            if number is not None and signal.getsignal(number) in usual:
                signal.signal(number, _stop)


def set_phase(phase: str) -> None:
    """Set the phase of the program, which decides the effect of a signal."""
    Stop.phase, Stop.at_s = phase, time.monotonic()


def raise_swallowed() -> None:
    """Raise the interrupt that a library has swallowed, if there is one."""
    if Stop.is_raised:
        Stop.is_raised = False
        raise KeyboardInterrupt


def report_stop(after: str = "", *, resumes: bool = False) -> None:
    """Print the last line of a run that was stopped, once.

    Args:
        after: The progress made, such as ``after 300 of 1000 throws``.
        resumes: The same command with ``--resume`` goes on from there.
    """
    if Stop.is_reported:
        return
    Stop.is_reported = True
    how = "; add --resume to go on from there" if resumes else ""
    sys.stderr.write(f"stopped{_cause()} {after}".rstrip() + how + "\n")
    sys.stderr.flush()


def _cause() -> str:
    if Stop.workers_died:
        return " by the death of worker processes"
    return "" if Stop.number in {0, signal.SIGINT} else f" by {signal.Signals(Stop.number).name}"


def exit_code(code: int) -> int:
    """Return the exit code for a command's own: stopped, it is 128 + the number of the signal."""
    if code != EXIT_STOPPED:
        return code
    if Stop.workers_died:
        return EXIT_WORKERS
    return 128 + Stop.number if Stop.number else EXIT_STOPPED


def _stop(number: int, _frame: FrameType | None) -> None:
    if not Stop.number and Stop.phase != "answered":
        Stop.number, Stop.at_s = number, time.monotonic()
        if Stop.phase == "starting":
            os.write(2, f"stopped{_cause()}\n".encode())
            os._exit(128 + number)
        Stop.is_raised = True
        raise KeyboardInterrupt
    if time.monotonic() > Stop.at_s + PATIENCE_S:
        os.write(2, b"stopped at once\n")
        os._exit(128 + number)
