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
from sim.cli.odds import Order, print_belief
from sim.cli.options import PATH, choice, completed, count, numbers, option, refuse_options
from sim.cli.output import print_stacked, table_console
from sim.cli.scene_options import scene_options, spec_from_options
from sim.core.files import read_toml
from sim.experiments import Case, ResultTable
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
from sim.odds import PAIRED_ODDS, Study, model_ranges, odds_cases
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

_WIDTH = 120
_DEFAULT_MASS_G = (8.0,)
"""The slammer if none is named and one is needed: the middle one of the PuckDex."""

_ASSUMPTIONS = ("restitution", "friction", "speed_m_s", "aim_sd_mm", "tilt_sd_deg")
_QUANTITIES = {
    "flips": "pucks flipped per throw",
    "p_any": "chance of a flip",
    "flips-minus-out": "pucks flipped less pucks out per throw",
}


_CHECK = "Throws at each end of each assumption, to see whether the order holds; 0 for none."


def _paired_options(trials: int, check: str | None = None) -> Callable[[_Function], _Function]:
    """Return the options of a paired run, with so many throws per case by default.

    Args:
        trials: So many.
        check: Help of the option for throws that check the answer; None if there is none.
    """
    common = experiment_options(
        default=trials,
        least=2,
        about="Throws, each of them in every case.",
        plot="Plot the answer (.png, .svg or .pdf).",
        checks=50,
        check=check,
    )
    measure = option(
        "--for measure",
        choice(*MEASURES),
        "NAME",
        "The aim: flips, p_any (at least one flip) or flips-minus-out (less pucks out).",
        default="flips",
    )
    return lambda function: common(measure(function))


def _tally(table: ResultTable[PairedCounts]) -> PairedTally:
    return paired_tally(table.tallies())


def _is_enough(least: int) -> Callable[[ResultTable[PairedCounts]], bool]:
    """Return a test for more than so many trials."""
    return lambda table: table.is_complete and table.tallies()[0].trials > least


@click.command("compare")
@scene_options
@option(
    "--against",
    PATH,
    "FILE",
    "Second scene file (TOML): compare the scenes, with the same slammers.",
)
@_paired_options(1000, _CHECK)
def compare(*, run: Run, measure: str, against: Path | None, **options: Any) -> int:
    """Estimate which of two or more slammers or scenes is better, and how surely.

    The first one is compared with each of the others. All are thrown the same way in the same
    trial, so that luck is shared: the table says how many unpaired throws each throw is worth.

    \b
    Examples:
      pucklab odds compare --slammer onix,pikachu
      pucklab odds compare --slammer-g 4,8,20 --for flips-minus-out --trials 3000
    """
    run.check((options["params"], options["scene"], against))
    specs = _specs(options, against)
    alike = _alike(specs)
    spec, names = specs[0][1], [_joined(own) for own in alike.values()]
    studies, index = list(alike), MEASURES.index(measure)
    cases = odds_cases(names, studies)

    def differences(table: ResultTable[PairedCounts]) -> list[Difference]:
        return [difference(_tally(table), 0, other, index) for other in range(1, len(names))]

    cases_named, order = list(zip(names, studies, strict=True)), Order(measure=index)

    def checks(table: ResultTable[PairedCounts]) -> list[Check]:
        first, *others = cases_named
        found = differences(table)
        clear = [(first, own, one.value > 0) for own, one in zip(others, found, strict=True)
                 if one.is_clear]  # fmt: skip
        return order.checks([(a, b) if is_up else (b, a) for a, b, is_up in clear])

    result = run.collect(PAIRED_ODDS, cases, then=checks)

    def plot(path: Path, table: ResultTable[PairedCounts]) -> None:
        quantity, found = _QUANTITIES[measure], differences(table)
        clear = [one.value for one in found if one.is_clear]
        ends = {
            value: [math.copysign(1, value) * end for end in own]
            for value, own in zip(clear, order.ends(result.checks), strict=False)
        }
        title = describe(spec)
        save_plot(path, differences_figure, names, found, ends, title=title, quantity=quantity)

    def as_json(table: ResultTable[PairedCounts]) -> str:
        rows = [
            {"first": names[0], "second": name, "for": measure, **asdict(one)}
            for name, one in zip(names[1:], differences(table), strict=True)
        ]
        return json.dumps(rows, indent=2)

    def show(table: ResultTable[PairedCounts]) -> None:
        _print_differences(names, differences(table), _tally(table), measure, describe(spec))
        print_belief(studies, order.sentences(result.checks))

    return result.finish(
        show,
        json=as_json,
        plot=plot,
        is_enough=_is_enough(1),
    )


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


def _print_differences(
    names: Sequence[str],
    found: Sequence[Difference],
    tally: PairedTally,
    measure: str,
    title: str,
) -> None:
    first = names[0]
    for name, one in zip(names[1:], found, strict=True):
        click.echo(_verdict(first, name, one))
    console = table_console(_WIDTH)
    console.print(f"{title}; {tally.trials} throws in each; {_QUANTITIES[measure]}:")
    means = tally.means(MEASURES.index(measure))
    rows = [
        {
            "case": name,
            "mean": f"{means[index]:.3f}",
            f"{first} less it": f"{one.value:+.3f} ({one.low:+.3f} to {one.high:+.3f})",
            "P(it is worse)": _surely(one.better),
            "flips more, fewer": f"{one.wins:.0%}, {one.losses:.0%}",
            "throws to tell": "-" if one.needed is None else str(one.needed),
            "worth": f"{one.factor:.1f}",
        }
        for index, (name, one) in enumerate(zip(names[1:], found, strict=True), start=1)
    ]
    print_stacked(console, rows)
    console.print(
        f"mean of {first}: {means[0]:.3f}; intervals are of 95 %; flips more, fewer: share of "
        f"throws in which {first} flips more pucks, and fewer; throws to tell: throws that show "
        "such a difference in 4 runs of 5; worth: unpaired throws that equal one of these.",
        style="dim",
    )


def _verdict(first: str, second: str, found: Difference) -> str:
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
@_paired_options(300, _CHECK)
def best(
    *,
    run: Run,
    measure: str,
    over: str,
    ends: tuple[float, float] | None,
    points: int,
    **options: Any,
) -> int:
    """Find the best value of a number, such as the slammer's mass.

    The same trials are thrown at several values, and a smooth curve is fitted to them. The answer
    is its plateau: all values that no other one exceeds by more than the error. If that reaches
    an end of the range, the best value may lie beyond.

    \b
    Examples:
      pucklab odds best --over slammer_g --speed-m-s 4
      pucklab odds best --over slammer_g --for flips-minus-out --plot best.png
      pucklab odds best --over descent_max_deg --range 5,60 --slammer onix
    """
    run.check((options["params"], options["scene"]))
    if field_of_spec(over, "over").name == "slammer_g":
        refuse_options({"slammer", "slammer_g"}, "--over slammer_g")
    spec = _one_slammer(spec_from_options(options, _DEFAULT_MASS_G))
    varied = field_of_spec(over, "over", spec)
    values = _grid(varied, ends or _usual_range(varied, spec), points)
    cases = _cases(spec, varied, values)
    index = MEASURES.index(measure)
    title = describe(spec, [varied.name], [case.subject for case in cases])

    def found(table: ResultTable[PairedCounts]) -> BestValue:
        best = best_value(values, _tally(table), index, np.random.default_rng([run.seed, 0]))
        if varied.is_whole:
            low, high = math.floor(best.low), math.ceil(best.high)
            best = replace(best, x=round(best.x), low=low, high=high)
        return best

    named = [
        (f"{value:.3g} {varied.unit}".rstrip(), case.subject)
        for value, case in zip(values, cases, strict=True)
    ]
    order = Order(measure=index)

    def checks(table: ResultTable[PairedCounts]) -> list[Check]:
        """Return throws at the value nearest to the best and at the ends off the plateau."""
        if not enough(table):
            return []
        best = found(table)
        near = min(range(len(values)), key=lambda k: abs(values[k] - best.x))
        off = [named[0]] * (best.low > values[0]) + [named[-1]] * (best.high < values[-1])
        return order.checks([(named[near], end) for end in off if end != named[near]])

    enough = _is_enough(len(cases))
    result = run.collect(PAIRED_ODDS, cases, then=checks)

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
            quantity=_QUANTITIES[measure],
            models=[
                _model_range(case.subject, measure, mean)
                for case, mean in zip(cases, _tally(table).means(index), strict=True)
            ],
        )

    def as_json(table: ResultTable[PairedCounts]) -> str:
        best, tally = found(table), _tally(table)
        facts = {
            "over": varied.name,
            "for": measure,
            "best": best.x,
            "low": best.low,
            "high": best.high,
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
        _print_best(varied, values, _tally(table), found(table), measure, title)
        print_belief([case.subject for case in cases], order.sentences(result.checks))

    return result.finish(
        show,
        json=as_json,
        plot=plot,
        is_enough=enough,
    )


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


def _plateau(varied: SpecField, values: Sequence[float], found: BestValue, measure: str) -> str:
    """Return the answer in words: the values that are alike, and where a better one may lie."""
    unit = f" {varied.unit}" if varied.unit else ""
    low, high = f"{found.low:.3g}", f"{found.high:.3g}"
    means = f"{found.y_low:.2f} to {found.y:.2f} {_QUANTITIES[measure]}"
    if low == high:
        text = f"{high}{unit} ({found.y:.2f} ± {found.y_error:.2f} {_QUANTITIES[measure]})"
    else:
        text = f"{low} to {high}{unit} are alike within the error ({means})"
    least, most = varied.official or (varied.low, varied.high)
    words = ("lightest", "heaviest") if varied.unit == "g" else ("smallest", "largest")
    allowed = "the rules allow" if varied.official else "accepted"
    beyond = []
    if found.low <= values[0]:
        why = f"the {words[0]} {allowed}" if values[0] == least else "where the range begins"
        beyond.append(f"{values[0]:g}{unit}, {why}")
    if found.high >= values[-1]:
        why = f"the {words[1]} {allowed}" if values[-1] == most else "where the range ends"
        beyond.append(f"{values[-1]:g}{unit}, {why}")
    return f"{text}; the best may lie beyond {', or beyond '.join(beyond)}" if beyond else text


def _print_best(
    varied: SpecField,
    values: Sequence[float],
    tally: PairedTally,
    found: BestValue,
    measure: str,
    title: str,
) -> None:
    click.echo(f"best {varied.name}: {_plateau(varied, values, found, measure)}")
    console = table_console(_WIDTH)
    console.print(f"{title}; {tally.trials} throws at each value")
    index = MEASURES.index(measure)
    means, variances = tally.means(index), tally.covariance(index).diagonal()
    rows = [
        {
            varied.name: f"{value:.4g}",
            measure: f"{mean:.3f} ± {(variance / tally.trials) ** 0.5:.3f}",
        }
        for value, mean, variance in zip(values, means, variances, strict=True)
    ]
    print_stacked(console, rows)
    console.print(
        f"{measure}: {_QUANTITIES[measure]} ± standard error; the curve is a "
        f"polynomial of degree {found.degree} (misfit: p = {found.fit:.2f}).",
        style="dim",
    )


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
@_paired_options(500)
def sensitivity(*, run: Run, measure: str, fields: str, **options: Any) -> int:
    """Show how much each assumption changes the flips.

    Each assumption is moved by its standard uncertainty (that of --params, if it has one) to
    either side, all others stay, and the same trials are thrown. The plot is a tornado chart: the
    longest bar is worth measuring first.

    \b
    Examples:
      pucklab odds sensitivity --slammer onix --plot tornado.png
      pucklab odds sensitivity --fields restitution,strength,scatter --for p_any
    """
    run.check((options["params"], options["scene"]))
    measured: dict[str, float] = {}
    if options["params"] is not None:
        measured = uncertainties_from(read_toml("params", options["params"]))
        if "speed_mm_s" in measured:
            measured["speed_m_s"] = measured["speed_mm_s"] / 1000
    spec = _one_slammer(spec_from_options(options, _DEFAULT_MASS_G))
    moved = _assumptions(spec, fields, measured)
    (own,) = studies_of(spec)
    names, studies = ["as assumed"], [own]
    for one in moved:
        names += [f"{one.name} {value:g}" for value in (one.values[0], one.values[2])]
        studies += one.ends
    cases = odds_cases(names, studies)
    result = run.collect(PAIRED_ODDS, cases)
    index = MEASURES.index(measure)

    def swings(table: ResultTable[PairedCounts]) -> list[Swing]:
        tally = _tally(table)
        found = [
            swing(one.name, one.values, tally, 1 + 2 * place, index)
            for place, one in enumerate(moved)
        ]
        return sorted(found, key=lambda one: one.size, reverse=True)

    def base(table: ResultTable[PairedCounts]) -> float:
        return float(_tally(table).means(index)[0])

    def plot(path: Path, table: ResultTable[PairedCounts]) -> None:
        save_plot(
            path,
            tornado_figure,
            swings(table),
            base(table),
            title=describe(spec),
            quantity=_QUANTITIES[measure],
            model=_model_range(own, measure, base(table)),
        )

    def as_json(table: ResultTable[PairedCounts]) -> str:
        model = _model_range(own, measure, base(table))
        ends = {} if model is None else {"model_low": model[0], "model_high": model[1]}
        facts = {"for": measure, "base": base(table), **ends}
        return json.dumps([facts | asdict(one) for one in swings(table)], indent=2)

    def show(table: ResultTable[PairedCounts]) -> None:
        units = {one.name: one.unit for one in moved}
        _print_swings(swings(table), units, _tally(table), measure, spec)
        print_belief([own], hint="")

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


def _assumptions(spec: SceneSpec, text: str, measured: Mapping[str, float]) -> list[_Assumption]:
    """Return assumptions; measured uncertainties come first.

    Where pieces have materials of their own, restitution and friction of all of them move together,
    each to the end of its own range.

    Raises:
        InputError: A name is no field, has no uncertainty, or is given twice.
    """
    found: list[_Assumption] = []
    (study,) = studies_of(spec)
    for name in text.split(","):
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
                _Assumption(
                    name=varied.name, unit="of its range", values=(-1.0, 0.0, 1.0), ends=ends
                )
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


def _print_swings(
    swings: Sequence[Swing],
    units: Mapping[str, str],
    tally: PairedTally,
    measure: str,
    spec: SceneSpec,
) -> None:
    quantity, base = _QUANTITIES[measure], float(tally.means(MEASURES.index(measure))[0])
    largest = swings[0]
    click.echo(f"{largest.name} matters most: it changes {quantity} by up to {largest.size:.2f}")
    console = table_console(_WIDTH)
    slammer = spec.slammers[0].name
    console.print(f"{slammer} at {describe(spec)}; {tally.trials} throws in each case")
    rows = []
    for one in swings:
        low, own, high = one.values
        unit = units[one.name]
        rows.append(
            {
                "assumption": one.name,
                "moved": f"{low:.4g} - {own:.4g} - {high:.4g}" + (f" {unit}" if unit else ""),
                "at the lower": _change(one.below),
                "at the upper": _change(one.above),
                f"{measure} per unit": f"{one.per_unit:+.3g} ({one.per_unit_low:+.3g} to "
                f"{one.per_unit_high:+.3g})",
            }
        )
    print_stacked(console, rows, left=("moved",))
    console.print(
        f"as assumed: {base:.2f} {quantity}; at the lower, upper: change of that when the "
        "assumption is one standard uncertainty lower, or higher; intervals are of 95 %.",
        style="dim",
    )


def _change(found: Difference) -> str:
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})"
