"""The way through a battle: by itself, by events and by turns, forwards and backwards."""

from bisect import bisect_left, bisect_right
from dataclasses import replace

from render.battlewindow.beats import Beat, turn_starts
from render.battlewindow.course import (
    Course,
    at,
    at_tempo,
    is_due,
    later,
    paused,
    toggled,
    with_next_pace,
)
from render.battlewindow.games import Game
from render.battlewindow.thrownslams import ThrownSlam, ThrownSlams
from render.slams.player import Player, player_of
from sim.pokepucks.battle import Question, Reply

_A_FRAME = 4
"""Exchanges that are played in a frame on the way to the end."""


class Walk:
    """A battle, and which beat of it is shown.

    A live battle goes on just as far as it is shown.

    Attributes:
        game: The battle.
        slams: The slams of its throws.
        course: Which beat is shown, and how it goes on.
    """

    def __init__(self, game: Game, slams: ThrownSlams) -> None:
        self.game = game
        self.course = Course()
        self.slams = slams
        self._hurries = False

    @property
    def beat(self) -> Beat:
        """The beat that is shown."""
        return self.game.beats[self.course.index]

    @property
    def seen(self) -> Beat:
        """The beat as far as it can be told: while a slam runs, not what comes of it."""
        return self.beat.before_outcome if self.course.slam_runs else self.beat

    @property
    def slam(self) -> ThrownSlam | None:
        """The slam of the throw that lies in the Arena, if it can be seen."""
        return self.slams.of(self.beat.state.table, self.beat.fall)

    @property
    def at_last(self) -> bool:
        """Whether no beat is known after this one."""
        return self.course.index + 1 >= len(self.game.beats)

    @property
    def has_next(self) -> bool:
        """Whether there is a beat after this one, or one to be had without asking a person."""
        return not self.at_last or (self.game.question is None and not self.beat.is_last)

    @property
    def question(self) -> Question | None:
        """What a person is asked, once all before it was shown."""
        if not self.at_last or self.course.slam_runs:
            return None
        return self.game.question

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass, and return whether something else is shown."""
        before = self.course
        if self._hurries:
            self._hurry()
        else:
            self.course = later(self.course, elapsed_s)
            if is_due(self.course, self.beat.words) and not self._next():
                self._rest()
        moved = (before.index, before.slam) != (self.course.index, self.course.slam)
        return moved or before.playing != self.course.playing

    def toggle(self) -> None:
        """Play, or pause; at the end play from the beginning."""
        if not self.course.playing and self.beat.is_last and not self.course.slam_runs:
            self.start_at(0)
        else:
            self.course = toggled(self.course)

    def step(self, change: int) -> None:
        """Pause an event on, with its slam, or an event back (below 0)."""
        self.course = paused(self.course)
        if change > 0:
            self._next()
        else:
            self._show(max(self.course.index - 1, 0))

    def turn_on(self) -> None:
        """Pause at the beginning of the next turn, or at what comes before it in a live battle."""
        starts = turn_starts(self.game.beats)
        place = bisect_right(starts, self.course.index)
        while place == len(starts) and self.game.go_on():
            starts = turn_starts(self.game.beats)
        self.go_to(starts[place] if place < len(starts) else len(self.game.beats) - 1)

    def turn_back(self) -> None:
        """Pause at the beginning of this turn; if it is shown, of the turn before."""
        starts = turn_starts(self.game.beats)
        self.go_to(starts[max(bisect_left(starts, self.course.index) - 1, 0)])

    def to_end(self) -> None:
        """Go to the end, or to what a person is asked next."""
        self._hurries = True

    def go_to(self, index: int) -> None:
        """Pause at a beat, after its slam."""
        self._hurries = False
        self.course = paused(self.course)
        self._show(min(max(index, 0), len(self.game.beats) - 1))

    def start_at(self, index: int) -> None:
        """Play from a beat on."""
        self.go_to(index)
        self.course = toggled(self.course)

    def slam_again(self) -> None:
        """Show the slam of this throw from its start."""
        if self.beat.is_throw:
            self._show(self.course.index, self._player())

    def change_tempo(self, change: int) -> None:
        """Let beats follow each other faster, or slower (below 0)."""
        self.course = at_tempo(self.course, change)

    def next_pace(self) -> None:
        """Show slams at the next pace."""
        self.course = with_next_pace(self.course)

    def answer(self, reply: Reply) -> None:
        """Answer a person's question, and go on.

        Raises:
            InputError: The reply is not legal; the question stands.
        """
        self.game.answer(reply)
        self.course = replace(self.course, playing=True)
        self._next()

    def _next(self) -> bool:
        """Show the next beat, with its slam; return whether there is one."""
        while self.at_last and self.game.go_on():
            pass
        if self.at_last:
            return False
        self._show(self.course.index + 1)
        if self.beat.is_throw:
            self._show(self.course.index, self._player())
        return True

    def _hurry(self) -> None:
        for _ in range(_A_FRAME):
            if not self.game.go_on():
                self._hurries = False
                break
        self._show(len(self.game.beats) - 1)

    def _rest(self) -> None:
        """Pause where nothing comes any more; a person's answer goes on."""
        if self.game.question is None:
            self.course = paused(self.course)

    def _show(self, index: int, slam: Player | None = None) -> None:
        self.course = at(self.course, index, slam)

    def _player(self) -> Player | None:
        slam = self.slam
        return None if slam is None else player_of(slam.motion, self.course.pace)
