"""Choices as text, and records and states that are damaged: one line says what is wrong."""

import json

import pytest

from physics import InputError
from sim.bumpers.game import (
    choice_text,
    choices,
    parse_choice,
    read_record,
    record_from,
    record_json,
    replay,
    state_from,
    state_json,
)
from tests.bumpersgames import at_turn, do
from tests.make_bumpers_games import FOLDER
from tests.refusals import refused

RECORD = read_record(FOLDER / "two-greedy.json")
CHOICES = list(RECORD.choices)
STORED = json.loads(record_json(RECORD))
TABLE, FINAL = STORED["table"], STORED["final"]
STATE = json.loads(state_json(next(iter(replay(RECORD))).after))


def replayed(value):
    list(replay(record_from("record", value)))


def test_the_text_of_every_choice_reads_back_as_the_choice():
    for taken in list(replay(RECORD)):
        for choice in choices(taken.before)[::3]:
            assert parse_choice(taken.before, choice_text(taken.before, choice)) == choice


def test_an_unambiguous_beginning_of_a_cards_name_is_enough():
    state = at_turn(("Board Twist", "Take 3", "Take 4"), ())
    assert parse_choice(state, " PLAY board ") == parse_choice(state, "play Board Twist")
    refused(parse_choice, state, "play take", said="2 choices fit: play Take 3, play Take 4")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a choice now; give one of play Board Twist, a1N, a1E"),
        ("hello", "'>>hello<<': not a choice now; give one of play Board Twist, a1N, a1E"),
        ("play Nudge", "'>>play Nudge<<': not a choice now; give one of play Board Twist"),
        ("a1W", "'>>a1W<<': a barrier or the edge"),
        ("T:X1+90", "not now"),
        ("shuffle 1.2", "not a choice now"),
    ],
)
def test_an_invalid_choice_is_quoted_with_the_accepted_ones(text, said):
    state = at_turn(("Board Twist",), ())
    with pytest.raises(InputError) as caught:
        do(state, text)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"extra": 1}, "record extra: no such field"),
        ({"schema": 2}, "record schema: 2 ... give 1; saved by pucklab"),
        ({"game": "chess"}, "record game: 'chess' ... give 'puck bumpers'"),
        ({"table": 3}, "record table: 3 ... a table of board"),
        ({"players": ["random"] * 3}, "record players: give 2"),
        ({"final": {}}, "record final position: missing"),
        ({"seed": -1}, "record seed: -1 ... a whole number from 0"),
        ({"final": FINAL | {"winner": 2}}, "record final winner: 2 ... from 0 to 1"),
        ({"table": TABLE | {"board": "pb1:nowhere:-:-:-:-"}}, "table board: ... no such set-up"),
        ({"table": TABLE | {"board": 3}}, "record table board: 3 ... a position"),
        ({"table": TABLE | {"players": 9}}, "record table: players: 9"),
        ({"table": TABLE | {"max_actions": 0}}, "record table: max_actions: 0"),
        ({"table": TABLE | {"deck": [{"name": "x"}]}}, "table deck 1 (x) kind: missing"),
        ({"choices": [*CHOICES[:20], "pass", *CHOICES[21:]]}, "record: choice 21: "),
        ({"choices": ["put RP b9"]}, "choice 1: ... a shuffle is due; give shuffle and"),
        ({"choices": [*CHOICES, "pass"]}, f"choice {len(CHOICES) + 1}: ... the game is over"),
        ({"choices": CHOICES[:-5]}, "record: final: the choices lead to"),
        ({"final": FINAL | {"winner": 1 - FINAL["winner"]}}, "final winner"),
    ],
)
def test_a_damaged_record_is_refused(changes, said):
    refused(replayed, STORED | changes, said=said)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("phase", "lunch", ": 'lunch' ... one of placing"),
        ("position", "pb1:x", ": "),
        ("position", 3, ": 3 ... a position"),
        ("player", 5, ": 5"),
        ("owed", [[1]], " 1: [1] ... a list of 2"),
        ("asked", 9, ": 9"),
    ],
)
def test_a_damaged_state_is_refused(key, value, said):
    refused(state_from, json.dumps(STATE | {key: value}), said=f"state {key}{said}")


def test_a_state_with_cards_of_another_deck_is_refused():
    refused(state_from, json.dumps(STATE | {"hands": [[0], [99]]}), said="not those of the deck")
