"""What the abilities of slammers do, and the kinds of slammers, one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from physics import InputError
from sim.pokepucks.battle.events import StatusGained
from sim.pokepucks.battle.questions import Asking
from sim.pokepucks.battle.state import ARENA, Status, Step
from sim.pokepucks.battle.table import Mode
from sim.pokepucks.special import SPECIAL_RULES
from sim.pokepucks.special.abilities import CURL_PENDING, DIG_PENDING, RECOIL_PENDING, SPIN_PENDING
from tests.pokepucksbattles import ASH, BROCK, MISTY, Battle, battle

CRITICAL, PARALYZED, POISONED, SLEEP = (
    Status.CRITICAL,
    Status.PARALYZED,
    Status.POISONED,
    Status.SLEEP,
)
NONE = "D D D D D D D D"
TOP = "D D D D D D D U"
TWO = "D D D D D D U U"


def fight(
    slammers: Sequence[str],
    stacks: Mapping[str, int | Sequence[str]] | None = None,
    **others: Any,
) -> Battle:
    """Return a battle in which all special rules work."""
    return battle(stacks, slammers=slammers, players=len(slammers), rules=SPECIAL_RULES, **others)


def attacks(began: Battle, *texts: str) -> int:
    """Return how many attacks Ash counted, after some answers."""
    began.do(*texts)
    began.thrown(ASH)
    return began.state.turn.attacks


def test_leech_seed_attacks_after_the_previous_player_and_heals_instead_of_picking_up() -> None:
    ash = fight(("Grey", "Bulbasaur"), {"Prize 1": ["Berry"]}, sizes={"Health 1": 12})
    ash.do(TOP)
    assert ash.asked(Asking.USE, BROCK) == [f"Leech Seed {ash.state.slammer(BROCK)}"]
    ash.do("Leech Seed")
    arena = ash.thrown(BROCK)
    assert len(arena) == 7
    ash.do("D D D D D U U")
    assert ash.state.prize(BROCK) == ()
    assert 0 in ash.state.health(BROCK)
    assert sorted(ash.state.arena) == sorted(arena)


def test_leech_seed_heals_nothing_without_a_flip() -> None:
    ash = fight(("Grey", "Bulbasaur"), {"Prize 1": ["Berry"]}, sizes={"Health 1": 12})
    ash.do(NONE, "Leech Seed", NONE)
    assert ash.state.prize(BROCK) == (0,)


def test_pp_47_leech_seed_waits_for_the_very_last_attack_and_not_while_health_is_full() -> None:
    ash = fight(("Scyther", "Bulbasaur"), {"Prize 1": ["Berry"]}, sizes={"Health 1": 12})
    ash.do(NONE)
    assert ash.asked(Asking.USE, ASH)[0].startswith("Cut")
    ash.do("Cut", NONE)
    assert ash.asked(Asking.USE, BROCK)[0].startswith("Leech Seed")
    full = fight(("Grey", "Bulbasaur"), {"Prize 1": ["Berry"]})
    full.do(NONE)
    assert full.state.player == BROCK


def test_pp_47_sleep_is_untouched_by_leech_seeds_attack() -> None:
    ash = fight(
        ("Grey", "Bulbasaur"),
        {"Prize 1": ["Berry"]},
        sizes={"Health 1": 12},
        statuses={BROCK: [SLEEP]},
    )
    ash.do(NONE, "Leech Seed", TOP)
    assert ash.state.statuses[BROCK] == (SLEEP,)
    assert ash.state.prize(BROCK) == ()


def test_pp_47_no_trainer_reacts_to_leech_seeds_attack() -> None:
    stacks = {"Prize 1": ["Berry"], "Power 0": ["Mr. Saia"]}
    ash = fight(("Grey", "Bulbasaur"), stacks, sizes={"Health 1": 12})
    ash.do(NONE, "Leech Seed", TWO)
    ash.asked(Asking.DISCARD, ASH)


def test_rage_attacks_once_more_if_the_previous_player_picked_up_and_picks_up_one() -> None:
    brock = fight(("Charmander", "Grey"), player=BROCK)
    brock.do(TOP)
    ash = brock
    ash.do("8", NONE, "Rage", TWO)
    assert ash.asked(Asking.PICK_UP, ASH) == ["5", "6"]
    ash.do("6")
    assert ash.state.prize(ASH) == (6,)
    assert ash.state.player == BROCK


def test_rage_needs_a_pick_up_of_the_previous_player() -> None:
    ash = fight(("Charmander", "Grey"))
    ash.do(NONE)
    assert ash.state.player == BROCK


def test_defense_curl_takes_one_off_the_previous_players_next_pick_up() -> None:
    ash = fight(("Squirtle", "Grey"))
    ash.do(NONE)
    assert ash.state.effects[BROCK] == (CURL_PENDING,)
    ash.do(NONE, NONE)
    assert ash.state.effects[BROCK] == (CURL_PENDING,)  # ruling PP-48: it waits
    ash.do(TWO)
    assert len(ash.asked(Asking.PICK_UP, BROCK)) == 2
    assert ash.state.effects[BROCK] == ()
    ash.do("6")
    assert len(ash.state.prize(BROCK)) == 1


def test_defense_curl_does_nothing_in_a_turn_with_a_pick_up() -> None:
    ash = fight(("Squirtle", "Grey"))
    ash.do(TOP)
    assert ash.state.effects[BROCK] == ()


def test_pp_48_defense_curl_may_take_the_only_puck() -> None:
    ash = fight(("Grey", "Leaf"), effects={ASH: [CURL_PENDING]})
    ash.do(TOP)
    assert ash.state.prize(ASH) == ()
    assert ash.state.effects[ASH] == ()


def test_of_three_players_the_previous_one_is_curled_at_and_the_next_one_spun_and_sung_at() -> None:
    curled = fight(("Squirtle", "Grey", "Mind"))
    curled.do(NONE)
    assert curled.state.effects == ((), (), (CURL_PENDING,))
    spun = fight(("Flareon", "Bolt", "Mind"))
    spun.do(TOP)
    assert spun.state.effects == ((), (SPIN_PENDING,), ())
    sung = fight(("Jigglypuff", "Mind", "Grey"))
    sung.do("Sing", TOP)
    assert sung.state.statuses == ((), (SLEEP,), ())


def test_pp_48_defense_curl_waits_while_nothing_may_be_picked_up() -> None:
    ash = fight(("Grey", "Leaf"), effects={ASH: [CURL_PENDING]}, statuses={ASH: [SLEEP]})
    ash.do(TOP)
    assert ash.state.effects[ASH] == (CURL_PENDING,)


def test_wing_attack_counts_as_what_a_grass_slammer_is_weak_to() -> None:
    assert attacks(fight(("Pidgeot", "Leaf"))) == 2
    assert attacks(fight(("Pidgeot", "Bolt"))) == 1


@pytest.mark.parametrize(
    ("slammer", "ability", "status"),
    [
        ("Pikachu", "Thunder Wave", PARALYZED),
        ("Jigglypuff", "Sing", SLEEP),
        ("Gastly", "Poison Cloud", POISONED),
    ],
)
def test_a_declared_flip_gives_the_next_slammer_a_status_instead_of_pucks(
    slammer: str, ability: str, status: Status
) -> None:
    ash = fight((slammer, "Mind"))
    ash.do(ability, TOP)
    assert ash.state.prize(ASH) == ()
    assert ash.state.statuses[BROCK] == (status,)
    missed = fight((slammer, "Mind"))
    missed.do(ability, NONE)
    assert missed.state.statuses[BROCK] == ()
    undeclared = fight((slammer, "Mind"))
    undeclared.do("-", TOP)
    assert undeclared.state.prize(ASH) == (7,)
    assert undeclared.state.statuses[BROCK] == ()


def test_pp_7_a_critical_slammer_gains_no_declared_status_and_still_nothing_is_picked_up() -> None:
    ash = fight(
        ("Jigglypuff", "Mind"),
        statuses={BROCK: [CRITICAL]},
        step=Step.ATTACK,
        in_turn={"attacks": 1},
    )
    happened = ash.do("Sing", TOP)
    assert not any(isinstance(event, StatusGained) for event in happened)
    assert ash.state.prize(ASH) == ()


def test_each_attack_is_declared_by_itself() -> None:
    ash = fight(("Pikachu", "Bolt"), step=Step.ATTACK, in_turn={"attacks": 2})
    ash.do("Thunder Wave", TOP)
    assert ash.asked(Asking.USE, ASH)[0].startswith("Thunder Wave")
    ash.do("-", TOP)
    assert len(ash.state.prize(ASH)) == 1
    assert ash.state.statuses[BROCK] == (PARALYZED,)


def test_pay_day_puts_an_item_on_the_arena_and_picks_up_items_only() -> None:
    arena = ["Mr. Smith"] * 7 + ["Potion"]
    ash = fight(("Meowth", "Leaf"), {"Arena": arena, "Prize 0": ["Berry"]})
    ash.do(TOP, "Pay Day")
    assert ash.state.arena == (0, 1, 2, 3, 4, 5, 6, 8)
    ash.do(TWO)
    assert ash.state.power(ASH) == (7, 8)


def test_pay_day_needs_an_item_that_was_picked_up_and_a_plain_puck_is_one() -> None:
    trainers = fight(("Meowth", "Leaf"), {"Arena": ["Mr. Smith"] * 8, "Prize 0": ["Berry"]})
    trainers.do(TOP)
    assert trainers.asked(Asking.DISCARD, ASH)
    plain = fight(("Meowth", "Leaf"), {"Arena": 8, "Prize 0": 1})
    plain.do(TOP)
    assert plain.asked(Asking.USE, ASH)[0].startswith("Pay Day")


def test_pay_day_picks_up_an_item_that_mr_saia_brought_into_the_throw() -> None:
    stacks = {"Arena": ["Berry"] * 8, "Prize 0": 1, "Power 1": ["Mr. Saia"], "Health 1": ["Potion"]}
    ash = fight(("Meowth", "Leaf"), stacks)
    ash.do(TOP, "-", "Pay Day", TOP, "Mr. Saia")  # he gives the Potion for the plain puck
    potion = ash.state.table.pucks.index(
        next(puck for puck in ash.state.table.pucks if puck.name == "Potion")
    )
    assert potion in ash.state.power(ASH)


def test_pp_42_pay_day_may_overfill_the_arena() -> None:
    ash = fight(("Meowth", "Leaf"), {"Arena": 8, "Prize 0": 3}, sizes={"Arena": 7})
    ash.do(TOP, "Pay Day", "8")
    assert len(ash.thrown(ASH)) == 8
    assert ash.state.max_size(ARENA) == 7


def test_cross_chop_attacks_once_more_after_a_pick_up() -> None:
    ash = fight(("Machop", "Leaf"))
    ash.do(TOP, "Cross Chop")
    assert len(ash.thrown(ASH)) == 7
    ash.do("D D D D D U U", "6")
    assert len(ash.state.prize(ASH)) == 2
    none = fight(("Machop", "Leaf"))
    none.do(NONE)
    assert none.state.player == BROCK


def test_cut_attacks_once_more_and_once_only() -> None:
    ash = fight(("Scyther", "Bolt"))
    ash.do(NONE, "Cut", TWO, "7")
    assert ash.state.prize(ASH) == (7,)
    assert ash.state.player == BROCK


def test_pp_45_an_attack_more_does_not_grant_itself_again() -> None:
    ash = fight(("Scyther", "Bolt"))
    ash.do(NONE, "Cut", NONE)
    assert ash.state.player == BROCK


def test_pp_45_the_owner_decides_which_attack_more_comes_first() -> None:
    ash = fight(("Scyther", "Bolt"), {"Power 0": ["Mr. Merkert"]})
    ash.do(NONE)
    assert ash.asked(Asking.USE, ASH) == ["Mr. Merkert 0", f"Cut {ash.state.slammer(ASH)}"]
    with pytest.raises(InputError, match="0 chosen; choose 1"):
        ash.do("-")  # Mr. Merkert must act, sooner or later
    first = ash.moment()
    ash.do("Cut", TOP)
    ash.asked(Asking.DISCARD, ASH)  # something was picked up: nothing for Mr. Merkert
    other = Battle(first.base, first.answers)
    other.do("Mr. Merkert", TOP)
    assert other.asked(Asking.USE, ASH)[0].startswith("Cut")


def test_pp_45_attacks_more_are_allowed_in_sleep() -> None:
    ash = fight(("Scyther", "Bolt"), statuses={ASH: [SLEEP]})
    ash.do(NONE, "Cut", TOP)
    assert ash.state.statuses[ASH] == ()
    assert ash.state.prize(ASH) == ()


def test_pp_14_after_the_flip_that_ends_sleep_nothing_is_picked_up_in_that_turn_either() -> None:
    ash = fight(("Scyther", "Bolt"), statuses={ASH: [SLEEP]})
    ash.do(TOP)
    assert ash.state.statuses[ASH] == ()
    ash.do("Cut", TOP)
    assert ash.state.prize(ASH) == ()
    assert ash.state.player == BROCK


def test_dig_makes_it_one_attack_now_and_one_more_the_next_time() -> None:
    ash = fight(("Onix", "Grey"))
    assert attacks(ash, "Dig") == 1
    assert ash.state.effects[ASH] == (DIG_PENDING,)
    ash.do(NONE, NONE)
    assert attacks(ash, "-") == 3
    assert ash.state.effects[ASH] == ()


def test_pp_13_digs_one_comes_before_what_acts_after_counting() -> None:
    ash = fight(("Onix", "Leaf"), {"Power 0": ["Fighting Focus Energy"]})
    assert attacks(ash, "Dig", "Focus Energy for two") == 3


def test_surf_puts_two_pucks_of_prize_on_the_arena_after_topping_off() -> None:
    ash = fight(("Lapras", "Leaf"), {"Arena": 8, "Prize 0": ["Potion", "Berry", "Berry"]})
    ash.do("Surf", "10, 8")
    assert ash.state.arena[-2:] == (10, 8)
    assert len(ash.thrown(ASH)) == 10  # ruling PP-42: it may be overfilled


def test_pp_46_surf_works_from_power_once_per_slammer_and_after_a_failed_top_off() -> None:
    stacks = {"Arena": 2, "Health 0": 0, "Power 0": ["Lapras"], "Prize 0": 3}
    ash = fight(("Lapras", "Leaf"), stacks, sizes={"Arena": 8, "Health 0": 5})
    assert ash.state.statuses[ASH] == (CRITICAL,)
    assert len(ash.asked(Asking.USE, ASH)) == 2
    ash.do("Surf 2", "3")
    assert len(ash.asked(Asking.USE, ASH)) == 1
    ash.do("Surf", "4, 5")
    assert len(ash.state.arena) == 5
    assert ash.state.statuses[ASH] == (CRITICAL,)


def test_genetically_unstable_takes_the_type_of_the_only_energy() -> None:
    one = {"Power 0": ["Fire Energy", "Water Focus Energy"]}
    assert attacks(fight(("Eevee", "Leaf"), one)) == 3  # weakness, and the Energy itself
    two = {"Power 0": ["Fire Energy", "Water Energy"]}
    assert attacks(fight(("Eevee", "Leaf"), two)) == 1
    assert attacks(fight(("Eevee", "Leaf"))) == 1


def test_ice_beam_makes_water_weak_to_water_and_fire_resist_it() -> None:
    assert attacks(fight(("Vaporeon", "Squirtle"))) == 2
    assert attacks(fight(("Vaporeon", "Leaf"))) == 1
    with_energy = {"Power 0": ["Water Energy"]}
    # Charmander Alpha is weak to water and resists nothing; Ice Beam takes one of three.
    assert attacks(fight(("Vaporeon", "Charmander Alpha"), with_energy)) == 2


def test_swift_attacks_again_after_an_attack_without_a_pick_up() -> None:
    ash = fight(("Jolteon", "Leaf"), step=Step.ATTACK, in_turn={"attacks": 2})
    ash.do(NONE, "Swift", NONE)
    ash.do("miss 8", "Swift", TWO, "7")  # the second of two; a miss counts (ruling PP-40)
    assert ash.state.prize(ASH) == (7,)
    assert ash.state.player == BROCK


def test_swift_gives_nothing_after_a_pick_up() -> None:
    ash = fight(("Jolteon", "Leaf"))
    ash.do(TOP)
    assert ash.state.player == BROCK


def test_fire_spin_holds_the_next_players_slammer_until_the_owners_next_turn() -> None:
    ash = fight(("Flareon", "Bolt"), {"Power 1": ["Switch", "Mind"]})
    ash.do(TOP, "21")
    assert ash.state.effects[BROCK] == (SPIN_PENDING,)
    ash.thrown(BROCK)  # nobody was asked about Switch
    ash.do(NONE, "-")
    assert ash.state.effects[BROCK] == ()
    ash.do(NONE)
    assert ash.asked(Asking.USE, BROCK) == ["Switch 0"]


def test_fire_spin_needs_a_flip() -> None:
    ash = fight(("Flareon", "Bolt"), {"Power 1": ["Switch", "Mind"]})
    ash.do(NONE)
    assert ash.asked(Asking.USE, BROCK) == ["Switch 0"]


def test_hyper_beam_adds_two_attacks_and_the_next_count_is_one() -> None:
    ash = fight(("Aerodactyl", "Grey"))
    assert attacks(ash, "Hyper Beam") == 4
    assert ash.state.effects[ASH] == (RECOIL_PENDING,)
    ash.do(NONE, NONE, NONE, NONE, NONE)
    assert attacks(ash, "-") == 1
    assert ash.state.effects[ASH] == ()


def test_pp_59_hyper_beam_in_its_recoil_adds_nothing_and_recoils_again() -> None:
    ash = fight(("Aerodactyl", "Grey"), effects={ASH: [RECOIL_PENDING]})
    assert attacks(ash, "Hyper Beam") == 1
    assert ash.state.effects[ASH] == (RECOIL_PENDING,)
    ash.do(NONE, NONE)
    assert attacks(ash, "-") == 1
    assert ash.state.effects[ASH] == ()


def test_pp_13_recoil_comes_last() -> None:
    ash = fight(
        ("Aerodactyl", "Grey"),
        {"Power 0": ["Fighting Focus Energy"]},
        effects={ASH: [RECOIL_PENDING]},
    )
    assert attacks(ash, "Focus Energy for two", "-") == 1


def test_pp_48_pending_effects_belong_to_the_player_when_slammers_switch() -> None:
    stacks = {"Power 0": ["Switch", "Bolt"]}
    ash = fight(("Onix", "Grey"), stacks, effects={ASH: [DIG_PENDING]})
    assert attacks(ash, "Switch") == 2


def test_rest_falls_asleep_and_refills_health() -> None:
    stacks = {"Health 0": 6, "Prize 0": 5}
    ash = fight(("Snorlax", "Leaf"), stacks, sizes={"Health 0": 10})
    ash.do("Rest")
    assert len(ash.asked(Asking.RULE, ASH)) == 5
    ash.do("6, 7, 8, 9")
    assert ash.state.statuses[ASH] == (SLEEP,)
    assert len(ash.state.health(ASH)) == 10
    assert ash.state.turn.attacks == 1


def test_pp_49_rest_is_impossible_while_critical_or_asleep() -> None:
    for status in (CRITICAL, SLEEP):
        stacks = {"Health 0": 6, "Prize 0": 5}
        ash = fight(("Snorlax", "Leaf"), stacks, sizes={"Health 0": 10}, statuses={ASH: [status]})
        assert not any(use.rule == "Rest" for use in ash.state.turn.used)
        assert ash.ask is None or "Rest" not in str(ash.ask)


def test_pp_49_poke_flute_acts_before_rest() -> None:
    ash = fight(("Snorlax", "Leaf"), {"Power 0": ["Poké Flute"]}, statuses={ASH: [SLEEP]})
    assert ash.asked(Asking.USE, ASH) == ["Poké Flute 0"]
    ash.do("Poké Flute")
    assert ash.asked(Asking.USE, ASH)[0].startswith("Rest")
    ash.do("Rest")
    ash.thrown(ASH)  # the flute cannot be played after it
    assert ash.state.statuses[ASH] == (SLEEP,)


def test_pp_49_a_poke_flute_that_was_not_played_before_rest_is_not_played_after_it() -> None:
    ash = fight(("Snorlax", "Leaf"), {"Power 0": ["Poké Flute"]})
    ash.do("Rest")
    ash.thrown(ASH)
    assert ash.state.statuses[ASH] == (SLEEP,)


def test_pp_49_rest_is_impossible_in_a_wild_battle_where_everyone_is_critical() -> None:
    ash = fight(
        ("Snorlax", "Leaf"),
        {"Arena": 0, "Health 0": 0, "Health 1": 0, "Prize 0": 2},
        statuses={ASH: [CRITICAL], BROCK: [CRITICAL]},
        options={"mode": Mode.WILD},
    )
    ash.asked(Asking.KNOCK_OUT, BROCK)  # Rest would come before it


def test_missing_no_attacks_once_whatever_was_counted() -> None:
    ash = fight(("MissingNo.", "Grey"), effects={ASH: [DIG_PENDING]})
    assert attacks(ash) == 1


def test_pp_34_a_ball_has_no_types_and_is_a_missing_no_too() -> None:
    ash = fight(("Heavy Ball", "Grey"), effects={ASH: [DIG_PENDING]})
    assert attacks(ash) == 1
    assert ash.state.turn.matchup.type is None


def test_pp_34_a_ball_catches_on_an_ordinary_knock_out() -> None:
    brock = fight(("Grey", "Poké Ball"), statuses={ASH: [CRITICAL]}, step=Step.KNOCK_OUT)
    target = brock.state.slammer(ASH)
    brock.do(str(target), "U")
    assert brock.asked(Asking.USE, BROCK)[0].startswith("Pokéball")
    brock.do("Pokéball")
    assert target in brock.state.collection(BROCK)
    assert target not in brock.state.collection(ASH)
    assert brock.state.winner == BROCK


def test_pp_34_balls_may_be_made_to_catch_in_wild_battles_only() -> None:
    brock = fight(
        ("Grey", "Poké Ball"),
        statuses={ASH: [CRITICAL]},
        step=Step.KNOCK_OUT,
        options={"balls_catch": "wild"},
    )
    target = brock.state.slammer(ASH)
    brock.do(str(target), "U")
    assert brock.state.winner == BROCK
    assert target in brock.state.collection(ASH)


def test_pp_25_a_slammer_caught_in_a_wild_battle_goes_straight_to_the_collection() -> None:
    stacks = {"Arena": 0, "Health 0": 0, "Health 1": 0, "Health 2": 0, "Power 0": ["Potion"]}
    misty = fight(
        ("Grey", "Leaf", "Ultra Ball"),
        stacks,
        statuses={player: [CRITICAL] for player in (ASH, BROCK, MISTY)},
        step=Step.KNOCK_OUT,
        options={"mode": Mode.WILD},
    )
    target = misty.state.slammer(ASH)
    misty.do(str(target), "-", "U", "Pokéball")
    assert misty.state.collection(MISTY) == (target,)
    assert misty.state.collection(ASH) == (0,)
    assert misty.state.playing == (BROCK, MISTY)


def test_a_ball_catches_a_slammer_that_it_flips_in_the_arena() -> None:
    ash = fight(("Great Ball", "Leaf"), {"Arena": ["Potion"] * 6 + ["Bolt", "Mind"]})
    ash.do(TWO, "Pokéball")
    assert ash.asked(Asking.RULE, ASH) == ["6", "7"]
    ash.do("6")
    assert ash.state.collection(ASH) == (6,)
    assert ash.state.power(ASH) == (7,)


def test_pp_22_in_a_training_battle_a_caught_slammer_is_not_kept() -> None:
    brock = fight(
        ("Leaf", "Great Ball"),
        {"Arena": ["Potion"] * 7 + ["Bolt"]},
        player=BROCK,
        options={"mode": Mode.TRAINING},
    )
    assert brock.state.table.pucks[7].owner == ASH
    brock.do(TOP, "Pokéball")
    assert brock.state.collection(ASH) == (7,)


def test_a_ball_catches_pokemon_slammers_only() -> None:
    ash = fight(("Great Ball", "Leaf"), {"Arena": ["Potion"] * 6 + ["Poké Ball", "MissingNo."]})
    ash.do(TWO)
    assert ash.state.power(ASH) == (6, 7)


def test_pp_26_special_rules_of_slammers_may_be_left_out() -> None:
    ash = fight(("Pidgeot", "Leaf"), options={"puckdex": False})
    assert attacks(ash) == 1
