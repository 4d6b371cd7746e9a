"""Playing a timeline: the entry shown, the time of its slam, tempo and pace.

A `Cursor` is the position in a timeline as a value, and functions move it. `BattlePlayback` holds
the game and the cursor: it goes on by itself, steps, jumps by turns, and answers for a person.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

from render.battlewindow.timeline import (
    Game,
    SlamReplay,
    SlamReplays,
    TimelineEntry,
    turn_starts,
)
from render.slams.playback import Pace, Playback, advanced, playback_of
from sim.pokepucks.battle.questions import Question, Reply

TEMPOS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Tempos of events, relative to the usual one."""

PACES = (Pace(impact_slower=1.0, settle_slower=1.0), Pace(impact_slower=100.0, settle_slower=1.5))
"""Paces of slams: real time, and slow motion of the impact."""

_SHORTEST_S, _PER_LETTER_S, _LONGEST_S = 0.7, 0.012, 2.0
"""Time for which an entry is shown at the usual tempo: least, more for each letter, most."""

_AFTER_SLAM_S = 1.2
"""Least time for which the outcome of a slam is shown."""

_STEPS_PER_FRAME = 4
"""Steps that are played in a frame on the way to the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """A position in a timeline.

    Attributes:
        index: Index of the entry shown.
        playing: True if the next entries follow by themselves.
        shown_s: Time for which the entry has been shown; after a slam, since its end.
        tempo: Tempo of events, one of `TEMPOS`.
        pace: Pace of slams, one of `PACES`.
        slam: The playback of the entry's slam; None if it has none or is past it.
    """

    index: int = 0
    playing: bool = True
    shown_s: float = 0.0
    tempo: float = 1.0
    pace: Pace = PACES[1]
    slam: Playback | None = None

    @property
    def slam_runs(self) -> bool:
        """True during a slam, running or paused."""
        return self.slam is not None and not self.slam.at_end


def moved_to(cursor: Cursor, index: int, slam: Playback | None = None) -> Cursor:
    """Return the cursor at another entry, with its slam."""
    return replace(cursor, index=index, slam=slam, shown_s=0.0)


def later(cursor: Cursor, elapsed_s: float) -> Cursor:
    """Return the cursor some seconds later, at the same entry."""
    if cursor.slam is not None and cursor.slam.playing:
        return replace(cursor, slam=advanced(cursor.slam, elapsed_s))
    if cursor.playing and not cursor.slam_runs:
        return replace(cursor, shown_s=cursor.shown_s + elapsed_s)
    return cursor


def is_due(cursor: Cursor, words: str) -> bool:
    """Return True if the next entry is to follow one with a given description."""
    if not cursor.playing or cursor.slam_runs:
        return False
    reading_s = reading_time_s(words, after_slam=cursor.slam is not None)
    return cursor.shown_s * cursor.tempo >= reading_s


def reading_time_s(words: str, *, after_slam: bool = False) -> float:
    """Return the time for which an entry is shown at the usual tempo, in seconds.

    Args:
        words: Its description.
        after_slam: True if its slam has just been shown.
    """
    reading_s = min(_SHORTEST_S + _PER_LETTER_S * len(words), _LONGEST_S)
    return max(reading_s, _AFTER_SLAM_S) if after_slam else reading_s


def toggled(cursor: Cursor) -> Cursor:
    """Return the cursor playing if it was paused, or paused; a running slam too."""
    playing = not cursor.playing
    slam = cursor.slam
    if slam is not None and cursor.slam_runs:
        slam = replace(slam, playing=playing)
    return replace(cursor, playing=playing, slam=slam)


def paused(cursor: Cursor) -> Cursor:
    """Return the cursor paused; a running slam continues to its end."""
    return replace(cursor, playing=False)


def with_tempo_change(cursor: Cursor, change: int) -> Cursor:
    """Return the cursor faster, or slower if negative, by steps of `TEMPOS`."""
    number = TEMPOS.index(cursor.tempo) + change
    return replace(cursor, tempo=TEMPOS[min(max(number, 0), len(TEMPOS) - 1)])


def with_next_pace(cursor: Cursor) -> Cursor:
    """Return the cursor with the next of `PACES`, for a running slam too."""
    pace = PACES[(PACES.index(cursor.pace) + 1) % len(PACES)]
    slam = None if cursor.slam is None else replace(cursor.slam, pace=pace)
    return replace(cursor, pace=pace, slam=slam)


class BattlePlayback:
    """A battle and the position in it; a live battle is played just as far as it is shown.

    Attributes:
        game: The battle.
        slams: The slams of its throws.
        cursor: The position.
    """

    def __init__(self, game: Game, slams: SlamReplays) -> None:
        self.game = game
        self.cursor = Cursor()
        self.slams = slams
        self._fast_forward = False

    @property
    def entry(self) -> TimelineEntry:
        """The entry at the cursor."""
        return self.game.timeline[self.cursor.index]

    @property
    def visible(self) -> TimelineEntry:
        """The entry as far as it may be shown: without the outcome while its slam runs."""
        return self.entry.before_outcome if self.cursor.slam_runs else self.entry

    @property
    def slam(self) -> SlamReplay | None:
        """The slam of the last throw; None if it cannot be shown."""
        return self.slams.find(self.entry.state.table, self.entry.last_throw)

    @property
    def at_last(self) -> bool:
        """True if the cursor is at the last entry known."""
        return self.cursor.index + 1 >= len(self.game.timeline)

    @property
    def has_next(self) -> bool:
        """True if a later entry exists, or can be played without asking a person."""
        return not self.at_last or (self.game.person_question is None and not self.entry.is_last)

    @property
    def question(self) -> Question | None:
        """The question to a person, once everything before it has been shown."""
        if not self.at_last or self.cursor.slam_runs:
            return None
        return self.game.person_question

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass; return True if the picture changed."""
        before = self.cursor
        if self._fast_forward:
            self._play_some_steps()
        else:
            self.cursor = later(self.cursor, elapsed_s)
            if is_due(self.cursor, self.entry.words) and not self._show_next():
                self._wait()
        moved = (before.index, before.slam) != (self.cursor.index, self.cursor.slam)
        return moved or before.playing != self.cursor.playing

    def toggle(self) -> None:
        """Play or pause; at the end, play from the beginning."""
        if not self.cursor.playing and self.entry.is_last and not self.cursor.slam_runs:
            self.start_at(0)
        else:
            self.cursor = toggled(self.cursor)

    def step(self, change: int) -> None:
        """Pause at the next event, with its slam, or at the previous one if negative."""
        self.cursor = paused(self.cursor)
        if change > 0:
            self._show_next()
        else:
            self._show(max(self.cursor.index - 1, 0))

    def next_turn(self) -> None:
        """Pause at the next turn; in a live battle, at a person's question before it."""
        starts = turn_starts(self.game.timeline)
        number = bisect_right(starts, self.cursor.index)
        while number == len(starts) and self.game.play_step():
            starts = turn_starts(self.game.timeline)
        self.go_to(starts[number] if number < len(starts) else len(self.game.timeline) - 1)

    def previous_turn(self) -> None:
        """Pause at the beginning of this turn, or from there at the turn before."""
        starts = turn_starts(self.game.timeline)
        self.go_to(starts[max(bisect_left(starts, self.cursor.index) - 1, 0)])

    def to_end(self) -> None:
        """Go to the end, or to the next question to a person."""
        self._fast_forward = True

    def go_to(self, index: int) -> None:
        """Pause at an entry, after its slam."""
        self._fast_forward = False
        self.cursor = paused(self.cursor)
        self._show(min(max(index, 0), len(self.game.timeline) - 1))

    def start_at(self, index: int) -> None:
        """Play from an entry on."""
        self.go_to(index)
        self.cursor = toggled(self.cursor)

    def repeat_slam(self) -> None:
        """Show the slam of this throw from its start."""
        if self.entry.is_throw:
            self._show(self.cursor.index, self._slam_playback())

    def change_tempo(self, change: int) -> None:
        """Make events follow faster, or slower if negative."""
        self.cursor = with_tempo_change(self.cursor, change)

    def next_pace(self) -> None:
        """Show slams at the next pace."""
        self.cursor = with_next_pace(self.cursor)

    def answer(self, reply: Reply) -> None:
        """Answer the person's question, and go on.

        Raises:
            InputError: The reply is not legal; the question remains open.
        """
        self.game.answer(reply)
        self.cursor = replace(self.cursor, playing=True)
        self._show_next()

    def _show_next(self) -> bool:
        """Show the next entry, with its slam; return False if there is none."""
        while self.at_last and self.game.play_step():
            pass
        if self.at_last:
            return False
        self._show(self.cursor.index + 1)
        if self.entry.is_throw:
            self._show(self.cursor.index, self._slam_playback())
        return True

    def _play_some_steps(self) -> None:
        """Play some steps on the way to the end, few enough for one frame."""
        for _ in range(_STEPS_PER_FRAME):
            if not self.game.play_step():
                self._fast_forward = False
                break
        self._show(len(self.game.timeline) - 1)

    def _wait(self) -> None:
        """Pause at the end; a person's question does not pause, so that the reply goes on."""
        if self.game.person_question is None:
            self.cursor = paused(self.cursor)

    def _show(self, index: int, slam: Playback | None = None) -> None:
        self.cursor = moved_to(self.cursor, index, slam)

    def _slam_playback(self) -> Playback | None:
        slam = self.slam
        return None if slam is None else playback_of(slam.motion, self.cursor.pace)
