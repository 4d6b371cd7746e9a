"""From a state to the next: applying an event."""

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any

from physics import Face, InputError
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle import fieldchanges as alter
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
    return alter.with_step(state, event.step)


def _turn(state: BattleState, event: ev.TurnBegan) -> BattleState:
    turns = state.turns
    if state.turn.number:
        turns = _put(turns, state.turn.player, state.turn)
    turn = Turn(number=event.number, player=event.player)
    return alter.with_turns(state, turns, turn)


def _moved(state: BattleState, event: ev.Moved) -> BattleState:
    stacks = moved(state, event.pucks, event.source, event.target, under=event.under)
    return alter.with_stacks(state, stacks)


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
    return alter.with_stacks(state, _put(state.stacks, index, event.order))


def _size(state: BattleState, event: ev.SizeSet) -> BattleState:
    return alter.with_max_sizes(state, _put(state.max_sizes, event.place.number, event.size))


def _status_gained(state: BattleState, event: ev.StatusGained) -> BattleState:
    mine = state.statuses[event.player]
    if event.status in mine:
        return state
    return alter.with_statuses(state, _put(state.statuses, event.player, (*mine, event.status)))


def _status_lost(state: BattleState, event: ev.StatusLost) -> BattleState:
    left = tuple(s for s in state.statuses[event.player] if s is not event.status)
    return alter.with_statuses(state, _put(state.statuses, event.player, left))


def _effect_gained(state: BattleState, event: ev.EffectGained) -> BattleState:
    mine = state.effects[event.player]
    if event.effect in mine:
        return state
    return alter.with_effects(state, _put(state.effects, event.player, (*mine, event.effect)))


def _effect_lost(state: BattleState, event: ev.EffectLost) -> BattleState:
    left = tuple(effect for effect in state.effects[event.player] if effect != event.effect)
    return alter.with_effects(state, _put(state.effects, event.player, left))


def _used(state: BattleState, event: ev.RuleUsed) -> BattleState:
    used = (*state.turn.used, Used(event.player, event.rule, event.puck))
    return alter.with_turn(state, alter.turn_with_used(state.turn, used))


def _matchup(state: BattleState, event: ev.MatchupSet) -> BattleState:
    return alter.with_turn(state, alter.turn_with_matchup(state.turn, event.matchup))


def _attacks(state: BattleState, event: ev.AttacksSet) -> BattleState:
    return alter.with_turn(state, alter.turn_with_attacks(state.turn, event.attacks))


def _flagged(state: BattleState, event: ev.Flagged) -> BattleState:
    if event.flag in state.turn.flags:
        return state
    return alter.with_turn(
        state, alter.turn_with_flags(state.turn, (*state.turn.flags, event.flag))
    )


def _granted(state: BattleState, event: ev.AttackGranted) -> BattleState:
    return alter.with_turn(
        state, alter.turn_with_grants(state.turn, (event.grant, *state.turn.grants))
    )


def _payer(state: BattleState, event: ev.PayerSet) -> BattleState:
    return alter.with_payer(state, event.player)


_NO_ATTACK = Attack(player=0, slammer=0)


def _attack_began(state: BattleState, event: ev.AttackBegan) -> BattleState:
    grant, turn = event.grant, state.turn
    most, only = (None, None) if grant is None else (grant.most, grant.only)
    attack = alter.attack_by(
        _NO_ATTACK, event.player, event.slammer, grant, event.knock_out, most, only
    )
    if event.player == turn.player and not event.knock_out:
        if grant is None:
            turn = alter.turn_with_made(turn, turn.made + 1)
        else:
            place = turn.grants.index(grant)
            turn = alter.turn_with_grants(turn, turn.grants[:place] + turn.grants[place + 1 :])
    return alter.with_attack_and_turn(state, attack, turn)


def _declared(state: BattleState, event: ev.Declared) -> BattleState:
    return alter.with_attack(state, alter.attack_declared(_attack(state), event.rule))


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
        attack = alter.attack_thrown(attack, True, True, tuple(flipped), nearest, tuple(out))
    else:
        attack = alter.attack_thrown(attack, True, False, (), (), ())
    if event.player == turn.player and not attack.knock_out:
        turn = alter.turn_thrown(turn, turn.throws + 1, turn.flipped + len(attack.flipped))
    return alter.with_throw(state, attack, turn, event.number)


def _landing(state: BattleState, event: ev.LandingChanged) -> BattleState:
    landed = alter.attack_landed(_attack(state), event.flipped, event.inside, event.out)
    return alter.with_attack(state, landed)


def _limited(state: BattleState, event: ev.AttackLimited) -> BattleState:
    return alter.with_attack(state, alter.attack_with_most(_attack(state), event.most))


def _barred(state: BattleState, event: ev.AttackBarred) -> BattleState:
    return alter.with_attack(state, alter.attack_barred(_attack(state), event.why))


def _picked(state: BattleState, event: ev.PickedUp) -> BattleState:
    stacks = moved(state, (event.puck,), ARENA, event.target)
    attack, turn = _attack(state), state.turn
    if event.player == attack.player:
        attack = alter.attack_picked(attack, (*attack.picked, event.puck))
    if event.player == turn.player:
        turn = alter.turn_picked(turn, (*turn.picked, event.puck))
    return alter.with_picked(state, stacks, attack, turn)


def _attack_ended(state: BattleState, event: ev.AttackEnded) -> BattleState:
    del event
    return alter.with_attack(state, None)


def _went_out(state: BattleState, event: ev.WentOut) -> BattleState:
    playing = tuple(player for player in state.playing if player != event.player)
    statuses = _put(state.statuses, event.player, ())
    return alter.with_players(state, playing, statuses, _put(state.effects, event.player, ()))


def _won(state: BattleState, event: ev.Won) -> BattleState:
    return alter.with_winner(state, event.player)


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
