"""The server of pages: its start, its address and its end.

`serve` answers on this machine only, or with ``share`` in the network, until Ctrl-C. NiceGUI makes
the pages; `guard` stands around it. Connections that show no secret are few and short, and nothing
that comes from outside reaches the terminal raw.
"""

import asyncio
import logging
import os
import secrets
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs

# NiceGUI keeps nothing of its own here; its folder is named before it is imported.
os.environ.setdefault("NICEGUI_STORAGE_PATH", str(Path(tempfile.gettempdir()) / "pucklab-pages"))

import segno
import uvicorn
from fastapi import FastAPI
from nicegui import Client, core, ui
from platformdirs import user_data_path
from uvicorn.protocols.http.h11_impl import H11Protocol

from pucklab.base.errors import InputError
from pucklab.render.browser.frame import Sharing
from pucklab.render.browser.guard import MAX_BYTES, Guard, read_keys, write_keys
from pucklab.render.browser.pages import register_pages

_HOME = "127.0.0.1"
_TRIED_PORTS = 20

_STRANGERS, _STRANGER_S = 50, 10.0
"""Connections that have shown no secret yet, and how long they may take."""


def serve(
    path: str,
    tell: Callable[[str], object],
    *,
    site_url: str = "",
    port: int | None = None,
    share: bool = False,
    hosts: Collection[str] = (),
    opens: bool = True,
) -> None:
    """Serve the pages until the program is stopped.

    Args:
        path: The page to open.
        tell: Takes lines for the person who started it.
        site_url: Address of a Lab by which throws are shared; by default that of this server.
        port: The port; None for the last one, or the next one that is free.
        share: True to answer other devices in the network too, with a link for guests.
        hosts: Further names of this server: of proxies and forwarded ports.
        opens: True to open a browser.

    Raises:
        InputError: No port is free.
    """
    file = user_data_path("pucklab") / "server.json"
    keys = replace(read_keys(file), guest=secrets.token_urlsafe(24))
    listener = _listen("" if share else _HOME, keys.port if port is None else port)
    own_port = listener.getsockname()[1]
    write_keys(file, replace(keys, port=own_port))
    address = _network_address() if share else ""
    _escape_logs()
    register_pages(site_url)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    ui.run_with(app, title="pucklab", dark=None, show_welcome_message=False)
    # NiceGUI takes the messages of a page from everybody who knows its id.
    handlers = core.sio.handlers["/"]
    for name in ("handshake", "event", "javascript_response", "ack"):
        handlers[name] = partial(_handle_own, handlers[name])
    handlers["connect"] = partial(_connect_own, handlers["connect"])
    del handlers["log"]  # what a page would like to write into the terminal
    admit = _Connection.admit
    guard = Guard(app, keys, own_port, address=address, named=hosts, admit=admit)
    link = f"http://{_HOME}:{own_port}{path}?key={keys.host}"
    if (port is not None and own_port != port) or (port is None and own_port != keys.port):
        tell(f"port {keys.port if port is None else port} is in use; this is port {own_port}")
    tell(f"pucklab plays at {link}")
    if share:
        Sharing.address, Sharing.guard = f"http://{address}:{own_port}", guard
        guests = Sharing.link(Sharing.address + path)
        tell(f"for guests in your network, who can read along: {guests}")
        segno.make(guests).terminal(compact=True)
    tell("Ctrl-C ends it; games are saved")
    if opens and not webbrowser.open(link):
        tell("no browser was found; open the address yourself")
    config = uvicorn.Config(
        guard,
        http=_Connection,
        proxy_headers=False,  # the guard knows a connection by its address
        log_config=None,
        ws_max_size=MAX_BYTES,
        timeout_graceful_shutdown=1,
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


class _Connection(H11Protocol):
    """A connection that is closed unless it shows a secret soon; of too many, the oldest one is."""

    strangers: ClassVar[dict[Any, "_Connection"]] = {}  # by the addresses of their other ends

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection."""
        super().connection_made(transport)
        self.strangers[self.client] = self
        while len(self.strangers) > _STRANGERS:
            next(iter(self.strangers.values())).dismiss()
        self.loop.call_later(_STRANGER_S, self.dismiss)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self.admit(self.client)
        super().connection_lost(exc)

    def dismiss(self) -> None:
        """Close the connection if it is still that of a stranger."""
        if self.strangers.get(self.client) is self:
            self.admit(self.client)
            self.transport.abort()

    @classmethod
    def admit(cls, client: Any) -> None:
        """Let a connection stay as long as it likes."""
        cls.strangers.pop(client, None)


class _EscapedFormatter(logging.Formatter):
    """Log records without control characters; only pucklab begins a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as text."""
        text = super().format(record).replace("\n", "\n    ")
        return "".join(
            sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in text
        )


def _escape_logs() -> None:
    """Print errors alone, and escape what they quote."""
    for name in [*logging.root.manager.loggerDict]:
        logging.getLogger(name).handlers.clear()
    handler = logging.StreamHandler()
    handler.setFormatter(_EscapedFormatter("error: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.ERROR, force=True)


def _is_own(sid: str, client: object) -> bool:
    """Return whether the visitor of a socket has opened the page of an id."""
    page = Client.instances.get(client) if isinstance(client, str) else None
    visitor = core.sio.get_environ(sid)["asgi.scope"]["state"]["visitor"]
    return page is not None and page.request.scope["state"]["visitor"] == visitor


async def _connect_own(handle: Callable[..., Any], sid: str, environ: Any, *_: object) -> Any:
    """Hand a socket to NiceGUI unless its query names the page of somebody else."""
    client = parse_qs(environ["QUERY_STRING"]).get("client_id", [""])[0]
    is_others = client in Client.instances and not _is_own(sid, client)
    return False if is_others else await handle(sid, environ)


async def _handle_own(
    handle: Callable[[str, dict[str, Any]], Any], sid: str, message: object = None, *_: object
) -> object:
    """Hand a message to NiceGUI if its sender has opened the page that it names."""
    if not isinstance(message, dict) or not _is_own(sid, message.get("client_id")):
        return False
    try:
        answer = handle(sid, message)
        return await answer if isawaitable(answer) else answer
    except (AttributeError, KeyError, TypeError, ValueError):  # no page of ours sends such
        return False
