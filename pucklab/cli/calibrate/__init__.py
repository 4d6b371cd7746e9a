"""``pucklab calibrate``: fit the constants of the model to measurements, throws and 3-D engines.

Four subcommands, each of which writes a parameter file, a report and a plot: `bench` for
measurements with a ruler, `rebound` for how high a slammer bounces, `throws` for a log of real
throws, `reference` for throws in two 3-D engines.
"""

import click

from pucklab.cli.commands import LazyGroup

_COMMANDS = {
    "bench": "Restitution and friction from drops, slides, ramps and tilts.",
    "rebound": "Restitution of a stack, from heights of rebounds.",
    "throws": "The thrower and other parameters from a log of real throws.",
    "reference": "The model compared with the solid engine, and its constants fitted to it.",
}


@click.group(
    "calibrate",
    cls=LazyGroup,
    lazy={
        name: (f"pucklab.cli.calibrate.{name}:command", line) for name, line in _COMMANDS.items()
    },
)
def command() -> None:
    """Fit the model to your own pucks, with uncertainties.

    Each command writes a report, and a parameter file that all commands accept with --params.
    Exit codes: 0 fitted, 2 a mistake in the input, 3 not enough data for a fit, 130 stopped.

    \b
    Examples:
      pucklab calibrate bench bench.csv --out bench.toml
      pucklab odds --params bench.toml
    """
