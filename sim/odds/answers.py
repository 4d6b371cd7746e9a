"""Odds in words: the answer of a study in one sentence, its scene, and its limits.

Every command of odds and every page begins with such a sentence. `certainty` says how likely more
throws are to give the same answer; `belief` how far real pucks may differ. Sentences have no full
stop until `sentence` sets it, so that a clause may follow.

- One case: `single_answer`, "8 g flips 1.36 pucks a throw (95 % sure: 1.28 to 1.44)".
- Several: `ranking_answer`, "12 g flips most", or "From 8 g on no difference that 200 throws can
  see". `odds` and `odds best` say it.
- One against others: `comparison_answer`.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from pucklab.base.facts import fact
from pucklab.physics.pieces import has_usual_make
from pucklab.physics.tally import SlamCounts, mean_of
from pucklab.sim.experiments.curve import COMMON_LUCK, Curve, fit_curve, number_distances
from pucklab.sim.experiments.paired import Difference, Swing
from pucklab.sim.odds.assumptions import OF_RANGE, list_names
from pucklab.sim.odds.model_ranges import model_parts, model_ranges
from pucklab.sim.odds.study import (
    KNOCK_OUT_COLUMNS,
    KNOCKED_OUT,
    ODDS,
    WON,
    OddsCase,
    OddsRow,
    Study,
    flips_half_width,
    odds_of,
)
from pucklab.sim.scene.fields import FIELDS

_TOLD, _SURE = 0.9, 0.95
"""Probability from which one case is said to be better, and one that no two of a plateau reach."""

_EQUAL = 1e-9
"""Difference of two means that rounding may make."""

_MANY = 100_000
"""Throws that nobody makes for an answer."""

_MOST_NAMES = 4
"""Cases that a sentence names; of more, the number of the rest."""

_VERBS = {
    "flips": ("flips", "flip"),
    "p_any": ("flips something", "flip something"),
    "knock_out": ("knocks the slammer out", "knock the slammer out"),
    "flips-minus-out": ("nets", "net"),
}
"""The verb of one case, and of several."""

_NOTHING = {
    "flips": ("flips nothing", "flip nothing"),
    "knock_out": ("knocks nothing out", "knock nothing out"),
}

_MOVES = {
    "flips": ("flips a throw", "rise", "fall"),
    "p_any": ("the chance of a flip", "rises", "falls"),
    "knock_out": ("the chance of a knock-out", "rises", "falls"),
    "flips-minus-out": ("flips less pucks out", "rise", "fall"),
}


def _is_chance(measure: str) -> bool:
    return measure in ("p_any", "knock_out")


def _degrees(measure: str) -> tuple[str, str, str, str]:
    """Return the words for more, less, as much and most."""
    if _is_chance(measure):
        return "more often", "less often", "as often as", "most often"
    return "more", "fewer", "as many as", "most"


def level(value: float, measure: str) -> str:
    """Return a mean in words.

    Example:
        >>> level(1.306, "flips"), level(0.634, "p_any")
        ('1.31 pucks a throw', 'in 63 % of throws')
    """
    if _is_chance(measure):
        return f"in {100 * value:.0f} % of throws"
    return f"{value:.2f} pucks a throw"


def certainty(chance: float) -> str:
    """Return the certainty that one of two is better, in words.

    Args:
        chance: Probability that the first is, from 0 to 1; the words are about the likelier one.

    Example:
        >>> certainty(0.97), certainty(0.004), certainty(0.7)
        ('probably: 97 %', 'surely: over 99 %', 'perhaps: 70 %')
    """
    chance = max(chance, 1 - chance)
    if chance > 0.995:
        return "surely: over 99 %"
    word = "surely" if chance >= 0.975 else "probably" if chance >= 0.8 else "perhaps"
    return f"{word}: {100 * chance:.0f} %"


def _throws(number: int) -> str:
    return "1 throw" if number == 1 else f"{number:,} throws"


def sentence(answer: str) -> str:
    """Return an answer with its capital letter and full stop."""
    return f"{answer[:1].upper()}{answer[1:]}."


def more_than(value: float, other: float, measure: str) -> str:
    """Return the difference of a mean from another in words: how much more or less.

    Example:
        >>> more_than(1.06, 1.0, "flips"), more_than(0.2, 0.5, "p_any")
        ('6 % more than', '60 % less often than')
        >>> more_than(3.0, 1.0, "flips"), more_than(-0.2, 0.5, "flips-minus-out")
        ('3.0 times as many as', '0.70 fewer pucks a throw than')
        >>> more_than(0.0, 0.0, "knock_out"), more_than(0.0, 0.0, "flips-minus-out")
        ('as often as', 'as many as')
    """
    more, fewer, as_many, _ = _degrees(measure)
    if abs(value - other) < _EQUAL:
        return as_many
    direction = more if value > other else fewer
    if measure == "flips-minus-out" or other <= 0:  # may be below zero: no share of it
        pucks = f"{abs(value - other):.2f} {direction} pucks a throw"
        return f"{direction if 'often' in more else pucks} than"
    if value >= 2 * other:
        return f"{value / other:.1f} times {as_many}"
    percent = f"{100 * abs(value / other - 1):.0f}"
    return as_many if percent == "0" else f"{percent} % {direction} than"


def field_words(name: str) -> tuple[str, str]:
    """Return the name of a scene's number in words, and its unit.

    Example:
        >>> field_words("speed_m_s"), field_words("restitution"), field_words("aim_sd_mm")
        (('speed', 'm/s'), ('restitution', ''), ('aim spread', 'mm'))
    """
    unit = FIELDS[name].unit
    words = name.removesuffix(f"_{unit.replace('/', '_').lower()}").replace("_", " ")
    for end, begin in ((" max", "largest "), (" min", "smallest ")):
        words = begin + words.removesuffix(end) if words.endswith(end) else words
    return words.replace(" sd", " spread"), unit


@fact
class Names:
    """Names of cases: of slammers, or the values of a number that varies.

    Example:
        >>> masses = Names(of=("4", "8", "12", "20"), unit="g", is_run=True)
        >>> masses.subject(1), masses.subject(0, 2), masses.subject(0, 1, 2)
        ('8 g', '4 and 12 g', '4 to 12 g')
        >>> masses.span([1, 2, 3]), masses.span([1, 3]), masses.span([0, 1, 2, 3])
        ('from 8 g on', 'between 8 and 20 g', 'from 4 to 20 g')
        >>> speeds = Names(of=("3", "5", "7"), at="at", unit="m/s", is_run=True)
        >>> speeds.subject(0), speeds.subject(0, 2), speeds.other(1, 0), speeds.span([0, 1])
        ('at 3 m/s a throw', 'at 3 and 7 m/s throws', 'at 5 m/s', 'between 3 and 5 m/s')
    """

    of: tuple[str, ...]  # names, or values in ascending order
    at: str = ""  # stands before a value that is no slammer's, as in "at 5 m/s"
    unit: str = ""
    is_run: bool = False  # they are the values of one number

    def value(self, *own: int) -> str:
        """Return some names or values with their unit; a range for three and more in a row."""
        first, last, names = own[0], own[-1], [self.of[k] for k in own]
        if self.is_run and len(own) == last - first + 1 > 2:
            told = f"{names[0]} to {names[-1]}"
        else:
            told = list_names(names, 2 if " at " in names[0] else _MOST_NAMES)
        return f"{told} {self.unit}".rstrip()

    def other(self, own: int, beside: int) -> str:
        """Return what a case is compared with; the slammer that both share stands once."""
        stem = self.of[beside].partition(" at ")[0]
        return f"{self.at} {self.value(own)}".lstrip().removeprefix(f"{stem} ")

    def subject(self, *own: int) -> str:
        """Return the subject of a sentence on some cases."""
        if not self.at:
            return self.value(*own)
        return f"{self.at} {self.value(*own)} {'a throw' if len(own) == 1 else 'throws'}"

    def span(self, own: Sequence[int]) -> str:
        """Return where some of the cases lie."""
        first, last, end = own[0], own[-1], len(self.of) - 1
        if not self.is_run or len(own) < 3 or last - first >= len(own):
            return f"between {self.value(*own)}"
        if last == end and first > 0:
            return f"from {self.value(first)} on"
        return (
            f"up to {self.value(last)}" if first == 0 < end - last else f"from {self.value(*own)}"
        )


def group_alike(rows: Sequence[OddsRow]) -> list[list[OddsRow]]:
    """Return groups of rows that share their throws: slammers of the same mass and size."""
    groups: dict[tuple[tuple[float, ...], Study], list[OddsRow]] = {}
    for row in rows:
        groups.setdefault((tuple(row.values.values()), row.study), []).append(row)
    return list(groups.values())


def case_name(group: Sequence[OddsRow]) -> str:
    """Return a short name of rows that share their throws, with the values of swept numbers."""
    first, names = group[0], {row.name for row in group}
    name = first.name if len(names) == 1 else f"{first.study.scene.slammer.mass_g:g} g"
    swept = []
    for field, value in first.values.items():
        words, unit = field_words(field)
        told = f"{value:g} {words}" if FIELDS[field].is_whole else f"{words} {value:g} {unit}"
        swept += [told.rstrip()] * (field != "slammer_g")
    return f"{name} at {' and '.join(swept)}" if swept else name


def value_names(field: str, values: Sequence[float]) -> Names:
    """Return the names of the values of a number.

    Example:
        >>> value_names("speed_m_s", [3.0, 5.0]).subject(1)
        'at 5 m/s a throw'
        >>> value_names("pucks", [2, 3]).other(0, 1), value_names("friction", [0.3]).subject(0)
        ('with 2 pucks', 'at friction 0.3 a throw')
    """
    told, (words, unit) = tuple(f"{value:.4g}" for value in values), field_words(field)
    if FIELDS[field].is_whole:
        return Names(of=told, at="with", unit=words, is_run=True)
    at = "at" if field in ("slammer_g", "speed_m_s") else f"at {words}"
    return Names(of=told, at=at * (field != "slammer_g"), unit=unit, is_run=True)


def case_names(groups: Sequence[Sequence[OddsRow]]) -> Names:
    """Return the names of cases in their order: values of a number, if they are."""
    firsts = [group[0] for group in groups]
    fields = [*firsts[0].values]
    if not fields and all(row.name == f"{row.study.scene.slammer.mass_g:g} g" for row in firsts):
        fields, values = ["slammer_g"], [row.study.scene.slammer.mass_g for row in firsts]
    else:
        values = [row.values[fields[0]] for row in firsts] if fields else []
    if len(fields) == 1 and values == sorted(set(values)):
        return value_names(fields[0], values)
    return Names(of=tuple(case_name(group) for group in groups))


def case_distances(cases: Sequence[OddsCase]) -> npt.NDArray[np.float64]:
    """Return the distances of cases for their curve: of masses, and of numbers that vary.

    Slammers of another make, and scenes that differ in more than these numbers, are infinitely far.
    """
    numbers: list[dict[str, float]] = []
    kinds = []
    for case in cases:
        scene, slammer = case.study.scene, case.study.scene.slammer
        numbers.append({"slammer_g": slammer.mass_g} | dict(case.values))
        # The thickness of pieces of one's own follows from their mass.
        size = slammer.thickness_mm if has_usual_make(slammer) else slammer.diameter_mm
        same = replace(case.study, scene=replace(scene, slammer=cases[0].study.scene.slammer))
        kinds.append(() if case.values else (size, slammer.material, same))
    squares = sum(
        number_distances([own[name] for own in numbers], name) ** 2 for name in numbers[0]
    )
    apart = np.array([[0.0 if kind == other else math.inf for other in kinds] for kind in kinds])
    return np.asarray(np.sqrt(squares) + apart)


def _histogram(row: OddsRow) -> tuple[int, ...]:
    """Return throws by pucks flipped; by slammers knocked out of a lone one."""
    if not row.study.scene.is_knock_out:
        return row.tally.flips
    return row.tally.counted - row.tally.flips_by_place[0], row.tally.flips_by_place[0]


def odds_curve(rows: Sequence[OddsRow]) -> Curve:
    """Return the curve through the flips of cases, or through their chances of a knock-out."""
    flips = [mean_of(_histogram(row)) for row in rows]
    trials = [row.tally.counted for row in rows]
    # The error of a single throw is unknown.
    spread = np.nan_to_num([own.standard_error for own in flips]) * np.sqrt(trials)
    covariance = np.outer(spread, spread) * np.where(np.eye(len(rows)), 1.0, COMMON_LUCK)
    means, z = [own.value for own in flips], max(row.z for row in rows)
    return fit_curve(case_distances(rows), means, covariance, trials, z)


def odds_answer(rows: Sequence[OddsRow]) -> str:
    """Return how many pucks the cases flip, and which flips most, in a sentence."""
    groups = group_alike(rows)
    firsts = [group[0] for group in groups]
    measure = "knock_out" if firsts[0].study.scene.is_knock_out else "flips"
    names, trials = case_names(groups), min(row.tally.counted for row in firsts)
    if len(groups) > 1 and not any(any(_histogram(row)[1:]) for row in firsts):
        nothing = _NOTHING[measure][1]
        said = f"{names.subject(*range(len(groups)))} {nothing} in {_throws(trials)} of each"
    elif len(groups) > 1:
        said = ranking_answer(names, odds_curve(firsts), measure, trials)
    else:
        (row,), mean = firsts, mean_of(_histogram(firsts[0])).value
        half = flips_half_width(row.tally.flips, row.z)
        low, high = max(0.0, mean - half), mean + half
        if measure == "knock_out":
            chance = odds_of(row.tally, row.z).flips_by_place[0]
            low, high = chance.low, chance.high
        said = single_answer(case_name(groups[0]), mean, low, high, measure, trials)
    return said + thin_clause([row.study for row in firsts])


def thin_clause(studies: Sequence[Study]) -> str:
    """Return a clause on the thinnest slammer if it is thinner than a puck; empty otherwise."""
    scene = min((study.scene for study in studies), key=lambda one: one.slammer.thickness_mm)
    if scene.is_knock_out or scene.slammer.thickness_mm >= scene.stack[-1].thickness_mm:
        return ""
    size = f"{scene.slammer.thickness_mm:.2g} mm, thinner than a puck"
    return f"; a slammer of {scene.slammer.mass_g:g} g is {size}"


def single_answer(
    name: str, mean: float, low: float, high: float, measure: str, trials: int
) -> str:
    """Return what one case flips, with the interval of it.

    Example:
        >>> single_answer("8 g", 1.36, 1.28, 1.44, "flips", 400)
        '8 g flips 1.36 pucks a throw (95 % sure: 1.28 to 1.44)'
        >>> single_answer("8 g", 0.0, 0.0, 0.13, "flips", 20)
        '8 g flips nothing in 20 throws (95 % sure: at most 0.13 pucks a throw)'
    """
    if mean == 0:
        most = level(high, measure).removeprefix("in ")
        return f"{name} {_NOTHING[measure][0]} in {_throws(trials)} (95 % sure: at most {most})"
    span = f"{low:.2f} to {high:.2f}"
    if _is_chance(measure):
        span = f"{100 * low:.0f} to {100 * high:.0f} %"
    return f"{name} {_VERBS[measure][0]} {level(mean, measure)} (95 % sure: {span})"


def ranking_answer(names: Names, curve: Curve, measure: str, trials: int) -> str:
    """Return which of several cases is best, or what the throws do not tell apart.

    Args:
        names: Of the cases.
        curve: Through their means.
        measure: One of `MEASURES`, or of `KNOCK_OUT_MEASURES`.
        trials: Throws of each.
    """
    (does, do), values = _VERBS[measure], curve.values
    if measure != "flips-minus-out":
        values = np.maximum(values, 0.0)
    (best, chance), (second, _), *_ = curve.ranks
    lead = more_than(values[best], values[second], measure)
    than, throws = f"{lead} {names.other(second, best)}", _throws(trials)
    if len(values) == 2:
        unsure = f"not told apart by {throws} of each: " * (chance < _TOLD)
        sure = f" ({certainty(chance)})" * (lead != _degrees(measure)[2])
        return f"{unsure}{names.subject(best)} {does} {than}, {level(values[best], measure)}{sure}"
    leaders, (_, fewer, _, most) = curve.leaders, _degrees(measure)
    if len(leaders) == 1:
        told = f"{does} {most}, {level(values[best], measure)}"
        return f"{names.subject(best)} {told}: {than} ({certainty(chance)})"
    rest = [k for k in range(len(values)) if k not in leaders]
    behind = f"; {names.subject(*rest)} {do if len(rest) > 1 else does} {fewer}" if rest else ""
    if curve.only(leaders).chances.max() >= _SURE:
        likely = f"{names.subject(*leaders)} may {do} {most}"
        return f"{likely}: {throws} cannot tell which{behind}"
    mean = float(values[leaders].mean())
    about = f"about {mean:.{1 if mean >= 1 else 2}f} pucks a throw"
    if _is_chance(measure):
        about = f"{'a flip' if measure == 'p_any' else 'a knock-out'} {level(mean, measure)}"
    return f"{names.span(leaders)} no difference that {throws} can see ({about}){behind}"


def battles_sentence(rows: Sequence[OddsRow]) -> str:
    """Return which slammer wins battles where flips do not tell it; empty if they do.

    The slammer that wins most short battles is compared with the one that wins fewest, if their
    shares are told apart. Nothing is said if the winner is known to flip more, too: the flips say
    it already.
    """
    known = [k for k, row in enumerate(rows) if row.battles]
    if len(known) < 2:
        return ""
    best, worst = (pick(known, key=lambda k: rows[k].battles[WON].value) for pick in (max, min))
    (won, out), (lost, other) = (
        [rows[k].battles[name] for name in (WON, KNOCKED_OUT)] for k in (best, worst)
    )
    flips_more = odds_curve(rows).gap(best, worst).better
    if won.low <= lost.high or flips_more >= _TOLD:
        return ""
    first, last = (case_name([rows[k]]) for k in (best, worst))
    text = f"Flips do not tell {first} from {last}"
    if flips_more <= 1 - _TOLD:
        text = f"{first} flips fewer than {last}"
    text += f", but it wins {100 * won.value:.0f} of 100 short battles against 8 g"
    text += f" and {last} {100 * lost.value:.0f}"
    if out.high < other.low:
        shares = f"{100 * out.value:.0f} % of throws, {last} by {100 * other.value:.0f}"
        text += f": it is knocked out by {shares}"
    return f"{text}."


def comparison_answer(
    names: Sequence[str], means: Sequence[float], found: Sequence[Difference], measure: str
) -> str:
    """Compare the first case with each of the others in a sentence.

    Args:
        names: Of the first case and of the others.
        means: Of the measure, in the same order.
        found: The first case less each of the others.
        measure: One of `MEASURES`, or of `KNOCK_OUT_MEASURES`.
    """
    first, does, throws = names[0], _VERBS[measure][0], _throws(found[0].trials)
    clear, unsure, needed = [], [], 0
    for name, mean, one in zip(names[1:], means[1:], found, strict=True):
        lead, sure = more_than(means[0], mean, measure), max(one.better, 1 - one.better)
        told = f"{lead} {name}" + f" ({certainty(sure)})" * (lead != _degrees(measure)[2])
        if sure >= _TOLD:
            clear.append(told)
        else:
            unsure.append(name)
            needed = max(needed, one.needed or 0)
    would = f"; about {to_two_digits(needed)} would tell" if 0 < needed < _MANY else ""
    if len(found) == 1 and unsure:
        return f"not told apart by {throws} of each: {first} {does} {told}{would}"
    if not clear:
        others = list_names(unsure, _MOST_NAMES, "or")
        return f"{throws} do not tell {first} apart from {others}{would}"
    against = f"; {throws} do not tell it apart from {list_names(unsure)}" if unsure else ""
    return f"{first} {does} {list_names(clear)}{against}{would}"


def to_two_digits(number: int) -> str:
    """Return a number to two digits.

    Example:
        >>> to_two_digits(70_593), to_two_digits(239)
        ('71,000', '240')
    """
    return f"{float(f'{number:.2g}'):,.0f}"


def sensitivity_answer(swings: Sequence[Swing], measure: str) -> str:
    """Return a sentence on the assumption that matters most."""
    change, (low, usual, high) = swings[0].largest, swings[0].values
    start, end = (low, high) if change is swings[0].across else (usual, low)
    if change is swings[0].above:
        start, end = usual, high
    words, unit = field_words(swings[0].name)
    span = f"from {start:.3g} to {end:.3g} {unit}".rstrip()
    if swings[0].values == OF_RANGE:  # of several materials
        span = f"from its {_OF_RANGE_WORDS[start]} to its {_OF_RANGE_WORDS[end]} value"
    subject, rises, falls = _MOVES[measure]
    if change.is_clear:
        moves = falls if change.value < 0 else rises
        others = [own.largest for own in swings[1:]]
        is_ahead = all(
            abs(change.value) - abs(own.value) > math.hypot(change.half_width, own.half_width)
            for own in others
        )
        leads = ("matters most" if is_ahead else "leads") if others else "matters"
        by = f"{abs(change.value):.2f} ({certainty(change.better)})"
        return f"{words} {leads}: {span}, {subject} {moves} by {by}"
    ends = f"{change.low:+.2f} to {change.high:+.2f}"
    throws = _throws(change.trials)
    return f"{throws} show no change for sure: {words} {span} may change {subject} by {ends}"


_OF_RANGE_WORDS = dict(zip(OF_RANGE, ("lowest", "usual", "highest"), strict=True))

PLANE_ERRORS = (
    "The plane errs by 14 % of the flips from scene to scene; it throws pucks out too often with "
    "slammers of 14 g and more, and too rarely with little friction."
)
"""Errors of the plane beside the solid engine; `docs/fidelity.md` has them all."""


def scene_line(
    title: str, studies: Sequence[Study], tallies: Sequence[SlamCounts], stopped: str = ""
) -> str:
    """Return a line on the scene, its throws and their stop rule; more on errors of the engines.

    Args:
        title: The scene, see `pucklab.sim.scene.scenes.describe`.
        studies: The cases.
        tallies: Throws of each.
        stopped: The rule that ended them, see `stop_words`.
    """
    throws = [tally.trials for tally in tallies]
    low, high = min(throws), max(throws)
    number = f"{low} to " if low < high else ""
    text = f"{title}; {number}{_throws(high)} each{stopped}"
    if left_out := sum(tally.left_out for tally in tallies):
        text += f"\n{_throws(left_out)} left out: the engine gained energy, an error of its own"
    is_plane = any(study.engine == "plane" for study in studies)
    return f"{text}\n{PLANE_ERRORS}" if is_plane else text


def stop_words(rows: Sequence[OddsRow], quantity: str) -> str:
    """Return the stop rule that ended a run and the precision of its least precise row; or empty.

    Args:
        rows: The rows.
        quantity: The rule's, one of the half-widths of `ODDS`.
    """
    if not all(row.stopped_by for row in rows):
        return ""
    width = ODDS.half_widths[quantity]
    worst = max(rows, key=lambda row: width(row.tally, row.z))
    (about,) = (column.heading for column in KNOCK_OUT_COLUMNS if column.name == quantity)
    return f", stopped by {worst.stopped_by}: {about} sure to ± {width(worst.tally, worst.z):.2g}"


_REASONS = {
    "stiffness": "nobody has measured how stiff pucks are",
    "shear": "nobody has measured how pucks grip each other",
    "exponent": "nobody has measured how pucks press on each other",
    "hysteresis": "nobody has measured how pucks in a stack bounce",
    "restitution": "nobody has measured how pucks bounce",
    "friction": "nobody has measured how pucks slide",
    "bending": "nobody has measured how pucks bend",
    "film": "nobody has measured how air between pucks cushions a blow",
    "drag": "the air that brakes pieces in flight is left out",
    "speed": "nobody has measured how fast people throw",
    "aim": "nobody has measured how well people aim",
    "plane": "the plane differs from the solid engine by so much",
}
"""Reasons of ranges by their sources."""

_ENGINES = {"engines": "", "shields": " with shields", "slow": " in slow throws of heavy slammers"}
"""Sources that are differences of engines, with the scenes that they are about."""


_MEASURED_SPEED_MM_S, _MEASURED_PUCKS = (3500.0, 6500.0), (5, 16)
"""Throws and stacks that are like those of which the ranges were measured: 5 m/s, ten pucks."""


def belief(studies: Sequence[Study], measure: str = "flips", *, thrower: bool = False) -> str:
    """Return how far real pucks may differ from what the answer is about, in one or two lines.

    Args:
        studies: The studies.
        measure: What the answer is about, one of `MEASURES`; knock-outs are known by the scene.
        thrower: Whether people may throw otherwise than the studies' throwers.

    Example:
        >>> from pucklab.physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> study = Study(scene=scene, thrower=ThrowDistribution())
        >>> belief([study]).partition(":")[0]
        'Real pucks may flip 0.7 to 1.2 times as many'
    """
    found = [model_ranges(study, thrower=thrower) for study in studies]
    if not all(found):
        return "Nobody has measured pieces like these: 'odds sensitivity' shows what may change."
    is_knock_out = studies[0].scene.is_knock_out
    figure = "knock_out" if is_knock_out else "any_flip" if measure == "p_any" else "flips"

    def times(name: str) -> str:
        own = [ranges[name] for ranges in found]
        low, high = min(one.low for one in own), max(one.high for one in own)
        return f"{low:.1f} to {high:.1f} times as"

    widths = [ranges[figure].high / ranges[figure].low for ranges in found]
    widest = widths.index(max(widths))
    source = found[widest][figure].sources[0]
    ends = model_parts(studies[widest], thrower=thrower)[figure][source]
    where = _ENGINES.get(source, "")
    why = _REASONS.get(source, f"engines of rigid discs differ by so much{where}")
    if source in _ENGINES and 0.0 in ends:
        why = f"MuJoCo, another engine, has {'more' if ends[1] else 'fewer'}{where}"
    more = ""
    if figure == "flips":
        said = f"Real pucks may flip {times('flips')} many"
        more = f" They may fly out {times('outs')} often."
    else:
        of = "a knock-out" if is_knock_out else "a flip"
        said = f"Real odds of {of} may be {times(figure)} high"
    (low, high), (fewest, most) = _MEASURED_SPEED_MM_S, _MEASURED_PUCKS
    is_here = all(
        low <= study.thrower.speed_mm_s <= high
        and (is_knock_out or fewest <= len(study.scene.stack) <= most)
        for study in studies
    )
    if not is_here:
        more += f" That was measured at 5 m/s{' with ten pucks' * (not is_knock_out)} only."
    return f"{said}: {why}.\n{more.lstrip()}".rstrip()
