"""The data that the window shows: a battle as a timeline of events, and slams of its throws.

A `Game` holds the timeline: as much as has been played of a live battle, or all of a
`recorded_game`. It simulates the throws again, so that their slams can be watched.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from physics import InputError, Scene
from physics.facts import fact
from render.slams.motion import Motion, motion_of
from render.slamwindow.ghosts import thrown
from sim.core.game import Match, Player
from sim.core.records import Record, replay
from sim.hand_throw import AimedThrow
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.events import Event, apply
from sim.pokepucks.battle.live import BattleStep, Moment, decide_first, shot_of, throw_generator
from sim.pokepucks.battle.match import BATTLE, make_throw
from sim.pokepucks.battle.narration import Narrator, counted
from sim.pokepucks.battle.questions import Answer, Question, Reply, ThrowCall
from sim.pokepucks.battle.sensible import Plan, SetUp, SetUpPlayer, only_sensible, set_up_of
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import ARENA, BattleState, Step
from sim.pokepucks.battle.table import Table
from sim.pokepucks.battle.transcript import standing_lines
from sim.pokepucks.throw_sources import PhysicsThrows
from sim.pokepucks.throws import Outcome, Shot, Throws, outcome_of
from sim.slam_replay import Replay

_KEPT_SLAMS = 16
"""Slams that are kept once they have been simulated again."""


@fact
class ThrowResult:
    """A throw and its outcome."""

    call: ThrowCall
    outcome: Outcome


@fact
class TimelineEntry:
    """An event that is shown, and the battle after it.

    Attributes:
        before: The state before the event.
        state: The state after it, and after events that are not shown.
        words: The latest line of the narration.
        lines: The lines of the narration that this event completes.
        event: The event; None for the set-up.
        last_throw: The throw whose pucks rest in the Arena as they fell; None for a stack.
        is_restacked: True if they were stacked again just after what is shown.
    """

    before: BattleState
    state: BattleState
    words: str
    lines: tuple[str, ...] = ()
    event: Event | None = None
    last_throw: ThrowResult | None = None
    is_restacked: bool = False

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
        words = f"{self.state.table.names[call.player]} throws at {counted(len(call.targets))} ..."
        return replace(self, state=self.before, words=words, lines=())

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


Timeline = Sequence[TimelineEntry]


_SHOWN = (ev.Moved, ev.PickedUp, ev.Thrown, ev.TurnBegan, ev.RuleUsed, ev.StatusGained,
          ev.StatusLost, ev.EffectGained, ev.WentOut, ev.Won, ev.Drawn)  # fmt: skip
"""Events that are seen; others are shown only if they complete a line of the narration."""


def turn_starts(timeline: Timeline) -> tuple[int, ...]:
    """Return the indices of the first entry and of those that begin a turn."""
    return (0, *(index for index, entry in enumerate(timeline) if entry.is_turn))


@fact
class SlamReplay:
    """The slam of a throw."""

    replay: Replay
    motion: Motion  # of its pieces


class Game(Match[Table, Moment, Answer, Event]):
    """A battle as a window shows it, which is played while it is watched or was played before.

    The slams of its throws are simulated again to be watched, where their outcomes have the throws.

    Attributes:
        timeline: The timeline so far; at least the set-up.
        on_step: Called after each question or throw that was answered.
        is_live: True if it is played while it is watched.
        slams: The throws as slams; None if none can be shown.
    """

    def __init__(
        self,
        table: Table,
        players: Sequence[Player | None],
        throws: Throws | None,
        seed: int,
        *,
        asks_all: bool = True,
        own_throws: bool = False,
        slams: PhysicsThrows | None = None,
        kinds: Sequence[str] = (),
    ) -> None:
        """Begin a battle.

        Args:
            table: The set-up.
            players: The players, in turn order; None for a person at the window.
            throws: Source of the outcomes of throws; None if all answers come by `step`.
            seed: Seed of all that is random, as in a match.
            asks_all: True to ask the questions with one sensible answer, and the set-up one by one.
            own_throws: True to let persons throw, if the throws are slams of the physics.
            slams: The throws as slams, if they are not ``throws``.
            kinds: The kind of each player.

        Raises:
            InputError: There are more or fewer players than the table has, or too few pucks.
        """
        compute = None
        if throws is not None:
            table, _ = decide_first(table, throws, seed)
            compute = partial(make_throw, throws)
        super().__init__(
            BATTLE, table, players, seed, compute=compute, asks_all=asks_all, kinds=kinds
        )
        self.is_live = throws is not None
        self.slams = throws if isinstance(throws, PhysicsThrows) else slams
        state = new_battle(table)
        self.timeline = [TimelineEntry(before=state, state=state, words="Set-up")]
        self.on_step: Callable[[], object] = lambda: None
        self._persons_throw = own_throws
        self._plans: dict[int, Plan] = {}
        self._narrator = Narrator()
        self._cached_slam = lru_cache(maxsize=_KEPT_SLAMS)(self._slam)
        self._tell(self.state.news)

    def is_person(self, player: int) -> bool:
        """Return True if a player is a person."""
        return self.players[player] is None

    @property
    def person_question(self) -> Question | None:
        """The question that waits for a person; None if there is none."""
        question = self.state.ask
        if self.is_live and isinstance(question, Question) and self.is_person(question.player):
            return question if self._reply_for(question) is None else None
        return None

    @property
    def person_throw(self) -> ThrowCall | None:
        """The throw that waits for a person; None if there is none."""
        call = self.state.ask
        if isinstance(call, ThrowCall) and self._persons_throw and self.slams:
            return call if self.is_person(call.player) else None
        return None

    @property
    def set_up_player(self) -> int | None:
        """The person whose set-up is open; None if there is none, or it is asked one by one."""
        question = self.person_question
        is_open = question is not None and not self.state.state.turn.number and not self.asks_all
        return question.player if question is not None and is_open else None

    def set_up(self, player: int, plan: Plan) -> SetUp:
        """Return a person's questions of the set-up with the replies of a plan."""
        return set_up_of(self.state, player, plan)

    def take_set_up(self, player: int, plan: Plan) -> None:
        """Let a person's set-up be played by a plan."""
        self._plans[player] = plan

    def choose(self) -> Answer | None:
        """Return the outcome of a throw or a reply; None if a person has to throw or reply."""
        question = self.state.ask
        if self.person_throw is not None:
            return None
        if isinstance(question, Question) and self.is_person(question.player):
            return self._reply_for(question) if self.is_live else None
        return super().choose()

    def _reply_for(self, question: Question) -> Reply | None:
        """Return the reply to a question that a person is not asked."""
        state = self.state.state
        if not state.turn.number:
            plan = self._plans.get(question.player)
            return None if plan is None else SetUpPlayer(plan).reply(state, question)
        return None if self.asks_all else only_sensible(state, question)

    def step(self, answer: Answer) -> BattleStep:
        """Go on with an answer, and extend the timeline.

        Raises:
            InputError: The answer is not legal; nothing changes.
        """
        step = super().step(answer)
        self._tell(step.events)
        self.on_step()
        return step

    def _tell(self, events: Iterable[Event]) -> None:
        """Extend the timeline; events that nobody sees only change the state of its last entry."""
        for event in events:
            last = self.timeline[-1]
            after = apply(last.state, event)
            told = [*self._narrator.lines(last.state, event)]
            words = told[-1].strip() if told else last.words
            if isinstance(event, ev.Won | ev.Drawn):
                # The stacks stay as they lay at the end; all that follows is taking them home.
                after = replace(after, step=Step.OVER)
                words, *more = standing_lines(self.state.state, "names")
                told += [words, *more]
            lines = tuple(map(str.strip, told))
            last_throw = _last_throw(last, event)
            if not (lines or isinstance(event, _SHOWN)):
                restacked = last.is_restacked or last_throw is None
                self.timeline[-1] = replace(last, state=after, is_restacked=restacked)
                continue
            self.timeline.append(
                TimelineEntry(
                    before=last.state,
                    state=after,
                    words=words,
                    lines=lines,
                    event=event,
                    last_throw=last_throw,
                )
            )
            if after.step is Step.OVER:
                return

    def play_step(self) -> bool:
        """Make a throw, or let a computer player reply; return False if there is neither."""
        answer = self.choose()
        if answer is not None:
            self.step(answer)
        return answer is not None

    def answer(self, reply: Reply) -> None:
        """Answer the person's question.

        Raises:
            InputError: The reply is not legal, or no question is open; nothing changes.
        """
        if self.person_question is None:
            raise InputError(f"answer: {reply!r} is not accepted; nobody is asked")
        self.step(reply)

    def throw(self, aimed: AimedThrow | None) -> None:
        """Make the person's throw as it is aimed, or as the computer would if None."""
        call = self.person_throw
        if call is None or self.slams is None:
            raise InputError("throw: not accepted; no throw waits for a person")
        self.step(self.slams.throw(*self._thrown(call), aimed))

    def scene(self, call: ThrowCall) -> Scene | None:
        """Return the scene of a throw; None if it is no slam."""
        return None if self.slams is None else self.slams.scene_and_throw(*self._thrown(call))[0]

    def slam_of(self, result: ThrowResult | None) -> SlamReplay | None:
        """Return the slam of a throw; None if it cannot be shown."""
        return None if result is None else self._cached_slam(result)

    def _slam(self, result: ThrowResult) -> SlamReplay | None:
        throw, scene = result.outcome.throw, self.scene(result.call)
        if self.slams is None or throw is None or scene is None:
            return None
        slam = thrown(scene, throw, self.slams.engine)
        # Another engine or version may come to another outcome.
        if outcome_of(slam.outcome) != result.outcome:
            return None
        return SlamReplay(replay=slam, motion=motion_of(scene, slam.recording, throw))

    def _thrown(self, call: ThrowCall) -> tuple[Shot, np.random.Generator]:
        """Return a throw in terms of designs, and its random numbers."""
        assert isinstance(self.seed, int)
        return shot_of(self.setup, call), throw_generator(self.seed, call.number)


def recorded_game(record: Record, throws: PhysicsThrows | None = None) -> Game:
    """Return a battle that was played before.

    Args:
        record: The battle.
        throws: Its throws as slams; None if they were none.

    Raises:
        InputError: The record does not replay.
    """
    nobody = [None] * len(record.players)
    game = Game(record.setup, nobody, None, record.seed or 0, slams=throws, kinds=record.players)
    for _ in replay(BATTLE, record, game):
        pass
    return game


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
    return None if stacked or last.is_restacked else last.last_throw
