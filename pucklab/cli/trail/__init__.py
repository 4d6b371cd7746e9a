"""``pucklab trail``: the drinking trail; `duels` has the commands gym and starter."""

import click

from pucklab.cli.commands import LazyGroup


@click.group(
    "trail",
    cls=LazyGroup,
    lazy={
        "gym": (
            "pucklab.cli.trail.duels:gym_command",
            "Divide the dice at a gym, by the odds.",
        ),
        "starter": (
            "pucklab.cli.trail.duels:starter_command",
            "Odds of a trainer battle, by starter.",
        ),
        "odds": ("pucklab.cli.trail.odds:command", "Turns and units that a board costs."),
        "play": ("pucklab.cli.trail.play:command", "Play a game to its end, event by event."),
    },
)
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
