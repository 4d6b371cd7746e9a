"""The page of a battle: its story and slams, and the page in a real browser."""

import re
from collections import deque
from dataclasses import replace
from functools import lru_cache

import pytest

from pucklab.physics import Materials, ParameterSet, preset
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
from tests.browsers import facts_of
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
        assert slam_again(match, QUICK, throw).throw == throw.outcome.throw


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
    story, clips = facts["story"], facts["clips"]
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
            slam = clips[fact["clip"]]["slams"][0]
            marks = [piece["mark"] for piece in slam["pieces"][:-1]]
            flipped = entry.last_throw.outcome.flipped
            assert tuple(k for k, mark in enumerate(marks) if mark == "flipped") == flipped
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
    least = len(BattlePage(timeline, {}, simulated=True).html.encode())
    clips = dict(zip(page._kept, page.clips, strict=True))
    monkeypatch.setattr(BattlePage, "tolerances_mm", (1.2,))
    monkeypatch.setattr(BattlePage, "most_bytes", (least + len(html.encode())) // 2)
    small = BattlePage(timeline, clips, simulated=True)
    assert len(small.html.encode()) <= small.most_bytes
    flips = {number: clip.slams[0][1].outcome.flipped for number, clip in clips.items()}
    kept, left = set(small._kept), set(clips) - set(small._kept)
    assert kept
    assert left
    assert min(len(flips[n]) for n in kept) >= max(len(flips[n]) for n in left)
    assert small.drawn.startswith(f"{len(kept)} of {len(clips)} throws are drawn: those with the ")


def test_a_battle_is_stepped_and_played_in_a_browser(thrown, page, write):
    timeline, _, html = page_of(thrown)
    path = write("battle.html", html)
    first = next(k for k, entry in enumerate(timeline) if entry.is_throw)
    page.open(path, (640, 480))
    assert page.run("return pucklab.steps.at") == first - 1
    page.keys("\ue014")  # Right: the slam runs, and its outcome is not told
    assert page.said == timeline[first].before_outcome.words
    assert page.run("return pucklab.state.playing") is True
    page.run("pucklab.state.time = pucklab.facts.clips[0].track.at(-6) - 1e-4")
    page.wait_for("!pucklab.mode.isHeld()")
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
    assert page.run("return document.getElementById('title').textContent").endswith("wins")
    page.keys(" ")  # plays from the beginning
    page.wait_for("pucklab.steps.at > 1 && pucklab.steps.playing")
    page.wait_for("document.querySelector('#log li')")
    page.run("document.querySelector('#log li').click()")
    assert page.said.startswith("Paused. ")
    assert page.run("return pucklab.steps.playing") is False
    assert page.console() == []


def test_without_webgl_a_battle_is_told_beside_a_picture(thrown, page, write):
    timeline, _, html = page_of(thrown)
    path = write("battle.html", html)
    page.open(path, has_webgl=False)
    notice = page.run("return document.getElementById('notice').textContent")
    assert notice == "This browser has no WebGL2 to draw the motion. A picture stands for it."
    page.keys("\ue010")
    told = page.run("return [...document.querySelectorAll('#log li')].map((l) => l.textContent)")
    assert told == [line for entry in timeline for line in entry.lines]
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
