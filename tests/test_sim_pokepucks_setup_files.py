"""Set-up files: legal pucks, proxies, homes, who begins; and the set-ups that they forbid."""

from dataclasses import replace

import pytest

from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.pokepucks.battle.battle_setup import BattleOptions, BattleSetup, Puck
from pucklab.sim.pokepucks.battle.events import Moved, TurnBegan
from pucklab.sim.pokepucks.battle.live import decide_first
from pucklab.sim.pokepucks.battle.match import play_battle
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.setup_file import house_setup, read_setup
from pucklab.sim.pokepucks.battle.state import BOX, Place, StackKind
from pucklab.sim.pokepucks.battle.transcript import winnings_of
from pucklab.sim.pokepucks.design_file import read_catalogue, shipped_catalogue
from pucklab.sim.pokepucks.designs import DesignKind
from tests.pokepucksbattles import (
    ASH,
    BROCK,
    DiceThrows,
    ScriptThrows,
    design,
    random_battle,
    read_back,
    recorded,
    replayed,
    table_of,
)
from tests.refusals import refused

PLAYERS = """
[[players]]
name = "Ash"
slammers = ["Pikachu", "Onix"]
pucks = { "Plain Puck" = 12, "Potion" = 3 }

[[players]]
name = "Misty"
slammers = ["Lapras"]
pucks = { "Plain Puck" = 14, "Mr. Smith" = 1 }
"""


def setup(write, more, players=PLAYERS):
    path = write("setup.toml", f"schema = 1\n{players}{more}")
    return read_setup(path, shipped_catalogue())


def test_a_legal_set_up_is_accepted(write):
    legal = """
    [legal]
    only = ["pokemon", "Plain Puck", "Potion", "trainer"]
    banned = ["Mr. Saia"]
    per_player = { Potion = { most = 3 }, "Plain Puck" = { least = 12, most = 14 } }
    per_battle = { trainer = { least = 1, most = 1 } }
    """
    assert setup(write, legal).names == ("Ash", "Misty")


def test_a_proxy_has_the_rule_of_what_it_stands_for_and_a_body_of_its_own(write):
    players = PLAYERS.replace('"Potion" = 3', '"Bottle Cap" = 3').replace('"Onix"', '"Big Washer"')
    proxies = '[proxies]\n"bottle cap" = "Mr. Saia"\n'
    proxies += '"Big Washer" = { for = "Onix", mass_g = 18, thickness_mm = 5 }\n'
    table = setup(write, proxies, players)
    by_name = {puck.name: puck.design for puck in table.pucks}
    cap, washer = by_name["Mr. Saia (bottle cap)"], by_name["Onix (Big Washer)"]
    assert (cap.rule, cap.kind, cap.mass_g) == ("Mr. Saia", DesignKind.TRAINER, 1.5)
    assert (washer.rule, washer.type, washer.weakness) == ("Dig", "fighting", "water")
    assert (washer.mass_g, washer.thickness_mm) == (18.0, 5.0)


def test_a_puck_of_the_lists_may_stand_for_another(write):
    table = setup(write, '[proxies]\n"Plain Puck" = "Berry"\n')
    assert sum(puck.design.rule == "Berry" for puck in table.pucks) == 26


def test_limits_count_a_proxy_as_what_it_stands_for(write):
    players = PLAYERS.replace('"Mr. Smith" = 1', '"Cap" = 1')
    more = '[proxies]\nCap = "Potion"\n[legal]\nper_battle = { Potion = { most = 3 } }\n'
    refused(setup, write, more, players, said="the battle has 4; at most 3 is legal")


def test_pp_57_a_light_slammer_is_listed_as_one_and_makes_one_attack(write):
    own = (
        'schema = 1\n[[pucks]]\nname = "Penny"\nkind = "slammer"\nmass_g = 2\nthickness_mm = 1.6\n'
    )
    penny = read_catalogue(write("own.toml", own)).find("penny")
    table = house_setup([penny, design("onix")], BattleOptions(max_turns=2))
    exchanges = random_battle(table, 3)
    counted = {
        e.after.state.turn.attacks
        for e in exchanges
        if e.after.state.player == ASH and e.after.state.attack
    }
    assert counted == {1}
    refused(house_setup, [design("plain puck"), penny], said="is no slammer")


@pytest.mark.parametrize("first", ["Brock", "random", "throw"])
def test_the_one_who_begins_takes_every_step_of_the_set_up_first(first):
    table = table_of(3, options={"first": first, "max_turns": 1})
    table, _ = decide_first(table, DiceThrows(), seed=4)
    exchanges = random_battle(table, 4)
    assert exchanges[0].before.ask.player == table.first
    began = [event for x in exchanges for event in x.events if isinstance(event, TurnBegan)]
    assert (began[0].player, began[0].number) == (table.first, 1)
    laid = [
        event.source.player
        for exchange in exchanges
        for event in exchange.events
        if isinstance(event, Moved) and event.why == "set-up" and event.target.kind == "Arena"
    ]
    assert laid == [(table.first + place) % 3 for place in range(9)]


def test_by_chance_everybody_begins_equally_often():
    table = table_of(3, options={"first": "random"})
    begun = [decide_first(table, DiceThrows(), seed)[0].first for seed in range(300)]
    counts = [begun.count(player) for player in range(3)]
    # Chi-squared with 2 degrees of freedom is above 13.8 once in a thousand seeds; these are fixed.
    assert sum((count - 100) ** 2 / 100 for count in counts) < 13.8


def test_pp_58_by_throw_the_one_with_most_flips_begins_and_equals_throw_again():
    table = table_of(3, options={"first": "throw"})
    rest = " D" * 5
    throws = ScriptThrows(
        ["U U D" + rest, "D D D" + rest, "U U D" + rest, "U D D" + rest, "U U U" + rest]
    )
    decided, lines = decide_first(table, throws, seed=1)
    assert decided.first == 2
    assert lines == (
        "Ash flips 2, Brock flips 0, Misty flips 2",
        "Ash flips 1, Misty flips 3",
        "Misty begins",
    )


def test_a_player_who_is_not_there_cannot_begin():
    refused(
        table_of,
        2,
        options={"first": "Gary"},
        said="first: 'Gary' is not accepted; give one of random, thr",
    )


def test_a_battle_that_began_by_chance_replays_with_the_same_beginner():
    table = table_of(3, options={"first": "random", "max_turns": 1})
    seed = next(s for s in range(9) if decide_first(table, DiceThrows(), s)[0].first == BROCK)
    exchanges = list(play_battle(table, [RandomPlayer()] * 3, DiceThrows(), seed))
    record = recorded(table, exchanges, seed, "dice")
    assert record.setup.first == BROCK
    read = read_back(record)
    assert replayed(read) == exchanges


def test_pp_60_in_training_all_pucks_but_slammers_come_from_the_box(write):
    table = setup(write, '[options]\nmode = "training"\n')
    refused(new_battle, table, said="Plain Puck is of the collection of Ash; in a training")


BOXED = """
[options]
mode = "training"
max_turns = 3

[[players]]
name = "Ash"
slammers = ["Pikachu"]

[[players]]
name = "Misty"
slammers = ["Lapras"]

[box]
pucks = { "Plain Puck" = 20, Potion = 6, "Mr. Smith" = 4 }
"""


def test_the_players_decide_which_collections_the_pucks_of_the_box_go_to(write):
    homes = 'home = "Ash"\nhomes = { trainer = "Misty", Potion = "Misty", item = "Ash" }\n'
    table = setup(write, homes, BOXED)
    final = random_battle(table, 5)[-1].after.state
    mistys = {table.pucks[puck].name for puck in final.stack(Place(StackKind.COLLECTION, 1))}
    ashs = {table.pucks[puck].name for puck in final.stack(Place(StackKind.COLLECTION, 0))}
    assert final.stack(BOX) == ()
    assert mistys == {"Lapras", "Potion", "Mr. Smith"}
    assert {"Plain Puck", "Pikachu"} == ashs
    assert all(not taken.won for taken in winnings_of(final))


def test_pucks_of_the_box_go_back_there_if_nothing_is_decided(write):
    table = setup(write, "", BOXED)
    assert len(random_battle(table, 5)[-1].after.state.stack(BOX)) == 30


def test_a_home_of_nobody_is_refused(write):
    refused(
        setup,
        write,
        'home = "Gary"\n',
        BOXED,
        said="box home: 'Gary' is not accepted; give one of Ash, Mi",
    )


def test_homes_and_the_first_player_are_in_the_record(write):
    table = replace(setup(write, 'home = "Misty"\n', BOXED), first=1)
    exchanges = random_battle(table, 2)
    record = recorded(table, exchanges, 2, "dice")
    read = read_back(record)
    assert read == record
    assert replayed(read) == exchanges


def test_a_puck_can_have_no_home_at_nobodys():
    refused(
        BattleSetup,
        pucks=(Puck(design=design("potion"), owner=None, home=2),),
        names=("A", "B"),
        said="puck 0 (Potion) home: there is no such player",
    )
