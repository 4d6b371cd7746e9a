"""The pace at which a slam is shown: the impact slowly, the rest faster.

Which time of a slam is shown, and how fast it passes.
"""

import bisect
from dataclasses import dataclass, replace

from physics.errors import check_number
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
        physics.errors.InputError: settle_slower: 0.5 is not accepted; give a number from 1 to 1000
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


SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""How many times slower than real a slam can be shown."""

IMPACTS = (1, 50, 100, 250, 500)
"""How many times slower than real its impact can be; 1 is no slower than the rest."""

_SCRUB_FPS = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """Where in a slam we are.

    Attributes:
        motion: How its pieces move.
        time_s: Which time is shown.
        playing: Time passes.
        pace: How fast.
        track: Times of the slam, each shown as long as the next at the pace of a film: a place on
            the scrub bar is a place in it.
    """

    motion: Motion
    time_s: float
    playing: bool
    pace: Pace
    track: tuple[float, ...]

    @property
    def at_end(self) -> bool:
        """Nothing more comes."""
        return self.time_s >= self.motion.end_s

    @property
    def slower(self) -> float:
        """How many times slower than real this time is shown."""
        return slower_at(self.pace, self.motion, self.time_s)

    @property
    def share(self) -> float:
        """Where on the scrub bar it is, 0 to 1."""
        return self.share_of(self.time_s)

    def share_of(self, time_s: float) -> float:
        """Return where on the scrub bar a time is, 0 to 1."""
        track = self.track
        after = min(max(bisect.bisect_right(track, time_s), 1), len(track) - 1)
        before, span = track[after - 1], track[after] - track[after - 1]
        within = (time_s - before) / span if span > 0 else 1.0
        return (after - 1 + min(max(within, 0.0), 1.0)) / (len(track) - 1)


def playback_of(motion: Motion, pace: Pace) -> Playback:
    """Return a player at the beginning of a slam, playing."""
    film, times = Pace(), [motion.start_s]
    while times[-1] < motion.rest_s:
        times.append(later(film, motion, times[-1], 1 / _SCRUB_FPS))
    if times[-1] < motion.end_s:
        times.append(motion.end_s)
    if len(times) == 1:
        times.append(times[0])
    return Playback(
        motion=motion, time_s=motion.start_s, playing=True, pace=pace, track=tuple(times)
    )


def advanced(player: Playback, elapsed_s: float) -> Playback:
    """Return the player some seconds later; at the end it pauses."""
    if not player.playing:
        return player
    time_s = later(player.pace, player.motion, player.time_s, elapsed_s)
    if time_s >= player.motion.rest_s:
        time_s = player.motion.end_s
    return replace(player, time_s=time_s, playing=time_s < player.motion.end_s)


def toggled(player: Playback) -> Playback:
    """Return the player playing if it paused, or paused; from the end it plays from the start."""
    if player.at_end:
        return restarted(player)
    return replace(player, playing=not player.playing)


def restarted(player: Playback) -> Playback:
    """Return the player at the beginning, playing."""
    return replace(player, time_s=player.motion.start_s, playing=True)


def stepped(player: Playback, samples: int) -> Playback:
    """Return the player paused at a sample before or after the time shown."""
    times = player.motion.time_s
    if samples > 0:
        index = bisect.bisect_right(times, player.time_s) - 1 + samples
    else:
        index = bisect.bisect_left(times, player.time_s) + samples
    time_s = float(times[min(max(index, 0), len(times) - 1)])
    return replace(player, time_s=time_s, playing=False)


def scrubbed(player: Playback, share: float) -> Playback:
    """Return the player paused at a place of the scrub bar, 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(player.track) - 1)
    before = min(int(place), len(player.track) - 2)
    low, high = player.track[before : before + 2]
    return replace(player, time_s=low + (place - before) * (high - low), playing=False)


def at_speed(player: Playback, change: int) -> Playback:
    """Return the player faster (below 0) or slower by steps of `SPEEDS`."""
    slower = _neighbour(SPEEDS, player.pace.settle_slower, change)
    return replace(player, pace=replace(player.pace, settle_slower=slower))


def with_next_impact(player: Playback) -> Playback:
    """Return the player with the next of `IMPACTS`."""
    index = _nearest(IMPACTS, player.pace.impact_slower)
    slower = float(IMPACTS[(index + 1) % len(IMPACTS)])
    return replace(player, pace=replace(player.pace, impact_slower=slower))


def _neighbour(choices: tuple[int, ...], value: float, change: int) -> float:
    index = _nearest(choices, value) + change
    return float(choices[min(max(index, 0), len(choices) - 1)])


def _nearest(choices: tuple[int, ...], value: float) -> int:
    return min(range(len(choices)), key=lambda index: abs(choices[index] - value))
