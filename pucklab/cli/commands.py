"""The group of all commands, and the exit codes of their runs.

A command is a module with a ``command``, which is imported when it is called: so modules of
commands import whatever they need at the top, and ``pucklab --help`` imports none of them.
"""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from pucklab.cli import output
from pucklab.cli.signals import EXIT_STOPPED, Stop, exit_code, report_stop, set_phase

EXIT_INPUT = 2


class _WorkContext(click.Context):
    """The context of a command, whose work a signal stops in order."""

    def invoke(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command's function; afterwards its answer is printed, unless another follows."""
        set_phase("working")
        value = super().invoke(*args, **kwargs)
        set_phase("starting" if self.invoked_subcommand else "answered")
        return value


class LazyGroup(click.Group):
    """A group with commands of its own, and others that are imported only when they are called.

    The latter are given as ``lazy={name: ("module:attribute", "Its help in a line.")}``.
    """

    def __init__(
        self, *args: Any, lazy: Mapping[str, tuple[str, str]] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = dict(lazy or {})
        # Click suggests the nearest of these names where somebody mistypes one.
        for name, (_, line) in self._lazy.items():
            self.commands[name] = click.Command(name, short_help=line)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, those of the group's own module first."""
        del ctx
        return sorted(self.commands, key=lambda name: name in self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported if need be."""
        found = super().get_command(ctx, cmd_name)
        if cmd_name in self._lazy:
            module, _, attribute = self._lazy[cmd_name][0].partition(":")
            found = getattr(import_module(module), attribute)
        if found is not None:
            found.context_class = _WorkContext
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines(ctx)))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing it, or an option."""
        names = [
            CompletionItem(name, help=line)
            for name, line in self._lines(ctx)
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def _lines(self, ctx: click.Context) -> list[tuple[str, str]]:
        names = self.list_commands(ctx)
        return [(name, self.commands[name].get_short_help_str(100)) for name in names]


_COMMANDS = {
    "play": "Open the Lab in the browser, with battles, boards, puzzles and the pages to learn.",
    "odds": "Estimate how many pucks flip, and how often, from many throws.",
    "slam": "Simulate one throw, and describe the result.",
    "watch": "Watch slams in slow motion, and battles.",
    "reference": "Simulate the same throws in a 3-D engine.",
    "calibrate": "Fit the model to your own pucks, from measurements or throws.",
    "battle": "Play a battle of PokéPucks on simulated slams.",
    "bumpers": "Puck Bumpers: positions, legal moves, perft, whole games.",
    "solve": "Find a shortest solution of a Puck Bumpers position, with proof.",
    "puzzle": "Make, solve and print Puck Bumpers puzzles.",
    "puckdex": "List the pucks of PokéPucks.",
    "tournament": "Rank slammers, players or decks by battles.",
    "deck": "Find winning decks, and what wins battles.",
    "merge": "Add the trials of several tables of results.",
    "trail": "The drinking trail: gyms, odds, whole games.",
    "post": "Battle-By-Post: hits, rounds, best replies, tables.",
    "site": "Write the Lab, puzzles and the pages to learn as a static site.",
    "completion": "Print the shell completion script.",
}


@click.group(
    cls=LazyGroup,
    lazy={name: (f"pucklab.cli.{name}:command", line) for name, line in _COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="pucklab", message="pucklab %(version)s")
def cli() -> None:
    """A physics lab for two puck games.

    Throw slammers at stacks of pucks, count the flips, and play both games.

    \b
    Examples:
      pucklab play
      pucklab odds --slammer-g 4,8,20
    """


def run_command() -> int:
    """Run the command of the command line, and return its exit code."""
    output.begin()
    code = _run()
    set_phase("answered")
    if code == EXIT_STOPPED:
        report_stop()
    return output.finish(exit_code(code))


def _run() -> int:
    try:
        code = cli.main(prog_name="pucklab", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except (click.Abort, KeyboardInterrupt):
        return EXIT_STOPPED
    except click.ClickException as error:
        hint = _list_hint(error)
        said = error.format_message()
        output.print_error(f"{said.rstrip('.')}; {hint}" if hint else said)
        return EXIT_INPUT
    except Exception as error:
        from pucklab.base.errors import InputError, MissingExtraError

        # The user's mistakes; all else is a fault of the program.
        extra = () if Stop.is_raised else (MissingExtraError,)
        if not isinstance(error, (InputError, OSError, *extra)):
            if Stop.is_raised:  # a library took the interrupt for an error of its own
                return EXIT_STOPPED
            raise
        said = str(error)
        if isinstance(error, OSError) and error.strerror:
            said = (f"{error.filename!r}: " if error.filename else "") + error.strerror
        output.print_error(said)
        return EXIT_INPUT
    return code if isinstance(code, int) else 0


def _list_hint(error: click.ClickException) -> str:
    """Return a hint on lists, if a word that was not understood follows an option's value."""
    said, words = error.format_message(), sys.argv[1:]
    for option, value, word in zip(words, words[1:], words[2:], strict=False):
        is_named = f"'{word}'" in said or f"({word})" in said
        begins = [text.startswith("--") for text in (option, value, word)]
        if is_named and begins == [True, False, False]:
            return f"a list has commas and no spaces: {option} {value},{word}"
    return ""
