"""Boards and puzzles in pages of the server."""

import asyncio

from pucklab.render.browser import explorer, puzzles
from pucklab.render.browser.board_element import BoardElement
from pucklab.render.bumpers.spoken import board_words, square_words
from pucklab.sim.bumpers import board_of, parse_position, position_text
from pucklab.sim.bumpers.puzzle_series import source_of_position
from pucklab.sim.bumpers.puzzle_solving import Attempt
from tests.browserpages import visitors

START = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-"


def press(user, begin, end="", direction=None):
    """Click on a square of the board, or drag from one to another."""
    (board,) = user.find(BoardElement).elements
    rows = board_of(board.position.layout).rows
    places = []
    for name in (begin, end or begin):
        places += [ord(name[0]) - ord("a") + 0.5, rows - int(name[1:]) + 0.5]
    facts = dict(zip(("x", "y", "endX", "endY"), places, strict=True))
    user.find(BoardElement).trigger("press", {**facts, "direction": direction})


async def test_a_move_on_one_page_is_seen_on_the_other(monkeypatch):
    async with visitors(monkeypatch, guests=1) as (host, guest):
        await host.open(f"/boards/shared?position={START}")
        await guest.open("/boards/shared")
        press(host, "f5")
        press(host, "f8")
        await guest.should_see("1. f5N*")


async def test_a_piece_of_another_side_is_not_moved_and_the_page_says_why(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        await host.open(f"/boards/other?position={START}")
        press(host, "d7")
        await host.should_see("that is a blue puck, but red is to move")


async def test_a_position_is_edited_and_gone_back_to(monkeypatch):
    async with visitors(monkeypatch) as (host,):
        await host.open(f"/boards/edited?position={START}")
        shared = explorer._BOARDS["edited"]
        shared.change(explorer.with_tool, explorer.Tool.EDIT_PIECES)
        host.find("place-a-blue-meeple").click()
        press(host, "a5")
        await host.should_see("1. BM on a5")
        host.find("step-back").click()
        assert position_text(shared.state.position) == position_text(parse_position(START))


async def test_a_puzzle_is_solved_after_a_wrong_try_and_three_hints(monkeypatch, tmp_path):
    monkeypatch.setattr(puzzles, "scores_path", lambda: tmp_path / "scores.json")

    async with visitors(monkeypatch) as (host,):
        start = parse_position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
        puzzles.open_series("test", source_of_position(start, ["1"]))
        await host.open("/puzzles/test")
        for _ in range(6000):
            if puzzles._SERIES["test"].attempt is not None:
                break
            await asyncio.sleep(0.01)
        await host.should_see("bring a red puck into a goal, in as few actions as possible")
        press(host, "b7", "e7", 1)
        await host.should_see("leads away")
        puzzles._SERIES["test"].take_back()
        host.find("hint;-again-for-more").click()
        await host.should_see("It takes 4 actions.")
        host.find("hint;-again-for-more").click()
        await host.should_see("Look at the red puck on b7.")
        host.find("hint;-again-for-more").click()
        await host.should_see("Begin with b7N.")
        for begin, direction in (("b7", 0), ("b12", 3), ("a12", 2), ("a11", 1)):
            press(host, begin, "h1", direction)
        await host.should_see("solves it with 1 wrong move and 3 hints")
        await host.should_see("rating")


async def test_the_puzzle_of_a_guest_does_not_count_for_the_host(monkeypatch, tmp_path):
    monkeypatch.setattr(puzzles, "scores_path", lambda: tmp_path / "scores.json")

    async with visitors(monkeypatch, host=0, guests=1) as (guest,):
        await guest.open("/puzzles/easy")
        (own,) = (s for name, s in puzzles._SERIES.items() if name.startswith("easy-"))
        assert own.scores_file is None


async def test_a_shared_puzzle_is_an_address_and_the_archive_has_the_days(monkeypatch, tmp_path):
    monkeypatch.setattr(puzzles, "scores_path", lambda: tmp_path / "scores.json")
    start = parse_position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
    study = source_of_position(start, ["to:b12:b7"]).study(0)
    address = puzzles.address_of(Attempt(study=study))
    async with visitors(monkeypatch) as (host,):
        await host.open(address)
        for _ in range(6000):
            found = [one for name, one in puzzles._SERIES.items() if name.startswith("one-")]
            if found and found[0].attempt is not None:
                break
            await asyncio.sleep(0.01)
        assert found[0].attempt.study.puzzle.goal == study.puzzle.goal
        press(host, "b7", "b12", 0)
        await host.should_see("1  red puck b7 north to b12")
        host.find("share-the-result").click()
        await host.should_see("Copied: http")
        await host.open("/puzzles/archive?month=2026-02")
        await host.should_see("Puzzles of February 2026")
        await host.should_see("Sat 28")
        await host.should_not_see("Sun 29")


def test_boards_and_squares_have_names_in_words():
    board = parse_position(START)
    assert board_words(board).startswith("12 mats, red to move, 2 red pucks, 1 red meeple and ")
    spaces = board_of(board.layout)
    named = {name: square_words(board, spaces.space_named(name)) for name in ("f5", "h10", "a10")}
    assert named == {"f5": "f5, red puck", "h10": "h10, goal", "a10": "a10, pool"}
