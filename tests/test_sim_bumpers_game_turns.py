"""Placing, turns, counting actions and the end of a game, ruling by ruling."""

import numpy as np
import pytest

from physics import InputError
from sim.bumpers import Colour, Kind, Piece, setup_named, start_spaces
from sim.bumpers.game import (
    GameState,
    GreedyPlayer,
    Phase,
    PlacePiece,
    RandomPlayer,
    choices,
    chooser,
    deck_from,
    house_deck,
    make_table,
    new_game,
    play_game,
    random_start,
    shuffle,
    step,
    unplaced,
)
from tests.bumpersgames import at_turn, do, names, offered

RED, ORANGE, YELLOW, GREEN = range(4)


def dealt(players: int, **options: object) -> GameState:
    """Return the state before the first piece is placed."""
    state = new_game(make_table(players, **options))  # type: ignore[arg-type]
    if state.shuffle_due:
        state, _ = step(state, shuffle(state, np.random.default_rng(1)))
    return state


def test_pb_10_faq_moving_back_and_forth_is_refused_within_a_turn() -> None:
    state = do(at_turn((), (), in_play={"action_rule": "Take 3"}), "a1N")
    with pytest.raises(InputError, match="PB-10"):
        do(state, "a9S")
    assert "a9S" not in offered(state)


def test_pb_10_the_move_back_is_allowed_in_the_next_turn() -> None:
    state = do(at_turn((), ()), "a1N", "i1N")
    assert (state.player, "a9S" in offered(state)) == (RED, True)


def test_pb_15_a_rule_that_changes_in_a_turn_counts_at_once() -> None:
    state = do(at_turn(("Take 3",), ()), "play Take 3", "a1N", "a9E")
    assert (state.player, state.turn.taken, state.actions_allowed) == (RED, 2, 3)


def test_pb_15_faq_a_turn_ends_if_it_exceeds_the_new_number_of_actions() -> None:
    state = at_turn(("Take 1",), (), in_play={"action_rule": "Take 4"})
    state = do(state, "a1N", "a9E", "play Take 1")
    assert (state.player, names([state.action_rule or 0])) == (ORANGE, ["Take 1"])


def test_pb_15_a_turn_ends_once_the_pending_action_exceeds_the_number() -> None:
    board = {"mat": "", "layout": "B1.B2/G1@180.-"}
    hand, rule = ("Let's Mix Things Up", "Take 1", "Take 6"), {"action_rule": "Take 4"}
    state = at_turn(hand, (), pieces="RPa5.OPh8", board=board, in_play=rule)
    state = do(state, "a5N", "play Let's", "T:B1+90", "play Take 1", "pass")
    assert (state.player, state.turn.taken, state.phase) == (ORANGE, 0, Phase.ACTION)


def test_pb_15_faq_the_number_may_be_reduced_after_all_actions() -> None:
    state = do(at_turn(("Take 1",), (), in_play={"action_rule": "Take 2"}), "a1N", "a9E")
    assert (state.player, offered(state)) == (RED, ["play Take 1", "pass"])
    assert do(state, "play Take 1").player == ORANGE


def test_pb_15_playing_an_action_card_is_not_an_action() -> None:
    state = do(at_turn(("Take 1", "Take 2"), ()), "play Take 2", "play Take 1")
    assert (state.turn.taken, state.player) == (0, RED)


@pytest.mark.parametrize(("players", "cards", "limit"), [(2, 5, 7), (3, 5, 7), (4, 3, 5)])
def test_pb_16_few_players_are_dealt_more_and_may_hold_more(
    players: int, cards: int, limit: int
) -> None:
    state = dealt(players)
    assert {len(hand) for hand in state.hands} == {cards}
    assert state.table.hand_limit == limit


def test_pb_16_at_the_end_of_a_turn_cards_beyond_the_limit_are_discarded() -> None:
    hand = ["Board Shift"] * 4 + ["Nudge", "Draw 3", "Draw 4", "Take 4", "Take 5"]
    state = do(at_turn(hand, ()), "a1N", "pass")
    assert state.phase is Phase.DISCARD
    assert offered(state)[0].startswith("pick ")
    state = do(state, "pick Board Shift", "pick Nudge")
    assert (len(state.hands[RED]), state.player) == (7, ORANGE)
    assert names(state.discards) == ["Board Shift", "Nudge"]


def test_pb_16_the_discards_are_shuffled_back_when_the_draw_pile_runs_out() -> None:
    rule = {"draw_rule": "Draw 3"}
    state = at_turn((), (), pile=["Nudge"], discards=["Take 1", "Take 2", "Take 3"], in_play=rule)
    state = do(state, "a1N")
    assert (state.shuffle_due, chooser(state), choices(state)) == (True, None, ())
    assert names(state.hands[ORANGE]) == ["Nudge"]
    state = do(state, "shuffle " + ".".join(map(str, state.discards)))
    assert names(state.hands[ORANGE]) == ["Take 2", "Take 3", "Nudge"]
    assert (names(state.draw_pile), state.discards) == (["Take 1"], ())


def test_a_shuffle_of_other_cards_than_the_piles_is_refused() -> None:
    state = do(at_turn((), (), pile=["Nudge"], discards=["Take 1"]), "a1N")
    with pytest.raises(InputError, match="shuffle: the cards are not those"):
        do(state, "shuffle 0.1")


def test_pb_17_old_school_has_two_actions_two_pucks_no_cards_and_no_meeples() -> None:
    state = random_start(make_table(4, setup="old-school"), np.random.default_rng(1))
    assert (state.actions_allowed, state.table.deck.cards, state.hands[0]) == (2, (), ())
    kinds = [piece.kind for _, piece in state.position.pieces if piece.colour is Colour.RED]
    assert sorted(kind.value for kind in kinds) == ["I", "I", "P", "P"]


def test_pb_18_placing_goes_to_the_right_and_turns_to_the_left() -> None:
    state = dealt(4)
    placed = []
    while state.phase is Phase.PLACING:
        placed.append(state.player)
        state, _ = step(state, choices(state)[0])
    assert placed[:5] == [0, 3, 2, 1, 0]
    assert state.player == 0
    state = at_turn((), (), (), (), pieces="RPa1.OPi1.YPc5.GPg5")
    played = []
    for _ in range(5):
        played.append(state.player)
        state, _ = step(state, choices(state)[0])
    assert played == [0, 1, 2, 3, 0]


def test_pb_20_any_own_kind_goes_on_any_free_start_space_of_that_kind() -> None:
    state = dealt(4)
    layout = state.position.layout
    free = {PlacePiece(Piece(Colour.RED, k), s) for k in Kind for s in start_spaces(layout, k)}
    assert set(choices(state)) == free
    state, _ = step(state, choices(state)[0])
    taken = state.position.pieces[0][0]
    assert all(isinstance(c, PlacePiece) and c.space != taken for c in choices(state))


def test_pb_20_all_pieces_are_placed_and_whoever_began_draws_first() -> None:
    state = random_start(make_table(5), np.random.default_rng(1))
    assert len(state.position.pieces) == 5 * 8
    assert not any(unplaced(state, player) for player in range(5))
    assert (state.player, state.turns) == (0, 1)


def test_pb_21_actions_are_compulsory_while_one_is_legal() -> None:
    state = at_turn((), ())
    assert "pass" not in offered(state)
    with pytest.raises(InputError, match="PB-21"):
        step(state, choices(do(at_turn(("Take 1",), ()), "a1N"))[-1])


def test_pb_21_with_may_pass_actions_are_optional() -> None:
    state = at_turn((), (), table={"may_pass": True})
    assert "pass" in offered(state)
    assert do(state, "pass").player == ORANGE


def test_pb_21_a_player_without_a_legal_action_is_skipped() -> None:
    locked = "RPa1.OPb1a2.OIc1b2.OMa3"
    state = do(at_turn((), (), pieces=locked, player=ORANGE, pile=()), "c1E")
    assert (state.player, state.turns) == (ORANGE, 3)


def test_pb_27_doubling_is_of_the_rule_and_recomputed_when_it_changes() -> None:
    hand = ("Double Action", "Extra Action", "Take 3")
    state = do(at_turn(hand, ()), "play Double Action", "pass")
    assert state.actions_allowed == 2
    state = do(state, "play Extra Action")
    assert state.actions_allowed == 3
    assert do(state, "play Take 3").actions_allowed == 7


def test_pb_27_doubling_is_once_a_turn() -> None:
    state = do(at_turn(("Double Action", "Double Action"), ()), "play Double Action")
    assert "play Double Action" not in offered(state)
    with pytest.raises(InputError, match="PB-27"):
        do_play_again(state)


def do_play_again(state: GameState) -> None:
    """Play the first card that red holds, whether it is offered or not."""
    from sim.bumpers.game import PlayCard

    step(state, PlayCard(state.hands[RED][0]))


def test_pb_27_doubling_ends_with_the_turn() -> None:
    state = do(at_turn(("Double Action",), ()), "play Double Action", "a1N", "a9E", "i1N")
    assert (state.player, state.actions_allowed) == (RED, 1)


def test_pb_28_with_both_piles_empty_what_exists_is_drawn() -> None:
    rule = {"draw_rule": "Draw 4"}
    state = do(at_turn((), (), pile=["Nudge"], in_play=rule), "a1N")
    assert (state.draw_pile, state.discards, state.shuffle_due) == ((), (), False)
    assert (names(state.hands[ORANGE]), state.player) == (["Nudge"], ORANGE)


def test_pb_29_a_puck_sent_in_by_another_player_wins_for_its_owner() -> None:
    state = at_turn((), (), pieces="RMe4.OPe5", scored="O3")
    state = do(state, "e4Nx*")
    assert (state.phase, state.winner, state.player) == (Phase.OVER, ORANGE, RED)
    assert (choices(state), chooser(state)) == ((), None)
    with pytest.raises(InputError, match="the game is over"):
        step(state, choices(at_turn((), ()))[0])


def test_a_returned_puck_no_longer_counts_for_the_win() -> None:
    state = at_turn((), (), pieces="RPe5a1", scored="R2")
    assert do(state, "e5N*").winner is None


def test_pb_32_the_hand_limit_is_checked_in_ones_own_phase_3_only() -> None:
    hand = ["Board Shift"] * 5 + ["Board Swap"] * 4
    state = do(at_turn((), hand), "a1N")
    assert (state.phase, state.player) == (Phase.ACTION, ORANGE)
    assert len(state.hands[ORANGE]) == 9 + 1


def test_pb_33_a_game_is_a_draw_after_max_actions() -> None:
    state = at_turn((), (), table={"max_actions": 2})
    state = do(state, "a1N", "i1N")
    assert (state.phase, state.winner, state.actions) == (Phase.OVER, None, 2)


def test_pb_33_turns_without_an_action_count_so_that_every_game_ends() -> None:
    table = {"max_actions": 5, "may_pass": True}
    state = at_turn((), (), table=table)
    for _ in range(4):
        state = do(state, "pass")
    assert do(state, "pass").phase is Phase.OVER


def test_pb_33_quick_plays_count_so_that_every_game_ends() -> None:
    card = {"name": "Three", "kind": "quick-play", "count": 9, "text": "Draw three cards."}
    hook = {"hook": "draw-cards", "numbers": {"cards": 3}}
    table = make_table(2, deck=deck_from("deck", {"cards": [card | hook]}), max_actions=40)
    *_, last = play_game(table, [GreedyPlayer()] * 2, np.random.default_rng(1))
    assert (last.after.phase, last.after.actions) == (Phase.OVER, 40)


def test_pb_33_at_the_greatest_number_of_actions_no_card_is_played() -> None:
    state = at_turn(("Two Quick Ones",) * 2, (), table={"max_actions": 1})
    state = do(state, "play Two Quick Ones")
    assert (state.phase, state.actions, len(state.hands[RED])) == (Phase.OVER, 1, 3)


@pytest.mark.parametrize("players", [2, 3])
def test_pb_34_two_or_three_play_on_the_small_board_with_the_same_pieces(players: int) -> None:
    state = random_start(make_table(players), np.random.default_rng(1))
    assert state.position.layout == setup_named("small").layout
    assert len(state.position.pieces) == 8 * players


def test_pb_35_a_player_may_have_several_colours() -> None:
    table = make_table(2, colours_each=2)
    assert table.colours_of(0) == (Colour.RED, Colour.YELLOW)
    state = random_start(table, np.random.default_rng(1))
    assert state.position.layout == setup_named("classic").layout
    movers = {state.position.piece_on(c.move.space) for c in choices(state) if hasattr(c, "move")}
    assert {piece.colour for piece in movers if piece} == {Colour.RED, Colour.YELLOW}


def test_pb_35_all_pucks_of_all_colours_win() -> None:
    state = at_turn((), (), pieces="YPe5.OPa1", scored="R4Y2", table={"colours_each": 2})
    assert do(state, "e5N*").winner is None
    state = at_turn((), (), pieces="YPe5.OPa1", scored="R4Y3", table={"colours_each": 2})
    assert do(state, "e5N*").winner == RED


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 1}, "players: 1"),
        ({"players": 7}, "players: 7"),
        ({"players": 4, "colours_each": 2}, "colours: 2"),
        ({"players": 4, "max_actions": 0}, "max_actions: 0"),
        ({"players": 4, "setup": "huge"}, "setup: 'huge'"),
        ({"players": 4, "setup": "old-school", "deck": house_deck()}, "deck: old school is"),
        ({"players": 6, "setup": "small"}, "setup: 'small' has 16 start spaces for pucks"),
    ],
)
def test_an_impossible_set_up_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        make_table(**options)  # type: ignore[arg-type]


def test_the_number_of_players_must_be_that_of_the_seats() -> None:
    with pytest.raises(InputError, match="players: 3 is not accepted; give 2"):
        next(play_game(make_table(2), [RandomPlayer()] * 3, np.random.default_rng(1)))
