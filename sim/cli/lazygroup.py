"""Groups of commands that import a command only when it is used."""

from importlib import import_module
from typing import Any

import click


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
