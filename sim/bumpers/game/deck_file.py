"""Decks from TOML files: the house deck, and decks of your own.

A file has a table for each card::

    schema = 1

    [[cards]]
    name = "Two Quick Ones"
    kind = "quick-play"           # quick-play, draw, action or game-changer
    count = 2
    text = "Draw two cards."
    hook = "draw-cards"           # an effect of sim.bumpers.game.card_effects
    numbers = { cards = 2 }       # the numbers of that effect

``cards = []`` is the game without cards.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from physics import InputError
from physics.errors import check_count, shown
from sim.bumpers.game.card_effects import HOOKS
from sim.bumpers.game.state import Card, CardKind, Deck
from sim.core.files import read_toml

MAX_COPIES = 99
MAX_NUMBER = 20
_MAX_NAME = 40
_KEYS = ("name", "kind", "count", "text", "hook", "numbers")


@lru_cache(maxsize=1)
def house_deck() -> Deck:
    """Return the house deck of 54 cards; most of it is house data (PB-14).

    Example:
        >>> deck = house_deck()
        >>> len(deck.numbers), deck.cards[0].name
        (54, 'Double Action')
    """
    text = files("sim.bumpers").joinpath("data", "cards.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    del table["schema"]
    return deck_from("house deck", table)


def read_deck(path: Path) -> Deck:
    """Return the deck of a file.

    Raises:
        InputError: It cannot be read or is not a deck; the message names file and field.
    """
    return deck_from(f"deck: {str(path)!r}", read_toml("deck", path))


def deck_from(field: str, table: Mapping[str, Any]) -> Deck:
    """Return the deck of the table in a file.

    Args:
        field: Name of the file in errors.
        table: ``cards``, a list of tables as described in the module; empty for no cards.

    Raises:
        InputError: A key or value is not accepted.

    Example:
        >>> card = {"name": "Go Back", "kind": "quick-play", "text": "The other way.",
        ...         "hook": "reverse"}
        >>> len(deck_from("mine", {"cards": [card | {"count": 3}]}).numbers)
        3
    """
    for key in table:
        if key != "cards":
            raise InputError(f"{field}: {key}: no such key; give cards")
    entries = table.get("cards")
    if not isinstance(entries, list):
        raise InputError(
            f"{field}: cards: {shown(entries)} is not accepted; give [[cards]] tables, or "
            "cards = [] for the game without cards"
        )
    cards: list[Card] = []
    for place, entry in enumerate(entries, start=1):
        card = _card(f"{field}: card {place}", entry)
        if any(other.name.lower() == card.name.lower() for other in cards):
            raise InputError(f"{field}: card {place} name: {card.name!r} is there twice")
        cards.append(card)
    return Deck(cards=tuple(cards))


def _card(field: str, entry: object) -> Card:
    """Return the card of a table."""
    if not isinstance(entry, Mapping):
        raise InputError(f"{field}: {shown(entry)} is not accepted; give a table")
    for key in entry:
        if key not in _KEYS:
            raise InputError(f"{field} {key}: no such key; give {', '.join(_KEYS)}")
    name = _text(field, entry, "name")
    if len(name) > _MAX_NAME or not name.isprintable() or name != " ".join(name.split()):
        accepted = f"1 to {_MAX_NAME} printable characters with single blanks"
        raise InputError(f"{field} name: {shown(name)} is not accepted; give {accepted}")
    field = f"{field} ({name})"
    kind = _kind(field, _text(field, entry, "kind"))
    check_count(f"{field} count", entry.get("count"), low=1, high=MAX_COPIES)
    hook = _hook(field, _text(field, entry, "hook"), kind)
    return Card(
        name=name,
        kind=kind,
        count=entry["count"],
        text=_text(field, entry, "text"),
        hook=hook,
        numbers=_numbers(field, hook, entry.get("numbers", {})),
    )


def _text(field: str, entry: Mapping[str, Any], key: str) -> str:
    """Return the text of a key."""
    text = entry.get(key)
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{field} {key}: {shown(text)} is not accepted; give a text")
    return text


def _kind(field: str, text: str) -> CardKind:
    """Return the kind with this name."""
    if text not in tuple(CardKind):
        accepted = ", ".join(CardKind)
        raise InputError(f"{field} kind: {shown(text)} is not accepted; give one of {accepted}")
    return CardKind(text)


def _hook(field: str, name: str, kind: CardKind) -> str:
    """Return the name of an effect, checked to fit the kind of card."""
    fitting = [known for known, hook in HOOKS.items() if hook.kind is kind]
    if name not in fitting:
        raise InputError(
            f"{field} hook: {shown(name)} is not accepted for a card of kind {kind}; "
            f"give one of {', '.join(fitting)}"
        )
    return name


def _numbers(field: str, hook: str, numbers: object) -> tuple[tuple[str, int], ...]:
    """Return the numbers of a card, checked to be those of its effect."""
    wanted = HOOKS[hook].numbers
    if not isinstance(numbers, Mapping) or set(numbers) != set(wanted):
        accepted = ", ".join(f"{name} = 1" for name in wanted)
        accepted = f"{{ {accepted} }}" if wanted else "none"
        raise InputError(f"{field} numbers: {shown(numbers)} is not accepted; give {accepted}")
    for name in wanted:
        check_count(f"{field} numbers {name}", numbers[name], low=1, high=MAX_NUMBER)
    return tuple((name, numbers[name]) for name in wanted)
