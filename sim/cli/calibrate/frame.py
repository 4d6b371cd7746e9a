"""The frame of ``pucklab calibrate``: options for files and simulations, and the end of a command.

`output_options` and `work_options` hand over their options as one `Outputs` and one `Work`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import click

from calibration.parameter_files import FittedConstant, parameter_file
from physics.tally import Counts
from render.plots.figures import check_plot, figure_bytes
from sim.cli.experiments import check_table, go_on
from sim.cli.options import (
    PATH,
    add_options,
    count,
    dask_option,
    flag,
    option,
    refuse_options,
    seed_option,
    workers_option,
)
from sim.cli.output import print_error, print_written
from sim.cli.processes import workers_of
from sim.cli.running import track
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import Autosave, check_writable, write_whole
from sim.core.ordered_work import in_order, processors
from sim.experiments import Case, Experiment, ResultTable, collect
from sim.experiments.table import table_of

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Result = TypeVar("_Result")
_Tally = TypeVar("_Tally", bound=Counts)

EXIT_NO_FIT = 3
"""The data are accepted but not sufficient: the fit fails, or identifies no parameter."""


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """The files that a command is asked to write."""

    out: Path | None
    report: Path | None
    plot: Path | None

    def check(self, *inputs: Path | None) -> None:
        """Check, before any work is done, that the files can be written.

        Raises:
            InputError: One of them cannot be written, or is one of the inputs.
            MissingExtraError: A plot is asked for, and Matplotlib is not installed.
        """
        for name, path, suffix in (("out", self.out, ".toml"), ("report", self.report, ".txt")):
            if path is not None:
                check_writable(name, path, (suffix,), inputs)
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
    ) -> int:
        """Write what is asked for, print the report, and return the exit code.

        Args:
            report: The report.
            constants: Entries of the parameter file.
            draw: Makes the plot's figure of ``facts``, with a ``title``.
            facts: What it draws.
            title: Title of the plot.
            refused: Why there is no parameter file, if there is none.
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
        click.echo(report, nl=False)
        if refused:
            click.echo(f"the fit {refused}; no parameter file is written", err=True)
            return EXIT_NO_FIT
        return 0


@dataclass(kw_only=True)
class Work:
    """Amount and place of the simulation, and the table of what was simulated so far."""

    trials: int
    seed: int
    workers: int | None
    dask: str | None
    simulated: Path | None = None
    resume: bool = False
    table: ResultTable[Any] | None = field(default=None, init=False)

    def check(self, *inputs: Path | None) -> None:
        """Check, before any work is done, that the table can be written.

        Raises:
            InputError: It cannot, or is one of the inputs.
        """
        check_table("simulated", self.simulated, inputs, resumes=self.resume)

    @contextmanager
    def executor(self) -> Iterator[tuple[Any, int]]:
        """Provide an executor, and the number of tasks to keep in it."""
        with workers_of(self.workers or processors(), self.dask) as found:
            yield found

    def tallies(
        self, experiment: Experiment[Any, _Tally], cases: Sequence[Case[Any]], trials: int
    ) -> list[_Tally]:
        """Run an experiment with progress, and return the tally of each case.

        What was simulated is saved every few seconds; later calls add their cases to the table.
        """
        if self.table is None:
            self.table = table_of(experiment, cases, self.seed)
            self.table.is_open = True
            if self.resume and self.simulated is not None:
                go_on(self.table, "simulated", self.simulated)
        table, file = self.table, Autosave(self.simulated, self.table.csv)
        ids = table.add(cases)
        try:
            with self.executor() as (executor, window):
                states = collect(table, cases, trials=trials, executor=executor, window=window)
                for _ in track(states, lambda state: (state.done, state.total)):
                    if table.entries:
                        file.save_if_due()
        finally:
            if table.entries:
                try:
                    file.save()
                except OSError as error:
                    print_error(f"simulated: {error}")
        return [table.entries[id_].tally for id_ in ids]

    def results(
        self, function: Callable[..., _Result], tasks: Sequence[tuple[Any, ...]]
    ) -> Iterator[_Result]:
        """Yield a function's results, one for the arguments of each task, with progress."""
        with self.executor() as (executor, window):
            done = enumerate(in_order(function, tasks, executor, window), 1)
            for _, result in track(done, lambda state: (state[0], len(tasks))):
                yield result


def output_options(drawn: str) -> Callable[[_Function], _Function]:
    """Return a decorator for ``--out``, ``--report`` and ``--plot``, as ``outputs``.

    Args:
        drawn: Contents of the plot for the help, such as ``the residuals``.
    """
    return _as_one(
        "outputs",
        Outputs,
        option("--out", PATH, "FILE.toml", "Write the parameter file."),
        option("--report", PATH, "FILE.txt", "Write the report."),
        option("--plot", PATH, "FILE", f"Plot {drawn} (.png, .svg or .pdf)."),
    )


def work_options(
    least: int, default: int, about: str, doing: str, seed: str = "", *, saves: bool = True
) -> Callable[[_Function], _Function]:
    """Return a decorator for the options of simulations, as ``work``.

    Args:
        least: Fewest trials.
        default: Trials if their number is not given.
        about: Help on their number.
        doing: The work as a verb.
        seed: Help on the seed; empty if it is always that of the reference set.
        saves: False for a command that keeps what it simulates by itself.
    """
    return _as_one(
        "work",
        Work,
        option("--trials", count(least, 1_000_000), "N", about, default=default),
        *(
            [
                option(
                    "--simulated",
                    PATH,
                    "FILE.csv",
                    "Save the table of what is simulated, every few seconds.",
                ),
                flag("--resume", "Continue after the trials in the --simulated file."),
            ]
            if saves
            else []
        ),
        workers_option(doing),
        dask_option(doing),
        *([seed_option(seed)] if seed else []),
        seed=1,
    )


def _as_one(
    name: str, kind: type[Any], *options: Callable[[Any], Any], **defaults: Any
) -> Callable[[_Function], _Function]:
    """Return a decorator for options that a command gets as one object."""

    def decorate(function: _Function) -> _Function:
        @wraps(function)
        def gathered(**values: Any) -> Any:
            own = {key: values.pop(key) for key in kind.__dataclass_fields__ if key in values}
            if own.get("dask") is not None:
                refuse_options({"workers"}, "--dask")
            return function(**{name: kind(**{**defaults, **own})}, **values)

        return add_options(gathered, options)  # type: ignore[return-value]

    return decorate


def params_option(about: str) -> Callable[[_Function], _Function]:
    """Return the option for a parameter file."""
    return option("--params", PATH, "FILE", about)


def example_option(package: str) -> Callable[[_Function], _Function]:
    """Return the option ``--example``: print the example file of a package of calibration."""

    def show(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        del param
        if value and not ctx.resilient_parsing:
            text = (files(f"calibration.{package}") / "example.csv").read_text(encoding="utf-8")
            click.echo(text, nl=False)
            ctx.exit()

    return flag(
        "--example",
        "Print an example file with made-up data, and exit.",
        expose_value=False,
        is_eager=True,
        callback=show,
    )


def stopped(when: str) -> int:
    """Report that the command was stopped, and return the exit code."""
    is_saved = click.get_current_context().params.get("simulated") is not None
    lost = "" if is_saved else "; nothing is written"
    report_stop(f"before {when}{lost}", resumes=is_saved)
    return EXIT_STOPPED
