"""Positions and moves as text: they round-trip, and a mistake is one line that marks its place."""

import pytest

from pucklab.base.parsing import checksum
from pucklab.sim.bumpers import (
    Colour,
    Kind,
    NotationError,
    Piece,
    Rules,
    legal_moves,
    make_position,
    move_text,
    parse_move,
    parse_position,
    position_problems,
    position_text,
    setup_named,
)
from pucklab.sim.bumpers.board_file import read_position
from pucklab.sim.bumpers.drawing import draw_position
from tests.bumpersboards import position
from tests.make_bumpers_perft import read_cases
from tests.refusals import refused
from tests.tables import cases

POSITIONS = {case.name: case.position for case in read_cases()}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_positions_line_reads_back_as_the_position(name):
    line = position_text(POSITIONS[name])
    assert "\n" not in line
    assert " " not in line
    assert parse_position(line) == POSITIONS[name]
    assert position_text(parse_position(line)) == line


@pytest.mark.parametrize("name", POSITIONS)
def test_every_moves_text_reads_back_as_the_move(name):
    start = POSITIONS[name]
    for move in legal_moves(start, mats=len(start.layout.faces) < 5):
        assert parse_move(start, move_text(start, move)) == move


@pytest.mark.parametrize("body", ["classic:RPc7:R1:R", "X1:RPa1:-:R:mats=X1/../..", "B1:-:-:-"])
def test_blanks_quotes_capitals_and_a_missing_checksum_do_not_matter(body):
    wanted = parse_position(f"pb1:{body}:-")
    spaced = f" pb1 : {body.replace(':', ' : ')} "
    for line in (f"  pb1:{body}:-\n", f"PB1:{body}:-", f"pb1:{body}", f'"{spaced}"', f"“{spaced}”"):
        assert parse_position(line) == wanted
    start = parse_position("pb1:classic:RPc7:-:R")
    assert parse_move(start, "c7n") == parse_move(start, "c7N")


def test_a_problem_of_a_mat_is_said_once():
    with pytest.raises(NotationError) as caught:
        parse_position("pb1:X1:-:-:-:mats=X1/ab:-")
    assert len(caught.value.problems) == 1


def test_scores_rules_and_mats_of_a_position_are_written_too():
    rules = Rules(pass_through=True, one_piece=True)
    full = make_position(
        setup_named("small").layout,
        {0: Piece(Colour.VIOLET, Kind.MEEPLE)},
        scored={Colour.RED: 4, Colour.GREEN: 1},
        to_move=Colour.VIOLET,
        rules=rules,
    )
    line = position_text(full)
    assert line.startswith("pb1:small:VMp12:R4G1:V:rules=pass-through,one-piece:")
    assert parse_position(line) == full


def test_any_changed_character_breaks_the_checksum():
    body, _, check = position_text(POSITIONS["a-whole-colour"]).rpartition(":")
    for place, sign in enumerate(body):
        other = "2" if sign == "1" else "1"
        assert checksum(f"{body[:place]}{other}{body[place + 1 :]}") != check


def test_a_changed_line_that_is_still_legal_is_refused():
    line = position_text(POSITIONS["one-puck"])
    with pytest.raises(NotationError, match=r"the checksum is [0-9a-f]{4}: the line was changed"):
        parse_position(line.replace("RPa1", "RPa2"))


@cases("line said", "position_mistakes.txt")
def test_an_invalid_line_is_one_error_that_marks_the_place(line, said):
    refused(parse_position, line, said=f"^position: ... {said}")


def test_signs_that_cannot_be_printed_are_quoted():
    refused(parse_position, "pb1:classic:RP\x07:-:R:-", said=r">>RP\x07<<")
    refused(parse_position, "pb1:classic:RP\udcff:-:R:-", said=r">>RP\udcff<<")


def test_every_problem_of_a_line_is_reported_not_only_the_first():
    with pytest.raises(NotationError, match="position: 5 problems: ") as caught:
        parse_position("pb1:classic:RPa1q9g1.BMa1:x:Q:-")
    assert len(caught.value.problems) == 5
    for said in ("no space q9", "two pieces stand on a1", "g1 is a pool", ">>x<<", ">>Q<<"):
        assert said in str(caught.value)


def test_every_problem_of_a_built_position_is_reported():
    layout = setup_named("classic").layout
    start = parse_position("pb1:classic:RPg2.BPf7:-:-:-")
    (below, puck), _ = sorted(start.pieces, key=lambda pair: pair[1].colour)
    pool = below + 1 if below % 16 == 0 else below
    wrong = make_position(layout, {999: puck, pool: puck}, scored={Colour.RED: 4})
    problems = position_problems(wrong)
    assert any("there is no space 999; give 0 to 255" in problem for problem in problems)
    assert any("red has 6 pucks" in problem for problem in problems)


@pytest.mark.parametrize("line", ["pb1:small:RPb7:-:R:-", "pb1:G1:-:-:R:-"])
def test_a_mat_inside_or_alone_that_swaps_with_itself_is_told_so(line):
    refused(parse_move, parse_position(line), "S:G1,G1", said="give two different mats")


@cases(
    "text said",
    """
    => give a square and a direction
    c5q => >>c5q<<
    z9N => >>z9<<N
    b2N => no piece stands there
    g7N => that is a blue puck, and red may move
    a5W => a barrier or the edge of the board
    c5E => the next space, d5, holds a red puck
    c5Wx => c5W>>x<<': c5W moves no other piece
    c5W* => scores no puck
    T:Q1+90 => T:>>Q1<<+90
    X:Q1 => >>X:Q1<<
    """,
)
def test_an_illegal_move_text_is_one_error_with_the_reason(text, said):
    start = position("RPa5c5d5.RMc6.BPg7")
    refused(parse_move, start, text, said=f"^move: ... {said}")


def test_an_ambiguous_move_is_refused_with_the_candidates():
    start = position("RPa5c5")
    for text, said in (
        ("N", "2 moves fit: a5N, c5N; give one of them"),
        ("a5", "3 moves fit: a5N, a5Ex, a5S"),
        ("T:X1", "3 moves fit: T:X1+90, T:X1+180, T:X1+270"),
        ("*", "no legal move fits; legal are a5N, a5Ex"),
    ):
        refused(parse_move, start, text, said=said)


def test_an_unambiguous_part_of_a_move_is_read():
    start = position("RPa5.BPe5")
    assert parse_move(start, "x") == parse_move(start, "a5Ex")
    assert parse_move(start, "N") == parse_move(start, "a5N")
    assert parse_move(start, "aE") == parse_move(start, "5E") == parse_move(start, "a5E")


# Files.

BOARD = """
schema = 1
layout = \"\"\"
X1 X1f@90
\"\"\"
pieces = "RPb1.BMc2"
scored = "R2"
to_move = "B"
rules = ["pass-through"]
[mats.X1]
front = \"\"\"
p.
.~
\"\"\"
[mats.X2]
front = \"\"\"
+-+ +
|. .
+ + +
 . .
+ + +
\"\"\"
"""


def test_a_board_of_ones_own_is_read_from_a_file(write):
    file = write("board.toml", BOARD.replace("X1f@90", "X2@90").replace("RPb1", "RPa1"))
    read = read_position(file)[0]
    assert position_text(read).startswith(
        "pb1:X1.X2@90:RPa1.BMc2:R2:B:mats=X1/p./.o,X2/.9./..:rules=pass-through:"
    )
    assert parse_position(position_text(read)) == read


def test_a_mat_of_ones_own_replaces_the_houses(write):
    file = write("board.toml", 'schema = 1\nlayout = "B1"\n[mats.B1]\nfront = "..\\n.~"\n')
    assert position_text(read_position(file)[0]).startswith("pb1:B1:-:-:-:mats=B1/../.o:")


def test_a_position_is_read_from_a_text_file(write):
    line = position_text(POSITIONS["one-puck"])
    file = write("position.txt", f"# a comment\n\n{line}\nmore\n")
    assert read_position(file)[0] == POSITIONS["one-puck"]


@cases(
    "text said",
    r"""
    layout = "B1" => has no schema; begin it with schema = 1
    schema = 1 | layout = => is not TOML
    schema = 1 | board = 3 => board: no such field; give layout
    schema = 1 => no mat; give rows
    schema = 1 | layout = "Q1" => >>Q1<<
    schema = 1 | layout = "B1" | mats = 3 => mats: 3 ... a table
    schema = 1 | layout = "B1" | [mats.x] | front = ".." => mats x: not accepted
    schema = 1 | layout = "B1" | [mats.X] | back = ".." => mats X back: no such field
    schema = 1 | layout = "B1" | [mats.X] | front = "..\n.x" => toml': mat X: '
    schema = 1 | layout = "B1" | first = "x" => first: 'x' ... draw
    schema = 1 | layout = "B1" | rules = ["fly"] => >>fly<<
    schema = 1 | layout = "B1" | pieces = "RPe5" => RP>>e5<<
    """,
)
def test_an_invalid_board_file_is_one_error(write, text, said):
    file = write("board.toml", text.replace(" | ", "\n"))
    refused(read_position, file, said=said)


def test_a_file_without_a_position_and_a_missing_file_are_one_error(tmp_path, write):
    empty = write("empty.txt", "# nothing\n")
    refused(read_position, empty, said="has no line with a position")
    refused(read_position, tmp_path / "none.txt", said="cannot be read")


# Drawings.


def test_a_drawing_shows_pieces_pools_goals_walls_and_what_is_missing():
    start = parse_position("pb1:X1.X2/-.X3@90:RPa4.BMd3:B1:R:mats=X1/../.o,X2/.2./..,X3/ss/..:-")
    assert draw_position(start).splitlines() == [
        "  a  b  c  d",
        "4 RP .  . |.   4",
        "3 .  ~~ .  BM  3",
        "2       .  <<  2",
        "1       .  <<  1",
        "  a  b  c  d",
        "mats: X1  X2",
        "      -   X3@90",
        "scored: blue 1",
        "to move: red",
    ]


def test_a_wall_turns_with_its_mat_in_the_drawing():
    lines = draw_position(parse_position("pb1:X1@90:-:-:-:mats=X1/.2./..:-")).splitlines()
    assert lines[:4] == ["  a  b", "2 .  .   2", "     --", "1 .  .   1"]
