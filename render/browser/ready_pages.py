"""Pages that the server only hands out: the Lab, the pages to learn, and those that commands open.

What a slam needs is computed in the visitor's browser.
"""

from collections.abc import Callable
from functools import lru_cache

from fastapi import HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from nicegui.logging import log

from pucklab.render.browser.frame import words_from
from pucklab.render.learn import learn_page, learn_sources
from pucklab.render.pages import message_page, navigation_bar
from pucklab.render.web.lab import lab_page

_OPENED: dict[str, str] = {}


def open_page(html: str) -> str:
    """Let the server hand out a page that is a file of its own, and return its path."""
    _OPENED["own"] = html
    return "/pages/own"


def answer_missing(request: Request, _: Exception) -> HTMLResponse:
    """Answer with a page that says that there is none at this address."""
    text = "There is no page at this address. The links of this one lead to all that there are."
    return _say(request, 404, "No such page", text)


def answer_failed(request: Request, error: Exception) -> HTMLResponse:
    """Answer with a page that says that the one asked for failed."""
    log.exception(error)
    text = "This page failed; the terminal of pucklab says how. Go back, or load it again."
    return _say(request, 500, "This failed", text)


def _say(request: Request, status: int, title: str, text: str) -> HTMLResponse:
    prefix = request.headers.get("x-forwarded-prefix", "")
    bar = navigation_bar(words_from(f"{prefix}/"))
    return HTMLResponse(message_page(title, text, bar), status)


def answer_opened(name: str) -> HTMLResponse:
    """Answer with a page that a command has opened."""
    if name not in _OPENED:
        raise HTTPException(404)
    return HTMLResponse(_OPENED[name])


@lru_cache(maxsize=1)
def _lab(site_url: str) -> str:
    return lab_page(navigation=navigation_bar(words_from(""), "Lab"), site_url=site_url)


def answer_lab(site_url: str) -> Callable[[], HTMLResponse]:
    """Return the answer with the Lab."""
    return lambda: HTMLResponse(_lab(site_url))


@lru_cache(maxsize=64)
def _learn(name: str) -> str:
    words = words_from("../")
    return learn_page(name, words, words["Lab"])


def answer_learn(name: str) -> Response:
    """Answer with a page to learn, or with a picture on one."""
    path = learn_sources().get(name)
    if path is None:
        raise HTTPException(404)
    return HTMLResponse(_learn(name)) if path.suffix == ".md" else FileResponse(path)
