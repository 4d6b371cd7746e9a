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
    example_text,
    read_catalogue,
)
from sim.pokepucks.special import shipped_rules
from sim.pokepucks.special.own_rules import VERBS, rules_of
from tests.pokepucksbattles import DiceThrows, own_rules
from tests.refusals import refused


def rule(**keys):
    """Return the table of a rule, an ability of Zubat's unless it is said otherwise."""
    return {"name": "Confuse Ray", "kind": "ability", "when": "after counting attacks", **keys}


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
