"""``pucklab calibrate throws``: the thrower, from a log of real throws."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.calibrate.files import example_option, output_options
from sim.cli.numbers import count
from sim.cli.seed import seed_option
from sim.cli.workers import workers_option

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from calibration.throws import FreeParameter, RealThrow, Setting, ThrowFit
    from calibration.throws.space import Points
    from calibration.throws.surrogate import Surrogate
    from physics import ParameterSet


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """How much to simulate: throws a setting, the seed, and in how many processes."""

    trials: int
    seed: int
    workers: int


@click.command("throws")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.csv")
@click.option(
    "--params",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Parameter file (TOML) of what is known before, such as one of 'calibrate bench'.",
)
@click.option(
    "--trials",
    type=count(512, 1_000_000),
    default=4096,
    show_default=True,
    metavar="N",
    help="Simulated throws for each slammer and stack of the log.",
)
@workers_option("throw")
@seed_option("Seed of the simulated throws.")
@output_options("the residuals")
@example_option("throws")
def command(
    *,
    file: Path,
    params: Path | None,
    trials: int,
    workers: int | None,
    seed: int,
    out: Path | None,
    report: Path | None,
    plot: Path | None,
) -> int:
    """Find the thrower, and what else a log of real throws tells.

    FILE.csv has a row per throw, 20 or more, with the columns

    \b
      slammer_g, thickness_mm   the slammer
      pucks                     how many were in the stack
      flipped                   how many ended face up in the box
      out                       how many left the box
    and, where you know them,
      puck_g                    mass of a puck, if not 1.5 g
      speed_m_s                 speed at the stack, by video
      drop_mm                   or the height from which the slammer was let fall on it
      distance_mm               mean distance from the centre of the pucks that stayed in

    Throw slammers of different masses: one alone tells little. Give what 'calibrate bench' found
    with --params, and the throws tell the thrower better. What they do not tell is said, and kept
    as it was. Lines that begin with # are passed over; a column 'note' is yours.

    \b
    Examples:
      pucklab calibrate throws --example > throws.csv
      pucklab calibrate throws throws.csv --out me.toml --report me.txt --plot me.png
      pucklab calibrate throws throws.csv --params bench.toml --out me.toml
      pucklab odds --params me.toml
    """
    from calibration.parameterfile import parameters_from
    from calibration.parameterwriter import parameter_file
    from calibration.throws import read_throws, throws_parameters
    from physics import ParameterSet
    from sim.cli import EXIT_STOPPED
    from sim.cli.calibrate import EXIT_NO_FIT
    from sim.cli.calibrate.files import check_outputs, write_outputs
    from sim.cli.workers import processors
    from sim.files import read_text, read_toml

    check_outputs(out, report, plot)
    table: dict[str, Any] = {} if params is None else read_toml("params", params)
    base = parameters_from(table, ParameterSet())
    throws = read_throws(read_text("file", file), str(file))
    work = _Work(trials=trials, seed=seed, workers=workers or processors())
    try:
        fit, told, picture = _fit_and_tell(file.name, throws, base, table, work, plot)
    except KeyboardInterrupt:
        click.echo("stopped before the fit; nothing is written", err=True)
        return EXIT_STOPPED
    click.echo(told, nl=False)
    outputs = [(report, told.encode()), (plot, picture)]
    fits = fit.converged and bool(fit.identified)
    if fits:
        entries = throws_parameters(throws, fit, base, table, file.name)
        text = parameter_file(entries, "Written by pucklab calibrate throws.")
        outputs.insert(0, (out, text.encode()))
    write_outputs(*outputs)
    if not fits:
        why = "identifies no parameter" if fit.converged else "did not converge"
        click.echo(f"the fit {why}; no parameter file is written", err=True)
        return EXIT_NO_FIT
    return 0


def _fit_and_tell(
    name: str,
    throws: tuple["RealThrow", ...],
    base: "ParameterSet",
    table: dict[str, Any],
    work: _Work,
    plot: Path | None,
) -> tuple["ThrowFit", str, bytes | None]:
    """Return the fit, its report, and its plot if one is wanted."""
    from calibration.throws import likelihood_of, residuals_of, search_space, throws_report

    space = search_space(base, table, throws)
    fit, surrogates, ranges = _fit(throws, base, space, work)
    likelihood = likelihood_of(throws, surrogates, ranges)
    residuals = residuals_of(throws, likelihood, fit.unit)
    told = throws_report(throws, fit, surrogates, residuals, name)
    picture = None
    if plot is not None:
        from render.fit_plot import fit_plot, throws_panels

        title = f"{len(throws)} throws of {name}, less the fit"
        picture = fit_plot(throws_panels(residuals), title=title)
    return fit, told, picture


def _fit(
    throws: tuple["RealThrow", ...],
    base: "ParameterSet",
    space: tuple["FreeParameter", ...],
    work: _Work,
) -> tuple["ThrowFit", list["Surrogate"], tuple["FreeParameter", ...]]:
    """Look everywhere with half of the throws, and with the others around what that found."""
    import numpy as np

    from calibration.throws import (
        design_points,
        fit_throws,
        narrowed,
        settings_of,
        surrogates_from,
    )
    from sim.cli.workers import worker_processes

    settings = settings_of(throws)
    wide = design_points(space, work.trials // 2, work.seed)
    with worker_processes(work.workers) as pool:
        first = _simulate(settings, base, space, wide, 0, work, pool)
        fit = fit_throws(throws, surrogates_from(settings, space, wide, first), space)
        ranges = narrowed(fit, space)
        close = design_points(ranges, work.trials - len(wide), work.seed + 1)
        second = _simulate(settings, base, ranges, close, len(wide), work, pool)
    points = np.concatenate([wide, close])
    both = [
        throw
        for place in range(len(settings))
        for part, size in ((first, len(wide)), (second, len(close)))
        for throw in part[place * size : (place + 1) * size]
    ]
    surrogates = surrogates_from(settings, ranges, points, both, whole=space)
    return fit_throws(throws, surrogates, ranges, whole=space), surrogates, ranges


def _simulate(
    settings: tuple["Setting", ...],
    base: "ParameterSet",
    space: tuple["FreeParameter", ...],
    points: "Points",
    first: int,
    work: _Work,
    pool: "Executor | None",
) -> list["RealThrow"]:
    """Throw a design, with progress."""
    from calibration.throws import design_tasks, run_design
    from sim.cli.progress import track
    from sim.ordered import in_order

    tasks = design_tasks(settings, base, space, points, seed=work.seed, first=first)
    chunks = in_order(run_design, ((task,) for task in tasks), pool, 4 * work.workers)
    total = len(settings) * len(points)
    thrown: list[RealThrow] = []
    for _, chunk in track(_counted(chunks), lambda state: (state[0], total)):
        thrown += chunk
    return thrown


def _counted(chunks: "Iterator[list[RealThrow]]") -> "Iterator[tuple[int, list[RealThrow]]]":
    """Yield chunks with the number of throws up to their end."""
    done = 0
    for chunk in chunks:
        done += len(chunk)
        yield done, chunk
