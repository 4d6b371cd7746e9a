"""Events: everything that changes a battle, each a small named fact.

`apply` is the only way from one state to the next. The ``apply_to`` of each event says which fields
it changes, so the same events lead from the same state to the same end. The field ``why`` names the
step or the special rule for people who read a transcript; nothing is decided by it.

States, turns and attacks are frozen; `change_state` and its like make new ones.
"""

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from operator import itemgetter
from typing import Any, TypeVar

from pucklab.base.facts import fact
from pucklab.physics import Face, InputError
from pucklab.sim.pokepucks.battle.battle_setup import Pucks
from pucklab.sim.pokepucks.battle.state import (
    ARENA,
    Attack,
    BattleState,
    Grant,
    Matchup,
    Place,
    Step,
    Turn,
    Used,
    place_name,
)
from pucklab.sim.pokepucks.throws import Outcome

_T = TypeVar("_T")


def _changer(kind: type[_T]) -> Callable[..., _T]:
    """Return a function that returns an instance of a frozen class with some fields changed.

    It fills an open instance, which becomes one of the frozen class. A battle does little else: so
    the copy is written out field by field, as a loop over the names takes twice the time, and
    `dataclasses.replace` ten times.
    """
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    draft = make_dataclass(kind.__name__, names, slots=True, init=False)
    lines = [f"    draft.{name} = one.{name}" for name in names]
    made: dict[str, Any] = {"Draft": draft, "kind": kind}
    exec(
        "\n".join(
            (
                "def change(one, **changes):",
                "    draft = Draft()",
                *lines,
                "    for name in changes:",
                "        setattr(draft, name, changes[name])",
                "    draft.__class__ = kind",
                "    return draft",
            )
        ),
        made,
    )
    change: Callable[..., _T] = made["change"]
    return change


change_state = _changer(BattleState)
change_turn = _changer(Turn)
change_attack = _changer(Attack)


def _in_turn(state: BattleState, **changes: Any) -> BattleState:
    """Return a state with some fields of its turn changed."""
    return change_state(state, turn=change_turn(state.turn, **changes))


def _in_attack(state: BattleState, **changes: Any) -> BattleState:
    """Return a state with some fields of the attack under way changed."""
    return change_state(state, attack=change_attack(state.now, **changes))


def _sets(change: Callable[..., BattleState], **names: str) -> Callable[..., BattleState]:
    """Return the ``apply_to`` of an event that sets fields: each to one of its own, by name."""

    def apply_to(event: Any, state: BattleState) -> BattleState:
        return change(state, **{field: getattr(event, own) for field, own in names.items()})

    return apply_to


def _adds(words: str, own: str) -> Callable[..., BattleState]:
    """Return the ``apply_to`` of an event that adds a word to its player's, once."""

    def apply_to(event: Any, state: BattleState) -> BattleState:
        every, word = getattr(state, words), getattr(event, own)
        there = every[event.player]
        if word in there:
            return state
        return change_state(state, **{words: _put(every, event.player, (*there, word))})

    return apply_to


def _drops(words: str, own: str) -> Callable[..., BattleState]:
    """Return the ``apply_to`` of an event that takes a word from its player's."""

    def apply_to(event: Any, state: BattleState) -> BattleState:
        every, word = getattr(state, words), getattr(event, own)
        left = tuple(one for one in every[event.player] if one != word)
        return change_state(state, **{words: _put(every, event.player, left)})

    return apply_to


@fact
class StepBegan:
    """A step of set-up or turn begins."""

    step: Step

    apply_to = _sets(change_state, step="step")


@fact
class TurnBegan:
    """A turn begins; the turn before it is kept as the last turn of its player.

    Attributes:
        player: The new current player.
        number: Number of the turn, from 1.
    """

    player: int
    number: int

    def apply_to(self, state: BattleState) -> BattleState:
        turns = state.turns
        if state.turn.number:
            turns = _put(turns, state.turn.player, state.turn)
        return change_state(state, turns=turns, turn=Turn(number=self.number, player=self.player))


@fact
class Moved:
    """Pucks move from one stack to another, one at a time.

    Attributes:
        pucks: The pucks, in order.
        source: The stack they leave.
        target: The stack they go to.
        under: True if each goes to the bottom, False if each goes on top.
        why: The purpose.
    """

    pucks: Pucks
    source: Place
    target: Place
    under: bool = False
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        return change_state(
            state, stacks=_move(state, self.pucks, self.source, self.target, under=self.under)
        )


@fact
class Arranged:
    """A stack gets a new order.

    Attributes:
        place: The stack.
        order: Its pucks, from the floor up.
        why: The purpose.
    """

    place: Place
    order: Pucks
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        index = self.place.stack_index
        if sorted(self.order) != sorted(state.stacks[index]):
            name = place_name(state, self.place)
            raise InputError(f"order: {self.order} is not accepted; give the pucks of {name}")
        return change_state(state, stacks=_put(state.stacks, index, self.order))


@fact
class SizeSet:
    """The max size of a stack is set."""

    place: Place
    size: int
    why: str = ""

    def apply_to(self, state: BattleState) -> BattleState:
        return change_state(
            state, max_sizes=_put(state.max_sizes, self.place.stack_index, self.size)
        )


@fact
class StatusGained:
    """A player's slammer gains a status; see `pucklab.sim.pokepucks.battle.handling.gain`."""

    player: int
    status: str
    why: str = ""

    apply_to = _adds("statuses", "status")


@fact
class StatusLost:
    """A player's slammer loses a status."""

    player: int
    status: str
    why: str = ""

    apply_to = _drops("statuses", "status")


@fact
class EffectGained:
    """A special rule becomes pending on a player; it can be so once only (PP-48)."""

    player: int
    effect: str

    apply_to = _adds("effects", "effect")


@fact
class EffectLost:
    """A special rule is no longer pending on a player."""

    player: int
    effect: str

    apply_to = _drops("effects", "effect")


@fact
class RuleUsed:
    """A special rule acts; the events that follow are its effect."""

    player: int
    rule: str
    puck: int | None = None

    def apply_to(self, state: BattleState) -> BattleState:
        return _in_turn(state, used=(*state.turn.used, Used(self.player, self.rule, self.puck)))


@fact
class MatchupSet:
    """The types to be compared are set."""

    matchup: Matchup
    why: str = ""

    apply_to = _sets(_in_turn, matchup="matchup")


@fact
class AttacksSet:
    """The number of attacks is set."""

    attacks: int
    why: str = ""

    apply_to = _sets(_in_turn, attacks="attacks")


@fact
class Flagged:
    """A rule stores a word until the turn ends, for its conditions."""

    flag: str

    def apply_to(self, state: BattleState) -> BattleState:
        if self.flag in state.turn.flags:
            return state
        return _in_turn(state, flags=(*state.turn.flags, self.flag))


@fact
class AttackGranted:
    """The current player gets an additional attack, to be made next."""

    grant: Grant

    def apply_to(self, state: BattleState) -> BattleState:
        return _in_turn(state, grants=(self.grant, *state.turn.grants))


@fact
class PayerSet:
    """Another player pays for the next top-off; None for the current player (PP-15)."""

    player: int | None

    apply_to = _sets(change_state, payer="player")


@fact
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
        grant, turn = self.grant, state.turn
        attack = Attack(
            player=self.player,
            slammer=self.slammer,
            grant=grant,
            knock_out=self.knock_out,
            most=None if grant is None else grant.most,
            only=None if grant is None else grant.only,
        )
        if self.player == turn.player and not self.knock_out:
            if grant is None:
                turn = change_turn(turn, made=turn.made + 1)
            else:
                index = turn.grants.index(grant)
                turn = change_turn(turn, grants=turn.grants[:index] + turn.grants[index + 1 :])
        return change_state(state, attack=attack, turn=turn)


@fact
class Declared:
    """The thrower declares a special rule before the throw."""

    rule: str

    apply_to = _sets(_in_attack, declared="rule")


@fact
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
    targets: Pucks
    outcome: Outcome

    def apply_to(self, state: BattleState) -> BattleState:
        now, turn = state.now, state.turn
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
        attack = change_attack(
            now,
            thrown=True,
            hit=self.outcome.hit,
            flipped=tuple(flipped),
            inside=tuple(puck for _, puck in inside),
            out=tuple(out),
        )
        if self.player == turn.player:
            turn = change_turn(turn, throws=turn.throws + 1, flipped=turn.flipped + len(flipped))
        return change_state(state, attack=attack, throws=self.number, turn=turn)


@fact
class ThrowSkipped:
    """The attack under way misses without a throw, since the Arena is empty (PP-41)."""

    player: int

    def apply_to(self, state: BattleState) -> BattleState:
        return _in_attack(state, thrown=True)


@fact
class LandingChanged:
    """A special rule changes the result of the throw under way.

    Attributes:
        flipped: The new ``Attack.flipped``.
        inside: The new ``Attack.inside``.
        out: The new ``Attack.out``.
        why: The special rule.
    """

    flipped: Pucks
    inside: Pucks
    out: Pucks
    why: str = ""

    apply_to = _sets(_in_attack, flipped="flipped", inside="inside", out="out")


@fact
class AttackLimited:
    """The number of pucks that may be picked up from the attack under way is limited."""

    most: int
    why: str = ""

    apply_to = _sets(_in_attack, most="most")


@fact
class AttackBarred:
    """Nothing may be picked up from the attack under way; ``why`` is not empty."""

    why: str

    apply_to = _sets(_in_attack, barred="why")


@fact
class PickedUp:
    """A puck of the attack under way is picked up: it moves from the Arena to a stack."""

    player: int
    puck: int
    target: Place

    def apply_to(self, state: BattleState) -> BattleState:
        attack, turn = state.now, state.turn
        if self.player == attack.player:
            attack = change_attack(attack, picked=(*attack.picked, self.puck))
        if self.player == turn.player:
            turn = change_turn(turn, picked=(*turn.picked, self.puck))
        stacks = _move(state, (self.puck,), ARENA, self.target)
        return change_state(state, stacks=stacks, attack=attack, turn=turn)


@fact
class AttackEnded:
    """The attack under way is over."""

    def apply_to(self, state: BattleState) -> BattleState:
        return change_state(state, attack=None)


@fact
class WentOut:
    """A player leaves the battle, and loses all statuses and pending effects (PP-32).

    Attributes:
        player: The player.
        why: ``knocked out``, ``won`` or ``draw``.
    """

    player: int
    why: str

    def apply_to(self, state: BattleState) -> BattleState:
        return change_state(
            state,
            playing=tuple(player for player in state.playing if player != self.player),
            statuses=_put(state.statuses, self.player, ()),
            effects=_put(state.effects, self.player, ()),
        )


@fact
class Won:
    """A player wins."""

    player: int

    apply_to = _sets(change_state, winner="player")


@fact
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
    | ThrowSkipped
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


def _move(
    state: BattleState, pucks: Pucks, source: Place, target: Place, *, under: bool = False
) -> tuple[Pucks, ...]:
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


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """Return a tuple with one of its values replaced."""
    return (*values[:index], value, *values[index + 1 :])
