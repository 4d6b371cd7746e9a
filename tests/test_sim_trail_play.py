"""Turns of the drinking trail by set dice: the rules and rulings, one by one."""

from typing import Any

import pytest

from sim.trail.board import Item
from sim.trail.duels import Starter
from sim.trail.play import MOST_TURNS, POLICIES, Kind
from tests.trailgames import Does, board, game, kinds, turns, units

ONIX = {"square": 4, "name": "Onix", "attack": 3, "hp": 4, "faint": 2, "flash": "pokeball"}


def at(place: int, *effects: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"at": place, "effect": list(effects), **more}


def pokemon(place: int, *effects: dict[str, Any], **more: Any) -> dict[str, Any]:
    return at(place, *effects, kind="pokemon", **more)


def test_g1_a_blow_that_is_enough_wins_with_a_flash() -> None:
    played = game(board(gym=[ONIX]), 4, 4)
    won = turns(played)[-2]
    assert (won.kind, won.amount) == (Kind.WON_GYM, 1)
    assert played.seats[0].items == {Item.POKEBALL: 1}


def test_g2_two_rounds_take_two_turns() -> None:
    played = game(board(gym=[ONIX]), 4, 3, 5, 2)
    turns(played)
    assert (played.seats[0].hp, units(played)) == (1, [0])
    won = turns(played)[-2]
    assert (won.kind, won.amount, played.seats[0].turns) == (Kind.WON_GYM, 1, 2)


def test_g3_a_faint_costs_its_units_and_restores_the_gym() -> None:
    played = game(board(gym=[ONIX]), 4, 3, 2, 5)
    assert kinds(turns(played))[-2:] == [Kind.FAINTED, Kind.DRANK]
    assert (played.seats[0].hp, units(played)) == (4, [2])
    assert turns(played)[-1].amount == 0  # won, but without a Flash
    assert played.seats[0].items == {}


def test_an_equal_defence_stands() -> None:
    played = game(board(gym=[ONIX]), 4, 3, 3)
    assert Kind.FAINTED not in kinds(turns(played))


def test_a_gym_stops_whoever_has_not_completed_it() -> None:
    played = game(board(gym=[ONIX]), 6, 4, 6)
    turns(played)
    assert played.seats[0].position == 4
    turns(played)
    assert played.seats[0].position == 10


def test_the_first_player_at_or_beyond_the_last_square_wins() -> None:
    played = game(board(last=5), 3, 1, 6, players=2)
    turns(played, 3)
    assert played.over
    assert [seat.rank for seat in played.seats] == [1, 0]
    assert played.seats[0].position == 5


def test_a_gym_on_the_last_square_comes_before_the_finish() -> None:
    played = game(board(last=4, gym=[ONIX]), 6, 1, 6, 4)
    turns(played)
    assert not played.over
    turns(played)
    assert played.over


def test_all_finish_goes_on_and_skips_who_is_in() -> None:
    played = game(board(last=6), 6, 1, 5, players=2, all_finish=True)
    turns(played, 3)
    assert [seat.rank for seat in played.seats] == [1, 2]


def test_landing_on_somebody_is_a_battle_by_starters() -> None:
    played = game(board(), 3, 3, 6, 2, players=2, starters=(Starter.CHARMANDER, Starter.BULBASAUR))
    turns(played)
    battle = next(event for event in turns(played) if event.kind is Kind.BATTLE)
    assert (battle.seat, battle.amount, battle.other, battle.against) == (1, 6, 0, 2)
    assert units(played) == [2, 0]


def test_a_tie_costs_both_a_unit() -> None:
    played = game(board(), 3, 3, 4, 4, players=2)
    turns(played, 2)
    assert units(played) == [1, 1]


def test_everybody_there_is_battled_in_seat_order() -> None:
    # Seat 1 battles seat 0, then seat 2 lands and battles 0 and 1, after its own seat.
    played = game(board(), 3, 3, 5, 1, 3, 6, 1, 6, 1, players=3)
    turns(played, 2)
    assert [event.other for event in turns(played) if event.kind is Kind.BATTLE] == [0, 1]


def test_nobody_battles_at_the_start() -> None:
    played = game(board(square=[at(2, {"move": -2})]), 2, players=2)
    assert Kind.BATTLE not in kinds(turns(played))


def test_nobody_is_battled_in_a_gym() -> None:
    # Seat 0 has completed the gym and is sent back to its square, where seat 1 is still fighting.
    on = board(gym=[ONIX], square=[at(6, {"move": -2})])
    played = game(on, 4, 4, 4, 1, 6, 2, players=2)
    events = turns(played, 3)
    assert [seat.position for seat in played.seats] == [4, 4]
    assert Kind.BATTLE not in kinds(events)


def test_on_a_completed_gym_there_are_battles() -> None:
    played = game(board(gym=[ONIX]), 4, 4, 4, 4, 4, 3, 1, players=2)
    turns(played)
    turns(played)
    assert [seat.done for seat in played.seats] == [{4}, {4}]
    third = game(board(gym=[ONIX], square=[at(6, {"move": -2})]), 4, 4, 4, 4, 2, 5, 1, players=2)
    assert Kind.BATTLE in kinds(turns(third, 3))


def test_own_squares_act_once_a_turn_when_they_send_to_each_other() -> None:
    there_and_back = [at(3, {"move": 2}, {"drink": 1}), at(5, {"move": -2}, {"drink": 1})]
    played = game(board(square=there_and_back), 3)
    turns(played)
    assert (played.seats[0].position, units(played)) == (3, [2])


def test_forced_moves_trigger_neither_squares_nor_battles() -> None:
    squares = [at(3, {"move": 2, "who": "others"}), at(4, {"drink": 5}), at(6, {"drink": 5})]
    played = game(board(square=squares), 2, 3, players=3)
    turns(played, 2)
    assert [seat.position for seat in played.seats] == [4, 3, 2]
    assert units(played) == [0, 0, 0]


def test_a_forced_move_stops_at_a_gym_and_the_next_turn_is_a_round() -> None:
    squares = [at(2, {"move": 6, "who": "right"})]
    played = game(board(gym=[ONIX], square=squares), 1, 2, 4, players=2)
    turns(played, 2)
    assert played.seats[0].position == 4
    assert Kind.ROLLED not in kinds(turns(played))
    assert played.seats[0].done == {4}


def test_nobody_in_a_gym_is_moved() -> None:
    squares = [at(2, {"move": 6, "who": "others"})]
    played = game(board(gym=[ONIX], square=squares), 4, 1, 6, 2, players=2)
    turns(played, 2)
    assert played.seats[0].position == 4


def test_a_forced_move_back_ends_at_the_start() -> None:
    played = game(board(square=[at(3, {"move": -9, "who": "others"})]), 2, 3, players=2)
    turns(played, 2)
    assert played.seats[0].position == 0


def test_a_start_square_acts_at_the_start_of_the_turn_only() -> None:
    played = game(board(square=[at(3, {"drink": 2}, when="start")]), 3, 1)
    turns(played)
    assert units(played) == [0]
    events = kinds(turns(played))
    assert events.index(Kind.DRANK) < events.index(Kind.ROLLED)


def test_a_skip_costs_the_next_turns() -> None:
    played = game(board(square=[at(3, {"skip": 2})]), 3, 4)
    assert kinds(turns(played, 3))[-2:] == [Kind.SKIPPED, Kind.SKIPPED]
    assert kinds(turns(played))[:2] == [Kind.TURN, Kind.ROLLED]


def test_roll_again_is_another_roll_in_the_same_turn() -> None:
    played = game(board(square=[at(3, {"roll_again": True})]), 3, 4)
    turns(played)
    assert (played.seats[0].position, played.seats[0].turns) == (7, 1)


WHO = {
    "self": [0, 1, 0, 0],
    "chosen": [0, 0, 1, 0],  # the policy takes the first after the seat
    "left": [0, 0, 1, 0],
    "right": [1, 0, 0, 0],
    "others": [1, 0, 1, 1],
    "all": [1, 1, 1, 1],
    "last": [0, 0, 1, 0],  # at the start with seat 3, and first after seat 1
    "first": [0, 1, 0, 0],
}


@pytest.mark.parametrize(("who", "drunk"), list(WHO.items()))
def test_who_an_effect_is_for(who: str, drunk: list[int]) -> None:
    played = game(board(square=[at(3, {"drink": 1, "who": who})]), 2, 3, players=4)
    turns(played, 2)
    assert units(played) == drunk


def test_an_effect_for_others_does_nothing_alone() -> None:
    for who in ("chosen", "left", "right", "others"):
        played = game(board(square=[at(3, {"drink": 1, "who": who})]), 3)
        turns(played)
        assert units(played) == [0]


@pytest.mark.parametrize(("roll", "drunk", "event"), [(4, 0, Kind.CAUGHT), (3, 2, Kind.MISSED)])
def test_a_pokeball_catches_from_4_and_is_spent(roll: int, drunk: int, event: Kind) -> None:
    on = board(square=[pokemon(3, {"drink": 2})], starting_items=["pokeball"])
    played = game(on, 3, roll, policy=Does(ball=True))
    assert event in kinds(turns(played))
    assert (units(played), played.seats[0].items) == ([drunk], {})


def test_a_safari_ball_catches_from_its_zones_roll_and_a_pokeball_does_not() -> None:
    zone = [{"from": 2, "to": 4, "catch": 2}]
    for ball, event in (("safari-ball", Kind.CAUGHT), ("pokeball", Kind.MISSED)):
        on = board(square=[pokemon(3, {"drink": 2})], starting_items=[ball], zone=zone)
        assert event in kinds(turns(game(on, 3, 2, policy=Does(ball=True))))


def test_a_master_ball_needs_no_roll() -> None:
    on = board(square=[pokemon(3, {"drink": 2})], starting_items=["master-ball"])
    played = game(on, 3, policy=Does(ball=True))
    assert Kind.CAUGHT in kinds(turns(played))


def test_balls_and_repels_work_on_pokemon_squares_only() -> None:
    on = board(square=[at(3, {"drink": 2})], starting_items=["pokeball", "repel"])
    played = game(on, 3, policy=Does(ball=True, items=True))
    turns(played)
    assert units(played) == [2]


def test_a_repel_skips_the_encounter() -> None:
    on = board(square=[pokemon(3, {"drink": 2})], starting_items=["repel"])
    played = game(on, 3, policy=Does(items=True))
    turns(played)
    assert (units(played), played.seats[0].items) == ([0], {})


def test_a_potion_cancels_one_effect_whole() -> None:
    on = board(square=[at(3, {"drink": 7}), at(5, {"drink": 1})], starting_items=["potion"])
    played = game(on, 3, 2, policy=Does(items=True))
    assert Kind.SAVED in kinds(turns(played))
    turns(played)
    assert units(played) == [1]


def test_a_caught_pokemons_move_is_used_once_before_a_roll() -> None:
    square = pokemon(3, {"drink": 2}, name="Rattata", move=[{"drink": 3, "who": "chosen"}])
    on = board(square=[square], starting_items=["master-ball"])
    played = game(on, 3, 1, 1, 1, 1, players=2, policy=Does(ball=True))
    turns(played, 2)
    events = kinds(turns(played))
    assert events.index(Kind.DRANK) < events.index(Kind.ROLLED)
    assert units(played) == [0, 3]
    assert played.seats[0].caught == ()
    turns(played, 2)
    assert units(played) == [0, 3]


def test_a_zone_acts_before_its_square() -> None:
    zone = [{"name": "mist", "from": 2, "to": 4, "effect": [{"drink": 1}]}]
    played = game(board(square=[at(3, {"drink": 4})], zone=zone), 3, 1)
    drunk = [event.amount for event in turns(played) if event.kind is Kind.DRANK]
    assert drunk == [1, 4]
    turns(played)
    assert units(played) == [6]


def test_a_reward_of_a_flash_may_be_an_effect() -> None:
    gym = {**ONIX, "flash": {"drink": 3, "who": "others"}}
    played = game(board(gym=[gym]), 4, 4, players=3)
    turns(played)
    assert units(played) == [0, 3, 3]


def test_a_state_that_is_loaded_goes_on_as_before() -> None:
    on = board(gym=[ONIX], starting_items=["potion"])
    played = game(on, 4, 3, 2)
    turns(played)
    other = game(on, 4)
    other.load(played.state())
    assert other.state() == played.state()
    assert Kind.WON_GYM in kinds(turns(other))


def test_a_game_that_nobody_can_finish_is_undecided() -> None:
    wall = [at(place, {"move": -place}) for place in range(1, 7)]
    played = game(board(last=12, square=wall), *([1] * 2 * MOST_TURNS), players=2)
    played.play()
    assert (played.over, played.undecided) == (False, True)
    assert played.events[-1].kind is Kind.UNDECIDED
    assert [seat.turns for seat in played.seats] == [MOST_TURNS] * 2


@pytest.mark.parametrize(("kind", "drunk"), [("careful", [1, 0]), ("quick", [0, 2])])
def test_the_careful_policy_keeps_its_potion_for_two_units(kind: str, drunk: list[int]) -> None:
    on = board(square=[at(3, {"drink": 1}), at(4, {"drink": 2})], starting_items=["potion"])
    played = game(on, 3, 1, policy=POLICIES[kind]())
    found = [sum(e.amount for e in turns(played) if e.kind is Kind.DRANK) for _ in range(2)]
    assert found == drunk


def test_a_ball_is_used_before_a_repel() -> None:
    on = board(square=[pokemon(3, {"drink": 2})], starting_items=["repel", "pokeball"])
    played = game(on, 3, 6, policy=POLICIES["careful"]())
    turns(played)
    assert played.seats[0].items == {Item.REPEL: 1}


def test_policies_leave_harmless_pokemon_alone() -> None:
    on = board(square=[pokemon(3, {"move": 2})], starting_items=["repel", "pokeball"])
    for kind in ("careful", "quick"):
        played = game(on, 3, policy=POLICIES[kind]())
        turns(played)
        assert played.seats[0].position == 5


def test_policies_choose_the_player_ahead() -> None:
    on = board(square=[at(2, {"drink": 1, "who": "chosen"})])
    played = game(on, 1, 5, 2, players=3, policy=POLICIES["careful"]())
    turns(played, 3)
    assert units(played) == [0, 1, 0]
