"""Odds in words: the answer of a study in one sentence, its scene, and its limits.

Every command of odds and every page begins with such a sentence. `certainty` says how likely more
throws are to give the same answer; `belief` how far real pucks may differ.
"""

from collections.abc import Sequence

import numpy as np

from pucklab.physics.tally import SlamCounts
from pucklab.sim.experiments.estimates import Z_95
from pucklab.sim.experiments.paired import BestValue, Difference, Swing
from pucklab.sim.odds.assumptions import OF_RANGE, list_names
from pucklab.sim.odds.model_ranges import model_ranges
from pucklab.sim.odds.study import (
    KNOCK_OUT_COLUMNS,
    ODDS,
    OddsRow,
    Study,
    flips_half_width,
    odds_of,
)
from pucklab.sim.scene.fields import FIELDS

_DRAWS = 4000
_TOLD, _SURE = 0.9, 0.95
"""Probabilities from which an order counts as decided, and from which a case may be the best."""


_VERBS = {
    "flips": ("flips", "flip"),
    "p_any": ("flips something", "flip something"),
    "knock_out": ("knocks the slammer out", "knock the slammer out"),
    "flips-minus-out": ("nets", "net"),
}
"""The verb of one case, and of several."""

_MOVES = {
    "flips": ("flips a throw", "rise", "fall"),
    "p_any": ("the chance of a flip", "rises", "falls"),
    "flips-minus-out": ("flips less pucks out", "rise", "fall"),
}


def _degrees(measure: str) -> tuple[str, str, str, str, str]:
    """Return the words for more, less, as much, alike and most."""
    if measure in ("p_any", "knock_out"):
        return "more often", "less often", "as often as", "equally often", "most often"
    return "more", "fewer", "as many as", "alike", "most"


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
    return "1 throw" if number == 1 else f"{number} throws"


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
    """
    more, fewer, as_many, *_ = _degrees(measure)
    direction = more if value >= other else fewer
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


def list_cases(groups: Sequence[Sequence[OddsRow]]) -> str:
    """Return the names of cases joined by "or"; if they differ in one word, only that word."""
    names = [case_name(group) for group in groups]
    words = [name.split(" ") for name in names]
    apart = [k for k, own in enumerate(zip(*words, strict=False)) if len(set(own)) > 1]
    if len(apart) > 1 or len({*map(len, words)}) > 1:
        return list_names(names, 2 if groups[0][0].values else 4, "or")
    (k,), (first, *_) = apart, words
    values = [own[k] for own in words]
    told = list_names(values, 12, "or") if len(values) <= 12 else f"{values[0]} to {values[-1]}"
    return " ".join([*first[:k], told, *first[k + 1 :]])


def chances_to_lead(values: Sequence[float], errors: Sequence[float]) -> list[float]:
    """Return the probability of each value to be the largest in magnitude, with normal errors.

    Example:
        >>> chances_to_lead([1.0, 5.0], [0.1, 0.1])
        [0.0, 1.0]
    """
    drawn = np.abs(np.random.default_rng(1).normal(values, errors, (_DRAWS, len(values))))
    shares = np.bincount(drawn.argmax(axis=1), minlength=len(values)) / _DRAWS
    return [float(share) for share in shares]


def likely_leaders(chances: Sequence[float]) -> list[int]:
    """Return the indices of the fewest values that include the leader with 95 % probability."""
    own = sorted(range(len(chances)), key=chances.__getitem__, reverse=True)
    enough = int(np.searchsorted(np.cumsum([chances[k] for k in own]), _SURE)) + 1
    return sorted(own[:enough])


def odds_answer(rows: Sequence[OddsRow]) -> str:
    """Return the case that flips most and the certainty of it, in a sentence without full stop.

    The probability of a case to be the best is that of its mean to be the highest when all means
    are drawn with their errors.
    """
    groups = group_alike(rows)
    names, firsts = [case_name(group) for group in groups], [group[0] for group in groups]
    odds = [odds_of(row.tally, row.z) for row in firsts]
    if firsts[0].study.scene.is_knock_out:
        measure, chances = "knock_out", [one.flips_by_place[0] for one in odds]
        values, halves = [one.value for one in chances], [one.half_width for one in chances]
        told = [f"in {100 * one.value:.0f} % of throws" for one in chances]
        span = f"{100 * chances[0].low:.0f} to {100 * chances[0].high:.0f} %"
    else:
        measure, values = "flips", [one.flips.value for one in odds]
        halves = [flips_half_width(row.tally.flips, row.z) for row in firsts]
        told = [f"{value:.2f} pucks a throw" for value in values]
        span = f"{max(0.0, values[0] - halves[0]):.2f} to {values[0] + halves[0]:.2f}"
    (does, _), most = _VERBS[measure], _degrees(measure)[-1]
    if len(groups) == 1:
        return f"{names[0]} {does} {told[0]} (95 % sure: {span})"
    shares = chances_to_lead(values, [half / Z_95 for half in halves])
    best, second = sorted(range(len(values)), key=values.__getitem__, reverse=True)[:2]
    throws, sure = _throws(min(row.tally.trials for row in firsts)), certainty(shares[best])
    if len(groups) > 2 and shares[best] < _TOLD:
        own = list_cases([groups[k] for k in likely_leaders(shares)])
        return f"{own} {does} {most}: not decided by {throws} of each"
    other = names[second]
    if firsts[best].name == firsts[second].name:
        other = other.removeprefix(f"{firsts[best].name} ")
    lead = f"{more_than(values[best], values[second], measure)} {other}"
    if len(groups) > 2:
        return f"{names[best]} {does} {most}, {told[best]}: {lead} ({sure})"
    unsure = f"not decided by {throws} of each: " * (shares[best] < _TOLD)
    return f"{unsure}{names[best]} {does} {lead}, {told[best]} ({sure})"


def comparison(
    names: Sequence[str], means: Sequence[float], found: Sequence[Difference], measure: str
) -> str:
    """Compare the first case with each of the others in a sentence, without the full stop.

    Args:
        names: Of the first case and of the others.
        means: Of the measure, in the same order.
        found: The first case less each of the others.
        measure: One of `MEASURES`.
    """
    first, does, trials = names[0], _VERBS[measure][0], found[0].trials
    leads = [f"{more_than(means[0], mean, measure)} {name} ({certainty(one.better)})"
             for name, mean, one in zip(names[1:], means[1:], found, strict=True)]  # fmt: skip
    told = [max(one.better, 1 - one.better) >= _TOLD for one in found]
    clear = [lead for lead, is_told in zip(leads, told, strict=True) if is_told]
    unsure = [name for name, is_told in zip(names[1:], told, strict=True) if not is_told]
    needed = max((one.needed or 0 for one, own in zip(found, told, strict=True) if not own),
                 default=0)  # fmt: skip
    would = f"; about {to_two_digits(needed)} would tell" if needed else ""
    if not unsure:
        return f"{first} {does} {list_names(clear)}"
    if clear:
        against = f"against {list_names(unsure)} it is not decided by {trials} throws"
        return f"{first} {does} {list_names(clear)}; {against}{would}"
    if len(found) == 1:
        return f"not decided by {trials} throws: {first} {does} {leads[0]}{would}"
    return f"not decided by {trials} throws: {first} against {list_names(unsure, 4)}{would}"


def to_two_digits(number: int) -> str:
    """Return a number to two digits.

    Example:
        >>> to_two_digits(70_593), to_two_digits(239)
        ('71,000', '240')
    """
    return f"{float(f'{number:.2g}'):,.0f}"


def best_answer(
    field: str,
    values: Sequence[float],
    means: Sequence[float],
    found: BestValue,
    measure: str,
    trials: int,
) -> str:
    """Return a sentence on the values at which a measure is highest, without its full stop.

    Args:
        field: Name of the number.
        values: Of the cases.
        means: Of the measure in each case.
        found: The best cases.
        measure: One of `MEASURES`.
        trials: Throws at each value.
    """
    (name, unit), plateau, (does, do) = field_words(field), found.plateau, _VERBS[measure]
    own = [f"{values[k]:.4g}" for k in plateau]
    is_run = len(own) == plateau[-1] - plateau[0] + 1 > 2
    told = f"{own[0]} to {own[-1]}" if is_run else list_names(own, 8)
    is_slammer = field == "slammer_g"
    case = f"{told} g" if is_slammer else f"at {name} {told} {unit}".rstrip()
    low, high = (pick(means[k] for k in plateau) for pick in (min, max))
    if len(own) == 1:
        who = case if is_slammer else f"{case} a throw"
        return f"{who} {does} {_degrees(measure)[-1]}, {high:.2f} ± {found.y_error:.2f} (95 % sure)"
    span = f"{low:.2f} to {high:.2f} pucks a throw"
    if measure == "p_any":
        span = f"in {100 * low:.0f} to {100 * high:.0f} % of throws"
    text = f"{case if is_slammer else f'{case} throws'} {do} about {_degrees(measure)[-2]}, {span}"
    if len(own) < len(values):
        return f"{text}, and more than the rest (95 % sure)"
    return f"{text}: not decided by {_throws(trials)} at each which is best"


def sensitivity_answer(swings: Sequence[Swing], measure: str) -> str:
    """Return a sentence on the assumption that matters most, without its full stop."""
    changes = [one.largest for one in swings]
    errors = [(change.high - change.low) / (2 * Z_95) for change in changes]
    chances = chances_to_lead([change.value for change in changes], errors)
    change, (low, usual, high) = changes[0], swings[0].values
    leads = f"matters most ({certainty(chances[0])})"
    if len(swings) == 1:
        leads = f"matters ({certainty(change.better)})"
    elif chances[0] < _TOLD:
        leads = f"leads (not decided by {change.trials} throws)"
    start, end = (low, high) if change is swings[0].across else (usual, low)
    if change is swings[0].above:
        start, end = usual, high
    words, unit = field_words(swings[0].name)
    span = f"from {start:.3g} to {end:.3g} {unit}".rstrip()
    if swings[0].values == OF_RANGE:  # of several materials
        span = f"from its {_OF_RANGE_WORDS[start]} to its {_OF_RANGE_WORDS[end]} value"
    subject, rises, falls = _MOVES[measure]
    moves = falls if change.value < 0 else rises
    return f"{words} {leads}: {span}, {subject} {moves} by {abs(change.value):.2f}"


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
    "speed": "nobody has measured how fast people throw",
    "aim": "nobody has measured how well people aim",
    "engines": "engines of rigid discs differ by so much",
    "plane": "the plane differs from the solid engine by so much",
}
"""Reasons of ranges by their sources."""


def belief(studies: Sequence[Study], *, thrower: bool = False) -> str:
    """Return a sentence on how far real pucks may differ from the figures of some studies.

    Args:
        studies: The studies.
        thrower: Whether people may throw otherwise than the studies' throwers.

    Example:
        >>> from pucklab.physics import Scene, ThrowDistribution, puck_stack, puckdex_slammer
        >>> scene = Scene(slammer=puckdex_slammer(8.0), stack=puck_stack(10))
        >>> belief([Study(scene=scene, thrower=ThrowDistribution())]).partition(" may flip ")[0]
        'Real pucks'
    """
    found = [model_ranges(study, thrower=thrower) for study in studies]
    if not all(found):
        return "Nobody has measured pieces like these: 'odds sensitivity' shows what may change."
    figure = "knock_out" if studies[0].scene.is_knock_out else "flips"
    own = [ranges[figure] for ranges in found]
    low, high = min(one.low for one in own), max(one.high for one in own)
    widest = max(own, key=lambda one: one.high / one.low)
    much, reason = f"{low:.1f} to {high:.1f} times", _REASONS[widest.sources[0]]
    if figure == "knock_out":
        return f"Real odds of a knock-out may be {much} as high: {reason}."
    return f"Real pucks may flip {much} as many: {reason}."
