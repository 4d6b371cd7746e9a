"""Decks from TOML files: the house deck, and decks of your own.

A file has a table for each card::

    schema = 1

    [[cards]]
    name = "Two Quick Ones"
    kind = "quick-play"           # quick-play, draw, action or game-changer
    count = 2
    text = "Draw two cards."
    hook = "draw-cards"           # an effect of pucklab.sim.bumpers.game.card_effects
    numbers = { cards = 2 }       # the numbers of that effect

``cards = []`` is the game without cards.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pucklab.base.decoding import Form, check_one_of, decode, register_form
from pucklab.base.errors import limits, refusal
from pucklab.base.facts import fact
from pucklab.base.files import read_shipped_text, read_toml, toml_contents
from pucklab.physics import InputError
from pucklab.sim.bumpers.cards import Card, CardKind, Deck
from pucklab.sim.bumpers.game.card_effects import HOOKS

MAX_COPIES = 99
MAX_NUMBER = 20


@fact
class _CardFile:
    """A card as files have it."""

    name: str = limits(1, 40)
    kind: CardKind
    count: int = limits(1, MAX_COPIES)
    text: str
    hook: str
    numbers: Mapping[str, int] = limits(1, MAX_NUMBER, default_factory=dict)

    def __post_init__(self) -> None:
        """Check the texts, and that effect, kind and numbers go together."""
        if not self.name.isprintable() or self.name != " ".join(self.name.split()):
            raise refusal("name", self.name, "printable characters with single blanks")
        if not self.text.strip():
            raise refusal("text", self.text, "a text")
        fitting = [name for name, hook in HOOKS.items() if hook.kind is self.kind]
        check_one_of("hook", self.hook, fitting)
        wanted = HOOKS[self.hook].numbers
        if set(self.numbers) != set(wanted):
            accepted = f"{{ {', '.join(f'{name} = 1' for name in wanted)} }}" if wanted else "none"
            raise refusal("numbers", dict(self.numbers), accepted)


@fact
class _DeckFile:
    cards: tuple[Card, ...]


@cache
def house_deck() -> Deck:
    """Return the house deck of 54 cards; most of it is house data (PB-14).

    Example:
        >>> deck = house_deck()
        >>> len(deck.numbers), deck.cards[0].name
        (54, 'Double Action')
    """
    text = read_shipped_text("pucklab.sim.bumpers", "cards.toml")
    return deck_from("house deck", toml_contents("house deck", text))


def read_deck(path: Path) -> Deck:
    """Return the deck of a file.

    Raises:
        InputError: It cannot be read or is not a deck; the message names file and field.
    """
    return deck_from(f"deck: {str(path)!r}", read_toml("deck", path))


def deck_from(where: str, table: Mapping[str, Any]) -> Deck:
    """Return the deck of the table in a file.

    Args:
        where: Name of the file in errors.
        table: ``cards``, a list of tables as described in the module; empty for no cards.

    Raises:
        InputError: A key or value is not accepted.

    Example:
        >>> card = {"name": "Go Back", "kind": "quick-play", "text": "The other way.",
        ...         "hook": "reverse"}
        >>> len(deck_from("mine", {"cards": [card | {"count": 3}]}).numbers)
        3
    """
    return deck_of(f"{where} cards", decode(_DeckFile, table, where).cards)


def deck_of(where: str, cards: tuple[Card, ...]) -> Deck:
    """Return the deck of some cards.

    Raises:
        InputError: A name appears twice.
    """
    names = [card.name.lower() for card in cards]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"{where} {place + 1} name: {cards[place].name!r} appears twice")
    return Deck(cards=cards)


def _card(value: object, where: str) -> Card:
    stored = decode(_CardFile, value, where)
    numbers = tuple((name, stored.numbers[name]) for name in HOOKS[stored.hook].numbers)
    return Card(**(asdict(stored) | {"numbers": numbers}))


register_form(
    Card,
    Form(
        name="a table of name, kind, count, text, hook, numbers",
        read=_card,
        store=lambda card: asdict(card) | {"numbers": dict(card.numbers)},
    ),
)
