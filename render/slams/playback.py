"""The time of a slam that is shown.

A `Playback` is a motion, the time shown and a pace; the functions below it return the playback
after a second, a key or a drag.
"""

import bisect
from dataclasses import replace

from physics.facts import fact
from render.slams.motion import Motion
from render.slams.pace import FILM_PACE, Pace, frame_times_s, later, slower_at

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Slow-downs of a slam that can be chosen; 1 is real time."""

IMPACTS = (1, 50, 100, 250, 500)
"""Slow-downs of the impact that can be chosen; 1 is as slow as the rest."""

_SCRUB_FPS = 100.0
"""Times a second of film for which the scrub bar has a place."""


@fact
class Playback:
    """The time of a slam that is shown.

    Attributes:
        motion: Motion of the pieces.
        time_s: The time shown.
        playing: True while time passes.
        pace: Slow-down.
        track: Times of the slam at equal distances on the scrub bar; each takes equally long at
            the pace of a film, so that the impact has its share of the bar.
    """

    motion: Motion
    time_s: float
    playing: bool
    pace: Pace
    track: tuple[float, ...]

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
        """Return the place of a time on the scrub bar, 0 to 1."""
        track = self.track
        after = min(max(bisect.bisect_right(track, time_s), 1), len(track) - 1)
        before, span = track[after - 1], track[after] - track[after - 1]
        within = (time_s - before) / span if span > 0 else 1.0
        return (after - 1 + min(max(within, 0.0), 1.0)) / (len(track) - 1)


def playback_of(motion: Motion, pace: Pace) -> Playback:
    """Return a playback at the beginning of a motion, playing."""
    times = frame_times_s(FILM_PACE, motion.impact_end_s, motion.start_s, motion.rest_s, _SCRUB_FPS)
    track = (*times[times < motion.end_s].tolist(), motion.end_s)
    if len(track) == 1:
        track *= 2
    return Playback(motion=motion, time_s=motion.start_s, playing=True, pace=pace, track=track)


def advanced(playback: Playback, elapsed_s: float) -> Playback:
    """Return a playback some seconds later; at the end it is paused."""
    if not playback.playing:
        return playback
    time_s = later(playback.pace, playback.motion.impact_end_s, playback.time_s, elapsed_s)
    if time_s >= playback.motion.rest_s:
        time_s = playback.motion.end_s
    return replace(playback, time_s=time_s, playing=time_s < playback.motion.end_s)


def toggled(playback: Playback) -> Playback:
    """Return a playback paused or playing again; at the end, playing from the start."""
    if playback.at_end:
        return restarted(playback)
    return replace(playback, playing=not playback.playing)


def restarted(playback: Playback) -> Playback:
    """Return a playback at the beginning, playing."""
    return replace(playback, time_s=playback.motion.start_s, playing=True)


def stepped(playback: Playback, samples: int) -> Playback:
    """Return a playback some samples on, or back (below 0), paused."""
    times = playback.motion.time_s
    if samples > 0:
        index = bisect.bisect_right(times, playback.time_s) - 1 + samples
    else:
        index = bisect.bisect_left(times, playback.time_s) + samples
    time_s = float(times[min(max(index, 0), len(times) - 1)])
    return replace(playback, time_s=time_s, playing=False)


def scrubbed(playback: Playback, share: float) -> Playback:
    """Return a playback at a place on the scrub bar, 0 to 1, paused."""
    place = min(max(share, 0.0), 1.0) * (len(playback.track) - 1)
    before = min(int(place), len(playback.track) - 2)
    low, high = playback.track[before : before + 2]
    return replace(playback, time_s=low + (place - before) * (high - low), playing=False)


def at_speed(playback: Playback, change: int) -> Playback:
    """Return a playback that is slower by steps of `SPEEDS`, or faster (below 0)."""
    slower = _neighbour(SPEEDS, playback.pace.settle_slower, change)
    return replace(playback, pace=replace(playback.pace, settle_slower=slower))


def with_next_impact(playback: Playback) -> Playback:
    """Return a playback with the next slow-down of the impact in `IMPACTS`."""
    index = _nearest(IMPACTS, playback.pace.impact_slower)
    slower = float(IMPACTS[(index + 1) % len(IMPACTS)])
    return replace(playback, pace=replace(playback.pace, impact_slower=slower))


def _neighbour(choices: tuple[int, ...], value: float, change: int) -> float:
    index = _nearest(choices, value) + change
    return float(choices[min(max(index, 0), len(choices) - 1)])


def _nearest(choices: tuple[int, ...], value: float) -> int:
    return min(range(len(choices)), key=lambda index: abs(choices[index] - value))
