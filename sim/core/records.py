"""Records: JSON files of games in one form for all, and other files with game and schema.

A `Record` is the set-up and every answer of a match; `record_of` makes it, `record_json` and
`read_record` write and read it, `replay` plays it again and checks its end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, TypeVar

from pucklab.base.decoding import decode, encode
from pucklab.base.errors import limits, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.files import read_json, version
from pucklab.base.parsing import json_text
from pucklab.physics import InputError
from pucklab.sim.core.game import AnyGame, AnyMatch, Match, Step

_File = TypeVar("_File")
_VERSION_CHARS = 20
_SCHEMA = 2
"""Of records: 1 had a form for each game."""


@fact
class Record:
    """A game as it was played."""

    version: str  # of the pucklab that played it
    players: tuple[str, ...]  # the kind of each
    seed: int | None = limits(0, 2**63 - 1)
    source: Mapping[str, str] = field(default_factory=dict)  # of the answers to calls
    setup: Any
    answers: tuple[str, ...]  # of players, chance and calls
    end: Mapping[str, Any]


def record_of(match: AnyMatch) -> Record:
    """Return the record of a match so far."""
    game = match.game
    return Record(
        version=version(),
        players=match.kinds,
        seed=match.seed if isinstance(match.seed, int) else None,
        source=match.source,
        setup=match.setup,
        answers=tuple(game.text(step.before, step.answer) for step in match.steps),
        end=game.end(match.state),
    )


def record_json(game: AnyGame, record: Record) -> str:
    """Return a record as JSON text, with one answer a line."""
    stored = {"schema": _SCHEMA, "game": game.name, **encode(record)}
    answers = ",\n".join(f"  {json_text(text, ensure_ascii=False)}" for text in record.answers)
    lines = [
        f' "{key}": [\n{answers}\n ]'
        if key == "answers" and answers
        else f' "{key}": {json_text(part, ensure_ascii=False)}'
        for key, part in stored.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_record(game: AnyGame, path: Path) -> Record:
    """Return the record of a file.

    Raises:
        InputError: It cannot be read, or is no record of this game; the message names file and
            field.
    """
    return game_record_from(game, read_json("record", path), f"record: {str(path)!r}")


def game_record_from(game: AnyGame, contents: object, where: str = "record") -> Record:
    """Return the record of a game from its JSON value; see `read_record`."""
    record = record_from(Record, contents, where, game.name, _SCHEMA)
    setup = decode(game.setup, record.setup, f"{where} setup")
    seats = len(game.seats(game.start(setup)))
    if len(record.players) != seats:
        raise InputError(f"{where} players: give {seats}, as the set-up has")
    return replace(record, setup=setup)


def match_of(game: AnyGame, record: Record) -> AnyMatch:
    """Return the match of a record, at its end; see `replay`."""
    seats = [None] * len(record.players)
    match: AnyMatch = Match(
        game, record.setup, seats, record.seed or 0, kinds=record.players, source=record.source
    )
    for _ in replay(game, record, match):
        pass
    return match


def replay(
    game: AnyGame, record: Record, match: AnyMatch | None = None
) -> Iterator[Step[Any, Any, Any]]:
    """Replay a game, and yield its steps.

    Args:
        game: The game.
        record: The record.
        match: The match in which the answers are given; a new one if None.

    Raises:
        InputError: An answer is not legal (the message gives its number, from 1), or the game ends
            differently; if another version saved the record, the message says so.
    """
    # Nobody is asked and nothing is drawn: every answer comes from the record.
    match = match or Match(game, record.setup, [None] * len(record.players))
    saved = f"; saved by pucklab {record.version[:_VERSION_CHARS]}, this is {version()}"
    saved *= record.version != version()
    for number, text in enumerate(record.answers, start=1):
        try:
            step = match.step(game.read(match.state, text))
        except InputError as error:
            raise InputError(f"record: answer {number}: {error}{saved}") from None
        yield step
    end = encode(game.end(match.state))
    for key in {**end, **record.end}:
        if end.get(key) != record.end.get(key):
            raise InputError(
                f"record: end {key}: {shown(record.end.get(key))}, but the answers lead to "
                f"{shown(end.get(key))}{saved}"
            )


def record_from(
    kind: type[_File], contents: object, where: str, game: str, schema: int = 1
) -> _File:
    """Return a JSON value as a dataclass, after checking its game and schema.

    Args:
        kind: Its class, with all fields besides schema and game.
        contents: The value.
        where: Its name in errors.
        game: The game that it must be of.
        schema: The version of its form.

    Raises:
        InputError: It is of another game, schema or form; if another version saved it, the message
            names the version.

    Example:
        >>> record_from(dict, {"game": "chess", "schema": 2}, "record", "chess")
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: record schema: 2 is not accepted; give 1
    """
    if not isinstance(contents, Mapping):
        raise refusal(where, contents, f"a table with schema = {schema} and game = {game!r}")
    checks: Sequence[tuple[str, object]] = (("game", game), ("schema", schema))
    for name, wanted in checks if "game" in contents else checks[::-1]:
        found, by = contents.get(name), contents.get("version")
        if type(found) is not type(wanted) or found != wanted:
            saved = (
                f"; saved by pucklab {by[:_VERSION_CHARS]}, this is {version()}: save it again"
                if name == "schema" and isinstance(by, str)
                else ""
            )
            raise refusal(f"{where} {name}", found, f"{wanted!r}{saved}")
    return decode(
        kind, {k: part for k, part in contents.items() if k not in {"game", "schema"}}, where
    )
