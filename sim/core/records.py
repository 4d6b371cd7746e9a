"""Files that say what they are: read as JSON, and checked for schema, version and game."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from physics import InputError
from physics.errors import shown
from sim.core.files import read_text, version

_SHOWN = 20


def read_record_file(path: Path) -> object:
    """Return what the JSON of a game's record tells.

    Raises:
        InputError: It cannot be read, or is no JSON.
    """
    text = read_text("record", path)
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"record: {str(path)!r} is no JSON: {error}") from None
    except RecursionError:
        raise InputError(f"record: {str(path)!r} is no record: it is nested too deeply") from None


def check_record(
    field: str, told: object, *, game: str, keys: Collection[str]
) -> Mapping[str, Any]:
    """Return a record's table, checked for its game, its schema and its keys.

    Args:
        field: What to call it in an error.
        told: Its contents.
        game: The game it must be of.
        keys: The keys it must have.

    Raises:
        InputError: It is of another game or schema, or has other keys.
    """
    if isinstance(told, Mapping) and told.get("game", game) != game:
        raise InputError(f"{field}: game: {shown(told['game'])} is not accepted; give {game!r}")
    if isinstance(told, Mapping) and "schema" in told:
        check_schema(field, told, 1)
    if not isinstance(told, Mapping) or set(told) != set(keys):
        raise InputError(f"{field}: {shown(told)} is not accepted; give {', '.join(keys)}")
    return told


def check_schema(field: str, told: Mapping[str, Any], schema: int) -> None:
    """Check the schema of a table.

    Raises:
        InputError: It is another; the message says which version of pucklab saved it.

    Example:
        >>> check_schema("replay", {"schema": 2}, 1)
        Traceback (most recent call last):
            ...
        physics.errors.InputError: replay: schema: 2 is not accepted; give 1
    """
    found = told["schema"]
    if found == schema and not isinstance(found, bool):
        return
    by = told.get("version")
    saved = (
        f"; saved by pucklab {by[:_SHOWN]}, this is {version()}: save it again with this"
        if isinstance(by, str)
        else ""
    )
    raise InputError(f"{field}: schema: {shown(found)} is not accepted; give {schema}{saved}")
