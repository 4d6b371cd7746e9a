"""Work of any window in a process of its own, so that the window stays alive."""

import multiprocessing
from collections.abc import Callable
from typing import Any


class NewsProcess:
    """A function that runs in a process of its own, and sends its news through a connection."""

    def __init__(self, function: Callable[..., None], *arguments: object) -> None:
        context = multiprocessing.get_context("spawn")
        self._news, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=function, args=(theirs, *arguments), daemon=True)
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
