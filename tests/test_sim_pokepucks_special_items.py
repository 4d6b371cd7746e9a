"""What Items and Trainers do, one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from physics import InputError
from sim.pokepucks.battle.handling import give
from sim.pokepucks.battle.questions import Asking, Use
from sim.pokepucks.battle.rules import Ledger
from sim.pokepucks.battle.state import ARENA, Status, Step, health, prize
from sim.pokepucks.battle.table import Mode
from sim.pokepucks.battle.timing import why_not_use
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import SPECIAL_RULES, known_rules
from sim.pokepucks.special.abilities import SPIN_PENDING
from tests.pokepucksbattles import ASH, BROCK, Battle, battle

CRITICAL, PARALYZED, POISONED, SLEEP = (
    Status.CRITICAL,
    Status.PARALYZED,
    Status.POISONED,
    Status.SLEEP,
)
NONE = "D D D D D D D D"
TOP = "D D D D D D D U"
TWO = "D D D D D D U U"
GREY = ("Grey", "Leaf")
"""Grey is a normal type; a Leaf is weak to fire."""


def fight(
    stacks: Mapping[str, int | Sequence[str]] | None = None,
    slammers: Sequence[str] = GREY,
    **others: Any,
) -> Battle:
    """Return a battle in which all special rules work."""
    return battle(stacks, slammers=slammers, players=len(slammers), rules=SPECIAL_RULES, **others)


def attacks(ash: Battle, *texts: str) -> int:
    """Return how many attacks Ash counted, after some answers."""
    ash.do(*texts)
    ash.thrown(ASH)
    return ash.state.turn.attacks


def test_every_listed_rule_is_known_and_every_known_rule_is_listed() -> None:
    for kind in DesignKind:
        listed = {d.rule for d in shipped_catalogue().designs if d.kind is kind and d.rule}
        assert listed == set(known_rules(kind))


def test_potion_moves_two_pucks_from_prize_to_health_and_is_discarded() -> None:
    ash = fight({"Power 0": ["Potion"], "Prize 0": 3, "Health 0": 5}, sizes={"Health 0": 10})
    ash.do("Potion", "1, 2")
    assert ash.state.health(ASH)[-2:] == (1, 2)
    assert ash.state.prize(ASH) == (3, 0)


def test_pp_42_potion_does_not_overfill_health() -> None:
    stacks = {"Power 0": ["Potion"], "Prize 0": 3}
    one = fight(stacks, sizes={"Health 0": 11})
    one.do("Potion")
    with pytest.raises(InputError, match="2 chosen; choose 1"):
        one.do("1, 2")
    full = fight(stacks)
    full.thrown(ASH)


def test_pp_42_no_special_rule_overfills_health() -> None:
    ledger = Ledger(fight({"Prize 0": 3}, sizes={"Health 0": 11}).state)
    assert give(ledger, ledger.state.prize(ASH), prize(ASH), health(ASH), "a rule") == (0,)
    assert len(ledger.state.health(ASH)) == 11


def test_switch_replaces_the_slammer_by_one_in_power_and_is_discarded() -> None:
    ash = fight(
        {"Power 0": ["Switch", "Bolt"]}, statuses={ASH: [POISONED]}, step=Step.BEFORE_COUNTING
    )
    old = ash.state.slammer(ASH)
    ash.do("Switch")
    assert ash.state.slammer(ASH) == 1
    assert ash.state.power(ASH) == (old,)  # ruling PP-50
    assert ash.state.prize(ASH) == (0,)
    assert ash.state.statuses[ASH] == (POISONED,)  # ruling PP-17


def test_pp_50_switch_may_be_made_to_take_from_the_collection() -> None:
    stacks = {"Power 0": ["Switch", "Bolt"], "collection 0": ["Mind"]}
    ash = fight(stacks, options={"switch_from": "collection"})
    ash.do("Switch")
    assert ash.state.slammer(ASH) == 2


def test_pp_50_in_a_wild_battle_the_old_slammer_goes_to_prize() -> None:
    stacks = {"Arena": 0, "Health 0": 0, "Health 1": 0, "Power 0": ["Switch", "Bolt"]}
    ash = fight(
        stacks,
        statuses={ASH: [CRITICAL], BROCK: [CRITICAL]},
        step=Step.BEFORE_COUNTING,
        options={"mode": Mode.WILD},
    )
    old = ash.state.slammer(ASH)
    ash.do("Switch")
    assert ash.state.slammer(ASH) == 1
    assert ash.state.prize(ASH) == (old, 0)


def test_berry_may_go_to_health_when_it_is_picked_up() -> None:
    arena = ["Potion"] * 7 + ["Berry"]
    ash = fight({"Arena": arena, "Health 0": 5}, sizes={"Health 0": 6})
    ash.do(TOP, "Berry")
    assert ash.state.health(ASH)[-1] == 7
    kept = fight({"Arena": arena, "Health 0": 5}, sizes={"Health 0": 6})
    kept.do(TOP, "-")
    assert kept.state.power(ASH) == (7,)
    full = fight({"Arena": arena})
    full.do(TOP)
    assert full.state.power(ASH) == (7,)


def test_pp_43_one_berry_a_turn_is_used_but_every_sandbag_goes_to_prize() -> None:
    berries = fight({"Arena": ["Berry"] * 8, "Health 0": 5}, sizes={"Health 0": 9})
    berries.do(TWO, "Berry")
    assert len(berries.state.power(ASH)) == 1
    bags = fight({"Arena": ["Sandbag"] * 8})
    bags.do(TWO)
    assert bags.state.prize(ASH) == (6, 7)


def test_energy_of_the_slammers_type_is_one_attack_more_by_itself() -> None:
    assert attacks(fight({"Power 0": ["Normal Energy"]})) == 2
    assert attacks(fight({"Power 0": ["Fire Energy"]})) == 1


def test_pp_43_two_of_the_same_energy_count_once() -> None:
    assert attacks(fight({"Power 0": ["Normal Energy"] * 2})) == 2


def test_pp_43_another_icon_or_listing_is_another_item() -> None:
    both = {"Power 0": ["Normal Energy", "Normal Focus Energy", "Moon Stone"]}
    assert attacks(fight(both), "Focus Energy", "Power Stone") == 4


def test_pp_43_the_same_listing_with_another_icon_is_another_item() -> None:
    both = {"Power 0": ["Fire Focus Energy", "Water Focus Energy"]}
    ash = fight(both, options={"focus_any_type": True})
    assert attacks(ash, "Focus Energy for two 0", "Focus Energy for two 1") == 5


def test_focus_energy_is_one_attack_more_or_two_if_it_is_discarded() -> None:
    kept = fight({"Power 0": ["Normal Focus Energy"]})
    assert attacks(kept, "Focus Energy") == 2
    assert kept.state.power(ASH) == (0,)
    spent = fight({"Power 0": ["Normal Focus Energy"]})
    assert attacks(spent, "Focus Energy for two") == 3
    assert spent.state.prize(ASH) == (0,)


def test_pp_54_focus_energy_needs_its_type_for_one_and_for_two() -> None:
    assert attacks(fight({"Power 0": ["Fire Focus Energy"]})) == 1


def test_pp_54_by_an_option_focus_energy_gives_two_whatever_its_type() -> None:
    ash = fight({"Power 0": ["Fire Focus Energy"]}, options={"focus_any_type": True})
    assert ash.asked(Asking.USE, ASH) == ["Focus Energy for two 0"]
    assert attacks(ash, "Focus Energy for two") == 3


@pytest.mark.parametrize(
    ("stone", "slammer"),
    [
        ("Water Stone", "Lapras"),
        ("Fire Stone", "Flareon"),
        ("Thunder Stone", "Jolteon"),
        ("Moon Stone", "Grey"),
    ],
)
def test_a_power_stone_of_the_slammers_type_is_one_attack_more_and_discarded(
    stone: str, slammer: str
) -> None:
    ash = fight({"Power 0": [stone]}, (slammer, "Mind"), step=Step.COUNT)
    before = 2 if slammer == "Flareon" else 1
    ash.asked(Asking.USE, ASH)
    ash.do("Power Stone")
    assert ash.state.turn.attacks == before + 1
    assert ash.state.prize(ASH) == (0,)


def test_pp_13_paralyzed_comes_after_what_acts_after_counting() -> None:
    ash = fight({"Power 0": ["Normal Focus Energy"]}, statuses={ASH: [PARALYZED]})
    # One and one more, less one; the other way round there would be two.
    assert attacks(ash, "Focus Energy") == 1


def test_pp_13_sleep_makes_it_one_whatever_was_counted() -> None:
    three = {"Power 0": ["Normal Energy", "Normal Focus Energy"]}
    assert attacks(fight(three, statuses={ASH: [SLEEP]}), "Focus Energy") == 1


def test_pp_54_power_stone_is_voluntary() -> None:
    ash = fight({"Power 0": ["Moon Stone"]})
    assert attacks(ash, "-") == 1
    assert ash.state.power(ASH) == (0,)


def test_full_heal_removes_every_status_and_stays_in_power() -> None:
    ash = fight(
        {"Power 0": ["Full Heal"]}, statuses={ASH: [PARALYZED, POISONED]}, step=Step.BEFORE_COUNTING
    )
    ash.do("Full Heal")
    assert ash.state.statuses[ASH] == ()
    assert ash.state.power(ASH) == (0,)


def test_pp_44_full_heal_acts_after_the_knock_out_attempt_and_heals_critical() -> None:
    ash = fight({"Power 0": ["Full Heal"]}, statuses={ASH: [CRITICAL]}, step=Step.KNOCK_OUT)
    ash.asked(Asking.KNOCK_OUT, BROCK)
    ash.do(str(ash.state.slammer(ASH)), "D", "Full Heal")
    assert ash.state.statuses[ASH] == ()


def test_pp_44_full_heal_may_be_made_to_be_discarded() -> None:
    ash = fight(
        {"Power 0": ["Full Heal"]},
        statuses={ASH: [PARALYZED]},
        options={"full_heal_discards": True},
    )
    ash.do("Full Heal")
    assert ash.state.prize(ASH) == (0,)


def test_pp_24_in_a_wild_battle_full_heal_leaves_critical() -> None:
    stacks = {"Arena": 0, "Health 0": 0, "Health 1": 0, "Power 0": ["Full Heal"]}
    ash = fight(
        stacks,
        statuses={ASH: [CRITICAL, SLEEP], BROCK: [CRITICAL]},
        step=Step.BEFORE_COUNTING,
        options={"mode": Mode.WILD},
    )
    ash.do("Full Heal")
    assert ash.state.statuses[ASH] == (CRITICAL,)
    ash.asked(Asking.DISCARD, ASH)


def test_poke_flute_removes_sleep_before_topping_off() -> None:
    ash = fight({"Power 0": ["Poké Flute"]}, statuses={ASH: [SLEEP, PARALYZED]})
    ash.do("Poké Flute")
    assert ash.state.statuses[ASH] == (PARALYZED,)
    ash.do(TOP, "-")
    assert len(ash.state.prize(ASH)) == 1


def test_focus_sash_lowers_the_arenas_max_size_to_what_there_is() -> None:
    ash = fight({"Arena": 3, "Health 0": 2, "Power 0": ["Focus Sash"]}, sizes={"Arena": 8})
    ash.do("Focus Sash")
    assert ash.state.max_size(ARENA) == 5
    assert ash.state.prize(ASH) == (5,)
    assert ash.state.statuses[ASH] == ()


def test_pp_42_focus_sash_does_not_go_below_one_and_only_lowers() -> None:
    none = fight({"Arena": 0, "Health 0": 0, "Power 0": ["Focus Sash"]}, sizes={"Arena": 8})
    none.do("Focus Sash")
    assert none.state.max_size(ARENA) == 1
    enough = fight({"Power 0": ["Focus Sash"]})
    enough.thrown(ASH)


def test_silph_scope_makes_up_for_paralyzed() -> None:
    stacks = {"Power 0": ["Silph Scope", "Normal Energy"]}
    assert attacks(fight(stacks, statuses={ASH: [PARALYZED]}), "Silph Scope") == 2
    assert attacks(fight(stacks, statuses={ASH: [PARALYZED]}), "-") == 1


def test_pp_54_silph_scope_cancels_neither_resistance_nor_what_sets_to_one() -> None:
    stacks = {"Power 0": ["Silph Scope", "Water Energy"]}
    resisted = fight(stacks, ("Lapras", "Charmander Alpha"), statuses={ASH: [PARALYZED]})
    assert attacks(resisted, "Silph Scope") == 3  # weak to water: nothing to resist
    resisted = fight(stacks, ("Lapras", "Bulbasaur"), statuses={ASH: [PARALYZED]})
    assert attacks(resisted, "Silph Scope") == 1
    asleep = fight(stacks, ("Lapras", "Grey"), statuses={ASH: [PARALYZED, SLEEP]})
    assert attacks(asleep, "Silph Scope") == 1


def test_sandbag_goes_to_prize_when_it_is_picked_up() -> None:
    ash = fight({"Arena": ["Potion"] * 6 + ["Sandbag", "Potion"]})
    ash.do(TWO)
    assert ash.state.power(ASH) == (7,)
    assert ash.state.prize(ASH) == (6,)


def test_mr_smith_rearranges_the_arena_after_topping_off() -> None:
    ash = fight({"Arena": 3, "Power 0": ["Mr. Smith"]})
    ash.do("Mr. Smith", "2, 0, 1")
    assert ash.state.arena == (2, 0, 1)


def test_mr_saia_exchanges_a_flipped_puck_for_one_of_own_health() -> None:
    stacks = {"Power 1": ["Mr. Saia"], "Arena": ["Potion"] * 8, "Health 1": 3}
    ash = fight(stacks)
    ash.do("D D D D D D U50 U60")
    ash.asked(Asking.USE, BROCK)
    ash.do("Mr. Saia", "8", "10")
    # Ruling PP-38: what he put there counts as flipped in this throw; a plain puck goes to Prize.
    assert ash.state.prize(ASH) == (10,)
    assert 7 in ash.state.power(ASH)
    assert 8 in ash.state.health(BROCK)


def test_pp_38_mr_saias_puck_is_face_down_after_the_throw_like_all_others() -> None:
    stacks = {"Power 1": ["Mr. Saia"], "Arena": ["Potion"] * 8, "Health 1": 3}
    ash = fight(stacks, statuses={ASH: [SLEEP]})
    ash.do("D D D D D D D U60", "Mr. Saia", "10")
    assert ash.state.arena[-1] == 10
    assert len(ash.state.arena) == 8


def test_mr_merkert_attacks_once_more_if_nothing_was_picked_up() -> None:
    ash = fight({"Power 0": ["Mr. Merkert"]})
    ash.do("miss 8")  # ruling PP-40
    ash.thrown(ASH)
    ash.do(NONE)
    ash.asked(Asking.DISCARD, ASH)
    picked = fight({"Power 0": ["Mr. Merkert"]})
    picked.do(TOP)
    picked.asked(Asking.DISCARD, ASH)


def test_ms_hicks_picks_up_what_left_the_arena_and_the_thrower_pays() -> None:
    stacks = {"Power 1": ["Ms. Hicks"], "Arena": ["Potion"] * 8, "Health 0": 4}
    ash = fight(stacks)
    ash.do("D D D D D O O D", "Ms. Hicks", "6")
    assert ash.state.power(BROCK) == (0, 6)
    ash.do("11")
    assert ash.asked(Asking.RESTACK_OUT, ASH) == ["7", "11"]
    ash.do("11, 7")
    assert ash.state.arena == (1, 2, 3, 4, 5, 8, 11, 7)
    assert len(ash.state.health(ASH)) == 3


def test_ms_hicks_makes_a_thrower_critical_who_cannot_pay() -> None:
    stacks = {"Power 1": ["Ms. Hicks"], "Arena": ["Potion"] * 8, "Health 0": 1}
    ash = fight(stacks)
    ash.do("D D D D D O O D", "Ms. Hicks", "6, 7")
    assert ash.state.statuses[ASH] == (CRITICAL,)
    assert ash.state.health(ASH) == ()


def test_ms_hicks_pick_ups_are_none_of_the_throwers() -> None:
    stacks = {"Power 1": ["Ms. Hicks"], "Power 0": ["Mr. Merkert"], "Arena": ["Sandbag"] * 8}
    ash = fight(stacks)
    ash.do("D D D D D D D O", "Ms. Hicks", "10")
    ash.thrown(ASH)  # nothing was picked up in the turn, says Mr. Merkert
    assert ash.state.prize(BROCK) == (9,)  # a Sandbag goes to Prize whoever picks it up


def test_pp_43_one_berry_a_turn_is_eaten_also_of_those_that_ms_hicks_picks_up() -> None:
    stacks = {"Power 1": ["Ms. Hicks"], "Arena": ["Berry"] * 8, "Health 0": 4, "Health 1": 5}
    ash = fight(stacks, sizes={"Health 1": 9})
    ash.do("D D D D D D O O", "Ms. Hicks", "7, 8")
    assert ash.asked(Asking.RULE, BROCK) == ["7"]
    ash.do("7")
    assert ash.asked(Asking.RULE, ASH)  # Ash pays; nobody asks about the second Berry
    assert ash.state.health(BROCK)[-1] == 7
    assert 8 in ash.state.power(BROCK)


def test_pp_43_the_limit_of_a_turn_is_for_each_player() -> None:
    stacks = {"Power 1": ["Ms. Hicks"], "Arena": ["Berry"] * 8, "Health 0": 4, "Health 1": 5}
    ash = fight(stacks, sizes={"Health 0": 9, "Health 1": 9})
    ash.do("D D D D D D U O", "Ms. Hicks", "8", "9")
    assert ash.state.health(BROCK)[-1] == 8
    assert ash.asked(Asking.USE, ASH) == ["Berry 7"]


def test_ms_hicks_berry_that_is_not_eaten_leaves_the_next_one_to_be() -> None:
    stacks = {"Power 1": ["Ms. Hicks"], "Arena": ["Berry"] * 8, "Health 0": 4, "Health 1": 5}
    ash = fight(stacks, sizes={"Health 1": 9})
    ash.do("D D D D D D O O", "Ms. Hicks", "7, 8", "-")
    assert ash.asked(Asking.RULE, BROCK) == ["8"]


def test_you_attacks_once_more_after_a_miss() -> None:
    ash = fight({"Power 0": ["You"]})
    ash.do("miss 8")
    ash.do("miss 8")  # once a turn, as ruling PP-45 has it
    ash.asked(Asking.DISCARD, ASH)
    hit = fight({"Power 0": ["You"]})
    hit.do(NONE)
    hit.asked(Asking.DISCARD, ASH)


def test_a_trainer_works_only_while_it_is_the_only_one_in_power() -> None:
    ash = fight({"Power 0": ["Mr. Merkert", "You"]})
    ash.do("miss 8")
    ash.asked(Asking.DISCARD, ASH)


def test_pp_33_trainers_do_not_react_to_a_knock_out_attempt() -> None:
    ash = fight(
        {"Power 0": ["Ms. Hicks", "Potion"], "Power 1": ["You"]},
        statuses={ASH: [CRITICAL]},
        step=Step.KNOCK_OUT,
    )
    ash.do(str(ash.state.slammer(ASH)), "O")
    ash.thrown(ASH)


def test_pp_44_items_are_used_at_their_points_of_the_own_turn_only() -> None:
    ash = fight({"Power 1": ["Potion"], "Prize 1": 3, "Health 1": 5}, sizes={"Health 1": 10})
    ash.thrown(ASH)  # Brock is not asked
    ash.do(NONE)
    assert ash.asked(Asking.USE, BROCK) == ["Potion 0"]


def test_pp_26_special_rules_of_items_and_trainers_may_be_left_out() -> None:
    ash = fight({"Power 0": ["Normal Energy"]}, options={"puckmart": False})
    assert attacks(ash) == 1


def test_pp_26_when_two_rules_conflict_the_one_that_forbids_wins() -> None:
    ash = fight({"Power 0": ["Switch", "Bolt"]}, effects={ASH: [SPIN_PENDING]})
    ash.thrown(ASH)
    (rule,) = (rule for rule in SPECIAL_RULES if rule.name == "Switch")
    assert (
        why_not_use(ash.rules, ash.state, ASH, rule, Use("Switch", 0))
        == "Fire Spin holds the slammer"
    )
