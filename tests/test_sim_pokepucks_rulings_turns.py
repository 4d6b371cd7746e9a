"""Attacks, knock-out attempts, discards and ends: tables of stacks, answers and what comes of them.

Pucks are numbered as the stacks are given; by default the Arena's are 0 to 7.
"""

from dataclasses import replace

import pytest

from sim.pokepucks.battle.events import MatchupSet, Moved
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
from sim.pokepucks.designs import Design, DesignKind, EnergyType, piece_of
from sim.pokepucks.special import SPECIAL_RULES
from sim.pokepucks.special.abilities import at_once
from tests.pokepucksbattles import ASH, BROCK, GARY, MISTY, Battle, battle, check_ruling
from tests.refusals import refused

CRITICAL, PARALYZED, SLEEP, CONFUSED = (
    Status.CRITICAL,
    Status.PARALYZED,
    Status.SLEEP,
    Status.CONFUSED,
)
SEVEN = " D" * 7
EIGHT = tuple(range(8))
WEAK = {"slammers": ("Charmander", "Leaf")}
ASLEEP = {"statuses": {ASH: [SLEEP]}}
FALLEN = {"Arena": 5, "Health 0": 0}
"""Stacks of an Ash who cannot top off; his slammer is puck 5."""

LAST = {"step": Step.KNOCK_OUT, "statuses": {ASH: [CRITICAL]}}
"""A battle in which the previous player may try to knock Ash out at once."""

FIRE = EnergyType.FIRE
BOTH = Rule(
    name="Both",
    source=Source.EFFECT,
    point=Point.MATCHING,
    effect=at_once(
        lambda ledger, *_: ledger.enter(
            MatchupSet(matchup=Matchup(type=FIRE, weakness=FIRE, resistance=FIRE))
        )
    ),
    optional=False,
)


def stacked(*power, **stacks):
    """Return a set-up with pucks in Ash's Power, and other stacks."""
    return {"stacks": {"Power 0": power, **stacks}}


def critical(**fields):
    """Return a battle in which the previous player may try to knock Ash out."""
    return {"stacks": FALLEN, "sizes": {"Arena": 8}, **fields}


def wild(*power, players=2, **options):
    """Return a wild battle in which Ash has pucks in Power."""
    none = {"Arena": 0, **{f"Health {player}": 0 for player in range(players)}}
    return {
        "stacks": {**none, "Power 0": power},
        "players": players,
        "statuses": {player: [CRITICAL] for player in range(players)},
        "options": {"mode": Mode.WILD, **options},
    }


ATTACKS = {
    **{
        f"PP-13 {what} makes {count}": ({"slammers": pair}, (), {"attacks": count})
        for what, pair, count in (
            ("nothing", ("Leaf", "Grey"), 1),
            ("weakness", ("Charmander", "Leaf"), 2),
            ("weakness of a slammer with resistance", ("Pikachu", "Lapras"), 2),
            ("resistance", ("Squirtle", "Pikachu"), 1),
        )
    },
    # One more, then one fewer; the other way round there would be two.
    "PP-13 weakness and resistance to the same type are one attack": (
        {"effects": {ASH: ["Both"]}, "rules": (BOTH,)}, (), {"attacks": 1},
    ),
    "PP-13 Paralyzed is one attack fewer": (
        {**WEAK, "statuses": {ASH: [PARALYZED]}}, (), {"attacks": 1},
    ),
    "PP-13 but at least one": ({"statuses": {ASH: [PARALYZED]}}, (), {"attacks": 1}),
    "PP-13 Sleep sets the attacks to one last": ({**WEAK, **ASLEEP}, (), {"attacks": 1}),
    "PP-14 in sleep a flip ends it and nothing is picked up": (
        ASLEEP, ("D D D D D D D U",), {"statuses 0": (), "count Arena": 8, "Prize 0": ()},
    ),
    "PP-14 without a flip sleep stays": (ASLEEP, ("D D D L D D D O",), {"statuses 0": (SLEEP,)}),
    "PP-18 flipped pucks that are not picked up are restacked like the rest": (
        ASLEEP, ("D1 D2 D3 U0 D5 D6 D7 D8",), {"Arena": (3, 0, 1, 2, 4, 5, 6, 7)},
    ),
    "PP-19 pucks are restacked by distance, the nearest at the bottom": (
        {}, ("D80 D10 D70 U5 D60 D20 D50.5 D50.4",), {"Arena": (1, 5, 7, 6, 4, 2, 0)},
    ),
    "PP-19 ties keep the order of the stack": (
        {}, ("D9 D9 D5 D9 D5 D9 D5 D9",), {"Arena": (2, 4, 6, 0, 1, 3, 5, 7)},
    ),
    "PP-19 pucks that left the arena go on top as the thrower likes": (
        {}, ("O1 D2 O3 D4 O0 D6 D7 D8",),
        {"next": "order of the pucks that left the arena 0: 0, 2, 4."},
        ("2, 4, 0",), {"Arena": (1, 3, 5, 6, 7, 2, 4, 0)},
    ),
    "PP-20 nothing moves when a thrower misses": (
        {}, ("miss 8",), {"Arena": EIGHT, "count Health 0": 10, "Prize 0": ()},
    ),
    "PP-21 the thrower chooses when fewer may be picked up than flipped": (
        {"stacks": {"Arena": ["Potion"] * 8}, "step": Step.ATTACK,
         "in_turn": {"grants": (Grant(rule="a rule", most=2),)}},
        ("U D U D U D D D",),
        {"next": "pucks to pick up 0: 0, 2, 4.", "refuses 4": "1 chosen; choose 2"},
        ("4, 0",), {"Power 0": (4, 0)},
    ),
    "all flipped pucks are picked up and nobody is asked which": (
        {}, ("U D U D U D D D",), {"Prize 0": (0, 2, 4), "player": BROCK},
    ),
    "PP-28 a leaning puck is not flipped and is restacked": (
        {}, ("L90" + SEVEN,), {"Prize 0": (), "Arena": (1, 2, 3, 4, 5, 6, 7, 0)},
    ),
    "PP-29 Items, Trainers and slammers go to Power and the rest to Prize": (
        {"stacks": {"Arena": ["Potion", "Mr. Smith", "Bolt", "Plain Puck", *["Potion"] * 4]}},
        ("U U U U D D D D",), {"Power 0": (0, 1, 2), "Prize 0": (3,)},
    ),
    "PP-29 slammers may go to Prize": (
        {"stacks": {"Arena": ["Bolt"] * 8}, "options": {"slammers_picked_to": "prize"}},
        ("U" + SEVEN,), {"Prize 0": (0,)},
    ),
    "PP-30 a puck counts by its own face wherever it lies": (
        {}, ("D0 U0 D0 U0 D0 D0 D0 D0",), {"Prize 0": (1, 3)},
    ),
    "PP-39 pucks outside must be put back": (
        {}, ("O O D D D D D D",), {"refuses -": "0 chosen; choose 2"},
        ("1, 0",), {"count Arena": 8},
    ),
    "PP-40 a miss is a throw and an attack, and sleep stays": (
        ASLEEP, ("miss 8",),
        {"turn throws": 1, "turn made": 1, "turn flipped": 0, "statuses 0": (SLEEP,)},
    ),
    "PP-41 attacks at an empty Arena are made and miss": (
        {**WEAK, "stacks": {"Arena": 0, "Health 0": 0}, "sizes": {"Arena": 8}}, ("-",),
        {"turn attacks": 2, "turn made": 2, "turn throws": 2, "player": BROCK},
    ),
    "PP-41 an Arena of one puck is thrown at": (
        {"stacks": {"Arena": 1}}, ("U",), {"Prize 0": (0,)},
    ),
    "the flips of every attack of a turn add up": (
        WEAK, ("U U D D D D D D", "U D D D D D"),
        {"turn made": 2, "turn flipped": 3, "turn picked": (0, 1, 2)},
    ),
}  # fmt: skip

KNOCK_OUTS = {
    "PP-10 after an attempt slammer and Arena are as they were": (
        critical(), ("Leaf",), {"Arena": (5,), "set aside": (0, 1, 2, 3, 4)},
        ("D40",), {"Arena": (0, 1, 2, 3, 4), "slammer 0": (5,), "set aside": ()},
    ),
    "PP-10, PP-32 the Arena and its size stay when the slammer flipped, and the turn is over": (
        critical(players=3), ("Leaf", "U"),
        {"Arena": (0, 1, 2, 3, 4), "size Arena": 8, "player": BROCK},
    ),
    "PP-11 the previous player makes one throw with his slammer": (
        critical(players=3), (), {"next": "knock-out 2: 5."}, ("Leaf",), {"next": "throw 2"},
        ("D",), {"next": "throw 0"},
    ),
    **{
        f"PP-11 a slammer that ends as {how} is not flipped": (
            critical(), ("Leaf", how), {"playing": (ASH, BROCK), "next": "throw 0"},
        )
        for how in ("miss 1", "D", "L", "O")
    },
    "PP-11 flipped, its player is out with all his pucks": (
        {"stacks": {**FALLEN, "Power 0": 2, "Prize 0": 3}, "players": 3, "sizes": {"Arena": 8}},
        ("Leaf", "U"),
        {"playing": (BROCK, MISTY), "count collection 0": 6, "slammer 0": (), "Power 0": ()},
    ),
    "PP-11 the previous player need not try": (critical(), ("-",), {"next": "throw 0"}),
    "PP-12 previous and next player are those still in the battle": (
        critical(players=4, playing=(ASH, MISTY),
                 stacks={**FALLEN, "slammer 3": 0, "Health 3": 0, "slammer 1": 0, "Health 1": 0}),
        (), {"next": "knock-out 2"}, ("-", "miss 5"), {"player": MISTY},
    ),
    "PP-24 a wild turn is knock-out and discards without top-off or attacks": (
        wild("Potion"), (), {"next": "knock-out 1"},
        ("Leaf", "-", "D"), {"next": "pucks to discard 0: 0.", "attacks": 0},
        ("-",), {"player": BROCK, "next": "knock-out 0"},
    ),
    # Surf would come before it.
    "PP-24 in a wild turn nothing comes after a top-off": (
        {**wild(), "slammers": ("Lapras", "Grey"), "rules": SPECIAL_RULES}, (),
        {"next": "knock-out 1"},
    ),
    "PP-31 the last player wins at the end of the turn and takes the Arena": (
        critical(), ("Leaf", "U"), {"winner": BROCK, "Arena": (), "count collection 1": 16},
    ),
    "PP-32 the loser's statuses and pending effects vanish": (
        critical(players=3, effects={ASH: ["Dig"]}), ("Leaf", "U"),
        {"statuses 0": (), "effects 0": ()},
    ),
    "PP-33 no status of the thrower matters and nothing is counted or picked up": (
        critical(statuses={BROCK: [SLEEP, CONFUSED]}), ("Leaf", "D"),
        {"statuses 1": (SLEEP, CONFUSED), "throws": 0, "next": "throw 0"},
    ),
    "PP-51 the defender stacks shields in his order after the attempt is declared": (
        wild("Plain Puck", "Potion", "Berry"), ("Leaf",), {"next": "shields 0: 0, 1, 2."},
        ("2, 0",), {"Arena": (3, 2, 0)},
    ),
    "PP-51 unflipped shields return to Power and flipped ones go to the attacker's Prize": (
        wild("Plain Puck", "Potion", "Berry"), ("Leaf", "2, 0, 1", "D O U U"),
        {"Power 0": (2,), "Prize 1": (0, 1)},  # Items, too
    ),
    "PP-51 nothing is picked up if the slammer flipped": (
        wild("Plain Puck", "Potion", players=3), ("Leaf", "0, 1", "U U D"),
        {"Prize 2": (), "count collection 0": 3},
    ),
    "PP-51 shields may be barred to plain pucks": (
        wild("Plain Puck", "Potion", plain_shields=False), ("Leaf",),
        {"next": "shields 0: 1.", "refuses 0": "plain pucks are no shields in this battle (PP-51)"},
    ),
    "PP-56 an attempt is allowed before the previous player had a turn": (
        critical(turn=1), (), {"next": "knock-out 1"},
    ),
    "PP-56 it may be barred": (
        critical(turn=1, options={"first_turn_ko": False}), (), {"next": "throw 0"},
    ),
    "every player may go out until one is left": (
        wild(players=4), ("Leaf", "U", "Grey", "U", "Bolt", "U"), {"winner": GARY, "playing": ()},
    ),
}  # fmt: skip

ENDS = {
    "PP-23 a battle is a draw after the limit of turns for each player": (
        {"turn": 1, "options": {"max_turns": 2}}, ("miss 8",) * 3,
        {"next": "throw 1", "playing": (ASH, BROCK)}, ("miss 8",), {"playing": (), "winner": None},
    ),
    "PP-23 turns are counted for who is out as well": (
        {"stacks": {"slammer 2": 0, "Health 2": 0}, "players": 3, "turn": 4,
         "options": {"max_turns": 2}, "playing": (ASH, BROCK)},
        ("miss 8", "miss 8"), {"playing": (ASH, BROCK)}, ("miss 8",), {"playing": ()},
    ),
    "PP-23 who is last in the battle in the last turn still wins": (
        {"turn": 4, "options": {"max_turns": 2}, **LAST}, ("Leaf", "U"), {"winner": BROCK},
    ),
    # The Arena's pucks were Ash's.
    "PP-52 in a draw all take their stacks and the Arena goes home": (
        {"stacks": {"Arena": 8, "Power 1": ["Potion"], "Prize 1": 3}, "turn": 2, "player": BROCK,
         "options": {"max_turns": 1}},
        ("miss 8", "-"), {"count collection 0": 19, "count collection 1": 15, "playing": ()},
    ),
    "PP-55 in step 5 pucks go from Power to Prize, slammers too": (
        stacked("Potion", "Bolt", "Berry"), ("miss 8",), {"next": "pucks to discard 0: 0, 1, 2."},
        ("Bolt, 0",), {"Power 0": (2,), "Prize 0": (1, 0)},
    ),
    "PP-55 nothing else is discarded in step 5": (
        stacked("Potion"), ("miss 8",), {"refuses 9": "choose from Potion 0"},
    ),
    "turns go round in turn order": (
        {"players": 3}, ("miss 8",), {"player": BROCK}, ("miss 8",), {"player": MISTY},
        ("miss 8",), {"player": ASH},
    ),
}  # fmt: skip

RULINGS = ATTACKS | KNOCK_OUTS | ENDS


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=list(RULINGS))
def test_rulings_on_turns(ruling):
    setup, *steps = ruling
    check_ruling(battle(**setup), *steps)


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
