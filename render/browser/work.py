"""Long work in processes of its own, a few at once, so that pages are always answered.

NiceGUI's pool of processes does the work; this is the one door to it. `pucklab.render.browser.news`
is apart, as its processes start sooner without NiceGUI.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from nicegui import run

_Answer = TypeVar("_Answer")
_AT_ONCE = 2
_WAITING = 16

_waiting: list[object] = []
_free: dict[asyncio.AbstractEventLoop, asyncio.Semaphore] = {}


async def compute(function: Callable[..., _Answer], *arguments: Any) -> _Answer | None:
    """Return what a function returns; None if too much is waiting already, or the server ends."""
    if len(_waiting) >= _WAITING:
        return None
    mark = object()
    _waiting.append(mark)
    try:
        async with _free.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(_AT_ONCE)):
            return await run.cpu_bound(function, *arguments)
    finally:
        _waiting.remove(mark)
