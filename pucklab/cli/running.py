"""Progress bars on the command line."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeVar

from pucklab.cli.signals import Stop, raise_swallowed
from pucklab.sim.core.ordered_work import WorkersDied

if TYPE_CHECKING:
    from rich.progress import Progress

_State = TypeVar("_State")


def track(
    states: Iterable[_State],
    progress: Callable[[_State], tuple[int, int]],
    doing: str = "throwing",
) -> Iterator[_State]:
    """Yield the states of some work, and show its progress on stderr if that is a terminal.

    Args:
        states: The states, as the work advances.
        progress: Returns steps done, such as throws, and steps in all, of a state.
        doing: The work in a word.

    Raises:
        KeyboardInterrupt: A signal came, or worker processes died.
    """
    bar = _Bars.shown = _new_bar() if sys.stderr.isatty() else None
    try:
        with bar or nullcontext():
            task = None if bar is None else bar.add_task(doing, total=None)
            for state in states:
                raise_swallowed()
                if bar is not None and task is not None:
                    done, total = progress(state)
                    bar.update(task, completed=done, total=total)
                yield state
    except WorkersDied:
        Stop.workers_died = True
        raise
    finally:
        _Bars.shown = None


class _Bars:
    """The bar of `track` while it is shown."""

    shown: "Progress | None" = None


def _new_bar() -> "Progress":
    # Imported here: rich takes 0.1 s, and is needed on terminals only.
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

    words, bar, _, left = Progress.get_default_columns()
    columns = (words, bar, MofNCompleteColumn(), TimeElapsedColumn(), "left", left)
    return Progress(*columns, console=Console(stderr=True), transient=True)
