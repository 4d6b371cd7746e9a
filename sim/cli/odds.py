"""``pucklab odds``: throw many times and say how often how many pucks flip.

Odds as a table for people, and as JSON for programs.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.cli.options import count, scene_options, spec_from_options, workers_option

if TYPE_CHECKING:
    from sim.odds import Mean, Odds, OddsRow, Proportion, Study, Tally
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
    from physics.errors import require_extra
    from sim.cli import EXIT_STOPPED
    from sim.cli.processes import processors
    from sim.core.files import check_writable
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
    from sim.core.files import read_text, version
    from sim.odds import empty_tally, read_tallies, study_hash

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
    from sim.cli.processes import worker_processes
    from sim.cli.running import track
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
    from sim.core.files import version
    from sim.odds import OddsRow

    return [
        OddsRow(name=named.name, study=study, tally=tallies[study], seed=seed, version=version())
        for named, study in zip(spec.slammers, studies, strict=True)
    ]


def _show(rows: Sequence["OddsRow"], title: str, *, as_json: bool) -> None:

    if as_json:
        click.echo(odds_json(rows))
    else:
        print_table(rows, title)


def _save(
    rows: Sequence["OddsRow"], spec: "SceneSpec", out: Path | None, plot: Path | None
) -> None:
    from sim.core.files import write_whole
    from sim.odds import odds_csv, odds_of

    if out is not None:
        write_whole(out, odds_csv(rows).encode())
        click.echo(f"wrote {out}", err=True)
    if plot is not None:
        from render.plots.odds import OddsPoint, save_odds_plot
        from sim.scenes import describe

        points = [
            OddsPoint(
                label=row.name, slammer_g=row.study.scene.slammer.mass_g, odds=odds_of(row.tally)
            )
            for row in rows
        ]
        save_odds_plot(plot, points, title=describe(spec), knock_out=spec.knock_out is not None)
        click.echo(f"wrote {plot}", err=True)


_WIDTH = 120
_WIDE = 100
"""A terminal with fewer columns gets a table without the distribution."""

_NARROW = 76
"""One with fewer gets a table without what leaves the arena, too."""

_NARROWEST_NAME = 5
_NAMES_SHOWN = 2
_FLIPS_SHOWN = 6


def print_table(rows: Sequence["OddsRow"], title: str) -> None:
    """Print a line per kind of slammer; those that are the same to physics share one."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from physics import Slammer
    from sim.odds import odds_of

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    groups: dict[Study, list[OddsRow]] = {}
    for row in rows:
        groups.setdefault(row.study, []).append(row)
    first = rows[0].study.scene
    knock_out = isinstance(first.stack[0], Slammer)
    shown = min(len(first.stack), _FLIPS_SHOWN) if console.width >= _WIDE else 0
    narrow = console.width < _NARROW
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, padding=(0, 1))
    table.add_column("slammer", min_width=_NARROWEST_NAME)
    for study, alike in groups.items():
        cells = _cells(odds_of(alike[0].tally), shown, knock_out=knock_out, narrow=narrow)
        if not table.rows:
            for heading in cells:
                table.add_column(heading, justify="right", no_wrap=True)
        table.add_row(_names(alike, study.scene.slammer.mass_g), *cells.values())
    throws = sorted({row.tally.trials for row in rows})
    count = f"{throws[0]}" if len(throws) == 1 else f"{throws[0]} to {throws[-1]}"
    plural = "" if throws[-1] == 1 else "s"
    console.print(f"{title}; {count} throw{plural} each", soft_wrap=True)
    console.print(table)
    console.print(_legend(shown, narrow=narrow), style="dim")


def _cells(odds: "Odds", shown: int, *, knock_out: bool, narrow: bool) -> dict[str, str]:
    """Return what a row tells, by heading."""
    cells = {"P(knock-out)": _chance(odds.flips_by_place[0])} if knock_out else {}
    cells["flips"] = _mean(odds.flips)
    if not (narrow and knock_out):
        cells["P(any flip)"] = _chance(odds.any_flip)
    if shown:
        cells |= {f"P{k}": f"{chance:.0%}" for k, chance in enumerate(odds.flip_chances[:shown])}
        cells[f"P{shown}+"] = f"{sum(odds.flip_chances[shown:]):.0%}"
    if not narrow:
        cells["out"] = f"{odds.outs.value:.2f}"
        cells["P(any out)"] = _chance(odds.any_out)
        cells["mm"] = "-" if math.isnan(odds.distance_mm) else f"{odds.distance_mm:.0f}"
    return cells


def _legend(shown: int, *, narrow: bool) -> str:
    told = [
        "flips: pucks a throw, with standard error"
        if narrow
        else "flips, out: pucks a throw, flips with standard error"
    ]
    if shown:
        told.append(f"P0 to P{shown}+: share of throws that flip so many")
    told.append("P: share of throws with its 95 % interval")
    if not narrow:
        told.append("mm: mean distance from the centre")
    return "; ".join(told) + "."


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


def odds_json(rows: Sequence["OddsRow"]) -> str:
    """Return the rows as a JSON list of objects; what is unknown is null.

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
