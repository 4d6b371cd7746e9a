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
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_COMPILING = "compiling"

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
def compiling_shown() -> Iterator[None]:
    """Say on stderr that functions are being compiled, while they are, with a bar on a terminal."""
    from physics.compiling import compiling_reported

    bar = _CompilingBar()
    try:
        with compiling_reported(bar.report):
            yield
    finally:
        bar.remove()


class _CompilingBar:
    """The bar of what is compiled, below that of `track` if there is one."""

    is_said = False
    bar: "Progress | None" = None
    task: "TaskID | None" = None

    def report(self, done: int, total: int) -> None:
        """Show how many functions are compiled."""
        if not sys.stderr.isatty():
            if not self.is_said:
                click.echo(f"{_COMPILING}: this happens once", err=True)
            self.is_said = True
            return
        if done >= total:
            self.remove()
            return
        if self.bar is None or self.task is None:
            self.bar = _Bars.shown or _new_bar()
            self.bar.start()
            self.task = self.bar.add_task(f"{_COMPILING} (once)", total=total)
        self.bar.update(self.task, completed=done, total=total, refresh=True)

    def remove(self) -> None:
        """Take the bar away."""
        if self.bar is not None and self.task is not None:
            self.bar.remove_task(self.task)
            if self.bar is not _Bars.shown:
                self.bar.stop()
        self.bar = self.task = None


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
    bar = _Bars.shown = _new_bar()
    try:
        with bar:
            task = bar.add_task(doing, total=None)
            for state in states:
                done, total = progress(state)
                bar.update(task, completed=done, total=total)
                if printing:
                    bar.stop()
                yield state
                if printing:
                    bar.start()
    finally:
        _Bars.shown = None


class _Bars:
    """The bar of `track` while it is shown."""

    shown: "Progress | None" = None


def _new_bar() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


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
