"""``pucklab odds``: simulate many throws, and estimate how many pucks flip, and how often.

The commands below it, such as ``odds compare``, are in `sim.cli.odds_studies`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

import click
from click.core import ParameterSource

from physics import Material, Scene, Slammer, puck_stack, puckdex_slammer
from physics.errors import InputError
from physics.material import material_name, material_range
from physics.tally import Tally, mean_of
from render.plots.figures import save_plot
from render.plots.odds import OddsPoint, odds_figure
from render.plots.studies import sweep_figure
from sim.cli.commands import LazyGroup
from sim.cli.experiments import Check, Run, experiment_options
from sim.cli.options import completed, count, field_of, flag, number, option, refuse_options
from sim.cli.output import print_stacked, table_console
from sim.cli.scene_options import scene_options, spec_from_options
from sim.experiments import ResultTable, StopRule
from sim.experiments.estimates import Z_95, Z_LOOKED
from sim.experiments.paired import PairedCounts
from sim.experiments.stopping import FIRST_LOOK
from sim.odds import (
    ODDS,
    PAIRED_ODDS,
    Mean,
    Odds,
    OddsRow,
    Study,
    model_parts,
    model_ranges,
    odds_cases,
    odds_experiment,
    odds_of,
    odds_rows,
)
from sim.odds.assumptions import OF_MATERIALS, OrderCheck, Pair, differ, in_space, listed
from sim.scenes import SceneSpec, Variant, describe, studies_of, swept

_MASSES_G = (4.0, 8.0, 20.0)
"""Slammers if none are named: the masses in the PuckDex."""

_WIDTH = 120
"""Columns of the table where output is no terminal."""

_NAMES_SHOWN = 2
FLIPS_SHOWN = 6
"""Flips with a column of their own in tables; those of more share the last one."""


@click.group(
    "odds",
    cls=LazyGroup,
    lazy={
        name: (f"sim.cli.odds_studies:{name}", line)
        for name, line in {
            "compare": "Estimate which of several slammers or scenes is better, and how surely.",
            "best": "Find the best value of a number, such as the slammer's mass.",
            "sensitivity": "Show how much each assumption changes the flips.",
            "merge": "Add the throws of several files of the same scenes.",
        }.items()
    },
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] ...",
)
@scene_options
@experiment_options(
    plot="Plot the odds (.png, .svg or .pdf).",
    check="Check each row of the plane with so many of its throws in the solid engine; 0 for none.",
)
@option(
    "--half-width",
    number(0.0001, 1),
    "W",
    "Instead of --trials: throw until each interval is at most this to either side.",
)
@option(
    "--half-width-of of",
    str,
    "NAME",
    "The half-width's quantity: p_any (at least one flip) or flips (their mean).  [default: p_any]",
    shell_complete=completed(lambda: ODDS.half_widths),
)
@option(
    "--max-trials",
    count(1, 10**12),
    "N",
    "Throw at most so often in all, first where the interval is widest.",
)
@option(
    "--max-seconds",
    number(0.1, 1e9, "s"),
    "S",
    "Throw for about so long, first where the interval is widest.",
)
@option(
    "--sweep",
    str,
    "FIELD=LO:HI:N",
    "Vary a number of scene, thrower or materials over N values; may be given twice.",
    multiple=True,
)
@click.option(
    "--model-band/--no-model-band",
    default=True,
    help="Show in the plot how far off the figures may be because the model is.  [default: yes]",
)
@flag("--explain", "Say what the range for real pucks is made of.")
def command(
    *,
    run: Run,
    half_width: float | None,
    of: str | None,
    max_trials: int | None,
    max_seconds: float | None,
    sweep: tuple[str, ...],
    model_band: bool,
    explain: bool,
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
      pucklab odds --slammer-g 2:24:2 --half-width .02 --max-trials 100000
      pucklab odds --slammer onix --sweep speed_m_s=3:7:9 --plot speed.png
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
    if _has_subcommand():
        return 0
    inputs = (options["params"], options["scene"])
    if any(text.partition("=")[0].strip().replace("-", "_") == "slammer_g" for text in sweep):
        refuse_options({"slammer", "slammer_g"}, "--sweep slammer_g")
    spec = spec_from_options(options, _MASSES_G)
    variants = swept(spec, sweep)
    studies = [study for variant in variants for study in studies_of(variant.spec)]
    names = [named.name for variant in variants for named in variant.spec.slammers]
    values = [variant.values for variant in variants for _ in variant.spec.slammers]
    rule = _rule(half_width, of, max_trials, max_seconds, len(set(studies)))
    run.check(inputs)
    _check_plot(run.plot, variants)
    cases = odds_cases(names, studies, values)

    order = Order()

    def checks(table: ResultTable[Tally]) -> list[Check]:
        spaces = [in_space(case.subject) for case in cases if case.subject.engine == "plane"]
        space = Check(experiment=table.experiment, cases=odds_cases([""] * len(spaces), spaces))
        named = [_told(name, own) for name, own in zip(names, values, strict=True)]
        pairs = _extremes(odds_rows(table, cases), named) if sweep or explain else []
        return [space] * bool(spaces) + order.checks(pairs)

    if run.check_throws:  # compiled while the plane throws
        ODDS.prepare(in_space(studies[0]))
    result = run.collect(odds_experiment(studies), cases, rule, checks)
    rows = odds_rows(result.table, cases)
    planar = [row for row in rows if row.study.engine == "plane"]
    spaces = result.checks[0].tallies() if result.checks and planar else []

    def show(_: object) -> None:
        _print(rows, spec, values, rule)
        if spaces:
            table_console(_WIDTH).print(space_lines(planar, spaces))
        print_belief([row.study for row in rows], order.sentences(result.checks[-1:]))
        if explain:
            print_sources([row.study for row in rows])

    def as_json(table: ResultTable[Tally]) -> str:
        found = json.loads(table.json())
        for row, tally in zip(planar, spaces, strict=False):
            flips = asdict(mean_of(tally.flips)) | {"throws": tally.trials}
            found[rows.index(row)] |= {f"in_space_{name}": value for name, value in flips.items()}
        return json.dumps(found, indent=2)

    return result.finish(
        show,
        json=as_json,
        plot=lambda path, _: _plot(path, rows, values, spec, model_band=model_band),
    )


@dataclass(kw_only=True)
class Order:
    """The check of an order that was found: with each assumption of the model at its ends."""

    measure: int = 0  # index
    found: OrderCheck | None = None

    def checks(self, pairs: Sequence[Pair]) -> list[Check]:
        """Return what is to be thrown; nothing if there is no pair of a better and a worse case."""
        if not pairs:
            return []
        self.found = OrderCheck(pairs=pairs, measure=self.measure)
        studies = self.found.studies
        return [Check(experiment=PAIRED_ODDS, cases=odds_cases([""] * len(studies), studies))]

    def sentences(self, checks: Sequence[ResultTable[PairedCounts]]) -> list[str]:
        """Return what was found, in a sentence for each pair."""
        if self.found is None or not checks:
            return []
        return self.found.sentences(checks[0].tallies())

    def ends(self, checks: Sequence[ResultTable[PairedCounts]]) -> list[list[float]]:
        """Return the differences of each pair at all ends."""
        if self.found is None or not checks:
            return []
        found = self.found.differences(checks[0].tallies())
        return [[one.value for one in own.values()] for own in found]


def _told(name: str, swept_values: Mapping[str, float]) -> str:
    return ", ".join([name, *(f"{field} {value:g}" for field, value in swept_values.items())])


def _extremes(rows: Sequence[OddsRow], names: Sequence[str]) -> list[Pair]:
    """Return the row with most flips and that with fewest, if they clearly differ."""
    means = [mean_of(row.tally.flips) for row in rows]
    worst, best = (pick(range(len(rows)), key=lambda k: means[k].value) for pick in (min, max))
    error = math.hypot(means[worst].standard_error, means[best].standard_error)
    if not means[best].value - means[worst].value > Z_95 * error:
        return []
    return [((names[best], rows[best].study), (names[worst], rows[worst].study))]


def _has_subcommand() -> bool:
    """Return whether a command below ``odds`` was typed.

    Raises:
        InputError: There are options before it, which it would not see.
    """
    context = click.get_current_context()
    name = context.invoked_subcommand
    if name is None:
        return False
    for parameter in context.command.params:
        if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
            raise InputError(
                f"{field_of(parameter)}: not accepted here; give it after 'odds {name}'"
            )
    return True


def _check_plot(plot: Path | None, variants: Sequence[Variant]) -> None:
    """Check, before any work is done, that the plot can show what is asked for.

    Raises:
        InputError: It cannot.
    """
    if plot is not None and len(variants[0].values) == 2 and len(variants[0].spec.slammers) > 1:
        raise InputError("plot: a heat map shows one slammer; name it with --slammer")


def _rule(
    half_width: float | None,
    of: str | None,
    max_trials: int | None,
    max_seconds: float | None,
    studies: int,
) -> StopRule | None:
    """Return the rule that the options make; None for a number of throws.

    Raises:
        InputError: The number of throws is given too, or is too small for a first look.
    """
    given = {"half_width": half_width, "max_trials": max_trials, "max_seconds": max_seconds}
    names = [name for name, value in given.items() if value is not None]
    if not names:
        if of is not None:
            raise InputError(f"half_width_of: {of!r} is not accepted without --half-width")
        return None
    refuse_options({"trials"}, f"--{names[0].replace('_', '-')}")
    if max_trials is not None and max_trials < FIRST_LOOK * studies:
        raise InputError(
            f"max_trials: {max_trials} is not accepted; give at least {FIRST_LOOK * studies}, "
            f"{FIRST_LOOK} for each different slammer"
        )
    return StopRule(
        half_width=half_width, of=of or "p_any", max_trials=max_trials, max_seconds=max_seconds
    )


def _print(
    rows: Sequence[OddsRow],
    spec: SceneSpec,
    values: Sequence[Mapping[str, float]],
    rule: StopRule | None,
) -> None:
    print_table(rows, describe(spec, values[0], [row.study for row in rows]), values)
    if rule is not None and all(row.stopped_by for row in rows):
        click.echo(_stop_line(rule, rows))


def _stop_line(rule: StopRule, rows: Sequence[OddsRow]) -> str:
    """Return the line that says which rule ended the run, and which slammer is least sure."""
    quantity = {"p_any": "P(any flip)", "flips": "flips"}[rule.of]
    half_width = ODDS.half_widths[rule.of]
    short = [row for row in rows if row.stopped_by != "half-width"]
    if not short:
        return f"stopped by half-width: {quantity} is sure to ± {rule.half_width:g} everywhere"
    widest = max(short, key=lambda row: half_width(row.tally, Z_LOOKED))
    width = half_width(widest.tally, Z_LOOKED)
    return f"stopped by {widest.stopped_by}: {quantity} of {widest.name} to ± {width:.2g}"


def _plot(
    path: Path,
    rows: Sequence[OddsRow],
    values: Sequence[Mapping[str, float]],
    spec: SceneSpec,
    *,
    model_band: bool,
) -> None:
    if values[0]:
        title = describe(spec, values[0], [row.study for row in rows])
        known = model_band and all(model_ranges(row.study) for row in rows)
        save_plot(path, sweep_figure, rows, values, title=title, model_band=known)
        return
    points = [
        OddsPoint(
            label=row.name,
            slammer_g=row.study.scene.slammer.mass_g,
            odds=odds_of(row.tally, row.z),
            model=model_ranges(row.study) if model_band else {},
        )
        for row in rows
    ]
    knock_out = spec.knock_out is not None
    save_plot(path, odds_figure, points, title=describe(spec), knock_out=knock_out)


def print_table(
    rows: Sequence[OddsRow], title: str, values: Sequence[Mapping[str, float]] | None = None
) -> None:
    """Print a line per kind of slammer, and one on what the model is unsure of.

    Slammers of the same mass and size share a line.

    Args:
        rows: The rows.
        title: A line above the table.
        values: Swept fields of each row, which get columns of their own.
    """
    console = table_console(_WIDTH)
    groups: dict[tuple[tuple[float, ...], Study], list[OddsRow]] = {}
    own = values or [{}] * len(rows)
    for row, fields in zip(rows, own, strict=True):
        groups.setdefault((tuple(fields.values()), row.study), []).append(row)
    first = rows[0].study.scene
    knock_out = isinstance(first.stack[0], Slammer)
    # A sweep has stacks of several sizes, but the columns are the same in all rows.
    shown = min(FLIPS_SHOWN, *(len(row.study.scene.stack) for row in rows))
    throws = sorted({row.tally.trials for row in rows})
    number = f"{throws[0]}" if len(throws) == 1 else f"{throws[0]} to {throws[-1]}"
    plural = "" if throws[-1] == 1 else "s"
    console.print(f"{title}; {number} throw{plural} each", soft_wrap=True)
    headings = [*own[0], *([] if "slammer_g" in own[0] else ["slammer"])]
    cells = []
    for (swept_values, study), alike in groups.items():
        names = [f"{value:g}" for value in swept_values]
        if "slammer_g" not in own[0]:
            names.append(_names(alike, study.scene.slammer.mass_g))
        odds = odds_of(alike[0].tally, alike[0].z)
        cells.append(
            {", ".join(headings): ", ".join(names)}
            | odds_cells(odds, knock_out=knock_out, most=shown)
        )
    print_stacked(console, cells, together=[h for h in cells[0] if h[1:2].isdigit()])
    console.print(
        "flips, out: pucks flipped and pucks out of the arena per throw, ± standard error; "
        "P(...): share of throws, with its 95 % interval; mm: mean distance from the centre; "
        f"P0 to P{shown}+: share of throws that flip so many.",
        style="dim",
    )


def space_lines(rows: Sequence[OddsRow], tallies: Sequence[Tally]) -> str:
    """Return what some of the throws of rows of the plane come to in the solid engine."""
    spaces = [mean_of(tally.flips) for tally in tallies]
    alike = {row.study: (row, own) for row, own in zip(rows, spaces, strict=True)}
    z = NormalDist().inv_cdf(1 - 0.025 / len(alike))  # that one of all differs by chance: 5 %
    means = ", ".join(_mean(space) for _, space in alike.values())
    throws = min(tally.trials for tally in tallies)
    text = f"in space: {means} flips ({throws} of the same throws each, solid engine)"
    apart = [r.name for r, space in alike.values() if differ(mean_of(r.tally.flips), space, z)]
    if apart:
        text += f"\noff by more than chance and a fifth: {listed(apart)}; use --engine solid there"
    return text


_REASONS = {
    "stiffness": "nobody has measured how stiff pucks are",
    "shear": "nobody has measured how pucks grip each other",
    "exponent": "nobody has measured how pucks press on each other",
    "hysteresis": "nobody has measured how pucks in a stack bounce",
    "restitution": "nobody has measured how pucks bounce",
    "bending": "nobody has measured how pucks bend",
    "engines": "engines of rigid discs differ by so much",
    "plane": "the plane differs from the solid engine by so much",
}
"""Reasons of ranges by their sources."""


_HINT = " 'pucklab odds sensitivity' shows what they change."


def belief(studies: Sequence[Study], hint: str = _HINT) -> str:
    """Return a sentence on how far real pucks may differ from the figures of some studies.

    Args:
        studies: The studies.
        hint: What to do where nobody measured such pieces.

    Example:
        >>> from physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
        >>> from sim.odds import Study
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> belief([Study(scene=scene, thrower=ThrowDistribution())]).partition(" may flip ")[0]
        'Real pucks'
    """
    found = [model_ranges(study) for study in studies]
    if not all(found):
        return _own_belief(studies) + hint
    figure = "knock_out" if studies[0].scene.is_knock_out else "flips"
    own = [ranges[figure] for ranges in found]
    low, high = min(one.low for one in own), max(one.high for one in own)
    reason = _REASONS.get(own[0].sources[0], f"nobody has measured {own[0].sources[0]}")
    much = f"{low:.1f} to {high:.1f} times"
    if figure == "knock_out":
        return f"Real odds of a knock-out may be {much} as high: {reason}."
    return f"Real pucks may flip {much} as many: {reason}."


def _own_belief(studies: Sequence[Study]) -> str:
    """Return what is unsure about pieces or floors that are not the rulebook's."""
    rulebook = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
    usual = model_ranges(replace(studies[0], scene=rulebook, engine="solid"))["flips"]
    ranges = {}
    for material in dict.fromkeys(one for study in studies for one in _materials(study.scene)):
        low, high = material_range(material, "restitution")
        ranges[material_name(material)] = f"{material_name(material)} {low:g} to {high:g}"
    return (
        "Nobody has measured how far real pieces like these differ; pucks of the rulebook may flip "
        f"{usual.low:.1f} to {usual.high:.1f} times as many. Estimated are the restitution of "
        f"{', '.join(ranges.values())}, and friction and stiffness."
    )


def _materials(scene: Scene) -> list[Material]:
    """Return the materials of pieces and floor, each once; without one they are the scene's."""
    usual = Material(restitution=scene.materials.restitution, friction=scene.materials.friction)
    parts = (*scene.stack, scene.slammer, scene.arena)
    return list(dict.fromkeys(part.material or usual for part in parts))


def print_belief(studies: Sequence[Study], orders: Sequence[str] = (), hint: str = _HINT) -> None:
    """Print what to believe of real pucks, and whether orders that were found hold."""
    table_console(_WIDTH).print(" ".join([belief(studies, hint), *orders]))


def print_sources(studies: Sequence[Study]) -> None:
    """Print the ranges of the model by source, for each mass of a slammer; or of materials."""
    rows = []
    if not all(map(model_ranges, studies)):
        for one in dict.fromkeys(one for study in studies for one in _materials(study.scene)):
            spans = {number: material_range(one, number) for number in OF_MATERIALS}
            cells = {
                number: f"{getattr(one, number):g} ({low:g} to {high:g})"
                for number, (low, high) in spans.items()
            }
            rows.append({"material": material_name(one)} | cells)
        print_stacked(table_console(_WIDTH), rows)
        return
    for mass_g, study in {study.scene.slammer.mass_g: study for study in studies}.items():
        for figure, parts in model_parts(study).items():
            cells = {name: _factors(*map(math.exp, ends)) for name, ends in parts.items()}
            found = model_ranges(study)[figure]
            all_ = {"all": _factors(found.low, found.high)}
            rows.append({"factor on": f"{figure} at {mass_g:g} g"} | all_ | cells)
    print_stacked(table_console(_WIDTH), rows)
    table_console(_WIDTH).print(
        "all: root of the sum of squares of the sources' logarithms; of a chance, factors on its "
        "odds; see docs/how-a-slam-is-computed.md",
        style="dim",
    )


def _factors(low: float, high: float) -> str:
    return f"{low:.2f}-{high:.2f}"


def odds_cells(odds: Odds, *, knock_out: bool, most: int = FLIPS_SHOWN) -> dict[str, str]:
    """Return the cells of a row of the table, by heading.

    Args:
        odds: The odds.
        knock_out: Whether there is a column for the chance of a knock-out.
        most: Number of flips from which on all share the last column.
    """
    shown = min(len(odds.flip_chances) - 1, most)
    cells = {"P(knock-out)": odds.flips_by_place[0].text} if knock_out else {}
    cells |= {"flips": _mean(odds.flips), "P(any flip)": odds.any_flip.text}
    cells |= {"out": f"{odds.outs.value:.2f}", "P(any out)": odds.any_out.text}
    cells["mm"] = "-" if math.isnan(odds.distance_mm) else f"{odds.distance_mm:.0f}"
    cells |= {f"P{k}": f"{chance:.0%}" for k, chance in enumerate(odds.flip_chances[:shown])}
    return cells | {f"P{shown}+": f"{sum(odds.flip_chances[shown:]):.0%}"}


def _names(alike: Sequence[OddsRow], mass_g: float) -> str:
    names = list(dict.fromkeys(row.name for row in alike))
    mass = f"{mass_g:g} g"
    if names == [mass]:
        return mass
    more = len(names) - _NAMES_SHOWN
    return f"{mass}: " + ", ".join(names[:_NAMES_SHOWN]) + (f" +{more}" if more > 0 else "")


def _mean(mean: Mean) -> str:
    error = "?" if math.isnan(mean.standard_error) else f"{mean.standard_error:.2f}"
    return f"{mean.value:.2f} ± {error}"
