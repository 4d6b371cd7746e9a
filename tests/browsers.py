"""A real browser for tests: Chromium without a window, driven over WebDriver's plain HTTP."""

import base64
import io
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
import zlib
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pygame

from tests.commands import wait_until

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--hide-scrollbars",
    "--mute-audio",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
)
HIDE = (
    "const every = HTMLCanvasElement.prototype, own = every.getContext;"
    "every.getContext = function (kind, ...more) {"
    " return kind.startsWith('webgl') ? null : own.call(this, kind, ...more); };"
)
PATIENCE_S = 120.0


def facts_of(page):
    """Return the data of a page, with those that it inflates."""
    data = re.findall(r'type="application/json">(.*?)</script>', page, re.DOTALL)[0]
    facts = json.loads(data)
    if "packed" in facts:
        facts |= json.loads(zlib.decompress(base64.b64decode(facts["packed"])))
    return facts


def missing_browser():
    """Return the reason why no browser can be driven here; empty if one can."""
    if not any(shutil.which(name) for name in BROWSERS):
        return "no Chromium is installed"
    if not shutil.which("chromedriver"):
        return "chromedriver is not installed"
    return ""


@dataclass(frozen=True)
class Browser:
    """A browser with one page."""

    address: str

    def open(self, path, size=(900, 640), *, has_webgl=True, fragment="", before="", media=()):
        """Open a file in a window of a size and wait until its player is ready.

        Args:
            path: The file.
            size: Width and height of the window.
            has_webgl: False for a browser without.
            fragment: The end of the address, from its # on.
            before: A script that runs before the page's.
            media: Names and values of features that style sheets ask for.
        """
        self._call("POST", "/window/rect", dict(zip(("width", "height"), size, strict=True)))
        self.prefer(*media)
        before += "" if has_webgl else HIDE
        hide = before and self._cdp("Page.addScriptToEvaluateOnNewDocument", source=before)
        self._call("POST", "/url", {"url": "about:blank"})  # another fragment alone loads nothing
        self._call("POST", "/url", {"url": path.as_uri() + fragment})
        if hide:
            self._cdp("Page.removeScriptToEvaluateOnNewDocument", **hide)
        self.console()
        # On a busy machine the browser may answer before the page's script has begun.
        done = (
            "const done = arguments[0]; const wait = () => window.pucklab?.ready"
            " ? window.pucklab.ready.then(() => done(true)) : setTimeout(wait, 20); wait();"
        )
        self._call("POST", "/execute/async", {"script": done, "args": []})

    def prefer(self, *media):
        """Set features that style sheets ask for, by name and value; all others are the usual."""
        features = [{"name": name, "value": value} for name, value in media]
        self._cdp("Emulation.setEmulatedMedia", features=features)

    def visit(self, address, size=(900, 640)):
        """Open a page of a server in a window of a size."""
        self._call("POST", "/window/rect", dict(zip(("width", "height"), size, strict=True)))
        self._call("POST", "/url", {"url": address})

    def settle(self):
        """Wait until two pictures of the page, a second apart, are alike."""
        last = None
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            picture = self.picture()
            if last is not None and np.array_equal(picture, last):
                return
            last = picture
            time.sleep(1)

    def run(self, script):
        """Run the body of a function in the page and return its value, if need be later."""
        return self._call("POST", "/execute/sync", {"script": script, "args": []})

    def tree(self):
        """Return role and name of each element that a screen reader meets."""
        nodes = self._cdp("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", ""))
                for node in nodes if not node.get("ignored")]  # fmt: skip

    @property
    def said(self):
        """The line that the page tells."""
        return str(self.run("return document.getElementById('said').textContent"))

    def wait_for(self, condition):
        """Wait until something is so in the page."""
        wait_until(lambda: self.run(f"return {condition}"), PATIENCE_S)

    def keys(self, text):
        """Press keys, one after another."""
        steps = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": steps})

    def drag(self, begin, end, kind="mouse"):
        """Drag with a mouse or a finger (``touch``) between two places of the page."""
        steps = [
            {"type": "pointerMove", "x": begin[0], "y": begin[1], "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "x": end[0], "y": end[1], "duration": 50},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"pointerType": kind}
        self._act({"type": "pointer", "id": kind, "parameters": pointer, "actions": steps})

    def flick(self, begin, end, kind="mouse", seconds=0.05):
        """Flick with a mouse or a finger, as fast as said, however busy the machine is."""
        now = time.time()
        ways = (("Pressed", "Start", begin, now), ("Moved", "Move", end, now + seconds),
                ("Released", "End", end, now + seconds))  # fmt: skip
        for name, touch, (x, y), at in ways:
            if kind == "mouse":
                buttons = {"button": "left", "buttons": int(name != "Released"), "clickCount": 1}
                where = {"x": x, "y": y, "timestamp": at}
                self._cdp("Input.dispatchMouseEvent", type=f"mouse{name}", **where, **buttons)
            else:
                points = [] if touch == "End" else [{"x": x, "y": y}]
                own = {"type": f"touch{touch}", "touchPoints": points, "timestamp": at}
                self._cdp("Input.dispatchTouchEvent", **own)

    def picture(self):
        """Return the page as pixels, shape (height, width, 3)."""
        data = base64.b64decode(self._call("GET", "/screenshot"))
        surface = pygame.image.load(io.BytesIO(data), "page.png")
        return pygame.surfarray.array3d(surface).swapaxes(0, 1)

    def console(self):
        """Return the messages of the console since the last call."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def requests(self):
        """Return the addresses that were asked for since the last call, of a browser that logs."""
        log = self._call("POST", "/se/log", {"type": "performance"})
        events = [json.loads(entry["message"])["message"] for entry in log]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def leave(self):
        """Leave the page, which may still be drawing."""
        self._call("POST", "/url", {"url": "about:blank"})

    def _cdp(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def _act(self, device):
        self._call("POST", "/actions", {"actions": [device]})

    def _call(self, method, path, body=None):
        return _call(method, self.address + path, body)


@contextmanager
def started_browser(*logs):
    """Give a browser, which keeps further logs besides that of its console, and end it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    driver = subprocess.Popen(["chromedriver", f"--port={port}", "--silent"])
    root = f"http://127.0.0.1:{port}"
    try:
        _wait_for(root)
        binary = next(path for path in map(shutil.which, BROWSERS) if path)
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": binary, "args": [*FLAGS]},
            "goog:loggingPrefs": dict.fromkeys(("browser", *logs), "ALL"),
        }
        opened = _call("POST", f"{root}/session", {"capabilities": {"alwaysMatch": wanted}})
        own = f"{root}/session/{opened['sessionId']}"
        try:
            yield Browser(address=own)
        finally:
            _call("DELETE", own)
    finally:
        driver.terminate()
        driver.wait()


def _wait_for(root):
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            _call("GET", f"{root}/status")
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def _call(method, address, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(address, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        message = error.read().decode()
        error.close()
        raise AssertionError(message[:2000]) from None
