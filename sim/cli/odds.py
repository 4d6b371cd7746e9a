"""``pucklab odds``: simulate many throws, and estimate how many pucks flip, and how often.

The command runs the studies (`_run`), saves as it goes (`Autosave`), and prints a table for people
(`print_table`) or JSON for programs (`odds_json`).
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.options import count, scene_options, spec_from_options, workers_option

if TYPE_CHECKING:
    from sim.core.files import Autosave
    from sim.odds import Mean, Odds, OddsRow, Proportion, Study, Tally
    from sim.scenes import SceneSpec

_PATH = click.Path(path_type=Path)

_MASSES_G = (4.0, 8.0, 20.0)
"""Slammers if none are named: the masses in the PuckDex."""

_WIDTH = 120
"""Columns of the table where output is no terminal."""

_NAMES_SHOWN = 2
_FLIPS_SHOWN = 6


@click.command("odds")
@scene_options
@click.option(
    "--trials",
    type=count(1, 100_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Throws per slammer.",
)
@workers_option("throw")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write a CSV with a row per slammer.")
@click.option("--plot", type=_PATH, metavar="FILE.png", help="Plot the odds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("--resume", is_flag=True, help="Continue after the trials in the --out file.")
def command(
    *,
    trials: int,
    seed: int,
    workers: int | None,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
    resume: bool,
    **options: Any,
) -> int:
    """Simulate many throws, and estimate how many pucks flip, and how often.

    Every slammer is thrown the same way in the same trial, so that a few throws are enough to see
    differences between slammers. The --out file is written every few seconds: a run that was
    stopped, or killed, continues with --resume. Ctrl-C saves and prints the results so far.

    \b
    Examples:
      pucklab odds --slammer-g 4,8,20 --trials 1000
      pucklab odds --slammer onix,pikachu --speed-m-s 6 --out odds.csv --plot odds.png
      pucklab odds --slammer all --knock-out 8 --shields 2
      pucklab odds --slammer-g 8 --engine solid --trials 300

    A scene file begins with its schema, followed by all that differs from the defaults; options
    override scene files, and these override parameter files:

    \b
      schema = 1
      pucks = 12
      engine = "plane"                               # or "solid"
      preset = "fast"
      slammer = { mass_g = 12, thickness_mm = 8 }    # or { name = "Onix" }
      puck = { mass_g = 1.8 }
      knock_out = { mass_g = 8, shields = 2 }        # instead of the stack
      arena = { side_mm = 400, wall_height_mm = 90 }
      thrower = { speed_mm_s = 6000, aim_sd_mm = 8 }
      materials = { restitution = 0.45 }
    """
    from physics.errors import require_extra
    from sim.cli.output import print_written
    from sim.cli.running import EXIT_STOPPED, report_stop
    from sim.core.files import Autosave, check_writable
    from sim.core.ordered_work import processors
    from sim.odds import empty_tally, odds_csv
    from sim.scenes import studies_of

    inputs = (options["params"], options["scene"])
    spec = spec_from_options(options, _MASSES_G)
    if out is not None:
        check_writable("out", out, (".csv",), inputs)
    if plot is not None:
        check_writable("plot", plot, (".png",), inputs)
        require_extra("plot", "matplotlib")
    studies = studies_of(spec)
    # Slammers with the same mass and size are one study: their trials are simulated once.
    tallies = {study: empty_tally(len(study.scene.stack)) for study in studies}
    if resume:
        tallies |= _saved(tuple(tallies), seed, out)

    def rows() -> list["OddsRow"]:
        return _rows(spec, studies, tallies, seed)

    file = Autosave(out, lambda: odds_csv(rows()))
    stopped = _run(tallies, trials, seed, workers or processors(), file)
    thrown = sum(tally.trials for tally in tallies.values())
    if thrown:
        file.save()
        if plot is not None:
            _plot(plot, rows(), spec)
        _print(rows(), spec, as_json=as_json)
        print_written(out, plot)
    if stopped:
        report_stop(f"after {thrown} of {trials * len(tallies)} throws", resumes=out is not None)
        return EXIT_STOPPED
    return 0


def _saved(studies: Sequence["Study"], seed: int, out: Path | None) -> dict["Study", "Tally"]:
    """Return the tallies of the studies in the file at ``out``.

    Raises:
        InputError: The file has trials of other studies, which would be lost, as it is written
            anew, or of another version of the physics, which must not be mixed.
    """
    from physics import PHYSICS_VERSION
    from physics.errors import InputError
    from sim.core.files import read_text
    from sim.odds import read_odds, study_hash

    if out is None:
        raise InputError("resume: not accepted without --out; give the file to continue")
    if not out.exists():
        return {}
    by_hash = {study_hash(study): study for study in studies}
    found = {}
    for entry in read_odds(read_text("out", out), f"out: {str(out)!r}"):
        if entry.engine != studies[0].engine:
            raise InputError(
                f"resume: {str(out)!r} has throws of the {entry.engine} engine, "
                f"this is {studies[0].engine}; give another file"
            )
        if entry.scene_hash not in by_hash or entry.seed != seed:
            raise InputError(
                f"resume: {str(out)!r} has throws of another slammer, scene, thrower or seed, "
                "which would be lost; give another file"
            )
        if entry.physics != PHYSICS_VERSION:
            raise InputError(
                f"resume: {str(out)!r} has throws of physics version {entry.physics or 'unknown'}, "
                f"this is {PHYSICS_VERSION}; give another file"
            )
        found[by_hash[entry.scene_hash]] = entry.tally
    return found


def _run(
    tallies: dict["Study", "Tally"], trials: int, seed: int, workers: int, file: "Autosave"
) -> bool:
    """Simulate, keep ``tallies`` and the file up to date, and return whether it was stopped."""
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
    from sim.odds import run_studies

    studies = tuple(tallies)
    try:
        with worker_processes(workers) as executor:
            states = run_studies(
                studies,
                trials=trials,
                seed=seed,
                begin=tuple(tallies.values()),
                executor=executor,
                window=4 * workers,
            )
            for state in track(states, lambda state: (state.done, state.total)):
                tallies.update(zip(studies, state.tallies, strict=True))
                file.save_if_due()
    except KeyboardInterrupt:
        return True
    return False


def _rows(
    spec: "SceneSpec",
    studies: Sequence["Study"],
    tallies: Mapping["Study", "Tally"],
    seed: int,
) -> list["OddsRow"]:
    """Return a row for each slammer of the spec that was thrown."""
    from sim.core.files import version
    from sim.odds import OddsRow

    return [
        OddsRow(name=named.name, study=study, tally=tallies[study], seed=seed, version=version())
        for named, study in zip(spec.slammers, studies, strict=True)
        if tallies[study].trials
    ]


def _print(rows: Sequence["OddsRow"], spec: "SceneSpec", *, as_json: bool) -> None:
    from sim.scenes import describe

    if len(rows) < len(spec.slammers):
        click.echo("nothing to show: not every slammer was thrown", err=True)
    elif as_json:
        click.echo(odds_json(rows))
    else:
        print_table(rows, describe(spec))


def _plot(path: Path, rows: Sequence["OddsRow"], spec: "SceneSpec") -> None:
    from render.plots.odds import OddsPoint, save_odds_plot
    from sim.odds import odds_of
    from sim.scenes import describe

    points = [
        OddsPoint(label=row.name, slammer_g=row.study.scene.slammer.mass_g, odds=odds_of(row.tally))
        for row in rows
    ]
    save_odds_plot(path, points, title=describe(spec), knock_out=spec.knock_out is not None)


def print_table(rows: Sequence["OddsRow"], title: str) -> None:
    """Print a line per kind of slammer; slammers of the same mass and size share one."""
    from physics import Slammer
    from sim.cli.output import print_stacked, table_console
    from sim.odds import odds_of

    console = table_console(_WIDTH)
    groups: dict[Study, list[OddsRow]] = {}
    for row in rows:
        groups.setdefault(row.study, []).append(row)
    first = rows[0].study.scene
    knock_out = isinstance(first.stack[0], Slammer)
    shown = min(len(first.stack), _FLIPS_SHOWN)
    throws = sorted({row.tally.trials for row in rows})
    number = f"{throws[0]}" if len(throws) == 1 else f"{throws[0]} to {throws[-1]}"
    plural = "" if throws[-1] == 1 else "s"
    console.print(f"{title}; {number} throw{plural} each", soft_wrap=True)
    cells = [
        {"slammer": _names(alike, study.scene.slammer.mass_g)}
        | _cells(odds_of(alike[0].tally), shown, knock_out=knock_out)
        for study, alike in groups.items()
    ]
    print_stacked(console, cells, together=[h for h in cells[0] if h[1:2].isdigit()])
    console.print(
        "flips, out: pucks flipped and pucks out of the arena per throw, ± standard error; "
        "P(...): share of throws, with its 95 % interval; mm: mean distance from the centre; "
        f"P0 to P{shown}+: share of throws that flip so many.",
        style="dim",
    )


def odds_json(rows: Sequence["OddsRow"]) -> str:
    """Return the rows as a JSON list of objects; unknown values are null.

    Example:
        >>> odds_json([])
        '[]'
    """
    from sim.odds import row_values

    values = [
        {
            key: None if value == "" or (isinstance(value, float) and math.isnan(value)) else value
            for key, value in row_values(row).items()
        }
        for row in rows
    ]
    return json.dumps(values, indent=2) if values else "[]"


def _cells(odds: "Odds", shown: int, *, knock_out: bool) -> dict[str, str]:
    """Return the cells of a row, by heading."""
    cells = {"P(knock-out)": _chance(odds.flips_by_place[0])} if knock_out else {}
    cells |= {"flips": _mean(odds.flips), "P(any flip)": _chance(odds.any_flip)}
    cells |= {"out": f"{odds.outs.value:.2f}", "P(any out)": _chance(odds.any_out)}
    cells["mm"] = "-" if math.isnan(odds.distance_mm) else f"{odds.distance_mm:.0f}"
    cells |= {f"P{k}": f"{chance:.0%}" for k, chance in enumerate(odds.flip_chances[:shown])}
    return cells | {f"P{shown}+": f"{sum(odds.flip_chances[shown:]):.0%}"}


def _names(alike: Sequence["OddsRow"], mass_g: float) -> str:
    names = list(dict.fromkeys(row.name for row in alike))
    mass = f"{mass_g:g} g"
    if names == [mass]:
        return mass
    more = len(names) - _NAMES_SHOWN
    return f"{mass}: " + ", ".join(names[:_NAMES_SHOWN]) + (f" +{more}" if more > 0 else "")


def _mean(mean: "Mean") -> str:
    error = "?" if math.isnan(mean.standard_error) else f"{mean.standard_error:.2f}"
    return f"{mean.value:.2f} ± {error}"


def _chance(chance: "Proportion") -> str:
    return f"{chance.value:.0%} ({100 * chance.low:.0f}-{100 * chance.high:.0f})"
