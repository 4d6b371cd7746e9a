"""Records: JSON files of games in one form for all, and other files with game and schema.

A `Record` is the set-up and every answer of a match; `record_of` makes it, `record_json` and
`read_record` write and read it, `replay` plays it again and checks its end. A `Journal` is the
record of a game under way, as a file of lines.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, TypeVar

from pucklab.base.decoding import decode, encode
from pucklab.base.errors import InputError, check_count, limits, refusal, shown
from pucklab.base.facts import fact
from pucklab.base.files import read_json, version, write_whole
from pucklab.base.parsing import MAX_JSON_CHARS, json_text, parse_json
from pucklab.base.values import MOST_SEED
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
    seed: int | None = limits(0, MOST_SEED)
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


def journal_lines(match: AnyMatch) -> Iterator[Any]:
    """Yield the header of a match, which is its record without answers and end, and the answers."""
    record = encode(record_of(match))
    answers = record.pop("answers")
    del record["end"]
    yield {"schema": _SCHEMA, "game": match.game.name, **record}
    yield from answers


class Journal:
    """A game under way as a file of lines of JSON, locked as long as this is open.

    The first line is a header, each other one an answer's text or a table with anything else. A
    line is on the disk once `append` returns; one that was cut short by a crash does not count.

    Attributes:
        lines: The values of the lines that were there.
    """

    def __init__(self, path: Path, lines: Iterable[Any] = ()) -> None:
        """Open a journal, or begin one with some lines.

        Raises:
            InputError: Another process has it open, it cannot be read or written, or a line is no
                JSON. The message has no path.
        """
        from filelock import FileLock, Timeout  # slow to import

        new = "".join(map(_line, lines)).encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path.with_suffix(".lock"))
            self._lock.acquire(0)
            if new:
                write_whole(path, new)
            self._file = path.open("r+b", buffering=0)
            data = self._file.read(MAX_JSON_CHARS + 1)
        except Timeout:
            raise InputError("game: another pucklab on this machine has it open") from None
        except OSError as error:
            raise InputError(f"game: it cannot be kept: {error.strerror or error}") from None
        self._end = data.rfind(b"\n") + 1
        texts = data[: self._end].decode("ascii", "surrogateescape").split("\n")[:-1]
        try:
            check_count("game: number of bytes", len(data), 0, MAX_JSON_CHARS)
            self.lines = [parse_json(text, f"game line {n}") for n, text in enumerate(texts, 1)]
        except InputError:
            self.close()
            raise

    def append(self, line: Any) -> None:
        """Add a line to the file on the disk.

        Raises:
            InputError: It cannot be written; the file stays as it was.
        """
        data = _line(line).encode()
        try:
            self._file.truncate(self._end)  # of a line that was cut short
            self._file.seek(self._end)
            left = data
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except (OSError, ValueError) as error:  # a file that is closed
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"game: it cannot be kept: {reason}") from None
        self._end += len(data)

    def close(self) -> None:
        """Let other processes have it."""
        self._file.close()
        self._lock.release()


def _line(value: Any) -> str:
    return json_text(value) + "\n"  # in ASCII: what is damaged is no JSON


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
