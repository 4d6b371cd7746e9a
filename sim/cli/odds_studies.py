"""Commands below ``pucklab odds``: comparisons, best values, sensitivities.

All throw the same trials in several cases (`PAIRED_ODDS`), and differ in their cases and in the
answer that they draw from the sums.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np

from calibration.parameter_files import uncertainties_from
from physics.errors import InputError, check_number
from physics.facts import fact
from render.plots.figures import save_plot
from render.plots.studies import best_figure, differences_figure, tornado_figure
from sim.cli.experiments import Check, Run, experiment_options
from sim.cli.merge import command as merge
from sim.cli.odds import (
    Order,
    ends_option,
    print_answer,
    seconds_option,
    thrower_option,
    wide_option,
    z_of,
)
from sim.cli.options import PATH, choice, completed, count, numbers, option, refuse_options
from sim.cli.scene_options import scene_options, spec_from_options
from sim.core.files import read_toml
from sim.experiments import Case, ResultTable, StopRule
from sim.experiments.columns import Column
from sim.experiments.estimates import Z_DECIDED
from sim.experiments.paired import (
    BestValue,
    Difference,
    PairedCounts,
    PairedTally,
    Swing,
    best_value,
    difference,
    paired_tally,
    swing,
)
from sim.experiments.stopping import FIRST_LOOK
from sim.odds import PAIRED_ODDS, Study, model_ranges, odds_cases
from sim.odds.answers import (
    belief,
    best_answer,
    certainty,
    comparison,
    rounded,
    scene_line,
    sensitivity_answer,
)
from sim.odds.assumptions import OF_MATERIALS, at_end, own_materials
from sim.odds.study import MEASURES
from sim.scenes import (
    SceneSpec,
    SpecField,
    describe,
    field_of_spec,
    spec_fields,
    studies_of,
    with_field,
)

__all__ = ["best", "compare", "merge", "sensitivity"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

_DEFAULT_MASS_G = (8.0,)
"""The slammer if none is named and one is needed: the middle one of the PuckDex."""

_ASSUMPTIONS = ("restitution", "friction", "hysteresis", "speed_m_s", "aim_sd_mm", "tilt_sd_deg")

_OF_RANGE = "of its range"
"""Unit of a number of several materials, from -1 to 1."""


def _paired_options(trials: int) -> Callable[[_Function], _Function]:
    """Return the options of a paired run, with so many throws per case by default."""
    common = experiment_options(
        default=trials,
        least=2,
        about="Throws, each of them in every case.",
        plot="Plot the answer (.png, .svg or .pdf).",
    )
    measure = option(
        "--for measure",
        choice(*MEASURES),
        "NAME",
        "The aim: flips, p_any (at least one flip) or flips-minus-out (less pucks out).",
        default="flips",
    )
    return lambda function: common(measure(thrower_option(wide_option(function))))


def _tally(table: ResultTable[PairedCounts]) -> PairedTally:
    return paired_tally(table.tallies())


def _is_enough(least: int) -> Callable[[ResultTable[PairedCounts]], bool]:
    """Return a test for more than so many trials."""
    return lambda table: table.is_complete and table.tallies()[0].trials > least


def _timed(
    run: Run,
    seconds: float | None,
    decided: Callable[[Sequence[PairedCounts]], bool] | None = None,
) -> StopRule | None:
    """Return the rule of ``--max-seconds``, which takes the place of ``--trials``."""
    if seconds is None:
        return None
    refuse_options({"trials"}, "--max-seconds")
    run.trials = FIRST_LOOK
    return StopRule(max_seconds=seconds, decided=decided)


@fact
class _Compared:
    """A case of a comparison; the first one has no difference."""

    mean: float
    found: Difference | None


_COMPARED = (
    Column(name="mean", heading="mean", value=lambda case: case.mean),
    Column(
        name="value",
        heading="difference",
        value=lambda case: _change(case.found),
        legend="difference: the first case less it (95 % interval)",
    ),
    Column(
        name="better",
        heading="sure",
        value=lambda case: certainty(case.found.better).rpartition(": ")[2] if case.found else "",
    ),
    Column(
        name="needed",
        heading="throws to tell",
        value=lambda case: rounded(case.found.needed or 0) if case.found else "",
        legend="throws to tell: show it in 4 runs of 5",
    ),
    Column(
        name="wins",
        heading="flips more, fewer",
        value=lambda case: f"{case.found.wins:.0%}, {case.found.losses:.0%}" if case.found else "",
        legend="flips more, fewer: shares of throws in which the first case does",
        is_wide=True,
    ),
    Column(
        name="factor",
        heading="worth",
        value=lambda case: f"{case.found.factor:.1f}" if case.found else "",
        legend="worth: unpaired throws that equal one of these",
        is_wide=True,
    ),
)


@click.command("compare")
@scene_options
@option(
    "--against",
    PATH,
    "FILE",
    "Second scene file (TOML): compare the scenes, with the same slammers.",
)
@seconds_option
@ends_option
@_paired_options(400)
def compare(
    *,
    run: Run,
    measure: str,
    against: Path | None,
    max_seconds: float | None,
    assumption_throws: int,
    any_thrower: bool,
    wide: bool,
    **options: Any,
) -> int:
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
    specs = _specs(options, against)
    alike = _alike(specs)
    spec, names = specs[0][1], [_joined(own) for own in alike.values()]
    studies, index = list(alike), list(MEASURES).index(measure)

    def compared(counts: Sequence[PairedCounts], z: float) -> list[Difference]:
        tally = paired_tally(counts)
        return [difference(tally, 0, other, index, z) for other in range(1, len(names))]

    def differences(table: ResultTable[PairedCounts]) -> list[Difference]:
        return compared(table.tallies(), z_of(table))

    order = Order(throws=assumption_throws, measure=index, max_seconds=max_seconds)

    def check(table: ResultTable[PairedCounts]) -> Check | None:
        first, *others = zip(names, studies, strict=True)
        found = differences(table) if _is_enough(1)(table) else []
        clear = [(first, own, one.value > 0) for own, one in zip(others, found, strict=False)
                 if one.is_clear]  # fmt: skip
        return order.check([(a, b) if is_up else (b, a) for a, b, is_up in clear])

    rule = _timed(
        run, max_seconds, lambda counts: all(one.is_clear for one in compared(counts, Z_DECIDED))
    )
    result = run.collect(PAIRED_ODDS, odds_cases(names, studies), rule, check)

    def plot(path: Path, table: ResultTable[PairedCounts]) -> None:
        found = differences(table)
        clear = [one.value for one in found if one.is_clear]
        ends = {
            value: [math.copysign(1, value) * end for end in own]
            for value, own in zip(clear, order.ends(result.check), strict=False)
        }
        words = {"title": describe(spec), "quantity": MEASURES[measure]}
        save_plot(path, differences_figure, names, found, ends, **words)

    def as_json(table: ResultTable[PairedCounts]) -> str:
        rows = [
            {"first": names[0], "second": name, "for": measure, **asdict(one)}
            for name, one in zip(names[1:], differences(table), strict=True)
        ]
        return json.dumps(rows, indent=2)

    def show(table: ResultTable[PairedCounts]) -> None:
        found, means = differences(table), _tally(table).means(index).tolist()
        answer = comparison(names, means, found, measure)
        answer += order.clause(result.check, names_pairs=len(names) > 2)
        cases = [_Compared(mean=mean, found=one)
                 for mean, one in zip(means, [None, *found], strict=True)]  # fmt: skip
        columns = [column for column in _COMPARED if wide or not column.is_wide]
        rows = [{"case": name} | {column.heading: column.text(case) for column in columns}
                for name, case in zip(names, cases, strict=True)]  # fmt: skip
        title = f"{describe(spec)}; {MEASURES[measure]}"
        legend = "; ".join(column.legend for column in columns if column.legend)
        scene = scene_line(title, studies, [found[0].trials])
        print_answer(answer, scene, rows, legend, belief(studies, thrower=any_thrower))

    return result.finish(show, json=as_json, plot=plot, is_enough=_is_enough(1))


def _specs(options: dict[str, Any], against: Path | None) -> list[tuple[str, SceneSpec]]:
    """Return the scenes to compare, with what their names say about where they are."""
    seen = dict(options)
    spec = spec_from_options(options, (4.0, 8.0, 20.0) if against is None else _DEFAULT_MASS_G)
    specs = [("", spec)]
    if against is not None:
        other = spec_from_options(seen | {"scene": against}, _DEFAULT_MASS_G)
        specs = [
            (f" in {seen['scene'].name if seen['scene'] else 'the first scene'}", spec),
            (f" in {against.name}", other),
        ]
    return specs


def _alike(specs: Sequence[tuple[str, SceneSpec]]) -> dict[Study, list[str]]:
    """Return the studies to compare with the names of their slammers.

    Raises:
        InputError: There is nothing to compare.
    """
    # Slammers of the same mass and size in the same scene have the same odds: they are one case.
    alike: dict[Study, list[str]] = {}
    for where, one in specs:
        for named, study in zip(one.slammers, studies_of(one), strict=True):
            alike.setdefault(study, []).append(f"{named.name}{where}")
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
    return alike


def _joined(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are.

    Example:
        >>> _joined(["Onix"]), _joined(["Onix", "Golem", "Mew"])
        ('Onix', 'Onix (+2)')
    """
    return names[0] + (f" (+{len(names) - 1})" if len(names) > 1 else "")


@click.command("best")
@scene_options
@option(
    "--over",
    str,
    "FIELD",
    "The number to choose: slammer_g, thickness_mm, speed_m_s, aim_sd_mm and others.",
    required=True,
    shell_complete=completed(spec_fields),
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
@seconds_option
@ends_option
@_paired_options(120)
def best(
    *,
    run: Run,
    measure: str,
    over: str,
    ends: tuple[float, float] | None,
    points: int,
    max_seconds: float | None,
    assumption_throws: int,
    any_thrower: bool,
    wide: bool,
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
    spec = _one_slammer(spec_from_options(options, _DEFAULT_MASS_G, [name]))
    varied = field_of_spec(over, "over", spec)
    values = _grid(varied, ends or _usual_range(varied, spec), points)
    cases = _cases(spec, varied, values)
    studies, index = [case.subject for case in cases], list(MEASURES).index(measure)
    title = describe(spec, [varied.name], studies)
    named = [
        (f"{value:.3g} {varied.unit}".rstrip(), study)
        for value, study in zip(values, studies, strict=True)
    ]
    enough = _is_enough(len(cases))
    order = Order(throws=assumption_throws, measure=index, max_seconds=max_seconds)

    def found(table: ResultTable[PairedCounts]) -> BestValue:
        return best_value(values, _tally(table), index, np.random.default_rng([run.seed, 0]))

    def check(table: ResultTable[PairedCounts]) -> Check | None:
        """Return throws at the best value and at the ends off the plateau."""
        if not enough(table):
            return None
        best = found(table)
        off = [k for k in (0, len(values) - 1) if k not in best.plateau]
        return order.check([(named[values.index(best.x)], named[k]) for k in off])

    # Half of the time is for the order.
    rule = _timed(run, max_seconds and max_seconds / 2)
    result = run.collect(PAIRED_ODDS, cases, rule, check)

    def plot(path: Path, table: ResultTable[PairedCounts]) -> None:
        save_plot(
            path,
            best_figure,
            values,
            _tally(table),
            index,
            found(table),
            name=varied.name,
            title=title,
            quantity=MEASURES[measure],
            models=[
                _model_range(study, measure, mean)
                for study, mean in zip(studies, _tally(table).means(index), strict=True)
            ],
        )

    def as_json(table: ResultTable[PairedCounts]) -> str:
        best, tally = found(table), _tally(table)
        facts = {
            "over": varied.name,
            "for": measure,
            "best": best.x,
            "plateau": [values[k] for k in best.plateau],
            "value": best.y,
            "value_low": best.y_low,
            "value_error": best.y_error,
            "degree": best.degree,
            "fit": best.fit,
            "trials": tally.trials,
            "points": dict(zip(map(str, values), tally.means(index).tolist(), strict=True)),
        }
        return json.dumps(facts, indent=2)

    def show(table: ResultTable[PairedCounts]) -> None:
        best, tally = found(table), _tally(table)
        answer = best_answer(varied.name, values, best, measure)
        means, variances = tally.means(index), tally.covariance(index).diagonal()
        rows = [
            {
                varied.name: f"{value:.4g}",
                measure: f"{mean:.2f} ± {(variance / tally.trials) ** 0.5:.2f}",
                **({"curve": f"{curve:.2f}"} if wide else {}),
                "best": "*" if k in best.plateau else "",
            }
            for k, (value, mean, variance, curve) in enumerate(
                zip(values, means, variances, best.heights, strict=True)
            )
        ]
        legend = f"{measure}: ± standard error; *: no other value is surely better"
        if beyond := _beyond(varied, values, best):
            end = beyond[0] if len(beyond) == 1 else "either end"
            legend += f"; a better one may lie beyond {end}"
        if wide:
            legend += f"; curve: a polynomial of degree {best.degree} (misfit: p = {best.fit:.2f})"
        scene = scene_line(title, studies, [tally.trials])
        below = legend, belief(studies, thrower=any_thrower)
        print_answer(answer + order.clause(result.check), scene, rows, *below)

    return result.finish(show, json=as_json, plot=plot, is_enough=enough)


def _one_slammer(spec: SceneSpec) -> SceneSpec:
    """Refuse several slammers, where there is an answer for one.

    Raises:
        InputError: There are several.
    """
    if len(spec.slammers) > 1:
        raise InputError(f"slammer: {len(spec.slammers)} are not accepted here; give one")
    return spec


def _usual_range(varied: SpecField, spec: SceneSpec) -> tuple[float, float]:
    """Return all values accepted; of a piece of one's own make, half its own to double."""
    if varied.own != (varied.low, varied.high):
        return varied.low, varied.high
    own = varied.value(spec)
    return max(varied.low, own / 2), min(varied.high, own * 2)


def _grid(varied: SpecField, ends: tuple[float, float], points: int) -> list[float]:
    """Return the values to throw at.

    Raises:
        InputError: The range is empty, or not accepted for the field.
    """
    low, high = ends
    for end in (low, high):
        check_number("range", end, varied.low, varied.high, unit=varied.unit)
    if low >= high:
        raise InputError(f"range: {low:g},{high:g} is an empty range; give the lower end first")
    values = [round(low + (high - low) * k / (points - 1), 9) for k in range(points)]
    if varied.is_whole:
        values = sorted({float(round(value)) for value in values})
    if len(values) < 5:
        raise InputError(f"range: {low:g},{high:g} has fewer than 5 values of {varied.name}")
    return values


def _cases(spec: SceneSpec, varied: SpecField, values: Sequence[float]) -> list[Case[Study]]:
    studies = []
    for value in values:
        try:
            (study,) = studies_of(with_field(spec, varied, value))
        except InputError as error:
            raise InputError(f"over: {str(error).removeprefix('scene: ')}") from None
        studies.append(study)
    return odds_cases([f"{varied.name} {value:g}" for value in values], studies)


def _beyond(varied: SpecField, values: Sequence[float], found: BestValue) -> list[str]:
    """Return the ends of the range that the plateau reaches, and what they are."""
    least, most = varied.official or (varied.low, varied.high)
    words = ("lightest", "heaviest") if varied.unit == "g" else ("smallest", "largest")
    allowed = "the rules allow" if varied.official else "accepted"
    ends = []
    for k, limit, word, edge in ((0, least, words[0], "begins"), (-1, most, words[1], "ends")):
        if range(len(values))[k] in found.plateau:
            why = f"the {word} {allowed}" if values[k] == limit else f"where the range {edge}"
            ends.append(f"{f'{values[k]:g} {varied.unit}'.rstrip()}, {why}")
    return ends


@click.command("sensitivity")
@scene_options
@option(
    "--fields",
    str,
    "NAME,...",
    "The assumptions: fields of thrower, materials and lift-off with an uncertainty.",
    default=",".join(_ASSUMPTIONS),
    shell_complete=completed(spec_fields),
)
@_paired_options(200)
def sensitivity(
    *, run: Run, measure: str, fields: str, any_thrower: bool, wide: bool, **options: Any
) -> int:
    """Show how much each assumption changes the flips.

    Each assumption is moved by its standard uncertainty (that of --params, if it has one) to
    either side, all others stay, and the same trials are thrown. The plot is a tornado chart: the
    longest bar is worth measuring first.

    \b
    Examples:
      pucklab odds sensitivity --slammer onix --plot tornado.png
      pucklab odds sensitivity --fields restitution,friction --for p_any
    """
    run.check((options["params"], options["scene"]))
    measured: dict[str, float] = {}
    if options["params"] is not None:
        measured = uncertainties_from(read_toml("params", options["params"]))
        if "speed_mm_s" in measured:
            measured["speed_m_s"] = measured["speed_mm_s"] / 1000
    names = [field_of_spec(name, "fields").name for name in fields.split(",")]
    spec = _one_slammer(spec_from_options(options, _DEFAULT_MASS_G, names))
    moved = _assumptions(spec, names, measured)
    (own,) = studies_of(spec)
    cases = odds_cases(
        ["as assumed", *(f"{one.name} {value:g}" for one in moved for value in one.values[::2])],
        [own, *(end for one in moved for end in one.ends)],
    )
    result = run.collect(PAIRED_ODDS, cases)
    index = list(MEASURES).index(measure)

    def swings(table: ResultTable[PairedCounts]) -> list[Swing]:
        tally = _tally(table)
        found = [
            swing(one.name, one.values, tally, 1 + 2 * place, index)
            for place, one in enumerate(moved)
        ]
        return sorted(found, key=lambda one: abs(one.largest.value), reverse=True)

    def base(table: ResultTable[PairedCounts]) -> float:
        return float(_tally(table).means(index)[0])

    def plot(path: Path, table: ResultTable[PairedCounts]) -> None:
        save_plot(
            path,
            tornado_figure,
            swings(table),
            base(table),
            title=describe(spec),
            quantity=MEASURES[measure],
            model=_model_range(own, measure, base(table)),
        )

    def as_json(table: ResultTable[PairedCounts]) -> str:
        model = _model_range(own, measure, base(table))
        ends = {} if model is None else {"model_low": model[0], "model_high": model[1]}
        facts = {"for": measure, "base": base(table), **ends}
        return json.dumps([facts | asdict(one) for one in swings(table)], indent=2)

    def show(table: ResultTable[PairedCounts]) -> None:
        units = {one.name: one.unit for one in moved}
        rows = []
        for one in swings(table):
            moves = " - ".join(f"{value:.4g}" for value in one.values)
            per_unit = (one.per_unit, one.per_unit_low, one.per_unit_high)
            value, low, high = (f"{number:+.3g}" for number in per_unit)
            rows.append(
                {
                    "assumption": one.name,
                    "moved": f"{moves} {units[one.name]}".rstrip(),
                    "at the lower": _change(one.below) if one.values[0] < one.values[1] else "",
                    "at the upper": _change(one.above) if one.values[1] < one.values[2] else "",
                    **({"per unit": f"{value} ({low} to {high})"} if wide else {}),
                }
            )
        title = (
            f"{spec.slammers[0].name} at {describe(spec)}, {base(table):.2f} {MEASURES[measure]}"
        )
        legend = "change at one standard uncertainty lower and higher; 95 % intervals"
        scene = scene_line(title, [own], [_tally(table).trials])
        below = legend, belief([own], thrower=any_thrower)
        print_answer(sensitivity_answer(swings(table), measure), scene, rows, *below)

    return result.finish(show, json=as_json, plot=plot, is_enough=_is_enough(1))


def _model_range(study: Study, measure: str, base: float) -> tuple[float, float] | None:
    """Return the ends of a measure's range because the model is unsure; None if not known."""
    ranges = model_ranges(study)
    if measure == "flips" and "flips" in ranges:
        return ranges["flips"].around(base)
    if measure == "p_any" and "any_flip" in ranges:
        return ranges["any_flip"].around_chance(base)
    return None


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
    (study,) = studies_of(spec)
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
            found.append(
                _Assumption(name=varied.name, unit=_OF_RANGE, values=(-1.0, 0.0, 1.0), ends=ends)
            )
            continue
        own = varied.value(spec)
        lower = max(varied.low, own - uncertainty)
        upper = min(varied.high, own + uncertainty)
        if varied.span is not None:
            lower, upper = varied.span(spec)
        if varied.name == "descent_min_deg":
            upper = min(upper, spec.parameters.thrower.descent_max_deg)
        if varied.name == "descent_max_deg":
            lower = max(lower, spec.parameters.thrower.descent_min_deg)
        lower, upper = round(lower, 9), round(upper, 9)
        ends = [own for x in (lower, upper) for own in studies_of(with_field(spec, varied, x))]
        values = (lower, own, upper)
        found.append(_Assumption(name=varied.name, unit=varied.unit, values=values, ends=ends))
    return found


def _change(found: Difference | None) -> str:
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})" if found else ""
