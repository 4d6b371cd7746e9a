"""A game's set-up as JSON."""

from collections.abc import Mapping
from typing import Any

from physics import InputError
from physics.checks import shown
from sim.bumpers.game.cards import Deck
from sim.bumpers.game.deckfile import deck_from
from sim.bumpers.game.setting import make_table
from sim.bumpers.game.table import Table
from sim.bumpers.house import Setup
from sim.bumpers.notation import position_text
from sim.bumpers.parsing import parse_position

_KEYS = ("board", "players", "colours_each", "may_pass", "max_actions", "deck")


def table_json(table: Table) -> dict[str, Any]:
    """Return a set-up as JSON has it: the board as a line, the deck as in a deck file."""
    return {
        "board": position_text(table.board),
        "players": table.players,
        "colours_each": table.colours_each,
        "may_pass": table.may_pass,
        "max_actions": table.max_actions,
        "deck": [
            {
                "name": card.name,
                "kind": card.kind.value,
                "count": card.count,
                "text": card.text,
                "hook": card.hook,
                "numbers": dict(card.numbers),
            }
            for card in table.deck.cards
        ],
    }


def table_from(field: str, value: object) -> Table:
    """Return the set-up that JSON tells.

    Args:
        field: What to call it in an error.
        value: What `table_json` returned.

    Raises:
        InputError: A key or value that is not accepted.
    """
    if not isinstance(value, Mapping) or set(value) != set(_KEYS):
        raise InputError(f"{field}: {shown(value)} is not accepted; give {', '.join(_KEYS)}")
    if not isinstance(value["board"], str) or not isinstance(value["may_pass"], bool):
        raise InputError(f"{field}: give the board as a line, and may_pass as true or false")
    try:
        board = parse_position(value["board"])
        deck = deck_from("deck", {"cards": value["deck"]}) if value["deck"] else Deck()
        return make_table(
            value["players"],
            setup=Setup(name="board", about="", layout=board.layout, rules=board.rules),
            deck=deck,
            colours_each=value["colours_each"],
            may_pass=value["may_pass"],
            max_actions=value["max_actions"],
        )
    except InputError as error:
        raise InputError(f"{field}: {error}") from None
