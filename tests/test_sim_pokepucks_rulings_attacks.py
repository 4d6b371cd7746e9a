"""Counting attacks, throws, picking up and restacking, ruling by ruling."""

import pytest

from physics import InputError
from sim.pokepucks.battle.events import Arranged, AttackBarred, MatchupSet, Moved
from sim.pokepucks.battle.handling import gain
from sim.pokepucks.battle.live import shot_of
from sim.pokepucks.battle.questions import Asking, ThrowCall
from sim.pokepucks.battle.rules import Ledger, Point, Rule, Source
from sim.pokepucks.battle.state import Grant, Matchup, Status, Step, power, slammer
from sim.pokepucks.designs import Design, DesignKind, EnergyType, piece_of
from sim.pokepucks.special.abilities import at_once
from tests.pokepucksbattles import ASH, BROCK, battle

PARALYZED, SLEEP = Status.PARALYZED, Status.SLEEP


def attacks(fight):
    """Return how many attacks were counted."""
    fight.thrown(ASH)
    return fight.state.turn.attacks


@pytest.mark.parametrize(
    ("slammers", "counted"),
    [
        (("Leaf", "Grey"), 1),
        (("Charmander", "Leaf"), 2),
        (("Pikachu", "Lapras"), 2),
        (("Squirtle", "Pikachu"), 1),
    ],
    ids=["nothing", "weakness", "weakness of a slammer with resistance", "resistance"],
)
def test_pp_13_weakness_is_one_attack_more_and_resistance_one_fewer_but_at_least_one(
    slammers, counted
):
    assert attacks(battle(slammers=slammers)) == counted


def test_pp_13_weakness_and_resistance_to_the_same_type_are_one_attack():
    # One more, then one fewer; the other way round there would be two.
    both = Matchup(type=EnergyType.FIRE, weakness=EnergyType.FIRE, resistance=EnergyType.FIRE)
    rule = Rule(
        name="Both",
        source=Source.EFFECT,
        point=Point.MATCHING,
        effect=at_once(lambda ledger, *_: ledger.enter(MatchupSet(matchup=both))),
        optional=False,
    )
    assert attacks(battle(effects={ASH: ["Both"]}, rules=(rule,))) == 1


def test_pp_13_paralyzed_is_one_attack_fewer_but_at_least_one():
    statuses = {ASH: [PARALYZED]}
    assert attacks(battle(slammers=("Charmander", "Leaf"), statuses=statuses)) == 1
    assert attacks(battle(statuses=statuses)) == 1


def test_pp_13_sleep_sets_the_attacks_to_one_last():
    assert attacks(battle(slammers=("Charmander", "Leaf"), statuses={ASH: [SLEEP]})) == 1


def test_pp_14_in_sleep_a_flip_ends_it_and_nothing_is_picked_up():
    fight = battle(statuses={ASH: [SLEEP]})
    happened = fight.do("D D D D D D D U")
    assert AttackBarred(why="Sleep") in happened
    assert fight.state.statuses[ASH] == ()
    assert (len(fight.state.arena), fight.state.prize(ASH)) == (8, ())


def test_pp_14_without_a_flip_sleep_stays():
    fight = battle(statuses={ASH: [SLEEP]})
    fight.do("D D D L D D D O")
    assert fight.state.statuses[ASH] == (SLEEP,)


def test_pp_17_a_slammer_may_have_several_statuses_each_once():
    ledger = Ledger(battle().state)
    assert gain(ledger, ASH, SLEEP)
    assert gain(ledger, ASH, PARALYZED)
    assert not gain(ledger, ASH, SLEEP)
    assert ledger.state.statuses[ASH] == (SLEEP, PARALYZED)


def test_pp_17_statuses_stay_with_the_place_of_the_slammer():
    ledger = Ledger(battle({"Power 0": ["Bolt"]}, statuses={ASH: [SLEEP]}).state)
    (new,), old = ledger.state.power(ASH), ledger.state.slammer(ASH)
    assert old is not None
    ledger.enter(Moved(pucks=(old,), source=slammer(ASH), target=power(ASH)))
    ledger.enter(Moved(pucks=(new,), source=power(ASH), target=slammer(ASH)))
    assert ledger.state.slammer(ASH) == new
    assert ledger.state.statuses[ASH] == (SLEEP,)


def test_pp_18_flipped_pucks_that_are_not_picked_up_are_restacked_like_the_rest():
    fight = battle(statuses={ASH: [SLEEP]})
    fight.do("D1 D2 D3 U0 D5 D6 D7 D8")
    assert fight.state.arena == (3, 0, 1, 2, 4, 5, 6, 7)


def test_pp_19_pucks_are_restacked_by_distance_the_nearest_at_the_bottom():
    fight = battle()
    fight.do("D80 D10 D70 U5 D60 D20 D50.5 D50.4")
    assert fight.state.arena == (1, 5, 7, 6, 4, 2, 0)


def test_pp_19_ties_keep_the_order_of_the_stack():
    fight = battle()
    fight.do("D9 D9 D5 D9 D5 D9 D5 D9")
    assert fight.state.arena == (2, 4, 6, 0, 1, 3, 5, 7)


def test_pp_19_pucks_that_left_the_arena_go_on_top_as_the_thrower_likes():
    fight = battle()
    fight.do("O1 D2 O3 D4 O0 D6 D7 D8")
    assert fight.asked(Asking.RESTACK_OUT, ASH) == ["0", "2", "4"]
    fight.do("2, 4, 0")
    assert fight.state.arena == (1, 3, 5, 6, 7, 2, 4, 0)


def test_pp_20_nothing_moves_when_a_thrower_misses():
    fight = battle()
    before = fight.state.stacks
    happened = fight.do("miss 8")
    assert fight.state.stacks == before
    assert not any(isinstance(event, Arranged) for event in happened)


def test_pp_21_the_thrower_chooses_when_fewer_may_be_picked_up_than_flipped():
    two = {"grants": (Grant(rule="a rule", most=2),)}
    fight = battle({"Arena": ["Potion"] * 8}, step=Step.ATTACK, in_turn=two)
    fight.do("U D U D U D D D")
    assert fight.asked(Asking.PICK_UP, ASH) == ["0", "2", "4"]
    with pytest.raises(InputError, match="1 chosen; choose 2"):
        fight.do("4")
    fight.do("4, 0")
    assert fight.state.power(ASH) == (4, 0)


def test_all_flipped_pucks_are_picked_up_and_nobody_is_asked_which():
    fight = battle()
    fight.do("U D U D U D D D")
    assert fight.state.prize(ASH) == (0, 2, 4)
    assert fight.state.player == BROCK


def test_pp_27_a_throw_has_the_mass_of_its_slammers_design():
    fight = battle(slammers=("Onix", "Leaf"))
    assert isinstance(fight.ask, ThrowCall)
    assert shot_of(fight.state.table, fight.ask).slammer.mass_g == 20.0
    for mass_g in (1.9, 24.1):
        heavy = Design(name="X", kind=DesignKind.SLAMMER, mass_g=mass_g, thickness_mm=6.0)
        with pytest.raises(InputError, match="2 to 24"):
            piece_of(heavy)


def test_pp_28_a_leaning_puck_is_not_flipped_and_is_restacked():
    fight = battle()
    fight.do("L90 D D D D D D D")
    assert fight.state.prize(ASH) == ()
    assert fight.state.arena == (1, 2, 3, 4, 5, 6, 7, 0)


def test_pp_29_items_trainers_and_slammers_go_to_power_and_the_rest_to_prize():
    pucks = ["Potion", "Mr. Smith", "Bolt", "Plain Puck", "Potion", "Potion", "Potion", "Potion"]
    fight = battle({"Arena": pucks})
    fight.do("U U U U D D D D")
    assert fight.state.power(ASH) == (0, 1, 2)
    assert fight.state.prize(ASH) == (3,)


def test_pp_29_slammers_may_go_to_prize():
    fight = battle({"Arena": ["Bolt"] * 8}, options={"slammers_picked_to": "prize"})
    fight.do("U" + " D" * 7)
    assert fight.state.prize(ASH) == (0,)


def test_pp_30_a_puck_counts_by_its_own_face_wherever_it_lies():
    fight = battle()
    fight.do("D0 U0 D0 U0 D0 D0 D0 D0")
    assert fight.state.prize(ASH) == (1, 3)


def test_pp_39_pucks_outside_must_be_put_back_and_only_their_order_is_the_throwers():
    fight = battle()
    fight.do("O O D D D D D D")
    with pytest.raises(InputError, match="0 chosen; choose 2"):
        fight.do("-")
    fight.do("1, 0")
    assert len(fight.state.arena) == 8


def test_pp_40_a_miss_is_a_throw_and_an_attack_and_sleep_stays():
    fight = battle(statuses={ASH: [SLEEP]})
    fight.do("miss 8")
    turn = fight.state.turns[ASH]
    assert turn is not None
    assert (turn.throws, turn.made, turn.flipped) == (1, 1, 0)
    assert fight.state.statuses[ASH] == (SLEEP,)


def test_pp_41_attacks_at_an_empty_arena_are_made_and_miss():
    fight = battle({"Arena": 0, "Health 0": 0}, sizes={"Arena": 8}, slammers=("Charmander", "Leaf"))
    fight.do("-")
    turn = fight.state.turns[ASH]
    assert turn is not None
    assert (turn.attacks, turn.made, turn.throws) == (2, 2, 2)
    assert fight.state.player == BROCK


def test_pp_41_an_arena_of_one_puck_is_thrown_at():
    fight = battle({"Arena": 1})
    fight.do("U")
    assert fight.state.prize(ASH) == (0,)


def test_the_flips_of_every_attack_of_a_turn_add_up():
    fight = battle(slammers=("Charmander", "Leaf"))
    fight.do("U U D D D D D D", "U D D D D D")
    turn = fight.state.turns[ASH]
    assert turn is not None
    assert (turn.made, turn.flipped, turn.picked) == (2, 3, (0, 1, 2))
