"""A game's state as JSON, to keep and to go on from."""

import json

from physics import InputError
from physics.checks import check_count
from sim.bumpers.game.cardcount import cards_of
from sim.bumpers.game.state import GameState
from sim.bumpers.game.tablejson import table_from, table_json
from sim.bumpers.game.textforms import FORMS
from sim.jsonfields import from_json, to_json


def state_json(state: GameState) -> str:
    """Return a state as JSON; `state_from` reads it back.

    Example:
        >>> from sim.bumpers.game import make_table, new_game
        >>> state = new_game(make_table(2))
        >>> state_from(state_json(state)) == state
        True
    """
    return json.dumps({**to_json(state, FORMS), "table": table_json(state.table)})


def state_from(text: str) -> GameState:
    """Return the state that a text tells.

    Raises:
        InputError: It is no JSON, or a field is not accepted; the message names the field.
    """
    try:
        table = json.loads(text)
    except ValueError as error:
        raise InputError(f"state: no JSON: {error}") from None
    if not isinstance(table, dict) or "table" not in table:
        raise InputError("state: table: missing; give what state_json returned")
    setting = table_from("state table", table["table"])
    state: GameState = from_json(GameState, {**table, "table": setting}, "state", FORMS)
    seats = {
        "player": state.player,
        "asked": state.asked,
        "finished": state.finished,
        "winner": state.winner,
    }
    for name, seat in seats.items():
        if seat is not None:
            check_count(f"state {name}", seat, low=0, high=setting.players - 1)
    if len(state.hands) != setting.players:
        raise InputError(f"state hands: give {setting.players}, as the table has players")
    if cards_of(state) != setting.deck.numbers:
        raise InputError("state: the cards in hands, piles and play are not those of the deck")
    return state
