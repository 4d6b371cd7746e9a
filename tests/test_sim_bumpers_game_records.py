"""Choices as text, and records and states that are damaged: one line says what is wrong."""

import json
from typing import Any

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

RECORD = read_record(FOLDER / "two-greedy.json")


def damaged(**changes: Any) -> dict[str, Any]:
    """Return the record's JSON with some keys changed."""
    table: dict[str, Any] = json.loads(record_json(RECORD))
    return table | changes


def end(**changes: Any) -> dict[str, Any]:
    """Return the record's JSON with another end."""
    return damaged(final={"position": RECORD.position, "winner": RECORD.winner} | changes)


def test_the_text_of_every_choice_reads_back_as_the_choice() -> None:
    for taken in list(replay(RECORD)):
        for choice in choices(taken.before)[::3]:
            assert parse_choice(taken.before, choice_text(taken.before, choice)) == choice


def test_an_unambiguous_beginning_of_a_cards_name_is_enough() -> None:
    state = at_turn(("Board Twist", "Take 3", "Take 4"), ())
    assert parse_choice(state, " PLAY board ") == parse_choice(state, "play Board Twist")
    with pytest.raises(InputError, match="2 choices fit: play Take 3, play Take 4"):
        parse_choice(state, "play take")


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
def test_an_invalid_choice_is_quoted_with_the_accepted_ones(text: str, said: str) -> None:
    state = at_turn(("Board Twist",), ())
    with pytest.raises(InputError) as caught:
        do(state, text)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


WRONG: dict[str, tuple[Any, str]] = {
    "no record": ([], "is not accepted; give schema, game"),
    "a key too many": (damaged(extra=1), "is not accepted"),
    "another schema": (damaged(schema=2), "schema: 2 is not accepted; give 1; saved by pucklab"),
    "another game": (damaged(game="chess"), "game: 'chess' is not accepted; give 'puck bumpers'"),
    "no choices": (damaged(choices=None), "choices: None"),
    "numbers for choices": (damaged(choices=[1]), "choices: [1]"),
    "no table": (damaged(table=3), "table: 3 is not accepted; give board"),
    "too many players": (damaged(players=["random"] * 3), "players: give 2"),
    "half an end": (damaged(final={}), "final: {} is not accepted"),
    "a word for a seed": (damaged(seed="x"), "record: seed: 'x' is not accepted"),
    "a seed below 0": (damaged(seed=-1), "seed: -1 is not accepted; give a whole number from 0"),
    "no version": (damaged(version=None), "version: None is not accepted; give a text"),
    "a winner that did not play": (end(winner=2), "final winner: 2 is not accepted"),
    "a number for a position": (end(position=3), "final position: 3 is not accepted; give a text"),
}


@pytest.mark.parametrize(("table", "said"), WRONG.values(), ids=list(WRONG))
def test_a_damaged_record_is_refused(table: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        record_from("record", table)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("board", "pb1:nowhere:-:-:-:-", "there is no such set-up"),
        ("board", 3, "give the board as a line"),
        ("players", 9, "players: 9"),
        ("players", "2", "players: '2'"),
        ("max_actions", 0, "max_actions: 0"),
        ("deck", [{"name": "x"}], "card 1 (x) kind"),
        ("deck", 3, "cards: 3"),
    ],
)
def test_a_damaged_set_up_of_a_record_is_refused(key: str, value: Any, said: str) -> None:
    table = damaged()
    table["table"][key] = value
    with pytest.raises(InputError) as caught:
        record_from("record", table)
    assert said in str(caught.value)


def test_the_error_for_an_illegal_choice_of_a_record_gives_its_number() -> None:
    changed = [*RECORD.choices[:20], "pass", *RECORD.choices[21:]]
    record = record_from("record", damaged(choices=changed))
    with pytest.raises(InputError, match="record: choice 21: "):
        list(replay(record))


def test_a_record_without_its_shuffle_is_refused() -> None:
    record = record_from("record", damaged(choices=["put RP b9"]))
    with pytest.raises(InputError, match=r"choice 1: .*a shuffle is due; give shuffle and"):
        list(replay(record))


def test_a_choice_after_the_end_is_refused() -> None:
    record = record_from("record", damaged(choices=[*RECORD.choices, "pass"]))
    with pytest.raises(InputError, match=f"choice {len(RECORD.choices) + 1}: .*the game is over"):
        list(replay(record))


def test_a_record_without_its_last_choices_is_refused() -> None:
    record = record_from("record", damaged(choices=list(RECORD.choices[:-5])))
    with pytest.raises(InputError, match="record: final: the choices lead to"):
        list(replay(record))


def test_a_record_with_another_winner_is_refused() -> None:
    final = {"position": RECORD.position, "winner": 1 - (RECORD.winner or 0)}
    with pytest.raises(InputError, match="final winner"):
        list(replay(record_from("record", damaged(final=final))))


def state_table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(state_json(next(iter(replay(RECORD))).after))
    return table


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("phase", "lunch", "state phase: 'lunch' is not accepted; give one of placing"),
        ("position", "pb1:x", "state position: "),
        ("position", 3, "state position: 3 is not accepted; give a position"),
        ("turn", {}, "state turn: taken is missing; give taken, doubled"),
        ("player", 5, "state player: 5"),
        ("player", "x", "state player: 'x' is not accepted; give int"),
        ("hands", [[0], [99]], "not those of the deck"),
        ("owed", [[1]], "state owed 1: [1] is not accepted; give 2 values"),
        ("owed", 1, "state owed: 1 is not accepted; give a list"),
        ("asked", 9, "state asked: 9"),
    ],
)
def test_a_damaged_state_is_refused(key: str, value: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        state_from(json.dumps(state_table() | {key: value}))
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "{}", "3"])
def test_text_that_is_not_a_state_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^state(:| is not JSON: )"):
        state_from(text)
