"""What Items and Trainers do, one by one: tables of stacks, answers and what comes of them."""

import pytest

from sim.pokepucks.battle.handling import give
from sim.pokepucks.battle.questions import Use
from sim.pokepucks.battle.rules import Ledger
from sim.pokepucks.battle.state import Status, Step, health, prize
from sim.pokepucks.battle.table import Mode
from sim.pokepucks.battle.timing import why_not_use
from sim.pokepucks.design_file import shipped_catalogue
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.special import SPECIAL_RULES, known_rules
from sim.pokepucks.special.abilities import SPIN_PENDING
from tests.pokepucksbattles import ASH, BROCK, battle, outcome
from tests.refusals import refused

CRITICAL, PARALYZED, POISONED, SLEEP = (
    Status.CRITICAL,
    Status.PARALYZED,
    Status.POISONED,
    Status.SLEEP,
)
NONE, TOP, TWO = "D D D D D D D D", "D D D D D D D U", "D D D D D D U U"
MISS = "miss 8"
WILD = {
    "Arena": 0, "Health 0": 0, "Health 1": 0,
    "options": {"mode": Mode.WILD}, "step": Step.BEFORE_COUNTING,
}  # fmt: skip
OTHERS = {"slammers", "statuses", "sizes", "options", "step", "effects"}


def fight(setup):
    """Return a battle with some stacks, of a normal slammer against one weak to fire."""
    stacks = {key: value for key, value in setup.items() if key not in OTHERS}
    others = {"slammers": ("Grey", "Leaf")} | {k: v for k, v in setup.items() if k in OTHERS}
    return battle(stacks, rules=SPECIAL_RULES, **others)


def power(*names, **more):
    """Return a set-up with pucks in Ash's Power."""
    return {"Power 0": list(names), **more}


def against(trainer, **more):
    """Return a set-up with a Trainer of Brock's, and Potions in the Arena (pucks 1 to 8)."""
    return {"Power 1": [trainer], "Arena": ["Potion"] * 8, **more}


ILL = {ASH: [PARALYZED]}
BERRIES = {"Arena": ["Berry"] * 8, "Health 0": 4, "Health 1": 5}
POTION = power("Potion", **{"Prize 0": 3, "Health 0": 5, "sizes": {"Health 0": 10}})
BERRY_ON_TOP = {"Arena": ["Potion"] * 7 + ["Berry"], "Health 0": 5, "sizes": {"Health 0": 6}}

RULINGS = {
    "Potion moves two pucks to Health and is discarded": (
        POTION, ("Potion", "1, 2"),
        {"Health 0": (4, 5, 6, 7, 8, 1, 2), "Prize 0": (3, 0)},
    ),
    "PP-42 Potion is not used with full Health": (
        power("Potion", **{"Prize 0": 3}), (), {"next": "throw 0"},
    ),
    "PP-17, PP-50 Switch replaces the slammer, whose statuses stay": (
        power("Switch", "Bolt", statuses={ASH: [POISONED]}, step=Step.BEFORE_COUNTING), ("Switch",),
        {"slammer 0": (1,), "Power 0": (20,), "Prize 0": (0,), "statuses 0": (POISONED,)},
    ),
    "PP-50 Switch may be made to take from the collection": (
        power("Switch", "Bolt", **{"collection 0": ["Mind"]},
              options={"switch_from": "collection"}),
        ("Switch",), {"slammer 0": (2,)},
    ),
    "PP-50 in a wild battle the old slammer goes to Prize": (
        {**WILD, **power("Switch", "Bolt"), "statuses": {ASH: [CRITICAL], BROCK: [CRITICAL]}},
        ("Switch",), {"slammer 0": (1,), "Prize 0": (2, 0)},
    ),
    "Berry may go to Health": (BERRY_ON_TOP, (TOP, "Berry"), {"Health 0": (8, 9, 10, 11, 12, 7)}),
    "Berry may be kept": (BERRY_ON_TOP, (TOP, "-"), {"Power 0": (7,)}),
    "Berry is kept with full Health": (
        {"Arena": BERRY_ON_TOP["Arena"]}, (TOP,), {"Power 0": (7,), "count Health 0": 10},
    ),
    "PP-43 one Berry a turn is used": (
        {"Arena": ["Berry"] * 8, "Health 0": 5, "sizes": {"Health 0": 9}}, (TWO, "Berry"),
        {"count Power 0": 1, "count Health 0": 6},
    ),
    "PP-43 every Sandbag goes to Prize": ({"Arena": ["Sandbag"] * 8}, (TWO,), {"Prize 0": (6, 7)}),
    "Sandbag goes to Prize, a Potion does not": (
        {"Arena": ["Potion"] * 6 + ["Sandbag", "Potion"]}, (TWO,),
        {"Power 0": (7,), "Prize 0": (6,)},
    ),
    "Energy of the slammer's type is one attack more": (
        power("Normal Energy"), (), {"attacks": 2, "next": "throw 0"},
    ),
    "Energy of another type is none": (power("Fire Energy"), (), {"attacks": 1}),
    "PP-43 two of the same Energy count once": (
        power("Normal Energy", "Normal Energy"), (), {"attacks": 2},
    ),
    "PP-43 another listing is another Item": (
        power("Normal Energy", "Normal Focus Energy", "Moon Stone"),
        ("Focus Energy", "Power Stone"), {"attacks": 4, "next": "throw 0"},
    ),
    "PP-43 another icon is another Item": (
        power("Fire Focus Energy", "Water Focus Energy", options={"focus_any_type": True}),
        ("Focus Energy for two 0", "Focus Energy for two 1"), {"attacks": 5},
    ),
    "Focus Energy is one attack more if it is kept": (
        power("Normal Focus Energy"), ("Focus Energy",), {"attacks": 2, "Power 0": (0,)},
    ),
    "Focus Energy is two attacks more if it is discarded": (
        power("Normal Focus Energy"), ("Focus Energy for two",), {"attacks": 3, "Prize 0": (0,)},
    ),
    "PP-54 Focus Energy needs its type for one and for two": (
        power("Fire Focus Energy"), (), {"attacks": 1, "next": "throw 0"},
    ),
    "PP-54 by an option Focus Energy asks for two whatever its type": (
        power("Fire Focus Energy", options={"focus_any_type": True}), (),
        {"next": "special rule 0: Focus Energy for two 0."},
    ),
    "PP-54 by an option Focus Energy gives two whatever its type": (
        power("Fire Focus Energy", options={"focus_any_type": True}), ("Focus Energy for two",),
        {"attacks": 3},
    ),
    **{
        f"{stone} is one attack more and discarded": (
            power(stone, slammers=(slammer, "Mind"), step=Step.COUNT), ("Power Stone",),
            {"attacks": count, "Prize 0": (0,)},
        )
        for stone, slammer, count in (
            ("Water Stone", "Lapras", 2), ("Fire Stone", "Flareon", 3),
            ("Thunder Stone", "Jolteon", 2), ("Moon Stone", "Grey", 2),
        )
    },
    "PP-54 Power Stone is voluntary": (
        power("Moon Stone"), ("-",), {"attacks": 1, "Power 0": (0,)},
    ),
    # One and one more, less one; the other way round there would be two.
    "PP-13 Paralyzed comes after what acts after counting": (
        power("Normal Focus Energy", statuses=ILL), ("Focus Energy",), {"attacks": 1},
    ),
    "PP-13 Sleep makes it one whatever was counted": (
        power("Normal Energy", "Normal Focus Energy", statuses={ASH: [SLEEP]}), ("Focus Energy",),
        {"attacks": 1},
    ),
    "Full Heal removes every status and stays in Power": (
        power("Full Heal", statuses={ASH: [PARALYZED, POISONED]}, step=Step.BEFORE_COUNTING),
        ("Full Heal",), {"statuses 0": (), "Power 0": (0,)},
    ),
    "PP-44 Full Heal waits for the knock-out attempt": (
        power("Full Heal", statuses={ASH: [CRITICAL]}, step=Step.KNOCK_OUT), (),
        {"next": "knock-out 1"},
    ),
    "PP-44 Full Heal acts after the knock-out attempt and heals Critical": (
        power("Full Heal", statuses={ASH: [CRITICAL]}, step=Step.KNOCK_OUT),
        ("Grey", "D", "Full Heal"), {"statuses 0": ()},
    ),
    "PP-44 Full Heal may be made to be discarded": (
        power("Full Heal", statuses=ILL, options={"full_heal_discards": True}), ("Full Heal",),
        {"Prize 0": (0,)},
    ),
    "PP-24 in a wild battle Full Heal leaves Critical": (
        {**WILD, **power("Full Heal"), "statuses": {ASH: [CRITICAL, SLEEP], BROCK: [CRITICAL]}},
        ("Full Heal",), {"statuses 0": (CRITICAL,), "next": "pucks to discard 0"},
    ),
    "Poké Flute removes Sleep before topping off": (
        power("Poké Flute", statuses={ASH: [SLEEP, PARALYZED]}), ("Poké Flute",),
        {"statuses 0": (PARALYZED,)},
    ),
    "after Poké Flute pucks are picked up": (
        power("Poké Flute", statuses={ASH: [SLEEP, PARALYZED]}), ("Poké Flute", TOP, "-"),
        {"count Prize 0": 1},
    ),
    "Focus Sash lowers the Arena's max size to what there is": (
        power("Focus Sash", **{"Arena": 3, "Health 0": 2, "sizes": {"Arena": 8}}), ("Focus Sash",),
        {"size Arena": 5, "count Prize 0": 1, "count Power 0": 0, "statuses 0": ()},
    ),
    "PP-42 Focus Sash does not go below one": (
        power("Focus Sash", **{"Arena": 0, "Health 0": 0, "sizes": {"Arena": 8}}), ("Focus Sash",),
        {"size Arena": 1},
    ),
    "PP-42 Focus Sash only lowers": (power("Focus Sash"), (), {"next": "throw 0"}),
    "Silph Scope makes up for Paralyzed": (
        power("Silph Scope", "Normal Energy", statuses=ILL), ("Silph Scope",), {"attacks": 2},
    ),
    "Silph Scope may be left alone": (
        power("Silph Scope", "Normal Energy", statuses=ILL), ("-",), {"attacks": 1},
    ),
    **{
        f"PP-54 Silph Scope of a Lapras against {name}": (
            power("Silph Scope", "Water Energy", slammers=("Lapras", name), statuses=statuses),
            ("Silph Scope",), {"attacks": count},
        )
        for name, statuses, count in (
            ("Charmander Alpha", ILL, 3),  # weak to water: nothing to resist
            ("Bulbasaur", ILL, 1),  # which resists
            ("Grey", {ASH: [PARALYZED, SLEEP]}, 1),
        )
    },
    "Mr. Smith rearranges the Arena after topping off": (
        power("Mr. Smith", Arena=3), ("Mr. Smith", "3, 1, 2"), {"Arena": (3, 1, 2)},
    ),
    "Mr. Saia is asked after a throw": (
        against("Mr. Saia", **{"Health 1": 3}), ("D D D D D D U50 U60",),
        {"next": "special rule 1"},
    ),
    # What he put there counts as flipped in this throw; a plain puck goes to Prize.
    "PP-38 Mr. Saia exchanges a flipped puck for one of own Health": (
        against("Mr. Saia", **{"Health 1": 3}), ("D D D D D D U50 U60", "Mr. Saia", "8", "10"),
        {"Prize 0": (10,), "Power 0": (7,), "Health 1": (9, 11, 8)},
    ),
    "PP-38 Mr. Saia's puck is face down after the throw": (
        against("Mr. Saia", **{"Health 1": 3, "statuses": {ASH: [SLEEP]}}),
        ("D D D D D D D U60", "Mr. Saia", "10"), {"Arena": (1, 2, 3, 4, 5, 6, 7, 10)},
    ),
    "PP-40 Mr. Merkert attacks once more if nothing was picked up": (
        power("Mr. Merkert"), (MISS,), {"next": "throw 0"},
    ),
    "Mr. Merkert acts once a turn": (
        power("Mr. Merkert"), (MISS, NONE), {"next": "pucks to discard 0"},
    ),
    "Mr. Merkert does nothing after a pick-up": (
        power("Mr. Merkert"), (TOP,), {"next": "pucks to discard 0"},
    ),
    "Ms. Hicks picks up what left the arena": (
        against("Ms. Hicks", **{"Health 0": 4}), ("D D D D D O O D", "Ms. Hicks", "6"),
        {"Power 1": (0, 6)},
    ),
    "Ms. Hicks makes the thrower pay": (
        against("Ms. Hicks", **{"Health 0": 4}), ("D D D D D O O D", "Ms. Hicks", "6", "11"),
        {"next": "order of the pucks that left the arena 0: 7, 11."},
    ),
    "what was paid to Ms. Hicks is stacked with what left the arena": (
        against("Ms. Hicks", **{"Health 0": 4}),
        ("D D D D D O O D", "Ms. Hicks", "6", "11", "11, 7"),
        {"Arena": (1, 2, 3, 4, 5, 8, 11, 7), "count Health 0": 3},
    ),
    "Ms. Hicks makes a thrower Critical who cannot pay": (
        against("Ms. Hicks", **{"Health 0": 1}), ("D D D D D O O D", "Ms. Hicks", "6, 7"),
        {"statuses 0": (CRITICAL,), "Health 0": ()},
    ),
    # Mr. Merkert sees that nothing was picked up; a Sandbag goes to Prize whoever picks it up.
    "Ms. Hicks's pick-ups are none of the thrower's": (
        {"Power 1": ["Ms. Hicks"], "Power 0": ["Mr. Merkert"], "Arena": ["Sandbag"] * 8},
        ("D D D D D D D O", "Ms. Hicks", "10"), {"next": "throw 0", "Prize 1": (9,)},
    ),
    "PP-43 Ms. Hicks asks about a Berry": (
        {"Power 1": ["Ms. Hicks"], **BERRIES, "sizes": {"Health 1": 9}},
        ("D D D D D D O O", "Ms. Hicks", "7, 8"), {"next": "choice of a special rule 1: 7."},
    ),
    # Then Ash pays; nobody asks about the second Berry.
    "PP-43 one Berry a turn is eaten of those that Ms. Hicks picks up": (
        {"Power 1": ["Ms. Hicks"], **BERRIES, "sizes": {"Health 1": 9}},
        ("D D D D D D O O", "Ms. Hicks", "7, 8", "7"),
        {"next": "choice of a special rule 0", "Power 1": (0, 8),
         "Health 1": (13, 14, 15, 16, 17, 7)},
    ),
    "a Berry of Ms. Hicks's that is not eaten leaves the next one to be": (
        {"Power 1": ["Ms. Hicks"], **BERRIES, "sizes": {"Health 1": 9}},
        ("D D D D D D O O", "Ms. Hicks", "7, 8", "-"), {"next": "choice of a special rule 1: 8."},
    ),
    "PP-43 the limit of a turn is for each player": (
        {"Power 1": ["Ms. Hicks"], **BERRIES, "sizes": {"Health 0": 9, "Health 1": 9}},
        ("D D D D D D U O", "Ms. Hicks", "8", "9"),
        {"Health 1": (13, 14, 15, 16, 17, 8), "next": "special rule 0: Berry 7."},
    ),
    "You attacks once more after a miss": (power("You"), (MISS,), {"next": "throw 0"}),
    "PP-45 You acts once a turn": (power("You"), (MISS, MISS), {"next": "pucks to discard 0"}),
    "You does nothing after a hit": (power("You"), (NONE,), {"next": "pucks to discard 0"}),
    "a Trainer works only while it is the only one in Power": (
        power("Mr. Merkert", "You"), (MISS,), {"next": "pucks to discard 0"},
    ),
    "PP-33 Trainers do not react to a knock-out attempt": (
        {"Power 0": ["Ms. Hicks", "Potion"], "Power 1": ["You"], "statuses": {ASH: [CRITICAL]},
         "step": Step.KNOCK_OUT},
        ("Grey", "O"), {"next": "throw 0"},
    ),
    "PP-44 Items are not used in another's turn": (
        {"Power 1": ["Potion"], "Prize 1": 3, "Health 1": 5, "sizes": {"Health 1": 10}}, (),
        {"next": "throw 0"},
    ),
    "PP-44 Items are used in the own turn": (
        {"Power 1": ["Potion"], "Prize 1": 3, "Health 1": 5, "sizes": {"Health 1": 10}}, (NONE,),
        {"next": "special rule 1: Potion 0."},
    ),
    "PP-26 rules of Items and Trainers may be left out": (
        power("Normal Energy", options={"puckmart": False}), (), {"attacks": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("setup", "answers", "wanted"), RULINGS.values(), ids=list(RULINGS))
def test_rulings_on_items_and_trainers(setup, answers, wanted):
    ash = fight(setup)
    ash.do(*answers)
    assert outcome(ash, wanted) == wanted


def test_every_listed_rule_is_known_and_every_known_rule_is_listed():
    for kind in DesignKind:
        listed = {d.rule for d in shipped_catalogue().designs if d.kind is kind and d.rule}
        assert listed == set(known_rules(kind))


def test_potion_moves_no_more_than_two_pucks():
    ash = fight(POTION)
    ash.do("Potion")
    refused(ash.do, "1, 2, 3", said="3 chosen; choose 1 to 2")


def test_pp_42_no_special_rule_overfills_health():
    one = fight(power("Potion", **{"Prize 0": 3, "sizes": {"Health 0": 11}}))
    one.do("Potion")
    refused(one.do, "1, 2", said="2 chosen; choose 1")
    ledger = Ledger(fight({"Prize 0": 3, "sizes": {"Health 0": 11}}).state)
    assert give(ledger, ledger.state.prize(ASH), prize(ASH), health(ASH), "a rule") == (0,)
    assert len(ledger.state.health(ASH)) == 11


def test_pp_26_when_two_rules_conflict_the_one_that_forbids_wins():
    ash = fight(power("Switch", "Bolt", effects={ASH: [SPIN_PENDING]}))
    ash.thrown(ASH)
    (rule,) = (rule for rule in SPECIAL_RULES if rule.name == "Switch")
    reason = why_not_use(ash.rules, ash.state, ASH, rule, Use("Switch", 0))
    assert reason == "Fire Spin holds the slammer"
