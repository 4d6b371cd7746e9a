"""Which beat of a battle is shown, which time of its slam, and how fast it goes on."""

from dataclasses import dataclass, replace

from render.slams.pace import Pace
from render.slams.player import Player, advanced

TEMPOS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""How fast beats can follow each other, times the usual."""

PACES = (Pace(impact_slower=1.0, settle_slower=1.0), Pace(impact_slower=100.0, settle_slower=1.5))
"""How fast slams can be shown: in real time, and with a slow impact."""

_SHORTEST_S, _PER_LETTER_S, _LONGEST_S = 0.7, 0.012, 2.0
"""How long a beat is shown at the usual tempo, by what there is to read."""

_AFTER_SLAM_S = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Where in a battle we are.

    Attributes:
        index: Which beat is shown.
        playing: The next ones follow by themselves.
        shown_s: How long it has been shown; in a throw, since its slam came to its end.
        tempo: How fast beats follow each other.
        pace: How fast slams are shown.
        slam: Which time of the beat's slam is shown; None if it is over, or there is none.
    """

    index: int = 0
    playing: bool = True
    shown_s: float = 0.0
    tempo: float = 1.0
    pace: Pace = PACES[1]
    slam: Player | None = None

    @property
    def slam_runs(self) -> bool:
        """Whether a slam is under way, running or paused."""
        return self.slam is not None and not self.slam.at_end


def at(course: Course, index: int, slam: Player | None = None) -> Course:
    """Return the course at a beat, with its slam."""
    return replace(course, index=index, slam=slam, shown_s=0.0)


def later(course: Course, elapsed_s: float) -> Course:
    """Return the course some seconds later, at the same beat."""
    if course.slam is not None and course.slam.playing:
        return replace(course, slam=advanced(course.slam, elapsed_s))
    if course.playing and not course.slam_runs:
        return replace(course, shown_s=course.shown_s + elapsed_s)
    return course


def is_due(course: Course, words: str) -> bool:
    """Return whether the next beat is to follow one with such words."""
    if not course.playing or course.slam_runs:
        return False
    return course.shown_s * course.tempo >= beat_s(words, thrown=course.slam is not None)


def beat_s(words: str, *, thrown: bool = False) -> float:
    """Return how long a beat is shown at the usual tempo, in seconds.

    Args:
        words: What there is to read.
        thrown: A slam came before it.
    """
    reading_s = min(_SHORTEST_S + _PER_LETTER_S * len(words), _LONGEST_S)
    return max(reading_s, _AFTER_SLAM_S) if thrown else reading_s


def toggled(course: Course) -> Course:
    """Return the course playing if it paused, or paused; a slam under way with it."""
    playing = not course.playing
    slam = course.slam
    if slam is not None and course.slam_runs:
        slam = replace(slam, playing=playing)
    return replace(course, playing=playing, slam=slam)


def paused(course: Course) -> Course:
    """Return the course paused; a slam under way runs on to its end."""
    return replace(course, playing=False)


def at_tempo(course: Course, change: int) -> Course:
    """Return the course faster (above 0) or slower by steps of `TEMPOS`."""
    place = TEMPOS.index(course.tempo) + change
    return replace(course, tempo=TEMPOS[min(max(place, 0), len(TEMPOS) - 1)])


def with_next_pace(course: Course) -> Course:
    """Return the course with the next of `PACES`; a slam under way goes on at it."""
    pace = PACES[(PACES.index(course.pace) + 1) % len(PACES)]
    slam = None if course.slam is None else replace(course.slam, pace=pace)
    return replace(course, pace=pace, slam=slam)
