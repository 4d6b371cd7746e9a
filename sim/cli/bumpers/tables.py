"""Options that say what game is set up: shared by the commands that begin one."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.numbers import count
from sim.cli.seed import seed_option

if TYPE_CHECKING:
    from sim.bumpers import Setup
    from sim.bumpers.game import Table

_Function = TypeVar("_Function", bound=Callable[..., Any])

_NAMES = ("setup", "deck", "colours", "may_pass", "max_actions")
TABLE_OPTIONS = (*_NAMES, "seed")
"""The names of the options that `table_options` gives a command."""

_OPTIONS = (
    click.option(
        "--setup",
        metavar="NAME|FILE",
        help="classic, small, old-school, or a file with a board of your own, of which only mats "
        "and rules are used.  [default: small for up to 3 colours, else classic]",
    ),
    click.option(
        "--deck",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Deck of your own (TOML).  [default: the house deck]",
    ),
    click.option(
        "--colours",
        type=count(1, 3),
        default=1,
        show_default=True,
        metavar="N",
        help="Colours of each player.",
    ),
    click.option("--may-pass", is_flag=True, help="Actions are not compulsory."),
    click.option(
        "--max-actions",
        type=count(1, 10**9),
        default=10_000,
        show_default=True,
        metavar="N",
        help="Actions after which the game is a draw.",
    ),
    seed_option("Seed of shuffles and of players that choose at random."),
)


def table_options(function: _Function) -> _Function:
    """Give a command the options that `table_from_options` reads, and a seed."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def table_from_options(players: int, options: dict[str, Any]) -> "Table":
    """Return the set-up that a command's options ask for, and take them out of ``options``.

    Raises:
        InputError: A value that is not accepted.
    """
    from sim.bumpers.game import make_table, read_deck

    taken = {name: options.pop(name) for name in _NAMES}
    return make_table(
        players,
        setup=setup_of(taken["setup"]),
        deck=None if taken["deck"] is None else read_deck(taken["deck"]),
        colours_each=taken["colours"],
        may_pass=taken["may_pass"],
        max_actions=taken["max_actions"],
    )


def setup_of(text: str | None) -> "Setup | str | None":
    """Return the set-up of a file, or the name of one.

    Raises:
        InputError: It is neither, or the file holds no board.
    """
    from physics import InputError
    from physics.checks import shown
    from sim.bumpers import Setup, setups
    from sim.cli.bumpers.positions import is_file, position_in

    if text is None or text in setups():
        return text
    if not is_file(text):
        known = ", ".join(setups())
        raise InputError(f"setup: {shown(text)} is no file; give one, or one of {known}")
    board = position_in(text, "setup")
    return Setup(name=text, about="", layout=board.layout, rules=board.rules)
