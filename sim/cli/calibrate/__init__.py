"""``pucklab calibrate``: constants from measurements, each way a module of its own."""

from importlib import import_module

import click

EXIT_NO_FIT = 3
"""The data are fine, and tell nothing: a fit did not converge, or identifies no parameter."""

_COMMANDS = {
    "bench": "Restitution and friction from drops, slides, ramps and tilts.",
    "throws": "The thrower, and what else a log of real throws tells.",
}


class _LazyGroup(click.Group):
    """A group whose commands are the modules of this package, by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        found: click.Command = import_module(f"sim.cli.calibrate.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group("calibrate", cls=_LazyGroup)
def command() -> None:
    """Tune the model to your own pucks, and see how sure that is.

    Each command writes a parameter file that every other one takes with --params, and a report.
    Exit codes: 0 fitted, 2 a mistake in the input, 3 the data do not tell, 130 stopped.

    \b
    Examples:
      pucklab calibrate bench bench.csv --out bench.toml
      pucklab odds --params bench.toml
    """
