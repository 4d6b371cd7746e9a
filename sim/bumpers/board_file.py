"""Boards and positions from files.

A file is TOML with ``schema = 1``::

    layout = "X1 B1@90"          # rows of mats, or the name of a set-up
    pieces = "RPc7d9.RIb2"       # as in the line of a position; this and the rest are optional
    scored = "R1"
    to_move = "R"
    rules = ["pass-through"]
    first = "blue"               # who begins a game: a colour, or "draw"

    [mats.X1]                    # mats of your own; those of the house set need no table
    front = '''
    ..p.
    ....
    .~..
    ....
    '''

or text. In a text file, the first line that is not empty and does not begin with ``#`` is the line
of a position.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from physics import InputError
from physics.errors import shown
from sim.bumpers.board import Position
from sim.bumpers.mat_notation import NotationError, layout_text, mat_code, read_layout, read_mats
from sim.bumpers.mats import Colour
from sim.bumpers.position_notation import NONE, VERSION, parse_position
from sim.bumpers.setups import DRAWN, house_faces, setups
from sim.core.files import read_text, read_toml

_TEXTS = ("layout", "pieces", "scored", "to_move")
_KEYS = (*_TEXTS, "rules", "mats", "first")


def read_position(path: Path, what: str = "position") -> Position:
    """Return the position of a file: TOML if its name ends in ``.toml``, else a line of text.

    Args:
        path: The file.
        what: Its name in errors.

    Raises:
        InputError: It cannot be read or is not a legal position; the message names the file.
    """
    field = f"{what}: {str(path)!r}"
    if path.suffix.lower() == ".toml":
        return position_from(field, read_toml(what, path))
    for line in read_text(what, path).splitlines():
        if line.strip() and not line.startswith("#"):
            return _within(field, line)
    raise InputError(f"{field} has no line with a position")


def read_first(path: Path) -> str:
    """Return who begins a game by a file that `read_position` accepts; empty if it does not say."""
    if path.suffix.lower() != ".toml":
        return ""
    return str(read_toml("setup", path).get("first", ""))


def position_from(field: str, table: Mapping[str, Any]) -> Position:
    """Return the position of a file's table.

    Args:
        field: Name of the file in errors.
        table: The keys described in the module.

    Raises:
        InputError: A key or value is not accepted, or the position is illegal.

    Example:
        >>> mats = {"X1": {"front": "p.\\n.~"}}
        >>> table = {"layout": "X1@90", "pieces": "RPa2", "to_move": "R", "mats": mats}
        >>> position_from("board", table).to_move.word
        'red'
    """
    for key, value in table.items():
        if key not in _KEYS:
            raise InputError(f"{field}: {key}: no such key; give {', '.join(_KEYS)}")
        if key in _TEXTS and not isinstance(value, str):
            raise InputError(f"{field}: {key}: {shown(value)} is not accepted; give a text")
    accepted = (DRAWN, *(colour.word for colour in Colour))
    if table.get("first", DRAWN) not in accepted:
        first = shown(table["first"])
        raise InputError(f"{field}: first: {first} is not accepted; give {', '.join(accepted)}")
    own = read_mats(field, table.get("mats", {}))
    words = str(table.get("layout", "")).split()
    if len(words) == 1 and words[0] in setups():
        layout = words[0]
    else:
        try:
            placed = read_layout("layout", str(table.get("layout", "")), {**house_faces(), **own})
        except NotationError as error:
            raise InputError(f"{field}: {error}") from None
        layout = layout_text(placed)
        own = {face.label: face for face in placed.faces if face.label in own}
    fields = [VERSION, layout, *(str(table.get(key, NONE)) for key in _TEXTS[1:])]
    if own:
        fields.append("mats=" + ",".join(mat_code(face) for face in own.values()))
    if "rules" in table:
        fields.append("rules=" + _rules(field, table["rules"]))
    return _within(field, ":".join((*fields, NONE)))


def _rules(field: str, names: object) -> str:
    """Return the names of rules as in the line of a position."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{field}: rules: {shown(names)} is not accepted; give a list of names")
    return ",".join(names) or NONE


def _within(field: str, line: str) -> Position:
    """Return the position of a line; errors name the file."""
    try:
        return parse_position(line)
    except NotationError as error:
        raise InputError(f"{field}: {error}") from None
