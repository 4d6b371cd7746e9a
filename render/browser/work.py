"""The one door to long work: functions in processes of their own, a few at once.

Work is for `Viewers`, the pages that show what it is about, such as a table. It counts for the
visitor whose page is open longest, and ends with the last page. The pages say when it waits, when
there is too much of it, and when it failed.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from nicegui import context, ui
from nicegui.logging import log

from pucklab.render.browser.frame import visitor_now
from pucklab.sim.core.processes import NewsWorker

if TYPE_CHECKING:
    from pucklab.render.browser.guard import Visitor

_Answer = TypeVar("_Answer")

AT_ONCE, OWN = 4, 2
"""Processes that work at once, and those for one visitor; the last one is kept for short work."""

_WAITING, _OWN_WAITING = 60, 8
_IDLE = 2
"""Processes that are kept for the next work."""

_UNSEEN = 100
"""Things with unsaved work that are kept though no page shows them."""

_LOOK_S = 0.02


class Viewers:
    """The pages that show one thing, and what they say about its work.

    Attributes:
        pages: The visitor of each page, by its id.
        said: Why there is no answer yet, or none at all: the work waits, is refused or failed.
        is_gone: True once the last page has closed.
    """

    def __init__(self, things: dict[str, Any] | None = None) -> None:
        """Begin without a page, for one of some things that `forget_unseen` may forget."""
        self.pages: dict[str, Visitor] = {}
        self.said = ""
        self.is_gone = False
        self.things = things
        self._lines: dict[str, ui.label] = {}

    def join(self) -> None:
        """Add the page that is being built, and the line on it that says what `said` says."""
        client = context.client
        self.pages[client.id], self.is_gone = visitor_now(), False
        self._lines[client.id] = ui.label(self.said).props("role=status").mark("work")
        client.on_delete(partial(self._leave, client.id))

    def tell(self, text: str) -> None:
        """Say something on all pages; nothing if it is empty."""
        self.said = text
        for line in self._lines.values():
            line.text = text

    def _leave(self, page: str) -> None:
        del self.pages[page], self._lines[page]
        if not self.pages:
            self.is_gone = True
            for work in [work for work in Work.all if work.viewers is self]:
                work.stop()
            forget_unseen(self.things or {})


class Work:
    """A function that runs in a process of its own, as soon as one is free.

    Attributes:
        viewers: Who wants it.
        visitor: Whose it is; None for the server itself.
        worker: The process that does it; None while it waits, and in the end.
        is_long: True for work that tells how far it is.
        is_over: True once no news will follow.
        error: Why it ended without an answer, for the pages; empty if it did not.
    """

    all: ClassVar[list["Work"]] = []  # that run or wait, in the order in which they were asked for
    idle: ClassVar[list[NewsWorker]] = []

    def __init__(
        self, viewers: Viewers, function: Callable[..., Any], *arguments: Any, is_long: bool = True
    ) -> None:
        """Begin to call a function, or wait for that; it may yield news, the answer last."""
        self.viewers, self.is_long = viewers, is_long
        self.visitor = next(iter(viewers.pages.values()), None)
        self._call = function, *arguments
        self.worker: NewsWorker | None = None
        self._latest: Any = None
        self.is_over, self.error = viewers.is_gone, ""
        if self.is_over:
            return
        waiting = [work.visitor for work in Work.all if work.worker is None]
        is_full = len(waiting) >= _WAITING or waiting.count(self.visitor) >= _OWN_WAITING
        Work.all.append(self)
        if is_full and not self.may_begin():
            self._end("The server is busy: too much is waiting already. Try again in a minute.")
        _begin_waiting()

    def news(self) -> Any:
        """Return the latest news; None if there is none."""
        for work in [*Work.all]:
            work.look()
        latest, self._latest = self._latest, None
        return latest

    def stop(self) -> None:
        """End the work; the pages no longer speak of it."""
        if not self.is_over:
            self._end("", is_idle=False)

    def look(self) -> None:
        """Take what has come from the process."""
        for kind, value in [] if self.worker is None else [*self.worker.news()]:
            if kind == "news":
                self._latest = value
            elif kind == "failed":
                self._fail(value)
            else:
                self._end(value)

    def begin(self) -> None:
        """Hand the work to a process."""
        self.worker = Work.idle.pop() if Work.idle else NewsWorker()
        self.viewers.tell("")
        try:
            self.worker.call(*self._call)
        except Exception as error:
            self._fail(repr(error))

    def _fail(self, how: str) -> None:
        log.error("work of a page failed: %s", how or "its process has died")
        self._end("This failed; the terminal of pucklab says how. Try again.", is_idle=bool(how))

    def _end(self, error: str, *, is_idle: bool = True) -> None:
        """Note the end, and keep an idle process for others."""
        self.is_over, self.error = True, error
        Work.all.remove(self)
        if self.worker is not None:
            if is_idle and len(Work.idle) < _IDLE:
                Work.idle.append(self.worker)
            else:
                self.worker.end()
            self.worker = None
        self.viewers.tell(error)
        _begin_waiting()

    def may_begin(self) -> bool:
        """Return whether processes are left, in all and for its visitor."""
        running = [work for work in Work.all if work.worker is not None]
        own = [work for work in running if work.visitor == self.visitor]
        return all(
            len(those) < most
            and not (self.is_long and sum(work.is_long for work in those) >= most - 1)
            for those, most in ((running, AT_ONCE), (own, OWN))
        )


def _begin_waiting() -> None:
    """Begin work that waits: the host's first, then of visitors for whom least is under way."""

    def rank(work: Work) -> tuple[bool, int]:
        visitor = work.visitor
        count = sum(other.visitor == visitor and other.worker is not None for other in Work.all)
        return visitor is not None and not visitor.is_host, count

    while able := [work for work in Work.all if work.worker is None and work.may_begin()]:
        min(able, key=rank).begin()
    for before, work in enumerate(work for work in Work.all if work.worker is None):
        work.viewers.tell(f"This waits until other work is done; {before} came before it.")


async def compute(
    viewers: Viewers, function: Callable[..., _Answer], *arguments: Any
) -> _Answer | None:
    """Return what a function of a module returns, called in a process of its own.

    Returns:
        The answer; None if there is none, as the last page has closed, or for a reason that the
        pages say.
    """
    work = Work(viewers, function, *arguments, is_long=False)
    answer: _Answer | None = None
    try:
        while True:
            found = work.news()
            answer = answer if found is None else found
            if work.is_over:
                break
            await asyncio.sleep(_LOOK_S)
    finally:
        work.stop()
    return answer


def forget_unseen(things: dict[str, Any]) -> None:
    """Forget things that no page shows: all without unsaved work, and the oldest of many.

    Args:
        things: Each has ``viewers``, and says whether it ``is_unsaved``.
    """
    unseen = [
        (name, thing.is_unsaved or not thing.viewers.is_gone)
        for name, thing in things.items()
        if not thing.viewers.pages and thing.viewers.things is things
    ]
    kept = [name for name, is_kept in unseen if is_kept][-_UNSEEN:]
    for name in {name for name, _ in unseen} - {*kept}:
        del things[name]
