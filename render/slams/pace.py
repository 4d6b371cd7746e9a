"""The pace at which a slam is shown: the impact slowly, the rest faster."""

from dataclasses import dataclass

from physics.checks import check_number
from render.slams.motion import Motion

_GAIN_S = 5.6
"""How much of real time's pace is won in a second, between the impact and the settling."""

_GAIN_BEFORE_S = 12.0
_STEADY = 0.01
_STEPS = 8
"""Of a frame, to follow the pace as it changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How many times slower than real a slam is shown.

    Attributes:
        impact_slower: The impact; 1 to 100 000.
        settle_slower: What goes before and comes after; 1 to 1000.

    Example:
        >>> Pace(settle_slower=0.5)
        Traceback (most recent call last):
            ...
        physics.checks.InputError: settle_slower: 0.5 is not accepted; give a number from 1 to 1000
    """

    impact_slower: float = 250.0
    settle_slower: float = 2.0

    def __post_init__(self) -> None:
        """Check both."""
        check_number("impact_slower", self.impact_slower, low=1.0, high=100_000.0)
        check_number("settle_slower", self.settle_slower, low=1.0, high=1000.0)


FILM_PACE = Pace()
"""Of films: the impact 250 times slower, the rest at half speed."""


def slower_at(pace: Pace, motion: Motion, time_s: float) -> float:
    """Return how many times slower than real a time of a motion is shown.

    From first contact to the end of the impact as slowly as ``pace`` says; before, it gets slower
    steadily, and after, faster. A throw that misses is shown at one pace.
    """
    settle = 1 / pace.settle_slower
    if motion.impact_end_s <= 0:
        return pace.settle_slower
    impact = min(1 / pace.impact_slower, settle)
    gained = _GAIN_S * (time_s - motion.impact_end_s) if time_s > motion.impact_end_s else 0.0
    if time_s < 0:
        gained = -_GAIN_BEFORE_S * time_s
    return 1 / min(impact + gained, settle)


def later(pace: Pace, motion: Motion, time_s: float, seconds: float) -> float:
    """Return what time of a motion is shown some seconds later; never after its end."""
    for _ in range(_STEPS):
        time_s += seconds / _STEPS / slower_at(pace, motion, time_s)
        if time_s >= motion.end_s:
            return motion.end_s
    return time_s


def pace_text(slower: float, pace: Pace) -> str:
    """Return a pace in words, or nothing while it changes.

    Example:
        >>> [pace_text(slower, Pace()) for slower in (1.0, 2.0, 37.0, 250.0)]
        ['real time', 'half speed', '', '250 times slower']
    """
    told = {1.0: "real time", 2.0: "half speed"}
    for steady in (pace.settle_slower, pace.impact_slower, 1.0):
        if abs(slower / steady - 1) < _STEADY:
            return told.get(steady, f"{steady:g} times slower")
    return ""
