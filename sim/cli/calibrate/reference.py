"""``pucklab calibrate reference``: the model beside the 3-D engines, and its constants fitted."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.cli.calibrate.files import output_options
from sim.cli.numbers import count
from sim.cli.workers import workers_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calibration.cells import Cell
    from calibration.fidelity import CellFidelity, CellStatistics, ConstantFit, ReferenceCell
    from physics import ParameterSet

_ROUNDS = (1.0, 0.4)
"""Widths of the boxes that are looked at, over the constants' ranges."""

_POINTS = 128
_FIT_TRIALS = 150
"""Throws in each cell at each point of a fit, the same at all: more would cost hours."""

_SEED = 1


@click.command("reference")
@click.option(
    "--params",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Parameter file (TOML) to compare, or to begin from, instead of the shipped constants.",
)
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Throws of both engines (FILE.throws.csv of 'pucklab reference', give it for each file) "
    "instead of the shipped ones.",
)
@click.option(
    "--trials",
    type=count(20, 1_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Throws of the model in each cell; a fit has at most 150 at each of its points.",
)
@click.option(
    "--preset", default="fast", show_default=True, metavar="NAME", help="How finely to compare."
)
@workers_option("throw")
@output_options("the model beside both engines")
def command(
    *,
    params: Path | None,
    against: tuple[Path, ...],
    trials: int,
    preset: str,
    workers: int | None,
    out: Path | None,
    report: Path | None,
    plot: Path | None,
) -> int:
    """Compare the model with the shipped throws of two 3-D engines.

    With --out, the model's own constants are fitted first, on two thirds of the cells; the others
    are only compared. That takes long: up to 150 throws a cell at 128 points, twice.

    \b
    Examples:
      pucklab calibrate reference --report fidelity.txt --plot fidelity.png
      pucklab calibrate reference --trials 100 --out constants.toml
      pucklab calibrate reference --against mujoco.throws.csv --against penalty.throws.csv
    """
    from calibration.fidelity import fitted_constants, shipped_reference
    from calibration.parameterfile import parameters_from
    from calibration.parameterwriter import parameter_file
    from physics import ParameterSet
    from physics.presets import preset as preset_named
    from sim.cli import EXIT_STOPPED
    from sim.cli.calibrate import EXIT_NO_FIT
    from sim.cli.calibrate.files import check_outputs, write_outputs
    from sim.cli.workers import processors
    from sim.files import read_toml

    check_outputs(out, report, plot)
    preset_named(preset)
    parameters = ParameterSet()
    if params is not None:
        parameters = parameters_from(read_toml("params", params), parameters)
    reference = _read(against) if against else shipped_reference()
    workers = workers or processors()
    fit = None
    base = parameters
    try:
        if out is not None:
            fit, parameters = _fit(reference, parameters, min(trials, _FIT_TRIALS), workers)
        tasks = ((cell.cell, (parameters,), trials, preset) for cell in reference)
        model = [found[0] for found in _throw(tasks, len(reference), workers)]
    except KeyboardInterrupt:
        click.echo("stopped before the end; nothing is written", err=True)
        return EXIT_STOPPED
    cells, told, picture = _tell(reference, model, fit, plot)
    click.echo(told, nl=False)
    outputs = [(report, told.encode()), (plot, picture)]
    fits = fit is None or (fit.converged and any(fit.identified))
    if fit is not None and fits:
        constants = fitted_constants(fit, base, cells)
        text = parameter_file(constants, "Written by pucklab calibrate reference.")
        outputs.insert(0, (out, text.encode()))
    write_outputs(*outputs)
    if fit is not None and not fits:
        why = "identifies no constant" if fit.converged else "did not converge"
        click.echo(f"the fit {why}; no parameter file is written", err=True)
        return EXIT_NO_FIT
    return 0


def _read(paths: tuple[Path, ...]) -> "tuple[ReferenceCell, ...]":
    """Read throws of both engines.

    Raises:
        InputError: A file is none of throws, or no cell is in both engines.
    """
    from calibration.fidelity.referenceset import reference_cells
    from calibration.throwlog import read_log
    from physics import InputError
    from sim.files import read_text

    throws = [
        throw
        for path in paths
        for throw in read_log(read_text("against", path), f"against: {str(path)!r}")
    ]
    cells = reference_cells(throws)
    if not cells:
        raise InputError("against: no cell has throws of both engines; give a file of each")
    return cells


def throw_cell(
    cell: "Cell", sets: "Sequence[ParameterSet]", trials: int, preset: str
) -> list["CellStatistics"]:
    """Return a cell's statistics with each of many parameter sets; for a worker process."""
    from calibration.fidelity import cell_statistics, model_cell

    impacts = model_cell(cell, trials, preset)
    return [cell_statistics(impacts, parameters) for parameters in sets]


def _fit(
    reference: "Sequence[ReferenceCell]", base: "ParameterSet", trials: int, workers: int
) -> tuple["ConstantFit", "ParameterSet"]:
    """Fit the constants in a wide box, then in a narrow one around what that found."""
    from calibration.fidelity import FREE, fit_constants, fitted_cells
    from calibration.fidelity.constants import with_constants
    from calibration.fidelity.fit import box_around, design_points
    from physics import InputError

    names = fitted_cells()
    cells = [cell for cell in reference if cell.cell.name in names]
    if not cells:
        raise InputError(
            f"against: no cell to fit on is among them; give throws of {', '.join(sorted(names))}"
        )
    centre: Sequence[float] = [constant.value_in(base) for constant in FREE]
    for share in _ROUNDS:
        points = design_points(*box_around(centre, share), _POINTS, _SEED)
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
    from sim.cli.progress import track
    from sim.cli.workers import worker_processes
    from sim.ordered import in_order

    with worker_processes(workers) as pool:
        done = enumerate(in_order(throw_cell, tasks, pool, 2 * workers), start=1)
        return [found for _, found in track(done, lambda state: (state[0], total))]


def _tell(
    reference: "Sequence[ReferenceCell]",
    model: "Sequence[CellStatistics]",
    fit: "ConstantFit | None",
    plot: Path | None,
) -> tuple["tuple[CellFidelity, ...]", str, bytes | None]:
    """Return the comparison, its report, and its plot if one is wanted."""
    from calibration.fidelity import compare, fidelity_report, fitted_cells

    cells = compare(reference, model, fitted_cells())
    picture = None
    if plot is not None:
        from render.fidelity_plot import fidelity_plot

        picture = fidelity_plot(cells, title="The model beside two 3-D engines")
    return cells, fidelity_report(cells, fit), picture
