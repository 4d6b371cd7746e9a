"""``pucklab trail``: the drinking trail; `duels` has the commands gym and starter."""

import click

from sim.cli.options import OrderedGroup
from sim.cli.trail import duels, odds, play


@click.group("trail", cls=OrderedGroup)
def command() -> None:
    """The drinking trail: a board game of dice duels, by its odds.

    Units are counters, and may be points or water.

    \b
    Examples:
      pucklab trail gym 3/4
      pucklab trail starter --others bulbasaur,squirtle
      pucklab trail odds --players 4
      pucklab trail play --policy person,careful
    """


for _command in (duels.gym_command, duels.starter_command, odds.command, play.command):
    command.add_command(_command)
