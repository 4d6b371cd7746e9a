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
    from physics import InputError

    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in accepted:
            raise InputError(f"{field_of(parameter)}: not accepted beside {beside}")
