"""Knock-out attempts and who goes out of the battle, ruling by ruling."""

import pytest

from physics import InputError
from sim.pokepucks.battle.events import AttackBegan, Thrown, WentOut
from sim.pokepucks.battle.handling import gain, lose
from sim.pokepucks.battle.questions import Asking, ThrowCall
from sim.pokepucks.battle.rules import Ledger
from sim.pokepucks.battle.state import ASIDE, Status, Step
from sim.pokepucks.battle.table import Mode
from sim.pokepucks.special import SPECIAL_RULES
from tests.pokepucksbattles import ASH, BROCK, GARY, MISTY, battle

CRITICAL = Status.CRITICAL
FALLEN = {"Arena": 5, "Health 0": 0}
"""Stacks of an Ash who cannot top off."""


def critical(*, players=2, **fields):
    """Return a battle in which the previous player may try to knock Ash out."""
    return battle(FALLEN, players=players, sizes={"Arena": 8}, **fields)


def wild(*power, players=2, **options):
    """Return a wild battle in which Ash has pucks in Power."""
    none = {"Arena": 0, **{f"Health {player}": 0 for player in range(players)}}
    return battle(
        {**none, "Power 0": power},
        players=players,
        statuses={player: [CRITICAL] for player in range(players)},
        options={"mode": Mode.WILD, **options},
    )


def test_pp_10_after_an_attempt_slammer_and_arena_are_as_they_were():
    fight = critical()
    slammer, arena = fight.state.slammer(ASH), fight.state.arena
    fight.do("Leaf")
    assert fight.state.stack(ASIDE) == arena
    assert fight.state.arena == (slammer,)
    fight.do("D40")
    assert (fight.state.arena, fight.state.slammer(ASH)) == (arena, slammer)
    assert fight.state.stack(ASIDE) == ()


def test_pp_10_the_arena_goes_back_also_when_the_slammer_flipped():
    fight = critical(players=3)
    arena = fight.state.arena
    fight.do("Leaf", "U")
    assert fight.state.player == BROCK
    assert fight.state.arena[-5:] == arena


def test_pp_11_the_previous_player_makes_one_throw_with_his_slammer():
    fight = critical(players=3)
    assert fight.asked(Asking.KNOCK_OUT, MISTY) == [str(fight.state.slammer(ASH))]
    fight.do("Leaf")
    call = fight.ask
    assert isinstance(call, ThrowCall)
    assert call.knock_out
    assert (call.player, call.slammer) == (MISTY, fight.state.slammer(MISTY))
    fight.do("D")
    assert fight.thrown(ASH)


@pytest.mark.parametrize("outcome", ["miss 1", "D", "L", "O"])
def test_pp_11_a_slammer_that_is_missed_or_leans_or_leaves_the_arena_is_not_flipped(outcome):
    fight = critical()
    fight.do("Leaf", outcome)
    assert fight.state.playing == (ASH, BROCK)
    assert fight.thrown(ASH)


def test_pp_11_flipped_its_player_is_out_with_all_his_pucks():
    stacks = {**FALLEN, "Power 0": 2, "Prize 0": 3}
    fight = battle(stacks, players=3, sizes={"Arena": 8})
    fight.do("Leaf", "U")
    state = fight.state
    assert state.playing == (BROCK, MISTY)
    assert len(state.collection(ASH)) == 1 + 2 + 3
    assert (state.slammer(ASH), state.health(ASH), state.power(ASH)) == (None, (), ())


def test_pp_11_the_previous_player_need_not_try():
    fight = critical()
    fight.do("-")
    assert fight.thrown(ASH)


def test_pp_12_previous_and_next_player_are_those_still_in_the_battle():
    stacks = {**FALLEN, "slammer 3": 0, "Health 3": 0, "slammer 1": 0, "Health 1": 0}
    fight = battle(stacks, players=4, sizes={"Arena": 8}, playing=(ASH, MISTY))
    assert fight.asked(Asking.KNOCK_OUT, MISTY)
    fight.do("-", "miss 5")
    assert fight.state.player == MISTY


def test_pp_24_a_wild_turn_is_knock_out_and_discards_without_top_off_or_attacks():
    fight = wild("Potion")
    assert fight.asked(Asking.KNOCK_OUT, BROCK)
    fight.do("Leaf", "-", "D")
    assert fight.asked(Asking.DISCARD, ASH) == ["0"]
    assert (fight.state.turn.attacks, fight.state.turn.made) == (0, 0)
    fight.do("-")
    assert (fight.state.player, fight.state.step) == (BROCK, Step.KNOCK_OUT)
    assert fight.asked(Asking.KNOCK_OUT, ASH)


def test_pp_24_in_a_wild_turn_nothing_comes_after_a_top_off():
    fight = battle(
        {"Arena": 0, "Health 0": 0, "Health 1": 0, "Prize 0": 2},
        slammers=("Lapras", "Grey"),
        statuses={ASH: [CRITICAL], BROCK: [CRITICAL]},
        options={"mode": Mode.WILD},
        rules=SPECIAL_RULES,
    )
    assert fight.asked(Asking.KNOCK_OUT, BROCK)  # Surf would come before it


def test_pp_24_critical_takes_no_status_away_in_a_wild_battle():
    asleep, options = {ASH: [Status.SLEEP]}, {"mode": Mode.WILD}
    ledger = Ledger(battle(statuses=asleep, options=options, step=Step.OVER).state)
    assert gain(ledger, ASH, CRITICAL)
    assert ledger.state.statuses[ASH] == (Status.SLEEP, CRITICAL)


def test_pp_24_every_slammer_stays_critical_and_no_status_is_barred():
    ledger = Ledger(wild().state)
    assert not lose(ledger, ASH, CRITICAL)
    assert gain(ledger, ASH, Status.SLEEP)
    assert ledger.state.statuses[ASH] == (CRITICAL, Status.SLEEP)


def test_pp_31_the_last_player_wins_at_the_end_of_the_turn_and_takes_the_arena():
    fight = critical()
    fight.do("Leaf", "U")
    state = fight.state
    assert (state.winner, state.step, fight.ask) == (BROCK, Step.OVER, None)
    assert state.arena == ()
    assert len(state.collection(BROCK)) == 5 + 10 + 1


def test_pp_32_steps_3_to_5_of_the_turn_are_skipped_and_the_arena_and_its_size_stay():
    fight = critical(players=3)
    arena = fight.state.arena
    fight.do("Leaf")
    happened = fight.do("U")
    assert fight.state.arena == arena
    assert fight.state.max_sizes[0] == 8
    assert not any(isinstance(event, AttackBegan | Thrown) for event in happened[1:])
    assert (fight.state.player, fight.state.turn.number) == (BROCK, 5)


def test_pp_32_the_losers_statuses_and_pending_effects_vanish():
    fight = critical(players=3, effects={ASH: ["Dig"]})
    fight.do("Leaf", "U")
    assert (fight.state.statuses[ASH], fight.state.effects[ASH]) == ((), ())


def test_pp_32_the_attacker_is_the_next_players_previous_player():
    fight = critical(players=4)
    fight.do("Leaf", "U")
    assert fight.state.player == BROCK
    assert fight.state.previous_player(BROCK) == GARY


def test_pp_33_no_status_of_the_thrower_matters_and_nothing_is_counted_or_picked_up():
    asleep = {BROCK: [Status.SLEEP, Status.CONFUSED]}
    fight = critical(statuses=asleep)
    fight.do("Leaf", "D")
    assert fight.state.statuses[BROCK] == (Status.SLEEP, Status.CONFUSED)
    assert fight.state.turn.throws == 0
    assert fight.state.throws == 1


def test_pp_51_the_defender_stacks_shields_in_his_order_after_the_attempt_is_declared():
    fight = wild("Plain Puck", "Potion", "Berry")
    fight.do("Leaf")
    assert fight.asked(Asking.SHIELDS, ASH) == ["0", "1", "2"]
    fight.do("2, 0")
    assert fight.thrown(BROCK) == (fight.state.slammer(ASH) or 3, 2, 0)


def test_pp_51_unflipped_shields_return_to_power_and_flipped_ones_go_to_the_attackers_prize():
    fight = wild("Plain Puck", "Potion", "Berry")
    fight.do("Leaf", "2, 0, 1", "D O U U")
    assert fight.state.power(ASH) == (2,)
    assert fight.state.prize(BROCK) == (0, 1)  # Items, too


def test_pp_51_nothing_is_picked_up_if_the_slammer_flipped():
    fight = wild("Plain Puck", "Potion", players=3)
    fight.do("Leaf", "0, 1", "U U D")
    assert fight.state.prize(MISTY) == ()
    assert sorted(fight.state.collection(ASH)) == [0, 1, 2]


def test_pp_51_shields_may_be_barred_to_plain_pucks():
    fight = wild("Plain Puck", "Potion", plain_shields=False)
    fight.do("Leaf")
    assert fight.asked(Asking.SHIELDS, ASH) == ["1"]
    with pytest.raises(InputError, match=r"plain pucks are no shields in this battle \(PP-51\)"):
        fight.do("0")


def test_pp_56_an_attempt_is_allowed_before_the_previous_player_had_a_turn():
    fight = critical(turn=1)
    assert fight.asked(Asking.KNOCK_OUT, BROCK)


def test_pp_56_it_may_be_barred():
    fight = critical(turn=1, options={"first_turn_ko": False})
    assert fight.thrown(ASH)


def test_every_player_may_go_out_until_one_is_left():
    fight = wild(players=4)
    happened = fight.do("Leaf", "U", "Grey", "U", "Bolt", "U")
    out = [(event.player, event.why) for event in happened if isinstance(event, WentOut)]
    assert out == [
        (ASH, "knocked out"),
        (BROCK, "knocked out"),
        (MISTY, "knocked out"),
        (GARY, "won"),
    ]
    assert fight.state.winner == GARY
