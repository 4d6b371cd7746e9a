"""The check around the server: host, origin, session and limits."""

import asyncio
import json
import stat
from dataclasses import replace

import pytest

from pucklab.render.browser.guard import MAX_BYTES, MAX_DEPTH, Guard, read_keys, write_keys
from tests.browserpages import HOST, KEYS
from tests.tables import cases, toml

SOCKET = "/_nicegui_ws/socket.io/"


class Inside:
    """An application that remembers who reached it, and with what."""

    def __init__(self):
        self.visitors = []
        self.received = []

    async def __call__(self, scope, receive, send):
        self.visitors.append(scope["state"]["visitor"])
        self.received.append(await receive())
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})


def ask(
    path = "/", kind = "http", method = "GET", query = "", body = b"",
    guard = None, inside = None, **headers,
):  # fmt: skip
    """Return the status of a request, its headers, and what is inside."""
    inside = inside or Inside()
    guard = guard or Guard(inside, KEYS, 8123)
    sent = []
    headers = {"host": HOST, **headers}
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
    }

    async def receive():
        name = "websocket.receive" if kind == "websocket" else "http.request"
        return {"type": name, "bytes" if kind == "websocket" else "body": body}

    async def send(message):
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    first = sent[0] if sent else {}
    status = first.get("status") or first.get("code", 0) - 4000
    own = {name.decode(): text.decode() for name, text in first.get("headers", [])}
    return status, own, inside


def cookie(key=KEYS.host):
    """Return the cookie that a link is exchanged for."""
    status, headers, _ = ask("/tables/a", query=f"key={key}")
    assert (status, headers["location"]) == (303, "/tables/a")
    return headers["set-cookie"].partition(";")[0]


def test_a_link_is_exchanged_for_a_cookie_and_an_address_without_its_key():
    _, headers, inside = ask("/tables/a", query=f"key={KEYS.guest}")
    assert headers["location"] == "/tables/a"
    assert "HttpOnly" in headers["set-cookie"]
    assert "samesite=lax" in headers["set-cookie"].lower()
    assert not inside.visitors


def test_a_redirect_never_leads_to_another_host():
    _, headers, _ = ask("//evil.example/x", query=f"key={KEYS.host}")
    assert headers["location"] == "/evil.example/x"


@pytest.mark.parametrize("kind", ["http", "websocket"])
@cases(
    "headers status",
    """
    {} => 403
    { cookie = "pucklab_8123=a.host.0000" } => 403
    { cookie = "COOKIE", host = "evil.example" } => 421
    { cookie = "COOKIE", host = "127.0.0.1.evil.example:8123" } => 421
    { cookie = "COOKIE", host = "" } => 421
    { cookie = "COOKIE", host = "localhost:9000", origin = "http://localhost:3000" } => 403
    { cookie = "COOKIE", origin = "http://evil.example" } => 403
    { cookie = "COOKIE", origin = "null" } => 403
    """,
    toml,
)
def test_strangers_reach_nothing(kind, headers, status):
    own = {name: cookie() if text == "COOKIE" else text for name, text in headers.items()}
    found, _, inside = ask(SOCKET, kind, **own)
    assert (found, inside.visitors) == (status, [])


def test_a_person_reads_why_as_a_page_and_a_program_as_a_line():
    for accepted, kind in (("text/html,*/*", "text/html"), ("*/*", "text/plain")):
        status, headers, _ = ask(accept=accepted)
        assert (status, headers["content-type"].partition(";")[0]) == (403, kind)


def test_a_socket_without_an_origin_is_refused():
    assert ask(SOCKET, "websocket", cookie=cookie())[0] == 403


def test_a_post_without_an_origin_is_refused():
    assert ask(SOCKET, method="POST", cookie=cookie())[0] == 403


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_who_has_opened_a_link_is_let_in(kind):
    _, _, inside = ask(SOCKET, kind, cookie=cookie(), origin=f"http://{HOST}")
    assert [visitor.is_host for visitor in inside.visitors] == [True]


def test_a_guest_is_not_the_host_and_cannot_say_so():
    own = cookie(KEYS.guest)
    _, _, inside = ask(cookie=own)
    assert not inside.visitors[0].is_host
    assert ask(cookie=own.replace(".guest.", ".host."))[0] == 403


def test_answers_tell_browsers_to_keep_and_frame_nothing():
    _, headers, _ = ask(cookie=cookie())
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["content-security-policy"] == "frame-ancestors 'self'"


@pytest.mark.parametrize(
    "body", [b"x" * (MAX_BYTES + 1), b"[" * (MAX_DEPTH + 1), b'{"a":' * (MAX_DEPTH + 1)]
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_messages_too_large_or_deep_end_the_connection(kind, body):
    method = "POST" if kind == "http" else ""
    _, _, inside = ask(SOCKET, kind, method, body=body, cookie=cookie(), origin=f"http://{HOST}")
    assert inside.received[0]["type"].endswith("disconnect")


def test_a_flood_of_requests_is_refused_for_its_visitor_alone():
    inside = Inside()
    guard = Guard(inside, KEYS, 8123)
    own, other = cookie(), cookie()
    found = {ask(guard=guard, inside=inside, cookie=own)[0] for _ in range(600)}
    assert found == {200, 429}
    assert ask(guard=guard, inside=inside, cookie=other)[0] == 200


def test_keys_are_kept_in_a_file_that_only_its_owner_reads(tmp_path):
    path = tmp_path / "data" / "server.json"
    keys = read_keys(path)
    write_keys(path, replace(keys, port=9000))
    assert read_keys(path) == replace(keys, port=9000)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "[]", '{"host": 1}', json.dumps({"host": "short"})])
def test_damaged_keys_are_drawn_anew(write, text):
    path = write("server.json", text)
    keys = read_keys(path)
    assert len({keys.host, keys.guest, keys.session}) == 3
    assert min(map(len, (keys.host, keys.guest, keys.session))) >= 20
