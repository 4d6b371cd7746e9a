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
of a position, unless the file has a board of `pucklab.sim.bumpers.board_forms`, which may have a
goal.
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from pucklab.base.decoding import check_one_of, decode
from pucklab.base.errors import errors_at, shown
from pucklab.base.facts import fact
from pucklab.base.files import STANDARD, is_toml, read_text, read_toml, toml_contents
from pucklab.physics import InputError
from pucklab.sim.bumpers.board import Position
from pucklab.sim.bumpers.board_forms import SlideBoard, is_board, read_board
from pucklab.sim.bumpers.mat_notation import layout_text, mat_code, read_layout, read_mats
from pucklab.sim.bumpers.mats import Colour
from pucklab.sim.bumpers.position_notation import NONE, QUOTES, VERSION, parse_position
from pucklab.sim.bumpers.setups import DRAWN, house_faces, setups
from pucklab.sim.bumpers.solver.goals import goal_text


@fact
class _BoardFile:
    """A board or position as files have it; see the module."""

    layout: str = ""
    pieces: str = NONE
    scored: str = NONE
    to_move: str = NONE
    rules: tuple[str, ...] | None = None
    mats: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    first: str = ""

    def __post_init__(self) -> None:
        if self.first:
            check_one_of("first", self.first, (DRAWN, *(colour.word for colour in Colour)))


def read_position(path: Path, what: str = "position") -> tuple[Position, SlideBoard | None]:
    """Return the position of a file, and its board with goals, if it is of such a form.

    Args:
        path: The file: TOML if its name says so, else a board or a line of text.
        what: Its name in errors.

    Raises:
        InputError: It cannot be read or is not a legal position; the message names the file.
    """
    where = f"{what}: {str(path)!r}"
    text = read_text(what, path)
    if is_toml(path, text):
        return position_from(where, toml_contents(where, text)), None
    if is_board(text):
        board = read_board(text, where)
        return board.position, board
    if path.suffix.lower() == ".json":
        raise InputError(
            f"{where} is not accepted; give a board in TOML, a position's line in a text file, or "
            "the board of another program (saved games are for 'bumpers view' and 'bumpers play "
            "--replay')"
        )
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            return _within(where, line), None
    raise InputError(f"{where} has no line with a position")


def read_first(path: Path) -> str:
    """Return the ``first`` of a file that `read_position` accepts; empty if it has none."""
    if path.suffix.lower() != ".toml":
        return ""
    return str(read_toml("setup", path).get("first", ""))


def position_from(where: str, table: Mapping[str, Any]) -> Position:
    """Return the position of a file's table.

    Args:
        where: Name of the file in errors.
        table: The keys described in the module.

    Raises:
        InputError: A key or value is not accepted, or the position is illegal.

    Example:
        >>> mats = {"X1": {"front": "p.\\n.~"}}
        >>> table = {"layout": "X1@90", "pieces": "RPa2", "to_move": "R", "mats": mats}
        >>> position_from("board", table).to_move.word
        'red'
    """
    stored = decode(_BoardFile, table, where)
    own = read_mats(where, stored.mats)
    words = stored.layout.split()
    if len(words) == 1 and words[0] in setups():
        layout = words[0]
    else:
        with errors_at(f"{where}:"):
            placed = read_layout("layout", stored.layout, {**house_faces(), **own})
        layout = layout_text(placed)
        own = {face.label: face for face in placed.faces if face.label in own}
    parts = [VERSION, layout, stored.pieces, stored.scored, stored.to_move]
    if own:
        parts.append("mats=" + ",".join(mat_code(face) for face in own.values()))
    if stored.rules is not None:
        parts.append("rules=" + (",".join(stored.rules) or NONE))
    return _within(where, ":".join((*parts, NONE)))


def _within(where: str, line: str) -> Position:
    """Return the position of a line; errors name the file."""
    with errors_at(f"{where}:"):
        return parse_position(line)


def position_with_goal(text: str, goal: str | None = None) -> tuple[Position, str]:
    """Return the position of a command-line argument, and the goal given or that of its file.

    Args:
        text: As for `position_of`.
        goal: The text of the goal; that of a board's file, if it has one, if none is given.

    Raises:
        InputError: As for `position_of`; or the file has several goals, and none is given.
    """
    position, board = _read(text)
    return position, goal or ("" if board is None else board.goal())


def position_with_goals(text: str) -> tuple[Position, tuple[str, ...]]:
    """Return the position of a command-line argument, and the texts of all goals of its file."""
    position, board = _read(text)
    goals = () if board is None else board.goals.values()
    return position, tuple(dict.fromkeys(goal_text(position, goal) for goal in goals))


def position_of(text: str) -> Position:
    """Return the position of a command-line argument.

    Args:
        text: The line of a position, the name of a set-up for its empty board, or a
            file name; ``-`` for standard input.

    Raises:
        InputError: It is not a legal position, or the file cannot be read.
    """
    return _read(text)[0]


def _read(text: str) -> tuple[Position, SlideBoard | None]:
    """Return the position of a command-line argument, and its board if `read_position` has it."""
    if text in setups():
        return parse_position(f"{VERSION}:{text}:-:-:-:-"), None
    if text.strip(QUOTES).startswith(f"{VERSION}:"):
        return parse_position(text), None
    if text == str(STANDARD) or is_file(text):
        return read_position(Path(text))
    if ":" in text:
        return parse_position(text), None
    raise InputError(
        f"position: {shown(text)} is no file; give a position's line ({VERSION}:...), a file with "
        f"one, or a set-up ({', '.join(setups())})"
    )


def is_file(text: str) -> bool:
    """Return whether a text is the name of an existing file."""
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False
