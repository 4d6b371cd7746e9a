"""``pucklab calibrate reference``: the plane beside the 3-D engines, and its constants fitted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pucklab.base.files import read_text
from pucklab.calibration.cells import is_in_plane
from pucklab.calibration.designs import design_points
from pucklab.calibration.fidelity.cell_statistics import (
    CellStatistics,
    CellSubject,
    ReferenceCell,
    fitted_cells,
    reference_cells,
    shipped_reference,
    statistics_of,
    throw_cell,
)
from pucklab.calibration.fidelity.compare import compare, fidelity_of
from pucklab.calibration.fidelity.fit import (
    FREE,
    ConstantFit,
    ablation_table,
    ablations,
    box_around,
    fidelity_report,
    fit_constants,
    fitted_constants,
    with_constants,
)
from pucklab.calibration.parameter_files import parameters_from
from pucklab.calibration.throw_log import read_log
from pucklab.cli.calibrate.frame import Outputs, fit_options, report_stopped_fit
from pucklab.cli.experiments import Run
from pucklab.cli.options import PATH, flag, option
from pucklab.physics import InputError, ParameterSet
from pucklab.physics.materials import preset as preset_named
from pucklab.physics.tally import Tally
from pucklab.render.plots.calibration import fidelity_figure
from pucklab.sim.experiments import Case, Experiment

_ROUNDS = (1.0, 0.4)
"""Widths of the boxes of a fit of constants, as shares of their ranges."""

_POINTS = 128
_FIT_TRIALS = 150
"""Throws per cell at each point of a fit: more would take hours."""

_FIT_SEED = 1

PLANE: Experiment[CellSubject, Tally] = Experiment(
    name="cells in the plane",
    tally=Tally,
    run=throw_cell,
    columns=lambda tally, _: {"flips_mean": statistics_of(tally).flips},
)


@click.command("reference")
@fit_options(
    "the model beside both engines",
    params="Parameter file (TOML) to compare, or to start a fit from.  [default: the shipped one]",
    least=20,
    default=1000,
    about="Throws of the model per cell; a fit has at most 150 at each of its points.",
)
@option(
    "--against",
    PATH,
    "FILE",
    "FILE.throws.csv of 'pucklab reference --engine solid' instead of the shipped throws; "
    "a second one for MuJoCo's.",
    multiple=True,
)
@option("--preset", str, "NAME", "Precision of the comparison.", default="fast")
@flag("--ablation", "Also compare the model without each of its constants in turn.")
def command(
    *,
    table: dict[str, Any],
    against: tuple[Path, ...],
    preset: str,
    ablation: bool,
    run: Run,
    outputs: Outputs,
) -> int:
    """Compare the plane engine with the shipped throws of the solid engine.

    MuJoCo's throws, where there are any, are shown beside them as a check.

    With --out, the constants of the model are fitted first, on half of the cells; the others are
    only compared. A fit takes hours: up to 150 throws per cell at 128 points, twice. With
    --simulated it can be stopped, and continued with --resume.

    \b
    Examples:
      pucklab calibrate reference --report fidelity.txt --plot fidelity.png
      pucklab calibrate reference --trials 300 --ablation
      pucklab calibrate reference --trials 100 --out constants.toml
      pucklab calibrate reference --against mujoco.throws.csv --against solid.throws.csv
    """
    preset_named(preset)
    base = parameters_from(table)
    known = shipped_reference()
    if against:
        known = reference_cells(
            throw
            for path in against
            for throw in read_log(read_text("against", path), f"against: {str(path)!r}")
        )
    if not known:
        raise InputError(
            "against: no cell has throws of the solid engine; give a file of its throws"
        )
    reference = [cell for cell in known if is_in_plane(cell.cell)]
    if not reference:
        raise InputError(
            "against: it has only cells that the plane leaves to the solid engine; give throws of "
            "stacks of three pucks or more"
        )
    fit, parameters = None, base
    try:
        if outputs.out is not None:
            fit, parameters = _fit_constants(reference, base, run)
        without = ablations(parameters) if ablation else {}
        found = _throw_cells(reference, (parameters, *without.values()), run, run.trials, preset)
    except KeyboardInterrupt:
        return report_stopped_fit(run, "the end")
    model, *others = zip(*found, strict=True)
    cells = compare(reference, model, fitted_cells())
    report = fidelity_report(cells, fit, [cell for cell in known if cell not in reference])
    if ablation:
        each = (fidelity_of(compare(reference, other)) for other in others)
        report += f"\n{ablation_table(fidelity_of(cells), dict(zip(without, each, strict=True)))}"
    refused = ""
    if fit is not None and not (fit.converged and any(fit.identified)):
        refused = "identifies no constant" if fit.converged else "did not converge"
    return outputs.write(
        report,
        fitted_constants(fit, base, cells) if fit else (),
        fidelity_figure,
        cells,
        title="The plane engine beside the solid engine",
        refused=refused,
        found=cells,
    )


def _fit_constants(
    reference: Sequence[ReferenceCell], base: ParameterSet, run: Run
) -> tuple[ConstantFit, ParameterSet]:
    """Fit the constants in a wide box, then in a narrow one around the first optimum."""
    names = fitted_cells()
    cells = [cell for cell in reference if cell.cell.name in names]
    if not cells:
        raise InputError(
            f"against: no cell to fit on is among them; give throws of {', '.join(sorted(names))}"
        )
    own = [constant.value_in(base) for constant in FREE]
    centre: Sequence[float] = own
    for share in _ROUNDS:
        points = design_points(*box_around(centre, share), _POINTS, _FIT_SEED)
        sets = [with_constants(base, point) for point in points.tolist()]
        found = _throw_cells(cells, sets, run, min(run.trials, _FIT_TRIALS), "fast")
        fit = fit_constants(cells, points, found)
        centre = fit.values
    kept = [
        value if identified else usual
        for usual, value, identified in zip(own, fit.values, fit.identified, strict=True)
    ]
    return fit, with_constants(base, kept)


def _throw_cells(
    cells: Sequence[ReferenceCell],
    sets: Sequence[ParameterSet],
    run: Run,
    trials: int,
    preset: str,
) -> list[list[CellStatistics]]:
    """Return the plane's statistics by cell and parameter set, in the throws of the reference."""
    cases: list[Case[Any]] = [
        Case(
            subject=CellSubject(cell=cell.cell, preset=preset, parameters=parameters),
            labels={"cell": cell.cell.name},
        )
        for cell in cells
        for parameters in sets
    ]
    found = map(statistics_of, run.tallies(PLANE, cases, trials))
    return [[next(found) for _ in sets] for _ in cells]
