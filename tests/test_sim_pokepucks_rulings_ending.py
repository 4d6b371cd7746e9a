"""Discards, victory, draws and what everyone takes home, ruling by ruling."""

from dataclasses import replace

import pytest

from physics import InputError
from sim.pokepucks.battle.questions import Asking
from sim.pokepucks.battle.state import BOX, Status, Step, collection
from sim.pokepucks.battle.table import Mode, Table
from tests.pokepucksbattles import ASH, BROCK, MISTY, Battle, battle

LAST = {"step": Step.KNOCK_OUT, "statuses": {ASH: [Status.CRITICAL]}}
"""A battle in which the previous player may try to knock Ash out at once."""


def homes(fight, player):
    """Return whose pucks were those that a player's collection, or the box, has now."""
    table = fight.state.table
    return {table.pucks[puck].owner for puck in fight.state.stack(collection(player))}


def test_pp_22_who_picked_a_puck_up_takes_it_home():
    fight = battle({"Prize 1": 2}, players=2, **LAST)
    swapped = fight.state.table.pucks[fight.state.prize(BROCK)[0]]
    assert swapped.owner == BROCK
    fight.do("Leaf", "U")
    assert fight.state.winner == BROCK
    assert homes(fight, ASH) == {ASH}
    # Brock took the Arena, whose pucks were Ash's.
    assert homes(fight, BROCK) == {ASH, BROCK}


@pytest.mark.parametrize("options", [{"mode": Mode.TRAINING}, {"keeps": False}])
def test_pp_22_in_a_training_battle_pucks_go_back_to_where_they_came_from(options):
    fight = battle({"Prize 1": 2}, options=options, **LAST)
    fight.do("Leaf", "U")
    assert fight.state.winner == BROCK
    assert homes(fight, BROCK) == {BROCK}
    assert len(fight.state.collection(ASH)) == 10 + 1 + 8


def test_pp_22_training_pucks_of_a_shared_box_go_back_into_it():
    fight = battle({"the collection": 1, "Health 0": 3}, options={"mode": Mode.TRAINING}, **LAST)
    pucks = tuple(
        type(puck)(design=puck.design, owner=None if number in fight.state.arena else puck.owner)
        for number, puck in enumerate(fight.state.table.pucks)
    )
    arena = fight.state.arena
    table = Table(pucks=pucks, names=fight.state.table.names, options=fight.state.table.options)
    shared = Battle(replace(fight.moment().base, table=table))
    shared.do("Leaf", "U")
    assert shared.state.stack(BOX)[1:] == arena


def test_pp_23_a_battle_is_a_draw_after_the_limit_of_turns_for_each_player():
    fight = battle(turn=1, options={"max_turns": 2})
    fight.do("miss 8", "miss 8", "miss 8")
    assert fight.state.turn.number == 4
    assert fight.state.step is not Step.OVER
    fight.do("miss 8")
    assert (fight.state.step, fight.state.winner, fight.ask) == (Step.OVER, None, None)


def test_pp_23_turns_are_counted_for_who_is_out_as_well():
    stacks = {"slammer 2": 0, "Health 2": 0}
    fight = battle(stacks, players=3, turn=4, options={"max_turns": 2}, playing=(ASH, BROCK))
    fight.do("miss 8", "miss 8")
    assert fight.state.step is not Step.OVER
    fight.do("miss 8")
    assert (fight.state.step, fight.state.turn.number) == (Step.OVER, 6)


def test_pp_23_who_is_last_in_the_battle_in_the_last_turn_still_wins():
    fight = battle(turn=4, options={"max_turns": 2}, **LAST)
    fight.do("Leaf", "U")
    assert fight.state.winner == BROCK


def test_pp_52_in_a_draw_all_take_their_stacks_and_the_arena_goes_home():
    stacks = {"Arena": 8, "Power 1": ["Potion"], "Prize 1": 3}
    fight = battle(stacks, players=2, turn=2, player=BROCK, options={"max_turns": 1})
    fight.do("miss 8", "-")
    state = fight.state
    assert state.step is Step.OVER
    assert len(state.collection(ASH)) == 10 + 1 + 8  # the Arena's pucks were his
    assert len(state.collection(BROCK)) == 10 + 1 + 3 + 1
    assert state.playing == ()


def test_pp_55_in_step_5_pucks_go_from_power_to_prize_slammers_too():
    fight = battle({"Power 0": ["Potion", "Bolt", "Berry"]})
    fight.do("miss 8")
    assert fight.asked(Asking.DISCARD, ASH) == ["0", "1", "2"]
    fight.do("Bolt, 0")
    assert fight.state.power(ASH) == (2,)
    assert fight.state.prize(ASH) == (1, 0)


def test_pp_55_nothing_else_is_discarded_in_step_5():
    fight = battle({"Power 0": ["Potion"]})
    fight.do("miss 8")
    with pytest.raises(InputError, match="choose from Potion 0"):
        fight.do(str(fight.state.health(ASH)[0]))


def test_turns_go_round_in_turn_order():
    fight = battle(players=3)
    players = []
    for _ in range(4):
        players.append(fight.state.player)
        fight.do("miss 8")
    assert players == [ASH, BROCK, MISTY, ASH]
