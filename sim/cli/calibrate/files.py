"""What the calibrate commands write: a parameter file, a report, a plot; and their examples."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_Function = TypeVar("_Function", bound=Callable[..., Any])

_PATH = click.Path(path_type=Path)


def output_options(drawn: str) -> Callable[[_Function], _Function]:
    """Return a decorator for the options ``--out``, ``--report`` and ``--plot``.

    Args:
        drawn: What the plot shows, for the help, such as ``the residuals``.
    """
    outputs = (
        click.option("--out", type=_PATH, metavar="FILE.toml", help="Write the parameter file."),
        click.option("--report", type=_PATH, metavar="FILE.txt", help="Write the report."),
        click.option("--plot", type=_PATH, metavar="FILE.png", help=f"Draw {drawn}."),
    )

    def decorate(function: _Function) -> _Function:
        for option in reversed(outputs):
            function = option(function)
        return function

    return decorate


def example_option(package: str) -> Callable[[_Function], _Function]:
    """Return a decorator for ``--example``, which prints a package's example file and ends.

    Args:
        package: The package of calibration that has an ``example.csv``.
    """

    def show(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        del param
        if not value or ctx.resilient_parsing:
            return
        from importlib.resources import files

        text = (files(f"calibration.{package}") / "example.csv").read_text(encoding="utf-8")
        click.echo(text, nl=False)
        ctx.exit()

    return click.option(
        "--example",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=show,
        help="Print an example file (made up) and end.",
    )


def check_outputs(out: Path | None, report: Path | None, plot: Path | None) -> None:
    """Check, before any work is done, that the files can be written.

    Raises:
        InputError: One cannot.
        MissingExtraError: There is to be a plot, and Matplotlib is not installed.
    """
    from physics.extras import require_extra
    from sim.files import check_writable

    for field, path, suffix in (("out", out, ".toml"), ("report", report, ".txt")):
        if path is not None:
            check_writable(field, path, (suffix,))
    if plot is not None:
        check_writable("plot", plot, (".png",))
        require_extra("plot", "matplotlib")


def write_outputs(*outputs: tuple[Path | None, bytes | None]) -> None:
    """Write each file that was asked for and that there is something for."""
    from sim.files import write_whole

    for path, data in outputs:
        if path is not None and data is not None:
            write_whole(path, data)
            click.echo(f"wrote {path}", err=True)
