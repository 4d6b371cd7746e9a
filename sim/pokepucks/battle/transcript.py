"""A battle told in lines: a line a turn, or every event, with the stacks of each turn.

Events told in a few words each.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from physics import Face
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.ledger import apply, tell_place
from sim.pokepucks.battle.live import Exchange, LiveBattle
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import ARENA, BattleState, Place, StackKind, Step, places
from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import DesignKind
from sim.pokepucks.throws import Outcome


def tell_event(state: BattleState, event: ev.Event) -> str:
    """Return an event in a few words; empty if there is nothing to tell.

    Args:
        state: The state before it.
        event: The event.
    """
    return _TELL[type(event)](state, event)


def _name(state: BattleState, player: int) -> str:
    return state.table.names[player]


def tell_pucks(state: BattleState, pucks: Sequence[int]) -> str:
    """Return pucks as text: their names and numbers, plain ones by their numbers alone."""
    return ", ".join(_puck(state, puck) for puck in pucks) or "-"


def _puck(state: BattleState, puck: int) -> str:
    plain = state.design(puck).kind is DesignKind.PLAIN
    return f"#{puck}" if plain else state.table.tell(puck)


def _because(why: str) -> str:
    return f" ({why})" if why else ""


def _nothing(state: BattleState, event: ev.Event) -> str:
    del state, event
    return ""


def _moved(state: BattleState, event: ev.Moved) -> str:
    where = "under" if event.under else "to"
    return (
        f"{tell_pucks(state, event.pucks)} from {tell_place(state, event.source)} {where} "
        f"{tell_place(state, event.target)}{_because(event.why)}"
    )


def _arranged(state: BattleState, event: ev.Arranged) -> str:
    place = tell_place(state, event.place)
    return f"{place} is now {tell_pucks(state, event.order)}{_because(event.why)}"


def _size_set(state: BattleState, event: ev.SizeSet) -> str:
    place = tell_place(state, event.place)
    return f"max size of {place}: {event.size}{_because(event.why)}"


def _status(word: str) -> Callable[[BattleState, Any], str]:
    def tell(state: BattleState, event: ev.StatusGained | ev.StatusLost) -> str:
        return f"{_name(state, event.player)} {word} {event.status}{_because(event.why)}"

    return tell


def _effect(word: str) -> Callable[[BattleState, Any], str]:
    def tell(state: BattleState, event: ev.EffectGained | ev.EffectLost) -> str:
        return f"{event.effect} {word} on {_name(state, event.player)}"

    return tell


def _used(state: BattleState, event: ev.RuleUsed) -> str:
    of = "" if event.puck is None else f" of {_puck(state, event.puck)}"
    return f"{_name(state, event.player)}: {event.rule}{of}"


def _matchup(state: BattleState, event: ev.MatchupSet) -> str:
    del state
    types = event.matchup
    return (
        f"types: {types.type or 'none'} against weakness {types.weakness or 'none'}, "
        f"resistance {types.resistance or 'none'}{_because(event.why)}"
    )


def _attacks(state: BattleState, event: ev.AttacksSet) -> str:
    del state
    return f"attacks: {event.attacks}{_because(event.why)}"


def _granted(state: BattleState, event: ev.AttackGranted) -> str:
    most = event.grant.most
    limit = "" if most is None else f", at most {most} picked up"
    return f"{_name(state, state.player)} has an attack more ({event.grant.rule}{limit})"


def _payer(state: BattleState, event: ev.PayerSet) -> str:
    if event.player is None:
        return ""
    return f"{_name(state, event.player)} pays the next top-off (Confused)"


def _attack_began(state: BattleState, event: ev.AttackBegan) -> str:
    what = "tries a knock-out with" if event.knock_out else "attacks with"
    because = "" if event.grant is None else _because(event.grant.rule)
    return f"{_name(state, event.player)} {what} {_puck(state, event.slammer)}{because}"


def _declared(state: BattleState, event: ev.Declared) -> str:
    del state
    return f"declared: {event.rule}"


def _thrown(state: BattleState, event: ev.Thrown) -> str:
    if not event.outcome.hit:
        return f"throw {event.number} misses"
    return f"throw {event.number} at {len(event.targets)}: {_landings(state, event)}"


def _landings(state: BattleState, event: ev.Thrown) -> str:
    told = []
    for face, word in ((Face.UP, "up"), (Face.OUT, "out"), (Face.LEANING, "leaning")):
        there = [event.targets[place] for place in _places(event.outcome, face)]
        if there:
            told.append(f"{tell_pucks(state, there)} {word}")
    return "; ".join(told) or "nothing flips"


def _places(outcome: Outcome, face: Face) -> list[int]:
    return [place for place, lies in enumerate(outcome.landings) if lies.face is face]


def _landing(state: BattleState, event: ev.LandingChanged) -> str:
    flipped, out = tell_pucks(state, event.flipped), tell_pucks(state, event.out)
    return f"up: {flipped}; out: {out}{_because(event.why)}"


def _limited(state: BattleState, event: ev.AttackLimited) -> str:
    del state
    return f"at most {event.most} picked up{_because(event.why)}"


def _barred(state: BattleState, event: ev.AttackBarred) -> str:
    del state
    return f"nothing is picked up ({event.why})"


def _picked(state: BattleState, event: ev.PickedUp) -> str:
    target = event.target.kind
    return f"{_name(state, event.player)} picks up {_puck(state, event.puck)}, to {target}"


def _went_out(state: BattleState, event: ev.WentOut) -> str:
    return f"{_name(state, event.player)} is out of the battle ({event.why})"


def _won(state: BattleState, event: ev.Won) -> str:
    return f"{_name(state, event.player)} wins"


def _drawn(state: BattleState, event: ev.Drawn) -> str:
    del state
    return f"a draw after {event.turns} turns"


_TELL: Mapping[type, Callable[[BattleState, Any], str]] = {
    ev.StepBegan: _nothing,
    ev.TurnBegan: _nothing,
    ev.Moved: _moved,
    ev.Arranged: _arranged,
    ev.SizeSet: _size_set,
    ev.StatusGained: _status("gains"),
    ev.StatusLost: _status("loses"),
    ev.EffectGained: _effect("is pending"),
    ev.EffectLost: _effect("is pending no more"),
    ev.RuleUsed: _used,
    ev.MatchupSet: _matchup,
    ev.AttacksSet: _attacks,
    ev.Flagged: _nothing,
    ev.AttackGranted: _granted,
    ev.PayerSet: _payer,
    ev.AttackBegan: _attack_began,
    ev.Declared: _declared,
    ev.Thrown: _thrown,
    ev.LandingChanged: _landing,
    ev.AttackLimited: _limited,
    ev.AttackBarred: _barred,
    ev.PickedUp: _picked,
    ev.AttackEnded: _nothing,
    ev.WentOut: _went_out,
    ev.Won: _won,
    ev.Drawn: _drawn,
}


_DETAILS = (ev.MatchupSet, ev.Arranged)
"""Events that the short form leaves out."""

_HANDLING = {"set aside", "knock-out", "shields back", "put back", "knocked out", "turn"}
"""What the events are for that it leaves out too."""

_SHOWN = {StackKind.SLAMMER: 0, StackKind.HEALTH: 1, StackKind.POWER: 2, StackKind.PRIZE: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What a player takes home from a battle.

    Attributes:
        player: Who.
        won: Pucks that were others', or of no player.
        lost: Own pucks that others took.
    """

    player: int
    won: tuple[int, ...]
    lost: tuple[int, ...]


def homes(state: BattleState) -> tuple[Home, ...]:
    """Return what each player has won and lost, as collections are now."""
    pucks = state.table.pucks
    taken = {
        puck: player for player in range(state.table.players) for puck in state.collection(player)
    }
    return tuple(
        Home(
            player=player,
            won=tuple(p for p in state.collection(player) if pucks[p].owner != player),
            lost=tuple(
                number
                for number, puck in enumerate(pucks)
                if puck.owner == player and taken.get(number, player) != player
            ),
        )
        for player in range(state.table.players)
    )


def tell_battle(
    table: Table, exchanges: Iterable[Exchange], *, verbose: bool = False
) -> Iterator[str]:
    """Return a battle's lines as it goes on.

    Args:
        table: The set-up.
        exchanges: Its exchanges.
        verbose: A line for every event, and the stacks at the beginning of every turn.
    """
    opening = new_battle(table)
    line: list[str] = []
    for state, event in _events(opening, LiveBattle(opening).news, exchanges):
        turns = isinstance(event, ev.TurnBegan | ev.Won | ev.Drawn)
        if turns and not verbose and line:
            yield _turn(state) + "; ".join(line)
            line = []
        if isinstance(event, ev.TurnBegan) and verbose:
            yield f"turn {event.number}: {table.names[event.player]}"
            yield from ("  | " + text for text in tell_stacks(state))
        told = tell_event(state, event)
        if not told:
            continue
        if verbose:
            yield "  " + told
        elif state.turn.number and state.winner is None and _matters(event):
            line.append(told)


def _matters(event: ev.Event) -> bool:
    """Return whether the short form tells an event."""
    return not isinstance(event, _DETAILS) and getattr(event, "why", "") not in _HANDLING


def _turn(state: BattleState) -> str:
    return f"turn {state.turn.number}, {state.table.names[state.player]}: "


def _events(
    state: BattleState, opening: Sequence[ev.Event], exchanges: Iterable[Exchange]
) -> Iterator[tuple[BattleState, ev.Event]]:
    """Return every event with the state before it."""
    for event in opening:
        yield state, event
        state = apply(state, event)
    for exchange in exchanges:
        state = exchange.before
        for event in exchange.events:
            yield state, event
            state = apply(state, event)


def tell_standing(state: BattleState) -> Iterator[str]:
    """Return the lines of the standing: how it ended, and what each player has gained and lost."""
    table = state.table
    so_far = f"{_counted(state.turn.number, 'turn')}, {_counted(state.throws, 'throw')}"
    if state.winner is not None:
        yield f"{table.names[state.winner]} wins after {so_far}"
    elif state.step is Step.OVER:
        yield f"a draw after {so_far}"
    else:
        yield f"not over after {so_far}"
        yield from ("  " + text for text in tell_stacks(state))
        return
    for home in homes(state):
        name = table.names[home.player]
        yield (
            f"  {name} takes home {_gains(state, home.won, 'won')}, "
            f"{_gains(state, home.lost, 'lost')}"
        )


def tell_stacks(state: BattleState) -> Iterator[str]:
    """Return a line for the Arena, and one for the stacks of each player; the top is right."""
    yield f"Arena{_size(state, ARENA)}: {tell_pucks(state, state.arena)}"
    for player in state.playing:
        own = [place for place in places(state.table.players) if place.player == player]
        shown = sorted((place for place in own if place.kind in _SHOWN), key=_order)
        stacks = " | ".join(
            f"{place.kind}{_size(state, place)}: {tell_pucks(state, state.stack(place))}"
            for place in shown
        )
        notes = ", ".join((*state.statuses[player], *state.effects[player]))
        yield f"{state.table.names[player]}{f' ({notes})' if notes else ''}: {stacks}"


def _order(place: Place) -> int:
    return _SHOWN[place.kind]


def _size(state: BattleState, place: Place) -> str:
    size = state.max_size(place)
    if size is None or place.kind is StackKind.SLAMMER:
        return ""
    return f" {len(state.stack(place))}/{size}"


def _gains(state: BattleState, pucks: Sequence[int], word: str) -> str:
    special = [puck for puck in pucks if state.design(puck).kind is not DesignKind.PLAIN]
    names = f" ({tell_pucks(state, special)})" if special else ""
    return f"{_counted(len(pucks), 'puck')} {word}{names}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
