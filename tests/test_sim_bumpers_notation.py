"""Positions and moves as text: they round-trip, and a mistake is one line that marks its place."""

import pytest

from sim.bumpers import (
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
from sim.bumpers.board_file import read_position
from sim.bumpers.drawing import draw_position
from sim.bumpers.position_notation import checksum
from tests.bumpersboards import position
from tests.make_bumpers_perft import read_cases
from tests.refusals import refused

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
def test_blanks_capitals_and_a_missing_checksum_do_not_matter(body):
    wanted = parse_position(f"pb1:{body}:-")
    for line in (f"  pb1:{body}:-\n", f"PB1:{body}:-", f"pb1:{body}"):
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


WRONG = {
    "nothing": ("", "a position begins with pb1"),
    "another thing": ("hello", ">>hello<<"),
    "too few fields": ("pb1:classic:-", "3 fields"),
    "too many fields": ("pb1:classic:-:-:-:a:b:c:d:-", "10 fields"),
    "no such set-up": ("pb1:clasic:-:-:-:-", ">>clasic<<"),
    "no such mat": ("pb1:B1.Q7:-:-:-:-", "B1.>>Q7<<:-"),
    "a turn that is none": ("pb1:B1@45:-:-:-:-", ">>B1@45<<"),
    "no mats": ("pb1:-.-:-:-:-:-", "no mat; give rows"),
    "a board without end": ("pb1:B1." + "-." * 70 + "B2:-:-:-:-", "at most 64 rows and columns"),
    "mats that do not touch": ("pb1:B1.-.B2:-:-:-:-", "mat B1 touches no other mat"),
    "no such space": ("pb1:classic:RPq1:-:R:-", "RP>>q1<<"),
    "space 0": ("pb1:classic:RPa0:-:R:-", "RP>>a0<<"),
    "a leading zero": ("pb1:classic:RPa01:-:R:-", "RP>>a01<<"),
    "a far space": ("pb1:classic:RPzzzzzz99999999999:-:R:-", "there is no space"),
    "no such colour": ("pb1:classic:XPa1:-:R:-", ">>XPa1<<"),
    "no such kind": ("pb1:classic:RQa1:-:R:-", ">>RQa1<<"),
    "no square": ("pb1:classic:RP:-:R:-", ">>RP<<"),
    "a group that is empty": ("pb1:classic:RPa1..BPa2:-:R:-", "give a colour"),
    "two on a space": ("pb1:classic:RPa1.BMa1:-:R:-", "BM>>a1<<"),
    "one in a pool": ("pb1:classic:RPg1:-:R:-", "g1 is a pool"),
    "a puck in a goal": ("pb1:classic:RPf8:-:R:-", "f8 is in a goal"),
    "five pucks": ("pb1:classic:RPa1a2a3a4:R1:R:-", "red has 5 pucks"),
    "three meeples": ("pb1:classic:RMa1a2a3:-:R:-", "red has 3 meeples"),
    "three ice blocks": ("pb1:classic:RIa1a2a3:-:R:-", "red has 3 ice blocks"),
    "five scored": ("pb1:classic:-:R5:R:-", "red has 5 pucks"),
    "a score that is none": ("pb1:classic:-:R1x:R:-", "R1>>x<<"),
    "a colour scored twice": ("pb1:classic:-:R1R2:R:-", "R1>>R2<<"),
    "nobody of that name": ("pb1:classic:-:-:Q:-", ":>>Q<<:"),
    "a rule that is none": ("pb1:classic:-:-:-:rules=fly:-", "rules=>>fly<<"),
    "a field that is none": ("pb1:classic:-:-:-:cards=1:-", ">>cards=1<<"),
    "a mat that is none": ("pb1:X1:-:-:-:mats=X1/ab:-", ">>X1/ab<<"),
    "a mat that is not square": ("pb1:X1:-:-:-:mats=X1/../...:-", "is not square"),
    "a sign that cannot be printed": ("pb1:classic:RP\x07:-:R:-", r">>RP\x07<<"),
    "a byte that is no sign": ("pb1:classic:RP\udcff:-:R:-", r">>RP\udcff<<"),
    "half a goal": ("pb1:X1:-:-:-:mats=X1/s./..:-", "half a goal"),
    "small letters": ("pb1:classic:rpa1:-:R:-", ">>rpa1<<"),
    "a space without a mat": ("pb1:small:RPa1:-:R:-", "there is no space a1; no mat lies there"),
    "a wrong checksum": ("pb1:classic:-:-:-:12ab", ">>12ab<<"),
    "mats of two sizes": ("pb1:B1.X1:-:-:-:mats=X1/../..:-", "X1 is 2 spaces wide"),
}


@pytest.mark.parametrize(("line", "said"), WRONG.values(), ids=list(WRONG))
def test_an_invalid_line_is_one_error_that_marks_the_place(line, said):
    refused(parse_position, line, said=f"^position: ... {said}")


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


MOVES = {
    "nothing": ("", "give a square and a direction"),
    "no direction of ours": ("c5q", ">>c5q<<"),
    "no such space": ("z9N", ">>z9<<N"),
    "an empty space": ("b2N", "no piece stands there"),
    "another's piece": ("g7N", "that is a blue puck, and red may move"),
    "a wall ahead": ("a5W", "a barrier or the edge of the board"),
    "a piece ahead": ("c5E", "the next space, d5, holds a red puck"),
    "no bump": ("c5Wx", "c5W>>x<<': c5W moves no other piece"),
    "no score": ("c5W*", "scores no puck"),
    "no such mat": ("T:Q1+90", "T:>>Q1<<+90"),
    "a mat move that is none": ("X:Q1", ">>X:Q1<<"),
}


@pytest.mark.parametrize("line", ["pb1:small:RPb7:-:R:-", "pb1:G1:-:-:R:-"])
def test_a_mat_inside_or_alone_that_swaps_with_itself_is_told_so(line):
    refused(parse_move, parse_position(line), "S:G1,G1", said="give two different mats")


@pytest.mark.parametrize(("text", "said"), MOVES.values(), ids=list(MOVES))
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


def test_a_board_of_ones_own_is_read_from_a_file(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text(BOARD.replace("X1f@90", "X2@90").replace("RPb1", "RPa1"))
    read = read_position(file)
    assert position_text(read).startswith(
        "pb1:X1.X2@90:RPa1.BMc2:R2:B:mats=X1/p./.o,X2/.9./..:rules=pass-through:"
    )
    assert parse_position(position_text(read)) == read


def test_a_mat_of_ones_own_replaces_the_houses(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text('schema = 1\nlayout = "B1"\n[mats.B1]\nfront = "..\\n.~"\n')
    assert position_text(read_position(file)).startswith("pb1:B1:-:-:-:mats=B1/../.o:")


def test_a_position_is_read_from_a_text_file(tmp_path):
    file = tmp_path / "position.txt"
    line = position_text(POSITIONS["one-puck"])
    file.write_text(f"# a comment\n\n{line}\nmore\n")
    assert read_position(file) == POSITIONS["one-puck"]


FILES = {
    "no schema": ('layout = "B1"', "has no schema; begin it with schema = 1"),
    "no TOML": ("schema = 1\nlayout = ", "is not TOML"),
    "an unknown key": ("schema = 1\nboard = 3", "board: no such field; give layout"),
    "no layout": ("schema = 1\n", "no mat; give rows"),
    "no such mat": ('schema = 1\nlayout = "Q1"', ">>Q1<<"),
    "mats that are none": ('schema = 1\nlayout = "B1"\nmats = 3', "mats: 3 ... a table"),
    "a small name": ('schema = 1\nlayout = "B1"\n[mats.x]\nfront = ".."', "mats x: not accepted"),
    "a third side": (
        'schema = 1\nlayout = "B1"\n[mats.X]\nback = ".."',
        "mats X back: no such field",
    ),
    "a bad drawing": ('schema = 1\nlayout = "B1"\n[mats.X]\nfront = "..\\n.x"', "toml': mat X: '"),
    "a first that is none": ('schema = 1\nlayout = "B1"\nfirst = "x"', "first: 'x' ... draw"),
    "an unknown rule": ('schema = 1\nlayout = "B1"\nrules = ["fly"]', ">>fly<<"),
    "a piece off the board": ('schema = 1\nlayout = "B1"\npieces = "RPe5"', "RP>>e5<<"),
}


@pytest.mark.parametrize(("text", "said"), FILES.values(), ids=list(FILES))
def test_an_invalid_board_file_is_one_error(tmp_path, text, said):
    file = tmp_path / "board.toml"
    file.write_text(text)
    refused(read_position, file, said=said)


def test_a_file_without_a_position_and_a_missing_file_are_one_error(tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n")
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
