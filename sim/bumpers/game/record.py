"""Game files: records that replay exactly, and states to save and resume.

A `Record` is the set-up and all choices, shuffles included; `record_of` makes it, `record_json` and
`read_record` write and read it, `replay` plays it again and checks the end. `state_json` and
`state_from` save and restore a single state.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from physics import InputError
from physics.errors import check_count, shown
from physics.parsing import parse_json
from sim.bumpers.board import Position
from sim.bumpers.game.choices import choice_text, parse_choice
from sim.bumpers.game.deck_file import deck_from
from sim.bumpers.game.match import GameMatch, Step, make_table
from sim.bumpers.game.piles import cards_of
from sim.bumpers.game.state import GameState, Table
from sim.bumpers.game.turn import new_game
from sim.bumpers.mats import Colour
from sim.bumpers.position_notation import parse_position, position_text
from sim.bumpers.setups import Setup
from sim.core.files import version
from sim.core.json_reading import TextForm, from_json, to_json
from sim.core.play import replay_steps
from sim.core.records import check_record, read_record_file

_TABLE_KEYS = ("board", "players", "colours_each", "may_pass", "max_actions", "deck", "first")
_LATER_KEY = "first"  # not in the records of earlier versions
_KEYS = ("schema", "game", "version", "players", "seed", "table", "choices", "final")
_GAME = "puck bumpers"
_MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Record of a game.

    Attributes:
        table: The set-up.
        players: The kind of each player.
        seed: The seed of the game, or None.
        choices: All choices as text, shuffles included.
        position: The line of the final position.
        winner: The winner; None for a draw or an unfinished game.
        version: The version of pucklab that played it.
    """

    table: Table
    players: tuple[str, ...]
    seed: int | None
    choices: tuple[str, ...]
    position: str
    winner: int | None
    version: str


def record_of(
    table: Table, players: Sequence[str], seed: int | None, steps: Sequence[Step]
) -> Record:
    """Return the record of a game, from its steps."""
    final = steps[-1].after if steps else new_game(table)
    return Record(
        table=table,
        players=tuple(players),
        seed=seed,
        choices=tuple(choice_text(taken.before, taken.choice) for taken in steps),
        position=position_text(final.position),
        winner=final.winner,
        version=version(),
    )


def record_json(record: Record) -> str:
    """Return a record as JSON, with one choice per line."""
    contents = {
        "schema": 1,
        "game": _GAME,
        "version": record.version,
        "players": list(record.players),
        "seed": record.seed,
        "table": table_json(record.table),
        "choices": record.choices,
        "final": {"position": record.position, "winner": record.winner},
    }
    return json.dumps(contents, indent=1) + "\n"


def read_record(path: Path) -> Record:
    """Return the record of a file.

    Raises:
        InputError: It cannot be read or is not a record; the message names file and field.
    """
    return record_from(f"record: {str(path)!r}", read_record_file(path))


def record_from(field: str, value: object) -> Record:
    """Return the record from its JSON value.

    Args:
        field: Its name in errors.
        value: The value.

    Raises:
        InputError: A key or value is not accepted.
    """
    table = check_record(field, value, game=_GAME, keys=_KEYS)
    for key in ("players", "choices"):
        if not _are_texts(table[key]):
            raise InputError(f"{field}: {key}: {shown(table[key])} is not accepted; give texts")
    setting = table_from(f"{field}: table", table["table"])
    final = table["final"]
    if not isinstance(final, Mapping) or set(final) != {"position", "winner"}:
        raise InputError(f"{field}: final: {shown(final)} is not accepted; give position, winner")
    if len(table["players"]) != setting.players:
        raise InputError(f"{field}: players: give {setting.players}, as the table has")
    if table["seed"] is not None:
        check_count(f"{field}: seed", table["seed"], low=0, high=_MAX_SEED)
    if final["winner"] is not None:
        check_count(f"{field}: final winner", final["winner"], low=0, high=setting.players - 1)
    for name, text in (("version", table["version"]), ("final position", final["position"])):
        if not isinstance(text, str):
            raise InputError(f"{field}: {name}: {shown(text)} is not accepted; give a text")
    return Record(
        table=setting,
        players=tuple(table["players"]),
        seed=table["seed"],
        choices=tuple(table["choices"]),
        position=final["position"],
        winner=final["winner"],
        version=table["version"],
    )


def replay(record: Record) -> Iterator[Step]:
    """Replay a game, and yield its steps.

    Raises:
        InputError: A choice is not legal (the message gives its number), or the game ends
            differently from the record.
    """
    # Nobody is asked, and nothing is shuffled: every choice comes from the record.
    match = GameMatch(record.table, [None] * record.table.players, np.random.default_rng(0))
    yield from replay_steps(
        record.choices, lambda text: match.step(parse_choice(match.state, text)), "choice"
    )
    state = match.state
    line = position_text(state.position)
    if line != record.position:
        raise InputError(f"record: final: the choices lead to {line}, not {shown(record.position)}")
    if state.winner != record.winner:
        raise InputError(
            f"record: final winner: {shown(record.winner)}, but the choices lead to {state.winner}"
        )


def table_json(table: Table) -> dict[str, Any]:
    """Return a set-up for JSON: the board as a line, the deck as in a deck file."""
    return {
        "board": position_text(table.board),
        "players": table.players,
        "colours_each": table.colours_each,
        "may_pass": table.may_pass,
        "max_actions": table.max_actions,
        "first": table.first,
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
    """Return the set-up from its JSON value.

    Args:
        field: Its name in errors.
        value: The value, as returned by `table_json`.

    Raises:
        InputError: A key or value is not accepted.
    """
    if not isinstance(value, Mapping) or {*value, _LATER_KEY} != set(_TABLE_KEYS):
        raise InputError(f"{field}: {shown(value)} is not accepted; give {', '.join(_TABLE_KEYS)}")
    if not isinstance(value["board"], str) or not isinstance(value["may_pass"], bool):
        raise InputError(f"{field}: give the board as a line, and may_pass as true or false")
    try:
        board = parse_position(value["board"])
        deck = deck_from("deck", {"cards": value["deck"]})
        return make_table(
            value["players"],
            setup=Setup(name="board", about="", layout=board.layout, rules=board.rules),
            deck=deck,
            colours_each=value["colours_each"],
            may_pass=value["may_pass"],
            max_actions=value["max_actions"],
            first=value.get(_LATER_KEY, 0),
        )
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _are_texts(value: Any) -> bool:
    """Return whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _parse_colour(word: str) -> Colour:
    """Return the colour with this name.

    Raises:
        InputError: There is none.
    """
    colours = {colour.word: colour for colour in Colour}
    if word not in colours:
        raise InputError(f"{shown(word)} is not accepted; give one of {', '.join(colours)}")
    return colours[word]


FORMS = (
    TextForm(
        kind=Position,
        name="a position",
        to_text=position_text,
        from_text=lambda text: parse_position(text, temporary=True),
    ),
    TextForm(
        kind=Colour, name="a colour", to_text=lambda colour: colour.word, from_text=_parse_colour
    ),
)
"""Types that JSON stores as text, for `sim.core.json_reading`."""


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
    """Return the state from its JSON text.

    Raises:
        InputError: The text is not JSON, or a field is not accepted; the message names it.
    """
    table = parse_json(text, "state")
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
