"""Signals that stop the program: Ctrl-C, SIGTERM, and SIGHUP when its terminal is gone.

The first one raises KeyboardInterrupt: commands save what they have, say how far they came, and end
with `EXIT_STOPPED`. Those of the next two seconds are ignored, so that an impatient person cuts off
neither; after that, one more ends the process at once. Libraries that load slowly are not imported
here: signals are caught while others are imported.
"""

import atexit
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn

EXIT_STOPPED = 130
EXIT_WORKERS = 4
"""Worker processes died, and again when their work was given to others."""

PATIENCE_S = 2.0
"""Time to stop in order."""


class Stop:
    """Signal that asked for the end of the run, if any did."""

    number = 0  # of the signal
    at_s = 0.0  # on the monotonic clock
    is_raised = False
    workers_died = False
    is_reported = False


def catch_signals() -> None:
    """Begin to turn signals into KeyboardInterrupt; one that is ignored stays so, as under nohup.

    The handler remembers that a signal came: some libraries, such as NumPy and numba, are known to
    swallow the exception.
    """
    Stop.number, Stop.is_raised, Stop.workers_died, Stop.is_reported = 0, False, False, False
    _handle(_stop, (signal.SIG_DFL, signal.default_int_handler))


def raise_swallowed() -> None:
    """Raise the interrupt that a library has swallowed, if there is one."""
    if Stop.is_raised:
        Stop.is_raised = False
        raise KeyboardInterrupt


def report_stop(after: str = "", *, resumes: bool = False) -> None:
    """Print the last line of a run that was stopped, once.

    Args:
        after: How far it came, such as ``after 300 of 1000 throws``.
        resumes: The same command with ``--resume`` goes on from there.
    """
    if Stop.is_reported:
        return
    Stop.is_reported = True
    cause = ""
    if Stop.workers_died:
        cause = " by the death of worker processes"
    elif Stop.number not in {0, signal.SIGINT}:
        cause = f" by {signal.Signals(Stop.number).name}"
    how = "; add --resume to go on from there" if resumes else ""
    sys.stderr.write(f"stopped{cause} {after}".rstrip() + how + "\n")
    sys.stderr.flush()


def exit_code(code: int) -> int:
    """Return the exit code for a command's own: stopped, it is 128 + the number of the signal."""
    if code != EXIT_STOPPED:
        return code
    if Stop.workers_died:
        return EXIT_WORKERS
    return 128 + Stop.number if Stop.number else EXIT_STOPPED


def end(code: int) -> NoReturn:
    """End the process; a signal meanwhile ends it at once, with the same code."""
    _handle(lambda *_: os._exit(code), (_stop,))
    if Stop.number:
        # Python would end by SIGINT, whatever the code, if the interrupt came in code made at run
        # time, such as that of a dataclass.
        atexit._run_exitfuncs()  # noqa: SLF001
        os._exit(code)
    sys.exit(code)


def _stop(number: int, _frame: FrameType | None) -> None:
    if not Stop.number:
        Stop.number, Stop.at_s, Stop.is_raised = number, time.monotonic(), True
        raise KeyboardInterrupt
    if time.monotonic() > Stop.at_s + PATIENCE_S:
        os.write(2, b"stopped at once\n")
        os._exit(128 + number)


def _handle(handler: object, instead_of: tuple[object, ...]) -> None:
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) in instead_of:
                signal.signal(number, handler)  # type: ignore[arg-type]
