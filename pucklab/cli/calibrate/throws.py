"""``pucklab calibrate throws``: the thrower and other parameters from a log of real throws."""

from functools import partial
from typing import Any

import click

from pucklab.calibration.parameter_files import parameters_from
from pucklab.calibration.simulated_fit import Sums
from pucklab.calibration.throws.fit import fit_throws, search_space, throw_at_point
from pucklab.calibration.throws.log import read_throws
from pucklab.calibration.throws.report import throws_parameters, throws_report
from pucklab.cli.calibrate.frame import (
    Outputs,
    fit_options,
    report_stopped_fit,
    simulate_points,
)
from pucklab.cli.experiments import Run
from pucklab.render.plots.calibration import fit_figure, throws_panels
from pucklab.sim.experiments import Experiment

SIMULATED: Experiment[Any, Sums] = Experiment(
    name="throws at points",
    tally=Sums,
    run=throw_at_point,
    version=2,
    columns=lambda tally, _: {"flips_mean": float(tally.means[0])},
)


@click.command("throws")
@fit_options(
    "the residuals",
    params="Parameter file (TOML) with prior values, such as one of 'calibrate bench'.",
    example="throws",
    least=512,
    default=4096,
    about="Simulated throws per slammer and stack of the log.",
    seed="Seed of the simulated throws.",
)
def command(*, text: str, name: str, table: dict[str, Any], run: Run, outputs: Outputs) -> int:
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
    base = parameters_from(table)
    throws = read_throws(text, name)
    try:
        fit = fit_throws(
            throws,
            base,
            search_space(base, table),
            partial(simulate_points, run, SIMULATED),
            trials=run.trials,
            seed=run.seed,
        )
    except KeyboardInterrupt:
        return report_stopped_fit(run, "the fit")
    refused = "" if fit.identified else "identifies no parameter"
    return outputs.write(
        throws_report(throws, fit, name),
        throws_parameters(throws, fit, base, table, name),
        fit_figure,
        throws_panels(fit.residuals),
        title=f"{len(throws)} throws of {name}, less the fit",
        refused=refused if fit.converged else "did not converge",
    )
