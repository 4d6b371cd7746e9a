"""Options that set up a table of the drinking trail."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sim.trail.board import Board

_Function = TypeVar("_Function", bound=Callable[..., Any])

COUNTERS = "Units are counters: they may be points or water. Whoever drinks alcohol is an adult."

_OPTIONS = (
    click.option(
        "--board",
        type=click.Path(path_type=Path),
        metavar="FILE.toml",
        help="Board; the house-made one if not given.",
    ),
    click.option(
        "--policy",
        default="careful",
        show_default=True,
        metavar="KIND,...",
        help="How players decide: careful or quick; one for all, or one for each.",
    ),
    click.option(
        "--first",
        default="random",
        show_default=True,
        metavar="PLAYER",
        help="Who begins: random, or a player's name or number.",
    ),
    click.option("--all-finish", is_flag=True, help="Play until everybody has finished."),
)


def table_options(function: _Function) -> _Function:
    """Give a command the options for board, policies and the end of the game."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def board_from_option(path: Path | None) -> "Board":
    """Return the board of a file, or the house-made one.

    Raises:
        InputError: The file is not accepted.
    """
    from sim.trail.board import house_board, read_board

    return house_board() if path is None else read_board(path)


def kinds_from_option(text: str, players: int, *, person: bool = False) -> tuple[str, ...]:
    """Return the policy of each player.

    Raises:
        InputError: A policy that there is not, or another number of them.
    """
    from physics import InputError
    from sim.trail.players import POLICIES

    known = (*POLICIES, "person") if person else tuple(POLICIES)
    kinds = tuple(kind.strip() for kind in text.split(","))
    for kind in kinds:
        if kind not in known:
            raise InputError(f"policy: {kind!r} is not accepted; give one of {', '.join(known)}")
    if len(kinds) not in {1, players}:
        raise InputError(f"policy: {text!r} is not accepted; give 1 or {players} policies")
    return kinds * (players if len(kinds) == 1 else 1)


def first_from_option(text: str, names: Sequence[str]) -> int | None:
    """Return the seat that begins; None if it is to be drawn.

    Raises:
        InputError: There is no such player.
    """
    from physics import InputError

    if text == "random":
        return None
    if text in names:
        return names.index(text)
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return int(text) - 1
    raise InputError(
        f"first: {text!r} is not accepted; give random, a player's name or 1 to {len(names)}"
    )
