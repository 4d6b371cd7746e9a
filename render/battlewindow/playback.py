"""Playing a timeline: the entry shown, the time of its slam, tempo and pace.

`BattlePlayback` goes on by itself, steps, jumps by turns, and answers for a person.
"""

from bisect import bisect_left, bisect_right
from dataclasses import replace

from render.battlewindow.timeline import (
    Game,
    SlamReplay,
    TimelineEntry,
    turn_starts,
)
from render.slams.pace import Pace
from render.slams.playback import Playback, advanced, playback_of
from sim.hand_throw import AimedThrow
from sim.pokepucks.battle.questions import Question, Reply, ThrowCall

TEMPOS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Tempos of events, relative to the usual one."""

PACES = (Pace(impact_slower=1.0, settle_slower=1.0), Pace(impact_slower=100.0, settle_slower=1.5))
"""Paces of slams: real time, and slow motion of the impact."""

_SHORTEST_S, _PER_LETTER_S, _LONGEST_S = 0.45, 0.014, 2.0
"""Time for which an entry is shown at the usual tempo: least, more for each letter, most."""

MOVE_S = 0.4
"""Time in which a puck moves from one stack to another."""

_AFTER_SLAM_S = 1.2
"""Least time for which the outcome of a slam is shown."""

_STEPS_PER_FRAME = 4
"""Steps that are played in a frame on the way to the end."""


class BattlePlayback:
    """A battle and the position in it; a live battle is played just as far as it is shown."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.index = 0  # of the entry shown
        self.playing = True  # the next entries follow by themselves
        self.tempo = 1.0  # of events, one of `TEMPOS`
        self.pace = PACES[1]  # of slams
        self.slam_playback: Playback | None = None  # none if the entry has no slam or is past it
        self._shown_s = 0.0  # time for which the entry was shown; after a slam, since its end
        self._moving_s = MOVE_S  # time since its pucks began to move
        self._farthest = 0  # the last entry that was shown
        self._fast_forward = False

    @property
    def slam_runs(self) -> bool:
        """True during a slam, running or paused."""
        return self.slam_playback is not None and not self.slam_playback.at_end

    @property
    def entry(self) -> TimelineEntry:
        """The entry at the cursor."""
        return self.game.timeline[self.index]

    @property
    def visible(self) -> TimelineEntry:
        """The entry as far as it may be shown: without the outcome while its slam runs."""
        return self.entry.before_outcome if self.slam_runs else self.entry

    @property
    def slam(self) -> SlamReplay | None:
        """The slam of the last throw; None if it cannot be shown."""
        return self.game.slam_of(self.entry.last_throw)

    @property
    def moved(self) -> float:
        """The part of their way that pucks on the move have gone, 0 to 1."""
        share = min(self._moving_s / MOVE_S, 1.0)
        return share * share * (3 - 2 * share)  # it begins and ends slowly

    @property
    def is_past(self) -> bool:
        """True if a live battle was shown beyond this entry already."""
        return self.game.is_live and self.index < self._farthest

    @property
    def at_last(self) -> bool:
        """True if the cursor is at the last entry known."""
        return self.index + 1 >= len(self.game.timeline)

    @property
    def has_next(self) -> bool:
        """True if a later entry exists, or can be played without asking a person."""
        return not self.at_last or not (self._waits or self.entry.is_last)

    @property
    def question(self) -> Question | None:
        """The question to a person, once everything before it has been shown."""
        if not self.at_last or self.slam_runs:
            return None
        return self.game.person_question

    @property
    def throw_call(self) -> ThrowCall | None:
        """The throw that waits for a person, once everything before it has been shown."""
        return self.game.person_throw if self.at_last and not self.slam_runs else None

    @property
    def _waits(self) -> bool:
        return self.game.person_question is not None or self.game.person_throw is not None

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass; return True if the picture changed."""
        before = (self.index, self.slam_playback, self.playing)
        is_moving = self._moving_s < MOVE_S
        self._moving_s += elapsed_s
        if self._fast_forward:
            self._play_some_steps()
        else:
            if self.slam_playback is not None and self.slam_playback.playing:
                self.slam_playback = advanced(self.slam_playback, elapsed_s)
            elif self.playing and not self.slam_runs:
                self._shown_s += elapsed_s
            if self._is_due and not self._show_next() and not self._waits:
                self.playing = False  # at the end; an answer goes on
        return is_moving or before != (self.index, self.slam_playback, self.playing)

    @property
    def _is_due(self) -> bool:
        """True if the next entry is to follow."""
        if not self.playing or self.slam_runs:
            return False
        words = " ".join(self.entry.lines)
        reading_s = reading_time_s(words, after_slam=self.slam_playback is not None)
        return self._shown_s * self.tempo >= reading_s

    def toggle(self) -> None:
        """Play or pause, a running slam too; at the end, play from the beginning."""
        if not self.playing and self.entry.is_last and not self.slam_runs:
            self.go_to(0)
        self.playing = not self.playing
        if self.slam_playback is not None and self.slam_runs:
            self.slam_playback = replace(self.slam_playback, playing=self.playing)

    def step(self, change: int) -> None:
        """Pause at the next event, with its slam, or at the previous one if negative."""
        self.playing = False
        if change > 0:
            self._show_next()
        else:
            self._show(max(self.index - 1, 0))

    def next_turn(self) -> None:
        """Pause at the next turn; in a live battle, at a person's question before it."""
        starts = turn_starts(self.game.timeline)
        number = bisect_right(starts, self.index)
        while number == len(starts) and self.game.play_step():
            starts = turn_starts(self.game.timeline)
        self.go_to(starts[number] if number < len(starts) else len(self.game.timeline) - 1)

    def previous_turn(self) -> None:
        """Pause at the beginning of this turn, or from there at the turn before."""
        starts = turn_starts(self.game.timeline)
        self.go_to(starts[max(bisect_left(starts, self.index) - 1, 0)])

    def to_end(self) -> None:
        """Go to the end, or to the next question to a person."""
        self._fast_forward = True

    def go_to(self, index: int) -> None:
        """Pause at an entry, after its slam."""
        self._fast_forward = self.playing = False
        self._show(min(max(index, 0), len(self.game.timeline) - 1))

    def start_at(self, index: int) -> None:
        """Play from an entry on."""
        self.go_to(index)
        self.playing = True

    def repeat_slam(self) -> None:
        """Show the slam of this throw from its start."""
        if self.entry.is_throw:
            self._show(self.index, with_slam=True)

    def change_tempo(self, change: int) -> None:
        """Make events follow faster, or slower if negative, by steps of `TEMPOS`."""
        number = TEMPOS.index(self.tempo) + change
        self.tempo = TEMPOS[min(max(number, 0), len(TEMPOS) - 1)]

    def next_pace(self) -> None:
        """Show slams at the next of `PACES`, a running one too."""
        self.pace = PACES[(PACES.index(self.pace) + 1) % len(PACES)]
        if self.slam_playback is not None:
            self.slam_playback = replace(self.slam_playback, pace=self.pace)

    def answer(self, reply: Reply) -> None:
        """Answer the person's question, and go on.

        Raises:
            InputError: The reply is not legal; the question remains open.
        """
        self.game.answer(reply)
        self.go_on()

    def go_on(self) -> None:
        """Play on after what a person did."""
        self.playing = True
        self._show_next()

    def throw(self, aimed: AimedThrow | None) -> None:
        """Make the person's throw as it is aimed, or as the computer would, and show its slam."""
        self.game.throw(aimed)
        self.go_on()

    def back_to_now(self) -> None:
        """Go back to the last entry of a live battle, and play on."""
        self.start_at(len(self.game.timeline) - 1)

    def _show_next(self) -> bool:
        """Show the next entry, with its slam; return False if there is none."""
        while self.at_last and self.game.play_step():
            pass
        if self.at_last:
            return False
        self._show(self.index + 1, with_slam=True)
        return True

    def _play_some_steps(self) -> None:
        """Play some steps on the way to the end, few enough for one frame."""
        for _ in range(_STEPS_PER_FRAME):
            if not self.game.play_step():
                self._fast_forward = False
                break
        self._show(len(self.game.timeline) - 1)

    def _show(self, index: int, *, with_slam: bool = False) -> None:
        forward = index == self.index + 1
        self.index, self._shown_s = index, 0.0
        self._farthest = max(self._farthest, index)
        slam = self.slam if with_slam and self.entry.is_throw else None
        self.slam_playback = None if slam is None else playback_of(slam.motion, self.pace)
        self._moving_s = 0.0 if forward and self.entry.pucks else MOVE_S


def reading_time_s(words: str, *, after_slam: bool = False) -> float:
    """Return the time for which an entry with a description is shown at the usual tempo."""
    reading_s = min(_SHORTEST_S + _PER_LETTER_S * len(words), _LONGEST_S)
    return max(reading_s, _AFTER_SLAM_S) if after_slam else reading_s
