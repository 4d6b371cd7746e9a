"""How pieces move: the rulebook's sentences, the FAQ and the rulings, on boards of one mat."""

import pytest

from physics import InputError
from sim.bumpers import (
    Colour,
    Direction,
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
from sim.bumpers.position_notation import pieces_text
from tests.bumpersboards import GOAL_9, after, position

POOL = "X1/" + "/".join(["........."] * 4 + ["....o...."] + ["........."] * 4)
"""A pool on e5."""

WALL = "X1/" + "/".join(["........."] * 4 + ["..." + ".2" + "....."] + ["........."] * 4)
"""A wall between d5 and e5."""


def names(pieces: str, **more: str) -> list[str]:
    """Return the legal moves' texts."""
    start = position(pieces, **more)
    return [move_text(start, move) for move in legal_moves(start)]


# Pucks.


def test_a_puck_slides_to_the_edge_of_the_board() -> None:
    assert after(position("RPc3"), "c3N") == "RPc9"
    assert after(position("RPc3"), "c3E", "i3S", "i1W", "a1N") == "RPa9"


def test_a_puck_slides_until_it_hits_a_puck_and_sets_it_in_motion() -> None:
    assert after(position("RPa5.BPe5"), "a5E") == "RPd5.BPi5"


def test_a_chain_has_no_limit() -> None:
    start = position("RPa5.OPc5.YPe5.GPg5")
    assert after(start, "a5E") == "RPb5.OPd5.YPf5.GPi5"


def test_a_chain_stops_where_nothing_more_is_hit() -> None:
    assert after(position("RPa5.BPc5.GPh1"), "a5E") == "RPb5.GPh1.BPi5"


def test_a_puck_does_not_move_diagonally() -> None:
    assert names("RPe5") == ["e5N", "e5E", "e5S", "e5W"]


def test_a_puck_that_the_edge_stops_at_once_does_not_move() -> None:
    assert names("RPa1") == ["a1N", "a1E"]


@pytest.mark.parametrize("what", ["BIe5", "RIe5", "BMe5", "RMe5"])
def test_pb_5_a_sliding_puck_stops_beside_an_ice_block_or_a_meeple(what: str) -> None:
    assert after(position(f"RPa5.{what}"), "a5E") in {f"RPd5.{what}", f"{what}.RPd5"}


def test_pb_4_a_puck_that_touches_another_does_not_pass_momentum_on() -> None:
    assert after(position("RPa5.BPe5f5"), "a5E") == "RPd5.BPe5f5"
    assert after(position("RPa5.BPi5"), "a5E") == "RPh5.BPi5"


def test_pb_4_with_pass_through_momentum_passes_through_touching_pucks() -> None:
    passing = position("RPa5.BPd5e5.GPf5", rules="pass-through")
    assert after(passing, "a5E") == "RPc5.GPi5.BPd5e5"


def test_faq_a_puck_cannot_bump_one_on_the_adjacent_space() -> None:
    assert "e5E" not in names("RPe5.BPf5")
    with pytest.raises(InputError, match="f5, holds a blue puck; a piece needs an open space"):
        parse_move(position("RPe5.BPf5"), "e5E")


def test_faq_nor_does_pass_through_let_it() -> None:
    assert "e5E" not in names("RPe5.BPf5", rules="pass-through")


def test_pools_are_barriers() -> None:
    assert after(position("RPa5", mat=POOL), "a5E") == "RPd5"
    assert names("RPd5.RIf5.RMe4", mat=POOL) == [
        *("d5N", "d5S", "d5W"),
        *("f5N", "f5E", "f5S"),
        *("e4E", "e4S", "e4W"),
    ]


def test_pb_2_a_wall_stops_pieces_from_both_sides() -> None:
    assert after(position("RPa5", mat=WALL), "a5E") == "RPd5"
    assert after(position("RPi5", mat=WALL), "i5W") == "RPe5"
    assert "d5E" not in names("RMd5.BPe5", mat=WALL)


# Ice blocks.


def test_an_ice_block_moves_one_space_and_moves_no_other_piece() -> None:
    assert after(position("RIc5.BPe5"), "c5E") == "RId5.BPe5"
    assert "d5E" not in names("RId5.BPe5")


def test_pb_6_a_sliding_ice_block_sends_a_puck_sliding() -> None:
    assert after(position("RMa5.RIb5.BPe5"), "a5E") == "RId5.RMb5.BPi5"


@pytest.mark.parametrize("what", ["BIe5", "BMe5"])
def test_pb_6_a_sliding_ice_block_stops_beside_an_ice_block_or_a_meeple(what: str) -> None:
    assert after(position(f"RMa5.RIb5.{what}"), "a5E") == f"RId5.RMb5.{what}"


def test_pb_6_a_sliding_ice_block_stops_at_the_edge() -> None:
    assert after(position("RMa5.RIb5"), "a5E") == "RIi5.RMb5"


def test_slippery_ice_lets_a_stepped_block_slide() -> None:
    start = position("RIa5.BPe5", rules="slippery-ice")
    assert after(start, "a5E") == "RId5.BPi5"


# Meeples.


def test_a_meeple_moves_one_space() -> None:
    assert after(position("RMc5"), "c5N") == "RMc6"


@pytest.mark.parametrize("what", ["RPd5", "BPd5", "RId5", "BId5"])
def test_pb_8_a_meeple_bumps_a_puck_or_an_ice_block_of_any_colour(what: str) -> None:
    moved = what[:2] + "i5"
    assert after(position(f"RMc5.{what}"), "c5E") in {f"RMd5.{moved}", f"{moved}.RMd5"}


def test_pb_8_the_far_side_must_be_empty() -> None:
    assert "c5E" not in names("RMc5.BPd5e5")
    assert "c5E" not in names("RMc5.BPd5.RIe5")
    assert "h5E" not in names("RMh5.BPi5")
    with pytest.raises(InputError, match="the space behind it is not open"):
        parse_move(position("RMh5.BPi5"), "h5E")


def test_pb_8_the_far_side_must_not_be_a_barrier() -> None:
    assert "c5E" not in names("RMc5.BPd5", mat=POOL)
    assert "c5E" not in names("RMc5.BPd5", mat=WALL)


def test_meeples_cannot_move_each_other() -> None:
    assert "c5E" not in names("RMc5.BMd5")
    with pytest.raises(InputError, match="meeples cannot move each other"):
        parse_move(position("RMc5.BMd5"), "c5E")


def test_a_bump_begins_a_chain_and_the_meeple_comes_to_rest_last() -> None:
    start = position("RMa5.BIb5.BPe5.GPg5")
    _, change = play(start, parse_move(start, "a5Ex"))
    assert [str(m.piece) for m in change.movements] == [
        *("blue ice block", "blue puck", "green puck"),
        "red meeple",
    ]


# Goals.


def test_pb_7_a_puck_that_slides_into_a_goal_scores_and_leaves_the_board() -> None:
    start = position("RPe1", mat=GOAL_9)
    scored = apply(start, parse_move(start, "e1N*"))
    assert (scored.pieces, scored.scored[Colour.RED]) == ((), 1)


def test_pb_7_a_puck_scores_for_its_own_colour_whoever_moved_it() -> None:
    start = position("RPf1.BPf4", mat=GOAL_9)
    scored = apply(start, parse_move(start, "f1Nx*"))
    assert (pieces_text(scored), scored.scored[Colour.BLUE]) == ("RPf3", 1)


def test_pb_29_a_puck_bumped_in_by_another_player_scores_for_its_owner() -> None:
    start = position("RMe4.BPe5", mat=GOAL_9, scored="B3")
    scored = apply(start, parse_move(start, "e4Nx*"))
    assert (pieces_text(scored), scored.scored[Colour.BLUE]) == ("RMe5", 4)


def test_a_goal_is_closed_from_its_sides_and_its_back() -> None:
    assert after(position("RPa6", mat=GOAL_9), "a6E") == "RPd6"
    assert after(position("RPi6", mat=GOAL_9), "i6W") == "RPg6"
    assert after(position("RPe9", mat=GOAL_9), "e9S") == "RPe7"


def test_pb_7_meeples_and_ice_blocks_enter_a_goal_block_it_and_do_not_score() -> None:
    for piece in ("RMe5", "RIe5"):
        start = position(f"{piece}.BPe1", mat=GOAL_9)
        blocked = apply(start, parse_move(start, "e5N"))
        assert blocked.scored == (0,) * 6
        assert "e6" in pieces_text(blocked)
    blocked = position("RPe1.BMe6", mat=GOAL_9)
    assert after(blocked, "e1N") == "RPe5.BMe6"


def test_a_bumped_ice_block_slides_into_a_goal_and_stops_at_its_back() -> None:
    assert after(position("RMe3.BIe4", mat=GOAL_9), "e3Nx") == "RMe4.BIe6"


def test_pb_19_the_edge_between_a_goals_two_spaces_is_open() -> None:
    assert names("RMe6", mat=GOAL_9) == ["e6E", "e6S"]
    assert after(position("RMe6", mat=GOAL_9), "e6E", "f6S") == "RMf5"


def test_pb_19_a_blocker_in_a_goal_cannot_be_bumped_out_through_its_back() -> None:
    assert "e5N" not in names("RMe5.BIe6", mat=GOAL_9)


def test_pb_19_nor_through_its_side() -> None:
    assert "e6E" not in names("RMe6.BIf6", mat=GOAL_9)


# Whose pieces, and which moves.


def test_pb_9_a_player_moves_only_pieces_of_their_own_colour() -> None:
    assert {text[:2] for text in names("RPa1.BPc3.RMe5.GIg7")} == {"a1", "e5"}
    with pytest.raises(InputError, match="that is a blue puck, and red may move"):
        parse_move(position("RPa1.BPc3"), "c3N")


def test_other_colours_may_be_allowed_to_move() -> None:
    start = position("RPa1.BPc3")
    both = legal_moves(start, colours={Colour.RED, Colour.BLUE})
    assert {move.space for move in both if isinstance(move, PieceMove)} == {
        space for space, _ in start.pieces
    }


def test_pb_10_and_the_faq_moving_back_and_forth_is_refused() -> None:
    start = position("RMe5.RPa1")
    second = apply(start, parse_move(start, "e5N"))
    back = PieceMove(second.pieces[0][0], Direction.S)
    assert back in legal_moves(second)
    assert back not in legal_moves(second, before=start)
    assert "PB-10" in why_illegal(second, back, before=start)
    assert len(legal_moves(second, before=start)) == len(legal_moves(second)) - 1


def test_pb_10_a_move_back_that_changed_another_piece_is_allowed() -> None:
    start = position("RPa5.BPe5.RIa4")
    second = apply(start, parse_move(start, "a5Ex"))
    assert len(legal_moves(second, before=start)) == len(legal_moves(second))


def test_pb_17_old_school_a_sliding_puck_stops_beside_what_it_hits() -> None:
    assert after(position("RPa5.BPe5", rules="old-school"), "a5E") == "RPd5.BPe5"


def test_pb_17_with_old_school_chains_it_sets_the_puck_in_motion() -> None:
    rules = "old-school,old-school-chains"
    assert after(position("RPa5.BPe5", rules=rules), "a5E") == "RPd5.BPi5"


def test_pb_17_old_school_has_two_pucks_and_no_meeple() -> None:
    with pytest.raises(InputError, match="3 pucks, scored ones among them; at most 2"):
        position("RPa1c1.RMe5", rules="old-school", scored="R1")
    with pytest.raises(InputError, match="red has 1 meeple; at most 0"):
        position("RMe5", rules="old-school")


def test_the_old_school_setup_brings_its_rules() -> None:
    assert parse_position("pb1:old-school:RPa1:-:R:-").rules.old_school
    assert not parse_position("pb1:old-school:RPa1:-:R:rules=-:-").rules.old_school


def test_a_nudge_moves_any_piece_one_open_space_without_a_slide() -> None:
    start = position("BPc3.RPd3")
    puck = start.pieces[0][0]
    assert pieces_text(nudge(start, PieceMove(puck, Direction.N))[0]) == "RPd3.BPc4"
    with pytest.raises(InputError, match="the next space is not open"):
        nudge(start, PieceMove(puck, Direction.E))
    with pytest.raises(InputError, match="no piece stands there"):
        nudge(start, PieceMove(0, Direction.E))


def test_a_nudge_into_a_goal_scores() -> None:
    start = position("BPe5", mat=GOAL_9)
    scored, change = nudge(start, PieceMove(start.pieces[0][0], Direction.N))
    assert (scored.scored[Colour.BLUE], change.movements[0].scored) == (1, True)


def test_an_illegal_move_says_why_and_changes_nothing() -> None:
    start = position("RPa1.BPb1")
    for direction, said in (("W", "edge of the board"), ("E", "b1, holds a blue puck")):
        with pytest.raises(InputError, match=said):
            apply(start, PieceMove(start.pieces[0][0], Direction[direction]))
    with pytest.raises(InputError, match="no piece stands there"):
        apply(start, PieceMove(0, Direction.N))
    assert pieces_text(start) == "RPa1.BPb1"


def test_a_meeple_that_a_puck_hits_keeps_its_square() -> None:
    start = position("RPe1.BMe5")
    board = board_of(start.layout)
    moved = apply(start, parse_move(start, "e1N"))
    space = board.space_named("e5")
    assert space is not None
    assert str(moved.piece_on(space)) == "blue meeple"
