"""Special rules of a user's own: what each verb does, at which points, and what is refused."""

import json
import tomllib
from dataclasses import replace

import pytest

from sim.pokepucks.battle.events import RuleUsed, StatusGained
from sim.pokepucks.battle.live import begin, play_battle
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.record import (
    moment_from,
    moment_json,
    record_from,
    record_json,
    record_of,
    replay,
)
from sim.pokepucks.battle.setup_file import house_table
from sim.pokepucks.battle.state import Status
from sim.pokepucks.battle.table import BattleOptions
from sim.pokepucks.design_file import (
    designs_from,
    example_text,
    read_catalogue,
    shipped_catalogue,
    with_designs,
)
from sim.pokepucks.special import SPECIAL_RULES, shipped_rules
from sim.pokepucks.special.own_rules import VERBS, rules_from, rules_of
from tests.pokepucksbattles import ASH, BROCK, DiceThrows, battle, check_ruling, own_rules
from tests.refusals import refused

NONE = "D D D D D D D D"
TWO = "D D D D D D U U"


def rule(**keys):
    """Return the table of a rule, an ability of Zubat's unless it is said otherwise."""
    return {"name": "Confuse Ray", "kind": "ability", "when": "after counting attacks", **keys}


def status(name, player="owner", verb="give status"):
    return {"verb": verb, "status": name, "player": player}


CONFUSED, POISONED, PARALYZED = Status.CONFUSED, Status.POISONED, Status.PARALYZED
ILL = {"statuses": {ASH: [POISONED]}}
MORE, AT_ONCE = {"verb": "change attacks", "by": 1}, {"optional": False}
LIMITED = {"when": "counting what is picked up", **AT_ONCE}
ROOM = {"sizes": {"Health 0": 10}}
CHOICE = {"next": "pucks to pick up 0: 6, 7."}


def to_health(most):
    return [{"verb": "move pucks", "from": "Prize", "to": "Health", "most": most}]


RULINGS = {
    # what it is: (verbs, other keys of the rule, fields of the battle, answers, outcome, ...)
    "give status reaches the next player": (
        [status("Confused", "next")], {}, {},
        ("Confuse Ray",), {"statuses 0": (), "statuses 1": (CONFUSED,)},
    ),
    "give status reaches the previous player of three and the owner": (
        [status("Poisoned", "previous"), status("Paralyzed")], {}, {"players": 3},
        ("Confuse Ray",),
        {"statuses 0": (PARALYZED,), "statuses 1": (), "statuses 2": (POISONED,)},
    ),
    "PP-7 no status is given to a Critical slammer, and the rule is not offered": (
        [status("Confused", "next")], {}, {"statuses": {BROCK: [Status.CRITICAL]}},
        (), {"next": "throw 0"},
    ),
    "remove status": (
        [status("Poisoned", verb="remove status")], AT_ONCE, ILL, ("8",), {"statuses 0": ()},
    ),
    "a rule acts if its owner has a status": (
        [MORE], {"if": ["Poisoned"], **AT_ONCE}, ILL, ("8",), {"attacks": 2},
    ),
    "and not without it": ([MORE], {"if": ["Poisoned"], **AT_ONCE}, {}, (), {"attacks": 1}),
    **{
        f"change attacks by {by}": (
            [{"verb": "change attacks", "by": by}], AT_ONCE, {}, (), {"attacks": attacks},
        )
        for by, attacks in ((2, 3), (-3, 1))  # one at least
    },
    "set attacks": (
        [{"verb": "set attacks", "to": 4}], {"when": "setting the attacks to one"}, {},
        (), {"next": "special rule 0: Confuse Ray 18."}, ("Confuse Ray",), {"attacks": 4},
    ),
    "a granted attack is made next with its limit and once a turn": (
        [{"verb": "grant attack", "most": 1}], {"when": "after all attacks", **AT_ONCE}, {},
        (NONE,), {"next": "throw 0"}, (TWO,), CHOICE,
        ("7",), {"turn picked": (7,), "next": "puck to top off with 1"},
    ),
    "limit pick-up lets the thrower choose": (
        [{"verb": "limit pick-up", "most": 1}], LIMITED, {}, (TWO,), CHOICE,
    ),
    "limit pick-up never raises another limit": (
        [{"verb": "limit pick-up", "most": 3}], LIMITED,
        {"effects": {ASH: ["Defense Curl's pick-up less"]}},
        (TWO,), CHOICE, ("7",), {"turn picked": (7,)},
    ),
    **{
        f"PP-42 of three pucks {most} move to Health with {there} as long as there is room": (
            to_health(most), AT_ONCE, {"stacks": {"Prize 0": 3, "Health 0": there}, **ROOM},
            answers, {"count Health 0": there + moved, "count Prize 0": 3 - moved},
        )
        for most, there, answers, moved in ((2, 9, ("0",), 1), (2, 5, ("0, 1",), 2), (5, 5, (), 3))
    },
    "the owner of a stack picks the pucks that leave it": (
        [{"verb": "move pucks", "from": "Power", "to": "Prize", "player": "next"}], AT_ONCE,
        {"stacks": {"Power 1": ["Potion", "Berry"]}},
        (), {"next": "choice of a special rule 1: 0, 1."}, ("Berry",), {"Prize 1": (1,)},
    ),
    "from the Arena the topmost go": (
        [{"verb": "move pucks", "from": "Arena", "to": "Prize", "most": 2}],
        {"when": "after topping off"}, {}, ("Confuse Ray",), {"Prize 0": (7, 6)},
    ),
    "a rule acts once a turn": (
        [{"verb": "grant attack"}], {"when": "after an attack", **AT_ONCE}, {},
        (NONE, NONE), {"next": "throw 1"},
    ),
    "PP-47 a rule on pick-ups does not act on an attack out of turn": (
        [status("Sleep", "next")], {"kind": "support", **LIMITED},
        {"stacks": {"Power 1": ["Zubat"], "Prize 1": 2, "Health 1": 8},
         "slammers": ("Grey", "Bulbasaur"), "sizes": {"Health 1": 10}},
        (NONE, "Leech Seed", TWO), {"statuses 0": (), "statuses 1": ()},
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=list(RULINGS))
def test_rulings_on_own_rules(ruling):
    deeds, keys, fields, *steps = ruling
    rules = (*SPECIAL_RULES, *rules_from(own_rules([rule(does=deeds, **keys)])))
    check_ruling(
        battle(**({"slammers": ("Zubat", "Grey", "Mind"), "rules": rules} | fields)), *steps
    )


def test_an_item_discards_itself():
    own = [
        rule(
            name="Candy",
            kind="item",
            does=[{"verb": "change attacks", "by": 1}, {"verb": "discard"}],
        )
    ]
    rules = own_rules(own)
    candy = designs_from([("row", {"name": "Candy", "kind": "item", "rule": "Candy"})])
    catalogue = with_designs(shipped_catalogue(), candy, rules)
    assert catalogue.rules_of(candy) == rules
    assert catalogue.rules_of(shipped_catalogue().designs) == ()


def example(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(example_text(), encoding="utf-8")
    return read_catalogue(path)


def test_the_example_says_that_it_is_house_made_and_uses_most_verbs():
    assert "house-made" in example_text().splitlines()[0]
    entries = tomllib.loads(example_text())["rules"]
    assert {deed["verb"] for entry in entries for deed in entry["does"]} >= set(VERBS) - {
        "set attacks"
    }


def test_in_battles_of_the_example_slammers_become_confused_and_pay(tmp_path):
    catalogue = example(tmp_path)
    table = house_table(
        [catalogue.find("zubat"), catalogue.find("psyduck")], BattleOptions(max_turns=20), catalogue
    )
    assert {own.name for own in table.rules} == {"Confuse Ray", "Headache"}
    exchanges = list(play_battle(table, [GreedyPlayer(), RandomPlayer()], DiceThrows(), seed=2))
    events = [event for exchange in exchanges for event in exchange.events]
    assert any(isinstance(e, StatusGained) and e.status is Status.CONFUSED for e in events)
    assert {e.rule for e in events if isinstance(e, RuleUsed)} >= {"Confuse Ray", "Headache"}
    record = record_of(table, ["greedy", "random"], 2, "dice", exchanges)
    read = record_from("record", json.loads(record_json(record)))
    assert read == record
    assert list(replay(read)) == exchanges


def test_a_moment_carries_its_rules(tmp_path):
    catalogue = example(tmp_path)
    table = house_table([catalogue.find("zubat")] * 2, None, catalogue)
    moment = begin(table)
    read = moment_from(moment_json(moment))
    assert read == replace(moment, news=read.news)
    assert read.rules == rules_of(table) != shipped_rules()


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ({"verb": "explode"}, "verb: 'explode' ... one of give status"),
        ({"verb": "grant attack"}, "'grant attack' does not go with 'after counting attacks'"),
        ({"verb": "give status", "status": "Angry"}, "status: 'Angry' ... one of"),
        ({"verb": "give status", "status": "Sleep", "player": "all"}, "player: 'all' ... owner"),
        ({"verb": "discard", "most": 2}, "most: no such field; give none"),
        ({"verb": "change attacks", "by": 30}, "by: 30 ... from -3 to 3"),
        ({"verb": "set attacks", "to": True}, "to: True"),
        ({"verb": "set attacks"}, "to: None ... from 1 to 9"),
        ({"verb": "move pucks", "from": "Pocket", "to": "Prize"}, "from: 'Pocket' ... Health"),
        ({"verb": "move pucks", "from": "Prize", "to": 3}, "to: 3 ... one of Health"),
        ({"verb": "move pucks", "from": "Prize", "to": "Prize"}, "to: 'Prize' is where they are"),
        ({"verb": "move pucks", "from": "Prize", "to": "Power", "most": 0}, "most: 0 ... 1 to 20"),
    ],
)
def test_an_effect_that_does_not_do_is_refused(deed, said):
    refused(own_rules, [rule(does=[deed])], said=f"rules 1 (Confuse Ray) does 1 ... {said}")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"does": []}, "does: number of verbs: 0 ... from 1"),
        ({"when": "at night"}, "when: 'at night' ... one of"),
        ({"if": ["raining"]}, "if: 'raining' ... one of something flipped"),
        ({"name": "Potion"}, "'potion' already"),
        ({"name": "A, B"}, "name: 'A, B' ... without a comma"),
        ({"kind": "spell"}, "kind: 'spell' ... one of ability"),
        ({"colour": "red"}, "colour: no such field; give name"),
        ({"optional": 1}, "optional: 1 ... true or false"),
        ({"text": 3}, "text: 3 ... a text"),
    ],
)
def test_a_rule_that_does_not_do_is_refused(keys, said):
    refused(own_rules, [rule(**{"does": [{"verb": "discard"}]} | keys)], said=f"rules 1 ... {said}")


def test_the_arena_is_not_to_be_touched_in_the_middle_of_an_attack():
    move = {"verb": "move pucks", "from": "Prize", "to": "Arena"}
    entry = rule(when="after picking up", does=[move])
    refused(own_rules, [entry], said="the Arena is not to be touched 'after picking up'")


def test_a_puck_cannot_have_a_rule_of_another_kind(tmp_path):
    path = tmp_path / "own.toml"
    text = example_text().replace(
        'kind = "trainer"\nrule = "Nurse Joy"', 'kind = "item"\nrule = "Nurse Joy"'
    )
    path.write_text(text, encoding="utf-8")
    refused(read_catalogue, path, said="(Nurse Joy) rule: 'Nurse Joy' is not accepted; give one")


def test_a_record_with_a_rule_that_was_tampered_with_is_refused(tmp_path):
    catalogue = example(tmp_path)
    table = house_table([catalogue.find("zubat")] * 2, None, catalogue)
    stored = json.loads(record_json(record_of(table, ["random"] * 2, 1, "dice", [])))
    stored["table"]["rules"][0]["does"][0]["verb"] = "explode"
    refused(
        record_from, "record", stored, said="'explode' is not accepted; give one of give status"
    )
