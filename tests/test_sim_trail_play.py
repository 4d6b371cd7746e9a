"""Turns of the drinking trail by set dice: each ruling is a story in tests/data/trail/rulings.txt.

After its title, a story has a line ``board`` with its tables (``GYM`` is that of Onix), ``play``
with the number of turns, the dice and options of the game, and ``see`` with what is then so.
"""

import json
from pathlib import Path

import pytest

from pucklab.sim.trail.duels import Starter
from pucklab.sim.trail.match import TRAIL_GAME, Setup, State
from pucklab.sim.trail.play import MOST_TURNS, POLICIES, Kind
from tests.tables import stories
from tests.trailgames import Does, board, game, kinds, turns, units

CAREFUL = POLICIES["careful"]()
ONIX = {"square": 4, "name": "Onix", "attack": 3, "hp": 4, "faint": 2, "flash": "pokeball"}
TEXT = (Path(__file__).parent / "data" / "trail" / "rulings.txt").read_text(encoding="utf-8")
STORIES = stories(TEXT)


@pytest.mark.parametrize("story", STORIES.values(), ids=list(STORIES))
def test_a_ruling(story):
    tables, plays, sees = (line.partition(" ")[2] for line in story)
    count, dice, told = plays.split(" ", 2)
    options, wanted = json.loads(told), json.loads(sees)
    policy = options.pop("policy", {})
    chosen = POLICIES[policy]() if isinstance(policy, str) else Does(**policy)
    if "starters" in options:
        options["starters"] = tuple(map(Starter, options["starters"]))
    on = board(**json.loads(tables.replace("GYM", json.dumps([ONIX]))))
    played = game(on, *map(int, dice), policy=chosen, **options)
    events = turns(played, int(count))
    first, seen = played.seats[0], kinds(events)
    state = State(setup=Setup(board=on, names=()), game=played)
    found = {
        "units": units(played),
        "at": [seat.position for seat in played.seats],
        "ranks": [seat.rank for seat in played.seats],
        "items": first.items,
        "hp": first.hp,
        "done": sorted(first.done),
        "turns": first.turns,
        "over": played.over,
        "won": [event.amount for event in events if event.kind is Kind.WON_GYM],
        "drunk": [event.amount for event in events if event.kind is Kind.DRANK],
        "battles": [
            [e.seat, e.amount, e.other, e.against] for e in events if e.kind is Kind.BATTLE
        ],
        "has": [kind for kind in wanted.get("has", ()) if kind in seen],
        "lacks": [kind for kind in wanted.get("lacks", ()) if kind not in seen],
        "observed": TRAIL_GAME.observe(state, -1).astype(float).round(6).tolist(),
        "last": seen[-len(wanted.get("last", "")) :],
    }
    assert {name: found[name] for name in wanted} == wanted


def test_a_caught_pokemons_move_is_used_once_before_a_roll():
    square = {"at": 3, "kind": "pokemon", "effect": [{"drink": 2}], "name": "Rattata",
              "move": [{"drink": 3, "who": "chosen"}]}  # fmt: skip
    on = board(square=[square], starting_items=["master-ball"])
    played = game(on, 3, 1, 1, 1, 1, players=2, policy=Does(ball=True))
    turns(played, 2)
    events = kinds(turns(played))
    assert events.index(Kind.DRANK) < events.index(Kind.ROLLED)
    assert units(played) == [0, 3]
    assert played.seats[0].caught == ()
    turns(played, 2)
    assert units(played) == [0, 3]


@pytest.mark.parametrize(("who", "used"), [("self", True), ("all", True), ("others", False)])
def test_what_harms_all_harms_whoever_lands_there_too(who, used):
    square = {"at": 3, "kind": "pokemon", "effect": [{"drink": 2, "who": who}]}
    played = game(board(square=[square], starting_items=["repel"]), 3, players=2, policy=CAREFUL)
    assert (Kind.USED in kinds(turns(played))) is used


def test_nothing_is_caught_for_its_move_or_used_by_who_is_alone():
    square = {"at": 3, "kind": "pokemon", "move": [{"drink": 3, "who": "others"}]}
    on = board(square=[square], starting_items=["pokeball"])
    for players, thrown in ((1, False), (2, True)):
        played = game(on, 3, *[4] * thrown, players=players, policy=CAREFUL)
        assert (Kind.CAUGHT in kinds(turns(played))) is thrown
    # With the other at the finish, the move that was caught stays unused.
    assert played.seats[0].caught == (3,)
    played.seats[1].rank, played.turn_of, played._all_finish = 1, 0, True
    played.draw = lambda _: 1
    assert Kind.ACTED not in kinds(turns(played))


def test_a_zone_that_moves_a_player_on_skips_the_square():
    on = board(
        zone=[{"from": 2, "to": 4, "name": "wind", "effect": [{"move": 4}]}],
        square=[{"at": 3, "effect": [{"drink": 2}]}],
    )
    played = game(on, 3)
    turns(played)
    assert (played.seats[0].position, played.seats[0].units) == (7, 0)


def test_a_state_that_is_loaded_goes_on_as_before():
    on = board(gym=[ONIX], starting_items=["potion"])
    played = game(on, 4, 3, 2)
    turns(played)
    other = game(on, 4)
    other.load(played.state())
    assert other.state() == played.state()
    assert Kind.WON_GYM in kinds(turns(other))


def test_a_game_that_nobody_can_finish_is_undecided():
    wall = [{"at": place, "effect": [{"move": -place}]} for place in range(1, 7)]
    played = game(board(last=12, square=wall), *([1] * 2 * MOST_TURNS), players=2)
    played.play()
    assert (played.over, played.undecided) == (False, True)
    assert played.events[-1].kind is Kind.UNDECIDED
    assert [seat.turns for seat in played.seats] == [MOST_TURNS] * 2
