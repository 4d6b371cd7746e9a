"""``pucklab reference``: the same throws in a 3-D engine, for comparison.

Every throw is logged (`pucklab.calibration.throw_log`) in a file of its own beside the table.
Tallies are computed from the log, and throws in it are not simulated again.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import replace

import click

from pucklab.base.errors import InputError, require_extra
from pucklab.base.files import STANDARD, Autosave, check_writable, read_text
from pucklab.calibration.cells import REFERENCE_SEED, Cell, cells_named, scene_of, thrower_of
from pucklab.calibration.reference import engine_version, settings_named, throw_in_engine
from pucklab.calibration.throw_log import LoggedThrow, read_log, tally_of_throw, write_log
from pucklab.cli.experiments import Run, experiment_options
from pucklab.cli.options import option
from pucklab.cli.output import print_written
from pucklab.physics.tally import Tally
from pucklab.sim.core.ordered_work import in_order
from pucklab.sim.experiments import Progress, ResultTable
from pucklab.sim.experiments.table import table_of
from pucklab.sim.experiments.view import print_table
from pucklab.sim.odds import KNOCK_OUTS, ODDS, OddsCase, Study, experiment_cases


@click.command("reference")
@option("--engine", str, "NAME", "3-D engine: mujoco or solid.", required=True)
@option(
    "--cells",
    str,
    "NAME,...",
    "Cells by name: 12g-8mm-5ms-10 (slammer, its thickness, speed, pucks), "
    "6g-4.2mm-5ms-12-careful (or wild: the thrower), 20g-6mm-5ms-on-8g-2 (a knock-out, 2 shields); "
    "and at the end, if not the default, -e0.3 (restitution), -mu0.6 (friction), -p2g (pucks), "
    "-d30to60 (descent), -h1 (hysteresis).",
    default="all",
)
@option(
    "--settings",
    str,
    "NAME",
    "Settings of the solid engine: fast, careful (without shortcuts), or fast with other contacts: "
    "stiffness/3, stiffness*3, exponent3, shear/2 or shear*2.  [default: fast]",
    default="",
    show_default=False,
)
@experiment_options(default=300, most=1_000_000, about="Throws per cell.", plot=None)
def command(*, engine: str, cells: str, settings: str, run: Run) -> int:
    """Simulate the throws of 'pucklab odds' in a 3-D engine.

    Prints a row of odds per cell. With --out, there is also FILE.throws.csv with the outcome and
    the energy balance of each throw. Both are written every few seconds, and continued with
    --resume. Throws that gain energy are counted, and left out of the odds. MuJoCo computes the
    impact, and the solid engine goes on from there.

    \b
    Examples:
      pucklab reference --engine mujoco --cells 12g-8mm-5ms-10 --trials 50 --out mujoco.csv
      pucklab reference --engine solid --out solid.csv
    """
    settings = settings_named(engine, settings)
    wanted = cells_named(tuple(cells.split(",")))
    path = None if run.out in {None, STANDARD} else run.out.with_suffix(".throws.csv")
    run.check()
    check_writable("out", path, (".csv",))
    if engine == "mujoco":
        require_extra("reference", "mujoco")
    throws: list[LoggedThrow] = []
    if run.resume and path is not None and path.exists():
        throws += read_log(read_text("out", path), f"out: {str(path)!r}")
    version = engine_version(engine)
    for throw in throws:
        if throw.engine == engine and (throw.engine_version, throw.settings) != (version, settings):
            of, its, mine = engine, throw.engine_version, version
            if its == mine:
                of, its, mine = "settings", throw.settings, settings
            raise InputError(
                f"out: {str(path)!r} has throws of {of} {its or 'unknown'!r}, this is {mine!r}; "
                "give another file"
            )
    file = Autosave(path, lambda: write_log(throws))
    counted = {cell.name: _CellTally(cell, engine, settings) for cell in wanted}
    cases = [own.case for own in counted.values()]
    knock_outs = all(scene_of(cell).is_knock_out for cell in wanted)

    def states(
        table: ResultTable[Tally], executor: Executor | None, window: int
    ) -> Iterator[Progress]:
        table.entries.clear()  # the log has them all, and may be newer
        known = {(throw.cell, throw.trial) for throw in throws if throw.engine == engine}
        for throw in throws:
            if throw.engine == engine and throw.cell in counted:
                counted[throw.cell].add(throw, table)
        tasks = [(engine, cell, settings, trial) for trial in range(run.trials) for cell in wanted
                 if (cell.name, trial) not in known]  # fmt: skip
        new = in_order(throw_in_engine, tasks, executor, window)
        total = run.trials * len(wanted)
        for done, throw in enumerate(new, total - len(tasks) + 1):
            throws.append(throw)
            counted[throw.cell].add(throw, table)
            file.save_if_due()
            yield Progress(done=done, total=total)

    table = table_of(KNOCK_OUTS if knock_outs else ODDS, cases, REFERENCE_SEED)
    result = run.collect_by(states, table)
    result.asked = run.trials * len(wanted)
    for own in filter(lambda own: own.left_out, counted.values()):
        text = f"{own.left_out} of {own.throws} throws gain energy: left out"
        click.echo(f"{own.cell}: {text}", err=True)
    if throws:
        file.save()
    code = result.finish(
        lambda table: print_table(table, f"{engine}: {table.trials} throws"),
        is_enough=ResultTable.done,
    )
    if throws:
        print_written(path)
    return code


class _CellTally:
    """The case of a cell, whose labels count throws that gain energy beside the table's tally."""

    def __init__(self, cell: Cell, engine: str, settings: str) -> None:
        self.cell, self.throws, self.left_out, self._energy = cell.name, 0, 0, 0.0
        study = Study(
            scene=scene_of(cell),
            thrower=thrower_of(cell),
            engine="solid" if engine == "solid" else "plane",
        )
        (case,) = experiment_cases([OddsCase(name=f"{cell.slammer_g:g} g", study=study)])
        self.labels: dict[str, str | int | float] = {"cell": cell.name} | dict(case.labels) | {
            "engine": engine,
            "engine_version": engine_version(engine),
            "settings": settings,
        }  # fmt: skip
        self.case = replace(case, labels=self.labels, facts=[study, engine, settings])

    def add(self, throw: LoggedThrow, table: ResultTable[Tally]) -> None:
        """Count a throw, in the table unless it gains energy."""
        self.throws += 1
        self.left_out += throw.gains_energy
        if not throw.gains_energy:
            (id_,) = table.experiment.ids([self.case])
            table.add_tally(id_, tally_of_throw(throw))
            self._energy += throw.energy_end_mj / throw.energy_begin_mj
        kept = max(self.throws - self.left_out, 1)
        self.labels |= {
            "left_out_for_energy": self.left_out,
            "energy_end_share": self._energy / kept,
        }
