"""A battle that a person throws in an open window, its record, and its page in a real browser."""

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pygame
import pytest
from pygame.event import Event

from physics import Materials, ParameterSet
from render.battlewindow import BattlePlayback, BattleWindow, Game, recorded_game
from render.battlewindow.page import BattlePage, battle_page
from render.battlewindow.panels import boxes_of
from render.pages import MAX_BYTES
from render.viewer import show
from sim.core.records import read_record
from sim.pokepucks.battle.match import BATTLE
from sim.pokepucks.battle.players import GreedyPlayer
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.table import BattleOptions, Mode
from sim.pokepucks.design_file import shipped_catalogue
from tests.battlewindows import QUICK, record, stack_pixel
from tests.browsers import facts_of
from tests.commands import pucklab, succeed
from tests.pokepucksbattles import replayed

SIZE, SEED, FRAME_S, LONG_S = (480, 320), 2, 1 / 30, 3.0


class Person:
    """Hands and eyes at an open window: what they see decides what they press; the clock of it."""

    def __init__(self, window):
        self.window, self.boxes = window, boxes_of(SIZE, 2)
        self.flick, self.did = [], Counter()

    def tick(self):
        """Press what the window asks for, and return the time that passes."""
        if self.flick:
            pygame.event.post(self.flick.pop(0))
            return FRAME_S
        window = self.window
        if window.throwing is not None:
            self.did["throws"] += 1
            return self._throw(self.did["throws"])
        if window.playback.entry.is_last and not window.playback.slam_runs:
            self._key(pygame.K_q if self.did["saved"] else pygame.K_s)
            self.did["saved"] += 1
        elif window.panel is not None:
            self.did["set-ups" if window.panel.planned is not None else "answers"] += 1
            self._key(pygame.K_RETURN)
        return LONG_S

    def _throw(self, number):
        """Flick over the stack with the mouse; every third throw by keys."""
        if number % 3 == 0:
            self._key(pygame.K_a)
            self.flick = [self._pressed(pygame.K_SPACE)]
            return FRAME_S
        x, y = stack_pixel(self.window.throwing, self.boxes, 8)
        self.flick = [
            Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y)),
            *(Event(pygame.MOUSEMOTION, pos=(x, y - k), rel=(0, -30), buttons=(1, 0, 0))
              for k in (30, 60)),
            Event(pygame.MOUSEBUTTONUP, button=1, pos=(x, y - 90)),
        ]  # fmt: skip
        return FRAME_S

    def _key(self, key):
        pygame.event.post(self._pressed(key))

    def _pressed(self, key):
        return Event(pygame.KEYDOWN, key=key, unicode="", mod=0)


@pytest.fixture(scope="module")
def thrown(tmp_path_factory):
    """Return what a person did in a whole battle, the exchanges there, and the saved record."""
    folder = tmp_path_factory.mktemp("battle")
    slammers = [shipped_catalogue().find(name) for name in ("onix", "lapras")]
    table = house_table(slammers, BattleOptions(mode=Mode.WILD))
    game = Game(table, [None, GreedyPlayer()], QUICK, SEED, asks_all=False, own_throws=True,
                kinds=("person", "greedy"))  # fmt: skip
    window = BattleWindow(
        BattlePlayback(game),
        kinds=("person", "greedy"),
        seed=SEED,
        throws="physics",
        folder=folder,
    )
    person = Person(window)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        patch.setattr("render.battlewindow.window.is_compiled", lambda _: False)
        show(window, size=SIZE, clock=person)
    (path,) = folder.glob("*.json")
    return person.did, game.steps, path


def recorded(path):
    return recorded_game(read_record(BATTLE, path), QUICK)


@lru_cache(maxsize=1)
def page_of(path):
    game = recorded(path)
    page = battle_page(game, "seed 2")
    return game, page, page.html


def test_a_whole_battle_is_thrown_by_a_person_saved_and_replayed(thrown):
    did, exchanges, path = thrown
    record = read_record(BATTLE, path)
    assert did["set-ups"] <= 1
    assert exchanges[-1].after.state.step == "over"
    assert replayed(record) == exchanges
    game = recorded(path)
    throws = [entry.last_throw for entry in game.timeline if entry.is_throw]
    assert did["throws"] == sum(throw.call.player == 0 for throw in throws) >= 3
    for throw in throws:
        assert game.slam_of(throw).replay.throw == throw.outcome.throw


def test_a_page_has_every_state_and_slam_of_the_battle(thrown):
    game, page, html = page_of(thrown[2])
    facts = facts_of(html)
    story, clips = facts["story"], facts["clips"]
    assert len(html.encode()) <= MAX_BYTES
    assert not re.search(r"https?:(?!//www.w3.org)|<link|src=\"(?!data:)|url\(|fetch\(", html)
    stacks = {}
    for entry, fact in zip(game.timeline, story["entries"], strict=True):
        stacks |= fact.get("stacks", {})
        shown = [tuple(stacks.get(str(k), ())) for k in range(len(story["places"]))]
        assert shown == list(map(tuple, entry.state.stacks))
        assert tuple(fact.get("lines", ())) == entry.lines
        if entry.is_throw:
            slam = clips[fact["clip"]]["slams"][0]
            marks = [piece["mark"] for piece in slam["pieces"][:-1]]
            flipped = entry.last_throw.outcome.flipped
            assert tuple(k for k, mark in enumerate(marks) if mark == "flipped") == flipped
    *_, playing = (fact["playing"] for fact in story["entries"] if "playing" in fact)
    assert playing == [game.timeline[-1].state.winner]
    throws = sum(entry.is_throw for entry in game.timeline)
    assert page.drawn == f"all {throws} throws are drawn"
    assert page.drawn in story["about"]


def test_a_page_says_why_throws_of_a_table_are_not_drawn():
    page = battle_page(recorded_game(record()))
    throws = sum(entry.is_throw for entry in page._game.timeline)
    said = "a table has the results of throws, and not how the pucks flew"
    assert page.drawn == f"0 of {throws} throws are drawn: {said}"
    assert page.drawn in facts_of(page.html)["story"]["about"]


def test_a_page_says_why_throws_that_come_out_differently_are_not_drawn(thrown):
    other = replace(QUICK, parameters=ParameterSet(materials=Materials(restitution=0.1)))
    page = battle_page(recorded_game(read_record(BATTLE, thrown[2]), other))
    said = "the others come out differently when they are simulated again"
    assert page.drawn.endswith(f" throws are drawn: {said}")


def test_a_page_that_is_too_small_keeps_the_throws_with_the_most_flips(thrown, monkeypatch):
    game, page, html = page_of(thrown[2])
    least = len(BattlePage(game, {}).html.encode())
    clips = dict(zip(page._kept, page.clips, strict=True))
    monkeypatch.setattr(BattlePage, "tolerances_mm", (1.2,))
    monkeypatch.setattr(BattlePage, "most_bytes", (least + len(html.encode())) // 2)
    small = BattlePage(game, clips)
    assert len(small.html.encode()) <= small.most_bytes
    flips = {number: clip.slams[0][1].outcome.flipped for number, clip in clips.items()}
    kept, left = set(small._kept), set(clips) - set(small._kept)
    assert kept
    assert left
    assert min(len(flips[n]) for n in kept) >= max(len(flips[n]) for n in left)
    assert small.drawn.startswith(f"{len(kept)} of {len(clips)} throws are drawn: those with the ")


def test_a_battle_is_stepped_and_played_in_a_browser(thrown, page, tmp_path):
    game, _, html = page_of(thrown[2])
    path = tmp_path / "battle.html"
    path.write_text(html)
    first = next(k for k, entry in enumerate(game.timeline) if entry.is_throw)
    page.open(path, (640, 480))
    assert page.run("return pucklab.steps.at") == first - 1
    page.keys("\ue014")  # Right: the slam runs, and its outcome is not told
    assert page.said == game.timeline[first].before_outcome.words
    assert page.run("return pucklab.state.playing") is True
    page.run("pucklab.state.time = pucklab.facts.clips[0].track.at(-6) - 1e-4")
    page.wait_for("!pucklab.mode.isHeld()")
    assert page.said == " ".join(game.timeline[first].lines)
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


def test_without_webgl_a_battle_is_told_beside_a_picture(thrown, page, tmp_path):
    game, _, html = page_of(thrown[2])
    path = tmp_path / "battle.html"
    path.write_text(html)
    page.open(path, has_webgl=False)
    notice = page.run("return document.getElementById('notice').textContent")
    assert notice == "This browser has no WebGL2 to draw the motion. A picture stands for it."
    page.keys("\ue010")
    told = page.run("return [...document.querySelectorAll('#log li')].map((l) => l.textContent)")
    assert told == [line for entry in game.timeline for line in entry.lines]
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
    done = pucklab(
        "watch", "--battle", "battle.json", "--turn", "1", "--save", "d.html", cwd=tmp_path
    )
    assert done.stderr == "error: --turn: 1 is not accepted beside a web page; it has all turns\n"
