"""Runs of experiments: trials in this process or in an executor, counted in order.

The result depends neither on the executor nor on how often a run was stopped and continued: chunks
are counted in the order of their trials, whatever the order in which they are done.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, TypeVar

from pucklab.base.decoding import check_one_of
from pucklab.base.facts import fact
from pucklab.physics.tally import Counts
from pucklab.sim.core.ordered_work import in_order
from pucklab.sim.experiments.estimates import Z_95, Z_DECIDED, Z_LOOKED
from pucklab.sim.experiments.experiment import Case, Experiment
from pucklab.sim.experiments.stopping import FIRST_LOOK, MOST_TRIALS, RuleRun, StopRule, next_look
from pucklab.sim.experiments.table import ResultTable, table_of

_Unit = tuple[Sequence[str], Any]
_Tally = TypeVar("_Tally", bound=Counts)


@fact
class Progress:
    """Trials done and in all, over all different cases; with a rule the total is an estimate."""

    done: int
    total: int


def run_to_end(
    experiment: Experiment[Any, _Tally],
    cases: Sequence[Case[Any]],
    *,
    trials: int = 1000,
    rule: StopRule | None = None,
    seed: int = 1,
    executor: Executor | None = None,
    window: int = 8,
) -> ResultTable[_Tally]:
    """Run an experiment and return its table; see `collect`, which yields on the way.

    Example:
        >>> from pucklab.sim.trail.board import Board
        >>> from pucklab.sim.trail.match import Setup
        >>> from pucklab.sim.trail.odds import TRAIL, Seating, trail_case
        >>> alone = Setup(board=Board(last=6), names=("Ash",))
        >>> case = trail_case(Seating(setup=alone, policies=("quick",)))
        >>> run_to_end(TRAIL, [case], trials=50).trials
        50
    """
    table = table_of(experiment, cases, seed)
    for _ in collect(table, cases, trials=trials, rule=rule, executor=executor, window=window):
        pass
    return table


def collect(
    table: ResultTable[_Tally],
    cases: Sequence[Case[Any]],
    *,
    trials: int,
    rule: StopRule | None = None,
    executor: Executor | None = None,
    window: int = 8,
) -> Iterator[Progress]:
    """Run trials of each case until the table has them, and yield the progress after each chunk.

    All cases advance together, and the table is whole at each yield: its tallies equal those of a
    shorter run. Equal cases are run once.

    Args:
        table: The table of the cases, which may hold an earlier run.
        cases: The cases, or some of them: those of an adaptive search that are still in it.
        trials: Trials per case; with a rule not used, or the fewest if all cases run together.
        rule: Ends the run instead of a number of trials, and decides which case is run next.
        executor: Runs the chunks; None to run them in this process.
        window: Chunks in the executor at a time, so that memory does not grow with the trials.

    Raises:
        InputError: The table has counts from a file whose shape does not fit their case.
    """
    experiment = table.experiment
    table.check_shapes(cases)
    unique = dict(zip(experiment.ids(cases), cases, strict=True))
    # Ids and subject of what is run at once: a case, or all of them.
    units: list[_Unit] = [([id_], own.subject) for id_, own in unique.items()]
    if experiment.together:
        units = [([row.id for row in table.rows], tuple(case.subject for case in cases))]
    if rule is None:
        return _collect_all(table, units, trials, executor, window)
    if experiment.together:
        return _collect_together_until(table, units, trials, rule, executor, window)
    return _collect_until(table, units, rule, executor, window)


def _collect_all(
    table: ResultTable[_Tally],
    units: Sequence[_Unit],
    trials: int,
    executor: Executor | None,
    window: int,
) -> Iterator[Progress]:
    experiment = table.experiment
    chunk = experiment.chunk_of(len(table.rows))
    entries = [table.entries.get(ids[0]) for ids, _ in units]
    begin = [entry.tally.trials if entry else 0 for entry in entries]
    done, total = sum(begin), sum(max(trials, own) for own in begin)
    # The least advanced cases come first.
    tasks = (
        (experiment.run, index, units[index][1], table.seed, first, high - first)
        for low in range(min(begin), trials, chunk)
        for index, own in enumerate(begin)
        for first, high in [(max(low, own), min(low + chunk, trials))]
        if own < high
    )
    yield Progress(done=done, total=total)
    for index, found in in_order(_run_chunk, tasks, executor, window):
        tallies = found if experiment.together else [found]
        for id_, tally in zip(units[index][0], tallies, strict=True):
            table.add_tally(id_, tally)
        done += tallies[0].trials
        yield Progress(done=done, total=total)


def _collect_together_until(
    table: ResultTable[_Tally],
    units: Sequence[_Unit],
    least: int,
    rule: StopRule,
    executor: Executor | None,
    window: int,
) -> Iterator[Progress]:
    """Run all cases together until every order is decided, or the time is over."""
    ends_s = math.inf if rule.max_seconds is None else time.monotonic() + rule.max_seconds
    look, stopped_by = max(least, FIRST_LOOK), ""
    for state in _collect_all(table, units, MOST_TRIALS, executor, window):
        if state.done >= look and rule.decided is not None:
            look = next_look(state.done)
            stopped_by = "decided" if rule.decided(table.tallies()) else ""
        if state.done >= least and time.monotonic() >= ends_s:
            stopped_by = stopped_by or "max-seconds"
        yield Progress(done=state.done, total=max(state.done, least))
        if stopped_by:
            break
    z = Z_95 if rule.decided is None else Z_DECIDED
    for row in table.rows:
        table.set_tally(row.id, table.entries[row.id].tally, stopped_by=stopped_by, z=z)
    yield Progress(done=state.done, total=state.done)


def _collect_until(
    table: ResultTable[_Tally],
    units: Sequence[_Unit],
    rule: StopRule,
    executor: Executor | None,
    window: int,
) -> Iterator[Progress]:
    experiment, ids = table.experiment, [id_ for (id_,), _ in units]
    widths = experiment.half_widths
    check_one_of("half_width_of", rule.of, tuple(widths))
    begin = [table.entries[id_].tally if id_ in table.entries else None for id_ in ids]
    run = RuleRun(begin, rule, widths[rule.of])
    ends_s = math.inf if rule.max_seconds is None else time.monotonic() + rule.max_seconds

    def state() -> Progress:
        for id_, tally, by in zip(ids, run.tallies, run.stopped_by, strict=True):
            if tally is not None:
                table.set_tally(id_, tally, stopped_by=by, z=Z_LOOKED)
        return Progress(done=run.done, total=run.total)

    yield state()
    tasks = (
        (experiment.run, index, units[index][1], table.seed, *span) for index, *span in run.chunks()
    )
    for index, tally in in_order(_run_chunk, tasks, executor, window):
        run.collect(index, tally)
        while run.adopt():
            yield state()
        if time.monotonic() >= ends_s and run.all_looked_at:
            run.is_out_of_time = True
            break
        if run.least_sure() is None:
            break
    yield state()


def _run_chunk(
    run: Callable[[Any, int, int, int], Any], index: int, subject: Any, seed: int, *span: int
) -> tuple[int, Any]:
    return index, run(subject, seed, *span)
