"""``pucklab calibrate``: fit the constants of the model to measurements, throws and 3-D engines.

Four subcommands, each of which writes a parameter file, a report and a plot: ``bench`` for
measurements with a ruler, ``rebound`` for how high a slammer bounces, ``throws`` for a log of real
throws, ``reference`` for throws in two 3-D engines.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.calibrate_files import check_outputs, example_option, output_options, write_outputs
from sim.cli.commands import LazyGroup
from sim.cli.options import count, seed_option, workers_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from calibration.cells import Cell
    from calibration.fidelity import CellStatistics, ConstantFit, ReferenceCell
    from calibration.rebound import Rebound, ReboundFit
    from calibration.throws import FreeParameter, RealThrow, Setting, ThrowFit
    from calibration.throws.space import Points
    from calibration.throws.surrogate import Surrogate
    from physics import Materials, ParameterSet


_PATH = click.Path(path_type=Path)

EXIT_NO_FIT = 3
"""The data are accepted but not sufficient: the fit fails, or identifies no parameter."""

_ROUNDS = (1.0, 0.4)
"""Widths of the boxes of a fit of constants, as shares of their ranges."""

_POINTS = 128
_FIT_TRIALS = 150
"""Throws per cell at each point of a fit: more would take hours."""

_FIT_SEED = 1

_SMALLEST_SD = 1e-3
"""Smallest prior standard deviation of a restitution."""


@click.group("calibrate", cls=LazyGroup)
def command() -> None:
    """Fit the model to your own pucks, with uncertainties.

    Each command writes a report, and a parameter file that all commands accept with --params.
    Exit codes: 0 fitted, 2 a mistake in the input, 3 not enough data for a fit, 130 stopped.

    \b
    Examples:
      pucklab calibrate bench bench.csv --out bench.toml
      pucklab odds --params bench.toml
    """


@command.command(
    "bench",
    short_help="Restitution and friction from drops, slides, ramps and tilts.",
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.csv")
@output_options("the residuals")
@example_option("bench")
def _bench(*, file: Path, out: Path | None, report: Path | None, plot: Path | None) -> int:
    """Estimate restitution and friction from measurements with a ruler.

    FILE.csv has a row per measurement. Its kind in the column 'measurement' decides which other
    columns are filled in; give at least three repeats of a kind:

    \b
      drop   drop_mm, rebound_mm   height of a flat drop, and of the bounce
      slide  speed_m_s, slide_mm   initial speed, and length of the slide
      ramp   ramp_mm, run_mm       height of the start on a ramp; distance along the floor
                                   from below the start to the point of rest
      tilt   tilt_deg              slope on which it keeps sliding once it is tapped

    Lines that begin with # are ignored; the column 'note' is free for remarks.

    \b
    Examples:
      pucklab calibrate bench --example > bench.csv
      pucklab calibrate bench bench.csv --out bench.toml --report bench.txt --plot bench.png
      pucklab odds --params bench.toml
    """
    from calibration.bench import bench_constants, bench_parameters, bench_report, read_measurements
    from calibration.parameter_files import parameter_file
    from physics.parsing import printable
    from sim.core.files import read_text

    check_outputs(out, report, plot, (file,))
    name = printable(file.name)
    measurements = read_measurements(read_text("file", file), printable(file))
    constants = bench_constants(measurements)
    text = bench_report(constants, name)
    picture = None
    if plot is not None:
        from render.plots.calibration import bench_panels, fit_figure
        from render.plots.figures import figure_bytes

        title = f"Bench measurements of {name}"
        suffix = plot.suffix.lower()
        picture = figure_bytes(suffix, fit_figure, bench_panels(constants), title=title)
    parameters = parameter_file(
        bench_parameters(constants, name), "Written by pucklab calibrate bench."
    )
    write_outputs((out, parameters.encode()), (report, text.encode()), (plot, picture))
    click.echo(text, nl=False)
    return 0


@command.command("rebound", short_help="How much a stack gives back, from heights of rebounds.")
@click.argument("file", type=_PATH, metavar="FILE.csv")
@click.option(
    "--params",
    type=_PATH,
    metavar="FILE",
    help="Parameter file (TOML) with what is known of the restitution, and the friction.",
)
@click.option(
    "--trials",
    type=count(256, 1_000_000),
    default=1024,
    show_default=True,
    metavar="N",
    help="Simulated rebounds per slammer and target of the file.",
)
@workers_option("simulate")
@seed_option("Seed of the simulated rebounds.")
@output_options("the residuals")
@example_option("rebound")
def _rebound(
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
    """Estimate restitution and hysteresis from how high a slammer bounces.

    FILE.csv has a row per rebound, 10 or more, with the columns

    \b
      slammer_g, thickness_mm   the slammer
      pucks                     pucks in the stack; 0 for the bare floor
      drop_mm                   height of a flat drop, from the slammer to what it strikes
      speed_m_s                 or the speed of a throw at the stack
      rebound_mm                height to which its middle rises above where it would lie
    and, if known,
      puck_g                    mass of a puck, if not 1.5 g

    Ten drops on the floor and ten on ten pucks are enough: see docs/calibrating.md. A log of
    throws for 'calibrate throws' with a column rebound_mm is accepted as well; rows without a
    rebound are left out. Hysteresis is the share of the loss that does not depend on rate.

    \b
    Examples:
      pucklab calibrate rebound --example > drops.csv
      pucklab calibrate rebound drops.csv --out rebound.toml --report rebound.txt
      pucklab odds --params rebound.toml
    """
    from calibration.parameter_files import parameter_file, parameters_from
    from calibration.rebound import read_rebounds, rebound_parameters, rebound_report
    from calibration.throws.space import uncertainty_in
    from physics.errors import parameters
    from physics.parsing import printable
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import read_text, read_toml
    from sim.core.ordered_work import processors

    check_outputs(out, report, plot, (file, params))
    name = printable(file.name)
    table: dict[str, Any] = {} if params is None else read_toml("params", params)
    base = parameters_from(table).materials
    rebounds = read_rebounds(read_text("file", file), printable(file))
    given = uncertainty_in(table, "materials", "restitution")
    sd = max(given or parameters(base)["restitution"].uncertainty or 0.0, _SMALLEST_SD)
    work = _Work(trials=trials, seed=seed, workers=workers or processors())
    try:
        fit = _fitted_rebounds(rebounds, base, sd, work)
    except KeyboardInterrupt:
        report_stop("before the fit; nothing is written")
        return EXIT_STOPPED
    text = rebound_report(rebounds, fit, name)
    picture = None
    if plot is not None:
        from render.plots.calibration import fit_figure, rebound_panel
        from render.plots.figures import figure_bytes

        suffix, panels = plot.suffix.lower(), [rebound_panel(rebounds, fit)]
        picture = figure_bytes(suffix, fit_figure, panels, title=f"Rebounds of {name}")
    outputs = [(report, text.encode()), (plot, picture)]
    if fit.tells_hysteresis:
        entries = rebound_parameters(rebounds, fit, name)
        outputs.insert(
            0, (out, parameter_file(entries, "Written by pucklab calibrate rebound.").encode())
        )
    write_outputs(*outputs)
    click.echo(text, nl=False)
    if not fit.tells_hysteresis:
        click.echo("the fit does not tell the hysteresis; no parameter file is written", err=True)
        return EXIT_NO_FIT
    return 0


def _fitted_rebounds(
    rebounds: "Sequence[Rebound]", base: "Materials", sd: float, work: "_Work"
) -> "ReboundFit":
    """Simulate rebounds all over the ranges, with progress, and fit the measured ones."""
    from calibration.rebound import fit_emulator, fit_rebounds, rebound_tasks, run_rebounds
    from calibration.rebound import settings_of as rebound_settings
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.core.ordered_work import in_order

    settings = rebound_settings(rebounds)
    tasks = list(rebound_tasks(rebounds, base, sd, trials=work.trials, seed=work.seed))
    found: dict[Any, list[tuple[float, float, float, float]]] = {s: [] for s in settings}
    with worker_processes(work.workers) as pool:
        chunks = in_order(run_rebounds, ((task,) for task in tasks), pool, 4 * work.workers)
        done = enumerate(zip(tasks, chunks, strict=True), start=1)
        for _, (task, chunk) in track(done, lambda state: (state[0], len(tasks))):
            found[task.setting] += chunk
    emulators = [fit_emulator(setting, found[setting]) for setting in settings]
    return fit_rebounds(rebounds, emulators, base, sd)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """Amount of simulation: throws per setting, the seed, and the number of processes."""

    trials: int
    seed: int
    workers: int


@command.command("throws", short_help="The thrower and other parameters from a log of real throws.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.csv")
@click.option(
    "--params",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Parameter file (TOML) with prior values, such as one of 'calibrate bench'.",
)
@click.option(
    "--trials",
    type=count(512, 1_000_000),
    default=4096,
    show_default=True,
    metavar="N",
    help="Simulated throws per slammer and stack of the log.",
)
@workers_option("throw")
@seed_option("Seed of the simulated throws.")
@output_options("the residuals")
@example_option("throws")
def _throws(
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
    """Estimate the thrower and other parameters from a log of real throws.

    FILE.csv has a row per throw, 20 or more, with the columns

    \b
      slammer_g, thickness_mm   the slammer
      pucks                     pucks in the stack
      flipped                   pucks that ended face up in the box
      out                       pucks that left the box
    and, if known,
      puck_g                    mass of a puck, if not 1.5 g
      speed_m_s                 speed at the stack, by video
      drop_mm                   or the height from which the slammer was dropped on it
      distance_mm               mean distance of the pucks that stayed in from the centre

    Throw slammers of different masses: a single one says little. The result of 'calibrate bench' in
    --params makes the estimate of the thrower sharper. Parameters that the throws do not determine
    are reported, and keep their values. Lines that begin with # are ignored; the column 'note' is
    free for remarks.

    \b
    Examples:
      pucklab calibrate throws --example > throws.csv
      pucklab calibrate throws throws.csv --out me.toml --report me.txt --plot me.png
      pucklab calibrate throws throws.csv --params bench.toml --out me.toml
      pucklab odds --params me.toml
    """
    from calibration.parameter_files import parameter_file, parameters_from
    from calibration.throws import read_throws, throws_parameters
    from physics import ParameterSet
    from physics.parsing import printable
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import read_text, read_toml
    from sim.core.ordered_work import processors

    check_outputs(out, report, plot, (file, params))
    name = printable(file.name)
    table: dict[str, Any] = {} if params is None else read_toml("params", params)
    base = parameters_from(table, ParameterSet())
    throws = read_throws(read_text("file", file), printable(file))
    work = _Work(trials=trials, seed=seed, workers=workers or processors())
    try:
        fit, report_text, picture = _fitted(name, throws, base, table, work, plot)
    except KeyboardInterrupt:
        report_stop("before the fit; nothing is written")
        return EXIT_STOPPED
    outputs = [(report, report_text.encode()), (plot, picture)]
    fits = fit.converged and bool(fit.identified)
    if fits:
        entries = throws_parameters(throws, fit, base, table, name)
        text = parameter_file(entries, "Written by pucklab calibrate throws.")
        outputs.insert(0, (out, text.encode()))
    write_outputs(*outputs)
    click.echo(report_text, nl=False)
    if not fits:
        why = "identifies no parameter" if fit.converged else "did not converge"
        click.echo(f"the fit {why}; no parameter file is written", err=True)
        return EXIT_NO_FIT
    return 0


def _fitted(
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
    text = throws_report(throws, fit, surrogates, residuals, name)
    picture = None
    if plot is not None:
        from render.plots.calibration import fit_figure, throws_panels
        from render.plots.figures import figure_bytes

        title = f"{len(throws)} throws of {name}, less the fit"
        panels = throws_panels(residuals)
        picture = figure_bytes(plot.suffix.lower(), fit_figure, panels, title=title)
    return fit, text, picture


def _fit(
    throws: tuple["RealThrow", ...],
    base: "ParameterSet",
    space: tuple["FreeParameter", ...],
    work: _Work,
) -> tuple["ThrowFit", list["Surrogate"], tuple["FreeParameter", ...]]:
    """Fit in the whole space with half of the throws, then near that optimum with the rest."""
    import numpy as np

    from calibration.throws import (
        design_points,
        fit_throws,
        narrowed,
        settings_of,
        surrogates_from,
    )
    from sim.cli.processes import worker_processes

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
    """Simulate the throws of a design, with progress."""
    from calibration.throws import design_tasks, run_design
    from sim.cli.running import track
    from sim.core.ordered_work import in_order

    tasks = design_tasks(settings, base, space, points, seed=work.seed, first=first)
    chunks = in_order(run_design, ((task,) for task in tasks), pool, 4 * work.workers)
    total = len(settings) * len(points)
    thrown: list[RealThrow] = []
    for _, chunk in track(_counted(chunks), lambda state: (state[0], total)):
        thrown += chunk
    return thrown


def _counted(chunks: "Iterator[list[RealThrow]]") -> "Iterator[tuple[int, list[RealThrow]]]":
    """Yield each chunk with the number of throws so far."""
    done = 0
    for chunk in chunks:
        done += len(chunk)
        yield done, chunk


@command.command(
    "reference",
    short_help="The model compared with the solid engine, and its constants fitted to it.",
)
@click.option(
    "--params",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Parameter file (TOML) to compare, or to start a fit from.  [default: the shipped one]",
)
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="FILE.throws.csv of 'pucklab reference --engine solid' instead of the shipped throws; "
    "a second one for MuJoCo's.",
)
@click.option(
    "--trials",
    type=count(20, 1_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Throws of the model per cell; a fit has at most 150 at each of its points.",
)
@click.option(
    "--preset",
    default="fast",
    show_default=True,
    metavar="NAME",
    help="Precision of the comparison.",
)
@click.option(
    "--ablation",
    is_flag=True,
    help="Also compare the model without each of its constants in turn.",
)
@workers_option("throw")
@output_options("the model beside both engines")
def _reference(
    *,
    params: Path | None,
    against: tuple[Path, ...],
    trials: int,
    preset: str,
    ablation: bool,
    workers: int | None,
    out: Path | None,
    report: Path | None,
    plot: Path | None,
) -> int:
    """Compare the plane engine with the shipped throws of the solid engine.

    MuJoCo's throws, where there are any, are shown beside them as a check.

    With --out, the constants of the model are fitted first, on two thirds of the cells; the others
    are only compared. A fit takes hours: up to 150 throws per cell at 128 points, twice.

    \b
    Examples:
      pucklab calibrate reference --report fidelity.txt --plot fidelity.png
      pucklab calibrate reference --trials 300 --ablation
      pucklab calibrate reference --trials 100 --out constants.toml
      pucklab calibrate reference --against mujoco.throws.csv --against solid.throws.csv
    """
    from calibration.cells import is_in_plane
    from calibration.fidelity import (
        ablation_table,
        ablations,
        compare,
        fidelity_of,
        fidelity_report,
        fitted_cells,
        fitted_constants,
        shipped_reference,
    )
    from calibration.parameter_files import parameter_file, parameters_from
    from physics import InputError, ParameterSet
    from physics.materials import preset as preset_named
    from sim.cli.signals import EXIT_STOPPED, report_stop
    from sim.core.files import read_toml
    from sim.core.ordered_work import processors

    check_outputs(out, report, plot, (params, *against))
    preset_named(preset)
    parameters = ParameterSet()
    if params is not None:
        parameters = parameters_from(read_toml("params", params), parameters)
    known = _read_logs(against) if against else shipped_reference()
    reference = [cell for cell in known if is_in_plane(cell.cell)]
    small = [cell for cell in known if not is_in_plane(cell.cell)]
    if not reference:
        raise InputError(
            "against: it has only cells that the plane leaves to the solid engine; give throws of "
            "stacks of three pucks or more"
        )
    workers = workers or processors()
    fit = None
    base = parameters
    try:
        if out is not None:
            fit, parameters = _fitted_constants(
                reference, parameters, min(trials, _FIT_TRIALS), workers
            )
        without = ablations(parameters) if ablation else {}
        sets = (parameters, *without.values())
        tasks = ((cell.cell, sets, trials, preset) for cell in reference)
        found = list(zip(*_throw(tasks, len(reference), workers), strict=True))
    except KeyboardInterrupt:
        report_stop("before the end; nothing is written")
        return EXIT_STOPPED
    cells = compare(reference, found[0], fitted_cells())
    report_text, picture = fidelity_report(cells, fit, small), None
    if plot is not None:
        from render.plots.calibration import fidelity_figure
        from render.plots.figures import figure_bytes

        title = "The plane engine beside the solid engine"
        picture = figure_bytes(plot.suffix.lower(), fidelity_figure, cells, title=title)
    if ablation:
        each = (fidelity_of(compare(reference, model)) for model in found[1:])
        table = ablation_table(fidelity_of(cells), dict(zip(without, each, strict=True)))
        report_text += f"\n{table}"
    outputs = [(report, report_text.encode()), (plot, picture)]
    fits = fit is None or (fit.converged and any(fit.identified))
    if fit is not None and fits:
        constants = fitted_constants(fit, base, cells)
        text = parameter_file(constants, "Written by pucklab calibrate reference.")
        outputs.insert(0, (out, text.encode()))
    write_outputs(*outputs)
    click.echo(report_text, nl=False)
    if fit is not None and not fits:
        why = "identifies no constant" if fit.converged else "did not converge"
        click.echo(f"the fit {why}; no parameter file is written", err=True)
        return EXIT_NO_FIT
    return 0


def _read_logs(paths: tuple[Path, ...]) -> "tuple[ReferenceCell, ...]":
    """Read throws of the solid engine, and of MuJoCo if there are any.

    Raises:
        InputError: A file is not a log of throws, or there is no throw of the solid engine.
    """
    from calibration.fidelity.cell_statistics import reference_cells
    from calibration.throw_log import read_log
    from physics import InputError
    from sim.core.files import read_text

    throws = [
        throw
        for path in paths
        for throw in read_log(read_text("against", path), f"against: {str(path)!r}")
    ]
    cells = reference_cells(throws)
    if not cells:
        raise InputError(
            "against: no cell has throws of the solid engine; give a file of its throws"
        )
    return cells


def throw_cell(
    cell: "Cell", sets: "Sequence[ParameterSet]", trials: int, preset: str
) -> list["CellStatistics"]:
    """Return a cell's statistics with each of many parameter sets; for a worker process."""
    from calibration.fidelity import cell_statistics, model_cell

    impacts = model_cell(cell, trials, preset)
    return [cell_statistics(impacts, parameters) for parameters in sets]


def _fitted_constants(
    reference: "Sequence[ReferenceCell]", base: "ParameterSet", trials: int, workers: int
) -> tuple["ConstantFit", "ParameterSet"]:
    """Fit the constants in a wide box, then in a narrow one around what that found."""
    from calibration.fidelity import FREE, fit_constants, fitted_cells
    from calibration.fidelity.fit import box_around, design_points, with_constants
    from physics import InputError

    names = fitted_cells()
    cells = [cell for cell in reference if cell.cell.name in names]
    if not cells:
        raise InputError(
            f"against: no cell to fit on is among them; give throws of {', '.join(sorted(names))}"
        )
    centre: Sequence[float] = [constant.value_in(base) for constant in FREE]
    for share in _ROUNDS:
        points = design_points(*box_around(centre, share), _POINTS, _FIT_SEED)
        sets = [with_constants(base, point) for point in points.tolist()]
        tasks = ((cell.cell, sets, trials, "fast") for cell in cells)
        fit = fit_constants(cells, points, _throw(tasks, len(cells), workers))
        centre = fit.values
    kept = [
        value if identified else free.value_in(base)
        for free, value, identified in zip(FREE, fit.values, fit.identified, strict=True)
    ]
    return fit, with_constants(base, kept)


def _throw(
    tasks: "Iterator[tuple[Cell, Sequence[ParameterSet], int, str]]", total: int, workers: int
) -> list[list["CellStatistics"]]:
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.core.ordered_work import in_order

    with worker_processes(workers) as pool:
        done = enumerate(in_order(throw_cell, tasks, pool, 2 * workers), start=1)
        return [found for _, found in track(done, lambda state: (state[0], total))]
