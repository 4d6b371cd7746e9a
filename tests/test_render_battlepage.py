"""The page of a battle: its story and slams, and the page in a real browser."""

import re
from collections import deque
from dataclasses import replace
from functools import lru_cache

import pytest

from pucklab.physics import InputError, Materials, ParameterSet, preset
from pucklab.physics.slam_line import read_slam_line
from pucklab.render.battles.page import BattlePage, battle_page
from pucklab.render.battles.scenes import slam_again
from pucklab.render.battles.timeline import timeline_of
from pucklab.render.pages import MAX_BYTES
from pucklab.sim.core.records import match_of, read_record, record_json, record_of
from pucklab.sim.pokepucks.battle.battle_setup import Mode
from pucklab.sim.pokepucks.battle.events import TurnBegan
from pucklab.sim.pokepucks.battle.match import BATTLE, battle_match
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.state import Step
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from tests.browsers import HIDE, facts_of
from tests.commands import succeed
from tests.pokepucksbattles import house

SEED = 2
QUICK = PhysicsThrows(preset=preset("fast"))


@pytest.fixture(scope="module")
def thrown(tmp_path_factory):
    """Return the record of a battle with slams."""
    table = house("onix", "lapras", mode=Mode.WILD)
    seats, source = [GreedyPlayer()] * 2, {"throws": "physics", "engine": "plane"}
    match = battle_match(table, seats, QUICK, SEED, kinds=("greedy",) * 2, source=source)
    deque(match.play(), maxlen=0)
    path = tmp_path_factory.mktemp("battle") / "battle.json"
    path.write_text(record_json(BATTLE, record_of(match)))
    return path


def recorded(path):
    return match_of(BATTLE, read_record(BATTLE, path))


@lru_cache(maxsize=1)
def page_of(path):
    match = recorded(path)
    page = battle_page(match, QUICK)
    return timeline_of(match), page, page.html


def test_throws_of_a_record_are_simulated_again_to_the_same_slams(thrown):
    match = recorded(thrown)
    throws = [entry.last_throw for entry in timeline_of(match) if entry.is_throw]
    assert len(throws) >= 3
    for throw in throws:
        scene, slam = slam_again(match, QUICK, throw)
        assert len(scene.stack) == len(throw.call.targets)
        own = read_slam_line(slam).throw if isinstance(slam, str) else slam.throw
        assert own == throw.outcome.throw


def test_the_story_has_all_events_and_ends_with_the_winner(thrown):
    match = recorded(thrown)
    timeline = timeline_of(match)
    turns = [e.state.turn.number for e in timeline if isinstance(e.event, TurnBegan)]
    assert turns == list(range(1, match.state.state.turn.number + 1))
    assert timeline[-1].state.step is Step.OVER
    assert timeline[-1].state.winner == match.state.state.winner
    assert len(timeline_of(battle_match(match.setup, [None] * 2, QUICK, SEED))) >= 1


def test_a_page_has_every_state_and_slam_of_the_battle(thrown):
    timeline, page, html = page_of(thrown)
    facts = facts_of(html)
    story = facts["story"]
    clips = story["slams"]["clips"]
    assert len(html.encode()) <= MAX_BYTES
    assert not re.search(
        r'https?:(?!//www.w3.org)|<link (?!rel="icon" href="data:)|src="(?!data:)|url\(|fetch\(',
        html,
    )
    now = {}
    for entry, fact in zip(timeline, story["entries"], strict=True):
        now |= fact["now"]
        shown = [tuple(now[f"stack{k}"]) for k in range(len(story["places"]))]
        assert shown == list(map(tuple, entry.state.stacks))
        assert tuple(fact.get("lines", ())) == entry.lines
        if entry.is_throw:
            clip, flipped = clips[fact["clip"]], entry.last_throw.outcome.flipped
            if "slams" in clip:
                marks = [piece["mark"] for piece in clip["slams"][0]["pieces"][:-1]]
                assert tuple(k for k, mark in enumerate(marks) if mark == "flipped") == flipped
            else:
                assert read_slam_line(clip["line"]).slam().outcome.flipped == flipped
    assert now["playing"] == [timeline[-1].state.winner]
    throws = sum(entry.is_throw for entry in timeline)
    assert page.drawn == f"all {throws} throws are drawn"
    assert page.drawn in story["about"]


def test_a_page_says_why_throws_of_a_table_are_not_drawn(thrown):
    page = battle_page(recorded(thrown), None)
    throws = sum(entry.is_throw for entry in page_of(thrown)[0])
    said = "a table has the results of throws, and not how the pucks flew"
    assert page.drawn == f"0 of {throws} throws are drawn: {said}"
    assert page.drawn in facts_of(page.html)["story"]["about"]


def test_a_page_says_why_throws_that_come_out_differently_are_not_drawn(thrown):
    other = replace(QUICK, parameters=ParameterSet(materials=Materials(restitution=0.1)))
    page = battle_page(recorded(thrown), other)
    said = "the others come out differently when they are simulated again"
    assert page.drawn.endswith(f" throws are drawn: {said}")


def test_a_page_that_is_too_small_keeps_the_throws_with_the_most_flips(thrown, monkeypatch):
    timeline, page, html = page_of(thrown)
    least = len(BattlePage(timeline, {}, simulated=True).html)
    throws = page._throws
    monkeypatch.setattr("pucklab.render.battles.page._TOLERANCES_MM", (1.2,))
    monkeypatch.setattr(BattlePage, "most_bytes", (least + len(html)) // 2)
    small = BattlePage(timeline, throws, simulated=True)
    assert len(small.html.encode()) <= small.most_bytes
    kept, left = set(small._kept), set(throws) - set(small._kept)
    assert kept
    assert left
    assert min(throws[n].flips for n in kept) >= max(throws[n].flips for n in left)
    assert small.drawn.startswith(f"{len(kept)} of {len(throws)} throws are drawn: those with the ")
    monkeypatch.setattr(BattlePage, "most_bytes", 1000)
    with pytest.raises(InputError, match=r"^save: the turns of a battle need "):
        _ = BattlePage(timeline, throws, simulated=True).html


def test_a_battle_is_stepped_and_played_in_a_browser(thrown, page, write):
    timeline, _, html = page_of(thrown)
    path = write("battle.html", html)
    first = next(k for k, entry in enumerate(timeline) if entry.is_throw)
    page.open(path, (640, 480))
    assert page.run("return pucklab.steps.at") == first - 1
    page.keys("\ue014")  # Right: the slam runs, and its outcome is not told
    page.wait_for("pucklab.isHeld()")
    assert page.said == timeline[first].before_outcome.words
    page.wait_for("pucklab.arena.state.playing && pucklab.isHeld()")
    page.run("pucklab.arena.seek(99)")
    page.wait_for("!pucklab.isHeld()")
    assert page.said == " ".join(timeline[first].lines)
    for kind in ("mouse", "touch"):
        at = page.run(
            "const b = [...document.querySelectorAll('button')].find("
            "(one) => one.getAttribute('aria-label') === 'A step back')"
            ".getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]"
            ".map(Math.round)"
        )
        page.drag(at, at, kind)
    assert page.run("return pucklab.steps.at") == first - 2
    page.keys("\ue010")  # End
    page.wait_for("document.getElementById('title').textContent.endsWith('wins')")
    page.keys(" ")  # plays from the beginning
    page.wait_for("pucklab.steps.at > 1 && pucklab.steps.playing")
    page.wait_for("document.querySelector('#log li')")
    page.run("document.querySelector('#log li').click()")
    assert page.said.startswith("Paused. ")
    assert page.run("return pucklab.steps.playing") is False
    assert page.console() == []


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        (HIDE, "This browser has no WebGL2: throws are seen from above."),
        ("WebAssembly.compile = () => Promise.reject(new Error('refused'));",
         "This browser has no WebAssembly: it cannot show throws, only their results."),
    ],
)  # fmt: skip
def test_a_browser_that_lacks_something_tells_the_battle_and_says_so(
    lacks, said, thrown, page, write
):
    timeline, _, html = page_of(thrown)
    page.open(write("battle.html", html), before=lacks)
    assert page.run("return document.getElementById('notice').textContent") == said
    page.keys("\ue010")
    lines = [line for entry in timeline for line in entry.lines]
    told = "[...document.querySelectorAll('#log li')].map((l) => l.textContent)"
    page.wait_for(f"{told}.length === {len(lines)}")
    assert page.run(f"return {told}") == lines


def test_a_page_of_solid_throws_is_small_and_shows_each_as_it_fell(page, write):
    table, solid = house("onix", "lapras", mode=Mode.WILD), PhysicsThrows(engine="solid")
    source = {"throws": "physics", "engine": "solid"}
    match = battle_match(
        table, [GreedyPlayer()] * 2, solid, SEED, kinds=("greedy",) * 2, source=source
    )
    deque(match.play(), maxlen=0)
    shown = battle_page(match, solid)
    html = shown.html
    assert len(html) < 260_000
    page.open(write("battle.html", html), (640, 480))
    thrown = [(k, entry) for k, entry in enumerate(timeline_of(match)) if entry.is_throw]
    for step, entry in thrown[:4]:
        page.run(f"pucklab.steps.go({step})")
        page.wait_for("!pucklab.isHeld() && pucklab.arena.state.clip")
        marks = page.run("return pucklab.arena.state.clip.slam.pieces.map((one) => one.mark)")
        found = tuple(k for k, mark in enumerate(marks[:-1]) if mark == "flipped")
        assert found == entry.last_throw.outcome.flipped
    assert page.console() == []


def test_the_commands_write_the_page_of_a_battle_and_of_a_record(tmp_path):
    battle = ("--throws", "table", "--mode", "wild", "--players", "onix,lapras", "--seed", "2")
    for line in (
        ("battle", *battle, "--save", "a.html"),
        ("battle", *battle, "--save", "battle.json"),
        ("battle", "--replay", "battle.json", "--save", "b.html"),
        ("watch", "--battle", "battle.json", "--save", "c.html"),
    ):
        done = succeed(*line, cwd=tmp_path)
        assert ("throws are drawn" in done.stderr) == line[-1].endswith(".html")
    a, b, c = ((tmp_path / f"{name}.html").read_text() for name in "abc")
    assert a == b == c
