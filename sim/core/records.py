"""Records of games: JSON files that name their game, schema and version."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from physics.errors import InputError, shown
from sim.core.files import read_json, version

_VERSION_CHARS = 20


def read_record_file(path: Path) -> object:
    """Return the contents of the JSON file of a game's record.

    Raises:
        InputError: It cannot be read, or is not JSON.
    """
    return read_json("record", path)


def check_record(
    field: str, contents: object, *, game: str, keys: Collection[str]
) -> Mapping[str, Any]:
    """Return a record's table, checked for its game, its schema and its keys.

    Args:
        field: Name of the record in errors.
        contents: The value in its file.
        game: The game that it must be of.
        keys: The keys that it must have.

    Raises:
        InputError: It is of another game or schema, or has other keys.
    """
    if isinstance(contents, Mapping) and contents.get("game", game) != game:
        raise InputError(f"{field}: game: {shown(contents['game'])} is not accepted; give {game!r}")
    if isinstance(contents, Mapping) and "schema" in contents:
        check_schema(field, contents, 1)
    if not isinstance(contents, Mapping) or set(contents) != set(keys):
        raise InputError(f"{field}: {shown(contents)} is not accepted; give {', '.join(keys)}")
    return contents


def check_schema(field: str, contents: Mapping[str, Any], schema: int) -> None:
    """Check the schema of a table.

    Raises:
        InputError: It is another; the message names the version of pucklab that saved it.

    Example:
        >>> check_schema("replay", {"schema": 2}, 1)
        Traceback (most recent call last):
            ...
        physics.errors.InputError: replay: schema: 2 is not accepted; give 1
    """
    found = contents["schema"]
    if found == schema and not isinstance(found, bool):
        return
    by = contents.get("version")
    saved = (
        f"; saved by pucklab {by[:_VERSION_CHARS]}, this is {version()}: save it again with this"
        if isinstance(by, str)
        else ""
    )
    raise InputError(f"{field}: schema: {shown(found)} is not accepted; give {schema}{saved}")
