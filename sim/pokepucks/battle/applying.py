"""From a state to the next: applying an event."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from physics import Face, InputError
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.changing import changed
from sim.pokepucks.battle.places import ARENA, Place, StackKind
from sim.pokepucks.battle.state import Attack, BattleState, Turn, Used


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
    return changed(state, step=event.step)


def _turn(state: BattleState, event: ev.TurnBegan) -> BattleState:
    turns = state.turns
    if state.turn.number:
        turns = _with(turns, state.turn.player, state.turn)
    return changed(state, turns=turns, turn=Turn(number=event.number, player=event.player))


def _moved(state: BattleState, event: ev.Moved) -> BattleState:
    return changed(
        state, stacks=moved(state, event.pucks, event.source, event.target, under=event.under)
    )


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
    return changed(state, stacks=_with(state.stacks, index, event.order))


def _size(state: BattleState, event: ev.SizeSet) -> BattleState:
    return changed(state, max_sizes=_with(state.max_sizes, event.place.number, event.size))


def _status_gained(state: BattleState, event: ev.StatusGained) -> BattleState:
    mine = state.statuses[event.player]
    if event.status in mine:
        return state
    return changed(state, statuses=_with(state.statuses, event.player, (*mine, event.status)))


def _status_lost(state: BattleState, event: ev.StatusLost) -> BattleState:
    left = tuple(s for s in state.statuses[event.player] if s is not event.status)
    return changed(state, statuses=_with(state.statuses, event.player, left))


def _effect_gained(state: BattleState, event: ev.EffectGained) -> BattleState:
    mine = state.effects[event.player]
    if event.effect in mine:
        return state
    return changed(state, effects=_with(state.effects, event.player, (*mine, event.effect)))


def _effect_lost(state: BattleState, event: ev.EffectLost) -> BattleState:
    left = tuple(effect for effect in state.effects[event.player] if effect != event.effect)
    return changed(state, effects=_with(state.effects, event.player, left))


def _used(state: BattleState, event: ev.RuleUsed) -> BattleState:
    used = (*state.turn.used, Used(event.player, event.rule, event.puck))
    return changed(state, turn=changed(state.turn, used=used))


def _matchup(state: BattleState, event: ev.MatchupSet) -> BattleState:
    return changed(state, turn=changed(state.turn, matchup=event.matchup))


def _attacks(state: BattleState, event: ev.AttacksSet) -> BattleState:
    return changed(state, turn=changed(state.turn, attacks=event.attacks))


def _flagged(state: BattleState, event: ev.Flagged) -> BattleState:
    if event.flag in state.turn.flags:
        return state
    return changed(state, turn=changed(state.turn, flags=(*state.turn.flags, event.flag)))


def _granted(state: BattleState, event: ev.AttackGranted) -> BattleState:
    return changed(state, turn=changed(state.turn, grants=(event.grant, *state.turn.grants)))


def _payer(state: BattleState, event: ev.PayerSet) -> BattleState:
    return changed(state, payer=event.player)


def _attack_began(state: BattleState, event: ev.AttackBegan) -> BattleState:
    grant, turn = event.grant, state.turn
    attack = Attack(
        player=event.player,
        slammer=event.slammer,
        grant=grant,
        knock_out=event.knock_out,
        most=None if grant is None else grant.most,
        only=None if grant is None else grant.only,
    )
    if event.player == turn.player and not event.knock_out:
        if grant is None:
            turn = changed(turn, made=turn.made + 1)
        else:
            place = turn.grants.index(grant)
            turn = changed(turn, grants=turn.grants[:place] + turn.grants[place + 1 :])
    return changed(state, attack=attack, turn=turn)


def _declared(state: BattleState, event: ev.Declared) -> BattleState:
    return changed(state, attack=changed(_attack(state), declared=event.rule))


def _thrown(state: BattleState, event: ev.Thrown) -> BattleState:
    """Note how the pucks lie: nearest first, ties in the order of the stack (PP-19)."""
    attack = _attack(state)
    outcome, targets, turn = event.outcome, event.targets, state.turn
    attack = changed(attack, thrown=True, hit=outcome.hit)
    if outcome.hit:
        lying = list(zip(targets, outcome.landings, strict=True))
        inside = sorted(
            ((puck, landing) for puck, landing in lying if landing.face is not Face.OUT),
            key=lambda pair: pair[1].distance_mm,
        )
        attack = changed(
            attack,
            flipped=tuple(puck for puck, landing in lying if landing.face is Face.UP),
            inside=tuple(puck for puck, _ in inside),
            out=tuple(puck for puck, landing in lying if landing.face is Face.OUT),
        )
    if event.player == turn.player and not attack.knock_out:
        turn = changed(turn, throws=turn.throws + 1, flipped=turn.flipped + len(attack.flipped))
    return changed(state, attack=attack, turn=turn, throws=event.number)


def _landing(state: BattleState, event: ev.LandingChanged) -> BattleState:
    attack = changed(_attack(state), flipped=event.flipped, inside=event.inside, out=event.out)
    return changed(state, attack=attack)


def _limited(state: BattleState, event: ev.AttackLimited) -> BattleState:
    return changed(state, attack=changed(_attack(state), most=event.most))


def _barred(state: BattleState, event: ev.AttackBarred) -> BattleState:
    return changed(state, attack=changed(_attack(state), barred=event.why))


def _picked(state: BattleState, event: ev.PickedUp) -> BattleState:
    stacks = moved(state, (event.puck,), ARENA, event.target)
    attack, turn = _attack(state), state.turn
    if event.player == attack.player:
        attack = changed(attack, picked=(*attack.picked, event.puck))
    if event.player == turn.player:
        turn = changed(turn, picked=(*turn.picked, event.puck))
    return changed(state, stacks=stacks, attack=attack, turn=turn)


def _attack_ended(state: BattleState, event: ev.AttackEnded) -> BattleState:
    del event
    return changed(state, attack=None)


def _went_out(state: BattleState, event: ev.WentOut) -> BattleState:
    return changed(
        state,
        playing=tuple(player for player in state.playing if player != event.player),
        statuses=_with(state.statuses, event.player, ()),
        effects=_with(state.effects, event.player, ()),
    )


def _won(state: BattleState, event: ev.Won) -> BattleState:
    return changed(state, winner=event.player)


def _drawn(state: BattleState, event: ev.Drawn) -> BattleState:
    del event
    return state


def _attack(state: BattleState) -> Attack:
    if state.attack is None:
        raise InputError("event: there is no attack that it could change")
    return state.attack


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
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
