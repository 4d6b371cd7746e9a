"""What the cards do that are no quick plays, ruling by ruling."""

import pytest

from physics import InputError
from sim.bumpers import Colour, layout_problems, start_spaces
from sim.bumpers import Kind as PieceKind
from sim.bumpers.game import CardKind, GameState, Phase, PlayCard, chooser, house_deck, step
from sim.bumpers.position_notation import pieces_text
from tests.bumpersgames import at_turn, do, names, number, offered

RED, ORANGE, YELLOW = range(3)

MATS = {"mat": "", "layout": "B1.B2/G1@180.-"}
"""Three mats, of which every one has an open side."""

HELD = {"mat": "", "layout": "B1.B2.B3/B4.G1.B5/B6.G2.K1"}
"""Nine mats; the one in the middle has no open side."""

PIECES = "RPa5.OPh8"


def board_of(state: GameState) -> str:
    return pieces_text(state.position)


def layout_of(state: GameState) -> str:
    from sim.bumpers.mat_notation import layout_text

    return layout_text(state.position.layout)


def test_pb_14_the_house_deck_has_the_rulebooks_counts() -> None:
    counts = dict.fromkeys(CardKind, 0)
    for card in house_deck().cards:
        counts[card.kind] += card.count
    assert counts == {
        CardKind.QUICK_PLAY: 14,
        CardKind.DRAW: 5,
        CardKind.ACTION: 10,
        CardKind.GAME_CHANGER: 25,
    }


def test_pb_14_the_rulebooks_named_cards_are_there() -> None:
    deck = {card.name for card in house_deck().cards}
    named = {"Board Shift", "Board Swap", "Board Twist", "Let's Mix Things Up"}
    assert named | {"I Like Your Pieces More", "Take 3", "Take 6", "Reverse"} <= deck


@pytest.mark.parametrize(
    ("card", "move", "after"),
    [
        ("Board Shift", "H:B2,G1.E", "B1.-/G1@180.B2"),
        ("Board Swap", "S:B1,B2", "B2.B1/G1@180.-"),
        ("Board Twist", "T:B1+90", "B1@90.B2/G1@180.-"),
    ],
)
def test_pb_14_board_cards_move_one_mat_and_are_one_action(
    card: str, move: str, after: str
) -> None:
    state = do(at_turn((card, "Draw 3"), (), pieces=PIECES, board=MATS), f"play {card}")
    assert all(text[0] == move[0] for text in offered(state))
    state = do(state, move)
    assert (layout_of(state), state.player) == (after, ORANGE)
    assert names(state.discards) == [card]


def test_pb_14_lets_mix_things_up_moves_up_to_three_mats() -> None:
    hand = ("Let's Mix Things Up",)
    state = do(at_turn(hand, (), pieces=PIECES, board=MATS), "play Let's", "T:B1+90")
    assert "pass" in offered(state)
    state = do(state, "S:B1,B2", "H:G1,B1.S")
    assert (layout_of(state), state.player) == ("B2.B1@90/-.G1@180", ORANGE)
    state = do(at_turn(hand, (), pieces=PIECES, board=MATS), "play Let's", "T:B1+90", "pass")
    assert (layout_of(state), state.player) == ("B1@90.B2/G1@180.-", ORANGE)


def test_pb_14_i_like_your_pieces_more_lasts_until_the_turn_ends() -> None:
    rule = {"action_rule": "Take 3"}
    state = at_turn(("I Like Your Pieces More",), (), (), pieces="RPa1.OPi1.YPc5", in_play=rule)
    state = do(state, "play I Like")
    assert offered(state) == ["name orange", "name yellow"]
    state = do(state, "name orange")
    assert "i1N" in offered(state)
    assert "c5N" not in offered(state)
    state = do(state, "i1N", "a1N")
    assert (state.player, state.turn.borrowed) == (ORANGE, ())


def test_pb_14_i_like_your_pieces_more_takes_all_colours_of_each_player_that_is_named() -> None:
    hand, rule = ("I Like Your Pieces More",) * 2, {"action_rule": "Take 4"}
    two_each = {"colours_each": 2, "players": 3}
    state = at_turn(hand, (), (), pieces="RPa1.OPi1.VPc5.YPg5", in_play=rule, table=two_each)
    state = do(state, "play I Like", "name orange", "play I Like", "name yellow")
    assert {text[:2] for text in offered(state)} == {"a1", "i1", "c5", "g5"}


def test_pb_14_draw_cards_count_as_an_action_and_take_effect_on_the_next_turn() -> None:
    state = do(at_turn(("Draw 3",), ()), "play Draw 3")
    assert (state.player, [len(hand) for hand in state.hands]) == (ORANGE, [0, 3])
    with_two = at_turn(("Draw 3", "Draw 4"), (), in_play={"action_rule": "Take 2"})
    state = do(with_two, "play Draw 3", "play Draw 4")
    assert (len(state.hands[ORANGE]), names(state.discards)) == (4, ["Draw 3"])


def test_pb_14_no_draw_card_or_game_changer_is_played_once_all_actions_are_taken() -> None:
    state = at_turn(("Draw 3", "Draw 4", "Board Twist", "Take 1"), (), pieces=PIECES, board=MATS)
    state = do(state, "play Draw 3")
    assert offered(state) == ["play Take 1", "pass"]
    with pytest.raises(InputError, match="all 1 of this turn are taken"):
        step(state, PlayCard(number("Draw 4")))


def test_pb_14_action_cards_take_effect_at_once_and_replace_each_other() -> None:
    state = do(at_turn(("Take 2", "Take 6"), ()), "play Take 2")
    assert state.actions_allowed == 2
    state = do(state, "play Take 6")
    assert (state.actions_allowed, state.turn.taken, names(state.discards)) == (6, 0, ["Take 2"])


def test_a_nudge_moves_any_puck_by_one_open_space() -> None:
    state = do(at_turn(("Nudge",), (), pieces="RPa1.OPi1h1.OIg5"), "play Nudge")
    moves = offered(state)
    assert {"a1N", "a1E", "i1N", "h1N", "h1W"} == set(moves)
    assert board_of(do(state, "h1W")) == "RPa1.OPg1i1.OIg5"


def test_a_puck_nudged_into_a_goal_scores_and_wins() -> None:
    state = do(at_turn(("Nudge",), (), pieces="OPe5.RPa1", scored="O3"), "play Nudge", "e5N")
    assert (state.position.scored[Colour.ORANGE], state.winner) == (4, ORANGE)


def test_slippery_ice_lets_stepped_blocks_slide_as_long_as_it_is_in_play() -> None:
    rule = {"action_rule": "Take 4"}
    state = at_turn(("Slippery Ice", "Frozen Mats"), (), pieces="RIa1.OPi1", in_play=rule)
    state = do(state, "play Slippery Ice", "a1N")
    assert board_of(state) == "RIa9.OPi1"
    state = do(state, "play Frozen Mats", "a9E")
    assert board_of(state) == "RIb9.OPi1"


def test_frozen_mats_keeps_every_mat_in_place() -> None:
    hand = ("Board Twist", "Let's Mix Things Up")
    frozen = at_turn(hand, (), pieces=PIECES, board=MATS, in_play={"ongoing": "Frozen Mats"})
    assert not any("Board Twist" in text or "Mix" in text for text in offered(frozen))
    with pytest.raises(InputError, match="Frozen Mats is in play"):
        step(frozen, PlayCard(number("Board Twist")))


def test_pb_11_a_mat_without_an_open_side_is_not_offered() -> None:
    state = at_turn(("Board Shift",), (), pieces="RPa1.OPd1", board=HELD)
    moves = offered(do(state, "play Board Shift"))
    assert not any(move.startswith("H:G1,") for move in moves)
    with pytest.raises(InputError, match="no open side"):
        do(state, "play Board Shift", "H:G1,B1.N")


def test_pb_23_faq_a_layout_may_be_illegal_while_the_card_is_pending() -> None:
    state = at_turn(("Let's Mix Things Up",), (), pieces="RPa1.OPd1", board=HELD)
    state = do(state, "play Let's", "H:B5,B3.EE")
    assert layout_problems(state.position.layout, state.position.rules)
    state = do(state, "T:G1+90", "H:B5,B3.E")
    assert layout_of(state) == "B1.B2.B3.B5/B4.G1@90.-.-/B6.G2.K1.-"
    assert state.player == ORANGE


def test_pb_23_a_side_opened_within_a_series_counts_for_it() -> None:
    state = at_turn(("Let's Mix Things Up",), (), pieces="RPa1.OPd1", board=HELD)
    assert not any("G1" in move[:4] for move in offered(do(state, "play Let's")) if move[0] == "H")
    state = do(state, "play Let's", "H:B5,B3.E")
    assert any(move.startswith("H:G1,") for move in offered(state))


def test_pb_23_a_series_that_is_not_made_legal_is_refused_as_a_whole() -> None:
    state = at_turn(("Let's Mix Things Up",), (), pieces="RPa1.OPd1", board=HELD)
    before = layout_of(state)
    state = do(state, "play Let's", "T:B1+90", "H:B5,B3.EE", "pass")
    assert (layout_of(state), state.player, state.series) == (before, ORANGE, None)
    assert names(state.discards) == ["Let's Mix Things Up"]


def test_pb_23_a_series_may_go_over_several_cards_and_no_piece_moves_meanwhile() -> None:
    hand, rule = ("Board Shift", "Board Shift"), {"action_rule": "Take 3"}
    state = at_turn(hand, (), pieces="RPa1.OPd1", board=HELD, in_play=rule)
    state = do(state, "play Board Shift", "H:B5,B3.EE")
    assert offered(state) == ["play Board Shift"]
    with pytest.raises(InputError, match="not a choice now"):
        do(state, "a1N")
    state = do(state, "play Board Shift", "H:B5,B3.E")
    assert "a1N" in offered(state)
    assert state.turn.taken == 2


def test_pb_23_the_last_card_of_a_series_must_leave_the_mats_legal() -> None:
    state = at_turn(("Board Shift",), (), pieces="RPa1.OPd1", board=HELD)
    with pytest.raises(InputError, match="touches no other mat"):
        do(state, "play Board Shift", "H:B5,B3.EE")


def test_pb_23_another_card_counts_for_a_series_only_if_an_action_is_left_for_it() -> None:
    hand = ("Board Shift", "Board Shift")
    state = do(at_turn(hand, (), pieces="RPa1.OPd1", board=HELD), "play Board Shift")
    with pytest.raises(InputError, match="touches no other mat"):
        do(state, "H:B5,B3.EE")


def test_pb_23_other_cards_may_be_played_while_mats_are_moved() -> None:
    hand = ("Let's Mix Things Up", "Two Quick Ones", "Take 2")
    state = do(at_turn(hand, (), pieces="RPa1.OPd1", board=HELD), "play Let's", "H:B5,B3.EE")
    state = do(state, "play Two Quick Ones", "play Take 2", "H:B5,B3.E", "pass")
    assert (state.actions_allowed, state.turn.taken, len(state.hands[RED])) == (2, 1, 2)


def test_pb_18_reverse_in_the_middle_of_a_series_ends_it_and_the_turn() -> None:
    hand = ("Let's Mix Things Up", "Reverse")
    state = do(at_turn(hand, (), pieces="RPa1.OPd1", board=HELD), "play Let's", "T:B1+90")
    state = do(state, "play Reverse")
    assert layout_of(state).startswith("B1@90.")
    assert (state.player, state.pending) == (ORANGE, None)
    assert names(state.discards) == ["Reverse", "Let's Mix Things Up"]


def test_pb_26_a_stop_undoes_a_whole_series() -> None:
    state = at_turn(("Let's Mix Things Up",), ("Hold It",), pieces="RPa1.OPd1", board=HELD)
    before = layout_of(state)
    state = do(state, "play Let's", "T:B1+90", "T:B2+90", "T:B3+90", "play Hold It")
    assert layout_of(state) == before


def test_pb_26_stopping_the_move_that_makes_a_series_legal_takes_the_whole_series_back() -> None:
    hand, rule = ("Board Shift", "Board Shift"), {"action_rule": "Take 2"}
    state = at_turn(hand, ("Hold It",), pieces="RPa1.OPd1", board=HELD, in_play=rule)
    before = layout_of(state)
    state = do(state, "play Board Shift", "H:B5,B3.EE", "pass")
    state = do(state, "play Board Shift", "H:B5,B3.E", "pass", "play Hold It")
    assert (layout_of(state), state.player) == (before, ORANGE)


def test_pb_30_a_returned_puck_goes_to_a_free_start_space_of_its_owners_choice() -> None:
    board = {"mat": "", "layout": "B1.B2/G1@180.-"}
    state = at_turn(("Back in Play",), (), pieces="RPb7.OPa5", scored="O2", board=board)
    state = do(state, "play Back in Play")
    assert offered(state) == ["name orange"]
    state = do(state, "name orange")
    assert chooser(state) == ORANGE
    starts = start_spaces(state.position.layout, PieceKind.PUCK)
    assert len(offered(state)) == len(starts) - 1
    state = do(state, "put OP d7")
    assert state.position.scored[Colour.ORANGE] == 1
    assert board_of(state) == "RPb7.OPd7a5"


def test_pb_30_without_a_free_start_space_any_open_space_outside_goals_will_do() -> None:
    state = at_turn(("Back in Play",), (), pieces="RPa1", scored="R1")
    state = do(state, "play Back in Play", "name red")
    assert len(offered(state)) == 81 - 2 - 1
    assert "put RP e6" not in offered(state)


def test_pb_30_nothing_is_returned_before_a_puck_is_scored() -> None:
    assert "play Back in Play" not in offered(at_turn(("Back in Play",), ()))


def test_pb_31_one_ongoing_card_at_a_time() -> None:
    state = at_turn(("Frozen Mats",), (), in_play={"ongoing": "Slippery Ice"})
    assert state.position.rules.slippery_ice
    state = do(state, "play Frozen Mats")
    assert names([state.ongoing or 0]) == ["Frozen Mats"]
    assert names(state.discards) == ["Slippery Ice"]
    assert not state.position.rules.slippery_ice


def test_pb_31_faq_a_target_that_a_quick_play_takes_is_gone_choose_again() -> None:
    state = at_turn(("Second Chance",), ("Sticky Fingers",), discards=["Take 6", "Nudge"])
    state = do(state, "play Second Chance", "pick Nudge")
    assert chooser(state) == ORANGE
    state = do(state, "play Sticky Fingers")
    assert names(state.hands[ORANGE]) == ["Nudge"]
    assert offered(state) == ["pick Sticky Fingers", "pick Take 6", "pass"]
    state = do(state, "pick Take 6")
    assert names(state.hands[RED]) == ["Take 6"]
    assert state.turn.taken == 1


def test_pb_31_faq_or_keep_card_and_action() -> None:
    state = at_turn(("Second Chance",), ("Sticky Fingers",), discards=["Take 6", "Nudge"])
    state = do(state, "play Second Chance", "pick Nudge", "play Sticky Fingers", "pass")
    assert (names(state.hands[RED]), state.turn.taken) == (["Second Chance"], 0)
    assert (state.player, state.phase) == (RED, Phase.ACTION)


def test_pb_31_the_card_and_the_action_are_kept_when_the_turn_ends_before() -> None:
    state = at_turn(("Second Chance",), ("Reverse",), discards=["Nudge"])
    state = do(state, "play Second Chance", "pick Nudge", "play Reverse")
    assert (names(state.hands[RED]), state.player) == (["Second Chance"], ORANGE)


def test_faq_a_card_played_in_this_turn_can_be_picked_up_again() -> None:
    rule = {"action_rule": "Take 2"}
    state = at_turn(("Second Chance", "Board Twist"), (), in_play=rule)
    state = do(state, "play Board Twist", "T:X1+90", "play Second Chance", "pick Board Twist")
    assert names(state.hands[RED]) == ["Board Twist"]


def test_example_sarah_uses_three_actions_to_shift_a_mat_and_then_to_score() -> None:
    board = {"mat": "", "layout": "B1.B2/G1@180.-"}
    state = at_turn(("Take 3", "Board Shift"), (), pieces="RPf8.OPa5", board=board)
    state = do(state, "play Take 3", "play Board Shift", "H:G1,B2.S", "*")
    assert state.position.scored[Colour.RED] == 1


def test_example_mike_doubles_his_actions_to_move_mats_and_jacks_pieces() -> None:
    hand = ("Double Action", "Board Shift", "Board Swap", "Board Twist", "I Like Your Pieces More")
    state = at_turn(
        hand, (), pieces="OMb7.RPa5.RId7", board=MATS, in_play={"action_rule": "Take 3"}
    )
    state = do(state, "play Double Action", "play Board Swap", "S:B1,B2", "play Board Shift")
    state = do(state, "H:G1,B1.S", "play Board Twist", "T:B1+180", "play I Like", "name orange")
    assert (state.turn.taken, state.actions_allowed) == (4, 6)
    assert any(text.startswith(orange_square(state)) for text in offered(state))


def orange_square(state: GameState) -> str:
    """Return the square of orange's meeple."""
    return board_of(state).split(".OM")[1].split(".")[0]


@pytest.mark.parametrize(
    "helpers",
    [
        ("Board Shift", "Extra Action"),
        ("Board Shift", "Take 2"),
        ("Board Shift", "Double Action"),
        ("Sticky Fingers", "Extra Action"),
        ("Second Chance", "Take 3"),
    ],
)
def test_pb_23_faq_cards_that_can_still_be_played_count_for_a_series(
    helpers: tuple[str, str],
) -> None:
    state = at_turn(("Board Shift", *helpers), (), pieces="RPa1.OPd1", board=HELD)
    state = do(state, "play Board Shift", "H:B5,B3.EE")
    assert layout_problems(state.position.layout, state.position.rules)
    state = do(state, f"play {helpers[1]}")
    if helpers[0] == "Second Chance":
        state = do(state, "play Second Chance", "pick Board Shift")
    elif helpers[0] == "Sticky Fingers":
        state = do(state, "play Sticky Fingers")
    state = do(state, "play Board Shift", "H:B5,B3.E")
    assert layout_of(state) == "B1.B2.B3.B5/B4.G1.-.-/B6.G2.K1.-"
    assert state.series is None


@pytest.mark.parametrize(
    "helpers",
    [("Board Shift", "Take 1"), ("Second Chance", "Take 2"), ("Extra Action", "Extra Action")],
)
def test_pb_23_faq_cards_that_cannot_bring_another_mat_move_do_not_count(
    helpers: tuple[str, str],
) -> None:
    state = at_turn(("Board Shift", *helpers), (), pieces="RPa1.OPd1", board=HELD)
    with pytest.raises(InputError, match="touches no other mat"):
        do(state, "play Board Shift", "H:B5,B3.EE")


def test_pb_23_a_series_whose_helping_cards_are_not_played_is_taken_back() -> None:
    hand = ("Board Shift", "Board Shift", "Extra Action")
    state = at_turn(hand, (), pieces="RPa1.OPd1", board=HELD)
    before = layout_of(state)
    state = do(state, "play Board Shift", "H:B5,B3.EE")
    assert offered(state) == ["play Extra Action", "pass"]
    state = do(state, "pass", "pass")  # no quick play, and the end of the turn
    assert (layout_of(state), state.player) == (before, ORANGE)
