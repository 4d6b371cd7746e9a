"""The frame of ``pucklab calibrate``: options for files and simulations, and the end of a command.

`fit_options` hands over the options as one `Outputs` and one `Run`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import wraps
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import click

from pucklab.base.decoding import encode
from pucklab.base.facts import fact
from pucklab.base.files import STANDARD, check_writable, read_text, read_toml, write_whole
from pucklab.base.parsing import printable
from pucklab.calibration.parameter_files import FittedConstant, parameter_file
from pucklab.calibration.simulated_fit import Sums
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import PATH, add_options, check_out, flag, option
from pucklab.cli.output import print_json, print_written
from pucklab.cli.signals import EXIT_STOPPED, report_stop
from pucklab.render.plots.figures import check_plot, figure_bytes
from pucklab.sim.experiments import Case, Experiment

_Function = TypeVar("_Function", bound=Callable[..., Any])

EXIT_NO_FIT = 3
"""The data are accepted but not sufficient: the fit fails, or identifies no parameter."""


@fact
class Outputs:
    """The files that a command is asked to write."""

    out: Path | None
    report: Path | None
    plot: Path | None
    as_json: bool

    def check(self, inputs: Iterable[Path | None]) -> None:
        """Check, before any work is done, that the files can be written.

        Raises:
            InputError: One of them cannot be written, or is one of the inputs.
            MissingExtraError: A plot is asked for, and Matplotlib is not installed.
        """
        check_out(self.out, ".toml", inputs)
        check_writable("report", self.report, (".txt",), inputs)
        if self.plot is not None:
            check_plot("plot", self.plot, inputs)

    def write(
        self,
        report: str,
        constants: Sequence[FittedConstant],
        draw: Callable[..., Any],
        facts: Any,
        *,
        title: str,
        refused: str = "",
        found: Sequence[object] = (),
    ) -> int:
        """Write the files asked for, print the report, and return the exit code.

        Args:
            report: The report.
            constants: Entries of the parameter file.
            draw: Makes the plot's figure of ``facts``, with a ``title``.
            facts: The data of the plot.
            title: Title of the plot.
            refused: Reason for no parameter file, to follow ``the fit``; empty if there is one.
            found: Contents of the JSON if no constant is fitted.
        """
        contents: list[tuple[Path | None, bytes]] = [(self.report, report.encode())]
        if self.plot is not None:
            suffix = self.plot.suffix.lower()
            contents.append((self.plot, figure_bytes(suffix, draw, facts, title=title)))
        if not refused:
            heading = f"Written by {click.get_current_context().command_path}."
            contents.insert(0, (self.out, parameter_file(constants, heading).encode()))
        for path, data in contents:
            if path is not None:
                write_whole(path, data)
                print_written(path)
        if self.as_json:
            print_json(encode(constants or found))
        elif self.out != STANDARD:
            click.echo(report, nl=False)
        if refused:
            click.echo(f"the fit {refused}; no parameter file is written", err=True)
            return EXIT_NO_FIT
        return 0


def fit_options(
    drawn: str, *, params: str = "", example: str = "", **work: Any
) -> Callable[[_Function], _Function]:
    """Return a decorator for the options of a fit.

    The command gets the files to write as ``outputs``, simulations as ``run``, what is in the
    parameter file as ``table``, and ``text`` and ``name`` of FILE.csv if it has an example. Before,
    all files are checked.

    Args:
        drawn: Contents of the plot for the help, such as ``the residuals``.
        params: Help of ``--params``; empty for no such option.
        example: Package of calibration that has an example of the command's FILE.csv.
        work: Arguments of `experiment_options`; none if nothing is simulated.
    """
    options: list[Callable[[_Function], _Function]] = []
    if example:
        options.append(click.argument("file", type=PATH, metavar="FILE.csv"))
    if params:
        options.append(option("--params", PATH, "FILE", params))
    if work:
        options.append(experiment_options(most=1_000_000, plot=None, table="simulated", **work))
    options += [
        option("--out", PATH, "FILE.toml", "Write the parameter file."),
        option("--report", PATH, "FILE.txt", "Write the report."),
        option("--plot", PATH, "FILE", f"Plot {drawn} (.png, .svg or .pdf)."),
        flag("--json as_json", "Print JSON instead of the report."),
    ]

    def show(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        del param
        if value and not ctx.resilient_parsing:
            text = (files(f"pucklab.calibration.{example}") / "example.csv").read_text(
                encoding="utf-8"
            )
            click.echo(text, nl=False)
            ctx.exit()

    if example:
        about = "Print an example file with made-up data, and exit."
        options.append(flag("--example", about, expose_value=False, is_eager=True, callback=show))

    def decorate(function: _Function) -> _Function:
        @wraps(function)
        def call_with_options(**values: Any) -> Any:
            outputs = Outputs(**{each.name: values.pop(each.name) for each in fields(Outputs)})
            path = values.pop("params", None)
            inputs = (path, values.get("file"), *values.get("against", ()))
            outputs.check(inputs)
            if work:
                values["run"].check(inputs)
            if example:
                file = values.pop("file")
                name = "standard input" if file == STANDARD else printable(file.name)
                values |= {"text": read_text("file", file), "name": name}
            if params:
                values["table"] = {} if path is None else read_toml("params", path)
            return function(outputs=outputs, **values)

        return add_options(call_with_options, options)  # type: ignore[return-value]

    return decorate


def simulate_points(
    run: Run, experiment: Experiment[Any, Sums], subjects: Sequence[Any], trials: int
) -> list[Sums]:
    """Simulate some trials of each setting at each point of a fit."""
    cases = [Case(subject=each, labels={"setting": each.setting.name}) for each in subjects]
    return run.tallies(experiment, cases, trials)


def report_stopped_fit(run: Run, when: str) -> int:
    """Report that the command was stopped, and return the exit code."""
    lost = "; nothing is written" if run.out is None else ""
    report_stop(f"before {when}{lost}", resumes=run.out is not None)
    return EXIT_STOPPED
