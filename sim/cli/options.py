"""Options that many commands share, and the types of their values.

`number`, `count`, `numbers` and `choice` are types whose errors state what is accepted;
`seed_option` and `workers_option` are single options; `refuse_others` rejects options that do not
go together. The scene has options of its own, see `sim.cli.scene_options`.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from physics.decoding import check_one_of
from physics.errors import InputError, check_count, check_number, shown
from physics.facts import fact

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType

_Function = TypeVar("_Function", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)

MOST_IN_SPAN = 1000
"""Numbers that LOW:HIGH:STEP may stand for."""


def number(low: float, high: float, unit: str = "", *, ranged: bool = True) -> _Type:
    """Return the type of an option that is a number from ``low`` to ``high``.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Its unit.
        ranged: Check the range. If False, it is only stated in errors, and the physics checks the
            value, because it knows unofficial pieces.
    """
    return _Number(low=low, high=high, unit=unit, ranged=ranged)


def count(low: int, high: int) -> _Type:
    """Return the type of an option that is a whole number from ``low`` to ``high``."""
    return _Count(low=low, high=high)


def numbers(
    low: float,
    high: float,
    unit: str = "",
    *,
    size: int | None = None,
    ranged: bool = True,
    spans: bool = False,
) -> _Type:
    """Return the type of an option that is a list of numbers with commas between them.

    Args:
        low: Smallest number accepted.
        high: Largest number accepted.
        unit: Their unit.
        size: Length of the list; None for one or more.
        ranged: See `number`.
        spans: Accept LOW:HIGH:STEP for a number and all that follow it by a step.
    """
    each = _Number(low=low, high=high, unit=unit, ranged=ranged)
    return _Numbers(each=each, size=size, spans=spans)


def choice(*names: str) -> _Type:
    """Return the type of an option that is one of some names, which shells complete."""
    return _Choice(names=names)


@fact
class _Choice(_Type):
    name = "name"
    names: tuple[str, ...]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        del ctx
        check_one_of(field_of(param), value, self.names)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del ctx, param
        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]


@fact
class _Number(_Type):
    name = "number"
    low: float
    high: float
    unit: str
    ranged: bool

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        del ctx
        found = _parsed(float, value)
        if isinstance(found, str) and _DECIMAL_COMMA.fullmatch(found):
            point = f"a decimal has a point: {found.replace(',', '.')}"
            raise InputError(f"{field_of(param)}: {found!r} is not accepted; {point}")
        if self.ranged or isinstance(found, str):
            check_number(field_of(param), found, self.low, self.high, unit=self.unit)
        return float(found)


@fact
class _Count(_Type):
    name = "count"
    low: int
    high: int

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        del ctx
        found = _parsed(int, value)
        check_count(field_of(param), found, self.low, self.high)
        return int(found)


@fact
class _Numbers(_Type):
    name = "numbers"
    each: _Number
    size: int | None
    spans: bool

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        parts = value.split(",")
        if self.size is not None and len(parts) != self.size:
            raise InputError(
                f"{field_of(param)}: {value!r} is not accepted; give {self.size} numbers with a "
                "comma between them"
            )
        if self.size is None and _HALF.fullmatch(value):  # half of something, or a list of two
            point = f"a decimal has a point: {value.replace(',', '.')}"
            click.echo(f"note: {value} stands for {' and '.join(parts)}; {point}", err=True)
        found: list[float] = []
        for part in parts:
            if self.spans and ":" in part:
                found += self._span(part, param, ctx)
            else:
                found.append(self.each.convert(part, param, ctx))
        return tuple(found)

    def _span(
        self, text: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[float]:
        """Return the numbers of LOW:HIGH:STEP, with HIGH if a step falls on it."""
        refusal = f"{field_of(param)}: {shown(text)} is not accepted"
        pieces = text.split(":")
        if len(pieces) != 3:
            raise InputError(f"{refusal}; give LOW:HIGH:STEP, such as 2:24:2")
        low, high = (self.each.convert(piece, param, ctx) for piece in pieces[:2])
        step = _Number(low=-1e9, high=1e9, unit=self.each.unit, ranged=True).convert(
            pieces[2], param, ctx
        )
        if not low <= high < math.inf or step <= 0:
            raise InputError(
                f"{refusal}; give a range that begins at its lower end, and a step above 0"
            )
        count = math.floor((high - low) / step + 1e-9) + 1
        if count > MOST_IN_SPAN:
            raise InputError(f"{refusal}; give a range of at most {MOST_IN_SPAN} numbers")
        # Rounded, so that 2:3:.1 has 2.3 and not 2.3000000000000003.
        return [round(low + k * step, 9) for k in range(count)]


_DECIMAL_COMMA, _HALF = re.compile(r"\d+,\d+"), re.compile(r"\d+,5")


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


def _parsed(kind: type, text: Any) -> Any:
    """Return the text as a number, or else as it is, for the range check to name."""
    try:
        return kind(text)
    except ValueError:
        return text


def completed(
    values: Callable[[], Iterable[str]],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the shell completion of an option: the last of its words with commas between them.

    Args:
        values: Returns the words that are accepted, when the shell asks for them.

    Example:
        >>> option = click.Option(["--of"])
        >>> completed(lambda: ["flips", "out"])(click.Context(click.Command("x")), option, "out,f")
        ['out,flips']
    """

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
        before, comma, begun = incomplete.rpartition(",")
        words = (word.lower().replace(" ", "-") for word in values())
        return [f"{before}{comma}{word}" for word in words if word.startswith(begun.lower())]

    return complete


def option(
    names: str, kind: Any, metavar: str, about: str, **more: Any
) -> Callable[[_Function], _Function]:
    """Return an option with a value; help shows its default, if it has one.

    Args:
        names: As typed, and if other than that the name of its parameter: ``--from first``.
        kind: Type of the value.
        metavar: The value in the help.
        about: What it does.
        more: Further arguments of `click.option`.
    """
    return click.option(
        *names.split(),
        type=kind,
        metavar=metavar,
        help=about,
        **{"show_default": "default" in more, **more},
    )


def flag(names: str, about: str, **more: Any) -> Callable[[_Function], _Function]:
    """Return an option without a value; see `option`."""
    return click.option(*names.split(), is_flag=True, help=about, **more)


def add_options(
    function: _Function, options: Iterable[Callable[[_Function], _Function]]
) -> _Function:
    """Add options to a command, in their order in the help."""
    for each in reversed(tuple(options)):
        function = each(function)
    return function


def seed_option(about: str) -> Callable[[_Function], _Function]:
    """Return the option for a seed.

    Args:
        about: Help text, such as ``Same seed, same puzzles.``
    """
    return option("--seed", count(0, 2**63 - 1), "S", about, default=1)


def workers_option(doing: str) -> Callable[[_Function], _Function]:
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


def dask_option(doing: str) -> Callable[[_Function], _Function]:
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


def renderer_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that chooses what draws slams in space."""

    def choose(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
        if value is not None:
            from render.slams.space import RENDERER

            RENDERER.wanted = value

    return click.option(
        "--renderer",
        type=click.Choice(("gl", "software")),
        callback=choose,
        expose_value=False,
        help="Renderer of slams in space: OpenGL, or software.  [default: OpenGL 3.3 where there "
        "is one]",
    )(command)
