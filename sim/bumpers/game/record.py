"""Game files: records that replay exactly, and states to save and resume.

A `Record` is the set-up and all choices, shuffles included; `record_of` makes it, `record_json` and
`read_record` write and read it, `replay` plays it again and checks the end. `state_json` and
`state_from` save and restore a single state.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from physics import InputError
from physics.decoding import (
    Form,
    check_one_of,
    decode,
    encode,
    register_form,
    register_text,
)
from physics.errors import check_count, limits, shown
from physics.facts import fact
from physics.parsing import parse_json
from sim.bumpers.board import Position
from sim.bumpers.cards import Card
from sim.bumpers.game.choices import choice_text, parse_choice
from sim.bumpers.game.deck_file import deck_of
from sim.bumpers.game.match import GameMatch, Step, make_table
from sim.bumpers.game.piles import cards_of
from sim.bumpers.game.state import GameState, Table
from sim.bumpers.game.turn import new_game
from sim.bumpers.mats import Colour
from sim.bumpers.position_notation import parse_position, position_text
from sim.bumpers.setups import Setup
from sim.core import records
from sim.core.files import version
from sim.core.play import replay_steps

_GAME = "puck bumpers"


@fact
class End:
    """The end of a game."""

    position: str  # the line of the final position
    winner: int | None  # none for a draw or an unfinished game


@fact
class Record:
    """Record of a game."""

    version: str  # of the pucklab that played it
    players: tuple[str, ...]  # the kind of each
    seed: int | None = limits(0, 2**63 - 1)
    table: Table
    choices: tuple[str, ...]  # shuffles included
    final: End

    def __post_init__(self) -> None:
        """Check that the parts are of one table."""
        if len(self.players) != self.table.players:
            raise InputError(f"players: give {self.table.players}, as the table has")
        if self.final.winner is not None:
            check_count("final winner", self.final.winner, 0, self.table.players - 1)


@fact
class _TableFile:
    """A set-up as files have it."""

    board: Position
    players: int
    colours_each: int
    may_pass: bool
    max_actions: int
    first: int = 0
    deck: tuple[Card, ...]


def record_of(
    table: Table, players: Sequence[str], seed: int | None, steps: Sequence[Step]
) -> Record:
    """Return the record of a game, from its steps."""
    final = steps[-1].after if steps else new_game(table)
    return Record(
        version=version(),
        players=tuple(players),
        seed=seed,
        table=table,
        choices=tuple(choice_text(taken.before, taken.choice) for taken in steps),
        final=End(position=position_text(final.position), winner=final.winner),
    )


def record_json(record: Record) -> str:
    """Return a record as JSON, with one choice per line."""
    return json.dumps({"schema": 1, "game": _GAME, **encode(record)}, indent=1) + "\n"


def read_record(path: Path) -> Record:
    """Return the record of a file.

    Raises:
        InputError: It cannot be read or is not a record; the message names file and field.
    """
    return records.read_record_file(Record, path, _GAME)


def record_from(where: str, value: object) -> Record:
    """Return the record from its JSON value.

    Raises:
        InputError: A key or value is not accepted.
    """
    return records.record_from(Record, value, where, _GAME)


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
    end = record.final
    if line != end.position:
        raise InputError(f"record: final: the choices lead to {line}, not {shown(end.position)}")
    if state.winner != end.winner:
        raise InputError(
            f"record: final winner: {shown(end.winner)}, but the choices lead to {state.winner}"
        )


def _table_json(table: Table) -> dict[str, Any]:
    """Return a set-up for JSON: the board as a line, the deck as in a deck file."""
    return {
        "board": position_text(table.board),
        "players": table.players,
        "colours_each": table.colours_each,
        "may_pass": table.may_pass,
        "max_actions": table.max_actions,
        "first": table.first,
        "deck": encode(table.deck.cards),
    }


def _table_from(value: object, where: str) -> Table:
    stored = decode(_TableFile, value, where)
    board = stored.board
    try:
        return make_table(
            stored.players,
            setup=Setup(name="board", about="", layout=board.layout, rules=board.rules),
            deck=deck_of(f"{where} deck", stored.deck),
            colours_each=stored.colours_each,
            may_pass=stored.may_pass,
            max_actions=stored.max_actions,
            first=stored.first,
        )
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _parse_colour(word: str) -> Colour:
    colours = {colour.word: colour for colour in Colour}
    check_one_of("colour", word, tuple(colours))
    return colours[word]


register_text(
    Position, "a position", position_text, lambda text: parse_position(text, temporary=True)
)
register_text(Colour, "a colour", lambda colour: colour.word, _parse_colour)
register_form(Table, Form(name="a set-up", read=_table_from, store=_table_json))


def state_json(state: GameState) -> str:
    """Return a state as JSON; `state_from` reads it back.

    Example:
        >>> from sim.bumpers.game import make_table, new_game
        >>> state = new_game(make_table(2))
        >>> state_from(state_json(state)) == state
        True
    """
    return json.dumps(encode(state))


def state_from(text: str) -> GameState:
    """Return the state from its JSON text.

    Raises:
        InputError: The text is not JSON, or a field is not accepted; the message names it.
    """
    state = decode(GameState, parse_json(text, "state"), "state")
    seats = {
        "player": state.player,
        "asked": state.asked,
        "finished": state.finished,
        "winner": state.winner,
    }
    for name, seat in seats.items():
        if seat is not None:
            check_count(f"state {name}", seat, 0, state.table.players - 1)
    if len(state.hands) != state.table.players:
        raise InputError(f"state hands: give {state.table.players}, as the table has players")
    if cards_of(state) != state.table.deck.numbers:
        raise InputError("state: the cards in hands, piles and play are not those of the deck")
    return state
