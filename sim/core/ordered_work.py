"""Work spread over an executor, with its results in the order of the tasks."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_Result = TypeVar("_Result")


class WorkersDied(KeyboardInterrupt):
    """Worker processes died twice: the run ends as if interrupted, with what it has."""


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
        for task in tasks:
            yield function(*task)
        return
    queue = _Queue(function, executor)
    try:
        for task in tasks:
            queue.put(task)
            if len(queue.waiting) >= window:
                yield queue.take()
        while queue.waiting:
            yield queue.take()
    finally:
        for _, future in queue.waiting:
            future.cancel()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Queue:
    """Tasks in an executor, oldest first, with their futures."""

    def __init__(self, function: Callable[..., Any], executor: "Executor") -> None:
        self._function = function
        self._executor = executor
        self._restarted = False
        self.waiting: deque[tuple[tuple[Any, ...], Future[Any]]] = deque()

    def put(self, task: tuple[Any, ...]) -> None:
        """Submit a task."""
        try:
            future = self._executor.submit(self._function, *task)
        except BrokenExecutor:
            self._restart()
            future = self._executor.submit(self._function, *task)
        self.waiting.append((task, future))

    def take(self) -> Any:
        """Return the result of the oldest task, and drop it."""
        while True:
            _, future = self.waiting[0]
            try:
                result = future.result()
            except BrokenExecutor:
                self._restart()
            else:
                self.waiting.popleft()
                return result

    def _restart(self) -> None:
        """Start the executor again, and submit its unfinished tasks.

        Raises:
            WorkersDied: It was started again before, or cannot be.
        """
        restart: Callable[[], None] | None = getattr(self._executor, "restart", None)
        if self._restarted or restart is None:
            raise WorkersDied
        self._restarted = True
        restart()
        for number, (task, future) in enumerate(self.waiting):
            is_lost = not future.done() or future.cancelled() or future.exception() is not None
            if is_lost:
                self.waiting[number] = task, self._executor.submit(self._function, *task)
