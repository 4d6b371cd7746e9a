"""Random battles with random options, pucks and rule files, under the eyes of another program.

The checker (`tests.battlechecker`) reads the set-up and the events as JSON and shares no code with
the rules.
"""

import json
from functools import cache

import numpy as np
import pytest

from pucklab.base.decoding import encode
from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.pokepucks.battle.live import LiveBattle, decide_first
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.record import table_json
from pucklab.sim.pokepucks.battle.setup import new_battle
from tests.battlechecker import BrokenRuleError, check_battle
from tests.pokepucksbattles import DiceThrows
from tests.randombattles import GENERAL_VERBS, STATUSES, one, random_table

ALWAYS = 100
SLOW = 10_000


@cache
def told_battle(seed):
    """Return a random battle's set-up and events, as they are written to files."""
    rng = np.random.default_rng(seed)
    throws = DiceThrows(float(one(rng, (0.05, 0.2, 0.5))))
    table, _ = decide_first(random_table(rng), throws, seed)
    exchanges = play_battle(table, [RandomPlayer()] * table.players, throws, seed)
    opening = LiveBattle(new_battle(table)).news
    events = [*opening, *(event for exchange in exchanges for event in exchange.events)]
    told = json.dumps([table_json(table), [encode(event) for event in events]])
    return tuple(json.loads(told))


def test_random_battles_break_no_rule():
    for seed in range(ALWAYS):
        check_battle(*told_battle(seed))


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(ALWAYS // 100, SLOW // 100))
def test_ten_thousand_random_battles_break_no_rule(hundred):
    for seed in range(100 * hundred, 100 * hundred + 100):
        check_battle(*told_battle(seed))


def test_random_battles_have_every_event_verb_status_and_mode():
    seen = set()
    for seed in range(100):
        table, events = told_battle(seed)
        seen |= {table["options"].get("mode", "battle")}
        seen |= {event["event"] for event in events}
        seen |= {event["status"] for event in events if event["event"] == "StatusGained"}
        used = {event["rule"] for event in events if event["event"] == "RuleUsed"}
        acted = [rule for rule in table.get("rules", []) if rule["name"] in used]
        seen |= {deed["verb"] for rule in acted for deed in rule["does"]}
    wanted = {"battle", "training", "wild", *STATUSES, *GENERAL_VERBS}
    wanted |= {"Moved", "PickedUp", "WentOut", "Won", "Drawn", "PayerSet", "SizeSet", "Arranged"}
    assert wanted <= seen


BREAKS = {
    "a puck that vanishes": ("Moved", lambda e: e["pucks"].pop()),
    "a puck of another stack": ("Moved", lambda e: e.update(source="Prize 1")),
    "a puck too many in a top-off": ("Moved", lambda e: e["pucks"].append(e["pucks"][0])),
    "an attack too many": ("AttacksSet", lambda e: e.update(attacks=e["attacks"] + 1)),
    "a puck that did not flip": (
        "Thrown",
        lambda e: e.update(outcome=e["outcome"].replace("U", "D")),
    ),
    "a pick-up of somebody else": ("PickedUp", lambda e: e.update(player=1 - e["player"])),
    "a pick-up into Health": ("PickedUp", lambda e: e.update(target=f"Health {e['player']}")),
    "a turn out of order": ("TurnBegan", lambda e: e.update(player=1 - e["player"])),
    "a throw at another stack": ("Thrown", lambda e: e["targets"].reverse()),
    "another order of the Arena": ("Arranged", lambda e: e["order"].reverse()),
    "a rule of nobody's": ("RuleUsed", lambda e: e.update(player=1 - e["player"])),
}


@pytest.mark.parametrize(("kind", "change"), BREAKS.values(), ids=list(BREAKS))
def test_the_checker_notices(kind, change):
    seed = next(
        s for s in range(400)
        if len(told_battle(s)[0]["names"]) == 2
        and {kind, "PickedUp"} <= {event["event"] for event in told_battle(s)[1]}
        and "mode" not in told_battle(s)[0]["options"]
    )  # fmt: skip
    table, events = told_battle(seed)
    check_battle(table, events)
    noticed = tried = 0
    places = [i for i, event in enumerate(events) if event["event"] == kind]
    for place in places:
        broken = json.loads(json.dumps(events))
        change(broken[place])
        if broken[place] == events[place]:
            continue
        tried += 1
        try:
            check_battle(table, broken)
        except BrokenRuleError:
            noticed += 1
    assert noticed == tried > 0
