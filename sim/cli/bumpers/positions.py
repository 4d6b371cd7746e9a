"""The position that a command is asked about: a line, a set-up's name, or a file."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.bumpers import Position


def position_of(text: str) -> "Position":
    """Return the position of a command's argument.

    Args:
        text: A position's line, the name of a set-up for its empty board, or that of a file.

    Raises:
        InputError: It is no legal position, or the file cannot be read.
    """
    from physics import InputError
    from physics.checks import shown
    from sim.bumpers import parse_position, setups
    from sim.bumpers.position_notation import VERSION

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


def position_in(name: str, what: str) -> "Position":
    """Return the position of a file.

    Args:
        name: The file's name.
        what: What to call it in an error.

    Raises:
        InputError: It holds no legal position, or a saved game.
    """
    from physics import InputError
    from sim.bumpers.board_file import read_position

    if name.lower().endswith(".json"):
        raise InputError(
            f"{what}: {name!r} is not accepted; give a board in TOML or a position's line in a "
            "text file (saved games are for 'bumpers view' and 'bumpers play --replay')"
        )
    return read_position(Path(name), what)


def is_file(text: str) -> bool:
    """Return whether a text is the name of a file."""
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False
