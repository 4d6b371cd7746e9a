"""Topping off, and the statuses that meet there, ruling by ruling."""

import pytest

from sim.pokepucks.battle.events import PayerSet
from sim.pokepucks.battle.questions import Asking
from sim.pokepucks.battle.state import ARENA, BattleState, Status, Step, health, power, prize
from sim.pokepucks.battle.turn import topped_off_size
from tests.pokepucksbattles import ASH, BROCK, MISTY, Battle, battle

CRITICAL, SLEEP, POISONED, CONFUSED = (
    Status.CRITICAL,
    Status.SLEEP,
    Status.POISONED,
    Status.CONFUSED,
)
NORMAL = {"Arena": 8}
"""The Arena's max size in most of these tests."""


def topped_off(fight: Battle) -> BattleState:
    """Return the state after the top-off, made with the first pucks."""
    if fight.state.step in {Step.BEFORE_TOP_OFF, Step.TOP_OFF}:
        options = fight.asked(Asking.TOP_OFF, payer_asked(fight))
        least = fight.ask.least  # type: ignore[union-attr]
        fight.do(", ".join(options[:least]))
    return fight.state


def payer_asked(fight: Battle) -> int:
    assert fight.ask is not None
    return fight.ask.player


def test_pp_5_who_cannot_top_off_becomes_critical_at_once() -> None:
    fight = battle({"Arena": 5, "Health 0": 2}, sizes=NORMAL)
    state = topped_off(fight)
    assert (len(state.arena), state.health(ASH)) == (7, ())
    assert state.statuses[ASH] == (CRITICAL,)
    fight.asked(Asking.KNOCK_OUT, BROCK)


def test_pp_5_the_last_puck_of_health_alone_is_no_failure() -> None:
    state = topped_off(battle({"Arena": 6, "Health 0": 2}, sizes=NORMAL))
    assert (len(state.arena), state.health(ASH), state.statuses[ASH]) == (8, (), ())


def test_pp_6_a_top_off_in_which_a_puck_was_moved_ends_critical() -> None:
    state = topped_off(battle({"Arena": 7}, sizes=NORMAL, statuses={ASH: [CRITICAL]}))
    assert state.statuses[ASH] == ()


def test_pp_6_an_arena_at_its_normal_size_ends_critical() -> None:
    state = topped_off(battle({"Arena": 8, "Health 0": 0}, statuses={ASH: [CRITICAL]}))
    assert state.statuses[ASH] == ()


def test_pp_6_a_halved_arena_that_needs_nothing_does_not_end_critical() -> None:
    both = {ASH: [CRITICAL], BROCK: [CRITICAL]}
    state = topped_off(battle({"Arena": 4}, sizes=NORMAL, statuses=both))
    assert state.statuses[ASH] == (CRITICAL,)


def test_pp_6_a_top_off_that_fails_does_not_end_critical() -> None:
    fight = battle({"Arena": 3, "Health 0": 1}, sizes=NORMAL, statuses={ASH: [CRITICAL]})
    assert topped_off(fight).statuses[ASH] == (CRITICAL,)


@pytest.mark.parametrize(("ends", "left"), [("topped-off", ()), ("never", (CRITICAL,))])
def test_pp_6_what_ends_critical_is_an_option(ends: str, left: tuple[Status, ...]) -> None:
    both = {ASH: [CRITICAL], BROCK: [CRITICAL]}
    fight = battle({"Arena": 4}, sizes=NORMAL, statuses=both, options={"critical_ends": ends})
    assert topped_off(fight).statuses[ASH] == left


def test_pp_7_becoming_critical_takes_the_other_statuses_away() -> None:
    before = {ASH: [SLEEP, POISONED]}
    fight = battle({"Arena": 7, "Health 0": 0}, sizes=NORMAL, statuses=before)
    assert topped_off(fight).statuses[ASH] == (CRITICAL,)


def test_pp_7_other_statuses_may_stay_by_an_option() -> None:
    before, options = {ASH: [SLEEP, POISONED]}, {"critical_clears": False}
    fight = battle({"Arena": 7, "Health 0": 0}, sizes=NORMAL, statuses=before, options=options)
    assert topped_off(fight).statuses[ASH] == (SLEEP, POISONED, CRITICAL)


@pytest.mark.parametrize(("size", "half"), [(8, 4), (9, 4), (2, 1), (1, 1)])
def test_pp_8_after_a_critical_player_the_arena_is_filled_to_half_rounded_down(
    size: int, half: int
) -> None:
    fight = battle({"Arena": 0}, sizes={"Arena": size}, statuses={BROCK: [CRITICAL]})
    assert topped_off_size(fight.state) == half
    assert len(topped_off(fight).arena) == half


def test_pp_8_an_arena_that_holds_more_than_half_keeps_what_it_holds() -> None:
    fight = battle({"Arena": 6}, sizes=NORMAL, statuses={BROCK: [CRITICAL]})
    assert fight.thrown(ASH) == fight.state.arena
    assert len(fight.state.arena) == 6


def test_pp_9_a_top_off_that_needs_nothing_succeeds() -> None:
    fight = battle({"Arena": 8, "Health 0": 0})
    assert fight.thrown(ASH) == tuple(range(8))
    assert fight.state.statuses[ASH] == ()


def test_pp_15_who_was_confused_and_picked_up_nothing_pays_the_next_top_off() -> None:
    # Brock's Critical halves the Arena in the turn of Ash, so that Brock's top-off needs two.
    statuses = {ASH: [CONFUSED], BROCK: [CRITICAL]}
    fight = battle({"Arena": 6}, sizes=NORMAL, statuses=statuses)
    fight.do("miss 6")
    assert (fight.state.player, fight.state.step) == (BROCK, Step.TOP_OFF)
    assert len(fight.asked(Asking.TOP_OFF, ASH)) == 10
    fight.do("6, 7")
    assert (len(fight.state.health(ASH)), len(fight.state.health(BROCK))) == (8, 10)
    assert fight.state.arena[:2] == (7, 6)


def test_pp_15_a_confused_payer_who_fails_becomes_critical_not_the_current_player() -> None:
    fight = battle({"Arena": 6, "Health 0": 1}, players=3, sizes=NORMAL, payer=ASH, player=BROCK)
    state = topped_off(fight)
    assert (state.health(ASH), len(state.health(BROCK))) == ((), 10)
    assert state.statuses == ((CRITICAL,), (), ())
    assert fight.thrown(BROCK)


def test_pp_15_who_picks_something_up_or_is_not_confused_does_not_pay() -> None:
    for statuses, lies in ({ASH: [CONFUSED]}, "U"), ({}, "D"):
        fight = battle({"Arena": 7, "Health 0": 5}, sizes=NORMAL, statuses=statuses)
        fight.do("8", lies + " D" * 7)
        assert fight.state.player == BROCK
        assert fight.state.payer is None


def test_pp_15_who_flips_and_may_pick_nothing_up_pays() -> None:
    statuses = {ASH: [CONFUSED, SLEEP]}
    fight = battle({"Arena": 7, "Health 0": 5}, sizes=NORMAL, statuses=statuses)
    assert PayerSet(player=ASH) in fight.do("8", "U D D D D D D D")


def test_pp_15_confused_stays_until_something_removes_it_and_a_miss_counts() -> None:
    fight = battle({"Arena": 7, "Health 0": 5}, sizes=NORMAL, statuses={ASH: [CONFUSED]})
    fight.do("8", "miss 8")
    assert (fight.state.player, fight.state.statuses[ASH]) == (BROCK, (CONFUSED,))


def test_pp_16_a_poisoned_player_tops_off_to_one_more() -> None:
    fight = battle({"Arena": 8}, statuses={ASH: [POISONED]})
    assert len(topped_off(fight).arena) == 9
    assert fight.state.statuses[ASH] == (POISONED,)


@pytest.mark.parametrize(("size", "filled"), [(8, 5), (9, 5), (1, 2)])
def test_pp_35_half_for_critical_comes_before_one_more_for_poisoned(size: int, filled: int) -> None:
    statuses = {ASH: [POISONED], BROCK: [CRITICAL]}
    fight = battle({"Arena": 0}, sizes={"Arena": size}, statuses=statuses)
    assert len(topped_off(fight).arena) == filled


def test_pp_35_only_the_payers_own_poison_counts() -> None:
    fight = battle({"Arena": 8}, statuses={ASH: [POISONED]}, payer=BROCK, players=3)
    assert len(fight.state.arena) == 8
    fight = battle({"Arena": 8}, statuses={MISTY: [POISONED]}, payer=MISTY, players=3)
    assert payer_asked(fight) == MISTY
    assert len(topped_off(fight).arena) == 9


def test_pp_36_the_real_current_player_takes_the_turn_whoever_pays() -> None:
    statuses = {ASH: [CRITICAL], BROCK: [CONFUSED]}
    fight = battle({"Arena": 6}, sizes=NORMAL, statuses=statuses, payer=BROCK)
    state = topped_off(fight)
    assert len(state.health(BROCK)) == 8
    assert state.statuses[ASH] == (CRITICAL,)  # Ash topped nothing off
    assert fight.asked(Asking.KNOCK_OUT, BROCK) == [str(state.slammer(ASH))]


def test_pp_36_a_payer_turned_critical_is_confused_no_more() -> None:
    fight = battle(
        {"Arena": 6, "Health 1": 1}, sizes=NORMAL, statuses={BROCK: [CONFUSED]}, payer=BROCK
    )
    assert topped_off(fight).statuses[BROCK] == (CRITICAL,)
    assert fight.state.payer is None


def test_pp_36_who_is_out_pays_nothing() -> None:
    fight = battle(
        {"Arena": 7, "Health 2": 0, "slammer 2": 0},
        players=3,
        sizes=NORMAL,
        payer=MISTY,
        playing=(ASH, BROCK),
    )
    assert len(fight.asked(Asking.TOP_OFF, ASH)) == 10


def test_pp_37_the_owner_picks_what_goes_under_one_below_the_last() -> None:
    fight = battle({"Arena": 6, "Health 0": 4}, sizes=NORMAL)
    assert fight.asked(Asking.TOP_OFF, ASH) == ["6", "7", "8", "9"]
    fight.do("9, 7")
    assert fight.state.arena == (7, 9, 0, 1, 2, 3, 4, 5)
    assert fight.state.health(ASH) == (6, 8)


def test_pp_37_of_a_face_down_health_the_top_puck_goes() -> None:
    fight = battle({"Arena": 6, "Health 0": 4}, sizes=NORMAL, options={"health_face": "down"})
    assert fight.state.arena == (8, 9, 0, 1, 2, 3, 4, 5)
    assert not fight.state.is_face_up(health(ASH))


def test_pp_38_arena_pucks_are_face_down_and_what_a_player_owns_is_face_up() -> None:
    state = battle().state
    assert not state.is_face_up(ARENA)
    assert all(state.is_face_up(place(ASH)) for place in (health, power, prize))
