"""Whether a person plays in a window or at the terminal."""

import os
import stat
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from sim.cli.options import flag

_Function = TypeVar("_Function", bound=Callable[..., Any])

text_option: Callable[[_Function], _Function] = flag(
    "--text", "Play at the terminal, also where a window could be opened."
)
"""The option of commands that a person plays in a window if there is a display."""


def plays_in_window() -> bool:
    """Return True if there is a display, and the answers of a person do not come from a file."""
    has_screen = sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # none, or one of a test
        return False
    return has_screen and not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode))
