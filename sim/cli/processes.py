"""Processes that work is spread over."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor


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
