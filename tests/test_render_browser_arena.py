"""The arena of a battle's page in a real browser: the page computes throws, or says why not."""

import json
from contextlib import contextmanager

import pytest

from pucklab.physics.slam_line import read_slam_line
from pucklab.sim.pokepucks.battle.questions import ThrowCall
from tests.browsers import HIDE, missing_browser
from tests.commands import wait_until
from tests.slowness import slow
from tests.test_render_browser_faults import lines_of, questions_of
from tests.test_render_browser_server import PATIENCE_S, click, free_port, server, show

pytestmark = pytest.mark.skipif(bool(missing_browser()), reason=missing_browser())
DESK, PHONE = (1280, 800), (416, 860)
CLIP = "window.pucklab?.arena?.state.clip"
NO_WASM = "WebAssembly.compile = () => Promise.reject(new Error('refused'));"
DEAD_WORKERS = (
    "window.Worker = class { terminate() {} postMessage() {"
    " setTimeout(() => this.onerror(new Event('error'))); } };"
)


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """Give a folder and the link of a server whose games are in it."""
    folder = tmp_path_factory.mktemp("arena")
    with server(folder, "play", "--port", str(free_port())) as (link, _):
        yield folder, link


@contextmanager
def battle(browser, link, size=DESK, *, before="", media=()):
    """Open a battle in which the visitor throws first, and give the path of its table."""
    browser.leave()
    browser.prefer(*media)
    hidden = before and browser._cdp("Page.addScriptToEvaluateOnNewDocument", source=before)
    try:
        show(browser, link.replace("/?", "/battles?"), size)
        browser.wait_for("window.did_handshake && document.querySelectorAll('.q-select')[3]")
        for place, words in ((2, "plays simply"), (3, "only throws")):
            browser.run(f"document.querySelectorAll('.q-select')[{place}].click()")
            click(browser, words)
        click(browser, "Start")
        browser.wait_for("document.querySelector('.say')?.innerText.startsWith('Your turn: flick')")
        browser.wait_for("window.pucklab?.arena?.state.still")
        yield browser.run("return location.pathname")
    finally:
        if hidden:
            browser._cdp("Page.removeScriptToEvaluateOnNewDocument", **hidden)
        browser.prefer()
        browser.leave()


def flick(browser, kind="mouse"):
    """Flick over the stack, away from the viewer."""
    left, top, width, height = browser.run(
        "const box = document.getElementById('canvas').getBoundingClientRect();"
        "return [box.left, box.top, box.width, box.height];"
    )
    x = round(left + width / 2)
    browser.flick((x, round(top + 0.8 * height)), (x, round(top + 0.4 * height)), kind)


def thrown_in(folder, path):
    """Return the outcomes of the throws of a table's journal."""
    match, _ = questions_of(lines_of(folder, path))
    return [step.answer for step in match.steps if isinstance(step.before.ask, ThrowCall)]


@pytest.mark.parametrize(("kind", "size"), [slow("mouse", DESK), ("touch", PHONE)])
def test_a_flick_is_computed_in_the_page_as_the_journal_has_it(chromium, serving, kind, size):
    folder, link = serving
    with battle(chromium, link, size) as path:
        flick(chromium, kind)
        chromium.wait_for(CLIP)
        (outcome,) = thrown_in(folder, path)[:1]
        assert outcome.throw.speed_mm_s > 500
        marks, hit = chromium.run(
            "const { slam, hit } = pucklab.arena.state.clip;"
            "return [slam.pieces.map((piece) => piece.mark), hit];"
        )
        flipped = tuple(k for k, mark in enumerate(marks[:-1]) if mark == "flipped")
        assert (flipped, hit) == (outcome.flipped, outcome.hit)
        assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
        chromium.run("pucklab.arena.seek(1e9)")
        chromium.wait_for("!document.querySelector('.say').innerText.startsWith('In the air')")
        assert not [line for line in chromium.console() if "arena" in line]


@pytest.mark.parametrize(
    ("before", "media", "said"),
    [
        (HIDE, (), "This browser has no WebGL2: throws are seen from above."),
        (NO_WASM, (), "This throw is not shown here: this browser has no WebAssembly."),
        (DEAD_WORKERS, (), "This throw is not shown here: a throw at this scene takes over 5 "),
        ("", (("prefers-reduced-motion", "reduce"),), ""),
    ],
    ids=["no WebGL", "no WebAssembly", "dead workers", "reduced motion"],
)
def test_a_page_that_cannot_show_throws_says_so_and_goes_on(chromium, serving, before, media, said):
    folder, link = serving
    with battle(chromium, link, before=before, media=media) as path:
        flick(chromium)
        told = "['trouble', 'said'].map((id) => document.getElementById(id).textContent).join()"
        chromium.wait_for(f"{told}.includes({json.dumps(said)})")
        chromium.run("pucklab.arena.seek(1e9)")
        chromium.wait_for("!document.querySelector('.say').innerText.startsWith('Your turn')")
        # The computer throws next, and then the page waits for the visitor again.
        wait_until(lambda: len(thrown_in(folder, path)) >= 2, PATIENCE_S)
        chromium.wait_for("!document.querySelector('.say').innerText.startsWith('In the air')")


def test_a_page_that_is_loaded_again_or_hidden_in_a_throw_shows_the_table(chromium, serving):
    folder, link = serving
    with battle(chromium, link) as path:
        flick(chromium)
        chromium.wait_for(f"{CLIP} && pucklab.arena.state.playing")
        chromium.run("location.reload()")
        wait_until(lambda: len(thrown_in(folder, path)) >= 2, PATIENCE_S)  # the computer's
        chromium.wait_for(f"{CLIP} && pucklab.arena.state.playing")
        chromium.run(
            "Object.defineProperty(document, 'hidden', { configurable: true, value: true });"
            "document.dispatchEvent(new Event('visibilitychange'));"
        )
        chromium.wait_for("!document.querySelector('.say').innerText.startsWith('In the air')")


def test_a_throw_that_comes_while_another_is_shown_is_shown_instead(chromium, serving):
    _, link = serving
    with battle(chromium, link):
        line = read_slam_line("th1:s=m8:k=8:t=v5000").line
        chromium.run(
            "const frame = getElement(+document.querySelector('.pucklab-arena').id.slice(1)),"
            f" clips = [{{ line: '{line}', faces: [] }}];"
            "frame.play({ number: 90, title: 'a', words: ['one', ''], clips });"
            "frame.play({ number: 91, title: 'b', words: ['two', ''], clips });"
        )
        chromium.wait_for(f"{CLIP}")
        chromium.run("pucklab.arena.seek(1e9)")
        chromium.wait_for("document.getElementById('flips').textContent === 'two'")


def test_sound_that_was_switched_off_stays_off_in_the_next_page(chromium, serving):
    _, link = serving
    is_on = "return document.getElementById('sound').getAttribute('aria-pressed')"
    with battle(chromium, link):
        assert chromium.run(is_on) == "true"
        click(chromium, "Sound")
        assert chromium.run(is_on) == "false"
        chromium.run("location.reload()")
        chromium.wait_for(
            "document.getElementById('sound')?.getAttribute('aria-pressed') === 'false'"
        )
        click(chromium, "Sound")
        assert chromium.run(is_on) == "true"
