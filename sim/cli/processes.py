"""Processes that work is spread over: none outlives this one, and a dead one is replaced once."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

MOST_ON_WINDOWS = 61
"""Windows waits for no more processes at a time."""

_END_S = 1.0
"""Time for work under way to be finished when the run is stopped."""

_Result = TypeVar("_Result")


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor | None]:
    """Provide processes that leave all signals to this one; None for a single worker.

    Args:
        workers: How many; on Windows at most 61 are started.
    """
    if workers == 1:
        yield None
        return
    if sys.platform == "win32":
        workers = min(workers, MOST_ON_WINDOWS)
    pool = WorkerPool(workers)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    pool.shutdown()


class WorkerPool(Executor):
    """A process pool that can be started again after a process of it has died.

    Args:
        workers: Number of processes.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._started()

    def submit(
        self, function: Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> "Future[_Result]":
        """Hand work to a process; see `concurrent.futures.Executor.submit`."""
        return self._pool.submit(function, *args, **kwargs)

    def restart(self) -> None:
        """End all processes and start new ones; unfinished work has to be submitted again."""
        self.stop()
        self._pool = self._started()

    def stop(self) -> None:
        """End all processes, after a second even in the midst of their work."""
        # The pool's own thread has to drop the cancelled work first: it fails on it otherwise.
        ending = threading.Thread(target=self._pool.shutdown, kwargs={"cancel_futures": True})
        ending.start()
        ending.join(_END_S)
        if ending.is_alive():
            for process in multiprocessing.active_children():
                if isinstance(process, WorkerProcess):
                    process.kill()
            ending.join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their work; see `concurrent.futures.Executor.shutdown`."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, mp_context=WorkerContext(), initializer=_begin_work
        )


class WorkerProcess(SpawnProcess):
    """A process that begins with SIGINT and SIGHUP blocked, where the system can."""

    def start(self) -> None:
        """Start it; a signal meanwhile reaches this process once it has started."""
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class WorkerContext(SpawnContext):
    """The way to start worker processes: afresh, as on Windows, never by a fork."""

    Process = WorkerProcess  # type: ignore[assignment, unused-ignore]


def _begin_work() -> None:
    """Leave the signals of a terminal to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
