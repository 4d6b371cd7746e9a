"""The solver in the board window: it never blocks, shows answers and hints, and can be stopped."""

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from render.boardwindow import BoardExplorer, initial_state
from render.boardwindow.solving import Solving
from sim.bumpers import Position, parse_position
from sim.bumpers.solver import Goal, Limits, Solution, Status, solve
from tests.boardwindows import Board
from tests.slamwindows import FRAME_S, words_written

LINE = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
AT_ONCE = "pb1:small:RPf7:-:R:-"
HARD = "pb1:classic:RPa1c3p9.BPa4e5.GPh8:-:R:-"


class Awaited:
    """A search that sends its news when a test tells it to."""

    def __init__(self, position: Position, goal: Goal, limits: Limits) -> None:
        self.asked = (position, goal, limits)
        self.coming: list[Solution | str] = []
        self.is_stopped = False
        self.is_over = False

    def news(self) -> Solution | str | None:
        return self.coming.pop(0) if self.coming else None

    def stop(self) -> None:
        self.is_stopped = True

    def finish(self, end: Callable[[Solution], Solution | str] = lambda found: found) -> None:
        self.coming.append(end(solve(*self.asked)))
        self.is_over = True


@pytest.fixture
def searches() -> list[Awaited]:
    return []


def solving_board(line: str, searches: list[Awaited]) -> Board:
    def begin(position: Position, goal: Goal, limits: Limits) -> Awaited:
        searches.append(Awaited(position, goal, limits))
        return searches[-1]

    return Board(BoardExplorer(initial_state(parse_position(line)), solving=Solving(begin)))


def words_of(board: Board, monkeypatch: pytest.MonkeyPatch) -> str:
    with words_written(monkeypatch) as words:
        board.picture()
    return " | ".join(words)


def test_the_window_goes_on_while_a_search_is_on_its_way(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = solving_board(LINE, searches)
    board.button("Solve")
    board.key("tab")
    board.key("up")
    board.app.advance(FRAME_S)
    assert board.view.animation.is_moving
    board.key("z")
    assert "searching ..." in words_of(board, monkeypatch)


def test_a_solution_is_shown_and_its_moves_are_appended(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = solving_board(LINE, searches)
    board.key("s")
    searches[0].finish()
    board.app.advance(FRAME_S)
    history = board.view.state.history
    assert history.index == 0
    assert history.entries[-1].position.scored[0] == 1
    line = " ".join(entry.text for entry in history.entries[1:])
    words = words_of(board, monkeypatch)
    count = len(history.entries) - 1
    assert f"solved in {count} actions, the fewest possible" in words
    assert line in words


def test_space_plays_a_solution_to_its_end(searches: list[Awaited]) -> None:
    board = solving_board(AT_ONCE, searches)
    board.key("s")
    searches[0].finish()
    board.app.advance(FRAME_S)
    board.key("space")
    board.wait(3.0)
    assert board.view.state.position.scored[0] == 1
    assert not board.view.is_playing


def test_hints_show_the_piece_first_and_then_its_move(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = solving_board(AT_ONCE, searches)
    board.key("i")
    assert len(board.view.state.history.entries) == 1
    searches[0].finish()
    board.app.advance(FRAME_S)
    first = words_of(board, monkeypatch)
    before = board.picture()
    board.key("i")
    second = words_of(board, monkeypatch)
    assert "look at the red puck on f7" in first
    assert "begin with f7N*" not in first
    assert "begin with f7N*" in second
    assert board.picture().get_at(board.place("f8")) != before.get_at(board.place("f8"))
    assert len(board.view.state.history.entries) == 1
    assert len(searches) == 1


def test_a_search_is_stopped_by_its_button(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = solving_board(LINE, searches)
    board.button("Solve")
    board.button("Stop")
    assert searches[0].is_stopped
    assert not board.view.solving.is_running
    assert "stopped" in words_of(board, monkeypatch)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"lower_bound": None}, "proved: there is no solution"),
        (
            {"status": Status.PROVED_UNSOLVABLE, "lower_bound": 21},
            "proved: no solution of up to 20 actions",
        ),
        ({"limit": "memory", "lower_bound": 7}, "a solution needs at least 7 actions"),
    ],
)
def test_what_is_proved_without_a_solution_is_shown(
    searches: list[Awaited],
    monkeypatch: pytest.MonkeyPatch,
    known: dict[str, object],
    said: str,
) -> None:
    board = solving_board(AT_ONCE, searches)
    board.key("s")
    nothing = {"status": Status.LIMIT_REACHED, "line": (), "lines": ()}
    searches[0].finish(lambda found: replace(found, **(nothing | known)))
    board.app.advance(FRAME_S)
    assert said in words_of(board, monkeypatch)
    assert len(board.view.state.history.entries) == 1


def test_the_progress_of_a_search_is_shown(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = solving_board(AT_ONCE, searches)
    board.key("s")
    found = solve(parse_position(AT_ONCE))
    searches[0].coming.append(
        replace(found, status=Status.LIMIT_REACHED, line=(), lower_bound=5, nodes=1_234_567)
    )
    board.app.advance(FRAME_S)
    words = words_of(board, monkeypatch)
    assert "searching: at least 5 actions" in words
    assert "1,234,567 moves made" in words


def test_an_answer_that_comes_when_the_board_has_changed_changes_nothing(
    searches: list[Awaited],
) -> None:
    board = solving_board(LINE, searches)
    board.key("s")
    board.key("tab")
    board.key("up")
    history = board.view.state.history
    searches[0].finish()
    board.app.advance(FRAME_S)
    assert board.view.state.history == history


def test_the_goal_is_chosen_by_buttons(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = solving_board(HARD, searches)
    board.button("more pucks")
    board.key("s")
    assert searches[0].asked[1] == Goal(pucks=2)
    assert "Goal: 2 red pucks in" in words_of(board, monkeypatch)
    for _ in range(4):
        board.button("more pucks")
    board.key("s")
    board.key("s")
    assert searches[1].asked[1] == Goal(pucks=None)
    assert "Goal: all red pucks in" in words_of(board, monkeypatch)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pb1:small:BPb7:-:R:-", "red has no puck on the board, 1 wanted"),
        ("pb1:small:BPb7:-:-:-", "nobody is to move; give a colour"),
        ("pb1:small:BPb7:R4:R:-", "all pucks of red are in already"),
    ],
)
def test_what_cannot_be_solved_says_why(
    searches: list[Awaited], monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    board = solving_board(line, searches)
    board.key("s")
    assert not searches
    assert said in words_of(board, monkeypatch)


def test_a_search_in_a_process_of_its_own_finds_what_the_solver_finds() -> None:
    board = Board(BoardExplorer(initial_state(parse_position(LINE))))
    board.key("s")
    until = time.monotonic() + 120
    while board.view.solving.is_running and time.monotonic() < until:
        board.app.advance(FRAME_S)
        time.sleep(0.02)
    answer = board.view.solving.answer
    assert answer is not None
    assert answer.found is not None
    assert answer.found.line == solve(parse_position(LINE)).line


def test_a_search_in_a_process_of_its_own_ends_when_the_window_is_closed() -> None:
    board = Board(BoardExplorer(initial_state(parse_position(HARD))))
    board.view.solving.change_pucks(2)
    before = set(multiprocessing.active_children())
    board.key("s")
    assert set(multiprocessing.active_children()) - before
    board.view.close()
    assert not set(multiprocessing.active_children()) - before
    assert not board.view.solving.is_running
