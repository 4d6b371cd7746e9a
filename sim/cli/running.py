"""Long work on the command line: signals that stop it, its progress bar, its last line.

Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) all raise KeyboardInterrupt, and so does a
worker process that died twice: commands save what they have, and end with `EXIT_STOPPED`, which
`exit_code` refines by the cause.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

import click

_COMPILING = "compiling the solid engine: this happens once and takes about half a minute"

EXIT_STOPPED = 130
EXIT_WORKERS = 4
"""Worker processes died, and again when their work was given to others."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_State = TypeVar("_State")


class _Stop:
    """The signal that asked for the end, and whether worker processes caused it."""

    number = 0
    is_raised = False
    workers_died = False


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Turn the signals that stop a program into KeyboardInterrupt within the block.

    A signal that is ignored stays so, as under ``nohup``. The handler remembers that a signal came:
    some libraries, such as NumPy and numba, are known to swallow the exception.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {}
    for name in _SIGNALS:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) in (
            signal.SIG_DFL,
            signal.default_int_handler,
        ):
            before[number] = signal.signal(number, _stop)
    _Stop.number, _Stop.is_raised, _Stop.workers_died = 0, False, False
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _Stop.is_raised = False


def raise_swallowed() -> None:
    """Raise the interrupt that a library has swallowed, if there is one.

    Raises:
        KeyboardInterrupt: A signal came, and the work goes on all the same.
    """
    if _Stop.is_raised:
        _Stop.is_raised = False
        raise KeyboardInterrupt


def exit_code(code: int) -> int:
    """Return the exit code for a command's own: stopped, it is 128 + the number of the signal."""
    if code != EXIT_STOPPED:
        return code
    if _Stop.workers_died:
        return EXIT_WORKERS
    return 128 + _Stop.number if _Stop.number else EXIT_STOPPED


@contextmanager
def announced_if_slow(message: str, after_s: float = 3.0) -> Iterator[None]:
    """Print a line on stderr if the block takes some seconds, so that nobody waits in silence.

    Args:
        message: The line.
        after_s: Seconds before it is printed.
    """
    timer = threading.Timer(after_s, click.echo, (message,), {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def compiling_announced(engine: str) -> Iterator[None]:
    """Say that the solid engine is being compiled if the block takes some seconds in that engine.

    Args:
        engine: The engine of the block; nothing is said of the plane, which needs no compiling.
    """
    if engine != "solid":
        yield
        return
    with announced_if_slow(_COMPILING):
        yield


def report_stop(after: str, *, resumes: bool = False) -> None:
    """Print the last line of work that was stopped.

    Args:
        after: How far it came, such as ``after 300 of 1000 throws``.
        resumes: The same command with ``--resume`` goes on from there.
    """
    cause = ""
    if _Stop.workers_died:
        cause = " by the death of worker processes"
    elif _Stop.number not in {0, signal.SIGINT}:
        cause = f" by {signal.Signals(_Stop.number).name}"
    how = "; add --resume to go on from there" if resumes else ""
    click.echo(f"stopped{cause} {after}{how}", err=True)


def track(
    states: Iterable[_State],
    progress: Callable[[_State], tuple[int, int]],
    doing: str = "throwing",
    *,
    printing: bool = False,
) -> Iterator[_State]:
    """Yield the states of some work, and show its progress on stderr if that is a terminal.

    Args:
        states: The states, as the work advances.
        progress: Returns steps done, such as throws, and steps in all, of a state.
        doing: The work in a word.
        printing: The caller prints between states, so the bar is removed meanwhile.

    Raises:
        KeyboardInterrupt: A signal came, or worker processes died.
    """
    states = _interruptible(states)
    if not sys.stderr.isatty():
        yield from states
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None)
        for state in states:
            done, total = progress(state)
            bar.update(task, completed=done, total=total)
            if printing:
                bar.stop()
            yield state
            if printing:
                bar.start()


def _stop(number: int, _frame: FrameType | None) -> None:
    _Stop.number = number
    _Stop.is_raised = True
    raise KeyboardInterrupt


def _interruptible(states: Iterable[_State]) -> Iterator[_State]:
    from sim.core.ordered_work import WorkersDied

    try:
        for state in states:
            raise_swallowed()
            yield state
    except WorkersDied:
        _Stop.workers_died = True
        raise
