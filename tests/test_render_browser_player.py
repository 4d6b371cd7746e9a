"""The player of slams on the pages of a real server, in a real browser."""

import re
from contextlib import contextmanager

import numpy as np
import pytest

from tests.browsers import HIDE
from tests.commands import wait_until
from tests.test_render_browser_server import free_port, server, show
from tests.test_render_browser_strangers import forwarding, key_of

SIZE = (1100, 800)
INSIDE = "const p = document.querySelector('iframe').contentWindow;"
ASK = f"{INSIDE} return p.pucklab && "


@pytest.fixture(scope="module")
def link(tmp_path_factory):
    with server(tmp_path_factory.mktemp("player"), "play", "--port", str(free_port())) as (link, _):
        yield link


@contextmanager
def page(browser, link, path, *, has_webgl=True):
    """Open a page whose player is ready, and leave it afterwards."""
    hide = None if has_webgl else browser._cdp("Page.addScriptToEvaluateOnNewDocument", source=HIDE)
    browser.console()
    show(browser, link.replace("/?", f"{path}?"), SIZE)
    wait_until(lambda: browser.run(f"{ASK} Boolean(p.pucklab.mode.stack)"), 120)
    browser.run(f"{INSIDE} p.pucklab.state.speed = '1'")
    yield browser
    if hide is not None:
        browser._cdp("Page.removeScriptToEvaluateOnNewDocument", **hide)
    browser.leave()


def throw(browser, then="true"):
    """Press Enter on the page, wait until the slam is there, and run something in the player."""
    browser.keys("\ue007")
    wait_until(lambda: browser.run(f"{ASK} !p.pucklab.mode.stack && {then}"), 120)


def words(browser):
    return browser.run("return document.querySelector('main').innerText")


def test_the_one_who_throws_sees_the_count_the_scrub_bar_and_then_the_score(chromium, link):
    with page(chromium, link, "/throws/count") as browser:
        seen = (
            f"{INSIDE} const d = p.document; return [p.pucklab.mode.aims,"
            " d.getElementById('scrub').disabled, d.getElementById('play').hidden]"
        )
        assert browser.run(seen) == [True, True, True]
        throw(browser, "(p.pucklab.play(false), true)")
        assert "1 throw" not in words(browser), "the slam is not over"
        browser.run(f"{INSIDE} p.pucklab.play(true)")
        wait_until(lambda: browser.run(seen) == [False, False, False])
        wait_until(lambda: "1 throw, " in words(browser), 120)
        said = f"{INSIDE} return p.document.getElementById('count').textContent"
        wait_until(lambda: re.match(r"\d+ FLIP|NO FLIP|MISSED", browser.run(said)))
        browser.run(f"{INSIDE} p.pucklab.seek(0)")
        assert "1 throw, " in words(browser)
        buttons = f"{INSIDE} return [...p.document.querySelectorAll('#buttons button')]"
        shown = browser.run(f"{buttons}.filter(b => !b.hidden).map(b => b.title)")
        assert not [title for title in shown if "revious" in title or "ext slam" in title]
        assert [line for line in browser.console() if "favicon" not in line] == []


def test_keys_of_the_page_work_after_a_click_into_the_player(chromium, link):
    with page(chromium, link, "/throws/keys") as browser:
        throw(browser)
        wait_until(lambda: "1 throw, " in words(browser), 120)
        left, top = browser.run(
            "const box = document.querySelector('iframe').getBoundingClientRect();"
            "return [Math.round(box.left + 60), Math.round(box.top + 60)]"
        )
        browser.drag((left, top), (left, top))
        assert browser.run("return document.activeElement.tagName") == "IFRAME"
        browser.keys("t")
        wait_until(lambda: browser.run(f"{ASK} Boolean(p.pucklab.mode.stack)"), 60)
        browser.keys("vv")  # a key of the player alone; the click has taken the camera
        assert browser.run(f"{ASK} p.pucklab.state.view") == "above"


def test_without_webgl_throws_are_drawn_plainly_and_told(chromium, link):
    with page(chromium, link, "/throws/plain", has_webgl=False) as browser:
        assert "no WebGL2" in browser.run(f"{INSIDE} return p.document.body.innerText")
        throw(browser)
        wait_until(lambda: "1 throw, " in words(browser), 120)
        assert "T sets up the next throw." in words(browser)
        drawn = f"{INSIDE} p.pucklab.drawAll(); const c = p.document.getElementById('canvas');"
        pixels = browser.run(
            f"{drawn} return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
        )
        colours = np.unique(np.reshape(pixels, (-1, 4))[:, :3], axis=0)
        assert len(colours) > 4
        browser.keys("t")
        wait_until(lambda: browser.run(f"{ASK} Boolean(p.pucklab.mode.stack)"), 60)


def test_a_slam_that_is_kept_no_longer_does_not_hold_up_the_page(chromium, link):
    with page(chromium, link, "/throws/gone") as browser:
        browser.run(
            "window.landed = 0;"
            "addEventListener('message', (event) => window.landed += event.data.landed || 0);"
            "document.querySelector('iframe').contentWindow.postMessage("
            "{play: '/slams/none'}, location.origin)"
        )
        browser.wait_for("window.landed === 1")


def test_pages_and_slams_come_through_a_proxy_below_a_prefix(chromium, tmp_path):
    port, options = free_port(), ("--host", "lab.localhost")
    with (
        server(tmp_path, "play", "--port", str(port), *options) as (link, _),
        forwarding(port, "/pucks", "X-Forwarded-Prefix: /pucks") as proxy,
    ):
        base = f"http://lab.localhost:{proxy}/pucks"
        with page(chromium, f"{base}/?key={key_of(link)}", "/throws/prefix") as browser:
            assert browser.run("return location.href") == f"{base}/throws/prefix"
            throw(browser)
            show(browser, f"{base}/", SIZE)
            browser.wait_for("document.querySelector('img').naturalWidth > 0")
            assert [line for line in browser.console() if "favicon" not in line] == []
