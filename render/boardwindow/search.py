"""Searching for a solution in a process of its own, so that the window never waits for it."""

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Protocol

from physics import InputError
from sim.bumpers import Position
from sim.bumpers.solver import Goal, Limits, Solution, solve


class Search(Protocol):
    """A search on its way."""

    def news(self) -> Solution | str | None:
        """Return the latest of what is known, or an error's line; None if there is nothing new."""

    @property
    def is_over(self) -> bool:
        """Whether no more news comes after what `news` has returned."""

    def stop(self) -> None:
        """End it, whatever it has found."""


Searcher = Callable[[Position, Goal, Limits], Search]
"""Begins a search."""


class SearchProcess:
    """A search in a process of its own."""

    def __init__(self, position: Position, goal: Goal, limits: Limits) -> None:
        context = multiprocessing.get_context("spawn")
        self._news, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_search, args=(theirs, position, goal, limits), daemon=True
        )
        self._process.start()
        theirs.close()
        self._is_over = False

    def news(self) -> Solution | str | None:
        """Return the latest of what is known; see `Search`."""
        latest: Solution | str | None = None
        while not self._is_over and self._news.poll():
            try:
                latest = self._news.recv()
            except EOFError:
                self.stop()
        return latest

    @property
    def is_over(self) -> bool:
        """Whether no more news comes."""
        return self._is_over

    def stop(self) -> None:
        """End the process."""
        if not self._is_over:
            self._is_over = True
            self._process.terminate()
            self._process.join()
            self._process.close()
            self._news.close()


def _search(news: Connection, position: Position, goal: Goal, limits: Limits) -> None:
    """Search, and send what is known each time that it grows, and at last the answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sent: list[tuple[int | None, int]] = []

    def tell(state: Solution) -> None:
        progress = (state.lower_bound, state.nodes >> 20)
        if state.line or progress not in sent[-1:]:
            sent.append(progress)
            news.send(state)

    try:
        news.send(solve(position, goal, limits, watch=tell))
    except InputError as error:
        news.send(str(error))
    finally:
        news.close()
