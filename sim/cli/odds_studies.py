"""Commands below ``pucklab odds``: comparisons, best values, sensitivities, sums of files.

``compare``, ``best`` and ``sensitivity`` throw the same trials in several cases (`_throw`), and
differ in their cases and in the answer that they draw from the sums. ``merge`` adds files.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli.odds import model_line
from sim.cli.options import (
    completed,
    count,
    numbers,
    refuse_options,
    scene_options,
    spec_from_options,
    workers_option,
)

if TYPE_CHECKING:
    from sim.odds import Study
    from sim.odds.paired import BestValue, Case, Difference, PairedTally, Swing
    from sim.scenes import SceneSpec, SpecField

_Function = TypeVar("_Function", bound=Callable[..., Any])

_PATH = click.Path(path_type=Path)
_WIDTH = 120
_DEFAULT_MASS_G = (8.0,)
"""The slammer if none is named and one is needed: the middle one of the PuckDex."""

_ASSUMPTIONS = ("restitution", "friction", "speed_m_s", "aim_sd_mm", "tilt_sd_deg")
_QUANTITIES = {
    "flips": "pucks flipped per throw",
    "p_any": "chance of a flip",
    "flips-minus-out": "pucks flipped less pucks out per throw",
}


def _run_options(trials: int) -> Callable[[_Function], _Function]:
    """Return the options of a paired run.

    Args:
        trials: Throws per case if their number is not given.
    """
    options = (
        click.option(
            "--trials",
            type=count(2, 100_000_000),
            default=trials,
            show_default=True,
            metavar="N",
            help="Throws, each of them in every case.",
        ),
        click.option(
            "--for",
            "measure",
            default="flips",
            show_default=True,
            metavar="NAME",
            shell_complete=completed(lambda: _QUANTITIES),
            help="The aim: flips, p_any (at least one flip) or flips-minus-out (less pucks out).",
        ),
        workers_option("throw"),
        click.option(
            "--dask", metavar="ADDRESS", help="Throw on the cluster of this Dask scheduler instead."
        ),
        click.option("--out", type=_PATH, metavar="FILE.csv", help="Write the sums of all throws."),
        click.option(
            "--plot", type=_PATH, metavar="FILE", help="Plot the answer (.png, .svg or .pdf)."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text."),
        click.option("--resume", is_flag=True, help="Continue after the throws in the --out file."),
    )

    def add(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@dataclass(frozen=True, kw_only=True)
class _Run:
    """The options of a paired run, by the names of `_run_options`."""

    trials: int
    measure: str
    seed: int
    workers: int | None
    dask: str | None
    out: Path | None
    plot: Path | None
    as_json: bool
    resume: bool


def _run_from(options: dict[str, Any], inputs: Sequence[Path | None]) -> _Run:
    """Take the options of a run out of ``options``, and check them before any work is done."""
    from physics.errors import InputError
    from sim.core.files import check_writable
    from sim.odds.paired import MEASURES

    run = _Run(**{name: options.pop(name) for name in _Run.__annotations__})
    if run.measure not in MEASURES:
        raise InputError(f"for: {run.measure!r} is not accepted; give {', '.join(MEASURES)}")
    if run.dask is not None:
        refuse_options({"workers"}, "--dask")
    if run.out is not None:
        check_writable("out", run.out, (".csv",), inputs)
    elif run.resume:
        raise InputError("resume: not accepted without --out; give the file to continue")
    if run.plot is not None:
        from render.plots.figures import check_plot

        check_plot("plot", run.plot, inputs)
    return run


def _throw(cases: "Sequence[Case]", run: _Run) -> "tuple[PairedTally, bool]":
    """Throw, keep the file up to date, and return the sums and whether it was stopped."""
    from sim.cli.processes import workers_of
    from sim.cli.running import track
    from sim.core.files import Autosave, read_text, version
    from sim.core.ordered_work import processors
    from sim.odds.paired import empty_paired, paired_csv, read_paired, run_paired

    tally = empty_paired(len(cases))
    if run.resume and run.out is not None and run.out.exists():
        text = read_text("out", run.out)
        tally = read_paired(text, f"resume: {str(run.out)!r}", cases, seed=run.seed)
    file = Autosave(run.out, lambda: paired_csv(cases, tally, seed=run.seed, version=version()))
    stopped = False
    try:
        with workers_of(run.workers or processors(), run.dask) as (executor, window):
            states = run_paired(
                [case.study for case in cases],
                trials=run.trials,
                seed=run.seed,
                begin=tally,
                executor=executor,
                window=window,
            )
            for state in track(states, lambda state: (state.tally.trials, state.total)):
                tally = state.tally
                if tally.trials:
                    file.save_if_due()
    except KeyboardInterrupt:
        stopped = True
    if tally.trials:
        file.save()
    return tally, stopped


def _end(run: _Run, tally: "PairedTally", *, stopped: bool, plotted: bool) -> int:
    """Report the files and the stop, and return the exit code."""
    from sim.cli.output import print_written
    from sim.cli.running import EXIT_STOPPED, report_stop

    if tally.trials:
        print_written(run.out, run.plot if plotted else None)
    if stopped:
        report_stop(f"after {tally.trials} of {run.trials} throws", resumes=run.out is not None)
        return EXIT_STOPPED
    return 0


def _enough(tally: "PairedTally", least: int) -> bool:
    if tally.trials > least:
        return True
    click.echo(f"nothing to show: {tally.trials} throws are too few", err=True)
    return False


def _field_names() -> list[str]:
    from sim.scenes import spec_fields

    return list(spec_fields())


@click.command("compare")
@scene_options
@click.option(
    "--against",
    type=_PATH,
    metavar="FILE",
    help="Second scene file (TOML): compare the scenes, with the same slammers.",
)
@_run_options(1000)
def compare(*, against: Path | None, **options: Any) -> int:
    """Estimate which of two or more slammers or scenes is better, and how surely.

    The first one is compared with each of the others. All are thrown the same way in the same
    trial, so that luck is shared: the table says how many unpaired throws each throw is worth.

    \b
    Examples:
      pucklab odds compare --slammer onix,pikachu
      pucklab odds compare --slammer-g 4,8,20 --for flips-minus-out --trials 3000
    """
    from physics.errors import InputError
    from sim.odds.paired import Case, difference
    from sim.scenes import describe, studies_of

    paths = (options["params"], options["scene"], against)
    run = _run_from(options, paths)
    seen = dict(options)
    spec = spec_from_options(options, (4.0, 8.0, 20.0) if against is None else _DEFAULT_MASS_G)
    specs = [("", spec)]
    if against is not None:
        other = spec_from_options(seen | {"scene": against}, _DEFAULT_MASS_G)
        specs = [
            (f" in {seen['scene'].name if seen['scene'] else 'the first scene'}", spec),
            (f" in {against.name}", other),
        ]
    # Slammers of the same mass and size in the same scene have the same odds: they are one case.
    names: dict[Study, list[str]] = {}
    for where, one in specs:
        for named, study in zip(one.slammers, studies_of(one), strict=True):
            names.setdefault(study, []).append(f"{named.name}{where}")
    cases = [Case(name=_joined(alike), study=study) for study, alike in names.items()]
    if sum(map(len, names.values())) < 2:
        raise InputError("slammer: one is not accepted; give two or more to compare")
    if len({one.engine for _, one in specs}) > 1:
        raise InputError("against: is of another engine; compare scenes of one engine")
    if len(cases) == 1:
        raise InputError(
            f"slammer: all {len(names[cases[0].study])} have the same mass and size in the same "
            "scene, and so the same odds; give slammers that differ"
        )
    tally, stopped = _throw(cases, run)
    if not _enough(tally, 1):
        return _end(run, tally, stopped=stopped, plotted=False)
    found = [difference(tally, 0, other, run.measure) for other in range(1, len(cases))]
    if run.plot is not None:
        from render.plots.figures import save_plot
        from render.plots.studies import differences_figure

        save_plot(
            run.plot,
            differences_figure,
            [case.name for case in cases],
            found,
            title=describe(spec),
            quantity=_QUANTITIES[run.measure],
        )
    if run.as_json:
        rows = [
            {"first": cases[0].name, "second": case.name, "for": run.measure, **asdict(one)}
            for case, one in zip(cases[1:], found, strict=True)
        ]
        click.echo(json.dumps(rows, indent=2))
    else:
        _print_differences(cases, found, tally, run, describe(spec))
    return _end(run, tally, stopped=stopped, plotted=True)


def _joined(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are.

    Example:
        >>> _joined(["Onix"]), _joined(["Onix", "Golem", "Mew"])
        ('Onix', 'Onix (+2)')
    """
    return names[0] + (f" (+{len(names) - 1})" if len(names) > 1 else "")


def _print_differences(
    cases: "Sequence[Case]",
    found: "Sequence[Difference]",
    tally: "PairedTally",
    run: _Run,
    title: str,
) -> None:
    from sim.cli.output import print_stacked, table_console

    first = cases[0].name
    for case, one in zip(cases[1:], found, strict=True):
        click.echo(_verdict(first, case.name, one))
    console = table_console(_WIDTH)
    console.print(f"{title}; {tally.trials} throws in each; {_QUANTITIES[run.measure]}:")
    means = tally.means(run.measure)
    rows = [
        {
            "case": case.name,
            "mean": f"{means[index]:.3f}",
            f"{first} less it": f"{one.value:+.3f} ({one.low:+.3f} to {one.high:+.3f})",
            "P(it is worse)": _surely(one.better),
            "flips more, fewer": f"{one.wins:.0%}, {one.losses:.0%}",
            "throws to tell": "-" if one.needed is None else str(one.needed),
            "worth": f"{one.factor:.1f}",
        }
        for index, (case, one) in enumerate(zip(cases[1:], found, strict=True), start=1)
    ]
    print_stacked(console, rows)
    console.print(
        f"mean of {first}: {means[0]:.3f}; intervals are of 95 %; flips more, fewer: share of "
        f"throws in which {first} flips more pucks, and fewer; throws to tell: throws that show "
        "such a difference in 4 runs of 5; worth: unpaired throws that equal one of these.",
        style="dim",
    )


def _verdict(first: str, second: str, found: "Difference") -> str:
    if found.is_clear:
        better, worse = (first, second) if found.value > 0 else (second, first)
        surely = max(found.better, 1 - found.better)
        return f"{better} is better than {worse}, with probability {_surely(surely)}"
    more = f"; about {found.needed} throws would tell" if found.needed else ""
    return f"{first} and {second} cannot be told apart after {found.trials} throws{more}"


def _surely(chance: float) -> str:
    if chance > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if chance < 0.0005 else f"{100 * chance:.1f} %"


@click.command("best")
@scene_options
@click.option(
    "--over",
    required=True,
    metavar="FIELD",
    shell_complete=completed(_field_names),
    help="The number to choose: slammer_g, thickness_mm, speed_m_s, aim_sd_mm and others.",
)
@click.option(
    "--range",
    "ends",
    type=numbers(-1e9, 1e9, size=2),
    metavar="LO,HI",
    help="Range to search.  [default: all that is accepted]",
)
@click.option(
    "--points",
    type=count(5, 50),
    default=12,
    show_default=True,
    metavar="N",
    help="Values to throw at; a curve is fitted through them.",
)
@_run_options(300)
def best(*, over: str, ends: tuple[float, float] | None, points: int, **options: Any) -> int:
    """Find the best value of a number, such as the slammer's mass.

    The same trials are thrown at several values, a smooth curve is fitted to them, and its highest
    point is the answer, with an interval. An interval that reaches the end of the range says that
    the best value may lie beyond it.

    \b
    Examples:
      pucklab odds best --over slammer_g --speed-m-s 4
      pucklab odds best --over slammer_g --for flips-minus-out --plot best.png
      pucklab odds best --over descent_max_deg --range 5,60 --slammer onix
    """
    import numpy as np

    from sim.odds.paired import best_value
    from sim.scenes import describe, field_of_spec

    paths = (options["params"], options["scene"])
    run = _run_from(options, paths)
    varied = field_of_spec(over, "over")
    if varied.name == "slammer_g":
        refuse_options({"slammer", "slammer_g"}, "--over slammer_g")
    spec = _one_slammer(spec_from_options(options, _DEFAULT_MASS_G))
    values = _grid(varied, ends, points)
    cases = _cases(spec, varied, values)
    tally, stopped = _throw(cases, run)
    if not _enough(tally, len(cases)):
        return _end(run, tally, stopped=stopped, plotted=False)
    found = best_value(values, tally, run.measure, np.random.default_rng([run.seed, 0]))
    if varied.is_whole:
        found = replace(found, x=round(found.x), low=round(found.low), high=round(found.high))
    if run.plot is not None:
        from render.plots.figures import save_plot
        from render.plots.studies import best_figure

        save_plot(
            run.plot,
            best_figure,
            values,
            tally,
            run.measure,
            found,
            name=varied.name,
            title=describe(spec, [varied.name]),
            quantity=_QUANTITIES[run.measure],
        )
    means = tally.means(run.measure).tolist()
    if run.as_json:
        facts = {
            "over": varied.name,
            "for": run.measure,
            "best": found.x,
            "low": found.low,
            "high": found.high,
            "value": found.y,
            "value_low": found.y_low,
            "value_high": found.y_high,
            "at_edge": found.at_edge,
            "degree": found.degree,
            "fit": found.fit,
            "trials": tally.trials,
            "points": dict(zip(map(str, values), means, strict=True)),
        }
        click.echo(json.dumps(facts, indent=2))
    else:
        _print_best(varied, values, tally, found, run, describe(spec, [varied.name]))
    return _end(run, tally, stopped=stopped, plotted=True)


def _one_slammer(spec: "SceneSpec") -> "SceneSpec":
    """Refuse several slammers, where there is an answer for one.

    Raises:
        InputError: There are several.
    """
    from physics.errors import InputError

    if len(spec.slammers) > 1:
        raise InputError(f"slammer: {len(spec.slammers)} are not accepted here; give one")
    return spec


def _grid(varied: "SpecField", ends: tuple[float, float] | None, points: int) -> list[float]:
    """Return the values to throw at.

    Raises:
        InputError: The range is empty, or not accepted for the field.
    """
    from physics.errors import InputError, check_number

    low, high = ends or (varied.low, varied.high)
    for end in (low, high):
        check_number("range", end, low=varied.low, high=varied.high, unit=varied.unit)
    if low >= high:
        raise InputError(f"range: {low:g},{high:g} is an empty range; give the lower end first")
    values = [round(low + (high - low) * k / (points - 1), 9) for k in range(points)]
    if varied.is_whole:
        values = sorted({float(round(value)) for value in values})
    if len(values) < 5:
        raise InputError(f"range: {low:g},{high:g} has fewer than 5 values of {varied.name}")
    return values


def _cases(spec: "SceneSpec", varied: "SpecField", values: Sequence[float]) -> "list[Case]":
    from physics.errors import InputError
    from sim.odds.paired import Case
    from sim.scenes import studies_of, with_field

    cases = []
    for value in values:
        try:
            (study,) = studies_of(with_field(spec, varied, value))
        except InputError as error:
            raise InputError(f"over: {str(error).removeprefix('scene: ')}") from None
        cases.append(Case(name=f"{varied.name} {value:g}", study=study))
    return cases


def _print_best(
    varied: "SpecField",
    values: Sequence[float],
    tally: "PairedTally",
    found: "BestValue",
    run: _Run,
    title: str,
) -> None:
    from sim.cli.output import print_stacked, table_console

    unit = f" {varied.unit}" if varied.unit else ""
    click.echo(
        f"best {varied.name}: {found.x:.3g}{unit} ({found.low:.3g} to {found.high:.3g}), with "
        f"{found.y:.3f} ({found.y_low:.3f} to {found.y_high:.3f}) {_QUANTITIES[run.measure]}"
    )
    if found.at_edge > 0.025:
        click.echo(
            f"the best may lie beyond the range: {found.at_edge:.0%} of the curves rise to its end"
        )
    console = table_console(_WIDTH)
    console.print(f"{title}; {tally.trials} throws at each value")
    means, variances = tally.means(run.measure), tally.covariance(run.measure).diagonal()
    rows = [
        {
            varied.name: f"{value:.4g}",
            run.measure: f"{mean:.3f} ± {(variance / tally.trials) ** 0.5:.3f}",
        }
        for value, mean, variance in zip(values, means, variances, strict=True)
    ]
    print_stacked(console, rows)
    console.print(
        f"{run.measure}: {_QUANTITIES[run.measure]} ± standard error; intervals are of 95 %; the "
        f"curve is a polynomial of degree {found.degree} (misfit: p = {found.fit:.2f}).",
        style="dim",
    )


@click.command("sensitivity")
@scene_options
@click.option(
    "--fields",
    metavar="NAME,...",
    default=",".join(_ASSUMPTIONS),
    show_default=True,
    shell_complete=completed(_field_names),
    help="The assumptions: fields of thrower, materials and lift-off with an uncertainty.",
)
@_run_options(500)
def sensitivity(*, fields: str, **options: Any) -> int:
    """Show how much each assumption changes the flips.

    Each assumption is moved by its standard uncertainty to either side, all others stay, and the
    same trials are thrown. The plot is a tornado chart: the longest bar is worth measuring first.

    \b
    Examples:
      pucklab odds sensitivity --slammer onix --plot tornado.png
      pucklab odds sensitivity --fields restitution,strength,scatter --for p_any
    """
    from sim.odds.paired import Case, swing
    from sim.scenes import describe, studies_of, with_field

    paths = (options["params"], options["scene"])
    run = _run_from(options, paths)
    spec = _one_slammer(spec_from_options(options, _DEFAULT_MASS_G))
    moved = _assumptions(spec, fields)
    (own,) = studies_of(spec)
    cases = [Case(name="as assumed", study=own)]
    for varied, values in moved:
        for value in (values[0], values[2]):
            (study,) = studies_of(with_field(spec, varied, value))
            cases.append(Case(name=f"{varied.name} {value:g}", study=study))
    tally, stopped = _throw(cases, run)
    if not _enough(tally, 1):
        return _end(run, tally, stopped=stopped, plotted=False)
    swings = [
        swing(varied.name, values, tally, 1 + 2 * index, run.measure)
        for index, (varied, values) in enumerate(moved)
    ]
    swings.sort(key=lambda one: one.size, reverse=True)
    base = float(tally.means(run.measure)[0])
    model = _model_range(own, run.measure, base)
    if run.plot is not None:
        from render.plots.figures import save_plot
        from render.plots.studies import tornado_figure

        quantity = _QUANTITIES[run.measure]
        title = describe(spec)
        save_plot(
            run.plot, tornado_figure, swings, base, title=title, quantity=quantity, model=model
        )
    if run.as_json:
        ends = {} if model is None else {"model_low": model[0], "model_high": model[1]}
        rows = [{"for": run.measure, "base": base, **ends, **asdict(one)} for one in swings]
        click.echo(json.dumps(rows, indent=2))
    else:
        _print_swings(swings, {varied.name: varied for varied, _ in moved}, tally, run, spec)
        click.echo(model_line([own]))
    return _end(run, tally, stopped=stopped, plotted=True)


def _model_range(study: "Study", measure: str, base: float) -> tuple[float, float] | None:
    """Return the ends of a measure's range because the model is unsure; None if not known."""
    from sim.odds import model_ranges

    ranges = model_ranges(study)
    if measure == "flips" and "flips" in ranges:
        return ranges["flips"].around(base)
    if measure == "p_any" and "any_flip" in ranges:
        return ranges["any_flip"].around_chance(base)
    return None


def _assumptions(
    spec: "SceneSpec", text: str
) -> "list[tuple[SpecField, tuple[float, float, float]]]":
    """Return fields with their lower, own and upper values.

    Raises:
        InputError: A name is no field, has no uncertainty, or is given twice.
    """
    from physics.errors import InputError
    from sim.scenes import field_of_spec

    found: list[tuple[SpecField, tuple[float, float, float]]] = []
    for name in text.split(","):
        varied = field_of_spec(name, "fields")
        if varied.uncertainty is None:
            raise InputError(f"fields: {varied.name} has no uncertainty; 'odds --sweep' varies it")
        if any(varied.name == other.name for other, _ in found):
            raise InputError(f"fields: {varied.name} is given twice")
        own = varied.value(spec)
        lower = max(varied.low, own - varied.uncertainty)
        upper = min(varied.high, own + varied.uncertainty)
        if varied.name == "descent_min_deg":
            upper = min(upper, spec.parameters.thrower.descent_max_deg)
        if varied.name == "descent_max_deg":
            lower = max(lower, spec.parameters.thrower.descent_min_deg)
        found.append((varied, (round(lower, 9), own, round(upper, 9))))
    return found


def _print_swings(
    swings: "Sequence[Swing]",
    fields: "Mapping[str, SpecField]",
    tally: "PairedTally",
    run: _Run,
    spec: "SceneSpec",
) -> None:
    from sim.cli.output import print_stacked, table_console
    from sim.scenes import describe

    quantity, base = _QUANTITIES[run.measure], float(tally.means(run.measure)[0])
    largest = swings[0]
    click.echo(f"{largest.name} matters most: it changes {quantity} by up to {largest.size:.2f}")
    console = table_console(_WIDTH)
    slammer = spec.slammers[0].name
    console.print(f"{slammer} at {describe(spec)}; {tally.trials} throws in each case")
    rows = []
    for one in swings:
        low, own, high = one.values
        unit = fields[one.name].unit
        rows.append(
            {
                "assumption": one.name,
                "moved": f"{low:.4g} - {own:.4g} - {high:.4g}" + (f" {unit}" if unit else ""),
                "at the lower": _change(one.below),
                "at the upper": _change(one.above),
                f"{run.measure} per unit": f"{one.per_unit:+.3g} ({one.per_unit_low:+.3g} to "
                f"{one.per_unit_high:+.3g})",
            }
        )
    print_stacked(console, rows, left=("moved",))
    console.print(
        f"as assumed: {base:.2f} {quantity}; at the lower, upper: change of that when the "
        "assumption is one standard uncertainty lower, or higher; intervals are of 95 %.",
        style="dim",
    )


def _change(found: "Difference") -> str:
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})"


@click.command("merge")
@click.argument("files", nargs=-1, type=_PATH, metavar="FILE.csv...")
@click.option("--out", type=_PATH, metavar="FILE.csv", help="Save the sum as CSV.")
def merge(*, files: tuple[Path, ...], out: Path | None) -> int:
    """Add the throws of several files of the same scenes.

    Each file has the same slammers in the same scene, thrown with a seed of its own. Files of
    different scenes are refused with the difference, and so are files with the same throws.

    \b
    Examples:
      pucklab odds merge here.csv there.csv --out both.csv
    """
    from physics import InputError
    from sim.cli.output import print_written
    from sim.core.files import check_writable, read_text, write_whole
    from sim.odds import merge_odds

    if len(files) < 2:
        raise InputError(f"file: {len(files)} is not accepted; give two or more files of odds")
    if out is not None:
        check_writable("out", out, (".csv",), files)
    text = merge_odds([(repr(str(path)), read_text("file", path)) for path in files])
    if out is not None:
        write_whole(out, text.encode())
    _print_merged(text, f"throws of {len(files)} files")
    print_written(out)
    return 0


def _print_merged(text: str, title: str) -> None:
    """Print the rows of an odds CSV: a table as that of ``odds``, with a column of throws."""
    from sim.cli.odds import FLIPS_SHOWN, odds_cells
    from sim.cli.output import print_stacked, table_console
    from sim.odds import odds_of, read_odds

    console = table_console(_WIDTH)
    console.print(title, soft_wrap=True)
    rows = []
    entries = read_odds(text, "sum")
    fewest = min(len(entry.tally.flips) - 1 for entry in entries)
    for entry, row in zip(entries, csv.DictReader(io.StringIO(text)), strict=True):
        odds = odds_of(entry.tally, entry.z)
        rows.append(
            {"slammer": row["slammer"], "throws": f"{entry.tally.trials}"}
            | odds_cells(
                odds, knock_out=entry.knock_out_g is not None, most=min(fewest, FLIPS_SHOWN)
            )
        )
    print_stacked(console, rows, together=[name for name in rows[0] if name[1:2].isdigit()])
