"""The rulings of a battle, each as a short story in tests/data/pokepucks/rulings.txt.

After its title, a story has a line ``at`` with stacks from the floor up (a number stands for plain
pucks), max sizes, statuses, a rule of the user's own and whatever else `battle` of
`tests.pokepucksbattles` takes; ``do`` with answers, one after the other; and ``see`` with what is
so then, as `outcome` of that module has it. Pucks are numbered in the order of the stacks, those
that are not given last.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sim.pokepucks.battle.events import MatchupSet, Moved, PayerSet
from sim.pokepucks.battle.handling import gain, lose
from sim.pokepucks.battle.live import shot_of
from sim.pokepucks.battle.rules import Ledger, Point, Rule, Source
from sim.pokepucks.battle.state import (
    BOX,
    Grant,
    Matchup,
    Status,
    Step,
    collection,
    power,
    slammer,
)
from sim.pokepucks.battle.table import Mode, Table
from sim.pokepucks.battle.turn import topped_off_size
from sim.pokepucks.designs import Design, DesignKind, EnergyType, piece_of
from sim.pokepucks.special import SPECIAL_RULES
from sim.pokepucks.special.own_rules import rules_from
from tests.pokepucksbattles import ASH, BROCK, Battle, battle, outcome, own_rules
from tests.refusals import refused

TEXT = (Path(__file__).parent / "data" / "pokepucks" / "rulings.txt").read_text(encoding="utf-8")
STORIES = {
    title: lines
    for title, *lines in (story.split("\n  ") for story in re.split(r"\n(?! )", TEXT.strip()))
}
FIELDS = {"players", "slammers", "options", "step", "turn", "player", "payer", "playing", "in_turn"}


def start_of(told):
    """Return the battle of a line ``at``."""
    fields = {"stacks": {}, "sizes": {}, "statuses": {}, "effects": {}}
    for key, value in json.loads(told).items():
        word, _, rest = key.partition(" ")
        if word == "statuses":
            fields[word][int(rest)] = [Status(status) for status in value]
        elif word == "effects":
            fields[word][int(rest)] = value
        elif word == "size":
            fields["sizes"][rest] = value
        elif word == "rules":
            fields[word] = SPECIAL_RULES
        elif word == "own":
            fields["rules"] = (*SPECIAL_RULES, *rules_from(own_rules([value])))
        else:
            (fields if word in FIELDS else fields["stacks"])[key] = value
    options = fields.get("options", {})
    options |= {"mode": Mode(options["mode"])} if "mode" in options else {}
    fields |= {"step": Step(fields["step"])} if "step" in fields else {}
    fields |= {"playing": tuple(fields["playing"])} if "playing" in fields else {}
    return battle(**fields)


def hashed(value):
    """Return a value of JSON with tuples for lists."""
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_a_battle_goes_as_the_ruling_says(story):
    fight = None
    for line in story:
        word, _, rest = line.partition(" ")
        if word == "at":
            fight = start_of(rest)
        elif word == "do":
            fight.do(*rest.split("; "))
        else:
            assert word == "see"
            wanted = {key: hashed(value) for key, value in json.loads(rest).items()}
            assert outcome(fight, wanted) == wanted


ILL, SLEEP, PARALYZED = {ASH: [Status.CRITICAL]}, Status.SLEEP, Status.PARALYZED
CRITICAL, POISONED, CONFUSED = Status.CRITICAL, Status.POISONED, Status.CONFUSED
ASLEEP = {"statuses": {ASH: [SLEEP]}}
LAST = {"step": Step.KNOCK_OUT, "statuses": ILL}
"""A battle in which the previous player may try to knock Ash out at once."""

FIRE = EnergyType.FIRE
BOTH = Rule(
    name="Both",
    source=Source.EFFECT,
    point=Point.MATCHING,
    effect=lambda ledger, *_: ledger.enter(
        MatchupSet(matchup=Matchup(type=FIRE, weakness=FIRE, resistance=FIRE))
    ),
    optional=False,
)


def wild(*power, players=2, **options):
    """Return a wild battle in which Ash has pucks in Power."""
    none = {"Arena": 0, **{f"Health {player}": 0 for player in range(players)}}
    return {
        "stacks": {**none, "Power 0": power},
        "players": players,
        "statuses": {player: [CRITICAL] for player in range(players)},
        "options": {"mode": Mode.WILD, **options},
    }


def test_pp_13_weakness_and_resistance_to_the_same_type_are_one_attack():
    # One more, then one fewer; the other way round there would be two.
    assert battle(effects={ASH: ["Both"]}, rules=(BOTH,)).state.turn.attacks == 1


def test_pp_21_the_thrower_chooses_when_fewer_may_be_picked_up_than_flipped():
    two = {"grants": (Grant(rule="a rule", most=2),)}
    fight = battle({"Arena": ["Potion"] * 8}, step=Step.ATTACK, in_turn=two)
    fight.do("U D U D U D D D")
    wanted = {"next": "pucks to pick up 0: 0, 2, 4.", "refuses 4": "1 chosen; choose 2"}
    assert outcome(fight, wanted) == wanted
    fight.do("4, 0")
    assert fight.state.power(ASH) == (4, 0)


def test_pp_17_a_slammer_may_have_several_statuses_each_once():
    ledger = Ledger(battle().state)
    assert gain(ledger, ASH, SLEEP)
    assert gain(ledger, ASH, PARALYZED)
    assert not gain(ledger, ASH, SLEEP)
    assert ledger.state.statuses[ASH] == (SLEEP, PARALYZED)


def test_pp_17_statuses_stay_with_the_place_of_the_slammer():
    ledger = Ledger(battle({"Power 0": ["Bolt"]}, statuses={ASH: [SLEEP]}).state)
    (new,), old = ledger.state.power(ASH), ledger.state.slammer(ASH)
    ledger.enter(Moved(pucks=(old,), source=slammer(ASH), target=power(ASH)))
    ledger.enter(Moved(pucks=(new,), source=power(ASH), target=slammer(ASH)))
    assert ledger.state.slammer(ASH) == new
    assert ledger.state.statuses[ASH] == (SLEEP,)


def test_pp_24_every_slammer_stays_critical_and_no_status_is_barred_or_taken_away():
    ledger = Ledger(battle(**wild()).state)
    assert not lose(ledger, ASH, CRITICAL)
    assert gain(ledger, ASH, SLEEP)
    assert ledger.state.statuses[ASH] == (CRITICAL, SLEEP)
    options = {"mode": Mode.WILD}
    ledger = Ledger(battle(**ASLEEP, options=options, step=Step.OVER).state)
    assert gain(ledger, ASH, CRITICAL)
    assert ledger.state.statuses[ASH] == (SLEEP, CRITICAL)


def test_pp_27_a_throw_has_the_mass_of_its_slammers_design():
    fight = battle(slammers=("Onix", "Leaf"))
    assert shot_of(fight.state.table, fight.ask).slammer.mass_g == 20.0
    for mass_g in (1.9, 24.1):
        heavy = Design(name="X", kind=DesignKind.SLAMMER, mass_g=mass_g, thickness_mm=6.0)
        refused(piece_of, heavy, said="2 to 24")


def homes(fight, player):
    """Return whose pucks were those that a player's collection has now."""
    table = fight.state.table
    return {table.pucks[puck].owner for puck in fight.state.stack(collection(player))}


@pytest.mark.parametrize(
    ("options", "taken"),
    [({}, {ASH, BROCK}), ({"mode": Mode.TRAINING}, {BROCK}), ({"keeps": False}, {BROCK})],
)
def test_pp_22_who_picked_a_puck_up_takes_it_home_but_in_training(options, taken):
    fight = battle({"Prize 1": 2}, options=options, **LAST)
    fight.do("Leaf", "U")
    assert fight.state.winner == BROCK
    # Brock took the Arena, whose pucks were Ash's.
    assert (homes(fight, ASH), homes(fight, BROCK)) == ({ASH}, taken)


def test_pp_22_training_pucks_of_a_shared_box_go_back_into_it():
    fight = battle({"the collection": 1, "Health 0": 3}, options={"mode": Mode.TRAINING}, **LAST)
    arena, own = fight.state.arena, fight.state.table
    pucks = tuple(
        replace(puck, owner=None) if number in arena else puck
        for number, puck in enumerate(own.pucks)
    )
    table = Table(pucks=pucks, names=own.names, options=own.options)
    shared = Battle(replace(fight.moment().base, table=table))
    shared.do("Leaf", "U")
    assert shared.state.stack(BOX)[1:] == arena


def fight(arena, ash=10, brock=10, *, size=8, **others):
    """Return a battle before Ash's top-off, with so many pucks in the Arena and in Health."""
    stacks = {"Arena": arena, "Health 0": ash, "Health 1": brock, **others.pop("stacks", {})}
    return battle(stacks, sizes={"Arena": size}, **others)


@pytest.mark.parametrize(("size", "half"), [(8, 4), (9, 4), (2, 1), (1, 1)])
def test_pp_8_after_a_critical_player_the_arena_is_filled_to_half_rounded_down(size, half):
    # PP-35: half for Critical comes before one more for Poisoned.
    for own, filled in ([], half), ([POISONED], half + 1):
        ash = fight(0, size=size, statuses={ASH: own, BROCK: [CRITICAL]})
        assert topped_off_size(ash.state) == filled
        ash.do(", ".join(map(str, range(filled))))
        assert len(ash.state.arena) == filled


def test_pp_15_who_flips_and_may_pick_nothing_up_pays():
    ash = fight(7, 5, statuses={ASH: [CONFUSED, SLEEP]})
    assert PayerSet(player=ASH) in ash.do("8", "U D D D D D D D")
