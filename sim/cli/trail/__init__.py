"""``pucklab trail``: the drinking trail. Each command is a module of its own."""

import click

from sim.cli import LazyGroup

_COMMANDS = {
    "gym": "Best ways to divide the dice at a gym, with exact chances.",
    "starter": "Exact odds of trainer battles, by starter.",
    "odds": "Turns, units and cups that a board costs, exact and simulated.",
    "play": "Play a whole game, by policies or by you.",
}


@click.group("trail", cls=LazyGroup, package=__name__, about=_COMMANDS)
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
