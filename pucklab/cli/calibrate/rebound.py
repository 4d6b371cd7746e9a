"""``pucklab calibrate rebound``: restitution and hysteresis from heights of rebounds."""

from functools import partial
from typing import Any

import click

from pucklab.calibration.parameter_files import parameters_from, prior_sd
from pucklab.calibration.rebound.fit import fit_rebounds, rebounds_at_point
from pucklab.calibration.rebound.measurements import read_rebounds
from pucklab.calibration.rebound.report import rebound_parameters, rebound_report
from pucklab.calibration.simulated_fit import Sums
from pucklab.cli.calibrate.frame import (
    Outputs,
    fit_options,
    report_stopped_fit,
    simulate_points,
)
from pucklab.cli.experiments import Run
from pucklab.render.plots.calibration import fit_figure, rebound_panel
from pucklab.sim.experiments import Experiment

REBOUNDS: Experiment[Any, Sums] = Experiment(
    name="rebounds",
    tally=Sums,
    run=rebounds_at_point,
    version=2,
    columns=lambda tally, _: {"return_mean": float(tally.means[0])},
)


@click.command("rebound")
@fit_options(
    "the residuals",
    params="Parameter file (TOML) with what is known of the restitution, and the friction.",
    example="rebound",
    least=256,
    default=1024,
    about="Simulated rebounds per slammer and target of the file.",
    doing="simulate",
    seed="Seed of the simulated rebounds.",
)
def command(*, text: str, name: str, table: dict[str, Any], run: Run, outputs: Outputs) -> int:
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
    base = parameters_from(table).materials
    rebounds = read_rebounds(text, name)
    try:
        found = fit_rebounds(
            rebounds,
            base,
            prior_sd(table, "restitution"),
            partial(simulate_points, run, REBOUNDS),
            trials=run.trials,
            seed=run.seed,
        )
    except KeyboardInterrupt:
        return report_stopped_fit(run, "the fit")
    refused = "" if found.tells_hysteresis else "does not tell the hysteresis"
    return outputs.write(
        rebound_report(rebounds, found, name),
        rebound_parameters(rebounds, found, name),
        fit_figure,
        [rebound_panel(rebounds, found)],
        title=f"Rebounds of {name}",
        refused=refused if found.fit.converged else "did not converge",
    )
