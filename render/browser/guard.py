"""ASGI check around the whole server, for http and websocket alike: host, origin, session, limits.

A link has a key: the host's, or the guests' that `--share` prints. The first GET with a key is
answered by a cookie and a redirect to the address without it; whoever comes without either is
refused before anything inside is reached. The cookie names the visitor and is signed, so that a
seat knows who sits in it; that of a guest lets him in as long as the guests' key is not drawn anew.
Requests are limited in size, rate and depth.
"""

import hmac
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import asdict, replace
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from pucklab.base.decoding import decode
from pucklab.base.errors import InputError, limits
from pucklab.base.facts import fact
from pucklab.base.files import read_json, write_whole
from pucklab.base.parsing import json_text
from pucklab.render.pages import message_page

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

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""Names of this machine for itself, also at the end of a tunnel."""

_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(:\d{1,5})?", re.ASCII)
_PREFIX = re.compile(r"(/[\w.~-]+){1,9}", re.ASCII)

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
        app: The application inside; it finds the `Visitor` as ``scope["state"]["visitor"]``, and as
            ``scope["state"]["site"]`` the address that a proxy has for it, or an empty text.
        keys: The secrets.
        port: Its port, which names the cookie: servers of one machine share their cookies.
        address: Name of the machine in the network; empty if it does not answer there.
        named: Names of ``--host``: of tunnels and proxies, whose port and prefix may be any.
        admit: Takes the address of each connection that has shown a secret.
    """

    def __init__(
        self,
        app: App,
        keys: Keys,
        port: int,
        *,
        address: str = "",
        named: Collection[str] = (),
        admit: Callable[[Any], object] = lambda _: None,
    ) -> None:
        self._app, self.keys, self._admit = app, keys, admit
        self._hosts, self._named = LOOPBACK | {address, *named}, frozenset(named)
        self.cookie = f"pucklab_{port}"
        self._allowances: dict[str, tuple[float, float]] = {}

    def renew(self) -> None:
        """Draw another key for guests: the old link and the cookies it gave open nothing more."""
        self.keys = replace(self.keys, guest=secrets.token_urlsafe(24))

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
        host = headers.get("host", "").lower()
        name = _name_of(host)
        if not name or name not in self._hosts:
            reason = f"start it with --host {name}" if name else "the request names no host"
            await _refuse(scope, receive, send, 421, f"this server has another name; {reason}")
            return
        origin = headers.get("origin")
        site = (origin or "").lower().partition("://")[2]
        # A proxy may call this machine by its own name.
        is_own = site == host or (name in LOOPBACK and _name_of(site) in self._named)
        if not is_own and not (is_safe and origin is None):
            await _refuse(scope, receive, send, 403, "the request comes from another site")
            return
        prefix = headers.get("x-forwarded-prefix", "").rstrip("/")
        prefix = prefix if self._named and _PREFIX.fullmatch(prefix) else ""
        visitor, may_enter = self._visitor(headers.get("cookie", ""))
        key = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]
        if key and is_safe:
            await self._exchange(key, visitor, prefix, scope, receive, send)
        elif visitor is None or not may_enter:
            await _refuse(scope, receive, send, 403, _NEEDS_LINK)
        elif not self._may_send(visitor):
            await _refuse(scope, receive, send, 429, "too many requests; wait a moment")
        else:
            self._admit(scope.get("client"))
            scheme = "https" if headers.get("x-forwarded-proto") == "https" else "http"
            site = f"{scheme}://{host}{prefix}" if name in self._named else ""
            kept = [pair for pair in scope["headers"] if pair[0] != b"x-forwarded-prefix"]
            inner = {
                **scope,
                "state": {**scope.get("state", {}), "visitor": visitor, "site": site},
                "headers": [*kept, (b"x-forwarded-prefix", prefix.encode())],
            }
            await self._app(inner, self._limit_messages(visitor, receive), _with_policy(send))

    def _visitor(self, cookies: str) -> tuple[Visitor | None, bool]:
        """Return whose cookie this is, None for a forged one or none, and whether he may enter."""
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return None, False
        name, role, mark, grant = (*(morsel.value if morsel else "").split("."), *"   ")[:4]
        if not hmac.compare_digest(mark.encode(), self._mark(name, role).encode()):
            return None, False
        is_host = role == "host"
        may_enter = hmac.compare_digest(grant.encode(), self._mark(name, self.keys.guest).encode())
        return Visitor(name=name, is_host=is_host), is_host or may_enter

    def _mark(self, *words: str) -> str:
        return hmac.new(self.keys.session.encode(), ".".join(words).encode(), "sha256").hexdigest()

    async def _exchange(
        self,
        key: str,
        visitor: Visitor | None,
        prefix: str,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Answer a link by a cookie and a redirect to the address without its key."""
        # Both are compared each time: the time tells nothing about either.
        host, guest = (
            hmac.compare_digest(key.encode(), own.encode())
            for own in (self.keys.host, self.keys.guest)
        )
        if not (host or guest):
            await _refuse(scope, receive, send, 403, _NEEDS_LINK)
            return
        name = visitor.name if visitor else secrets.token_urlsafe(12)
        role = "host" if host or (visitor and visitor.is_host) else "guest"
        # Two slashes would lead to another host.
        path = f"{prefix}/" + scope["path"].lstrip("/\\")
        asked = [
            pair for pair in parse_qsl(scope["query_string"].decode("latin-1")) if pair[0] != "key"
        ]
        answer = RedirectResponse(path + (f"?{urlencode(asked)}" if asked else ""), 303)
        value = f"{name}.{role}.{self._mark(name, role)}.{self._mark(name, self.keys.guest)}"
        answer.set_cookie(self.cookie, value, max_age=31_536_000, httponly=True, samesite="lax")
        await answer(scope, receive, _with_policy(send))

    def _limit_messages(self, visitor: Visitor, receive: Receive) -> Receive:
        """Return a receiver that ends a connection whose messages are too large, many or deep."""
        received, guest = 0, self.keys.guest

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
            is_ended = not visitor.is_host and guest != self.keys.guest
            if received > MAX_BYTES or _depth(text) > MAX_DEPTH or not is_spoken or is_ended:
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


def _name_of(host: str) -> str:
    """Return a host without its port; empty if it is none."""
    found = _HOST.fullmatch(host)
    return found[1] if found else ""


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
        accepted = dict(scope["headers"]).get(b"accept", b"")
        answer: Response = PlainTextResponse(f"refused: {reason}\n", status)
        if b"text/html" in accepted:  # somebody reads it
            answer = HTMLResponse(
                message_page("Refused", f"{reason[0].upper()}{reason[1:]}."), status
            )
        await answer(scope, receive, _with_policy(send))
