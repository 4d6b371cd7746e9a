"""``pucklab bumpers``: Puck Bumpers. Each command is a module of its own, as `sim.cli`'s are."""

from importlib import import_module

import click

_COMMANDS = {
    "show": "Draw a position.",
    "moves": "List the legal moves of a position.",
    "perft": "Count lines of play and distinct positions.",
}


class _LazyGroup(click.Group):
    """The group; its commands are the modules of this package, by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        found: click.Command = import_module(f"sim.cli.bumpers.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group("bumpers", cls=_LazyGroup)
def command() -> None:
    """Puck Bumpers: mats that move, pieces that slide in chains.

    A position is one line, such as pb1:classic:RPc7d9.RMe3.BPg7:-:R:- (set-up, pieces, scored
    pucks, colour to move, checksum), or a file with a board of your own.

    \b
    Examples:
      pucklab bumpers show pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers moves pb1:small:RPb7.RMe7.BPd7:-:R:-
      pucklab bumpers perft pb1:small:RPb7.RMe7.BPd7:-:R:- --depth 6 --mats
    """
