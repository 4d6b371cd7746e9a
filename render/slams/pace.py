"""The pace at which a slam is shown: the impact in slow motion, the rest faster."""

import numpy as np
from numpy.typing import NDArray

from pucklab.base.errors import check_number
from pucklab.base.facts import fact

_GAIN_PER_S, _GAIN_BEFORE_PER_S = 5.6, 4.0
"""Change of the speed of playback in a second of the slam, after the impact and before it.

A speed of 1 is real time.
"""

_STEPS = 8
"""Steps of a frame in which the pace is followed as it changes."""

_STEADY = 0.01
"""A slow-down this close to one of the pace's own, relative to it, is named in words."""


@fact
class Pace:
    """The slow-down at which a slam is shown.

    Attributes:
        impact_slower: Slow-down of the impact, 1 to 100 000 times.
        settle_slower: Slow-down before and after it, 1 to 1000 times.

    Example:
        >>> Pace(settle_slower=0.5)
        Traceback (most recent call last):
            ...
        pucklab.base.errors.InputError: settle_slower: 0.5 is not accepted; ...
    """

    impact_slower: float = 250.0
    settle_slower: float = 2.0

    def __post_init__(self) -> None:
        """Check both fields."""
        check_number("impact_slower", self.impact_slower, 1.0, 100_000.0)
        check_number("settle_slower", self.settle_slower, 1.0, 1000.0)


FILM_PACE = Pace()
"""Pace of films: the impact 250 times slower, the rest at half speed."""


def slower_at(pace: Pace, impact_end_s: float, time_s: float) -> float:
    """Return the slow-down at a time of a slam, given the end of its impact; 0 without an impact.

    It is ``impact_slower`` from the first contact to the end of the impact; before, the speed
    falls steadily to that, and after, it rises steadily. A throw that misses has one pace.
    """
    if impact_end_s <= 0:
        return pace.settle_slower
    # Speeds of playback, 1 for real time: they grow linearly with the time from the impact.
    settle = 1 / pace.settle_slower
    impact = min(1 / pace.impact_slower, settle)
    if time_s < 0:
        gained = -_GAIN_BEFORE_PER_S * time_s
    else:
        gained = _GAIN_PER_S * max(time_s - impact_end_s, 0.0)
    return 1 / min(impact + gained, settle)


def later(pace: Pace, impact_end_s: float, time_s: float, seconds: float) -> float:
    """Return the time in a slam that is shown some seconds later."""
    for _ in range(_STEPS):
        # Explicit Euler of d(time)/d(seconds) = speed; the speed changes little in a step.
        time_s += seconds / _STEPS / slower_at(pace, impact_end_s, time_s)
    return time_s


def frame_times_s(
    pace: Pace, impact_end_s: float, begin_s: float, rest_s: float, end_s: float, fps: float
) -> NDArray[np.float64]:
    """Return the times that the frames of a film show: those before the rest, and the end."""
    times = [begin_s]
    while times[-1] < rest_s:
        times.append(later(pace, impact_end_s, times[-1], 1 / fps))
    return np.array([*times[:-1], end_s])


def pace_text(slower: float, pace: Pace) -> str:
    """Return a slow-down in words, or an empty text while it changes.

    Example:
        >>> [pace_text(slower, Pace()) for slower in (1.0, 2.0, 37.0, 250.0)]
        ['real time', 'half speed', '', '250 times slower']
    """
    names = {1.0: "real time", 2.0: "half speed"}
    for steady in (pace.settle_slower, pace.impact_slower, 1.0):
        if abs(slower / steady - 1) < _STEADY:
            return names.get(steady, f"{steady:g} times slower")
    return ""
