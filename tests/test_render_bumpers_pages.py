"""Pages of boards and cards to print: their data, and a person with a mouse in a real browser."""

import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from pucklab.render.browser.exploring import (
    initial_state,
    step_history,
    with_pasted_line,
    with_piece_placed,
)
from pucklab.render.bumpers.board import SPACES_OF_SAMPLE, moment_of
from pucklab.render.bumpers.cards import card_sheets, save_puzzles
from pucklab.render.bumpers.film import page_of
from pucklab.render.bumpers.history import history_of_game
from pucklab.render.bumpers.motion import line_of
from pucklab.render.bumpers.page import MAX_BYTES, board_page, line_item, puzzle_item
from pucklab.sim.bumpers import Colour, Kind, Piece, parse_move, parse_position, play
from pucklab.sim.bumpers.game import BUMPERS
from pucklab.sim.bumpers.puzzle_rating import goal_after
from pucklab.sim.bumpers.puzzle_series import PuzzleSource
from pucklab.sim.bumpers.puzzle_solving import HOW_TO_MOVE, puzzle_at, study_of
from pucklab.sim.bumpers.puzzles import PuzzleSpec
from pucklab.sim.bumpers.solver import Goal, Question, solve
from pucklab.sim.core.records import read_record, replay
from tests.browsers import facts_of
from tests.bumpersboards import explored
from tests.make_bumpers_games import FOLDER

POSITION = "pb1:small:RPb7.RMe7.BPd7:-:R:-"


def boards_of(item):
    """Yield pieces and mats after each step, as the page finds them."""
    pieces = {(x, y): code for code, x, y in item["pieces"]}
    mats = [(label, x, y, quarters) for label, _, x, y, quarters in item["mats"]]
    yield pieces, mats
    for step in item["steps"]:
        for x, y in step.get("gone", ()):
            del pieces[x, y]
        movers = [pieces.pop((x, y)) for x, y, *_ in step["moves"]]
        for code, (_, _, x, y, scored, *_) in zip(movers, step["moves"], strict=True):
            if not scored:
                assert (x, y) not in pieces
                pieces[x, y] = code
        for code, x, y in step.get("come", ()):
            pieces[x, y] = code
        for number, *mat in step.get("mats", ()):
            mats[number] = tuple(mat)
        yield dict(pieces), list(mats)


@pytest.mark.parametrize("name", [path.name for path in sorted(FOLDER.glob("*.json"))])
def test_the_steps_of_a_page_lead_through_all_positions_of_a_game(name):
    record = read_record(BUMPERS, FOLDER / name)
    history = history_of_game(record.setup, list(replay(BUMPERS, record)))
    page = page_of(history)
    assert len(page.encode()) <= MAX_BYTES
    (item,) = facts_of(page)["items"]
    assert [step["text"] for step in item["steps"]] == [e.text for e in history.entries[1:]]
    shifts = set()
    for entry, (pieces, mats) in zip(history.entries, boards_of(item), strict=True):
        moment = moment_of(entry.position)
        own = sorted((pose.piece.code, *pose.middle) for pose in moment.pieces)
        found = sorted((code, *place) for place, code in pieces.items())
        # A board that grows to the north or west renumbers its rows and columns, not the picture.
        across, down = (mats[0][k] - moment.mats[0].middle[k - 1] for k in (1, 2))
        shifts.add((across, down))
        assert [(c, x - across, y - down) for c, x, y in found] == own
        assert [(m.face.label, m.quarters) for m in moment.mats] == [(m[0], m[3]) for m in mats]
    assert (0.0, 0.0) in shifts


def test_a_move_of_a_mat_carries_its_pieces():
    state = explored(parse_position(POSITION), "T:K3+90", "b7N")
    (item,) = facts_of(page_of(state.history))["items"]
    *_, (pieces, mats) = boards_of(item)
    moment = moment_of(state.history.entries[-1].position)
    assert pieces == {pose.middle: pose.piece.code for pose in moment.pieces}
    assert mats == [(m.face.label, *m.middle, m.quarters) for m in moment.mats]


def test_a_piece_that_replaces_another_is_another_one():
    state = initial_state(parse_position(POSITION))
    space = state.position.pieces[0][0]
    state = with_piece_placed(state, space, Piece(Colour.GREEN, Kind.ICE))
    (item,) = facts_of(page_of(state.history))["items"]
    *_, (pieces, _) = boards_of(item)
    moment = moment_of(state.position)
    assert pieces == {pose.middle: pose.piece.code for pose in moment.pieces}


def test_a_pasted_board_is_a_line_of_its_own():
    state = explored(parse_position(POSITION), "b7N")
    state = with_pasted_line(step_history(state, 1), "pb1:K6/G3:YPb8a7.YMb2:-:Y:-")
    items = facts_of(page_of(state.history))["items"]
    assert [(len(item["mats"]), len(item["steps"])) for item in items] == [(12, 1), (2, 0)]


def test_a_puzzle_has_every_legal_move_and_tells_the_right_ones():
    study = PuzzleSource(spec=PuzzleSpec(actions=3), seed=3).study(0)
    item, _ = puzzle_item(study)
    for node, (left, hint, own) in zip(study.nodes, item["nodes"], strict=True):
        assert left == node.left
        assert bool(hint) is bool(left)
        assert [number for number in own[1::2] if number >= 0] == [n for _, n in node.right]
        assert len(own) // 2 == len(set(own[::2]))
        for number, code in zip(own[::2], own[1::2], strict=True):
            move = parse_move(node.position, item["moves"][number][3])
            after, change = play(node.position, move)
            if code < 0:
                rest = goal_after(node.goal, node.position, after, change)
                needed = solve(Question(after, rest)).line
                assert code == -2 - len(needed)


def test_a_page_has_no_links_and_cannot_be_left_by_its_texts():
    line = line_of(parse_position(POSITION), ())
    page = board_page([line_item(line, "</script><b>")], "<title>")
    assert "</script><b>" not in page
    assert "&lt;title&gt;" in page
    assert not re.search(r"(src|href)=\"?(?!#|data:)[a-z]+:", page)


# A browser.


PLACE = """
const board = document.getElementById("board").getScreenCTM();
const pixel = (x, y) => { const p = new DOMPoint(x, y).matrixTransform(board);
  return [Math.round(p.x), Math.round(p.y)]; };
const own = pucklab.movesHere().find((move) => move.next >= 0 === %s);
return [pixel(own.x, own.y), pixel(...own.end)];
"""


def try_move(page, *, right, kind="mouse"):
    """Click on a piece and on the end of a move, or drag it with a finger; return what is said."""
    page.wait_for("!pucklab.state.busy")
    start, end = page.run(PLACE % ("true" if right else "false"))
    if kind == "touch":
        page.drag(start, end, kind)
    else:
        page.drag(start, start)
        page.drag(end, end)
    return page.said


@cache
def puzzle_to_solve():
    return study_of(puzzle_at(parse_position(POSITION), Goal()))


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_puzzle_is_solved_in_the_page_with_a_wrong_try_and_two_hints(page, write, kind):
    path = write("puzzle.html", board_page([puzzle_item(puzzle_to_solve())], "A puzzle"))
    page.open(path, (900, 700))
    wrong = try_move(page, right=False, kind=kind)
    assert wrong == "b7E leads away: from there it still takes 4. Undo, and try another."
    page.wait_for("!pucklab.state.busy")
    assert page.run("return pucklab.movesHere()") == []
    page.keys("u")
    assert page.said == "4 actions to go."
    page.keys("h")
    assert page.said == "Look at the red puck on b7."
    page.keys("h")
    assert page.said == "Begin with b7N."
    for left in (3, 2, 1):
        assert f"is right: {left} action" in try_move(page, right=True, kind=kind)
    last = try_move(page, right=True, kind=kind)
    assert last == "a11E* solves it with 1 wrong move and 2 hints!"
    page.keys("s")
    page.wait_for("document.getElementById('said').textContent.includes('Puck Bumpers')")
    shared = r"in 4 actions with 1 wrong move and 2 hints\. pucklab puzzle pb1:\S+ --goal 1 --play$"
    assert re.search(shared, page.said)
    assert page.console() == []


def test_the_end_of_an_address_opens_one_of_many_puzzles(page, write):
    other = study_of(puzzle_at(parse_position("pb1:small:RPf7:-:R:-"), Goal()), "other")
    path = write(
        "puzzles.html", board_page([puzzle_item(puzzle_to_solve()), puzzle_item(other)], "Two")
    )
    page.open(path, (900, 700))
    page.run("location.hash = '#2'")
    page.wait_for("pucklab.state.item === 1")
    page.run("location.hash = '#nonsense'")
    page.wait_for("pucklab.state.item === 0")
    assert page.console() == []


def test_a_page_explains_its_symbols():
    page = board_page([puzzle_item(puzzle_to_solve())], "A puzzle")
    for text in (*HOW_TO_MOVE.values(), *SPACES_OF_SAMPLE.values()):
        assert f"<dd>{text}</dd>" in page


def test_a_game_is_stepped_through_by_keys_buttons_and_the_slider(page, write):
    state = explored(parse_position(POSITION), "T:K3+90", "b7N", "b12W")
    path = write("line.html", page_of(state.history))
    page.open(path, (900, 700))
    right, end = "\ue014", "\ue010"
    page.keys(right)
    assert page.said.strip() == "1 of 3: T:K3+90"
    page.run("document.querySelector('[aria-label=\"A step on\"]').click()")
    assert page.said.strip() == "2 of 3: b7N"
    page.keys(end)
    places = "return pucklab.pieces().map((piece) => [piece.code, piece.x, piece.y])"
    moment = moment_of(state.history.entries[-1].position)
    shown = sorted((pose.piece.code, *pose.middle) for pose in moment.pieces)
    assert sorted(map(tuple, page.run(places))) == shown
    page.run(
        "const bar = document.getElementById('scrub'); bar.value = 0;"
        "bar.dispatchEvent(new Event('input'))"
    )
    assert page.said.strip() == "0 of 3: start"
    assert page.console() == []


# Cards.


def test_cards_stand_four_on_a_sheet_and_solutions_on_the_last(tmp_path):
    source = PuzzleSource(level="children", seed=1)
    studies = [source.study(0)] * 5
    sheets = list(card_sheets(studies, how=True))
    assert [sheet.count("to move: bring") for sheet in sheets] == [4, 1, 0]
    assert ["Solutions" in sheet for sheet in sheets] == [False, False, True]
    assert len(re.findall(r">\d\.  [a-z]\d+[NESW]x? ", sheets[-1])) == 5
    save_puzzles(tmp_path / "cards.svg", studies)
    root = ET.parse(tmp_path / "cards.svg").getroot()
    assert root.get("height") == "891mm"
    save_puzzles(tmp_path / "cards.html", studies)
    assert (tmp_path / "cards.html").read_text().count('height="297mm"') == 3
