"""Executors to spread work over: processes or threads here, or the workers of a Dask cluster.

No process of `worker_processes` outlives this one, and dead ones are replaced once. The scheduler
of a cluster gives the work of a lost worker to another one. A `NewsWorker` is a single process,
which tells how far it is.
"""

import logging
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeVar

import numpy as np

from pucklab.base.errors import InputError, require_extra, shown
from pucklab.base.files import version
from pucklab.base.kernels import use_stop_word
from pucklab.physics import PHYSICS_VERSION

MOST_ON_WINDOWS = 61
"""Windows waits for no more processes at a time."""

_END_S = 1.0
"""Time for a cluster's work under way to be finished when the run is stopped."""

_DROP_S = 0.2
"""Time for a pool to drop what waits when the run is stopped; its processes are ended then."""

_ANSWER_S = 5.0
"""Time for a scheduler to answer."""

_Result = TypeVar("_Result")


@contextmanager
def workers_of(
    workers: int, dask: str | None, *, in_threads: bool = False
) -> Iterator[tuple[Executor | None, int]]:
    """Provide an executor, and the number of tasks to keep in it.

    Args:
        workers: Processes or threads to start here, if there is no cluster.
        in_threads: Whether the work is done by kernels, which leave Python to other threads.
        dask: Address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        InputError: The scheduler does not answer, or has workers with another version of pucklab.
    """
    if dask is None:
        with (worker_threads if in_threads else worker_processes)(workers) as executor:
            yield executor, 4 * workers
        return
    require_extra("dask", "distributed")
    import distributed

    for name in list(logging.root.manager.loggerDict):
        # Whatever fails is reported here, in a line.
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    connect: Any = distributed.Client
    try:
        client = connect(dask, timeout=_ANSWER_S, set_as_default=False)
    except (OSError, ValueError):
        raise InputError(
            f"dask: no scheduler answers at {shown(dask)}; give the address that 'dask "
            "scheduler' prints, such as tcp://10.0.0.1:8786"
        ) from None
    try:
        if not client.nthreads():
            raise InputError(f"dask: the scheduler at {shown(dask)} has no workers; start some")
        for worker, its in client.run(_versions, on_error="return").items():
            _check_same(worker, its, _versions())
        yield DaskPool(client), 4 * max(1, sum(client.nthreads().values()))
    finally:
        client.close(timeout=_END_S)


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor | None]:
    """Provide processes, on Windows at most 61; None for a single worker."""
    if workers == 1:
        yield None
        return
    pool = WorkerPool(min(workers, MOST_ON_WINDOWS) if sys.platform == "win32" else workers)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    pool.shutdown()


@contextmanager
def worker_threads(workers: int) -> Iterator[Executor]:
    """Provide threads for work that kernels do; an interrupt ends it in the midst of a throw."""
    word = np.zeros(1, np.int64)
    pool = ThreadPoolExecutor(workers, initializer=use_stop_word, initargs=(word,))
    try:
        yield pool
    except BaseException:
        word[0] = 1
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


class WorkerPool(Executor):
    """A process pool that can be started again after a process of it has died."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._start()

    def submit(
        self, function: Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> "Future[_Result]":
        """Hand work to a process; see `concurrent.futures.Executor.submit`."""
        return self._pool.submit(function, *args, **kwargs)

    def restart(self) -> None:
        """End all processes and start new ones; unfinished work has to be submitted again."""
        self.stop()
        self._pool = self._start()

    def stop(self) -> None:
        """End all processes, soon even in the midst of their work."""
        # The pool's own thread has to drop the cancelled work first: it fails on it otherwise.
        ending = threading.Thread(target=self._pool.shutdown, kwargs={"cancel_futures": True})
        ending.start()
        ending.join(_DROP_S)
        if ending.is_alive():
            for process in multiprocessing.active_children():
                if isinstance(process, WorkerProcess):
                    process.kill()
            ending.join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes after their work; see `concurrent.futures.Executor.shutdown`."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _start(self) -> ProcessPoolExecutor:
        with _block_signals():  # for the process that watches semaphores, too
            # It would complain about leftovers if this process is killed.
            options = sys.warnoptions.copy()
            sys.warnoptions.append("ignore:resource_tracker")
            resource_tracker.ensure_running()
            sys.warnoptions[:] = options
            return ProcessPoolExecutor(
                self._workers, mp_context=WorkerContext(), initializer=_begin_work
            )


@contextmanager
def _block_signals() -> Iterator[None]:
    """Block the signals of a terminal, where the system can; processes started so inherit it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class WorkerProcess(SpawnProcess):
    """A process that leaves the signals of a terminal to its parent from the start."""

    def start(self) -> None:
        """Start it; a signal meanwhile reaches this process once it has started."""
        with _block_signals():
            super().start()


class WorkerContext(SpawnContext):
    """The start method of worker processes: spawn, as on Windows, never fork."""

    Process = WorkerProcess  # type: ignore[assignment, unused-ignore]


def _begin_work() -> None:
    """Leave the signals of a terminal to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


class NewsWorker:
    """A process that calls one function after another, and sends what each yields or returns."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_send_news, args=(theirs,), daemon=True)
        with _block_signals():
            self._process.start()
        theirs.close()

    def call(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function of a module, once the last call is over.

        Raises:
            Exception: A function or an argument cannot be sent; pickle has no error of its own.
        """
        data = bytes(ForkingPickler.dumps((function, arguments)))

        def send() -> None:  # this takes as long as the process imports modules
            with suppress(OSError):
                self._pipe.send_bytes(data)

        threading.Thread(target=send, daemon=True).start()

    def news(self) -> Iterator[tuple[str, Any]]:
        """Yield what has come since the last time, of four kinds.

        Those are ``news`` with a value, and at the end of a call ``over``, ``refused`` with the
        text of an `InputError`, or ``failed`` with a traceback, empty if the process has died.
        """
        try:
            while self._pipe.poll():
                yield self._pipe.recv()
        except (EOFError, OSError):
            yield "failed", ""

    def end(self) -> None:
        """End the process, even in the midst of its work."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _send_news(pipe: Connection) -> None:
    """Do the work of a `NewsWorker`."""
    _begin_work()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            end = "over", ""
            try:
                function, arguments = pipe.recv()
                found = function(*arguments)
                for one in found if isinstance(found, Iterator) else (found,):
                    pipe.send(("news", one))
            except EOFError:
                raise
            except InputError as error:
                end = "refused", str(error)
            except Exception:
                end = "failed", traceback.format_exc()
            pipe.send(end)


class DaskPool(Executor):
    """A Dask cluster; each worker is asked for its version of pucklab before it works."""

    def __init__(self, client: Any) -> None:
        self._executor = client.get_executor(pure=False)

    def submit(
        self, function: Callable[..., _Result], /, *args: Any, **kwargs: Any
    ) -> "Future[_Result]":
        """Hand work to the cluster; see `concurrent.futures.Executor.submit`."""
        from distributed import KilledWorker  # every worker that began the work died

        found: Future[_Result] = Future()

        def copy(done: "Future[_Result]") -> None:
            if not found.set_running_or_notify_cancel():
                return
            error = BrokenExecutor() if done.cancelled() else done.exception()
            if error is None:
                found.set_result(done.result())
            else:
                lost = isinstance(error, KilledWorker)
                found.set_exception(BrokenExecutor() if lost else error)

        work = self._executor.submit(_run_checked, _versions(), function, *args, **kwargs)
        work.add_done_callback(copy)
        return found


def _versions() -> tuple[str, int]:
    """Return the versions of pucklab and of its physics in this process."""
    return version(), PHYSICS_VERSION


def _run_checked(
    expected: tuple[str, int], function: Callable[..., _Result], /, *args: Any, **kwargs: Any
) -> _Result:
    """Call a function in a worker of a cluster, if its pucklab is the expected one."""
    if _versions() != expected:
        from distributed import get_worker

        _check_same(get_worker().address, _versions(), expected)
    return function(*args, **kwargs)


def _check_same(worker: str, its: Any, mine: tuple[str, int]) -> None:
    """Check the pucklab of a worker.

    Raises:
        InputError: It is another one, or does not work.
    """
    here = f"this is pucklab {mine[0]} with physics version {mine[1]}"
    if isinstance(its, BaseException):
        raise InputError(f"dask: worker {worker} has no pucklab that works ({its}); {here}")
    if its != mine:
        there = f"pucklab {its[0]} with physics version {its[1]}"
        raise InputError(f"dask: worker {worker} has {there}; {here}")
