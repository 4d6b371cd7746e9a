"""Puzzles solved in a window by mouse and keys."""

import multiprocessing

import pytest

from physics import InputError
from render.boardwindow import PuzzleView
from render.boardwindow.picture import NO_MARKS
from render.viewer import picture_of, processes
from sim.bumpers import position_text
from sim.bumpers.puzzle_series import PuzzleSource, source_of_pack
from sim.bumpers.puzzles import PuzzleSpec
from tests.boardwindows import LONG_S, Board, Made
from tests.commands import wait_until

START = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
PACK = f"position,goal\n{START},\npb1:small:RPf7.BPa9:-:R:-,\n{START},to:c7\n"


@pytest.fixture
def at(tmp_path):
    """A person at a pack of three puzzles; results are kept in ``at.kept``."""
    path = tmp_path / "pack.csv"
    path.write_text(PACK)
    source, kept = source_of_pack(path), []

    def enter(attempt):
        kept.append((attempt.wrong, attempt.hints, attempt.score))
        return f"rating 1000, puzzle {len(kept)}"

    person = Board(PuzzleView(source, range(source.most), enter, load=Made))
    person.kept = kept
    person.wait(0.1)
    return person


def test_a_puzzle_is_solved_with_a_wrong_try_and_two_hints(at):
    at.drag("b7", "e7")  # east
    assert at.view.message == "b7E leads away: from there it still takes 4. Try another."
    assert at.texts == ["b7E"]
    at.wait(LONG_S)
    assert at.texts == []
    at.key("i")
    assert at.view.message == "Look at the red puck on b7."
    at.button("Hint")
    assert at.view.message == "Begin with b7N."
    at.keys("tab", "up")
    assert at.view.message == "b7N is right: 3 actions to go."
    at.wait(LONG_S)
    at.click("a12")
    at.wait(LONG_S)
    at.drag("a12", "a9")
    at.wait(LONG_S)
    at.drag("a11", "c11")
    assert at.view.message == "a11E* solves it with 1 wrong move and 2 hints!"
    assert (at.view.result, at.kept) == ("rating 1000, puzzle 1", [(1, 2, 0.5)])


def test_no_move_is_taken_while_a_wrong_one_is_shown_or_after_the_last(at):
    at.drag("b7", "e7")
    at.drag("e7", "e5")
    assert at.texts == ["b7E"]
    at.wait(LONG_S)
    at.key("n")
    at.wait(0.1)
    at.drag("f7", "f9")
    at.wait(LONG_S)
    assert at.view.message == "f7N* solves it without help!"
    at.keys("tab", "left", "i")
    assert at.texts == ["f7N*"]
    assert at.kept == [(0, 0, 1.0)]


def test_hints_mark_the_piece_then_its_move(at):
    assert at.view.marks(None, None) == NO_MARKS
    at.key("i")
    marks = at.view.marks(None, None)
    space = at.view.attempt.node.right[0][0].space
    assert (marks.hinted, marks.previews) == ((space,), ())
    at.key("i")
    assert at.view.marks(None, None).pointed.move == at.view.attempt.node.right[0][0]


def test_starting_over_keeps_what_is_counted(at):
    at.drag("b7", "b9")
    at.wait(LONG_S)
    at.keys("i", "r")
    assert (at.line[:-5], at.view.attempt.hints) == (position_text_of(START)[:-5], 1)
    assert at.view.attempt.number == 0


def position_text_of(line):
    from sim.bumpers import parse_position

    return position_text(parse_position(line))


def test_the_space_to_reach_is_marked_and_the_last_puzzle_says_so(at):
    for _ in range(2):
        at.key("n")
        at.wait(0.1)
    goal = at.view.attempt.study.puzzle.goal
    assert at.view.marks(None, None).spaces == (goal.space,)
    at.key("n")
    at.wait(0.1)
    assert at.view.message == "that was the last puzzle"


def test_other_pieces_say_why_they_do_not_move(at):
    at.drag("d7", "d9")
    assert at.view.message == "that is a blue puck, but another side is to move"


def test_a_process_sends_what_it_finds_and_then_why_it_cannot_go_on(monkeypatch):
    def work(number):
        yield number
        raise InputError("no more")

    monkeypatch.setattr(processes.signal, "signal", lambda *_: None)
    ours, theirs = multiprocessing.Pipe(duplex=False)
    processes._send_news(theirs, work, (1,))
    assert [ours.recv(), ours.recv()] == [1, "no more"]
    assert theirs.closed


def test_the_first_puzzle_is_made_in_another_process_while_the_window_is_drawn():
    source = PuzzleSource(spec=PuzzleSpec(actions=1))
    view = PuzzleView(source, range(1), lambda _: "")
    try:
        assert view.heading == "Making a puzzle ..."
        picture_of(view, (640, 400))
        wait_until(lambda: (view.advance(0.02), view.attempt)[1], within_s=300)
        assert view.attempt.study == source.study(0)
    finally:
        view.close()
    assert not multiprocessing.active_children()
