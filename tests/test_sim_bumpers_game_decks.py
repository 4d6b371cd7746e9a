"""Decks from files: a user's own cards with known behaviour, and errors that name the place."""

import json

import pytest

from pucklab.sim.bumpers.game import (
    BUMPERS,
    RandomPlayer,
    deck_from,
    house_deck,
    make_config,
    read_deck,
)
from pucklab.sim.core.game import Match, play
from pucklab.sim.core.records import game_record_from, record_json, record_of, replay
from tests.bumpersgames import cards_of
from tests.refusals import refused
from tests.tables import cases, toml

CARD = {
    "name": "Three Quick Ones",
    "kind": "quick-play",
    "count": 4,
    "text": "Draw three cards.",
    "hook": "draw-cards",
    "numbers": {"cards": 3},
}

OWN = """
schema = 1

[[cards]]
name = "Three Quick Ones"
kind = "quick-play"
count = 9
text = "Draw three cards."
hook = "draw-cards"
numbers = { cards = 3 }

[[cards]]
name = "Big Mix"
kind = "game-changer"
count = 8
text = "Move mats five times."
hook = "mix-mats"
numbers = { moves = 5 }
"""


def test_a_deck_of_ones_own_is_read_played_and_recorded(write):
    path = write("deck.toml", OWN)
    table = make_config(2, deck=read_deck(path), max_actions=40)
    assert len(table.deck.numbers) == 17
    match = Match(BUMPERS, table, [RandomPlayer()] * 2, 1, kinds=["random"] * 2)
    steps = list(match.play())
    assert cards_of(match.state) == table.deck.numbers
    stored = json.loads(record_json(BUMPERS, record_of(match)))
    assert list(replay(BUMPERS, game_record_from(BUMPERS, stored))) == steps


def test_a_small_deck_deals_the_cards_it_has():
    deck = deck_from("deck", {"cards": [CARD]})
    first = next(play(BUMPERS, make_config(6, deck=deck), [RandomPlayer()] * 6, 1))
    assert sum(len(hand) for hand in first.after.hands) == 4


def test_every_card_says_what_it_does_in_one_sentence():
    for card in house_deck().cards:
        assert card.text.endswith(".")
        assert card.text.count(".") == 1


@cases(
    "change said",
    r"""
    { colour = "red" } => colour: no such field
    { name = "" } => name: '' ... a line of 1 to 40 characters
    { name = "a\nb" } => name: 'a\nb' ... a line of 1 to 40 characters
    { name = "a  b" } => name: 'a  b' ... single blanks
    { kind = "joker" } => kind: 'joker' ... one of quick-play
    { count = 0 } => (Three Quick Ones) count: 0 ... from 1 to 99
    { text = " " } => text: ' ' ... a text
    { hook = "explode" } => hook: 'explode' ... one of
    { hook = "nudge" } => hook: 'nudge' ... one of
    { numbers = {} } => numbers: {} ... { cards = 1 }
    { numbers = { cards = 1, x = 2 } } => numbers: ... { cards = 1 }
    { numbers = { cards = -1 } } => numbers cards: -1 ... from 1 to 20
    """,
    toml,
)
def test_an_invalid_card_is_refused_by_its_field(change, said):
    refused(deck_from, "deck", {"cards": [CARD | change]}, said=f"deck cards 1 ... {said}")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "deck cards: missing"),
        ({"cards": [CARD], "card": []}, "deck card: no such field"),
        ({"cards": ["Take 1"]}, "deck cards 1: 'Take 1' ... a table of name"),
        ({"cards": [CARD, CARD]}, "deck cards 2 name: 'Three Quick Ones' appears twice"),
    ],
)
def test_what_is_no_deck_is_refused(table, said):
    refused(deck_from, "deck", table, said=said)


def test_an_error_in_a_deck_file_names_the_file(write):
    path = write("deck.toml", OWN.replace("mix-mats", "mixmats"))
    refused(read_deck, path, said="deck.toml' cards 2 (Big Mix) hook: 'mixmats' ... mean mix-mats?")


def test_a_deck_without_cards_is_the_game_without_cards(write):
    path = write("none.toml", "schema = 1\ncards = []\n")
    table = make_config(2, deck=read_deck(path), max_actions=30)
    steps = list(play(BUMPERS, table, [RandomPlayer()] * 2, 1))
    assert all(taken.after.hands == ((), ()) for taken in steps)
