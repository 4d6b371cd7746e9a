"""A client without a browser: it gets a page by http, then speaks with its socket as the page does.

It keeps the elements of the page as the server tells them, finds them by words and kind, and sends
their events.
"""

import ast
import json
import re
import time
import uuid
from contextlib import suppress

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

_SENT = re.compile(r"return runMethod\((\d+), \"(\w+)\", (.*)\)", re.DOTALL)
_ELEMENTS = re.compile(r"String\.raw`(.*?)`\)", re.DOTALL)
_QUERY = re.compile(r"query: (\{'client_id'.*?\}),")
_ESCAPES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&#96;": "`", "&#36;": "$", "&quot;": '"'}


class Visitor:
    """A browser's cookies, which open pages of a server."""

    def __init__(self, link):
        self.address = link.partition("?")[0].rstrip("/")
        self.http = httpx.Client(timeout=60, follow_redirects=True)
        self.http.get(link)
        self.pages = []

    def open(self, path):
        """Return a page, connected."""
        self.pages.append(Page(self, path))
        return self.pages[-1]

    def close(self):
        """Close the browser."""
        for page in self.pages:
            page.close()
        self.http.close()


class Page:
    """A page that is open.

    Attributes:
        elements: Its elements by their ids, as the server last told them.
        told: What it was told beside: messages with their kind, calls of methods with their name.
    """

    def __init__(self, visitor, path):
        self.path = path
        answer = visitor.http.get(visitor.address + path)
        self.status, text = answer.status_code, answer.text
        assert self.status == 200, text[:200]
        found = _ELEMENTS.search(text)[1]
        for name, sign in _ESCAPES.items():
            found = found.replace(name, sign)
        self.elements = {int(key): one for key, one in json.loads(found).items()}
        query = ast.literal_eval(_QUERY.search(text)[1])
        self.client = query["client_id"]
        own = {"EIO": "4", "transport": "websocket", "tab_id": uuid.uuid4().hex}
        query |= own | {"old_tab_id": "null", "document_id": uuid.uuid4().hex}
        asked = "&".join(f"{key}={str(part).lower()}" for key, part in query.items())
        site = visitor.address.replace("http", "ws", 1)
        cookies = "; ".join(f"{one.name}={one.value}" for one in visitor.http.cookies.jar)
        self._socket = connect(
            f"{site}/_nicegui_ws/socket.io/?{asked}",
            origin=visitor.address,
            additional_headers={"Cookie": cookies},
            max_size=None,
        ).__enter__()  # the page is closed by hand
        self._socket.recv(timeout=60)
        self._socket.send("40")
        self._next = 0
        self.told = []
        self.is_open = True

    def listen(self, seconds=0.0):
        """Take what the server tells within some seconds."""
        until = time.monotonic() + seconds
        while self.is_open:
            left = until - time.monotonic()
            try:
                packet = self._socket.recv(timeout=max(left, 0.0005))
            except TimeoutError:
                if left <= 0:
                    return
                continue
            except (ConnectionClosed, OSError):
                self.is_open = False
                return
            if isinstance(packet, bytes):  # a file to download
                continue
            if packet == "2":
                self._send("3")
            elif packet.startswith("42"):
                self._take(*json.loads(packet[2:]))

    def listen_until(self, condition, within_s=60.0):
        """Listen until something is so; return whether it is."""
        until = time.monotonic() + within_s
        while not condition():
            if time.monotonic() > until or not self.is_open:
                return False
            self.listen(0.05)
        return True

    def _take(self, kind, message):
        if message.get("_id", self._next) < self._next:
            return
        self._next = message.pop("_id", self._next) + 1
        if kind == "update":
            for key, element in message.items():
                if element is None:
                    self.elements.pop(int(key), None)
                else:
                    self.elements[int(key)] = element
        elif kind == "run_javascript" and (call := _SENT.search(message["code"])):
            self.told.append((call[2], json.loads(call[3])))
        else:
            self.told.append((kind, message))
        if self._next % 20 == 0:  # as a page does every three seconds
            self._emit("ack", {"client_id": self.client, "next_message_id": self._next})

    def _send(self, text):
        try:
            self._socket.send(text)
        except (ConnectionClosed, OSError):
            self.is_open = False

    def _emit(self, kind, message):
        self._send("42" + json.dumps([kind, message]))

    def shown(self):
        """Return the ids of the elements that hang together with the page, in order."""
        found, left = [], [0]
        while left:
            key = left.pop()
            if key in self.elements:
                found.append(key)
                left += reversed(self.elements[key].get("children", []))
        return found

    def find(self, words="", **kinds):
        """Return the id of the first element that `find_all` finds, or None."""
        return next(iter(self.find_all(words, **kinds)), None)

    def find_all(self, words="", tag="", listens=""):
        """Return the ids of elements by text or label, tag, and an event that they listen to."""
        found = []
        for key in self.shown():
            one = self.elements[key]
            props = one.get("props", {})
            own = (one.get("text"), props.get("label"), props.get("aria-label"))
            events = [event["type"] for event in one.get("events", ())]
            fits = not words or words in own
            if fits and tag in one["tag"] and (not listens or listens in events):
                found.append(key)
        return found

    @property
    def words(self):
        """All text that is shown."""
        return "\n".join(
            str(text)
            for key in self.shown()
            for text in (
                self.elements[key].get("text"),
                self.elements[key].get("props", {}).get("label"),
            )
            if text
        )

    def send(self, key, kind, *arguments):
        """Send an event of an element; return whether it listens to such."""
        for event in self.elements.get(key, {}).get("events", ()):
            if event["type"] == kind:
                self._emit(
                    "event",
                    {
                        "client_id": self.client,
                        "id": key,
                        "listener_id": event["listener_id"],
                        "args": [json.dumps(one) for one in arguments],
                    },
                )
                return True
        return False

    def click(self, words):
        """Click a button; return whether there is one."""
        key = self.find(words, listens="click")
        return key is not None and self.send(key, "click")

    def press(self, name, *, held=False):
        """Press a key."""
        key = {"action": "keydown", "key": name, "code": name, "location": 0, "repeat": held}
        key |= dict.fromkeys(("altKey", "ctrlKey", "shiftKey", "metaKey"), False)
        return self.send(self.find(tag="keyboard"), "key", key)

    def close(self):
        """Leave the page."""
        with suppress(ConnectionClosed, OSError):
            self._socket.close()
        self.is_open = False
