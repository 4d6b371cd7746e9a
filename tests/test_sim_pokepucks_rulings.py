"""The rulings of a battle, its set-up and players' decisions, each as a short story in a text.

After its title, a story of tests/data/pokepucks has a line ``at`` with stacks from the floor up (a
number stands for plain pucks), max sizes, statuses, a rule of the user's own and whatever else
`battle` of `tests.pokepucksbattles` takes, or a line ``set`` with what `table_of` takes; ``do``
with answers, one after the other, or ``until`` something is asked; and ``see`` with what is so
then, as `outcome` of that module has it. Pucks are numbered in the order of the stacks, those that
are not given last.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pucklab.base.decoding import decode
from pucklab.physics import InputError
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, Mode
from pucklab.sim.pokepucks.battle.events import Arranged, AttackBarred, MatchupSet, Moved, apply
from pucklab.sim.pokepucks.battle.handling import gain, give, lose
from pucklab.sim.pokepucks.battle.live import shot_of
from pucklab.sim.pokepucks.battle.questions import Question
from pucklab.sim.pokepucks.battle.rule_book import Ledger, Point, Rule, Source
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.state import ARENA, Matchup, Status, Step, health, power, prize
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind, EnergyType
from pucklab.sim.pokepucks.special import known_rules, shipped_rules
from pucklab.sim.pokepucks.special.rule_tables import rules_from
from tests.pokepucksbattles import ASH, Battle, battle, outcome, own_rules, table_of
from tests.refusals import refused
from tests.tables import stories

TEXT = "".join(
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "data" / "pokepucks").glob("*.txt"))
)
STORIES = stories(TEXT)
FIELDS = {
    "players", "slammers", "options", "step", "turn", "player", "payer", "playing", "in_turn",
    "boxed",
}  # fmt: skip


def options_of(told):
    """Return the options that a story tells."""
    found = decode(BattleOptions, told.pop("options", {}), "options")
    return {name: getattr(found, name) for name in BattleOptions.__dataclass_fields__}


def start_of(told):
    """Return the battle of a line ``at``."""
    fields = {"stacks": {}, "sizes": {}, "statuses": {}, "effects": {}, "options": options_of(told)}
    for key, value in told.items():
        word, _, rest = key.partition(" ")
        if word in {"statuses", "effects"}:
            fields[word][int(rest)] = [Status(s) for s in value] if word == "statuses" else value
        elif word == "size":
            fields["sizes"][rest] = value
        elif word == "rules":
            fields[word] = shipped_rules().rules
        elif word == "own":
            fields["rules"] = (*shipped_rules().rules, *rules_from(own_rules([value])))
        else:
            (fields if word in FIELDS else fields["stacks"])[key] = value
    fields |= {"step": Step(fields["step"])} if "step" in fields else {}
    fields |= {"playing": tuple(fields["playing"])} if "playing" in fields else {}
    return battle(**fields)


def until(fight, asking):
    """Answer with the first options until something is asked for, or the first turn begins."""
    while not fight.state.turn.number:
        assert isinstance(fight.ask, Question)
        if fight.ask.asking == asking:
            return
        fight.answer(fight.ask.options[: fight.ask.least])
    assert asking == "first turn"


def hashed(value):
    """Return a value of JSON with tuples for lists."""
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_a_battle_goes_as_the_story_says(story):
    fight = None
    for line in story:
        word, _, rest = line.partition(" ")
        if word == "at":
            fight = start_of(json.loads(rest))
        elif word == "set":
            told = json.loads(rest)
            fight = Battle(new_battle(table_of(**told | {"options": options_of(told)})))
        elif word == "until":
            until(fight, rest)
        elif word == "do":
            fight.do(*rest.split("; "))
        else:
            assert word == "see"
            wanted = {key: hashed(value) for key, value in json.loads(rest).items()}
            assert outcome(fight, wanted) == wanted


FIRE = EnergyType.FIRE
BOTH = Rule(
    name="Both",
    kind=Source.EFFECT,
    when=Point.MATCHING,
    does=(),
    effect=lambda ledger, *_: ledger.enter(
        MatchupSet(matchup=Matchup(type=FIRE, weakness=FIRE, resistance=FIRE))
    ),
    optional=False,
)


def test_pp_13_weakness_and_resistance_to_the_same_type_are_one_attack():
    # One more, then one fewer; the other way round there would be two.
    assert battle(effects={ASH: ["Both"]}, rules=(BOTH,)).state.turn.attacks == 1


def test_pp_24_every_slammer_stays_critical_and_no_status_is_barred_or_taken_away():
    for first, gained in ((Status.CRITICAL, Status.SLEEP), (Status.SLEEP, Status.CRITICAL)):
        wild = {"options": {"mode": Mode.WILD}, "step": Step.OVER}
        ledger = Ledger(battle(statuses={ASH: [first]}, **wild).state)
        gain(ledger, ASH, gained)
        lose(ledger, ASH, Status.CRITICAL)
        assert ledger.state.statuses[ASH] == (first, gained)


def test_pp_27_a_throw_has_the_mass_of_its_slammers_design():
    fight = battle(slammers=("Onix", "Leaf"))
    assert shot_of(fight.state.table, fight.ask).slammer.mass_g == 20.0


def test_pp_34_a_ball_has_no_types():
    fight = battle(slammers=("Heavy Ball", "Grey"), rules=shipped_rules().rules)
    assert fight.state.turn.matchup.type is None


def test_pp_42_whatever_a_rule_gives_health_is_not_overfilled():
    ledger = Ledger(battle({"Prize 0": 3}, sizes={"Health 0": 11}).state)
    give(ledger, ledger.state.prize(ASH), prize(ASH), health(ASH), "a rule")
    assert (len(ledger.state.health(ASH)), ledger.state.prize(ASH)) == (11, (1, 2))


def test_every_listed_rule_is_known_and_every_known_rule_is_listed():
    for kind in DesignKind:
        listed = {d.rule for d in shipped_catalogue().designs if d.kind is kind and d.rule}
        assert listed == set(known_rules(kind))


def test_an_event_that_does_not_fit_is_refused():
    state = battle().state
    with pytest.raises(InputError, match="puck 0: it is not in the Health of Ash"):
        apply(state, Moved(pucks=(0,), source=health(ASH), target=power(ASH)))
    with pytest.raises(InputError, match="give the pucks of the Arena"):
        apply(state, Arranged(place=ARENA, order=(0, 0, 1, 2, 3, 4, 5, 6)))
    with pytest.raises(InputError, match="no attack"):
        apply(replace(state, attack=None), AttackBarred(why="Sleep"))


@pytest.mark.parametrize(
    ("fields", "answer", "said"),
    [
        ({"stacks": {"Arena": 6}, "sizes": {"Arena": 8}}, [6, 7], "give a selection of options"),
        ({"stacks": {"Arena": 6}, "sizes": {"Arena": 8}}, ("seven",), "choose from Plain Puck 6"),
        ({}, (0,), "give the outcome of a throw"),
        ({"step": Step.OVER}, (), "the battle is over"),
    ],
)
def test_an_answer_that_is_none_is_refused(fields, answer, said):
    refused(battle(**fields).answer, answer, said=said)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (table_of(2, 13), "the collection of Ash has 13 that are no slammers; give at least 14"),
        (table_of(3, 12, boxed=True), "the collection has 36 that are no slammers; give at least"),
        (table_of(2, 14, []), "slammer: the collection of Ash has none"),
    ],
    ids=["too few pucks", "too few in the box", "no slammer"],
)
def test_a_collection_that_does_not_do_is_refused(table, said):
    refused(new_battle, table, said=said)


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (1, {}, "players: 1 is not accepted"),
        (9, {}, "players: 9 is not accepted"),
        (2, {"buy_in": 21}, "buy_in: 21 is not accepted"),
        (2, {"buy_in": (9, 9, 9)}, "give 2 numbers"),
    ],
)
def test_pp_53_players_and_buy_ins_that_do_not_do_are_refused(players, options, said):
    refused(table_of, players, options=options, said=said)
