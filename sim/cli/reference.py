"""``pucklab reference``: the same throws in a 3-D engine, to compare with."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.cli.options import count, workers_option

if TYPE_CHECKING:
    from calibration.cells import Cell
    from calibration.throw_log import LoggedThrow
    from sim.odds import Tally

_PATH = click.Path(path_type=Path)
_MODULES = {"mujoco": "mujoco", "penalty": "numba"}
_SAVE_EVERY_S = 60.0


@click.command("reference")
@click.option("--engine", required=True, metavar="NAME", help="The 3-D engine: mujoco or penalty.")
@click.option(
    "--cells",
    default="all",
    show_default=True,
    metavar="NAME,...",
    help="Cells, such as 12g-8mm-5ms-10 (slammer, its thickness, speed, pucks), "
    "6g-4.2mm-5ms-12-careful (a careful thrower), 20g-6mm-5ms-on-8g-2 (a knock-out, 2 shields).",
)
@click.option(
    "--trials",
    type=count(1, 1_000_000),
    default=300,
    show_default=True,
    metavar="N",
    help="Throws a cell.",
)
@workers_option("throw")
@click.option(
    "--out", required=True, type=_PATH, metavar="FILE.csv", help="Where to write the tallies."
)
def command(*, engine: str, cells: str, trials: int, workers: int | None, out: Path) -> int:
    """Throw in a 3-D engine what 'pucklab odds' throws in the plane.

    Writes a row of odds per cell, and beside it FILE.throws.csv with each throw's outcome and
    energy balance. Throws already in that file are not thrown again, so a run that was stopped
    goes on where it was. Throws that gain energy are counted and left out of the tallies.

    \b
    Examples:
      pucklab reference --engine mujoco --cells 12g-8mm-5ms-10 --trials 50 --out mujoco.csv
      pucklab reference --engine penalty --out penalty.csv
    """
    from calibration.cells import cells_named
    from calibration.reference import ENGINES
    from physics.errors import InputError, require_extra
    from sim.cli import EXIT_STOPPED
    from sim.cli.processes import processors
    from sim.core.files import check_writable

    if engine not in ENGINES:
        raise InputError(f"engine: {engine!r} is not accepted; give one of {', '.join(ENGINES)}")
    wanted = cells_named(tuple(cells.split(",")))
    check_writable("out", out, (".csv",))
    require_extra("reference", _MODULES[engine])
    log = out.with_suffix(".throws.csv")
    throws, stopped = _throw_all(engine, wanted, trials, workers or processors(), log)
    _report(engine, wanted, throws, out)
    return EXIT_STOPPED if stopped else 0


def throw_in_engine(engine: str, cell: "Cell", trial: int) -> "LoggedThrow":
    """Throw one trial of a cell in an engine; for a worker process."""
    from calibration.cells import REFERENCE_SEED, scene_of, thrower_of
    from calibration.reference import run_reference
    from calibration.throw_log import log_throw
    from physics import draw_throw, trial_generator

    scene = scene_of(cell)
    throw = draw_throw(thrower_of(cell), len(scene.stack), trial_generator(REFERENCE_SEED, trial))
    return log_throw(engine, cell.name, trial, run_reference(engine, scene, throw))


def _throw_all(
    engine: str, cells: tuple["Cell", ...], trials: int, workers: int, log: Path
) -> tuple[list["LoggedThrow"], bool]:
    """Throw what the log does not have yet, and return all throws and whether Ctrl-C stopped it."""
    import time

    from calibration.throw_log import read_log, write_log
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.core.files import read_text, write_whole
    from sim.core.ordered_work import in_order

    throws = list(read_log(read_text("out", log), f"out: {str(log)!r}")) if log.exists() else []
    had = {(throw.engine, throw.cell, throw.trial) for throw in throws}
    missing = [
        (cell, trial)
        for cell in cells
        for trial in range(trials)
        if (engine, cell.name, trial) not in had
    ]
    stopped = False
    saved_s = time.monotonic()
    tasks = ((engine, cell, trial) for cell, trial in missing)
    try:
        with worker_processes(workers) as pool:
            thrown = enumerate(in_order(throw_in_engine, tasks, pool, 4 * workers), start=1)
            for _, throw in track(thrown, lambda state: (state[0], len(missing))):
                throws.append(throw)
                if time.monotonic() - saved_s > _SAVE_EVERY_S:
                    write_whole(log, write_log(throws).encode())
                    saved_s = time.monotonic()
    except KeyboardInterrupt:
        stopped = True
    write_whole(log, write_log(throws).encode())
    return throws, stopped


def _report(engine: str, cells: tuple["Cell", ...], throws: list["LoggedThrow"], out: Path) -> None:
    """Write the tallies of an engine's throws, and say what was left out."""
    from calibration.cells import REFERENCE_SEED, scene_of, thrower_of
    from sim.core.files import version, write_whole
    from sim.odds import OddsRow, Study, empty_tally, odds_csv

    rows = []
    more: list[dict[str, str | int | float]] = []
    for cell in cells:
        own = [throw for throw in throws if (throw.engine, throw.cell) == (engine, cell.name)]
        kept = [throw for throw in own if not throw.gains_energy]
        if not kept:
            continue
        study = Study(scene=scene_of(cell), thrower=thrower_of(cell))
        tally = sum((_tally_of(throw) for throw in kept), empty_tally(len(study.scene.stack)))
        rows.append(
            OddsRow(
                name=f"{cell.slammer_g:g} g",
                study=study,
                tally=tally,
                seed=REFERENCE_SEED,
                version=version(),
            )
        )
        left_out = len(own) - len(kept)
        more.append(
            {
                "cell": cell.name,
                "engine": engine,
                "engine_version": _engine_version(engine),
                "left_out_for_energy": left_out,
                "energy_end_share": sum(t.energy_end_mj / t.energy_begin_mj for t in kept)
                / len(kept),
            }
        )
        if left_out:
            click.echo(
                f"{cell.name}: {left_out} of {len(own)} throws gain energy: left out", err=True
            )
    if rows:
        write_whole(out, odds_csv(rows, more).encode())
        click.echo(f"wrote {out}", err=True)


def _tally_of(throw: "LoggedThrow") -> "Tally":
    from sim.odds import Tally

    faces = throw.faces
    pieces = len(faces)
    flips, outs = faces.count("U"), faces.count("O")
    return Tally(
        trials=1,
        hits=int(throw.hit),
        flips=tuple(int(k == flips) for k in range(pieces + 1)),
        flips_by_place=tuple(int(face == "U") for face in faces),
        outs=tuple(int(k == outs) for k in range(pieces + 1)),
        leaning=faces.count("L"),
        distance_um=throw.distance_um,
        slammers_out=int(throw.slammer == "O"),
    )


def _engine_version(engine: str) -> str:
    """Return the version of what an engine runs on: MuJoCo's own, or pucklab's."""
    from importlib import metadata

    return metadata.version("mujoco" if engine == "mujoco" else "pucklab")
