"""The way through a battle: by itself, by events and by turns, forwards and backwards.

Battles that can be shown: recorded ones, and live ones that go on as they are watched.

Which entry of a battle is shown, which time of its slam, and how fast it goes on.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from physics import InputError
from render.battlewindow.timeline import (
    SlamReplay,
    SlamReplays,
    TimelineEntry,
    extended_timeline,
    opening_timeline,
    turn_starts,
)
from render.slams.playback import Pace, Playback, advanced, playback_of
from sim.core.files import version
from sim.pokepucks.battle import (
    Answer,
    Exchange,
    LiveBattle,
    Player,
    Question,
    Record,
    Reply,
    Table,
    ThrowCall,
    new_battle,
    player_generator,
    replay,
    shot_of,
    throw_generator,
)
from sim.pokepucks.throws import Throws


class Game(Protocol):
    """A battle, as far as it has come."""

    @property
    def timeline(self) -> tuple[TimelineEntry, ...]:
        """What can be shown; at least the beginning."""

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """Questions, throws and their answers so far."""

    @property
    def question(self) -> Question | None:
        """What a person is asked; None if there is nothing to wait for."""

    def go_on(self) -> bool:
        """Go on by an exchange, and return whether there was one to be had."""

    def answer(self, reply: Reply) -> None:
        """Answer the question.

        Raises:
            InputError: The reply is not legal; the question stands.
        """


class RecordedGame:
    """A battle that was played.

    Raises:
        InputError: It cannot be played as it was recorded.
    """

    question = None

    def __init__(self, record: Record) -> None:
        try:
            self.exchanges: Sequence[Exchange] = tuple(replay(record))
        except InputError as error:
            if record.version == version():
                raise
            raise InputError(f"{error}; saved by pucklab {record.version}") from None
        events = (event for exchange in self.exchanges for event in exchange.events)
        self.timeline = extended_timeline(opening_timeline(record.table), events)

    def go_on(self) -> bool:
        """There is never more of it."""
        return False

    def answer(self, reply: Reply) -> None:
        """Nobody is asked."""
        raise InputError(f"answer: {reply!r} is not accepted; the battle is a record")


class LiveGame:
    """A battle that goes on as it is watched.

    Args:
        table: The set-up.
        players: The players, in turn order; None for a person at the window.
        throws: Where the outcomes of throws come from.
        seed: Seed of all that is random, as in `sim.pokepucks.battle.play_battle`.

    Raises:
        InputError: There are more or fewer players than the table has, or too few pucks.
    """

    def __init__(
        self, table: Table, players: Sequence[Player | None], throws: Throws, seed: int
    ) -> None:
        if len(players) != table.players:
            raise InputError(f"players: {len(players)} is not accepted; give {table.players}")
        self.timeline = opening_timeline(table)
        self.exchanges: list[Exchange] = []
        self._battle = LiveBattle(new_battle(table))
        self._players = tuple(players)
        self._throws = throws
        self._seed = seed
        self._own = [player_generator(seed, player) for player in range(table.players)]

    @property
    def question(self) -> Question | None:
        """What a person is asked."""
        ask = self._battle.ask
        if isinstance(ask, Question) and self._players[ask.player] is None:
            return ask
        return None

    def go_on(self) -> bool:
        """Make a throw, or let a policy decide; a person's question has to be answered."""
        ask, state = self._battle.ask, self._battle.state
        if ask is None:
            return False
        if isinstance(ask, ThrowCall):
            rng = throw_generator(self._seed, ask.number)
            self._take(self._throws.throw(shot_of(state.table, ask), rng))
            return True
        player = self._players[ask.player]
        if player is None:
            return False
        self._take(player.choose(state, ask, self._own[ask.player]))
        return True

    def answer(self, reply: Reply) -> None:
        """Answer a person's question."""
        if self.question is None:
            raise InputError(f"answer: {reply!r} is not accepted; nobody is asked")
        self._take(reply)

    def _take(self, answer: Answer) -> None:
        before, ask = self._battle.state, self._battle.ask
        assert ask is not None
        events = self._battle.answer(answer)
        after = self._battle.state
        self.exchanges.append(
            Exchange(before=before, ask=ask, answer=answer, after=after, events=events)
        )
        self.timeline = extended_timeline(self.timeline, events)


TEMPOS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""How fast timeline can follow each other, times the usual."""

PACES = (Pace(impact_slower=1.0, settle_slower=1.0), Pace(impact_slower=100.0, settle_slower=1.5))
"""How fast slams can be shown: in real time, and with a slow impact."""

_SHORTEST_S, _PER_LETTER_S, _LONGEST_S = 0.7, 0.012, 2.0
"""How long a entry is shown at the usual tempo, by what there is to read."""

_AFTER_SLAM_S = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """Where in a battle we are.

    Attributes:
        index: Which entry is shown.
        playing: The next ones follow by themselves.
        shown_s: How long it has been shown; in a throw, since its slam came to its end.
        tempo: How fast timeline follow each other.
        pace: How fast slams are shown.
        slam: Which time of the entry's slam is shown; None if it is over, or there is none.
    """

    index: int = 0
    playing: bool = True
    shown_s: float = 0.0
    tempo: float = 1.0
    pace: Pace = PACES[1]
    slam: Playback | None = None

    @property
    def slam_runs(self) -> bool:
        """Whether a slam is under way, running or paused."""
        return self.slam is not None and not self.slam.at_end


def at(cursor: Cursor, index: int, slam: Playback | None = None) -> Cursor:
    """Return the cursor at a entry, with its slam."""
    return replace(cursor, index=index, slam=slam, shown_s=0.0)


def later(cursor: Cursor, elapsed_s: float) -> Cursor:
    """Return the cursor some seconds later, at the same entry."""
    if cursor.slam is not None and cursor.slam.playing:
        return replace(cursor, slam=advanced(cursor.slam, elapsed_s))
    if cursor.playing and not cursor.slam_runs:
        return replace(cursor, shown_s=cursor.shown_s + elapsed_s)
    return cursor


def is_due(cursor: Cursor, words: str) -> bool:
    """Return whether the next entry is to follow one with such words."""
    if not cursor.playing or cursor.slam_runs:
        return False
    return cursor.shown_s * cursor.tempo >= reading_time_s(words, thrown=cursor.slam is not None)


def reading_time_s(words: str, *, thrown: bool = False) -> float:
    """Return how long a entry is shown at the usual tempo, in seconds.

    Args:
        words: What there is to read.
        thrown: A slam came before it.
    """
    reading_s = min(_SHORTEST_S + _PER_LETTER_S * len(words), _LONGEST_S)
    return max(reading_s, _AFTER_SLAM_S) if thrown else reading_s


def toggled(cursor: Cursor) -> Cursor:
    """Return the cursor playing if it paused, or paused; a slam under way with it."""
    playing = not cursor.playing
    slam = cursor.slam
    if slam is not None and cursor.slam_runs:
        slam = replace(slam, playing=playing)
    return replace(cursor, playing=playing, slam=slam)


def paused(cursor: Cursor) -> Cursor:
    """Return the cursor paused; a slam under way runs on to its end."""
    return replace(cursor, playing=False)


def at_tempo(cursor: Cursor, change: int) -> Cursor:
    """Return the cursor faster (above 0) or slower by steps of `TEMPOS`."""
    place = TEMPOS.index(cursor.tempo) + change
    return replace(cursor, tempo=TEMPOS[min(max(place, 0), len(TEMPOS) - 1)])


def with_next_pace(cursor: Cursor) -> Cursor:
    """Return the cursor with the next of `PACES`; a slam under way goes on at it."""
    pace = PACES[(PACES.index(cursor.pace) + 1) % len(PACES)]
    slam = None if cursor.slam is None else replace(cursor.slam, pace=pace)
    return replace(cursor, pace=pace, slam=slam)


_A_FRAME = 4
"""Exchanges that are played in a frame on the way to the end."""


class BattlePlayback:
    """A battle, and which entry of it is shown.

    A live battle goes on just as far as it is shown.

    Attributes:
        game: The battle.
        slams: The slams of its throws.
        cursor: Which entry is shown, and how it goes on.
    """

    def __init__(self, game: Game, slams: SlamReplays) -> None:
        self.game = game
        self.cursor = Cursor()
        self.slams = slams
        self._hurries = False

    @property
    def entry(self) -> TimelineEntry:
        """The entry that is shown."""
        return self.game.timeline[self.cursor.index]

    @property
    def visible(self) -> TimelineEntry:
        """The entry as far as it can be told: while a slam runs, not what comes of it."""
        return self.entry.before_outcome if self.cursor.slam_runs else self.entry

    @property
    def slam(self) -> SlamReplay | None:
        """The slam of the throw that lies in the Arena, if it can be visible."""
        return self.slams.find(self.entry.state.table, self.entry.last_throw)

    @property
    def at_last(self) -> bool:
        """Whether no entry is known after this one."""
        return self.cursor.index + 1 >= len(self.game.timeline)

    @property
    def has_next(self) -> bool:
        """Whether there is a entry after this one, or one to be had without asking a person."""
        return not self.at_last or (self.game.question is None and not self.entry.is_last)

    @property
    def question(self) -> Question | None:
        """What a person is asked, once all before it was shown."""
        if not self.at_last or self.cursor.slam_runs:
            return None
        return self.game.question

    def advance(self, elapsed_s: float) -> bool:
        """Let time pass, and return whether something else is shown."""
        before = self.cursor
        if self._hurries:
            self._hurry()
        else:
            self.cursor = later(self.cursor, elapsed_s)
            if is_due(self.cursor, self.entry.words) and not self._next():
                self._rest()
        moved = (before.index, before.slam) != (self.cursor.index, self.cursor.slam)
        return moved or before.playing != self.cursor.playing

    def toggle(self) -> None:
        """Play, or pause; at the end play from the beginning."""
        if not self.cursor.playing and self.entry.is_last and not self.cursor.slam_runs:
            self.start_at(0)
        else:
            self.cursor = toggled(self.cursor)

    def step(self, change: int) -> None:
        """Pause an event on, with its slam, or an event back (below 0)."""
        self.cursor = paused(self.cursor)
        if change > 0:
            self._next()
        else:
            self._show(max(self.cursor.index - 1, 0))

    def turn_on(self) -> None:
        """Pause at the beginning of the next turn, or at what comes before it in a live battle."""
        starts = turn_starts(self.game.timeline)
        place = bisect_right(starts, self.cursor.index)
        while place == len(starts) and self.game.go_on():
            starts = turn_starts(self.game.timeline)
        self.go_to(starts[place] if place < len(starts) else len(self.game.timeline) - 1)

    def turn_back(self) -> None:
        """Pause at the beginning of this turn; if it is shown, of the turn before."""
        starts = turn_starts(self.game.timeline)
        self.go_to(starts[max(bisect_left(starts, self.cursor.index) - 1, 0)])

    def to_end(self) -> None:
        """Go to the end, or to what a person is asked next."""
        self._hurries = True

    def go_to(self, index: int) -> None:
        """Pause at a entry, after its slam."""
        self._hurries = False
        self.cursor = paused(self.cursor)
        self._show(min(max(index, 0), len(self.game.timeline) - 1))

    def start_at(self, index: int) -> None:
        """Play from a entry on."""
        self.go_to(index)
        self.cursor = toggled(self.cursor)

    def slam_again(self) -> None:
        """Show the slam of this throw from its start."""
        if self.entry.is_throw:
            self._show(self.cursor.index, self._player())

    def change_tempo(self, change: int) -> None:
        """Let timeline follow each other faster, or slower (below 0)."""
        self.cursor = at_tempo(self.cursor, change)

    def next_pace(self) -> None:
        """Show slams at the next pace."""
        self.cursor = with_next_pace(self.cursor)

    def answer(self, reply: Reply) -> None:
        """Answer a person's question, and go on.

        Raises:
            InputError: The reply is not legal; the question stands.
        """
        self.game.answer(reply)
        self.cursor = replace(self.cursor, playing=True)
        self._next()

    def _next(self) -> bool:
        """Show the next entry, with its slam; return whether there is one."""
        while self.at_last and self.game.go_on():
            pass
        if self.at_last:
            return False
        self._show(self.cursor.index + 1)
        if self.entry.is_throw:
            self._show(self.cursor.index, self._player())
        return True

    def _hurry(self) -> None:
        for _ in range(_A_FRAME):
            if not self.game.go_on():
                self._hurries = False
                break
        self._show(len(self.game.timeline) - 1)

    def _rest(self) -> None:
        """Pause where nothing comes any more; a person's answer goes on."""
        if self.game.question is None:
            self.cursor = paused(self.cursor)

    def _show(self, index: int, slam: Playback | None = None) -> None:
        self.cursor = at(self.cursor, index, slam)

    def _player(self) -> Playback | None:
        slam = self.slam
        return None if slam is None else playback_of(slam.motion, self.cursor.pace)
