"""Special rules of a user's own: what each verb does, at which points, and what is refused."""

import json
import tomllib
from dataclasses import replace

import pytest

from physics import InputError
from sim.pokepucks.battle.events import RuleUsed, StatusGained
from sim.pokepucks.battle.live import begin, play_battle
from sim.pokepucks.battle.players import GreedyPlayer, RandomPlayer
from sim.pokepucks.battle.questions import Asking
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
from tests.pokepucksbattles import ASH, BROCK, MISTY, DiceThrows, battle, own_rules
from tests.refusals import refused

NONE = "D D D D D D D D"
TWO = "D D D D D D U U"


def rule(**keys):
    """Return the table of a rule, an ability of Zubat's unless it is said otherwise."""
    return {"name": "Confuse Ray", "kind": "ability", "when": "after counting attacks", **keys}


def fight(deeds, stacks=None, *, others=None, **keys):
    """Return a battle in which Ash has Zubat, with a rule of that effect."""
    own = rules_from(own_rules([rule(does=deeds, **keys)]))
    slammers = ("Zubat", "Grey", "Mind")
    given = {"players": 2, **(others or {})}
    return battle(stacks, slammers=slammers, rules=(*SPECIAL_RULES, *own), **given)


def test_give_status_reaches_the_next_player():
    ash = fight([{"verb": "give status", "status": "Confused", "player": "next"}])
    ash.do("Confuse Ray")
    assert ash.state.statuses == ((), (Status.CONFUSED,))


def test_give_status_reaches_the_previous_player_of_three_and_the_owner():
    deeds = [
        {"verb": "give status", "status": "Poisoned", "player": "previous"},
        {"verb": "give status", "status": "Paralyzed"},
    ]
    ash = fight(deeds, others={"players": 3})
    ash.do("Confuse Ray")
    assert ash.state.statuses[MISTY] == (Status.POISONED,)
    assert ash.state.statuses[ASH] == (Status.PARALYZED,)
    assert ash.state.statuses[BROCK] == ()


def test_pp_7_no_status_is_given_to_a_critical_slammer():
    deeds = [{"verb": "give status", "status": "Confused", "player": "next"}]
    ash = fight(deeds, others={"statuses": {BROCK: [Status.CRITICAL]}})
    ash.thrown(ASH)  # the rule would do nothing, and is not offered


def test_remove_status_and_a_condition_on_the_own_status():
    deeds = [{"verb": "remove status", "status": "Poisoned"}]
    keys = {"if": ["Poisoned"], "optional": False}
    poisoned = fight(deeds, others={"statuses": {ASH: [Status.POISONED]}}, **keys)
    poisoned.do(poisoned.asked(Asking.TOP_OFF, ASH)[0])
    assert poisoned.state.statuses[ASH] == ()
    assert not any(use.rule == "Confuse Ray" for use in fight(deeds, **keys).state.turn.used)


@pytest.mark.parametrize(("by", "attacks"), [(2, 3), (-3, 1)])
def test_change_attacks_keeps_at_least_one(by, attacks):
    ash = fight([{"verb": "change attacks", "by": by}], optional=False)
    assert ash.state.turn.attacks == attacks


def test_set_attacks():
    ash = fight([{"verb": "set attacks", "to": 4}], when="setting the attacks to one")
    assert ash.asked(Asking.USE, ASH) == [f"Confuse Ray {ash.state.slammer(ASH)}"]
    ash.do("Confuse Ray")
    assert ash.state.turn.attacks == 4


def test_grant_attack_is_made_next_with_its_limit_and_once_a_turn():
    ash = fight([{"verb": "grant attack", "most": 1}], when="after all attacks", optional=False)
    ash.do(NONE)
    ash.thrown(ASH)
    ash.do(TWO)
    assert len(ash.asked(Asking.PICK_UP, ASH)) == 2
    ash.do(str(ash.state.arena[-1]))
    assert len(ash.state.turns[ASH].picked if ash.state.turns[ASH] else ()) == 1
    ash.asked(Asking.TOP_OFF, BROCK)


def test_limit_pick_up_lets_the_thrower_choose():
    ash = fight(
        [{"verb": "limit pick-up", "most": 1}],
        when="counting what is picked up",
        optional=False,
    )
    ash.do(TWO)
    assert len(ash.asked(Asking.PICK_UP, ASH)) == 2


def test_limit_pick_up_never_raises_another_limit():
    ash = fight(
        [{"verb": "limit pick-up", "most": 3}],
        when="counting what is picked up",
        optional=False,
        others={"effects": {ASH: ["Defense Curl's pick-up less"]}},
    )
    ash.do(TWO)
    ash.asked(Asking.PICK_UP, ASH)
    ash.do(str(ash.state.arena[-1]))
    assert len(ash.state.turns[ASH].picked if ash.state.turns[ASH] else ()) == 1


MOVES = [
    ("Prize", "Health", 2, {"Prize 0": 3, "Health 0": 9}, {"Health 0": 10}, (10, 2)),
    ("Prize", "Health", 2, {"Prize 0": 3, "Health 0": 5}, {"Health 0": 10}, (7, 1)),
    ("Prize", "Health", 5, {"Prize 0": 3, "Health 0": 5}, {"Health 0": 10}, (8, 0)),
]


@pytest.mark.parametrize(("source", "to", "most", "stacks", "sizes", "left"), MOVES)
def test_pp_42_pucks_move_to_health_as_long_as_there_is_room(source, to, most, stacks, sizes, left):
    deeds = [{"verb": "move pucks", "from": source, "to": to, "most": most}]
    ash = fight(deeds, stacks, others={"sizes": sizes}, optional=False)
    if ash.ask is not None and getattr(ash.ask, "asking", None) is Asking.RULE:
        ash.do(
            ", ".join(map(str, ash.state.prize(ASH)[: min(most, 10 - len(ash.state.health(ASH)))]))
        )
    assert (len(ash.state.health(ASH)), len(ash.state.prize(ASH))) == left


def test_the_owner_of_a_stack_picks_the_pucks_that_leave_it():
    deeds = [{"verb": "move pucks", "from": "Power", "to": "Prize", "player": "next"}]
    ash = fight(deeds, {"Power 1": ["Potion", "Berry"]}, optional=False)
    assert len(ash.asked(Asking.RULE, BROCK)) == 2
    ash.do("Berry")
    assert [ash.state.design(puck).name for puck in ash.state.prize(BROCK)] == ["Berry"]


def test_from_the_arena_the_topmost_go():
    deeds = [{"verb": "move pucks", "from": "Arena", "to": "Prize", "most": 2}]
    ash = fight(deeds, when="after topping off")
    top = ash.state.arena[:-3:-1]
    ash.do("Confuse Ray")
    assert ash.state.prize(ASH) == top


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


def test_pp_47_a_rule_on_pick_ups_does_not_act_on_an_attack_out_of_turn():
    keys = {"kind": "support", "when": "counting what is picked up", "optional": False}
    deeds = [{"verb": "give status", "status": "Sleep", "player": "next"}]
    own = rules_from(own_rules([rule(does=deeds, **keys)]))
    ash = battle(
        {"Power 1": ["Zubat"], "Prize 1": 2, "Health 1": 8},
        slammers=("Grey", "Bulbasaur"),
        sizes={"Health 1": 10},
        rules=(*SPECIAL_RULES, *own),
    )
    ash.do(NONE, "Leech Seed", TWO)
    assert ash.state.statuses == ((), ())


def test_a_rule_acts_once_a_turn():
    deeds = [{"verb": "grant attack"}]
    ash = fight(deeds, when="after an attack", optional=False)
    ash.do(NONE, NONE)
    ash.thrown(BROCK)


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
    with pytest.raises(
        InputError, match=r"\(Nurse Joy\) rule: 'Nurse Joy' is not accepted; give one"
    ):
        read_catalogue(path)


def test_a_record_with_a_rule_that_was_tampered_with_is_refused(tmp_path):
    catalogue = example(tmp_path)
    table = house_table([catalogue.find("zubat")] * 2, None, catalogue)
    stored = json.loads(record_json(record_of(table, ["random"] * 2, 1, "dice", [])))
    stored["table"]["rules"][0]["does"][0]["verb"] = "explode"
    with pytest.raises(InputError, match="'explode' is not accepted; give one of give status"):
        record_from("record", stored)
