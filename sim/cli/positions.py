"""Puck Bumpers positions as arguments of commands: a line, a file, or the name of a set-up."""

from pathlib import Path

from physics.errors import InputError, shown
from sim.bumpers import Position, parse_position, setups
from sim.bumpers.board_file import read_position
from sim.bumpers.position_notation import VERSION


def setup_names() -> list[str]:
    """Return the names of the set-ups of Puck Bumpers."""
    return list(setups())


def position_of(text: str) -> Position:
    """Return the position of a command-line argument.

    Args:
        text: The line of a position, the name of a set-up for its empty board, or a file name.

    Raises:
        InputError: It is not a legal position, or the file cannot be read.
    """
    if text in setups():
        return parse_position(f"{VERSION}:{text}:-:-:-:-")
    if text.strip().startswith(f"{VERSION}:"):
        return parse_position(text)
    if is_file(text):
        return position_in(text, "position")
    if ":" in text:
        return parse_position(text)
    raise InputError(
        f"position: {shown(text)} is no file; give a position's line ({VERSION}:...), a file with "
        f"one, or a set-up ({', '.join(setups())})"
    )


def position_in(name: str, what: str) -> Position:
    """Return the position of a file.

    Args:
        name: The name of the file.
        what: The name of the argument in errors.

    Raises:
        InputError: The file has no legal position, or is a saved game.
    """
    if name.lower().endswith(".json"):
        raise InputError(
            f"{what}: {name!r} is not accepted; give a board in TOML or a position's line in a "
            "text file (saved games are for 'bumpers view' and 'bumpers play --replay')"
        )
    return read_position(Path(name), what)


def is_file(text: str) -> bool:
    """Return whether a text is the name of an existing file."""
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False
