"""Options that many commands share, and the types of their values.

`number`, `count`, `numbers` and `choice` are types whose errors state what is accepted;
`seed_option` and `workers_option` are single options; `refuse_others` rejects options that do not
go together. The scene has options of its own, see `pucklab.cli.scene_options`.
"""

import re
from collections.abc import Callable, Collection, Iterable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from pucklab.base.decoding import check_one_of
from pucklab.base.errors import InputError, shown
from pucklab.base.facts import fact
from pucklab.base.files import STANDARD, check_writable
from pucklab.base.values import MOST_SEED, Reader, read_count, read_number, read_numbers

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType

_Function = TypeVar("_Function", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]
"""Adds options to a command."""

PATH = click.Path(path_type=Path)

_HALF = re.compile(r"\d+,5")


def number(low: float, high: float, unit: str = "", *, ranged: bool = True) -> _Type:
    """Return the type of an option that is a number; see `pucklab.base.values.read_number`."""
    return Read(
        name="number", read=partial(read_number, low=low, high=high, unit=unit, ranged=ranged)
    )


def count(low: int, high: int) -> _Type:
    """Return the type of an option that is a whole number from ``low`` to ``high``."""
    return Read(name="count", read=partial(read_count, low=low, high=high))


def numbers(low: float, high: float, unit: str = "", *, size: int | None = None) -> _Type:
    """Return the type of an option that is a list of numbers with commas between them.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Their unit.
        size: Length of the list; None for one or more.
    """
    each = partial(read_number, low=low, high=high, unit=unit)
    return Read(name="numbers", read=partial(read_numbers, each=each, size=size))


def choice(*names: str) -> _Type:
    """Return the type of an option that is one of some names; shells complete them."""

    def read(where: str, value: object) -> str:
        check_one_of(where, value, names)
        return str(value)

    return Read(name="name", read=read, words=names)


@fact
class Read(_Type):
    """The type of an option whose text a reader of `pucklab.base.values` reads."""

    name: str
    read: Reader
    words: tuple[str, ...] = ()  # that shells complete

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value of an option's text."""
        del ctx
        found = self.read(field_of(param), value)
        is_list = param is not None and str(param.metavar).endswith("...")
        if is_list and _HALF.fullmatch(str(value)):  # two numbers, or half of something
            said, point = value.replace(",", " and "), value.replace(",", ".")
            click.echo(f"note: {value} stands for {said}; a decimal has a point: {point}", err=True)
        return found

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete a word."""
        del ctx, param
        return [CompletionItem(name) for name in self.words if name.startswith(incomplete)]


def field_of(param: click.Parameter | None) -> str:
    """Return the name of a parameter in errors, as the user types it.

    Example:
        >>> field_of(click.Option(["--max-g", "highest_g"]))
        'max_g'
        >>> field_of(click.Argument(["replays"], nargs=-1, metavar="[REPLAY]..."))
        'replay'
    """
    if param is None:
        return "value"
    if isinstance(param, click.Argument):
        return (param.metavar or str(param.name)).strip("[].").lower()
    return param.opts[0].lstrip("-").replace("-", "_")


def complete_from(
    values: Callable[[], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the shell completion of an option's last word; words have commas between them.

    Args:
        values: Returns the words that are accepted, when the shell asks for them.

    Example:
        >>> option, context = click.Option(["--of"]), click.Context(click.Command("x"))
        >>> complete_from(lambda: ["flips", "out"])(context, option, "out,f")
        ['out,flips']
    """

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
        before, comma, begun = incomplete.rpartition(",")
        words = (word.lower().replace(" ", "-") for word in values())
        return [f"{before}{comma}{word}" for word in words if word.startswith(begun.lower())]

    return complete


def option(names: str, kind: Any, metavar: str, about: str, **more: Any) -> Decorator:
    """Return an option with a value; help shows its default, if it has one.

    Args:
        names: The option as typed, then the name of its parameter if it differs: ``--from first``.
        kind: Type of the value.
        metavar: The value in the help.
        about: Its line in the help.
        more: Further arguments of `click.option`.
    """
    return click.option(
        *names.split(),
        type=kind,
        metavar=metavar,
        help=about,
        **{"show_default": "default" in more, **more},
    )


def flag(names: str, about: str, **more: Any) -> Decorator:
    """Return an option without a value; see `option`."""
    return click.option(*names.split(), is_flag=True, help=about, **more)


def add_options(function: _Function, options: Iterable[Decorator]) -> _Function:
    """Add options to a command, in their order in the help."""
    for each in reversed(tuple(options)):
        function = each(function)
    return function


def together(*options: Decorator) -> Decorator:
    """Return options, in their order in the help, as one decorator."""
    return partial(add_options, options=options)


def gather(
    name: str,
    kind: Callable[..., Any],
    options: Iterable[Decorator],
    also: Collection[str] = (),
) -> Decorator:
    """Return a decorator that adds options to a command, which gets them as one argument.

    Args:
        name: Name of the argument.
        kind: Makes it of the options' values by name.
        options: The options.
        also: Names of options of other decorators that belong to it, where there are such.
    """

    def add(function: Any) -> Any:
        @wraps(function)
        def call_with_options(**values: Any) -> Any:
            own = {each: values.pop(each) for each in names if each in values}
            return function(**{name: kind(**own)}, **values)

        others = {each.name for each in getattr(function, "__click_params__", ())}
        command: Any = add_options(call_with_options, options)
        names = {each.name for each in command.__click_params__}.difference(others).union(also)
        return command

    return add


def position_argument(*, is_required: bool = True) -> Decorator:
    """Return the argument POSITION|FILE and the option --board, of which one is given."""

    def add(function: Any) -> Any:
        @wraps(function)
        def call_with_position(*, position: str | None, board: Path | None, **values: Any) -> Any:
            if board is not None and position is not None:
                raise InputError(f"board: not accepted with the position {shown(position)}")
            position = position if board is None else str(board)
            if position is None and is_required:
                raise InputError(
                    "position: none is given; give a position, a file, or --board FILE"
                )
            return function(position=position, **values)

        return add_options(
            call_with_position,
            [
                click.argument("position", metavar="[POSITION|FILE]", required=False),
                option(
                    "--board",
                    click.Path(exists=True, dir_okay=False, path_type=Path),
                    "FILE",
                    "Take the position and its goal from a drawing, or from the board of another "
                    "program: see 'pucklab bumpers import'.",
                ),
            ],
        )

    return add


def seed_option(about: str) -> Decorator:
    """Return the option for a seed.

    Args:
        about: Help text, such as ``Same seed, same puzzles.``
    """
    return option("--seed", count(0, MOST_SEED), "S", about, default=1)


def workers_option(doing: str) -> Decorator:
    """Return the option for the number of worker processes.

    Args:
        doing: The work as a verb for the help, such as ``throw``.
    """
    return option(
        "--workers",
        count(1, 1024),
        "K",
        f"Processes to {doing} in; the result is the same.  [default: one per processor]",
    )


def dask_option(doing: str) -> Decorator:
    """Return the option for a Dask cluster.

    Args:
        doing: The work as a verb for the help, such as ``throw``.
    """
    about = f"{doing.capitalize()} on the cluster of this Dask scheduler instead."
    return option("--dask", str, "ADDRESS", about)


def refuse_others(accepted: Collection[str], beside: str) -> None:
    """Refuse options that would be ignored silently.

    Args:
        accepted: Names of the parameters that may be given.
        beside: The reason for the error, such as ``a replay``.

    Raises:
        InputError: Another one is given, even with its default value.
    """
    names = {str(parameter.name) for parameter in click.get_current_context().command.params}
    refuse_options(names.difference(accepted), beside)


def refuse_options(refused: Collection[str], beside: str) -> None:
    """Refuse options that contradict another one.

    Args:
        refused: Names of the parameters that may not be given.
        beside: The reason for the error.

    Raises:
        InputError: One of them is given, even with its default value.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name in refused:
            raise InputError(f"{field_of(parameter)}: not accepted beside {beside}")


def check_out(
    path: Path | None, suffix: str, inputs: Iterable[Path | None], field: str = "out"
) -> None:
    """Check that a result can be written, to ``-`` without other output; see `check_writable`."""
    if path == STANDARD:
        refuse_options({"as_json", "resume"}, f"--{field} -")
    check_writable(field, path, (suffix,), inputs)


def renderer_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that chooses what draws slams in space."""

    def choose(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
        if value is not None:
            from pucklab.render.slams.space import RENDERER

            RENDERER.wanted = value

    return click.option(
        "--renderer",
        type=click.Choice(("gl", "software")),
        callback=choose,
        expose_value=False,
        help="Renderer of slams in space: OpenGL, or software.  [default: OpenGL 3.3 where there "
        "is one]",
    )(command)
