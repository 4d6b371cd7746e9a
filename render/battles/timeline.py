"""The story of a battle: the events that are shown, each with the battle after it."""

from collections.abc import Sequence
from dataclasses import replace

from pucklab.base.facts import fact
from pucklab.sim.pokepucks.battle import events as ev
from pucklab.sim.pokepucks.battle.events import Event, apply
from pucklab.sim.pokepucks.battle.live import begin
from pucklab.sim.pokepucks.battle.match import BattleMatch
from pucklab.sim.pokepucks.battle.narration import Narrator, spell
from pucklab.sim.pokepucks.battle.questions import ThrowCall
from pucklab.sim.pokepucks.battle.setup import new_battle
from pucklab.sim.pokepucks.battle.state import ARENA, BattleState, Step
from pucklab.sim.pokepucks.battle.transcript import standing_lines
from pucklab.sim.pokepucks.throws import Outcome


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
        is_restacked: True if they were stacked again right after this entry.
    """

    before: BattleState
    state: BattleState
    words: str
    lines: tuple[str, ...] = ()
    event: Event | None = None
    last_throw: ThrowResult | None = None
    is_restacked: bool = False

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
        words = f"{self.state.table.names[call.player]} throws at {spell(len(call.targets))} ..."
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


def timeline_of(match: BattleMatch) -> Timeline:
    """Return the story of a battle so far; at least the set-up."""
    state, narrator = new_battle(match.setup), Narrator()
    timeline = [TimelineEntry(before=state, state=state, words="Set-up")]
    news = [(begin(match.setup).news, state), *((s.events, s.after.state) for s in match.steps)]
    for event, end in ((event, end) for events, end in news for event in events):
        last = timeline[-1]
        after = apply(last.state, event)
        told = [*narrator.lines(last.state, event)]
        words = told[-1].strip() if told else last.words
        if isinstance(event, ev.Won | ev.Drawn):
            # The stacks stay as they lay at the end; all that follows is taking them home.
            after = replace(after, step=Step.OVER)
            words, *more = standing_lines(end, "names")
            told += [words, *more]
        last_throw = _last_throw(last, event)
        if not (told or isinstance(event, _SHOWN)):
            # Nobody sees it: it only changes the state of the last entry.
            restacked = last.is_restacked or last_throw is None
            timeline[-1] = replace(last, state=after, is_restacked=restacked)
            continue
        entry = TimelineEntry(
            before=last.state,
            state=after,
            words=words,
            lines=tuple(map(str.strip, told)),
            event=event,
            last_throw=last_throw,
        )
        timeline.append(entry)
        if after.step is Step.OVER:
            break
    return timeline


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
