"""The time shown of a slam, and its pace.

A `Playback` is a motion, the time shown and a pace; the functions below it return the playback
after a second, a key or a drag.
"""

import bisect
from dataclasses import replace

import numpy as np

from pucklab.base.facts import fact
from pucklab.render.slams.motion import Motion
from pucklab.render.slams.pace import Pace, later, slower_at

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Slow-downs of a slam that can be chosen; 1 is real time."""


@fact
class Playback:
    """The time shown of a slam, and its pace.

    Attributes:
        motion: Motion of the pieces.
        time_s: The time shown.
        playing: True while time passes.
        pace: Slow-down.
    """

    motion: Motion
    time_s: float
    playing: bool
    pace: Pace

    @property
    def at_end(self) -> bool:
        """True at the end of the motion."""
        return self.time_s >= self.motion.end_s

    @property
    def slower(self) -> float:
        """The slow-down at the time shown."""
        return slower_at(self.pace, self.motion.impact_end_s, self.time_s)

    @property
    def share(self) -> float:
        """The place of the time shown on the scrub bar, 0 to 1."""
        return self.share_of(self.time_s)

    def share_of(self, time_s: float) -> float:
        """Return the place of a time on the scrub bar, 0 to 1.

        All frames of a film have equal parts of it, so that the impact has its share.
        """
        film_s = self.motion.film_s
        return float(np.interp(time_s, film_s, np.linspace(0.0, 1.0, len(film_s))))


def playback_of(motion: Motion, pace: Pace) -> Playback:
    """Return a playback at the beginning of a motion, playing."""
    return Playback(motion=motion, time_s=motion.start_s, playing=True, pace=pace)


def advance(playback: Playback, elapsed_s: float) -> Playback:
    """Return a playback some seconds later; at the end it is paused."""
    if not playback.playing:
        return playback
    time_s = later(playback.pace, playback.motion.impact_end_s, playback.time_s, elapsed_s)
    if time_s >= playback.motion.rest_s:
        time_s = playback.motion.end_s
    return replace(playback, time_s=time_s, playing=time_s < playback.motion.end_s)


def toggle(playback: Playback) -> Playback:
    """Return a playback paused or playing again; at the end, playing from the start."""
    if playback.at_end:
        return restart(playback)
    return replace(playback, playing=not playback.playing)


def restart(playback: Playback) -> Playback:
    """Return a playback at the beginning, playing."""
    return replace(playback, time_s=playback.motion.start_s, playing=True)


def step(playback: Playback, samples: int) -> Playback:
    """Return a playback moved by some samples, backwards if negative, and paused."""
    times = playback.motion.time_s
    if samples > 0:
        index = bisect.bisect_right(times, playback.time_s) - 1 + samples
    else:
        index = bisect.bisect_left(times, playback.time_s) + samples
    time_s = float(times[min(max(index, 0), len(times) - 1)])
    return replace(playback, time_s=time_s, playing=False)


def scrub(playback: Playback, share: float) -> Playback:
    """Return a playback at a place on the scrub bar, 0 to 1, paused."""
    film_s = playback.motion.film_s
    time_s = float(np.interp(share, np.linspace(0.0, 1.0, len(film_s)), film_s))
    return replace(playback, time_s=time_s, playing=False)


def at_speed(playback: Playback, change: int) -> Playback:
    """Return a playback slower by some steps of `SPEEDS`, or faster if negative."""
    now = playback.pace.settle_slower
    index = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - now)) + change
    slower = float(SPEEDS[min(max(index, 0), len(SPEEDS) - 1)])
    return replace(playback, pace=replace(playback.pace, settle_slower=slower))
