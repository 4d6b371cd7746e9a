"""Turns of the drinking trail by set dice: the rules and rulings, one by one."""

import pytest

from sim.trail.board import Item
from sim.trail.duels import Starter
from sim.trail.play import MOST_TURNS, POLICIES, Kind
from tests.trailgames import Does, board, game, kinds, turns, units

BALL, MASTER, DOWN = ["pokeball"], ["master-ball"], {"move": -2}
ONIX = {"square": 4, "name": "Onix", "attack": 3, "hp": 4, "faint": 2, "flash": "pokeball"}


def at(place, *effects, **more):
    return {"at": place, "effect": list(effects), **more}


def pokemon(place, *effects, **more):
    return at(place, *effects, kind="pokemon", **more)


def drink(units=1, who="self"):
    return {"drink": units, "who": who}


def squares(*square, **more):
    return {"square": square, **more}


FLAME = (Starter.CHARMANDER, Starter.BULBASAUR)
CATCHES, USES = {"policy": Does(ball=True)}, {"policy": Does(items=True)}
GYM = {"gym": [ONIX]}
BATTLE = {Kind.BATTLE}
RULINGS = {
    # what it is: (board, dice, turns, options of the game, what is so then)
    "a blow that is enough wins with a Flash": (
        GYM, "44", 1, {}, {"won": [1], "items": {Item.POKEBALL: 1}}),
    "two rounds take two turns": (GYM, "4352", 1, {}, {"hp": 1, "units": [0], "won": []}),
    "the second round wins": (GYM, "4352", 2, {}, {"won": [1], "turns": 2}),
    "a faint costs its units and restores the gym": (
        GYM, "4325", 1, {}, {"hp": 4, "units": [2], "has": {Kind.FAINTED, Kind.DRANK}}),
    "after a faint there is no Flash": (GYM, "4325", 2, {}, {"won": [0], "items": {}}),
    "an equal defence stands": (GYM, "433", 1, {}, {"lacks": {Kind.FAINTED}}),
    "a gym stops whoever has not completed it": (GYM, "646", 1, {}, {"at": [4]}),
    "a gym that is completed stops nobody": (GYM, "646", 2, {}, {"at": [10]}),
    "the first one at or beyond the last square wins": (
        {"last": 5}, "316", 3, {"players": 2}, {"over": True, "ranks": [1, 0], "at": [5, 1]}),
    "a gym on the last square comes before the finish": (
        {"last": 4, **GYM}, "6164", 1, {}, {"over": False, "at": [4]}),
    "and its end is the finish": ({"last": 4, **GYM}, "6164", 2, {}, {"over": True}),
    "all finish, and who is in is skipped": (
        {"last": 6}, "615", 3, {"players": 2, "all_finish": True}, {"ranks": [1, 2]}),
    "landing on somebody is a battle by starters": (
        {}, "3362", 2, {"players": 2, "starters": FLAME},
        {"units": [2, 0], "battles": [(1, 6, 0, 2)]}),
    "a tie costs both a unit": ({}, "3344", 2, {"players": 2}, {"units": [1, 1]}),
    "everybody there is battled in seat order, after the own seat": (
        {}, "335136161", 3, {"players": 3},
        {"battles": [(1, 5, 0, 1), (2, 6, 0, 1), (2, 6, 1, 1)]}),
    "nobody battles at the start": (
        squares(at(2, DOWN)), "2", 1, {"players": 2}, {"lacks": BATTLE}),
    "nobody is battled in a gym": (
        squares(at(6, DOWN), **GYM), "444162", 3, {"players": 2}, {"at": [4, 4], "lacks": BATTLE}),
    "on a completed gym there are battles": (
        squares(at(6, DOWN), **GYM), "4444251", 3, {"players": 2}, {"has": BATTLE}),
    "squares that send to each other act once a turn": (
        squares(at(3, {"move": 2}, drink()), at(5, DOWN, drink())), "3", 1, {},
        {"at": [3], "units": [2]}),
    "forced moves trigger neither squares nor battles": (
        squares(at(3, {"move": 2, "who": "others"}), at(4, drink(5)), at(6, drink(5))),
        "23", 2, {"players": 3}, {"at": [4, 3, 2], "units": [0, 0, 0], "lacks": BATTLE}),
    "a forced move stops at a gym": (
        squares(at(2, {"move": 6, "who": "right"}), **GYM), "124", 2, {"players": 2},
        {"at": [4, 2]}),
    "and the next turn is a round": (
        squares(at(2, {"move": 6, "who": "right"}), **GYM), "124", 3, {"players": 2},
        {"done": {4}, "last": [Kind.TURN, Kind.ATTACK, Kind.WON_GYM, Kind.GOT]}),
    "nobody in a gym is moved": (
        squares(at(2, {"move": 6, "who": "others"}), **GYM), "4162", 2, {"players": 2},
        {"at": [4, 2]}),
    "a forced move back ends at the start": (
        squares(at(3, {"move": -9, "who": "others"})), "23", 2, {"players": 2}, {"at": [0, 3]}),
    "a start square does not act on landing": (
        squares(at(3, drink(2), when="start")), "31", 1, {}, {"units": [0]}),
    "it acts at the start of the turn": (
        squares(at(3, drink(2), when="start")), "31", 2, {},
        {"units": [2], "last": [Kind.DRANK, Kind.ROLLED, Kind.MOVED]}),
    "a skip costs the next turns": (
        squares(at(3, {"skip": 2})), "34", 3, {}, {"last": [Kind.SKIPPED, Kind.SKIPPED]}),
    "and no more of them": (
        squares(at(3, {"skip": 2})), "34", 4, {}, {"last": [Kind.TURN, Kind.ROLLED, Kind.MOVED]}),
    "roll again is another roll in the same turn": (
        squares(at(3, {"roll_again": True})), "34", 1, {}, {"at": [7], "turns": 1}),
    "a Pokeball catches from 4 and is spent": (
        squares(pokemon(3, drink(2)), starting_items=BALL), "34", 1, CATCHES,
        {"units": [0], "items": {}, "has": {Kind.CAUGHT}}),
    "it misses below": (
        squares(pokemon(3, drink(2)), starting_items=BALL), "33", 1, CATCHES,
        {"units": [2], "items": {}, "has": {Kind.MISSED}}),
    "a Master Ball needs no roll": (
        squares(pokemon(3, drink(2)), starting_items=MASTER), "3", 1, CATCHES,
        {"has": {Kind.CAUGHT}}),
    "balls and Repels work on Pokemon squares only": (
        squares(at(3, drink(2)), starting_items=["pokeball", "repel"]), "3", 1,
        {"policy": Does(ball=True, items=True)}, {"units": [2]}),
    "a Repel skips the encounter": (
        squares(pokemon(3, drink(2)), starting_items=["repel"]), "3", 1, USES,
        {"units": [0], "items": {}}),
    "a Potion cancels one effect whole": (
        squares(at(3, drink(7)), at(5, drink()), starting_items=["potion"]), "32", 2, USES,
        {"units": [1], "has": {Kind.SAVED}}),
    "a zone acts before its square, and after it is left no more": (
        squares(at(3, drink(4)), zone=[{"name": "mist", "from": 2, "to": 4, "effect": [drink()]}]),
        "31", 2, {}, {"units": [6], "drunk": [1, 4, 1]}),
    "a reward of a Flash may be an effect": (
        {"gym": [{**ONIX, "flash": drink(3, "others")}]}, "44", 1, {"players": 3},
        {"units": [0, 3, 3]}),
    "a ball is used before a Repel": (
        squares(pokemon(3, drink(2)), starting_items=["repel", "pokeball"]), "36", 1,
        {"policy": POLICIES["careful"]()}, {"items": {Item.REPEL: 1}}),
    "policies choose the player ahead": (
        squares(at(2, drink(1, "chosen"))), "152", 3,
        {"players": 3, "policy": POLICIES["careful"]()}, {"units": [0, 1, 0]}),
    "the careful one keeps its Potion for two units": (
        squares(at(3, drink(1)), at(4, drink(2)), starting_items=["potion"]), "31", 2,
        {"policy": POLICIES["careful"]()}, {"drunk": [1], "items": {}}),
    "the quick one does not": (
        squares(at(3, drink(1)), at(4, drink(2)), starting_items=["potion"]), "31", 2,
        {"policy": POLICIES["quick"]()}, {"drunk": [2], "items": {}}),
    **{
        f"{kind} leaves harmless Pokemon alone": (
            squares(pokemon(3, {"move": 2}), starting_items=["repel", "pokeball"]), "3", 1,
            {"policy": POLICIES[kind]()}, {"at": [5]})
        for kind in POLICIES
    },
    **{
        f"{ball} in a zone of catch 2": (
            squares(
                pokemon(3, drink(2)), starting_items=[ball],
                zone=[{"from": 2, "to": 4, "catch": 2}],
            ),
            "32", 1, CATCHES, {"has": {event}})
        for ball, event in (("safari-ball", Kind.CAUGHT), ("pokeball", Kind.MISSED))
    },
    **{
        f"an effect for {who} does nothing alone": (
            squares(at(3, drink(1, who))), "3", 1, {}, {"units": [0]})
        for who in ("chosen", "left", "right", "others")
    },
    **{
        f"an effect is for {who}": (
            squares(at(3, drink(1, who))), "23", 2, {"players": 4}, {"units": drunk})
        for who, drunk in {
            "self": [0, 1, 0, 0],
            "chosen": [0, 0, 1, 0],  # the policy takes the first after the seat
            "left": [0, 0, 1, 0],
            "right": [1, 0, 0, 0],
            "others": [1, 0, 1, 1],
            "all": [1, 1, 1, 1],
            "last": [0, 0, 1, 0],  # at the start with seat 3, and first after seat 1
            "first": [0, 1, 0, 0],
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("on", "dice", "count", "options", "expected"), RULINGS.values(), ids=list(RULINGS)
)
def test_a_ruling(on, dice, count, options, expected):
    played = game(board(**on), *map(int, dice), **options)
    events = turns(played, count)
    first, seen = played.seats[0], kinds(events)
    found = {
        "units": units(played),
        "at": [seat.position for seat in played.seats],
        "ranks": [seat.rank for seat in played.seats],
        "items": first.items,
        "hp": first.hp,
        "done": first.done,
        "turns": first.turns,
        "over": played.over,
        "won": [event.amount for event in events if event.kind is Kind.WON_GYM],
        "drunk": [event.amount for event in events if event.kind is Kind.DRANK],
        "battles": [
            (e.seat, e.amount, e.other, e.against) for e in events if e.kind is Kind.BATTLE
        ],
        "has": expected.get("has", set()) & {*seen},
        "lacks": expected.get("lacks", set()) - {*seen},
        "last": seen[-len(expected.get("last", "")) :],
    }
    assert {name: found[name] for name in expected} == expected


def test_a_caught_pokemons_move_is_used_once_before_a_roll():
    square = pokemon(3, {"drink": 2}, name="Rattata", move=[{"drink": 3, "who": "chosen"}])
    on = board(square=[square], starting_items=["master-ball"])
    played = game(on, 3, 1, 1, 1, 1, players=2, policy=Does(ball=True))
    turns(played, 2)
    events = kinds(turns(played))
    assert events.index(Kind.DRANK) < events.index(Kind.ROLLED)
    assert units(played) == [0, 3]
    assert played.seats[0].caught == ()
    turns(played, 2)
    assert units(played) == [0, 3]


def test_a_state_that_is_loaded_goes_on_as_before():
    on = board(gym=[ONIX], starting_items=["potion"])
    played = game(on, 4, 3, 2)
    turns(played)
    other = game(on, 4)
    other.load(played.state())
    assert other.state() == played.state()
    assert Kind.WON_GYM in kinds(turns(other))


def test_a_game_that_nobody_can_finish_is_undecided():
    wall = [at(place, {"move": -place}) for place in range(1, 7)]
    played = game(board(last=12, square=wall), *([1] * 2 * MOST_TURNS), players=2)
    played.play()
    assert (played.over, played.undecided) == (False, True)
    assert played.events[-1].kind is Kind.UNDECIDED
    assert [seat.turns for seat in played.seats] == [MOST_TURNS] * 2
