"""``pucklab calibrate rebound``: restitution and hysteresis from heights of rebounds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from calibration.parameter_files import parameters_from, uncertainties_from
from calibration.rebound import (
    Rebound,
    ReboundFit,
    ReboundTask,
    fit_emulator,
    fit_rebounds,
    read_rebounds,
    rebound_parameters,
    rebound_report,
    rebound_tasks,
    run_rebounds,
    settings_of,
)
from physics import Materials
from physics.errors import limits, parameters
from physics.facts import fact
from physics.parsing import printable
from render.plots.calibration import fit_figure, rebound_panel
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
from sim.experiments import Answer, Case, Experiment

_SMALLEST_SD = 1e-3
"""Smallest prior standard deviation of a restitution."""


@fact
class SimulatedRebounds(Answer):
    """Restitution, hysteresis, tilt in degrees, and return of some rebounds."""

    returns: tuple[tuple[float, float, float, float], ...] = limits(0, 100)


def simulate(task: ReboundTask, *_: int) -> SimulatedRebounds:
    """Simulate the rebounds of a task."""
    return SimulatedRebounds(returns=tuple(run_rebounds(task)))


REBOUNDS: Experiment[ReboundTask, SimulatedRebounds] = Experiment(
    name="rebounds",
    tally=SimulatedRebounds,
    run=simulate,
    columns=lambda found, _: {
        "return_mean": sum(each[-1] for each in found.returns) / len(found.returns)
    },
)


@click.command("rebound")
@click.argument("file", type=PATH, metavar="FILE.csv")
@params_option("Parameter file (TOML) with what is known of the restitution, and the friction.")
@work_options(
    256,
    1024,
    "Simulated rebounds per slammer and target of the file.",
    "simulate",
    "Seed of the simulated rebounds.",
)
@output_options("the residuals")
@example_option("rebound")
def command(*, file: Path, params: Path | None, run: Run, outputs: Outputs) -> int:
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
    outputs.check(file, params)
    run.check((file, params))
    name = printable(file.name)
    table: dict[str, Any] = {} if params is None else read_toml("params", params)
    base = parameters_from(table).materials
    rebounds = read_rebounds(read_text("file", file), printable(file))
    known = parameters(base)["restitution"].uncertainty or 0.0
    sd = max(uncertainties_from(table).get("restitution", known), _SMALLEST_SD)
    try:
        fit = _fitted(rebounds, base, sd, run)
    except KeyboardInterrupt:
        return stopped(run, "the fit")
    return outputs.write(
        rebound_report(rebounds, fit, name),
        rebound_parameters(rebounds, fit, name),
        fit_figure,
        [rebound_panel(rebounds, fit)],
        title=f"Rebounds of {name}",
        refused="" if fit.tells_hysteresis else "does not tell the hysteresis",
    )


def _fitted(rebounds: Sequence[Rebound], base: Materials, sd: float, run: Run) -> ReboundFit:
    """Simulate rebounds all over the ranges, and fit the measured ones."""
    tasks = list(rebound_tasks(rebounds, base, sd, trials=run.trials, seed=run.seed))
    cases = [
        Case(
            subject=task,
            labels={"setting": task.setting.name, "first": task.first},
            facts=[task.setting, base, task.speed_mm_s, task.points.tolist(), task.first],
        )
        for task in tasks
    ]
    found: dict[Any, list[tuple[float, float, float, float]]] = {
        s: [] for s in settings_of(rebounds)
    }
    for task, answer in zip(tasks, run.tallies(REBOUNDS, cases, 1), strict=True):
        found[task.setting] += answer.returns
    emulators = [fit_emulator(setting, chunk) for setting, chunk in found.items()]
    return fit_rebounds(rebounds, emulators, base, sd)
