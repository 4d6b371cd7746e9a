"""Work of a page in a process of its own that tells how far it is, such as the odds of a throw."""

import math
import multiprocessing
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from physics import InputError, Throw
from sim.odds import Study, Tally, odds_of
from sim.odds.study import tallies_again

MANY = 1000
"""Throws of the odds of a throw by hand."""


class NewsProcess:
    """A function that runs in a process of its own, which sends what the function yields.

    An `InputError` is sent as its text.
    """

    def __init__(self, function: Callable[..., Iterable[Any]], *arguments: object) -> None:
        context = multiprocessing.get_context("spawn")
        self._news, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_send_news, args=(theirs, function, arguments), daemon=True
        )
        self._process.start()
        theirs.close()
        self.is_over = False  # no news will follow

    def news(self) -> Any:
        """Return the latest news; None if there is none."""
        latest = None
        while not self.is_over and self._news.poll():
            try:
                latest = self._news.recv()
            except EOFError:
                self.stop()
        return latest

    def stop(self) -> None:
        """Terminate the process."""
        if not self.is_over:
            self.is_over = True
            self._process.terminate()
            self._process.join()
            self._process.close()
            self._news.close()


def _send_news(
    news: Connection, function: Callable[..., Iterable[Any]], arguments: tuple[object, ...]
) -> None:
    """Do the work of the process; it ends when nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with news, suppress(BrokenPipeError, ConnectionResetError):
        try:
            for one in function(*arguments):
                news.send(one)
        except InputError as error:
            news.send(str(error))


class Repeats(NewsProcess):
    """A throw made a thousand times in a process of its own.

    Attributes:
        tally: The tally so far; None before the first news.
    """

    def __init__(self, study: Study, throw: Throw, seed: int, trials: int) -> None:
        """Begin.

        Args:
            study: Scene, engine, and the thrower with the scatter.
            throw: The throw.
            seed: Seed of the chance.
            trials: Throws to make.
        """
        super().__init__(tallies_again, study, throw, seed, trials)
        self.tally: Tally | None = None
        self._engine, self._trials = study.engine, trials

    def advance(self) -> bool:
        """Take the news; return True if there was any."""
        was_over, news = self.is_over, self.news()
        self.tally = news if isinstance(news, Tally) else self.tally
        return news is not None or self.is_over != was_over

    @property
    def text(self) -> str:
        """The odds so far in a line, with the number of throws and the engine."""
        tally = self.tally
        if tally is None:
            return (
                "no throw could be made" if self.is_over else f"throwing {self._trials:,} times ..."
            )
        odds = odds_of(tally)
        flips, some = odds.flips, odds.any_flip
        error = "" if math.isnan(flips.standard_error) else f" ± {flips.standard_error:.2f}"
        return (
            f"{tally.trials:,} of {self._trials:,} throws like this: {flips.value:.2f}{error} "
            f"flips, some in {some.value:.0%} ({100 * some.low:.0f}-{100 * some.high:.0f} %), "
            f"{odds.outs.value:.2f} out, {self._engine} engine"
        )
