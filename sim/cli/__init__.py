"""The ``pucklab`` command. `commands` lists the subcommands; each is a module of its own."""

import sys


def main() -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    from sim.cli.commands import run

    sys.exit(run())
