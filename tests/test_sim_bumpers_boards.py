"""Mats, the house set, layouts and the moves of mats."""

from collections import Counter
from itertools import combinations

import pytest

from pucklab.sim.bumpers import (
    Direction,
    Kind,
    MatShift,
    MatSwap,
    MatTurn,
    Rules,
    apply,
    board_of,
    layout_problems,
    legal_mat_moves,
    parse_move,
    parse_position,
    play,
    read_mat,
    setup_named,
    start_spaces,
)
from pucklab.sim.bumpers.mat_notation import layout_text, mat_code, read_layout, read_mat_code
from pucklab.sim.bumpers.moves import why_mat_move_illegal
from pucklab.sim.bumpers.position_notation import pieces_text
from pucklab.sim.bumpers.setups import house_faces as faces
from tests.bumpersboards import after
from tests.refusals import refused
from tests.tables import cases, toml

SETUPS = {
    # name: spaces, starts of pucks, meeples and ice, players
    "classic": (256, (32, 16, 16), 6),
    "small": (192, (16, 12, 16), 3),
    "old-school": (256, (16, 0, 16), 6),
}
APART = "the board is not one piece (rules: one-piece)"


def layout(text):
    return read_layout("layout", text, faces())


# The house set.


def test_pb_1_and_2_the_house_set_has_16_double_sided_mats_of_4_by_4():
    assert Counter(face.name[0] for face in faces().values()) == {"B": 12, "K": 12, "G": 8}
    assert {face.size for face in faces().values()} == {4}
    assert all(f"{face.name}f" in faces() for face in faces().values())


@pytest.mark.parametrize("name", SETUPS)
def test_a_house_setup_is_legal_and_has_the_expected_spaces_and_starts(name):
    spaces, starts, players = SETUPS[name]
    setup = setup_named(name)
    board = board_of(setup.layout)
    assert layout_problems(setup.layout, Rules(one_piece=True)) == ()
    assert (len(board.squares), len(board.pools), len(board.goals)) == (spaces, 4, 8)
    found = {kind: start_spaces(setup.layout, kind) for kind in Kind}
    assert [len(found[kind]) for kind in (Kind.PUCK, Kind.MEEPLE, Kind.ICE)] == list(starts)
    assert all(len(found[kind]) >= players * each for kind, each in setup.rules.pieces_each.items())
    squares = {board.squares[space] for kind in Kind for space in found[kind]}
    assert not any(board.ahead(square, way) in squares for square in squares for way in Direction)


def test_pb_34_the_small_setup_is_the_classic_one_without_its_corners():
    small, classic = (
        {
            place.slot: (face, place.turn)
            for face, place in zip(lying.faces, lying.places, strict=True)
        }
        for lying in (setup_named("small").layout, setup_named("classic").layout)
    )
    for corner in ((0, 0), (0, 3), (3, 0), (3, 3)):
        del classic[corner]
    assert small == classic


@pytest.mark.parametrize("name", ["classic", "small"])
def test_goal_mats_of_the_house_setups_begin_locked_inside(name):
    board_layout = setup_named(name).layout
    goals = {mat for mat, face in enumerate(board_layout.faces) if face.goals}
    moves = [m for m in legal_mat_moves(board_layout, Rules()) if not isinstance(m, MatTurn)]
    moved = {m for move in moves for m in mats_of(move)}
    assert len(goals) == 4
    assert not goals & moved


# Drawings of mats.


@pytest.mark.parametrize("label", faces())
def test_a_house_mats_code_reads_back_as_the_mat(label):
    assert read_mat_code(mat_code(faces()[label])) == faces()[label]


def test_a_drawing_with_walls_is_read():
    walled = read_mat("X", "+-+ +\n|. .\n+ +-+\n p|~\n+ + +")
    assert walled.walls == {
        (0, Direction.N),
        (0, Direction.W),
        (1, Direction.S),
        (2, Direction.E),
    }
    assert read_mat_code(mat_code(walled)) == walled


def test_goals_are_pairs_of_arrows_from_the_north_west():
    mat = read_mat("X", "vvvv\n<..>\n<..>\n^^..")
    assert [(goal.spaces, goal.facing.name) for goal in mat.goals] == [
        ((0, 1), "S"),
        ((2, 3), "S"),
        ((4, 8), "W"),
        ((7, 11), "E"),
        ((12, 13), "N"),
    ]


@cases(
    "drawing said",
    r"""
    "..\n." => not square
    "" => 0 rows are not accepted; give 2 to 9
    "." => 1 rows are not accepted
    "..\n.x" => 'x' is not a space; give one of
    "v.\n.." => half a goal
    "v.\nv." => half a goal
    "vvv\n...\n..." => half a goal
    "+-+\n|. .\n+ +" => with walls, give 2 n
    """,
    toml,
)
def test_an_invalid_drawing_is_refused(drawing, said):
    refused(read_mat, "X", drawing, said=f"^mat X ... {said}")


def test_a_turn_is_clockwise_and_arrows_turn_with_the_mat():
    board = board_of(layout("G1@90.B1"))
    assert {board.name(square): facing.name for square, facing in board.goals.items()} == {
        "d3": "W",
        "d2": "W",
    }


# Layouts.


@cases(
    "text free one_piece",
    """
    B1 => - => -
    B1.B2 => - => -
    B1/B2 => - => -
    B1.B2@90/-.B3 => - => -
    B1.B2.-.K1/-.-.-.K2f => - => apart  # PB-12: the board may fall apart
    B1.B2.-.K1 => mat K1 touches no other mat => apart
    B1.B1f => mat B1 is on the board twice => -
    B1.-/-.B2 => mat B1 touches no other mat, mat B2 touches no other mat => apart
    """,
)
def test_pb_12_every_problem_of_a_layout_is_reported(text, free, one_piece):
    free = () if free == "-" else tuple(free.split(", "))
    assert layout_problems(layout(text), Rules()) == free
    apart = (APART,) * (one_piece == "apart")
    assert layout_problems(layout(text), Rules(one_piece=True)) == free + apart
    assert layout_text(layout(text)) == text


def test_pb_1_all_mats_of_a_board_have_the_same_size():
    small = read_mat("X", "..\n..")
    mixed = read_layout("layout", "B1.X", {**faces(), "X": small})
    assert layout_problems(mixed, Rules()) == (
        "mat X is 2 spaces wide, but B1 4; all mats of a board have the same size",
    )


# Moves of mats.

SQUARE = "B1.B2.B3/B4.G1.B5/K1.K2.K3"


def at(text, pieces="-", rules="-"):
    return parse_position(f"pb1:{text}:{pieces}:-:R:rules={rules}:-")


def mats_of(move):
    return (move.first, move.second) if isinstance(move, MatSwap) else (move.mat,)


@cases(
    "start moves end",
    """
    B1@90.B2@180/K1.- => S:B1,B2 => B2@180.B1@90/K1.-  # PB-22: headings are kept
    B1@90.B2@180/K1.- => H:B2,K1.E => B1@90.-/K1.B2@180
    B1.B2.B3/B4.G1.B5/K1.K2.K3 => T:G1+90 => B1.B2.B3/B4.G1@90.B5/K1.K2.K3  # PB-11: it may turn
    G1.B1 => T:G1+180 => G1@180.B1  # a goal may face anything
    G1.B1 => T:G1+270 => G1@270.B1
    B1.B2.B3.B4 => H:B4,B1.N H:B1,B4.N => B1.-.-/B4.-.-/-.B2.B3  # PB-24: pieces cut off
    """,
)
def test_mats_turn_swap_and_shift(start, moves, end):
    position = at(start)
    for move in moves.split():
        position = apply(position, parse_move(position, move))
    assert layout_text(position.layout) == end
    assert layout_problems(position.layout, Rules()) == ()


@cases(
    "start move rules said",
    """
    B1.B2.B3/B4.G1.B5/K1.K2.K3 => S:B1,G1 => - => mat G1 has no open side  # PB-11
    B1.B2.B3/B4.G1.B5/K1.K2.K3 => H:G1,B2.N => - => mat G1 has no open side
    B1.B2 => T:B1+0 => - => give T:K3+90  # PB-22
    B1.B2 => T:B1+45 => - => give T:K3+90
    B1.B2 => T:B1+360 => - => give T:K3+90
    B1.B2.B3 => H:B2,B3.E => - => after it, mat B1 touches no other mat  # PB-12
    B1.B2.B3 => H:B3,B2.EE => - => after it, mat B3 touches no other mat
    B1.B2.B3 => H:B1,B3.W => - => mat B2 is there
    B1.B2.B3 => H:B1,B3.NNN => - => more than 2 slots away
    B1.B2.B3.B4 => H:B2,B4.E => one-piece => mat B1 touches no other mat; the board is not
    """,
)
def test_a_mat_move_that_is_not_legal_says_why(start, move, rules, said):
    refused(parse_move, at(start, rules=rules), move, said=said)


def test_pb_13_and_24_pieces_travel_and_turn_with_their_mat_and_gaps_are_edges():
    position = at("B1.B2", "RPa4d3")
    spaces = [space for space, _ in position.pieces]
    for move, pieces in (("T:B1+90", "RPd4c1"), ("H:B1,B2.E", "RPh4g1")):
        position = apply(position, parse_move(position, move))
        assert pieces_text(position) == pieces
        assert [space for space, _ in position.pieces] == spaces
    gap = at("B1.B2/K1.-", "RPa8")
    assert after(gap, "H:B2,K1.E", "a8E") == "RPd8"


def test_pb_23_and_the_faq_in_a_series_a_layout_may_be_illegal_and_a_side_opened_counts():
    start = at(SQUARE)
    opened, _ = play(start, parse_move(start, "H:B2,B1.NN", temporary=True), temporary=True)
    assert layout_problems(opened.layout, start.rules) == ("mat B2 touches no other mat",)
    goal = opened.layout.mat_named("G1")
    swaps = [m for m in legal_mat_moves(opened.layout, start.rules, temporary=True)
             if isinstance(m, MatSwap)]  # fmt: skip
    assert any(goal in mats_of(move) for move in swaps)
    repaired, _ = play(opened, parse_move(opened, "H:B2,B1.W", temporary=True))
    assert layout_problems(repaired.layout, start.rules) == ()


def test_a_single_mat_can_only_turn():
    assert legal_mat_moves(layout("B1"), Rules()) == tuple(MatTurn(0, q) for q in (1, 2, 3))


@pytest.mark.parametrize("rules", [Rules(), Rules(one_piece=True)], ids=["free", "one-piece"])
@pytest.mark.parametrize("temporary", [False, True])
@pytest.mark.parametrize(
    "text", [SQUARE, "B1.B2.-/-.B3.G1/B4.-.-", "B1.B2.-.B3.B4", "B1.-.B2", "B1"]
)
def test_the_legal_mat_moves_are_those_without_a_reason_against_them(text, temporary, rules):
    start = layout(text)
    mats = range(len(start.faces))
    slots = [(r, c) for r in range(-3, start.rows + 3) for c in range(-3, start.columns + 3)]
    moves = [MatTurn(mat, quarters) for mat in mats for quarters in (1, 2, 3)]
    moves += [MatSwap(first, second) for first, second in combinations(mats, 2)]
    moves += [MatShift(mat, slot) for mat in mats for slot in slots]
    allowed = [m for m in moves if not why_mat_move_illegal(start, m, rules, temporary=temporary)]
    assert list(legal_mat_moves(start, rules, temporary=temporary)) == allowed
