"""Special rules of a user's own: what each verb does, at which points, and what is refused."""

import json
import re
import tomllib
from dataclasses import replace

import pytest

from pucklab.base.decoding import decode, encode
from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.core.records import read_record, record_json
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions
from pucklab.sim.pokepucks.battle.events import RuleUsed, StatusGained
from pucklab.sim.pokepucks.battle.explanations import explain
from pucklab.sim.pokepucks.battle.handling import why_not_gain
from pucklab.sim.pokepucks.battle.match import BATTLE, play_battle
from pucklab.sim.pokepucks.battle.players import GreedyPlayer
from pucklab.sim.pokepucks.battle.questions import Asking
from pucklab.sim.pokepucks.battle.setup_file import house_setup
from pucklab.sim.pokepucks.battle.state import Status, Step
from pucklab.sim.pokepucks.design_file import (
    example_text,
    read_catalogue,
)
from pucklab.sim.pokepucks.designs import Design
from pucklab.sim.pokepucks.special import shipped_rules, shipped_tables
from pucklab.sim.pokepucks.special.rule_tables import rules_from
from pucklab.sim.pokepucks.special.verbs import VERBS
from pucklab.sim.pokepucks.throw_sources import shipped_table
from tests.pokepucksbattles import (
    DiceThrows,
    battle,
    mixed_table,
    own_rules,
    random_battle,
    read_back,
    recorded,
    replayed,
)
from tests.refusals import refused
from tests.tables import cases, toml


def rule(**keys):
    """Return the table of a rule, an ability of Zubat's unless it is said otherwise."""
    return {"name": "Confuse Ray", "kind": "ability", "when": "after counting attacks", **keys}


def example(write):
    return read_catalogue(write("own.toml", example_text()))


def test_the_example_says_that_it_is_house_made_and_uses_most_verbs():
    assert "house-made" in example_text().splitlines()[0]
    entries = tomllib.loads(example_text())["rules"]
    assert {deed["verb"] for entry in entries for deed in entry["does"]} >= {
        "give status", "remove status", "change attacks", "grant attack", "limit pick-up",
        "move pucks", "discard",
    }  # fmt: skip


def renamed(value):
    """Return rules or designs with another name for every special rule that comes with pucklab."""
    text = json.dumps(encode(value), ensure_ascii=False)
    names = {name for rule in shipped_tables() for name in (rule.name, rule.listing)}
    for name in sorted(names - {"MissingNo.", "Pokéball"}, key=len, reverse=True):
        text = re.sub(rf'(rule|listing|needs_one|why|effect|to|name)": "{re.escape(name)}"',
                      rf'\1": "My {name}"', text)  # fmt: skip
        text = re.sub(rf"(?<!My )({re.escape(name)}) (unused|declared)", r"My \1 \2", text)
        text = text.replace(f'"not {name}"', f'"not My {name}"')
        text = text.replace(f'["{name}"]', f'["My {name}"]')
    return json.loads(text)


@pytest.mark.parametrize("seed", range(12))
def test_every_shipped_rule_acts_alike_from_a_users_file(seed):
    shipped = [rule for rule in shipped_tables() if not rule.pucks]
    rules = own_rules(renamed(shipped))
    assert {deed.verb for rule in rules for deed in rule.does} >= set(VERBS) - {"catch slammer"}
    table = mixed_table(2 + seed % 2, seed, max_turns=12)
    own = replace(table, rules=rules, pucks=tuple(
        replace(puck, design=decode(Design, renamed(puck.design) | {"name": puck.design.name}, ""))
        for puck in table.pucks))  # fmt: skip
    both = [random_battle(each, seed, flips=0.35) for each in (table, own)]
    told = [re.sub("My ", "", json.dumps([encode(e) for x in exchanges for e in x.events]))
            for exchanges in both]  # fmt: skip
    assert told[0] == told[1]


def test_in_battles_of_the_example_slammers_become_confused_and_pay(write):
    catalogue = example(write)
    table = house_setup(
        [catalogue.find("zubat"), catalogue.find("psyduck")], BattleOptions(max_turns=20), catalogue
    )
    assert {own.name for own in table.rules} == {"Confuse Ray", "Headache"}
    exchanges = list(play_battle(table, [GreedyPlayer(), RandomPlayer()], DiceThrows(), seed=2))
    events = [event for exchange in exchanges for event in exchange.events]
    assert any(isinstance(e, StatusGained) and e.status == Status.CONFUSED for e in events)
    assert {e.rule for e in events if isinstance(e, RuleUsed)} >= {"Confuse Ray", "Headache"}
    record = recorded(table, exchanges, 2, "dice")
    read = read_back(record)
    assert read == record
    assert replayed(read) == exchanges


BURN = rule(
    name="Burned",
    kind="status",
    when="before topping off",
    does=[
        {"verb": "move pucks", "from": "Health", "to": "Prize", "most": 2},
        {"verb": "remove status", "status": "Burned"},
    ],
)


def test_an_own_status_that_no_rule_defines_is_refused_with_those_there_are():
    give = rule(does=[{"verb": "give status", "status": "Burnt"}])
    refused(own_rules, [give, BURN], said="does 1 status: 'Burnt' ... Burned")
    assert own_rules([rule(does=[{"verb": "give status", "status": "Burned"}]), BURN])


@cases(
    "statuses condition health",
    """
    ["Burned"] => "Burned" => 8
    [] => "Burned" => 10
    ["Burned"] => "next Burned" => 10
    ["Burned"] => "Health at most 9" => 10
    ["Burned"] => "Health at least 10" => 8
    ["Burned"] => "next Prize at most 0" => 8
    ["Burned"] => "previous Power at least 1" => 10
    ["Burned"] => "Arena at least 8" => 8
    ["Burned"] => "attacks at most 0" => 8
    """,
    toml,
)
def test_a_status_acts_on_its_player_if_its_conditions_hold(statuses, condition, health):
    own = own_rules([BURN | {"if": [condition]}])
    fight = battle(statuses={0: statuses}, rules=rules_from(own), own=own)
    if getattr(fight.ask, "rule", "") == "Burned":
        fight.answer(fight.ask.options[:2])
    assert len(fight.state.health(0)) == health
    assert fight.state.has(0, "Burned") is (health == 10 and bool(statuses))


def test_critical_ends_an_own_status_and_bars_it_and_full_heal_removes_it():
    own = own_rules([BURN | {"if": ["Health at most 0"]}])
    burned = {
        "statuses": {0: ["Burned"]},
        "own": own,
        "rules": rules_from(own) + shipped_rules().rules,
    }
    fight = battle({"Arena": 5, "Health 0": 2}, sizes={"Arena": 8}, **burned)
    fight.answer(fight.ask.options)
    assert fight.state.statuses[0] == ("Critical",)
    assert "Critical" in why_not_gain(fight.state, 0, "Burned")
    fight = battle({"Power 0": ["Full Heal"]}, step=Step.BEFORE_COUNTING, **burned)
    fight.do(fight.asked(Asking.USE, 0)[0])
    assert not fight.state.statuses[0]


def test_the_greedy_player_overheats_only_where_the_burn_can_be_borne(write):
    catalogue = example(write)
    table = house_setup([catalogue.find("magmar")] * 2, None, catalogue)
    assert [own.name for own in table.rules] == ["Overheat", "Burned"]
    seed, health = 0, {True: [], False: []}
    while not (health[True] and health[False]):
        seed += 1
        exchanges = list(play_battle(table, [GreedyPlayer()] * 2, shipped_table(), seed))
        note_health(exchanges, health)
    assert min(health[True]) >= 6 > max(health[False])
    assert any(isinstance(e, StatusGained) and e.status == "Burned"
               for exchange in exchanges for e in exchange.events)  # fmt: skip
    record = recorded(table, exchanges, seed, "table")
    assert replayed(read_back(record)) == exchanges
    burned = next(
        x.after.state for x in exchanges if x.after.state.has(x.after.state.player, "Burned")
    )
    assert explain(burned, "burned")[0].startswith("Burned: Before topping off, two pucks")


def note_health(exchanges, health):
    """Note the Health of players who could use Overheat, by whether they did."""
    for exchange in exchanges:
        if getattr(exchange.before.ask, "rule", "") == "after counting attacks":
            rules = {use.rule for use in exchange.before.ask.options}
            if exchange.answer == () or rules == {"Overheat"}:
                used = bool(exchange.answer)
                health[used].append(len(exchange.before.state.health(exchange.before.ask.player)))


def test_the_arena_is_not_to_be_touched_in_the_middle_of_an_attack():
    move = {"verb": "move pucks", "from": "Prize", "to": "Arena"}
    entry = rule(when="after picking up", does=[move])
    refused(own_rules, [entry], said="the Arena is not to be touched 'after picking up'")


def test_a_puck_cannot_have_a_rule_of_another_kind(write):
    text = example_text().replace(
        'kind = "trainer"\nrule = "Nurse Joy"', 'kind = "item"\nrule = "Nurse Joy"'
    )
    path = write("own.toml", text)
    refused(read_catalogue, path, said="(Nurse Joy) rule: 'Nurse Joy' is not accepted; give one")


def test_a_record_with_a_rule_that_was_tampered_with_is_refused(write):
    catalogue = example(write)
    table = house_setup([catalogue.find("zubat")] * 2, None, catalogue)
    record = recorded(table, [], 1, "dice")
    text = record_json(BATTLE, record).replace("give status", "explode", 1)
    said = "'explode' is not accepted; give one of give status"
    refused(read_record, BATTLE, write("b.json", text), said=said)


def test_players_count_on_what_an_own_item_heals_before_a_top_off():
    heal = {"verb": "move pucks", "from": "Prize", "to": "Health"}
    balm = rule(name="Balm", kind="item", when="before topping off", does=[heal])
    many = balm | {"name": "Big Balm", "does": [heal | {"most": 3}]}
    assert [each.heals for each in rules_from(own_rules([balm, many]))] == [1, 3]
