"""``pucklab odds``: simulate many throws, and estimate how many pucks flip, and how often.

The commands below it, such as ``odds compare``, are in `pucklab.cli.odds_studies`.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from pucklab.api.odds import MASSES_G, FlipOdds
from pucklab.api.scenes import note_doubt
from pucklab.base.errors import InputError
from pucklab.cli.commands import LazyGroup
from pucklab.cli.experiments import Check, Run, experiment_options
from pucklab.cli.options import (
    complete_from,
    count,
    field_of,
    flag,
    number,
    option,
    refuse_options,
    together,
)
from pucklab.cli.scene_options import scene_options, spec_from_options
from pucklab.physics.material import material_name, material_range
from pucklab.render.plots.figures import save_plot
from pucklab.sim.experiments import ResultTable, StopRule
from pucklab.sim.experiments.estimates import Z_DECIDED
from pucklab.sim.experiments.paired import PairedCounts
from pucklab.sim.experiments.stopping import FIRST_LOOK
from pucklab.sim.experiments.view import print_stacked, table_console
from pucklab.sim.odds import (
    ODDS,
    OddsCase,
    OddsRow,
    Study,
    experiment_cases,
    model_parts,
    model_ranges,
    odds_experiment,
    odds_rows,
    paired_experiment,
)
from pucklab.sim.odds.answers import case_name, odds_curve
from pucklab.sim.odds.assumptions import OF_MATERIALS, OrderCheck, Pair
from pucklab.sim.pokepucks.weights import with_battles
from pucklab.sim.scene.fields import material_of_part, sweep_cases
from pucklab.sim.scene.scenes import describe

_WIDTH = 120
"""Columns of the table where output is no terminal."""

_SURE = 0.975
"""Probability from which the order of two cases is clear enough to be thrown again."""

ends_option = option(
    "--assumption-throws",
    count(0, 10_000),
    "N",
    "Throws at each end of each assumption, to see whether the order holds; 0 for none.",
    default=50,
)
seconds_option = option(
    "--max-seconds",
    number(0.1, 1e9, "s"),
    "S",
    "Instead of --trials: throw for about so long, or until the answer is decided.",
)
explain_option = flag(
    "--explain", "Say what the range for real pucks is made of, and whether the order holds."
)
answer_options = together(
    flag(
        "--any-thrower", "Let the range for real pucks count throwers of other speed and aim, too."
    ),
    flag("--wide", "Print all columns."),
)


@click.group(
    "odds",
    cls=LazyGroup,
    lazy={
        name: (f"pucklab.cli.odds_studies:{name}", line)
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
@experiment_options(default=400, plot="Plot the odds (.png, .svg or .pdf).")
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
    shell_complete=complete_from(lambda: ODDS.half_widths),
)
@option(
    "--max-trials",
    count(1, 10**12),
    "N",
    "Throw at most so often in all, first where the interval is widest.",
)
@seconds_option
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
    help="Show in the plot the ranges due to the uncertainty of the model.  [default: yes]",
)
@ends_option
@answer_options
@explain_option
def command(
    *,
    run: Run,
    half_width: float | None,
    of: str | None,
    max_trials: int | None,
    max_seconds: float | None,
    sweep: tuple[str, ...],
    model_band: bool,
    assumption_throws: int,
    any_thrower: bool,
    wide: bool,
    explain: bool,
    **options: Any,
) -> int:
    """Simulate many throws, and estimate how many pucks flip, and how often.

    Every slammer is thrown the same way in the same trial, so that a few throws are enough to see
    differences between slammers. The --out file is written every few seconds: a run that was
    stopped, or killed, continues with --resume. Ctrl-C saves and prints the results so far.

    \b
    Examples:
      pucklab odds --slammer-g 4,8,20
      pucklab odds --slammer onix,pikachu --speed-m-s 6 --out odds.csv --plot odds.png
      pucklab odds --slammer all --knock-out 8 --shields 2
      pucklab odds --slammer-g 2:24:2 --half-width .02 --max-trials 100000
      pucklab odds --slammer onix --sweep speed_m_s=3:7:9 --plot speed.png
      pucklab odds --slammer-g 8 --engine plane --trials 5000

    A scene file begins with its schema, followed by all that differs from the defaults; options
    override scene files, and these override parameter files:

    \b
      schema = 1
      pucks = 12
      engine = "plane"                               # instead of "solid"
      preset = "fast"                                # of the plane
      slammer = { mass_g = 12, thickness_mm = 8 }    # or { name = "Onix" }
      puck = { mass_g = 1.8 }
      knock_out = { mass_g = 8, shields = 2 }        # instead of the stack
      arena = { side_mm = 400, wall_height_mm = 90 }
      thrower = { speed_mm_s = 6000, aim_sd_mm = 8 }
      materials = { restitution = 0.45 }
    """
    context = click.get_current_context()
    if name := context.invoked_subcommand:
        for parameter in context.command.params:  # which it would not see
            if context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
                raise InputError(
                    f"{field_of(parameter)}: not accepted here; give it after 'odds {name}'"
                )
        return 0
    inputs = (options["params"], options["scene"])
    fields = [text.partition("=")[0].strip().lower().replace("-", "_") for text in sweep]
    if "slammer_g" in fields:
        refuse_options({"slammer", "slammer_g"}, "--sweep slammer_g")
    spec = spec_from_options(options, MASSES_G, fields)
    cases = sweep_cases(spec, sweep)
    studies = [case.study for case in cases]
    if fields:
        note_doubt(studies)
    given = {"half_width": half_width, "max_trials": max_trials, "max_seconds": max_seconds}
    names = [name for name, value in given.items() if value is not None]
    rule, least = None, FIRST_LOOK * len(set(studies))
    if names:  # instead of a number of throws
        refuse_options({"trials"}, f"--{names[0].replace('_', '-')}")
        if max_trials is not None and max_trials < least:
            raise InputError(
                f"max_trials: {max_trials} is not accepted; give at least {least}, {FIRST_LOOK} "
                "for each different slammer"
            )
        rule = StopRule(
            half_width=half_width, of=of or "p_any", max_trials=max_trials, max_seconds=max_seconds
        )
    elif of is not None:
        raise InputError(f"half_width_of: {of!r} is not accepted without --half-width")
    run.check(inputs)
    by_slammer = len(spec.slammers) > 1 and "slammer_g" not in fields
    if run.plot is not None and len(fields) == 2 and by_slammer:
        raise InputError("plot: a heat map shows one slammer; name it with --slammer")
    cases = with_battles(cases)  # plays battles, and so comes after all mistakes

    def check(table: ResultTable[Any]) -> Check | None:
        return check_clear_order(
            odds_rows(table, cases), assumption_throws * bool(sweep or explain)
        )

    result = run.collect(odds_experiment(cases), experiment_cases(cases), rule, check)
    found = FlipOdds(
        rows=tuple(odds_rows(result.table, cases)),
        table=result.table,
        title=describe(spec, list(cases[0].values), cases),
        quantity=of or "p_any",
        any_thrower=any_thrower,
    )

    def show(_: object) -> None:
        found.view(wide=wide, clause=order_clause(result, explain)).print()
        if explain:
            print_sources(studies, thrower=any_thrower)

    def plot(path: Path, _: object) -> None:
        save_plot(path, found.plot, model_band=model_band)

    return result.finish(show, plot=plot)


def check_clear_order(rows: Sequence[OddsRow], throws: int) -> Check | None:
    """Return the check of the case with most flips and that with fewest, if they are clear."""
    if len(rows) < 2 or not throws:
        return None
    curve = odds_curve(rows)
    most, least = int(curve.values.argmax()), int(curve.values.argmin())
    if curve.gap(most, least).better < _SURE:
        return None
    first, last = (replace(row, name=case_name([row])) for row in (rows[most], rows[least]))
    return order_check([(first, last)], throws)


def order_check(
    pairs: Sequence[Pair], throws: int, measure: int = 0, seconds: float | None = None
) -> Check | None:
    """Return the check whether orders hold with each assumption at its ends.

    Args:
        pairs: The better and the worse case of each order.
        throws: At each end; none for 0.
        measure: Index of the measure.
        seconds: Throw on until it is decided, for at most so long.
    """
    if not pairs or not throws:
        return None
    order = OrderCheck(pairs=pairs, measure=measure)
    cases = experiment_cases([OddsCase(name="", study=study) for study in order.studies])
    rule = None if seconds is None else StopRule(
        max_seconds=seconds, decided=lambda counts: order.is_decided(counts, Z_DECIDED)
    )  # fmt: skip
    experiment = paired_experiment(order.studies)
    return Check(facts=order, experiment=experiment, cases=cases, trials=throws, rule=rule)


def order_clause(run: Run, explain: bool) -> str:
    """Return the clause of a check, which follows the answer; empty without a check."""
    if run.found is None:
        return ""
    check, table = run.found
    return str(check.facts.clause(table.tallies(), z_of(table), undecided=explain))


def z_of(table: ResultTable[PairedCounts]) -> float:
    """Return the quantile of 95 % intervals of a table of paired throws."""
    return table.entries[table.rows[0].id].z


def print_sources(studies: Sequence[Study], *, thrower: bool = False) -> None:
    """Print the ranges of the model by source: for each slammer's mass, or for materials."""
    rows = []
    if not all(map(model_ranges, studies)):
        scenes = [study.scene for study in studies]
        for one in dict.fromkeys(
            material_of_part(part, scene.materials)
            for scene in scenes for part in (*scene.stack, scene.slammer, scene.arena)
        ):  # fmt: skip
            row = {"material": material_name(one)}
            for number in OF_MATERIALS:
                low, high = material_range(one, number)
                row[number] = f"{getattr(one, number):g} ({low:g} to {high:g})"
            rows.append(row)
        print_stacked(table_console(_WIDTH), rows)
        return
    figure = "knock_out" if studies[0].scene.is_knock_out else "flips"
    lines: dict[str, dict[str, str]] = {}
    for mass_g, study in {study.scene.slammer.mass_g: study for study in studies}.items():
        found = model_ranges(study, thrower=thrower)[figure]
        parts = model_parts(study, thrower=thrower)[figure]
        for name, ends in (parts | {"all": (math.log(found.low), math.log(found.high))}).items():
            low, high = map(math.exp, ends)
            lines.setdefault(name, {"source": name})[f"{mass_g:g} g"] = f"{low:.2f}-{high:.2f}"
    print_stacked(table_console(_WIDTH), list(lines.values()))
    table_console(_WIDTH).print(
        f"factors on {figure.replace('_', ' ')}; all: root of the sum of squares of logarithms "
        "(docs/how-a-slam-is-computed.md)",
        style="dim",
    )
