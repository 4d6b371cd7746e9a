"""Work of a page in a process of its own that tells how far it is, such as the odds of a throw."""

import multiprocessing
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from pucklab.physics import InputError


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
