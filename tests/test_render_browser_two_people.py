"""Two people with a browser each, from the link to "Play again"."""

import json
import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browsers import HIDE, started_browser
from tests.commands import wait_until
from tests.test_render_browser_server import free_port, server

WAIT_S = 240
SAID = "return document.querySelector('.say')?.innerText || ''"
CLICK = (
    "const one = [...document.querySelectorAll('button, .q-item')]"
    ".find((it) => it.textContent.trim() === {}); one?.click(); return Boolean(one);"
)
TYPE = (
    "const box = document.querySelector('input[aria-label=\"Your name\"]');"
    "box.focus(); box.select();"
)


class Person:
    """Somebody at a browser, and what the page said."""

    def __init__(self, browser, name, size, kind, told):
        self.browser, self.name, self.kind, self._told = browser, name, kind, told
        browser._call("POST", "/window/rect", dict(zip(("width", "height"), size, strict=True)))
        browser._cdp("Page.addScriptToEvaluateOnNewDocument", source=HIDE)
        self._last = ""

    def visit(self, address):
        self.browser._call("POST", "/url", {"url": address})
        self.browser.wait_for("window.did_handshake")

    def click(self, words):
        wait_until(lambda: self.browser.run(CLICK.format(json.dumps(words))), WAIT_S)

    def call(self):
        """Type the own name."""
        self.browser.wait_for("document.querySelector('input[aria-label=\"Your name\"]')")
        self.browser.run(TYPE)
        self.browser.keys(self.name)

    @property
    def said(self):
        """What the page says; new words go into the transcript."""
        words = " / ".join(self.browser.run(SAID).splitlines())
        if words != self._last:
            self._last = words
            self._told.append(f"{self.name}: {words}")
        return words

    def press(self, selector):
        """Press something in the middle, with the mouse or a finger."""
        box = self.browser.run(
            f"const one = document.querySelector({json.dumps(selector)});"
            "if (!one) return null; one.scrollIntoView({block: 'center'});"
            "const box = one.getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round);"
        )
        if box:
            self.browser.drag(tuple(box), tuple(box), self.kind)
        return box is not None

    def flick(self):
        """Flick over the stack."""
        left, top, width, height = self.browser.run(
            "const one = document.getElementById('arena');"
            "one.scrollIntoView({block: 'nearest'}); const box = one.getBoundingClientRect();"
            "return [box.left, box.top, box.width, Math.min(box.height, innerHeight - box.top)];"
        )
        middle = round(left + width / 2), round(top + height / 2)
        end = middle[0], middle[1] - round(height / 5)
        self.browser.drag(middle, end, self.kind)

    def take_turn(self):
        """Do what the page asks for."""
        said = self.said
        if said.startswith("Your turn: flick"):
            self.flick()
            time.sleep(0.5)
        elif self.browser.run("return Boolean(document.querySelector('.opt .best'))"):
            self.press(".opt .best")
            time.sleep(0.3)


def disconnect(person, seconds):
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    person.browser._cdp("Network.enable")
    person.browser._cdp("Network.emulateNetworkConditions", offline=True, **network)
    time.sleep(seconds)
    person.browser._cdp("Network.emulateNetworkConditions", offline=False, **network)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "kind"), [((400, 860), "touch"), ((780, 360), "touch")])
def test_two_people_play_a_battle_from_the_link_to_again(tmp_path, size, kind, request):
    told = []
    with ExitStack() as stack:
        ann = Person(stack.enter_context(started_browser()), "Ann", (1280, 800), "mouse", told)
        mia = Person(stack.enter_context(started_browser()), "Mia", size, kind, told)
        port = str(free_port())
        link, process = stack.enter_context(server(tmp_path, "play", "--port", port))
        ann.visit(link.replace("/?", "/battles?"))
        ann.call()
        for place, words in ((2, "a friend"), (3, "only throws")):
            ann.browser.run(f"document.querySelectorAll('.q-select')[{place}].click()")
            ann.click(words)
        ann.click("Start")
        ann.browser.wait_for("window.pucklab?.arena")
        table = ann.browser.run("return location.pathname")
        mia.visit(link.replace("/?", f"{table}?"))
        mia.call()
        mia.click("Sit down")
        ann.browser.wait_for("document.body.innerText.includes('Mia')")
        assert ann.browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert mia.browser.run("return document.documentElement.scrollWidth <= innerWidth")
        until, turns, is_killed = time.monotonic() + 3 * WAIT_S, 0, False
        while " wins after " not in ann.said or " wins after " not in mia.said:
            assert time.monotonic() < until, told[-6:]
            for person in (ann, mia):
                person.take_turn()
            turns += 1
            if turns > 12 and not is_killed:
                is_killed = True
                process.send_signal(signal.SIGKILL)
                process.wait()
                told.append("(the server is killed)")
                again = stack.enter_context(server(tmp_path, "play", "--port", port))
                told.append("(the server is back; Mia's phone is offline for 20 s)")
                disconnect(mia, 20)
                ann.visit(again[0].replace("/?", f"{table}?"))
            time.sleep(0.3)
        ann.click("Change places")
        mia.browser.wait_for(f"location.pathname !== {json.dumps(table)}")
        wait_until(lambda: "Your turn" in mia.said or "throws" in mia.said, WAIT_S)
        errors = [line for line in ann.browser.console() if "Uncaught" in line]
        assert errors == []
    if folder := os.environ.get("PUCKLAB_TRANSCRIPTS"):
        name = f"{request.node.callspec.id}.md"
        Path(folder, name).write_text("\n\n".join(told), encoding="utf-8")
