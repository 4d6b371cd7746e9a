"""``pucklab completion``: the shell completion script."""

import click
from click.shell_completion import get_completion_class

from sim.cli.commands import cli

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print the shell completion script.

    \b
    Example, for bash (in ~/.bashrc):
      eval "$(pucklab completion bash)"
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"shell: {shell!r} is not accepted; give {', '.join(_SHELLS)}")
    click.echo(found(cli, {}, "pucklab", "_PUCKLAB_COMPLETE").source())
