"""Work spread over an executor, its results taken in the order it was given."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_Result = TypeVar("_Result")


def in_order(
    function: Callable[..., _Result],
    tasks: Iterable[tuple[Any, ...]],
    executor: "Executor | None" = None,
    window: int = 8,
) -> Iterator[_Result]:
    """Call a function with each task's arguments, and yield the results in the order of the tasks.

    Args:
        function: What to call; for processes, a function of a module.
        tasks: Arguments of the calls.
        executor: Where the calls run; None for here.
        window: Calls in the executor at a time; memory does not grow with the number of tasks.

    Example:
        >>> list(in_order(pow, [(2, 3), (3, 2)]))
        [8, 9]
    """
    if executor is None:
        for task in tasks:
            yield function(*task)
        return
    waiting: deque[Future[_Result]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, *task))
            if len(waiting) >= window:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
