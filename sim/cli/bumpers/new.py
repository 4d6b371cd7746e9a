"""``pucklab bumpers new``: a position to begin with, after a random placing."""

from typing import Any

import click

from sim.cli.bumpers.tables import table_from_options, table_options
from sim.cli.numbers import count


@click.command("new")
@click.option(
    "--players",
    type=count(2, 6),
    default=4,
    show_default=True,
    metavar="N",
    help="Players, 2 to 6.",
)
@table_options
def command(*, players: int, seed: int, **options: Any) -> None:
    """Place all pieces at random on their start spaces, draw the position and print its line.

    \b
    Examples:
      pucklab bumpers new
      pucklab bumpers new --players 2 --seed 7
      pucklab bumpers new --players 6 --setup old-school
    """
    import numpy as np

    from sim.bumpers import position_text
    from sim.bumpers.drawing import draw_position
    from sim.bumpers.game import random_start

    table = table_from_options(players, options)
    position = random_start(table, np.random.default_rng(seed)).position
    click.echo(draw_position(position))
    click.echo(position_text(position))
