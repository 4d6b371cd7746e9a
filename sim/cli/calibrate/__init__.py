"""``pucklab calibrate``: constants from measurements, each way a module of its own."""

import click

from sim.cli.lazygroup import LazyGroup

EXIT_NO_FIT = 3
"""The data are fine, and tell nothing: a fit did not converge, or identifies no parameter."""

_COMMANDS = {
    "bench": "Restitution and friction from drops, slides, ramps and tilts.",
    "throws": "The thrower, and what else a log of real throws tells.",
    "reference": "The model beside two 3-D engines, and its own constants fitted to them.",
}


@click.group("calibrate", cls=LazyGroup, package=__name__, about=_COMMANDS)
def command() -> None:
    """Tune the model to your own pucks, and see how sure that is.

    Each command writes a parameter file that every other one takes with --params, and a report.
    Exit codes: 0 fitted, 2 a mistake in the input, 3 the data do not tell, 130 stopped.

    \b
    Examples:
      pucklab calibrate bench bench.csv --out bench.toml
      pucklab odds --params bench.toml
    """
