"""``pucklab reference``: the same throws in a 3-D engine, for comparison.

Every throw is logged (`calibration.throw_log`) in a file of its own, from which the tallies of the
``--out`` file are computed; throws in the log are not simulated again.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from calibration.cells import REFERENCE_SEED, Cell, cells_named, scene_of, thrower_of
from calibration.reference import (
    ENGINES,
    PACKAGES,
    engine_version,
    settings_named,
    throw_in_engine,
)
from calibration.throw_log import LoggedThrow, read_log, tally_of_throw, write_log
from physics.errors import InputError, require_extra
from sim.cli.calibrate.frame import Work, work_options
from sim.cli.options import PATH, option
from sim.cli.output import print_written
from sim.cli.signals import EXIT_STOPPED, report_stop
from sim.core.files import Autosave, check_writable, read_text, write_whole
from sim.experiments.table import table_of
from sim.odds import KNOCK_OUTS, ODDS, Study, empty_tally, odds_cases


@click.command("reference")
@option("--engine", str, "NAME", "3-D engine: mujoco, bullet or solid.", required=True)
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
    "Settings of the solid engine: fast, careful (without shortcuts), fast with pucks that bend "
    "(bending-plain, bending-recessed), or fast with other contacts: stiffness/3, stiffness*3, "
    "exponent3, shear/2 or shear*2. Of the others: solid-settling, in which the solid engine goes "
    "on where the impact ends.  [default: fast, or none]",
    default="",
    show_default=False,
)
@work_options(1, 300, "Throws per cell.", "throw", saves=False)
@option("--out", PATH, "FILE.csv", "Write a CSV with a row per cell.", required=True)
def command(*, engine: str, cells: str, settings: str, work: Work, out: Path) -> int:
    """Simulate the throws of 'pucklab odds' in a 3-D engine.

    Writes a row of odds per cell, and beside it FILE.throws.csv with the outcome and the energy
    balance of each throw. That file is written every few seconds, and throws in it are not
    simulated again: the same command continues a run that was stopped. Throws that gain energy are
    counted, and left out of the tallies.

    \b
    Examples:
      pucklab reference --engine mujoco --cells 12g-8mm-5ms-10 --trials 50 --out mujoco.csv
      pucklab reference --engine solid --out solid.csv
    """
    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is not accepted; give one of {', '.join(ENGINES)}")
    settings = settings_named(engine, settings)
    wanted = cells_named(tuple(cells.split(",")))
    log = out.with_suffix(".throws.csv")
    check_writable("out", out, (".csv",))
    check_writable("out", log, (".csv",))
    if engine in PACKAGES:
        package, extra = PACKAGES[engine]
        require_extra(extra, package)
    throws = _logged(engine, settings, log)
    tasks = [(engine, cell, settings, trial) for cell in wanted for trial in range(work.trials)]
    stopped = _throw_all(tasks, work, throws, log)
    table, notes = _tallies(engine, settings, wanted, throws)
    if table:
        write_whole(out, table.encode())
    for note in notes:
        click.echo(note, err=True)
    print_written(log, out if table else None)
    if stopped:
        report_stop("before the last throw; the same command continues")
        return EXIT_STOPPED
    return 0


def _logged(engine: str, settings: str, log: Path) -> list[LoggedThrow]:
    """Return the throws in the log.

    Raises:
        InputError: It cannot be read, or has throws of another version of the engine, or of other
            settings.
    """
    if not log.exists():
        return []
    throws = list(read_log(read_text("out", log), f"out: {str(log)!r}"))
    version = engine_version(engine)
    for throw in throws:
        if throw.engine == engine and throw.engine_version != version:
            raise InputError(
                f"out: {str(log)!r} has throws of {engine} "
                f"{throw.engine_version or 'unknown version'!r}, this is {version!r}; give another "
                "file"
            )
        if throw.engine == engine and throw.settings != settings:
            raise InputError(
                f"out: {str(log)!r} has throws of settings {throw.settings or 'unknown'!r}, "
                f"this is {settings!r}; give another file"
            )
    return throws


def _throw_all(
    tasks: Sequence[tuple[str, Cell, str, int]], work: Work, throws: list[LoggedThrow], log: Path
) -> bool:
    """Simulate what the log does not have yet, and return whether it was stopped."""
    done = {(throw.engine, throw.cell, throw.trial) for throw in throws}
    missing = [task for task in tasks if (task[0], task[1].name, task[3]) not in done]
    file = Autosave(log, lambda: write_log(throws))
    stopped = False
    try:
        for throw in work.results(throw_in_engine, missing):
            throws.append(throw)
            file.save_if_due()
    except KeyboardInterrupt:
        stopped = True
    file.save()
    return stopped


def _tallies(
    engine: str, settings: str, cells: tuple[Cell, ...], throws: list[LoggedThrow]
) -> tuple[str, list[str]]:
    """Return the table of an engine's throws, empty if there are none, and notes to print."""
    experiment = KNOCK_OUTS if all(scene_of(cell).is_knock_out for cell in cells) else ODDS
    table = table_of(experiment, [], REFERENCE_SEED)
    notes: list[str] = []
    for cell in cells:
        own = [throw for throw in throws if (throw.engine, throw.cell) == (engine, cell.name)]
        kept = [throw for throw in own if not throw.gains_energy]
        if not kept:
            continue
        study = Study(
            scene=scene_of(cell),
            thrower=thrower_of(cell),
            engine="solid" if engine == "solid" else "plane",
        )
        tally = sum((tally_of_throw(throw) for throw in kept), empty_tally(len(study.scene.stack)))
        left_out = len(own) - len(kept)
        share = sum(t.energy_end_mj / t.energy_begin_mj for t in kept) / len(kept)
        (case,) = odds_cases([f"{cell.slammer_g:g} g"], [study])
        labels = {"cell": cell.name} | dict(case.labels) | {
            "engine": engine,
            "engine_version": engine_version(engine),
            "settings": settings,
            "left_out_for_energy": left_out,
            "energy_end_share": share,
        }  # fmt: skip
        case = replace(case, labels=labels, facts=[study, engine, settings])
        (row,) = table_of(experiment, [case], REFERENCE_SEED).rows
        table.rows.append(row)
        table.set_tally(row.id, tally)
        if left_out:
            notes.append(f"{cell.name}: {left_out} of {len(own)} throws gain energy: left out")
    return table.csv() if table.rows else "", notes
