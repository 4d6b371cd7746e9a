"""Work spread over an executor, with its results in the order of the tasks."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_Result = TypeVar("_Result")


class WorkersDied(KeyboardInterrupt):
    """Worker processes died twice: the run ends as if interrupted, with the results so far."""


def in_order(
    function: Callable[..., _Result],
    tasks: Iterable[tuple[Any, ...]],
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[_Result]:
    """Call a function with each task's arguments, and yield the results in the order of the tasks.

    If a process of the executor dies, for want of memory for instance, and the executor has a
    ``restart``, unfinished tasks are done again, once.

    Args:
        function: The function; for processes, one at the top of a module.
        tasks: Arguments of the calls.
        executor: Runs the calls; None to call in this process.
        window: Calls in the executor at a time, so that memory does not grow with the tasks.

    Raises:
        WorkersDied: Processes of the executor died a second time.

    Example:
        >>> list(in_order(pow, [(2, 3), (3, 2)]))
        [8, 9]
    """
    if executor is None:
        yield from starmap(function, tasks)
        return
    waiting: deque[tuple[tuple[Any, ...], Future[_Result]]] = deque()  # the oldest first
    is_restarted = False

    def restart() -> None:
        """Start the executor again, and submit its unfinished tasks."""
        nonlocal is_restarted
        start: Callable[[], None] | None = getattr(executor, "restart", None)
        if is_restarted or start is None:
            raise WorkersDied
        is_restarted = True
        start()
        for number, (task, future) in enumerate(waiting):
            if not future.done() or future.cancelled() or future.exception() is not None:
                waiting[number] = task, executor.submit(function, *task)

    def take() -> _Result:
        """Return the result of the oldest task, and drop it."""
        while True:
            try:
                result = waiting[0][1].result()
            except BrokenExecutor:
                restart()
            else:
                waiting.popleft()
                return result

    try:
        for task in tasks:
            try:
                future = executor.submit(function, *task)
            except BrokenExecutor:
                restart()
                future = executor.submit(function, *task)
            waiting.append((task, future))
            if len(waiting) >= window:
                yield take()
        while waiting:
            yield take()
    finally:
        for _, future in waiting:
            future.cancel()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
