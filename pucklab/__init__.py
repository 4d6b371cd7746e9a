"""The front door for Python: odds, slams, positions, puzzles and battles in one call each.

Every function takes the same names and gives the same numbers as the ``pucklab`` command. Results
print as text, and show themselves in a notebook.

Example:
    >>> import pucklab
    >>> pucklab.solve("pb1:small:RPb7.RMe7.BPd7:-:R:-").text
    'b7N b12W a12S a11E*'
"""

from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import TYPE_CHECKING as _TYPES

if _TYPES:
    from pucklab.api.battles import Battle, WinRate, battle, win_rate
    from pucklab.api.boards import Board, Puzzle, Solved, position, puzzle, solve
    from pucklab.api.odds import FlipOdds, odds
    from pucklab.api.scenes import SceneOptions
    from pucklab.api.slams import Slam, slam

if not _Path(__file__).with_name("physics").is_dir():
    # A checkout without links, as on Windows: the packages lie beside this folder.
    __path__.append(str(_Path(__file__).parents[1]))

__all__ = [
    "Battle",
    "Board",
    "FlipOdds",
    "Puzzle",
    "SceneOptions",
    "Slam",
    "Solved",
    "WinRate",
    "battle",
    "odds",
    "position",
    "puzzle",
    "slam",
    "solve",
    "win_rate",
]

_ROOMS = {
    "battles": ("Battle", "WinRate", "battle", "win_rate"),
    "boards": ("Board", "Puzzle", "Solved", "position", "puzzle", "solve"),
    "odds": ("FlipOdds", "odds"),
    "scenes": ("SceneOptions",),
    "slams": ("Slam", "slam"),
}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: a solution needs no engine, and odds no board."""
    for room, names in _ROOMS.items():
        if name in names:
            found = globals()[name] = getattr(_import_module(f"pucklab.api.{room}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
