"""Decks from files: a user's own cards with known behaviour, and errors that name the place."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from physics import InputError
from sim.bumpers.game import (
    RandomPlayer,
    cards_of,
    deck_from,
    house_deck,
    make_table,
    play_game,
    read_deck,
    record_of,
    replay,
)

CARD: dict[str, Any] = {
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


def test_a_deck_of_ones_own_is_read_played_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(OWN, encoding="utf-8")
    table = make_table(2, deck=read_deck(path), max_actions=40)
    assert len(table.deck.numbers) == 17
    steps = list(play_game(table, [RandomPlayer()] * 2, np.random.default_rng(1)))
    assert cards_of(steps[-1].after) == table.deck.numbers
    *_, last = replay(record_of(table, ["random"] * 2, 1, steps))
    assert last.after == steps[-1].after


def test_a_small_deck_deals_the_cards_it_has() -> None:
    deck = deck_from("deck", {"cards": [CARD]})
    first = next(play_game(make_table(6, deck=deck), [RandomPlayer()] * 6, RNG))
    assert sum(len(hand) for hand in first.after.hands) == 4


RNG = np.random.default_rng(1)


def test_every_card_says_what_it_does_in_one_sentence() -> None:
    for card in house_deck().cards:
        assert card.text.endswith(".")
        assert card.text.count(".") == 1


WRONG: dict[str, tuple[Any, str]] = {
    "no cards": (
        {},
        r"deck: cards: None is not accepted; .* cards = \[\] for the game",
    ),
    "an unknown key": ({"cards": [CARD], "card": []}, "deck: card: no such key"),
    "no table": ({"cards": ["Take 1"]}, "deck: card 1: 'Take 1' is not accepted"),
    "an unknown field": ({"cards": [CARD | {"colour": "red"}]}, "card 1 colour: no such key"),
    "no name": ({"cards": [CARD | {"name": ""}]}, "card 1 name: ''"),
    "a name in two lines": ({"cards": [CARD | {"name": "a\nb"}]}, "card 1 name:"),
    "a name twice": ({"cards": [CARD, CARD]}, "card 2 name: 'Three Quick Ones' is there twice"),
    "an unknown kind": ({"cards": [CARD | {"kind": "joker"}]}, "kind: 'joker'"),
    "no count": ({"cards": [CARD | {"count": 0}]}, r"\(Three Quick Ones\) count: 0"),
    "half a card": ({"cards": [CARD | {"count": 1.5}]}, "count: 1.5"),
    "no text": ({"cards": [CARD | {"text": 7}]}, "text: 7"),
    "an unknown hook": ({"cards": [CARD | {"hook": "explode"}]}, "hook: 'explode'"),
    "a hook of another kind": ({"cards": [CARD | {"hook": "nudge"}]}, "hook: 'nudge'"),
    "no numbers": ({"cards": [CARD | {"numbers": {}}]}, "numbers: {} is not accepted; give"),
    "a number too many": ({"cards": [CARD | {"numbers": {"cards": 1, "x": 2}}]}, "numbers: "),
    "a number out of range": ({"cards": [CARD | {"numbers": {"cards": -1}}]}, "numbers cards: -1"),
}


@pytest.mark.parametrize(("table", "said"), WRONG.values(), ids=list(WRONG))
def test_an_invalid_deck_is_refused_with_the_place(table: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        deck_from("deck", table)


def test_an_error_in_a_deck_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(OWN.replace("mix-mats", "mixmats"), encoding="utf-8")
    with pytest.raises(InputError, match=r"deck.toml': card 2 \(Big Mix\) hook: 'mixmats'"):
        read_deck(path)


def test_a_deck_without_cards_is_the_game_without_cards(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    path.write_text("schema = 1\ncards = []\n", encoding="utf-8")
    table = make_table(2, deck=read_deck(path), max_actions=30)
    steps = list(play_game(table, [RandomPlayer()] * 2, np.random.default_rng(1)))
    assert all(taken.after.hands == ((), ()) for taken in steps)
    *_, last = replay(record_of(table, ["random"] * 2, 1, steps))
    assert last.after == steps[-1].after
