"""Shared parts of the calls for Python: processes, and results that print."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from multiprocessing import process

from pucklab.base.errors import InputError, check_count
from pucklab.sim.core.ordered_work import WorkersDied
from pucklab.sim.core.processes import worker_processes, worker_threads


class Shown:
    """A result whose ``repr`` is the text that it prints."""

    def __repr__(self) -> str:
        return str(self)


@contextmanager
def processes(workers: int, *, in_threads: bool = False) -> Iterator[Executor | None]:
    """Provide processes to work in, or threads for work that kernels do.

    Raises:
        InputError: A process would run the calling script again, and so start processes itself.
    """
    check_count("workers", workers, 1, 1024)
    advice = (
        f"workers: {workers} processes start the script again; put the call below "
        "'if __name__ == \"__main__\":', or give workers=1"
    )
    if in_threads:
        with worker_threads(workers) as executor:
            yield executor
        return
    # A process that is just starting runs the script itself, up to here.
    if workers > 1 and getattr(process.current_process(), "_inheriting", False):
        raise SystemExit(advice)
    try:
        with worker_processes(workers) as executor:
            yield executor
    except WorkersDied:
        raise InputError(advice) from None
