"""``pucklab odds``: throw many times and say how often how many pucks flip."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.numbers import count
from sim.cli.options import scene_options, spec_from_options
from sim.cli.workers import workers_option

if TYPE_CHECKING:
    from sim.odds import OddsRow, Study, Tally
    from sim.scenes import SceneSpec

_MASSES_G = (4.0, 8.0, 20.0)
"""The PuckDex's."""

_PATH = click.Path(path_type=Path)


@click.command("odds")
@scene_options
@click.option(
    "--trials",
    type=count(1, 100_000_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Throws a slammer.",
)
@workers_option("throw")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Write a row per slammer.")
@click.option("--plot", type=_PATH, metavar="FILE.png", help="Draw the odds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--resume", is_flag=True, help="Go on from the trials that the --out file already has."
)
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
    """Throw slammers at a stack many times, and say how often how many pucks flip.

    The same trial number is the same throw for every slammer, so that differences between
    slammers are seen with few throws. Ctrl-C prints and saves what is done so far.

    \b
    Examples:
      pucklab odds --slammer-g 4,8,20 --trials 1000
      pucklab odds --slammer onix,pikachu --speed-m-s 6 --out odds.csv --plot odds.png
      pucklab odds --slammer all --knock-out 8 --shields 2

    A scene file begins with its schema, and has what differs from the defaults; options win over
    scene files, and those over parameter files:

    \b
      schema = 1
      pucks = 12
      preset = "fast"
      slammer = { mass_g = 12, thickness_mm = 8 }    # or { name = "Onix" }
      puck = { mass_g = 1.8 }
      knock_out = { mass_g = 8, shields = 2 }        # instead of the stack
      arena = { side_mm = 400, wall_height_mm = 90 }
      thrower = { speed_mm_s = 6000, aim_sd_mm = 8 }
      materials = { restitution = 0.45 }
    """
    from physics.extras import require_extra
    from sim.cli import EXIT_STOPPED
    from sim.cli.workers import processors
    from sim.files import check_writable
    from sim.odds import empty_tally
    from sim.scenes import describe, studies_of

    spec = spec_from_options(options, _MASSES_G)
    if out is not None:
        check_writable("out", out, (".csv",))
    if plot is not None:
        check_writable("plot", plot, (".png",))
        require_extra("plot", "matplotlib")
    studies = studies_of(spec)
    # Slammers that are the same to physics are thrown once.
    distinct = tuple(dict.fromkeys(studies))
    begin = _saved(distinct, seed, out) if resume else None
    last, stopped = _run(distinct, trials, seed, workers or processors(), begin)
    tallies = dict(zip(distinct, last or [empty_tally(1)] * len(distinct), strict=True))
    if any(tally.trials == 0 for tally in tallies.values()):
        click.echo("stopped before every slammer was thrown; nothing to show", err=True)
        return EXIT_STOPPED
    rows = _rows(spec, studies, tallies, seed)
    _show(rows, describe(spec), as_json=as_json)
    _save(rows, spec, out, plot)
    if stopped:
        thrown = sum(tally.trials for tally in tallies.values())
        wanted = trials * len(distinct)
        click.echo(f"stopped after {thrown} of {wanted} throws", err=True)
        return EXIT_STOPPED
    return 0


def _saved(studies: Sequence["Study"], seed: int, out: Path | None) -> tuple["Tally", ...] | None:
    """Return what the file at ``out`` has of the studies, with this seed and version.

    Raises:
        InputError: It has other throws, too: they would be lost, as the file is written anew.
    """
    from physics import InputError
    from sim.files import read_text
    from sim.odds import empty_tally, read_tallies, study_hash
    from sim.version import version

    if out is None:
        raise InputError("resume: not accepted without out; give the file to go on with")
    if not out.exists():
        return None
    saved = read_tallies(read_text("out", out), f"out: {str(out)!r}")
    wanted = {(study_hash(study), seed, version()): study for study in studies}
    if not saved.keys() <= wanted.keys():
        raise InputError(
            f"resume: {str(out)!r} has throws of another slammer, scene, thrower, seed or version, "
            "which would be lost; give another file to go on with"
        )
    return tuple(
        saved.get(key, empty_tally(len(study.scene.stack))) for key, study in wanted.items()
    )


def _run(
    studies: Sequence["Study"],
    trials: int,
    seed: int,
    workers: int,
    begin: Sequence["Tally"] | None,
) -> tuple[Sequence["Tally"], bool]:
    """Throw, and return the tallies and whether Ctrl-C stopped it."""
    from sim.cli.progress import track
    from sim.cli.workers import worker_processes
    from sim.odds import empty_tally, run_studies

    tallies = list(begin or (empty_tally(len(study.scene.stack)) for study in studies))
    try:
        with worker_processes(workers) as executor:
            states = run_studies(
                studies,
                trials=trials,
                seed=seed,
                begin=begin,
                executor=executor,
                window=4 * workers,
            )
            for state in track(states, lambda state: (state.done, state.total)):
                tallies[:] = state.tallies
    except KeyboardInterrupt:
        return tallies, True
    return tallies, False


def _rows(
    spec: "SceneSpec",
    studies: Sequence["Study"],
    tallies: dict["Study", "Tally"],
    seed: int,
) -> list["OddsRow"]:
    from sim.odds import OddsRow
    from sim.version import version

    return [
        OddsRow(name=named.name, study=study, tally=tallies[study], seed=seed, version=version())
        for named, study in zip(spec.slammers, studies, strict=True)
    ]


def _show(rows: Sequence["OddsRow"], title: str, *, as_json: bool) -> None:
    from sim.cli.oddstable import odds_json, print_table

    if as_json:
        click.echo(odds_json(rows))
    else:
        print_table(rows, title)


def _save(
    rows: Sequence["OddsRow"], spec: "SceneSpec", out: Path | None, plot: Path | None
) -> None:
    from sim.files import write_whole
    from sim.odds import odds_csv, odds_of

    if out is not None:
        write_whole(out, odds_csv(rows).encode())
        click.echo(f"wrote {out}", err=True)
    if plot is not None:
        from render.odds_plot import save_odds_plot
        from render.odds_points import OddsPoint
        from sim.scenes import describe

        points = [
            OddsPoint(
                label=row.name, slammer_g=row.study.scene.slammer.mass_g, odds=odds_of(row.tally)
            )
            for row in rows
        ]
        save_odds_plot(plot, points, title=describe(spec), knock_out=spec.knock_out is not None)
        click.echo(f"wrote {plot}", err=True)
