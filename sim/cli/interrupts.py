"""Ctrl-C that a library lost: it may take one that comes in its midst for an error, and go on."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


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
