"""ASGI check around the whole server, for http and websocket alike: host, origin, session, limits.

A link has a key: the host's, or the guests' that `--share` prints. The first GET with a key is
answered by a cookie and a redirect to the address without it; whoever comes without either is
refused before anything inside is reached. The cookie names the visitor and is signed, so that a
seat knows who sits in it. Requests are limited in size, rate and depth.
"""

import hmac
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import asdict
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from fastapi.responses import PlainTextResponse, RedirectResponse

from pucklab.base.decoding import decode
from pucklab.base.errors import InputError, limits
from pucklab.base.facts import fact
from pucklab.base.files import read_json, write_whole
from pucklab.base.parsing import json_text

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

MAX_BYTES = 256_000
"""Largest message to the server: a record that a page loads."""

MAX_DEPTH = 40
"""Deepest nesting of a message."""

_RATE_HZ, _BURST = 50.0, 400.0
"""Messages of a visitor a second, in the long run and at once: a page loads some hundred files."""

_CONTROL = re.compile(r"[1235]|[23]probe|4[01](\{.*\})?", re.DOTALL)
_EVENT = re.compile(r"4[23]\d{0,9}(\[.*\])", re.DOTALL)
"""Packets without and with arguments; see `_is_packet`."""

_POLICY: tuple[Header, ...] = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"frame-ancestors 'self'"),
)
_NO_STORE = (b"cache-control", b"no-store")
_NEEDS_LINK = "open the link that pucklab printed where it was started"


@fact
class Keys:
    """Secrets of this machine's server, and the port it had last."""

    host: str = limits(20, 200)
    guest: str = limits(20, 200)
    session: str = limits(20, 200)  # signs cookies
    port: int = limits(1, 65535, default=8123)


@fact
class Visitor:
    """A browser that has opened a link."""

    name: str  # drawn at random, the same as long as its cookie lives
    is_host: bool


def read_keys(path: Path) -> Keys:
    """Return the keys in a file; new ones are drawn where it is missing or damaged."""
    try:
        return decode(Keys, read_json("keys", path), "keys")
    except InputError:
        host, guest, session = (secrets.token_urlsafe(24) for _ in range(3))
        return Keys(host=host, guest=guest, session=session)


def write_keys(path: Path, keys: Keys) -> None:
    """Write keys into a file that only its owner may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.chmod(0o600)
    write_whole(path, json_text(asdict(keys)).encode())


class Guard:
    """ASGI application around another one.

    Args:
        app: The application inside; it finds the `Visitor` as ``scope["state"]["visitor"]``.
        keys: The secrets.
        hosts: Names by which the server is reached, each with its port.
        port: Its port, which names the cookie: servers of one machine share their cookies.
    """

    def __init__(self, app: App, keys: Keys, hosts: frozenset[str], port: int) -> None:
        self._app, self._keys, self._hosts = app, keys, hosts
        self._origins = frozenset(f"http://{host}" for host in hosts)
        self.cookie = f"pucklab_{port}"
        self._allowances: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): text.decode("latin-1") for name, text in scope["headers"]
        }
        is_socket = scope["type"] == "websocket"
        is_safe = not is_socket and scope["method"] in ("GET", "HEAD")
        # A page of another site that has its name point here keeps its own name (DNS rebinding).
        if headers.get("host") not in self._hosts:
            await _refuse(scope, receive, send, 421, "this server has another name")
            return
        origin = headers.get("origin")
        if origin not in self._origins and not (is_safe and origin is None):
            await _refuse(scope, receive, send, 403, "the request comes from another site")
            return
        visitor = self._visitor(headers.get("cookie", ""))
        key = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]
        if key and is_safe:
            await self._exchange(key, visitor, scope, receive, send)
        elif visitor is None:
            await _refuse(scope, receive, send, 403, _NEEDS_LINK)
        elif not self._may_send(visitor):
            await _refuse(scope, receive, send, 429, "too many requests; wait a moment")
        else:
            state = {**scope.get("state", {}), "visitor": visitor}
            inner = {**scope, "state": state}
            await self._app(inner, self._limit_messages(visitor, receive), _with_policy(send))

    def _visitor(self, cookies: str) -> Visitor | None:
        """Return the visitor whose cookie this is; None for a forged one or none."""
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return None
        name, _, rest = (morsel.value if morsel else "").partition(".")
        role, _, mark = rest.partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(name, role).encode()):
            return None
        return Visitor(name=name, is_host=role == "host")

    def _mark(self, name: str, role: str) -> str:
        return hmac.new(
            self._keys.session.encode(), f"{name}.{role}".encode(), "sha256"
        ).hexdigest()

    async def _exchange(
        self, key: str, visitor: Visitor | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer a link by a cookie and a redirect to the address without its key."""
        # Both are compared each time: the time tells nothing about either.
        host, guest = (
            hmac.compare_digest(key.encode(), own.encode())
            for own in (self._keys.host, self._keys.guest)
        )
        if not (host or guest):
            await _refuse(scope, receive, send, 403, _NEEDS_LINK)
            return
        name = visitor.name if visitor else secrets.token_urlsafe(12)
        role = "host" if host or (visitor and visitor.is_host) else "guest"
        # Two slashes would lead to another host.
        answer = RedirectResponse("/" + scope["path"].lstrip("/\\"), 303)
        value = f"{name}.{role}.{self._mark(name, role)}"
        answer.set_cookie(self.cookie, value, max_age=31_536_000, httponly=True, samesite="lax")
        await answer(scope, receive, _with_policy(send))

    def _limit_messages(self, visitor: Visitor, receive: Receive) -> Receive:
        """Return a receiver that ends a connection whose messages are too large, many or deep."""
        received = 0

        async def receive_checked() -> Message:
            nonlocal received
            message = await receive()
            body: bytes | str = (
                message.get("body") or message.get("bytes") or message.get("text") or ""
            )
            is_socket = message["type"] == "websocket.receive"
            received = len(body) if is_socket else received + len(body)
            text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
            # All packets are of the kinds that pages send.
            is_spoken = not text or all(map(_is_packet, text.split("\x1e")))
            if received > MAX_BYTES or _depth(text) > MAX_DEPTH or not is_spoken:
                return {"type": "websocket.disconnect" if is_socket else "http.disconnect"}
            if is_socket and not self._may_send(visitor):
                return {"type": "websocket.disconnect", "code": 4429}
            return message

        return receive_checked

    def _may_send(self, visitor: Visitor) -> bool:
        """Take one message from a visitor's allowance, which fills again with time."""
        now_s = time.monotonic()
        left, since_s = self._allowances.get(visitor.name, (_BURST, now_s))
        left = min(_BURST, left + _RATE_HZ * (now_s - since_s)) - 1
        self._allowances[visitor.name] = max(left, -1.0), now_s
        return left >= 0


def _is_packet(text: str) -> bool:
    """Return whether a packet is one of Engine.IO or Socket.IO that pages send.

    They are connect, ping and pong, events with a name and arguments, acknowledgements.
    """
    if _CONTROL.fullmatch(text):
        return True
    event = _EVENT.fullmatch(text)
    if event is None:
        return False
    try:
        arguments = json.loads(event[1])
    except ValueError:
        return False
    return bool(arguments) and (text[1] == "3" or isinstance(arguments[0], str))


def _depth(text: str) -> int:
    """Return an upper bound of the nesting of a JSON message."""
    depth = deepest = 0
    for letter in text:
        if letter in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif letter in "]}":
            depth -= 1
    return deepest


def _with_policy(send: Send) -> Send:
    """Return a sender that adds headers to each answer; pages are not to be stored."""

    async def send_with_policy(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower(), text) for name, text in message["headers"]]
            is_cached = any(name == b"cache-control" for name, _ in own)
            message = {**message, "headers": [*own, *_POLICY, *(() if is_cached else (_NO_STORE,))]}
        await send(message)

    return send_with_policy


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": reason})
    else:
        answer = PlainTextResponse(f"refused: {reason}\n", status)
        await answer(scope, receive, _with_policy(send))
