"""A board in a window: moved, edited, solved, copied, saved by mouse and keys."""

import multiprocessing
import time
from collections import Counter
from dataclasses import replace

import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygame.event import Event

from render.boardwindow import (
    BoardExplorer,
    PuzzleView,
    Tool,
    initial_state,
    with_moves,
)
from render.boardwindow.explorer_state import (
    stepped,
    with_brush,
    with_next_piece,
    with_next_side,
    with_pasted_line,
    with_piece_sent,
    with_scored,
    with_side,
    with_tool,
)
from render.boardwindow.mouse import after_click, with_mat_flipped, with_mat_turned
from render.boardwindow.playback import BoardPlayback
from render.boardwindow.solving import Solving, move_lengths
from render.bumpers import moment_of
from render.bumpers.sprites import PLAYERS
from render.palette import DARK, LIGHT
from render.viewer import Button, picture_of, show
from render.viewer.widgets import Line
from sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Piece,
    apply,
    parse_position,
    position_problems,
    position_text,
)
from sim.bumpers.puzzle_series import PuzzleSource
from sim.bumpers.solver import Goal, Status, solve
from tests.boardwindows import LONG_S, Board, Made, board_of_line, board_with
from tests.bumpersboards import GOAL_9, position
from tests.slamwindows import FRAME_S, check_picture, words_written

SMALL = "pb1:small:RPb7.BPe7:-:R:-"
SIZE = (960, 600)


def act(board, acts):
    """Do what is listed: a method of the board with its arguments."""
    for name, *arguments in acts:
        getattr(board, name)(*arguments)


# Moves of pieces.


@pytest.mark.parametrize(
    ("pieces", "acts", "after"),
    [
        ("RPa1.BPa4", [("click", "a1"), ("click", "d1")], "RPi1.BPa4"),
        ("RPa1.BPa4", [("click", "a1"), ("click", "a2")], "RPa3.BPa9"),
        ("RPe5.BPa4", [("drag", "e5", "e7")], "RPe9.BPa4"),
        ("RPa1.BPa4", [("keys", "tab", "right", "up", "left")], "RPa9.BPa4"),
        ("RMb1.RPc1", [("click", "b1"), ("click", "c1")], "RPi1.RMc1"),
        ("RPa1.BPa4", [("keys", "tab", "right", "z"), ("drag", "a1", "a3")], "RPa3.BPa9"),
    ],
)
def test_a_piece_goes_where_click_drag_or_key_points(pieces, acts, after):
    board = board_with(pieces)
    act(board, acts)
    assert board.pieces == after
    assert board.texts[-1:] != [""]


def test_a_piece_further_off_is_chosen_instead_of_bumped():
    board = board_with("RPa1.RPe1")
    act(board, [("click", "a1"), ("click", "e1")])
    assert board.view.state.space == 8 * 9 + 4


@pytest.mark.parametrize(
    ("pieces", "acts", "message"),
    [
        ("RPa1.BPa4", [("click", "a4")], "that is a blue puck, but red is to move"),
        (
            "RPa1.BPa4",
            [("keys", "tab", "left")],
            "a1W: a barrier or the edge of the board is in the way",
        ),
        ("RPa1.BPa4", [("drag", "a4", "c4")], "that is a blue puck, but another side is to move"),
        ("RPa1", [("keys", "g")], "no other side can move"),
        ("RPa1", [("keys", "4"), ("click", "e5"), ("keys", "u")], "mat X1 has no other side"),
        (
            "RPa1b1c1d1",
            [("keys", "3"), ("click", "e1")],
            "red has 5 pucks, scored ones among them; at most 4",
        ),
    ],
)
def test_what_is_impossible_says_why_and_changes_nothing(pieces, acts, message):
    board = board_with(pieces)
    act(board, acts)
    assert board.message == message
    assert board.pieces == pieces
    assert board.texts == []


def test_steps_are_taken_back_and_made_again():
    board = board_with("RPa1.BPa4")
    board.keys("tab", "right", "up")
    seen = []
    for name in ("z", "z", "z", "y", "y"):
        board.key(name)
        seen.append(board.pieces.split(".")[0])
    assert seen == ["RPi1", "RPa1", "RPa1", "RPi1", "RPi9"]
    board.keys("z", "z")
    board.drag("a1", "a3")
    assert board.texts == ["a1Nx"]  # a new line


def middles(board, frames):
    """Return where the first piece is in each of some frames."""
    found = []
    for _ in range(frames):
        found.append(board.view.playback.moment.pieces[0].middle[0])
        board.app.advance(FRAME_S)
    return found


def test_a_piece_glides_on_its_way_and_back():
    board = board_with("RPa1")
    board.keys("tab", "right")
    way = middles(board, 20)
    assert way == sorted(way)
    assert way[0] == 0.5
    assert 1 < way[10] < 8
    board.wait(LONG_S)
    assert board.view.playback.moment.pieces[0].middle == (8.5, 8.5)
    assert not board.app.advance(FRAME_S)
    board.key("z")
    way = middles(board, 10)
    assert way == sorted(way, reverse=True)
    assert way[0] == 8.5
    board.wait(LONG_S)
    assert board.view.playback.moment == moment_of(board.view.state.position)


@pytest.mark.parametrize("palette", [DARK, LIGHT])
def test_pieces_are_drawn_where_they_stand(palette):
    board = board_with("RPa1.BPa4.OIe5")
    board.size = SIZE
    picture = picture_of(board.window, SIZE, palette=palette)
    quarter = board.view.board_view(SIZE).scale_px // 4
    for square, colour in (("a1", Colour.RED), ("a4", Colour.BLUE), ("e5", Colour.ORANGE)):
        x, y = board.place(square)
        assert tuple(picture.get_at((x - quarter, y)))[:3] == PLAYERS[colour]


def test_where_the_chosen_piece_can_go_is_drawn():
    board = board_with("RPe5")
    before = board.picture()
    board.click("e5")
    board.move(*board.place("b2"))
    after = board.picture()
    for square, shown in (("e7", True), ("g5", True), ("e2", True), ("b5", True), ("g7", False)):
        place = board.place(square)
        assert (before.get_at(place) != after.get_at(place)) is shown


def words_of(board, monkeypatch):
    with words_written(monkeypatch) as words:
        board.picture()
    return words


def test_a_scored_puck_is_counted_above_the_board(monkeypatch):
    board = board_with("RPe1.BPa1", mat=GOAL_9)
    board.drag("e1", "e3")
    board.wait(LONG_S)
    words = {"Red to move", "1 of 4", "0 of 4", "start", "1. e1N*"}
    assert words <= set(words_of(board, monkeypatch))


def test_an_empty_board_says_how_to_begin_and_is_filled_at_random(monkeypatch):
    board = board_of_line("pb1:small:-:-:-:-")
    assert any(words.startswith("the board is empty: 3") for words in words_of(board, monkeypatch))
    board.key("n")
    pieces = board.view.state.position.pieces
    kinds = Counter((piece.colour, piece.kind) for _, piece in pieces)
    assert kinds[Colour.RED, Kind.PUCK] == kinds[Colour.ORANGE, Kind.PUCK] == 4
    before = board.pieces
    board.key("n")
    assert board.pieces != before
    assert not any("empty" in words for words in words_of(board, monkeypatch))


def test_the_symbols_are_explained_on_a_key(monkeypatch):
    board = board_of_line(SMALL)
    board.key("k")
    words = " ".join(words_of(board, monkeypatch))
    for name in ("puck:", "ice block:", "meeple:", "goal:", "pool:", "start spaces"):
        assert name in words
    board.key("k")
    assert "pool:" not in " ".join(words_of(board, monkeypatch))


def test_a_click_on_a_listed_move_goes_to_it():
    board = board_with("RPa1.BPa4")
    board.keys("tab", "right", "up", "left")
    for line, number in (("1. a1E", 1), ("start", 0), ("3. i9W", 3)):
        board.button(line)
        assert board.view.state.history.index == number
        lines = [widget for widget in board.view.widgets(SIZE) if isinstance(widget, Line)]
        assert [" ".join(lit.parts) for lit in lines if lit.on] == [line]
    assert len(board.texts) == 3


def test_a_drag_shows_where_the_piece_would_go():
    board = board_with("RPe5")
    board.press(*board.place("e5"))
    board.move(*board.place("g5"))
    for direction in (Direction.E, Direction.N):
        marks = board.view.marks(None, direction)
        assert marks.selected == (40,)
        assert marks.pointed.move.direction is direction


# Mats and edits.


@pytest.mark.parametrize(
    ("key", "acts", "text"),
    [
        ("2", [("click", "b7"), ("keys", "r")], "T:B6+90"),
        ("2", [("drag_from", "e1", -2.0, 6.0)], "H:K4,K1.W"),
        ("2", [("click", "e1"), ("click", "l1")], "S:K4,K6"),
        ("4", [("click", "e1"), ("keys", "u")], "K4 flipped to K4f"),
    ],
)
def test_a_mat_is_turned_dragged_swapped_and_flipped_and_back_by_a_step(key, acts, text):
    board = board_of_line(SMALL)
    before = board.line
    board.key(key)
    act(board, acts)
    board.wait(LONG_S)
    assert board.texts == [text]
    assert board.line != before
    board.key("z")
    board.wait(LONG_S)
    assert board.line == before
    assert board.view.playback.moment == moment_of(board.view.state.position)


def test_a_mat_flipped_twice_is_as_before():
    board = board_of_line(SMALL)
    before = board.line
    board.key("4")
    board.click("e1")
    for _ in range(2):
        board.button("Flip")
    assert len(board.texts) == 2
    assert board.line == before


def test_an_illegal_mat_move_says_why_but_in_editing_an_inner_mat_goes_too():
    board = board_of_line(SMALL)
    board.key("2")
    board.drag_from("e1", -2.0, -2.0)
    assert "touches no other mat" in board.message
    assert board.texts == []
    inner = board_of_line("pb1:classic:RPa1:-:R:-")
    inner.key("2")
    inner.drag("g7", "a16")
    assert "no open side" in inner.message
    inner.key("4")
    inner.drag("g7", "a16")
    assert inner.texts[0].startswith("S:")


def test_pieces_are_placed_replaced_removed_and_carried():
    board = board_with("RPa1")
    board.key("3")
    board.button("place a blue ice block")
    seen = []
    for name, *squares in (("click", "c3"), ("click", "a1"), ("click", "c3"), ("drag", "a1", "i9")):
        getattr(board, name)(*squares)
        seen.append(board.pieces)
    assert seen == ["RPa1.BIc3", "BIc3a1", "BIa1", "BIi9"]


def test_the_right_button_removes_a_piece_in_editing_only():
    board = board_with("RPa1.BPa4")
    right = Event(pygame.MOUSEBUTTONDOWN, pos=board.place("a4"), button=3)
    for key, left in (("1", "RPa1.BPa4"), ("3", "RPa1")):
        board.key(key)
        board.app.handle(right, board.size)
        assert board.pieces == left


def test_the_side_to_move_is_chosen_by_key():
    board = board_with("RPa1.BPa4.VMe5")
    sides = []
    for _ in range(3):
        board.key("t")
        sides.append(board.view.state.position.to_move.word)
    assert sides == ["blue", "violet", "red"]


def test_a_click_while_a_mat_glides_means_the_square_where_it_will_end():
    board = board_of_line(SMALL)
    board.key("2")
    view = board.view.board_view(board.size)
    board.drag_from("e1", -2.0, 6.0)
    board.app.advance(FRAME_S)
    assert board.view.playback.is_moving
    board.key("1")
    board.press(*view.pixel(0, 0))
    board.release(*view.pixel(0, 0))
    assert not board.view.playback.is_moving
    board.click("f7")
    assert board.view.state.space is not None


def test_a_disabled_command_does_nothing_by_its_key():
    board = board_of_line(SMALL)
    board.key("2")
    before = board.view.state
    board.key("r")
    assert board.view.state is before


@pytest.mark.parametrize("tool", Tool)
def test_buttons_are_inside_the_window_apart_and_in_the_help(tool):
    view = BoardExplorer(with_tool(initial_state(parse_position(SMALL)), tool))
    listed = {command.hint for command in view.commands if command.keys}
    for size in ((480, 320), (1280, 800), (700, 1000), (2560, 1600)):
        widgets, window = view.widgets(size), pygame.Rect(0, 0, *size)
        boxes = [widget.box for widget in widgets]
        assert all(window.contains(box) for box in boxes)
        assert all(box.collidelist(boxes[:number]) < 0 for number, box in enumerate(boxes))
        with_keys = {w.hint for w in widgets if isinstance(w, Button) and w.hint.endswith(")")}
        assert with_keys
        assert with_keys <= listed


# Replies, playing on, files and the clipboard.


def test_the_other_sides_move_by_a_key_and_the_side_to_move_stays():
    board = board_with("RPa1.BPe1.GPc9", mat=GOAL_9)
    board.key("g")
    board.wait(8.0)
    after = board.view.state.position
    assert after.to_move is Colour.RED
    assert after.scored[Colour.BLUE] == 1
    assert [text[:2] for text in board.texts] == ["c9", "e1"]
    assert board.pieces.startswith("RPa1.")


def test_moves_given_are_appended_and_play_by_themselves():
    state = with_moves(initial_state(position("RPa1.BPa4")), ["a1N", "a3E", "i3S"])
    board = Board(BoardExplorer(state))
    board.key("space")
    board.wait(8.0)
    assert board.view.state.history.is_last
    assert board.pieces == "RPi1.BPa9"
    assert not board.view.is_playing


def test_a_picture_a_film_and_a_page_are_saved_next_to_each_other(tmp_path):
    state = with_moves(initial_state(position("RPa1.BPa4")), ["a1N"])
    board = Board(BoardExplorer(state, folder=tmp_path), SIZE)
    for name in ("p", "p", "x", "w"):
        board.key(name)
        board.picture()
        assert board.message.startswith("writing board")
        board.app.advance(FRAME_S)
        assert board.message.startswith("wrote board")
    names = {path.name for path in tmp_path.iterdir()}
    assert names - {"board.gif", "board.mp4"} == {"board.png", "board-2.png", "board.html"}
    assert len(names) == 4
    assert len(board.texts) == 1


@pytest.fixture
def unseen(monkeypatch):
    """Open windows on a dummy display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    assert not pygame.display.get_init()


class Script:
    """A clock that posts events, some each frame, and closes the window at the end."""

    def __init__(self, *frames, pasted=""):
        self._frames, self._pasted = iter(frames), pasted

    def tick(self):
        if self._pasted:
            pygame.scrap.put_text(self._pasted)
        for event in next(self._frames, [Event(pygame.QUIT)]):
            pygame.event.post(event)
        return FRAME_S


def key(code, sign=""):
    return Event(pygame.KEYDOWN, key=code, unicode=sign, mod=0)


@pytest.mark.usefixtures("unseen")
def test_a_position_is_copied_in_one_window_and_pasted_in_another():
    first = BoardExplorer(initial_state(position("RPa1.BPa4")))
    show(first, clock=Script([key(pygame.K_TAB)], [key(pygame.K_RIGHT)], [key(pygame.K_c, "c")]))
    line = position_text(first.state.position)
    second = BoardExplorer(initial_state(parse_position(SMALL)))
    show(second, clock=Script([key(pygame.K_v, "v")], [], pasted=line))
    assert first.state.message == "position copied to the clipboard"
    assert position_text(second.state.position) == line
    assert second.state.history.index == 1


def test_a_pasted_line_that_is_no_position_shows_the_error():
    state = with_pasted_line(initial_state(parse_position(SMALL)), "pb1:small:RPzz9:-:R:-")
    assert state.message.startswith("position: 'pb1:small:RP>>zz9<<:-:R:-': there is no space zz9")
    assert len(state.history.entries) == 1


@pytest.mark.parametrize("name", ["board_piece_dark", "board_mats_light", "puzzle_dark"])
def test_a_picture_is_as_it_was_looked_at(name):
    check_picture(golden_picture(name), name)


def golden_picture(name):
    start = parse_position("pb1:small:RPb7o8.RMe7.RId6.BPd7m10.BIh3.GPk3e9.GMf14:R1B2:R:-")
    if name == "puzzle_dark":
        goal = Goal(space=parse_position(SMALL).pieces[0][0] + 2)
        source = PuzzleSource(pack=((start, goal),), name="pack")
        puzzle = Board(PuzzleView(source, range(1), lambda _: "", load=Made), SIZE)
        puzzle.wait(0.1)
        puzzle.keys("i", "i")
        return picture_of(puzzle.view, puzzle.size, palette=DARK)
    dark = name == "board_piece_dark"
    board = Board(BoardExplorer(initial_state(start)), SIZE)
    board.key("1" if dark else "2")
    board.click("e7" if dark else "e1")
    board.move(*board.place("a7" if dark else "l1"))
    return picture_of(board.view, board.size, palette=DARK if dark else LIGHT)


# Invariants under any sequence of actions.

START = parse_position("pb1:small:RPb7f5.RMe7.BPd7.BId6.GPk3:-:R:-")


def changes(change, values):
    """Return actions that make a change with one of some values."""
    return values.map(lambda value: lambda state: change(state, value))


SQUARES = st.tuples(st.integers(-4, 19), st.integers(-4, 19))
PIECES = st.builds(Piece, st.sampled_from(Colour), st.sampled_from(Kind))
UP_OR_DOWN = st.sampled_from((1, -1))
ACTS = st.one_of(
    changes(with_tool, st.sampled_from(Tool)),
    changes(with_brush, st.one_of(st.none(), PIECES)),
    changes(after_click, SQUARES),
    changes(after_click, SQUARES),
    changes(with_piece_sent, st.sampled_from(Direction)),
    changes(with_mat_turned, st.integers(1, 3)),
    changes(with_next_piece, UP_OR_DOWN),
    changes(with_scored, UP_OR_DOWN),
    changes(with_side, st.one_of(st.none(), st.sampled_from(Colour))),
    st.just(with_next_side),
    st.just(with_mat_flipped),
    changes(stepped, st.sampled_from((-2, -1, 1))),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, max_size=25))
def test_every_position_is_legal_reached_again_and_what_the_animation_ends_with(acts):
    state = initial_state(START)
    playback = BoardPlayback(state.history)
    for change in acts:
        before, state = state, change(state)
        assert position_problems(state.position) == ()
        if state.history is not before.history:
            playback.show(state.history)
            playback.advance(0.01)
    assert parse_position(position_text(state.position)) == state.position
    playback.advance(100.0)
    assert not playback.is_moving
    at_rest = moment_of(state.position, playback.origin)
    assert (playback.moment.mats, playback.moment.pieces) == (at_rest.mats, at_rest.pieces)
    end = stepped(state, 100)
    assert stepped(end, -100).position == START
    assert stepped(stepped(end, -100), 100).position == end.position


# The solver beside the board.

LINE = "pb1:small:RPb7.RMe7.BPd7:-:R:-"
AT_ONCE = "pb1:small:RPf7:-:R:-"
HARD = "pb1:classic:RPa1c3p9.BPa4e5.GPh8:-:R:-"


class Awaited:
    """A search that sends its news when a test tells it to."""

    def __init__(self, position, goal, limits):
        self.asked = (position, goal, limits)
        self.coming = []
        self.is_stopped = False
        self.is_over = False

    def news(self):
        return self.coming.pop(0) if self.coming else None

    def stop(self):
        self.is_stopped = True


class Solved(Board):
    """A person at a board with searches that end when a test tells them to."""

    def __init__(self, line):
        self.searches = []
        state = initial_state(parse_position(line))
        super().__init__(BoardExplorer(state, solving=Solving(self.begin)))

    def begin(self, position, goal, limits, *, of_moves=False):
        self.of_moves = of_moves
        self.searches.append(Awaited(position, goal, limits))
        return self.searches[-1]

    def finish(self, **known):
        """End the last search, with something else known than what the solver finds."""
        search = self.searches[-1]
        search.coming.append(replace(solve(*search.asked), **known))
        search.is_over = True
        self.app.advance(FRAME_S)

    def words(self, monkeypatch):
        return " | ".join(words_of(self, monkeypatch))


def test_the_window_goes_on_while_a_search_is_on_its_way_and_stops_it(monkeypatch):
    board = Solved(LINE)
    board.button("Solve")
    board.keys("tab", "up")
    board.app.advance(FRAME_S)
    assert board.view.playback.is_moving
    board.key("z")
    assert "searching ..." in board.words(monkeypatch)
    board.button("Stop")
    assert board.searches[0].is_stopped
    assert not board.view.solving.is_running
    assert "stopped" in board.words(monkeypatch)


def test_a_solution_is_shown_appended_and_played_by_space(monkeypatch):
    board = Solved(LINE)
    board.key("s")
    board.finish()
    assert board.view.state.history.index == 0
    words = board.words(monkeypatch)
    assert f"solved in {len(board.texts)} actions, the fewest possible" in words
    assert " ".join(board.texts) in words
    board.key("space")
    board.wait(12.0)
    assert board.view.state.position.scored[0] == 1
    assert not board.view.is_playing


def test_hints_show_the_piece_first_and_then_its_move(monkeypatch):
    board = Solved(AT_ONCE)
    board.key("i")
    assert board.texts == []
    board.finish()
    first, before = board.words(monkeypatch), board.picture()
    board.key("i")
    second = board.words(monkeypatch)
    assert "look at the red puck on f7" in first
    assert "begin with f7N*" not in first
    assert "begin with f7N*" in second
    assert board.picture().get_at(board.place("f8")) != before.get_at(board.place("f8"))
    assert board.texts == []
    assert len(board.searches) == 1


NOTHING = {"status": Status.LIMIT_REACHED, "line": (), "lines": ()}


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
def test_what_is_proved_without_a_solution_is_shown(monkeypatch, known, said):
    board = Solved(AT_ONCE)
    board.key("s")
    board.finish(**(NOTHING | known))
    assert said in board.words(monkeypatch)
    assert board.texts == []


def test_the_progress_of_a_search_is_shown(monkeypatch):
    board = Solved(AT_ONCE)
    board.key("s")
    found = replace(solve(parse_position(AT_ONCE)), **(NOTHING | {"lower_bound": 5}))
    board.searches[0].coming.append(replace(found, nodes=1_234_567))
    board.app.advance(FRAME_S)
    words = board.words(monkeypatch)
    assert "searching: at least 5 actions" in words
    assert "1,234,567 moves made" in words


def test_an_analysis_lists_the_solution_length_of_every_move_to_click_on(monkeypatch):
    board = Solved(LINE)
    best = len(solve(parse_position(LINE)).line)
    board.button("Analyse")
    assert board.of_moves
    seen = list(move_lengths(*board.searches[0].asked))
    assert [len(lengths) for lengths in seen] == list(range(1, len(seen) + 1))
    board.searches[0].coming = list(seen[-1:])
    board.searches[0].is_over = True
    board.app.advance(FRAME_S)
    first = seen[-1][0]
    assert first.actions == best
    assert {one.actions for one in seen[-1]} > {best}
    for one in seen[-1]:
        if one.actions is not None:
            position = apply(parse_position(LINE), one.move)
            assert one.actions == 1 + len(solve(position).line)
    assert "shortest solution that begins with" in board.words(monkeypatch)
    board.button(first.words)
    assert board.texts == [first.text]
    assert "shortest solution that begins with" not in board.words(monkeypatch)


def test_an_answer_that_comes_when_the_board_has_changed_changes_nothing():
    board = Solved(LINE)
    board.keys("s", "tab", "up")
    history = board.view.state.history
    board.finish()
    assert board.view.state.history == history


def test_the_goal_is_chosen_by_buttons(monkeypatch):
    board = Solved(HARD)
    for presses, pucks in ((1, 2), (4, None)):
        for _ in range(presses):
            board.button("more pucks")
        board.key("s")
        assert board.searches[-1].asked[1] == Goal(pucks=pucks)
        assert f"Goal: {pucks or 'all'} red pucks in" in board.words(monkeypatch)
        board.key("s")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("pb1:small:BPb7:-:R:-", "red has no puck on the board, 1 wanted"),
        ("pb1:small:BPb7:-:-:-", "nobody is to move; give a colour"),
        ("pb1:small:BPb7:R4:R:-", "all pucks of red are in already"),
    ],
)
def test_what_cannot_be_solved_says_why(monkeypatch, line, said):
    board = Solved(line)
    board.key("s")
    assert not board.searches
    assert said in board.words(monkeypatch)


def test_a_search_in_a_process_of_its_own_finds_what_the_solver_finds_and_is_stopped():
    board = board_of_line(LINE)
    before = set(multiprocessing.active_children())
    board.key("s")
    until = time.monotonic() + 120
    while board.view.solving.is_running and time.monotonic() < until:
        board.app.advance(FRAME_S)
        time.sleep(0.02)
    answer = board.view.solving.answer
    assert answer.found.line == solve(parse_position(LINE)).line
    board = board_of_line(HARD)
    board.view.solving.change_pucks(2)
    board.key("s")
    assert set(multiprocessing.active_children()) - before
    board.view.close()
    assert not set(multiprocessing.active_children()) - before
    assert not board.view.solving.is_running


def test_a_move_is_heard_slide_by_slide():
    board = board_with("RPa1.BPa4")
    heard = []
    board.view.playback.speaker.play_now = heard.append
    board.drag("a1", "a3")  # the red puck sends the blue one on
    board.wait(LONG_S)
    assert [sound.voice for sound in heard] == ["slide", "disc3", "slide", "disc3"]
    times = [sound.time_s for sound in heard]
    assert times == sorted(times)
    assert all(sound.side < 0 for sound in heard)  # on the left
    board.key("z")
    board.wait(LONG_S)
    assert len(heard) == 4  # backward is silent


def test_mats_are_moved_on_a_board_of_almost_full_size():
    board = board_of_line(SMALL)
    full = board.view.board_view(SIZE).scale_px
    board.key("4")
    assert board.view.board_view(SIZE).scale_px > 0.8 * full
