"""A battle as timeline: what can be shown one after another, forwards and backwards.

Slams of a battle's throws, thrown again to be watched.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from physics import Scene, Throw
from render.slams.motion import Motion, motion_of
from render.slamwindow.ghosts import thrown
from sim.pokepucks.battle import (
    BattleState,
    Event,
    LiveBattle,
    Step,
    Table,
    ThrowCall,
    apply,
    new_battle,
    shot_of,
    tell_event,
    throw_generator,
)
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.state import ARENA
from sim.pokepucks.throws import Outcome, Shot, outcome_of
from sim.slam_replay import Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowResult:
    """A throw, and what came of it.

    Attributes:
        call: The throw.
        outcome: What came of it.
    """

    call: ThrowCall
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """An event that is worth telling, and the battle after it.

    Attributes:
        before: The battle before it.
        state: The battle after it, and after what goes without telling.
        words: What happened.
        event: The event; None for the very beginning.
        last_throw: The throw whose pucks rest in the Arena as they fell; None for a stack.
    """

    before: BattleState
    state: BattleState
    words: str
    event: Event | None = None
    last_throw: ThrowResult | None = None

    @property
    def is_turn(self) -> bool:
        """Whether a turn begins."""
        return isinstance(self.event, ev.TurnBegan)

    @property
    def is_last(self) -> bool:
        """Whether the battle is over with it."""
        return self.state.step is Step.OVER

    @property
    def is_throw(self) -> bool:
        """Whether a throw is made."""
        return isinstance(self.event, ev.Thrown)

    @property
    def before_outcome(self) -> "TimelineEntry":
        """The entry as shown while its slam runs: without the result of the throw."""
        if self.last_throw is None:
            return self
        call = self.last_throw.call
        words = f"throw {call.number} at {len(call.targets)} ..."
        return replace(self, state=self.before, words=words)

    @property
    def pucks(self) -> frozenset[int]:
        """Pucks that it moves."""
        if isinstance(self.event, ev.Moved):
            return frozenset(self.event.pucks)
        if isinstance(self.event, ev.PickedUp):
            return frozenset((self.event.puck,))
        if isinstance(self.event, ev.RuleUsed) and self.event.puck is not None:
            return frozenset((self.event.puck,))
        return frozenset()


def opening_timeline(table: Table) -> tuple[TimelineEntry, ...]:
    """Return the timeline of a battle up to its first question."""
    state = new_battle(table)
    first = TimelineEntry(before=state, state=state, words="set-up")
    return extended_timeline((first,), LiveBattle(state).news)


def extended_timeline(
    timeline: tuple[TimelineEntry, ...], events: Iterable[Event]
) -> tuple[TimelineEntry, ...]:
    """Return timeline with those of the events that follow.

    Args:
        timeline: What was so far, at least the beginning.
        events: What happens next.
    """
    told = list(timeline)
    for event in events:
        last = told[-1]
        after = apply(last.state, event)
        words = _words(last.state, event)
        if not words:
            told[-1] = replace(last, state=after)
            continue
        last_throw = _fall(last, event)
        told.append(
            TimelineEntry(
                before=last.state, state=after, words=words, event=event, last_throw=last_throw
            )
        )
    return tuple(told)


def turn_starts(timeline: tuple[TimelineEntry, ...]) -> tuple[int, ...]:
    """Return which timeline begin a turn, after the first of all."""
    return (0, *(place for place, entry in enumerate(timeline) if entry.is_turn))


def _words(state: BattleState, event: Event) -> str:
    if isinstance(event, ev.TurnBegan):
        return f"turn {event.number}: {state.table.names[event.player]}"
    return tell_event(state, event)


def _fall(last: TimelineEntry, event: Event) -> ThrowResult | None:
    """Return the throw whose pucks lie as they fell after an event."""
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
    stacked = (
        isinstance(event, ev.TurnBegan | ev.AttackBegan)
        or (isinstance(event, ev.Arranged) and event.place == ARENA)
        or (isinstance(event, ev.Moved) and event.target == ARENA)
    )
    return None if stacked else last.last_throw


_KEPT = 16


class Slamming(Protocol):
    """Throws that are slams, such as `sim.pokepucks.throw_sources.PhysicsThrows`."""

    def scene_and_throw(self, shot: Shot, rng: np.random.Generator) -> tuple[Scene, Throw]:
        """Return what is thrown at what, and how."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SlamReplay:
    """The slam of a throw.

    Attributes:
        replay: The slam.
        motion: How its pieces move.
    """

    replay: Replay
    motion: Motion


class SlamReplays:
    """The slams of a battle's throws.

    A slam is thrown again from the battle's seed and the number of the throw. It counts if it comes
    to what the battle says: throws of a table, a script or another thrower have none.

    Args:
        seed: The battle's seed; None if it has none.
        throws: What makes slams of throws; None if the throws were none.
    """

    def __init__(self, seed: int | None, throws: Slamming | None) -> None:
        self._seed = seed
        self._throws = throws
        self._slam = lru_cache(maxsize=_KEPT)(self._slammed)

    @property
    def are_available(self) -> bool:
        """Whether there may be any."""
        return self._throws is not None and self._seed is not None

    @property
    def why_unavailable(self) -> str:
        """Why a slam that cannot be visible cannot, in a few words."""
        if self.are_available:
            return "this version slams otherwise; directions are not recorded"
        return "directions are not recorded"

    def find(self, table: Table, last_throw: ThrowResult | None) -> SlamReplay | None:
        """Return the slam of a throw, None if there is none to be visible."""
        return (
            None if last_throw is None else self._slam(shot_of(table, last_throw.call), last_throw)
        )

    def _slammed(self, shot: Shot, last_throw: ThrowResult) -> SlamReplay | None:
        if self._throws is None or self._seed is None or not shot.stack:
            return None
        rng = throw_generator(self._seed, last_throw.call.number)
        scene, throw = self._throws.scene_and_throw(shot, rng)
        replay = thrown(scene, throw)
        if outcome_of(replay.outcome) != last_throw.outcome:
            return None
        return SlamReplay(replay=replay, motion=motion_of(scene, replay.recording, throw))
