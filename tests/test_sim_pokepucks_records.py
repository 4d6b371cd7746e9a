"""Records, moments and set-up files of battles: they read back, and what is broken is told."""

import pytest

from pucklab.sim.core.players import RandomPlayer
from pucklab.sim.core.records import read_record, record_json
from pucklab.sim.pokepucks.battle.battle_setup import Mode
from pucklab.sim.pokepucks.battle.live import begin
from pucklab.sim.pokepucks.battle.match import BATTLE, play_battle
from pucklab.sim.pokepucks.battle.setup_file import read_setup
from pucklab.sim.pokepucks.battle.transcript import battle_transcript, standing_lines
from pucklab.sim.pokepucks.design_file import shipped_catalogue
from pucklab.sim.pokepucks.throw_sources import PhysicsThrows
from pucklab.sim.pokepucks.throws import Outcome
from tests.pokepucksbattles import (
    house,
    mixed_table,
    random_battle,
    read_back,
    recorded,
    replayed,
)
from tests.refusals import refused


@pytest.fixture
def played():
    """Return a battle's record as JSON, and its final standing."""
    table = mixed_table(3, 5, max_turns=20)
    exchanges = random_battle(table, 5)
    record = recorded(table, exchanges, 5, "dice")
    return record_json(BATTLE, record), "\n".join(standing_lines(exchanges[-1].after.state))


def test_a_record_reads_back_and_replays_to_the_same_end(played, write):
    path = write("battle.json", played[0])
    record = read_record(BATTLE, path)
    assert record_json(BATTLE, record) == played[0]
    assert "\n".join(standing_lines(replayed(record)[-1].after.state)) == played[1]


def test_a_record_keeps_the_throws_of_its_slams():
    table = mixed_table(2, 1, max_turns=1)
    exchanges = list(play_battle(table, [RandomPlayer()] * 2, PhysicsThrows(), 1))
    again = replayed(read_back(recorded(table, exchanges, 1, "physics")))
    throws, kept = (
        [x.answer.throw for x in each if isinstance(x.answer, Outcome)]
        for each in (exchanges, again)
    )
    assert throws == kept
    assert None not in throws


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '"text"', "null"])
def test_a_file_that_is_no_record_is_refused(text, write):
    path = write("battle.json", text)
    refused(read_record, BATTLE, path, said="record: ... battle.json")


def test_an_empty_arena_is_told_once_a_turn_however_many_attacks_miss():
    table = mixed_table(2, 11, max_turns=20)
    exchanges = random_battle(table, 11, flips=0.6)
    missed, told = (
        [turn.count(words) for turn in "\n".join(lines).lower().split("\nturn ")]
        for lines, words in (
            (battle_transcript(begin(table), exchanges, every_event=True), "throwskipped"),
            (battle_transcript(begin(table), exchanges), "the arena is empty"),
        )
    )
    assert max(missed) > 1
    assert told == [min(attacks, 1) for attacks in missed]


SETUP = """
schema = 1

[options]
mode = "training"
buy_in = 8

[[players]]
name = "Ash"
slammers = ["pikachu", "onix"]

[[players]]
name = "Brock"
slammers = ["Poké Ball"]

[box]
pucks = { "Sandbag" = 16, "potion" = 2 }
"""


def test_a_set_up_file_tells_who_plays_with_which_pucks(write):
    path = write("setup.toml", SETUP)
    table = read_setup(path, shipped_catalogue())
    assert (table.names, table.options.mode, table.options.buy_in) == (
        ("Ash", "Brock"),
        Mode.TRAINING,
        8,
    )
    assert [(puck.name, puck.owner) for puck in table.pucks[:4]] == [
        ("Pikachu", 0),
        ("Onix", 0),
        ("Poké Ball", 1),
        ("Sandbag", None),
    ]
    assert random_battle(table, 1)[-1].after.state.step.value == "over"


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_house_tables_do_for_every_mode_and_number_of_players(mode, players):
    table = house(*["onix"] * players, mode=mode, max_turns=3)
    assert random_battle(table, 1)[-1].after.state.step.value == "over"
