"""``pucklab calibrate throws``: the thrower and other parameters from a log of real throws."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from calibration.designs import Floats
from calibration.parameter_files import parameters_from
from calibration.throws import (
    POINTS,
    FreeParameter,
    Moments,
    RealThrow,
    Setting,
    ThrowFit,
    design,
    fit_response,
    fit_throws,
    likelihood_of,
    narrowed,
    point_subjects,
    read_throws,
    residuals_of,
    search_space,
    settings_of,
    throw_at_point,
    throws_parameters,
    throws_report,
)
from calibration.throws.likelihood import Likelihood, Response
from calibration.throws.space import to_unit
from physics import ParameterSet
from physics.parsing import printable
from render.plots.calibration import fit_figure, throws_panels
from sim.cli.calibrate.frame import (
    Outputs,
    example_option,
    output_options,
    params_option,
    stopped,
    work_options,
)
from sim.cli.experiments import Run
from sim.cli.options import PATH
from sim.core.files import read_text, read_toml
from sim.experiments import Case, Experiment

_ROUNDING = 1e-9

SIMULATED: Experiment[Any, Moments] = Experiment(
    name="throws at points",
    tally=Moments,
    run=throw_at_point,
    columns=lambda tally, _: {"flips_mean": tally.sums[0] / tally.trials},
)


@click.command("throws")
@click.argument("file", type=PATH, metavar="FILE.csv")
@params_option("Parameter file (TOML) with prior values, such as one of 'calibrate bench'.")
@work_options(
    512,
    4096,
    "Simulated throws per slammer and stack of the log.",
    "throw",
    "Seed of the simulated throws.",
)
@output_options("the residuals")
@example_option("throws")
def command(*, file: Path, params: Path | None, run: Run, outputs: Outputs) -> int:
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
      pucklab calibrate throws throws.csv --params bench.toml --simulated sim.csv --resume
      pucklab odds --params me.toml
    """
    outputs.check(file, params)
    run.check((file, params))
    name = printable(file.name)
    table: dict[str, Any] = {} if params is None else read_toml("params", params)
    base = parameters_from(table, ParameterSet())
    throws = read_throws(read_text("file", file), printable(file))
    try:
        fit, likelihood = _fitted(throws, base, search_space(base, table, throws), run)
    except KeyboardInterrupt:
        return stopped(run, "the fit")
    residuals = residuals_of(likelihood, fit.unit)
    refused = "" if fit.identified else "identifies no parameter"
    return outputs.write(
        throws_report(throws, fit, likelihood, residuals, name),
        throws_parameters(throws, fit, base, table, name),
        fit_figure,
        throws_panels(residuals),
        title=f"{len(throws)} throws of {name}, less the fit",
        refused=refused if fit.converged else "did not converge",
    )


def _fitted(
    throws: Sequence[RealThrow],
    base: ParameterSet,
    space: tuple[FreeParameter, ...],
    run: Run,
) -> tuple[ThrowFit, Likelihood]:
    """Fit in the whole ranges with half of the throws, then near that optimum with the rest."""
    settings = settings_of(throws)
    each = -(-run.trials // (2 * POINTS))
    wide = design(space, run.seed)
    first = _simulated(settings, base, space, wide, run, each)
    fit = fit_throws(throws, _responses(first, to_unit(space, wide)), space)
    ranges = narrowed(fit, space)
    close = design(ranges, run.seed + 1)
    second = _simulated(settings, base, ranges, close, run, each, later=True)
    both = {setting: first[setting] + second[setting] for setting in settings}
    responses = _responses(both, to_unit(ranges, np.concatenate([wide, close])))
    fit = fit_throws(throws, responses, ranges, whole=space)
    return fit, likelihood_of(throws, responses, ranges)


def _simulated(
    settings: Sequence[Setting],
    base: ParameterSet,
    space: Sequence[FreeParameter],
    points: Floats,
    run: Run,
    each: int,
    *,
    later: bool = False,
) -> dict[Setting, list[Moments]]:
    """Simulate throws of each setting at each point; later ones have other random numbers."""
    subjects = point_subjects(settings, base, space, points, later * POINTS * len(settings))
    cases = [Case(subject=s, labels={"setting": s.setting.name}) for s in subjects]
    found = iter(run.tallies(SIMULATED, cases, each))
    return {setting: [next(found) for _ in points] for setting in settings}


def _responses(tallies: dict[Setting, list[Moments]], unit: Floats) -> list[Response]:
    """Return each setting's response, fitted to the points inside the unit cube."""
    inside = np.flatnonzero((np.abs(unit) <= 1 + _ROUNDING).all(axis=1)).tolist()
    return [
        fit_response(setting, unit[inside], [own[index] for index in inside])
        for setting, own in tallies.items()
    ]
