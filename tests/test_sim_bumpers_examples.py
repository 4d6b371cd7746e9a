"""The rulebook's Example Moves, as far as its text tells them; the figures are lost.

Jack is red, Michelle blue, Mike green and Sarah yellow, on boards of our own.
"""

from dataclasses import replace

from sim.bumpers import (
    Colour,
    Kind,
    Position,
    apply,
    legal_moves,
    move_text,
    parse_move,
    parse_position,
    play,
)
from sim.bumpers.position_notation import pieces_text
from tests.bumpersboards import GOAL_9, position

JACK, MICHELLE, MIKE, SARAH = Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW


def turn_of(colour: Colour, start: Position) -> Position:
    return replace(start, to_move=colour)


def test_sarah_shifts_a_mat_and_then_moves_to_score() -> None:
    start = turn_of(SARAH, parse_position("pb1:B1.B2/G1@180.-:YPf8.GPa5:-:Y:-"))
    assert not any("*" in move_text(start, move) for move in legal_moves(start))
    shifted = apply(start, parse_move(start, "H:G1,B2.S"))
    assert apply(shifted, parse_move(shifted, "*")).scored[SARAH] == 1


def test_mike_takes_jacks_pieces_to_bump_his_own_puck_in_and_his_block_away() -> None:
    start = turn_of(MIKE, position("RMe4.GPe5.GId4", mat=GOAL_9, scored="G1"))
    jacks = {MIKE, JACK}
    bump_in = parse_move(start, "e4Nx*", colours=jacks)
    scored, change = play(start, bump_in, colours=jacks)
    assert (scored.scored[MIKE], change.movements[-1].piece.kind) == (2, Kind.MEEPLE)
    back, _ = play(scored, parse_move(scored, "e5S", colours=jacks), colours=jacks)
    bumped, _ = play(back, parse_move(back, "e4Wx", colours=jacks), colours=jacks)
    assert pieces_text(bumped) == "RMd4.GIa4"


def test_sarah_moves_her_meeple_to_bump_michelles_ice_block_over() -> None:
    start = turn_of(SARAH, position("YMc5.BId5"))
    assert pieces_text(apply(start, parse_move(start, "c5Ex"))) == "YMd5.BIi5"


def test_jack_scores_a_puck_bumps_michelles_and_wins_with_his_last() -> None:
    start = position("RPe1a1f2.BPa5", mat=GOAL_9, scored="R1")
    for move in ("e1N*", "a1Nx", "f2N*"):
        start = apply(start, parse_move(start, move))
    assert (start.scored[JACK], pieces_text(start)) == (3, "RPa4.BPa9")
