"""The seed of what is random."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from sim.cli.numbers import count

_Function = TypeVar("_Function", bound=Callable[..., Any])


def seed_option(about: str) -> Callable[[_Function], _Function]:
    """Return the option that gives a command its seed.

    Args:
        about: What comes of the seed, for the help, such as ``Same seed, same puzzles.``
    """
    return click.option(
        "--seed", type=count(0, 2**63 - 1), default=1, show_default=True, metavar="S", help=about
    )
