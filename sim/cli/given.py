"""What is given on the command line, and does not go together."""

from collections.abc import Collection

import click
from click.core import ParameterSource

from sim.cli.numbers import field_of


def refuse_others(accepted: Collection[str], beside: str) -> None:
    """Refuse what is given on the command line and would be passed over silently.

    Args:
        accepted: The command's parameters that may be given.
        beside: What they are given beside, for the error, such as ``a replay``.

    Raises:
        InputError: Another one is given, even with its default's value.
    """
    names = {str(parameter.name) for parameter in click.get_current_context().command.params}
    refuse_options(names.difference(accepted), beside)


def refuse_options(refused: Collection[str], beside: str) -> None:
    """Refuse options that are given though something else says all that they would.

    Args:
        refused: The command's parameters that may not be given.
        beside: What they are given beside, and what it has, for the error.

    Raises:
        InputError: One of them is given, even with its default's value.
    """
    from physics import InputError

    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name in refused:
            raise InputError(f"{field_of(parameter)}: not accepted beside {beside}")
