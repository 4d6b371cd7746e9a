"""Progress of long work: a bar with the time left, on a terminal only."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sim.odds import Progress


def show_progress(states: "Iterable[Progress]") -> "Iterator[Progress]":
    """Pass the states on, and show how far they are on stderr.

    Off a terminal nothing is shown, so that logs stay readable.
    """
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
        TextColumn("throwing"),
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
            bar.update(task, completed=state.done, total=state.total)
            yield state
