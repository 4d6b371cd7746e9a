"""Events: everything that changes a battle, each a small named fact.

`apply` is the only way from one state to the next. Each event says in its ``apply_to`` which fields
it changes, so a list of events leads from any state to the same end. The field ``why`` names the
step or the special rule for people who read a transcript; nothing is decided by it.

States, turns and attacks are frozen. New ones are made from a draft: an open copy whose fields are
set before `_seal` makes it an instance of the frozen class.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, make_dataclass
from operator import itemgetter
from typing import Any, TypeVar

from physics import Face, InputError
from sim.pokepucks.battle.state import (
    ARENA,
    Attack,
    BattleState,
    Grant,
    Matchup,
    Place,
    Status,
    Step,
    Turn,
    Used,
    place_name,
)
from sim.pokepucks.throws import Outcome

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBegan:
    """A step of set-up or turn begins."""

    step: Step

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.step = self.step
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan:
    """A turn begins; the turn before it is kept as the last turn of its player.

    Attributes:
        player: The new current player.
        number: Number of the turn, from 1.
    """

    player: int
    number: int

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        if state.turn.number:
            draft.turns = _put(state.turns, state.turn.player, state.turn)
        draft.turn = Turn(number=self.number, player=self.player)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Pucks move from one stack to another, one at a time.

    Attributes:
        pucks: The pucks, in order.
        source: The stack they leave.
        target: The stack they go to.
        under: True if each goes to the bottom, False if each goes on top.
        why: The purpose.
    """

    pucks: tuple[int, ...]
    source: Place
    target: Place
    under: bool = False
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.stacks = _moved(state, self.pucks, self.source, self.target, under=self.under)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """A stack gets a new order.

    Attributes:
        place: The stack.
        order: Its pucks, from the floor up.
        why: The purpose.
    """

    place: Place
    order: tuple[int, ...]
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        index = self.place.stack_index
        if sorted(self.order) != sorted(state.stacks[index]):
            name = place_name(state, self.place)
            raise InputError(f"order: {self.order} is not accepted; give the pucks of {name}")
        draft = _state_draft(state)
        draft.stacks = _put(state.stacks, index, self.order)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeSet:
    """The max size of a stack is set."""

    place: Place
    size: int
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.max_sizes = _put(state.max_sizes, self.place.stack_index, self.size)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusGained:
    """A player's slammer gains a status; see `sim.pokepucks.battle.handling.gain`."""

    player: int
    status: Status
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        statuses = state.statuses[self.player]
        if self.status in statuses:
            return state
        draft = _state_draft(state)
        draft.statuses = _put(state.statuses, self.player, (*statuses, self.status))
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusLost:
    """A player's slammer loses a status."""

    player: int
    status: Status
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        left = tuple(s for s in state.statuses[self.player] if s is not self.status)
        draft = _state_draft(state)
        draft.statuses = _put(state.statuses, self.player, left)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectGained:
    """A special rule becomes pending on a player, at most once (PP-48)."""

    player: int
    effect: str

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        effects = state.effects[self.player]
        if self.effect in effects:
            return state
        draft = _state_draft(state)
        draft.effects = _put(state.effects, self.player, (*effects, self.effect))
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectLost:
    """A special rule is no longer pending on a player."""

    player: int
    effect: str

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        left = tuple(effect for effect in state.effects[self.player] if effect != self.effect)
        draft = _state_draft(state)
        draft.effects = _put(state.effects, self.player, left)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUsed:
    """A special rule acts; the events that follow are its effect."""

    player: int
    rule: str
    puck: int | None = None

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        turn = _turn_draft(state.turn)
        turn.used = (*state.turn.used, Used(self.player, self.rule, self.puck))
        return _with_turn(state, turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupSet:
    """The types to be compared are set."""

    matchup: Matchup
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        turn = _turn_draft(state.turn)
        turn.matchup = self.matchup
        return _with_turn(state, turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttacksSet:
    """The number of attacks is set."""

    attacks: int
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        turn = _turn_draft(state.turn)
        turn.attacks = self.attacks
        return _with_turn(state, turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A word is remembered until the turn ends."""

    flag: str

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        if self.flag in state.turn.flags:
            return state
        turn = _turn_draft(state.turn)
        turn.flags = (*state.turn.flags, self.flag)
        return _with_turn(state, turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackGranted:
    """The current player gets an additional attack, to be made next."""

    grant: Grant

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        turn = _turn_draft(state.turn)
        turn.grants = (self.grant, *state.turn.grants)
        return _with_turn(state, turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayerSet:
    """Another player pays for the next top-off; None for the current player (PP-15)."""

    player: int | None

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.payer = self.player
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackBegan:
    """An attack or a knock-out attempt begins.

    Attributes:
        player: The thrower.
        slammer: The slammer thrown.
        grant: The grant that allows it; None for an attack that was counted.
        knock_out: True for a knock-out attempt.
    """

    player: int
    slammer: int
    grant: Grant | None = None
    knock_out: bool = False

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        grant, turn = self.grant, state.turn
        attack = _attack_draft(_NO_ATTACK)
        attack.player, attack.slammer = self.player, self.slammer
        attack.grant, attack.knock_out = grant, self.knock_out
        if grant is not None:
            attack.most, attack.only = grant.most, grant.only
        draft = _state_draft(state)
        draft.attack = _seal(attack, Attack)
        if self.player == turn.player and not self.knock_out:
            now = _turn_draft(turn)
            if grant is None:
                now.made = turn.made + 1
            else:
                index = turn.grants.index(grant)
                now.grants = turn.grants[:index] + turn.grants[index + 1 :]
            draft.turn = _seal(now, Turn)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """The thrower declares a special rule before the throw."""

    rule: str

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        attack = _attack_draft(_attack_of(state))
        attack.declared = self.rule
        return _with_attack(state, attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """The throw of the attack under way is made.

    Attributes:
        number: Number of the throw in the battle, from 1.
        player: The thrower.
        targets: The pucks in the Arena, from the floor up.
        outcome: The outcome, with a landing for each of them.
    """

    number: int
    player: int
    targets: tuple[int, ...]
    outcome: Outcome

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        now, turn = _attack_of(state), state.turn
        flipped, inside, out = [], [], []
        if self.outcome.hit:
            for puck, landing in zip(self.targets, self.outcome.landings, strict=True):
                if landing.face is Face.OUT:
                    out.append(puck)
                    continue
                if landing.face is Face.UP:
                    flipped.append(puck)
                inside.append((landing.distance_mm, puck))
            # Ruling PP-19: nearest to the centre first; the sort is stable, so ties keep the order
            # of the stack.
            inside.sort(key=itemgetter(0))
        attack = _attack_draft(now)
        attack.thrown, attack.hit = True, self.outcome.hit
        attack.flipped, attack.out = tuple(flipped), tuple(out)
        attack.inside = tuple(puck for _, puck in inside)
        draft = _state_draft(state)
        draft.attack = _seal(attack, Attack)
        draft.throws = self.number
        if self.player == turn.player and not now.knock_out:
            throwing = _turn_draft(turn)
            throwing.throws = turn.throws + 1
            throwing.flipped = turn.flipped + len(flipped)
            draft.turn = _seal(throwing, Turn)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingChanged:
    """A special rule changes the result of the throw under way.

    Attributes:
        flipped: The new ``Attack.flipped``.
        inside: The new ``Attack.inside``.
        out: The new ``Attack.out``.
        why: The special rule.
    """

    flipped: tuple[int, ...]
    inside: tuple[int, ...]
    out: tuple[int, ...]
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        attack = _attack_draft(_attack_of(state))
        attack.flipped, attack.inside, attack.out = self.flipped, self.inside, self.out
        return _with_attack(state, attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLimited:
    """The number of pucks that may be picked up from the attack under way is limited."""

    most: int
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        attack = _attack_draft(_attack_of(state))
        attack.most = self.most
        return _with_attack(state, attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackBarred:
    """Nothing may be picked up from the attack under way; ``why`` is not empty."""

    why: str

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        attack = _attack_draft(_attack_of(state))
        attack.barred = self.why
        return _with_attack(state, attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedUp:
    """A puck of the attack under way is picked up: it moves from the Arena to a stack."""

    player: int
    puck: int
    target: Place

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        now, turn = _attack_of(state), state.turn
        draft = _state_draft(state)
        draft.stacks = _moved(state, (self.puck,), ARENA, self.target)
        if self.player == now.player:
            attack = _attack_draft(now)
            attack.picked = (*now.picked, self.puck)
            draft.attack = _seal(attack, Attack)
        if self.player == turn.player:
            picking = _turn_draft(turn)
            picking.picked = (*turn.picked, self.puck)
            draft.turn = _seal(picking, Turn)
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackEnded:
    """The attack under way is over."""

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.attack = None
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class WentOut:
    """A player leaves the battle, and loses all statuses and pending effects (PP-32).

    Attributes:
        player: The player.
        why: ``knocked out``, ``won`` or ``draw``.
    """

    player: int
    why: str

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.playing = tuple(player for player in state.playing if player != self.player)
        draft.statuses = _put(state.statuses, self.player, ())
        draft.effects = _put(state.effects, self.player, ())
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """A player wins."""

    player: int

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event."""
        draft = _state_draft(state)
        draft.winner = self.player
        return _seal(draft, BattleState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The battle is a draw, because the limit of turns is reached (PP-23)."""

    turns: int

    def apply_to(self, state: BattleState) -> BattleState:
        """Return the state after the event: the same, since `WentOut` follows for each player."""
        return state


Event = (
    StepBegan
    | TurnBegan
    | Moved
    | Arranged
    | SizeSet
    | StatusGained
    | StatusLost
    | EffectGained
    | EffectLost
    | RuleUsed
    | MatchupSet
    | AttacksSet
    | Flagged
    | AttackGranted
    | PayerSet
    | AttackBegan
    | Declared
    | Thrown
    | LandingChanged
    | AttackLimited
    | AttackBarred
    | PickedUp
    | AttackEnded
    | WentOut
    | Won
    | Drawn
)


def apply(state: BattleState, event: Event) -> BattleState:
    """Return the state after an event.

    Raises:
        InputError: The event does not fit the state: a puck is in another stack than the event
            says, or there is no attack to change.
    """
    return event.apply_to(state)


def replay_events(state: BattleState, events: Iterable[Event]) -> BattleState:
    """Return the state after some events.

    Raises:
        InputError: An event does not fit the state before it.
    """
    for event in events:
        state = event.apply_to(state)
    return state


def _moved(
    state: BattleState, pucks: tuple[int, ...], source: Place, target: Place, *, under: bool = False
) -> tuple[tuple[int, ...], ...]:
    """Return the stacks after pucks moved, one at a time."""
    stacks, origin, end = list(state.stacks), source.stack_index, target.stack_index
    left = stacks[origin]
    for puck in pucks:
        if puck not in left:
            raise InputError(f"puck {puck}: it is not in {place_name(state, source)}")
        index = left.index(puck)
        left = left[:index] + left[index + 1 :]
    stacks[origin] = left
    stacks[end] = pucks[::-1] + stacks[end] if under else stacks[end] + pucks
    return tuple(stacks)


def _attack_of(state: BattleState) -> Attack:
    if state.attack is None:
        raise InputError("event: there is no attack that it could change")
    return state.attack


_NO_ATTACK = Attack(player=0, slammer=0)


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """Return a tuple with one of its values replaced."""
    return (*values[:index], value, *values[index + 1 :])


def _draft_class(kind: type) -> Any:
    """Return an open class with the slots of a frozen one, so that an instance can change class."""
    names = [field.name for field in fields(kind)]
    return make_dataclass(kind.__name__, names, slots=True, init=False)


_StateDraft = _draft_class(BattleState)
_TurnDraft = _draft_class(Turn)
_AttackDraft = _draft_class(Attack)


def _seal(draft: Any, kind: type[_T]) -> _T:
    """Return a draft as an instance of the frozen class; its fields cannot be set any more."""
    draft.__class__ = kind
    sealed: _T = draft
    return sealed


def _with_turn(state: BattleState, turn_draft: Any) -> BattleState:
    draft = _state_draft(state)
    draft.turn = _seal(turn_draft, Turn)
    return _seal(draft, BattleState)


def _with_attack(state: BattleState, attack_draft: Any) -> BattleState:
    draft = _state_draft(state)
    draft.attack = _seal(attack_draft, Attack)
    return _seal(draft, BattleState)


# The copies are written out field by field: a battle does little else, and a loop over the names
# takes twice the time, `dataclasses.replace` ten times.


def _state_draft(state: BattleState) -> Any:
    draft = _StateDraft()
    draft.table = state.table
    draft.stacks = state.stacks
    draft.max_sizes = state.max_sizes
    draft.statuses = state.statuses
    draft.effects = state.effects
    draft.playing = state.playing
    draft.step = state.step
    draft.turn = state.turn
    draft.turns = state.turns
    draft.attack = state.attack
    draft.payer = state.payer
    draft.throws = state.throws
    draft.winner = state.winner
    return draft


def _turn_draft(turn: Turn) -> Any:
    draft = _TurnDraft()
    draft.number = turn.number
    draft.player = turn.player
    draft.matchup = turn.matchup
    draft.attacks = turn.attacks
    draft.made = turn.made
    draft.grants = turn.grants
    draft.throws = turn.throws
    draft.flipped = turn.flipped
    draft.picked = turn.picked
    draft.used = turn.used
    draft.flags = turn.flags
    return draft


def _attack_draft(attack: Attack) -> Any:
    draft = _AttackDraft()
    draft.player = attack.player
    draft.slammer = attack.slammer
    draft.grant = attack.grant
    draft.knock_out = attack.knock_out
    draft.thrown = attack.thrown
    draft.hit = attack.hit
    draft.flipped = attack.flipped
    draft.inside = attack.inside
    draft.out = attack.out
    draft.most = attack.most
    draft.only = attack.only
    draft.barred = attack.barred
    draft.picked = attack.picked
    draft.declared = attack.declared
    return draft
