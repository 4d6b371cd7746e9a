"""Special rules: lists, limits and conflicts; what each does stands among the rulings."""

from sim.pokepucks.battle.events import StatusGained
from sim.pokepucks.battle.handling import give
from sim.pokepucks.battle.questions import Asking, Use
from sim.pokepucks.battle.rules import Ledger
from sim.pokepucks.battle.state import Status, Step, health, prize
from sim.pokepucks.battle.timing import why_not_use
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import SPECIAL_RULES, known_rules
from sim.pokepucks.special.abilities import SPIN_PENDING
from tests.pokepucksbattles import ASH, BROCK, Battle, battle
from tests.refusals import refused

NONE, TOP = "D D D D D D D D", "D D D D D D D U"


def fight(stacks=None, slammers=("Grey", "Leaf"), **others):
    """Return a battle in which all special rules work."""
    return battle(stacks, slammers=slammers, rules=SPECIAL_RULES, **others)


def test_every_listed_rule_is_known_and_every_known_rule_is_listed():
    for kind in DesignKind:
        listed = {d.rule for d in shipped_catalogue().designs if d.kind is kind and d.rule}
        assert listed == set(known_rules(kind))


def test_potion_moves_no_more_than_two_pucks():
    ash = fight({"Power 0": ["Potion"], "Prize 0": 3, "Health 0": 5}, sizes={"Health 0": 10})
    ash.do("Potion")
    refused(ash.do, "1, 2, 3", said="3 chosen; choose 1 to 2")


def test_pp_42_no_special_rule_overfills_health():
    one = fight({"Power 0": ["Potion"], "Prize 0": 3}, sizes={"Health 0": 11})
    one.do("Potion")
    refused(one.do, "1, 2", said="2 chosen; choose 1")
    ledger = Ledger(fight({"Prize 0": 3}, sizes={"Health 0": 11}).state)
    assert give(ledger, ledger.state.prize(ASH), prize(ASH), health(ASH), "a rule") == (0,)
    assert len(ledger.state.health(ASH)) == 11


def test_pp_26_when_two_rules_conflict_the_one_that_forbids_wins():
    ash = fight({"Power 0": ["Switch", "Bolt"]}, effects={ASH: [SPIN_PENDING]})
    ash.thrown(ASH)
    (rule,) = (rule for rule in SPECIAL_RULES if rule.name == "Switch")
    reason = why_not_use(ash.rules, ash.state, ASH, rule, Use("Switch", 0))
    assert reason == "Fire Spin holds the slammer"


def test_pp_7_a_critical_slammer_gains_no_declared_status_and_still_nothing_is_picked_up():
    ash = fight(
        slammers=("Jigglypuff", "Mind"), statuses={BROCK: [Status.CRITICAL]}, step=Step.ATTACK,
        in_turn={"attacks": 1},
    )  # fmt: skip
    happened = ash.do("Sing", TOP)
    assert not any(isinstance(event, StatusGained) for event in happened)
    assert ash.state.prize(ASH) == ()


def test_pp_34_a_ball_has_no_types():
    assert fight(slammers=("Heavy Ball", "Grey")).state.turn.matchup.type is None


def test_pp_45_the_owner_decides_which_attack_more_comes_first():
    ash = fight({"Power 0": ["Mr. Merkert"]}, slammers=("Scyther", "Bolt"))
    ash.do(NONE)
    assert ash.asked(Asking.USE, ASH) == ["Mr. Merkert 0", f"Cut {ash.state.slammer(ASH)}"]
    refused(ash.do, "-", said="0 chosen; choose 1")
    first = ash.moment()
    ash.do("Cut", TOP)
    ash.asked(Asking.DISCARD, ASH)  # something was picked up: nothing for Mr. Merkert
    other = Battle(first.base, first.answers)
    other.do("Mr. Merkert", TOP)
    assert other.asked(Asking.USE, ASH)[0].startswith("Cut")
