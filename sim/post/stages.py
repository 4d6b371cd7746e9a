"""Stages of a Pokemon, and durations of stages and conditions (6.5, 8)."""

import math
import re
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from physics.decoding import register_text
from physics.errors import refusal
from sim.post.numbers import rounded

Stat: TypeAlias = Literal[
    "attack",
    "defense",
    "special_attack",
    "special_defense",
    "speed",
    "accuracy",
    "evasion",
    "critical",
]
"""Stats with stages; the first five have values, too."""


_RANGES = {"accuracy": (-2, 2), "evasion": (-2, 2), "critical": (0, 3)}


Extension: TypeAlias = Literal[
    "longer",
    "without extension",
    "overwriting",
]
"""Rules for the duration of a stage that has one already."""


class Duration(NamedTuple):
    """A number of turns, steps or rounds; or until leaving, or for ever, with nothing to count."""

    left: int
    unit: str

    def __str__(self) -> str:
        return f"{self.left} {self.unit}" if self.left else self.unit


LEAVING = Duration(0, "leaving")
EVER = Duration(0, "ever")
Stages: TypeAlias = tuple[tuple[str, int, Duration], ...]
"""Durable parts of stages that are not 0, sorted by stat: (stat, value, duration)."""


def parse_duration(text: str) -> Duration:
    """Return a duration such as ``3 turns``, ``1 round``, ``leaving`` or ``ever``.

    Raises:
        InputError: It is none.
    """
    if text in {"leaving", "ever"}:
        return Duration(0, text)
    found = re.fullmatch(r"([1-9]\d?) (turn|step|round)s?", text)
    if not found:
        raise refusal("duration", text, "such as 3 turns, 2 steps, 1 round, leaving (play) or ever")
    return Duration(int(found[1]), f"{found[2]}s")


register_text(Duration, "a duration, such as 3 turns", str, parse_duration)


def scaled(duration: Duration, factor: Fraction) -> Duration:
    """Return a duration times a factor; one until an event stays as it is."""
    return duration._replace(left=rounded(duration.left * factor))


def lengthened(duration: Duration, by: int, unit: str) -> Duration:
    """Return a duration with more of its own unit; others add nothing."""
    return duration._replace(left=duration.left + by) if duration.unit == unit else duration


def in_steps(duration: Duration, steps: int) -> float:
    """Return a duration in steps, for comparisons: every round has all its steps."""
    return duration.left * (steps if duration.unit == "rounds" else 1) or math.inf


def clipped(stat: str, value: int) -> int:
    """Return a stage within its limits."""
    low, high = _RANGES.get(stat, (-6, 6))
    return max(low, min(high, value))


def stage_value(stages: Stages, stat: str) -> int:
    """Return the durable part of a stage."""
    return next((value for own, value, _ in stages if own == stat), 0)


def change_stage(
    stages: Stages,
    stat: str,
    by: int,
    duration: Duration,
    extension: Extension = "longer",
    steps: int = 3,
) -> Stages:
    """Return stages after one is raised or lowered.

    At 0 a stage has no duration (BP-45); equal durations leave the old one.

    Example:
        >>> raised = change_stage((), "attack", 2, Duration(3, "turns"))
        >>> change_stage(raised, "attack", 1, Duration(5, "turns"))
        (('attack', 3, Duration(left=5, unit='turns')),)
    """
    durable = {own: (value, until) for own, value, until in stages}
    before, old = durable.pop(stat, (0, duration))
    value = clipped(stat, before + by)
    if extension == "without extension" or (
        extension == "longer" and in_steps(duration, steps) <= in_steps(old, steps)
    ):
        duration = old
    if value:
        durable[stat] = (value, duration)
    return tuple((own, *durable[own]) for own in sorted(durable))


def inverted(stages: Stages) -> Stages:
    """Return stages with the other sign; durations stay, but where the limit is 0 (BP-45)."""
    turned = ((stat, clipped(stat, -value), until) for stat, value, until in stages)
    return tuple(stage for stage in turned if stage[1])


def converted(stages: Stages, origin: str, into: str, steps: int = 3) -> Stages:
    """Return stages with one added to another, and reset."""
    for stat, value, until in stages:
        if stat == origin:
            rest = tuple(one for one in stages if one[0] != origin)
            return change_stage(rest, into, value, until, steps=steps)
    return stages


def counted_down(duration: Duration, unit: str) -> Duration | None:
    """Return a duration at the end of a unit; None when it has run out."""
    if duration.unit != unit:
        return duration
    return duration._replace(left=duration.left - 1) if duration.left > 1 else None
