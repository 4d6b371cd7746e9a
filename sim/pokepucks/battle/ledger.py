"""A ledger: the state of a battle now, and every event that led to it.

From a state to the next: applying an event.

Values with some fields changed, quickly: a battle does little else.

States, turns and attacks with other values in some fields: what events change.

Each takes the state, turn or attack, and then the values of the fields that it names.

What must hold in every state of a battle.

Gaining and losing statuses, as Critical allows.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, make_dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar

from physics import Face, InputError
from physics.errors import check_count
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.events import Event, StatusGained, StatusLost
from sim.pokepucks.battle.state import (
    ARENA,
    Attack,
    BattleState,
    Place,
    StackKind,
    Status,
    Turn,
    Used,
    places,
)

_T = TypeVar("_T")


def changer(kind: type[_T], *names: str) -> Callable[..., _T]:
    """Return what copies instances of a dataclass, with other values in some fields.

    As `dataclasses.replace` with those fields, ten times as fast; the copy is not checked.

    Args:
        kind: The class; it must have slots.
        names: The fields that change. What is returned takes the instance, then their values.

    Example:
        >>> from sim.pokepucks.battle.state import Turn
        >>> with_attacks = changer(Turn, "attacks", "made")
        >>> with_attacks(Turn(number=7), 2, 1).attacks
        2
    """
    every = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    if unknown := set(names).difference(every):
        raise AttributeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}")
    # Written out field by field, as `dataclasses` does it: a loop takes twice the time. The draft
    # has the same slots, and so may become what it is a draft of: from then on it is frozen.
    lines = [f"def changed(value, {', '.join(names)}):", " copy = draft()"]
    lines += [f" copy.{n} = {n if n in names else f'value.{n}'}" for n in every]
    lines += [" copy.__class__ = kind", " return copy"]
    written: dict[str, Any] = {"draft": _draft(kind), "kind": kind}  # type: ignore[arg-type]
    exec("\n".join(lines), written)
    changed: Callable[..., _T] = written["changed"]
    return changed


@lru_cache(maxsize=16)
def _draft(kind: type) -> type:
    """Return a class with the same fields and no others, and not frozen."""
    names = [field.name for field in fields(kind)]
    return make_dataclass(kind.__name__, names, slots=True, init=False)


with_step = changer(BattleState, "step")
with_turns = changer(BattleState, "turns", "turn")
with_stacks = changer(BattleState, "stacks")
with_max_sizes = changer(BattleState, "max_sizes")
with_statuses = changer(BattleState, "statuses")
with_effects = changer(BattleState, "effects")
with_players = changer(BattleState, "playing", "statuses", "effects")
with_payer = changer(BattleState, "payer")
with_winner = changer(BattleState, "winner")
with_turn = changer(BattleState, "turn")
with_attack = changer(BattleState, "attack")
with_attack_and_turn = changer(BattleState, "attack", "turn")
with_throw = changer(BattleState, "attack", "turn", "throws")
with_picked = changer(BattleState, "stacks", "attack", "turn")

turn_with_used = changer(Turn, "used")
turn_with_matchup = changer(Turn, "matchup")
turn_with_attacks = changer(Turn, "attacks")
turn_with_flags = changer(Turn, "flags")
turn_with_grants = changer(Turn, "grants")
turn_with_made = changer(Turn, "made")
turn_thrown = changer(Turn, "throws", "flipped")
turn_picked = changer(Turn, "picked")

attack_by = changer(Attack, "player", "slammer", "grant", "knock_out", "most", "only")
attack_declared = changer(Attack, "declared")
attack_thrown = changer(Attack, "thrown", "hit", "flipped", "inside", "out")
attack_landed = changer(Attack, "flipped", "inside", "out")
attack_with_most = changer(Attack, "most")
attack_barred = changer(Attack, "barred")
attack_picked = changer(Attack, "picked")


def apply(state: BattleState, event: ev.Event) -> BattleState:
    """Return the state after an event; the only way a state changes.

    Raises:
        InputError: A puck is not where the event takes it from.
    """
    return _APPLY[type(event)](state, event)


def replay_events(state: BattleState, events: Iterable[ev.Event]) -> BattleState:
    """Return the state after some events.

    Raises:
        InputError: An event does not fit the state before it.
    """
    for event in events:
        state = apply(state, event)
    return state


def _step(state: BattleState, event: ev.StepBegan) -> BattleState:
    return with_step(state, event.step)


def _turn(state: BattleState, event: ev.TurnBegan) -> BattleState:
    turns = state.turns
    if state.turn.number:
        turns = _put(turns, state.turn.player, state.turn)
    turn = Turn(number=event.number, player=event.player)
    return with_turns(state, turns, turn)


def _moved(state: BattleState, event: ev.Moved) -> BattleState:
    stacks = moved(state, event.pucks, event.source, event.target, under=event.under)
    return with_stacks(state, stacks)


def moved(
    state: BattleState, pucks: tuple[int, ...], source: Place, target: Place, *, under: bool = False
) -> tuple[tuple[int, ...], ...]:
    """Return the stacks after pucks moved, one at a time."""
    stacks = list(state.stacks)
    left = stacks[source.number]
    for puck in pucks:
        if puck not in left:
            raise InputError(f"puck {puck}: it is not in {tell_place(state, source)}")
        place = left.index(puck)
        left = left[:place] + left[place + 1 :]
    stacks[source.number] = left
    there = stacks[target.number]
    stacks[target.number] = pucks[::-1] + there if under else there + pucks
    return tuple(stacks)


def tell_place(state: BattleState, place: Place) -> str:
    """Return what a stack is called, with its player."""
    if place.player is None:
        return "the Arena" if place.kind is StackKind.ARENA else place.kind.value
    return f"the {place.kind} of {state.table.names[place.player]}"


def _arranged(state: BattleState, event: ev.Arranged) -> BattleState:
    index = event.place.number
    if sorted(event.order) != sorted(state.stacks[index]):
        place = tell_place(state, event.place)
        raise InputError(f"order: {event.order} is not accepted; give the pucks of {place}")
    return with_stacks(state, _put(state.stacks, index, event.order))


def _size(state: BattleState, event: ev.SizeSet) -> BattleState:
    return with_max_sizes(state, _put(state.max_sizes, event.place.number, event.size))


def _status_gained(state: BattleState, event: ev.StatusGained) -> BattleState:
    mine = state.statuses[event.player]
    if event.status in mine:
        return state
    return with_statuses(state, _put(state.statuses, event.player, (*mine, event.status)))


def _status_lost(state: BattleState, event: ev.StatusLost) -> BattleState:
    left = tuple(s for s in state.statuses[event.player] if s is not event.status)
    return with_statuses(state, _put(state.statuses, event.player, left))


def _effect_gained(state: BattleState, event: ev.EffectGained) -> BattleState:
    mine = state.effects[event.player]
    if event.effect in mine:
        return state
    return with_effects(state, _put(state.effects, event.player, (*mine, event.effect)))


def _effect_lost(state: BattleState, event: ev.EffectLost) -> BattleState:
    left = tuple(effect for effect in state.effects[event.player] if effect != event.effect)
    return with_effects(state, _put(state.effects, event.player, left))


def _used(state: BattleState, event: ev.RuleUsed) -> BattleState:
    used = (*state.turn.used, Used(event.player, event.rule, event.puck))
    return with_turn(state, turn_with_used(state.turn, used))


def _matchup(state: BattleState, event: ev.MatchupSet) -> BattleState:
    return with_turn(state, turn_with_matchup(state.turn, event.matchup))


def _attacks(state: BattleState, event: ev.AttacksSet) -> BattleState:
    return with_turn(state, turn_with_attacks(state.turn, event.attacks))


def _flagged(state: BattleState, event: ev.Flagged) -> BattleState:
    if event.flag in state.turn.flags:
        return state
    return with_turn(state, turn_with_flags(state.turn, (*state.turn.flags, event.flag)))


def _granted(state: BattleState, event: ev.AttackGranted) -> BattleState:
    return with_turn(state, turn_with_grants(state.turn, (event.grant, *state.turn.grants)))


def _payer(state: BattleState, event: ev.PayerSet) -> BattleState:
    return with_payer(state, event.player)


_NO_ATTACK = Attack(player=0, slammer=0)


def _attack_began(state: BattleState, event: ev.AttackBegan) -> BattleState:
    grant, turn = event.grant, state.turn
    most, only = (None, None) if grant is None else (grant.most, grant.only)
    attack = attack_by(_NO_ATTACK, event.player, event.slammer, grant, event.knock_out, most, only)
    if event.player == turn.player and not event.knock_out:
        if grant is None:
            turn = turn_with_made(turn, turn.made + 1)
        else:
            place = turn.grants.index(grant)
            turn = turn_with_grants(turn, turn.grants[:place] + turn.grants[place + 1 :])
    return with_attack_and_turn(state, attack, turn)


def _declared(state: BattleState, event: ev.Declared) -> BattleState:
    return with_attack(state, attack_declared(_attack(state), event.rule))


def _thrown(state: BattleState, event: ev.Thrown) -> BattleState:
    """Note how the pucks lie: nearest first, ties in the order of the stack (PP-19)."""
    attack = _attack(state)
    outcome, targets, turn = event.outcome, event.targets, state.turn
    if outcome.hit:
        flipped, inside, out = [], [], []
        for puck, landing in zip(targets, outcome.landings, strict=True):
            if landing.face is Face.OUT:
                out.append(puck)
                continue
            if landing.face is Face.UP:
                flipped.append(puck)
            inside.append((landing.distance_mm, puck))
        inside.sort(key=itemgetter(0))
        nearest = tuple(puck for _, puck in inside)
        attack = attack_thrown(attack, True, True, tuple(flipped), nearest, tuple(out))
    else:
        attack = attack_thrown(attack, True, False, (), (), ())
    if event.player == turn.player and not attack.knock_out:
        turn = turn_thrown(turn, turn.throws + 1, turn.flipped + len(attack.flipped))
    return with_throw(state, attack, turn, event.number)


def _landing(state: BattleState, event: ev.LandingChanged) -> BattleState:
    landed = attack_landed(_attack(state), event.flipped, event.inside, event.out)
    return with_attack(state, landed)


def _limited(state: BattleState, event: ev.AttackLimited) -> BattleState:
    return with_attack(state, attack_with_most(_attack(state), event.most))


def _barred(state: BattleState, event: ev.AttackBarred) -> BattleState:
    return with_attack(state, attack_barred(_attack(state), event.why))


def _picked(state: BattleState, event: ev.PickedUp) -> BattleState:
    stacks = moved(state, (event.puck,), ARENA, event.target)
    attack, turn = _attack(state), state.turn
    if event.player == attack.player:
        attack = attack_picked(attack, (*attack.picked, event.puck))
    if event.player == turn.player:
        turn = turn_picked(turn, (*turn.picked, event.puck))
    return with_picked(state, stacks, attack, turn)


def _attack_ended(state: BattleState, event: ev.AttackEnded) -> BattleState:
    del event
    return with_attack(state, None)


def _went_out(state: BattleState, event: ev.WentOut) -> BattleState:
    playing = tuple(player for player in state.playing if player != event.player)
    statuses = _put(state.statuses, event.player, ())
    return with_players(state, playing, statuses, _put(state.effects, event.player, ()))


def _won(state: BattleState, event: ev.Won) -> BattleState:
    return with_winner(state, event.player)


def _drawn(state: BattleState, event: ev.Drawn) -> BattleState:
    del event
    return state


def _attack(state: BattleState) -> Attack:
    if state.attack is None:
        raise InputError("event: there is no attack that it could change")
    return state.attack


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """Return a tuple with one of its values replaced."""
    return (*values[:index], value, *values[index + 1 :])


_APPLY: Mapping[type, Callable[[BattleState, Any], BattleState]] = {
    ev.StepBegan: _step,
    ev.TurnBegan: _turn,
    ev.Moved: _moved,
    ev.Arranged: _arranged,
    ev.SizeSet: _size,
    ev.StatusGained: _status_gained,
    ev.StatusLost: _status_lost,
    ev.EffectGained: _effect_gained,
    ev.EffectLost: _effect_lost,
    ev.RuleUsed: _used,
    ev.MatchupSet: _matchup,
    ev.AttacksSet: _attacks,
    ev.Flagged: _flagged,
    ev.AttackGranted: _granted,
    ev.PayerSet: _payer,
    ev.AttackBegan: _attack_began,
    ev.Declared: _declared,
    ev.Thrown: _thrown,
    ev.LandingChanged: _landing,
    ev.AttackLimited: _limited,
    ev.AttackBarred: _barred,
    ev.PickedUp: _picked,
    ev.AttackEnded: _attack_ended,
    ev.WentOut: _went_out,
    ev.Won: _won,
    ev.Drawn: _drawn,
}


class Ledger:
    """What scripts write events into. It is the only thing in a battle that changes in place.

    Args:
        state: The state to begin with.

    Attributes:
        state: The state now.
        events: Every event since.
    """

    __slots__ = ("events", "state")

    def __init__(self, state: BattleState) -> None:
        self.state = state
        self.events: list[Event] = []

    def enter(self, event: Event) -> None:
        """Apply an event, and note it.

        Raises:
            InputError: It does not fit the state; nothing changes.
        """
        self.state = apply(self.state, event)
        self.events.append(event)


def check_state(field: str, state: BattleState) -> None:
    """Check that every puck is in exactly one stack, and that all players are there.

    Args:
        field: What to call the state in an error.
        state: The state.

    Raises:
        InputError: Something is not so; the message says what.
    """
    players = state.table.players
    stacks = len(places(players))
    lengths = {
        "stacks": (len(state.stacks), stacks),
        "max_sizes": (len(state.max_sizes), stacks),
        "statuses": (len(state.statuses), players),
        "effects": (len(state.effects), players),
        "turns": (len(state.turns), players),
    }
    for name, (have, wanted) in lengths.items():
        if have != wanted:
            raise InputError(f"{field} {name}: {have} are not accepted; give {wanted}")
    seats = {
        "turn player": state.turn.player,
        "payer": state.payer,
        "winner": state.winner,
        **{f"playing {place}": player for place, player in enumerate(state.playing, start=1)},
    }
    for name, seat in seats.items():
        if seat is not None:
            check_count(f"{field} {name}", seat, low=0, high=players - 1)
    if list(state.playing) != sorted(set(state.playing)):
        raise InputError(f"{field} playing: {state.playing} is not accepted; give each once")
    _check_pucks(field, state)


def _check_pucks(field: str, state: BattleState) -> None:
    found = Counter(puck for stack in state.stacks for puck in stack)
    for puck, times in found.items():
        if not 0 <= puck < len(state.table.pucks):
            raise InputError(f"{field} stacks: there is no puck {puck}")
        if times > 1:
            raise InputError(f"{field} stacks: {state.table.tell(puck)} is there {times} times")
    for puck in range(len(state.table.pucks)):
        if puck not in found:
            raise InputError(f"{field} stacks: {state.table.tell(puck)} is in none of them")
    for place in places(state.table.players):
        if place.kind is StackKind.SLAMMER and len(state.stack(place)) > 1:
            raise InputError(
                f"{field} stacks: {tell_place(state, place)} has {len(state.stack(place))} pucks; "
                "its max size is 1"
            )


def why_not_gain(state: BattleState, player: int, status: Status) -> str:
    """Return why a player's slammer cannot gain a status; empty if it can."""
    name = state.table.names[player]
    if state.has(player, status):
        return f"the slammer of {name} has {status} already"
    barred = state.has(player, Status.CRITICAL) and not state.table.options.is_wild
    if barred:
        return f"the slammer of {name} is Critical and gains no other status (PP-7)"
    return ""


def gain(ledger: Ledger, player: int, status: Status, why: str = "") -> bool:
    """Give a player's slammer a status, and return whether it gained it.

    Critical takes the others away (PP-7), except in a wild battle, where it has no rule (PP-24).
    """
    options = ledger.state.table.options
    if why_not_gain(ledger.state, player, status):
        return False
    if status is Status.CRITICAL and options.critical_clears and not options.is_wild:
        for other in ledger.state.statuses[player]:
            lose(ledger, player, other, str(status))
    ledger.enter(StatusGained(player=player, status=status, why=why))
    return True


def lose(ledger: Ledger, player: int, status: Status, why: str = "") -> bool:
    """Take a status from a player's slammer, and return whether it lost it.

    In a wild battle every slammer stays Critical (PP-24).
    """
    state = ledger.state
    stays = status is Status.CRITICAL and state.table.options.is_wild
    if stays or not state.has(player, status):
        return False
    ledger.enter(StatusLost(player=player, status=status, why=why))
    return True
