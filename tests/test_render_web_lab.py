"""The Lab in a real browser, as a person uses it: by mouse, by touch and by keys."""

import json

import pytest

from pucklab.physics import SampleRate, draw_throw, slam, trial_generator
from pucklab.physics.slam_line import read_slam_line
from pucklab.physics.thrower import ThrowDistribution
from pucklab.render.web.lab import MAX_BYTES, SEED, lab_page
from pucklab.sim.experiments.table import table_of
from pucklab.sim.odds.study import ODDS, experiment_cases, run_trials
from pucklab.sim.scene.replay import replay_of
from pucklab.sim.scene.scenes import SceneSpec, cases_of, slammers_by_mass
from tests.browsers import missing_browser, started_browser

pytestmark = pytest.mark.skipif(bool(missing_browser()), reason=missing_browser())
DESK, PHONE = (1280, 943), (400, 1003)
STILL = (("prefers-reduced-motion", "reduce"),)
(CASE,) = cases_of(SceneSpec(slammers=slammers_by_mass((19.0,))))
USUAL = CASE.study


@pytest.fixture(scope="module")
def browser():
    with started_browser() as own:
        yield own


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("lab") / "lab.html"
    path.write_text(lab_page())
    return path


def enter(browser, file, fragment="#slammer_g=19", size=DESK, few=24, **more):
    """Open the page; it counts a few throws, of a weight that it does not know any of."""
    more.setdefault("media", STILL)
    browser.open(file, size, fragment=fragment, **more)
    browser.run(
        f"Object.assign(pucklab.counted, {{first: {few}, others: 0, all: {few}, compared: {few}}})"
    )


def text(browser, name):
    return browser.run(f"return document.getElementById('{name}').textContent")


def wait_for_throws(browser, few=24):
    """Wait until the page rests, and return the number of throws that it has counted.

    A quick machine may have begun a few more than asked before it was told how few will do.
    """
    rests = "document.getElementById('live').classList.contains('still')"
    browser.wait_for(f"pucklab.study.tally.trials >= {few} && {rests}")
    return browser.run("return pucklab.study.tally.trials")


def place(browser, selector, share=(0.5, 0.5)):
    """Return a place in an element, in pixels of the window."""
    box = browser.run(
        f"return document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()"
    )
    return [
        round(box[a] + share[k] * box[b])
        for k, (a, b) in enumerate((("x", "width"), ("y", "height")))
    ]


def choose(browser, selector, value):
    """Choose from a menu."""
    browser.run(
        f"const list = document.querySelector({json.dumps(selector)});"
        f"list.value = {json.dumps(value)}; list.dispatchEvent(new Event('change'))"
    )


def click(browser, selector):
    at = place(browser, selector)
    browser.drag(at, at)


def flick(browser, kind):
    begin, end = place(browser, "#canvas", (0.45, 0.8)), place(browser, "#canvas", (0.5, 0.4))
    browser.flick(begin, end, kind)
    browser.wait_for("pucklab.yours.length === 1")
    browser.wait_for("document.getElementById('flips').textContent !== ''")


def test_the_page_is_small_asks_nobody_and_counts_the_throws_of_the_command(browser, file):
    assert len(file.read_bytes()) <= MAX_BYTES
    enter(browser, file)
    few = wait_for_throws(browser)
    tally = run_trials(USUAL, SEED, 0, few)
    assert browser.run("return pucklab.study.tally.flips") == list(tally.flips)
    assert browser.run("return pucklab.study.tally.distance_um") == tally.distance_um
    browser.wait_for(f"document.getElementById('sure').textContent.includes('{few} throws')")
    assert browser.run("return performance.getEntriesByType('resource').map((one) => one.name)"
                       ".filter((name) => !name.startsWith('blob:'))") == []  # fmt: skip
    assert browser.console() == []


def test_every_word_of_the_question_can_be_changed(browser, file):
    enter(browser, file)
    ask = "return [pucklab.question.slammer_g, pucklab.question.pucks, pucklab.question.speed_m_s]"
    browser.run("document.querySelector('[data-name=slammer_g]').focus()")
    browser.keys("\ue014")  # Right
    assert browser.run(ask) == [20, 10, 5]
    click(browser, "[data-name=pucks]")
    browser.keys("5\ue007")  # typed over, then Enter
    assert browser.run(ask) == [20, 5, 5]
    x, y = place(browser, "[data-name=speed_m_s]")
    browser.drag((x, y), (x + 40, y))
    speed = browser.run(ask)[2]
    assert 5 < speed <= 10
    for name, value in (("aim", "careful people"), ("pieces", "pogs")):
        choose(browser, f"[data-name={name}]", value)
        assert browser.run(f"return pucklab.question.{name}") == value
    assert browser.run("return pucklab.study.thrower.aim_sd_mm") == 8
    assert browser.run("return pucklab.study.scene.stack[0].material.name") == "cardboard"
    address = browser.run("return decodeURIComponent(location.hash)")
    assert "pieces=pogs" in address
    assert "aim=careful people" in address
    browser.run("history.back()")
    browser.wait_for("pucklab.question.pieces === 'rulebook'")
    browser.run("history.forward()")
    browser.wait_for("pucklab.question.pieces === 'pogs'")
    # A value that is not accepted is refused in the words of the command.
    browser.run("document.querySelector('[data-name=pucks]').focus()")
    browser.keys("99\ue007")
    assert (
        text(browser, "notice") == "pucks: 99.0 is not accepted; give a whole number from 1 to 60"
    )
    assert browser.run("return pucklab.question.pucks") == 5


@pytest.mark.parametrize(("kind", "size"), [("mouse", DESK), ("touch", PHONE)])
def test_a_flick_is_counted_and_its_link_is_the_same_throw(browser, file, kind, size):
    enter(browser, file, size=size)
    flick(browser, kind)
    count = text(browser, "flips")
    flips = browser.run("return pucklab.yours[0]")
    assert count.startswith(f"{flips or 'no'} flip") or count == "missed"
    browser.run("document.getElementById('share').click()")
    line = browser.run("return document.getElementById('share-line').value")
    address = browser.run("return document.getElementById('share-address').value")
    assert address.endswith(f"#{line}")
    # The command computes the same slam from the line.
    outcome = read_slam_line(line).slam().outcome
    assert len(outcome.flipped) == flips
    if kind == "mouse":
        enter(browser, file, "#" + line, size)
        browser.wait_for("document.getElementById('flips').textContent !== ''")
        assert text(browser, "flips") == count
        marks = browser.run("return pucklab.arena.state.clip.slam.pieces.map(({mark}) => mark)")
        names = {"up": "flipped", "down": ""}
        faces = [str(piece.face) for piece in outcome.pieces]
        assert marks[:-1] == [names.get(face, face) for face in faces]


def test_keys_throw_and_a_bar_plays_such_a_throw(browser, file):
    enter(browser, file)
    wait_for_throws(browser)
    browser.run("document.activeElement.blur()")
    browser.keys("t")
    browser.wait_for("pucklab.yours.length === 1")
    flips = browser.run("return pucklab.study.tally.flips.findIndex((count, k) => k && count)")
    browser.run(f"document.querySelectorAll('#bars .bar')[{flips}].focus()")
    browser.keys("\ue007")
    browser.wait_for(f"document.getElementById('flips').textContent.startsWith('{flips} flip')")
    assert "trial=" in browser.run("return location.hash")
    before = browser.run("return location.hash")
    click(browser, f"#bars .bar:nth-of-type({flips + 1})")  # the next such throw
    browser.wait_for(f"location.hash !== '{before}' || pucklab.study.tally.flips[{flips}] === 1")


def test_weights_are_compared_and_throws_are_saved_as_the_command_saves_them(browser, file):
    enter(browser, file)
    few = wait_for_throws(browser)
    click(browser, "#compare")
    browser.wait_for("document.getElementById('compared').textContent.endsWith('.')")
    assert "19 g" in text(browser, "compared")
    assert " 8 g" in text(browser, "compared")
    saved = browser.run("return csvText([pucklab.study])")
    table = table_of(ODDS, experiment_cases([CASE]), SEED)
    table.add_tally(table.rows[0].id, run_trials(USUAL, SEED, 0, few))
    assert saved == table.csv()


def test_pogs_of_ones_own(browser, file):
    enter(browser, file)
    click(browser, "#own")
    browser.run(
        "const own = document.getElementById('own-form').elements;"
        "own.puck_diameter_mm.value = '38'; own.puck_material.value = 'wood';"
        "own.arena.value = 'none'"
    )
    click(browser, "#own-form .main")
    browser.wait_for("!document.getElementById('own-dialog').open")
    assert browser.run("return pucklab.study.scene.stack[0].diameter_mm") == 38
    assert browser.run("return pucklab.study.scene.arena.box") is False
    assert "puck_material=wood" in browser.run("return location.hash")
    wait_for_throws(browser)
    click(browser, "#own")
    browser.run("document.getElementById('own-form').elements.puck_diameter_mm.value = '2'")
    click(browser, "#own-form .main")
    assert text(browser, "own-said").startswith(
        "puck_diameter_mm: 2.0 is not accepted; give a number from 10"
    )


BAD = (
    ("th1:s=m20:t=v9e9", "address t speed_mm_s: 9000000000.0 is not accepted; give a number from"),
    ("th1:s=m20:t=v5000:e=solid1", "address: a throw of solid physics 1 is not accepted"),
    ("slammer_g=200", "slammer_g: 200.0 is not accepted; give a number from 2 to 24 g"),
    ("<img src=x onerror=alert(1)>", "address: '<img src' is not accepted; give one of pieces"),
    ("%E0%A4%A", "address: '"),
    ("slammer_g=20&pad=" + "x" * 30_000, "address: 30017 characters are not accepted"),
)


def test_an_address_that_is_no_throw_is_refused_in_a_line(browser, file):
    enter(browser, file, f"#{BAD[0][0]}", few=2)
    for fragment, said in BAD:
        browser.run(f"location.hash = {json.dumps(fragment)}")
        browser.wait_for(
            f"document.getElementById('notice').textContent.startsWith({json.dumps(said)})"
        )
        assert browser.run("return document.querySelectorAll('#notice img').length") == 0
        assert browser.run("return pucklab.question.slammer_g") == 20


def test_a_screen_reader_meets_names_and_no_chatter(browser, file):
    enter(browser, file)
    wait_for_throws(browser)
    roles = {
        "button",
        "slider",
        "spinbutton",
        "combobox",
        "textbox",
        "img",
        "group",
        "toolbar",
        "region",
    }
    assert [own for own in browser.tree() if own[0] in roles and not own[1]] == []
    names = [name for role, name in browser.tree() if role == "spinbutton"]
    assert names == [
        "Weight of the slammer in grams",
        "Number of pucks",
        "Speed of the throw in meters per second",
    ]
    # The answer is told once, when it stands.
    browser.wait_for("document.getElementById('spoken').textContent.startsWith('19 g flips')")
    browser.run(
        "globalThis.told = 0;"
        "new MutationObserver(() => { told += 1; })"
        ".observe(document.getElementById('spoken'), {childList: true});"
        "Object.assign(pucklab.counted, {first: 60, all: 60}); pucklab.pool.wake()"
    )
    wait_for_throws(browser, 60)
    assert browser.run("return told") <= 1


def test_a_worker_that_dies_is_started_again(browser, file):
    enter(browser, file, few=400)
    browser.run("pucklab.pool.workers[0].worker.postMessage({scene: 5, thrower: null})")
    few = browser.run("return pucklab.study.tally.trials + 40")
    wait_for_throws(browser, few)
    browser.run("Object.assign(pucklab.counted, {first: 0, all: 0})")
    # Nothing was lost and nothing came twice.
    browser.wait_for("pucklab.pool.workers.every(({job}) => !job)")
    trials = browser.run("return pucklab.study.tally.trials")
    assert trials == browser.run("return pucklab.study.next")
    assert browser.run("return pucklab.study.tally.flips") == list(
        run_trials(USUAL, SEED, 0, trials).flips
    )


def test_without_webgl_slams_are_drawn_from_above(browser, file):
    enter(browser, file, has_webgl=False)
    wait_for_throws(browser)
    assert "no WebGL2" in text(browser, "notice")
    flick(browser, "mouse")
    assert text(browser, "flips")


def test_without_webassembly_one_line_says_so(browser, file):
    browser.open(file, DESK, before="delete globalThis.WebAssembly;")
    assert "has no WebAssembly" in text(browser, "notice")


def test_carried_slams_are_played(browser, tmp_path):
    scene, rng = USUAL.scene, trial_generator(1, 3)
    throw = draw_throw(ThrowDistribution(), len(scene.stack), rng)
    result = slam(scene, throw, SampleRate(), engine="plane")
    path = tmp_path / "slams.html"
    path.write_text(
        lab_page(slams=[("19 g", replay_of(scene, throw, result)), ("again", "th1:s=m8:t=v5000")])
    )
    enter(browser, path, "")
    browser.wait_for("document.getElementById('flips').textContent !== ''")
    flips = len(result.outcome.flipped)
    assert text(browser, "flips").startswith(f"{flips or 'no'} flip")
    choose(browser, "#slams", "1")
    browser.wait_for("pucklab.question.slammer_g === 8")


def test_dark_and_light(browser, file):
    enter(browser, file, few=2)
    colours = set()
    for scheme in ("light", "dark"):
        browser.prefer(("prefers-color-scheme", scheme))
        colours.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2
