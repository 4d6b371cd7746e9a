"""Quick plays: when they are asked for, stops, Reverse, and what each does."""

import pytest

from physics import InputError
from sim.bumpers import Colour
from sim.bumpers.game import GameState, Phase, PlayCard, chooser, step
from sim.bumpers.position_notation import pieces_text
from tests.bumpersgames import at_turn, do, names, number, offered

RED, ORANGE, YELLOW, GREEN = range(4)
ALL_FOUR = "RPa1.OPi1.YPc5.GPg5"


def board_of(state: GameState) -> str:
    return pieces_text(state.position)


def test_pb_25_after_each_action_quick_plays_are_asked_for_in_turn_order() -> None:
    one = ("Hold It",)
    state = at_turn(("Reverse",), one, one, one, pieces=ALL_FOUR)
    state = do(state, "a1N")
    asked = []
    while state.asked is not None and state.phase is Phase.ACTION:
        asked.append(chooser(state))
        state = do(state, "pass")
    assert asked == [ORANGE, YELLOW, GREEN, RED]


def test_pb_25_quick_plays_are_asked_for_before_a_draw() -> None:
    state = do(at_turn((), (), ("Two Quick Ones",)), "a1N", "pass")
    assert (state.phase, state.player, chooser(state)) == (Phase.DRAW, ORANGE, YELLOW)
    assert len(state.hands[ORANGE]) == 0


def test_pb_25_quick_plays_are_asked_for_before_a_win_is_declared() -> None:
    state = do(at_turn((), ("Hold It",), pieces="RPe5", scored="R3"), "e5N*")
    assert (state.winner, chooser(state)) == (None, ORANGE)
    assert do(state, "pass").winner == RED
    stopped = do(state, "play Hold It")
    assert (stopped.winner, stopped.position.scored[Colour.RED]) == (None, 3)


def test_pb_25_a_player_plays_them_in_their_own_turn_before_any_action() -> None:
    state = do(at_turn(("Two Quick Ones",), ()), "play Two Quick Ones")
    assert (len(state.hands[RED]), state.turn.taken, state.player) == (2, 0, RED)


def test_pb_25_the_last_played_takes_effect_first() -> None:
    quick = (("Reverse",), ("Two Quick Ones",), ("Sticky Fingers",))
    state = at_turn(*quick, discards=["Nudge"])
    state = do(state, "a1N", "play Two Quick Ones", "play Sticky Fingers", "pass")
    assert names(state.hands[YELLOW]) == ["Nudge"]
    assert len(state.hands[ORANGE]) == 0
    state = do(state, "pass")
    assert len(state.hands[ORANGE]) == 2
    assert names(state.discards) == ["Sticky Fingers", "Two Quick Ones"]


def test_pb_25_no_other_card_is_played_when_quick_plays_are_asked_for() -> None:
    state = do(at_turn((), ("Hold It", "Board Twist")), "a1N")
    assert offered(state) == ["play Hold It", "pass"]
    with pytest.raises(InputError, match="Board Twist is played in your own turn"):
        step(state, PlayCard(number("Board Twist")))


def test_a_card_that_is_not_held_is_refused_and_nothing_changes() -> None:
    state = at_turn((), ())
    with pytest.raises(InputError, match="red does not hold Nudge"):
        step(state, PlayCard(number("Nudge")))
    assert state == at_turn((), ())


def test_pb_26_a_stop_undoes_the_action_which_stays_spent() -> None:
    state = do(at_turn((), ("Hold It",), in_play={"action_rule": "Take 2"}), "a1N", "play Hold It")
    assert (board_of(state), state.turn.taken, state.player) == ("RPa1.OPi1", 1, RED)
    assert names(state.discards) == ["Hold It"]


def test_pb_26_a_stopped_move_may_be_made_again() -> None:
    start = at_turn((), ("Hold It",), in_play={"action_rule": "Take 2"})
    assert "a1N" in offered(do(start, "a1N", "play Hold It"))


def test_pb_26_a_stopped_move_does_not_come_between_a_move_and_the_move_back() -> None:
    state = at_turn((), ("Hold It",), in_play={"action_rule": "Take 3"})
    state = do(state, "a1N", "pass", "a9E", "play Hold It")
    assert "a9E" in offered(state)
    assert "a9S" not in offered(state)


def test_pb_26_a_stop_takes_borrowed_pieces_away_again() -> None:
    hand, rule = ("I Like Your Pieces More",), {"action_rule": "Take 3"}
    state = at_turn(hand, ("Hold It",), in_play=rule)
    state = do(state, "play I Like", "name orange", "play Hold It")
    assert (state.player, state.turn.borrowed) == (RED, ())
    assert "i1N" not in offered(state)


def test_pb_26_the_card_of_a_stopped_action_is_discarded() -> None:
    state = do(at_turn(("Draw 3",), ("Hold It",)), "play Draw 3")
    assert state.draw_rule == number("Draw 3")
    state = do(state, "play Hold It")
    assert (state.draw_rule, names(state.discards)) == (None, ["Draw 3", "Hold It"])


def test_pb_26_a_stop_brings_the_replaced_rule_back() -> None:
    state = at_turn(("Draw 3",), ("Hold It",), in_play={"draw_rule": "Draw 4"})
    state = do(state, "play Draw 3", "play Hold It")
    assert state.draw_rule == number("Draw 4")
    assert names(state.discards) == ["Draw 3", "Hold It"]


def test_pb_26_a_stop_takes_slippery_ice_off_the_board() -> None:
    state = do(at_turn(("Slippery Ice",), ("Hold It",)), "play Slippery Ice")
    assert state.position.rules.slippery_ice
    state = do(state, "play Hold It")
    assert (state.position.rules.slippery_ice, state.ongoing) == (False, None)


def test_pb_26_a_stop_gives_a_returned_puck_back() -> None:
    state = at_turn(("Back in Play",), ("Hold It",), scored="R1", pieces="OPi1")
    state = do(state, "play Back in Play", "name red", "put RP a1", "play Hold It")
    assert (board_of(state), state.position.scored[Colour.RED]) == ("OPi1", 1)


def test_pb_26_a_stop_puts_a_taken_card_back_on_the_discards() -> None:
    state = at_turn(("Second Chance",), ("Hold It",), discards=["Nudge"])
    state = do(state, "play Second Chance", "pick Nudge", "pass", "play Hold It")
    assert names(state.hands[RED]) == []
    assert names(state.discards) == ["Second Chance", "Nudge", "Hold It"]


def test_pb_26_there_is_no_stop_before_any_action_nor_against_another_quick_play() -> None:
    assert "play Hold It" not in offered(at_turn(("Hold It",), ()))
    state = do(at_turn(("Two Quick Ones",), ("Hold It", "Sweep Up")), "play Two Quick Ones")
    assert "play Hold It" not in offered(state)
    with pytest.raises(InputError, match="PB-26"):
        step(do(at_turn(("Reverse",), ("Hold It", "Reverse")), "play Reverse"), PlayCard(HOLD_IT))


HOLD_IT = number("Hold It")


def test_pb_26_a_stop_stops_a_stop() -> None:
    state = do(at_turn(("Hold It",), ("Hold It",)), "a1N", "play Hold It")
    assert chooser(state) == RED
    state = do(state, "play Hold It")
    assert board_of(state) == "RPa9.OPi1"
    assert names(state.discards) == ["Hold It", "Hold It"]


def test_pb_26_an_action_is_stopped_once() -> None:
    state = do(at_turn((), ("Hold It", "Hold It")), "a1N", "play Hold It", "pass")
    assert (board_of(state), state.player) == ("RPa1.OPi1", ORANGE)
    assert "play Hold It" not in offered(state)


def test_pb_26_faq_there_is_no_stop_of_an_action_once_the_next_one_has_begun() -> None:
    hand, rule = ("Let's Mix Things Up", "Two Quick Ones"), {"action_rule": "Take 3"}
    board = {"mat": "", "layout": "B1.B2/G1@180.-"}
    state = at_turn(hand, ("Hold It",), pieces="RPa5.OPh8", board=board, in_play=rule)
    state = do(state, "a5N", "pass", "pass", "play Let's", "T:B2+90", "play Two Quick Ones")
    assert (chooser(state), state.pending is not None) == (RED, True)
    hand = ("Second Chance",)
    state = at_turn(hand, ("Hold It", "Reverse"), discards=["Nudge"], in_play=rule)
    state = do(state, "a1N", "pass", "play Second Chance", "pick Nudge")
    assert (chooser(state), offered(state)) == (ORANGE, ["play Reverse", "pass"])


def test_faq_quick_plays_are_played_after_an_action_until_the_next_player_draws() -> None:
    state = do(at_turn((), (), ("Hold It",)), "a1N", "pass")
    assert (state.phase, state.player) == (Phase.DRAW, ORANGE)
    state = do(state, "play Hold It")
    assert (board_of(state), state.player) == ("RPa1.OPi1", ORANGE)


def test_pb_26_there_is_no_stop_once_the_next_player_has_drawn() -> None:
    state = do(at_turn((), ("Hold It",), pile=["Draw 3"]), "a1N", "pass", "pass")
    assert state.phase is Phase.ACTION
    assert "play Hold It" not in offered(state)


def test_pb_18_reverse_before_the_draw_cancels_that_turn() -> None:
    state = do(at_turn((), (), (), ("Reverse",), pieces=ALL_FOUR), "a1N", "pass")
    assert (state.phase, state.player) == (Phase.DRAW, ORANGE)
    state = do(state, "play Reverse")
    assert (state.player, state.direction, state.hands[ORANGE]) == (GREEN, -1, ())


def test_pb_18_later_in_a_turn_reverse_ends_it_and_goes_to_the_new_neighbour() -> None:
    rule = {"action_rule": "Take 3"}
    state = at_turn((), ("Reverse",), (), (), pieces=ALL_FOUR, in_play=rule)
    state = do(state, "a1N", "play Reverse")
    assert (state.player, state.direction) == (GREEN, -1)


def test_pb_18_two_reverses_cancel_each_other_except_for_the_turn() -> None:
    state = at_turn((), ("Reverse",), ("Reverse",), (), pieces=ALL_FOUR)
    state = do(state, "a1N", "pass", "pass", "play Reverse", "play Reverse")
    assert (state.player, state.direction) == (ORANGE, 1)


def test_pb_18_with_two_players_the_cancelled_turn_begins_anew() -> None:
    state = do(at_turn(("Reverse",), ()), "a1N", "pass", "play Reverse")
    assert (state.player, state.direction) == (ORANGE, -1)


def test_example_jack_reverses_and_it_is_sarahs_turn_again() -> None:
    jack, sarah = RED, GREEN
    state = do(at_turn(("Reverse",), (), (), (), pieces=ALL_FOUR), "a1N", "pass", "play Reverse")
    assert (state.finished, state.player) == (jack, sarah)


def test_the_hand_is_discarded_after_a_reverse_too() -> None:
    hand = ["Board Shift"] * 5 + ["Board Swap"] * 4
    state = do(at_turn(hand, ("Reverse",), in_play={"action_rule": "Take 3"}), "a1N", "play Rev")
    assert (state.phase, state.player) == (Phase.DISCARD, RED)


def test_pb_27_actions_are_added_to_ones_own_turn_only() -> None:
    hand = ("Double Action", "Extra Action", "Sweep Up")
    state = do(at_turn((), hand, discards=["Nudge"]), "a1N", "pass")
    assert (state.player, state.phase) == (ORANGE, Phase.DRAW)
    state = do(state, "play Extra Action", "play Double Action", "pass", "pass", "pass")
    assert (state.actions_allowed, state.phase) == (3, Phase.ACTION)


def test_pb_25_adding_actions_in_anothers_turn_is_refused() -> None:
    state = do(at_turn((), ("Extra Action", "Two Quick Ones")), "a1N")
    assert chooser(state) == ORANGE
    with pytest.raises(InputError, match="your own turn only"):
        step(state, PlayCard(number("Extra Action")))


def test_sweep_up_shuffles_the_discards_into_the_draw_pile_but_not_itself() -> None:
    state = at_turn(("Sweep Up",), (), discards=["Nudge"], pile=["Take 1"])
    state = do(state, "play Sweep Up")
    assert state.shuffle_due
    state = do(state, f"shuffle {number('Nudge')}.{number('Take 1')}")
    assert (names(state.draw_pile), names(state.discards)) == (["Nudge", "Take 1"], ["Sweep Up"])


def test_sticky_fingers_takes_the_top_discard_and_not_itself() -> None:
    state = at_turn(("Sticky Fingers",), (), discards=["Take 1", "Nudge"])
    state = do(state, "play Sticky Fingers")
    assert names(state.hands[RED]) == ["Nudge"]
    assert names(state.discards) == ["Take 1", "Sticky Fingers"]
    assert "play Sticky Fingers" not in offered(at_turn(("Sticky Fingers",), ()))
