"""Long work on the command line: its progress bar, and a Ctrl-C that a library swallowed."""

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar


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
