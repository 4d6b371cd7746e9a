"""Commands below ``pucklab odds``: comparisons, best values, sensitivities.

All throw the same trials in several cases (`paired_experiment`), and differ in their cases and in
the answer that they draw from the sums.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from pucklab.api.odds import MASSES_G
from pucklab.api.scenes import MASS_G, check_one_slammer, note_doubt
from pucklab.base.errors import InputError, check_number
from pucklab.base.facts import fact
from pucklab.base.files import read_toml
from pucklab.calibration.parameter_files import uncertainties_from
from pucklab.cli.experiments import Check, Run, experiment_options
from pucklab.cli.merge import command as merge
from pucklab.cli.odds import (
    answer_options,
    ends_option,
    explain_option,
    order_check,
    order_clause,
    seconds_option,
    z_of,
)
from pucklab.cli.options import (
    PATH,
    Decorator,
    choice,
    complete_from,
    count,
    gather,
    numbers,
    option,
    refuse_options,
    together,
)
from pucklab.cli.scene_options import scene_options, spec_from_options
from pucklab.physics.material import Material, material_range
from pucklab.render.plots.figures import save_plot
from pucklab.render.plots.studies import best_figure, comparison_figure, tornado_figure
from pucklab.sim.experiments import ResultTable, StopRule
from pucklab.sim.experiments.curve import number_distances
from pucklab.sim.experiments.estimates import Z_DECIDED
from pucklab.sim.experiments.paired import (
    Difference,
    PairedCounts,
    PairedTally,
    difference,
    fit_paired_curve,
    paired_tally,
    swing,
)
from pucklab.sim.experiments.stopping import FIRST_LOOK
from pucklab.sim.experiments.view import View
from pucklab.sim.odds import (
    OddsCase,
    Study,
    experiment_cases,
    model_ranges,
    paired_experiment,
)
from pucklab.sim.odds.answers import (
    belief,
    case_distances,
    certainty,
    comparison_answer,
    ranking_answer,
    scene_line,
    sensitivity_answer,
    sentence,
    thin_clause,
    to_two_digits,
    value_names,
)
from pucklab.sim.odds.assumptions import OF_MATERIALS, OF_RANGE, Pair, at_end, own_materials
from pucklab.sim.odds.study import KNOCK_OUT_MEASURES, MEASURES
from pucklab.sim.scene.fields import NUMBERS, field_of_spec, with_field
from pucklab.sim.scene.scenes import SceneSpec, cases_of, describe

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["best", "compare", "merge", "sensitivity"]


_ASSUMPTIONS = ("restitution", "friction", "hysteresis", "speed_m_s", "aim_sd_mm", "tilt_sd_deg")

_USUAL_MEASURE = "flips"

_FINE = 201
"""Points of a curve in plots."""

_OF_RANGE = "of its range"
"""Unit of a number of several materials, from -1 to 1."""


@fact
class _Asked:
    """The options of a paired run beside those of its experiment."""

    measure: str
    any_thrower: bool
    wide: bool
    max_seconds: float | None = None
    assumption_throws: int = 0
    explain: bool = False

    def with_measure(self, spec: SceneSpec) -> "_Asked":
        """Return the options for a scene; a knock-out has a measure of its own.

        Raises:
            InputError: The scene is a knock-out, and something else is to be compared.
        """
        if spec.knock_out is None:
            return self
        (measure,) = KNOCK_OUT_MEASURES
        if self.measure != _USUAL_MEASURE:
            raise InputError(
                f"for: {self.measure} is not accepted with a knock-out, whose chance is compared"
            )
        return replace(self, measure=measure)

    @property
    def index(self) -> int:
        """Index of the measure."""
        return [*MEASURES].index(self.measure) if self.measure in MEASURES else 0

    @property
    def quantity(self) -> str:
        """The measure in words."""
        return {**MEASURES, **KNOCK_OUT_MEASURES}[self.measure]

    def model_range(self, study: Study, base: float) -> tuple[float, float] | None:
        """Return the ends of the measure's range due to the model; None if unknown."""
        ranges = model_ranges(study, thrower=self.any_thrower)
        if self.measure == "flips" and "flips" in ranges:
            return ranges["flips"].around(base)
        figure = {"p_any": "any_flip"}.get(self.measure, self.measure)
        return ranges[figure].around_chance(base) if figure in ranges else None


def _paired_options(trials: int, *, orders: bool = True) -> Decorator:
    """Return the options of a paired run, which hand it ``asked``.

    Args:
        trials: Throws per case by default.
        orders: Whether orders of cases are found, and thrown at the ends of assumptions.
    """
    measure = option(
        "--for measure",
        choice(*MEASURES),
        "NAME",
        "The aim: flips, p_any (at least one flip) or flips-minus-out (less pucks out).",
        default=_USUAL_MEASURE,
    )
    orders_options = (seconds_option, ends_option, explain_option) if orders else ()
    asked = gather("asked", _Asked, (measure, *orders_options, answer_options))
    common = experiment_options(
        default=trials,
        least=2,
        about="Throws, each of them in every case.",
        plot="Plot the answer (.png, .svg or .pdf).",
    )
    return together(common, asked)


@fact
class _Answer:
    """The answer of a paired run, and all that it shows."""

    text: str  # without the full stop
    rows: Sequence[Mapping[str, str]]
    legend: str
    wide: Mapping[str, str]  # what the legend says of columns that only the wide table has
    facts: Any  # for JSON
    figure: "Callable[..., Figure]"  # of the answer, and what it is about
    pairs: Sequence[Pair] = ()  # orders that were found, to check at the ends of assumptions
    is_clear: bool = False  # every order is


def _run_paired(
    run: Run,
    asked: _Asked,
    cases: Sequence[OddsCase],
    answer: Callable[[PairedTally, float], _Answer],
    title: str,
    *,
    about: Sequence[OddsCase] = (),
    least: int = 1,
    until_clear: bool = False,
) -> int:
    """Run cases together, save, plot and print the answer, and return the exit code.

    Args:
        run: The options of the experiment.
        asked: The others.
        cases: The cases.
        answer: Returns the answer of the throws, with intervals of a z.
        title: The scene.
        about: Cases that the range for real pucks is of; all cases if empty.
        least: More throws than this are needed.
        until_clear: With --max-seconds: end when every order is clear. Otherwise half of the time
            is for the orders that were found.
    """

    def found(table: ResultTable[PairedCounts]) -> _Answer:
        return answer(paired_tally(table.tallies()), z_of(table))

    def is_enough(table: ResultTable[PairedCounts]) -> bool:
        return table.is_complete and table.tallies()[0].counted > least

    def check(table: ResultTable[PairedCounts]) -> Check | None:
        if not asked.assumption_throws or not is_enough(table):
            return None
        left_s = asked.max_seconds
        if left_s is not None:
            left_s = max(0.0, run.began_s + left_s - time.monotonic())
        return order_check(found(table).pairs, asked.assumption_throws, asked.index, left_s)

    studies, rule = [case.study for case in cases], None
    note_doubt(studies)
    if asked.max_seconds is not None:
        refuse_options({"trials"}, "--max-seconds")
        run.trials = FIRST_LOOK
        seconds = asked.max_seconds if until_clear else asked.max_seconds / 2
        rule = StopRule(
            max_seconds=seconds,
            decided=(lambda counts: answer(paired_tally(counts), Z_DECIDED).is_clear)
            if until_clear
            else None,
        )
    result = run.collect(paired_experiment(studies), experiment_cases(cases), rule, check)

    def scene(table: ResultTable[PairedCounts]) -> str:
        return scene_line(title, studies, table.tallies()[:1])

    def show(table: ResultTable[PairedCounts]) -> None:
        own, real = found(table), [case.study for case in about or cases]
        View(
            answer=sentence(own.text + thin_clause(studies) + order_clause(result, asked.explain)),
            scene=scene(table),
            rows=[
                {name: cell for name, cell in row.items() if asked.wide or name not in own.wide}
                for row in own.rows
            ],
            legend="; ".join((own.legend, *filter(None, own.wide.values() if asked.wide else ()))),
            notes=(belief(real, asked.measure, thrower=asked.any_thrower),),
        ).print()

    def plot(path: Path, table: ResultTable[PairedCounts]) -> None:
        own = found(table)
        save_plot(path, own.figure, title=sentence(own.text), about=scene(table))

    return result.finish(
        show,
        json=lambda table: found(table).facts,
        plot=plot,
        is_enough=is_enough,
    )


@click.command("compare")
@scene_options
@option(
    "--against",
    PATH,
    "FILE",
    "Second scene file (TOML): compare the scenes, with the same slammers.",
)
@_paired_options(400)
def compare(*, run: Run, asked: _Asked, against: Path | None, **options: Any) -> int:
    """Estimate which of two or more slammers or scenes is better, and how surely.

    The first one is compared with each of the others. All are thrown the same way in the same
    trial, so that luck is shared.

    \b
    Examples:
      pucklab odds compare --slammer onix,pikachu
      pucklab odds compare --slammer-g 8,12 --max-seconds 60
      pucklab odds compare --slammer-g 4,8,20 --for flips-minus-out --trials 1000
    """
    run.check((options["params"], options["scene"], against))
    seen, masses_g = dict(options), MASSES_G if against is None else MASS_G
    specs = [("", spec_from_options(options, masses_g))]
    if against is not None:
        other = spec_from_options(seen | {"scene": against}, MASS_G)
        where = seen["scene"].name if seen["scene"] else "the first scene"
        specs = [(f" in {where}", specs[0][1]), (f" in {against.name}", other)]
    # Slammers of the same mass and size in the same scene have the same odds: they are one case.
    alike: dict[Study, list[tuple[str, str]]] = {}
    for where, one in specs:
        for case in cases_of(one):
            alike.setdefault(case.study, []).append((case.name, where))
    if sum(map(len, alike.values())) < 2:
        raise InputError("slammer: one is not accepted; give two or more to compare")
    if len({one.engine for _, one in specs}) > 1:
        raise InputError("against: is of another engine; compare scenes of one engine")
    if len(alike) == 1:
        (own,) = alike.values()
        raise InputError(
            f"slammer: all {len(own)} have the same mass and size in the same scene, and so the "
            "same odds; give slammers that differ"
        )
    if len({one.knock_out is None for _, one in specs}) > 1:
        raise InputError("against: one scene is a knock-out and one is not; give two of a kind")
    asked = asked.with_measure(specs[0][1])
    cases = [
        OddsCase(
            name=(own[0][0] if len(own) == 1 else f"{study.scene.slammer.mass_g:g} g") + own[0][1],
            study=study,
        )
        for study, own in alike.items()
    ]
    first, *others = cases
    names = [case.name for case in cases]

    far = case_distances(cases)
    alone = ("flips more, fewer", "flips more: the first case does")
    if asked.measure in KNOCK_OUT_MEASURES:
        alone = ("only first, only it", "only first: throws in which it alone knocks out")

    def answer(tally: PairedTally, z: float) -> _Answer:
        curve = fit_paired_curve(tally, asked.index, far, z)
        found = [difference(tally, curve, 0, k, asked.index) for k in range(1, len(names))]
        means = tally.means(asked.index).tolist()
        rows = [
            {
                "case": name,
                "mean": f"{mean:.2f}",
                "difference": _change(one),
                "sure": certainty(one.better).rpartition(": ")[2] if one else "",
                "throws to tell": to_two_digits(one.needed) if one and one.needed else "",
                alone[0]: f"{one.wins:.0%}, {one.losses:.0%}" if one else "",
            }
            for name, mean, one in zip(names, means, [None, *found], strict=True)
        ]
        facts = [{"first": names[0], "second": name, "for": asked.measure, **asdict(one)}
                 for name, one in zip(names[1:], found, strict=True)]  # fmt: skip
        return _Answer(
            text=comparison_answer(names, curve.values.tolist(), found, asked.measure),
            rows=rows,
            legend=(
                "difference: the first case less it (95 % interval); throws to tell: in 4 of 5 runs"
            ),
            wide=dict([alone]),
            facts=facts,
            figure=partial(comparison_figure, names, found, tally.flips, asked.quantity),
            pairs=[(first, own) if one.value > 0 else (own, first)
                   for own, one in zip(others, found, strict=True) if one.is_clear],
            is_clear=all(one.is_clear for one in found),
        )  # fmt: skip

    title = f"{describe(specs[0][1])}; {asked.quantity}"
    return _run_paired(run, asked, cases, answer, title, until_clear=True)


@click.command("best")
@scene_options
@option(
    "--over",
    str,
    "FIELD",
    "The number to choose: slammer_g, thickness_mm, speed_m_s, aim_sd_mm and others.",
    required=True,
    shell_complete=complete_from(lambda: NUMBERS),
)
@option(
    "--range ends",
    numbers(-1e9, 1e9, size=2),
    "LO,HI",
    "Range to search.  [default: all that is accepted; for the mass or thickness of a piece "
    "of your own, half to double]",
)
@option(
    "--points", count(5, 50), "N", "Values to throw at; a curve is fitted through them.", default=12
)
@_paired_options(120)
def best(
    *,
    run: Run,
    asked: _Asked,
    over: str,
    ends: tuple[float, float] | None,
    points: int,
    **options: Any,
) -> int:
    """Find the best value of a number, such as the slammer's mass.

    The same trials are thrown at several values, and a smooth curve is fitted to them. The answer
    is its plateau: all of these values that no other one exceeds by more than the error. If that
    reaches an end of the range, the best value may lie beyond.

    \b
    Examples:
      pucklab odds best --over slammer_g --speed-m-s 4
      pucklab odds best --over slammer_g --for flips-minus-out --plot best.png
      pucklab odds best --over descent_max_deg --range 5,60 --slammer onix
    """
    run.check((options["params"], options["scene"]))
    name = field_of_spec(over, "over").name
    if name == "slammer_g":
        refuse_options({"slammer", "slammer_g"}, "--over slammer_g")
    spec = spec_from_options(options, MASS_G, [name])
    check_one_slammer(spec)
    asked = asked.with_measure(spec)
    varied = field_of_spec(over, "over", spec)
    low, high = varied.low, varied.high
    if varied.own == (low, high):  # a piece of one's own make
        own = varied.value(spec)
        low, high = max(low, own / 2), min(high, own * 2)
    low, high = ends or (low, high)
    for end in (low, high):
        check_number("range", end, varied.low, varied.high, unit=varied.unit)
    if low >= high:
        raise InputError(f"range: {low:g},{high:g} is an empty range; give the lower end first")
    values = [round(low + (high - low) * k / (points - 1), 9) for k in range(points)]
    if varied.is_whole:
        values = sorted({float(round(value)) for value in values})
    if len(values) < 5:
        raise InputError(f"range: {low:g},{high:g} has fewer than 5 values of {varied.name}")
    try:
        made = [own for value in values for own in cases_of(with_field(spec, varied, value))]
    except InputError as error:
        raise InputError(f"over: {str(error).removeprefix('scene: ')}") from None
    cases = [
        replace(case, name=f"{varied.name} {value:g}")
        for case, value in zip(made, values, strict=True)
    ]
    told = [f"{value:.4g} {varied.unit}".rstrip() for value in values]
    named = [replace(case, name=name) for case, name in zip(cases, told, strict=True)]

    space = np.geomspace if low > 0 else np.linspace
    fine = space(low, high, _FINE).tolist()
    far = number_distances([*values, *fine], varied.name)

    def answer(tally: PairedTally, _: float) -> _Answer:
        curve = fit_paired_curve(tally, asked.index, far)
        own = curve.only(range(len(values)))
        peak, chance = own.ranks[0]
        means = tally.means(asked.index).tolist()
        errors = (tally.covariance(asked.index).diagonal() / tally.trials) ** 0.5
        rows = [
            {
                varied.name: f"{value:.4g}",
                "curve": f"{own.values[k]:.2f}",
                asked.measure: f"{means[k]:.2f} ± {errors[k]:.2f}",
                "best": "*" if k in own.leaders else "",
            }
            for k, value in enumerate(values)
        ]
        legend = f"{asked.measure}: ± standard error; *: not told apart from the best"
        if beyond := [told[k] for k in (0, len(values) - 1) if k in own.leaders]:
            legend += f"; a better one may lie beyond {' or '.join(beyond)}"
        off = [named[k] for k in (0, len(values) - 1) if k not in own.leaders]
        names = value_names(varied.name, values)
        return _Answer(
            text=ranking_answer(names, own, asked.measure, tally.trials),
            rows=rows,
            legend=legend,
            wide={},
            facts={
                "over": varied.name,
                "for": asked.measure,
                "best": values[peak],
                "plateau": [values[k] for k in own.leaders],
                "value": float(own.values[peak]),
                "value_error": float(own.errors[peak]),
                "chance": chance,
                "trials": tally.trials,
                "points": dict(zip(map(str, values), means, strict=True)),
            },
            figure=partial(
                best_figure, values, tally, asked.index, fine, curve, varied.name, asked.quantity
            ),
            pairs=[(named[peak], end) for end in off],
        )  # fmt: skip

    title = describe(spec, [varied.name], cases)
    return _run_paired(run, asked, cases, answer, title, least=len(cases))


@click.command("sensitivity")
@scene_options
@option(
    "--fields",
    str,
    "NAME,...",
    "The assumptions: fields of thrower, materials and lift-off with an uncertainty.",
    default=",".join(_ASSUMPTIONS),
    shell_complete=complete_from(lambda: NUMBERS),
)
@_paired_options(200, orders=False)
def sensitivity(*, run: Run, asked: _Asked, fields: str, **options: Any) -> int:
    """Show how much each assumption changes the flips.

    Each assumption is moved by its standard uncertainty (that of --params or --scene, if one has
    it) to either side, all others stay, and the same trials are thrown. The plot is a tornado
    chart: the longest bar is worth measuring first.

    \b
    Examples:
      pucklab odds sensitivity --slammer onix --plot tornado.png
      pucklab odds sensitivity --fields restitution,friction --for p_any
    """
    run.check((options["params"], options["scene"]))
    files = [(name, options[name]) for name in ("params", "scene") if options[name] is not None]
    names = [field_of_spec(name, "fields").name for name in fields.split(",")]
    spec = spec_from_options(options, MASS_G, names)
    check_one_slammer(spec)
    asked = asked.with_measure(spec)
    measured: dict[str, float] = {}
    for name, file in files:
        measured |= uncertainties_from(read_toml(name, file))
    if "speed_mm_s" in measured:
        measured["speed_m_s"] = measured["speed_mm_s"] / 1000
    moved = _assumptions(spec, names, measured)
    (own,) = cases_of(spec)

    def answer(tally: PairedTally, _: float) -> _Answer:
        found = [swing(one.name, one.values, tally, 1 + 2 * place, asked.index)
                 for place, one in enumerate(moved)]  # fmt: skip
        found.sort(key=lambda one: abs(one.largest.value), reverse=True)
        base, units = float(tally.means(asked.index)[0]), {one.name: one.unit for one in moved}
        rows = []
        for one in found:
            low, usual, high = one.values
            ends = f"({one.per_unit_low:+.3g} to {one.per_unit_high:+.3g})"
            rows.append(
                {
                    "assumption": one.name,
                    "moved": f"{low:.4g} - {usual:.4g} - {high:.4g} {units[one.name]}".rstrip(),
                    "at the lower": _change(one.below if low < usual else None),
                    "at the upper": _change(one.above if usual < high else None),
                    "per unit": f"{one.per_unit:+.3g} {ends}",
                }
            )
        model = asked.model_range(own.study, base)
        facts = {"for": asked.measure, "base": base}
        if model is not None:
            facts |= {"model_low": model[0], "model_high": model[1]}
        return _Answer(
            text=sensitivity_answer(found, asked.measure),
            rows=rows,
            legend=f"{asked.quantity}: {base:.2f} as assumed; changes with 95 % intervals",
            wide={"per unit": ""},
            facts=[facts | asdict(one) for one in found],
            figure=partial(tornado_figure, found, base, asked.quantity, model),
        )

    cases = [
        replace(own, name="as assumed"),
        *(
            OddsCase(name=f"{one.name} {value:g}", study=end)
            for one in moved
            for value, end in zip(one.values[::2], one.ends, strict=True)
        ),
    ]
    title = f"{spec.slammers[0].name} at {describe(spec)}"
    return _run_paired(run, asked, cases, answer, title, about=[own])


@fact
class _Assumption:
    """A number with its lower, own and upper value, and the studies at the ends."""

    name: str
    unit: str
    values: tuple[float, float, float]
    ends: list[Study]


def _assumptions(
    spec: SceneSpec, names: Sequence[str], measured: Mapping[str, float]
) -> list[_Assumption]:
    """Return assumptions; measured uncertainties come first.

    Where pieces have materials of their own, restitution and friction of all of them move together,
    each to the end of its own range.

    Raises:
        InputError: A name is no field, has no uncertainty, or is given twice.
    """
    found: list[_Assumption] = []
    (study,) = (case.study for case in cases_of(spec))
    for name in names:
        varied = field_of_spec(name, "fields", spec)
        uncertainty = measured.get(varied.name, varied.uncertainty)
        if uncertainty is None:
            raise InputError(f"fields: {varied.name} has no uncertainty; 'odds --sweep' varies it")
        if any(varied.name == other.name for other in found):
            raise InputError(f"fields: {varied.name} is given twice")
        if varied.name in OF_MATERIALS and own_materials(study.scene):
            scenes = [at_end(study.scene, varied.name, side, uncertainty) for side in (-1, 1)]
            ends = [replace(study, scene=scene) for scene in scenes]
            found.append(_Assumption(name=varied.name, unit=_OF_RANGE, values=OF_RANGE, ends=ends))
            continue
        own = varied.value(spec)
        lower = max(varied.low, own - uncertainty)
        upper = min(varied.high, own + uncertainty)
        owner, number = varied.owner(spec)
        if isinstance(owner, Material):
            lower, upper = material_range(owner, number)
        if varied.name == "descent_min_deg":
            upper = min(upper, spec.parameters.thrower.descent_max_deg)
        if varied.name == "descent_max_deg":
            lower = max(lower, spec.parameters.thrower.descent_min_deg)
        lower, upper = round(lower, 9), round(upper, 9)
        ends = [own.study for x in (lower, upper) for own in cases_of(with_field(spec, varied, x))]
        values = (lower, own, upper)
        found.append(_Assumption(name=varied.name, unit=varied.unit, values=values, ends=ends))
    return found


def _change(found: Difference | None) -> str:
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})" if found else ""
