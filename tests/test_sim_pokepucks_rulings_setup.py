"""Set-up of a battle, ruling by ruling."""

import numpy as np
import pytest

from physics import InputError
from sim.pokepucks.battle.live import LiveBattle
from sim.pokepucks.battle.players import RandomPlayer
from sim.pokepucks.battle.questions import Asking, Question
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import ARENA, BOX, Status, health
from sim.pokepucks.battle.table import Mode, Table
from tests.pokepucksbattles import Battle, table_of
from tests.refusals import refused


def set_up(table):
    """Return the state at the first turn, after random choices in set-up."""
    battle, rng = LiveBattle(new_battle(table)), np.random.default_rng(1)
    while not battle.state.turn.number:
        assert isinstance(battle.ask, Question)
        battle.answer(RandomPlayer().choose(battle.state, battle.ask, rng))
    return battle.state


def until(battle, asking):
    """Answer questions with the first options until something is asked for."""
    while not (isinstance(battle.ask, Question) and battle.ask.asking is asking):
        battle.answer(battle.ask.options[: battle.ask.least])
    return battle


def healths(state):
    return [len(state.health(player)) for player in range(state.table.players)]


def prizes(state):
    return [len(state.prize(player)) for player in range(state.table.players)]


@pytest.mark.parametrize(("players", "buy_in"), [(2, 14), (3, 13), (4, 12)])
def test_pp_1_the_buy_in_is_16_less_one_for_each_player_which_leaves_10(players, buy_in):
    state = set_up(table_of(players))
    assert healths(state) == [10] * players
    assert [len(state.collection(player)) for player in range(players)] == [20 - buy_in] * players


@pytest.mark.parametrize("buy_in", [8, 20])
def test_pp_1_a_battle_may_be_set_up_with_8_to_20(buy_in):
    state = set_up(table_of(2, options={"buy_in": buy_in}))
    assert healths(state) == [min(buy_in - 4, 10)] * 2
    refused(table_of, 2, options={"buy_in": 21}, said="buy_in: 21 is not accepted")


@pytest.mark.parametrize(("players", "arena"), [(2, 8), (3, 9), (4, 8), (5, 10), (6, 12), (7, 14)])
def test_pp_2_the_arena_is_filled_in_whole_rounds(players, arena):
    state = set_up(table_of(players))
    assert len(state.arena) == arena
    owners = [state.table.pucks[puck].owner for puck in state.arena]
    assert owners == list(range(players)) * (arena // players)


def test_pp_3_what_is_beyond_10_in_health_goes_to_prize_and_its_owner_chooses_which():
    battle = Battle(new_battle(table_of(2, others=["Potion"], options={"buy_in": (16, 14)})))
    until(battle, Asking.BUILD_PRIZE)
    assert len(battle.asked(Asking.BUILD_PRIZE, 0)) == 12
    battle.do("5, 7")
    assert battle.state.prize(0) == (5, 7)
    assert (healths(battle.state), prizes(battle.state)) == ([10, 10], [2, 0])


def test_pp_3_the_number_that_stays_in_health_may_be_another():
    assert prizes(set_up(table_of(2, options={"health_cap": 6}))) == [4, 4]


def test_pp_4_max_sizes_are_those_of_arena_and_health_after_set_up():
    state = set_up(table_of(3, options={"buy_in": (9, 13, 20)}))
    assert state.max_size(ARENA) == 9
    assert [state.max_size(health(player)) for player in range(3)] == [6, 10, 10]


@pytest.mark.parametrize(
    ("players", "health_size", "arena_size"), [(5, 9, 10), (6, 9, 12), (7, 9, 14), (8, 10, 8)]
)
def test_pp_53_five_to_eight_players(players, health_size, arena_size):
    state = set_up(table_of(players))
    assert healths(state) == [health_size] * players
    assert len(state.arena) == arena_size


def test_pp_53_there_are_2_to_8_players_and_the_buy_in_may_be_given_for_each():
    for players in (1, 9):
        with pytest.raises(InputError, match=f"players: {players} is not accepted"):
            table_of(players)
    refused(table_of, 2, options={"buy_in": (9, 9, 9)}, said="give 2 numbers")


def test_pp_24_wild_set_up_has_no_health_no_arena_and_everyone_critical():
    state = set_up(table_of(2, options={"mode": Mode.WILD}))
    assert (healths(state), state.arena, state.max_size(ARENA)) == ([0, 0], (), 0)
    assert state.statuses == ((Status.CRITICAL,),) * 2
    assert all(len(state.power(player)) <= 5 for player in range(2))


def test_pp_25_in_a_wild_battle_one_pokeball_slammer_at_most_goes_to_power():
    table = table_of(2, 5, ["Leaf", "Bolt", "Poké Ball", "Great Ball"], options={"mode": Mode.WILD})
    battle = Battle(new_battle(table))
    battle.do("Leaf")
    assert battle.asked(Asking.TEAM, 0) == ["7", "8"]
    refused(battle.do, "7, 8", said="choose 0 to 1")
    battle.do("Poké Ball")
    assert battle.state.power(0) == (7,)


def test_in_a_wild_battle_up_to_five_other_pucks_go_to_power():
    battle = Battle(new_battle(table_of(2, 7, options={"mode": Mode.WILD})))
    assert battle.asked(Asking.BUILD_POWER, 0) == ["0", "1", "2", "3", "4", "5", "6"]
    refused(battle.do, "0, 1, 2, 3, 4, 5", said="choose 0 to 5")
    battle.do("0, 1, 2, 3, 4")
    assert battle.state.power(0) == (0, 1, 2, 3, 4)


def test_step_6_a_player_takes_a_slammer_and_up_to_two_more():
    battle = Battle(new_battle(table_of(2, 14, ["Leaf", "Bolt", "Grey", "Mind"])))
    until(battle, Asking.SLAMMER)
    battle.do("Bolt")
    assert battle.asked(Asking.TEAM, 0) == ["14", "16", "17"]
    refused(battle.do, "14, 16, 17", said="choose 0 to 2")
    battle.do("Mind, Leaf")
    assert (battle.state.slammer(0), battle.state.power(0)) == (15, (17, 14))


def test_a_training_battle_takes_pucks_from_the_shared_box():
    state = set_up(table_of(2, boxed=True, options={"mode": Mode.TRAINING}))
    assert healths(state) == [10, 10]
    assert len(state.stack(BOX)) == 40 - 28


def test_shared_slammers_are_left_for_players_without_any():
    table = table_of(2, 14, ["Leaf", "Bolt"], boxed=True, options={"mode": Mode.TRAINING})
    pucks = tuple(
        type(puck)(design=puck.design, owner=None if table.is_slammer(number) else puck.owner)
        for number, puck in enumerate(table.pucks)
    )[:-1]
    shared = Table(pucks=pucks, names=table.names, options=table.options)
    battle = until(Battle(new_battle(shared)), Asking.SLAMMER)
    battle.do("Leaf")
    assert len(battle.asked(Asking.TEAM, 0)) == 1


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (table_of(2, 13), "the collection of Ash has 13 that are no slammers; give at least 14"),
        (table_of(3, 12, boxed=True), "the collection has 36 that are no slammers; give at least"),
        (table_of(2, 14, []), "slammer: the collection of Ash has none"),
    ],
    ids=["too few pucks", "too few in the box", "no slammer"],
)
def test_a_collection_that_does_not_do_is_refused(table, said):
    with pytest.raises(InputError, match=said):
        new_battle(table)
