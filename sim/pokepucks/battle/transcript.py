"""A battle as text: its transcript, its standing and its stacks.

`battle_transcript` yields the battle as `sim.pokepucks.battle.narration` tells it, or, verbose, a
line an event with the stacks at the beginning of each turn. `standing_lines` describes the end,
`describe_event` a single event. Turns and throws are numbered from 1; the number behind a puck's
name is its index in the table, from 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from physics import Face
from sim.pokepucks.battle import events as ev
from sim.pokepucks.battle.live import Exchange, LiveBattle
from sim.pokepucks.battle.narration import Emphasis, counted, names_of, narrate
from sim.pokepucks.battle.setup import new_battle
from sim.pokepucks.battle.state import (
    ARENA,
    BattleState,
    Place,
    StackKind,
    Step,
    place_name,
)
from sim.pokepucks.battle.table import Table
from sim.pokepucks.designs import DesignKind

_STACKS_SHOWN = (StackKind.SLAMMER, StackKind.HEALTH, StackKind.POWER, StackKind.PRIZE)
"""A player's stacks in a transcript, in this order."""


def battle_transcript(
    table: Table,
    exchanges: Iterable[Exchange],
    *,
    verbose: bool = False,
    bold: Emphasis = str,
    fold: bool = True,
) -> Iterator[str]:
    """Yield the lines of a battle's transcript as the battle goes on.

    Args:
        table: The set-up.
        exchanges: Its exchanges.
        verbose: A line for every event, and the stacks at the beginning of every turn.
        bold: Returns a text in bold; for knock-outs and Critical, unless verbose.
        fold: Tell equal throws in a row once, unless verbose.
    """
    if not verbose:
        yield from narrate(_events(table, exchanges), bold, fold=fold)
        return
    for state, event in _events(table, exchanges):
        if isinstance(event, ev.TurnBegan):
            yield f"turn {event.number}: {table.names[event.player]}"
            yield from ("  | " + line for line in stack_lines(state))
        text = describe_event(state, event)
        if text:
            yield "  " + text


def _events(table: Table, exchanges: Iterable[Exchange]) -> Iterator[tuple[BattleState, ev.Event]]:
    """Yield every event with the state before it."""
    state = new_battle(table)
    for event in LiveBattle(state).news:
        yield state, event
        state = ev.apply(state, event)
    for exchange in exchanges:
        state = exchange.before
        for event in exchange.events:
            yield state, event
            state = ev.apply(state, event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Winnings:
    """The pucks that a player has won and lost in a battle.

    Attributes:
        player: The player.
        won: Pucks in the player's collection that would have gone to another one, or to the box.
        lost: The player's own pucks in the collections of others.
    """

    player: int
    won: tuple[int, ...]
    lost: tuple[int, ...]


def winnings_of(state: BattleState) -> tuple[Winnings, ...]:
    """Return the winnings of each player, by the collections as they are now."""
    pucks = state.table.pucks
    holders = {
        puck: player for player in range(state.table.players) for puck in state.collection(player)
    }
    return tuple(
        Winnings(
            player=player,
            won=tuple(p for p in state.collection(player) if pucks[p].returns_to != player),
            lost=tuple(
                index
                for index, puck in enumerate(pucks)
                if puck.owner == player and holders.get(index, player) != player
            ),
        )
        for player in range(state.table.players)
    )


def standing_lines(state: BattleState, *, numbered: bool = True) -> Iterator[str]:
    """Yield the lines of the standing: the result and everybody's winnings, or else the stacks.

    Args:
        state: The battle.
        numbered: Give the index of each puck won and lost.
    """
    table = state.table
    so_far = f"{_counted(state.turn.number, 'turn')}, {_counted(state.throws, 'throw')}"
    if state.winner is not None:
        yield f"{table.names[state.winner]} wins after {so_far}"
    elif state.step is Step.OVER:
        yield f"a draw after {so_far}"
    else:
        yield f"not over after {so_far}"
        yield from ("  " + line for line in stack_lines(state))
        return
    for winnings in winnings_of(state):
        if not numbered:
            yield (
                f"  {table.names[winnings.player]} wins {_spelled(table, winnings.won)} "
                f"and loses {_spelled(table, winnings.lost)}"
            )
            continue
        yield (
            f"  {table.names[winnings.player]} takes home {_gains(state, winnings.won, 'won')}, "
            f"{_gains(state, winnings.lost, 'lost')}"
        )


def _spelled(table: Table, pucks: Sequence[int]) -> str:
    special = [puck for puck in pucks if table.pucks[puck].design.kind is not DesignKind.PLAIN]
    return counted(len(pucks)) + (f" ({names_of(table, special)})" if special else "")


def stack_lines(state: BattleState) -> Iterator[str]:
    """Yield a line for the Arena and one for each player's stacks; the top puck is on the right."""
    yield f"Arena{_size(state, ARENA)}: {pucks_text(state, state.arena)}"
    for player in state.playing:
        stacks = " | ".join(
            f"{kind}{_size(state, Place(kind, player))}: "
            f"{pucks_text(state, state.stack(Place(kind, player)))}"
            for kind in _STACKS_SHOWN
        )
        notes = ", ".join((*state.statuses[player], *state.effects[player]))
        yield f"{state.table.names[player]}{f' ({notes})' if notes else ''}: {stacks}"


def _size(state: BattleState, place: Place) -> str:
    size = state.max_size(place)
    if size is None or place.kind is StackKind.SLAMMER:
        return ""
    return f" {len(state.stack(place))}/{size}"


def _gains(state: BattleState, pucks: Sequence[int], word: str) -> str:
    special = [puck for puck in pucks if state.design(puck).kind is not DesignKind.PLAIN]
    names = f" ({pucks_text(state, special)})" if special else ""
    return f"{_counted(len(pucks), 'puck')} {word}{names}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def describe_event(state: BattleState, event: ev.Event) -> str:
    """Return an event in a few words; empty for events that transcripts leave out.

    Args:
        state: The state before the event.
        event: The event.
    """
    return _DESCRIBE[type(event)](state, event)


def _name(state: BattleState, player: int) -> str:
    return state.table.names[player]


def pucks_text(state: BattleState, pucks: Sequence[int]) -> str:
    """Return pucks as text: names with indices, and plain pucks by their index alone."""
    return ", ".join(_puck(state, puck) for puck in pucks) or "-"


def _puck(state: BattleState, puck: int) -> str:
    plain = state.design(puck).kind is DesignKind.PLAIN
    return f"#{puck}" if plain else state.table.label(puck)


def _because(why: str) -> str:
    return f" ({why})" if why else ""


def _nothing(state: BattleState, event: ev.Event) -> str:
    del state, event
    return ""


def _moved(state: BattleState, event: ev.Moved) -> str:
    where = "under" if event.under else "to"
    return (
        f"{pucks_text(state, event.pucks)} from {place_name(state, event.source)} {where} "
        f"{place_name(state, event.target)}{_because(event.why)}"
    )


def _arranged(state: BattleState, event: ev.Arranged) -> str:
    place = place_name(state, event.place)
    return f"{place} is now {pucks_text(state, event.order)}{_because(event.why)}"


def _size_set(state: BattleState, event: ev.SizeSet) -> str:
    place = place_name(state, event.place)
    return f"max size of {place}: {event.size}{_because(event.why)}"


def _status(word: str) -> Callable[[BattleState, Any], str]:
    def describe(state: BattleState, event: ev.StatusGained | ev.StatusLost) -> str:
        return f"{_name(state, event.player)} {word} {event.status}{_because(event.why)}"

    return describe


def _effect(word: str) -> Callable[[BattleState, Any], str]:
    def describe(state: BattleState, event: ev.EffectGained | ev.EffectLost) -> str:
        return f"{event.effect} {word} on {_name(state, event.player)}"

    return describe


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
    return f"{_name(state, state.player)} gets another attack ({event.grant.rule}{limit})"


def _payer(state: BattleState, event: ev.PayerSet) -> str:
    if event.player is None:
        return ""
    return f"{_name(state, event.player)} pays the next top-off (Confused)"


def _attack_began(state: BattleState, event: ev.AttackBegan) -> str:
    verb = "attempts a knock-out with" if event.knock_out else "attacks with"
    because = "" if event.grant is None else _because(event.grant.rule)
    return f"{_name(state, event.player)} {verb} {_puck(state, event.slammer)}{because}"


def _declared(state: BattleState, event: ev.Declared) -> str:
    del state
    return f"declared: {event.rule}"


def _thrown(state: BattleState, event: ev.Thrown) -> str:
    if not event.outcome.hit:
        return f"throw {event.number} misses"
    return f"throw {event.number} at {len(event.targets)}: {_landings(state, event)}"


def _landings(state: BattleState, event: ev.Thrown) -> str:
    parts = []
    for face, word in ((Face.UP, "up"), (Face.OUT, "out"), (Face.LEANING, "leaning")):
        pucks = [event.targets[index] for index in event.outcome.indices(face)]
        if pucks:
            parts.append(f"{pucks_text(state, pucks)} {word}")
    return "; ".join(parts) or "nothing flips"


def _landing(state: BattleState, event: ev.LandingChanged) -> str:
    flipped, out = pucks_text(state, event.flipped), pucks_text(state, event.out)
    return f"up: {flipped}; out: {out}{_because(event.why)}"


def _limited(state: BattleState, event: ev.AttackLimited) -> str:
    del state
    return f"at most {event.most} picked up{_because(event.why)}"


def _barred(state: BattleState, event: ev.AttackBarred) -> str:
    del state
    return f"nothing is picked up ({event.why})"


def _picked(state: BattleState, event: ev.PickedUp) -> str:
    puck = _puck(state, event.puck)
    return f"{_name(state, event.player)} picks up {puck}, to {event.target.kind}"


def _went_out(state: BattleState, event: ev.WentOut) -> str:
    return f"{_name(state, event.player)} is out of the battle ({event.why})"


def _won(state: BattleState, event: ev.Won) -> str:
    return f"{_name(state, event.player)} wins"


def _drawn(state: BattleState, event: ev.Drawn) -> str:
    del state
    return f"a draw after {event.turns} turns"


_DESCRIBE: Mapping[type, Callable[[BattleState, Any], str]] = {
    ev.StepBegan: _nothing,
    ev.TurnBegan: _nothing,
    ev.Moved: _moved,
    ev.Arranged: _arranged,
    ev.SizeSet: _size_set,
    ev.StatusGained: _status("gains"),
    ev.StatusLost: _status("loses"),
    ev.EffectGained: _effect("is pending"),
    ev.EffectLost: _effect("is no longer pending"),
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
