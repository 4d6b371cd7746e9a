"""The server among strangers, guests and proxies: a real one, and raw clients that visit it."""

import os
import re
import select
import signal
import socket
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.commands import fail, not_windows, wait_until
from tests.rawclients import Visitor
from tests.test_render_browser_server import free_port, server

HARD = "pb1:classic:RPa1c3p9.BPa4e5.GPh8:-:R:-"
"""A position whose moves keep the solver busy for seconds each."""


@contextmanager
def forwarding(port, prefix="", header=""):
    """Give the port of a forwarder; with a header it is a proxy that takes a prefix off paths."""
    listener = socket.create_server(("127.0.0.1", 0))

    def forward(own):
        with own, socket.create_connection(("127.0.0.1", port)) as other:
            if header:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += own.recv(65536)
                head = head.replace(f" {prefix}/".encode(), b" /", 1)
                own_lines = f"\r\n{header}\r\n"
                if b"upgrade: websocket" not in head.lower():
                    own_lines += "Connection: close\r\n"
                    head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head, count=1)
                other.sendall(head.replace(b"\r\n", own_lines.encode(), 1))
            ends = {own: other, other: own}
            while True:
                for ready in select.select(list(ends), [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    ends[ready].sendall(data)

    def accept():
        while True:
            try:
                own, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=forward, args=(own,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    with closing(listener):
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def visit():
    """Give a function that returns a visitor who has opened a link."""
    made = []

    def visit(link):
        made.append(Visitor(link))
        return made[-1]

    yield visit
    for visitor in made:
        visitor.http.close()


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Give the link of a server without options."""
    with server(tmp_path_factory.mktemp("plain"), "play", "--port", str(free_port())) as (link, _):
        yield link


def port_of(link):
    return int(re.search(r":(\d+)/", link)[1])


def key_of(link):
    return link.partition("?key=")[2]


def test_a_page_comes_through_a_tunnel_to_another_port(visit, plain):
    with forwarding(port_of(plain)) as tunnel:
        visitor = visit(f"http://localhost:{tunnel}/?key={key_of(plain)}")
        page = visitor.open("/battles")
        assert page.click("Start")
        assert page.listen_until(lambda: "open" in [kind for kind, _ in page.told])


def test_another_name_is_refused_with_the_option_that_helps(plain):
    answer = httpx.get(plain, headers={"Host": "Lab.example.org:8443"})
    assert answer.status_code == 421
    assert "start it with --host lab.example.org" in answer.text
    odd = httpx.get(plain, headers={"Host": "<b>\x7f</b>"})
    assert (odd.status_code, "<b>" in odd.text) == (421, False)


def test_named_hosts_are_answered_at_any_port_and_below_a_prefix(tmp_path):
    options = ("--host", "Lab.example.org", "--host", "other.example")
    with server(tmp_path, "play", "--port", str(free_port()), *options) as (link, _):
        base = link.partition("/?")[0]
        own = {"Host": "lab.example.org:8443", "X-Forwarded-Prefix": "/pucks"}
        with httpx.Client(base_url=base, headers=own) as client:
            came = client.get(f"/battles?key={key_of(link)}")
            assert (came.status_code, came.headers["location"]) == (303, "/pucks/battles")
            client.headers["Cookie"] = came.headers["set-cookie"].partition(";")[0]
            assert 'src="/pucks/_nicegui/' in client.get("/battles").text
            origin = {"Origin": "https://lab.example.org:8443"}
            assert client.post("/battles", headers=origin).status_code == 405
            others = {"Origin": "https://other.example"}
            assert client.post("/battles", headers=others).status_code == 403
            for prefix in ("//evil.example", '/"><script>', "/a\\b"):
                text = client.get("/battles", headers={"X-Forwarded-Prefix": prefix}).text
                assert prefix not in text
        # Some proxies call the server by its address, and browsers by the name of the proxy.
        cookie = client.headers["Cookie"]
        rewritten = {"Host": "127.0.0.1", "Origin": "https://other.example", "Cookie": cookie}
        assert httpx.post(f"{base}/battles", headers=rewritten).status_code == 405


@pytest.mark.parametrize("name", ["http://lab.example", "lab:80", "", "a..b", "-x y", "ä..de"])
def test_what_is_no_name_of_a_host_is_refused(name):
    fail("play --no-browser", "--host", name, said="give a name without http:// and port")


def test_without_a_named_host_no_prefix_is_believed(plain):
    came = httpx.get(plain, headers={"X-Forwarded-Prefix": "/pucks"})
    assert came.headers["location"] == "/"


def test_nothing_from_outside_reaches_the_terminal_raw(visit, tmp_path):
    escape = "\x1b]0;gotcha\x07\x9b31m\u202e"
    with server(tmp_path, "play", "--port", str(free_port())) as (link, process):
        visitor = visit(link)
        page = visitor.open("/battles")
        for level in ("debug", "info", "warning", "error"):
            told = {"client_id": page.client, "level": level, "message": f"{escape}\nforged"}
            page._emit("log", told)
        assert visitor.http.get(f"{visitor.address}/none%1B%5D0;gotcha%07").status_code == 404
        page._emit("event", {"client_id": page.client, "id": 0, "listener_id": escape, "args": []})
        page.listen(1)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert "gotcha" not in printed
    assert all(sign.isprintable() or sign == "\n" for sign in printed)


def test_a_socket_does_not_take_over_the_page_of_another_visitor(visit, tmp_path):
    with server(tmp_path, "play", "--share", "--port", str(free_port())) as (link, process):
        guests = guest_link(process)
        host, guest = visit(link), visit(guests)
        query = "EIO=4&transport=websocket&implicit_handshake=true&tab_id=a&document_id=b"
        answers = []
        for visitor in (guest, host):
            text = host.http.get(host.address + "/battles").text
            client = re.search(r"'client_id': '([\w-]+)'", text)[1]
            cookies = "; ".join(f"{one.name}={one.value}" for one in visitor.http.cookies.jar)
            with connect(
                f"{host.address}/_nicegui_ws/socket.io/?{query}&client_id={client}".replace(
                    "http", "ws", 1
                ),
                origin=host.address,
                additional_headers={"Cookie": cookies},
            ) as own:
                own.recv(timeout=60)
                own.send("40")
                answers.append(own.recv(timeout=60)[:2])
        assert answers == ["44", "40"]


def guest_link(process):
    """Return the link for guests that a server prints, on this machine."""
    for line in process.stdout:
        if found := re.search(r"http://[^/]+:(\d+)(/\S*key=\S+)", line):
            return f"http://127.0.0.1:{found[1]}{found[2]}"
    raise AssertionError("no link for guests")


def test_a_new_link_ends_the_old_one_and_the_cookies_and_sockets_it_gave(visit, tmp_path):
    port = str(free_port())
    with server(tmp_path, "play", "--share", "--port", port) as (link, process):
        first = guest_link(process)
        host, guest = visit(link).open("/battles"), visit(first)
        page = guest.open("/battles")
        assert host.click("New link")
        assert host.listen_until(
            lambda: (found := re.search(r"key=([\w-]{32})", host.words)) and found[1] not in first
        )
        second = first.partition("key=")[0] + re.search(r"key=[\w-]{32}", host.words)[0]
        assert httpx.get(first).status_code == 403
        assert guest.http.get(guest.address + "/battles").status_code == 403
        assert host.listen_until(lambda: page.listen(0) or not page.is_open, 30)
        name = cookie_name(guest)
        assert guest.http.get(second).status_code == 200
        assert cookie_name(guest) == name, "the seats of this visitor are kept"
    with server(tmp_path, "play", "--share", "--port", port) as (again, process):
        assert again == link
        assert guest_link(process) not in (first, second)
        assert guest.http.get(guest.address + "/battles").status_code == 403


def cookie_name(visitor):
    return next(iter(visitor.http.cookies.jar)).value.partition(".")[0]


def test_connections_of_strangers_are_few_and_short(visit, plain):
    page = visit(plain).open("/battles")
    strangers = [socket.create_connection(("127.0.0.1", port_of(plain))) for _ in range(80)]
    for stranger in strangers[::2]:
        stranger.sendall(b"GET / HTTP/1.1\r\n")
    wait_until(lambda: sum(map(is_closed, strangers)) >= 30)
    assert not is_closed(strangers[-1])
    assert httpx.get(plain).status_code == 303
    assert page.listen_until(lambda: all(map(is_closed, strangers)), 30)
    assert page.is_open
    assert page.click("Start")
    for stranger in strangers:
        stranger.close()


def is_closed(connection):
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def children(process):
    """Return the processes that a process has begun, those they have begun included."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(one) for one in found] + [more for one in found for more in children(one)]


def workers(process):
    """Return the memory of each process that works for a server, in MB."""
    found = {}
    for one in children(process):
        try:
            command = Path(f"/proc/{one}/cmdline").read_bytes()
            held = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{one}/status").read_text())
        except (FileNotFoundError, ProcessLookupError):
            continue
        if b"resource_tracker" not in command and held:
            found[one] = int(held[1]) / 1000
    return found


def is_told(page):
    """Return whether a page tells the length of a move."""
    return bool(re.search(r": \d+ (actions?|or more)", str(page.elements)))


def used_s(process):
    """Return the processor time of the processes that work for a server, in s."""
    stats = (Path(f"/proc/{one}/stat").read_text().split() for one in workers(process))
    return sum(int(stat[13]) + int(stat[14]) for stat in stats) / os.sysconf("SC_CLK_TCK")


@not_windows
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")
def test_fifty_pages_of_a_guest_that_ask_the_solver_hold_two_processes_and_400_mb(visit, tmp_path):
    with server(tmp_path, "play", "--share", "--port", str(free_port())) as (_, process):
        guest = visit(guest_link(process))
        pages = [guest.open(f"/boards/{number}?position={HARD}") for number in range(50)]
        for page in pages:
            page.press("a")
        most, held, until = 0, 0.0, time.monotonic() + 180
        while time.monotonic() < until and not any(map(is_told, pages)):
            now = workers(process.pid)
            most, held = max(most, len(now)), max(held, sum(now.values()))
            for page in pages:
                page.listen(0.001)
        assert any(map(is_told, pages))
        assert max(held, sum(workers(process.pid).values())) < 400
        assert 1 <= most <= 2
        assert any("This waits until other work is done" in page.words for page in pages)
        assert any("The server is busy" in page.words for page in pages)
        for page in pages:
            page.close()
        wait_until(lambda: len(workers(process.pid)) <= 2, 60)
        used = used_s(process.pid)
        time.sleep(3)
        assert used_s(process.pid) < used + 1, "work has ended with its pages"
