"""The ``pucklab`` command. Each subcommand is a module of its own, imported when it is used."""

import sys
from importlib import import_module
from typing import Any

import click

from sim.cli import output
from sim.cli.running import EXIT_STOPPED, exit_code, stopped_by_signals

__all__ = ["EXIT_INPUT", "EXIT_STOPPED", "LazyGroup", "cli", "main"]

EXIT_INPUT = 2

_COMMANDS = {
    "odds": "Estimate how many pucks flip, and how often, from many throws.",
    "slam": "Simulate one throw, and describe the result.",
    "watch": "Watch slams in slow motion in a window, and throw by hand.",
    "reference": "Simulate the same throws in a 3-D engine.",
    "calibrate": "Fit the model to your own pucks, from measurements or throws.",
    "battle": "Play a battle of PokéPucks on simulated slams.",
    "bumpers": "Puck Bumpers: positions, legal moves, perft, whole games.",
    "solve": "Find a shortest solution of a Puck Bumpers position, with proof.",
    "puzzle": "Make Puck Bumpers puzzles of a given length.",
    "puckdex": "List the pucks of PokéPucks.",
    "tournament": "Rank slammers, players or decks by battles.",
    "deck": "Find winning decks, and what wins battles.",
    "trail": "The drinking trail: gyms, odds, whole games.",
    "completion": "Print the shell completion script.",
}


class LazyGroup(click.Group):
    """A group whose commands are the modules of a package, by name; each has a ``command``."""

    def __init__(self, *args: Any, package: str, about: dict[str, str], **kwargs: Any) -> None:
        """Make the group.

        Args:
            *args: As of `click.Group`.
            package: Full name of the package.
            about: What each command does, in a line, by its name.
            **kwargs: As of `click.Group`.
        """
        super().__init__(*args, **kwargs)
        self._package = package
        self._about = about
        # Click suggests the nearest of these names where somebody mistypes one.
        self.commands = dict.fromkeys(about, click.Command(None))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        del ctx
        return list(self._about)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command."""
        del ctx
        if cmd_name not in self._about:
            return None
        found: click.Command = import_module(f"{self._package}.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self._about.items()))


@click.group(
    cls=LazyGroup,
    package=__name__,
    about=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="pucklab", message="pucklab %(version)s")
def cli() -> None:
    """A physics lab for two puck games.

    Throw slammers at stacks of pucks, count the flips, and play both games.

    \b
    Example:
      pucklab odds --slammer-g 4,8,20 --trials 1000
    """


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    output.begin()
    sys.exit(output.finish(_run()))


def _run() -> int:
    """Run the command of the command line, and return its exit code."""
    try:
        with stopped_by_signals():
            code = cli.main(prog_name="pucklab", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except (click.Abort, KeyboardInterrupt):
        return exit_code(EXIT_STOPPED)
    except click.ClickException as error:
        output.print_error(error.format_message())
        return EXIT_INPUT
    except (ValueError, OSError, ImportError) as error:
        if not _is_users(error):
            raise
        output.print_error(_message(error))
        return EXIT_INPUT
    return exit_code(code) if isinstance(code, int) else 0


def _is_users(error: Exception) -> bool:
    """Return True if an error is the user's mistake, not a fault of the program."""
    from physics.errors import InputError, MissingExtraError

    return isinstance(error, InputError | MissingExtraError | OSError)


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        named = f"{error.filename!r}: " if error.filename else ""
        return f"{named}{error.strerror}"
    return str(error)
