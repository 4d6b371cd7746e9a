"""A board being explored, and the solver beside it: what a page of a board shows and changes."""

import multiprocessing
import time
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pucklab.render.browser.exploring import (
    Tool,
    after_click,
    after_drag,
    initial_state,
    step_history,
    with_mat_flipped,
    with_mat_turned,
    with_next_piece,
    with_next_side,
    with_pasted_line,
    with_piece_sent,
    with_scored,
    with_side,
    with_tool,
)
from pucklab.render.browser.solving import Solving, answer_lines, answer_marks, move_lengths
from pucklab.render.browser.work import Viewers, Work
from pucklab.sim.bumpers import (
    Colour,
    Direction,
    Kind,
    Piece,
    apply,
    board_of,
    parse_position,
    position_problems,
    position_text,
)
from pucklab.sim.bumpers.position_notation import pieces_text
from pucklab.sim.bumpers.solver import Question, Status, bring_in, solve
from tests.bumpersboards import explored, position
from tests.tables import cases, toml

SMALL = "pb1:small:RPb7f5.RMe7.BPd7:-:R:-"


def square(state, name):
    """Return the row and column of a square by its name."""
    board = board_of(state.position.layout)
    return board.squares[board.space_named(name)]


def clicked(state, *names):
    for name in names:
        state = after_click(state, square(state, name))
    return state


def dragged(state, begin, end, direction=Direction.N):
    return after_drag(state, square(state, begin), square(state, end), direction)


def texts(state):
    return [entry.text for entry in state.history.entries[1:]]


# Moves of pieces.


@cases(
    "pieces names after",
    """
    "RPa1.BPa4" => ["a1", "d1"] => "RPi1.BPa4"
    "RPa1.BPa4" => ["a1", "a2"] => "RPa3.BPa9"
    "RMb1.RPc1" => ["b1", "c1"] => "RPi1.RMc1"
    """,
    toml,
)
def test_a_piece_goes_where_a_click_points(pieces, names, after):
    state = clicked(initial_state(position(pieces)), *names)
    assert pieces_text(state.position) == after


def test_a_piece_goes_where_a_drag_or_a_key_points():
    state = initial_state(position("RPa1.BPa4"))
    assert pieces_text(dragged(state, "a1", "a3").position) == "RPa3.BPa9"
    chosen = with_next_piece(state, 1)
    assert pieces_text(with_piece_sent(chosen, Direction.E).position) == "RPi1.BPa4"


def test_a_piece_further_off_is_chosen_instead_of_bumped():
    state = clicked(initial_state(position("RPa1.RPe1")), "a1", "e1")
    assert state.space == 8 * 9 + 4


@pytest.mark.parametrize(
    ("pieces", "change", "message"),
    [
        (
            "RPa1.BPa4",
            lambda state: clicked(state, "a4"),
            "that is a blue puck, but red is to move",
        ),
        (
            "RPa1.BPa4",
            lambda state: with_piece_sent(with_next_piece(state, 1), Direction.W),
            "a1W: a barrier or the edge of the board is in the way",
        ),
        (
            "RPa1.BPa4",
            lambda state: dragged(state, "a4", "c4"),
            "that is a blue puck, but another side is to move",
        ),
        (
            "RPa1",
            lambda state: with_mat_flipped(clicked(with_tool(state, Tool.EDIT_MATS), "e5")),
            "mat X1 has no other side",
        ),
        (
            "RPa1b1c1d1",
            lambda state: clicked(with_tool(state, Tool.EDIT_PIECES), "e1"),
            "red has 5 pucks, scored ones among them; at most 4",
        ),
    ],
)
def test_what_is_impossible_says_why_and_changes_nothing(pieces, change, message):
    state = change(initial_state(position(pieces)))
    assert state.message == message
    assert pieces_text(state.position) == pieces
    assert texts(state) == []


def test_steps_are_taken_back_and_made_again():
    state = explored(position("RPa1.BPa4"), "a1E", "i1N")
    seen = []
    for change in (2, -1, -1, -1, 1, 1):
        state = step_history(state, change)
        seen.append(pieces_text(state.position).split(".")[0])
    assert seen == ["RPi9", "RPi1", "RPa1", "RPa1", "RPi1", "RPi9"]
    other = dragged(step_history(state, -2), "a1", "a3")
    assert texts(other) == ["a1Nx"]


# Mats and edits.


@pytest.mark.parametrize(
    ("tool", "change", "text"),
    [
        (Tool.MOVE_MATS, lambda s: with_mat_turned(clicked(s, "b7"), 1), "T:B6+90"),
        (Tool.MOVE_MATS, lambda s: clicked(s, "e1", "l1"), "S:K4,K6"),
        (Tool.EDIT_MATS, lambda s: with_mat_flipped(clicked(s, "e1")), "K4 flipped to K4f"),
    ],
)
def test_a_mat_is_turned_swapped_and_flipped_and_back_by_a_step(tool, change, text):
    state = with_tool(initial_state(parse_position(SMALL)), tool)
    after = change(state)
    assert texts(after) == [text]
    assert after.position != state.position
    assert step_history(after, -1).position == state.position


def test_an_inner_mat_moves_in_editing_only():
    state = initial_state(parse_position("pb1:classic:RPa1:-:R:-"))
    moved = dragged(with_tool(state, Tool.MOVE_MATS), "g7", "a16")
    assert "no open side" in moved.message
    assert texts(dragged(with_tool(state, Tool.EDIT_MATS), "g7", "a16"))[0].startswith("S:")


def test_pieces_are_placed_replaced_removed_and_carried():
    state = with_tool(initial_state(position("RPa1")), Tool.EDIT_PIECES)
    state = replace(state, brush=Piece(Colour.BLUE, Kind.ICE))
    seen = []
    for *names, act in (("c3", clicked), ("a1", clicked), ("c3", clicked), ("a1", "i9", dragged)):
        state = act(state, *names)
        seen.append(pieces_text(state.position))
    assert seen == ["RPa1.BIc3", "BIc3a1", "BIa1", "BIi9"]


def test_a_pasted_line_becomes_the_position_or_says_why_not():
    state = initial_state(parse_position(SMALL))
    line = position_text(position("RPa1.BPa4"))
    assert position_text(with_pasted_line(state, line).position) == line
    wrong = with_pasted_line(state, "pb1:small:RPzz9:-:R:-")
    assert wrong.message.startswith("position: 'pb1:small:RP>>zz9<<:-:R:-': there is no space zz9")
    assert texts(wrong) == []


def changes(change, values):
    """Return actions that make a change with one of some values."""
    return values.map(lambda value: lambda state: change(state, value))


SQUARES = st.tuples(st.integers(-4, 19), st.integers(-4, 19))
PIECES = st.builds(Piece, st.sampled_from(Colour), st.sampled_from(Kind))
UP_OR_DOWN = st.sampled_from((1, -1))
ACTS = st.one_of(
    changes(with_tool, st.sampled_from(Tool)),
    changes(lambda state, brush: replace(state, brush=brush), st.one_of(st.none(), PIECES)),
    changes(after_click, SQUARES),
    changes(after_click, SQUARES),
    changes(with_piece_sent, st.sampled_from(Direction)),
    changes(with_mat_turned, st.integers(1, 3)),
    changes(with_next_piece, UP_OR_DOWN),
    changes(with_scored, UP_OR_DOWN),
    changes(with_side, st.one_of(st.none(), st.sampled_from(Colour))),
    st.just(with_next_side),
    st.just(with_mat_flipped),
    changes(step_history, st.sampled_from((-2, -1, 1))),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, max_size=25))
def test_every_position_is_legal_and_reached_again(acts):
    start = parse_position("pb1:small:RPb7f5.RMe7.BPd7.BId6.GPk3:-:R:-")
    state = initial_state(start)
    for change in acts:
        state = change(state)
        assert position_problems(state.position) == ()
    assert parse_position(position_text(state.position)) == state.position
    end = step_history(state, 100)
    assert step_history(end, -100).position == start
    assert step_history(step_history(end, -100), 100).position == end.position


# The solver beside the board.

LINE = parse_position("pb1:small:RPb7.RMe7.BPd7:-:R:-")
AT_ONCE = parse_position("pb1:small:RPf7:-:R:-")
HARD = parse_position("pb1:classic:RPa1c3p9.BPa4e5.GPh8:-:R:-")


class Awaited:
    """A search that sends its news when a test tells it to."""

    def __init__(self, function, *arguments):
        self.function, self.asked = function, arguments
        self.coming, self.is_over, self.is_stopped, self.error = [], False, False, ""

    def news(self):
        return self.coming.pop(0) if self.coming else None

    def stop(self):
        self.is_stopped = True


class Solved(Solving):
    """A solver with searches that end when a test tells them to."""

    def __init__(self):
        super().__init__(self._begun)
        self.searches = []

    def _begun(self, *asked):
        self.searches.append(Awaited(*asked))
        return self.searches[-1]

    def finish(self, *news):
        self.searches[-1].coming = list(news)
        self.searches[-1].is_over = True
        self.advance()

    @property
    def lines(self):
        return answer_lines(self.answer, is_running=self.is_running)


def test_a_search_is_told_and_stopped():
    solving = Solved()
    solving.ask(LINE)
    assert solving.lines == ("searching ...",)
    found = replace(solve(Question(LINE)), line=(), lines=(), lower_bound=5, nodes=1_234_567)
    solving.searches[-1].coming = [replace(found, status=Status.LIMIT_REACHED)]
    solving.advance()
    assert solving.lines == ("searching: at least 5 actions", "1,234,567 moves made")
    solving.stop()
    assert solving.searches[0].is_stopped
    assert solving.lines[0] == "stopped"


def test_a_solution_is_told_and_its_next_move_marked():
    solving = Solved()
    solving.ask(LINE)
    found = solve(Question(LINE))
    solving.finish(found)
    first, moves = solving.lines
    assert first == f"solved in {len(found.line)} actions, the fewest possible"
    assert moves == " ".join(step.text for step in solving.answer.steps)
    (preview,) = answer_marks(LINE, solving.answer).previews
    assert preview.move == found.line[0]
    assert solving.about(solving.answer.steps[0].after) is solving.answer
    assert solving.about(HARD) is None


def test_hints_show_the_piece_first_and_then_its_move():
    solving = Solved()
    solving.hint(AT_ONCE)
    solving.finish(solve(Question(AT_ONCE)))
    assert solving.lines[1] == "look at the red puck on f7"
    assert answer_marks(AT_ONCE, solving.answer).previews == ()
    solving.hint(AT_ONCE)
    assert solving.lines[1] == "begin with f7N*"
    assert len(answer_marks(AT_ONCE, solving.answer).previews) == 1
    assert len(solving.searches) == 1


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
def test_what_is_proved_without_a_solution_is_told(known, said):
    solving = Solved()
    solving.ask(AT_ONCE)
    nothing = {"status": Status.LIMIT_REACHED, "line": (), "lines": ()}
    solving.finish(replace(solve(Question(AT_ONCE)), **(nothing | known)))
    assert said in solving.lines


def test_an_analysis_has_the_solution_length_of_every_move():
    solving = Solved()
    solving.ask(LINE, move_lengths)
    *_, last = solving.searches[-1].function(*solving.searches[-1].asked)
    solving.finish(last)
    lengths = solving.lengths_at(LINE)
    assert lengths[0].actions == len(solve(Question(LINE)).line)
    for one in lengths:
        if one.actions is not None:
            assert one.actions == 1 + len(solve(Question(apply(LINE, one.move))).line)
    assert solving.lengths_at(HARD) == ()


def test_the_goal_goes_up_to_all_pucks():
    solving = Solved()
    for change, pucks in ((1, 2), (4, None), (-5, 1)):
        for _ in range(abs(change)):
            solving.change_pucks(change // abs(change))
        solving.ask(HARD)
        assert solving.searches[-1].asked[0].goal == bring_in(pucks)


@cases(
    "line said",
    """
    pb1:small:BPb7:-:R:- => red has no puck on the board, 1 wanted
    pb1:small:BPb7:-:-:- => nobody is to move; give a colour
    pb1:small:BPb7:R4:R:- => all pucks of red are in already
    """,
)
def test_what_cannot_be_solved_says_why(line, said):
    solving = Solved()
    solving.ask(parse_position(line))
    assert not solving.searches
    assert said in solving.lines[0]


def test_a_search_in_a_process_of_its_own_finds_what_the_solver_finds_and_is_stopped():
    solving = Solving(partial(Work, Viewers()))
    solving.ask(LINE)
    until = time.monotonic() + 120
    while solving.is_running and time.monotonic() < until:
        solving.advance()
        time.sleep(0.02)
    assert solving.answer.found.line == solve(Question(LINE)).line
    idle = set(multiprocessing.active_children())
    solving.change_pucks(1)
    solving.ask(HARD)
    assert set(multiprocessing.active_children()) == idle, "it is used again"
    solving.stop()
    assert len(set(multiprocessing.active_children())) == len(idle) - 1
