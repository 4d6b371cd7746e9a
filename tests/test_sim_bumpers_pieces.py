"""Moves of pieces: the rulebook's sentences, its examples, the FAQ and the rulings.

In the examples Jack is red, Michelle blue, Mike green and Sarah yellow; the figures are lost.
"""

from dataclasses import replace

import pytest

from pucklab.physics import InputError
from pucklab.sim.bumpers import (
    Colour,
    Direction,
    Kind,
    PieceMove,
    apply,
    board_of,
    legal_moves,
    move_text,
    nudge,
    parse_move,
    parse_position,
    play,
    why_illegal,
)
from pucklab.sim.bumpers.position_notation import pieces_text
from tests.bumpersboards import GOAL_9, OPEN_9, after, position
from tests.refusals import refused
from tests.tables import cases

POOL = "X1/" + "/".join(["........."] * 4 + ["....o...."] + ["........."] * 4)
"""A pool on e5."""

WALL = "X1/" + "/".join(["........."] * 4 + ["..." + ".2" + "....."] + ["........."] * 4)
"""A wall between d5 and e5."""

MATS = {"open": OPEN_9, "goal": GOAL_9, "pool": POOL, "wall": WALL}

SLIDES = """
a puck slides to the edge => open => RPc3 => c3N => RPc9
it slides on from edge to edge => open => RPc3 => c3E i3S i1W a1N => RPa9
it sets the puck that it hits in motion => open => RPa5.BPe5 => a5E => RPd5.BPi5
a chain has no limit => open => RPa5.OPc5.YPe5.GPg5 => a5E => RPb5.OPd5.YPf5.GPi5
it stops where nothing more is hit => open => RPa5.BPc5.GPh1 => a5E => RPb5.GPh1.BPi5
PB-5 a puck stops beside an ice block => open => RPa5.BIe5 => a5E => RPd5.BIe5
PB-5 a puck stops beside its own ice block => open => RPa5.RIe5 => a5E => RPd5.RIe5
PB-5 a puck stops beside a meeple => open => RPa5.BMe5 => a5E => RPd5.BMe5
PB-5 a puck stops beside its own meeple => open => RPa5.RMe5 => a5E => RPd5.RMe5
PB-4 a puck that touches another passes nothing => open => RPa5.BPe5f5 => a5E => RPd5.BPe5f5
PB-4 a puck at the edge stays => open => RPa5.BPi5 => a5E => RPh5.BPi5
PB-4 or it passes on, pass-through => open => RPa5.BPd5e5.GPf5 => a5E => RPc5.GPi5.BPd5e5
a pool is a barrier => pool => RPa5 => a5E => RPd5
PB-2 a wall stops pieces => wall => RPa5 => a5E => RPd5
PB-2 from both sides => wall => RPi5 => i5W => RPe5
an ice block moves one space => open => RIc5.BPe5 => c5E => RId5.BPe5
PB-6 a sliding ice block sends a puck sliding => open => RMa5.RIb5.BPe5 => a5E => RId5.RMb5.BPi5
PB-6 it stops beside an ice block => open => RMa5.RIb5.BIe5 => a5E => RId5.RMb5.BIe5
PB-6 it stops beside a meeple => open => RMa5.RIb5.BMe5 => a5E => RId5.RMb5.BMe5
PB-6 it stops at the edge => open => RMa5.RIb5 => a5E => RIi5.RMb5
a stepped block slides, slippery-ice => open => RIa5.BPe5 => a5E => RId5.BPi5
a meeple moves one space => open => RMc5 => c5N => RMc6
PB-8 a meeple bumps its own puck => open => RMc5.RPd5 => c5E => RPi5.RMd5
PB-8 a meeple bumps another's puck => open => RMc5.BPd5 => c5E => RMd5.BPi5
PB-8 a meeple bumps its own ice block => open => RMc5.RId5 => c5E => RIi5.RMd5
PB-8 a meeple bumps another's ice block => open => RMc5.BId5 => c5E => RMd5.BIi5
a goal is closed from its western side => goal => RPa6 => a6E => RPd6
a goal is closed from its eastern side => goal => RPi6 => i6W => RPg6
a goal is closed from its back => goal => RPe9 => e9S => RPe7
PB-7 a meeple in a goal blocks it => goal => RPe1.BMe6 => e1N => RPe5.BMe6
PB-7 a meeple enters a goal and does not score => goal => RMe5.BPe1 => e5N => RMe6.BPe1
PB-7 an ice block enters a goal => goal => RIe5.BPe1 => e5N => RIe6.BPe1
a bumped ice block slides to a goal's back => goal => RMe3.BIe4 => e3Nx => RMe4.BIe6
PB-19 the edge between a goal's spaces is open => goal => RMe6 => e6E f6S => RMf5
PB-17 old school has no chains, old-school => open => RPa5.BPe5 => a5E => RPd5.BPe5
PB-17 but has with chains, old-school,old-school-chains => open => RPa5.BPe5 => a5E => RPd5.BPi5
a meeple that a puck hits keeps its square => open => RPe1.BMe5 => e1N => RPe4.BMe5
example: Sarah bumps Michelle's ice block => open => RMc5.BId5 => c5Ex => RMd5.BIi5
"""

MOVES = """
a puck does not move diagonally => open => RPe5 => e5N e5E e5S e5W
a puck that is stopped at once does not move => open => RPa1 => a1N a1E
FAQ a puck cannot bump one on the next space => open => RPe5.BPf5 => e5N e5S e5W
FAQ nor does pass-through let it, pass-through => open => RPe5.BPf5 => e5N e5S e5W
nothing enters a pool => pool => RPd5.RIf5.RMe4 => d5N d5S d5W f5N f5E f5S e4E e4S e4W
no piece crosses a wall to bump => wall => RMd5.BPe5 => d5N d5S d5W
an ice block moves no other piece => open => RId5.BPe5 => d5N d5S d5W
PB-8 the far side must be empty of pucks => open => RMc5.BPd5e5 => c5N c5S c5W
PB-8 the far side must be empty of ice => open => RMc5.BPd5.RIe5 => e5N e5E e5S c5N c5S c5W
PB-8 the far side must not be the edge => open => RMh5.BPi5 => h5N h5S h5W
PB-8 the far side must not be a pool => pool => RMc5.BPd5 => c5N c5S c5W
PB-8 the far side must not be a wall => wall => RMc5.BPd5 => c5N c5S c5W
meeples cannot move each other => open => RMc5.BMd5 => c5N c5S c5W
PB-19 a piece leaves a goal by its front => goal => RMe6 => e6E e6S
PB-19 a blocker is not bumped through the back => goal => RMe5.BIe6 => e5E e5S e5W
PB-19 a blocker is not bumped through a side => goal => RMe6.BIf6 => e6S
PB-9 a player moves only pieces of their own => open => RPa1.BPc3.RIe5 => a1N a1E e5N e5E e5S e5W
"""


@cases("name mat pieces moves end", SLIDES)
def test_pieces_end_where_the_rules_say(name, mat, pieces, moves, end):
    start = position(pieces, mat=MATS[mat], rules=name.partition(", ")[2] or "-")
    assert sorted(after(start, *moves.split()).split(".")) == sorted(end.split("."))


@cases("name mat pieces moves", MOVES)
def test_no_other_moves_are_legal(name, mat, pieces, moves):
    start = position(pieces, mat=MATS[mat], rules=name.partition(", ")[2] or "-")
    assert {move_text(start, move) for move in legal_moves(start)} == {*moves.split()}


@cases(
    "pieces move said",
    """
    RPe5.BPf5 => e5E => f5, holds a blue puck; a piece needs an open space
    RMh5.BPi5 => h5E => the space behind it is not open
    RMc5.BMd5 => c5E => meeples cannot move each other
    RPa1.BPc3 => c3N => that is a blue puck, and red may move
    RPa1.BPb1 => a1W => edge of the board
    RPa1.BPb1 => e5N => no piece stands there
    """,
)
def test_an_illegal_move_says_why(pieces, move, said):
    start = position(pieces)
    with pytest.raises(InputError, match=said):
        parse_move(start, move)
    space = board_of(start.layout).space_named(move[:2])
    with pytest.raises(InputError, match=said):
        apply(start, PieceMove(space, Direction[move[2]]))
    assert pieces_text(start) == pieces


@pytest.mark.parametrize(
    ("pieces", "scored", "move", "left", "scores"),
    [
        ("RPe1", "-", "e1N*", "-", (Colour.RED, 1)),  # PB-7: it leaves the board
        ("RPf1.BPf4", "-", "f1Nx*", "RPf3", (Colour.BLUE, 1)),  # for its colour, whoever moved it
        ("RMe4.BPe5", "B3", "e4Nx*", "RMe5", (Colour.BLUE, 4)),  # PB-29
    ],
)
def test_pb_7_a_puck_that_slides_into_a_goal_scores_for_its_colour(
    pieces, scored, move, left, scores
):
    start = position(pieces, mat=GOAL_9, scored=scored)
    end = apply(start, parse_move(start, move))
    assert (pieces_text(end), end.scored[scores[0]]) == (left, scores[1])
    assert sum(end.scored) - sum(start.scored) == 1


def test_a_bump_begins_a_chain_and_the_meeple_comes_to_rest_last():
    start = position("RMa5.BIb5.BPe5.GPg5")
    _, change = play(start, parse_move(start, "a5Ex"))
    assert [m.piece.code for m in change.movements] == ["BI", "BP", "GP", "RM"]


def test_other_colours_may_be_allowed_to_move():
    start = position("RPa1.BPc3")
    both = legal_moves(start, colours={Colour.RED, Colour.BLUE})
    assert {move.space for move in both if isinstance(move, PieceMove)} == {
        space for space, _ in start.pieces
    }


def test_pb_10_and_the_faq_moving_back_and_forth_is_refused():
    start = position("RMe5.RPa1")
    second = apply(start, parse_move(start, "e5N"))
    back = PieceMove(second.pieces[0][0], Direction.S)
    assert set(legal_moves(second)) - set(legal_moves(second, before=start)) == {back}
    assert "PB-10" in why_illegal(second, back, before=start)


def test_pb_10_a_move_back_that_changed_another_piece_is_allowed():
    start = position("RPa5.BPe5.RIa4")
    second = apply(start, parse_move(start, "a5Ex"))
    assert len(legal_moves(second, before=start)) == len(legal_moves(second))


def test_pb_17_old_school_has_two_pucks_and_no_meeple():
    refused(
        position,
        "RPa1c1.RMe5",
        rules="old-school",
        scored="R1",
        said="3 pucks, scored ones among them; at most 2",
    )
    refused(position, "RMe5", rules="old-school", said="red has 1 meeple; at most 0")


def test_the_old_school_setup_brings_its_rules():
    assert parse_position("pb1:old-school:RPa1:-:R:-").rules.old_school
    assert not parse_position("pb1:old-school:RPa1:-:R:rules=-:-").rules.old_school


def test_a_nudge_moves_any_piece_one_open_space_without_a_slide():
    start = position("BPc3.RPd3")
    puck = start.pieces[0][0]
    assert pieces_text(nudge(start, PieceMove(puck, Direction.N))[0]) == "RPd3.BPc4"
    for space, said in ((puck, "the next space is not open"), (0, "no piece stands there")):
        with pytest.raises(InputError, match=said):
            nudge(start, PieceMove(space, Direction.E))
    below_goal = position("BPe5", mat=GOAL_9)
    scored, change = nudge(below_goal, PieceMove(below_goal.pieces[0][0], Direction.N))
    assert (scored.scored[Colour.BLUE], change.movements[0].scored) == (1, True)


# The rulebook's example moves.


def turn_of(colour, start):
    return replace(start, to_move=colour)


def test_sarah_shifts_a_mat_and_then_moves_to_score():
    start = turn_of(Colour.YELLOW, parse_position("pb1:B1.B2/G1@180.-:YPf8.GPa5:-:Y:-"))
    assert not any("*" in move_text(start, move) for move in legal_moves(start))
    shifted = apply(start, parse_move(start, "H:G1,B2.S"))
    assert apply(shifted, parse_move(shifted, "*")).scored[Colour.YELLOW] == 1


def test_mike_takes_jacks_pieces_to_bump_his_own_puck_in_and_his_block_away():
    start = turn_of(Colour.GREEN, position("RMe4.GPe5.GId4", mat=GOAL_9, scored="G1"))
    jacks = {Colour.GREEN, Colour.RED}
    scored, change = play(start, parse_move(start, "e4Nx*", colours=jacks), colours=jacks)
    assert (scored.scored[Colour.GREEN], change.movements[-1].piece.kind) == (2, Kind.MEEPLE)
    for move in ("e5S", "e4Wx"):
        scored, _ = play(scored, parse_move(scored, move, colours=jacks), colours=jacks)
    assert pieces_text(scored) == "RMd4.GIa4"


def test_jack_scores_a_puck_bumps_michelles_and_wins_with_his_last():
    start = position("RPe1a1f2.BPa5", mat=GOAL_9, scored="R1")
    for move in ("e1N*", "a1Nx", "f2N*"):
        start = apply(start, parse_move(start, move))
    assert (start.scored[Colour.RED], pieces_text(start)) == (3, "RPa4.BPa9")
