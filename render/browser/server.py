"""The server of pages: its start, its address and its end.

`serve` answers on this machine only, or with ``share`` in the network, until Ctrl-C. NiceGUI makes
the pages; `guard` stands around it.
"""

import os
import socket
import tempfile
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import Any

# NiceGUI keeps nothing of its own here; its folder is named before it is imported.
os.environ.setdefault("NICEGUI_STORAGE_PATH", str(Path(tempfile.gettempdir()) / "pucklab-pages"))

import segno
import uvicorn
from fastapi import FastAPI
from nicegui import Client, core, ui
from platformdirs import user_data_path

from pucklab.base.errors import InputError
from pucklab.render.browser.frame import Sharing
from pucklab.render.browser.guard import MAX_BYTES, Guard, read_keys, write_keys
from pucklab.render.browser.odds import AskOdds
from pucklab.render.browser.pages import register_pages

_HOME = "127.0.0.1"
_TRIED_PORTS = 20


def serve(
    path: str,
    tell: Callable[[str], object],
    *,
    ask_odds: AskOdds | None = None,
    port: int | None = None,
    share: bool = False,
    opens: bool = True,
) -> None:
    """Serve the pages until the program is stopped.

    Args:
        path: The page to open.
        tell: Takes lines for the person who started it.
        ask_odds: Answers the page of odds; without it there is none.
        port: The port; None for the last one, or the next one that is free.
        share: True to answer other devices in the network too, with a link for guests.
        opens: True to open a browser.

    Raises:
        InputError: No port is free.
    """
    file = user_data_path("pucklab") / "server.json"
    keys = read_keys(file)
    listener = _listen("" if share else _HOME, keys.port if port is None else port)
    own_port = listener.getsockname()[1]
    write_keys(file, replace(keys, port=own_port))
    names = [_HOME, "localhost", *([_network_address()] if share else [])]
    register_pages(ask_odds)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    ui.run_with(app, title="pucklab", dark=None, show_welcome_message=False)
    # NiceGUI takes the messages of a page from everybody who knows its id.
    for name in ("handshake", "event", "javascript_response", "ack", "log"):
        core.sio.on(name, partial(_handle_own, core.sio.handlers["/"][name]))
    guarded = Guard(app, keys, frozenset(f"{name}:{own_port}" for name in names), own_port)
    link = f"http://{_HOME}:{own_port}{path}?key={keys.host}"
    if (port is not None and own_port != port) or (port is None and own_port != keys.port):
        tell(f"port {keys.port if port is None else port} is in use; this is port {own_port}")
    tell(f"pucklab plays at {link}")
    if share:
        Sharing.link = f"http://{names[-1]}:{own_port}{{}}?key={keys.guest}"
        guests = Sharing.link.format(path)
        tell(f"for guests in your network, who can read along: {guests}")
        segno.make(guests).terminal(compact=True)
    tell("Ctrl-C ends it; games are saved")
    if opens and not webbrowser.open(link):
        tell("no browser was found; open the address yourself")
    config = uvicorn.Config(
        guarded, log_level="critical", ws_max_size=MAX_BYTES, timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run([listener])


def _listen(address: str, port: int) -> socket.socket:
    """Return a socket on the first free port from one on."""
    for tried in range(port, min(port + _TRIED_PORTS, 65536)):
        with suppress(OSError):
            return socket.create_server((address, tried))
    raise InputError(f"--port: {port} and the {_TRIED_PORTS - 1} after it are in use; give another")


def _network_address() -> str:
    """Return the address by which other devices reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: the system picks its address
        return str(probe.getsockname()[0])
    return _HOME


async def _handle_own(
    handle: Callable[[str, dict[str, Any]], Any], sid: str, message: object = None, *_: object
) -> object:
    """Hand a message to NiceGUI if its sender has opened the page that it names."""
    if not isinstance(message, dict) or not isinstance(message.get("client_id"), str):
        return None
    page = Client.instances.get(message["client_id"])
    visitor = core.sio.get_environ(sid)["asgi.scope"]["state"]["visitor"]
    if page is None or page.request.scope["state"]["visitor"] != visitor:
        return False
    try:
        answer = handle(sid, message)
        return await answer if isawaitable(answer) else answer
    except (AttributeError, KeyError, TypeError, ValueError):  # no page of ours sends such
        return False
