"""Files of ``pucklab calibrate``: options for them, checks before the work, writing at its end."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

_Function = TypeVar("_Function", bound=Callable[..., Any])

_PATH = click.Path(path_type=Path)


def output_options(drawn: str) -> Callable[[_Function], _Function]:
    """Return a decorator for the options ``--out``, ``--report`` and ``--plot``.

    Args:
        drawn: Contents of the plot for the help, such as ``the residuals``.
    """
    outputs = (
        click.option("--out", type=_PATH, metavar="FILE.toml", help="Write the parameter file."),
        click.option("--report", type=_PATH, metavar="FILE.txt", help="Write the report."),
        click.option(
            "--plot", type=_PATH, metavar="FILE", help=f"Plot {drawn} (.png, .svg or .pdf)."
        ),
    )

    def decorate(function: _Function) -> _Function:
        for option in reversed(outputs):
            function = option(function)
        return function

    return decorate


def example_option(package: str) -> Callable[[_Function], _Function]:
    """Return a decorator for ``--example``, which prints the example file of a package and exits.

    Args:
        package: The package of calibration with an ``example.csv``.
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
        help="Print an example file with made-up data, and exit.",
    )


def check_outputs(
    out: Path | None, report: Path | None, plot: Path | None, inputs: Iterable[Path | None]
) -> None:
    """Check, before any work is done, that the files can be written.

    Args:
        out: The parameter file.
        report: The report.
        plot: The plot.
        inputs: Files that are read.

    Raises:
        InputError: One of them cannot be written, or is read.
        MissingExtraError: A plot is asked for, and Matplotlib is not installed.
    """
    from sim.core.files import check_writable

    for field, path, suffix in (("out", out, ".toml"), ("report", report, ".txt")):
        if path is not None:
            check_writable(field, path, (suffix,), inputs)
    if plot is not None:
        from render.plots.figures import check_plot

        check_plot("plot", plot, inputs)


def write_outputs(*outputs: tuple[Path | None, bytes | None]) -> None:
    """Write each file that is asked for and has contents."""
    from sim.cli.output import print_written
    from sim.core.files import write_whole

    for path, data in outputs:
        if path is not None and data is not None:
            write_whole(path, data)
            print_written(path)
