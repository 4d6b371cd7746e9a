"""Two people with a browser each, from the link that one gives the other to "Play again"."""

import json
import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from pucklab.sim.bumpers import MatShift
from pucklab.sim.bumpers.game import BUMPERS
from pucklab.sim.bumpers.game.player_kinds import PLAYERS
from pucklab.sim.core.game import Decision
from tests.browsers import HIDE, started_browser
from tests.commands import wait_until
from tests.test_render_browser_keys import match_of, names_to_press
from tests.test_render_browser_server import free_port, server

WAIT_S, GAME_S = 240, 900
DESK, UPRIGHT, ACROSS = (1280, 800), (400, 860), (780, 360)
SAID = "return document.querySelector('.say')?.innerText || ''"
COUNT = "return document.querySelector('#count')?.innerText.replace('\\n', ', ') || ''"
CLICK = (
    "const one = [...document.querySelectorAll('button, .q-item')]"
    ".find((it) => it.textContent.trim() === {}); one?.click(); return Boolean(one);"
)
MIDDLE = (
    "const name = (it) => it.ariaLabel || it.innerText;"
    "const one = [...document.querySelectorAll({})].find((it) => name(it).startsWith({}));"
    "if (!one) return null; one.scrollIntoView({{block: 'center'}});"
    "const box = one.getBoundingClientRect();"
    "return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round);"
)


class Person:
    """Somebody at a browser, and what the page said."""

    def __init__(self, browser, name, size, kind, told):
        self.browser, self.name, self.kind, self._told = browser, name, kind, told
        browser._cdp("Page.addScriptToEvaluateOnNewDocument", source=HIDE)
        browser._cdp("Emulation.setTouchEmulationEnabled", enabled=kind == "touch")
        self.hold(size)
        self._last = {}

    def hold(self, size):
        """Look at a screen of a size, upright or across."""
        width, height = size
        self.browser._cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                          deviceScaleFactor=1, mobile=self.kind == "touch")  # fmt: skip

    def visit(self, address):
        self.browser._call("POST", "/url", {"url": address})
        self.browser.wait_for("window.did_handshake")

    def click(self, words):
        wait_until(lambda: self.browser.run(CLICK.format(json.dumps(words))), WAIT_S)

    def choose(self, label, words):
        """Choose something from a list, which a busy page may open late."""

        def choose():
            if not self.browser.run("return Boolean(document.querySelector('[role=option]'))"):
                self.press(label, ".q-select")
                time.sleep(1)
            self.press(words, "[role=option]")
            chosen = "[...document.querySelectorAll('.q-select')].map((it) => it.innerText)"
            return any(words in own for own in self.browser.run(f"return {chosen}"))

        wait_until(choose, WAIT_S)

    def call(self):
        """Type the own name."""
        self.browser.wait_for("document.querySelector('input[aria-label=\"Your name\"]')")
        self.browser.run(
            "const box = document.querySelector('input[aria-label=\"Your name\"]');"
            "box.focus(); box.select();"
        )
        self.browser.keys(self.name)

    def invite(self):
        """Return the link that the page has for a friend."""
        link = "document.querySelector('.q-dialog .break-all')?.innerText"

        def ask():  # again, if the page was not yet back from its server's end
            self.browser.run(CLICK.format(json.dumps("Invite a friend")))
            time.sleep(2)
            return self.browser.run(f"return {link}")

        wait_until(ask, WAIT_S)
        link = self.browser.run(f"return {link}")
        self.browser.keys("\ue00c")  # Escape
        self.browser.wait_for("!document.querySelector('.q-dialog')")
        return link

    def listen(self):
        """What the page says; new words go into the transcript."""
        words = " / ".join(self.browser.run(SAID).splitlines())
        for kind, new in (("count", self.browser.run(COUNT)), ("says", words)):
            if new != self._last.get(kind, ""):
                self._last[kind] = new
                self._told.append(f"{self.name}: {'(count) ' * (kind == 'count')}{new}")
        return words

    def press(self, begin, where="button, .stops rect"):
        """Press what is called so in the middle, with the mouse or a finger, if it is there."""
        at = self.browser.run(MIDDLE.format(json.dumps(where), json.dumps(begin)))
        if at:
            self.browser.drag(tuple(at), tuple(at), self.kind)
        return bool(at)

    def throw(self):
        """Flick over the stack; or, while a throw is shown, tap to see its end."""
        at = self.browser.run(
            "const one = document.getElementById('canvas'); one.scrollIntoView({block: 'nearest'});"
            "const box = one.getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2, box.height];"
        )
        x, y, height = map(round, at)
        self.browser.flick((x, y), (x, y - height // 5), self.kind, 0.05)

    def take_turn(self):
        """Do what the page asks for."""
        said = self.listen()
        if said.startswith("Your turn: flick"):
            self.throw()
        elif said.startswith("In the air"):
            self.tap()
        elif self.browser.run("return Boolean(document.querySelector('.opt .best'))"):
            self.press("Take", ".opt .best")

    def tap(self):
        """Tap on the arena, for the end of the throw that is shown."""
        at = self.browser.run(
            "const box = document.getElementById('canvas').getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + 60].map(Math.round);"
        )
        self.browser.drag(tuple(at), tuple(at), self.kind)

    def check_width(self):
        """Check that nothing sticks out at the side."""
        assert self.browser.run("return document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def people(request):
    """Give two people, what their pages said, and a stack for what is to be closed."""
    told = []
    with ExitStack() as stack:
        kinds = (("Ann", DESK, "mouse"), ("Mia", UPRIGHT, "touch"))
        ann, mia = (
            Person(stack.enter_context(started_browser()), name, size, kind, told)
            for name, size, kind in kinds
        )
        yield ann, mia, told, stack
        for person in (ann, mia):
            assert [line for line in person.browser.console() if "Uncaught" in line] == []
    if folder := os.environ.get("PUCKLAB_TRANSCRIPTS"):
        name = f"{request.node.name}.md"
        Path(folder, name).write_text("\n".join(told) + "\n", encoding="utf-8")


def begin(ann, mia, link, path, word, choices):
    """Let Ann begin a game with a friend, and Mia come by the link; return the game's address."""
    ann.visit(link.replace("/?", f"{path}?"))
    ann.call()
    for label, words in choices:
        ann.choose(label, words)
    ann.click(word)
    ann.browser.wait_for("location.pathname.startsWith('/tables/')")
    ann.browser.wait_for("document.querySelector('.say')")
    mia.visit(ann.invite())
    mia.call()
    mia.click("Sit down")
    ann.browser.wait_for("document.body.innerText.includes('Mia')")
    for person in (ann, mia):
        person.check_width()
    return ann.browser.run("return location.pathname")


@pytest.mark.slow
def test_two_people_play_a_battle_through_a_kill_and_20_s_offline(tmp_path, people):
    ann, mia, told, stack = people
    command = ("play", "--share", "--port", str(free_port()))
    link, process = stack.enter_context(server(tmp_path, *command))
    choices = (("The rival", "a friend"), ("Length", "only throws"))
    table = begin(ann, mia, link, "/battles", "Start", choices)
    journal = tmp_path / "pucklab" / "games" / f"{table.rpartition('/')[2]}.jsonl"
    until, is_killed = time.monotonic() + GAME_S, False
    while " wins after " not in ann.listen() or " wins after " not in mia.listen():
        assert time.monotonic() < until, told[-6:]
        for person in (ann, mia):
            person.take_turn()
        if not is_killed and journal.read_text().count("speed_mm_s") > 5:
            is_killed = True
            process.send_signal(signal.SIGKILL)
            process.wait()
            told.append("(The server is killed in the middle of the battle, and started again.)")
            stack.enter_context(server(tmp_path, *command))
            # Ann's page finds the table again by itself; the friend needs a new link.
            ann.browser.wait_for("document.querySelector('.say')?.innerText")
            mia.visit(ann.invite())
            told.append("(Mia's phone is offline for 20 s, and turned.)")
            network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
            mia.browser._cdp("Network.enable")
            mia.browser._cdp("Network.emulateNetworkConditions", offline=True, **network)
            time.sleep(20)
            mia.browser._cdp("Network.emulateNetworkConditions", offline=False, **network)
            mia.hold(ACROSS)
            mia.check_width()
        time.sleep(0.3)
    ann.click("Change places")
    for person in (ann, mia):
        person.browser.wait_for(
            f"location.pathname !== {json.dumps(table)} && document.querySelector('.say')"
        )
    wait_until(lambda: "Your turn" in mia.listen() or "throws" in mia.listen(), WAIT_S)
    wait_until(lambda: "Your turn" in ann.listen() or "throws" in ann.listen(), WAIT_S)


def is_in_sight(state, choice):
    """Return whether a choice moves a mat to a free place between others."""
    move, layout = getattr(choice, "move", None), state.position.layout
    row, column = move.slot if isinstance(move, MatShift) else (-1, -1)
    return 0 <= row < layout.rows and 0 <= column < layout.columns


@pytest.mark.slow
def test_two_people_play_puck_bumpers_from_the_link_to_again(tmp_path, people):
    ann, mia, told, stack = people
    port = str(free_port())
    link, _ = stack.enter_context(server(tmp_path, "play", "--share", "--port", port))
    mia.hold(ACROSS)
    table = begin(ann, mia, link, "/bumpers", "Begin", [("The rival", "a friend")])
    journal = tmp_path / "pucklab" / "games" / f"{table.rpartition('/')[2]}.jsonl"
    player, rng, until = (
        PLAYERS.of("planner-quick"),
        np.random.default_rng(1),
        time.monotonic() + GAME_S,
    )
    is_turned = False
    while True:
        assert time.monotonic() < until, told[-6:]
        match, answers = match_of(journal)
        for person in (ann, mia):
            person.listen()
        if match.open is None:
            break
        person = (ann, mia)[match.open.seat if isinstance(match.open, Decision) else 0]
        step = person.browser.run(
            "return Number(document.querySelector('[data-step]').dataset.step)"
        )
        is_asked = (
            isinstance(match.open, Decision) and BUMPERS.only(match.state, match.open) is None
        )
        if not is_asked or step != answers or "One moment" in person.listen():
            time.sleep(0.1)
            continue
        choice = player.choose(match.state, match.open, rng)
        if isinstance(getattr(choice, "move", None), MatShift):
            choice = next(one for one in match.open.options if is_in_sight(match.state, one))
        names = names_to_press(match.state, choice)
        while match_of(journal)[1] == answers:  # again, if it was drawn anew under the press
            assert time.monotonic() < until, (names, told[-6:])
            any(person.press(name) for name in reversed(names))
            time.sleep(0.7)
        if answers >= 40 and not is_turned:
            is_turned = True
            mia.hold(UPRIGHT)
            mia.check_width()
    for person in (ann, mia):
        wait_until(lambda person=person: "win" in person.listen().lower(), WAIT_S)
    mia.click("Play again")
    for person in (ann, mia):
        person.browser.wait_for(
            f"location.pathname !== {json.dumps(table)} && document.querySelector('.stops rect')"
        )
        assert person.listen()
