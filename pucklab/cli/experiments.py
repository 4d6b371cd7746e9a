"""The frame of a command that runs an experiment: its options, the run, the file, the end.

`experiment_options` adds the options that all such commands share and hands them over as one
`Run`. The command describes its cases, calls `Run.collect`, and ends with `Run.finish`, which
saves before it prints.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import click

from pucklab.base.errors import InputError
from pucklab.base.facts import fact
from pucklab.base.files import STANDARD, Autosave, lock_file, read_text
from pucklab.cli.options import (
    PATH,
    Decorator,
    check_out,
    count,
    dask_option,
    flag,
    gather,
    option,
    refuse_options,
    seed_option,
    workers_option,
)
from pucklab.cli.output import EXIT_OUTPUT, print_error, print_json, print_written
from pucklab.cli.running import track
from pucklab.cli.signals import EXIT_STOPPED, report_stop
from pucklab.physics.tally import Counts
from pucklab.sim.core.ordered_work import processors
from pucklab.sim.core.processes import workers_of
from pucklab.sim.experiments import Case, Experiment, Progress, ResultTable, StopRule, collect
from pucklab.sim.experiments.table import table_of

_Tally = TypeVar("_Tally", bound=Counts)


def experiment_options(
    trials: str | None = "trials",
    default: int = 1000,
    *,
    least: int = 1,
    most: int = 100_000_000,
    about: str = "Throws per slammer.",
    unit: str | None = None,
    doing: str = "throw",
    seed: str | None = None,
    plot: str | None = "Plot the result (.png, .svg or .pdf).",
    table: str = "out",
) -> Decorator:
    """Return a decorator that adds the options of an experiment to a command, as ``run``.

    Args:
        trials: Name of the option for the number of trials; None if each case has one.
        default: Trials if their number is not given.
        least: Fewest trials.
        most: Most trials.
        about: Help on the number of trials.
        unit: Trials in the plural; the name of the option, or throws, if None.
        doing: The work as a verb.
        seed: Help of the option for a seed; None if another decorator adds it.
        plot: Help of the option for a plot; None if there is none.
        table: Name of the option for the table's file.
    """
    options = (
        option(f"--{trials} trials", count(least, most), "N", about, default=default)
        if trials
        else None,
        seed_option(seed) if seed else None,
        workers_option(doing),
        dask_option(doing),
        option(f"--{table}", PATH, "FILE.csv", "Save the table, every few seconds."),
        option("--plot", PATH, "FILE", plot) if plot else None,
        flag("--json as_json", "Print JSON instead of a table.") if table == "out" else None,
        flag("--resume", f"Continue after the trials in the --{table} file."),
    )

    def run_of(**own: Any) -> Run:
        words: dict[str, Any] = {"unit": unit, "doing": f"{doing.removesuffix('e')}ing"}
        return Run(out=own.pop(table), option=table, **words, **own)

    unit = unit or ("throws" if trials in {"trials", None} else trials)
    return gather("run", run_of, [*filter(None, options)], also=("seed",))


@fact
class Check:
    """A second experiment that checks the answer of a first one, with a few trials."""

    facts: Any  # what it checks
    experiment: Experiment[Any, Any]
    cases: Sequence[Case[Any]]
    trials: int  # the fewest if there is a rule
    rule: StopRule | None = None


@dataclass(kw_only=True)
class Run:
    """The options of an experiment, by their names; after `collect` with its table."""

    trials: int = 1
    seed: int = 1
    workers: int | None
    dask: str | None
    out: Path | None
    plot: Path | None = None
    as_json: bool = False
    resume: bool
    unit: str = "throws"  # trials in the plural
    doing: str = "throwing"
    option: str = "out"  # that of the table's file
    stopped: bool = field(default=False, init=False)
    growing: ResultTable[Any] | None = field(default=None, init=False)  # that of `tallies`
    began_s: float = field(default_factory=time.monotonic, init=False)
    table: ResultTable[Any] = field(init=False)
    file: Autosave = field(init=False)
    found: tuple[Check, ResultTable[Any]] | None = field(default=None, init=False)  # that of `then`
    asked: int | None = field(default=None, init=False)  # trials over all cases, if fixed

    def check(self, inputs: Iterable[Path | None] = ()) -> None:
        """Check, before any work is done, that the outputs can be written; keep others out.

        Args:
            inputs: Files that the command reads; none of them may be written over.

        Raises:
            InputError: They cannot, or options do not go together.
        """
        inputs = tuple(inputs)
        if self.dask is not None:
            refuse_options({"workers"}, "--dask")
        if self.out is not None:
            check_out(self.out, ".csv", inputs, self.option)
            click.get_current_context().with_resource(lock_file(self.option, self.out, wait_s=0))
        elif self.resume:
            raise InputError(
                f"resume: not accepted without --{self.option}; give the file to continue"
            )
        if self.plot is not None:
            from pucklab.render.plots.figures import check_plot

            check_plot("plot", self.plot, inputs)

    def collect(
        self,
        experiment: Experiment[Any, _Tally],
        cases: Sequence[Case[Any]],
        rule: StopRule | None = None,
        then: Callable[[ResultTable[_Tally]], Check | None] | None = None,
    ) -> Self:
        """Run the cases, or go on with those of the file, and save every few seconds.

        Args:
            experiment: The experiment.
            cases: Its cases.
            rule: Ends the run instead of the number of trials.
            then: Returns a second experiment that checks the table; it is not saved.
        """

        def stages(table: ResultTable[_Tally], executor: Any, window: int) -> Iterable[Progress]:
            state = Progress(done=0, total=0)
            more: dict[str, Any] = {"executor": executor, "window": window}
            for state in collect(table, cases, trials=self.trials, rule=rule, **more):
                yield state
            if (second := then(table) if then else None) is None:
                return
            own = table_of(second.experiment, second.cases, self.seed)
            more |= {"trials": second.trials, "rule": second.rule}
            for found in collect(own, second.cases, **more):
                yield Progress(done=state.done + found.done, total=state.total + found.total)
            self.found = second, own

        tasks = math.inf if rule else experiment.tasks(len(cases), self.trials)
        workers = int(min(self.workers or processors(), tasks))
        self.collect_by(
            stages,
            table_of(experiment, cases, self.seed),
            workers,
            in_threads=all(experiment.in_threads(case.subject) for case in cases),
        )
        if not rule:
            cases_run = 1 if experiment.together else len({row.id for row in self.table.rows})
            self.asked = self.trials * cases_run
        return self

    def collect_by(
        self,
        states: Callable[[ResultTable[_Tally], Any, int], Iterable[Progress]],
        table: ResultTable[_Tally],
        workers: int | None = None,
        *,
        in_threads: bool = False,
    ) -> Self:
        """Run a search that chooses its next cases itself, and yields the progress of its table.

        Args:
            states: Function of the table, an executor (None for this process) and the number of
                tasks to keep in it.
            table: The table, without the counts of the file that is continued.
            workers: Processes; None for as many as were asked for.
            in_threads: Whether threads do the work instead.
        """
        if self.resume and self.out is not None and not table.entries:
            if self.out.exists():
                table.resume(read_text(self.option, self.out), f"resume: {str(self.out)!r}")
            else:
                text = f"resume: {str(self.out)!r} is not there yet; a new run begins"
                click.echo(text, err=True)
        self.table, self.file = table, Autosave(self.out, table.csv)
        try:
            workers = workers or self.workers or processors()
            with workers_of(workers, self.dask, in_threads=in_threads) as (executor, window):
                work = states(table, executor, window)
                for _ in track(work, lambda state: (state.done, state.total), self.doing):
                    if table.entries:  # before the first trial a file is not replaced
                        self.file.save_if_due()
        except KeyboardInterrupt:
            self.stopped = True
        return self

    def tallies(
        self, experiment: Experiment[Any, _Tally], cases: Sequence[Case[Any]], trials: int
    ) -> list[_Tally]:
        """Run cases that a fit has chosen, save, and return the tally of each.

        Later calls add their cases to the table.

        Raises:
            KeyboardInterrupt: The run was stopped; what there is has been saved.
        """
        if self.growing is None:
            self.growing = table_of(experiment, cases, self.seed)
            self.growing.is_open = True

        def states(table: ResultTable[_Tally], executor: Any, window: int) -> Iterable[Progress]:
            table.add(cases)
            return collect(table, cases, trials=trials, executor=executor, window=window)

        self.collect_by(states, self.growing)
        if lost := self.save():
            print_error(f"{self.option}: {lost}")
        if self.stopped:
            self.out = None if lost else self.out  # to go on from
            raise KeyboardInterrupt
        return [self.growing.entries[id_].tally for id_ in experiment.ids(cases)]

    def save(self) -> OSError | None:
        """Save the table if it has trials; return the error that kept it from being saved."""
        try:
            if self.table.entries:
                self.file.save()
        except OSError as error:
            return error
        return None

    def finish(
        self,
        show: Callable[[ResultTable[Any]], None],
        *,
        json: Callable[[ResultTable[Any]], Any] = ResultTable.facts,
        plot: Callable[[Path, ResultTable[Any]], None] | None = None,
        is_enough: Callable[[ResultTable[Any]], object] = lambda table: table.is_complete,
    ) -> int:
        """Save, plot and print what there is, and return the exit code.

        Args:
            show: Prints the table for people.
            json: Returns the facts for programs.
            plot: Saves the plot.
            is_enough: True if there are enough trials to show something.
        """
        table, lost = self.table, self.save()
        written = [self.out] if table.entries and lost is None else []
        if not is_enough(table):
            click.echo(f"nothing to show: {table.trials} {self.unit} are too few", err=True)
            if self.as_json:
                print_json(None)
        else:
            if self.plot is not None and plot is not None:
                plot(self.plot, table)
                written.append(self.plot)
            if self.as_json:
                print_json(json(table))
            elif self.out != STANDARD:
                show(table)
        if lost is not None:
            click.echo(table.csv(), nl=False)
        print_written(*written)
        if lost is not None:
            print_error(f"{self.option}: {lost}; the table is printed instead")
        if self.stopped:
            done = max(entry.tally.trials for entry in table.entries.values()) if (
                table.experiment.together and table.entries) else table.trials  # fmt: skip
            of = "" if self.asked is None else f" of {self.asked}"
            report_stop(f"after {done}{of} {self.unit}", resumes=self.out is not None and not lost)
            return EXIT_STOPPED
        return EXIT_OUTPUT if lost is not None else 0
