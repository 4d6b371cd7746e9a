"""The data that the window shows: a battle as a timeline of events, and slams of its throws.

A `Game` holds the timeline: a `RecordedGame` all of it, a `LiveGame` as much as has been played.
`SlamReplays` simulates the throws of a battle again, so that their slams can be watched.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from physics import InputError, Scene, Throw
from render.slams.motion import Motion, motion_of
from render.slamwindow.ghosts import thrown
from sim.core.files import version
from sim.core.play import next_step
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.events import Event, apply
from sim.pokepucks.battle.live import (
    BattleMatch,
    Exchange,
    LiveBattle,
    Player,
    shot_of,
    throw_generator,
)
from sim.pokepucks.battle.questions import Answer, Question, Reply, ThrowCall
from sim.pokepucks.battle.record import Record, replay
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import ARENA, BattleState, Step
from sim.pokepucks.battle.table import Table
from sim.pokepucks.battle.transcript import describe_event
from sim.pokepucks.throws import Outcome, Shot, Throws, outcome_of
from sim.slam_replay import Replay

_KEPT_SLAMS = 16
"""Slams that are kept once they have been simulated again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowResult:
    """A throw and its outcome.

    Attributes:
        call: The throw.
        outcome: Its outcome.
    """

    call: ThrowCall
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """An event that is shown, and the battle after it.

    Attributes:
        before: The state before the event.
        state: The state after it, and after events that are not shown.
        words: Description of the event.
        event: The event; None for the set-up.
        last_throw: The throw whose pucks rest in the Arena as they fell; None for a stack.
    """

    before: BattleState
    state: BattleState
    words: str
    event: Event | None = None
    last_throw: ThrowResult | None = None

    @property
    def is_turn(self) -> bool:
        """True if a turn begins."""
        return isinstance(self.event, ev.TurnBegan)

    @property
    def is_last(self) -> bool:
        """True if the battle is over."""
        return self.state.step is Step.OVER

    @property
    def is_throw(self) -> bool:
        """True if a throw is made."""
        return isinstance(self.event, ev.Thrown)

    @property
    def before_outcome(self) -> "TimelineEntry":
        """The entry as shown while its slam runs: without the outcome of the throw."""
        if self.last_throw is None:
            return self
        call = self.last_throw.call
        words = f"throw {call.number} at {len(call.targets)} ..."
        return replace(self, state=self.before, words=words)

    @property
    def pucks(self) -> frozenset[int]:
        """The pucks that the event moves."""
        if isinstance(self.event, ev.Moved):
            return frozenset(self.event.pucks)
        if isinstance(self.event, ev.PickedUp):
            return frozenset((self.event.puck,))
        if isinstance(self.event, ev.RuleUsed) and self.event.puck is not None:
            return frozenset((self.event.puck,))
        return frozenset()


Timeline = tuple[TimelineEntry, ...]


def opening_timeline(table: Table) -> Timeline:
    """Return the timeline of a battle up to its first question."""
    state = new_battle(table)
    first = TimelineEntry(before=state, state=state, words="set-up")
    return extended_timeline((first,), LiveBattle(state).news)


def extended_timeline(timeline: Timeline, events: Iterable[Event]) -> Timeline:
    """Return a timeline with the events that follow.

    Args:
        timeline: The timeline so far, at least its first entry.
        events: The events; those without a description only change the state of the last entry.
    """
    entries = list(timeline)
    for event in events:
        last = entries[-1]
        after = apply(last.state, event)
        words = _words(last.state, event)
        if not words:
            entries[-1] = replace(last, state=after)
            continue
        entries.append(
            TimelineEntry(
                before=last.state,
                state=after,
                words=words,
                event=event,
                last_throw=_last_throw(last, event),
            )
        )
    return tuple(entries)


def turn_starts(timeline: Timeline) -> tuple[int, ...]:
    """Return the indices of the first entry and of those that begin a turn."""
    return (0, *(index for index, entry in enumerate(timeline) if entry.is_turn))


class Game(Protocol):
    """A battle, as far as it has been played."""

    @property
    def timeline(self) -> Timeline:
        """The timeline so far; at least the set-up."""

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """Questions, throws and their answers so far."""

    @property
    def person_question(self) -> Question | None:
        """The question that waits for a person; None if there is none."""

    def play_step(self) -> bool:
        """Play one step; return False if the battle is over or waits for a person."""

    def answer(self, reply: Reply) -> None:
        """Answer the person's question.

        Raises:
            InputError: The reply is not legal; the question remains open.
        """


class RecordedGame:
    """A battle that was played before.

    Raises:
        InputError: The record does not replay.
    """

    person_question = None

    def __init__(self, record: Record) -> None:
        try:
            self.exchanges: Sequence[Exchange] = tuple(replay(record))
        except InputError as error:
            if record.version == version():
                raise
            raise InputError(f"{error}; saved by pucklab {record.version}") from None
        events = (event for exchange in self.exchanges for event in exchange.events)
        self.timeline = extended_timeline(opening_timeline(record.table), events)

    def play_step(self) -> bool:
        """Return False: all steps have been played."""
        return False

    def answer(self, reply: Reply) -> None:
        """Refuse an answer: no question is open."""
        raise InputError(f"answer: {reply!r} is not accepted; the battle is a record")


class LiveGame(BattleMatch):
    """A battle that is played while it is watched.

    Attributes:
        timeline: The timeline so far.
        exchanges: Questions, throws and their answers so far.
    """

    def __init__(
        self, table: Table, players: Sequence[Player | None], throws: Throws, seed: int
    ) -> None:
        """Begin a battle.

        Args:
            table: The set-up.
            players: The players, in turn order; None for a person at the window.
            throws: Source of the outcomes of throws.
            seed: Seed of all that is random, as in `sim.pokepucks.battle.play_battle`.

        Raises:
            InputError: There are more or fewer players than the table has, or too few pucks.
        """
        super().__init__(table, players, throws, seed)
        self.timeline = opening_timeline(table)
        self.exchanges: list[Exchange] = []

    @property
    def person_question(self) -> Question | None:
        """The question that waits for a person; None if there is none."""
        question = self.question
        if isinstance(question, Question) and self.is_person(question.player):
            return question
        return None

    def step(self, answer: Answer) -> Exchange:
        """Go on with an answer, and extend the timeline.

        Raises:
            InputError: The answer is not legal; nothing changes.
        """
        exchange = super().step(answer)
        self.exchanges.append(exchange)
        self.timeline = extended_timeline(self.timeline, exchange.events)
        return exchange

    def play_step(self) -> bool:
        """Make a throw, or let a computer player reply; return False if there is neither."""
        return next_step(self) is not None

    def answer(self, reply: Reply) -> None:
        """Answer the person's question."""
        if self.person_question is None:
            raise InputError(f"answer: {reply!r} is not accepted; nobody is asked")
        self.step(reply)


class SlamThrows(Protocol):
    """Throws that are simulated slams, such as `sim.pokepucks.throw_sources.PhysicsThrows`."""

    @property
    def engine(self) -> str:
        """The engine that simulates them."""

    def scene_and_throw(self, shot: Shot, rng: np.random.Generator) -> tuple[Scene, Throw]:
        """Return the scene and the throw of a shot."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamReplay:
    """The slam of a throw.

    Attributes:
        replay: The slam.
        motion: The motion of its pieces.
    """

    replay: Replay
    motion: Motion


class SlamReplays:
    """The slams of a battle's throws, simulated again to be watched.

    A slam follows from the battle's seed and the number of the throw. It is used only if its
    outcome is the recorded one: throws of a table, a script or another thrower have no slam.

    Args:
        seed: Seed of the battle; None if it has none.
        throws: The throws as slams; None if they were none.
    """

    def __init__(self, seed: int | None, throws: SlamThrows | None) -> None:
        self._seed = seed
        self._throws = throws
        self._cached_slam = lru_cache(maxsize=_KEPT_SLAMS)(self._slam)

    @property
    def are_available(self) -> bool:
        """True if there may be slams to show."""
        return self._throws is not None and self._seed is not None

    @property
    def why_unavailable(self) -> str:
        """Reason why a slam cannot be shown."""
        if self.are_available:
            return "this version simulates this throw differently; directions are not recorded"
        return "directions are not recorded"

    def find(self, table: Table, thrown: ThrowResult | None) -> SlamReplay | None:
        """Return the slam of a throw; None if it cannot be shown."""
        return None if thrown is None else self._cached_slam(shot_of(table, thrown.call), thrown)

    def _slam(self, shot: Shot, result: ThrowResult) -> SlamReplay | None:
        if self._throws is None or self._seed is None or not shot.stack:
            return None
        rng = throw_generator(self._seed, result.call.number)
        scene, throw = self._throws.scene_and_throw(shot, rng)
        slam = thrown(scene, throw, self._throws.engine)
        if outcome_of(slam.outcome) != result.outcome:
            return None
        return SlamReplay(replay=slam, motion=motion_of(scene, slam.recording, throw))


def _words(state: BattleState, event: Event) -> str:
    if isinstance(event, ev.TurnBegan):
        return f"turn {event.number}: {state.table.names[event.player]}"
    return describe_event(state, event)


def _last_throw(last: TimelineEntry, event: Event) -> ThrowResult | None:
    """Return the throw whose pucks rest as they fell after an event."""
    attack = last.state.attack
    if isinstance(event, ev.Thrown) and attack is not None:
        call = ThrowCall(
            number=event.number,
            player=event.player,
            slammer=attack.slammer,
            targets=event.targets,
            knock_out=attack.knock_out,
        )
        return ThrowResult(call=call, outcome=event.outcome)
    # The pucks stay as they fell until something stacks them again.
    stacked = (
        isinstance(event, ev.TurnBegan | ev.AttackBegan)
        or (isinstance(event, ev.Arranged) and event.place == ARENA)
        or (isinstance(event, ev.Moved) and event.target == ARENA)
    )
    return None if stacked else last.last_throw
