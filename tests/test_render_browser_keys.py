"""By keys and by ear: a whole game and a whole puzzle, and what a screen reader finds on pages."""

import json
import re
import time

import numpy as np
import pytest

from pucklab.render.bumpers.history import piece_movements
from pucklab.sim.bumpers import MatShift, MatSwap, PieceMove, board_of
from pucklab.sim.bumpers.game import (
    BUMPERS,
    MakeMove,
    PickCard,
    PlacePiece,
    PlayCard,
)
from pucklab.sim.bumpers.game.player_kinds import PLAYERS
from pucklab.sim.core.game import Chance, Decision, Match
from pucklab.sim.core.records import game_record_from
from tests.commands import wait_until
from tests.slowness import slow
from tests.test_render_browser_server import free_port, server

WAIT_S = 120
KEYS = {"right": "\ue014", "left": "\ue012", "enter": "\ue007", "space": " ", "tab": "\ue004"}
FOCUSED = (
    "const one = document.activeElement; return one === document.body ? '' :"
    " one.ariaLabel || one.innerText || one.className.toString();"
)
PAGES = ("/", "/battles", "/bumpers", "/puzzles/day", "/puzzles/archive", "/learn/index.html",
         "/learn/faq.html", "/learn/more.html", "/no/such/page", "/tables/none")  # fmt: skip


def tab_to(browser, name):
    """Press Tab until what has the focus is called so; return what was passed."""
    passed = []
    while name != (now := browser.run(FOCUSED)):
        passed.append(now)
        assert len(passed) < 150, (name, passed)
        browser.keys(KEYS["tab"])
    return passed


def check_tree(browser):
    """Check what a screen reader meets, and return the names of buttons and what was told."""
    tree = browser.tree()
    assert [role for role, _ in tree].count("main") == 1
    buttons = [name for role, name in tree if role == "button"]
    assert all(buttons), "a button has no name"
    return buttons, browser.run(
        "return [...document.querySelectorAll('[role=status]')].map((it) => it.innerText).join(' ')"
    )


def wait_for_name(browser, begin):
    """Return the name of the first button whose name begins so, as soon as there is one."""
    found = []
    wait_until(
        lambda: (
            found.extend(name for name in check_tree(browser)[0] if name.startswith(begin)) or found
        ),
        WAIT_S,
    )
    return found[0]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_one_main_and_words_on_its_buttons(path, pages, chromium):
    chromium.visit(pages[0].replace("/?", f"{path}?"), (1280, 800))
    chromium.wait_for("document.querySelector('main h1, .lab main, main .nicegui-label')")
    check_tree(chromium)
    assert chromium.run("return document.querySelectorAll('header.top nav').length") == 1
    chromium.leave()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    with server(folder, "play", "--port", str(free_port())) as (link, _):
        yield link, folder


def match_of(path):
    """Return a game of Puck Bumpers as its journal has it, and the number of its answers."""
    header, *lines = map(json.loads, path.read_text().splitlines())
    record = game_record_from(BUMPERS, {**header, "answers": [], "end": {}}, "game")
    match = Match(BUMPERS, record.setup, [None, None], record.seed)
    answers = [line for line in lines if isinstance(line, str)]
    for text in answers:
        if isinstance(match.open, Chance):
            match.choose()
        match.step(BUMPERS.read(match.state, text))
    return match, len(answers)


def names_to_press(state, choice):
    """Return how the names begin of what is pressed for a choice, one after another."""
    position, card = state.position, getattr(choice, "card", None)
    board, faces = board_of(position.layout), position.layout.faces
    move = getattr(choice, "move", None)
    if isinstance(choice, PlayCard):
        return [f"Play {state.card(card).name}"]
    if isinstance(choice, PickCard):
        return [f"Discard {state.card(card).name}"]
    if isinstance(choice, PlacePiece):
        return [f"{board.name_of(choice.space)}, "]
    if isinstance(move, PieceMove):
        moved = piece_movements(state, move)
        own = next((one.end for one in moved if one.start == move.space), moved[0].start)
        piece = f"{board.name_of(move.space)}, {position.piece_on(move.space)}"
        return [piece, f"{board.name_of(own)}: move "]
    if isinstance(move, MatSwap):
        return [f"mat {faces[move.first].name}", f"to mat {faces[move.second].name},"]
    if isinstance(move, MatShift):
        row, column = move.slot
        return [
            f"mat {faces[move.mat].name}",
            f"to the free place, row {row + 1}, column {column + 1}",
        ]
    words = BUMPERS.words(state, choice)
    return [words[:1].upper() + words[1:]]


@pytest.mark.parametrize("decisions", [10, slow(10_000)])
def test_a_game_of_puck_bumpers_by_keys_alone(pages, chromium, decisions):
    browser, (link, folder) = chromium, pages
    browser.visit(link.replace("/?", "/bumpers?"), (1280, 800))
    browser.wait_for("window.did_handshake")
    browser.keys(KEYS["tab"])
    tab_to(browser, "Your name")
    browser.keys("Ann")
    tab_to(browser, "Begin")
    browser.keys(" ")
    browser.wait_for("location.pathname.startsWith('/tables/')")
    name = browser.run("return location.pathname").rpartition("/")[2]
    journal = folder / "pucklab" / "games" / f"{name}.jsonl"
    player, rng, told, number = PLAYERS.of("planner-quick"), np.random.default_rng(1), [], 0
    browser.wait_for("document.querySelector('.stops rect')")
    browser.keys(KEYS["tab"])
    while number < decisions:
        match, answers = match_of(journal)
        if match.open is None:
            break
        step = browser.run("return Number(document.querySelector('[data-step]').dataset.step)")
        is_own = isinstance(match.open, Decision) and match.open.seat == 0
        if not is_own or step != answers or BUMPERS.only(match.state, match.open) is not None:
            time.sleep(0.1)
            continue
        number += 1
        choice = player.choose(match.state, match.open, rng)
        length = len(match.steps)
        for name in names_to_press(match.state, choice):
            tab_to(browser, wait_for_name(browser, name))
            browser.keys(KEYS[("enter", "space")[number % 2]])
        wait_until(lambda length=length: len(match_of(journal)[0].steps) > length, WAIT_S)
        assert browser.run(FOCUSED), "the focus is lost"
        told.append(check_tree(browser)[1])
    moves = [step for step in match.steps if isinstance(step.answer, MakeMove)]
    assert len(moves) > (10 if match.open is None else 0)
    # What was done last is read out.
    read = [words for words in told if re.search("(Red|Orange)(:| plays)", words)]
    assert len(read) > len(told) / 2, told
    if match.open is None:
        tab_to(browser, "Play again")
        browser.keys(KEYS["enter"])
        browser.wait_for(f"!location.pathname.endsWith({json.dumps(name)})")
        browser.wait_for("document.querySelector('.stops rect')")
    browser.leave()


def test_a_puzzle_is_solved_by_keys_alone_and_read_out(chromium, tmp_path):
    browser = chromium
    line = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
    with server(tmp_path, "puzzle", line, "--play", "--port", str(free_port())) as (link, _):
        browser.visit(link, (1280, 800))
        browser.wait_for("window.did_handshake && document.querySelector('.stops rect')")
        board = browser.run("return document.querySelector('.pucklab-board').ariaLabel")
        assert board == "12 mats, red to move, 1 red puck, 1 red meeple and 1 blue puck"
        # By Enter and Space at its end, or by an arrow.
        moves = (("b7", "north", "b12"), ("b12", "west", "a12"), ("a12", "south", "a11"))
        for number, (start, way, end) in enumerate(moves):
            wait_until(lambda own=f"{start}, red puck": own in check_tree(browser)[0], WAIT_S)
            tab_to(browser, f"{start}, red puck")
            if number == 1:
                browser.keys(KEYS["left"])
            else:
                target = f"{end}: move red puck {start} {way} to {end}"
                if target not in check_tree(browser)[0]:  # a piece that has moved stays chosen
                    browser.keys(KEYS["enter"] if number else " ")
                wait_until(lambda own=target: own in check_tree(browser)[0], WAIT_S)
                tab_to(browser, target)
                browser.keys(" " if number else KEYS["enter"])
            browser.wait_for(
                f"document.querySelector('.log').innerText.includes('red puck {start} {way}')"
            )
            assert browser.run(FOCUSED)
        wait_until(lambda: "a11, red puck" in check_tree(browser)[0], WAIT_S)
        tab_to(browser, "a11, red puck")
        browser.keys(KEYS["right"])
        browser.wait_for("document.body.innerText.includes('solves it')")
        assert "solves it" in check_tree(browser)[1]
    browser.leave()
