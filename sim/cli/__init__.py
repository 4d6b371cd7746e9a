"""The ``pucklab`` command. Each command is a module of its own, imported only when it is used."""

import sys
from importlib import import_module
from typing import Any

import click

from sim.cli.running import interrupts_kept

EXIT_INPUT = 2
EXIT_STOPPED = 130

_COMMANDS = {
    "odds": "Throw many times, and say how often how many pucks flip.",
    "slam": "Throw once, and tell what happened.",
    "watch": "See slams in a window, slowly, and throw by hand.",
    "reference": "Throw in a 3-D engine what odds throws in the plane.",
    "calibrate": "Tune the model to your own pucks, from measurements or throws.",
    "battle": "Play a battle of PokéPucks on simulated slams.",
    "bumpers": "Puck Bumpers: positions, legal moves, perft, whole games.",
    "solve": "Solve a Puck Bumpers position: a shortest solution, proved.",
    "puzzle": "Make Puck Bumpers puzzles of a wanted length.",
    "puckdex": "List the pucks of PokéPucks: slammers, items, trainers, your own.",
    "tournament": "Let PokéPucks slammers battle each other, and say who wins.",
    "completion": "Print what makes a shell complete pucklab's commands.",
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

    Throw slammers at stacks of pucks, and count what flips.

    \b
    Example:
      pucklab odds --slammer-g 4,8,20 --trials 1000
    """


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    try:
        with interrupts_kept():
            code = cli.main(prog_name="pucklab", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.Abort:
        sys.exit(EXIT_STOPPED)
    except click.ClickException as error:
        _fail(error.format_message())
    except KeyboardInterrupt:
        sys.exit(EXIT_STOPPED)
    except (ValueError, OSError, ImportError) as error:
        if not _is_users(error):
            raise
        _fail(str(error))
    sys.exit(code if isinstance(code, int) else 0)


def _is_users(error: Exception) -> bool:
    """Tell a mistake of the user's from one of the program's."""
    from physics.errors import InputError, MissingExtraError

    return isinstance(error, InputError | MissingExtraError | OSError)


def _fail(message: str) -> None:
    click.echo("error: " + " ".join(message.split()), err=True)
    sys.exit(EXIT_INPUT)
