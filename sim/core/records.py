"""Records of games: JSON files that name their game, schema and version."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from physics.decoding import decode
from physics.errors import refusal
from sim.core.files import read_json, version

_Record = TypeVar("_Record")
_VERSION_CHARS = 20


def read_record_file(kind: type[_Record], path: Path, game: str, what: str = "record") -> _Record:
    """Return the record in a JSON file; see `record_from`.

    Raises:
        InputError: It cannot be read, or is no such record.
    """
    return record_from(kind, read_json(what, path), f"{what}: {str(path)!r}", game)


def record_from(kind: type[_Record], contents: object, where: str, game: str) -> _Record:
    """Return the record of a JSON value.

    Args:
        kind: Its class, with all fields besides schema and game.
        contents: The value.
        where: Its name in errors.
        game: The game that it must be of.

    Raises:
        InputError: It is of another game, schema or form; if another version saved it, the message
            names the version.

    Example:
        >>> record_from(dict, {"game": "chess", "schema": 2}, "record", "chess")
        Traceback (most recent call last):
            ...
        physics.errors.InputError: record schema: 2 is not accepted; give 1
    """
    if not isinstance(contents, Mapping):
        raise refusal(where, contents, f"a table with schema = 1 and game = {game!r}")
    checks = (("game", game), ("schema", 1))
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
