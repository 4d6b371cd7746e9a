"""Processes to work in."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.numbers import count

if TYPE_CHECKING:
    from concurrent.futures import Executor

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

    from sim.cli.deafprocess import DeafContext

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
