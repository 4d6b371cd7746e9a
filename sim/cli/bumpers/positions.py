"""The position that a command is asked about: a line, or a file."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.bumpers import Position


def position_of(text: str) -> "Position":
    """Return the position of a command's argument.

    Args:
        text: A position's line; anything that does not begin as one is the name of a file.

    Raises:
        InputError: It is no legal position, or the file cannot be read.
    """
    from sim.bumpers.boardfile import read_position
    from sim.bumpers.notation import VERSION
    from sim.bumpers.parsing import parse_position

    is_line = text.strip().startswith(f"{VERSION}:") or (":" in text and not Path(text).exists())
    return parse_position(text) if is_line else read_position(Path(text))
