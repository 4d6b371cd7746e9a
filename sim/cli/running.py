"""Progress of long work: a bar with the time left, on a terminal only.

Ctrl-C that a library lost: it may take one that comes in its midst for an error, and go on.

Processes to work in.

Processes that never hear Ctrl-C, not even before our own code runs in them.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.options import count

if TYPE_CHECKING:
    from concurrent.futures import Executor


class _Heard:
    """Whether Ctrl-C came."""

    yes = False


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Answer Ctrl-C as ever in the block, and keep in mind that it came.

    Numpy's choice of strings and some modules that numba imports are known to lose it.
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    _Heard.yes = False
    signal.signal(signal.SIGINT, _hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _Heard.yes = False


def answer_lost() -> None:
    """Raise what was lost.

    Raises:
        KeyboardInterrupt: Ctrl-C came, and work goes on all the same.
    """
    if _Heard.yes:
        _Heard.yes = False
        raise KeyboardInterrupt


def _hear(_number: int, _frame: FrameType | None) -> None:
    _Heard.yes = True
    raise KeyboardInterrupt


_State = TypeVar("_State")


def track(
    states: Iterable[_State],
    how_far: Callable[[_State], tuple[int, int]],
    doing: str = "throwing",
    *,
    printing: bool = False,
) -> Iterator[_State]:
    """Pass the states of some work on, and show how far it is on stderr.

    Off a terminal nothing is shown, so that logs stay readable. A Ctrl-C that was lost in the work
    is answered at the next state.

    Args:
        states: The states, as the work gets on.
        how_far: Returns how many steps, such as throws, a state has done, and of how many.
        doing: What the work is, in a word.
        printing: Who takes the states prints what they bring: the bar is out of the way meanwhile.
    """
    states = _with_lost_interrupts(states)
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
            done, total = how_far(state)
            bar.update(task, completed=done, total=total)
            if printing:
                bar.stop()
            yield state
            if printing:
                bar.start()


def _with_lost_interrupts(states: Iterable[_State]) -> Iterator[_State]:
    for state in states:
        answer_lost()
        yield state


_Function = TypeVar("_Function", bound=Callable[..., Any])


def workers_option(doing: str) -> Callable[[_Function], _Function]:
    """Return the option that says in how many processes a command does its work.

    Args:
        doing: What is done in them, for the help, such as ``throw``.
    """
    return click.option(
        "--workers",
        type=count(1, 1024),
        metavar="K",
        help=f"Processes to {doing} in; does not change the result.  [default: one per processor]",
    )


@contextmanager
def worker_processes(workers: int) -> Iterator["Executor | None"]:
    """Give processes to work in, that leave Ctrl-C to this one; None for a single worker."""
    if workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(workers, mp_context=DeafContext(), initializer=_ignore_interrupts)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class DeafProcess(SpawnProcess):
    """A process that begins with SIGINT blocked, where the system can."""

    def start(self) -> None:
        """Start it; a Ctrl-C meanwhile reaches this process when it has started."""
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class DeafContext(SpawnContext):
    """Starts such processes."""

    Process = DeafProcess  # type: ignore[assignment, unused-ignore]
