"""``pucklab completion``: the shell completion script."""

import click
from click.shell_completion import get_completion_class

from pucklab.cli.commands import cli


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> None:
    """Print the shell completion script.

    \b
    Example, for bash (in ~/.bashrc):
      eval "$(pucklab completion bash)"
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "pucklab", "_PUCKLAB_COMPLETE").source())
