"""Choices as text, and records and states that are damaged: one line says what is wrong."""

import json

import pytest

from pucklab.sim.bumpers.game import BUMPERS, parse_choice
from pucklab.sim.core.records import game_record_from, read_record, record_json, replay
from tests.bumpersgames import at_turn, do
from tests.make_bumpers_games import FOLDER
from tests.refusals import changed, refused
from tests.tables import cases, toml

STORED = json.loads(record_json(BUMPERS, read_record(BUMPERS, FOLDER / "two-greedy.json")))
CHOICES, TABLE = STORED["answers"], STORED["setup"]


def replayed(value):
    list(replay(BUMPERS, game_record_from(BUMPERS, value)))


def test_an_unambiguous_beginning_of_a_cards_name_is_enough():
    state = at_turn(("Board Twist", "Take 3", "Take 4"), ())
    assert parse_choice(state, " PLAY board ") == parse_choice(state, "play Board Twist")
    refused(parse_choice, state, "play take", said="2 choices fit: play Take 3, play Take 4")


@cases(
    "text said",
    """
    => not a choice now; give one of play Board Twist, a1N, a1E
    hello => '>>hello<<': not a choice now; give one of play Board Twist, a1N, a1E
    play Nudge => '>>play Nudge<<': not a choice now; give one of play Board Twist
    a1W => '>>a1W<<': a barrier or the edge
    T:X1+90 => not now
    shuffle 1.2 => not a choice now
    """,
)
def test_an_invalid_choice_is_quoted_with_the_accepted_ones(text, said):
    state = at_turn(("Board Twist",), ())
    refused(do, state, text, said=said)


def test_what_is_no_nudge_is_refused_in_a_line():
    state = do(at_turn(("Nudge",), (), pieces="RPe5a1.OPi1"), "play Nudge")
    refused(parse_choice, state, "0", said="no legal move fits")


@cases(
    "way change said",
    """
    "schema" => 1 => record schema: 1 ... give 2; saved by pucklab 0.1.0
    "setup" => 3 => record setup: 3 ... a table of board
    "players" => ["random", "random", "random"] => record players: give 2
    "seed" => -1 => record seed: -1 ... a whole number from 0
    "setup board" => "pb1:nowhere:-:-:-:-" => record setup board: ... no such set-up
    "setup board" => 3 => record setup board: 3 ... a position
    "setup players" => 9 => record setup: players: 9
    "setup max_actions" => 0 => record setup: max_actions: 0
    "setup deck" => [{ name = "x" }] => record setup deck 1 (x) kind: missing
    "end winner" => 1 => record: end winner:
    """,
    toml,
)
def test_a_damaged_record_is_refused(way, change, said):
    refused(replayed, changed(STORED, way.split(), change), said=said)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ([*CHOICES[:20], "pass", *CHOICES[21:]], "record: answer 21: "),
        (["put RP b9"], "answer 1: ... a shuffle is due; give shuffle and"),
        ([*CHOICES, "pass"], f"answer {len(CHOICES) + 1}: ... the game is over"),
        (CHOICES[:-5], "record: end position: "),
    ],
)
def test_choices_that_are_not_those_of_a_game_are_refused(choices, said):
    refused(replayed, STORED | {"answers": choices}, said=said)


def test_a_set_up_that_does_not_say_who_begins_is_begun_by_the_first_player():
    table = {key: value for key, value in TABLE.items() if key != "first"}
    assert game_record_from(BUMPERS, STORED | {"setup": table}).setup.first == 0
